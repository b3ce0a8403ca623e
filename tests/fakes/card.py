"""The test card as a camera sees it: its printed shapes, laid on a table and looked at from above."""

from __future__ import annotations

import math
import re
from functools import cache

import cv2
import numpy as np

from tableside.reader.photo import Picture
from tableside.tray.card import CARD_MM
from tableside.tray.prints import card_svg

_PRINT_PX = 8.0  # a millimetre
_TABLE_BGR = (52, 82, 118)
_INK_LEVEL, _PAPER_LEVEL = 20, 210  # printed black and white paper in a photograph
_LENS = 1.2  # focal length over the picture's width
_FINE = 16


@cache
def printed() -> Picture:
    """Return the sheet as it comes from a printer, from straight above."""
    width, height = (round(side * _PRINT_PX) for side in CARD_MM)
    sheet = np.full((height, width, 3), 255, np.uint8)
    for colour, path in re.findall(r'<path fill="#(\w{6})" fill-rule="evenodd" d="([^"]*)"/>', card_svg()):
        corners = [np.array(re.findall(r"[\d.]+", line), float).reshape(-1, 2) for line in path.split("Z")[:-1]]
        lines = [np.rint((line * _PRINT_PX - 0.5) * _FINE).astype(np.int32) for line in corners]
        bgr = [int(colour[at : at + 2], 16) for at in (4, 2, 0)]
        cv2.fillPoly(sheet, lines, bgr, cv2.LINE_AA, round(math.log2(_FINE)))
    return sheet


def seen(
    *,
    px_per_mm: float = 3.4,
    tilt: float = 0.0,
    turn: float = 0.0,
    blur: float = 0.7,
    light: float = 1.0,
    seed: int = 0,
) -> Picture:
    """Return what a camera of 1280 x 960 sees of the sheet.

    :param px_per_mm: in the middle of the picture. :param tilt: of the camera, in degrees. :param turn: of the sheet.
    :param blur: of the lens, sigma in px. :param light: 1 for a good exposure.
    """
    width, height = 1280, 960
    focal = _LENS * width
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    d, u = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    axes = np.array([[c, -s, 0.0], [d * s, d * c, 0.0], [u * s, u * c, focal / px_per_mm]])
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    sheet = np.array([[1 / _PRINT_PX, 0, -CARD_MM[0] / 2], [0, 1 / _PRINT_PX, -CARD_MM[1] / 2], [0, 0, 1]])
    twice = np.diag([2.0, 2.0, 1.0]) @ lens @ axes @ sheet
    large = cv2.warpPerspective(printed(), twice, (2 * width, 2 * height), borderValue=_TABLE_BGR)
    picture = cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
    picture = (_INK_LEVEL + picture * ((_PAPER_LEVEL - _INK_LEVEL) / 255)) * light
    picture = cv2.GaussianBlur(picture, (0, 0), blur) + np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
