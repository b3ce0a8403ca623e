"""A turn at the table: the call, the point that joins it, what the roll buys and does; every act undone again."""

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
from tableside.rules.people import PersonKind
from tableside.table import MemoryStore, TableState
from tableside.table.acts.calls import rolls_after
from tableside.table.kept import Destiny, Side
from tableside.table.messages import (
    BuySpend,
    CallRoll,
    ChangeDestiny,
    ChangePerson,
    ChangeRoll,
    ChangeTable,
    CorrectDie,
    Do,
    DoPerson,
    EnterRoll,
    EnterThrow,
    LaidDice,
    Price,
    Row,
    ShownDie,
    StartSession,
    TakeRoll,
    Turn,
)
from tableside.table.shown import MOST_ODDS_DICE, Offer, call_of, spends_of, state_json
from tests.conftest import SYSTEM, carried
from tests.table.played import Played

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


def dice(**faces: list[tuple[str, ...]]) -> tuple[ShownDie, ...]:
    return tuple(ShownDie(type=kind, face=face) for kind, shown in faces.items() for face in shown)


def throw(table: Played, **faces: list[tuple[str, ...]]) -> TableState:
    return table.tell(EnterRoll, dice=dice(**faces), uses_ask=True)


HIT = {"ability": [("success",)], "proficiency": [("success", "success"), ("advantage", "advantage")],
       "difficulty": [("threat",), ()]}  # fmt: skip


