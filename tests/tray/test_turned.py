"""A picture that is turned or mirrored shows the same dice in other places."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from tableside.dice import Point
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.turned import find_turn
from tableside.tray.watch import Watch
from tests.fakes.tray import DrawnReader, draw_tray

PLACES: Sequence[Point] = ((0.1, 0.2), (0.5, 0.31), (0.83, 0.64))
ASPECT = 0.75
TURNS: dict[str, Callable[[Picture], Picture]] = {
    "upside down": lambda picture: np.ascontiguousarray(picture[::-1, ::-1]),
    "mirrored": lambda picture: np.ascontiguousarray(picture[:, ::-1]),
    "mirrored upside down": lambda picture: np.ascontiguousarray(picture[::-1]),
    "turned right": lambda picture: np.ascontiguousarray(np.rot90(picture, -1)),
    "turned left": lambda picture: np.ascontiguousarray(np.rot90(picture)),
    "turned right and mirrored": lambda picture: np.ascontiguousarray(np.rot90(picture, -1)[:, ::-1]),
    "turned left and mirrored": lambda picture: np.ascontiguousarray(np.rot90(picture)[:, ::-1]),
}


def drawn(places: Sequence[Point], width: int = 800) -> Picture:
    """Draw a dot of its own grey at each place."""
    picture = np.zeros((round(width * ASPECT), width, 3), np.uint8)
    for number, (x, y) in enumerate(places, 1):
        cv2.circle(picture, (round(x * width), round(y * width)), 3, (40 * number,) * 3, -1)
    return picture


def found_in(picture: Picture, count: int) -> list[Point]:
    """Return where the dots are now, in shares of the width."""
    middles = [np.argwhere(picture[:, :, 0] == 40 * number).mean(axis=0) for number in range(1, count + 1)]
    return [(float(x) / picture.shape[1], float(y) / picture.shape[1]) for y, x in middles]


@pytest.mark.parametrize("name", TURNS)
def test_each_turn_and_mirror_is_known_and_says_which_place_is_which(name: str) -> None:
    picture = TURNS[name](drawn(PLACES))
    after = found_in(picture, len(PLACES))[::-1]  # the reader has an order of its own
    aspect = picture.shape[0] / picture.shape[1]
    assert find_turn(PLACES, after, aspect=aspect, reach=0.012) == [2, 1, 0]


@pytest.mark.parametrize(
    "after",
    [
        PLACES[:2],
        ((0.9, 0.55), (0.5, 0.44), (0.30, 0.11)),
        ((0.9, 0.55), (0.9, 0.55), (0.17, 0.11)),
        ((0.2, 0.3), (0.6, 0.41), (0.93, 0.74)),
    ],
    ids=["one is gone", "one lies elsewhere", "two in one place", "pushed"],
)
def test_other_places_are_no_turn(after: Sequence[Point]) -> None:
    assert find_turn(PLACES, after, aspect=ASPECT, reach=0.012) is None


def test_one_place_alone_tells_nothing() -> None:
    assert find_turn(PLACES[:1], [(0.9, 0.55)], aspect=ASPECT, reach=0.012) is None


@pytest.mark.parametrize("name", TURNS)
def test_a_turned_picture_of_the_same_dice_is_no_new_roll(name: str) -> None:
    tray = draw_tray(("green", 100, 100), ("yellow", 200, 150), ("yellow", 60, 190))
    watch, told, number = Watch(DrawnReader()), [], 0
    for picture, frames in ((draw_tray(), 20), (tray, 60), (TURNS[name](tray), 60), (tray, 60)):
        for _ in range(frames):
            told += watch.see(Frame.of(picture, number=number, time=number / 30))
            number += 1
    assert [event.happening.value for event in told if event.reading is not None] == ["roll"]
