"""A turn at the table: the call, the point that joins it, what the roll buys and does; every act undone again."""

import itertools
import threading
import uuid
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from tableside.dice import Face
from tableside.errors import BadAsk, BadChange, Conflict, GameError
from tableside.rules import Game, find_game
from tableside.rules.game import Points, Prospect
from tableside.rules.people import Person, PersonKind
from tableside.table import MemoryStore, Table, TableState
from tableside.table.acts.calls import rolls_after
from tableside.table.kept import Destiny, Side
from tableside.table.messages import (
    ApplyEffect,
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    ChangeTable,
    ChooseGame,
    CorrectDie,
    Do,
    DoAct,
    DoPerson,
    EnterRoll,
    EnterThrow,
    LaidDice,
    LastTotal,
    Price,
    Redo,
    Row,
    ShownDie,
    StartSession,
    TakeRoll,
    Turn,
    Undo,
)
from tableside.table.shown import MOST_ODDS_DICE, Offer, call_of, spends_of, state_json
from tests.conftest import SYSTEM, carried

OSKARA = {
    "name": "Oskara", "kind": "player", "game": "narrative",
    "skills": [{"name": "Mechanics", "ask": {"characteristic": 2, "skill": 1}},
               {"name": "Ranged heavy", "ask": {"characteristic": 3, "skill": 2}}],
    "weapons": [{"name": "Carbine", "skill": "Ranged heavy",
                 "ask": {"purpose": "attack", "attack": "ranged", "range": "medium", "damage": 9, "critical": 3}}],
    "trackers": {"wounds": {"value": 0, "most": 12}, "strain": {"value": 3, "most": 11}},
}  # fmt: skip
TROOPERS = {
    "name": "Trooper", "kind": "group", "game": "narrative", "members": 4, "defences": {"soak": 5},
    "trackers": {"wounds": {"value": 0, "most": 5}},
}  # fmt: skip
VEX = {
    "name": "Vex", "kind": "player", "game": "d6-companion", "skills": [{"name": "Blaster", "ask": {"code": "4D"}}],
    "weapons": [{"name": "Pistol", "skill": "Blaster", "ask": {"difficulty": 10},
                 "damage": {"code": "5D", "purpose": "damage"}}],
    "trackers": {"force_points": {"value": 1}},
}  # fmt: skip


def tell(at: Table, kind: type[Any], **more: Any) -> TableState:
    return at.ask(kind(id=more.pop("id", None) or str(uuid.uuid4()), at=1.0, **more))


def add(table: Table, person: dict[str, Any]) -> Person:
    return tell(table, ChangePerson, do=DoPerson.ADD, person=person).people[-1]


def now(table: Table, person: Person) -> Person:
    found = table.state.person(person.id)
    assert found is not None
    return found


def dice(**faces: list[tuple[str, ...]]) -> tuple[ShownDie, ...]:
    return tuple(ShownDie(type=kind, face=face) for kind, shown in faces.items() for face in shown)


def throw(table: Table, **faces: list[tuple[str, ...]]) -> TableState:
    return tell(table, EnterRoll, dice=dice(**faces), uses_ask=True)


HIT = {"ability": [("success",)], "proficiency": [("success", "success"), ("advantage", "advantage")],
       "difficulty": [("threat",), ()]}  # fmt: skip


def test_who_shows_a_call_works_out_its_odds_and_the_writer_never_does(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, threads = find_game("narrative"), list[str]()
    exact = type(game).odds

    def odds(self: Game, ask: Mapping[str, Any]) -> Prospect:
        threads.append(threading.current_thread().name)
        return exact(self, ask)

    monkeypatch.setattr(type(game), "odds", odds)
    oskara = add(table, OSKARA)
    state = tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "hard", "boost": 3})
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    throw(table, proficiency=[("success",)])
    assert threads == []
    for _ in range(2):  # they are remembered
        assert state_json(state, now=1.0, sees_hidden=True)["call"]["odds"]["success"] > 0
    assert threads == 3 * [threading.current_thread().name]  # the call, and either point that may join it


def test_a_call_is_filled_from_the_person_and_shows_dice_and_odds(table: Table) -> None:
    oskara = add(table, OSKARA)
    state = tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average"})
    assert (call_of(state).who, call_of(state).label) == (oskara.id, "Mechanics")
    assert dict(call_of(state).dice) == {"ability": 1, "proficiency": 1, "difficulty": 2}
    assert call_of(state).odds["success"] == pytest.approx(0.5020, abs=5e-5)  # the rulebook's table: 1 A 1 P, 2 D
    assert [flip.side for flip in call_of(state).flips] == ["light", "dark"]


def test_a_call_keeps_what_was_asked_apart_from_what_the_person_brought(table: Table) -> None:
    oskara = add(table, OSKARA)
    state = tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average", "boost": 1})
    assert state.asked.given == {"difficulty": "average", "boost": 1}
    again = tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask=dict(state.asked.given))
    assert again.asked.answers == state.asked.answers


def test_the_odds_of_a_call_are_for_those_it_shows_them_to(table: Table) -> None:
    oskara = add(table, OSKARA)
    state = tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average"})
    assert state_json(state, now=1.0)["call"]["odds"] == {}
    assert state_json(state, now=1.0, sees_hidden=True)["call"]["odds"]["success"] > 0


def test_a_call_of_too_many_dice_shows_no_odds_so_that_the_table_never_waits_for_them(table: Table) -> None:
    for count, is_known in ((MOST_ODDS_DICE, True), (MOST_ODDS_DICE + 1, False)):
        state = tell(table, CallRoll, ask={"dice": {"boost": count}}, label="Many")
        assert bool(call_of(state).odds) is is_known