def test_who_shows_a_call_works_out_its_odds_and_the_writer_never_does(
    table: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, threads = find_game("narrative"), list[str]()
    exact = type(game).odds

    def odds(self: Game, ask: Mapping[str, Any]) -> Prospect:
        threads.append(threading.current_thread().name)
        return exact(self, ask)

    monkeypatch.setattr(type(game), "odds", odds)
    oskara = table.add(**OSKARA)
    state = table.call(oskara, "Mechanics", ask={"difficulty": "hard", "boost": 3})
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    table.spend()
    throw(table, proficiency=[("success",)])
    assert threads == []
    for _ in range(2):  # they are remembered
        assert state_json(state, now=1.0, sees_hidden=True)["call"]["odds"]["success"] > 0
    assert threads == 3 * [threading.current_thread().name]  # the call, and either point that may join it


def test_a_call_is_filled_from_the_person_and_shows_dice_and_odds(table: Played) -> None:
    oskara = table.add(**OSKARA)
    state = table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    assert (call_of(state).who, call_of(state).label) == (oskara.id, "Mechanics")
    assert dict(call_of(state).dice) == {"ability": 1, "proficiency": 1, "difficulty": 2}
    assert call_of(state).odds["success"] == pytest.approx(0.5020, abs=5e-5)  # the rulebook's table: 1 A 1 P, 2 D
    assert [flip.side for flip in call_of(state).flips] == ["light", "dark"]
    odds = [state_json(state, now=1.0, sees_hidden=sees)["call"]["odds"].get("success", 0) for sees in (False, True)]
    assert odds == [0, call_of(state).odds["success"]]
    state = table.call(oskara, "Mechanics", ask={"difficulty": "average", "boost": 1})
    assert state.asked.given == {"difficulty": "average", "boost": 1}  # apart from what the person brought
    assert table.call(oskara, "Mechanics", ask=dict(state.asked.given)).asked.answers == state.asked.answers


def test_a_call_of_too_many_dice_shows_no_odds_so_that_the_table_never_waits_for_them(table: Played) -> None:
    for count, is_known in ((MOST_ODDS_DICE, True), (MOST_ODDS_DICE + 1, False)):
        state = table.call(ask={"dice": {"boost": count}}, label="Many")
        assert bool(call_of(state).odds) is is_known


def test_laid_dice_are_counted_against_the_call_and_make_no_roll(table: Played) -> None:
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    state = table.ask(LaidDice(at=1.0, dice={"ability": 1, "difficulty": 1, "boost": 1}))
    assert dict(call_of(state).missing) == {"proficiency": 1, "difficulty": 1}
    assert dict(call_of(state).extra) == {"boost": 1}
    assert state.rolls == ()
    assert throw(table, ability=[()], proficiency=[()], difficulty=[(), ()]).laid == {}


def test_a_point_joins_the_open_call_in_one_act_and_is_taken_back_in_one(table: Played) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    oskara = table.add(**OSKARA)
    called = table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    state = table.spend()
    assert state.destiny == Destiny(light=1, dark=2)
    assert dict(call_of(state).dice) == {"proficiency": 2, "difficulty": 2}
    with pytest.raises(BadAsk):
        table.spend()
    state = table.spend(Side.DARK)
    assert state.destiny == Destiny(light=2, dark=1)
    assert dict(call_of(state).dice) == {"proficiency": 2, "challenge": 1, "difficulty": 1}
    table.undo()
    state = table.undo()
    assert (state.destiny, state.asked.answers) == (Destiny(light=2, dark=1), called.asked.answers)


def test_a_force_point_is_the_characters_own_and_comes_back_with_the_call(table: Played) -> None:
    vex = table.add(**VEX)
    table.call(vex, "Blaster", ask={"difficulty": 12})
    state = table.spend()
    assert dict(call_of(state).dice) == {"pip": 8}
    assert table.now(vex).value("force_points") == 0
    table.call()  # nobody rolls for it
    assert table.now(vex).value("force_points") == 1
    table.call(vex, "Blaster", ask={"force_point": True})
    poor = table.add(**{**VEX, "trackers": {"force_points": {"value": 0}}})
    with pytest.raises(Conflict, match="Vex has 0"):
        table.call(poor, "Blaster", ask={"force_point": True})


def test_a_hit_is_applied_once_and_the_group_falls_one_by_one(table: Played) -> None:
    oskara, troopers = table.add(**OSKARA), table.add(**TROOPERS)
    table.call(oskara, weapon="Carbine", against=troopers)
    state = throw(table, **HIT)
    roll = state.roll
    assert [(effect.tracker, effect.change) for effect in roll.effects] == [("wounds", 7)]  # 9 and 3, less 5
    state = table.apply(troopers, roll)
    assert table.now(troopers).value("wounds") == 7
    assert [str(follow.words) for follow in state.roll.applied[0].follows] == ["1 of them falls"]
    revision = state.revision
    assert table.apply(troopers, roll).revision == revision
    table.undo()
    assert table.now(troopers).value("wounds") == 0


def test_somebody_else_resists_in_their_own_way_and_one_who_left_is_not_hurt(table: Played) -> None:
    oskara, troopers = table.add(**OSKARA), table.add(**TROOPERS)
    table.call(oskara, weapon="Carbine", against=troopers)
    state = throw(table, **HIT)
    heavy = table.add(**{**TROOPERS, "name": "Heavy", "kind": "person", "defences": {"soak": 8}})
    table.apply(heavy, state.roll)
    assert table.now(heavy).value("wounds") == 4  # 12 less 8
    table.tell(ChangePerson, do=DoPerson.REMOVE, person={"id": troopers.id})
    with pytest.raises(Conflict, match="nobody of that id"):
        table.apply(troopers, state.roll)


def test_what_a_roll_buys_is_recorded_carried_and_no_longer_affordable(table: Played) -> None:
    oskara = table.add(**OSKARA)
    mara = table.add(**{**OSKARA, "name": "Mara"})
    table.call(oskara, "Mechanics", ask={"difficulty": "easy"})
    state = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()])
    roll_id = state.roll.id

    def offered(name: str) -> Offer:
        roll = table.find_roll(roll_id)
        return next(one for one in spends_of(table.state, roll, table.system) if one.name == name)

    assert offered("boost_any_ally_next").affordable
    price = Price(of="advantage", count=2)
    table.tell(BuySpend, roll_id=roll_id, name="boost_any_ally_next", price=price, for_person=mara)
    assert (offered("boost_any_ally_next").bought, offered("recover_strain").affordable) == (1, False)
    with pytest.raises(Conflict, match="cannot pay"):
        table.tell(BuySpend, roll_id=roll_id, name="recover_strain")
    state = table.call(mara, "Mechanics", ask={"difficulty": "easy"})
    assert call_of(state).dice["boost"] == 1
    state = throw(table, boost=[()], ability=[()], proficiency=[()], difficulty=[()])
    assert carried(state) == ()  # used up
    state = table.call(mara, "Mechanics", ask={"difficulty": "easy"})
    assert "boost" not in call_of(state).dice
    table.undo()
    assert len(carried(table.undo())) == 1  # the roll that used it is gone


def test_what_is_bought_once_at_most_stays_among_the_purchases(table: Played) -> None:
    table.choose("heroic", settings={})
    table.turn(Turn.ADD, rank=(1, 2, 0))
    roll = throw(table, ability=[("advantage",), ("advantage",)]).roll
    roll = table.buy(roll, "second_maneuver").roll
    found = {one.name: one for one in spends_of(table.state, roll, table.system)}
    maneuver = found["second_maneuver"]
    assert (maneuver.title, maneuver.price) == ("A second maneuver", "1 advantage")
    assert (maneuver.bought, maneuver.affordable) == (1, False)
    assert found["opportunity"].affordable


