"""What a person says of a find: no die, or one that could not be read. It stays while the camera sees the same."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tableside.dice import Alternative, Die, DieReading, Doubt, Reading, Status, Suspect, find_sets
from tableside.errors import Conflict, UnknownFace, UnknownRoll
from tableside.table import MemoryStore, System, Table
from tableside.table.acts import answers_of
from tableside.table.kept import Roll, Source
from tableside.table.messages import ChooseGame, CorrectDie, NewReading, NewRoll, NewThrow, TellSuspect, Undo
from tests.conftest import SYSTEM

BOOST = Die(type="boost", face=("advantage",))


def box(x: float) -> tuple[tuple[float, float], ...]:
    return ((x - 20, 80.0), (x + 20, 80.0), (x + 20, 120.0), (x - 20, 120.0))


def die(face: str, x: float, status: Status = Status.SURE) -> DieReading:
    return DieReading(type="ability", face=(face,), center=(x, 100.0), outline=box(x), confidence=0.9, status=status)


def suspect(x: float) -> Suspect:
    return Suspect(center=(x, 100.0), outline=box(x), confidence=0.7)


def reading(*dice: DieReading, suspects: tuple[Suspect, ...] = ()) -> Reading:
    return Reading(width=640, height=480, dice=dice, suspects=suspects)


def rolled(table: Table, read: Reading) -> str:
    message = NewRoll(id=str(uuid.uuid4()), at=1.0, reading=read)
    table.ask(message)
    return message.id


def said(table: Table, kind: type[CorrectDie | TellSuspect], roll: str, index: int, what: Die | None) -> Roll:
    told = {"type": what.type, "face": what.face} if what else {"nothing": True}
    table.ask(kind(id=str(uuid.uuid4()), at=2.0, roll_id=roll, index=index, **told))
    return found(table, roll)


def again(table: Table, roll: str, read: Reading) -> Roll:
    table.ask(NewReading(id=str(uuid.uuid4()), at=3.0, roll_id=roll, reading=read))
    return found(table, roll)


def found(table: Table, roll: str) -> Roll:
    return table.state.find_roll(roll)


def test_what_is_no_die_is_taken_out_and_what_it_was_read_as_is_kept(table: Table, store: MemoryStore) -> None:
    ghost = die("advantage", 300, Status.UNSURE)
    roll = rolled(table, reading(die("success", 100), ghost))
    settled = said(table, CorrectDie, roll, 1, None)
    assert [one.face for one in settled.dice] == [("success",)]
    assert (settled.sure, settled.source, dict(settled.net)["advantage"]) == (True, Source.CORRECTED, 0)
    kept = {"center": [300.0, 100.0], "confidence": 0.9, "type": "ability", "face": ["advantage"]}
    assert [{key: one[key] for key in kept} for one in settled.to_json()["dismissed"]] == [kept]
    other = Table(SYSTEM, store)
    try:
        assert found(other, roll) == settled
    finally:
        other.close()
    table.ask(Undo(id=str(uuid.uuid4()), at=4.0))
    assert [one.face for one in found(table, roll).dice] == [("success",), ("advantage",)]
    assert found(table, roll).dismissed == ()


def test_a_suspect_that_is_no_die_leaves_the_roll_sure(table: Table) -> None:
    roll = rolled(table, reading(die("success", 100), suspects=(suspect(300), suspect(400))))
    assert not said(table, TellSuspect, roll, 0, None).sure
    settled = said(table, TellSuspect, roll, 0, None)
    assert (settled.sure, len(settled.dice), len(settled.dismissed)) == (True, 1, 2)


def test_a_suspect_is_told_and_counts(table: Table, store: MemoryStore) -> None:
    roll = rolled(table, reading(die("success", 100), suspects=(suspect(300),)))
    settled = said(table, TellSuspect, roll, 0, BOOST)
    assert [(one.die, one.center, one.status) for one in settled.dice[1:]] == [(BOOST, (300.0, 100.0), Status.SURE)]
    assert (settled.sure, dict(settled.net)["advantage"]) == (True, 1)
    other = Table(SYSTEM, store)
    try:
        assert found(other, roll).dice[1].is_told
    finally:
        other.close()


@pytest.mark.parametrize(
    ("seen", "dice", "suspects"),
    [
        pytest.param(reading(die("success", 100), suspects=(suspect(304),)), [("success",)], 0, id="as before"),
        pytest.param(
            reading(die("success", 100), die("success", 302, Status.UNSURE)), [("success",)], 0, id="a question"
        ),
        pytest.param(reading(die("success", 100), die("advantage", 302)), [("success",)], 0, id="what it was read as"),
        pytest.param(
            reading(die("success", 100), die("success", 302)), [("success",), ("success",)], 0, id="surely another die"
        ),
        pytest.param(reading(die("success", 100), suspects=(suspect(340),)), [("success",)], 1, id="elsewhere"),
    ],
)
def test_what_was_no_die_stays_none_until_there_surely_is_one(
    table: Table, seen: Reading, dice: list[tuple[str, ...]], suspects: int
) -> None:
    roll = rolled(table, reading(die("success", 100), die("advantage", 300, Status.UNSURE)))
    said(table, CorrectDie, roll, 1, None)
    now = again(table, roll, seen)
    assert ([one.face for one in now.dice], len(now.suspects)) == (dice, suspects)


@pytest.mark.parametrize(
    ("seen", "dice"),
    [
        pytest.param(reading(die("success", 100), suspects=(suspect(304),)), ["ability", "boost"], id="as before"),
        pytest.param(reading(die("success", 100), die("advantage", 302)), ["ability", "ability"], id="read now"),
        pytest.param(reading(die("success", 100)), ["ability"], id="taken away"),
    ],
)
def test_a_told_die_stays_while_it_cannot_be_read(table: Table, seen: Reading, dice: list[str]) -> None:
    roll = rolled(table, reading(die("success", 100), suspects=(suspect(300),)))
    said(table, TellSuspect, roll, 0, BOOST)
    now = again(table, roll, seen)
    assert ([one.type for one in now.dice], now.suspects) == (dice, ())


def test_what_is_not_there_or_cannot_be_is_refused(table: Table) -> None:
    roll = rolled(table, reading(die("success", 100), suspects=(suspect(300),)))
    with pytest.raises(UnknownRoll, match="no suspect 1"):
        said(table, TellSuspect, roll, 1, None)
    with pytest.raises(UnknownFace):
        said(table, TellSuspect, roll, 0, Die(type="boost", face=("despair",)))
    with pytest.raises(Conflict):
        table.ask(TellSuspect(id=str(uuid.uuid4()), at=2.0, roll_id=roll, index=0, nothing=True, version=7))
    assert len(found(table, roll).suspects) == 1


def test_a_roll_of_which_nothing_is_a_die_has_no_dice(table: Table) -> None:
    roll = rolled(table, reading(die("success", 100, Status.UNSURE)))
    settled = said(table, CorrectDie, roll, 0, None)
    assert (settled.dice, settled.sure, settled.headline) == ((), True, "No dice")


@pytest.fixture
def wild() -> Iterator[Table]:
    """A table whose roll waits for the Wild Die's next throw; two finds lie beside its dice."""
    table = Table(System(sets=find_sets(["pips"]), game="d6-wild"), MemoryStore())
    dice = (pip("pip", "3", 100), pip("wild", "6", 200), pip("pip", "1", 300, Status.UNSURE))
    table.ask(NewRoll(id="a", at=1.0, reading=reading(*dice, suspects=(suspect(400),)), game="d6-wild"))
    yield table
    table.close()


