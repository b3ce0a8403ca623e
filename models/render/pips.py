"""Pips as they stand on dice: spots of every size, spacing and shape, of which the maker of a die chose one manner."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

Rng = np.random.Generator

USUAL = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
"""The places of each value's pips; 1 is the place of a corner pip."""
_GAP = 2.25  # least distance of two pips' middles, in their radii


def _ring(count: int) -> np.ndarray:
    angle = np.arange(count) * 2 * np.pi / count
    return np.stack([np.cos(angle), np.sin(angle)], 1) * 1.2


def _layout(rng: Rng, rare: bool) -> dict[int, np.ndarray]:
    """Return the (n, 2) middles of each value's pips; 1 is the place of a corner pip."""
    spots = {value: np.array(places, float) for value, places in USUAL.items()}
    if rare and rng.random() < 0.5:
        spots |= {value: _ring(value) for value in (3, 5, 6) if rng.random() < 0.6}
    # seldom does a maker set two and four pips equally far apart, and a six is often narrow
    spots[2] = spots[2] * (rng.uniform(0.5, 1.0) if rng.random() < 0.6 else 1.0)
    spots[3] = spots[3] * rng.uniform(0.75, 1.05)
    spots[4] = spots[4] * (rng.uniform(0.7, 1.0) if rng.random() < 0.5 else 1.0)
    spots[6] = spots[6] * (rng.uniform(0.45, 1.05), rng.uniform(0.85, 1.15))
    if rng.random() < 0.08:  # in a row along the edge
        spots[2], spots[3] = spots[2] * (0, 1), spots[3] * (0, 1.1)
    return spots


def pip_faces(rng: Rng, values: Sequence[int], side: int) -> list[np.ndarray]:
    """Return the (side, side) uint8 masks of the values' faces; a face's corners lie on the circle that fills the mask."""
    rare = rng.random() < 0.06
    layout = _layout(rng, rare)
    spread, radius = rng.uniform(0.26, 0.46), rng.uniform(0.075, 0.19)
    nearest = min(
        float(np.linalg.norm(a - b)) for spots in layout.values() for n, a in enumerate(spots) for b in spots[:n]
    )
    radius = min(radius, nearest * spread / _GAP)
    big_one = rng.uniform(1.3, 2.2) if rng.random() < 0.12 else 1.0
    hollow = rng.uniform(0.35, 0.65) if rng.random() < 0.05 else 0.0
    corners = int(rng.integers(3, 7)) if rng.random() < 0.08 else 0
    starred = rng.uniform(0.4, 0.75) if rng.random() < 0.5 else 1.0
    border = rng.random() < 0.05
    masks = []
    for value in values:
        canvas = np.zeros((side, side), np.uint8)
        turn = rng.integers(4) * np.pi / 2 + np.pi / 4
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        size = radius * (big_one if value == 1 else 1.0)
        for spot in layout[value] * spread:
            middle = spin @ spot
            _dot(canvas, middle, size, corners, starred)
            if hollow:
                _dot(canvas, middle, size * hollow, 0, 1.0, ink=0)
        if border:
            square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * 0.6 @ spin.T
            points = ((square * 0.5 + 0.5) * side * 16).astype(np.int32)
            cv2.polylines(canvas, [points], True, 255, 2, cv2.LINE_AA, 4)
        masks.append(canvas)
    return masks


def _dot(canvas: np.ndarray, middle: np.ndarray, size: float, corners: int, starred: float, *, ink: int = 255) -> None:
    """Draw one pip: round, or with so many corners, the points between them drawn in to ``starred``."""
    side = len(canvas)
    if corners:
        angle = np.arange(2 * corners) * np.pi / corners
        reach = 1.25 * size * np.where(np.arange(2 * corners) % 2, starred, 1.0)
        star = middle + np.stack([np.cos(angle), np.sin(angle)], 1) * reach[:, None]
        cv2.fillPoly(canvas, [np.round((star * 0.5 + 0.5) * side * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)
    else:
        at = tuple(int(v) for v in np.round((middle * 0.5 + 0.5) * side * 16))
        cv2.circle(canvas, at, int(size / 2 * side * 16), ink, -1, cv2.LINE_AA, 4)
