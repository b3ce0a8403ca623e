"""The camera's next throw joins the roll that waits for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tableside.dice import Die, DieReading, Reading, Status, find_sets
from tableside.errors import Conflict
from tableside.table import MemoryStore, System, Table
from tableside.table.kept import Roll, change_from_text, change_to_text
from tableside.table.messages import EnterThrow, NewReading, NewRoll, NewThrow, Photo, Redo, Undo


def seen(*faces: tuple[str, str]) -> Reading:
    dice = tuple(
        DieReading(type=t, face=(f,), center=(x * 30.0, 9.0), outline=(), confidence=0.99, status=Status.SURE)
        for x, (t, f) in enumerate(faces)
    )
    return Reading(width=320, height=240, dice=dice)


def faces(roll: Roll) -> list[list[str]]:
    return [[die.face[0] for die in throw] for throw in roll.throws]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(System(sets=find_sets(["pips"]), game="d6-wild"), MemoryStore())
    table.ask(NewRoll(id="a", at=1.0, reading=seen(("pip", "3"), ("wild", "6")), game="d6-wild"))
    yield table
    table.close()


def test_a_wild_die_that_exploded_is_thrown_again_and_added(table: Table) -> None:
    assert table.state.roll.awaits is not None
    state = table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4")), has_picture=True))
    roll = state.roll
    assert (len(state.rolls), roll.id, roll.awaits, roll.pictures) == (1, "a", None, 1)
    assert dict(roll.net)["total"] == 3 + 6 + 4
    assert [len(throw) for throw in roll.throws] == [2, 1]


def test_a_photograph_of_the_throw_that_the_tray_told_meanwhile_is_no_third_one(table: Table) -> None:
    table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4"))))
    sent = NewThrow(id="c", at=2.1, roll_id="a", reading=seen(("pip", "5")), photo=Photo(mark="m"))
    with pytest.raises(Conflict, match="waits for no throw"):
        table.ask(sent)
    table.ask(Undo(id="d", at=3.0))
    assert table.state.roll
    assert faces(table.state.roll) == [["3", "6"]]
    assert table.ask(sent).roll  # its id was not used up
    assert faces(table.state.roll) == [["3", "6"], ["5"]]


def test_the_last_throw_alone_is_read_again(table: Table) -> None:
    table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4"))))
    roll = table.ask(NewReading(id="c", at=3.0, roll_id="a", reading=seen(("pip", "2")), throw=1)).roll
    assert faces(roll) == [["3", "6"], ["2"]]


def test_a_throw_that_was_taken_back_stays_so_when_the_camera_sees_its_dice_again(table: Table) -> None:
    table.ask(NewThrow(id="b", at=2.0, roll_id="a", reading=seen(("pip", "4"))))
    table.ask(Undo(id="d", at=3.0))
    again = NewReading(id="e", at=4.0, roll_id="a", reading=seen(("pip", "2")), throw=1)
    roll = table.ask(again).roll
    assert (faces(roll), roll.awaits is not None) == ([["3", "6"]], True)
    roll = table.ask(replace(again, id="f", is_wanted=True)).roll
    assert faces(roll) == [["3", "6"], ["2"]]


def test_the_first_throw_read_again_leaves_the_one_that_a_person_entered(table: Table) -> None:
    table.ask(EnterThrow(id="b", at=2.0, roll_id="a", dice=(Die(type="pip", face=("4",)),)))
    roll = table.ask(NewReading(id="c", at=3.0, roll_id="a", reading=seen(("pip", "2"), ("wild", "6")))).roll
    assert faces(roll) == [["2", "6"], ["4"]]


def test_a_roll_is_taken_back_only_where_somebody_took_it_back(table: Table) -> None:
    assert not table.state.is_taken_back("a")
    assert not table.state.is_taken_back("a roll that the table has not heard of yet")
    assert table.ask(Undo(id="d", at=4.0)).is_taken_back("a")
    assert not table.ask(Redo(id="e", at=5.0)).is_taken_back("a")


def test_a_roll_that_was_taken_back_stays_taken_back(table: Table) -> None:
    table.ask(Undo(id="d", at=4.0))
    assert table.ask(NewThrow(id="b", at=5.0, roll_id="a", reading=seen(("pip", "4")))).roll is None


def test_the_game_master_may_throw_either_number_of_dice_also_after_a_restart(table: Table) -> None:
    ask = {"code": "1D", "band": "moderate", "random": True}
    state = table.ask(NewRoll(id="r", at=2.0, reading=seen(("wild", "5")), game="d6-wild", ask=ask))
    assert state.last_change is not None
    text = change_to_text(state.last_change)
    kept = change_from_text(text).after.roll
    assert (kept.awaits.count, kept.awaits.most) == (3, 4)
    older = change_from_text(text.replace(',"most":4', "")).after.roll  # histories had no such number
    assert older.awaits.most == 3
    thrown = table.ask(NewThrow(id="s", at=3.0, roll_id="r", reading=seen(*[("pip", "1")] * 4))).roll
    assert (thrown.short, thrown.awaits, thrown.headline) == ((), None, "Success 5")
    assert (thrown.difficulty, thrown.to_json()["difficulty"]) == (4, 4)
    assert table.state.last_change is not None
    assert change_from_text(change_to_text(table.state.last_change)).after.roll == thrown
