"""Undo in the middle of a fight: turn and round stay those of the table, whatever is taken back of it."""

from __future__ import annotations

import random
from contextlib import closing
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tableside.rules import Game
from tableside.table import MemoryStore, System, TableState
from tableside.table.acts import fold, losses, step, without
from tableside.table.kept import Change
from tableside.table.messages import ChangeInitiative, EnterRoll, Redo, Turn, Undo
from tableside.table.shown import state_json
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_meanwhile import GUNNER, apply, correct, whole
from tests.table.test_undo_replay import OF_NOW, Evening, seen
from tests.table.test_undo_whole import GAMES, facts, next_step, shown


def turn(state: TableState) -> tuple[int, int, str]:
    order = state.initiative
    return order.round, order.segment, order.current.id if order.current else ""


class Fight(Evening):
    """An evening that is one fight: who fights threw for it, and turns end as pages end them."""

    def __init__(
        self, seed: int, game: Game, form: dict[str, Any], asks: list[dict[str, Any]], system: System = SYSTEM
    ) -> None:
        super().__init__(seed, game, form, asks, system)
        self.tell(ChangeInitiative, do=Turn.CALL, who="all")
        self.throw_all()

    def throw_all(self) -> None:
        """Throw what is called until nobody is called any more."""
        for _ in range(20):
            if self.state.asked.tray is None:
                break
            self.tell(EnterRoll, dice=shown(self.rnd, dict(self.state.asked.tray.dice)), uses_ask=True)

    def end_turn(self, do: Turn = Turn.NEXT) -> Change | None:
        order = self.state.initiative
        slot = order.current.id if order.current else ""
        return self.tell(ChangeInitiative, do=do, slot=slot, round=order.round, segment=order.segment)

    def play(self, count: int) -> None:
        for _ in range(count):
            chance = self.rnd.random()
            if not self.state.initiative.slots:
                self.tell(ChangeInitiative, do=Turn.CALL, who="all")
                self.throw_all()
            elif chance < 0.4:
                self.end_turn(Turn.DELAY if chance < 0.05 else Turn.NEXT)
            elif chance < 0.45:
                slot = self.rnd.choice(self.state.initiative.slots)
                do = self.rnd.choice([Turn.CLAIM, Turn.REMOVE])
                self.tell(ChangeInitiative, do=do, slot=slot.id, who=self.rnd.choice(self.state.people).name)
            else:
                self.tell(**next_step(self.rnd, self.state, self.game, self.asks))


in_each_game = pytest.mark.parametrize(("game", "form", "asks"), GAMES, ids=lambda one: getattr(one, "name", ""))


@in_each_game
@pytest.mark.parametrize("turns", [1, 4, 9])
def test_one_who_leaves_the_order_by_an_undo_moves_neither_round_nor_turn(
    game: Game, form: dict[str, Any], asks: list[dict[str, Any]], turns: int
) -> None:
    fight = Fight(7, game, form, asks)
    for _ in range(turns):
        fight.end_turn()
    state = fight.state
    brought = [state.brought_by(slot.roll) for slot in state.initiative.slots if slot.roll]
    for slot, number in zip([one for one in state.initiative.slots if one.roll], brought, strict=True):
        assert number is not None
        fight.state = state
        change = fight.tell(Undo, change=number)
        assert fight.state.initiative.find(slot.id) is None
        if slot != state.initiative.current and fight.state.initiative.slots:
            assert turn(fight.state) == turn(state), change.sentence
        elif fight.state.initiative.slots:
            assert "Round" in change.sentence  # whose turn it is by now is said
        assert facts(fight.state) == facts(fight.followed_anew(fight.stands))
        fight.state = step(fight.state, Redo(id="again", at=0.0), SYSTEM)
        assert seen(fight.state) == seen(state)
        assert fight.state.turn_before == state.turn_before


