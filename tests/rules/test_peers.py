"""Agreement with public packages that know nothing of this one; they are needed for these tests only."""

from __future__ import annotations

from math import prod

import pytest

from tableside.dice import find_sets
from tableside.games.narrative.odds import odds_of
from tableside.games.narrative.pool_text import parse_pool
from tableside.rules import find_game
from tableside.rules.odds import PLAIN, capped_die, totals
from tools.bench.rules import POOL_14, POOL_24, icepool_odds

icepool = pytest.importorskip("icepool", reason="icepool is not installed; it is in the dev extra")
eote = pytest.importorskip("dice", reason="eote-dice is not installed; it is in the dev extra")

(NARRATIVE,) = find_sets(["narrative"])
COLOURS = {"boost": "b", "ability": "g", "proficiency": "y", "setback": "k", "difficulty": "p", "challenge": "r"}
POOLS = ["1a", "1p", "1b", "1d", "1c", "1k", "1a 2p 2d", "2a 1p 2d 3k", "3p 2b 3c 1k", "4a 4d", "2p 2c 2b 2k"]


@pytest.mark.parametrize("text", POOLS)
def test_joint_odds_are_those_of_icepool(text: str) -> None:
    pool = parse_pool(text)
    ours, theirs = odds_of(pool), icepool_odds(icepool, pool)
    scale = ours.denominator // theirs.denominator()
    assert {tuple(cell): count * scale for cell, count in theirs.items()} == dict(ours.joint)


@pytest.mark.parametrize("text", POOLS)
def test_chances_are_those_of_eote_dice(text: str) -> None:
    pool = parse_pool(text)
    chances = odds_of(pool).chances()
    theirs = eote.DicePool.from_string("".join(COLOURS[name] * count for name, count in pool.items()))
    # Their cutoff is the least that counts, whatever the name says.
    assert float(chances["success"]) == pytest.approx(theirs.probability_above(success_cutoff=1), abs=1e-12)
    assert float(chances["advantage"]) == pytest.approx(theirs.probability_above(advantage_cutoff=1), abs=1e-12)
    assert 1 - float(chances["threat"]) == pytest.approx(theirs.probability_above(advantage_cutoff=0), abs=1e-12)
    assert float(chances["triumph"]) == pytest.approx(theirs.probability_above(triumph_cutoff=1), abs=1e-12)
    assert float(chances["despair"]) == pytest.approx(theirs.probability_above(despair_cutoff=1), abs=1e-12)


@pytest.mark.parametrize("name", COLOURS)
def test_each_die_has_as_many_sides_as_theirs(name: str) -> None:
    assert len(NARRATIVE.type(name).faces) == eote.dice_from_color_char(COLOURS[name]).num_sides()


@pytest.mark.parametrize(("count", "cap", "taken"), [(3, 6, 0), (5, 4, 0), (4, 6, 2), (6, 3, 4)])
def test_totals_are_those_of_icepool(count: int, cap: int, taken: int) -> None:
    capped = icepool.Die([face if face <= cap else 0 for face in range(1, 7)])
    theirs = count @ capped - taken @ icepool.d6
    ours = totals((capped_die(cap), count)).less(totals((PLAIN, taken)))
    assert dict(ours.ways) == {total: ways * ours.denominator // theirs.denominator() for total, ways in theirs.items()}


@pytest.mark.parametrize(("dice", "difficulty"), [(1, 4), (2, 9), (4, 15), (6, 31)])
def test_success_with_a_wild_die_is_that_of_icepool(dice: int, difficulty: int) -> None:
    depth = 8
    wild = icepool.d6.explode(depth=depth)
    theirs = (dice - 1) @ icepool.d6 + wild
    ours = dict(find_game("d6-wild").odds({"code": f"{dice}D", "difficulty": difficulty}).chances)["success"]
    # Their chain ends after so many sixes, which lies above these difficulties.
    assert ours == theirs.probability(">=", difficulty)


def test_what_is_measured_are_pools_of_fourteen_and_twenty_four_dice() -> None:
    assert [sum(parse_pool(text).values()) for text in (POOL_14, POOL_24)] == [14, 24]


def test_the_denominator_is_the_number_of_throws() -> None:
    pool = parse_pool("2a 1p 2d 3k")
    assert odds_of(pool).denominator == prod(len(NARRATIVE.type(n).faces) ** count for n, count in pool.items())
