from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tableside.dice import Die
from tableside.errors import BadAsk, GameError, UnknownDieType, UnknownFace
from tableside.games.d6_wild.combat import SCALES, STATES, hit_location, kill_at, scale_bonus, worsened
from tableside.games.d6_wild.rolls import chooses_order, command_bonus, find_band, penalty_dice, point_limit, rushed
from tableside.rules import find_game
from tableside.rules.code import Code
from tests.rules.laws import GameLaws

FACES = st.integers(1, 6)


def pips(*values: int) -> list[Die]:
    return [Die(type="pip", face=(str(value),)) for value in values]


def wild(value: int) -> Die:
    return Die(type="wild", face=(str(value),))


def test_a_code_adds_its_pips() -> None:
    outcome = find_game("d6-companion").play((pips(3, 5),), {"pips": 2})
    assert (dict(outcome.net)["total"], outcome.headline) == (10, "10")


@pytest.mark.parametrize(("difficulty", "succeeded"), [(7, True), (8, True), (9, False)])
def test_reaching_the_difficulty_is_enough(difficulty: int, succeeded: bool) -> None:
    assert find_game("d6-companion").play((pips(3, 5),), {"difficulty": difficulty}).succeeded is succeeded


def test_a_six_on_the_wild_die_asks_for_another_throw() -> None:
    assert "throw it again" in find_game("d6-wild").play(([*pips(3), wild(6)],), {}).sentence


def test_a_six_on_another_die_asks_for_nothing() -> None:
    assert find_game("d6-wild").play(([*pips(6), wild(2)],), {}).sentence == "6 + 2 = 8."


def test_a_one_on_the_wild_die_complicates() -> None:
    assert "complication" in find_game("d6-wild").play(([*pips(3), wild(1)],), {}).sentence


def test_a_missing_wild_die_is_said() -> None:
    assert "Wild Die is missing" in find_game("d6-wild").play((pips(3, 4),), {}).sentence


def test_a_missing_die_is_said() -> None:
    outcome = find_game("d6-wild").play(([*pips(3), wild(2)],), {"dice": 3})
    assert outcome.sentence == "3 + 2 = 5 so far. 1 six-sided die is missing."
    assert (outcome.word, outcome.succeeded, outcome.short) == ("undecided", None, (("pip", 1),))


def test_an_ask_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(BadAsk, match="must be a whole number"):
        find_game("d6-wild").play((pips(1),), {"difficulty": "ten"})


def test_two_wild_dice_are_said() -> None:
    outcome = find_game("d6-wild").play(([*pips(3), wild(2), wild(5)],), {"difficulty": 5})
    assert "There are 2 Wild Dice where one belongs" in outcome.sentence
    assert (outcome.succeeded, dict(outcome.net)["total"]) == (None, 10)


def test_a_six_that_misses_so_far_is_no_failure_yet() -> None:
    outcome = find_game("d6-wild").play(([*pips(3), wild(6)],), {"difficulty": 12})
    assert (outcome.succeeded, outcome.headline, outcome.word) == (None, "9", "undecided")
    assert outcome.awaits.dice == (("wild", 1),)


def test_a_six_that_already_reaches_the_difficulty_succeeds_and_is_thrown_again_all_the_same() -> None:
    outcome = find_game("d6-wild").play(([*pips(3), wild(6)],), {"difficulty": 8})
    assert outcome.succeeded
    assert outcome.awaits is not None


def test_earlier_throws_of_the_wild_die_count_and_a_later_one_complicates_nothing() -> None:
    outcome = find_game("d6-wild").play(([*pips(3), wild(1)],), {"earlier": [6, 6]})
    assert (outcome.sentence, outcome.awaits) == ("3 + 1 + 6 + 6 = 16.", None)


def test_an_earlier_throw_that_was_no_six_is_refused() -> None:
    with pytest.raises(BadAsk, match="they are all sixes"):
        find_game("d6-wild").play(([wild(1)],), {"earlier": [6, 2]})


