"""Nothing is told to anybody: no command asks a name server, or leaves a file anywhere but in the data folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tableside import paths
from tests.alone import CONTROL, UNSHARE
from tests.conftest import ROOT
from tests.test_app_teach import label

_TOLD_AFTER = 15
"""Seconds: ONNX Runtime 1.32 asked for its maker's host after ten, and made an id of the device at once."""


def can_be_alone() -> bool:
    try:
        return not subprocess.run([*UNSHARE, "true"], capture_output=True).returncode
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not can_be_alone(), reason="this machine lets nobody make a network of its own")


def told_by(folder: Path, *command: str, seconds: int = 60) -> list[str]:
    """Run a program in an empty home, and return which names it asked for and which files it left there."""
    home = folder / "home"
    for inside in (".", "tmp", "at"):
        (home / inside).mkdir(parents=True)
    # no CI and the like, where ONNX Runtime keeps quiet by itself
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"HOME": str(home), "TMPDIR": str(home / "tmp"), "TABLESIDE_DATA": str(folder / "data")}
    alone = [*UNSHARE, sys.executable, "-m", "tests.alone", str(seconds), *command]
    done = subprocess.run(alone, env=environment, cwd=home / "at", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    first, *asked = done.stdout.splitlines()
    assert first == CONTROL
    return asked + [str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()]


@pytest.mark.slow
def test_reading_and_teaching_tell_nobody(tmp_path: Path) -> None:
    tableside = (sys.executable, "-m", "tableside")
    photos = label(tmp_path / "photos", "roll-4")
    assert told_by(tmp_path / "read", *tableside, "read", str(photos / "roll-4.jpg")) == []
    assert told_by(tmp_path / "teach", *tableside, "teach", "bones", "--from", str(photos)) == []


@pytest.mark.slow
def test_a_table_at_work_tells_nobody(tmp_path: Path) -> None:
    settings = f'[camera]\nkind = "folder"\nfps = 5\npath = "{paths.samples_folder()}"\n'
    (tmp_path / "tableside.toml").write_text(settings, encoding="utf-8")
    command = (sys.executable, "-m", "tableside", "run", "--config", str(tmp_path / "tableside.toml"))
    assert told_by(tmp_path / "run", *command, seconds=_TOLD_AFTER) == []
    assert (tmp_path / "run" / "data" / "table.sqlite").exists()


@pytest.mark.parametrize("package", ["models", "tests"])
def test_what_makes_and_measures_the_networks_tells_nobody(tmp_path: Path, package: str) -> None:
    assert told_by(tmp_path, sys.executable, "-c", f"import {package}, onnxruntime") == []
