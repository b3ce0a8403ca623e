"""Another game: everybody stays, and is there what somebody ready is; on the way back all is as it was."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.rules import find_game
from tableside.rules.people import Person
from tableside.table import MemoryStore, TableState
from tableside.table.messages import ChangePerson, DoPerson, EnterRoll, ShownDie, Turn
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_turn import TROOPERS, VEX

READY = find_game("narrative").ready.heroes
PIPS = tuple(ShownDie(type="pip", face=(face,)) for face in "35214")


def cast(table: Played) -> list[Person]:
    """Bring in two ready heroes, one of them hurt and with notes."""
    hurt = {"trackers": {"wounds": {"value": 4, "most": 12}}, "notes": "owes Jabba"}
    here = [table.add(**{**one.form_without("id"), **more}) for one, more in zip(READY, ({}, hurt), strict=False)]
    table.add(**TROOPERS)
    return here


def same(person: Person) -> Any:
    return person.id, person.name, person.colour, person.emblem, person.notes, person.kind


def players(state: TableState, game: str) -> list[Person]:
    return [one for one in state.people if one.game == game and one.kind == "player"]


@pytest.mark.parametrize("told_by", ["choice", "dice"])
def test_everybody_stays_and_comes_back_as_they_were_over_undo_and_restart(
    table: Played, store: MemoryStore, told_by: str
) -> None:
    here = cast(table)

    def change(game: str) -> TableState:
        if told_by == "choice":
            return table.choose(game)
        face = ShownDie(type="ability", face=("success",))
        return table.tell(EnterRoll, dice=PIPS if game == "d6-companion" else (face,))

    before = table.state
    after = change("d6-companion")
    moved = players(after, "d6-companion")
    ready = find_game("d6-companion").ready.heroes
    assert [same(one) for one in moved] == [same(one) for one in here]
    assert [(one.role, one.skills, one.weapons) for one in moved] == [(r.role, r.skills, r.weapons) for r in ready[:2]]
    assert [one.name for one in after.people if one.game == "narrative"] == ["Trooper"]  # who waits there
    assert table.undo(change=after.last_number).people == before.people
    assert players(change("d6-companion"), "d6-companion") == moved
    table.change(here[0], name="Jon", notes="new")
    back = players(change("narrative"), "narrative")
    assert (back[0].name, back[0].notes, back[0].skills) == ("Jon", "new", here[0].skills)
    assert back[1].trackers == here[1].trackers
    again = Played(SYSTEM, store)  # a restart
    assert (again.state.people, again.state.game) == (table.state.people, "narrative")
    again.close()


def test_a_game_with_characters_of_its_own_has_those(table: Played) -> None:
    cast(table)
    vex = table.add(**VEX)
    state = table.choose("d6-companion")
    assert players(state, "d6-companion") == [vex]
    assert len(players(state, "narrative")) == 2


def test_with_the_game_goes_what_was_called_and_fought_for_and_undo_brings_it_back(table: Played) -> None:
    oskara, vex = cast(table)
    table.turn(Turn.ADD, who="Oskara", side="player", rank=(2, 0))
    table.call(vex, "Stealth")
    before = table.call(oskara, "Cool", is_later=True)
    table.choose("d6-wild")
    after = table.state
    assert (after.asked.id, after.agenda.waits, after.initiative.slots) == ("", (), ())
    assert after.now.name in ("setup", "idle")
    back = table.undo(change=after.last_number)
    assert (back.asked, back.agenda.waits, back.initiative) == (before.asked, before.agenda.waits, before.initiative)


@pytest.mark.parametrize("going", ["call", "fight", "a card on a phone"])
def test_dice_alone_change_no_game_while_something_goes_on(table: Played, going: str) -> None:
    oskara, _ = cast(table)
    if going == "call":
        table.call(oskara, "Cool")
    elif going == "a card on a phone":
        table.tell(ChangePerson, do=DoPerson.ADD, person={"name": "Jon"}, device="phone")
    else:
        table.turn(Turn.ADD, who="Oskara", side="player", rank=(2, 0))
    for again in range(2):
        table.tell(EnterRoll, dice=PIPS, uses_ask=False)
        assert table.state.game == "narrative"
        assert (oskara.id, oskara.skills) in [(one.id, one.skills) for one in players(table.state, "narrative")]
        asked = [one.key for one in table.state.now.acts.also]
        assert ("change_game" in asked) is (going == "a card on a phone" and not again)  # it is asked once
