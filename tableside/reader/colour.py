"""Body colours of dice, and the one die among several that differs."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tableside.dice import Point
from tableside.reader.photo import Picture

_ALIKE = 10.0  # CIELAB distance: dice of one make under one lamp differ by less
_APART = 30.0
_ENOUGH = 10.0  # pixels along half a face, for its median
_WHITE = 248  # of the darkest channel: beyond it the camera records no detail


def body_colour(picture: Picture, centre: Point, radius: float) -> tuple[int, int, int]:
    """Return the median BGR colour of the upper face within 0.6 of its circumradius; ink covers less than half."""
    x, y, reach = centre[0], centre[1], max(2.0, radius * 0.6)
    height, width = picture.shape[:2]
    x0, y0 = int(np.clip(x - reach, 0, width - 1)), int(np.clip(y - reach, 0, height - 1))
    part = picture[y0 : max(y0 + 1, int(y + reach)), x0 : max(x0 + 1, int(x + reach))]
    step = max(1, int(reach // _ENOUGH))
    pixels = part[::step, ::step].reshape(-1, 3)
    low, high = (len(pixels) - 1) // 2, len(pixels) // 2
    ordered = np.partition(pixels, (low, high), axis=0)  # a quarter of the time of np.median
    b, g, r = (ordered[low].astype(int) + ordered[high]) // 2
    return int(b), int(g), int(r)


def is_washed_out(picture: Picture, centre: Point, radius: float) -> bool:
    """Return whether light has washed out a face: it is white all over within half its circumradius."""
    if min(body_colour(picture, centre, radius)) < _WHITE:
        return False
    reach = max(2, round(radius * 0.5))
    x, y = round(centre[0]), round(centre[1])
    top, left = max(0, y - reach), max(0, x - reach)
    part = picture[top : y + reach + 1, left : x + reach + 1]
    down, across = np.ogrid[: part.shape[0], : part.shape[1]]
    inside = (down + top - y) ** 2 + (across + left - x) ** 2 <= reach**2
    return bool(np.percentile(part[inside].min(axis=1), 1) >= _WHITE)


def odd_one_out(colours: Sequence[tuple[int, int, int]], *, least_others: int = 3) -> int | None:
    """Return the index of the one colour that stands apart from all the others, which are alike.

    :param least_others: how many others there must be. Two are enough where an odd die is expected; where it is
        not, a third makes chance unlikely.
    """
    if len(colours) < max(least_others, 2) + 1:
        return None
    bgr = np.array(colours, np.float32)[None] / 255
    lab = cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0]
    lab[:, 0] *= 0.6  # shade and lamp change lightness more than hue
    for i in range(len(colours)):
        others = np.delete(lab, i, axis=0)
        centre = np.median(others, axis=0)
        if (
            np.linalg.norm(others - centre, axis=1).max() < _ALIKE
            and np.linalg.norm(others - lab[i], axis=1).min() > _APART
        ):
            return i
    return None
