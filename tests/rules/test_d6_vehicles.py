from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.rules.d6_code import Code
from tableside.rules.d6_companion_movement import (
    COLLISIONS,
    MOVERS,
    collision,
    find_mover,
    lost_actions,
    movement_code,
    ram,
    reserved_actions,
)
from tableside.rules.d6_companion_ships import (
    SHIP_DAMAGE,
    WEAPON_RANGES,
    evasion_effects,
    light_damage_effect,
    most_hours_saved,
    shield_result,
    ship_damage_row,
    weapon_class,
    weapon_ranges,
)


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
    assert str(movement_code(Code.of("5D+2"), None, actions=1)) == "5D+2"


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


@given(st.integers(1, 30), st.integers(0, 30))
def test_a_better_attack_never_meets_more_shields(difficulty: int, shield_roll: int) -> None:
    worst_first = ["miss", "hit_shields_add_to_hull", "hit_hull_only"]
    results = [shield_result(attack, difficulty=difficulty, shield_roll=shield_roll) for attack in range(70)]
    assert results == sorted(results, key=worst_first.index)


def test_a_combat_evasion_disturbs_nobody() -> None:
    effects = evasion_effects(12, full=False)
    assert (effects.own_gunners, effects.other_actions, effects.shield_rolls) == (0, 0, 0)


def test_light_damage_costs_a_generator_where_shields_worked() -> None:
    assert light_damage_effect(shields_effective=True) == "lose_shield_generator"


def test_an_hour_of_a_journey_always_remains() -> None:
    assert (most_hours_saved(5), most_hours_saved(1)) == (4, 0)


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
    ("act", "message"),
    [
        (lambda: find_mover("wlaker"), "Did you mean walker"),
        (lambda: collision("walker", 5), "collision of a walker: 5 speed actions"),
        (lambda: collision("speedr", 1), "Did you mean speeder"),
        (lambda: ram(0), "nobody was rammed"),
        (lambda: weapon_ranges("capital", "turbolasr"), "Did you mean capital turbolaser"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()  # type: ignore[operator]
