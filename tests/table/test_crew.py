"""A ship or vehicle has a crew: people of the scene who roll what it does, with their own dice and its numbers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tableside.errors import Conflict
from tableside.rules.people import Person
from tableside.table import Table
from tableside.table.acts.calls import rolls_after
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeInitiative,
    ChangePerson,
    ChooseGame,
    DoPerson,
    Redo,
    Turn,
    Undo,
)
from tests.conftest import SYSTEM
from tests.table.test_lasting import again, calls, thrown
from tests.table.test_rounds import add, dice, now, pips, set_to, tell, throw

_PILOT: dict[str, Any] = {
    "skills": [{"name": "Gunnery", "ask": {"characteristic": 4, "skill": 1}},
               {"name": "Piloting", "ask": {"characteristic": 3, "skill": 3}}],
    "trackers": {"wounds": {"value": 0, "most": 12}, "strain": {"value": 0, "most": 10}},
}  # fmt: skip
_FIGHTER: dict[str, Any] = {
    "skills": [{"name": "Piloting", "ask": {"characteristic": 1, "boost": 2}},
               {"name": "Gunnery", "ask": {"characteristic": 1}}],
    "weapons": [{"name": "Laser", "skill": "Gunnery",
                 "ask": {"purpose": "attack", "attack": "ranged", "range": "close", "damage": 6, "critical": 3}}],
}  # fmt: skip
_GUNNER: dict[str, Any] = {
    "skills": [{"name": name, "ask": {"code": code}} for name, code in
               (("Gunnery", "5D"), ("Evasion", "4D"), ("Shields", "3D"), ("Dexterity", "3D"))],
}  # fmt: skip
_GUNSHIP: dict[str, Any] = {
    "skills": [{"name": "Gunnery", "ask": {"code": "2D", "pips": 1}}, {"name": "Evasion", "ask": {"code": "2D"}},
               {"name": "Hull", "ask": {"code": "4D"}}],
    "weapons": [{"name": "Cannon", "skill": "Gunnery", "ask": {"difficulty": 7, "add": "2D"},
                 "damage": {"code": "4D", "purpose": "damage"}}],
}  # fmt: skip


def board(table: Table, ship: Person, *crew: Person, device: str = "phone") -> Person:
    """Choose the crew of a ship."""
    person = {"id": ship.id, "crew": tuple(one.id for one in crew)}
    tell(table, ChangePerson, do=DoPerson.CHANGE, person=person, device=device)
    return now(table, ship)


def space(table: Table) -> tuple[Person, Person, Person, Person]:
    """Return a pilot, a gunner and two ships of the game of symbol dice, the first with both for a crew."""
    tell(table, ChooseGame, game="narrative")
    ann, bo = (add(table, name, "narrative", "player", **_PILOT) for name in ("Ann", "Bo"))
    ship, foe = (add(table, name, "narrative", "thing", **_FIGHTER) for name in ("Ship", "Foe"))
    return ann, bo, board(table, ship, ann, bo), foe


def sea(table: Table) -> tuple[Person, Person, Person]:
    """Return a gunner and two ships of the game with dice codes."""
    tell(table, ChooseGame, game="d6-companion")
    rook = add(table, "Rook", "d6-companion", "player", **_GUNNER)
    ship, foe = (add(table, name, "d6-companion", "thing", **_GUNSHIP) for name in ("Ship", "Foe"))
    return rook, board(table, ship, rook), foe


def test_a_crew_rolls_with_its_own_dice_and_with_the_weapons_and_numbers_of_the_ship(table: Table) -> None:
    ann, _, ship, foe = space(table)
    tell(table, CallRoll, who=ann.id, aboard=ship.id, weapon="Laser", against=foe.id)
    assert dice(table) == {"ability": 3, "proficiency": 1, "difficulty": 1}
    assert table.state.asked.answers["of_ships"] is True
    again(table)
    tell(table, CallRoll, who=ann.id, aboard=ship.id, skill="Piloting")
    assert dice(table) == {"proficiency": 3, "boost": 2}
    tell(table, CallRoll, who=ship.id, weapon="Laser", against=foe.id)  # and the ship by itself
    assert dice(table) == {"ability": 1, "difficulty": 1}
    with pytest.raises(Conflict, match="not of the crew"):
        tell(table, CallRoll, who=ann.id, aboard=foe.id, weapon="Laser")


def test_what_the_one_who_rolls_suffers_joins_and_what_the_ship_suffers(table: Table) -> None:
    rook, ship, foe = sea(table)
    shot = {"who": rook.id, "aboard": ship.id, "weapon": "Cannon", "against": foe.id}
    assert calls(table, rook, "", aboard=ship.id, weapon="Cannon", against=foe.id) == 7
    set_to(table, rook, wounds=1)
    assert sum(dice(table).values()) == 6  # the open call follows
    set_to(table, ship, ionized=2)
    assert sum(dice(table).values()) == 4
    tell(
        table, ChangePerson, do=DoPerson.CHANGE, person={"id": ship.id, "begins": [{"name": "Hot", "ask": {"less": 1}}]}
    )
    assert sum(dice(table).values()) == 3
    assert {one.key for one in table.state.asked.joins} == {"wounded", "ionized", "Hot"}
    for _ in range(3):
        tell(table, Undo)
    tell(table, CallRoll, **shot)
    assert sum(dice(table).values()) == 7
    assert table.state.asked.answers["pips"] == 1


def test_an_action_counts_for_who_rolls_and_the_damage_is_of_the_ship(table: Table) -> None:
    rook, ship, foe = sea(table)
    shot = CallRoll(id="shot", at=1.0, who=rook.id, aboard=ship.id, weapon="Cannon", against=foe.id)
    damage, resists = rolls_after(table.state, shot, SYSTEM)  # of which the odds of the whole attack are made
    assert (damage["code"], resists["code"]) == ("4D", "4D")
    tell(table, CallRoll, who=rook.id, aboard=ship.id, weapon="Cannon", against=foe.id, ask={"actions": 2})
    roll = throw(table, *pips(6, 6, 6, 6, 6, 6)).rolls[0]
    assert (now(table, rook).done, now(table, ship).done) == (1, 0)
    assert (roll.who, roll.aboard, roll.by) == (rook.id, ship.id, "Rook")
    acts = table.state.open_now.acts
    bodies = [one.request.body for one in (acts.act, *acts.also) if one and one.request]
    (body,) = [body for body in bodies if body.get("damage")]
    assert body["aboard"] == ship.id
    tell(table, CallRoll, **{"is_damage" if name == "damage" else name: value for name, value in body.items()})
    assert dice(table) == {"pip": 4}
    again(table)
    tell(table, Undo)
    tell(table, Undo)
    assert now(table, rook).done == 0
    tell(table, Redo)
    assert now(table, again(table).state.people[0]).done == 1


def test_a_ship_evades_by_its_pilot_and_what_is_of_the_ship_stays_with_it(table: Table) -> None:
    rook, ship, foe = sea(table)
    tell(
        table, CallRoll, who=rook.id, aboard=ship.id, skill="Evasion", ask={"purpose": "evasion", "full_reaction": True}
    )
    roll = throw(table, *pips(*[3] * sum(dice(table).values()))).rolls[0]
    (effect,) = [n for n, one in enumerate(roll.effects) if one.on == "roller"]
    act = table.state.open_now.acts.act
    assert act is not None
    assert act.request is not None
    assert act.request.body["to"] == ship.id
    tell(table, ApplyEffect, roll_id=roll.id, effect=effect, to=ship.id)
    assert now(table, ship).has_state("evasion")
    tell(table, CallRoll, who=foe.id, weapon="Cannon", against=ship.id)
    assert table.state.asked.answers["reaction_total"] == dict(roll.net)["total"]
    assert not now(table, rook).states
    again(table)


def test_who_leaves_the_scene_leaves_the_crew_and_comes_back_with_an_undo(table: Table) -> None:
    ann, bo, ship, _ = space(table)
    tell(table, CallRoll, who=ann.id, aboard=ship.id, weapon="Laser")
    tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": ann.id}, device="other")
    assert (now(table, ship).crew, table.state.asked.id) == ((bo.id,), "")
    again(table)
    tell(table, Undo)
    assert now(table, ship).crew == (ann.id, bo.id)
    assert table.state.asked.aboard == ship.id
    tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": ship.id}, device="other")
    assert table.state.asked.id == ""  # nobody fires the guns of a ship that is gone
    tell(table, Undo)
    assert again(table).state.asked.aboard == ship.id
    thrown(table)
    tell(table, Undo, change=next(one.number for one in table.state.changes if one.sentence == "Ann is here"))
    assert now(table, ship).crew == (bo.id,)
    tell(table, Redo)
    assert now(again(table), ship).crew == (ann.id, bo.id)


def test_a_crew_is_of_people_who_are_here_and_of_things_alone(table: Table) -> None:
    ann, bo, ship, foe = space(table)
    assert board(table, ship, ann, foe, ship, ann, device="other").crew == (ann.id,)
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": ship.id, "crew": ("gone", bo.id)})
    assert now(table, ship).crew == (bo.id,)
    assert board(table, ann, bo).crew == ()
    assert tell(table, ChangePerson, do=DoPerson.COPY, person={"id": ship.id}).people[-1].crew == ()
    tell(table, CallRoll, who=bo.id, aboard=ship.id, skill="Piloting")
    board(table, ship, ann, device="other")  # the call that stands is thrown as it was called
    assert table.state.asked.who == bo.id
    thrown(table)
    again(table)


def test_the_turn_of_a_ship_is_rolled_by_its_crew_and_strain_of_its_systems_is_its_own(table: Table) -> None:
    ann, bo, ship, foe = space(table)
    for who, side in (("Ship", "player"), ("Foe", "npc")):
        tell(table, ChangeInitiative, do=Turn.ADD, who=who, side=side, rank=(2, 0))
    acts = table.state.open_now.acts
    assert acts.act is not None
    assert acts.act.request is not None
    body = acts.act.request.body
    assert (body["who"], body["aboard"], body["weapon"]) == (ann.id, ship.id, "Laser")
    tell(table, CallRoll, who=bo.id, aboard=ship.id, weapon="Laser", against=foe.id)
    kinds = [kind for kind, n in dice(table).items() for _ in range(n)]
    faces: dict[str, Any] = {"ability": ("success",), "proficiency": ("success",), "difficulty": ("threat", "threat")}
    roll = throw(table, *[(kind, faces.get(kind, ())) for kind in kinds]).rolls[0]
    tell(table, BuySpend, roll_id=roll.id, name="suffer_system_strain")
    assert (now(table, ship).value("system_strain"), now(table, bo).value("strain")) == (1, 0)
    again(table)
    tell(table, Undo)
    assert now(table, ship).value("system_strain") == 0


def test_random_crews_undone_at_random_are_as_if_never_chosen(table: Table) -> None:
    ann, bo, ship, _ = space(table)
    rnd = random.Random(7)
    for _ in range(12):
        board(table, ship, *rnd.sample((ann, bo), rnd.randint(0, 2)))
        was = now(table, ship)
        if rnd.random() < 0.5:
            tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": rnd.choice((ann, bo)).id})
            tell(table, Undo)
        assert now(again(table), ship) == was