def test_what_is_carried_waits_for_a_check_while_somebody_throws_for_an_injury(table: Played) -> None:
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "easy"})
    roll = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()]).roll
    table.buy(roll, "boost_any_ally_next", for_person=oskara)
    table.call(oskara, ask={"purpose": "critical"})
    assert len(carried(throw(table, d100=[("20",)], d10=[("7",)]))) == 1
    state = table.call(oskara, "Mechanics")
    assert call_of(state).dice["boost"] == 1


def test_recovered_strain_moves_the_rollers_own_tracker_and_back(table: Played) -> None:
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "easy"})
    state = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()])
    for strain in (0, 3):  # what would change nothing is not offered
        had = {"id": oskara.id, "trackers": {"strain": {"value": strain}}}
        table.tell(ChangePerson, do=DoPerson.CHANGE, person=had)
        offers = spends_of(table.state, state.roll, table.system)
        assert next(one.affordable for one in offers if one.name == "recover_strain") is bool(strain)
    group = replace(table.now(oskara), kind=PersonKind.GROUP, trackers={})  # nor to who has no strain at all
    offers = spends_of(table.state.with_person(group), state.roll, table.system)
    assert not next(one.affordable for one in offers if one.name == "recover_strain")
    table.buy(state.roll, "recover_strain")
    table.buy(state.roll, "recover_strain")
    assert table.now(oskara).value("strain") == 1
    table.change(oskara, trackers={"strain": {"value": 6}})
    spend = next(change for change in reversed(table.state.changes) if change.kind == "spend")
    table.undo(change=spend.number)
    assert table.now(oskara).value("strain") == 6  # who sets a value means that value


def test_a_wrong_pool_is_taken_as_it_lies_and_the_point_stays_spent(table: Played) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    table.spend()
    state = throw(table, proficiency=[("success",), ()], difficulty=[()])
    assert state.roll.short == (("difficulty", 1),)
    state = table.tell(TakeRoll, roll_id=state.roll)
    assert (state.roll.succeeded, state.roll.short, state.destiny) == (True, (), Destiny(light=1, dark=2))
    state = table.undo()
    assert state.roll.short == (("difficulty", 1),)


def test_what_a_finished_roll_was_for_can_be_changed(table: Played) -> None:
    oskara, troopers = table.add(**OSKARA), table.add(**TROOPERS)
    table.call(oskara, weapon="Carbine", against=troopers)
    state = throw(table, **HIT)
    state = table.tell(ChangeRoll, roll_id=state.roll, ask={"soak": 2})
    assert [effect.change for effect in state.roll.effects] == [10]


def test_a_total_of_another_game_or_of_a_roll_that_goes_on_is_no_difficulty(table: Played) -> None:
    table.choose("narrative")
    other = throw(table, ability=[("success",)]).roll
    table.choose("d6-wild")
    table.call(ask={"code": "2D"})
    goes_on = throw(table, pip=[("3",)], wild=[("6",)]).roll  # a six on the Wild Die is thrown again
    for roll, fault in ((other, "that roll is of another game"), (goes_on, "that roll is not whole yet")):
        with pytest.raises(Conflict, match=fault):
            table.call(ask={"code": "4D"}, against=roll)
    whole = table.tell(EnterThrow, roll_id=goes_on, dice=dice(wild=[("2",)]))
    state = table.call(ask={"code": "4D"}, against=whole.rolls[0])
    assert state.asked.answers["reaction_total"] == 11