def test_laid_dice_are_counted_against_the_call_and_make_no_roll(table: Table) -> None:
    oskara = add(table, OSKARA)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average"})
    state = table.ask(LaidDice(at=1.0, dice={"ability": 1, "difficulty": 1, "boost": 1}))
    assert dict(call_of(state).missing) == {"proficiency": 1, "difficulty": 1}
    assert dict(call_of(state).extra) == {"boost": 1}
    assert state.rolls == ()
    assert throw(table, ability=[()], proficiency=[()], difficulty=[(), ()]).laid == {}


def test_a_point_joins_the_open_call_in_one_act_and_is_taken_back_in_one(table: Table) -> None:
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    oskara = add(table, OSKARA)
    called = tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average"})
    state = tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    assert state.destiny == Destiny(light=1, dark=2)
    assert dict(call_of(state).dice) == {"proficiency": 2, "difficulty": 2}
    with pytest.raises(BadAsk):
        tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    state = tell(table, ChangeDestiny, do=Do.SPEND, side=Side.DARK)
    assert state.destiny == Destiny(light=2, dark=1)
    assert dict(call_of(state).dice) == {"proficiency": 2, "challenge": 1, "difficulty": 1}
    tell(table, Undo)
    state = tell(table, Undo)
    assert (state.destiny, state.asked.answers) == (Destiny(light=2, dark=1), called.asked.answers)


def test_a_force_point_is_the_characters_own_and_comes_back_with_the_call(table: Table) -> None:
    vex = add(table, VEX)
    tell(table, CallRoll, who=vex.id, skill="Blaster", ask={"difficulty": 12})
    state = tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    assert dict(call_of(state).dice) == {"pip": 8}
    assert now(table, vex).value("force_points") == 0
    tell(table, CallRoll)  # nobody rolls for it
    assert now(table, vex).value("force_points") == 1
    tell(table, CallRoll, who=vex.id, skill="Blaster", ask={"force_point": True})
    with pytest.raises(Conflict, match="Vex has 0"):
        tell(table, CallRoll, who=add(table, {**VEX, "trackers": {"force_points": {"value": 0}}}).id, skill="Blaster",
             ask={"force_point": True})  # fmt: skip


def test_a_hit_is_applied_once_and_the_group_falls_one_by_one(table: Table) -> None:
    oskara, troopers = add(table, OSKARA), add(table, TROOPERS)
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=troopers.id)
    state = throw(table, **HIT)
    assert state.roll is not None
    roll = state.roll
    assert [(effect.tracker, effect.change) for effect in roll.effects] == [("wounds", 7)]  # 9 and 3, less 5
    state = tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=troopers.id)
    assert now(table, troopers).value("wounds") == 7
    assert state.roll is not None
    assert [str(follow.words) for follow in state.roll.applied[0].follows] == ["1 of them falls"]
    revision = state.revision
    assert tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=troopers.id).revision == revision
    tell(table, Undo)
    assert now(table, troopers).value("wounds") == 0


def test_somebody_else_resists_in_their_own_way_and_one_who_left_is_not_hurt(table: Table) -> None:
    oskara, troopers = add(table, OSKARA), add(table, TROOPERS)
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=troopers.id)
    state = throw(table, **HIT)
    assert state.roll is not None
    heavy = add(table, {**TROOPERS, "name": "Heavy", "kind": "person", "defences": {"soak": 8}})
    tell(table, ApplyEffect, roll_id=state.roll.id, effect=0, to=heavy.id)
    assert now(table, heavy).value("wounds") == 4  # 12 less 8
    tell(table, ChangePerson, do=DoPerson.REMOVE, person={"id": troopers.id})
    with pytest.raises(Conflict, match="nobody of that id"):
        tell(table, ApplyEffect, roll_id=state.roll.id, effect=0, to=troopers.id)


def test_what_a_roll_buys_is_recorded_carried_and_no_longer_affordable(table: Table) -> None:
    oskara = add(table, OSKARA)
    mara = add(table, {**OSKARA, "name": "Mara"})
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "easy"})
    state = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()])
    assert state.roll is not None
    roll_id = state.roll.id

    def offered(name: str) -> Offer:
        roll = table.find_roll(roll_id)
        assert roll is not None
        return next(one for one in spends_of(table.state, roll, table.system) if one.name == name)

    assert offered("boost_any_ally_next").affordable
    tell(table, BuySpend, roll_id=roll_id, name="boost_any_ally_next", price=Price(of="advantage", count=2),
         for_person=mara.id)  # fmt: skip
    assert (offered("boost_any_ally_next").bought, offered("recover_strain").affordable) == (1, False)
    with pytest.raises(Conflict, match="cannot pay"):
        tell(table, BuySpend, roll_id=roll_id, name="recover_strain")
    state = tell(table, CallRoll, who=mara.id, skill="Mechanics", ask={"difficulty": "easy"})
    assert call_of(state).dice["boost"] == 1
    state = throw(table, boost=[()], ability=[()], proficiency=[()], difficulty=[()])
    assert carried(state) == ()  # used up
    state = tell(table, CallRoll, who=mara.id, skill="Mechanics", ask={"difficulty": "easy"})
    assert "boost" not in call_of(state).dice
    tell(table, Undo)
    assert len(carried(tell(table, Undo))) == 1  # the roll that used it is gone


