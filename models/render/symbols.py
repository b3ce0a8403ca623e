"""Endless redrawings of the symbols, after the shapes described for the published dice; some after the sister game's.

Every function draws one symbol as a uint8 mask on a square canvas, upright, spanning about the canvas less a margin.
Proportions, strokes and outlines vary far more than they do on real dice.
"""

from __future__ import annotations

import cv2
import numpy as np

from models.render.sister import SISTER, Drawing
from models.render.strokes import SIZE, canvas, concave, disc, fill, ring, star, weighed

Rng = np.random.Generator
_SISTER = 0.2  # share of the drawings that are after the sister game's


def success(rng: Rng) -> np.ndarray:
    mask = canvas()
    n = int(rng.choice([7, 7, 7, 7, 7, 6, 8]))
    outer = rng.uniform(0.72, 1.08, n)
    inner = np.full(n, rng.uniform(0.42, 0.66)) * rng.uniform(0.9, 1.1, n)
    burst = star(n, outer, inner, rng.normal(0, 0.1))
    fill(mask, burst)
    if rng.random() < 0.5:
        fill(mask, burst * rng.uniform(0.4, 0.76), 0)
    else:
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / (SIZE / 2)
        mask[depth > rng.uniform(0.07, 0.2)] = 0
    return mask


def advantage(rng: Rng) -> np.ndarray:
    mask = canvas()
    stretch = rng.uniform(0.8, 1.12)
    centre, outer = 0.18, 0.78
    disc(mask, 0, centre, outer)
    for side in (-1, 1):  # two barbs on each outer edge
        for angle in np.radians(rng.uniform([-42, -5], [-12, 28])):
            length, width = rng.uniform(0.12, 0.42), rng.uniform(0.14, 0.4)
            base = np.array([side * np.cos(angle), np.sin(angle)]) * outer * 0.93 + (0, centre)
            tangent = np.array([-np.sin(angle) * side, np.cos(angle)])
            out = np.array([side * np.cos(angle), np.sin(angle)])
            tip = base + out * length + tangent * rng.uniform(-0.28, 0.2)
            fill(mask, np.array([base - tangent * width / 2, tip, base + tangent * width / 2]))
    inner = outer * rng.uniform(0.5, 0.8)
    up = rng.uniform(-0.05, 0.2)
    disc(mask, 0, centre - up, inner, 0)
    gap = rng.uniform(0.28, 0.62)
    lean = rng.uniform(-0.2, 0.25)
    fill(mask, np.array([(-gap - lean, -1.3), (gap + lean, -1.3), (gap, centre - up), (-gap, centre - up)]), 0)
    if rng.random() < 0.4:  # pointed wing tips
        for side in (-1, 1):
            x = side * (gap + rng.uniform(0.0, 0.1))
            fill(mask, np.array([(x, -0.1), (side * outer * 0.95, 0.12), (x, -rng.uniform(0.35, 0.75))]))
    disc(mask, 0, rng.uniform(-0.82, -0.35), rng.uniform(0.13, 0.3))
    return _scale_y(mask, stretch)


def triumph(rng: Rng) -> np.ndarray:
    mask = canvas()
    radius = rng.uniform(0.62, 0.85)
    y = rng.uniform(0.05, 0.2)
    ring(mask, 0, y, radius, rng.uniform(0.05, 0.18))
    low = y + rng.uniform(0.05, 0.3)
    n = int(rng.integers(6, 11))
    size = radius * rng.uniform(0.5, 0.9)
    burst = star(n, rng.uniform(0.75, 1.15, n) * size, np.full(n, size * rng.uniform(0.22, 0.5)))
    fill(mask, burst + (0, low))
    width = rng.uniform(0.05, 0.14)
    fill(mask, np.array([(-width, low), (-width * 0.4, -1), (width * 0.4, -1), (width, low)]))
    for angle in np.radians(rng.uniform(40, 140, int(rng.integers(1, 5)))):
        tip = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.85, 1.1)
        side = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(0.03, 0.07)
        fill(mask, np.array([(0, low) + side, tip + side * 0.6, tip - side * 0.6, (0, low) - side]))
    return mask


def failure(rng: Rng) -> np.ndarray:
    mask = canvas()
    fill(mask, concave(3, rng.uniform(0.08, 0.42), 0.0, rng.uniform(0.85, 1.2)) + (0, 0.15))
    if rng.random() < 0.06:
        disc(mask, 0, 0.1, rng.uniform(0.06, 0.14), 0)
    return mask


