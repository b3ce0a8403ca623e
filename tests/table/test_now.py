"""What is next: name, whose and act after each step of a fight, and that it goes no step back but by an undo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tableside.errors import UnknownGame
from tableside.rules import Game
from tableside.table import MemoryStore, Roll, Table, TableState
from tableside.table.acts import fold
from tableside.table.kept import Now
from tableside.table.messages import ApplyEffect, CallRoll, ChangeInitiative, NamePlayer, Redo, Turn, Undo
from tableside.table.now import with_now
from tableside.table.shown import state_json
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_turn import HIT, OSKARA, TROOPERS, throw
from tests.table.test_undo_fights import Fight
from tests.table.test_undo_replay import Evening
from tests.table.test_undo_whole import GAMES

MISS: dict[str, Any] = {"ability": [()], "proficiency": [(), ()], "difficulty": [(), ()]}


def told(table: Played) -> tuple[str, str, str]:
    now = table.state.now
    return now.name, now.whose, now.acts.act.key if now.acts.act else ""


def send(table: Played, now: Now, *, then: bool = False) -> None:
    """Send an act as a page does."""
    act = now.acts.then if then else now.acts.act
    kinds: dict[str, Any] = {"/api/ask": CallRoll, "/api/initiative": ChangeInitiative, "/api/undo": Undo}
    if act.request.path in kinds:
        table.tell(kinds[act.request.path], **act.request.body)
    else:
        table.tell(ApplyEffect, roll_id=now.roll, **act.request.body)


def test_in_a_new_round_the_order_tells_who_likely_takes_each_place(table: Played) -> None:
    oskara, trooper = table.add(**OSKARA), table.add(**TROOPERS)
    table.turn(Turn.ADD, side="player", rank=(3, 1), who="Oskara")
    table.turn(Turn.ADD, side="npc", rank=(1, 1), who="Trooper")
    for names in (["Oskara", "Trooper"], ["", ""], ["", ""]):  # from the second round on a place is anybody's
        slots = state_json(table.state, now=1.0)["initiative"]["slots"]
        assert [(one["who"], one["acts"]) for one in slots] == list(zip(names, (oskara.id, trooper.id), strict=True))
        for _ in slots:
            table.turn()


def test_a_fight_goes_on_by_its_acts_alone(table: Played, store: MemoryStore) -> None:
    oskara, trooper = table.add(**OSKARA), table.add(**(TROOPERS | {"members": 1}))
    table.turn(Turn.ADD, side="player", rank=(3, 1), who="Oskara")
    table.turn(Turn.ADD, side="npc", rank=(1, 1), who="Trooper")
    assert told(table) == ("turn", oskara.id, "attack")
    send(table, table.state.now)
    assert told(table) == ("throw", oskara.id, "photograph")
    state = throw(table, **HIT)
    assert told(table) == ("apply", oskara.id, "apply")
    assert (state.now.roll, state.now.acts.then and state.now.acts.then.key) == (state.rolls[0].id, "apply_end")
    number = state.now.number
    table.change(trooper, trackers={"wounds": {"change": 1}})
    assert (told(table)[0], table.state.now.number) == ("apply", number)
    send(table, table.state.now)
    assert told(table) == ("won", "master", "end_fight")
    table.undo()
    assert told(table) == ("apply", oskara.id, "apply")
    assert table.state.now.number > number
    send(table, table.state.now, then=True)
    assert told(table) == ("idle", "master", "compose")
    assert state.rolls[0].id in table.state.closed
    table.undo()
    assert (told(table)[0], table.state.now.roll) == ("apply", state.rolls[0].id)
    table.redo()
    before = table.state.now
    table.close()
    again = Played(SYSTEM, store)
    assert again.state.now.is_about == before.is_about
    assert again.state.now.number >= before.number
    again.close()


def test_a_turn_stays_until_its_actor_throws_or_passes(table: Played) -> None:
    oskara, trooper = table.add(**OSKARA), table.add(**TROOPERS)
    table.turn(Turn.ADD, side="player", rank=(3, 1), who="Oskara")
    table.turn(Turn.ADD, side="npc", rank=(1, 1), who="Trooper")
    table.call(trooper, ask={"dice": {"ability": 1}}, label="Perception")
    throw(table, ability=[()])
    assert told(table) == ("result", "", "back")
    table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    table.call()
    assert told(table) == ("turn", oskara.id, "attack")
    table.call(oskara, weapon="Carbine", against=trooper)
    throw(table, **MISS)
    assert told(table) == ("result", "", "next")
    send(table, table.state.now)
    assert told(table) == ("turn", trooper.id, "attack")


def test_a_hidden_throw_ends_the_set_up_for_everybody(table: Played) -> None:
    """A hidden call does not yet: nobody is told of it."""
    assert (table.state.now.name, table.state.open_now.name) == ("setup", "setup")
    table.call(label="Ambush", is_hidden=True)
    assert (table.state.now.name, table.state.open_now.name) == ("throw", "setup")
    throw(table, **HIT)
    assert table.state.now.roll
    assert (table.state.open_now.name, table.state.open_now.roll) == ("idle", None)
    table.ask(Undo(id="back", at=2.0))
    assert table.state.open_now.name == "setup"


def test_a_game_that_is_gone_stops_no_table(table: Played, store: MemoryStore) -> None:
    oskara = table.add(**OSKARA)
    table.turn(Turn.ADD, side="player", rank=(3, 1), who="Oskara")
    table.call(oskara, weapon="Carbine")
    throw(table, **HIT)
    table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    table.close()

    def find_game(name: str) -> Game:
        raise UnknownGame(name)

    with closing(Table(replace(SYSTEM, find_game=find_game), store)) as again:
        assert again.state.now.number > 0
        state = again.ask(NamePlayer(id="ilun", at=1.0, name="Ilun"))
        assert [one.name for one in state.players] == ["Ilun"]


def follow(evening: Evening, acts: int) -> Iterator[tuple[TableState, TableState]]:
    """Do so many things by chance, some of them undone, and yield the state before and after each, with its now."""
    state = with_now(evening.state, evening.state, evening.system)
    for _ in range(acts):
        if evening.rnd.random() < 0.15:
            evening.tell(Redo) if evening.rnd.random() < 0.3 else evening.undo_one()
        else:
            evening.play(1)
        after = with_now(state, evening.state, evening.system)
        yield state, after
        state = after


def check_now(state: TableState, after: TableState) -> None:
    for before, now in ((state.now, after.now), (state.open_now, after.open_now)):
        assert now.number >= before.number
        assert (now.number > before.number) is (now.is_about != before.is_about)
        assert now.roll is None or now.roll in after.agenda.open
        assert now.roll not in after.closed
        now.work_out()  # whatever is next, its acts can be told
    assert after.open_now.roll is None or not needed(after, after.open_now.roll).is_hidden
    came_back = [one for one in after.agenda.open if state.find_roll(one) and one not in state.agenda.open]
    standing = {one.number for one in after.standing_changes() if not one.undoes}
    assert standing.isdisjoint(state.closed[one] for one in came_back), after.last_change.sentence


in_each_game = pytest.mark.parametrize(("game", "form", "asks"), GAMES, ids=lambda one: getattr(one, "name", ""))


@in_each_game
@settings(max_examples=3, phases=[Phase.explicit, Phase.generate])
@given(seed=st.integers(0, 2**32))
def test_on_a_random_evening_its_number_never_falls_and_all_see_its_roll_which_is_open(
    game: Game, form: dict[str, Any], asks: list[dict[str, Any]], seed: int
) -> None:
    """A table that keeps few changes forgets as much in a short evening as another one in a long one."""
    system = replace(SYSTEM, most_changes=25)
    evening = (Fight if seed % 2 else Evening)(seed, game, form, asks, system)
    for state, after in follow(evening, 90):
        check_now(state, after)
        for sees_hidden in (True, False):
            told = state_json(after, now=1.0, sees_hidden=sees_hidden)
            shown = {roll["id"]: roll["closed_by"] for roll in (told["roll"], *told["history"]) if roll}
            assert told["now"]["roll"] is None or shown[told["now"]["roll"]] is None
    again = fold(TableState(), evening.log, system)
    assert with_now(again, again, system).now.is_about == after.now.is_about


def needed(state: TableState, roll_id: str) -> Roll:
    return state.find_roll(roll_id)
