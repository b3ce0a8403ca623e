from __future__ import annotations

import numpy as np
import pytest

from tableside.reader.colour import body_colour, is_washed_out, whole_colour

RED = (40, 30, 190)


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


def test_a_lamp_that_mirrors_in_the_upper_face_leaves_the_colour_of_the_whole_die() -> None:
    picture = np.full((60, 60, 3), (90, 90, 90), np.uint8)
    picture[10:50, 10:50] = RED
    picture[16:40, 16:40] = 255
    assert whole_colour(picture, ((10, 10), (49, 10), (49, 49), (10, 49))) == RED


@pytest.mark.parametrize("outline", [(), ((90.0, 90.0), (95.0, 90.0), (95.0, 95.0))], ids=["none", "outside"])
def test_what_is_not_in_the_picture_has_no_colour(outline: tuple[tuple[float, float], ...]) -> None:
    assert whole_colour(np.zeros((60, 60, 3), np.uint8), outline) is None


def test_the_colour_of_a_die_is_the_median_of_its_pixels_between_the_two_middle_ones() -> None:
    picture = np.zeros((20, 20, 3), np.uint8)
    picture[5:7, 5:7] = [[(10, 0, 7), (10, 90, 7)], [(40, 91, 200), (255, 255, 254)]]
    assert whole_colour(picture, ((5, 5), (6, 5), (6, 6), (5, 6))) == (25, 90, 103)
