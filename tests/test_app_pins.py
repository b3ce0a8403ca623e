"""The pins of a table: a button posts a flip, and a table without pins runs on."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from tableside.adapters.gpio.factory import GIVEN_AWAY, is_board
from tableside.app.pins import TablePins
from tableside.config import PinSettings
from tableside.table import MemoryStore, System, Table
from tableside.table.kept import Destiny, Side, TableState
from tableside.table.messages import (
    CallRoll,
    ChangeDestiny,
    ChangePerson,
    ChooseGame,
    ClearTrouble,
    Do,
    DoPerson,
    ShowTrouble,
    Undo,
)
from tableside.table.shown import call_of, points_now
from tests.conftest import SYSTEM
from tests.fakes import lgpio
from tests.fakes.table import KeepingTable

SOUND = {18, 19, 20, 21}


def test_a_pressed_button_posts_one_flip() -> None:
    table = KeepingTable()
    pins = TablePins(PinSettings(factory="mock"), table, clock=lambda: 5.0)
    pins.panel.press("flip_dark", True)
    pins.panel.press("flip_dark", False)
    pins.close()
    (flip,) = table.messages
    assert isinstance(flip, ChangeDestiny)
    assert (flip.do, flip.side, flip.at) == (Do.SPEND, Side.DARK, 5.0)


def test_a_button_turns_no_force_point_over_and_the_table_says_why() -> None:
    table = Table(System(sets=()), MemoryStore())
    pins = TablePins(PinSettings(factory="mock"), table)
    table.add_display("pins", pins)
    try:
        table.ask(ChooseGame(id="1", at=1.0, game="d6-wild"))
        before = table.ask(ChangeDestiny(id="2", at=1.0, do=Do.SET, light=2, dark=0))
        pins.panel.press("flip_light", True)
        pins.panel.press("flip_light", False)
        state = table.wait(after=before.revision, timeout=30)
        told = [trouble.what for trouble in state.trouble]
        assert told == ["a point that is spent does not turn over in D6 with a Wild Die"]
        assert state.destiny == Destiny(light=2, dark=0)
    finally:
        table.close()
        pins.close()


def _call(table: Table, game: str, **form: object) -> str:
    """Choose a game and call a roll of a character of it; return the character's id."""
    table.ask(ChooseGame(id="game", at=1.0, game=game))
    person = {"id": "kesh", "name": "Kesh", "kind": "player", **form}
    table.ask(ChangePerson(id="add", at=1.0, do=DoPerson.ADD, person=person))
    table.ask(CallRoll(id="call", at=1.0, who="kesh", skill="Blaster"))
    return "kesh"


def _press(pins: TablePins, table: Table, name: str) -> TableState:
    before = table.state.revision
    pins.panel.press(name, True)
    pins.panel.press(name, False)
    return table.wait(after=before, timeout=30)


def _lit(pins: TablePins) -> list[str]:
    return [lamp["name"] for lamp in pins.panel.snapshot()["lamps"] if lamp["value"] and lamp["name"] != "status"]


def _told(pins: TablePins, table: Table) -> list[str]:
    """Return the lamps that burn for the table as it is now."""
    pins.show(table.state)
    return _lit(pins)


def test_a_press_while_a_roll_is_called_upgrades_it_in_the_same_act() -> None:
    table = Table(SYSTEM, MemoryStore())
    pins = TablePins(PinSettings(factory="mock"), table)
    try:
        table.ask(ChangeDestiny(id="pool", at=1.0, do=Do.SET, light=2, dark=1))
        skill = {"name": "Blaster", "ask": {"characteristic": 2, "skill": 1, "difficulty": "average"}}
        _call(table, "narrative", skills=[skill])
        state = _press(pins, table, "flip_light")
        assert (state.destiny, dict(call_of(state).dice)) == (
            Destiny(light=1, dark=2),
            {"proficiency": 2, "difficulty": 2},
        )
        assert _told(pins, table) == ["light 1", "dark 1", "dark 2"]
        state = _press(pins, table, "flip_dark")
        assert (state.destiny, call_of(state).dice["challenge"]) == (Destiny(light=2, dark=1), 1)
    finally:
        table.close()
        pins.close()