def test_what_is_bought_once_at_most_stays_among_the_purchases(table: Table) -> None:
    tell(table, ChooseGame, game="heroic", settings={})
    tell(table, ChangeInitiative, do=Turn.ADD, rank=(1, 2, 0))
    roll = throw(table, ability=[("advantage",), ("advantage",)]).roll
    assert roll is not None
    roll = tell(table, BuySpend, roll_id=roll.id, name="second_maneuver").roll
    assert roll is not None
    found = {one.name: one for one in spends_of(table.state, roll, table.system)}
    maneuver = found["second_maneuver"]
    assert (maneuver.title, maneuver.price) == ("A second maneuver", "1 advantage")
    assert (maneuver.bought, maneuver.affordable) == (1, False)
    assert found["opportunity"].affordable


def test_what_is_carried_waits_for_a_check_while_somebody_throws_for_an_injury(table: Table) -> None:
    oskara = add(table, OSKARA)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "easy"})
    roll = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()]).roll
    assert roll is not None
    tell(table, BuySpend, roll_id=roll.id, name="boost_any_ally_next", for_person=oskara.id)
    tell(table, CallRoll, who=oskara.id, ask={"purpose": "critical"})
    assert len(carried(throw(table, d100=[("20",)], d10=[("7",)]))) == 1
    state = tell(table, CallRoll, who=oskara.id, skill="Mechanics")
    assert call_of(state).dice["boost"] == 1


def test_recovered_strain_moves_the_rollers_own_tracker_and_back(table: Table) -> None:
    oskara = add(table, OSKARA)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "easy"})
    state = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()])
    assert state.roll is not None
    for strain in (0, 3):  # what would change nothing is not offered
        had = {"id": oskara.id, "trackers": {"strain": {"value": strain}}}
        tell(table, ChangePerson, do=DoPerson.CHANGE, person=had)
        offers = spends_of(table.state, state.roll, table.system)
        assert next(one.affordable for one in offers if one.name == "recover_strain") is bool(strain)
    group = replace(now(table, oskara), kind=PersonKind.GROUP, trackers={})  # nor to who has no strain at all
    offers = spends_of(table.state.with_person(group), state.roll, table.system)
    assert not next(one.affordable for one in offers if one.name == "recover_strain")
    tell(table, BuySpend, roll_id=state.roll.id, name="recover_strain")
    tell(table, BuySpend, roll_id=state.roll.id, name="recover_strain")
    assert now(table, oskara).value("strain") == 1
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "trackers": {"strain": {"value": 6}}})
    spend = next(change for change in reversed(table.state.changes) if change.kind == "spend")
    tell(table, Undo, change=spend.number)
    assert now(table, oskara).value("strain") == 6  # who sets a value means that value


def test_a_wrong_pool_is_taken_as_it_lies_and_the_point_stays_spent(table: Table) -> None:
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    oskara = add(table, OSKARA)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average"})
    tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    state = throw(table, proficiency=[("success",), ()], difficulty=[()])
    assert state.roll is not None
    assert state.roll.short == (("difficulty", 1),)
    state = tell(table, TakeRoll, roll_id=state.roll.id)
    assert state.roll is not None
    assert (state.roll.succeeded, state.roll.short, state.destiny) == (True, (), Destiny(light=1, dark=2))
    state = tell(table, Undo)
    assert state.roll is not None
    assert state.roll.short == (("difficulty", 1),)


def test_what_a_finished_roll_was_for_can_be_changed(table: Table) -> None:
    oskara, troopers = add(table, OSKARA), add(table, TROOPERS)
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=troopers.id)
    state = throw(table, **HIT)
    assert state.roll is not None
    state = tell(table, ChangeRoll, roll_id=state.roll.id, ask={"soak": 2})
    assert state.roll is not None
    assert [effect.change for effect in state.roll.effects] == [10]


def test_a_dodge_is_what_the_shot_has_to_beat(table: Table) -> None:
    vex = add(table, VEX)
    trooper = add(table, {"name": "Trooper", "kind": "person", "game": "d6-companion",
                          "skills": [{"name": "Dodge", "ask": {"code": "3D"}}]})  # fmt: skip
    tell(table, CallRoll, who=trooper.id, skill="Dodge")
    dodge = throw(table, pip=[("6",), ("5",), ("4",)]).roll
    assert dodge is not None
    state = tell(table, CallRoll, who=vex.id, weapon="Pistol", against=LastTotal(last_total=dodge.id))
    assert state.asked.against == trooper.id
    shot = throw(table, pip=[("6",), ("5",), ("4",), ("1",)]).roll
    assert shot is not None
    assert (shot.difficulty, shot.succeeded) == (15, True)


