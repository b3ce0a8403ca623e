"""A ship or vehicle has a crew: people of the scene who roll what it does, with their own dice and its numbers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tableside.errors import Conflict
from tableside.rules.people import Person
from tableside.table.acts.calls import rolls_after
from tableside.table.messages import CallRoll, ChangePerson, DoPerson, Turn
from tests.conftest import SYSTEM
from tests.table.played import Played
from tests.table.test_lasting import again, calls

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


def board(table: Played, ship: Person, *crew: Person, device: str = "phone") -> Person:
    """Choose the crew of a ship."""
    person = {"id": ship.id, "crew": tuple(one.id for one in crew)}
    table.tell(ChangePerson, do=DoPerson.CHANGE, person=person, device=device)
    return table.now(ship)


def space(table: Played) -> tuple[Person, Person, Person, Person]:
    """Return a pilot, a gunner and two ships of the game of symbol dice, the first with both for a crew."""
    ann, bo = table.scene("narrative", "Ann", "Bo", kind="player", **_PILOT)
    ship, foe = (table.add(name, "narrative", "thing", **_FIGHTER) for name in ("Ship", "Foe"))
    return ann, bo, board(table, ship, ann, bo), foe


def sea(table: Played) -> tuple[Person, Person, Person]:
    """Return a gunner and two ships of the game with dice codes."""
    [rook] = table.scene("d6-companion", "Rook", kind="player", **_GUNNER)
    ship, foe = (table.add(name, "d6-companion", "thing", **_GUNSHIP) for name in ("Ship", "Foe"))
    return rook, board(table, ship, rook), foe


def test_a_crew_rolls_with_its_own_dice_and_with_the_weapons_and_numbers_of_the_ship(table: Played) -> None:
    ann, _, ship, foe = space(table)
    table.call(ann, aboard=ship, weapon="Laser", against=foe)
    assert table.dice() == {"ability": 3, "proficiency": 1, "difficulty": 1}
    assert table.state.asked.answers["of_ships"] is True
    again(table)
    table.call(ann, "Piloting", aboard=ship)
    assert table.dice() == {"proficiency": 3, "boost": 2}
    table.call(ship, weapon="Laser", against=foe)  # and the ship by itself
    assert table.dice() == {"ability": 1, "difficulty": 1}
    with pytest.raises(Conflict, match="not of the crew"):
        table.call(ann, aboard=foe, weapon="Laser")


def test_what_the_one_who_rolls_suffers_joins_and_what_the_ship_suffers(table: Played) -> None:
    rook, ship, foe = sea(table)
    shot = {"who": rook.id, "aboard": ship.id, "weapon": "Cannon", "against": foe.id}
    assert calls(table, rook, "", aboard=ship.id, weapon="Cannon", against=foe.id) == 7
    table.set_to(rook, wounds=1)
    assert sum(table.dice().values()) == 6  # the open call follows
    table.set_to(ship, ionized=2)
    assert sum(table.dice().values()) == 4
    table.change(ship, begins=[{"name": "Hot", "ask": {"less": 1}}])
    assert sum(table.dice().values()) == 3
    assert {one.key for one in table.state.asked.joins} == {"wounded", "ionized", "Hot"}
    table.undo(3)
    table.call(**shot)
    assert sum(table.dice().values()) == 7
    assert table.state.asked.answers["pips"] == 1


def test_an_action_counts_for_who_rolls_and_the_damage_is_of_the_ship(table: Played) -> None:
    rook, ship, foe = sea(table)
    shot = CallRoll(id="shot", at=1.0, who=rook.id, aboard=ship.id, weapon="Cannon", against=foe.id)
    damage, resists = rolls_after(table.state, shot, SYSTEM)  # of which the odds of the whole attack are made
    assert (damage["code"], resists["code"]) == ("4D", "4D")
    table.call(rook, aboard=ship, weapon="Cannon", against=foe, ask={"actions": 2})
    roll = table.roll(6, 6, 6, 6, 6, 6).rolls[0]
    assert (table.now(rook).done, table.now(ship).done) == (1, 0)
    assert (roll.who, roll.aboard, roll.by) == (rook.id, ship.id, "Rook")
    acts = table.state.open_now.acts
    bodies = [one.request.body for one in (acts.act, *acts.also) if one and one.request]
    (body,) = [body for body in bodies if body.get("damage")]
    assert body["aboard"] == ship.id
    table.call(**{"is_damage" if name == "damage" else name: value for name, value in body.items()})
    assert table.dice() == {"pip": 4}
    again(table)
    table.undo(2)
    assert table.now(rook).done == 0
    table.redo()
    assert table.now(again(table).state.people[0]).done == 1


def test_a_ship_evades_by_its_pilot_and_what_is_of_the_ship_stays_with_it(table: Played) -> None:
    rook, ship, foe = sea(table)
    table.call(rook, "Evasion", aboard=ship, ask={"purpose": "evasion", "full_reaction": True})
    roll = table.roll(*[3] * sum(table.dice().values())).rolls[0]
    (effect,) = [n for n, one in enumerate(roll.effects) if one.on == "roller"]
    act = table.state.open_now.acts.act
    assert act.request.body["to"] == ship.id
    table.apply(ship, roll, effect=effect)
    assert table.now(ship).has_state("evasion")
    table.call(foe, weapon="Cannon", against=ship)
    assert table.state.asked.answers["reaction_total"] == dict(roll.net)["total"]
    assert not table.now(rook).states
    again(table)


def test_who_leaves_the_scene_leaves_the_crew_and_comes_back_with_an_undo(table: Played) -> None:
    ann, bo, ship, _ = space(table)
    table.call(ann, aboard=ship, weapon="Laser")
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": ann.id}, device="other")
    assert (table.now(ship).crew, table.state.asked.id) == ((bo.id,), "")
    again(table)
    table.undo()
    assert table.now(ship).crew == (ann.id, bo.id)
    assert table.state.asked.aboard == ship.id
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": ship.id}, device="other")
    assert table.state.asked.id == ""  # nobody fires the guns of a ship that is gone
    table.undo()
    assert again(table).state.asked.aboard == ship.id
    table.throw_all()
    table.undo(change=next(one.number for one in table.state.changes if one.sentence == "Ann is here"))
    assert table.now(ship).crew == (bo.id,)
    table.redo()
    assert again(table).now(ship).crew == (ann.id, bo.id)


def test_a_crew_is_of_people_who_are_here_and_of_things_alone(table: Played) -> None:
    ann, bo, ship, foe = space(table)
    assert board(table, ship, ann, foe, ship, ann, device="other").crew == (ann.id,)
    table.change(ship, crew=("gone", bo.id))
    assert table.now(ship).crew == (bo.id,)
    assert board(table, ann, bo).crew == ()
    assert table.tell(ChangePerson, do=DoPerson.COPY, person={"id": ship.id}).people[-1].crew == ()
    table.call(bo, "Piloting", aboard=ship)
    board(table, ship, ann, device="other")  # the call that stands is thrown as it was called
    assert table.state.asked.who == bo.id
    table.throw_all()
    again(table)


def test_the_turn_of_a_ship_is_rolled_by_its_crew_and_strain_of_its_systems_is_its_own(table: Played) -> None:
    ann, bo, ship, foe = space(table)
    for who, side in (("Ship", "player"), ("Foe", "npc")):
        table.turn(Turn.ADD, who=who, side=side, rank=(2, 0))
    acts = table.state.open_now.acts
    body = acts.act.request.body
    assert (body["who"], body["aboard"], body["weapon"]) == (ann.id, ship.id, "Laser")
    table.call(bo, aboard=ship, weapon="Laser", against=foe)
    kinds = [kind for kind, n in table.dice().items() for _ in range(n)]
    faces: dict[str, Any] = {"ability": ("success",), "proficiency": ("success",), "difficulty": ("threat", "threat")}
    roll = table.throw(*[(kind, faces.get(kind, ())) for kind in kinds]).rolls[0]
    table.buy(roll, "suffer_system_strain")
    assert (table.now(ship).value("system_strain"), table.now(bo).value("strain")) == (1, 0)
    again(table)
    table.undo()
    assert table.now(ship).value("system_strain") == 0


def test_random_crews_undone_at_random_are_as_if_never_chosen(table: Played) -> None:
    ann, bo, ship, _ = space(table)
    rnd = random.Random(7)
    for _ in range(12):
        board(table, ship, *rnd.sample((ann, bo), rnd.randint(0, 2)))
        was = table.now(ship)
        if rnd.random() < 0.5:
            table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": rnd.choice((ann, bo)).id})
            table.undo()
        assert again(table).now(ship) == was
