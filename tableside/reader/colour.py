"""Body colours of dice, and faces that light has washed out, by points spread evenly over a disc."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.crop import Pyramid, pyramid_of
from tableside.reader.photo import Picture

_WHITE = 248  # of the darkest channel: beyond it the camera records no detail
_FINEST = 24.0  # px: where a disc has a larger radius, a coarser level of the picture has all that its points can tell
_COUNT = 96
_ANGLES, _REACHES = np.arange(_COUNT) * math.pi * (3 - math.sqrt(5)), np.sqrt((np.arange(_COUNT) + 0.5) / _COUNT)
_DISC = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1) * _REACHES[:, None]
"""Vogel's sunflower (1979): (_COUNT, 2) points, each for as much of the unit disc as any other."""
_INK_FREE, _WITHIN = 0.6, 0.92  # of a face's circumradius: ink covers less than half; of an outline's mean radius
_PATCH_PX = 8.0  # radius of a die, at the level where patches are looked for
_LEAST_PATCH, _MOST_PATCH = 0.12, 6.8  # areas of a die; radii of .35 to 2.6


def body_colour(picture: Picture | Pyramid, centre: Point, radius: float) -> tuple[int, int, int]:
    """Return the median BGR colour of the upper face within 0.6 of its circumradius."""
    return _median(_points(picture, centre, max(2.0, _INK_FREE * radius)))


def whole_colour(picture: Picture | Pyramid, outline: Sequence[Point]) -> tuple[int, int, int] | None:
    """Return the median BGR colour of all of a die that is seen, ``None`` where nothing is.

    A lamp that mirrors in the upper face seldom mirrors in the sides, too.
    """
    if not outline:
        return None
    corners = np.array(outline, float)
    (x, y), height, width = corners.mean(axis=0), *picture.shape[:2]
    radius = _WITHIN * float(np.hypot(*(corners - (x, y)).T).mean())
    if not (-radius < x < width + radius and -radius < y < height + radius):
        return None
    return _median(_points(picture, (x, y), radius))


def burnt_share(picture: Picture | Pyramid, centre: Point, radius: float) -> float:
    """Return of how much of a disc light has left nothing: its share that is white, 0..1."""
    return float((_points(picture, centre, radius).min(axis=1) >= _WHITE).mean())


def burnt_patches(picture: Picture | Pyramid, radius: float) -> list[tuple[Point, float]]:
    """Return middle and radius of each white patch, px, under which a die of that radius may lie."""
    number = max(0, math.floor(math.log2(max(radius, 1.0) / _PATCH_PX)))
    white = cv2.inRange(pyramid_of(picture).level(number), (_WHITE,) * 3, (255,) * 3)
    _, _, stats, middles = cv2.connectedComponentsWithStats(white)
    of_a_die = math.pi * (radius / 2**number) ** 2
    return [
        ((float(x + 0.5) * 2**number, float(y + 0.5) * 2**number), math.sqrt(area / math.pi) * 2**number)
        for (x, y), (_, _, width, height, area) in zip(middles[1:], stats[1:].tolist(), strict=True)
        if _LEAST_PATCH <= area / of_a_die <= _MOST_PATCH and area >= width * height / 2 and 0.5 < width / height < 2
    ]


def _points(picture: Picture | Pyramid, centre: Point, radius: float) -> npt.NDArray[np.uint8]:
    """Return the BGR colours, (n, 3), of the points of a disc that lie in the picture; of its rim, where none does."""
    number = max(0, math.ceil(math.log2(max(radius, 1.0) / _FINEST)))
    level = pyramid_of(picture).level(number)
    at = np.floor((np.array(centre) + _DISC * radius + 0.5) / 2**number).astype(np.intp)
    last = np.array(level.shape[1::-1]) - 1
    inside = ((at >= 0) & (at <= last)).all(axis=1)
    columns, rows = (at[inside] if inside.sum() > 1 else at.clip(0, last)).T
    return np.asarray(level[rows, columns], np.uint8)


def _median(colours: npt.NDArray[np.uint8]) -> tuple[int, int, int]:
    b, g, r = np.partition(colours, len(colours) // 2, axis=0)[len(colours) // 2].tolist()
    return b, g, r
