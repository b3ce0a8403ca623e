"""The extra ``pi`` names picamera2, which the system's package satisfies: pip never compiles it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

PICAMERA2 = ("numpy", "PiDNG", "piexif", "pillow", "simplejpeg", "videodev2", "python-prctl", "av", "tqdm")
"""What the system's package asks for, and Debian's packages bring along."""


def lay(folder: Path, name: str, version: str, *needs: str) -> None:
    """Lay a package's description where Debian's packages lay theirs."""
    described = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    described.mkdir(parents=True)
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {one}" for one in needs),
    ]
    (described / "METADATA").write_text("\n".join(lines) + "\n")
    (described / "INSTALLER").write_text("debian\n")


def has_pi_extra(system: Path) -> subprocess.CompletedProcess[str]:
    """Ask the set-up, in a virtual environment that sees this system's packages and no index."""
    script = f'here={ROOT}; venv={sys.prefix}; . "$here/install/setup.sh"; tableside_has_pi_extra'
    env = os.environ | {"PYTHONPATH": str(system), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=env)


@pytest.fixture
def system(tmp_path: Path) -> Path:
    for name in PICAMERA2:
        lay(tmp_path, name, "99.0")
    return tmp_path


def test_the_systems_picamera2_is_all_that_the_extra_asks_for(system: Path) -> None:
    lay(system, "picamera2", "0.3.31", *PICAMERA2)
    told = has_pi_extra(system)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize(
    ("version", "needs"),
    [("0.3.12", PICAMERA2), ("0.3.31", (*PICAMERA2, "OpenEXR-of-tomorrow"))],
    ids=["old", "incomplete"],
)
def test_what_pip_would_compile_is_left_out(system: Path, version: str, needs: tuple[str, ...]) -> None:
    lay(system, "picamera2", version, *needs)
    told = has_pi_extra(system)
    assert told.returncode != 0
    assert "No matching distribution found for" in told.stderr


def test_the_extra_names_picamera2_and_no_dependency_has_to_be_compiled_for_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extra = {Requirement(line).name for line in project["optional-dependencies"]["pi"]}
    assert extra == {"picamera2"}
    always = {Requirement(line).name for line in project["dependencies"]}
    assert {"simplejpeg", "gpiozero"} <= always  # a system's own fit another numpy, or no Pi 5