@pytest.mark.parametrize(
    ("skill", "ask", "weapon", "difficulty"),
    [({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Pistol", 15),
     ({"name": "Ausweichen", "ask": {"code": "3D", "reaction_skill": "dodge"}}, {}, "Pistol", 15),
     ({"name": "Ausweichen", "ask": {"code": "3D", "reaction_skill": "dodge"}}, {}, "Knife", 10),
     ({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Knife", 10),  # dodging stops no melee weapon
     ({"name": "Melee parry", "ask": {"code": "3D"}}, {}, "Knife", 15),
     ({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Sword", 10),  # which its skill tells
     ({"name": "Melee parry", "ask": {"code": "3D"}}, {}, "Sword", 15),
     ({"name": "Dodge", "ask": {"code": "3D"}}, {}, "Thrown", 15),  # and the weapon, where it says more
     ({"name": "Dodge", "ask": {"code": "3D"}}, {"full_reaction": True}, "Pistol", 25)],
)  # fmt: skip
def test_what_somebody_reacts_with_and_how_fully_joins_the_attack(
    table: Played, skill: dict[str, Any], ask: dict[str, Any], weapon: str, difficulty: int
) -> None:
    # "reaction": base 10, reaction 15; the higher of both counts, a full reaction adds up.
    knife = {"name": "Knife", "skill": "Blaster", "ask": {"difficulty": 10, "attack": "melee_weapon"}}
    sword = {"name": "Sword", "skill": "melee combat", "ask": {"difficulty": 10}}
    thrown = {"name": "Thrown", "skill": "melee combat", "ask": {"difficulty": 10, "attack": "ranged_weapon"}}
    skills = [*VEX["skills"], {"name": "melee combat", "ask": {"code": "4D"}}]
    vex = table.add(**{**VEX, "skills": skills, "weapons": [*VEX["weapons"], knife, sword, thrown]})
    trooper = table.add(**{"name": "Trooper", "kind": "person", "game": "d6-companion", "skills": [skill]})
    table.call(trooper, skill["name"], ask=ask)
    reaction = throw(table, pip=[("6",), ("5",), ("4",)]).roll
    assert reaction.succeeded is None
    assert table.call(vex, weapon=weapon, against=reaction).asked.against == trooper.id
    shot = throw(table, pip=[("6",), ("5",), ("4",), ("1",)]).roll
    assert (shot.difficulty, shot.succeeded) == (difficulty, difficulty <= 16)


def test_a_total_is_looked_up_in_the_groups_own_table(table: Played) -> None:
    rows = (Row(least=1, most=5, words="Minor nick"), Row(least=6, most=40, words="Winded"))
    with pytest.raises(BadChange, match="two rows hold"):
        table.tell(ChangeTable, name="Injuries", rows=(*rows, Row(least=40, most=50, words="Stunned")))
    table.tell(ChangeTable, name="Injuries", rows=rows)
    table.call(ask={"purpose": "percentile", "added": 10}, table="injuries", label="Critical")
    roll = throw(table, d100=[("20",)], d10=[("7",)]).roll
    assert (roll.headline, roll.row) == ("37", "Winded")


@pytest.mark.parametrize(
    ("game", "dice", "faces", "total"),
    [("narrative", "d100", {"d100": [("20",)], "d10": [("7",)]}, "30"), ("heroic", "W10", {"d10": [("7",)]}, "10"),
     ("d6-wild", "1D", {"pip": [("4",)]}, "7"), ("narrative", "2D", {"pip": [("4",), ("6",)]}, "13")],
)  # fmt: skip
def test_a_call_of_a_table_throws_its_own_dice_in_every_game(
    table: Played, game: str, dice: str, faces: dict[str, list[Face]], total: str
) -> None:
    table.choose(game)
    table.tell(ChangeTable, name="Encounters", dice=dice, rows=(Row(least=1, most=100, words="Patrol"),))
    asked = table.call(table="encounters", added=3, player="Mara").asked
    assert (asked.label, asked.player, dict(asked.tray.dice)) == (
        "Encounters", "Mara", {kind: len(shown) for kind, shown in faces.items()})  # fmt: skip
    roll = throw(table, **faces).roll
    assert (roll.headline, roll.row, roll.label) == (total, "Patrol", "Encounters")


def test_a_throw_for_a_table_is_not_hindered_by_wounds_and_says_what_it_cannot_do(table: Played) -> None:
    hurt = table.add(**{**VEX, "trackers": {"wounds": {"value": 3}}})
    table.tell(ChangeTable, name="Scatter", dice="2D", rows=(Row(least=2, most=12, words="There"),))
    asked = table.call(hurt, table="Scatter").asked
    assert (asked.player, asked.who, dict(asked.tray.dice)) == (hurt.name, hurt.id, {"pip": 2})
    with pytest.raises(BadChange, match="nothing is thrown for a table"):
        table.call(hurt, added=3)
    table.tell(ChangeTable, name="Scatter", dice="d20", rows=(Row(least=2, most=12, words="There"),))
    with pytest.raises(Conflict, match="no game has d20"):
        table.call(table="Scatter")


def test_a_table_gets_another_name_in_one_change(table: Played) -> None:
    rows = (Row(least=1, most=5, words="Nick"),)
    table.tell(ChangeTable, name="Injuries", rows=rows)
    table.tell(ChangeTable, name="Scatter", rows=rows)
    with pytest.raises(Conflict, match="there is a table of that name"):
        table.tell(ChangeTable, name="scatter", was="Injuries", rows=rows)
    state = table.tell(ChangeTable, name="Wounds", was="injuries", rows=rows)
    assert [one.name for one in state.tables] == ["Scatter", "Wounds"]
    assert [one.name for one in table.undo().tables] == ["Injuries", "Scatter"]


def test_copies_get_numbers_and_nothing_wrong_is_let_in(table: Played) -> None:
    trooper = table.add(**TROOPERS)
    state = table.tell(ChangePerson, do=DoPerson.COPY, person={"id": trooper.id}, count=2)
    assert [person.name for person in state.people] == ["Trooper", "Trooper 2", "Trooper 3"]
    assert len({person.id for person in state.people}) == 3
    with pytest.raises(BadChange):
        table.tell(ChangePerson, do=DoPerson.ADD, person={**TROOPERS, "name": " "})
    for wrong in ({**TROOPERS, "defences": {"soack": 1}}, {**TROOPERS, "trackers": {"mana": {"value": 1}}},
                  {**TROOPERS, "game": "chess"}):  # fmt: skip
        with pytest.raises((BadChange, GameError)):
            table.tell(ChangePerson, do=DoPerson.ADD, person=wrong)
    assert len(table.state.people) == 3


def test_a_history_with_people_spends_and_effects_is_read_back_whole(table: Played) -> None:
    oskara, troopers = table.add(**OSKARA), table.add(**TROOPERS)
    table.call(oskara, weapon="Carbine", against=troopers)
    state = throw(table, **HIT)
    table.buy(state.roll, "boost_next_ally")
    table.apply(troopers, state.roll)
    table.tell(ChangeTable, name="Injuries", rows=(Row(least=1, most=5, words="Nick"),))
    from tableside.table.kept import change_from_text, change_to_text

    saved = list(table.saved_since(0, limit=1000))
    assert [change_from_text(change_to_text(change)) for change in saved] == saved
    again = Played(SYSTEM, MemoryStore(saved))
    again.close()
    for one in ("people", "tables", "rolls"):
        assert getattr(again.state, one) == getattr(table.state, one)


def test_an_undo_is_never_stuck_where_an_earlier_change_was_taken_back_by_its_number(table: Played) -> None:
    oskara, troopers = table.add(**OSKARA), table.add(**TROOPERS)
    table.call(oskara, weapon="Carbine", against=troopers)
    first = throw(table, **HIT).roll
    hurt = table.apply(troopers, first).person(troopers.id)
    table.call(oskara, "Mechanics", label="The door")
    state = throw(table, ability=[("success",)], proficiency=[()])
    brought = state.brought_by(first.id)
    assert brought is not None
    assert hurt is not None
    state = table.undo(change=brought)
    assert (state.person(troopers.id), len(state.rolls)) == (troopers, 1)
    assert "With it went: 7 wounds" in str(state.changes[-1].sentence)
    told = [table.undo().changes[-1].sentence for _ in range(3)]
    assert [words.removeprefix("Undone: ").split(":")[0] for words in told] == ["Entered by hand", "Oskara", "Oskara"]
    table.redo(3)
    assert table.redo().person(troopers.id) == hurt
    table.undo(5)
    state = table.state
    assert (state.person(troopers.id), state.rolls, state.asked.id) == (troopers, (), "")


def test_the_change_that_brought_a_roll_takes_it_back_whatever_came_after(table: Played) -> None:
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "average"})
    state = throw(table, proficiency=[("success",)], ability=[()], difficulty=[()])
    roll_id = state.roll.id
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=1)
    brought = table.state.brought_by(roll_id)
    state = table.undo(change=brought)
    assert (state.rolls, state.asked.label, state.destiny) == ((), "Mechanics", Destiny(light=2, dark=1))


def test_what_is_for_a_target_that_nobody_named_lies_in_no_call(table: Played) -> None:
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "easy"})
    state = throw(table, ability=[("success",)], proficiency=[("advantage", "advantage")], difficulty=[()])
    state = table.buy(state.roll, "setback_target_next")
    assert carried(state) == ()
    assert [one.name for one in state.roll.bought] == ["setback_target_next"]


THUG = {
    "name": "Thug", "kind": "person", "game": "d6-wild", "trackers": {"wounds": {"value": 1}, "stuns": {"value": 2},
    "stunned_rounds": {"value": 2}},
}  # fmt: skip


def test_an_act_without_dice_moves_trackers_and_is_taken_back_in_one(table: Played) -> None:
    table.choose("d6-wild")
    thug, guard = table.add(**THUG), table.add(**{**THUG, "name": "Guard"})
    state = table.act("minute_of_rest", thug)
    assert (table.now(thug).value("stuns"), table.now(guard).value("stuns")) == (0, 2)
    assert state.changes[-1].sentence == "Thug: A minute's rest"
    table.undo()
    assert table.now(thug).value("stuns") == 2
    with pytest.raises(Conflict, match="nobody does this"):
        table.act("minute_of_rest")
    with pytest.raises(GameError, match=r"no act 'rset'"):
        table.act("rset", thug)
    with pytest.raises(BadAsk, match="cannot be asked for 'hours'"):
        table.act("minute_of_rest", thug, ask={"hours": 8})


def test_what_passes_for_all_touches_everybody_of_the_game(table: Played) -> None:
    table.choose("d6-wild")
    thug, oskara = table.add(**THUG), table.add(**OSKARA)
    table.act("round")
    assert (table.now(thug).value("stunned_rounds"), table.now(thug).value("wounds")) == (1, 1)
    state = table.act("round")
    assert (table.now(thug).value("stunned_rounds"), table.now(thug).value("wounds")) == (0, 0)
    assert state.changes[-1].sentence == "A round passes. Thug: No longer stunned."
    assert table.now(oskara) == oskara


def test_a_round_of_a_fight_passes_by_itself_with_its_last_turn(table: Played) -> None:
    table.choose("d6-wild")
    thug = table.add(**THUG)
    table.turn(Turn.ADD, side="npc", rank=(3,), who="Thug")
    state = table.turn()
    assert (state.initiative.round, table.now(thug).value("stunned_rounds")) == (2, 1)
    state = table.turn()
    assert (table.now(thug).value("wounds"), state.changes[-1].sentence) == (
        0,
        "Round 3: Thug. Thug: No longer stunned.",
    )
    table.undo()
    assert (table.state.initiative.round, table.now(thug).value("wounds")) == (2, 1)


def test_dark_points_upgrade_the_game_masters_own_rolls_and_light_ones_hinder_them(table: Played) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=1, dark=2)
    thug = table.add(**{**OSKARA, "name": "Thug", "kind": "person"})
    table.call(thug, "Mechanics", ask={"difficulty": "average"})
    state = table.spend(Side.DARK)
    assert dict(call_of(state).dice) == {"proficiency": 2, "difficulty": 2}  # 1 A 1 P becomes 2 P (M21)
    assert state.destiny == Destiny(light=2, dark=1)
    state = table.spend()
    assert dict(call_of(state).dice) == {"proficiency": 2, "challenge": 1, "difficulty": 1}
    assert state.destiny == Destiny(light=1, dark=2)
    table.undo()
    state = table.undo()
    assert (state.destiny, dict(call_of(state).dice)) == (
        Destiny(light=1, dark=2), {"ability": 1, "proficiency": 1, "difficulty": 2})  # fmt: skip
    state = table.call(thug, "Mechanics", ask={"difficulty": "impossible"})
    assert state.destiny == Destiny(light=2, dark=1)  # the game master spends dark points only (M20)


