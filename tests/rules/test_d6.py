from __future__ import annotations

import pytest

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.rules import find_game


def pips(*values: int) -> list[Die]:
    return [Die(type="pip", face=(str(value),)) for value in values]


def wild(value: int) -> Die:
    return Die(type="wild", face=(str(value),))


def test_a_code_adds_its_pips() -> None:
    outcome = find_game("d6-companion").score(pips(3, 5), {"pips": 2})
    assert (dict(outcome.net)["total"], outcome.headline) == (10, "10")


@pytest.mark.parametrize(("difficulty", "succeeded"), [(7, True), (8, True), (9, False)])
def test_reaching_the_difficulty_is_enough(difficulty: int, succeeded: bool) -> None:
    assert find_game("d6-companion").score(pips(3, 5), {"difficulty": difficulty}).succeeded is succeeded


def test_a_six_on_the_wild_die_asks_for_another_throw() -> None:
    assert "throw it again" in find_game("d6-wild").score([*pips(3), wild(6)], {}).sentence


def test_a_six_on_another_die_asks_for_nothing() -> None:
    assert find_game("d6-wild").score([*pips(6), wild(2)], {}).sentence == "6 + 2 = 8."


def test_a_one_on_the_wild_die_complicates() -> None:
    assert "complication" in find_game("d6-wild").score([*pips(3), wild(1)], {}).sentence


def test_a_missing_wild_die_is_said() -> None:
    assert "Wild Die is missing" in find_game("d6-wild").score(pips(3, 4), {}).sentence


def test_a_missing_die_is_said() -> None:
    assert "1 die missing" in find_game("d6-wild").score([*pips(3), wild(2)], {"dice": 3}).sentence


def test_an_ask_of_the_wrong_type_is_refused() -> None:
    with pytest.raises(BadAsk, match="must be of type int"):
        find_game("d6-wild").score(pips(1), {"difficulty": "ten"})
