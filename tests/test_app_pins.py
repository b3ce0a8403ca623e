"""The pins of a table: a button posts a flip, and a table without pins runs on."""

from __future__ import annotations

import threading

from tableside.app.pins import TablePins
from tableside.config import PinSettings
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import ChangeDestiny, ChooseGame, Do, ShowTrouble, Undo
from tableside.table.state import Destiny, Side, TableState
from tests.fakes.table import KeepingTable


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
        state = table.wait(after=before.revision, timeout=10)
        told = [trouble.what for trouble in state.trouble]
        assert told == ["a point that is spent does not turn over in D6 with a Wild Die"]
        assert state.destiny == Destiny(light=2, dark=0)
    finally:
        table.close()
        pins.close()


def test_lamps_show_the_state_on_the_drawn_panel() -> None:
    pins = TablePins(PinSettings(factory="mock"), KeepingTable())
    pins.show(TableState(destiny=Destiny(light=2, dark=1)))
    lit = [lamp["name"] for lamp in pins.panel.snapshot()["lamps"] if lamp["value"]]
    pins.close()
    assert lit == ["light 1", "light 2", "dark 1", "status"]


def test_a_table_without_pins_says_so_and_runs_on() -> None:
    table = KeepingTable()
    pins = TablePins(PinSettings(factory="none"), table)
    pins.show(TableState(destiny=Destiny(light=2)))
    pins.close()
    (trouble,) = table.messages
    assert isinstance(trouble, ShowTrouble)
    assert (trouble.part, trouble.what) == ("pins", "no pins here: switched off in the settings")
    assert pins.panel.snapshot() == {"lamps": [], "buttons": [], "mock": False}


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
