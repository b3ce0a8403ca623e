"""What holds for the project as a whole."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from tableside.config import CONNECTIONS, SECTIONS, PinSettings
from tests.conftest import ROOT

SOURCES = [
    path
    for folder in ("tableside", "models", "tests", "web", "hardware", "docs")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in {".py", ".js", ".css", ".html"} and "data" not in path.relative_to(ROOT).parts[1:2]
]


def test_the_rules_load_nothing_but_the_standard_library_and_msgspec() -> None:
    games = "import sys; from tableside.rules import find_game, game_names; [find_game(name) for name in game_names()]"
    script = f"{games}; print(*{{name.split('.')[0] for name in sys.modules}})"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    msgspec = {"msgspec", "typing_extensions"}  # the second it loads where something else has installed it
    ours_or_standard = {*sys.stdlib_module_names, *msgspec, "tableside", "__main__", "sitecustomize"}
    foreign = {name for name in shown if name not in ours_or_standard and not name.startswith(("_", "__editable"))}
    assert not foreign


def test_no_text_names_a_path_of_the_machine_it_was_written_on() -> None:
    pattern = re.compile(r"(^|[^A-Za-z0-9_.])/(work|root)/")
    texts = [*SOURCES, ROOT / "README.md", ROOT / "pyproject.toml"]
    found = [str(path) for path in texts if path != Path(__file__) and pattern.search(path.read_text(encoding="utf-8"))]
    assert not found


def test_the_networks_together_stay_under_five_megabytes() -> None:
    assert sum(path.stat().st_size for path in (ROOT / "models").glob("*.onnx")) <= 5_000_000


def test_the_guide_names_every_address_of_the_api_and_no_other() -> None:
    from tableside.adapters.web.openapi import openapi_document

    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert {address for row in rows for address in re.findall(r"`(/[^`]+)`", row)} == set(openapi_document()["paths"])


@pytest.mark.parametrize("section", CONNECTIONS)
def test_the_page_of_a_connection_names_every_setting_of_it(section: str) -> None:
    page = (ROOT / "docs" / f"{section}.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    assert {key.name for key in fields(SECTIONS[section])} <= named


def test_the_guide_names_every_part_of_the_check_up() -> None:
    from tableside.adapters.camera.kind import CameraSettings
    from tableside.app.checkup import check_up
    from tableside.config import Settings

    page = (ROOT / "docs" / "pi.md").read_text(encoding="utf-8")
    settings = Settings(
        camera=CameraSettings(kind="still", path=ROOT / "nothing.png"), pins=PinSettings(factory="none")
    )
    assert {finding.part for finding in check_up(settings)} <= set(re.findall(r"`([\w -]+)`", page))