def test_lamps_show_the_points_of_who_acts_and_a_press_spends_a_force_point() -> None:
    table = Table(SYSTEM, MemoryStore())
    pins = TablePins(PinSettings(factory="mock"), table)
    try:
        points = {"force_points": {"value": 2}, "dark_side_points": {"value": 1}}
        _call(table, "d6-companion", skills=[{"name": "Blaster", "ask": {"code": "4D"}}], trackers=points)
        assert _told(pins, table) == ["light 1", "light 2", "dark 1"]
        state = _press(pins, table, "flip_light")
        assert dict(call_of(state).dice) == {"pip": 8}
        assert _told(pins, table) == ["light 1", "dark 1"]
        assert points_now(table.ask(Undo(id="undo", at=1.0))).to_json() == {
            "who": "kesh", "name": "Kesh", "light": 2, "dark": 1, "character": 0,
        }  # fmt: skip
    finally:
        table.close()
        pins.close()


def test_lamps_show_the_state_on_the_drawn_panel() -> None:
    pins = TablePins(PinSettings(factory="mock"), KeepingTable())
    pins.show(TableState(destiny=Destiny(light=2, dark=1)))
    lit = [lamp["name"] for lamp in pins.panel.snapshot()["lamps"] if lamp["value"]]
    pins.close()
    assert lit == ["light 1", "light 2", "dark 1", "status"]


@pytest.fixture(autouse=True)
def _on_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableside.app.pins.is_board", lambda: True)


def test_pins_that_are_switched_off_are_no_trouble() -> None:
    table = KeepingTable()
    pins = TablePins(PinSettings(factory="none"), table)
    pins.show(TableState(destiny=Destiny(light=2)))
    pins.close()
    assert table.messages == []
    assert pins.panel.snapshot() == {"lamps": [], "buttons": [], "mock": False}


def test_a_laptop_without_pins_is_told_of_those_alone_that_somebody_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr("tableside.app.pins.is_board", lambda: False)
    for settings, said in ((PinSettings(), 0), (PinSettings(status=(7,)), 1)):
        table = KeepingTable()
        pins = TablePins(settings, table, retry_seconds=0.001)
        pins.show(TableState(destiny=Destiny(light=2)))
        pins.close()
        assert len(table.messages) == said


def test_a_board_says_that_it_has_a_device_tree(tmp_path: Path) -> None:
    assert not is_board(str(tmp_path))
    (tmp_path / "proc" / "device-tree").mkdir(parents=True)
    assert is_board(str(tmp_path))


def test_a_table_without_pins_says_so_and_runs_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    table = KeepingTable()
    pins = TablePins(PinSettings(), table, retry_seconds=0.001)
    pins.show(TableState(destiny=Destiny(light=2)))
    pins.close()
    (trouble,) = table.messages  # said once, however often it is tried
    assert isinstance(trouble, ShowTrouble)
    assert "lgpio is not installed" in trouble.what
    assert pins.panel.snapshot() == {"lamps": [], "buttons": [], "mock": False}


WIRES = PinSettings().wires()
BUTTONS_HERE = ("flip_light", "flip_dark", "read_again")
"""Those that tell at once when they are pressed."""


def burns(pin: int) -> bool:
    return lgpio.line(pin).pwm == (100, 100)