def threat(rng: Rng) -> np.ndarray:
    mask = canvas()
    turn = rng.choice([0.0, np.pi / 6])
    outer, band = 1.0, rng.uniform(0.17, 0.36)
    corner = np.arange(6) * np.pi / 3 + turn
    hexagon = np.stack([np.cos(corner), np.sin(corner)], 1)
    fill(mask, hexagon * outer)
    fill(mask, hexagon * (outer - band), 0)
    gap = rng.uniform(0.05, 0.16)
    for point in hexagon:  # the gaps at the corners
        side = np.array([-point[1], point[0]]) * gap
        fill(mask, np.array([side, point * 1.3 + side, point * 1.3 - side, -side]), 0)
    hub = (outer - band) * rng.uniform(0.62, 0.93)
    inner = hexagon if rng.random() < 0.8 else star(24, np.ones(24), np.ones(24))
    fill(mask, inner * hub, 0)
    hub *= rng.uniform(0.82, 0.98)
    fill(mask, inner * hub)
    fill(mask, inner * hub * rng.uniform(0.35, 0.68), 0)
    return mask


def despair(rng: Rng) -> np.ndarray:
    mask = canvas()
    radius = rng.uniform(0.62, 0.82)
    ring(mask, 0, 0.08, radius, rng.uniform(0.06, 0.18))
    triangle = concave(3, rng.uniform(0.08, 0.32), 0.0)
    layer = canvas()
    fill(layer, triangle + (0, 0.1))
    if rng.random() < 0.85:
        fill(layer, triangle * rng.uniform(0.5, 0.8) + (0, 0.1), 0)
    np.maximum(mask, layer, out=mask)
    return mask


def light(rng: Rng) -> np.ndarray:
    mask = canvas()
    ring(mask, 0, 0, 1.0, rng.uniform(0.12, 0.45))
    return mask


def dark(_rng: Rng) -> np.ndarray:
    mask = canvas()
    disc(mask, 0, 0, 1.0)
    return mask


def glyph(rng: Rng) -> np.ndarray:
    """A digit, letter or invented mark: what dice show that no installed set knows."""
    mask = canvas()
    kind = rng.random()
    if kind < 0.75:
        text = str(rng.integers(0, 21)) if rng.random() < 0.75 else chr(65 + rng.integers(0, 26))
        font = int(rng.choice([0, 1, 2, 3, 4, 6, 7]))
        thickness = int(rng.integers(8, 22))
        scale = rng.uniform(3.5, 6.0) / len(text) ** 0.6
        (width, height), _ = cv2.getTextSize(text, font, scale, thickness)
        origin = (SIZE // 2 - width // 2, SIZE // 2 + height // 2)
        cv2.putText(mask, text, origin, font, scale, 255, thickness, cv2.LINE_AA)
    else:
        n = int(rng.integers(3, 9))
        points = star(n, rng.uniform(0.5, 1.0, n), rng.uniform(0.2, 0.9, n))
        fill(mask, points)
        if rng.random() < 0.4:
            fill(mask, points * rng.uniform(0.3, 0.7), 0)
    return mask


_ALL = (success, advantage, triumph, failure, threat, despair, light, dark, glyph)
DRAWINGS: dict[str, Drawing] = {drawing.__name__: drawing for drawing in _ALL}


def draw(symbol: str, rng: Rng) -> np.ndarray:
    """Return a new redrawing of the symbol: (SIZE, SIZE) uint8 mask, deformed smoothly and re-stroked."""
    mask = (SISTER if symbol in SISTER and rng.random() < _SISTER else DRAWINGS)[symbol](rng)
    if rng.random() < 0.7:
        mask = _deform(mask, rng)
    weight = int(rng.choice([-3, -2, -1, 0, 0, 0, 1, 2, 3, 4, 6]))
    if symbol == "threat":
        weight = min(weight, 2)  # heavier would close the gaps at its corners
    return weighed(mask, weight)


def _scale_y(mask: np.ndarray, factor: float) -> np.ndarray:
    matrix = np.array([[1, 0, 0], [0, factor, (1 - factor) * SIZE / 2]])
    return cv2.warpAffine(mask, matrix, (SIZE, SIZE))


def _deform(mask: np.ndarray, rng: Rng) -> np.ndarray:
    strength = rng.uniform(0, 5)
    coarse = rng.normal(0, strength, (2, 4, 4)).astype(np.float32)
    shift = [cv2.resize(plane, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC) for plane in coarse]
    a = rng.normal(0, 0.06, (2, 2)) + np.eye(2)
    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32) - SIZE / 2
    map_x = (a[0, 0] * x + a[0, 1] * y + SIZE / 2 + shift[0]).astype(np.float32)
    map_y = (a[1, 0] * x + a[1, 1] * y + SIZE / 2 + shift[1]).astype(np.float32)
    return cv2.remap(mask, map_x, map_y, cv2.INTER_LINEAR)