def test_a_total_of_another_game_or_of_a_roll_that_goes_on_is_no_difficulty(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    other = throw(table, ability=[("success",)]).roll
    tell(table, ChooseGame, game="d6-wild")
    tell(table, CallRoll, ask={"code": "2D"})
    goes_on = throw(table, pip=[("3",)], wild=[("6",)]).roll  # a six on the Wild Die is thrown again
    assert other is not None
    assert goes_on is not None
    for roll, fault in ((other, "that roll is of another game"), (goes_on, "that roll is not whole yet")):
        with pytest.raises(Conflict, match=fault):
            tell(table, CallRoll, ask={"code": "4D"}, against=LastTotal(last_total=roll.id))
    whole = tell(table, EnterThrow, roll_id=goes_on.id, dice=dice(wild=[("2",)]))
    state = tell(table, CallRoll, ask={"code": "4D"}, against=LastTotal(last_total=whole.rolls[0].id))
    assert state.asked.answers["reaction_total"] == 11


@pytest.mark.parametrize(
    ("skill", "ask", "weapon", "difficulty"),
    [({"name": "Ausweichen", "ask": {"code": "3D", "reaction_skill": "dodge"}}, {}, "Pistol", 15),
     ({"name": "Ausweichen", "ask": {"code": "3D", "reaction_skill": "dodge"}}, {}, "Knife", 10),
     ({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Knife", 10),  # dodging stops no melee weapon
     ({"name": "Melee parry", "ask": {"code": "3D"}}, {}, "Knife", 15),
     ({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Sword", 10),  # which its skill tells
     ({"name": "Melee parry", "ask": {"code": "3D"}}, {}, "Sword", 15),
     ({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Thrown", 15),  # and the weapon, where it says more
     ({"name": "Dodge", "ask": {"code": "3D"}}, {"full_reaction": True}, "Pistol", 25)],
)  # fmt: skip
def test_what_somebody_reacts_with_and_how_fully_joins_the_attack(
    table: Table, skill: dict[str, Any], ask: dict[str, Any], weapon: str, difficulty: int
) -> None:
    # "reaction": base 10, reaction 15; the higher of both counts, a full reaction adds up.
    knife = {"name": "Knife", "skill": "Blaster", "ask": {"difficulty": 10, "attack": "melee_weapon"}}
    sword = {"name": "Sword", "skill": "melee combat", "ask": {"difficulty": 10}}
    thrown = {"name": "Thrown", "skill": "melee combat", "ask": {"difficulty": 10, "attack": "ranged_weapon"}}
    skills = [*VEX["skills"], {"name": "melee combat", "ask": {"code": "4D"}}]
    vex = add(table, {**VEX, "skills": skills, "weapons": [*VEX["weapons"], knife, sword, thrown]})
    trooper = add(table, {"name": "Trooper", "kind": "person", "game": "d6-companion", "skills": [skill]})
    tell(table, CallRoll, who=trooper.id, skill=skill["name"], ask=ask)
    reaction = throw(table, pip=[("6",), ("5",), ("4",)]).roll
    assert reaction is not None
    assert reaction.succeeded is None
    tell(table, CallRoll, who=vex.id, weapon=weapon, against=LastTotal(last_total=reaction.id))
    shot = throw(table, pip=[("6",), ("5",), ("4",), ("1",)]).roll
    assert shot is not None
    assert shot.difficulty == difficulty


def test_a_total_is_looked_up_in_the_groups_own_table(table: Table) -> None:
    rows = (Row(least=1, most=5, words="Minor nick"), Row(least=6, most=40, words="Winded"))
    with pytest.raises(BadChange, match="two rows hold"):
        tell(table, ChangeTable, name="Injuries", rows=(*rows, Row(least=40, most=50, words="Stunned")))
    tell(table, ChangeTable, name="Injuries", rows=rows)
    tell(table, CallRoll, ask={"purpose": "percentile", "added": 10}, table="injuries", label="Critical")
    roll = throw(table, d100=[("20",)], d10=[("7",)]).roll
    assert roll is not None
    assert (roll.headline, roll.row) == ("37", "Winded")


@pytest.mark.parametrize(
    ("game", "dice", "faces", "total"),
    [("narrative", "d100", {"d100": [("20",)], "d10": [("7",)]}, "30"), ("heroic", "W10", {"d10": [("7",)]}, "10"),
     ("d6-wild", "1D", {"pip": [("4",)]}, "7"), ("narrative", "2D", {"pip": [("4",), ("6",)]}, "13")],
)  # fmt: skip
def test_a_call_of_a_table_throws_its_own_dice_in_every_game(
    table: Table, game: str, dice: str, faces: dict[str, list[Face]], total: str
) -> None:
    tell(table, ChooseGame, game=game)
    tell(table, ChangeTable, name="Encounters", dice=dice, rows=(Row(least=1, most=100, words="Patrol"),))
    asked = tell(table, CallRoll, table="encounters", added=3, player="Mara").asked
    assert asked.tray is not None
    assert (asked.label, asked.player, dict(asked.tray.dice)) == (
        "Encounters", "Mara", {kind: len(shown) for kind, shown in faces.items()})  # fmt: skip
    roll = throw(table, **faces).roll
    assert roll is not None
    assert (roll.headline, roll.row, roll.label) == (total, "Patrol", "Encounters")


def test_a_throw_for_a_table_is_not_hindered_by_wounds_and_says_what_it_cannot_do(table: Table) -> None:
    hurt = add(table, {**VEX, "trackers": {"wounds": {"value": 3}}})
    tell(table, ChangeTable, name="Scatter", dice="2D", rows=(Row(least=2, most=12, words="There"),))
    asked = tell(table, CallRoll, table="Scatter", who=hurt.id).asked
    assert asked.tray is not None
    assert (asked.player, asked.who, dict(asked.tray.dice)) == (hurt.name, hurt.id, {"pip": 2})
    with pytest.raises(BadChange, match="nothing is thrown for a table"):
        tell(table, CallRoll, who=hurt.id, added=3)
    tell(table, ChangeTable, name="Scatter", dice="d20", rows=(Row(least=2, most=12, words="There"),))
    with pytest.raises(Conflict, match="no game has d20"):
        tell(table, CallRoll, table="Scatter")


def test_a_table_gets_another_name_in_one_change(table: Table) -> None:
    rows = (Row(least=1, most=5, words="Nick"),)
    tell(table, ChangeTable, name="Injuries", rows=rows)
    tell(table, ChangeTable, name="Scatter", rows=rows)
    with pytest.raises(Conflict, match="there is a table of that name"):
        tell(table, ChangeTable, name="scatter", was="Injuries", rows=rows)
    state = tell(table, ChangeTable, name="Wounds", was="injuries", rows=rows)
    assert [one.name for one in state.tables] == ["Scatter", "Wounds"]
    assert [one.name for one in tell(table, Undo).tables] == ["Injuries", "Scatter"]


def test_copies_get_numbers_and_nothing_wrong_is_let_in(table: Table) -> None:
    trooper = add(table, TROOPERS)
    state = tell(table, ChangePerson, do=DoPerson.COPY, person={"id": trooper.id}, count=2)
    assert [person.name for person in state.people] == ["Trooper", "Trooper 2", "Trooper 3"]
    assert len({person.id for person in state.people}) == 3
    with pytest.raises(BadChange):
        tell(table, ChangePerson, do=DoPerson.ADD, person={**TROOPERS, "name": " "})
    for wrong in ({**TROOPERS, "defences": {"soack": 1}}, {**TROOPERS, "trackers": {"mana": {"value": 1}}},
                  {**TROOPERS, "game": "chess"}):  # fmt: skip
        with pytest.raises((BadChange, GameError)):
            tell(table, ChangePerson, do=DoPerson.ADD, person=wrong)
    assert len(table.state.people) == 3


def test_a_history_with_people_spends_and_effects_is_read_back_whole(table: Table) -> None:
    oskara, troopers = add(table, OSKARA), add(table, TROOPERS)
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=troopers.id)
    state = throw(table, **HIT)
    assert state.roll is not None
    tell(table, BuySpend, roll_id=state.roll.id, name="boost_next_ally")
    tell(table, ApplyEffect, roll_id=state.roll.id, effect=0, to=troopers.id)
    tell(table, ChangeTable, name="Injuries", rows=(Row(least=1, most=5, words="Nick"),))
    from tableside.table.kept import change_from_text, change_to_text

    saved = list(table.saved_since(0, limit=1000))
    assert [change_from_text(change_to_text(change)) for change in saved] == saved
    again = Table(SYSTEM, MemoryStore(saved))
    again.close()
    for one in ("people", "tables", "rolls"):
        assert getattr(again.state, one) == getattr(table.state, one)


def test_an_undo_is_never_stuck_where_an_earlier_change_was_taken_back_by_its_number(table: Table) -> None:
    oskara, troopers = add(table, OSKARA), add(table, TROOPERS)
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=troopers.id)
    first = throw(table, **HIT).roll
    assert first is not None
    hurt = tell(table, ApplyEffect, roll_id=first.id, effect=0, to=troopers.id).person(troopers.id)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", label="The door")
    state = throw(table, ability=[("success",)], proficiency=[()])
    brought = state.brought_by(first.id)
    assert brought is not None
    assert hurt is not None
    state = tell(table, Undo, change=brought)
    assert (state.person(troopers.id), len(state.rolls)) == (troopers, 1)
    assert "With it went: 7 wounds" in str(state.changes[-1].sentence)
    told = [tell(table, Undo).changes[-1].sentence for _ in range(3)]
    assert [words.removeprefix("Undone: ").split(":")[0] for words in told] == ["Entered by hand", "Oskara", "Oskara"]
    tell(table, Redo)
    tell(table, Redo)
    tell(table, Redo)
    assert tell(table, Redo).person(troopers.id) == hurt
    for _ in range(5):
        tell(table, Undo)
    state = table.state
    assert (state.person(troopers.id), state.rolls, state.asked.id) == (troopers, (), "")


def test_any_order_of_undos_gives_back_the_beginning(table: Table) -> None:
    oskara, troopers = add(table, OSKARA), add(table, TROOPERS)
    start = table.state
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=troopers.id)
    state = throw(table, **HIT)
    assert state.roll is not None
    tell(table, BuySpend, roll_id=state.roll.id, name="boost_next_ally")
    tell(table, ApplyEffect, roll_id=state.roll.id, effect=0, to=troopers.id)
    for _ in itertools.repeat(None, 4):
        tell(table, Undo)
    assert (table.state.people, carried(table.state), table.state.rolls) == (start.people, (), ())


def test_the_change_that_brought_a_roll_takes_it_back_whatever_came_after(table: Table) -> None:
    oskara = add(table, OSKARA)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "average"})
    state = throw(table, proficiency=[("success",)], ability=[()], difficulty=[()])
    assert state.roll is not None
    roll_id = state.roll.id
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    brought = table.state.brought_by(roll_id)
    state = tell(table, Undo, change=brought)
    assert (state.rolls, state.asked.label, state.destiny) == ((), "Mechanics", Destiny(light=2, dark=1))


def test_what_is_for_a_target_that_nobody_named_lies_in_no_call(table: Table) -> None:
    oskara = add(table, OSKARA)
    tell(table, CallRoll, who=oskara.id, skill="Mechanics", ask={"difficulty": "easy"})
    state = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()])
    assert state.roll is not None
    state = tell(table, BuySpend, roll_id=state.roll.id, name="setback_target_next")
    assert carried(state) == ()
    assert state.roll is not None
    assert [one.name for one in state.roll.bought] == ["setback_target_next"]


