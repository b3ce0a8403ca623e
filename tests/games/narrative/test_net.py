from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.dice import Die, find_sets
from tableside.errors import BadAsk, GameError, UnknownDieType, UnknownFace, UnknownGame
from tableside.games.narrative.net import net_result
from tableside.rules import find_game, game_names
from tableside.rules import game as game_module

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
        ("ability:success difficulty:", "Success."),
        ("ability:success,success difficulty:threat", "Success with 2 successes and 1 threat."),
        ("proficiency:triumph ability:advantage,advantage", "Success with 2 advantages; 1 triumph to spend."),
        (
            "proficiency:triumph ability:success,advantage",
            "Success with 2 successes and 1 advantage; 1 triumph to spend.",
        ),
        ("ability:success difficulty:failure", "All cancelled: no success, so the check fails."),
        ("ability: difficulty:", "All blank: no success, so the check fails."),
        ("ability:advantage,advantage", "No success is left, so the check fails with 2 advantages."),
        ("difficulty:failure", "Failure."),
        ("difficulty:failure,failure", "Failure with 2 failures."),
        ("difficulty:failure ability:advantage", "Failure with 1 advantage."),
        ("proficiency:triumph difficulty:failure", "No success is left, so the check fails; 1 triumph to spend."),
        ("challenge:despair", "Failure; 1 despair to suffer."),
        (
            "proficiency:triumph challenge:despair",
            "No success is left, so the check fails; 1 triumph to spend, 1 despair to suffer.",
        ),
        ("ability:success force:light", "Success; Force 1 light."),
        ("force:light,light force:dark", "Force: 2 light, 1 dark."),
        ("force:dark,dark", "Force: 2 dark."),
        ("", "No dice were thrown."),
    ],
)
def test_an_outcome_says_itself_in_one_sentence(thrown: str, sentence: str) -> None:
    assert GAME.play((dice(thrown),), {}).sentence == sentence


def test_the_reds_have_eight_failures_as_the_published_die() -> None:
    challenge = NARRATIVE.type("challenge")
    assert Counter(symbol for face in challenge.faces for symbol in face) == {"failure": 8, "threat": 8, "despair": 1}


@given(st.lists(st.sampled_from(ALL_DICE), max_size=12), st.randoms())
def test_the_order_of_dice_never_matters(thrown: list[Die], chance: object) -> None:
    shuffled = list(thrown)
    chance.shuffle(shuffled)
    assert GAME.play((thrown,), {}) == GAME.play((shuffled,), {})


@given(st.lists(st.sampled_from(ALL_DICE), max_size=12))
def test_of_each_pair_one_side_is_zero_and_totals_are_conserved(thrown: list[Die]) -> None:
    symbols = [symbol for die in thrown for symbol in die.face]
    net = dict(GAME.play((thrown,), {}).net)
    assert 0 in (net["success"], net["failure"])
    assert 0 in (net["advantage"], net["threat"])
    assert net["advantage"] - net["threat"] == symbols.count("advantage") - symbols.count("threat")
    assert net["triumph"] == symbols.count("triumph")


def test_an_asked_symbol_is_added() -> None:
    outcome = GAME.play((dice("ability:success"),), {"advantage": 1})
    assert dict(outcome.net)["advantage"] == 1


def test_a_face_that_is_not_on_the_die_is_named() -> None:
    with pytest.raises(UnknownFace, match=r"no face triumph.*Its faces are: blank, success"):
        GAME.play(([Die(type="ability", face=("triumph",))],), {})


def test_a_die_of_another_game_is_named() -> None:
    with pytest.raises(UnknownDieType, match="does not use 'pip' dice"):
        GAME.play(([Die(type="pip", face=("3",))],), {})


def test_an_unknown_ask_is_named() -> None:
    with pytest.raises(BadAsk, match="Did you mean advantage"):
        GAME.play(([],), {"advantge": 1})


def test_the_four_games_are_installed() -> None:
    assert set(game_names()) >= {"d6-companion", "d6-wild", "heroic", "narrative"}


def test_a_misspelt_game_is_answered_with_the_right_name() -> None:
    with pytest.raises(UnknownGame, match="Did you mean narrative"):
        find_game("narative")


def test_a_checkout_that_is_not_installed_has_the_same_games() -> None:
    assert sorted(point.name for point in game_module._checkout_points()) == list(game_names())


def test_symbols_are_added_not_taken_away() -> None:
    with pytest.raises(BadAsk, match="add the opposite symbol"):
        GAME.play((dice("ability:success"),), {"advantage": -1})


def test_a_symbol_that_no_die_shows_is_named() -> None:
    with pytest.raises(GameError, match=r"'sucess' is no symbol.*Did you mean success"):
        net_result(["sucess"])


def test_the_heroic_game_scores_alike_and_names_its_points_its_own_way() -> None:
    heroic = find_game("heroic")
    thrown = dice("proficiency:triumph challenge:threat")
    assert heroic.play((thrown,), {}).net == GAME.play((thrown,), {}).net
    assert heroic.pool_names != GAME.pool_names


def test_force_dice_alone_are_no_check() -> None:
    outcome = GAME.play((dice("force:light,light force:dark"),), {})
    assert (outcome.succeeded, outcome.word, outcome.headline) == (None, "light", "2 light, 1 dark")


def test_an_outcome_has_the_form_of_the_contract() -> None:
    told = GAME.play((dice("ability:success"),), {}).to_json()
    assert told["net"] == {
        "success": 1,
        "failure": 0,
        "advantage": 0,
        "threat": 0,
        "triumph": 0,
        "despair": 0,
        "light": 0,
        "dark": 0,
    }
    assert (told["succeeded"], told["outcome"], told["headline"]) == (True, "success", "Success")
