"""Cut a square view out of a picture."""

from __future__ import annotations

import math

import cv2
import numpy as np

from tableside.dice import Point
from tableside.reader.photo import Picture

_COARSEST = 0.5
"""Pixels of a view to one of the picture: below this, sampling would skip pixels."""


def square(picture: Picture, centre: Point, half: float, side: int, turn: float = 0.0) -> Picture:
    """Return the (side, side, 3) view that reaches ``half`` px of the picture from ``centre``.

    :param turn: radians by which the view is turned. Beyond the picture, its edge is repeated.
    """
    scale = side / (2 * half)
    reach = half * (1.5 if turn else 1.0) + 2 / scale  # a turned view has corners farther out
    x, y = centre
    height, width = picture.shape[:2]
    x0, y0 = max(0, int(x - reach)), max(0, int(y - reach))
    part = picture[y0 : min(height, int(y + reach) + 2), x0 : min(width, int(x + reach) + 2)]
    if part.size == 0:
        return np.zeros((side, side, 3), np.uint8)
    x, y = x - x0, y - y0
    while scale < _COARSEST and min(part.shape[:2]) > 1:
        part = halved(part)
        x, y, scale = x / 2, y / 2, scale * 2
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    middle = side / 2
    matrix = np.array([[c, -s, middle - c * x + s * y], [s, c, middle - s * x - c * y]])
    view = cv2.warpAffine(part, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(view, np.uint8)


def halved(picture: Picture) -> Picture:
    """Return the picture at half its size, without the last row and column of an odd one.

    Halving is several times as fast as shrinking to any other size by area.
    """
    rows, columns = picture.shape[0] // 2, picture.shape[1] // 2
    even = picture[: 2 * rows, : 2 * columns]
    return np.asarray(cv2.resize(even, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


def shrunk(picture: Picture, width: int, height: int, halves: list[Picture] | None = None) -> Picture:
    """Return the picture in that size: halved as often as it can be, then resized. A smaller one is enlarged.

    :param halves: the picture halved once, twice and so on, as often as was needed before. More are added.
    """
    halves = [] if halves is None else halves
    at = 0
    while (
        picture.shape[1] >= 2 * width and picture.shape[0] >= 2 * height and not any(n % 2 for n in picture.shape[:2])
    ):
        if at == len(halves):
            halves.append(halved(picture))
        picture, at = halves[at], at + 1
    if picture.shape[:2] == (height, width):
        return picture
    is_near = 2 * width > picture.shape[1] and 2 * height > picture.shape[0]
    how = cv2.INTER_LINEAR if is_near else cv2.INTER_AREA
    return np.asarray(cv2.resize(picture, (width, height), interpolation=how), np.uint8)
