"""Taking rolls back while dice are in the air: the tray goes on with what people left standing."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.table import MemoryStore, TableState
from tableside.table.messages import Undo
from tests.fakes.sensor import FakeSensor
from tests.fakes.tray import DrawnReader, draw_tray
from tests.whole.test_table import wait_for

GREEN, YELLOW, PURPLE = ("green", 60, 60), ("yellow", 200, 150), ("purple", 250, 60)
IDS = itertools.count()


class Table:
    """A table with a sensor over it that shows what is laid into the tray."""

    def __init__(self, data: Path) -> None:
        self.sensor = FakeSensor(draw_tray())
        settings = Settings(
            table=TableSettings(data=data), web=WebSettings(port=0), pins=PinSettings(factory="none")
        )  # fmt: skip
        self.reader = DrawnReader()
        self.running = RunningTable(settings, store=MemoryStore(), reader=self.reader, camera=self.sensor)
        self.running.start()

    def lay(self, *dice: tuple[str, int, int]) -> None:
        """Lay these dice into the tray, and no others, and wait until they were read."""
        read, rested = self.reader.read_count, self.running.table.state.rested
        self.sensor.scene = draw_tray(*dice)
        wait_for(self.running.table, lambda state: self.reader.read_count > read and state.rested > rested)

    def undo(self) -> None:
        self.running.table.ask(Undo(id=f"undo {next(IDS)}", at=1.0))

    def wait_for_rolls(self, *types: set[str]) -> TableState:
        """Wait for rolls of these types, newest first, and for no other."""
        return wait_for(
            self.running.table, lambda state: [{die.type for die in roll.dice} for roll in state.rolls] == list(types)
        )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path / "data")
    table.lay()
    yield table
    table.running.close()


def test_dice_thrown_beside_a_roll_that_was_taken_back_are_a_new_roll(table: Table) -> None:
    table.lay(GREEN, YELLOW)
    first = table.wait_for_rolls({"ability", "proficiency"}).rolls[0]
    table.lay(GREEN)  # picked up
    table.undo()  # while it is in the air
    table.lay(GREEN, PURPLE)
    state = table.wait_for_rolls({"ability", "difficulty"})
    assert state.rolls[0].id != first.id


def test_the_roll_before_is_not_touched_when_the_newest_was_taken_back(table: Table) -> None:
    table.lay(YELLOW)
    table.wait_for_rolls({"proficiency"})
    table.lay()
    table.lay(GREEN)
    table.wait_for_rolls({"ability"}, {"proficiency"})
    table.undo()
    table.lay(GREEN, PURPLE)
    table.wait_for_rolls({"ability", "difficulty"}, {"proficiency"})


def test_a_die_only_nudged_does_not_bring_back_what_was_taken_back(table: Table) -> None:
    table.lay(GREEN, YELLOW)
    table.wait_for_rolls({"ability", "proficiency"})
    table.undo()
    table.lay(GREEN, ("yellow", 212, 156))
    table.lay()
    table.lay(PURPLE)
    table.wait_for_rolls({"difficulty"})