FORCE = {"force": [("light", "light"), ("dark",)]}


def test_force_dice_are_a_pool_where_a_session_begins_and_not_in_the_middle_of_it(table: Played) -> None:
    def offered(state: TableState) -> Points | None:
        return state.roll.sets_pool

    pool = Points(light=2, dark=1)
    assert offered(throw(table, **FORCE)) == pool
    state = throw(table, **FORCE)
    assert offered(state) == pool  # the pool is thrown again
    throw(table, ability=[("success",)])
    state = throw(table, **FORCE)
    assert (offered(state), state.roll.headline if state.roll else "") == (None, "2 light, 1 dark")
    with pytest.raises(BadChange, match="no sure throw for the pool"):
        table.tell(ChangeDestiny, do=Do.SET, from_roll=state.roll.id)
    shown = dice(force=[("light",)])[0]
    state = table.tell(CorrectDie, roll_id=state.roll, index=0, type=shown.type, face=shown.face)
    assert offered(state) is None
    table.call(ask={"purpose": "destiny", "players": 2}, label="Destiny")
    assert offered(throw(table, **FORCE)) == pool  # it was called
    table.tell(StartSession)
    assert offered(throw(table, **FORCE)) == pool


def test_what_a_corrected_roll_pays_no_more_stays_unpaid_when_an_older_step_is_undone(table: Played) -> None:
    oskara, trooper = table.add(**OSKARA), table.add(**TROOPERS)  # strain 3 of 11
    table.call(oskara, weapon="Carbine", against=trooper)
    roll = throw(table, **HIT).rolls[0]
    table.buy(roll, "recover_strain")
    state = table.apply(trooper, roll)
    applied = state.last_number
    assert (table.now(oskara).value("strain"), table.now(trooper).value("wounds")) == (2, 7)
    index = next(n for n, one in enumerate(state.rolls[0].dice) if one.face == ("advantage", "advantage"))
    table.tell(CorrectDie, roll_id=roll, index=index, type="proficiency", face=())
    assert (table.now(oskara).value("strain"), table.now(trooper).value("wounds")) == (3, 7)
    table.undo(change=applied)
    assert (table.now(oskara).value("strain"), table.now(trooper).value("wounds")) == (3, 0)
    table.redo()
    assert (table.now(oskara).value("strain"), table.now(trooper).value("wounds")) == (3, 7)