def test_a_misspelt_ask_is_answered_with_the_right_name() -> None:
    with pytest.raises(BadAsk, match="Did you mean difficulty"):
        find_game("d6-companion").play((pips(1),), {"dificulty": 3})


def test_no_dice_make_no_roll() -> None:
    for name in ("d6-wild", "d6-companion"):
        outcome = find_game(name).play(([],), {"difficulty": 3})
        assert (outcome.word, outcome.succeeded, outcome.sentence) == ("nothing", None, "No dice were thrown.")


def test_a_die_or_a_face_of_another_game_is_named() -> None:
    with pytest.raises(UnknownDieType, match="does not use 'ability' dice"):
        find_game("d6-wild").play(([Die(type="ability", face=())],), {})
    with pytest.raises(UnknownFace, match="no face 7"):
        find_game("d6-companion").play((pips(7),), {})


@given(st.lists(FACES, max_size=10), FACES, st.integers(-3, 9), st.randoms())
def test_the_order_of_pip_dice_never_matters_and_the_total_is_kept(
    values: list[int], first: int, more: int, chance: object
) -> None:
    thrown = [*pips(*values), wild(first)]
    shuffled = list(thrown)
    chance.shuffle(shuffled)
    for name in ("d6-wild", "d6-companion"):
        net = find_game(name).play((thrown,), {"pips": more}).net
        assert net == find_game(name).play((shuffled,), {"pips": more}).net
        assert dict(net)["total"] == sum(values) + first + more


@given(st.integers(0, 30), st.integers(-9, 9))
def test_a_code_is_read_as_it_is_written(count: int, more: int) -> None:
    code = Code(dice=count, pips=more)
    assert Code.of(str(code)) == code


@given(st.sampled_from(list(SCALES)), st.sampled_from(list(SCALES)))
def test_scale_gives_either_side_what_it_gives_the_other_the_other_way_round(one: str, other: str) -> None:
    there, back = scale_bonus(one, other), scale_bonus(other, one)
    assert (there.attack, there.resist, there.dodge, there.damage) == (
        back.dodge,
        back.damage,
        back.attack,
        back.resist,
    )


@given(st.sampled_from(STATES), st.sampled_from(STATES))
def test_a_wound_never_makes_better(state: str, result: str) -> None:
    assert STATES.index(worsened(state, result)) >= max(STATES.index(state), STATES.index(result))


def test_a_tie_for_initiative_is_thrown_again() -> None:
    assert chooses_order({"a": 9, "b": 9}) is None


def test_a_killed_head_kills() -> None:
    assert kill_at("head") == ("killed", False)


def test_rushing_never_leaves_no_die() -> None:
    assert str(rushed(Code.of("1D+2"))) == "1D+2"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda: Code.of("3D+x"), "'3D\\+x' is no dice code"),
        (lambda: Code.of("-1D"), "'-1D' is no dice code"),
        (lambda: Code.of("4d8+1"), "'4d8\\+1' is no dice code"),
        (lambda: Code.of("4D62"), "is no dice code"),
        (lambda: Code.of("4"), "is no dice code"),
        (lambda: Code.of(" "), "is no dice code"),
        (lambda: Code.of("4D 6"), "is no dice code"),
        (lambda: Code.of("1000D"), "1000 dice"),
        (lambda: Code.of("٣D"), "is no dice code"),
        (lambda: find_band("modrate"), "Did you mean moderate"),
        (lambda: find_band("heroic+15"), "no difficulty 'heroic\\+15'"),
        (lambda: penalty_dice(0), "at least one action"),
        (lambda: point_limit("atack"), "Did you mean attack"),
        (lambda: command_bonus(0), "0 characters"),
        (lambda: scale_bonus("walkr", "capital"), "Did you mean walker"),
        (lambda: worsened("wunded", "killed"), "Did you mean wounded"),
        (lambda: hit_location(13), "13 is no sum of two dice"),
    ],
)
def test_what_the_rules_do_not_know_is_named(act: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        act()


class TestLaws(GameLaws):
    game = find_game("d6-wild")
    asked: ClassVar = {"code": "2D+1", "difficulty": 9}
