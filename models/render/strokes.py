"""What drawings of symbols are made of: a square mask, and polygons, discs, rings and stars on it.

Points are in -1..1 across the drawing's own span, which leaves a margin on the mask; y grows downward.
"""

from __future__ import annotations

import cv2
import numpy as np

SIZE = 192
_MARGIN = 0.80
_FINEST = 5.0  # px, of an outline
_INK_KEPT = 0.6  # of strokes made thinner: with less of them left, a mark is none any more
_HOLES_KEPT = 0.3  # of what bolder strokes enclose: with less of it left a ring round a figure is a blot
_SHIFT = 4  # fixed-point bits of cv2's polygon drawing


def canvas() -> np.ndarray:
    """Return an empty (SIZE, SIZE) uint8 mask."""
    return np.zeros((SIZE, SIZE), np.uint8)


def fill(mask: np.ndarray, points: np.ndarray, value: int = 255) -> None:
    """Fill the polygon of (n, 2) points."""
    pixels = (np.asarray(points) * _MARGIN + 1) * (SIZE / 2)
    cv2.fillPoly(mask, [np.round(pixels * 2**_SHIFT).astype(np.int32)], value, cv2.LINE_AA, _SHIFT)


def disc(mask: np.ndarray, x: float, y: float, radius: float, value: int = 255) -> None:
    """Fill a disc."""
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    fill(mask, np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1), value)


def ring(mask: np.ndarray, x: float, y: float, radius: float, stroke: float) -> None:
    """Add a ring of that outer radius; what lies within it stays."""
    layer = canvas()
    disc(layer, x, y, radius)
    disc(layer, x, y, max(radius - stroke, 0), 0)
    np.maximum(mask, layer, out=mask)


def star(n: int, outer: np.ndarray, inner: np.ndarray, turn: float = 0.0) -> np.ndarray:
    """Return the (2 n, 2) points of a star whose points and notches have those (n,) radii."""
    angle = turn - np.pi / 2 + np.arange(2 * n) * np.pi / n
    radius = np.empty(2 * n)
    radius[0::2], radius[1::2] = outer, inner
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)


def concave(n: int, concavity: float, turn: float, stretch: float = 1.0) -> np.ndarray:
    """Return the (14 n, 2) points of a polygon whose n sides are bent inward."""
    corners = np.arange(n + 1) * 2 * np.pi / n + turn - np.pi / 2
    tips = np.stack([np.cos(corners), np.sin(corners)], 1)
    points = []
    for a, b in zip(tips[:-1], tips[1:], strict=True):
        middle = (a + b) / 2 * (1 - 2 * concavity)
        t = np.linspace(0, 1, 14, endpoint=False)[:, None]
        points.append((1 - t) ** 2 * a + 2 * t * (1 - t) * middle + t**2 * b)
    out = np.concatenate(points)
    out[:, 1] *= stretch
    return out


def turned(points: np.ndarray, angle: float) -> np.ndarray:
    """Return the (n, 2) points turned about the middle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(points) @ np.array([[c, s], [-s, c]])


def fill_around(mask: np.ndarray, n: int, points: np.ndarray, *, first: float = 0.0, value: int = 255) -> None:
    """Fill the polygon n times, turned evenly about the middle, from ``first`` radians on."""
    for k in range(n):
        fill(mask, turned(points, first + k * 2 * np.pi / n), value)


def hollow(mask: np.ndarray, stroke: float) -> None:
    """Leave of what is filled an outline, as wide as that share of the greatest depth, and wide enough to be seen."""
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    mask[depth > max(depth.max() * stroke, _FINEST)] = 0


def weighed(mask: np.ndarray, weight: int) -> np.ndarray:
    """Return the strokes made bolder by so many pixels on each side, or thinner, as far as the mark stays what it is."""
    if not weight:
        return mask
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(weight) + 1,) * 2)
    if weight > 0:
        changed = cv2.dilate(mask, kernel)
        is_kept = _enclosed(changed) >= _HOLES_KEPT * _enclosed(mask)
    else:
        changed = cv2.erode(mask, kernel)
        is_kept = changed.sum(dtype=float) >= _INK_KEPT * mask.sum(dtype=float)
    return changed if is_kept else weighed(mask, weight - int(np.sign(weight)))


def _enclosed(mask: np.ndarray) -> int:
    """Return how many pixels without ink the strokes enclose."""
    outlines, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = cv2.drawContours(np.zeros_like(mask), outlines, -1, 255, cv2.FILLED)
    return int(((whole > 0) & (mask <= 127)).sum())