THUG = {
    "name": "Thug", "kind": "person", "game": "d6-wild", "trackers": {"wounds": {"value": 1}, "stuns": {"value": 2},
    "stunned_rounds": {"value": 2}},
}  # fmt: skip


def test_an_act_without_dice_moves_trackers_and_is_taken_back_in_one(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    thug, guard = add(table, THUG), add(table, {**THUG, "name": "Guard"})
    state = tell(table, DoAct, act="minute_of_rest", who=thug.id)
    assert (now(table, thug).value("stuns"), now(table, guard).value("stuns")) == (0, 2)
    assert state.changes[-1].sentence == "Thug: A minute's rest"
    tell(table, Undo)
    assert now(table, thug).value("stuns") == 2
    with pytest.raises(Conflict, match="nobody does this"):
        tell(table, DoAct, act="minute_of_rest")
    with pytest.raises(GameError, match=r"no act 'rset'"):
        tell(table, DoAct, act="rset", who=thug.id)
    with pytest.raises(BadAsk, match="cannot be asked for 'hours'"):
        tell(table, DoAct, act="minute_of_rest", who=thug.id, ask={"hours": 8})


def test_what_passes_for_all_touches_everybody_of_the_game(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    thug, oskara = add(table, THUG), add(table, OSKARA)
    tell(table, DoAct, act="round")
    assert (now(table, thug).value("stunned_rounds"), now(table, thug).value("wounds")) == (1, 1)
    state = tell(table, DoAct, act="round")
    assert (now(table, thug).value("stunned_rounds"), now(table, thug).value("wounds")) == (0, 0)
    assert state.changes[-1].sentence == "A round passes. Thug: No longer stunned."
    assert now(table, oskara) == oskara


def test_a_round_of_a_fight_passes_by_itself_with_its_last_turn(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    thug = add(table, THUG)
    tell(table, ChangeInitiative, do=Turn.ADD, side="npc", rank=(3,), who="Thug")
    state = tell(table, ChangeInitiative, do=Turn.NEXT)
    assert (state.initiative.round, now(table, thug).value("stunned_rounds")) == (2, 1)
    state = tell(table, ChangeInitiative, do=Turn.NEXT)
    assert (now(table, thug).value("wounds"), state.changes[-1].sentence) == (
        0,
        "Round 3: Thug. Thug: No longer stunned.",
    )
    tell(table, Undo)
    assert (table.state.initiative.round, now(table, thug).value("wounds")) == (2, 1)


def test_dark_points_upgrade_the_game_masters_own_rolls_and_light_ones_hinder_them(table: Table) -> None:
    tell(table, ChangeDestiny, do=Do.SET, light=1, dark=2)
    thug = add(table, {**OSKARA, "name": "Thug", "kind": "person"})
    tell(table, CallRoll, who=thug.id, skill="Mechanics", ask={"difficulty": "average"})
    state = tell(table, ChangeDestiny, do=Do.SPEND, side=Side.DARK)
    assert dict(call_of(state).dice) == {"proficiency": 2, "difficulty": 2}  # 1 A 1 P becomes 2 P (M21)
    assert state.destiny == Destiny(light=2, dark=1)
    state = tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    assert dict(call_of(state).dice) == {"proficiency": 2, "challenge": 1, "difficulty": 1}
    assert state.destiny == Destiny(light=1, dark=2)
    tell(table, Undo)
    state = tell(table, Undo)
    assert (state.destiny, dict(call_of(state).dice)) == (
        Destiny(light=1, dark=2), {"ability": 1, "proficiency": 1, "difficulty": 2})  # fmt: skip
    state = tell(table, CallRoll, who=thug.id, skill="Mechanics", ask={"difficulty": "impossible"})
    assert state.destiny == Destiny(light=2, dark=1)  # the game master spends dark points only (M20)


FORCE = {"force": [("light", "light"), ("dark",)]}


def test_force_dice_are_a_pool_where_a_session_begins_and_not_in_the_middle_of_it(table: Table) -> None:
    def offered(state: TableState) -> Points | None:
        assert state.roll is not None
        return state.roll.sets_pool

    pool = Points(light=2, dark=1)
    assert offered(throw(table, **FORCE)) == pool
    state = throw(table, **FORCE)
    assert offered(state) == pool  # the pool is thrown again
    throw(table, ability=[("success",)])
    state = throw(table, **FORCE)
    assert (offered(state), state.roll.headline if state.roll else "") == (None, "2 light, 1 dark")
    assert state.roll is not None
    with pytest.raises(BadChange, match="no sure throw for the pool"):
        tell(table, ChangeDestiny, do=Do.SET, from_roll=state.roll.id)
    shown = dice(force=[("light",)])[0]
    state = tell(table, CorrectDie, roll_id=state.roll.id, index=0, type=shown.type, face=shown.face)
    assert offered(state) is None
    tell(table, CallRoll, ask={"purpose": "destiny", "players": 2}, label="Destiny")
    assert offered(throw(table, **FORCE)) == pool  # it was called
    tell(table, StartSession)
    assert offered(throw(table, **FORCE)) == pool


def test_what_a_corrected_roll_pays_no_more_stays_unpaid_when_an_older_step_is_undone(table: Table) -> None:
    oskara, trooper = add(table, OSKARA), add(table, TROOPERS)  # strain 3 of 11
    tell(table, CallRoll, who=oskara.id, weapon="Carbine", against=trooper.id)
    roll = throw(table, **HIT).rolls[0]
    tell(table, BuySpend, roll_id=roll.id, name="recover_strain")
    state = tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=trooper.id)
    applied = state.last_number
    assert (now(table, oskara).value("strain"), now(table, trooper).value("wounds")) == (2, 7)
    index = next(n for n, one in enumerate(state.rolls[0].dice) if one.face == ("advantage", "advantage"))
    tell(table, CorrectDie, roll_id=roll.id, index=index, type="proficiency", face=())
    assert (now(table, oskara).value("strain"), now(table, trooper).value("wounds")) == (3, 7)
    tell(table, Undo, change=applied)
    assert (now(table, oskara).value("strain"), now(table, trooper).value("wounds")) == (3, 0)
    tell(table, Redo)
    assert (now(table, oskara).value("strain"), now(table, trooper).value("wounds")) == (3, 7)


def test_presses_of_two_phones_at_once_count_two_and_are_undone_one_by_one(table: Table) -> None:
    oskara = add(table, OSKARA)  # strain 3 of 11
    for _ in range(2):  # both phones saw 3
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "trackers": {"strain": {"change": 1}}})
    assert (now(table, oskara).value("strain"), now(table, oskara).most("strain")) == (5, 11)
    assert str(table.state.changes[-1].sentence) == "Oskara: Strain 4 to 5"
    first = table.state.changes[-2].number
    tell(table, Undo, change=first)
    assert now(table, oskara).value("strain") == 4
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "trackers": {"strain": {"change": -9}}})
    assert now(table, oskara).value("strain") == 0  # its least
    tell(
        table,
        ChangePerson,
        do=DoPerson.CHANGE,
        person={"id": oskara.id, "trackers": {"strain": {"value": 7, "most": 9}}},
    )
    assert (now(table, oskara).value("strain"), now(table, oskara).most("strain")) == (7, 9)
    wrong = {"change": 1, "value": 2}
    with pytest.raises(BadChange, match="the change of strain is none"):
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "trackers": {"strain": wrong}})
    with pytest.raises(GameError, match="no tracker 'mana'"):
        tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": oskara.id, "trackers": {"mana": {"change": 1}}})