@in_each_game
@settings(max_examples=6, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_a_fight_is_what_it_would_be_without_what_was_taken_back(
    game: Game, form: dict[str, Any], asks: list[dict[str, Any]], seed: int
) -> None:
    fight = Fight(seed, game, form, asks)
    for _ in range(4):
        fight.play(9)
        fight.check_undo()


@in_each_game
@settings(max_examples=4, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_so_is_a_fight_after_any_mixture_of_undo_and_redo(
    game: Game, form: dict[str, Any], asks: list[dict[str, Any]], seed: int
) -> None:
    fight = Fight(seed, game, form, asks)
    for n in range(10):
        fight.play(5)
        fight.undo_or_redo()
        if n == 5:
            fight.state = fold(TableState(), fight.log, SYSTEM)  # after a restart
    fight.check()


def test_what_a_correction_left_out_is_as_gone_once_the_correction_goes_too() -> None:
    store = MemoryStore()
    with closing(Played(SYSTEM, store)) as table:
        ann, thug = (table.add(name, "narrative", **GUNNER) for name in ("Ann", "Thug"))
        table.call(ann, weapon="Carbine", against=thug)
        called = table.state.last_number
        roll = whole(table, ("success",))
        apply(table, roll, thug)
        wound = table.state.last_number
        for index in range(3):
            correct(table, roll, index)
        missed = table.state
        assert [wound in one.left_out for one in missed.changes[-3:]].count(True) == 1
        assert table.now(thug).value("wounds") == 2
        state = table.undo(change=called + 1)
        assert state.rolls == ()
        assert wound not in {one.number for one in state.standing_changes()}
        assert "wounds" not in state.changes[-1].sentence  # they were gone before
        assert facts(table.redo()) == facts(missed)
        table.undo(change=called)
        assert "wounds" not in table.state.changes[-1].sentence
    with closing(Played(SYSTEM, store)) as table:  # after a restart
        assert facts(table.redo()) == facts(missed)
        table.undo(3)
        assert table.now(thug).value("wounds") == 2 + 5
        assert wound in {one.number for one in table.state.standing_changes()}


def test_what_goes_is_one_list_in_which_each_is_said_once_as_it_is_by_now(table: Played) -> None:
    ann, thug = (table.add(name, "narrative", "player", **GUNNER) for name in ("Ann", "Thug"))
    came = table.state.last_number
    table.call(ann, weapon="Carbine", against=thug)
    roll = whole(table, ("success",), ("advantage", "advantage"))
    apply(table, roll, thug)
    table.buy(roll, "setback_target_next", for_person=thug)
    table.change(thug, name="Trooper")
    correct(table, roll, 0, "success", "success")
    table.turn(Turn.ADD, who="Ann", rank=(2,))
    for _ in range(2):
        table.turn()
    number = table.state.brought_by(roll.id)
    assert number is not None
    words = list(losses(table.state, number, without(table.state, number, SYSTEM).left_out).values())
    assert words == ["6 wounds of Trooper", "Setback to the target's next check for Trooper"]
    sentence = table.undo(change=number).changes[-1].sentence
    assert sentence.endswith("With it went: 6 wounds of Trooper, Setback to the target's next check for Trooper")
    assert sentence.count(":") == 3
    done = table.state.last_number
    assert list(losses(table.state, done).values()) == words  # told of the one that is done as before it was
    table.redo()
    state = table.undo(change=came)
    assert str(state.changes[-1].sentence).startswith("Undone: Thug is here. With it went: the call of Ann (Carbine)")
    assert state.changes[-1].sentence.count("With it went") == 1


@in_each_game
@pytest.mark.parametrize("turns", [0, 1, 4])
def test_an_old_roll_that_is_undone_and_redone_leaves_displays_what_they_showed(
    table: Played, game: Game, form: dict[str, Any], asks: list[dict[str, Any]], turns: int
) -> None:
    table.choose(game.name)
    ann, *_ = (table.add(name, game.name, "player", **form) for name in ("Ann", "Ben", "Cai"))
    rnd = random.Random(turns)

    def throw() -> None:
        while table.state.asked.tray:
            table.tell(EnterRoll, dice=shown(rnd, dict(table.state.asked.tray.dice)), uses_ask=True)

    table.call(ann, ann.skills[0].name, ask=asks[-1])
    throw()
    old = table.state.last_number
    table.turn(Turn.CALL, who="all")
    throw()
    thrown = table.state.last_number
    for _ in range(turns):
        order = table.state.initiative
        slot = order.current.id if order.current else ""
        table.turn(slot=slot, round=order.round, segment=order.segment)
    before = state_json(table.state, now=1.0)
    for number in (old, thrown):
        table.undo(change=number)
        table.redo()
        after = state_json(table.state, now=1.0)
        changed = {name for name in before if name not in OF_NOW and before[name] != after[name]}
        assert changed == set()
        own = {"number": 0, "undo": None}
        assert after["now"] | own == before["now"] | own
