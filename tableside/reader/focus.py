"""Tell from one picture alone whether the lens is out of focus.

A step that a lens blurs by a Gaussian falls off, when it is blurred once more, by how much it was blurred before
(S. Zhuo and T. Sim, Defocus map estimation from a single image, 2011). So the steepest edges of dice say how blurred
they are, in shares of a die's radius, whatever the light and their colours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
_LOOKED_AT = 3
"""Dice: one lens blurs all alike."""


def is_out_of_focus(picture: Picture | Pyramid, outlines: Sequence[Sequence[Point]]) -> bool:
    """Return whether the dice with these outlines, px, are blurred; without any, whether the whole picture is."""
    pyramid, known = pyramid_of(picture), [np.array(one) for one in outlines if len(set(one)) > 2][:_LOOKED_AT]
    if not known:
        height, width = pyramid.shape[:2]
        whole = shrunk(pyramid, _WIDTH_PX, max(1, round(height * _WIDTH_PX / width)))
        return bool(_blurs([whole], _STEEPEST_OF_ALL)[0] > _MOST_OF_WIDTH * _WIDTH_PX)
    bounds = [(corners.min(axis=0), corners.max(axis=0)) for corners in known]
    dice = [((low + high).tolist(), float((high - low).mean()) / 2) for low, high in bounds]
    views = [square(pyramid, (x / 2, y / 2), radius * _SIDE_PX / 2 / _RADIUS_PX, _SIDE_PX) for (x, y), radius in dice]
    sharp = _SHARP_PX / np.array([radius for _, radius in dice])
    blurs = np.sqrt(np.maximum(0.0, (_blurs(views, _STEEPEST) / _RADIUS_PX) ** 2 - sharp**2))
    seen = blurs[~np.isnan(blurs)]
    return bool(seen.size) and bool(np.median(seen) > _MOST_BLUR)


def _blurs(pictures: Sequence[Picture], share: float) -> npt.NDArray[np.float32]:
    """Return the standard deviation, px, by which the steepest edges of each of n pictures of one size are blurred,
    (n,); not a number where there are none."""
    levels = np.concatenate(pictures, axis=2).astype(np.float32)
    blurred = (cv2.GaussianBlur(levels, (0, 0), sigma) for sigma in (_ONCE_PX, _AGAIN_PX))
    once, again = (_steepness(np.asarray(one, np.float32)) for one in blurred)
    count = round(share * once.shape[1])
    steepest = np.argpartition(once, -count)[:, -count:]
    once, again = (np.sqrt(np.take_along_axis(squared, steepest, axis=1)) for squared in (once, again))
    falls = np.median(once / np.maximum(again, 1e-3), axis=1)
    gone = np.maximum(0.0, _AGAIN_PX**2 - (falls * _ONCE_PX) ** 2)
    blurs = np.where(falls > 1, np.sqrt(gone / np.maximum(falls**2 - 1, 1e-9)), math.inf)
    return np.asarray(np.where(np.median(once, axis=1) < _EDGE, math.nan, blurs), np.float32)


def _steepness(levels: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the squared gradient of each pixel over all colours, (n, pixels), of (height, width, 3 n) grey levels."""
    across, down = (cv2.Sobel(levels, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    colours = (across * across + down * down).reshape(-1, levels.shape[2] // 3, 3)
    total = cv2.transform(colours, np.ones((1, 3), np.float32))  # numpy is slow to sum over so few
    return np.ascontiguousarray(np.asarray(total, np.float32).reshape(colours.shape[:2]).T)
