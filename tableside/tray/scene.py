"""What the tray looks like as a whole, and how it has changed: light, sharpness and position.

Dice come and go. So only patches whose brightness stayed alike are compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tableside.reader.photo import Picture

_WIDTH_PX = 320
_COLUMNS, _ROWS = 16, 12
_ALIKE_LEVELS = 12.0
"""Grey levels: how much a blurred patch may differ if nothing came or went."""
_LEAST_ENERGY = 60.0
"""Mean squared Laplacian of a patch with an edge in it, without noise; bare felt has less."""
_LEAST_PATCHES, _LEAST_SHARE = 4, 0.5
"""Number and share of the patches with edges that must have stayed alike: else dice went, which is no blur."""
_LEAST_RESPONSE = 0.12
"""Peak of a phase correlation: below it, the pictures have too little in common to measure a shift."""

_BURNT = 250
"""Grey levels: a pixel this bright shows nothing."""
_NEAR = np.ones((_WIDTH_PX // _COLUMNS + 5,) * 2, np.uint8)
"""A patch and a little round it."""

Grid = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """The tray as a whole.

    :ivar grey: small and grey.
    :ivar energy: mean squared Laplacian of each patch, without noise: the measure of focus.
    :ivar size_px: width and height of the full picture.
    :ivar brightness: median grey level.
    :ivar burnt: share of what has turned white.
    """

    grey: Grid
    energy: Grid
    size_px: tuple[int, int]
    brightness: float
    burnt: float

    @classmethod
    def of(cls, picture: Picture) -> Scene:
        height, width = picture.shape[:2]
        size = (_WIDTH_PX, max(1, round(height * _WIDTH_PX / width)))
        green = np.ascontiguousarray(picture[:, :, 1])
        small = cv2.resize(green, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        return cls(
            grey=np.asarray(small, np.float32), energy=energy_of(green), size_px=(width, height),
            brightness=float(np.median(small)), burnt=burnt_share(small),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneChange:
    """How the tray differs from how it looked before. ``None`` is what could not be measured.

    :ivar light: brightness now, as a factor.
    :ivar sharpness: edge energy now of what both share, as a factor; defocus lowers it.
    :ivar shift: how far the picture moved, in shares of its width.
    """

    light: float
    sharpness: float | None
    shift: float | None


def burnt_share(grey: Grid) -> float:
    """Return the share of the picture that has turned white."""
    return np.count_nonzero(grey >= _BURNT) / grey.size


def energy_of(green: npt.NDArray[np.uint8]) -> Grid:
    """Return the edge energy of each patch at full resolution, without noise."""
    bend = cv2.Laplacian(green, cv2.CV_32F)
    patches = cv2.resize(bend * bend, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA)
    return np.asarray(np.maximum(patches - np.percentile(patches, 20), 0), np.float32)


def scene_change(now: Scene, before: Scene) -> SceneChange:
    """Return how the tray has changed."""
    shift = _shift(now.grey, before.grey) if now.size_px == before.size_px else None
    return SceneChange(light=_light(now, before), sharpness=sharpness_factor(now, before), shift=shift)


def _light(now: Scene, before: Scene) -> float:
    return (now.brightness + 1) / (before.brightness + 1)


def sharpness_factor(now: Scene, before: Scene) -> float | None:
    """Return :attr:`SceneChange.sharpness` alone, in a third of the time."""
    if now.size_px != before.size_px:
        return None
    light = _light(now, before)
    away = np.abs(_smooth(now.grey) / light - _smooth(before.grey))
    # the largest difference counts: a die that came or went changes edges around it, too
    alike = cv2.resize(cv2.dilate(away, _NEAR), (_COLUMNS, _ROWS), interpolation=cv2.INTER_NEAREST) < _ALIKE_LEVELS
    edged = before.energy > _LEAST_ENERGY
    shared = alike & edged
    if np.count_nonzero(shared) < max(_LEAST_PATCHES, _LEAST_SHARE * np.count_nonzero(edged)):
        return None
    # the median over patches: one patch says little about the focus
    ratios = now.energy[shared] / before.energy[shared] / light**2
    return float(np.median(ratios))


def _smooth(grey: Grid) -> Grid:
    """Return the picture so blurred that its focus no longer matters."""
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 4), np.float32)


def _shift(grey: Grid, other: Grid) -> float | None:
    window = cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F)
    edges = [_edges(one) for one in (other, grey)]
    (x, y), response = cv2.phaseCorrelate(edges[0], edges[1], window)
    if response < _LEAST_RESPONSE:
        return None
    return math.hypot(x, y) / int(grey.shape[1])


def _edges(grey: Grid) -> Grid:
    smooth = cv2.GaussianBlur(grey, (5, 5), 0)
    steep = cv2.magnitude(cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    return np.asarray(steep, np.float32)
