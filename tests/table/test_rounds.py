"""What one roll leaves for the next: rounds, reactions, points, powers, who is out, and a fight made of people.

Every step is taken twice: again, by another, after an undo, after a restart, by one who is out.
"""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from msgspec import convert

from tableside.dice import DieReading, Reading, Status
from tableside.errors import BadAsk, BadChange, Conflict, GameError, UnknownFace
from tableside.games.narrative.characters import PRONE
from tableside.rules import find_game, game_names
from tableside.rules.characters import resisting_skill
from tableside.rules.people import Person
from tableside.table import MemoryStore, Side, Table, TableState
from tableside.table.kept import Source
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    ChooseGame,
    CorrectDie,
    Do,
    DoAct,
    DoPerson,
    EndSession,
    EnterRoll,
    EnterThrow,
    LastTotal,
    NewReading,
    NewRoll,
    Redo,
    RuleDie,
    ShownDie,
    StartSession,
    Turn,
    Undo,
)
from tableside.table.shown import call_of, play_of, state_json
from tableside.table.shown.standings import standings_now
from tableside.table.system import System
from tests.conftest import SYSTEM


def tell(at: Table, kind: type[Any], **more: Any) -> TableState:
    return at.ask(kind(id=str(uuid.uuid4()), at=1.0, **more))


def add(table: Table, name: str, game: str, kind: str = "person", **form: Any) -> Person:
    person = {"name": name, "kind": kind, "game": game, **form}
    return tell(table, ChangePerson, do=DoPerson.ADD, person=person).people[-1]


def now(table: Table, person: Person) -> Person:
    found = table.state.person(person.id)
    assert found is not None
    return found


def throw(table: Table, *dice: tuple[str, Any]) -> TableState:
    shown = tuple(ShownDie(type=kind, face=(face,) if isinstance(face, str) else face) for kind, face in dice)
    return tell(table, EnterRoll, dice=shown, uses_ask=True)


def pips(*faces: int) -> list[tuple[str, str]]:
    return [("pip", str(face)) for face in faces]


def wild(table: Table, *faces: int) -> TableState:
    return throw(table, ("wild", str(faces[0])), *pips(*faces[1:]))


def dice(table: Table) -> dict[str, int]:
    found = call_of(table.state)
    return dict(found.dice) if found else {}


def set_to(table: Table, person: Person, **values: int) -> None:
    trackers = {name: {"change": value - now(table, person).value(name)} for name, value in values.items()}
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": person.id, "trackers": trackers})


KESH = {
    "skills": [{"name": "Blaster", "ask": {"code": "3D+1"}}, {"name": "Dodge", "ask": {"code": "4D", "role": "dodge"}},
               {"name": "Strength", "ask": {"code": "3D"}}, {"name": "Perception", "ask": {"code": "2D"}},
               {"name": "Piloting", "ask": {"code": "7D"}}],
    "weapons": [{"name": "Pistol", "skill": "Blaster", "ask": {"range": "short"},
                 "damage": {"code": "4D", "purpose": "damage"}}],
    "trackers": {"force_points": {"value": 1}, "character_points": {"value": 5}},
}  # fmt: skip
ROOK = {
    "skills": [{"name": "Blaster", "ask": {"code": "3D+1"}}, {"name": "Dodge", "ask": {"code": "4D"}},
               {"name": "Parry", "ask": {"code": "3D"}}, {"name": "Strength", "ask": {"code": "3D"}},
               {"name": "Dexterity", "ask": {"code": "3D+2"}}],
    "weapons": [{"name": "Pistol", "skill": "Blaster", "ask": {"difficulty": 7}},
                {"name": "Axe", "skill": "Blaster", "ask": {"difficulty": 6, "attack": "melee_weapon"}}],
    "trackers": {"force_points": {"value": 1}},
}  # fmt: skip


def test_a_force_point_holds_for_both_actions_and_goes_with_the_round(table: Table) -> None:
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 2})
    tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    assert dice(table) == {"pip": 4, "wild": 1}  # 3D+1 doubled is 6D+2, less 1D
    assert now(table, kesh).value("force_points") == 0
    wild(table, 2, 3, 3, 4, 5)
    tell(table, CallRoll, who=kesh.id, skill="Blaster")
    assert dice(table) == {"pip": 4, "wild": 1}  # nothing is said again, and no point is left to pay
    with pytest.raises(BadAsk, match="spent on this call already"):
        tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    tell(table, CallRoll)  # nobody rolls: a point that this call did not pay does not come back
    assert now(table, kesh).value("force_points") == 0
    tell(table, DoAct, act="round")
    tell(table, CallRoll, who=kesh.id, skill="Blaster")
    assert dice(table) == {"pip": 2, "wild": 1}


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_a_group_and_a_ship_have_no_force_point_until_somebody_gives_them_one(
    table: Table, game: str, form: dict[str, Any]
) -> None:
    tell(table, ChooseGame, game=game)
    form = {**form, "trackers": {}}
    kinds = {"player": 1, "person": 1, "group": 0, "thing": 0}
    for kind, has in kinds.items():
        who = add(table, kind, game, kind, **form)
        tell(table, CallRoll, who=who.id, skill="Blaster")
        assert state_json(table.state, now=1.0)["points"]["light"] == has
        if has:
            continue
        for _ in range(2):
            with pytest.raises(Conflict, match="has 0 force points"):
                tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
        for spent in range(2):
            set_to(table, who, force_points=1)
            tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
            assert now(table, who).value("force_points") == 0
            tell(table, Undo)
            assert now(table, who).value("force_points") == 1
            tell(table, Undo)
            assert state_json(table.state, now=1.0)["points"]["light"] == 0, spent


def test_who_holds_a_force_point_rolls_with_others_and_pays_no_more(table: Table) -> None:
    kesh, other = (add(table, name, "d6-wild", "player", **KESH) for name in ("Kesh", "Other"))
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 2, "force_point": True})
    wild(table, 2, 3, 3, 4, 5)
    tell(table, CallRoll, who=kesh.id, skill="Perception", others=(other.id,))
    assert dice(table) == {"pip": 2, "wild": 1}  # 2D doubled is 4D, less 1D
    with pytest.raises(Conflict, match="a point is spent by one person"):
        tell(table, CallRoll, who=other.id, skill="Perception", others=(kesh.id,), ask={"force_point": True})
    assert now(table, kesh).value("force_points") == 0


