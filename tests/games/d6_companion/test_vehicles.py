from __future__ import annotations

import operator
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableside.dice import Die
from tableside.errors import GameError
from tableside.games.d6_companion.movement import COLLISIONS, MOVERS, lost_actions, ram, reserved_actions
from tableside.games.d6_companion.ships import (
    SHIP_DAMAGE,
    WEAPON_RANGES,
    light_damage_effect,
    ship_damage_row,
    weapon_class,
)
from tableside.rules import find_game
from tableside.rules.code import Code
from tests.rules.asks import pips

GAME = find_game("d6-companion")


def test_a_faster_collision_hurts_more() -> None:
    for rows in COLLISIONS.values():
        dice = [row.damage.dice for row in rows]
        assert dice == sorted(set(dice))


def test_collision_rows_leave_no_gap_in_speed() -> None:
    for rows in COLLISIONS.values():
        for row, following in pairwise(rows):
            assert (row.most or 0) + 1 == following.least
            assert (row.most_kmh or 0) + 1 == following.least_kmh


def test_half_a_move_is_half_of_a_move() -> None:
    assert all(2 * mover.half == mover.full for mover in MOVERS.values())


def test_on_foot_the_skill_is_thrown_alone() -> None:
    assert GAME.odds({"purpose": "movement", "code": "5D+2"}).pool == "5D+2"


@given(st.integers(0, 40), st.integers(0, 6))
def test_no_more_actions_are_lost_than_were_declared(missed_by: int, declared: int) -> None:
    assert 0 <= lost_actions(missed_by, declared) <= declared


def test_a_maneuver_reserves_three_actions_at_most() -> None:
    assert [reserved_actions(times) for times in (0, 1, 3, 9)] == [0, 1, 3, 3]


def test_a_rammer_of_three_times_the_total_destroys_at_once() -> None:
    assert ram(4).vehicle == ram(3).vehicle == "destroyed"


@given(st.integers(0, 80), st.integers(1, 40))
def test_more_damage_never_does_a_ship_less(damage: int, hull: int) -> None:
    assert SHIP_DAMAGE.index(ship_damage_row(damage + 1, hull)) >= SHIP_DAMAGE.index(ship_damage_row(damage, hull))


@pytest.mark.parametrize(
    ("damage", "hull", "at_least", "more_than"),
    [
        (12, 25, "2xDR<SR: no effect", "2xDR<SR: no effect"),
        (12, 24, "DR<SR: lightly damaged", "DR<=SR: lightly damaged"),
        (12, 12, "DR>=SR: heavily damaged", "DR<=SR: lightly damaged"),
        (12, 11, "DR>=SR: heavily damaged", "DR>SR: heavily damaged"),
        (12, 6, "DR>=2xSR: severely damaged", "DR>SR: heavily damaged"),
        (12, 5, "DR>=2xSR: severely damaged", "DR>2xSR: severely damaged"),
        (12, 4, "DR>=3xSR: destroyed", "DR>2xSR: severely damaged"),
        (12, 3, "DR>=3xSR: destroyed", "DR>3xSR: destroyed"),
    ],
)
def test_what_damage_that_just_reaches_a_row_does_is_a_setting_and_the_step_is_true(
    damage: int, hull: int, at_least: str, more_than: str
) -> None:
    game, dice = find_game("d6-companion"), [Die(type="pip", face=("6",))] * 2
    ask = {"code": "2D", "purpose": "ship_damage", "against": hull}
    for chart, condition in ((None, more_than), ("at_least", at_least), ("more_than", more_than)):
        outcome = game.play((dice,), ask | ({"ship_chart": chart} if chart else {}))
        words, result = condition.split(": ")
        step = next(step.text for step in outcome.steps if step.rule == "starship_damage")
        assert step == f"{damage} against {hull}, {words}: {result}."
        assert outcome.headline == result.capitalize()
    assert game.form.field("ship_chart", game=game.name).is_setting


@pytest.mark.parametrize("strict", [False, True])
@given(damage=st.integers(0, 80), hull=st.integers(1, 40))
def test_what_is_told_of_a_row_is_true(strict: bool, damage: int, hull: int) -> None:
    condition = ship_damage_row(damage, hull, strict=strict).condition(strict=strict)
    left, sign, right = re.fullmatch(r"(\w+?)(<=|>=|<|>)(\w+)", condition).groups()

    def value(name: str) -> int:
        factor, _, which = name.rpartition("x")
        return int(factor or 1) * (damage if which == "DR" else hull)

    compare = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}[sign]
    assert compare(value(left), value(right))


@settings(max_examples=20)
@given(st.integers(1, 30), st.integers(0, 30))
def test_a_better_attack_never_meets_more_shields(difficulty: int, shields: int) -> None:
    worst_first = ["failure", "add to the hull", "the hull alone"]
    ask = {"code": "1D", "difficulty": difficulty, "shields": shields}
    said = [GAME.play((pips(1),), ask | {"pips": attack - 1}).sentence for attack in range(70)]
    results = [next(place for place, words in enumerate(worst_first) if words in sentence) for sentence in said]
    assert results == sorted(results)


def test_a_combat_evasion_disturbs_nobody() -> None:
    outcome = GAME.play((pips(6, 6),), {"code": "2D", "purpose": "evasion"})
    assert outcome.effects == ()
    full = GAME.play((pips(6, 6),), {"code": "2D", "purpose": "evasion", "full_reaction": True})
    assert [effect.lasts and effect.lasts.ask for effect in full.effects] == [{"own_evasion": 12}]


def test_light_damage_costs_a_generator_where_shields_worked() -> None:
    assert light_damage_effect(shields_effective=True) == "lose_shield_generator"


def test_pips_do_not_change_the_class_of_a_weapon() -> None:
    assert [weapon_class(Code.of(text)) for text in ("2D+2", "4D+2", "5D")] == ["light", "medium", "heavy"]


def test_every_distance_has_one_band_and_nothing_lies_beyond() -> None:
    for ranges in WEAPON_RANGES.values():
        assert ranges.band(ranges.short[0] - 1) is None
        assert ranges.band(ranges.short[1]) == "short"
        if ranges.long and ranges.medium:
            assert (ranges.band(ranges.medium[1]), ranges.band(ranges.long[1])) == ("medium", "long")
            assert ranges.band(ranges.long[1] + 1) is None


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        ({"purpose": "collision", "mover": "walker", "speed_actions": 5}, "The chart has no row for that"),
        ({"purpose": "collision", "mover": "walker", "kmh": 9}, "9 km/h"),
        ({"purpose": "movement", "code": "9D", "add": "2D+1", "speed_actions": 4}, "2D\\+1 allows 3"),
        ({"code": "3D", "mounted": "speeder", "metres": 60}, "the gun has no damage code"),
        ({"code": "3D", "mounted": "capital_turbolaser", "metres": 4999}, "It reaches from 5000 to 150000 m"),
        ({"purpose": "astrogation", "code": "3D", "difficulty": 9, "hours": 5, "hours_saved": 5}, "save at most 4"),
    ],
)
def test_what_the_rules_do_not_allow_is_named(ask: dict[str, object], message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.play((pips(1, 1, 1),), ask)
