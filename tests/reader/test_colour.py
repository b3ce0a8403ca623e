from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from tableside.reader.colour import body_colour, burnt_patches, burnt_share, whole_colour

RED = (40, 30, 190)


def test_ink_does_not_hide_the_body() -> None:
    picture = np.full((60, 60, 3), RED, np.uint8)
    picture[27:33, 27:33] = 255
    assert body_colour(picture, (30.0, 30.0), 20.0) == RED


@pytest.mark.parametrize("centre", [(30.0, 30.0), (2.0, 58.0)], ids=["inside", "at the picture's edge"])
def test_a_face_that_is_white_all_over_is_washed_out(centre: tuple[float, float]) -> None:
    picture = np.full((60, 60, 3), 253, np.uint8)
    assert burnt_share(picture, centre, 20.0) > 0.95
    x, y = round(centre[0]), round(centre[1])
    picture[max(0, y - 6) : y + 6, max(0, x - 3) : x + 3] = 200  # what is left of a stroke
    assert burnt_share(picture, centre, 20.0) < 0.95


def test_a_bright_colour_is_not_washed_out() -> None:
    assert burnt_share(np.full((60, 60, 3), (120, 255, 255), np.uint8), (30.0, 30.0), 20.0) == 0


@pytest.mark.parametrize(("radius", "told"), [(6, 0), (9, 1), (20, 1), (45, 1), (60, 0)])
def test_a_white_patch_as_large_as_a_die_may_hide_one(radius: int, told: int) -> None:
    picture = np.full((300, 300, 3), 90, np.uint8)
    cv2.circle(picture, (120, 160), radius, (255, 255, 255), -1)
    found = burnt_patches(picture, 20.0)
    assert [(round(x, -1), round(y, -1), round(r, -1)) for (x, y), r in found] == [(120, 160, round(radius, -1))] * told


def test_a_white_strip_hides_no_die() -> None:
    picture = np.full((300, 300, 3), 90, np.uint8)
    picture[100:112, 40:240] = 255
    assert burnt_patches(picture, 20.0) == []


def test_a_lamp_that_mirrors_in_the_upper_face_leaves_the_colour_of_the_whole_die() -> None:
    picture = np.full((60, 60, 3), (90, 90, 90), np.uint8)
    picture[10:50, 10:50] = RED
    picture[20:38, 20:38] = 255
    rim = [(30 + 20 * math.cos(angle), 30 + 20 * math.sin(angle)) for angle in np.linspace(0, 6, 16)]
    assert whole_colour(picture, rim) == RED


@pytest.mark.parametrize("outline", [(), ((90.0, 90.0), (95.0, 90.0), (95.0, 95.0))], ids=["none", "outside"])
def test_what_is_not_in_the_picture_has_no_colour(outline: tuple[tuple[float, float], ...]) -> None:
    assert whole_colour(np.zeros((60, 60, 3), np.uint8), outline) is None


@pytest.mark.parametrize("scale", [1, 12], ids=["small", "close up"])
def test_half_of_a_die_tells_its_colour(scale: int) -> None:
    picture = np.full((60 * scale, 60 * scale, 3), 255, np.uint8)
    picture[:, : 40 * scale] = RED
    box = [(x * scale, y * scale) for x, y in ((12, 12), (52, 12), (52, 52), (12, 52))]
    assert whole_colour(picture, box) == RED