def test_a_call_that_held_a_point_gives_none_back_after_the_round(table: Table) -> None:
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 2, "force_point": True})
    wild(table, 2, 3, 3, 4, 5)
    tell(table, CallRoll, who=kesh.id, skill="Blaster")
    tell(table, DoAct, act="round")
    tell(table, CallRoll)
    assert now(table, kesh).value("force_points") == 0


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_who_prepared_has_a_die_more_on_one_roll(table: Table, game: str, form: dict[str, Any]) -> None:
    tell(table, ChooseGame, game=game)
    kesh = add(table, "Kesh", game, "player", **form)
    tell(table, DoAct, who=kesh.id, act="prepare")
    with pytest.raises(GameError, match="prepared already"):
        tell(table, DoAct, who=kesh.id, act="prepare")
    tell(table, DoAct, act="round")
    assert "Prepared" in [one.name for one in play_of(now(table, kesh)).states]
    unprepared = ["Strength", "Dodge"] if game == "d6-wild" else ["Strength"]  # what withstands, and a reaction
    for skill in (*unprepared, *unprepared):
        tell(table, CallRoll, who=kesh.id, skill=skill)
        assert sum(dice(table).values()) == (3 if skill == "Strength" else 4)
        throw(table, *[(kind, "3") for kind, n in dice(table).items() for _ in range(n)])
    counts = []
    for _ in range(2):
        tell(table, CallRoll, who=kesh.id, skill="Blaster")
        counts.append(sum(dice(table).values()))
        throw(table, *[(kind, "3") for kind, n in dice(table).items() for _ in range(n)])
    assert counts == [4, 3]
    tell(table, Undo)
    tell(table, Undo)
    tell(table, Undo)  # both rolls and the second call: it is prepared again
    assert sum(dice(table).values()) == 4
    assert "Prepared" in [one.name for one in play_of(now(table, kesh)).states]


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_without_an_order_a_round_ends_by_a_new_one_alone_however_many_roll(
    table: Table, game: str, form: dict[str, Any]
) -> None:
    tell(table, ChooseGame, game=game)
    kesh, other = (add(table, name, game, "player", **form) for name in ("Kesh", "Other"))

    def thrown(who: Person) -> int:
        tell(table, CallRoll, who=who.id, skill="Blaster")
        return sum(dice(table).values())

    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"force_point": True})
    for _ in range(3):
        throw(table, *[(kind, "3") for kind, n in dice(table).items() for _ in range(n)])
        assert thrown(kesh) == 6
    assert thrown(other) == 3
    tell(table, DoAct, act="round")
    assert thrown(kesh) == 3
    tell(table, Undo)
    tell(table, Undo)
    assert thrown(kesh) == 6


def test_in_a_fight_what_is_declared_holds_until_the_round_passes_also_after_a_restart(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, ChangeInitiative, do=Turn.ADD, who="Kesh", rank=(2,))
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 2})
    wild(table, 2, 3)
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 3})  # one more is declared later
    wild(table, 2)
    for _ in range(2):
        tell(table, CallRoll, who=kesh.id, skill="Blaster")
        assert dice(table) == {"wild": 1}
        tell(table, CallRoll)
    assert play_of(now(table, kesh)).round == {"actions": 3, "done": 2, "reactions": {}}
    tell(table, CallRoll, who=kesh.id, skill="Strength")  # it withstands, and is no action
    assert dice(table) == {"pip": 2, "wild": 1}
    tell(table, CallRoll)
    for left in ({"wild": 1}, {"wild": 1}, {"pip": 2, "wild": 1}):  # each of the three actions has its turn
        tell(table, ChangeInitiative, do=Turn.NEXT)
        tell(table, CallRoll, who=kesh.id, skill="Blaster")
        assert dice(table) == left
        tell(table, CallRoll)


def test_each_action_that_is_declared_has_its_turn_in_the_round(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    one, other = (add(table, name, "d6-wild", "player", **KESH) for name in ("One", "Other"))
    tell(table, ChangeInitiative, do=Turn.ADD, who="One", rank=(4, 1))
    tell(table, ChangeInitiative, do=Turn.ADD, who="Other", rank=(3, 0, 1, 11))

    def act(who: Person, **ask: int) -> None:
        tell(table, CallRoll, who=who.id, skill="Dodge", ask=ask)
        wild(table, 2, *[3] * (sum(dice(table).values()) - 1))

    acted = []
    for who, ask in ((one, {}), (other, {"actions": 2}), (other, {"actions": 3}), (other, {})):
        current = table.state.initiative.current
        assert current is not None
        acted.append((table.state.initiative.round, table.state.initiative.segment, current.who))
        act(who, **ask)
        before = table.state.initiative
        tell(table, Undo)
        tell(table, Redo)
        assert table.state.initiative == before
        tell(table, ChangeInitiative, do=Turn.NEXT)
    assert acted == [(1, 0, "One"), (1, 0, "Other"), (1, 1, "Other"), (1, 2, "Other")]
    order = table.state.initiative  # what was declared was of that round
    assert (order.round, order.segment, [slot.rank for slot in order.slots]) == (2, 0, [(4, 1), (3, 0, 1, 11)])
    tell(table, Undo)
    assert (table.state.initiative.segment, now(table, other).done) == (2, 3)
    tell(table, Redo)
    lasts = [{"name": "Aiming", "until": "turn"}]
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": one.id, "states": lasts})
    for _ in range(3):  # who has done all of them in one turn has no other in this round
        act(one, actions=3)
    tell(table, ChangeInitiative, do=Turn.NEXT)
    assert "Aiming" not in [state.name for state in now(table, one).states]
    order = tell(table, ChangeInitiative, do=Turn.NEXT).initiative
    assert (order.round, order.segment, order.current and order.current.who) == (3, 0, "One")


def test_an_undo_takes_the_action_back_and_a_wound_since_stays(table: Table) -> None:
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 2})
    roll = wild(table, 2, 3).last_number
    set_to(table, kesh, wounds=2)
    tell(table, Undo, change=roll)
    assert (now(table, kesh).done, now(table, kesh).value("wounds")) == (0, 2)
    assert table.state.asked.answers["actions"] == 2


@pytest.mark.parametrize(("game", "form", "attack"), [("d6-wild", KESH, "Pistol"), ("d6-companion", ROOK, "Pistol")])
def test_a_dodge_is_the_difficulty_for_every_attacker_of_the_round(
    table: Table, game: str, form: dict[str, Any], attack: str
) -> None:
    target, *others = (add(table, name, game, **form) for name in ("Target", "First", "Second"))
    tell(table, ChooseGame, game=game)
    tell(table, ChangeInitiative, do=Turn.ADD, who="Target", rank=(2,))
    tell(table, CallRoll, who=target.id, skill="Dodge")
    dodge = wild(table, 2, 4, 4, 3) if game == "d6-wild" else throw(table, *pips(2, 4, 4, 3))  # 13
    assert dodge.roll is not None
    for one in others:
        tell(table, CallRoll, who=one.id, weapon=attack, against=target.id)
        assert table.state.asked.answers["reaction_total"] == 13
        assert table.state.asked.last_total == dodge.roll.id
        rolled = wild(table, 3, 4, 4) if game == "d6-wild" else throw(table, *pips(3, 4, 4))  # and a pip: 12
        assert rolled.roll is not None
        assert (rolled.roll.difficulty, rolled.roll.succeeded) == (13, False)
    tell(table, CorrectDie, roll_id=dodge.roll.id, index=1, type="pip", face=("1",))  # 10 by now
    tell(table, CallRoll, who=others[0].id, weapon=attack, against=target.id)
    assert table.state.asked.answers["reaction_total"] == 10
    tell(table, CallRoll)
    for _ in range(3 if game == "d6-companion" else 1):  # its segments
        tell(table, ChangeInitiative, do=Turn.NEXT)
    tell(table, CallRoll, who=others[0].id, weapon=attack, against=target.id)
    assert "reaction_total" not in table.state.asked.answers


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
@pytest.mark.parametrize("has_dodged", [True, False])
def test_a_shot_at_one_who_dodges_is_no_dodge_of_who_shoots(
    table: Table, game: str, form: dict[str, Any], *, has_dodged: bool
) -> None:
    # "One roll covers all attacks of the fitting kind in the round" (d6-companion.md, reaction): of who rolled it.
    one, other = (add(table, name, game, **form) for name in ("One", "Other"))
    tell(table, ChooseGame, game=game)
    for name in ("One", "Other"):
        tell(table, ChangeInitiative, do=Turn.ADD, who=name, rank=(2,))
    roll = wild if game == "d6-wild" else lambda at, *faces: throw(at, *pips(*faces))

    def meets(target: Person, shooter: Person) -> int | None:
        tell(table, CallRoll, who=shooter.id, weapon="Pistol", against=target.id)
        found: int | None = table.state.asked.answers.get("reaction_total")
        return found

    if has_dodged:
        tell(table, CallRoll, who=one.id, skill="Dodge")
        roll(table, 2, 4, 4, 3)
    tell(table, CallRoll, who=other.id, skill="Dodge")
    roll(table, 2, 2, 2, 2)
    own = 13 if has_dodged else None
    for _ in range(2):  # by each in turn, twice
        assert meets(other, one) == 8
        roll(table, 5, 5, 5)
        assert meets(one, other) == own
        roll(table, 5, 5, 4)
    tell(table, Undo)
    assert meets(one, other) == own


