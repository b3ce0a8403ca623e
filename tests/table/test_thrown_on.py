"""The camera's next throw joins the roll that waits for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tableside.dice import DieReading, Reading, Status, find_sets
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import NewReading, NewRoll, NewThrow, Undo


def seen(*faces: tuple[str, str]) -> Reading:
    dice = tuple(
        DieReading(type=t, face=(f,), center=(x * 30.0, 9.0), outline=(), confidence=0.99, status=Status.SURE)
        for x, (t, f) in enumerate(faces)
    )
    return Reading(width=320, height=240, dice=dice)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(System(sets=find_sets(["pips"]), game="d6-wild"), MemoryStore())
    table.ask(NewRoll(id="a", at=1.0, reading=seen(("pip", "3"), ("wild", "6")), game="d6-wild"))
    yield table
    table.close()


def test_a_wild_die_that_exploded_is_thrown_again_and_added(table: Table) -> None:
    assert table.state.roll is not None
    assert table.state.roll.awaits is not None
    state = table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4")), has_picture=True))
    roll = state.roll
    assert roll is not None
    assert (len(state.rolls), roll.id, roll.awaits, roll.pictures) == (1, "a", None, 1)
    assert dict(roll.net)["total"] == 3 + 6 + 4
    assert [len(throw) for throw in roll.throws] == [2, 1]


def test_the_last_throw_alone_is_read_again(table: Table) -> None:
    table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4"))))
    roll = table.ask(NewReading(id="c", at=3.0, roll_id="a", reading=seen(("pip", "2")))).roll
    assert roll is not None
    assert [[die.face for die in throw] for throw in roll.throws] == [[("3",), ("6",)], [("2",)]]


def test_it_can_be_taken_back(table: Table) -> None:
    table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4"))))
    roll = table.ask(Undo(id="d", at=4.0)).roll
    assert roll is not None
    assert roll.awaits is not None
    assert len(roll.dice) == 2


def test_a_roll_that_was_taken_back_stays_taken_back(table: Table) -> None:
    table.ask(Undo(id="d", at=4.0))
    assert table.ask(NewThrow(id="b", at=5.0, roll_id="a", reading=seen(("pip", "4")))).roll is None
