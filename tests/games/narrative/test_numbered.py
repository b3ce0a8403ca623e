"""Ten-sided dice in the narrative game: one number, or the two that are a question."""

from __future__ import annotations

import pytest

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.narrative.numbered import colour_name
from tableside.rules import find_game
from tests.rules.asks import symbols

GAME = find_game("narrative")
SLICING = {"characteristic": 3, "skill": 2, "difficulty": "average"}


@pytest.mark.parametrize(
    ("faces", "total"),
    [((("d100", "40"), ("d10", "7")), 47), ((("d10", "0"),), 10), ((("d10", "0"), ("d100", "00")), 100)],
)
def test_a_percentile_throw_is_a_number(faces: tuple[tuple[str, str], ...], total: int) -> None:
    outcome = GAME.play(([Die(type=name, face=(face,)) for name, face in faces],), {"purpose": "percentile"})
    assert (outcome.headline, outcome.succeeded) == (str(total), None)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ((("ability", "success"),), "does not use 'ability' dice here"),
        ((("d10", "12"),), "no face 12"),
        ((("d10", "1"), ("d10", "2"), ("d10", "3")), "these dice make no number"),
        ((("d100", "10"), ("d100", "20")), "these dice make no number"),
        ((("d100", "10"),), "these dice make no number"),
    ],
)
def test_what_is_no_percentile_throw_is_named(faces: tuple[tuple[str, str], ...], message: str) -> None:
    with pytest.raises((GameError, LookupError), match=message):
        GAME.play(([Die(type=name, face=(face,)) for name, face in faces],), {"purpose": "percentile"})


def ten_sided(*digits: int, colours: tuple[str, ...] = ("", "")) -> list[Die]:
    return [Die(type="d10", face=(str(digit),), colour=c) for digit, c in zip(digits, colours, strict=True)]


def test_of_two_ten_sided_dice_both_numbers_are_a_question() -> None:
    outcome = GAME.play((ten_sided(7, 4),), {"purpose": "percentile"})
    assert (outcome.word, outcome.succeeded, outcome.net, outcome.headline) == ("undecided", None, (), "47 or 74?")
    assert outcome.sentence == "Which die is the tens? 47 if it is the 4, 74 if it is the 7."
    for choice in outcome.choices:
        settled = GAME.play((ten_sided(7, 4),), {"purpose": "percentile"} | dict(choice.sets))
        assert (settled.headline, settled.choices) == (choice.title, ())
    with pytest.raises(BadAsk, match="tens is 5"):
        GAME.play((ten_sided(7, 4),), {"purpose": "percentile", "tens": 5})


@pytest.mark.parametrize(("digits", "headline"), [((0, 0), "100"), ((4, 4), "44"), ((0, 7), "7 or 70?")])
def test_a_doubt_that_changes_nothing_is_no_question(digits: tuple[int, int], headline: str) -> None:
    assert GAME.play((ten_sided(*digits),), {}).headline == headline


@pytest.mark.parametrize(
    ("colours", "agreed", "headline"),
    [
        (("#2f9e44", "#1d4fb0"), "green", "74"),
        (("#2f9e44", "#1d4fb0"), "blue", "47"),
        (("#2f9e44", "#1d4fb0"), "red", "47 or 74?"),
        (("#2f9e44", "#1d8040"), "green", "47 or 74?"),
        (("#2f9e44", ""), "green", "74"),
        (("", ""), "green", "47 or 74?"),
        (("#16161a", "#f3f1ea"), "black", "74"),
        (("#16161a", "#f3f1ea"), "white", "47"),
        (("#c2202b", "#f2c81e"), "red", "74"),
        (("#c2202b", "#4b2a7b"), "purple", "47"),
    ],
)
def test_the_colour_agreed_for_the_tens_tells_them(colours: tuple[str, str], agreed: str, headline: str) -> None:
    assert GAME.form.field("tens_colour", game=GAME.name).is_setting
    assert GAME.play((ten_sided(7, 4, colours=colours),), {"tens_colour": agreed}).headline == headline


@pytest.mark.parametrize(
    ("colour", "name"),
    [
        ("#808080", "grey"),
        ("#ff8000", "orange"),
        ("#ff60b0", "pink"),
        ("#ff1010", "red"),
        ("#ff0022", "red"),
        ("#35834a", "green"),
        ("#132a41", ""),
        ("#183d5b", "blue"),
        ("#32323a", "black"),
        ("#404040", ""),
        ("#e8a000", ""),
        ("#606b54", ""),
        ("#4a2828", ""),
        ("#9c9c9c", ""),
    ],
)
def test_a_colour_between_two_names_has_none(colour: str, name: str) -> None:
    assert colour_name(colour) == name


@pytest.mark.parametrize("ask", [{}, SLICING, {"purpose": "attack", "weapon": "blaster_carbine"}, {"players": 2}])
def test_a_percentile_throw_that_nobody_announced_is_a_number(ask: dict[str, object]) -> None:
    pair = [Die(type="d100", face=("50",)), Die(type="d10", face=("7",))]
    assert GAME.play((pair,), ask).net == (("total", 57),)
    assert GAME.play((pair[1:],), ask).net == (("total", 7),)
    with pytest.raises(LookupError, match="does not use 'd100' dice"):
        GAME.play(([*pair, *symbols("ability:success")],), {})


def test_each_injury_adds_to_the_percentile_throw() -> None:
    pair = [Die(type="d100", face=("50",)), Die(type="d10", face=("7",))]
    outcome = GAME.play((pair,), {"purpose": "percentile", "added": 20})
    assert (outcome.net, outcome.sentence) == ((("total", 77),), "Tens 5 and ones 7: 57. With 20: 77.")
    assert GAME.play((ten_sided(4, 7),), {"added": 10}).headline == "57 or 84?"
    assert GAME.play((pair,), {"added": -10}).sentence == "Tens 5 and ones 7: 57. Less 10: 47."
