"""The whole way of the recipe, as ``--quick`` goes it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

for package in ("torch", "onnx", "numba", "sklearn", "tqdm", "matplotlib"):
    pytest.importorskip(package, reason="only needed to train: pip install -e '.[training]'")

from models.render import numbers  # noqa: E402 -- it needs what is imported above
from models.train.labels import SETS  # noqa: E402
from tableside.errors import SettingsError  # noqa: E402
from tableside.reader.reader import Reader  # noqa: E402
from tests.conftest import ROOT  # noqa: E402

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)

NETWORKS = ("locator", "place", "classifier")


def train(folder: Path) -> str:
    words = [sys.executable, "-m", "models.train", str(folder), "--quick"]
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
def test_the_quick_way_goes_from_an_empty_folder_to_networks_that_a_reader_takes(tmp_path: Path) -> None:
    said = train(tmp_path)
    assert "rolls right" in said
    for name in NETWORKS:
        card = json.loads((tmp_path / "networks" / f"{name}.json").read_text())
        assert card["sha256"] == hashlib.sha256((tmp_path / "networks" / f"{name}.onnx").read_bytes()).hexdigest()
        assert {"apart", "apart-hard"} <= set(card["scores"])
        assert card["trained"][0]["hours_on_two_cores"] > 0
        for picture in (tmp_path / f"{name}-1" / f"{name}.png", tmp_path / f"{name}-1" / f"{name}.jpg"):
            assert cv2.imread(str(picture)).std() > 1
    gates = [json.loads((tmp_path / f"classifier-{n}" / "classifier.json").read_text())["gate"] for n in (1, 2, 3)]
    assert all(gate["shipped"] > 0.7 > gate["right"] and not gate["passed"] for gate in gates)  # so the last is taken
    taken, last = (tmp_path / where / "classifier.onnx" for where in ("networks", "classifier-3"))
    assert taken.read_bytes() == last.read_bytes()
    picture = cv2.imread(str(next((tmp_path / "apart").glob("*.jpg"))))
    Reader(SETS, models_folder=tmp_path / "networks").read(picture)

    made = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    train(tmp_path)  # nothing is left to do
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == made
