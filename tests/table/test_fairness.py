"""Fairness by chi-square against a slow obvious oracle, and luck by standard error."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableside.dice import find_sets
from tableside.table.shown import chi_square_tail, exact_p, fairness_of, luck_of

NARRATIVE, PIPS = find_sets(["narrative"])[0], find_sets(["pips"])[0]


def slow_p(seen: list[int], weights: list[int]) -> float:
    """Go through every sequence of throws."""

    def uneven(counts: list[int]) -> Fraction:
        return sum((Fraction(n * n, w) for n, w in zip(counts, weights, strict=True)), Fraction())

    target, ways = uneven(seen), 0
    for sequence in product(range(len(seen)), repeat=sum(seen)):
        counts = Counter(sequence)
        if uneven([counts[face] for face in range(len(seen))]) >= target:
            ways += math.prod(weights[face] for face in sequence)
    return ways / sum(weights) ** sum(seen)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3)), min_size=2, max_size=4))
def test_p_is_what_going_through_all_ways_gives(pairs: list[tuple[int, int]]) -> None:
    seen, weights = [n for n, _ in pairs], [w for _, w in pairs]
    while len(seen) ** sum(seen) > 5000:
        seen[seen.index(max(seen))] -= 1
    if sum(seen):
        assert exact_p(seen, weights) == pytest.approx(slow_p(seen, weights), abs=1e-12)


@pytest.mark.parametrize(
    ("value", "freedom", "tail"),
    # NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.4
    [(3.841, 1, 0.05), (5.991, 2, 0.05), (9.488, 4, 0.05), (11.070, 5, 0.05), (24.725, 11, 0.01), (43.820, 19, 0.001)],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(value: float, freedom: int, tail: float) -> None:
    assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=0.001)


def test_both_ways_meet_where_one_takes_over() -> None:
    seen = [12, 8, 11, 7, 13, 9]
    exact = exact_p(seen, [1] * 6)
    assert exact == pytest.approx(chi_square_tail(sum((n - 10) ** 2 / 10 for n in seen), 5), abs=0.02)


def test_even_throws_are_nothing_odd_and_a_loaded_die_is_named() -> None:
    pip = PIPS.type("pip")
    fair = fairness_of(pip, {(str(n),): 40 for n in range(1, 7)})
    assert (fair.words, fair.p) == ("Nothing odd in 240 throws.", 1.0)
    loaded = fairness_of(pip, {("6",): 20, ("1",): 2, ("3",): 3})
    assert loaded.is_exact
    assert loaded.words.startswith("Odd in 25 throws: 6 came 20 times where 4 are usual.")
    assert fairness_of(pip, {}).words == "Not thrown yet."


def test_faces_that_a_die_has_twice_are_expected_twice_as_often() -> None:
    ability = NARRATIVE.type("ability")
    expected = {face: share for face, _, share in fairness_of(ability, {(): 8}).counts}
    assert expected[("success",)] == 2
    assert expected[()] == 1
    assert sum(expected.values()) == 8


def test_what_many_dice_do_by_chance_is_not_called_odd() -> None:
    pip = PIPS.type("pip")
    counts = {("6",): 9, ("1",): 2, ("3",): 3, ("2",): 2, ("4",): 2, ("5",): 1}
    p = fairness_of(pip, counts).p
    assert p * 2 > 0.01
    assert fairness_of(pip, counts, compared=20).words == "Nothing odd in 19 throws."


def test_luck_is_told_in_standard_errors_and_small_samples_are_chance() -> None:
    thrown = {"Vex": {"pip": {("6",): 4}}, "Jax": {"pip": {("6",): 40}}}
    luck = {one.player: one for one in luck_of(thrown, PIPS.types)}
    error = math.sqrt(4 * 35 / 12)  # a die's variance is 35/12
    assert luck["Vex"].errors == pytest.approx((24 - 14) / error)
    assert luck["Vex"].words == "lucky"
    assert luck["Jax"].words == "very lucky"
    (one,) = luck_of({"": {"pip": {("6",): 1, ("1",): 1}}}, PIPS.types)
    assert (one.errors, one.words) == (0, "as expected")


def test_symbols_are_measured_by_net_success_and_net_advantage() -> None:
    found = {one.of: one for one in luck_of({"": {"ability": {("success",): 8}}}, NARRATIVE.types)}
    assert (found["net success"].total, found["net success"].expected) == (8, 5)
    assert (found["net advantage"].total, found["net advantage"].expected) == (0, 5)