def pip(kind: str, face: str, x: float, status: Status = Status.SURE) -> DieReading:
    return replace(die("success", x, status), type=kind, face=(face,))


@pytest.mark.parametrize(
    ("x", "pips", "suspects"),
    [pytest.param(1.0, ["5"], 0, id="lies as it lay"), pytest.param(8.0, ["5", "1"], 1, id="moved")],
)
def test_what_was_no_die_is_asked_about_where_a_later_throw_may_have_put_another(
    wild: Table, x: float, pips: list[str], suspects: int
) -> None:
    said(wild, CorrectDie, "a", 2, None)
    said(wild, TellSuspect, "a", 0, None)
    next_throw = reading(pip("pip", "5", 50), pip("pip", "1", 300 + x, Status.UNSURE), suspects=(suspect(400 + x),))
    roll = wild.ask(NewThrow(id="b", at=3.0, roll_id="a", reading=next_throw)).roll
    assert ([one.face[0] for one in roll.dice if one.throw == 1], len(roll.suspects)) == (pips, suspects)


def test_a_correction_is_of_its_own_throw(wild: Table) -> None:
    said(wild, CorrectDie, "a", 0, Die(type="pip", face=("4",)))
    roll = wild.ask(NewThrow(id="b", at=3.0, roll_id="a", reading=reading(pip("pip", "3", 100)))).roll
    assert [one.face[0] for one in roll.dice if one.type == "pip" and one.throw == 1] == ["3"]


