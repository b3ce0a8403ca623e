"""What the table does with messages: destiny, rolls, corrections, undo, and a store that fails."""

from __future__ import annotations

import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from tableside.dice import Alternative, DiceSet, Die, DieReading, DieType, Doubt, Reading, Status
from tableside.errors import BadChange, Conflict, StoreError, UnknownFace, UnknownGame, UnknownRoll
from tableside.table import MemoryStore, Side, Table
from tableside.table.acts import answers_of
from tableside.table.kept import Phase
from tableside.table.messages import (
    ChangeDestiny,
    ChangeRoll,
    ChooseGame,
    ClearTrouble,
    CorrectDie,
    Do,
    EnterRoll,
    NewRoll,
    Photo,
    ShowPhase,
    ShowTrouble,
    Undo,
)
from tableside.table.shown import state_json
from tests.conftest import SYSTEM
from tests.table.played import Played


def new_id() -> str:
    return str(uuid.uuid4())


def destiny(do: Do, side: Side | None = None, *, id: str = "", **more: int) -> ChangeDestiny:
    return ChangeDestiny(id=id or new_id(), at=1.0, do=do, side=side, **more)


def seen(face: tuple[str, ...], status: Status = Status.SURE) -> NewRoll:
    other = Alternative(type="ability", face=(), confidence=0.3)
    die = DieReading(
        type="ability", face=face, center=(10, 10), outline=(), confidence=0.6, status=status, alternatives=(other,),
        doubt=Doubt.LEAN if status is Status.UNSURE else None,
    )  # fmt: skip
    return NewRoll(id=new_id(), at=2.0, reading=Reading(width=100, height=100, dice=(die,)))


def points(table: Played) -> tuple[int, int]:
    return table.state.destiny.light, table.state.destiny.dark


@pytest.mark.parametrize(
    ("game", "says"),
    [("narrative", "Light spent: 1 light, 2 dark"), ("heroic", "Players spent: 1 players, 2 game master"),
     ("d6-companion", ""), ("d6-wild", "")],
)  # fmt: skip
def test_a_spent_point_turns_over_only_in_games_that_say_so(table: Played, game: str, says: str) -> None:
    table.choose(game)
    table.ask(destiny(Do.SET, light=2, dark=1))
    for side, after, said in ((Side.LIGHT, (1, 2), says), (Side.DARK, (2, 1), "")):
        if says:
            assert said in table.ask(destiny(Do.SPEND, side)).last_change.sentence
            assert points(table) == after
            continue
        with pytest.raises(Conflict, match=r"Force Points: a point that is spent does not turn over in D6 .*trackers"):
            table.ask(destiny(Do.SPEND, side))
        assert points(table) == (2, 1)
    table.ask(destiny(Do.REMOVE, Side.LIGHT))
    assert points(table) == (1, 1)
    assert table.state.destiny_flips is bool(says)


def test_the_same_id_counts_once(table: Played) -> None:
    table.ask(destiny(Do.SET, light=2, dark=0))
    twice = destiny(Do.SPEND, Side.LIGHT)
    table.ask(twice)
    table.ask(twice)
    assert points(table) == (1, 1)


def test_a_side_never_falls_below_zero(table: Played) -> None:
    with pytest.raises(BadChange):
        table.ask(destiny(Do.SPEND, Side.DARK))
    assert points(table) == (0, 0)


def test_a_doubtful_die_is_the_question_until_it_is_settled(table: Played) -> None:
    message = seen(("success",), Status.UNSURE)
    roll = table.ask(message).roll
    assert (roll.sure, roll.question) == (False, 0)
    die = Die(type="ability", face=("advantage", "success"))
    settled = table.tell(CorrectDie, roll_id=message.id, index=0, type=die.type, face=die.face).roll
    assert (settled.sure, settled.source, dict(settled.net)["advantage"]) == (True, "corrected", 1)
    assert (settled.dice[0].original.face, settled.dice[0].original.confidence) == (("success",), 0.6)