def test_several_shoot_at_one_who_dodges_but_combine_no_dodge(table: Table) -> None:
    # Never combined: reaction skills (d6-companion.md, combined_action).
    target, shooter, helper = (add(table, name, "d6-companion", **ROOK) for name in ("Target", "Shooter", "Helper"))
    tell(table, CallRoll, who=target.id, skill="Dodge")
    throw(table, *pips(2, 4, 4, 3))
    tell(table, CallRoll, who=shooter.id, skill="Blaster", weapon="Pistol", against=target.id, helpers=(helper.id,))
    assert table.state.asked.answers["reaction_total"] == 13
    with pytest.raises(GameError):
        tell(table, CallRoll, who=shooter.id, skill="Dodge", helpers=(helper.id,))


def test_a_reaction_that_is_undone_is_none_and_no_dodge_meets_an_axe(table: Table) -> None:
    target, other = (add(table, name, "d6-companion", **ROOK) for name in ("Target", "Other"))
    tell(table, CallRoll, who=target.id, skill="Dodge", ask={"actions": 2})
    throw(table, *pips(2, 4, 3))
    tell(table, CallRoll, who=other.id, weapon="Axe", against=target.id)
    assert "reaction_total" not in table.state.asked.answers
    tell(table, CallRoll, who=target.id, skill="Parry")
    throw(table, *pips(5, 6))
    tell(table, CallRoll, who=other.id, weapon="Axe", against=target.id)
    assert table.state.asked.answers["reaction_total"] == 11
    tell(table, Undo)  # the call
    tell(table, Undo)  # the parry
    tell(table, CallRoll, who=other.id, weapon="Axe", against=target.id)
    assert "reaction_total" not in table.state.asked.answers


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_a_hidden_reaction_holds_against_nobody_before_it_is_shown(
    table: Table, game: str, form: dict[str, Any]
) -> None:
    target, other = (add(table, name, game, **form) for name in ("Target", "Other"))
    tell(table, ChooseGame, game=game)
    tell(table, CallRoll, who=target.id, skill="Dodge", is_hidden=True)
    dodge = (wild if game == "d6-wild" else lambda *on: throw(*on[:1], *pips(*on[1:])))(table, 3, 5, 5, 4).roll
    assert dodge is not None

    def told() -> tuple[Any, str]:
        tell(table, CallRoll, who=other.id, weapon="Pistol", against=target.id)
        return table.state.asked.answers.get("reaction_total"), table.state.asked.last_total

    assert dodge.is_hidden
    for is_hidden, expected in ((True, (None, "")), (False, (17, dodge.id)), (True, (None, ""))):
        tell(table, ChangeRoll, roll_id=dodge.id, is_hidden=is_hidden)
        assert told() == expected


def test_character_points_are_bought_one_after_another_each_with_its_chain(table: Table) -> None:
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"difficulty": 20})
    roll = wild(table, 2, 3, 4).roll  # and a pip: 10
    assert roll is not None
    tell(table, BuySpend, roll_id=roll.id, name="character_points")
    with pytest.raises(Conflict, match="still waits for a throw"):
        tell(table, BuySpend, roll_id=roll.id, name="character_points")

    def then(face: int) -> Any:
        told = tell(table, EnterThrow, roll_id=roll.id, dice=(ShownDie(type="pip", face=(str(face),)),)).roll
        assert told is not None
        return told

    assert then(6).awaits is not None  # it chains
    assert (dict(then(3).net)["total"], table.state.roll.awaits) == (19, None)  # type: ignore[union-attr]
    tell(table, BuySpend, roll_id=roll.id, name="character_points")
    after = then(5)
    assert (dict(after.net)["total"], after.short, after.awaits, after.succeeded) == (24, (), None, True)
    assert now(table, kesh).value("character_points") == 3
    with pytest.raises(BadChange, match="cannot be bought"):  # two are the most for a skill
        tell(table, BuySpend, roll_id=roll.id, name="character_points")


OSKARA = {
    "skills": [{"name": "Cool", "ask": {"characteristic": 2, "skill": 1}}],
    "trackers": {"wounds": {"value": 0, "most": 12}, "strain": {"value": 0, "most": 10}},
}
BRAND = {
    "skills": [{"name": "Vigilance", "ask": {"ability": 2, "skill": 1}}],
    "weapons": [{"name": "Fire", "skill": "Vigilance", "ask": {"purpose": "attack", "power": "basic_melee",
                 "frequency": "encounter", "difficulty": "easy"}},
                {"name": "Ice", "skill": "Vigilance", "ask": {"purpose": "attack", "power": "basic_melee",
                 "frequency": "daily", "difficulty": "easy"}}],
    "trackers": {"stamina": {"value": 4, "most": 8}},
}  # fmt: skip
CLASSED = {**BRAND, "defences": {"abilities": [1, 2, 2, 1, 2, 2], "stamina_base": 6}}
OUT = [
    ("d6-wild", KESH, "Piloting", {"wounds": 4}, "Incapacitated", ""),
    ("d6-wild", KESH, "Blaster", {"unconscious": 1}, "Unconscious", "Strength"),
    ("d6-companion", ROOK, "Blaster", {"wounds": 4}, "Dead", "Strength"),
    ("d6-companion", ROOK, "Dodge", {"unconscious": 1}, "Unconscious", "Strength"),
    ("narrative", OSKARA, "Cool", {"wounds": 13}, "Out of the fight from wounds", ""),
    ("narrative", OSKARA, "Cool", {"strain": 11}, "Out of the fight from strain", ""),
    ("heroic", BRAND, "Vigilance", {"unconscious": 1}, "Unconscious", ""),
    ("heroic", BRAND, "Vigilance", {"condition": 5}, "Helpless: no actions", ""),
]


@pytest.mark.parametrize(
    ("game", "form", "name"),
    [("narrative", OSKARA, "wounds"), ("heroic", CLASSED, "stamina"), ("d6-companion", ROOK, "character_points")],
)
def test_what_is_left_out_of_a_tracker_stays(
    table: Table, store: MemoryStore, game: str, form: dict[str, Any], name: str
) -> None:
    person = add(table, "Mara", game, **{**form, "trackers": {name: {"value": 2, "most": 13}}})

    def after(**gauge: Any) -> tuple[int, int | None]:
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": person.id, "trackers": {name: gauge}})
        return now(table, person).value(name), now(table, person).most(name)

    assert (person.value(name), person.most(name)) == (2, 13)
    assert after(value=4) == (4, 13)
    assert after(most=11) == (4, 11)
    assert after() == (4, 11)
    assert after(change=3) == (7, 11)
    assert after(change=-1, most=12) == (6, 12)
    with pytest.raises(BadChange, match="the change of"):
        after(change=1, value=3)
    again = Table(SYSTEM, store)
    again.close()
    assert again.state.people == table.state.people
    tell(table, Undo)
    assert after(value=5) == (5, 11)


