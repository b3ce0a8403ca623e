"""Views of a picture: squares cut out of it, and the whole of it smaller."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tableside.dice import Point
from tableside.reader.photo import Picture

_COARSEST = 0.5
"""Pixels of a view to one of its source: below this, sampling would skip pixels."""


class Pyramid:
    """A (height, width, 3) picture and its halves, each made when it is first asked for.

    :ivar shape: of the picture.
    """

    def __init__(self, picture: Picture) -> None:
        self._levels = [picture]
        self.shape = picture.shape

    def level(self, number: int) -> Picture:
        """Return the picture halved so often; an odd row or column goes at each."""
        while len(self._levels) <= number:
            last = self._levels[-1]
            rows, columns = last.shape[0] // 2, last.shape[1] // 2
            # halving is several times as fast as shrinking to any other size by area
            half = cv2.resize(last[: 2 * rows, : 2 * columns], (columns, rows), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        return self._levels[number]


def pyramid_of(picture: Picture | Pyramid) -> Pyramid:
    """Return the picture's pyramid; one that is passed on is made once for all that look at the picture."""
    return picture if isinstance(picture, Pyramid) else Pyramid(picture)


def square(picture: Picture | Pyramid, centre: Point, half: float, side: int, turn: float = 0.0) -> Picture:
    """Return the (side, side, 3) view that reaches ``half`` px of the picture from ``centre``.

    :param turn: radians by which the view is turned. Beyond the picture, its edge is repeated.
    """
    pyramid, (x, y), scale, number = pyramid_of(picture), centre, side / (2 * half), 0
    while scale < _COARSEST and min(pyramid.shape[:2]) >> number > 1:
        x, y, scale, number = x / 2, y / 2, scale * 2, number + 1
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    middle = side / 2
    matrix = np.array([[c, -s, middle - c * x + s * y], [s, c, middle - s * x - c * y]])
    view = cv2.warpAffine(
        pyramid.level(number), matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8)


def shrunk(picture: Picture | Pyramid, width: int, height: int) -> Picture:
    """Return the picture in that size: halved as often as it can be, then resized. A smaller one is enlarged."""
    pyramid, number = pyramid_of(picture), 0
    rows, columns = pyramid.shape[:2]
    while columns >> number + 1 >= width and rows >> number + 1 >= height:
        number += 1
    level = pyramid.level(number)
    if level.shape[:2] == (height, width):
        return level
    if width >= level.shape[1]:
        return np.asarray(cv2.resize(level, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    # each pixel is the mean of four points between those of the level: as even as by area, in half the time
    return Pyramid(np.asarray(cv2.resize(level, (2 * width, 2 * height)), np.uint8)).level(1)
