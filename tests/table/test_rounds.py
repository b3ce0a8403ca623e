"""What one roll leaves for the next: rounds, reactions, points, powers, who is out, and a fight made of people.

Every step is taken twice: again, by another, after an undo, after a restart, by one who is out.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert

from tableside.dice import DieReading, Reading, Status
from tableside.errors import BadAsk, BadChange, Conflict, GameError, UnknownFace
from tableside.games.narrative.characters import PRONE
from tableside.rules import find_game, game_names
from tableside.rules.characters import resisting_skill
from tableside.rules.people import Person
from tableside.table import MemoryStore, Side
from tableside.table.kept import Source
from tableside.table.messages import (
    ChangeDestiny,
    ChangeInitiative,
    ChangePerson,
    ChangeRoll,
    CorrectDie,
    Do,
    EndSession,
    NewReading,
    NewRoll,
    RuleDie,
    StartSession,
    Turn,
)
from tableside.table.shown import play_of, state_json
from tableside.table.shown.standings import standings_now
from tests.conftest import SYSTEM
from tests.table.played import Played

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


def test_a_force_point_holds_for_both_actions_and_goes_with_the_round(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.call(kesh, "Blaster", ask={"actions": 2})
    table.spend()
    assert table.dice() == {"pip": 4, "wild": 1}  # 3D+1 doubled is 6D+2, less 1D
    assert table.now(kesh).value("force_points") == 0
    table.roll(2, 3, 3, 4, 5)
    table.call(kesh, "Blaster")
    assert table.dice() == {"pip": 4, "wild": 1}  # nothing is said again, and no point is left to pay
    with pytest.raises(BadAsk, match="spent on this call already"):
        table.spend()
    table.call()  # nobody rolls: a point that this call did not pay does not come back
    assert table.now(kesh).value("force_points") == 0
    table.act("round")
    table.call(kesh, "Blaster")
    assert table.dice() == {"pip": 2, "wild": 1}


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_a_group_and_a_ship_have_no_force_point_until_somebody_gives_them_one(
    table: Played, game: str, form: dict[str, Any]
) -> None:
    table.choose(game)
    form = {**form, "trackers": {}}
    kinds = {"player": 1, "person": 1, "group": 0, "thing": 0}
    for kind, has in kinds.items():
        who = table.add(kind, game, kind, **form)
        table.call(who, "Blaster")
        assert state_json(table.state, now=1.0)["points"]["light"] == has
        if has:
            continue
        for _ in range(2):
            with pytest.raises(Conflict, match="has 0 force points"):
                table.spend()
        for spent in range(2):
            table.set_to(who, force_points=1)
            table.spend()
            assert table.now(who).value("force_points") == 0
            table.undo()
            assert table.now(who).value("force_points") == 1
            table.undo()
            assert state_json(table.state, now=1.0)["points"]["light"] == 0, spent


def test_who_holds_a_force_point_rolls_with_others_and_pays_no_more(table: Played) -> None:
    kesh, other = (table.add(name, "d6-wild", "player", **KESH) for name in ("Kesh", "Other"))
    table.call(kesh, "Blaster", ask={"actions": 2, "force_point": True})
    table.roll(2, 3, 3, 4, 5)
    table.call(kesh, "Perception", others=(other,))
    assert table.dice() == {"pip": 2, "wild": 1}  # 2D doubled is 4D, less 1D
    with pytest.raises(Conflict, match="a point is spent by one person"):
        table.call(other, "Perception", others=(kesh,), ask={"force_point": True})
    assert table.now(kesh).value("force_points") == 0


def test_a_call_that_held_a_point_gives_none_back_after_the_round(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.call(kesh, "Blaster", ask={"actions": 2, "force_point": True})
    table.roll(2, 3, 3, 4, 5)
    table.call(kesh, "Blaster")
    table.act("round")
    table.call()
    assert table.now(kesh).value("force_points") == 0


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_who_prepared_has_a_die_more_on_one_roll(table: Played, game: str, form: dict[str, Any]) -> None:
    [kesh] = table.scene(game, "Kesh", kind="player", **form)
    table.act("prepare", kesh)
    with pytest.raises(GameError, match="prepared already"):
        table.act("prepare", kesh)
    table.act("round")
    assert "Prepared" in [one.name for one in play_of(table.now(kesh)).states]
    unprepared = ["Strength", "Dodge"] if game == "d6-wild" else ["Strength"]  # what withstands, and a reaction
    for skill in (*unprepared, *unprepared):
        table.call(kesh, skill)
        assert sum(table.dice().values()) == (3 if skill == "Strength" else 4)
        table.throw(*[(kind, "3") for kind, n in table.dice().items() for _ in range(n)])
    counts = []
    for _ in range(2):
        table.call(kesh, "Blaster")
        counts.append(sum(table.dice().values()))
        table.throw(*[(kind, "3") for kind, n in table.dice().items() for _ in range(n)])
    assert counts == [4, 3]
    table.undo(3)  # both rolls and the second call: it is prepared again
    assert sum(table.dice().values()) == 4
    assert "Prepared" in [one.name for one in play_of(table.now(kesh)).states]


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_without_an_order_a_round_ends_by_a_new_one_alone_however_many_roll(
    table: Played, game: str, form: dict[str, Any]
) -> None:
    kesh, other = table.scene(game, "Kesh", "Other", kind="player", **form)

    def thrown(who: Person) -> int:
        table.call(who, "Blaster")
        return sum(table.dice().values())

    table.call(kesh, "Blaster", ask={"force_point": True})
    for _ in range(3):
        table.throw(*[(kind, "3") for kind, n in table.dice().items() for _ in range(n)])
        assert thrown(kesh) == 6
    assert thrown(other) == 3
    table.act("round")
    assert thrown(kesh) == 3
    table.undo(2)
    assert thrown(kesh) == 6


def test_in_a_fight_what_is_declared_holds_until_the_round_passes_also_after_a_restart(table: Played) -> None:
    [kesh] = table.scene("d6-wild", "Kesh", kind="player", **KESH)
    table.turn(Turn.ADD, who="Kesh", rank=(2,))
    table.call(kesh, "Blaster", ask={"actions": 2})
    table.roll(2, 3)
    table.call(kesh, "Blaster", ask={"actions": 3})  # one more is declared later
    table.roll(2)
    for _ in range(2):
        table.call(kesh, "Blaster")
        assert table.dice() == {"wild": 1}
        table.call()
    assert play_of(table.now(kesh)).round == {"actions": 3, "done": 2, "reactions": {}}
    table.call(kesh, "Strength")  # it withstands, and is no action
    assert table.dice() == {"pip": 2, "wild": 1}
    table.call()
    for left in ({"wild": 1}, {"wild": 1}, {"pip": 2, "wild": 1}):  # each of the three actions has its turn
        table.turn()
        table.call(kesh, "Blaster")
        assert table.dice() == left
        table.call()


def test_each_action_that_is_declared_has_its_turn_in_the_round(table: Played) -> None:
    one, other = table.scene("d6-wild", "One", "Other", kind="player", **KESH)
    table.turn(Turn.ADD, who="One", rank=(4, 1))
    table.turn(Turn.ADD, who="Other", rank=(3, 0, 1, 11))

    def act(who: Person, **ask: int) -> None:
        table.call(who, "Dodge", ask=ask)
        table.roll(2, *[3] * (sum(table.dice().values()) - 1))

    acted = []
    for who, ask in ((one, {}), (other, {"actions": 2}), (other, {"actions": 3}), (other, {})):
        current = table.state.initiative.current
        acted.append((table.state.initiative.round, table.state.initiative.segment, current.who))
        act(who, **ask)
        before = table.state.initiative
        table.undo()
        table.redo()
        assert table.state.initiative == before
        table.turn()
    assert acted == [(1, 0, "One"), (1, 0, "Other"), (1, 1, "Other"), (1, 2, "Other")]
    order = table.state.initiative  # what was declared was of that round
    assert (order.round, order.segment, [slot.rank for slot in order.slots]) == (2, 0, [(4, 1), (3, 0, 1, 11)])
    table.undo()
    assert (table.state.initiative.segment, table.now(other).done) == (2, 3)
    table.redo()
    lasts = [{"name": "Aiming", "until": "turn"}]
    table.change(one, states=lasts)
    for _ in range(3):  # who has done all of them in one turn has no other in this round
        act(one, actions=3)
    table.turn()
    assert "Aiming" not in [state.name for state in table.now(one).states]
    order = table.turn().initiative
    assert (order.round, order.segment, order.current and order.current.who) == (3, 0, "One")


def test_an_undo_takes_the_action_back_and_a_wound_since_stays(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.call(kesh, "Blaster", ask={"actions": 2})
    roll = table.roll(2, 3).last_number
    table.set_to(kesh, wounds=2)
    table.undo(change=roll)
    assert (table.now(kesh).done, table.now(kesh).value("wounds")) == (0, 2)
    assert table.state.asked.answers["actions"] == 2


@pytest.mark.parametrize(("game", "form", "attack"), [("d6-wild", KESH, "Pistol"), ("d6-companion", ROOK, "Pistol")])
def test_a_dodge_is_the_difficulty_for_every_attacker_of_the_round(
    table: Played, game: str, form: dict[str, Any], attack: str
) -> None:
    target, *others = (table.add(name, game, **form) for name in ("Target", "First", "Second"))
    table.choose(game)
    table.turn(Turn.ADD, who="Target", rank=(2,))
    table.call(target, "Dodge")
    dodge = table.roll(2, 4, 4, 3)  # 13
    for one in others:
        table.call(one, weapon=attack, against=target)
        assert table.state.asked.answers["reaction_total"] == 13
        assert table.state.asked.last_total == dodge.roll.id
        rolled = table.roll(3, 4, 4)  # and a pip: 12
        assert (rolled.roll.difficulty, rolled.roll.succeeded) == (13, False)
    table.tell(CorrectDie, roll_id=dodge.roll, index=1, type="pip", face=("1",))  # 10 by now
    table.call(others[0], weapon=attack, against=target)
    assert table.state.asked.answers["reaction_total"] == 10
    table.call()
    for _ in range(3 if game == "d6-companion" else 1):  # its segments
        table.turn()
    table.call(others[0], weapon=attack, against=target)
    assert "reaction_total" not in table.state.asked.answers


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
@pytest.mark.parametrize("has_dodged", [True, False])
def test_a_shot_at_one_who_dodges_is_no_dodge_of_who_shoots(
    table: Played, game: str, form: dict[str, Any], *, has_dodged: bool
) -> None:
    # "One roll covers all attacks of the fitting kind in the round" (d6-companion.md, reaction): of who rolled it.
    one, other = (table.add(name, game, **form) for name in ("One", "Other"))
    table.choose(game)
    for name in ("One", "Other"):
        table.turn(Turn.ADD, who=name, rank=(2,))

    def meets(target: Person, shooter: Person) -> int | None:
        table.call(shooter, weapon="Pistol", against=target)
        found: int | None = table.state.asked.answers.get("reaction_total")
        return found

    if has_dodged:
        table.call(one, "Dodge")
        table.roll(2, 4, 4, 3)
    table.call(other, "Dodge")
    table.roll(2, 2, 2, 2)
    own = 13 if has_dodged else None
    for _ in range(2):  # by each in turn, twice
        assert meets(other, one) == 8
        table.roll(5, 5, 5)
        assert meets(one, other) == own
        table.roll(5, 5, 4)
    table.undo()
    assert meets(one, other) == own


def test_several_shoot_at_one_who_dodges_but_combine_no_dodge(table: Played) -> None:
    # Never combined: reaction skills (d6-companion.md, combined_action).
    target, shooter, helper = (table.add(name, "d6-companion", **ROOK) for name in ("Target", "Shooter", "Helper"))
    table.call(target, "Dodge")
    table.roll(2, 4, 4, 3)
    table.call(shooter, "Blaster", weapon="Pistol", against=target, helpers=(helper,))
    assert table.state.asked.answers["reaction_total"] == 13
    with pytest.raises(GameError):
        table.call(shooter, "Dodge", helpers=(helper,))


def test_a_reaction_that_is_undone_is_none_and_no_dodge_meets_an_axe(table: Played) -> None:
    target, other = (table.add(name, "d6-companion", **ROOK) for name in ("Target", "Other"))
    table.call(target, "Dodge", ask={"actions": 2})
    table.roll(2, 4, 3)
    table.call(other, weapon="Axe", against=target)
    assert "reaction_total" not in table.state.asked.answers
    table.call(target, "Parry")
    table.roll(5, 6)
    table.call(other, weapon="Axe", against=target)
    assert table.state.asked.answers["reaction_total"] == 11
    table.undo(2)  # the call, the parry
    table.call(other, weapon="Axe", against=target)
    assert "reaction_total" not in table.state.asked.answers


@pytest.mark.parametrize(("game", "form"), [("d6-wild", KESH), ("d6-companion", ROOK)])
def test_a_hidden_reaction_holds_against_nobody_before_it_is_shown(
    table: Played, game: str, form: dict[str, Any]
) -> None:
    target, other = (table.add(name, game, **form) for name in ("Target", "Other"))
    table.choose(game)
    table.call(target, "Dodge", is_hidden=True)
    dodge = table.roll(3, 5, 5, 4).roll

    def told() -> tuple[Any, str]:
        table.call(other, weapon="Pistol", against=target)
        return table.state.asked.answers.get("reaction_total"), table.state.asked.last_total

    assert dodge.is_hidden
    for is_hidden, expected in ((True, (None, "")), (False, (17, dodge.id)), (True, (None, ""))):
        table.tell(ChangeRoll, roll_id=dodge, is_hidden=is_hidden)
        assert told() == expected


def test_character_points_are_bought_one_after_another_each_with_its_chain(table: Played) -> None:
    kesh = table.add("Kesh", "d6-wild", "player", **KESH)
    table.call(kesh, "Blaster", ask={"difficulty": 20})
    roll = table.roll(2, 3, 4).roll  # and a pip: 10
    table.buy(roll, "character_points")
    with pytest.raises(Conflict, match="still waits for a throw"):
        table.buy(roll, "character_points")

    def then(face: int) -> Any:
        return table.throw_on(roll, ("pip", str(face))).roll

    assert then(6).awaits is not None  # it chains
    assert (dict(then(3).net)["total"], table.state.roll.awaits) == (19, None)
    table.buy(roll, "character_points")
    after = then(5)
    assert (dict(after.net)["total"], after.short, after.awaits, after.succeeded) == (24, (), None, True)
    assert table.now(kesh).value("character_points") == 3
    with pytest.raises(BadChange, match="cannot be bought"):  # two are the most for a skill
        table.buy(roll, "character_points")


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
    table: Played, store: MemoryStore, game: str, form: dict[str, Any], name: str
) -> None:
    person = table.add("Mara", game, **{**form, "trackers": {name: {"value": 2, "most": 13}}})

    def after(**gauge: Any) -> tuple[int, int | None]:
        table.change(person, trackers={name: gauge})
        return table.now(person).value(name), table.now(person).most(name)

    assert (person.value(name), person.most(name)) == (2, 13)
    assert after(value=4) == (4, 13)
    assert after(most=11) == (4, 11)
    assert after() == (4, 11)
    assert after(change=3) == (7, 11)
    assert after(change=-1, most=12) == (6, 12)
    with pytest.raises(BadChange, match="the change of"):
        after(change=1, value=3)
    again = Played(SYSTEM, store)
    again.close()
    assert again.state.people == table.state.people
    table.undo()
    assert after(value=5) == (5, 11)


@pytest.mark.parametrize(("game", "form", "skill", "hurt", "why", "against"), OUT)
def test_who_is_out_is_told_by_call_card_and_order_alike(
    table: Played, game: str, form: dict[str, Any], skill: str, hurt: dict[str, int], why: str, against: str
) -> None:
    one, other = table.scene(game, "One", "Other", **form)
    assert play_of(table.now(one)).out is None
    for who in ("One", "Other"):
        table.turn(Turn.ADD, who=who, side="npc", rank=(3,))
    table.set_to(one, **hurt)
    assert play_of(table.now(one)).to_json()["out"]["why"] == why
    shown = {person["id"]: person["out"] for person in state_json(table.state, now=1.0)["people"]}
    assert (shown[one.id]["why"], shown[other.id]) == (why, None)
    with pytest.raises(Conflict, match=f"One cannot act: {why}"):
        table.call(one, skill)
    table.call(one, skill, overrules=True)
    assert table.state.asked.who == one.id
    if against:  # what withstands damage is thrown all the same
        table.call(one, against)
    for _ in range(3):
        current = table.turn().initiative.current
        assert current.who in ("Other", "")  # a slot of the narrative game is its side's in the next round
    table.change(one, trackers=one.to_json()["trackers"])
    table.call(one, skill)
    assert table.state.asked.who == one.id


def test_each_power_is_usable_once_by_itself_and_again_after_its_rest(table: Played) -> None:
    brand = table.add("Brand", "heroic", "player", **BRAND)

    def use(name: str) -> None:
        table.call(brand, weapon=name)
        table.throw(("ability", ()), ("proficiency", ()), ("difficulty", ()))

    use("Fire")
    with pytest.raises(Conflict, match="Fire was used already"):
        use("Fire")
    use("Ice")
    table.undo()
    use("Ice")
    table.act("short_rest", brand)
    use("Fire")
    with pytest.raises(Conflict, match="Ice was used already"):
        use("Ice")
    table.act("extended_rest", brand)
    use("Fire")
    use("Ice")


def test_states_join_calls_and_end_with_turn_round_and_scene(table: Played) -> None:
    one, other = table.scene("narrative", "One", "Other", **OSKARA)
    table.turn(Turn.ADD, who="One", side="npc", rank=(3,))
    table.turn(Turn.ADD, who="Other", side="npc", rank=(2,))
    states = [{"name": name, "until": name, "ask": {"boost": 1}, "against": {"setback": 1}}
              for name in ("turn", "round", "scene")]  # fmt: skip
    table.change(one, states=states)

    def met() -> tuple[int, int]:
        table.call(one, "Cool", ask={"difficulty": "easy"})
        own = table.dice().get("boost", 0)
        table.call(other, "Cool", against=one)
        return own, table.dice().get("setback", 0)

    assert met() == (3, 3)
    table.turn()
    assert met() == (2, 2)
    table.undo(3)  # the two calls and the turn, which is given back
    assert met() == (3, 3)
    table.turn()
    table.turn()
    assert met() == (1, 1)
    table.tell(StartSession)
    assert (met(), table.state.initiative.slots) == ((0, 0), ())


def test_a_state_holds_answers_of_its_game_alone(table: Played) -> None:
    one = table.add("One", "narrative", **OSKARA)
    wrong = [{"name": "Prone", "until": "round", "ask": {"code": "2D"}}]
    with pytest.raises(BadAsk):
        table.change(one, states=wrong)


def test_the_end_of_a_turn_gives_the_maneuvers_back(table: Played) -> None:
    [one] = table.scene("narrative", "One", **OSKARA)
    table.turn(Turn.ADD, who="One", side="npc", rank=(3,))
    for _ in range(2):
        table.act("maneuver", one)
    table.turn()
    assert table.now(one).value("maneuvers") == 0
    table.undo()
    assert table.now(one).value("maneuvers") == 2


def test_one_tap_calls_everybody_and_each_roll_is_that_ones_slot(table: Played) -> None:
    [ann] = table.scene("narrative", "Ann", kind="player", **OSKARA)
    table.add("Thug", "narrative", **OSKARA)
    fallen = table.add("Fallen", "narrative", **OSKARA)
    table.set_to(fallen, wounds=13)
    state = table.turn(Turn.CALL, who="all")
    assert (state.asked.who, state.asked.answers["purpose"]) == (ann.id, "initiative")
    state = table.throw(("ability", ("success",)))
    assert state.initiative.slots == ()  # a die is missing
    roll_id = state.rolls[0].id
    table.undo()
    state = table.throw(("ability", ("success",)), ("proficiency", ("advantage",)))
    assert roll_id != state.rolls[0].id
    assert [(slot.who, slot.side, slot.rank) for slot in state.initiative.slots] == [("Ann", "player", (1, 1))]
    assert state.asked.player == "Thug"
    state = table.throw(("ability", ("success", "success")), ("proficiency", ()))
    assert [(slot.who, slot.side) for slot in state.initiative.slots] == [("Thug", "npc"), ("Ann", "player")]
    assert (state.asked.id, state.initiative.round) == ("", 1)
    # a correction moves the slot with it
    state = table.tell(CorrectDie, roll_id=state.rolls[0], index=0, type="ability", face=())
    assert [slot.who for slot in state.initiative.slots] == ["Ann", "Thug"]
    with pytest.raises(Conflict, match="nobody is left to call"):  # whoever has a slot keeps it
        table.turn(Turn.CALL, who="all")
    late = table.add("Late", "narrative", **OSKARA)
    assert table.turn(Turn.CALL, who="others").asked.who == late.id


def test_a_throw_for_the_order_is_no_action_and_turns_of_all_kinds_end(table: Played) -> None:
    [kesh] = table.scene("d6-wild", "Kesh", kind="player", **KESH)
    table.turn(Turn.CALL, who="all")
    table.roll(2, *[3] * (sum(table.dice().values()) - 1))
    assert len(table.state.initiative.slots) == 1
    assert table.now(kesh).done == 0
    table.call(kesh, "Blaster", ask={"actions": 3})
    table.roll(2, 4)
    assert table.now(kesh).done == 1
    table.turn(Turn.CLEAR)
    table.choose("narrative")
    for kind in ("player", "group", "thing"):
        table.add(f"A {kind}", "narrative", kind)
        table.turn(Turn.ADD, who=f"A {kind}", side="npc", rank=(2,))
    for number in range(3):
        assert table.turn().initiative.round == 1 + number // 2


def test_the_roll_of_one_who_was_called_goes_back_with_its_slot(table: Played) -> None:
    table.choose("heroic")
    for name in ("Yara", "Ogre"):
        table.add(name, "heroic", "player" if name == "Yara" else "person", **BRAND)
    table.turn(Turn.CALL, who="players")
    state = table.throw(("ability", ("success",)), ("proficiency", ()))
    assert ([slot.who for slot in state.initiative.slots], state.asked.id) == (["Yara"], "")
    state = table.undo()
    assert (state.initiative.slots, state.asked.player) == ((), "Yara")


def test_where_no_order_is_thrown_for_everybody_has_a_place_at_once(table: Played) -> None:
    table.choose("d6-companion")
    quick = {**ROOK, "skills": [*ROOK["skills"][:-1], {"name": "Dexterity", "ask": {"code": "4D"}}]}
    table.add("Slow", "d6-companion", "player", **ROOK)
    person = table.add("Quick", "d6-companion", **quick)
    state = table.turn(Turn.CALL, who=(person.id,))
    assert [slot.rank for slot in state.initiative.slots] == [(4, 0, 0)]
    state = table.turn(Turn.CALL, who="all")
    assert [slot.who for slot in state.initiative.slots] == ["Slow", "Quick"]  # the lowest declares first
    assert state.asked.id == ""


def test_a_roll_of_another_purpose_is_no_slot_and_another_game_ends_the_fight(table: Played) -> None:
    [ann] = table.scene("narrative", "Ann", kind="player", **OSKARA)
    table.call(ann, "Cool", ask={"difficulty": "easy"})
    state = table.throw(("ability", ()), ("proficiency", ("success",)), ("difficulty", ()))
    with pytest.raises(Conflict, match="tells no rank"):
        table.turn(Turn.ADD, roll_id=state.roll)
    table.turn(Turn.ADD, who="Ann", rank=(1,))
    assert table.choose("heroic").initiative.slots == ()
    with pytest.raises(BadChange, match="list of people"):
        ChangeInitiative(id="x", at=1.0, do=Turn.CLAIM, who=("Ann",))


def test_who_has_no_skill_for_it_throws_what_all_have_and_the_table_throws_for_the_others(table: Played) -> None:
    table.choose("narrative")
    calm = {"skills": [{"name": "Discipline", "ask": {"characteristic": 4, "skill": 2}}]}
    for name, kind, form in (
        ("Ann", "player", {}),
        ("Cay", "player", calm),
        ("Thug", "person", {}),
        ("Ork", "person", OSKARA),
    ):
        table.add(name, "narrative", kind, **form)
    with pytest.raises(Conflict, match="nobody is left to call"):
        table.turn(Turn.CALL, who=())
    state = table.turn(Turn.CALL, who="all", skill="Vigilance", by_table=True)
    assert {slot.who for slot in state.initiative.slots} == {"Thug", "Ork"}
    assert all(len(slot.rank) == 2 and slot.words == "" for slot in state.initiative.slots)
    assert state.rolls == ()  # nobody sees those dice
    assert "The table threw for Thug, Ork." in state.last_change.sentence
    assert (state.asked.player, table.dice()) == ("Ann", {"ability": 2})  # an average of two
    table.throw(("ability", ()), ("ability", ("success",)))
    assert (table.state.asked.player, table.dice()) == ("Cay", {"ability": 4})  # Willpower, as Discipline tells
    assert standings_now(table.state, sees_hidden=False).to_json()["initiative"] is True
    table.throw(*[("ability", ("success",))] * 4)
    assert len(table.state.initiative.slots) == 4
    table.undo(3)  # all of it is one call
    assert table.state.initiative.slots == ()


def test_one_message_has_the_same_dice_of_the_table(table: Played) -> None:
    table.choose("d6-wild")
    table.add("Scout", "d6-wild", **KESH)
    ranks = set()
    for n in range(8):
        message = ChangeInitiative(id=f"call-{n % 4}-{n}", at=1.0, do=Turn.CALL, who="all", by_table=True)
        ranks.add(table.ask(message).initiative.slots[0].rank)
        table.turn(Turn.CLEAR)
    assert len({rank[-1] for rank in ranks}) > 2
    assert {rank[:2] for rank in ranks} == {next(iter(ranks))[:2]}


def test_the_turn_before_is_given_back_until_the_order_changes(table: Played) -> None:
    [one] = table.scene("narrative", "One", **OSKARA)
    assert table.state.turn_before is None
    for rank in (3, 2):
        table.turn(Turn.ADD, who="One" if rank == 3 else "Two", side="npc", rank=(rank,))
    assert table.state.turn_before is None  # a place is no turn
    number = table.turn().last_number
    table.set_to(one, wounds=4)
    assert table.state.turn_before == number
    table.undo(change=number)
    assert (table.state.initiative.current.who, table.now(one).value("wounds")) == ("One", 4)
    assert table.state.turn_before is None
    table.turn()
    table.turn()  # into the next round, and back twice
    for who in ("Two", "One"):
        assert table.state.turn_before is not None
        table.undo(change=table.state.turn_before)
        assert table.state.initiative.current.who == who


def test_a_state_is_sent_as_pages_send_it_and_told_in_words(table: Played) -> None:
    for game in game_names():
        for state in find_game(game).ready.states:
            one = table.add("One", game)
            sent = {"do": "change", "person": {"id": one.id, "states": [state.to_json()]}}
            message = convert({"id": f"{game}-{state.name}", "at": 1.0, **sent}, ChangePerson)
            after = table.ask(message)
            assert table.now(one).states == (state,)
            assert after.last_change.sentence == f"One: {state.name}"
            ask = {"code": "3D"} if game.startswith("d6") else {}
            table.call(one, ask=ask, overrules=state.bars == "actions")
            table.call()
            gone = table.change(one, states=[])
            assert gone.last_change.sentence == f"One: {state.name} is over"


def test_a_rule_takes_a_die_away_turns_it_and_has_it_thrown_again(table: Played) -> None:
    [one] = table.scene("narrative", "One", **OSKARA)
    table.call(one, "Cool", ask={"difficulty": "easy"})
    roll = table.throw(("ability", ("success",)), ("proficiency", ()), ("difficulty", ("failure", "failure"))).roll
    assert roll.succeeded is False

    def rule(how: str, index: int, face: tuple[str, ...] | None = None, **more: Any) -> Any:
        return table.tell(RuleDie, roll_id=roll, index=index, rule=how, face=face, **more).roll

    away = rule("away", 2, reason="Keen eye")
    assert (away.succeeded, away.short, away.source) == (True, (), roll.source)
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
    table.undo(3)
    assert [die.face for die in table.state.roll.dice] == [die.face for die in roll.dice]
    table.call(one, "Cool", ask={"difficulty": "average"})
    roll = table.throw(("ability", ()), ("proficiency", ()), ("difficulty", ())).roll
    assert rule("turned", 0, ("success",)).short == roll.short == (("difficulty", 1),)  # what was missing still is


def test_what_a_rule_did_stays_when_the_camera_reads_the_throw_again(table: Played) -> None:
    table.choose("d6-companion")

    def seen(*faces: str) -> Reading:
        dice = (
            DieReading(
                type="pip", face=(face,), center=(50 + 60 * n, 90), outline=(), confidence=0.99, status=Status.SURE
            )
            for n, face in enumerate(faces)
        )
        return Reading(width=320, height=240, dice=tuple(dice))

    table.ask(NewRoll(id="seen", at=1.0, reading=seen("2", "5", "3")))
    table.tell(RuleDie, roll_id="seen", index=0, rule="turned", face=("6",))
    table.tell(RuleDie, roll_id="seen", index=1, rule="away")
    state = table.ask(NewReading(id="again", at=2.0, roll_id="seen", reading=seen("2", "5", "3")))
    assert (dict(state.roll.net)["total"], state.roll.source) == (9, Source.CAMERA)
    state = table.ask(NewReading(id="other", at=3.0, roll_id="seen", reading=seen("4", "5", "3")))
    assert dict(state.roll.net)["total"] == 7  # the first one lies otherwise: that is another throw of it


def test_a_purchase_puts_a_state_on_and_takes_one_off_for_as_long_as_it_says(table: Played) -> None:
    one, other = table.scene("narrative", "One", "Other", **OSKARA)
    table.change(one, states=[{"name": "In cover"}])
    for who, rank in (("One", 3), ("Other", 2)):
        table.turn(Turn.ADD, who=who, side="npc", rank=(rank,))

    def buy(name: str, face: tuple[str, ...], to: str = "", **ask: str) -> None:
        table.call(one, "Cool", ask={"difficulty": "hard", **ask})
        helping = face if "advantage" in face else ()
        roll = table.throw(
            ("ability", helping), ("proficiency", helping), *[("difficulty", () if helping else face)] * 3
        )
        table.buy(roll.rolls[0], name, for_person=to)

    def states(of: Person) -> dict[str, str]:
        return {state.name: state.until for state in table.now(of).states}

    two, shot = ("threat", "threat"), {"purpose": "attack", "attack": "ranged", "range": "close"}
    buy("fall_prone", two)
    assert states(one) == {"In cover": "scene", "Prone": "scene"}
    table.undo()
    assert states(one) == {"In cover": "scene"}
    buy("lose_cover", two, spending="general")
    assert states(one) == {}
    buy("defense_up", ("advantage", "advantage"))
    assert states(one) == {"On guard": "next"}
    for until in ("next", "turn", "turn"):  # its own turn, the other's, and the turn after, of another round
        table.call(other, "Cool", against=one, ask=shot)
        assert table.dice()["setback"] == 1
        table.call()
        assert states(one)["On guard"] == until
        current = table.turn().initiative.current
        if current and not current.who:
            table.turn(Turn.CLAIM, slot=current.id, who="One")
    assert states(one) == {}
    buy("target_drops_weapon", ("advantage", "advantage"), other.id, **shot)
    assert states(other) == {"Disarmed": "scene"}
    table.turn(Turn.CLEAR)
    assert states(other) == {"Disarmed": "scene"}
    table.tell(StartSession)
    assert states(other) == {}


def test_a_medpac_that_works_heals_with_one_tap_and_one_that_fails_only_counts(table: Played) -> None:
    medic, hurt = table.scene("d6-companion", "Medic", "Hurt", **ROOK)
    table.set_to(hurt, wounds=2)  # incapacitated: moderate, 11
    for faces, wounds, medpacs in (((2, 2, 2), 2, 1), ((6, 6, 6), 1, 2)):
        table.call(medic, "Strength", against=hurt, ask={"purpose": "medpac", "code": "3D"})
        roll = table.roll(*faces).roll
        assert len(roll.effects) == 1
        table.apply(hurt, roll)
        assert (table.now(hurt).value("wounds"), table.now(hurt).value("medpacs")) == (wounds, medpacs)


def test_a_session_ends_with_its_fight_and_the_next_throw_begins_another(table: Played) -> None:
    table.choose("narrative")
    with pytest.raises(Conflict, match="no session runs"):
        table.tell(EndSession)
    table.add("One", "narrative")
    for number, says in enumerate(["The session ends", "Session 1 ends"]):
        table.tell(ChangeDestiny, do=Do.SET, light=3, dark=2)
        table.throw(("ability", ("success",)))
        table.turn(Turn.ADD, who="One", rank=(1, 0))
        table.call(ask={"characteristic": 2})
        before = table.state
        assert (before.session.number, before.session.ended) == (number, 0)
        state = table.tell(EndSession)
        assert state.session.ended > 0
        assert state.changes[-1].sentence == says
        assert (state.initiative.slots, state.asked.id, state.destiny.light) == ((), "", 0)
        with pytest.raises(Conflict, match="no session runs"):
            table.tell(EndSession)
        undone = table.undo(change=state.last_number)
        for part in ("session", "initiative", "destiny", "asked"):
            assert getattr(undone, part) == getattr(before, part)
        table.tell(EndSession)
    state = table.throw(("ability", ("success",)))
    assert (state.session.number, state.session.ended, state.rolls[0].session) == (2, 0, 2)
    state = table.undo(change=state.last_number)
    assert state.session.ended > 0  # and with the throw the session that it began
    assert table.tell(StartSession).session.number == 2


def test_a_session_asks_for_the_pool_anew_and_its_undo_brings_the_old_one_back(table: Played) -> None:
    table.choose("narrative")
    table.tell(ChangeDestiny, do=Do.SET, light=3, dark=2)
    state = table.tell(StartSession)
    assert (state.destiny.light, state.destiny.dark) == (0, 0)
    table.tell(ChangeDestiny, do=Do.ADD, side=Side.LIGHT)
    state = table.undo(change=state.last_number)
    assert (state.destiny.light, state.destiny.dark) == (4, 2)
    table.choose("d6-wild")
    assert table.tell(StartSession).destiny == state.destiny  # its points are each one's own


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


def test_who_is_prone_is_hit_more_easily_close_by_and_less_from_afar_until_it_ends(table: Played) -> None:
    [ben] = table.scene("narrative", "Ben", **SWORDS)
    kai = table.add("Kai", "narrative", **SWORDS)
    prone = state_of("narrative", "Prone")
    assert prone == PRONE.to_json()

    def met(weapon: str = "", skill: str = "") -> tuple[int, int]:
        table.call(ben, skill, weapon=weapon, against=kai)
        found = table.dice()
        return found.get("boost", 0), found.get("setback", 0)

    def are(*states: Any) -> None:
        table.change(kai, states=states)

    are(prone)
    assert (met("Blade"), met("Rifle"), met(skill="Aim")) == ((1, 0), (0, 1), (0, 0))
    are(prone, state_of("narrative", "In cover"))  # cover is of no use close by
    assert (met("Blade"), met("Rifle"), met(skill="Aim")) == ((1, 0), (0, 2), (0, 0))
    # a pair with what was carried, and the prone one's own attacks are as before
    table.call(kai, weapon="Blade", against=ben)
    assert table.dice() == {"ability": 2, "difficulty": 2}
    are({**prone, "until": "round"})
    table.turn(Turn.ADD, who="Kai", side="npc", rank=(2,))
    table.turn()
    assert (met("Blade"), met("Rifle")) == ((0, 0), (0, 0))
    table.undo(3)  # both calls and the turn: prone again
    assert met("Blade") == (1, 0)


def test_cover_is_for_attacks_from_afar_alone_and_joins_what_lies_prone(table: Played) -> None:
    [ben] = table.scene("d6-companion", "Ben", **CODES)
    kai = table.add("Kai", "d6-companion", **CODES, states=[state_of("d6-companion", "In cover")])

    def answers(*names: str, **call: Any) -> list[Any]:
        table.call(ben, against=kai, **call)
        return [table.state.asked.answers.get(name) for name in names]

    assert answers("fire", weapon="Rifle") == [["medium_cover"]]
    assert answers("fire", weapon="Blade") == [None]
    table.act("drop", kai)
    assert [sorted(found) for found in answers("fire", weapon="Rifle")] == [["medium_cover", "prone"]]
    assert answers("fire", weapon="Blade") == [["prone"]]
    asked = answers("fire", weapon="Rifle", ask={"fire": ["door"]})
    assert sorted(asked[0]) == ["door", "medium_cover", "prone"]
    table.act("rise", kai)
    assert answers("fire", weapon="Blade") == [None]
    [ann] = table.scene("d6-wild", "Ann", **CODES)
    bo = table.add("Bo", "d6-wild", **CODES, states=[state_of("d6-wild", "In cover")])
    covers = []
    for call in ({"weapon": "Rifle"}, {"weapon": "Blade"}, {"skill": "Melee", "ask": {"purpose": "first_aid"}}):
        table.call(ann, against=bo, **call)
        covers.append(table.state.asked.answers.get("cover"))
    assert covers == ["1/2", None, None]


def test_who_is_staggered_has_no_action_and_who_is_held_no_maneuver(table: Played) -> None:
    table.choose("narrative")
    states = [state_of("narrative", name) for name in ("Staggered", "Immobilized")]
    kai = table.add("Kai", "narrative", **SWORDS, states=states)
    with pytest.raises(Conflict, match="cannot act: Staggered"):
        table.call(kai, "Aim")
    table.call(kai, "Aim", overrules=True)
    table.turn(Turn.CALL, who=(kai.id,))  # a place in the order is no action
    assert table.state.asked.who == kai.id


@pytest.mark.parametrize(
    ("game", "act", "bars"),
    [("narrative", "maneuver", "maneuvers"), ("narrative", "rise", "maneuvers"), ("heroic", "maneuver", "maneuvers"),
     ("d6-wild", "prepare", "actions"), ("d6-wild", "rise", "actions"), ("d6-companion", "rise", "actions")],
)  # fmt: skip
def test_who_is_barred_from_it_does_nothing_that_takes_it(table: Played, game: str, act: str, bars: str) -> None:
    table.choose(game)
    held, prone = {"name": "Held", "bars": bars}, {"name": "Prone"}
    kai = table.add("Kai", game, states=[prone, held])
    if game == "d6-companion":
        table.act("drop", kai)
    with pytest.raises(GameError, match="Kai cannot act: Held"):
        table.act(act, kai)
    table.change(kai, states=[prone])
    table.act(act, kai)


def test_who_rises_is_no_longer_prone_and_has_done_an_action_or_a_maneuver(table: Played) -> None:
    [ann] = table.scene("narrative", "Ann", kind="player", states=[state_of("narrative", "Prone")])
    table.act("maneuver", ann)
    state = table.act("rise", ann)
    assert state.changes[-1].sentence == "Ann: Rise from prone: A second maneuver for 2 strain"
    assert (table.now(ann).states, table.now(ann).value("strain")) == ((), 2)
    number = table.state.last_number
    table.act("rise", ann)  # who stands does not rise
    assert table.state.last_number == number
    table.undo()
    assert ([one.name for one in table.now(ann).states], table.now(ann).value("maneuvers")) == (["Prone"], 1)
    for game in ("d6-wild", "d6-companion"):
        [bo] = table.scene(
            game, "Bo", kind="player", states=[state_of("d6-wild", "Prone")] if game == "d6-wild" else []
        )
        if game == "d6-companion":
            table.act("drop", bo)
        for _ in range(2):
            table.act("rise", bo)
            is_prone = table.now(bo).has_state("Prone")
            assert (is_prone, table.now(bo).done) == (0, 1)


def test_a_defence_that_is_cancelled_is_none_for_its_round(table: Played) -> None:
    [ben] = table.scene("narrative", "Ben", **SWORDS)
    kai = table.add("Kai", "narrative", **SWORDS, defences={"setback": 2, "soak": 3})

    def setbacks() -> int:
        table.call(ben, weapon="Blade", against=kai)
        return table.dice().get("setback", 0)

    assert setbacks() == 2
    none = [{"name": "No defence", "until": "round", "bars": "defence"}]
    table.change(kai, states=none)
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
    table: Played, game: str, weapon: dict[str, Any], faces: list[tuple[str, Any]], hurt: list[tuple[str, int]]
) -> None:
    has_codes = game.startswith("d6")
    rated = {"code": "3D"} if has_codes else {"ability" if game == "heroic" else "characteristic": 1}
    skills = [{"name": "Aim", "ask": rated}]
    armed = table.add("Ann", game, skills=skills, weapons=[{"name": "Bow", "skill": "Aim", **weapon}])
    foe = table.add("Bo", game, defences={"threshold": 4} if game == "heroic" else {})
    asked = {"against": 4} if has_codes else {}
    for tracker, value in hurt:
        table.call(armed, weapon="Bow", is_damage=has_codes, against=foe, ask=asked)
        table.throw(*faces)
        table.apply(foe)
        assert table.now(foe).value(tracker) == value


def spends_now(table: Played) -> set[str]:
    roll = table.state.rolls[0]
    game = find_game(roll.game)
    dice_thrown = [die.die for die in roll.dice]
    return {spend.name for spend in game.spends(game.play((dice_thrown,), roll.ask), roll.ask)}


def test_a_boarding_party_and_a_dogfight_in_one_scene_each_have_their_own_spends_and_damage(table: Played) -> None:
    table.choose("narrative")
    gun = {"purpose": "attack", "attack": "ranged", "range": "close", "damage": 6}
    crew = {
        "skills": [{"name": "Ranged light", "ask": {"characteristic": 2}},
                   {"name": "Gunnery", "ask": {"characteristic": 2, "skill_used": "gunnery"}}],
        "weapons": [{"name": "Pistol", "skill": "Ranged light", "ask": gun},
                    {"name": "Turret", "skill": "Gunnery", "ask": gun}],
    }  # fmt: skip
    ann = table.add("Ann", "narrative", "player", **crew)
    guard = table.add("Guard", "narrative", trackers={"wounds": {"value": 0, "most": 12}})
    tie = table.add("Tie", "narrative", "thing", trackers={"hull": {"value": 0, "most": 6}}, defences={"soak": 2})

    def shoot(weapon: str, at: Person) -> str:
        table.call(ann, weapon=weapon, against=at)
        table.throw(("ability", ("success", "advantage")), ("ability", ("advantage", "advantage")), ("difficulty", ()))
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
    after = table.apply(tie)
    assert table.now(tie).value("hull") == 5
    assert after.last_change.sentence == "Tie: 5 damage"


def test_what_shoots_at_a_hull_damages_it_and_the_hull_resists(table: Played) -> None:
    table.choose("d6-companion")
    cannon = {"name": "Cannon", "skill": "Blaster", "ask": {"difficulty": 6}, "damage": {"code": "4D"}}
    ann = table.add("Ann", "d6-companion", skills=ROOK["skills"], weapons=[cannon])
    tie = table.add("Tie", "d6-companion", "thing", skills=[{"name": "Hull", "ask": {"code": "2D"}}])
    guard = table.add("Guard", "d6-companion", skills=[{"name": "Strength", "ask": {"code": "2D"}}])
    for target, skill, tracker, value in ((tie, "Hull", "ship_damage", 2), (guard, "Strength", "wounds", 2)):
        table.call(target, skill)
        table.roll(3, 3)
        resisted = table.state.rolls[0]
        for _ in range(2):
            table.call(ann, weapon="Cannon", is_damage=True, against=resisted)
            table.roll(4, 3, 3, 3)  # 13 of 6: more than twice
            table.apply(target)
        assert table.now(target).value(tracker) >= value
        assert table.now(target).value("wounds" if tracker == "ship_damage" else "ship_damage") == 0
    assert resisting_skill(find_game("d6-companion").characters, table.now(tie)) == "Hull"


def test_what_was_done_before_a_fight_is_no_action_of_its_first_round(table: Played) -> None:
    [rook] = table.scene("d6-companion", "Rook", kind="player", **ROOK)
    axe = table.add("Axe", "d6-companion", **ROOK)
    for one in (rook, axe):
        table.call(one, "Dodge")
        table.roll(3, 3, 4, 4)
    assert (table.now(rook).done, table.now(axe).done) == (1, 1)
    table.turn(Turn.CALL, who="all")  # nothing is thrown for this order
    assert (table.now(rook).done, table.now(axe).done) == (0, 0)
    table.call(rook, "Parry", ask={"actions": 2})
    table.roll(3, 3)
    table.turn(Turn.ADD, who="Late", side="npc", rank=(1,))  # somebody who comes later
    assert (table.now(rook).done, table.now(rook).declared("actions", 1)) == (1, 2)
    table.undo(4)
    assert (table.now(rook).done, table.now(axe).done) == (1, 1)


@pytest.mark.parametrize(("game", "skill"), [("narrative", "Cool"), ("heroic", "Vigilance")])
def test_maneuvers_made_before_a_fight_are_none_of_its_first_turn(table: Played, game: str, skill: str) -> None:
    table.choose(game)
    forms = {"narrative": OSKARA, "heroic": BRAND}
    ann, bo = (table.add(name, game, "player", **forms[game]) for name in ("Ann", "Bo"))
    for one in (ann, bo):
        table.set_to(one, maneuvers=2)
    table.turn(Turn.CALL, who="all", skill=skill)
    for left in (0, 0):  # the fight begins with the first of the two
        table.throw(*[(kind, ()) for kind, n in table.dice().items() for _ in range(n)])
        assert [table.now(one).value("maneuvers") for one in (ann, bo)] == [left, left]
        table.set_to(ann, maneuvers=1)
        table.set_to(ann, maneuvers=0)
    table.act("maneuver", ann)
    table.turn(Turn.ADD, who="Late", side="npc", rank=(0,))
    assert table.now(ann).value("maneuvers") == 1
    table.undo(7)
    assert [table.now(one).value("maneuvers") for one in (ann, bo)] == [0, 0]
    table.undo()
    assert [table.now(one).value("maneuvers") for one in (ann, bo)] == [2, 2]