@pytest.mark.parametrize(
    ("index", "face", "version", "error"),
    [(0, ("triumph",), None, UnknownFace), (5, (), None, UnknownRoll), (0, (), 7, BadChange)],
)
def test_a_correction_that_cannot_be_changes_nothing(
    table: Played, index: int, face: tuple[str, ...], version: int | None, error: type[Exception]
) -> None:
    message = seen(("success",))
    before = table.ask(message).roll
    die = Die(type="ability", face=face)
    with pytest.raises(error):
        table.tell(CorrectDie, roll_id=message.id, index=index, type=die.type, face=die.face, version=version)
    assert table.state.roll == before


def test_a_roll_by_hand_is_marked_as_such(table: Played) -> None:
    dice = (Die(type="pip", face=("4",)), Die(type="pip", face=("2",)))
    roll = table.tell(EnterRoll, dice=dice).roll
    assert (roll.source, roll.headline, roll.game) == ("manual", "6", "d6-companion")


def test_an_older_roll_that_is_taken_back_and_redone_comes_back_to_its_place(table: Played) -> None:
    for at in (1.0, 2.0, 3.0):
        table.ask(EnterRoll(id=f"at {at}", at=at, dice=(Die(type="ability", face=()),)))
    table.undo(change=2)
    assert [roll.id for roll in table.state.rolls] == ["at 3.0", "at 1.0"]
    table.redo()
    assert [roll.id for roll in table.state.rolls] == ["at 3.0", "at 2.0", "at 1.0"]


def test_a_roll_that_waits_for_a_throw_says_which_and_still_does_after_a_restart(
    table: Played, store: MemoryStore
) -> None:
    dice = (Die(type="pip", face=("4",)), Die(type="wild", face=("6",)))
    roll = table.tell(EnterRoll, dice=dice).roll
    assert (roll.word, roll.awaits.dice, roll.awaits.sentence in roll.sentence) == ("undecided", (("wild", 1),), True)
    with closing(Played(SYSTEM, store)) as again:
        assert again.state.roll == roll


def test_a_missing_die_is_said(table: Played) -> None:
    dice = (Die(type="ability", face=("success",)),)
    ask = {"characteristic": 1, "difficulty": "average"}
    roll = table.tell(EnterRoll, dice=dice, game="narrative", ask=ask).roll
    assert (roll.headline, roll.succeeded, dict(roll.short)) == ("2 dice too few", None, {"difficulty": 2})
    assert roll.sentence.startswith("2 difficulty dice are missing.")
    assert roll.to_json()["short"] == {"difficulty": 2}


def test_a_new_table_over_the_same_log_shows_the_same(table: Played, store: MemoryStore) -> None:
    table.ask(destiny(Do.SET, light=2, dark=1))
    state = table.ask(seen(("success",)))
    with closing(Played(SYSTEM, store)) as again:
        assert (again.state.destiny, again.state.rolls) == (state.destiny, state.rolls)
        assert again.state.revision > table.state.revision


def test_why_a_die_is_unsure_is_kept_until_it_is_settled(table: Played, store: MemoryStore) -> None:
    message = seen(("success",), Status.UNSURE)
    table.ask(message)
    with closing(Played(SYSTEM, store)) as again:
        roll = again.state.roll
        assert roll.to_json()["dice"][0]["doubt"] == "lean"
        die = Die(type="ability", face=("success",))
        settled = again.tell(CorrectDie, roll_id=message.id, index=0, type=die.type, face=die.face).roll
        assert "doubt" not in settled.to_json()["dice"][0]


def test_what_the_disk_does_not_take_is_not_acknowledged(table: Played, store: MemoryStore) -> None:
    store.is_full = True
    with pytest.raises(StoreError):
        table.ask(destiny(Do.SET, light=2, dark=1))
    assert points(table) == (0, 0)
    assert [trouble.part for trouble in table.state.trouble] == ["store"]
    store.is_full = False
    table.ask(destiny(Do.SET, light=2, dark=1))
    assert table.state.trouble == ()


