from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.dice import Die, find_sets
from tableside.errors import BadAsk, GameError, UnknownDieType, UnknownFace
from tableside.rules import find_game, game_for, game_names
from tableside.rules.narrative import net_result
from tableside.rules.odds import odds_of, parse_pool

(NARRATIVE,) = find_sets(["narrative"])
GAME = find_game("narrative")
ALL_DICE = [Die(type=t.name, face=face) for t in NARRATIVE.types for face in t.distinct_faces]


def dice(text: str) -> list[Die]:
    """Return dice from words such as ``"ability:success,advantage difficulty:"``."""
    out = []
    for word in text.split():
        name, _, symbols = word.partition(":")
        out.append(Die(type=name, face=NARRATIVE.type(name).check_face(filter(None, symbols.split(",")))))
    return out


@pytest.mark.parametrize(
    ("thrown", "sentence"),
    [
        ("ability:success,success difficulty:threat", "Success with 2 successes; 1 threat."),
        ("ability:success difficulty:failure", "Failure: no success is left, and nothing besides."),
        ("difficulty:failure,failure", "Failure with 2 failures, and nothing besides."),
        ("proficiency:triumph difficulty:failure", "Failure: no success is left; 1 triumph to spend."),
        (
            "proficiency:triumph challenge:despair",
            "Failure: no success is left; 1 triumph to spend, 1 despair to suffer.",
        ),
        ("force:light,light force:dark", "Force: 2 light and 1 dark."),
        ("", "No dice were thrown."),
    ],
)
def test_an_outcome_says_itself_in_one_sentence(thrown: str, sentence: str) -> None:
    assert GAME.score(dice(thrown), {}).sentence == sentence


def test_the_reds_have_eight_failures_as_the_published_die() -> None:
    challenge = NARRATIVE.type("challenge")
    assert Counter(symbol for face in challenge.faces for symbol in face) == {
        "failure": 8,
        "threat": 8,
        "despair": 1,
    }


@given(st.lists(st.sampled_from(ALL_DICE), max_size=12), st.randoms())
def test_the_order_of_dice_never_matters(thrown: list[Die], chance: object) -> None:
    shuffled = list(thrown)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert GAME.score(thrown, {}) == GAME.score(shuffled, {})


@given(st.lists(st.sampled_from(ALL_DICE), max_size=12))
def test_of_each_pair_one_side_is_zero_and_totals_are_conserved(thrown: list[Die]) -> None:
    symbols = [symbol for die in thrown for symbol in die.face]
    net = dict(GAME.score(thrown, {}).net)
    assert 0 in (net["success"], net["failure"])
    assert 0 in (net["advantage"], net["threat"])
    assert net["advantage"] - net["threat"] == symbols.count("advantage") - symbols.count("threat")
    assert net["triumph"] == symbols.count("triumph")


def test_an_asked_symbol_is_added() -> None:
    outcome = GAME.score(dice("ability:success"), {"advantage": 1})
    assert dict(outcome.net)["advantage"] == 1


def test_a_face_that_is_not_on_the_die_is_named() -> None:
    with pytest.raises(UnknownFace, match=r"no face triumph.*Its faces are: blank, success"):
        GAME.score([Die(type="ability", face=("triumph",))], {})


def test_a_die_of_another_game_is_named() -> None:
    with pytest.raises(UnknownDieType, match="does not use 'pip' dice"):
        GAME.score([Die(type="pip", face=("3",))], {})


def test_an_unknown_ask_is_named() -> None:
    with pytest.raises(BadAsk, match="Did you mean advantage"):
        GAME.score([], {"advantge": 1})


def test_the_four_games_are_installed() -> None:
    assert game_names() == ("d6-companion", "d6-wild", "heroic", "narrative")


def test_the_dice_in_the_tray_suggest_the_game() -> None:
    assert game_for(dice("ability:")).name == "narrative"
    assert game_for([Die(type="pip", face=("1",))]).name == "d6-companion"
    assert game_for([Die(type="pip", face=("1",)), Die(type="wild", face=("1",))]).name == "d6-wild"


@pytest.mark.parametrize("pool", [{"ability": 2, "difficulty": 1}, {"proficiency": 1, "challenge": 1, "setback": 1}])
def test_odds_agree_with_counting_every_throw(pool: dict[str, int]) -> None:
    faces = [NARRATIVE.type(name).faces for name, count in pool.items() for _ in range(count)]
    counted: Counter[tuple[int, int, int, int]] = Counter()
    for throw in itertools.product(*faces):
        net = net_result([symbol for face in throw for symbol in face])
        counted[net.net_success, net.net_advantage, net.triumph, net.despair] += 1
    odds = odds_of(pool)
    assert dict(odds.joint) == dict(counted)
    assert odds.denominator == sum(counted.values())


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("1a 2p 2d 1k", {"ability": 1, "proficiency": 2, "difficulty": 2, "setback": 1}),
        ("aap", {"ability": 2, "proficiency": 1}),
        ("2A,1f", {"ability": 2, "force": 1}),
    ],
)
def test_a_pool_is_read_from_letters(text: str, pool: dict[str, int]) -> None:
    assert parse_pool(text) == pool


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3x", "'x' is no die"),
        ("-1a", "-1 ability dice"),
        ("1000a", "1000 dice are too many"),
        ("", "the pool is empty"),
        ("2a ?", "'\\?' is no part"),
    ],
)
def test_a_bad_pool_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        parse_pool(text)