def test_presses_of_two_phones_at_once_count_two_and_are_undone_one_by_one(table: Played) -> None:
    oskara = table.add(**OSKARA)  # strain 3 of 11
    for _ in range(2):  # both phones saw 3
        table.change(oskara, trackers={"strain": {"change": 1}})
    assert (table.now(oskara).value("strain"), table.now(oskara).most("strain")) == (5, 11)
    assert str(table.state.changes[-1].sentence) == "Oskara: Strain 4 to 5"
    first = table.state.changes[-2].number
    table.undo(change=first)
    assert table.now(oskara).value("strain") == 4
    table.change(oskara, trackers={"strain": {"change": -9}})
    assert table.now(oskara).value("strain") == 0  # its least
    table.change(oskara, trackers={"strain": {"value": 7, "most": 9}})
    assert (table.now(oskara).value("strain"), table.now(oskara).most("strain")) == (7, 9)
    wrong = {"change": 1, "value": 2}
    with pytest.raises(BadChange, match="the change of strain is none"):
        table.change(oskara, trackers={"strain": wrong})
    with pytest.raises(GameError, match="no tracker 'mana'"):
        table.change(oskara, trackers={"mana": {"change": 1}})


def test_what_is_of_a_fight_is_offered_while_turns_are_in_order(table: Played) -> None:
    def offered() -> set[str]:
        roll = throw(table, ability=[("advantage", "advantage"), ("success",)]).roll
        return {one.name for one in spends_of(table.state, roll, table.system)}

    table.choose("narrative")
    calm = offered()
    assert "boost_any_ally_next" in calm
    assert "free_maneuver" not in calm
    table.turn(Turn.ADD, rank=(1, 0))
    assert offered() - calm == {"free_maneuver"}
    table.call(game="narrative", ask={"dice": {"ability": 2}, "skill_used": "charm"})
    assert "free_maneuver" in offered()
    table.turn(Turn.CLEAR)
    assert offered() == calm
    table.undo(2)  # the roll, the end of the fight
    assert "free_maneuver" in offered()


