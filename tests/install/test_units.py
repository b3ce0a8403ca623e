"""The units that the service and the kiosk are installed by: good to systemd, and with least rights."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tableside.cli import BAD_USAGE, MAY_HEAL, tableside
from tests.conftest import ROOT

INSTALL = ROOT / "install"
UNITS = ("tableside.service", "tableside-kiosk.service")
MOST_EXPOSED = 20
"""Tenths, of a scale from 0 to 10; systemd calls up to 2.0 "OK", and a unit that says nothing has 9.2."""


@pytest.fixture
def analyze() -> str:
    """Return the tool, or skip; the pipeline installs it."""
    found = shutil.which("systemd-analyze")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("systemd-analyze is missing: apt-get install systemd")
    return found


def installed(unit: str, folder: Path) -> Path:
    """Lay the unit out with programs that are there."""
    text = (INSTALL / unit).read_text(encoding="utf-8")
    path = folder / unit
    path.write_text(re.sub(r"^ExecStart=\S+", f"ExecStart={sys.executable}", text, flags=re.M), encoding="utf-8")
    return path


@pytest.mark.parametrize("unit", UNITS)
def test_systemd_finds_nothing_wrong_with_a_unit(analyze: str, unit: str, tmp_path: Path) -> None:
    path = installed(unit, tmp_path)
    told = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=no", str(path)], capture_output=True, text=True
    )  # fmt: skip
    assert (told.returncode, told.stderr) == (0, "")


def test_the_service_is_exposed_little(analyze: str, tmp_path: Path) -> None:
    path = installed("tableside.service", tmp_path)
    command = [analyze, "security", "--offline=true", "--no-pager", f"--threshold={MOST_EXPOSED}", str(path)]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-500:]


def test_the_service_tells_systemd_when_it_is_ready_and_alive() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(INSTALL / "tableside.service")
    service = unit["Service"]
    assert (service["Type"], service["Restart"], service["User"]) == ("notify", "on-failure", "tableside")
    assert int(service["WatchdogSec"]) >= 10
    assert service["RestartPreventExitStatus"] == str(BAD_USAGE)  # what is wrong then is so at the next start, too
    assert str(MAY_HEAL) not in service["RestartPreventExitStatus"].split()
    assert unit["Unit"]["After"] == unit["Unit"]["Wants"] == "network-online.target"
    program, command, _, settings = service["ExecStart"].split()
    assert service["ReadWritePaths"] == f"-{Path(settings).parent}"  # /setup writes which camera is taken
    assert program == "/opt/tableside/current/bin/tableside"
    assert command in tableside.commands


def test_paths_of_the_units_are_those_that_the_script_installs() -> None:
    script = (INSTALL / "service").read_text(encoding="utf-8")
    for name in (*UNITS, "tableside-kiosk.desktop"):
        text = (INSTALL / name).read_text(encoding="utf-8")
        assert name in script
        for path in re.findall(r"/opt/tableside/(\S+)", text):
            top = path.split("/")[0]
            assert f"$opt/{top}" in script, path
    assert "settings=/etc/tableside/tableside.toml" in script
    assert "data=/var/lib/tableside" in script


@pytest.mark.parametrize(
    "script",
    [
        "install/service",
        "install/image/build",
        "install/image/fill",
        "install/trials/arm64",
        "install/trials/image",
        "install/trials/pi_packages",
        "install/setup.sh",
        "start",
        "check",
    ],
)
def test_shell_scripts_can_be_parsed_and_name_tests_that_exist(script: str) -> None:
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)
    named = re.findall(r"(?<![\w/])tests/[\w/]+(?:\.\w+)*", (ROOT / script).read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_service_script_is_for_root_only_and_says_so() -> None:
    if os.geteuid() == 0:
        pytest.skip("this is root")
    told = subprocess.run([str(INSTALL / "service")], capture_output=True, text=True)
    assert told.returncode == 2
    assert "sudo install/service" in told.stderr