def test_a_disk_that_was_full_before_the_start_is_said_at_once_and_heals() -> None:
    store = MemoryStore()
    store.is_full = True
    table = Table(SYSTEM, store)
    try:
        assert [(trouble.part, trouble.what) for trouble in table.state.trouble] == [("store", "no space left")]
        for is_full, phase, parts in ((True, Phase.STILL, ["store"]), (False, Phase.MOVING, [])):
            store.is_full = is_full
            table._tried = 0.0  # two seconds are over
            table.post(ShowPhase(at=1.0, phase=phase))
            table.ask(ShowPhase(at=2.0, phase=phase))
            assert [trouble.part for trouble in table.state.trouble] == parts
    finally:
        table.close()


def test_a_roll_is_shown_though_the_disk_is_full_and_saved_later(table: Played, store: MemoryStore) -> None:
    store.is_full = True
    message = seen(("success",))
    table.post(message)
    shown = table.wait(after=table.state.revision, timeout=30)
    while shown.roll is None:
        shown = table.wait(after=shown.revision, timeout=30)
    store.is_full = False
    table.ask(destiny(Do.SET, light=1, dark=0))
    assert store.has(message.id)


def test_trouble_is_said_once_a_part_and_cleared(table: Played) -> None:
    for at in (1.0, 2.0):
        table.ask(ShowTrouble(at=at, part="camera", what="is not plugged in"))
    assert [(t.part, t.since) for t in table.state.trouble] == [("camera", 1.0)]
    table.ask(ClearTrouble(at=3.0, part="camera"))
    assert table.state.trouble == ()


def test_who_was_first_is_named_to_who_comes_second(table: Played) -> None:
    message = seen(("success",))
    table.ask(message)
    better = Die(type="ability", face=("advantage",))
    table.tell(CorrectDie, roll_id=message.id, index=0, type=better.type, face=better.face, version=1, by="Mara")
    with pytest.raises(Conflict, match="Mara has just changed this roll") as refused:
        table.tell(CorrectDie, roll_id=message.id, index=0, type=better.type, face=better.face, version=1, by="Vex")
    assert message.id not in str(refused.value)


@pytest.mark.parametrize(("others", "matters"), [([("success", "success")], True), ([], False)])
def test_each_answer_to_a_question_says_what_the_roll_would_come_to(
    table: Played, others: list[tuple[str, ...]], matters: bool
) -> None:
    message = seen(("success",), Status.UNSURE)
    die = message.reading.dice[0]
    faces = [("success",), *others]
    alternatives = tuple(Alternative(type="ability", face=face, confidence=0.2) for face in faces)
    reading = replace(message.reading, dice=(replace(die, alternatives=alternatives),))
    table.ask(structs.replace(message, reading=reading))
    roll = table.state.roll
    answers = answers_of(roll, SYSTEM)
    assert [answer.die.face for answer in answers] == [("success",), *others]  # the reading itself stands once
    assert [dict(answer.then.net)["success"] for answer in answers] == [1, 2][: len(answers)]
    assert [answer.matters for answer in answers] == [matters] * len(answers)
    assert answers_of(structs.replace(roll, dice=(roll.dice[0].corrected(Die(type="ability", face=())),)), SYSTEM) == ()


def test_the_state_says_what_an_undo_would_take_back(table: Played) -> None:
    def undo() -> object:
        told = state_json(table.state, now=1.0)["undo"]
        return told and {name: value for name, value in told.items() if name != "words"}

    assert undo() is None
    table.ask(structs.replace(seen(("success",)), by="Vex"))
    table.ask(structs.replace(destiny(Do.SET, light=2, dark=1), by="Mara"))
    assert undo() == {"what": "destiny", "whose": "Mara", "at": 1.0, "number": 2, "change": 2,
                      "sentence": "Destiny set: 2 light, 1 dark"}  # fmt: skip
    table.undo()
    assert undo() == {"what": "roll", "whose": "Vex", "at": 2.0, "number": 1, "change": 1,
                      "sentence": "the roll of Vex"}  # fmt: skip
    table.undo()
    assert undo() is None


