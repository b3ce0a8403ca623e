"""Endless redrawings of the symbols after the sister game's dice, and as other makers might draw them.

That game uses the same faces: success is a solid star with a hole, advantage a hollow chevron, triumph the star in a
ring, failure a spiked X, threat a ring with curved thorns, despair the X in a ring with four corners. Each function
draws one of them as :mod:`models.render.symbols` does, with other counts of points, thorns, rays and corners, too.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.render.strokes import canvas, concave, disc, fill, fill_around, hollow, ring, star, turned

Rng = np.random.Generator
Drawing = Callable[[Rng], np.ndarray]


def success(rng: Rng) -> np.ndarray:
    """A star with a round hole, or a sun: a disc or a ring with rays that stand off it."""
    mask = canvas()
    n = int(rng.choice([6, 7, 8, 8, 8, 9, 10, 12]))
    if rng.random() < 0.75:
        outer = np.full(n, 1.0)
        if n % 2 == 0 and rng.random() < 0.3:
            outer[1::2] = rng.uniform(0.7, 1.0)  # long and short points in turn
        fill(mask, star(n, outer, np.full(n, rng.uniform(0.36, 0.74))))
        disc(mask, 0, 0, rng.uniform(0.12, 0.4), 0)
        return mask
    hub = rng.uniform(0.3, 0.5)
    width = min(np.pi / n * rng.uniform(0.5, 0.95), 0.45)
    base = hub + rng.uniform(0.06, 0.16)
    fill_around(mask, n, np.array([(-width * base, -base), (0, -1), (width * base, -base)]))
    ring(mask, 0, 0, hub, hub * rng.choice([1.0, rng.uniform(0.25, 0.6)]))
    return mask


def advantage(rng: Rng) -> np.ndarray:
    """A chevron, hollow or solid, straight or winged, by itself, with a second or with a dot."""
    drop, foot, width = rng.uniform(0.5, 0.95), rng.uniform(0.45, 0.95), rng.uniform(0.3, 0.75)
    bend = rng.normal(0, 0.15) if rng.random() < 0.5 else 0.0
    side = np.linspace(0, 1, 12)
    edge = np.stack([0.95 * side, -drop + (drop + foot - width) * side + bend * np.sin(np.pi * side)], 1)
    low = edge + np.stack([np.zeros(12), width * (1 - rng.uniform(0, 0.6) * side)], 1)
    half = np.concatenate([edge, low[::-1]])
    points = np.concatenate([half, half[::-1] * (-1, 1)])
    mask = canvas()
    fill(mask, points)
    fate = rng.random()
    if fate < 0.6:
        hollow(mask, rng.uniform(0.3, 0.7))
    elif fate < 0.75:
        again = canvas()
        fill(again, points * 0.62 + (0, rng.uniform(0.45, 0.7)))
        around = cv2.dilate(again, np.ones((9, 9), np.uint8))
        mask = np.maximum(np.where(around > 0, 0, mask), again).astype(np.uint8)
    elif fate < 0.9:
        disc(mask, 0, rng.uniform(0.45, 0.8), rng.uniform(0.12, 0.24))
    return mask


def triumph(rng: Rng) -> np.ndarray:
    """A star in a ring, which its points may reach or cross."""
    mask = canvas()
    n = int(rng.choice([5, 6, 7, 8, 8, 8, 9, 10]))  # with four it would be despair
    rim = rng.uniform(0.75, 0.98)
    ring(mask, 0, 0, rim, rng.uniform(0.06, 0.2))
    reach = rim * rng.uniform(0.66, 0.8) if rng.random() < 0.7 else rng.uniform(0.9, 1.05)
    outer = np.full(n, reach)
    if rng.random() < 0.3:
        outer[int(rng.integers(n))] = 1.1  # one long blade
    burst = canvas()
    fill(burst, star(n, outer, np.full(n, reach * rng.uniform(0.28, 0.62))))
    mask = np.maximum(mask, burst)
    if rng.random() < 0.5:
        disc(mask, 0, 0, reach * rng.uniform(0.08, 0.3), 0)
    return mask


def failure(rng: Rng) -> np.ndarray:
    """A figure of three or four spikes with sides bent inward: solid, hollow, or with a hole."""
    mask = canvas()
    n = int(rng.choice([3, 4, 4, 4]))
    points = concave(n, rng.uniform(0.2, 0.48), np.pi / 4 if n == 4 else 0.0, rng.uniform(0.85, 1.15))
    fill(mask, points + (0, 0.15 if n == 3 else 0))
    fate = rng.random()
    if fate < 0.15:
        hollow(mask, rng.uniform(0.35, 0.7))
    elif fate < 0.25:
        disc(mask, 0, 0.1 if n == 3 else 0, rng.uniform(0.06, 0.16), 0)
    return mask


def _thorn(rng: Rng, hub: float, width: float, sweep: float) -> np.ndarray:
    """Return the points of a thorn that rises from a ring of radius ``hub`` and bends as it goes out, by ``sweep`` radians."""
    t = np.linspace(0, 1, 16)
    radius = hub * 0.9 + (1 - hub * 0.9) * t
    fat = width * (1 - t) ** rng.uniform(0.6, 1.6) / np.maximum(radius, 0.2)
    middle = sweep * t ** rng.uniform(1.0, 2.0) - np.pi / 2
    left, right = ((np.cos(a) * radius, np.sin(a) * radius) for a in (middle - fat, middle + fat))
    return np.concatenate([np.stack(left, 1), np.stack(right, 1)[::-1]])


def threat(rng: Rng) -> np.ndarray:
    """A ring with curved thorns, or a cog: a ring with teeth, or of pieces."""
    mask = canvas()
    fate = rng.random()
    if fate < 0.65:
        n = int(rng.choice([3, 3, 3, 3, 4, 6]))
        hub = rng.uniform(0.26, 0.62)
        sweep = rng.choice([-1, 1]) * rng.uniform(0.5, 1.1)  # straight ones make a star, or failure
        fill_around(mask, n, _thorn(rng, hub, rng.uniform(0.16, 0.42) * 3 / n, sweep))
        disc(mask, 0, 0, hub)
        disc(mask, 0, 0, hub * rng.uniform(0.4, 0.75), 0)
        return mask
    teeth = int(rng.choice([6, 6, 6, 5, 8]))
    if fate < 0.85:
        hub = rng.uniform(0.5, 0.72)
        low, high = (rng.uniform(*bounds) / teeth for bounds in ((0.8, 1.9), (0.5, 1.9)))
        fill_around(mask, teeth, np.array([(-low, -hub * 0.9), (-high, -1), (high, -1), (low, -hub * 0.9)]))
        ring(mask, 0, 0, hub, hub * rng.uniform(0.2, 0.5))
        disc(mask, 0, 0, hub * rng.uniform(0.15, 0.5), 0)
        return mask
    ring(mask, 0, 0, 1, rng.uniform(0.2, 0.4))
    gap = rng.uniform(0.06, 0.14)
    fill_around(mask, teeth, np.array([(-gap, -1.3), (gap, -1.3), (gap, 0), (-gap, 0)]), value=0)
    hub = rng.uniform(0.25, 0.5)
    ring(mask, 0, 0, hub, hub * rng.choice([1.0, rng.uniform(0.3, 0.6)]))
    return mask


def despair(rng: Rng) -> np.ndarray:
    """The X, or a figure of three spikes, in a ring, with squares, dots or ticks at its corners, or none."""
    mask = canvas()
    rim = rng.uniform(0.6, 0.85)
    n = int(rng.choice([3, 4, 4]))
    turn = np.pi / 4 if n == 4 and rng.random() < 0.7 else 0.0
    ring(mask, 0, 0, rim, rng.uniform(0.07, 0.2))
    inner = canvas()
    reach = rim * rng.uniform(0.72, 1.0) if rng.random() < 0.7 else rng.uniform(0.95, 1.1)
    fill(inner, concave(n, rng.uniform(0.22, 0.44), turn) * reach)
    mask = np.maximum(mask, inner)
    kind = rng.choice(["square", "dot", "tick", "none"], p=[0.4, 0.15, 0.25, 0.2])
    away = turn if rng.random() < 0.6 else turn + np.pi / n
    size = rng.uniform(0.09, 0.17)
    if kind == "square":
        at = min(rim + size * 1.2, 1.05)
        square = np.array([(-size, -at - size), (size, -at - size), (size, -at + size), (-size, -at + size)])
        fill_around(mask, n, square, first=away)
    elif kind == "dot":
        for k in range(n):
            disc(mask, *turned(np.array([(0, -min(rim + size, 1.0))]), away + k * 2 * np.pi / n)[0], size)
    elif kind == "tick":
        tick = np.array([(-size / 2, -1.08), (size / 2, -1.08), (size / 2, -rim * 0.9), (-size / 2, -rim * 0.9)])
        fill_around(mask, n, tick, first=away)
    return mask


SISTER: dict[str, Drawing] = {draw.__name__: draw for draw in (success, advantage, triumph, failure, threat, despair)}
