"""What a release needs: one version, the layers as they are, the licences of all that is handed on."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

import tableside
from tableside.app.guide import packages
from tests.conftest import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DOCS = ROOT / "docs"


def script(name: str) -> ModuleType:
    """Load a script of the guide."""
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_told_in_one_place() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert ROOT / PROJECT["tool"]["hatch"]["version"]["path"] == Path(tableside.__file__)


def test_the_command_tells_the_version() -> None:
    done = subprocess.run([sys.executable, "-m", "tableside", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith(tableside.__version__)


def test_the_licence_is_named_and_there() -> None:
    assert PROJECT["project"]["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_the_picture_of_the_layers_is_that_of_the_contract() -> None:
    contract = next(one for one in PROJECT["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    rows = [{name.strip() for name in layer.split("|")} for layer in contract["layers"]]
    root = ElementTree.parse(DOCS / "pictures" / "layers.svg")
    space = "{http://www.w3.org/2000/svg}"
    names = {name for row in rows for name in row}
    drawn: dict[float, set[str]] = {}
    for text in root.iter(f"{space}text"):
        words = [(span.text or "").strip() for span in text.iter() if (span.text or "").strip()]
        if words and words[0] in names:
            drawn.setdefault(float(text.attrib["y"]), set()).add(words[0])
    assert [drawn[y] for y in sorted(drawn)] == rows, "run `python docs/layers.py`"


def test_every_layer_is_explained_in_the_picture() -> None:
    pytest.importorskip("schemdraw", reason="schemdraw is missing: pip install -e '.[dev]'")
    module = script("layers")
    assert [name for row in module.layers() for name in row if not module._WORDS.get(name)] == []


def test_every_package_of_a_running_table_is_told_with_its_licence() -> None:
    told = {name: licence for name, _, licence in packages()}
    direct = {re.split(r"[^\w-]", line)[0].lower() for line in PROJECT["project"]["dependencies"]}
    assert direct <= told.keys()
    assert {"werkzeug", "markupsafe"} <= told.keys()  # what others need in turn
    assert told.keys() & {"tableside", "pytest", "torch"} == set()
    assert [name for name, licence in told.items() if licence == "not named"] == []
    assert told["msgspec"] == "BSD-3-Clause"


def test_no_licence_binds_those_who_hand_tableside_on() -> None:
    strong = [name for name, _, licence in packages() if re.search(r"(?<!L)\bA?GPL", licence)]
    assert strong == []
