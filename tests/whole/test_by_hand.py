"""A table whose camera and pins are switched off in the settings: nothing is wrong with it, and dice are entered."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tableside.adapters.camera.kind import CameraSettings
from tableside.app.checkup import check_up
from tableside.app.machine import Machine
from tableside.app.running_table import RunningTable
from tableside.cli import tableside
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore
from tests.fakes.table import call
from tests.whole.test_table import wait_for


def settings_in(folder: Path) -> Settings:
    return Settings(
        camera=CameraSettings(kind="none"), pins=PinSettings(factory="none"),
        table=TableSettings(data=folder), web=WebSettings(port=0),
    )  # fmt: skip


@pytest.fixture
def beaten() -> threading.Event:
    return threading.Event()


@pytest.fixture
def running(tmp_path: Path, beaten: threading.Event) -> Iterator[RunningTable]:
    running = RunningTable(settings_in(tmp_path), store=MemoryStore(), beat=beaten.set)
    running.start()
    yield running
    running.close()


def test_what_is_switched_off_is_no_trouble(running: RunningTable, beaten: threading.Event) -> None:
    state = wait_for(running.table, lambda state: state.phase.value == "by_hand")
    assert state.trouble == ()
    assert call(running, "health") == (200, {"ok": True, "reasons": []})
    assert "tableside camera" not in {thread.name for thread in threading.enumerate()}
    assert beaten.wait(30)  # systemd is told that all is well


def test_a_roll_is_entered_by_hand(running: RunningTable) -> None:
    body = {"dice": [{"type": "ability", "face": ["success"]}]}
    status, roll = call(running, "api/rolls", body)
    assert (status, roll["source"], roll["outcome"]) == (201, "manual", "success")


def test_what_needs_a_camera_says_that_there_is_none(running: RunningTable) -> None:
    assert call(running, "api/setup")[1]["camera"] is None
    assert call(running, "api/dice")[1]["camera"] is False
    for address, body in (("api/setup", {}), ("api/setup/adjust", {}), ("api/setup/picture", None), ("api/read", {})):
        status, told = call(running, address, body)
        assert (status, "by hand" in told["error"]["hint"]) == (409, True), address


def test_the_check_up_calls_it_good(tmp_path: Path) -> None:
    closed = tmp_path / "root" / "dev" / "video0"
    closed.parent.mkdir(parents=True)
    closed.touch(mode=0o000)
    found = {one.part: one for one in check_up(settings_in(tmp_path), machine=Machine(tmp_path / "root"))}
    assert [one for one in found.values() if not one.is_good] == []
    assert found["camera"].text == "switched off in the settings: dice are entered by hand"
    assert found["pins"].text == "switched off in the settings"
    assert found["groups"].text == "no camera and no pins to open"


@pytest.mark.parametrize("command", [["calibrate"], ["record", "clip"]])
def test_commands_for_the_camera_say_what_to_set(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "tableside.toml"
    file.write_text('[camera]\nkind = "none"\n')
    result = CliRunner().invoke(tableside, [*command, "--config", str(file)])
    assert "[camera] kind: is none: this table has no camera. Set it to" in f"{result.output}{result.exception}"
