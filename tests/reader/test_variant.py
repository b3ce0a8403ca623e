"""The die that differs by colour alone: told, asked about, or known by what a person showed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tableside.dice import DieReading, Doubt, Status
from tableside.reader.variant import Bgr, Expected, bgr_of, tell_variants

WHITE, RED, BLUE, GREEN = (199, 227, 237), (31, 26, 178), (168, 71, 31), (60, 122, 26)
GAME = Expected(lone_die="wild")
SHOWN = Expected(lone_die="wild", looks={"wild": (RED, WHITE)})


def lit(colour: Bgr, *shares: float, warm: float = 0.0) -> list[Bgr]:
    """Return the colour as so much light shows it; from a warm lamp, the more so the brighter."""
    b, g, r = colour
    return [(round(b * share * (1 - warm * share)), round(g * share), round(r * share)) for share in shares]


def told(
    colours: Sequence[Bgr | None], expected: Expected, *, unsure: Sequence[int] = (), kind: str = "pip"
) -> list[DieReading]:
    dice = [
        DieReading(
            type=kind, face=("4",), center=(0, 0), outline=(), confidence=0.99, colour_bgr=colour,
            status=Status.UNSURE if i in unsure else Status.SURE, doubt=Doubt.FACE if i in unsure else None,
        )
        for i, colour in enumerate(colours)
    ]  # fmt: skip
    return tell_variants(dice, {"pip": "wild"}, expected)


def named(dice: Sequence[DieReading]) -> list[int]:
    return [i for i, die in enumerate(dice) if die.type == "wild"]


def asked(dice: Sequence[DieReading]) -> list[int]:
    return [i for i, die in enumerate(dice) if die.doubt is Doubt.COLOUR]


@pytest.mark.parametrize("expected", [GAME, Expected()], ids=["a game with one", "no game"])
@pytest.mark.parametrize("others", [4, 6, 8])
def test_a_red_die_among_ivory_ones_in_deep_shade_and_bright_warm_light_is_told(
    others: int, expected: Expected
) -> None:
    shares = [0.3 + 0.75 * i / (others - 1) for i in range(others)]
    dice = told([*lit(WHITE, *shares, warm=0.25), *lit(RED, 0.6)], expected)
    assert (named(dice), asked(dice)) == ([others], [])
    assert [(one.type, one.face) for one in dice[others].alternatives] == [("pip", ("4",))]


@pytest.mark.parametrize("expected", [GAME, Expected()], ids=["a game with one", "no game"])
def test_a_die_whose_face_is_in_doubt_counts_by_its_colour(expected: Expected) -> None:
    dice = told([*lit(WHITE, 0.8, 0.9, 1.0), RED], expected, unsure=[3])
    assert (named(dice), dice[3].status, dice[3].doubt) == ([3], Status.UNSURE, Doubt.FACE)


def test_dice_of_one_make_are_one_question_in_a_game_with_a_wild_die_and_none_without() -> None:
    alike = lit(RED, 0.5, 0.7, 0.9, 1.0)
    dice = told(alike, GAME)
    assert (named(dice), len(asked(dice))) == ([], 1)
    die = dice[asked(dice)[0]]
    assert (die.status, die.alternatives[0].type, die.alternatives[0].face) == (Status.UNSURE, "wild", ("4",))
    assert die.confidence == die.alternatives[0].confidence
    for other in (Expected(), Expected(lone_die="")):
        assert not asked(told(alike, other))


def test_a_question_about_colour_lies_on_a_die_that_bears_no_other() -> None:
    assert asked(told(lit(RED, 0.9, 0.9, 0.9), GAME, unsure=[0, 1])) == [2]
    assert asked(told(lit(RED, 0.9, 0.9, 0.9), GAME, unsure=[0, 1, 2])) == []


def test_of_a_motley_handful_none_is_named_and_only_a_game_with_a_wild_die_asks() -> None:
    motley = [WHITE, RED, GREEN, BLUE, (20, 20, 20)]
    for expected, questions in ((GAME, 1), (Expected(), 0)):
        dice = told(motley, expected)
        assert (named(dice), len(asked(dice))) == ([], questions)


def test_one_die_of_three_is_named_only_in_a_game_with_a_wild_die() -> None:
    three = [*lit(WHITE, 0.9, 1.0), RED]
    assert (named(told(three, GAME)), asked(told(three, GAME))) == ([2], [])
    assert (named(told(three, Expected())), asked(told(three, Expected()))) == ([], [])


@pytest.mark.parametrize("others", [3, 5, 8])
def test_a_die_that_differs_a_little_is_a_question_in_a_game_with_a_wild_die_alone(others: int) -> None:
    shares = [0.4 + 0.6 * i / (others - 1) for i in range(others)]
    dice = [*lit(WHITE, *shares), (170, 200, 235)]
    for expected, questions in ((GAME, 1), (Expected(), 0)):
        assert (named(told(dice, expected)), len(asked(told(dice, expected)))) == ([], questions)


def test_a_game_without_a_wild_die_has_none() -> None:
    dice = told([*lit(WHITE, 0.8, 0.9, 1.0), RED], Expected(lone_die=""))
    assert (named(dice), asked(dice)) == ([], [])


def test_of_two_dice_colours_tell_nothing_and_one_die_is_the_wild_die() -> None:
    assert (named(told([WHITE, RED], GAME)), len(asked(told([WHITE, RED], GAME)))) == ([], 1)
    assert not asked(told([WHITE, RED], Expected()))
    assert named(told([WHITE], GAME)) == [0]
    assert named(told([WHITE], Expected())) == []


@pytest.mark.parametrize(
    ("colours", "odd"),
    [
        (lit(RED, 0.5), [0]),
        (lit(WHITE, 0.6), []),
        ([*lit(WHITE, 0.5), *lit(RED, 0.9)], [1]),
        ([*lit(RED, 0.5), *lit(WHITE, 0.9, 0.4)], [0]),
    ],
)
@pytest.mark.parametrize("lone", ["wild", None])
def test_what_a_person_showed_tells_from_three_dice_down_to_one(
    colours: list[Bgr], odd: list[int], lone: str | None
) -> None:
    dice = told(colours, Expected(lone_die=lone, looks=SHOWN.looks))
    assert (named(dice), asked(dice)) == (odd, [])


def test_two_dice_that_look_like_the_wild_die_are_a_question() -> None:
    assert len(asked(told([*lit(RED, 0.6, 1.0), *lit(WHITE, 0.9)], SHOWN))) == 1
    assert len(asked(told(lit(GREEN, 0.9), SHOWN))) <= 1


def test_dice_of_other_types_and_without_a_measured_colour_are_left_alone() -> None:
    assert not named(told([RED, WHITE, WHITE, WHITE], GAME, kind="boost"))
    assert [die.type for die in told([None, None], GAME) if die.status is Status.SURE] == ["pip", "pip"]


@pytest.mark.parametrize("expected", [GAME, SHOWN, Expected(), Expected(looks=SHOWN.looks)])
def test_an_empty_tray_and_one_without_such_dice_ask_nothing(expected: Expected) -> None:
    assert told([], expected) == []
    assert [die.type for die in told([RED], expected, kind="boost")] == ["boost"]


def test_a_told_colour_is_read() -> None:
    assert bgr_of("#b21a1f") == RED