def test_free_maneuvers_are_bought_as_long_as_fewer_than_two_were_made(table: Played) -> None:
    oskara = table.add(**OSKARA)
    table.call(oskara, "Mechanics", ask={"difficulty": "easy", "maneuvers": 1, "advantage": 4, "in_fight": True})
    state = throw(table, ability=[("success",)], proficiency=[()], difficulty=[()])
    state = table.buy(state.roll, "free_maneuver")
    assert state.roll.ask["maneuvers"] == 2
    with pytest.raises(BadChange, match="free_maneuver cannot be bought"):  # M29: fewer than two were made this turn
        table.buy(state.roll, "free_maneuver")
    state = table.undo()
    table.buy(state.roll, "free_maneuver")


@pytest.mark.parametrize(("game", "wounds"), [("d6-companion", 3), ("d6-wild", 5)])
def test_the_rounds_of_the_dying_count_with_the_rounds_of_the_fight(table: Played, game: str, wounds: int) -> None:
    table.choose(game)
    dying, well = (
        table.add(**{"name": name, "kind": "person", "game": game, "trackers": {"wounds": {"value": value}}})
        for name, value in (("Moll", wounds), ("Kesh", 0))
    )
    table.turn(Turn.ADD, rank=(3,))
    for rounds in (1, 2, 3):
        while table.state.initiative.round == rounds:  # a round may have several segments
            table.turn()
        assert (table.now(dying).value("mortal_rounds"), table.now(well).value("mortal_rounds")) == (rounds, 0)
    state = table.call(dying, ask={"purpose": "dying"})
    assert state.asked.answers["rounds"] == 3  # 2D below it is death (mortal_check)
    table.undo(2)
    assert table.now(dying).value("mortal_rounds") == 2


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
    table: Played, tens: str, ones: str, row: str
) -> None:
    table.tell(ChangeTable, name="Obligation", rows=OBLIGATIONS, is_opening=True)
    state = table.tell(StartSession)
    assert state_json(state, now=1.0)["tables"] == [{"name": "Obligation", "dice": "d100", "opens": True}]
    state = table.call(table="Obligation")
    assert dict(call_of(state).dice) == {"d100": 1, "d10": 1}
    state = throw(table, d100=[(tens,)], d10=[(ones,)])
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
    table: Played, dice_name: str, rows: tuple[Row, ...], added: int, row: str
) -> None:
    table.tell(ChangeTable, name="Injuries", dice=dice_name, rows=rows)
    table.call(table="Injuries", added=added)
    state = throw(table, d100=[("50",)], d10=[("7",)])
    assert state.roll.row == row


