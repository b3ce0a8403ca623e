from __future__ import annotations

import csv
import itertools
import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tableside.dice import find_sets
from tableside.errors import GameError
from tableside.games.narrative.net import net_result
from tableside.games.narrative.odds import odds_of, success_chance
from tableside.games.narrative.pool import DICE, Pool
from tableside.games.narrative.pool_text import parse_pool

(NARRATIVE,) = find_sets(["narrative"])
SMALL_POOLS = st.dictionaries(st.sampled_from(DICE), st.integers(0, 2), max_size=3)


def counted_one_by_one(pool: dict[str, int]) -> Counter[tuple[int, int, int, int]]:
    """Throw every throw there is."""
    faces = [NARRATIVE.type(name).faces for name, count in pool.items() for _ in range(count)]
    counted: Counter[tuple[int, int, int, int]] = Counter()
    for throw in itertools.product(*faces):
        net = net_result([symbol for face in throw for symbol in face])
        counted[net.net_success, net.net_advantage, net.triumph, net.despair] += 1
    return counted


@pytest.mark.parametrize(
    "pool",
    [
        {"ability": 2, "difficulty": 1},
        {"proficiency": 1, "challenge": 1, "setback": 1},
        {"proficiency": 2, "challenge": 2},
        {"boost": 2, "setback": 2, "force": 1},
        {},
    ],
)
def test_odds_agree_with_counting_every_throw(pool: dict[str, int]) -> None:
    odds, counted = odds_of(pool), counted_one_by_one(pool)
    assert dict(odds.joint) == dict(counted)
    assert odds.denominator == sum(counted.values())


@given(SMALL_POOLS, st.sampled_from(DICE))
@settings(max_examples=40, deadline=None)
def test_another_die_is_a_weighted_sum_over_its_faces(pool: dict[str, int], die: str) -> None:
    before, after = odds_of(pool), odds_of(pool | {die: pool.get(die, 0) + 1})
    slowly: Counter[tuple[int, int, int, int]] = Counter()
    for face in NARRATIVE.type(die).faces:
        net = net_result(face)
        for (success, advantage, triumph, despair), count in before.joint.items():
            cell = (
                success + net.net_success,
                advantage + net.net_advantage,
                triumph + net.triumph,
                despair + net.despair,
            )
            slowly[cell] += count
    assert dict(after.joint) == dict(slowly)


@given(SMALL_POOLS)
@settings(max_examples=60, deadline=None)
def test_the_chance_of_success_alone_is_that_of_the_joint_odds(pool: dict[str, int]) -> None:
    assert success_chance(pool) == odds_of(pool).chances()["success"]


@given(SMALL_POOLS, st.permutations(DICE))
@settings(max_examples=30, deadline=None)
def test_the_order_of_dice_never_matters_to_the_odds(pool: dict[str, int], order: list[str]) -> None:
    shuffled = {name: pool[name] for name in order if name in pool}
    assert dict(odds_of(pool).joint) == dict(odds_of(shuffled).joint)


@given(
    st.builds(
        Pool,
        **dict.fromkeys(("ability", "proficiency", "difficulty", "challenge"), st.integers(0, 3)),
        boost=st.integers(0, 1),
        setback=st.integers(0, 1),
    )
)
@settings(max_examples=40, deadline=None)
def test_an_upgrade_never_lowers_the_chance_of_success(pool: Pool) -> None:
    before = odds_of(pool.counts()).chances()["success"]
    assert odds_of(pool.upgrade("ability").counts()).chances()["success"] >= before
    assert odds_of(pool.upgrade("difficulty").counts()).chances()["success"] <= before


def test_the_worked_pool_of_the_rules_has_its_exact_odds() -> None:
    chances = odds_of(parse_pool("1a 2p 2d")).chances()
    assert chances["success"] == Fraction(6455, 9216)
    assert chances["advantage"] == Fraction(245, 512)
    assert chances["threat"] == Fraction(641, 2304)