@pytest.mark.parametrize(("name", "busy"), WIRES, ids=[f"{name} {pin}" for name, pin in WIRES])
def test_one_busy_pin_leaves_the_others_is_named_and_is_tried_again(
    name: str, busy: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lgpio.install(monkeypatch)
    lgpio.held_by[busy] = "onewire@0"
    settings, table, read = PinSettings(), KeepingTable(), threading.Event()
    pins = TablePins(settings, table, read_again=read.set, retry_seconds=0.01)
    try:
        trouble = table.wait_for(lambda message: isinstance(message, ShowTrouble))
        assert isinstance(trouble, ShowTrouble)
        assert (trouble.part, trouble.where) == ("pins", f"[pins] {name}")
        assert trouble.what == f"GPIO {busy} is held by onewire@0"
        pins.show(TableState(is_testing=True))
        plain = {pin for lamps in ("light", "dark", "status") for pin in getattr(settings, lamps)}
        assert {pin for pin in plain if burns(pin)} == plain - {busy}
        assert burns(settings.result[0]) == (name != "result")
        for button in BUTTONS_HERE:
            if button != name:
                lgpio.drive(getattr(settings, button)[0], 0)
        if name != "read_again":
            assert read.wait(30)
        flips = 2 - (name in ("flip_light", "flip_dark"))
        table.wait_for(lambda message: isinstance(message, ChangeDestiny), count=flips)
        del lgpio.held_by[busy]
        table.wait_for(lambda message: isinstance(message, ClearTrouble))
        assert len([message for message in table.messages if isinstance(message, ShowTrouble)]) == 1
        if busy in plain:
            assert burns(busy)
        elif name in ("flip_light", "flip_dark"):
            lgpio.drive(busy, 0)
            table.wait_for(lambda message: isinstance(message, ChangeDestiny), count=2)
    finally:
        for button in BUTTONS_HERE:
            lgpio.drive(getattr(settings, button)[0], 1)
        pins.close()
    assert not lgpio.is_open()


def test_where_every_pin_is_held_no_other_is_said_to_work(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio.install(monkeypatch)
    lgpio.held_by.update({pin: "another program" for _, pin in WIRES})
    table = KeepingTable()
    pins = TablePins(PinSettings(), table, retry_seconds=0.01)
    try:
        trouble = table.wait_for(lambda message: isinstance(message, ShowTrouble))
        assert isinstance(trouble, ShowTrouble)
        assert "GPIO 18, 19, 20, 21 are commonly taken by a sound board" in trouble.hint
        assert trouble.hint.endswith("name a free pin. This is tried again.")
    finally:
        pins.close()


def test_a_chip_that_cannot_be_opened_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio.install(monkeypatch)
    opens = lgpio.gpiochip_open
    tries = iter([lgpio.error("can not open gpiochip")] * 3)

    def open_later(chip: int) -> int:
        for error in tries:
            raise error
        return opens(chip)

    monkeypatch.setattr(lgpio, "gpiochip_open", open_later)
    table = KeepingTable()
    pins = TablePins(PinSettings(), table, retry_seconds=0.01)
    pins.show(TableState(destiny=Destiny(light=1)))
    table.wait_for(lambda message: isinstance(message, ClearTrouble))
    assert burns(PinSettings().light[0])
    pins.close()
    assert [type(message) for message in table.messages] == [ShowTrouble, ClearTrouble]


def test_a_freed_button_does_not_hide_a_busy_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    lgpio.install(monkeypatch)
    lgpio.held_by[25] = "onewire@0"
    table = KeepingTable()
    pins = TablePins(PinSettings(), table, retry_seconds=60)
    pins._stuck("undo")
    pins._when_freed("undo")
    pins.close()
    whats = [message.what for message in table.messages if isinstance(message, ShowTrouble)]
    assert whats == ["GPIO 25 is held by onewire@0", "the button undo stays pressed", "GPIO 25 is held by onewire@0"]


def test_no_default_pin_is_one_that_the_system_commonly_gives_away() -> None:
    # `raspi-config`, Interface Options, and the identity chip: Raspberry Pi documentation, "GPIO and the 40-pin header"
    switches = {0, 1} | {2, 3} | {4} | {7, 8, 9, 10, 11} | {14, 15}
    pins = PinSettings()
    assert [wire for wire in pins.wires() if wire[1] in switches] == []
    assert switches == {pin for pin in GIVEN_AWAY if pin not in SOUND}
    # a sound board leaves every button, the result, the state and half of each side's lamps
    assert {pin for _, pin in pins.wires()} & SOUND == {*pins.light[2:], *pins.dark[2:]}


def test_pins_can_be_taken_again_after_they_were_given_back() -> None:
    for _ in range(2):
        table = KeepingTable()
        TablePins(PinSettings(factory="mock"), table).close()
        assert table.messages == []


def test_undo_is_held_and_read_again_is_pressed() -> None:
    table, read = KeepingTable(), threading.Event()
    pins = TablePins(PinSettings(factory="mock", hold_seconds=0.2), table, read_again=read.set)
    try:
        pins.panel.press("read_again", True)
        assert read.is_set()
        pins.panel.press("undo", True)
        pins.panel.press("undo", False)  # a tap is no hold
        assert table.messages == []
        pins.panel.press("undo", True)
        undo = table.wait_for(lambda message: isinstance(message, Undo))
        assert undo == Undo(id=undo.id, at=undo.at, by="the table", only_open=True)  # type: ignore[union-attr]
    finally:
        pins.close()
