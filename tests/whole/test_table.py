"""The whole program: recorded rolls in, the table's state and the lamps out, and a button that flips destiny."""

from __future__ import annotations

import json
import re
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tableside.adapters.camera.folder import RecordedRolls
from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.camera.port import no_wait
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore, Table, TableState
from tableside.table.messages import CallRoll, ChangeDestiny, Do
from tests.fakes.sensor import FakeSensor
from tests.fakes.table import PluggedCamera
from tests.fakes.tray import DrawnReader, draw_tray, write_rolls

FPS = 200.0  # hurried: time comes from the frames


def settings_for(folder: Path, data: Path) -> Settings:
    return Settings(
        camera=CameraSettings(kind="folder", path=folder, fps=FPS),
        table=TableSettings(data=data),
        web=WebSettings(port=0),
        pins=PinSettings(factory="mock"),
    )


def wait_for(table: Table, is_wanted: Callable[[TableState], bool], *, timeout: float = 30.0) -> TableState:
    """Return the first state of this kind, or fail."""
    until = time.monotonic() + timeout
    state = table.state
    while (left := until - time.monotonic()) > 0:
        if is_wanted(state):
            return state
        state = table.wait(after=state.revision, timeout=min(left, 0.2))
    raise AssertionError(table.state)


def wait_for_panel(running: RunningTable, lit: set[str], *, timeout: float = 30.0) -> None:
    """Wait until exactly these point lamps burn."""
    shown = threading.Event()

    def look(panel: dict[str, list[dict[str, object]]]) -> None:
        points = {lamp["name"] for lamp in panel["lamps"] if lamp["value"] and lamp["side"] in ("light", "dark")}
        if points == lit:
            shown.set()

    running.panel.watch(look)  # type: ignore[arg-type]
    assert shown.wait(timeout), running.panel.snapshot()


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return bytes(answer.read())


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    rolls = write_rolls(tmp_path / "rolls", [("green", 100, 100)], [("yellow", 200, 150), ("purple", 80, 80)])
    settings = settings_for(rolls, tmp_path / "data")
    table: list[Table] = []
    # the second roll stays, so that a slow test does not find it pushed out by others
    camera = RecordedRolls(
        rolls, fps=30, goes_on=lambda lain_seconds: lain_seconds >= 1 and len(table[0].state.rolls) < 2, wait=no_wait
    )
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=camera)
    table.append(running.table)
    running.start()
    yield running
    running.close()


def test_the_running_table_has_the_addresses_that_its_openapi_document_describes(running: RunningTable) -> None:
    there: dict[str, set[str]] = {}
    for rule in running.application.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).replace("{roll_id}", "{id}")
        if path.startswith(("/api/", "/health", "/foundry/")) and path != "/api/openapi.json":
            there.setdefault(path, set()).update((rule.methods or set()) - {"HEAD", "OPTIONS"})
    described = json.loads(fetch(running.address + "api/openapi.json"))["paths"]
    assert {path: {act.upper() for act in acts} for path, acts in described.items()} == there


def test_recorded_rolls_become_scored_rolls_with_pictures(running: RunningTable) -> None:
    state = wait_for(running.table, lambda state: len(state.rolls) >= 2)
    second, first = state.rolls[-2:]
    assert [die.type for die in first.dice] == ["ability"]
    assert first.headline == "Success"
    assert {die.type for die in second.dice} == {"proficiency", "difficulty"}
    assert dict(second.net)["triumph"] == 1
    assert running.pictures.path(first.id) is not None


def test_a_pressed_button_flips_destiny_and_the_lamps_follow(running: RunningTable) -> None:
    table = running.table
    table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=2, dark=1))
    running.panel.press("flip_light", True)
    running.panel.press("flip_light", False)
    state = wait_for(table, lambda state: state.destiny.dark == 2)
    assert state.destiny.light == 1
    wait_for_panel(running, {"light 1", "dark 1", "dark 2"})


def test_the_page_is_served_with_the_state_and_the_panel(running: RunningTable) -> None:
    state = wait_for(running.table, lambda state: bool(state.rolls))
    served = json.loads(fetch(running.address + "api/state"))
    assert state.roll is not None
    assert state.roll.id in {roll["id"] for roll in served["history"]}
    picture = fetch(f"{running.address}api/rolls/{state.roll.id}/picture")
    assert picture.startswith(b"\xff\xd8")
    assert json.loads(fetch(running.address + "api/panel"))["mock"] is True
    assert b"<html" in fetch(running.address).lower()


@pytest.mark.slow
def test_a_lost_camera_is_said_and_the_table_goes_on(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "nowhere", tmp_path / "data")
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader())
    running.start()
    try:
        state = wait_for(running.table, lambda state: state.phase.value == "no_camera")
        assert [trouble.part for trouble in state.trouble] == ["camera"]
        state = running.table.ask(ChangeDestiny(id="1", at=1.0, do=Do.SET, light=3, dark=0))
        assert state.destiny.light == 3
        write_rolls(tmp_path / "nowhere", [("green", 100, 100)])
        healed = wait_for(running.table, lambda state: bool(state.rolls))
        assert not healed.trouble
    finally:
        running.close()


@pytest.mark.parametrize("is_live", [True, False])
def test_only_a_sensor_tells_by_earlier_rolls_how_a_flat_die_lies(
    is_live: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def opened(*_: object, camera_stays: bool, **__: object) -> DrawnReader:
        asked.append(camera_stays)
        return DrawnReader()

    monkeypatch.setattr("tableside.app.table_readers.open_reader", opened)
    rolls = write_rolls(tmp_path / "rolls", [("green", 100, 100)])
    camera = FakeSensor(draw_tray()) if is_live else RecordedRolls(rolls, fps=30, hold_seconds=1, wait=no_wait)
    running = RunningTable(settings_for(rolls, tmp_path / "data"), store=MemoryStore(), camera=camera)
    running.start()
    running.close()
    assert asked == [is_live]


@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_throw_before_the_camera_has_a_replay_unless_it_is_hidden(tmp_path: Path, is_hidden: bool) -> None:
    moving = [draw_tray(("green", 20 + 20 * n, 100)) for n in range(9)]
    camera = PluggedCamera([*[draw_tray()] * 15, *moving, *[draw_tray(("green", 200, 100))] * 20])
    settings = settings_for(tmp_path / "rolls", tmp_path / "data")
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=camera)
    try:
        running.table.ask(CallRoll(id="ask", at=1.0, player="Vex", is_hidden=is_hidden))
        running.start()
        roll = wait_for(running.table, lambda state: bool(state.rolls)).rolls[0]
        assert roll.is_hidden is is_hidden
        at = f"{running.address}api/rolls/{roll.id}"
        if is_hidden:
            for path in (at, f"{at}/replay"):
                with pytest.raises(HTTPError):
                    fetch(path)
        else:
            assert fetch(running.address.rstrip("/") + json.loads(fetch(at))["replay"]["sheet"]).startswith(b"\xff\xd8")
    finally:
        running.close()  # its displays have seen the last state then
    assert (running.replays.film(roll.id) is None) is is_hidden
