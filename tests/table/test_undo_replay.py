"""Undo as a replay: whatever was done, the state is what it would be without what was taken back."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Collection
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tableside.adapters.sqlite_store import SqliteStore
from tableside.dice import DieReading, Reading, Status
from tableside.errors import Conflict, TablesideError
from tableside.rules import Game
from tableside.rules.people import Person
from tableside.table import MemoryStore, Roll, System, TableState
from tableside.table.acts import fold, losses, step, undo_words, without
from tableside.table.acts.agenda import close_rolls
from tableside.table.acts.follow import name_things
from tableside.table.kept import Change
from tableside.table.messages import (
    CallRoll,
    ChangePerson,
    ChooseGame,
    CorrectDie,
    DoPerson,
    EnterRoll,
    NewReading,
    NewRoll,
    Redo,
    Turn,
    Undo,
    from_form,
)
from tableside.table.shown import events_of, state_json
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_meanwhile import GUNNER, applied, apply, whole
from tests.table.test_rounds import KESH
from tests.table.test_undo_whole import GAMES, facts, next_step, shown

_HIDDEN = "SECRET"
OF_NOW = ("revision", "last_change", "undo", "time", "now")


def seen(state: TableState) -> dict[str, Any]:
    """Return what displays draw of a state, but for when it is and what was done last.

    Of what closed a roll only that it is closed: the number is that of an undo where that closed it.
    """
    told = state_json(state, now=1.0, sees_hidden=True)
    for roll in (told["roll"] or {}, *told["history"]):
        roll["closed_by"] = roll.get("closed_by") is not None
    return {name: value for name, value in told.items() if name not in OF_NOW}


class Evening:
    """An evening of random messages, followed without threads, and by its side the messages that stand."""

    def __init__(
        self, seed: int, game: Game, form: dict[str, Any], asks: list[dict[str, Any]], system: System = SYSTEM
    ) -> None:
        self.rnd, self.game, self.asks = random.Random(seed), game, asks
        self.system = system
        self.state = TableState()
        self.log: list[Change] = []
        self.tell(ChooseGame, game=game.name)
        for name, of in (("Ann", "player"), ("Thug", "person"), ("Gang", "group")):
            more = {"members": 3} if of == "group" else {}
            person = {**form, "name": name, "kind": of, "game": game.name, **more}
            self.tell(ChangePerson, do=DoPerson.ADD, person=person)

    def tell(self, kind: type[Any], **more: Any) -> Change | None:
        """Follow a message, and return the change; ``None`` where there is none."""
        sent = kind(id=str(uuid.UUID(int=self.rnd.getrandbits(128))), at=float(self.state.last_number), **more)
        before = self.state.last_number
        try:
            self.state = step(self.state, sent, self.system)
        except TablesideError:
            return None
        change = self.state.last_change
        if change is None or change.number == before:
            return None
        self.log.append(change)
        return change

    def play(self, count: int) -> None:
        """Do something by chance so many times."""
        for _ in range(count):
            if self.rnd.random() < 0.1 and (tray := self.state.asked.tray):
                dice = shown(self.rnd, dict(tray.dice))
                self.tell(EnterRoll, dice=dice, label=_HIDDEN, is_hidden=True)
            elif self.rnd.random() < 0.1:
                self.tell(CallRoll, who=self.rnd.choice(self.state.people).id, label=_HIDDEN, is_hidden=True)
            else:
                self.tell(**next_step(self.rnd, self.state, self.game, self.asks))

    def undo_one(self) -> Change | None:
        """Take back one change by chance of those that stand."""
        return self.tell(Undo, change=self.rnd.choice(self.stands[4:] or [0]))

    def undo_or_redo(self) -> None:
        """Take back any change that stands, undone ones among them, or do again what was taken back last."""
        standing = [one.number for one in self.state.standing_changes()]
        if self.rnd.random() < 0.6:
            self.tell(Undo, change=self.rnd.choice(standing[:-4] or standing))
        else:
            self.tell(Redo)

    def check(self) -> None:
        """Hold the state to that of what stands, followed anew, and to that after a restart."""
        assert facts(self.state) == facts(self.followed_anew(self.stands))
        assert facts(self.state) == facts(self.restarted())

    def restarted(self) -> TableState:
        """Return the state after a restart, which forgets nothing that an undo needs."""
        again = fold(TableState(), self.log, self.system)
        assert again.changes == self.state.changes
        here, there = (
            [replace(name_things(past, self.system), revision=0) for past in one.past] for one in (self.state, again)
        )
        assert here == there
        return again

    def check_undo(self) -> None:
        """Take one change back, hold the state to what stands, and do it again; a restart comes between, or none."""
        before = self.state
        if (change := self.undo_one()) is None:
            return
        self.check()
        assert change.sentence.count("With it went") < 2
        assert set(losses(self.state, change.number, sees_hidden=True)) <= set(change.left_out)
        if self.rnd.random() < 0.5:
            self.state = self.restarted()
        redone = step(self.state, Redo(id=f"{change.id} again", at=0.0), self.system)
        assert facts(redone) == facts(before), change.sentence
        assert seen(redone) == seen(before), change.sentence
        assert redone.turn_before == before.turn_before
        for state in (self.state, redone):
            told = [one.sentence for one in state.changes if state.may_tell(one)]
            assert _HIDDEN not in json.dumps([state_json(state, now=0.0), told], default=str)

    @property
    def stands(self) -> list[int]:
        """The numbers of what was asked, and neither taken back nor left out."""
        return sorted(one.number for one in self.state.standing_changes() if not one.undoes)

    def followed_anew(self, stands: Collection[int]) -> TableState:
        """Return the state after the messages of these changes alone, from the first one on."""
        state = TableState()
        standing = [one for one in self.log if one.number in stands]
        for change in sorted(standing, key=lambda one: (one.place or one.number, one.number)):
            try:
                state = close_rolls(step(state, from_form(change.message), self.system), change.closes)
            except TablesideError:
                pytest.fail(f"{change.sentence} stands, and cannot be followed")
        return state


@pytest.mark.parametrize(("game", "form", "asks"), GAMES, ids=lambda one: one.name if isinstance(one, Game) else "")
@settings(max_examples=8, phases=[Phase.explicit, Phase.generate])  # a shorter evening is no simpler one
@given(seed=st.integers(0, 2**32))
def test_the_state_is_what_it_would_be_without_what_was_taken_back(
    game: Game, form: dict[str, Any], asks: list[dict[str, Any]], seed: int
) -> None:
    evening = Evening(seed, game, form, asks)
    for _ in range(3):
        evening.play(12)
        evening.check_undo()


@pytest.mark.parametrize(("game", "form", "asks"), GAMES, ids=lambda one: one.name if isinstance(one, Game) else "")
@settings(max_examples=3, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_so_it_is_after_any_mixture_of_undo_and_redo(
    game: Game, form: dict[str, Any], asks: list[dict[str, Any]], seed: int
) -> None:
    evening = Evening(seed, game, form, asks)
    for _ in range(10):
        evening.play(4)
        evening.undo_or_redo()
    evening.check()


def wounded(table: Played) -> tuple[Person, Person, Roll, int]:
    """Return who shot, who was hit, the roll that was applied, and the number of the change that brought it."""
    ann, thug = (table.add(name, "narrative", **GUNNER) for name in ("Ann", "Thug"))
    table.call(ann, weapon="Carbine", against=thug)
    roll = whole(table, ("success",))
    brought = table.state.last_number
    apply(table, roll, thug)
    assert table.now(thug).value("wounds") == 2 + 5
    return ann, thug, roll, brought


def test_a_roll_that_is_undone_takes_its_wounds_along_and_a_redo_brings_both_back() -> None:
    store = MemoryStore()
    with closing(Played(SYSTEM, store)) as table:
        ann, thug, roll, brought = wounded(table)
        assert list(losses(table.state, brought, without(table.state, brought, SYSTEM).left_out).values()) == [
            "5 wounds of Thug"
        ]
        state = table.undo(change=brought)
        assert str(state.changes[-1].sentence).endswith(". With it went: 5 wounds of Thug")
        assert (table.now(thug).value("wounds"), state.rolls, state.asked.who) == (2, (), ann.id)
    with closing(Played(SYSTEM, store)) as table:  # after a restart
        assert table.redo().find_roll(roll.id) is not None
        assert (table.now(thug).value("wounds"), applied(table, roll)) == (7, [thug.id])
        table.undo(change=brought)
        assert table.now(thug).value("wounds") == 2


def test_a_call_that_comes_back_has_the_dice_of_now(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", **KESH)
    table.call(kesh, "Dodge")
    table.roll(2, 3, 3, 4)
    brought = table.state.last_number
    table.set_to(kesh, wounds=1)
    table.undo(change=brought)
    assert table.dice() == {"pip": 2, "wild": 1}  # 4D less 1D for the wound


def test_an_undo_of_a_stop_and_of_the_end_of_a_fight_says_what_goes(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", **KESH)
    table.call(kesh, "Dodge", by="Mara")
    assert undo_words(table.state, table.state.changes[-1]) == "Mara's call"
    table.call(by="Mara")
    assert undo_words(table.state, table.state.changes[-1]) == "the call of Kesh (Dodge), stopped"
    table.turn(Turn.ADD, who=kesh, side="players", rank=(9,))
    table.turn(Turn.CLEAR)
    assert undo_words(table.state, table.state.changes[-1]) == "the end of the fight"


def test_who_comes_back_comes_to_the_place_of_before(table: Played) -> None:
    table.add("Ann", "narrative")
    left = table.state.last_number
    for name in ("Ben", "Cai"):
        table.add(name, "narrative")
    table.undo(change=left)
    assert [one.name for one in table.redo().people] == ["Ann", "Ben", "Cai"]


def test_an_undo_that_touches_two_rolls_is_told_of_each(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "table.sqlite")
    with closing(Played(SYSTEM, store)) as table:
        table.add("Ann", "narrative", **GUNNER)
        table.choose("narrative", settings={"ruleset": "summary"})
        setting = table.state.last_number
        ids = [table.throw(("ability", "success")).rolls[0].id for _ in range(2)]
        counted = table.counts().faces()["ability"]["success",]
        state = table.undo(change=setting)
        assert [dict(roll.ask) for roll in state.rolls] == [{}, {}]
        change = state.changes[-1]
        assert {one.roll_id for one in events_of(change, find_roll=state.find_roll)} == set(ids)
        assert all(store.of_roll(one)[-1].number == change.number for one in ids)
        assert table.counts().faces()["ability"]["success",] == counted == 2
    with closing(Played(SYSTEM, SqliteStore(tmp_path / "table.sqlite"))) as table:
        assert [dict(roll.ask) for roll in table.state.rolls] == [{}, {}]


def test_a_die_is_known_by_its_place_whatever_was_taken_for_one_before_it(table: Played) -> None:
    dice = tuple(
        DieReading(type="ability", face=(), center=(10.04 * n, 5.0), outline=(), confidence=1.0, status=Status.SURE)
        for n in range(3)
    )
    reading = Reading(width=100, height=100, dice=dice)
    roll_id = table.tell(NewRoll, reading=reading).rolls[0].id
    table.tell(CorrectDie, roll_id=roll_id, index=0, nothing=True)
    none = table.state.last_number
    table.tell(CorrectDie, roll_id=roll_id, index=0, type="ability", face=("success",))
    state = table.undo(change=none)
    assert [die.face for die in state.rolls[0].dice] == [(), ("success",), ()]


def test_a_die_by_hand_is_known_by_how_it_lay_and_a_correction_of_none_is_left_out(table: Played) -> None:
    roll_id = table.throw(("ability", "success"), ("ability", "advantage"), ("boost", "advantage")).rolls[0].id
    table.tell(CorrectDie, roll_id=roll_id, index=0, nothing=True)
    none = table.state.last_number
    table.tell(CorrectDie, roll_id=roll_id, index=0, type="ability", face=())
    blank = table.state.last_number
    table.tell(CorrectDie, roll_id=roll_id, index=0, type="ability", face=("success", "success"))
    assert [die.face for die in table.undo(change=none).rolls[0].dice] == [
        ("success",), ("success", "success"), ("advantage",)
    ]  # fmt: skip
    state = table.undo(change=blank)
    assert [die.face for die in state.rolls[0].dice] == [("success",), ("advantage",), ("advantage",)]
    assert state.changes[-1].left_out == (blank + 1,)


def test_a_camera_does_not_bring_back_what_is_undone(table: Played) -> None:
    reading = Reading(width=100, height=100)
    roll_id = table.tell(NewRoll, reading=reading).rolls[0].id
    brought = table.state.last_number
    table.tell(NewReading, roll_id=roll_id, reading=reading, is_wanted=True)
    assert table.undo(change=brought).rolls == ()


def test_an_undo_neither_brings_back_nor_takes_what_fell_off_long_ago(table: Played) -> None:
    first, *_ = (table.throw(("ability", "success")).rolls[0] for _ in range(120))
    number = table.state.last_number - 50
    counted = table.counts().faces()["ability"]["success",]
    table.undo(change=number)
    assert len(table.state.rolls) == 99
    assert table.find_roll(first.id) == first
    assert table.counts().faces()["ability"]["success",] == counted - 1
    table.redo()
    assert (len(table.state.rolls), table.counts().faces()["ability"]["success",]) == (100, counted)
    with pytest.raises(Conflict, match="cannot be undone any more"):
        table.undo(change=10)


def test_what_goes_with_an_undo_is_not_named_to_those_it_is_hidden_from(table: Played) -> None:
    table.choose("narrative")
    ann = table.tell(ChangePerson, do=DoPerson.ADD, person={"name": "Ann", "kind": "player"}).people[-1]
    came = table.state.last_number
    for label, is_hidden in (("Open", False), ("Secret", True)):
        table.call(ann, label=label, is_hidden=is_hidden)
        gone = table.state.last_number
        told = [str(losses(table.state, came, [gone], sees_hidden=sees)[gone]) for sees in (False, True)]
        assert label in told[1]
        assert told[0] == ("something hidden" if is_hidden else told[1])


def test_who_came_while_another_game_was_chosen_stays_of_that_game(table: Played) -> None:
    table.choose("heroic")
    chosen = table.state.last_number
    table.tell(ChangePerson, do=DoPerson.ADD, person={"name": "Ann", "kind": "player"})
    state = table.undo(change=chosen)
    assert [(one.name, one.game) for one in state.people] == [("Ann", "heroic")]
    state = table.redo()
    assert [(one.name, one.game) for one in state.people] == [("Ann", "heroic")]


def test_a_reading_with_numbers_of_numpy_is_followed_again(table: Played) -> None:
    table.choose("narrative", settings={"ruleset": "summary"})
    setting = table.state.last_number
    place: Any = (np.float32(10.04), np.int64(5))
    die = DieReading(
        type="ability", face=(), center=place, outline=(place,), confidence=np.float32(0.9), status=Status.SURE
    )  # fmt: skip
    width: Any = np.int64(100)
    roll = table.tell(NewRoll, reading=Reading(width=width, height=100, dice=(die,))).rolls[0]
    table.tell(CorrectDie, roll_id=roll, index=0, type="ability", face=("success",))
    state = table.undo(change=setting)
    assert [die.face for die in state.rolls[0].dice] == [("success",)]
    assert (dict(state.rolls[0].ask), state.changes[-1].left_out) == ({}, ())


def test_a_version_of_a_roll_is_never_another_roll() -> None:
    """Pages keep what they know of a roll by its version, and a write names the version that was seen."""
    with closing(Played(SYSTEM, MemoryStore())) as table:
        thrown = table.throw(("ability", "success"), ("ability", "advantage")).roll
        roll_id = thrown.id
        seen: dict[int, Roll] = {}

        def look() -> None:
            roll = table.state.find_roll(roll_id)
            assert seen.setdefault(roll.version, roll) == roll

        look()
        for index, face in ((0, ()), (1, ()), (0, ("success", "success"))):
            table.tell(CorrectDie, roll_id=roll_id, index=index, type="ability", face=face)
            look()
            table.undo()
            look()
        table.redo()
        look()
        assert len(seen) == 4