def test_an_effect_on_the_roller_is_not_scored_against_the_rollers_own_defences(table: Played) -> None:
    ship = {"name": "Hawk", "kind": "thing", "game": "d6-companion", "defences": {"difficulty": 26},
            "skills": [{"name": "Piloting", "ask": {"code": "4D"}}]}  # fmt: skip
    hawk = table.add(**ship)
    table.call(hawk, "Piloting", ask={"purpose": "maneuver", "difficulty": 7})
    roll = throw(table, pip=[("6",), ("6",), ("5",), ("5",)]).roll
    table.apply(hawk, roll)
    assert table.now(hawk).value("reserved") == 3


@pytest.mark.parametrize(
    ("game", "hurt", "value"), [("d6-companion", "stuns", 1), ("d6-companion", "wounds", 1), ("d6-wild", "wounds", 3)]
)
def test_what_hurts_a_shooter_takes_dice_of_the_skill_and_none_of_the_weapon(
    table: Played, game: str, hurt: str, value: int
) -> None:
    """Codes of people lose dice, a weapon's damage none (S003 ch. 3 Damage Summary, Stun Attacks; S001 Damage)."""
    vex = table.add(**{**VEX, "game": game, "trackers": {}})
    strength = [{"name": "Strength", "ask": {"code": "2D"}}]
    foe = table.add(**{"name": "Foe", "kind": "person", "game": game, "skills": strength})

    def fires() -> tuple[str, str, Fraction, Fraction]:
        shot = CallRoll(id=str(uuid.uuid4()), at=1.0, who=vex.id, weapon="Pistol", against=foe.id)
        attacks = table.ask(shot).asked.answers
        damage, resists = rolls_after(table.state, shot, SYSTEM)
        whole = find_game(game).attack(attacks, damage=damage, resists=resists)
        hurts = table.call(vex, weapon="Pistol", against=foe, is_damage=True).asked.answers
        pools = [find_game(game).odds(one).pool for one in (attacks, hurts)]
        return pools[0], pools[1], whole.hits, whole.hurts / whole.hits

    unhurt = fires()
    assert unhurt[:2] == ("4D", "5D")
    table.change(vex, trackers={hurt: {"value": value}})
    for _ in range(2):
        skill, weapon, hits, hurts_of_hits = fires()
        assert (skill, weapon) == ("2D" if game == "d6-wild" else "3D", "5D")
        assert hits < unhurt[2]
        assert hurts_of_hits == unhurt[3]
    table.undo(5)  # four calls, and what hurts
    assert fires() == unhurt


@pytest.mark.parametrize(
    ("game", "after_dodge", "after_both"),
    [("d6-companion", 10, 15), ("d6-wild", 14, 14)],  # the other summary has a dodge against all that has no parry
)
def test_the_skill_of_a_weapon_tells_which_reaction_of_the_round_meets_it(
    table: Played, game: str, after_dodge: int, after_both: int
) -> None:
    """Dodge does not stop melee weapons, parry does (S003 ch. 3, reactions)."""
    faces = {"pip": [("6",), ("5",), ("4",)]} if game == "d6-companion" else {"pip": [("6",), ("5",)], "wild": [("3",)]}
    skills = [{"name": "Melee", "ask": {"code": "4D"}}]
    vex = table.add(**{**VEX, "game": game, "skills": skills, "trackers": {}, "weapons": [
        {"name": "Sword", "skill": "Melee", "ask": {"difficulty": 10}}]})  # fmt: skip
    both = [{"name": name, "ask": {"code": "3D"}} for name in ("Dodge", "Melee parry")]
    foe = table.add(**{"name": "Foe", "kind": "person", "game": game, "skills": both})

    def difficulty() -> int:
        call = table.call(vex, weapon="Sword", against=foe).asked
        return find_game(game).odds(call.answers).difficulty or 0

    table.call(foe, "Dodge")
    throw(table, **faces)
    assert [difficulty(), difficulty()] == [after_dodge, after_dodge]
    table.call(foe, "Melee parry")
    throw(table, **faces)
    assert difficulty() == after_both
    table.undo(2)  # the call, and the parry
    assert difficulty() == after_dodge
