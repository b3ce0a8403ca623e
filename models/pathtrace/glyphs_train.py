"""The narrative symbols in the drawings used for training: forged, soft and the sister game's."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.pathtrace.pen import Pen, Rng, curve, polar

_POINTS = 7


def _star(rng: Rng, inner: float, wild: float) -> np.ndarray:
    step = 360 / _POINTS
    angles = 90 + step * (np.arange(2 * _POINTS) / 2 + rng.uniform(-wild, wild, 2 * _POINTS) * 0.22)
    radii = np.where(
        np.arange(2 * _POINTS) % 2 == 0,
        rng.uniform(1 - 0.35 * wild, 1.0, 2 * _POINTS),
        inner * rng.uniform(0.9, 1.1, 2 * _POINTS),
    )
    return polar(radii, angles)


def forged_success(rng: Rng) -> Pen:
    outer = _star(rng, rng.uniform(0.48, 0.62), rng.uniform(0.3, 1.0))
    return Pen().fill(outer).fill(outer * rng.uniform(0.42, 0.66), 0)


def soft_success(rng: Rng) -> Pen:
    outer = _star(rng, rng.uniform(0.52, 0.66), rng.uniform(0.1, 0.6))
    pen = Pen().fill(outer).fill(outer * rng.uniform(0.35, 0.5), 0)
    return pen.soften(rng.uniform(0.02, 0.05))


def _mirror(pen: Pen, right: np.ndarray) -> Pen:
    return pen.fill(right).fill(right * (-1, 1))


def forged_advantage(rng: Rng) -> Pen:
    tip = np.array([rng.uniform(0.42, 0.62), rng.uniform(0.72, 0.95)])
    barb, low = rng.uniform(0.92, 1.1), rng.uniform(-0.5, -0.3)
    right = np.array(
        [
            (-0.01, -0.95),
            (0.38, -0.82),
            (0.68, -0.52),
            (barb - 0.08, low - 0.06),
            (0.80, low + 0.30),
            (barb + 0.05, low + 0.42),
            (0.74, 0.36),
            tip,
            (0.50, 0.28),
            (0.46, -0.02),
            (0.30, -0.30),
            (-0.01, -0.42),
        ]
    )
    right[:, 0] *= rng.uniform(0.88, 1.05)
    return _mirror(Pen(), right).disc(0, rng.uniform(0.22, 0.6), rng.uniform(0.17, 0.25))


def soft_advantage(rng: Rng) -> Pen:
    outer = curve(np.array([0, -1.0]), np.array([0.9, -0.85]), np.array([0.78, 0.05]))
    lick = curve(np.array([0.78, 0.05]), np.array([0.8, 0.55]), np.array([rng.uniform(0.3, 0.5), 0.98]))
    inner = curve(lick[-1], np.array([0.62, -0.45]), np.array([0, rng.uniform(-0.55, -0.4)]))
    pen = _mirror(Pen(), np.vstack([outer, lick, inner, [(-0.02, -0.45), (-0.02, -1.0)]]))
    for y, reach in ((-0.38, rng.uniform(1.0, 1.15)), (0.12, rng.uniform(0.95, 1.2))):
        _mirror(pen, np.array([(0.55, y - 0.26), (reach, y + rng.uniform(-0.05, 0.25)), (0.6, y + 0.22)]))
    return pen.soften(0.018).disc(0, rng.uniform(0.3, 0.62), rng.uniform(0.18, 0.28))


def forged_triumph(rng: Rng) -> Pen:
    pen = Pen().ring(0, -0.2, rng.uniform(0.66, 0.78), rng.uniform(0.07, 0.12))
    count = int(rng.integers(7, 10))
    angles = 90 + 360 / count * np.arange(2 * count) / 2
    radii = np.where(np.arange(2 * count) % 2 == 0, rng.uniform(0.32, 0.5, 2 * count), rng.uniform(0.12, 0.2))
    base = (0, rng.uniform(-0.42, -0.28))
    pen.fill(polar(radii, angles) + base)
    half = rng.uniform(0.05, 0.09)
    pen.fill(np.array([(-half, base[1]), (half, base[1]), (half * 0.7, 1.0), (-half * 0.7, 1.0)]))
    for angle in rng.choice([-60.0, -120.0, -142.0, -35.0], int(rng.integers(1, 4)), replace=False):
        pen.stroke(np.array([base, polar(rng.uniform(0.68, 0.9), angle) + base]), rng.uniform(0.05, 0.08))
    return pen


def soft_triumph(rng: Rng) -> Pen:
    pen = Pen().ring(0, -0.15, rng.uniform(0.62, 0.7), rng.uniform(0.09, 0.14))
    base = np.array([0, -0.36])
    for k in range(8):
        tip = polar(rng.uniform(0.34, 0.6) + (0.35 if k in (3, 5) else 0), 90 + 45 * k + rng.uniform(-8, 8)) + base
        across = polar(0.1, 45 * k + 180)
        pen.fill(np.array([base + across, tip, base - across]))
    pen.disc(*base, 0.15)
    pen.fill(np.array([(-0.13, -0.36), (0, rng.uniform(1.05, 1.2)), (0.13, -0.36)]))
    return pen.soften(rng.uniform(0.005, 0.02))


def _thorned(pull: float, turn: float = 90, size: float = 1.0) -> np.ndarray:
    tips = polar(size, turn + np.array([0, 120, 240]))
    sides = [curve(tips[i], (tips[i] + tips[(i + 1) % 3]) / 2 * pull, tips[(i + 1) % 3])[:-1] for i in range(3)]
    return np.vstack(sides)


def forged_failure(rng: Rng) -> Pen:
    return Pen().fill(_thorned(rng.uniform(0.2, 0.5)))


def soft_failure(rng: Rng) -> Pen:
    return Pen().fill(_thorned(rng.uniform(0.0, 0.25))).thicken(0.02).soften(rng.uniform(0.015, 0.03))


def forged_threat(rng: Rng) -> Pen:
    outer, inner = 1.0, rng.uniform(0.66, 0.74)
    gap = rng.uniform(4, 7)
    corner = polar(1.0, 60 * np.arange(7))
    pen = Pen()
    for k in range(6):
        a, b = corner[k], corner[k + 1]
        slit = gap / 60
        a, b = a + (b - a) * slit, b + (a - b) * slit
        pen.fill(np.array([a * outer, b * outer, b * inner, a * inner]))
    ring = rng.uniform(0.42, 0.56)
    return pen.fill(corner[:6] * ring).fill(corner[:6] * ring * rng.uniform(0.4, 0.6), 0)


def soft_threat(rng: Rng) -> Pen:
    pen, ring = Pen(), rng.uniform(0.44, 0.54)
    for k in range(6):
        outer = polar(1.0, 60 * k + np.array([6, 54]))
        inner = polar(rng.uniform(0.60, 0.66), 60 * k + np.array([48, 12]))
        pen.fill(np.vstack([outer, inner]))
    corner = polar(ring, 60 * np.arange(6))
    return pen.fill(corner).disc(0, 0, ring * rng.uniform(0.35, 0.55), 0).soften(rng.uniform(0.008, 0.022))


def forged_despair(rng: Rng) -> Pen:
    pull, width = rng.uniform(0.45, 0.7), rng.uniform(0.55, 0.68)
    pen = Pen().fill(_thorned(pull)).fill(_thorned(pull, size=width), 0)
    return pen.ring(0, 0, rng.uniform(0.72, 0.82), rng.uniform(0.1, 0.15))


def soft_despair(rng: Rng) -> Pen:
    pen = Pen().fill(_thorned(rng.uniform(0.3, 0.5))).fill(_thorned(0.6, size=rng.uniform(0.4, 0.5)), 0)
    return pen.ring(0, 0, rng.uniform(0.62, 0.74), rng.uniform(0.08, 0.12)).soften(0.01)


def _octagram(inner: float, turn: float = 90) -> np.ndarray:
    radii = np.where(np.arange(16) % 2 == 0, 1.0, inner)
    return polar(radii, turn + 22.5 * np.arange(16))


def sister_success(rng: Rng) -> Pen:
    return Pen().fill(_octagram(rng.uniform(0.5, 0.62))).disc(0, 0, rng.uniform(0.2, 0.32), 0)


def sister_advantage(rng: Rng) -> Pen:
    w, drop, t = 1.0, rng.uniform(0.7, 0.9), rng.uniform(0.5, 0.65)
    chevron = np.array([(-w, -drop), (0, 0.25), (w, -drop), (w, -drop + t), (0, 0.25 + t), (-w, -drop + t)])
    return Pen().stroke(chevron, rng.uniform(0.12, 0.17), closed=True)


def sister_triumph(rng: Rng) -> Pen:
    return Pen().fill(_octagram(0.55) * rng.uniform(0.6, 0.72)).ring(0, 0, 1.0, rng.uniform(0.1, 0.15))


def _cross(waist: float, turn: float = 45) -> np.ndarray:
    return polar(np.where(np.arange(8) % 2 == 0, 1.0, waist), turn + 45 * np.arange(8))


def sister_failure(rng: Rng) -> Pen:
    return Pen().fill(_cross(rng.uniform(0.2, 0.34)))


def sister_threat(rng: Rng) -> Pen:
    pen, swing = Pen().ring(0, 0, 0.62, rng.uniform(0.14, 0.2)), rng.uniform(45, 70)
    for k in range(3):
        a, b = polar(0.6, 90 + 120 * k - 30), polar(0.6, 90 + 120 * k + 14)
        tip = polar(1.05, 90 + 120 * k + swing * 0.6)
        pen.fill(np.vstack([curve(a, polar(0.95, 90 + 120 * k), tip), curve(tip, polar(0.72, 102 + 120 * k), b)]))
    return pen


def sister_despair(rng: Rng) -> Pen:
    pen = Pen().ring(0, 0, 0.85, rng.uniform(0.1, 0.14)).fill(_cross(0.22) * 0.72)
    for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        s = rng.uniform(0.13, 0.17)
        middle = np.array([x, y]) * 0.72
        pen.fill(np.array([(-s, -s), (s, -s), (s, s), (-s, s)]) + middle)
    return pen


def forged_light(rng: Rng) -> Pen:
    return Pen().ring(0, 0, 1.0, rng.uniform(0.16, 0.3))


def soft_light(rng: Rng) -> Pen:
    return Pen().ring(0, 0, 1.0, rng.uniform(0.28, 0.4))


def forged_dark(_rng: Rng) -> Pen:
    return Pen().disc(0, 0, 1.0)


def soft_dark(rng: Rng) -> Pen:
    return Pen().fill(polar(1 + 0.02 * rng.normal(size=24), 15 * np.arange(24))).soften(0.06)


Drawer = Callable[[Rng], Pen]
FAMILIES: dict[str, dict[str, Drawer]] = {
    "forged": {
        "success": forged_success,
        "advantage": forged_advantage,
        "triumph": forged_triumph,
        "failure": forged_failure,
        "threat": forged_threat,
        "despair": forged_despair,
        "light": forged_light,
        "dark": forged_dark,
    },
    "soft": {
        "success": soft_success,
        "advantage": soft_advantage,
        "triumph": soft_triumph,
        "failure": soft_failure,
        "threat": soft_threat,
        "despair": soft_despair,
        "light": soft_light,
        "dark": soft_dark,
    },
    "sister": {
        "success": sister_success,
        "advantage": sister_advantage,
        "triumph": sister_triumph,
        "failure": sister_failure,
        "threat": sister_threat,
        "despair": sister_despair,
        "light": soft_light,
        "dark": forged_dark,
    },
}