@pytest.mark.parametrize(("game", "form", "skill", "hurt", "why", "against"), OUT)
def test_who_is_out_is_told_by_call_card_and_order_alike(
    table: Table, game: str, form: dict[str, Any], skill: str, hurt: dict[str, int], why: str, against: str
) -> None:
    tell(table, ChooseGame, game=game)
    one, other = (add(table, name, game, **form) for name in ("One", "Other"))
    assert play_of(now(table, one)).out is None
    for who in ("One", "Other"):
        tell(table, ChangeInitiative, do=Turn.ADD, who=who, side="npc", rank=(3,))
    set_to(table, one, **hurt)
    assert play_of(now(table, one)).to_json()["out"]["why"] == why
    shown = {person["id"]: person["out"] for person in state_json(table.state, now=1.0)["people"]}
    assert (shown[one.id]["why"], shown[other.id]) == (why, None)
    with pytest.raises(Conflict, match=f"One cannot act: {why}"):
        tell(table, CallRoll, who=one.id, skill=skill)
    tell(table, CallRoll, who=one.id, skill=skill, overrules=True)
    assert table.state.asked.who == one.id
    if against:  # what withstands damage is thrown all the same
        tell(table, CallRoll, who=one.id, skill=against)
    for _ in range(3):
        current = tell(table, ChangeInitiative, do=Turn.NEXT).initiative.current
        assert current is not None
        assert current.who in ("Other", "")  # a slot of the narrative game is its side's in the next round
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": one.id, "trackers": one.to_json()["trackers"]})
    tell(table, CallRoll, who=one.id, skill=skill)
    assert table.state.asked.who == one.id


def test_each_power_is_usable_once_by_itself_and_again_after_its_rest(table: Table) -> None:
    brand = add(table, "Brand", "heroic", "player", **BRAND)

    def use(name: str) -> None:
        tell(table, CallRoll, who=brand.id, weapon=name)
        throw(table, ("ability", ()), ("proficiency", ()), ("difficulty", ()))

    use("Fire")
    with pytest.raises(Conflict, match="Fire was used already"):
        use("Fire")
    use("Ice")
    tell(table, Undo)
    use("Ice")
    tell(table, DoAct, who=brand.id, act="short_rest")
    use("Fire")
    with pytest.raises(Conflict, match="Ice was used already"):
        use("Ice")
    tell(table, DoAct, who=brand.id, act="extended_rest")
    use("Fire")
    use("Ice")