def test_what_is_of_a_fight_is_offered_while_turns_are_in_order(table: Table) -> None:
    def offered() -> set[str]:
        roll = throw(table, ability=[("advantage", "advantage"), ("success",)]).roll
        assert roll is not None
        return {one.name for one in spends_of(table.state, roll, table.system)}

    tell(table, ChooseGame, game="narrative")
    calm = offered()
    assert "boost_any_ally_next" in calm
    assert "free_maneuver" not in calm
    tell(table, ChangeInitiative, do=Turn.ADD, rank=(1, 0))
    assert offered() - calm == {"free_maneuver"}
    tell(table, CallRoll, game="narrative", ask={"dice": {"ability": 2}, "skill_used": "charm"})
    assert "free_maneuver" in offered()
    tell(table, ChangeInitiative, do=Turn.CLEAR)
    assert offered() == calm
    tell(table, Undo)  # the roll
    tell(table, Undo)  # the end of the fight
    assert "free_maneuver" in offered()


def test_free_maneuvers_are_bought_as_long_as_fewer_than_two_were_made(table: Table) -> None:
    oskara = add(table, OSKARA)
    tell(
        table,
        CallRoll,
        who=oskara.id,
        skill="Mechanics",
        ask={"difficulty": "easy", "maneuvers": 1, "advantage": 4, "in_fight": True},
    )
    state = throw(table, ability=[("success",)], proficiency=[()], difficulty=[()])
    assert state.roll is not None
    state = tell(table, BuySpend, roll_id=state.roll.id, name="free_maneuver")
    assert state.roll is not None
    assert state.roll.ask["maneuvers"] == 2
    with pytest.raises(BadChange, match="free_maneuver cannot be bought"):  # M29: fewer than two were made this turn
        tell(table, BuySpend, roll_id=state.roll.id, name="free_maneuver")
    state = tell(table, Undo)
    assert state.roll is not None
    tell(table, BuySpend, roll_id=state.roll.id, name="free_maneuver")