IVORY, RED = (199, 227, 237), (31, 26, 178)


def shown(face: str, x: float, colour: tuple[int, int, int], *, asked: bool = False, kind: str = "pip") -> DieReading:
    doubt = Doubt.COLOUR if asked else None
    others = (Alternative(type="wild", face=(face,), confidence=0.5),) if asked else ()
    return DieReading(
        type=kind, face=(face,), center=(x, 100.0), outline=box(x), confidence=0.9, colour_bgr=colour,
        status=Status.UNSURE if asked else Status.SURE, doubt=doubt, alternatives=others,
    )  # fmt: skip


WHICH = reading(shown("4", 100, IVORY, asked=True), shown("6", 200, IVORY), shown("2", 300, RED))


def test_one_tap_on_the_wild_die_settles_the_question_and_shows_the_table_its_look(
    table: Table, store: MemoryStore
) -> None:
    roll = rolled(table, WHICH)
    assert found(table, roll).question == 0
    told = said(table, CorrectDie, roll, 2, Die(type="wild", face=("2",)))
    assert (told.sure, [die.type for die in told.dice]) == (True, ["pip", "pip", "wild"])
    original = told.dice[2].original
    assert original.type == "pip"
    assert table.state.setup.looks == {"wild": ("#b21a1f", "#ede3c7")}
    restarted = Table(SYSTEM, store)
    restarted.close()
    assert restarted.state.setup.looks == table.state.setup.looks
    seen_again = again(table, roll, WHICH)
    assert (seen_again.sure, seen_again.dice[2].type) == (True, "wild")
    table.ask(Undo(id=str(uuid.uuid4()), at=4.0))
    table.ask(Undo(id=str(uuid.uuid4()), at=5.0))
    assert (found(table, roll).question, table.state.setup.looks) == (0, {})


def test_the_wild_die_is_another_one_than_was_read(table: Table) -> None:
    roll = rolled(table, reading(shown("4", 100, IVORY), shown("6", 200, IVORY), shown("2", 300, RED, kind="wild")))
    told = said(table, CorrectDie, roll, 0, Die(type="wild", face=("4",)))
    assert [die.type for die in told.dice] == ["wild", "pip", "pip"]
    changed = said(table, CorrectDie, roll, 1, Die(type="wild", face=("6",)))
    assert [die.type for die in changed.dice] == ["pip", "wild", "pip"]


def test_none_of_the_dice_is_the_wild_die(table: Table) -> None:
    roll = rolled(table, WHICH)
    assert said(table, CorrectDie, roll, 0, Die(type="pip", face=("4",))).sure
    assert table.state.setup.looks == {}


def test_each_die_that_may_be_the_wild_die_is_an_answer(table: Table) -> None:
    table.ask(ChooseGame(id=str(uuid.uuid4()), at=1.0, game="d6-wild"))
    answers = answers_of(found(table, rolled(table, WHICH)), SYSTEM)
    assert [(one.index, one.die.type, one.die.face) for one in answers] == [
        (0, "wild", ("4",)),
        (1, "wild", ("6",)),
        (2, "wild", ("2",)),
    ]
    assert [one.then.awaits is not None for one in answers] == [False, True, False]
    assert all(one.matters and one.then.sure for one in answers)
