from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.errors import GameError
from tableside.games.d6_companion import GAME
from tableside.games.d6_companion.force import learning_weeks, lifting, needs_of, training_cost
from tableside.games.d6_companion.gear import pip_number, pip_points
from tableside.games.d6_companion.powers import POWERS, RESIST
from tableside.games.d6_companion.rolls import BANDS
from tableside.rules.code import Code
from tests.rules.asks import pips

CLUMSY = {"purpose": "power", "power": "affect mind", "control": "2D", "case_control": "perceptions", "resist": 9}


def test_without_a_better_teacher_a_pip_costs_twice() -> None:
    skill = Code.of("7D+1")
    assert training_cost(skill, Code.of("7D+2")) == 7
    assert training_cost(skill, Code.of("7D+1")) == training_cost(skill, None) == 14


def test_learning_takes_a_week_at_least() -> None:
    assert [learning_weeks(points) for points in (0, 4, 9, 50)] == [10, 6, 1, 1]


def test_other_actions_lower_a_power_too() -> None:
    ask = {
        "purpose": "power",
        "power": "projective telepathy",
        "control": "4D",
        "sense": "3D+1",
        "case_sense": "willing",
    }
    assert GAME.odds(ask | {"actions": 2}).pool == "2D, 1D+1"


@pytest.mark.parametrize("power", POWERS)
def test_the_odds_of_a_power_are_those_of_its_rolls_together(power: str) -> None:
    needs = needs_of(POWERS[power])
    ask = {"purpose": "power", "power": power, "resist": 12, "kg": 5, **dict.fromkeys(needs, "4D")}
    ask |= {
        f"case_{skill}": need.cases[-1][0] for skill, need in needs.items() if len(need.cases) > 1 and need.by != "mass"
    }
    chances = dict(GAME.odds(ask).chances)
    product = Fraction(1)
    for skill in needs:
        product *= chances[skill]
    assert chances["success"] == product
    throws = [pips(*[6] * (5 - len(needs)))] * len(needs)
    best = GAME.play(throws, ask | {"pips": 99})
    assert best.succeeded
    assert any(effect.tracker == "dark_side_points" for effect in best.effects) is POWERS[power].dark_side_point
    worst = GAME.play(throws[:1], ask | {"pips": -99})
    assert (worst.succeeded, worst.awaits) == (False, None)
    if len(needs) > 1:
        waiting = GAME.play(throws[:1], ask | {"pips": 99})
        assert (waiting.succeeded, waiting.awaits.count) == (None, 5 - len(needs))


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_a_heavier_thing_is_never_easier_to_lift(one: int, other: int) -> None:
    bands = ("very_easy", "easy", "moderate", "difficult")
    light, heavy = (lifting(mass) for mass in sorted((one, other)))
    assert (bands.index(light[0]), light[1]) <= (bands.index(heavy[0]), heavy[1])


@given(st.integers(0, 8), st.integers(0, 2), st.booleans())
def test_a_pip_costs_the_dice_of_its_code_and_one_at_least(dice: int, more: int, enhancing: bool) -> None:
    points = pip_points(Code(dice=dice, pips=more), enhancing=enhancing, dexterity_kept=False)
    assert points == max(dice, 1) + 3 * enhancing
    assert pip_points(Code(dice=dice), enhancing=enhancing, dexterity_kept=True) == 2 * (max(dice, 1) + 3 * enhancing)


def test_pips_are_numbered_from_the_original_code() -> None:
    assert [pip_number(Code.of("4D"), Code.of(code)) for code in ("4D", "4D+2", "5D")] == [1, 3, 4]


def test_beyond_the_fifth_pip_it_grows_no_harder() -> None:
    ask = {"purpose": "technology", "code": "9D", "original": "4D"}
    hard = [GAME.play((pips(*[6] * 9),), ask | {"device": code}).difficulty for code in ("5D+1", "5D+2", "7D")]
    assert hard == [21, 21, 21]


def test_specialists_cost_twice_but_not_for_the_largest() -> None:
    ask = {"purpose": "technology", "code": "9D", "device": "4D", "hired": True}
    said = [GAME.play((pips(*[6] * 9),), ask | {"device_scale": scale}).sentence for scale in ("speeder", "capital")]
    assert ["800 credits" in said[0], "4000000 credits" in said[1]] == [True, True]


def test_every_need_of_a_power_is_a_band_a_roll_or_a_number() -> None:
    for name, power in POWERS.items():
        needs = [need for need in (power.control, power.sense, power.alter) if need]
        assert needs, name
        bands = {band for need in needs for _, band in need.cases}
        assert bands <= {*BANDS, RESIST, "+5"}, name


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: GAME.tray({"purpose": "power"}), "no power was chosen"),
        (lambda: GAME.tray({"purpose": "power", "power": "shift sense"}), "no code for Sense"),
        (lambda: GAME.tray(CLUMSY), "no die is left"),
        (lambda: GAME.tray(CLUMSY | {"control": "4D", "sense": "3D", "alter": "3D"}), "no case for Alter"),
        (lambda: GAME.tray({"purpose": "power", "power": "telekinesis", "alter": "3D"}), "no mass was given"),
        (lambda: GAME.tray({"purpose": "power", "power": "injure/kill", "alter": "3D"}), "has not resisted"),
        (lambda: GAME.tray({"purpose": "technology", "code": "9D"}), "the device has no code"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()
