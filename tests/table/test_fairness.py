"""Fairness by chi-square against a slow obvious oracle, and luck by standard error."""

from __future__ import annotations

import math

import pytest

from tableside.dice import find_sets
from tableside.table.shown import chi_square_tail, fairness_of, luck_of

NARRATIVE, PIPS = find_sets(["narrative"])[0], find_sets(["pips"])[0]


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    # NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.4
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (9.488, 4, 0.05), (11.070, 5, 0.05), (24.725, 11, 0.01), (43.820, 19, 0.001)],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(value: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=0.001)


def test_even_throws_are_nothing_odd_and_a_loaded_die_is_named() -> None:
    pip = PIPS.type("pip")
    fair = fairness_of(pip, {(str(n),): 40 for n in range(1, 7)})
    assert (fair.sentence, fair.p) == ("Nothing odd in 240 throws.", 1.0)
    loaded = fairness_of(pip, {("6",): 25, ("1",): 2, ("3",): 3})
    assert loaded.sentence.startswith("Odd in 30 throws: 6 came 25 times where 5 are usual.")
    assert fairness_of(pip, {}).sentence == "Not thrown yet."


def test_few_throws_say_nothing_however_odd_they_look() -> None:
    pip = PIPS.type("pip")
    few = fairness_of(pip, {("6",): 29})
    assert (few.p, few.sentence) == (None, "29 throws are too few to say.")
    assert fairness_of(pip, {("6",): 30}).p == pytest.approx(0, abs=1e-20)
    ability = NARRATIVE.type("ability")  # of eight sides one is blank: 40 throws of it for 5
    assert fairness_of(ability, {(): 39}).p is None
    assert fairness_of(ability, {(): 40}).p is not None


def test_faces_that_a_die_has_twice_are_expected_twice_as_often() -> None:
    ability = NARRATIVE.type("ability")
    expected = {one.face: one.expected for one in fairness_of(ability, {(): 8}).faces}
    assert expected[("success",)] == 2
    assert expected[()] == 1
    assert sum(expected.values()) == 8


def test_what_many_dice_do_by_chance_is_not_called_odd() -> None:
    pip = PIPS.type("pip")
    counts = {("6",): 15, ("1",): 6, ("3",): 3, ("2",): 5, ("4",): 2, ("5",): 5}
    p = fairness_of(pip, counts).p
    assert p is not None
    assert 0.001 < p < 0.01
    assert fairness_of(pip, counts).sentence.startswith("Uneven in 36 throws: 6 came 15 times")
    assert fairness_of(pip, counts, compared=20).sentence == "Nothing odd in 36 throws."


def test_luck_is_told_in_standard_errors_and_small_samples_are_chance() -> None:
    thrown = {"Vex": {"pip": {("6",): 4}}, "Jax": {"pip": {("6",): 40}}}
    luck = {one.player: one for one in luck_of(thrown, PIPS.types)}
    error = math.sqrt(4 * 35 / 12)  # a die's variance is 35/12
    assert luck["Vex"].errors == pytest.approx((24 - 14) / error)
    assert luck["Vex"].sentence == "lucky"
    assert luck["Jax"].sentence == "very lucky"
    (one,) = luck_of({"": {"pip": {("6",): 1, ("1",): 1}}}, PIPS.types)
    assert (one.errors, one.sentence) == (0, "as expected")


def test_symbols_are_measured_by_net_success_and_net_advantage() -> None:
    found = {one.of: one for one in luck_of({"": {"ability": {("success",): 8}}}, NARRATIVE.types)}
    assert (found["net success"].total, found["net success"].expected) == (8, 5)
    assert (found["net advantage"].total, found["net advantage"].expected) == (0, 5)
