"""Rules that a call, an act or a purchase brings to the table: fear, care, the Force, ships, stun."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tableside.dice import Die
from tableside.errors import GameError
from tableside.rules import find_game
from tableside.rules.characters import Opposed, fill_answers, perform_act
from tableside.rules.game import Outcome
from tableside.rules.people import Effect, Gauge, Person, PersonKind, Skill
from tests.rules.asks import symbols

GAME = find_game("narrative")
OSKARA = GAME.characters.check(
    Person(
        id="o",
        name="Oskara",
        game="narrative",
        skills=(Skill(name="Discipline", ask={"characteristic": 2, "skill": 1, "skill_used": "discipline"}),),
        trackers={"wounds": Gauge(value=4, most=12), "strain": Gauge(value=5, most=11), "committed": Gauge(most=3)},
    )
)


def moved(outcome: Outcome) -> list[tuple[str, int | None, str]]:
    return [(one.tracker, one.change if one.set is None else one.set, one.on) for one in outcome.effects]


def done(person: Person, *acts: str) -> Person:
    for act in acts:
        person = perform_act(GAME.characters, person, act, {}).person
    return person


def called(person: Person, **ask: Any) -> dict[str, int]:
    wanted = GAME.tray(
        fill_answers(GAME.characters, person, ask=ask, skill="Discipline" if ask["purpose"] != "force" else "").answers
    )
    return dict(wanted.dice) if wanted else {}


def test_a_failed_fear_check_frightens_and_a_despair_terrifies() -> None:
    # F against S: 0, no success. F and De against S: -1
    easy = {"purpose": "fear", "difficulty": "easy", "dice": {"ability": 1}}
    assert moved(GAME.play((symbols("ability:success difficulty:failure"),), easy)) == [("fear", 1, "roller")]
    red = {"purpose": "fear", "dice": {"ability": 1, "challenge": 1}}
    frightened = GAME.play((symbols("ability:success challenge:despair"),), red)
    assert (frightened.headline, moved(frightened)) == ("Terrified", [("fear", 2, "roller")])
    assert moved(GAME.play((symbols("ability:success challenge:"),), red)) == []


def test_fear_lies_in_each_check_until_the_encounter_ends() -> None:
    # 2 and 1: 1 A 1 P; the terrified have 1 K and 1 D more
    terrified = GAME.characters.apply_effect(OSKARA, Effect(tracker="fear", set=2))
    assert called(terrified, purpose="check") == {"ability": 1, "proficiency": 1, "setback": 1, "difficulty": 1}
    assert called(done(terrified, "encounter"), purpose="check") == {"ability": 1, "proficiency": 1}


@pytest.mark.parametrize(("wounds", "dice"), [(6, 1), (7, 2), (12, 2), (13, 3)])
def test_the_wounds_of_a_patient_are_the_difficulty(wounds: int, dice: int) -> None:
    # up to half of 12 easy, beyond the threshold hard
    patient = GAME.characters.apply_effect(OSKARA, Effect(tracker="wounds", set=wounds))
    ask = fill_answers(
        GAME.characters, OSKARA, skill="Discipline", opposed=Opposed(target=patient), ask={"purpose": "medicine"}
    ).answers
    wanted = GAME.tray(ask)
    assert dict(wanted.dice)["difficulty"] == dice


def test_care_heals_wounds_by_successes_and_strain_by_advantages() -> None:
    # S S + S Av - Th: 3 successes, 0 advantages; with another Av Av 2 advantages
    thrown = symbols("ability:success,success ability:success,advantage ability:advantage,advantage difficulty:threat")
    ask = {"purpose": "medicine", "dice": {"ability": 3, "difficulty": 1}}
    (care,) = GAME.play((thrown,), ask).effects
    assert [(one.tracker, one.change) for one in (care, *care.also)] == [("wounds", -3), ("strain", -2)]
    assert moved(GAME.play((symbols("ability:success,success"),), {"purpose": "recover"})) == [("strain", -2, "roller")]


def test_a_stun_setting_makes_the_damage_strain() -> None:
    ask = {"purpose": "attack", "weapon": "holdout_blaster", "stun": True, "soak": 2}
    assert moved(GAME.play((symbols("ability:success"),), ask)) == [("strain", 4, "target")]  # 5 + 1 - 2


def test_committed_force_dice_are_not_thrown() -> None:
    assert called(OSKARA, purpose="force") == {"force": 3}
    committed = done(OSKARA, "commit", "commit")
    assert called(committed, purpose="force") == {"force": 1}
    assert called(done(committed, "release"), purpose="force") == {"force": 2}
    with pytest.raises(GameError, match=r"no Force die is free\. The Force rating is 3\."):
        done(committed, "commit", "commit")


def test_dark_points_cost_strain_and_conflict_and_the_first_a_point_of_destiny() -> None:
    thrown = [Die(type="force", face=("light", "light")), Die(type="force", face=("dark", "dark"))]
    ask: dict[str, Any] = {"purpose": "force", "force": 2}
    for points, costs in ((2, ["strain", "conflict", "light"]), (3, ["strain", "conflict"]), (4, None)):
        outcome = GAME.play((thrown,), ask)
        assert outcome.headline == f"{points} Force points"
        offered = GAME.spends(outcome, ask)
        if costs is None:
            assert offered == ()
            continue
        assert [effect.tracker for effect in offered[0].gives.effects] == costs
        ask |= dict(offered[0].sets)
    dark = {"purpose": "force", "force": 2, "dark_side": True}
    assert [one.prices for one in GAME.spends(GAME.play((thrown,), dark), dark)] == [(("light", 1),)]


def test_threats_and_despairs_are_spent_on_ships() -> None:
    ask = {"dice": {"challenge": 2}, "spending": "starship", "in_fight": True}
    rolled = GAME.play((symbols("challenge:threat,threat challenge:despair"),), ask)
    names = {one.name: one for one in GAME.spends(rolled, ask)}
    assert {"suffer_system_strain", "boost_target_next", "minor_collision"} <= names.keys()
    assert names["drop_in_order"].prices == (("despair", 1),)
    assert {one.by for one in names.values()} == {"gm"}
    ship = GAME.characters.check(Person(id="s", name="Ship", game="narrative", kind=PersonKind.THING))
    outcome = GAME.play((symbols("challenge:threat"),), {"dice": {"challenge": 1}, "spending": "starship"})
    spend = next(one for one in GAME.spends(outcome, {"spending": "starship"}) if one.name == "suffer_system_strain")
    (effect,) = spend.gives.effects
    assert GAME.characters.apply_effect(ship, effect).value("system_strain") == 1
    assert GAME.characters.apply_effect(OSKARA, effect) == OSKARA  # who flies is not the ship


def test_a_second_maneuver_costs_two_strain_and_there_is_no_third() -> None:
    twice = done(OSKARA, "maneuver", "maneuver")
    assert (twice.value("maneuvers"), twice.value("strain")) == (2, 7)
    with pytest.raises(GameError, match="no third maneuver"):
        done(twice, "maneuver")
    assert done(twice, "turn", "maneuver").value("maneuvers") == 1


def test_stimpacks_heal_less_each_time_until_the_next_night() -> None:
    shot = GAME.play((symbols("ability:success"),), {"purpose": "attack", "damage": 7})
    hurt = GAME.characters.apply_effect(OSKARA, shot.effects[0])
    assert hurt.value("wounds") == 12  # 4 + 7 + 1
    assert done(hurt, "stimpack", "stimpack").value("wounds") == 3  # less 5, less 4
    with pytest.raises(GameError, match="there is no wound"):
        done(hurt, *["stimpack"] * 4)  # 5 + 4 + 3 healed all 12
    worse = GAME.characters.apply_effect(hurt, shot.effects[0])
    with pytest.raises(GameError, match="no stimpack helps any more today"):
        done(worse, *["stimpack"] * 6)
    rested = done(hurt, "stimpack", "night")
    assert (rested.value("wounds"), rested.value("strain"), rested.value("stimpacks")) == (6, 0, 0)


def offered(faces: str, **ask: Any) -> set[str]:
    thrown = symbols(faces)
    ask = {"dice": dict(Counter(die.type for die in thrown)), **ask}
    return {spend.name for spend in GAME.spends(GAME.play((thrown,), ask), ask)}


def test_a_check_buys_the_few_things_that_make_sense_for_it() -> None:
    well = "ability:success,advantage ability:advantage,advantage proficiency:triumph difficulty:"
    badly = "ability: challenge:despair difficulty:threat,threat"
    charm = offered(well, skill_used="charm")
    assert charm == {
        "recover_strain", "boost_next_ally", "notice_point", "setback_target_next", "boost_any_ally_next",
        "upgrade_difficulty_target_next", "upgrade_ally_next",
    }  # fmt: skip
    assert offered(well, skill_used="charm", in_fight=True) - charm == {
        "free_maneuver", "ignore_surroundings", "defense_up", "something_vital",
    }  # fmt: skip
    assert offered(badly, skill_used="charm") == {
        "suffer_strain", "boost_target_next", "setback_own_side_next", "upgrade_difficulty_own_side_next",
    }  # fmt: skip
    assert "tool_damaged" in offered(badly, skill_used="computers")
    armed = {"purpose": "attack", "attack": "melee", "damage": 5, "critical": 3, "difficulty": "simple"}
    assert {"critical_hit", "target_drops_weapon"} <= offered(well, **armed)
    miss = {**armed, "critical": 1}
    assert "critical_hit" not in offered("ability: difficulty:failure proficiency:advantage,advantage", **miss)