@pytest.mark.parametrize(("game", "wounds"), [("d6-companion", 3), ("d6-wild", 5)])
def test_the_rounds_of_the_dying_count_with_the_rounds_of_the_fight(table: Table, game: str, wounds: int) -> None:
    tell(table, ChooseGame, game=game)
    dying, well = (
        add(table, {"name": name, "kind": "person", "game": game, "trackers": {"wounds": {"value": value}}})
        for name, value in (("Moll", wounds), ("Kesh", 0))
    )
    tell(table, ChangeInitiative, do=Turn.ADD, rank=(3,))
    for rounds in (1, 2, 3):
        while table.state.initiative.round == rounds:  # a round may have several segments
            tell(table, ChangeInitiative, do=Turn.NEXT)
        assert (now(table, dying).value("mortal_rounds"), now(table, well).value("mortal_rounds")) == (rounds, 0)
    state = tell(table, CallRoll, who=dying.id, ask={"purpose": "dying"})
    assert state.asked.answers["rounds"] == 3  # 2D below it is death (mortal_check)
    tell(table, Undo)
    tell(table, Undo)
    assert now(table, dying).value("mortal_rounds") == 2


OBLIGATIONS = (Row(least=1, most=20, words="Oskara: debt. Strain 2 less, all others 1 less"),
               Row(least=21, most=35, words="Vex: bounty"))  # fmt: skip


@pytest.mark.parametrize(
    ("tens", "ones", "row"),
    [
        ("10", "3", "Oskara: debt. Strain 2 less, all others 1 less"),  # 13
        ("30", "5", "Vex: bounty"),
        ("20", "2", "Vex: bounty Doubles: it counts twice."),  # 22
        ("80", "8", ""),  # doubles, and nobody's
        ("30", "6", ""),  # 36, one above all obligations: nobody's comes up
        ("00", "0", ""),  # 100
    ],
)
def test_an_obligation_is_one_throw_and_the_rest_of_the_hundred_is_nobodys(
    table: Table, tens: str, ones: str, row: str
) -> None:
    tell(table, ChangeTable, name="Obligation", rows=OBLIGATIONS, is_opening=True)
    state = tell(table, StartSession)
    assert state_json(state, now=1.0)["tables"] == [{"name": "Obligation", "dice": "d100", "opens": True}]
    state = tell(table, CallRoll, table="Obligation")
    assert dict(call_of(state).dice) == {"d100": 1, "d10": 1}
    state = throw(table, d100=[(tens,)], d10=[(ones,)])
    assert state.roll is not None
    assert (state.roll.table, state.roll.row) == ("Obligation", row)


