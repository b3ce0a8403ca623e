from __future__ import annotations

import numpy as np
import pytest

from tableside.reader.colour import body_colour, is_washed_out, odd_one_out

WHITE, RED = (230, 235, 238), (40, 30, 190)


def shades(colour: tuple[int, int, int], count: int) -> list[tuple[int, int, int]]:
    return [(colour[0] - 2 * n, colour[1] - 2 * n, colour[2] - 2 * n) for n in range(count)]


def test_the_one_red_among_white_dice_is_found() -> None:
    assert odd_one_out([*shades(WHITE, 2), RED, *shades(WHITE, 1)]) == 2


def test_dice_of_one_make_have_no_odd_one() -> None:
    assert odd_one_out(shades(RED, 5)) is None


def test_a_motley_handful_has_no_odd_one() -> None:
    assert odd_one_out([WHITE, RED, (30, 160, 40), (160, 60, 20), (20, 20, 20)]) is None


def test_of_three_dice_the_odd_one_is_told_only_where_one_is_expected() -> None:
    three = [*shades(WHITE, 2), RED]
    assert odd_one_out(three) is None
    assert odd_one_out(three, least_others=2) == 2


def test_of_two_dice_nobody_can_tell() -> None:
    assert odd_one_out([WHITE, RED], least_others=1) is None


def test_ink_does_not_hide_the_body() -> None:
    picture = np.full((60, 60, 3), RED, np.uint8)
    picture[27:33, 27:33] = 255
    assert body_colour(picture, (30.0, 30.0), 20.0) == RED


@pytest.mark.parametrize("centre", [(30.0, 30.0), (2.0, 58.0)], ids=["inside", "at the picture's edge"])
def test_a_face_that_is_white_all_over_is_washed_out(centre: tuple[float, float]) -> None:
    picture = np.full((60, 60, 3), 253, np.uint8)
    assert is_washed_out(picture, centre, 20.0)
    x, y = round(centre[0]), round(centre[1])
    picture[max(0, y - 3) : y + 3, max(0, x - 1) : x + 1] = 200  # what is left of a stroke
    assert not is_washed_out(picture, centre, 20.0)


def test_a_bright_colour_is_not_washed_out() -> None:
    assert not is_washed_out(np.full((60, 60, 3), (120, 255, 255), np.uint8), (30.0, 30.0), 20.0)
