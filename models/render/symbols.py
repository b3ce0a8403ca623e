"""Endless redrawings of the symbols, after the shapes described for the published and the sister game's dice.

Every function draws one symbol as a float mask in 0..1 on a square canvas, upright, spanning about the canvas
less a margin. Proportions, strokes and outlines vary far more than they do on real dice.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

SIZE = 192
_MARGIN = 0.80
_SHIFT = 4  # fixed-point bits of cv2's polygon drawing

Rng = np.random.Generator


def _canvas() -> np.ndarray:
    return np.zeros((SIZE, SIZE), np.uint8)


def _fill(mask: np.ndarray, points: np.ndarray, value: int = 255) -> None:
    pixels = (np.asarray(points) * _MARGIN + 1) * (SIZE / 2)
    cv2.fillPoly(mask, [np.round(pixels * 2**_SHIFT).astype(np.int32)], value, cv2.LINE_AA, _SHIFT)


def _disc(mask: np.ndarray, x: float, y: float, radius: float, value: int = 255) -> None:
    angle = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    _fill(mask, np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], 1), value)


def _ring(mask: np.ndarray, x: float, y: float, radius: float, stroke: float) -> None:
    layer = _canvas()
    _disc(layer, x, y, radius)
    _disc(layer, x, y, max(radius - stroke, 0), 0)
    np.maximum(mask, layer, out=mask)


def _star(n: int, outer: np.ndarray, inner: np.ndarray, turn: float = 0.0) -> np.ndarray:
    angle = turn - np.pi / 2 + np.arange(2 * n) * np.pi / n
    radius = np.empty(2 * n)
    radius[0::2], radius[1::2] = outer, inner
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)


def _concave(n: int, concavity: float, turn: float, stretch: float = 1.0) -> np.ndarray:
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


def success(rng: Rng) -> np.ndarray:
    mask = _canvas()
    if rng.random() < 0.10:  # the sister game: a solid eight-pointed star with a round hole
        n = int(rng.choice([6, 8, 8, 10]))
        _fill(mask, _star(n, np.ones(n), np.full(n, rng.uniform(0.45, 0.7))))
        _disc(mask, 0, 0, rng.uniform(0.15, 0.36), 0)
        return mask
    n = int(rng.choice([7, 7, 7, 7, 7, 6, 8]))
    outer = rng.uniform(0.72, 1.08, n)
    inner = np.full(n, rng.uniform(0.42, 0.66)) * rng.uniform(0.9, 1.1, n)
    star = _star(n, outer, inner, rng.normal(0, 0.1))
    _fill(mask, star)
    if rng.random() < 0.5:
        _fill(mask, star * rng.uniform(0.4, 0.76), 0)
    else:
        depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / (SIZE / 2)
        mask[depth > rng.uniform(0.07, 0.2)] = 0
    return mask


def advantage(rng: Rng) -> np.ndarray:
    mask = _canvas()
    if rng.random() < 0.08:  # the sister game: a hollow chevron
        t, drop = rng.uniform(0.16, 0.3), rng.uniform(0.5, 0.9)
        points = np.array([(0, -drop), (0.95, 0.5), (0.95, 0.95), (0, 0.15), (-0.95, 0.95), (-0.95, 0.5)])
        _fill(mask, points)
        _fill(mask, points * (1 - t) + (0, 0.08), 0)
        return mask
    stretch = rng.uniform(0.8, 1.12)
    centre, outer = 0.18, 0.78
    _disc(mask, 0, centre, outer)
    for side in (-1, 1):  # two barbs on each outer edge
        for angle in np.radians(rng.uniform([-42, -5], [-12, 28])):
            length, width = rng.uniform(0.12, 0.42), rng.uniform(0.14, 0.4)
            base = np.array([side * np.cos(angle), np.sin(angle)]) * outer * 0.93 + (0, centre)
            tangent = np.array([-np.sin(angle) * side, np.cos(angle)])
            out = np.array([side * np.cos(angle), np.sin(angle)])
            tip = base + out * length + tangent * rng.uniform(-0.28, 0.2)
            _fill(mask, np.array([base - tangent * width / 2, tip, base + tangent * width / 2]))
    inner = outer * rng.uniform(0.5, 0.8)
    up = rng.uniform(-0.05, 0.2)
    _disc(mask, 0, centre - up, inner, 0)
    gap = rng.uniform(0.28, 0.62)
    lean = rng.uniform(-0.2, 0.25)
    _fill(mask, np.array([(-gap - lean, -1.3), (gap + lean, -1.3), (gap, centre - up), (-gap, centre - up)]), 0)
    if rng.random() < 0.4:  # pointed wing tips
        for side in (-1, 1):
            x = side * (gap + rng.uniform(0.0, 0.1))
            _fill(mask, np.array([(x, -0.1), (side * outer * 0.95, 0.12), (x, -rng.uniform(0.35, 0.75))]))
    _disc(mask, 0, rng.uniform(-0.82, -0.35), rng.uniform(0.13, 0.3))
    return _scale_y(mask, stretch)


def triumph(rng: Rng) -> np.ndarray:
    mask = _canvas()
    radius = rng.uniform(0.62, 0.85)
    if rng.random() < 0.10:  # the sister game: its star in a ring
        _ring(mask, 0, 0, 0.98, rng.uniform(0.08, 0.18))
        _fill(mask, _star(8, np.full(8, 0.72), np.full(8, rng.uniform(0.3, 0.48))))
        _disc(mask, 0, 0, rng.uniform(0.0, 0.2), 0)
        return mask
    y = rng.uniform(0.05, 0.2)
    _ring(mask, 0, y, radius, rng.uniform(0.05, 0.18))
    low = y + rng.uniform(0.05, 0.3)
    n = int(rng.integers(6, 11))
    size = radius * rng.uniform(0.5, 0.9)
    burst = _star(n, rng.uniform(0.75, 1.15, n) * size, np.full(n, size * rng.uniform(0.22, 0.5)))
    _fill(mask, burst + (0, low))
    width = rng.uniform(0.05, 0.14)
    _fill(mask, np.array([(-width, low), (-width * 0.4, -1), (width * 0.4, -1), (width, low)]))
    for angle in np.radians(rng.uniform(40, 140, int(rng.integers(1, 5)))):
        tip = np.array([np.cos(angle), np.sin(angle)]) * rng.uniform(0.85, 1.1)
        side = np.array([-np.sin(angle), np.cos(angle)]) * rng.uniform(0.03, 0.07)
        _fill(mask, np.array([(0, low) + side, tip + side * 0.6, tip - side * 0.6, (0, low) - side]))
    return mask


def failure(rng: Rng) -> np.ndarray:
    mask = _canvas()
    if rng.random() < 0.08:  # the sister game: a four-spiked X
        _fill(mask, _concave(4, rng.uniform(0.28, 0.46), np.pi / 4))
        return mask
    _fill(mask, _concave(3, rng.uniform(0.08, 0.42), 0.0, rng.uniform(0.85, 1.2)) + (0, 0.15))
    if rng.random() < 0.06:
        _disc(mask, 0, 0.1, rng.uniform(0.06, 0.14), 0)
    return mask


def threat(rng: Rng) -> np.ndarray:
    mask = _canvas()
    if rng.random() < 0.08:  # the sister game: a ring with three curved thorns
        _ring(mask, 0, 0, 0.55, rng.uniform(0.14, 0.26))
        for k in range(3):
            angle = k * 2 * np.pi / 3 - np.pi / 2
            base = np.array([np.cos(angle), np.sin(angle)])
            side = np.array([-base[1], base[0]])
            _fill(mask, np.array([base * 0.5 + side * 0.22, base * 1.0 + side * 0.3, base * 0.5 - side * 0.22]))
        return mask
    turn = rng.choice([0.0, np.pi / 6])
    outer, band = 1.0, rng.uniform(0.17, 0.36)
    corner = np.arange(6) * np.pi / 3 + turn
    hexagon = np.stack([np.cos(corner), np.sin(corner)], 1)
    _fill(mask, hexagon * outer)
    _fill(mask, hexagon * (outer - band), 0)
    gap = rng.uniform(0.05, 0.16)
    for point in hexagon:  # the gaps at the corners
        side = np.array([-point[1], point[0]]) * gap
        _fill(mask, np.array([side, point * 1.3 + side, point * 1.3 - side, -side]), 0)
    ring = (outer - band) * rng.uniform(0.62, 0.93)
    inner = hexagon if rng.random() < 0.8 else _star(24, np.ones(24), np.ones(24))
    _fill(mask, inner * ring, 0)
    ring *= rng.uniform(0.82, 0.98)
    _fill(mask, inner * ring)
    _fill(mask, inner * ring * rng.uniform(0.35, 0.68), 0)
    return mask


def despair(rng: Rng) -> np.ndarray:
    mask = _canvas()
    radius = rng.uniform(0.62, 0.82)
    if rng.random() < 0.10:  # the sister game: the X in a ring with four square corners
        _ring(mask, 0, 0, 0.8, rng.uniform(0.08, 0.18))
        _fill(mask, _concave(4, rng.uniform(0.3, 0.42), np.pi / 4) * 0.7)
        for x in (-0.68, 0.68):
            for y in (-0.68, 0.68):
                _fill(
                    mask,
                    np.array(
                        [
                            (x - 0.14, y - 0.14),
                            (x + 0.14, y - 0.14),
                            (x + 0.14, y + 0.14),
                            (x - 0.14, y + 0.14),
                        ]
                    ),
                )
        return mask
    _ring(mask, 0, 0.08, radius, rng.uniform(0.06, 0.18))
    triangle = _concave(3, rng.uniform(0.08, 0.32), 0.0)
    layer = _canvas()
    _fill(layer, triangle + (0, 0.1))
    if rng.random() < 0.85:
        _fill(layer, triangle * rng.uniform(0.5, 0.8) + (0, 0.1), 0)
    np.maximum(mask, layer, out=mask)
    return mask


def light(rng: Rng) -> np.ndarray:
    mask = _canvas()
    _ring(mask, 0, 0, 1.0, rng.uniform(0.12, 0.45))
    return mask


def dark(_rng: Rng) -> np.ndarray:
    mask = _canvas()
    _disc(mask, 0, 0, 1.0)
    return mask


def glyph(rng: Rng) -> np.ndarray:
    """A digit, letter or invented mark: what dice show that no installed set knows."""
    mask = _canvas()
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
        points = _star(n, rng.uniform(0.5, 1.0, n), rng.uniform(0.2, 0.9, n))
        _fill(mask, points)
        if rng.random() < 0.4:
            _fill(mask, points * rng.uniform(0.3, 0.7), 0)
    return mask


DRAWINGS: dict[str, Callable[[Rng], np.ndarray]] = {
    "success": success,
    "advantage": advantage,
    "triumph": triumph,
    "failure": failure,
    "threat": threat,
    "despair": despair,
    "light": light,
    "dark": dark,
    "glyph": glyph,
}


def draw(symbol: str, rng: Rng) -> np.ndarray:
    """Return a new redrawing of the symbol: (SIZE, SIZE) uint8 mask, deformed smoothly and re-stroked."""
    mask = DRAWINGS[symbol](rng)
    if rng.random() < 0.7:
        mask = _deform(mask, rng)
    weight = int(rng.choice([-3, -2, -1, 0, 0, 0, 1, 2, 3, 4, 6]))
    if symbol == "threat":
        weight = min(weight, 2)  # heavier would close its gaps
    if weight:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(weight) + 1,) * 2)
        mask = cv2.dilate(mask, kernel) if weight > 0 else cv2.erode(mask, kernel)
    return mask


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
