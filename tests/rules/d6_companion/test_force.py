from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.rules.code import Code
from tableside.rules.d6_companion.force import (
    injury,
    learning_weeks,
    lifting,
    power_codes,
    power_difficulty,
    training_cost,
    will_result,
)
from tableside.rules.d6_companion.gear import (
    find_price,
    hyperdrive_points,
    improvement_points,
    pip_number,
    technology_band,
)
from tableside.rules.d6_companion.powers import POWERS, RESIST, find_power
from tableside.rules.d6_companion.rolls import BANDS


def test_without_a_better_teacher_a_pip_costs_twice() -> None:
    skill = Code.of("7D+1")
    assert training_cost(skill, Code.of("7D+2")) == 7
    assert training_cost(skill, Code.of("7D+1")) == training_cost(skill, None) == 14


def test_learning_takes_a_week_at_least() -> None:
    assert [learning_weeks(points) for points in (0, 4, 9, 50)] == [10, 6, 1, 1]


def test_other_actions_lower_a_power_too() -> None:
    codes = power_codes({"control": Code.of("4D"), "sense": Code.of("3D+1")}, 1)
    assert {name: str(code) for name, code in codes.items()} == {"control": "2D", "sense": "1D+1"}


def test_a_mastered_power_is_no_harder() -> None:
    assert power_difficulty(11, mastered=True) == 11


@given(st.integers(0, 60), st.integers(0, 60))
def test_less_than_the_target_injures_nobody(alter: int, target: int) -> None:
    assert (injury(alter, target) == "no_effect") is (alter < target)


@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_a_heavier_thing_is_never_easier_to_lift(one: float, other: float) -> None:
    bands = ("very_easy", "easy", "moderate", "difficult")
    light, heavy = (lifting(mass) for mass in sorted((one, other)))
    assert (bands.index(light[0]), light[1]) <= (bands.index(heavy[0]), heavy[1])


@given(st.integers(0, 60), st.integers(1, 30), st.integers(0, 30))
def test_only_an_attack_that_is_blocked_wears_the_will_down(attack: int, difficulty: int, will: int) -> None:
    result, penalty = will_result(attack, difficulty=difficulty, will_roll=will)
    assert (penalty == 1) is (result == "blocked_and_weakened")


@given(st.integers(0, 8), st.integers(1, 5), st.integers(1, 5))
def test_pips_bought_together_cost_what_they_cost_one_by_one(dice: int, first: int, more: int) -> None:
    code = Code(dice=dice)
    after = Code(dice=dice + first // 3, pips=first % 3)
    together = improvement_points(code, first + more)
    assert together == improvement_points(code, first) + improvement_points(after, more)


def test_pips_are_numbered_from_the_original_code() -> None:
    assert [pip_number(Code.of("4D"), Code.of(code)) for code in ("4D", "4D+2", "5D")] == [1, 3, 4]


def test_beyond_the_fifth_pip_it_grows_no_harder() -> None:
    assert technology_band(5) == technology_band(12) == "very_difficult"


def test_every_need_of_a_power_is_a_band_a_roll_or_a_number() -> None:
    for name, power in POWERS.items():
        needs = [need for need in (power.control, power.sense, power.alter) if need]
        assert needs, name
        bands = {band for need in needs for _, band in need.cases}
        assert bands <= {*BANDS, RESIST, "+5"}, name


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: lifting(-1), "a mass of -1 kg"),
        (lambda: lifting(float("inf")), "a mass of inf kg"),
        (lambda: lifting(float("nan")), "a mass of nan kg"),
        (lambda: improvement_points(Code(dice=1), 0), "Buy at least one"),
        (lambda: technology_band(0), "pip 0"),
        (lambda: hyperdrive_points("x4", "x1"), "The steps are x4 to x3"),
        (lambda: find_power("emptyness"), "Did you mean emptiness"),
        (lambda: find_price("capitol"), "Did you mean capital"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()  # type: ignore[operator]