def test_states_join_calls_and_end_with_turn_round_and_scene(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one, other = (add(table, name, "narrative", **OSKARA) for name in ("One", "Other"))
    tell(table, ChangeInitiative, do=Turn.ADD, who="One", side="npc", rank=(3,))
    tell(table, ChangeInitiative, do=Turn.ADD, who="Other", side="npc", rank=(2,))
    states = [{"name": name, "until": name, "ask": {"boost": 1}, "against": {"setback": 1}}
              for name in ("turn", "round", "scene")]  # fmt: skip
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": one.id, "states": states})

    def met() -> tuple[int, int]:
        tell(table, CallRoll, who=one.id, skill="Cool", ask={"difficulty": "easy"})
        own = dice(table).get("boost", 0)
        tell(table, CallRoll, who=other.id, skill="Cool", against=one.id)
        return own, dice(table).get("setback", 0)

    assert met() == (3, 3)
    tell(table, ChangeInitiative, do=Turn.NEXT)
    assert met() == (2, 2)
    tell(table, Undo)
    tell(table, Undo)
    tell(table, Undo)  # the two calls and the turn, which is given back
    assert met() == (3, 3)
    tell(table, ChangeInitiative, do=Turn.NEXT)
    tell(table, ChangeInitiative, do=Turn.NEXT)
    assert met() == (1, 1)
    tell(table, StartSession)
    assert (met(), table.state.initiative.slots) == ((0, 0), ())


def test_a_state_holds_answers_of_its_game_alone(table: Table) -> None:
    one = add(table, "One", "narrative", **OSKARA)
    wrong = [{"name": "Prone", "until": "round", "ask": {"code": "2D"}}]
    with pytest.raises(BadAsk):
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": one.id, "states": wrong})


def test_the_end_of_a_turn_gives_the_maneuvers_back(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one = add(table, "One", "narrative", **OSKARA)
    tell(table, ChangeInitiative, do=Turn.ADD, who="One", side="npc", rank=(3,))
    for _ in range(2):
        tell(table, DoAct, who=one.id, act="maneuver")
    tell(table, ChangeInitiative, do=Turn.NEXT)
    assert now(table, one).value("maneuvers") == 0
    tell(table, Undo)
    assert now(table, one).value("maneuvers") == 2


def test_one_tap_calls_everybody_and_each_roll_is_that_ones_slot(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann = add(table, "Ann", "narrative", "player", **OSKARA)
    add(table, "Thug", "narrative", **OSKARA)
    fallen = add(table, "Fallen", "narrative", **OSKARA)
    set_to(table, fallen, wounds=13)
    state = tell(table, ChangeInitiative, do=Turn.CALL, who="all")
    assert (state.asked.who, state.asked.answers["purpose"]) == (ann.id, "initiative")
    state = throw(table, ("ability", ("success",)))
    assert state.initiative.slots == ()  # a die is missing
    roll_id = state.rolls[0].id
    tell(table, Undo)
    state = throw(table, ("ability", ("success",)), ("proficiency", ("advantage",)))
    assert roll_id != state.rolls[0].id
    assert [(slot.who, slot.side, slot.rank) for slot in state.initiative.slots] == [("Ann", "player", (1, 1))]
    assert state.asked.player == "Thug"
    state = throw(table, ("ability", ("success", "success")), ("proficiency", ()))
    assert [(slot.who, slot.side) for slot in state.initiative.slots] == [("Thug", "npc"), ("Ann", "player")]
    assert (state.asked.id, state.initiative.round) == ("", 1)
    # a correction moves the slot with it
    state = tell(table, CorrectDie, roll_id=state.rolls[0].id, index=0, type="ability", face=())
    assert [slot.who for slot in state.initiative.slots] == ["Ann", "Thug"]
    with pytest.raises(Conflict, match="nobody is left to call"):  # whoever has a slot keeps it
        tell(table, ChangeInitiative, do=Turn.CALL, who="all")
    late = add(table, "Late", "narrative", **OSKARA)
    assert tell(table, ChangeInitiative, do=Turn.CALL, who="others").asked.who == late.id


def test_a_throw_for_the_order_is_no_action_and_turns_of_all_kinds_end(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    kesh = add(table, "Kesh", "d6-wild", "player", **KESH)
    tell(table, ChangeInitiative, do=Turn.CALL, who="all")
    wild(table, 2, *[3] * (sum(dice(table).values()) - 1))
    assert len(table.state.initiative.slots) == 1
    assert now(table, kesh).done == 0
    tell(table, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 3})
    wild(table, 2, 4)
    assert now(table, kesh).done == 1
    tell(table, ChangeInitiative, do=Turn.CLEAR)
    tell(table, ChooseGame, game="narrative")
    for kind in ("player", "group", "thing"):
        add(table, f"A {kind}", "narrative", kind)
        tell(table, ChangeInitiative, do=Turn.ADD, who=f"A {kind}", side="npc", rank=(2,))
    for number in range(3):
        assert tell(table, ChangeInitiative, do=Turn.NEXT).initiative.round == 1 + number // 2


def test_the_roll_of_one_who_was_called_goes_back_with_its_slot(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    for name in ("Yara", "Ogre"):
        add(table, name, "heroic", "player" if name == "Yara" else "person", **BRAND)
    tell(table, ChangeInitiative, do=Turn.CALL, who="players")
    state = throw(table, ("ability", ("success",)), ("proficiency", ()))
    assert ([slot.who for slot in state.initiative.slots], state.asked.id) == (["Yara"], "")
    state = tell(table, Undo)
    assert (state.initiative.slots, state.asked.player) == ((), "Yara")


def test_where_no_order_is_thrown_for_everybody_has_a_place_at_once(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    quick = {**ROOK, "skills": [*ROOK["skills"][:-1], {"name": "Dexterity", "ask": {"code": "4D"}}]}
    add(table, "Slow", "d6-companion", "player", **ROOK)
    person = add(table, "Quick", "d6-companion", **quick)
    state = tell(table, ChangeInitiative, do=Turn.CALL, who=(person.id,))
    assert [slot.rank for slot in state.initiative.slots] == [(4, 0, 0)]
    state = tell(table, ChangeInitiative, do=Turn.CALL, who="all")
    assert [slot.who for slot in state.initiative.slots] == ["Slow", "Quick"]  # the lowest declares first
    assert state.asked.id == ""


def test_a_roll_of_another_purpose_is_no_slot_and_another_game_ends_the_fight(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann = add(table, "Ann", "narrative", "player", **OSKARA)
    tell(table, CallRoll, who=ann.id, skill="Cool", ask={"difficulty": "easy"})
    state = throw(table, ("ability", ()), ("proficiency", ("success",)), ("difficulty", ()))
    assert state.roll is not None
    with pytest.raises(Conflict, match="tells no rank"):
        tell(table, ChangeInitiative, do=Turn.ADD, roll_id=state.roll.id)
    tell(table, ChangeInitiative, do=Turn.ADD, who="Ann", rank=(1,))
    assert tell(table, ChooseGame, game="heroic").initiative.slots == ()
    with pytest.raises(BadChange, match="list of people"):
        ChangeInitiative(id="x", at=1.0, do=Turn.CLAIM, who=("Ann",))


def test_what_a_round_holds_is_there_again_after_a_restart() -> None:
    store = MemoryStore()
    first = Table(System(sets=SYSTEM.sets), store)
    try:
        kesh = add(first, "Kesh", "d6-wild", "player", **KESH)
        tell(first, CallRoll, who=kesh.id, skill="Blaster", ask={"actions": 2, "force_point": True})
        wild(first, 2, 3, 3, 4, 5)
    finally:
        first.close()
    again = Table(System(sets=SYSTEM.sets), MemoryStore(store.changes()))
    try:
        tell(again, CallRoll, who=kesh.id, skill="Blaster")
        assert dice(again) == {"pip": 4, "wild": 1}
    finally:
        again.close()


def test_who_has_no_skill_for_it_throws_what_all_have_and_the_table_throws_for_the_others(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    calm = {"skills": [{"name": "Discipline", "ask": {"characteristic": 4, "skill": 2}}]}
    for name, kind, form in (
        ("Ann", "player", {}),
        ("Cay", "player", calm),
        ("Thug", "person", {}),
        ("Ork", "person", OSKARA),
    ):
        add(table, name, "narrative", kind, **form)
    with pytest.raises(Conflict, match="nobody is left to call"):
        tell(table, ChangeInitiative, do=Turn.CALL, who=())
    state = tell(table, ChangeInitiative, do=Turn.CALL, who="all", skill="Vigilance", by_table=True)
    assert {slot.who for slot in state.initiative.slots} == {"Thug", "Ork"}
    assert all(len(slot.rank) == 2 and slot.words == "" for slot in state.initiative.slots)
    assert state.rolls == ()  # nobody sees those dice
    assert state.last_change is not None
    assert "The table threw for Thug, Ork." in state.last_change.sentence
    assert (state.asked.player, dice(table)) == ("Ann", {"ability": 2})  # an average of two
    throw(table, ("ability", ()), ("ability", ("success",)))
    assert (table.state.asked.player, dice(table)) == ("Cay", {"ability": 4})  # Willpower, as Discipline tells
    assert standings_now(table.state, sees_hidden=False).to_json()["initiative"] is True  # type: ignore[union-attr]
    throw(table, *[("ability", ("success",))] * 4)
    assert len(table.state.initiative.slots) == 4
    tell(table, Undo)
    tell(table, Undo)
    tell(table, Undo)  # all of it is one call
    assert table.state.initiative.slots == ()


def test_one_message_has_the_same_dice_of_the_table(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    add(table, "Scout", "d6-wild", **KESH)
    ranks = set()
    for n in range(8):
        message = ChangeInitiative(id=f"call-{n % 4}-{n}", at=1.0, do=Turn.CALL, who="all", by_table=True)
        ranks.add(table.ask(message).initiative.slots[0].rank)
        tell(table, ChangeInitiative, do=Turn.CLEAR)
    assert len({rank[-1] for rank in ranks}) > 2
    assert {rank[:2] for rank in ranks} == {next(iter(ranks))[:2]}


def test_the_turn_before_is_given_back_until_the_order_changes(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one = add(table, "One", "narrative", **OSKARA)
    assert table.state.turn_before is None
    for rank in (3, 2):
        tell(table, ChangeInitiative, do=Turn.ADD, who="One" if rank == 3 else "Two", side="npc", rank=(rank,))
    assert table.state.turn_before is None  # a place is no turn
    number = tell(table, ChangeInitiative, do=Turn.NEXT).last_number
    set_to(table, one, wounds=4)
    assert table.state.turn_before == number
    tell(table, Undo, change=number)
    assert (table.state.initiative.current.who, now(table, one).value("wounds")) == ("One", 4)  # type: ignore[union-attr]
    assert table.state.turn_before is None
    tell(table, ChangeInitiative, do=Turn.NEXT)
    tell(table, ChangeInitiative, do=Turn.NEXT)  # into the next round, and back twice
    for who in ("Two", "One"):
        assert table.state.turn_before is not None
        tell(table, Undo, change=table.state.turn_before)
        assert table.state.initiative.current.who == who  # type: ignore[union-attr]


def test_a_state_is_sent_as_pages_send_it_and_told_in_words(table: Table) -> None:
    for game in game_names():
        for state in find_game(game).ready.states:
            one = add(table, "One", game)
            sent = {"do": "change", "person": {"id": one.id, "states": [state.to_json()]}}
            message = convert({"id": f"{game}-{state.name}", "at": 1.0, **sent}, ChangePerson)
            after = table.ask(message)
            assert now(table, one).states == (state,)
            assert after.last_change is not None
            assert after.last_change.sentence == f"One: {state.name}"
            ask = {"code": "3D"} if game.startswith("d6") else {}
            tell(table, CallRoll, who=one.id, ask=ask, overrules=state.bars == "actions")
            tell(table, CallRoll)
            gone = tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": one.id, "states": []})
            assert gone.last_change is not None
            assert gone.last_change.sentence == f"One: {state.name} is over"


def test_a_rule_takes_a_die_away_turns_it_and_has_it_thrown_again(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one = add(table, "One", "narrative", **OSKARA)
    tell(table, CallRoll, who=one.id, skill="Cool", ask={"difficulty": "easy"})
    roll = throw(table, ("ability", ("success",)), ("proficiency", ()), ("difficulty", ("failure", "failure"))).roll
    assert roll is not None
    assert roll.succeeded is False

    def rule(how: str, index: int, face: tuple[str, ...] | None = None, **more: Any) -> Any:
        told = tell(table, RuleDie, roll_id=roll.id, index=index, rule=how, face=face, **more).roll
        assert told is not None
        return told

    away = rule("away", 2, reason="Keen eye")
    assert (away.succeeded, away.short, away.source) == (True, (), roll.source)
    assert table.state.last_change is not None
    assert table.state.last_change.kind == "rule"
    assert table.state.last_change.sentence.startswith("Keen eye: A rule takes die 3 away: ")
    turned = rule("turned", 1, ("triumph",))
    assert dict(turned.net)["triumph"] == 1
    again = rule("again", 1, ("advantage",))  # the same die once more: how it lay first stays known
    assert (again.dice[1].face, again.dice[1].lay, dict(again.net)["triumph"]) == (("advantage",), (), 0)
    with pytest.raises(UnknownFace):
        rule("turned", 0, ("despair",))
    with pytest.raises(BadChange, match="shows no face"):
        RuleDie(id="x", at=1.0, roll_id=roll.id, index=0, rule="away", face=("success",))
    for _ in range(3):
        tell(table, Undo)
    assert table.state.roll is not None
    assert [die.face for die in table.state.roll.dice] == [die.face for die in roll.dice]


def test_what_a_rule_did_stays_when_the_camera_reads_the_throw_again(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")

    def seen(*faces: str) -> Reading:
        dice = (
            DieReading(
                type="pip", face=(face,), center=(50 + 60 * n, 90), outline=(), confidence=0.99, status=Status.SURE
            )
            for n, face in enumerate(faces)
        )
        return Reading(width=320, height=240, dice=tuple(dice))

    table.ask(NewRoll(id="seen", at=1.0, reading=seen("2", "5", "3")))
    tell(table, RuleDie, roll_id="seen", index=0, rule="turned", face=("6",))
    tell(table, RuleDie, roll_id="seen", index=1, rule="away")
    state = table.ask(NewReading(id="again", at=2.0, roll_id="seen", reading=seen("2", "5", "3")))
    assert state.roll is not None
    assert (dict(state.roll.net)["total"], state.roll.source) == (9, Source.CAMERA)
    state = table.ask(NewReading(id="other", at=3.0, roll_id="seen", reading=seen("4", "5", "3")))
    assert state.roll is not None
    assert dict(state.roll.net)["total"] == 7  # the first one lies otherwise: that is another throw of it


def test_a_purchase_puts_a_state_on_and_takes_one_off_for_as_long_as_it_says(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one, other = (add(table, name, "narrative", **OSKARA) for name in ("One", "Other"))
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": one.id, "states": [{"name": "In cover"}]})
    for who, rank in (("One", 3), ("Other", 2)):
        tell(table, ChangeInitiative, do=Turn.ADD, who=who, side="npc", rank=(rank,))

    def buy(name: str, face: tuple[str, ...], to: str = "", **ask: str) -> None:
        tell(table, CallRoll, who=one.id, skill="Cool", ask={"difficulty": "hard", **ask})
        helping = face if "advantage" in face else ()
        roll = throw(
            table, ("ability", helping), ("proficiency", helping), *[("difficulty", () if helping else face)] * 3
        )
        tell(table, BuySpend, roll_id=roll.rolls[0].id, name=name, for_person=to)

    def states(of: Person) -> dict[str, str]:
        return {state.name: state.until for state in now(table, of).states}

    two, shot = ("threat", "threat"), {"purpose": "attack", "attack": "ranged", "range": "close"}
    buy("fall_prone", two)
    assert states(one) == {"In cover": "scene", "Prone": "scene"}
    tell(table, Undo)
    assert states(one) == {"In cover": "scene"}
    buy("lose_cover", two, spending="general")
    assert states(one) == {}
    buy("defense_up", ("advantage", "advantage"))
    assert states(one) == {"On guard": "next"}
    for until in ("next", "turn", "turn"):  # its own turn, the other's, and the turn after, of another round
        tell(table, CallRoll, who=other.id, skill="Cool", against=one.id, ask=shot)
        assert dice(table)["setback"] == 1
        tell(table, CallRoll)
        assert states(one)["On guard"] == until
        current = tell(table, ChangeInitiative, do=Turn.NEXT).initiative.current
        if current and not current.who:
            tell(table, ChangeInitiative, do=Turn.CLAIM, slot=current.id, who="One")
    assert states(one) == {}
    buy("target_drops_weapon", ("advantage", "advantage"), other.id, **shot)
    assert states(other) == {"Disarmed": "scene"}
    tell(table, ChangeInitiative, do=Turn.CLEAR)
    assert states(other) == {"Disarmed": "scene"}
    tell(table, StartSession)
    assert states(other) == {}


def test_a_medpac_that_works_heals_with_one_tap_and_one_that_fails_only_counts(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    medic, hurt = (add(table, name, "d6-companion", **ROOK) for name in ("Medic", "Hurt"))
    set_to(table, hurt, wounds=2)  # incapacitated: moderate, 11
    for faces, wounds, medpacs in (((2, 2, 2), 2, 1), ((6, 6, 6), 1, 2)):
        tell(table, CallRoll, who=medic.id, skill="Strength", against=hurt.id, ask={"purpose": "medpac", "code": "3D"})
        roll = throw(table, *pips(*faces)).roll
        assert roll is not None
        assert len(roll.effects) == 1
        tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=hurt.id)
        assert (now(table, hurt).value("wounds"), now(table, hurt).value("medpacs")) == (wounds, medpacs)


def test_a_session_ends_with_its_fight_and_the_next_throw_begins_another(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    with pytest.raises(Conflict, match="no session runs"):
        tell(table, EndSession)
    add(table, "One", "narrative")
    for number, says in enumerate(["The session ends", "Session 1 ends"]):
        tell(table, ChangeDestiny, do=Do.SET, light=3, dark=2)
        throw(table, ("ability", ("success",)))
        tell(table, ChangeInitiative, do=Turn.ADD, who="One", rank=(1, 0))
        tell(table, CallRoll, ask={"characteristic": 2})
        before = table.state
        assert (before.session.number, before.session.ended) == (number, 0)
        state = tell(table, EndSession)
        assert state.session.ended > 0
        assert state.changes[-1].sentence == says
        assert (state.initiative.slots, state.asked.id, state.destiny.light) == ((), "", 0)
        with pytest.raises(Conflict, match="no session runs"):
            tell(table, EndSession)
        undone = tell(table, Undo, change=state.last_number)
        for part in ("session", "initiative", "destiny", "asked"):
            assert getattr(undone, part) == getattr(before, part)
        tell(table, EndSession)
    state = throw(table, ("ability", ("success",)))
    assert (state.session.number, state.session.ended, state.rolls[0].session) == (2, 0, 2)
    state = tell(table, Undo, change=state.last_number)
    assert state.session.ended > 0  # and with the throw the session that it began
    assert tell(table, StartSession).session.number == 2


def test_a_session_asks_for_the_pool_anew_and_its_undo_brings_the_old_one_back(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    tell(table, ChangeDestiny, do=Do.SET, light=3, dark=2)
    state = tell(table, StartSession)
    assert (state.destiny.light, state.destiny.dark) == (0, 0)
    tell(table, ChangeDestiny, do=Do.ADD, side=Side.LIGHT)
    state = tell(table, Undo, change=state.last_number)
    assert (state.destiny.light, state.destiny.dark) == (4, 2)
    tell(table, ChooseGame, game="d6-wild")
    assert tell(table, StartSession).destiny == state.destiny  # its points are each one's own


SWORDS = {
    "skills": [{"name": "Aim", "ask": {"characteristic": 2}}],
    "weapons": [{"name": "Rifle", "skill": "Aim", "ask": {"purpose": "attack", "attack": "ranged", "range": "long"}},
                {"name": "Blade", "skill": "Aim", "ask": {"purpose": "attack", "attack": "melee"}}],
}  # fmt: skip
CODES = {
    "skills": [{"name": "Blaster", "ask": {"code": "3D"}}, {"name": "Melee", "ask": {"code": "3D"}}],
    "weapons": [{"name": "Rifle", "skill": "Blaster", "ask": {"band": "moderate"}, "damage": {"code": "4D"}},
                {"name": "Blade", "skill": "Melee", "ask": {"band": "easy"}, "damage": {"code": "3D"}}],
}  # fmt: skip


def state_of(game: str, name: str) -> dict[str, Any]:
    return next(one for one in find_game(game).ready.states if one.name == name).to_json()


def test_who_is_prone_is_hit_more_easily_close_by_and_less_from_afar_until_it_ends(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ben = add(table, "Ben", "narrative", **SWORDS)
    kai = add(table, "Kai", "narrative", **SWORDS)
    prone = state_of("narrative", "Prone")
    assert prone == PRONE.to_json()

    def met(weapon: str = "", skill: str = "") -> tuple[int, int]:
        tell(table, CallRoll, who=ben.id, weapon=weapon, skill=skill, against=kai.id)
        found = dice(table)
        return found.get("boost", 0), found.get("setback", 0)

    def are(*states: Any) -> None:
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": kai.id, "states": states})

    are(prone)
    assert (met("Blade"), met("Rifle"), met(skill="Aim")) == ((1, 0), (0, 1), (0, 0))
    are(prone, state_of("narrative", "In cover"))  # cover is of no use close by
    assert (met("Blade"), met("Rifle"), met(skill="Aim")) == ((1, 0), (0, 2), (0, 0))
    # a pair with what was carried, and the prone one's own attacks are as before
    tell(table, CallRoll, who=kai.id, weapon="Blade", against=ben.id)
    assert dice(table) == {"ability": 2, "difficulty": 2}
    are({**prone, "until": "round"})
    tell(table, ChangeInitiative, do=Turn.ADD, who="Kai", side="npc", rank=(2,))
    tell(table, ChangeInitiative, do=Turn.NEXT)
    assert (met("Blade"), met("Rifle")) == ((0, 0), (0, 0))
    tell(table, Undo)
    tell(table, Undo)
    tell(table, Undo)  # both calls and the turn: prone again
    assert met("Blade") == (1, 0)


def test_cover_is_for_attacks_from_afar_alone_and_joins_what_lies_prone(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    ben = add(table, "Ben", "d6-companion", **CODES)
    kai = add(table, "Kai", "d6-companion", **CODES, states=[state_of("d6-companion", "In cover")])

    def answers(*names: str, **call: Any) -> list[Any]:
        tell(table, CallRoll, who=ben.id, against=kai.id, **call)
        return [table.state.asked.answers.get(name) for name in names]

    assert answers("fire", weapon="Rifle") == [["medium_cover"]]
    assert answers("fire", weapon="Blade") == [None]
    tell(table, DoAct, act="drop", who=kai.id)
    assert [sorted(found) for found in answers("fire", weapon="Rifle")] == [["medium_cover", "prone"]]
    assert answers("fire", weapon="Blade") == [["prone"]]
    asked = answers("fire", weapon="Rifle", ask={"fire": ["door"]})
    assert sorted(asked[0]) == ["door", "medium_cover", "prone"]
    tell(table, DoAct, act="rise", who=kai.id)
    assert answers("fire", weapon="Blade") == [None]
    tell(table, ChooseGame, game="d6-wild")
    ann = add(table, "Ann", "d6-wild", **CODES)
    bo = add(table, "Bo", "d6-wild", **CODES, states=[state_of("d6-wild", "In cover")])
    covers = []
    for call in ({"weapon": "Rifle"}, {"weapon": "Blade"}, {"skill": "Melee", "ask": {"purpose": "first_aid"}}):
        tell(table, CallRoll, who=ann.id, against=bo.id, **call)
        covers.append(table.state.asked.answers.get("cover"))
    assert covers == ["1/2", None, None]


def test_who_is_staggered_has_no_action_and_who_is_held_no_maneuver(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    states = [state_of("narrative", name) for name in ("Staggered", "Immobilized")]
    kai = add(table, "Kai", "narrative", **SWORDS, states=states)
    with pytest.raises(Conflict, match="cannot act: Staggered"):
        tell(table, CallRoll, who=kai.id, skill="Aim")
    tell(table, CallRoll, who=kai.id, skill="Aim", overrules=True)
    tell(table, ChangeInitiative, do=Turn.CALL, who=(kai.id,))  # a place in the order is no action
    assert table.state.asked.who == kai.id


@pytest.mark.parametrize(
    ("game", "act", "bars"),
    [("narrative", "maneuver", "maneuvers"), ("narrative", "rise", "maneuvers"), ("heroic", "maneuver", "maneuvers"),
     ("d6-wild", "prepare", "actions"), ("d6-wild", "rise", "actions"), ("d6-companion", "rise", "actions")],
)  # fmt: skip
def test_who_is_barred_from_it_does_nothing_that_takes_it(table: Table, game: str, act: str, bars: str) -> None:
    tell(table, ChooseGame, game=game)
    held, prone = {"name": "Held", "bars": bars}, {"name": "Prone"}
    kai = add(table, "Kai", game, states=[prone, held])
    if game == "d6-companion":
        tell(table, DoAct, act="drop", who=kai.id)
    with pytest.raises(GameError, match="Kai cannot act: Held"):
        tell(table, DoAct, act=act, who=kai.id)
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": kai.id, "states": [prone]})
    tell(table, DoAct, act=act, who=kai.id)


def test_who_rises_is_no_longer_prone_and_has_done_an_action_or_a_maneuver(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ann = add(table, "Ann", "narrative", "player", states=[state_of("narrative", "Prone")])
    tell(table, DoAct, act="maneuver", who=ann.id)
    state = tell(table, DoAct, act="rise", who=ann.id)
    assert state.changes[-1].sentence == "Ann: Rise from prone: A second maneuver for 2 strain"
    assert (now(table, ann).states, now(table, ann).value("strain")) == ((), 2)
    number = table.state.last_number
    tell(table, DoAct, act="rise", who=ann.id)  # who stands does not rise
    assert table.state.last_number == number
    tell(table, Undo)
    assert ([one.name for one in now(table, ann).states], now(table, ann).value("maneuvers")) == (["Prone"], 1)
    for game in ("d6-wild", "d6-companion"):
        tell(table, ChooseGame, game=game)
        bo = add(table, "Bo", game, "player", states=[state_of("d6-wild", "Prone")] if game == "d6-wild" else [])
        if game == "d6-companion":
            tell(table, DoAct, act="drop", who=bo.id)
        for _ in range(2):
            tell(table, DoAct, act="rise", who=bo.id)
            is_prone = now(table, bo).has_state("Prone")
            assert (is_prone, now(table, bo).done) == (0, 1)


def test_a_defence_that_is_cancelled_is_none_for_its_round(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    ben = add(table, "Ben", "narrative", **SWORDS)
    kai = add(table, "Kai", "narrative", **SWORDS, defences={"setback": 2, "soak": 3})

    def setbacks() -> int:
        tell(table, CallRoll, who=ben.id, weapon="Blade", against=kai.id)
        return dice(table).get("setback", 0)

    assert setbacks() == 2
    none = [{"name": "No defence", "until": "round", "bars": "defence"}]
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": kai.id, "states": none})
    assert (setbacks(), table.state.asked.answers["soak"]) == (0, 3)


@pytest.mark.parametrize(
    ("game", "weapon", "faces", "hurt"),
    [
        ("narrative", {"ask": {"attack": "ranged", "range": "close", "damage": 7}},
         [("ability", ("success",)), ("difficulty", ())],
         [("wounds", 8), ("wounds", 16)]),  # 7 + 1
        ("heroic", {"ask": {"power": "basic_melee", "weapon": 6, "damage_ability": 1}}, [("ability", ("success",))],
         [("condition", 1), ("condition", 3)]),  # 6 + 1 + 1 is twice 4: staggered and a step, then two steps
        ("d6-wild", {"damage": {"code": "2D"}}, [("wild", "5"), ("pip", "5")],
         [("wounds", 2), ("wounds", 3)]),  # 6 more than 4: wounded, wounded twice
        ("d6-companion", {"damage": {"code": "2D+1"}}, [("pip", "2"), ("pip", "4")],
         [("wounds", 1), ("wounds", 2)]),  # 7 of 4: wounded, and incapacitated
    ],
)  # fmt: skip
def test_an_imported_weapon_with_damage_deals_it(
    table: Table, game: str, weapon: dict[str, Any], faces: list[tuple[str, Any]], hurt: list[tuple[str, int]]
) -> None:
    has_codes = game.startswith("d6")
    rated = {"code": "3D"} if has_codes else {"ability" if game == "heroic" else "characteristic": 1}
    skills = [{"name": "Aim", "ask": rated}]
    armed = add(table, "Ann", game, skills=skills, weapons=[{"name": "Bow", "skill": "Aim", **weapon}])
    foe = add(table, "Bo", game, defences={"threshold": 4} if game == "heroic" else {})
    asked = {"against": 4} if has_codes else {}
    for tracker, value in hurt:
        tell(table, CallRoll, who=armed.id, weapon="Bow", is_damage=has_codes, against=foe.id, ask=asked)
        throw(table, *faces)
        tell(table, ApplyEffect, roll_id=table.state.rolls[0].id, effect=0, to=foe.id)
        assert now(table, foe).value(tracker) == value


def spends_now(table: Table) -> set[str]:
    roll = table.state.rolls[0]
    game = find_game(roll.game)
    dice_thrown = [die.die for die in roll.dice]
    return {spend.name for spend in game.spends(game.play((dice_thrown,), roll.ask), roll.ask)}


def test_a_boarding_party_and_a_dogfight_in_one_scene_each_have_their_own_spends_and_damage(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    gun = {"purpose": "attack", "attack": "ranged", "range": "close", "damage": 6}
    crew = {
        "skills": [{"name": "Ranged light", "ask": {"characteristic": 2}},
                   {"name": "Gunnery", "ask": {"characteristic": 2, "skill_used": "gunnery"}}],
        "weapons": [{"name": "Pistol", "skill": "Ranged light", "ask": gun},
                    {"name": "Turret", "skill": "Gunnery", "ask": gun}],
    }  # fmt: skip
    ann = add(table, "Ann", "narrative", "player", **crew)
    guard = add(table, "Guard", "narrative", trackers={"wounds": {"value": 0, "most": 12}})
    tie = add(table, "Tie", "narrative", "thing", trackers={"hull": {"value": 0, "most": 6}}, defences={"soak": 2})

    def shoot(weapon: str, at: Person) -> str:
        tell(table, CallRoll, who=ann.id, weapon=weapon, against=at.id)
        throw(table, ("ability", ("success", "advantage")), ("ability", ("advantage", "advantage")), ("difficulty", ()))
        return table.state.rolls[0].effects[0].words

    for _ in range(2):  # by turns: what one roll is of tells nothing of the next
        assert shoot("Pistol", guard) == "7 wounds"
        assert {"target_drops_weapon", "recover_strain"} <= spends_now(table)
        assert shoot("Turret", tie) == "5 damage"
        assert "force_veer_off" in spends_now(table)
        assert "target_drops_weapon" not in spends_now(table)
    # a pistol at a ship is of ships; and what was shot at a person does damage to a thing that it hits instead
    assert shoot("Pistol", tie) == "5 damage"
    shoot("Pistol", guard)
    after = tell(table, ApplyEffect, roll_id=table.state.rolls[0].id, effect=0, to=tie.id)
    assert now(table, tie).value("hull") == 5
    assert after.last_change is not None
    assert after.last_change.sentence == "Tie: 5 damage"


def test_what_shoots_at_a_hull_damages_it_and_the_hull_resists(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    cannon = {"name": "Cannon", "skill": "Blaster", "ask": {"difficulty": 6}, "damage": {"code": "4D"}}
    ann = add(table, "Ann", "d6-companion", skills=ROOK["skills"], weapons=[cannon])
    tie = add(table, "Tie", "d6-companion", "thing", skills=[{"name": "Hull", "ask": {"code": "2D"}}])
    guard = add(table, "Guard", "d6-companion", skills=[{"name": "Strength", "ask": {"code": "2D"}}])
    for target, skill, tracker, value in ((tie, "Hull", "ship_damage", 2), (guard, "Strength", "wounds", 2)):
        tell(table, CallRoll, who=target.id, skill=skill)
        throw(table, *pips(3, 3))
        resisted = table.state.rolls[0].id
        for _ in range(2):
            tell(table, CallRoll, who=ann.id, weapon="Cannon", is_damage=True, against=LastTotal(last_total=resisted))
            throw(table, *pips(4, 3, 3, 3))  # 13 of 6: more than twice
            tell(table, ApplyEffect, roll_id=table.state.rolls[0].id, effect=0, to=target.id)
        assert now(table, target).value(tracker) >= value
        assert now(table, target).value("wounds" if tracker == "ship_damage" else "ship_damage") == 0
    assert resisting_skill(find_game("d6-companion").characters, now(table, tie)) == "Hull"


def test_what_was_done_before_a_fight_is_no_action_of_its_first_round(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    rook = add(table, "Rook", "d6-companion", "player", **ROOK)
    axe = add(table, "Axe", "d6-companion", **ROOK)
    for one in (rook, axe):
        tell(table, CallRoll, who=one.id, skill="Dodge")
        throw(table, *pips(3, 3, 4, 4))
    assert (now(table, rook).done, now(table, axe).done) == (1, 1)
    tell(table, ChangeInitiative, do=Turn.CALL, who="all")  # nothing is thrown for this order
    assert (now(table, rook).done, now(table, axe).done) == (0, 0)
    tell(table, CallRoll, who=rook.id, skill="Parry", ask={"actions": 2})
    throw(table, *pips(3, 3))
    tell(table, ChangeInitiative, do=Turn.ADD, who="Late", side="npc", rank=(1,))  # somebody who comes later
    assert (now(table, rook).done, now(table, rook).declared("actions", 1)) == (1, 2)
    for _ in range(4):
        tell(table, Undo)
    assert (now(table, rook).done, now(table, axe).done) == (1, 1)


@pytest.mark.parametrize(("game", "skill"), [("narrative", "Cool"), ("heroic", "Vigilance")])
def test_maneuvers_made_before_a_fight_are_none_of_its_first_turn(table: Table, game: str, skill: str) -> None:
    tell(table, ChooseGame, game=game)
    forms = {"narrative": OSKARA, "heroic": BRAND}
    ann, bo = (add(table, name, game, "player", **forms[game]) for name in ("Ann", "Bo"))
    for one in (ann, bo):
        set_to(table, one, maneuvers=2)
    tell(table, ChangeInitiative, do=Turn.CALL, who="all", skill=skill)
    for left in (0, 0):  # the fight begins with the first of the two
        throw(table, *[(kind, ()) for kind, n in dice(table).items() for _ in range(n)])
        assert [now(table, one).value("maneuvers") for one in (ann, bo)] == [left, left]
        set_to(table, ann, maneuvers=1)
        set_to(table, ann, maneuvers=0)
    tell(table, DoAct, act="maneuver", who=ann.id)
    tell(table, ChangeInitiative, do=Turn.ADD, who="Late", side="npc", rank=(0,))
    assert now(table, ann).value("maneuvers") == 1
    for _ in range(7):
        tell(table, Undo)
    assert [now(table, one).value("maneuvers") for one in (ann, bo)] == [0, 0]
    tell(table, Undo)
    assert [now(table, one).value("maneuvers") for one in (ann, bo)] == [2, 2]