@pytest.mark.parametrize(
    ("dice_name", "rows", "added", "row"),
    [
        ("d100", (Row(least=1, most=99, words="Nick"), Row(least=100, most=110, words="Dead")), 60, "Dead"),  # 117
        ("d100", (Row(least=1, most=99, words="Nick"), Row(least=100, most=100, words="Dead")), -90, "Nick"),  # -33
        ("d100", (Row(least=20, most=110, words="Nick"),), -50, ""),  # 7: the rows begin later than the dice
    ],
)
def test_beyond_the_dice_the_row_at_that_end_counts(
    table: Table, dice_name: str, rows: tuple[Row, ...], added: int, row: str
) -> None:
    tell(table, ChangeTable, name="Injuries", dice=dice_name, rows=rows)
    tell(table, CallRoll, table="Injuries", added=added)
    state = throw(table, d100=[("50",)], d10=[("7",)])
    assert state.roll is not None
    assert state.roll.row == row


def test_an_effect_on_the_roller_is_not_scored_against_the_rollers_own_defences(table: Table) -> None:
    ship = {"name": "Hawk", "kind": "thing", "game": "d6-companion", "defences": {"difficulty": 26},
            "skills": [{"name": "Piloting", "ask": {"code": "4D"}}]}  # fmt: skip
    hawk = add(table, ship)
    tell(table, CallRoll, who=hawk.id, skill="Piloting", ask={"purpose": "maneuver", "difficulty": 7})
    roll = throw(table, pip=[("6",), ("6",), ("5",), ("5",)]).roll
    assert roll is not None
    tell(table, ApplyEffect, roll_id=roll.id, effect=0, to=hawk.id)
    assert now(table, hawk).value("reserved") == 3


@pytest.mark.parametrize(
    ("game", "hurt", "value"), [("d6-companion", "stuns", 1), ("d6-companion", "wounds", 1), ("d6-wild", "wounds", 3)]
)
def test_what_hurts_a_shooter_takes_dice_of_the_skill_and_none_of_the_weapon(
    table: Table, game: str, hurt: str, value: int
) -> None:
    """Codes of people lose dice, a weapon's damage none (S003 ch. 3 Damage Summary, Stun Attacks; S001 Damage)."""
    vex = add(table, {**VEX, "game": game, "trackers": {}})
    strength = [{"name": "Strength", "ask": {"code": "2D"}}]
    foe = add(table, {"name": "Foe", "kind": "person", "game": game, "skills": strength})

    def fires() -> tuple[str, str, Fraction, Fraction]:
        shot = CallRoll(id=str(uuid.uuid4()), at=1.0, who=vex.id, weapon="Pistol", against=foe.id)
        attacks = table.ask(shot).asked.answers
        damage, resists = rolls_after(table.state, shot, SYSTEM)
        whole = find_game(game).attack(attacks, damage=damage, resists=resists)
        assert whole is not None
        hurts = tell(table, CallRoll, who=vex.id, weapon="Pistol", against=foe.id, is_damage=True).asked.answers
        pools = [find_game(game).odds(one).pool for one in (attacks, hurts)]
        return pools[0], pools[1], whole.hits, whole.hurts / whole.hits

    unhurt = fires()
    assert unhurt[:2] == ("4D", "5D")
    tell(table, ChangePerson, do=DoPerson.CHANGE, person={"id": vex.id, "trackers": {hurt: {"value": value}}})
    for _ in range(2):
        skill, weapon, hits, hurts_of_hits = fires()
        assert (skill, weapon) == ("2D" if game == "d6-wild" else "3D", "5D")
        assert hits < unhurt[2]
        assert hurts_of_hits == unhurt[3]
    for _ in range(5):  # four calls, and what hurts
        tell(table, Undo)
    assert fires() == unhurt


@pytest.mark.parametrize(
    ("game", "after_dodge", "after_both"),
    [("d6-companion", 10, 15), ("d6-wild", 14, 14)],  # the other summary has a dodge against all that has no parry
)
def test_the_skill_of_a_weapon_tells_which_reaction_of_the_round_meets_it(
    table: Table, game: str, after_dodge: int, after_both: int
) -> None:
    """Dodge does not stop melee weapons, parry does (S003 ch. 3, reactions)."""
    faces = {"pip": [("6",), ("5",), ("4",)]} if game == "d6-companion" else {"pip": [("6",), ("5",)], "wild": [("3",)]}
    skills = [{"name": "Melee", "ask": {"code": "4D"}}]
    vex = add(table, {**VEX, "game": game, "skills": skills, "trackers": {}, "weapons": [
        {"name": "Sword", "skill": "Melee", "ask": {"difficulty": 10}}]})  # fmt: skip
    both = [{"name": name, "ask": {"code": "3D"}} for name in ("Dodge", "Melee parry")]
    foe = add(table, {"name": "Foe", "kind": "person", "game": game, "skills": both})

    def difficulty() -> int:
        call = tell(table, CallRoll, who=vex.id, weapon="Sword", against=foe.id).asked
        return find_game(game).odds(call.answers).difficulty or 0

    tell(table, CallRoll, who=foe.id, skill="Dodge")
    throw(table, **faces)
    assert [difficulty(), difficulty()] == [after_dodge, after_dodge]
    tell(table, CallRoll, who=foe.id, skill="Melee parry")
    throw(table, **faces)
    assert difficulty() == after_both
    for _ in range(2):  # the call, and the parry
        tell(table, Undo)
    assert difficulty() == after_dodge