def test_every_pool_of_the_published_table_has_its_odds() -> None:
    names = ("ability", "proficiency", "difficulty", "challenge")
    rows = list(csv.DictReader(Path(__file__).with_name("odds.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 441
    for row in rows:
        odds = odds_of({name: int(row[name]) for name in names}).chances()
        ours = [odds[name] for name in ("success", "advantage", "threat", "triumph", "despair")]
        theirs = [row[f"p_{name}"] for name in ("success", "net_advantage", "net_threat", "triumph", "despair")]
        assert [float(chance) for chance in ours] == pytest.approx([float(text) for text in theirs], abs=1e-9), row


def test_a_pool_of_sixty_dice_keeps_every_throw() -> None:
    odds = odds_of(parse_pool("20a 10p 20d 5k 5b"))
    assert sum(odds.joint.values()) == odds.denominator == 8**40 * 12**10 * 6**10


def test_odds_have_the_form_of_the_contract() -> None:
    told = json.loads(json.dumps(odds_of(parse_pool("1a")).to_json()))
    assert told == {
        "pool": {"ability": 1},
        "denominator": 8,
        "success": 0.5,
        "advantage": 0.5,
        "threat": 0.0,
        "triumph": 0.0,
        "despair": 0.0,
        "joint": [[0, 0, 0, 0, 1], [0, 1, 0, 0, 2], [0, 2, 0, 0, 1], [1, 0, 0, 0, 2], [1, 1, 0, 0, 1], [2, 0, 0, 0, 1]],
    }


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("1a 2p 2d 1k", {"ability": 1, "proficiency": 2, "difficulty": 2, "setback": 1}),
        ("1a2p2d1k", {"ability": 1, "proficiency": 2, "difficulty": 2, "setback": 1}),
        ("aap", {"ability": 2, "proficiency": 1}),
        ("2A,1f", {"ability": 2, "force": 1}),
        ("1c 0d 1c", {"challenge": 2}),
        ("yyggp", {"proficiency": 2, "ability": 2, "difficulty": 1}),
        ("2y1g2p", {"proficiency": 2, "ability": 1, "difficulty": 2}),
        ("1Y 1r 2b 1k 1w", {"proficiency": 1, "challenge": 1, "boost": 2, "setback": 1, "force": 1}),
        ("2p 1s", {"proficiency": 2, "setback": 1}),
        ("g 1s", {"ability": 1, "setback": 1}),
        ("2 yellow 1 green, purple", {"proficiency": 2, "ability": 1, "difficulty": 1}),
        ("2 proficiency 1 Difficulty 1p", {"proficiency": 3, "difficulty": 1}),
        ("2 yellow dice and 1 purple die", {"proficiency": 2, "difficulty": 1}),
        ("1a and 2d", {"ability": 1, "difficulty": 2}),
        ("YYGPP", {"proficiency": 2, "ability": 1, "difficulty": 2}),
        ("2y+1g+2p", {"proficiency": 2, "ability": 1, "difficulty": 2}),
        ("2 gelbe Würfel und 1 grüner, 2 lila", {"proficiency": 2, "ability": 1, "difficulty": 2}),
        ("2 jaunes 1 vert et 1 rouge", {"proficiency": 2, "ability": 1, "challenge": 1}),
        ("2 amarillos y 1 morado", {"proficiency": 2, "difficulty": 1}),
    ],
)
def test_a_pool_is_read_from_letters(text: str, pool: dict[str, int]) -> None:
    assert parse_pool(text) == pool


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x", "'x' is no die"),
        ("2y 1q", "'q' is no die"),
        ("2y 2p 1d", "'y' is a colour and 'd' a die's name"),
        ("-1a", "-1 ability dice"),
        ("1000a", "1000 dice are too many"),
        ("40a 21d", "61 dice are too many"),
        ("9" * 5000 + "a", "999999... ability dice are too many"),
        ("", "the pool is empty"),
        ("dice", "the pool is empty"),
        ("2a ?", "'\\?' is no part"),
        ("1.5a", "'1.' is no part"),
        ("٣a", "'٣' is no part"),
    ],
)
def test_a_bad_pool_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        parse_pool(text)


def test_a_die_that_does_not_exist_has_no_odds() -> None:
    with pytest.raises(LookupError, match="Did you mean ability"):
        odds_of({"abilty": 1})
