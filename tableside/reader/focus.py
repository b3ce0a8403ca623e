"""Tell from one picture alone whether the lens is out of focus.

A step that a lens blurs by a Gaussian falls off, when it is blurred once more, by how much it was blurred before
(S. Zhuo and T. Sim, Defocus map estimation from a single image, 2011). So the steepest edges of dice say how blurred
they are, in shares of a die's radius, whatever the light and their colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.crop import Pyramid, pyramid_of, shrunk, square
from tableside.reader.photo import Picture

_MOST_BLUR = 0.06
"""Standard deviation of the blur, radii of a die: from twice as much on, dice are missed without a sign of them."""
_SHARP_PX = 1.0
"""Standard deviation that every lens and sensor leaves: of small dice it is a large share."""
_MOST_OF_WIDTH = 0.0038
"""The same where no die is found, in shares of the picture's width."""
_SIDE_PX, _RADIUS_PX, _WIDTH_PX = 64, 24.0, 480
"""Sizes at which a die and a whole picture are looked at."""
_ONCE_PX, _AGAIN_PX = 1.0, 2.5
"""Standard deviations of both blurs; the first one takes the noise away."""
_STEEPEST, _STEEPEST_OF_ALL = 0.04, 0.004
"""Shares of the pixels of a die, and of a picture, that are its steepest edges."""
_EDGE = 3.0
"""Grey levels a pixel: what is nowhere steeper has no edges to tell by."""
_LOOKED_AT = 5
"""Dice: one lens blurs all alike."""


def is_out_of_focus(picture: Picture | Pyramid, outlines: Sequence[Sequence[Point]]) -> bool:
    """Return whether the dice with these outlines, px, are blurred; without any, whether the whole picture is."""
    pyramid, known = pyramid_of(picture), [one for one in outlines if len(set(one)) > 2][:_LOOKED_AT]
    if known:
        seen = [one for one in (_of_die(pyramid, outline) for outline in known) if one is not None]
        return bool(seen) and median(seen) > _MOST_BLUR
    height, width = pyramid.shape[:2]
    whole = shrunk(pyramid, _WIDTH_PX, max(1, round(height * _WIDTH_PX / width)))
    blur = _blur(whole, _STEEPEST_OF_ALL)
    return blur is not None and blur > _MOST_OF_WIDTH * _WIDTH_PX


def _of_die(pyramid: Pyramid, outline: Sequence[Point]) -> float | None:
    corners = np.array(outline)
    low, high = corners.min(axis=0), corners.max(axis=0)
    radius, (x, y) = float((high - low).mean()) / 2, (low + high) / 2
    view = square(pyramid, (float(x), float(y)), radius * _SIDE_PX / 2 / _RADIUS_PX, _SIDE_PX)
    blur = _blur(view, _STEEPEST)
    return None if blur is None else math.sqrt(max(0.0, (blur / _RADIUS_PX) ** 2 - (_SHARP_PX / radius) ** 2))


def _blur(picture: Picture, share: float) -> float | None:
    """Return the standard deviation, px, by which the steepest edges are blurred, ``None`` where there are none."""
    levels = picture.astype(np.float32)
    blurs = (cv2.GaussianBlur(levels, (0, 0), sigma) for sigma in (_ONCE_PX, _AGAIN_PX))
    once, again = (_steepness(np.asarray(blurred, np.float32)) for blurred in blurs)
    count = round(share * once.size)
    steepest = np.argpartition(-once, count)[:count]
    if np.median(once[steepest]) < _EDGE:
        return None
    falls = float(np.median(once[steepest] / np.maximum(again[steepest], 1e-3)))
    if falls <= 1:
        return math.inf
    return math.sqrt(max(0.0, (_AGAIN_PX**2 - (falls * _ONCE_PX) ** 2) / (falls**2 - 1)))


def _steepness(levels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the gradient of each pixel over all colours, grey levels a pixel, (height * width,)."""
    across, down = (cv2.Sobel(levels, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt((across * across + down * down).sum(axis=2)), np.float32).ravel()