@pytest.mark.parametrize("of_master", [False, True])
def test_no_single_press_takes_back_what_concerns_the_whole_evening(table: Played, of_master: bool) -> None:
    table.ask(destiny(Do.SET, light=2, dark=1))
    state = table.tell(ChooseGame, game="heroic")
    told = state_json(state, now=2.0)["undo"]
    assert (told["what"], told["asks"], "heroic" in told["sentence"].lower()) == ("game", True, True)
    with pytest.raises(Conflict, match="whole evening"):
        table.undo(only_open=not of_master)  # from the table's button or a master's phone
    assert table.state.setup.game == "heroic"
    assert table.undo(change=told["number"]).setup.game == ""


def test_each_rest_of_the_tray_has_a_number_of_its_own(table: Played) -> None:
    """A display gets the newest state only, and may never be told that something moved."""
    phases = (Phase.STILL, Phase.MOVING, Phase.STILL, Phase.STILL)
    told = [table.ask(ShowPhase(at=1.0, phase=phase)) for phase in phases]
    first, _, second, third = (state.revision for state in told)
    assert [state.rested for state in told] == [first, first, second, third]
    assert third > second


def test_a_table_of_another_history_repeats_no_revision() -> None:
    """A page stays open over the demo's restart, or while an older backup is put back, and tells which state it has."""
    of_both = []
    for started in (1000.0, 1001.0):
        with closing(Table(SYSTEM, MemoryStore(), clock=lambda started=started: started)) as table:  # type: ignore[misc]
            of_both += [table.state.revision, *(table.ask(destiny(Do.SET, light=n)).revision for n in range(1, 10))]
    assert len(set(of_both)) == len(of_both) == 20


@pytest.mark.parametrize("game", ["", "d6-wild"])
@pytest.mark.parametrize("way", ["tray", "photograph", "hand"])
def test_taught_dice_that_no_game_knows_are_a_roll_that_is_shown_corrected_and_taken_back(game: str, way: str) -> None:
    kind = DieType(name="bone", title="", solid="d6", body="#f0f0e0", ink="#101010", faces=(("moon",), ("3",)))
    bones = DiceSet(name="bones", title="", types=(kind,), folder=Path(), taught=True)
    die = DieReading(type="bone", face=("moon",), center=(9, 9), outline=(), confidence=0.9, status=Status.SURE)
    read = NewRoll(id="roll", at=2.0, reading=Reading(width=99, height=99, dice=(die,)))
    sent = {
        "tray": read,
        "photograph": structs.replace(read, photo=Photo(mark="m")),
        "hand": EnterRoll(id="roll", at=2.0, dice=(Die(type="bone", face=("moon",)),)),
    }
    with closing(Table(replace(SYSTEM, sets=(*SYSTEM.sets, bones), game=""), MemoryStore())) as table:
        if game:
            table.ask(ChooseGame(id="g", at=1.0, game=game))
        roll = table.ask(sent[way]).roll
        assert roll
        assert (roll.game, roll.sentence) == (game, "Shown: bone moon.")
        assert table.ask(CorrectDie(id="c", at=3.0, roll_id="roll", index=0, type="bone", face=("3",))).roll
        assert state_json(table.state, now=4.0)["roll"]["sentence"] == "The bone shows 3."
        if not game:
            with pytest.raises(UnknownGame, match=r"no game is played with these dice\. Correct the dice"):
                table.ask(ChangeRoll(id="a", at=4.0, roll_id="roll", ask={"difficulty": 9}))
        for number in range(2):
            table.ask(Undo(id=f"u{number}", at=5.0))
        assert table.state.rolls == ()
