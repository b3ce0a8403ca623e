"""The narrative symbols in the drawings held out from training: chisel, brush and the cousin of the sister game."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from models.pathtrace.pen import Pen, Rng, polar


def _arc(x: float, y: float, radius: float, start: float, stop: float, steps: int = 40) -> np.ndarray:
    return polar(radius, np.linspace(start, stop, steps)) + (x, y)


def _ragged(rng: Rng, spread: float) -> np.ndarray:
    """A seven-pointed star from uneven cuts: each point leans its own way."""
    turns = np.cumsum(rng.uniform(1 - spread, 1 + spread, 7))
    turns = turns / turns[-1] * 360 + 90
    points = []
    for k in range(7):
        here, after = turns[k], turns[(k + 1) % 7] + (360 if k == 6 else 0)
        points.append(polar(rng.uniform(0.78, 1.0), here))
        points.append(polar(rng.uniform(0.42, 0.5), here + (after - here) * rng.uniform(0.42, 0.58)))
    return np.array(points)


def chisel_success(rng: Rng) -> Pen:
    return Pen().stroke(_ragged(rng, 0.22) * 0.9, rng.uniform(0.13, 0.2), closed=True, round_ends=False)


def brush_success(rng: Rng) -> Pen:
    star = _ragged(rng, 0.12)
    star[1::2] *= 1.12
    return Pen().stroke(star * 0.88, rng.uniform(0.18, 0.26), closed=True)


def _tooth(pen: Pen, at: float, radius: float, reach: float, lean: float, width: float) -> None:
    """A barb on the right outer edge and its twin on the left."""
    tip = polar(radius + reach, at + lean)
    barb = np.array([polar(radius - 0.08, at - width), tip, polar(radius - 0.08, at + width)])
    pen.fill(barb).fill(barb * (-1, 1))


def chisel_advantage(rng: Rng) -> Pen:
    bore, open_at = rng.uniform(0.48, 0.6), rng.uniform(50, 64)
    outer = np.vstack([_arc(0, 0, 0.84, 180 - open_at, 360 + open_at, 60)])
    inner = _arc(0, rng.uniform(0.05, 0.16), bore, 360 + open_at - 8, 180 - open_at + 8, 60)
    pen = Pen().fill(np.vstack([outer, inner]))
    lean = rng.uniform(4, 16)
    _tooth(pen, rng.uniform(-24, -14), 0.84, rng.uniform(0.2, 0.34), lean, 13)
    _tooth(pen, rng.uniform(12, 24), 0.84, rng.uniform(0.2, 0.36), lean, 13)
    return pen.disc(0, rng.uniform(0.5, 0.9), rng.uniform(0.17, 0.23))


def brush_advantage(rng: Rng) -> Pen:
    pen = Pen()
    top, width = rng.uniform(0.7, 0.95), rng.uniform(0.34, 0.42)
    line = np.vstack([[(0.0, -0.72)], [(0.34, -0.6)], [(0.6, -0.22)], [(0.64, 0.12)]])
    for a in (line, line * (-1, 1)):
        pen.stroke(a, width)
    horn = np.array([(0.46, 0.06), (0.84, 0.06), (0.52, top)])
    pen.fill(horn).fill(horn * (-1, 1))
    for y in (-0.3, 0.16):
        barb = np.array([(0.6, y - 0.18), (rng.uniform(1.02, 1.2), y + 0.16), (0.62, y + 0.14)])
        pen.fill(barb).fill(barb * (-1, 1))
    return pen.disc(0, rng.uniform(0.3, 0.55), rng.uniform(0.2, 0.26))


def chisel_triumph(rng: Rng) -> Pen:
    pen, base = Pen().ring(0, -0.22, 0.75, rng.uniform(0.06, 0.1)), np.array([rng.uniform(-0.04, 0.04), -0.4])
    for angle in np.arange(0, 360, 30) + rng.uniform(-7, 7, 12):
        length = rng.uniform(0.24, 0.48) + (0.34 if rng.random() < 0.2 else 0.0)
        side = polar(0.07, angle + 90)
        pen.fill(np.array([base + side, base + polar(length, angle), base - side]))
    blade = rng.uniform(0.07, 0.11)
    return pen.fill(np.array([base, (-blade, 0.1), (0, 1.05), (blade, 0.1)])).disc(*base, 0.13)


def brush_triumph(rng: Rng) -> Pen:
    pen, base = Pen().ring(0, -0.1, 0.7, rng.uniform(0.11, 0.16)), np.array([0, -0.3])
    for angle in (10, 50, 130, 170, 215, 250, 290, 325):
        long = 0.62 if angle in (215, 325) else rng.uniform(0.3, 0.42)
        pen.stroke(np.array([base, base + polar(long, angle + rng.uniform(-6, 6))]), rng.uniform(0.08, 0.12))
    return pen.disc(*base, 0.19).stroke(np.array([base, (0, rng.uniform(0.95, 1.15))]), rng.uniform(0.12, 0.17))


def _bitten(radius: float, bite: float) -> Pen:
    """A triangle whose sides are bitten off by three great circles."""
    pen = Pen().fill(polar(1.0, np.array([90, 210, 330])))
    for k in range(3):
        pen.disc(*polar(bite, 30 + 120 * k + 120), radius, 0)
    return pen


def chisel_failure(rng: Rng) -> Pen:
    radius = rng.uniform(1.4, 2.4)
    return _bitten(radius, 0.5 + float(np.sqrt(radius**2 - 0.75)) + rng.uniform(0.05, 0.09))


def brush_failure(rng: Rng) -> Pen:
    pen, body, power = Pen(), rng.uniform(0.36, 0.46), rng.uniform(1.5, 2.0)
    for k in range(3):
        for share in np.linspace(0, 0.95, 60):
            pen.disc(*polar(share, 90 + 120 * k), (1 - share) ** power * body + 0.025)
    return pen


def chisel_threat(rng: Rng) -> Pen:
    width, reach = rng.uniform(0.17, 0.24), rng.uniform(0.25, 0.32)
    corner = polar(0.86, 60 * np.arange(7) + 30)
    pen = Pen()
    for a, b in zip(corner[:-1], corner[1:], strict=True):
        middle = (a + b) / 2
        pen.stroke(
            np.array(
                [
                    middle + (a - middle) * 2 * (0.5 - reach / 2.2) * 1.1,
                    middle + (b - middle) * 2 * (0.5 - reach / 2.2) * 1.1,
                ]
            ),
            width,
            round_ends=False,
        )
    return pen.stroke(
        polar(rng.uniform(0.3, 0.36), 60 * np.arange(6) + 30), rng.uniform(0.14, 0.2), closed=True, round_ends=False
    )


def brush_threat(rng: Rng) -> Pen:
    pen, gap = Pen(), rng.uniform(10, 13)
    for k in range(6):
        outer = _arc(0, 0, 1.0, 60 * k + gap * 0.7, 60 * k + 60 - gap * 0.7, 4)
        pen.fill(np.vstack([outer, _arc(0, 0, rng.uniform(0.66, 0.7), 60 * k + 60 - gap, 60 * k + gap, 4)]))
    return pen.ring(0, 0, rng.uniform(0.42, 0.5), rng.uniform(0.16, 0.22)).soften(0.01)


def _tripod(width: float, sag: float) -> Pen:
    """The outline of a three-thorned triangle in one stroke width."""
    pen, tips = Pen(), polar(0.98, np.array([90, 210, 330]))
    for k in range(3):
        a, b = tips[k], tips[(k + 1) % 3]
        share = np.linspace(0, 1, 30)[:, None]
        bow = polar(sag, 150 + 120 * k) * (4 * share * (1 - share))
        pen.stroke(a * (1 - share) + b * share - bow, width)
    return pen


def chisel_despair(rng: Rng) -> Pen:
    pen = _tripod(rng.uniform(0.09, 0.12), rng.uniform(0.16, 0.26))
    return pen.ring(0, 0, rng.uniform(0.74, 0.8), rng.uniform(0.09, 0.13))


def brush_despair(rng: Rng) -> Pen:
    pen = _tripod(rng.uniform(0.14, 0.18), rng.uniform(0.08, 0.16))
    return pen.ring(0, 0, rng.uniform(0.66, 0.74), rng.uniform(0.13, 0.17))


def _rays(count: int, reach: float, half: float) -> Pen:
    pen = Pen()
    for k in range(count):
        tip, side = polar(reach, 90 + 360 / count * k), polar(half, 180 + 360 / count * k)
        pen.fill(np.array([side, tip, -side]))
    return pen


def cousin_success(rng: Rng) -> Pen:
    return _rays(8, 1.0, rng.uniform(0.26, 0.34)).disc(0, 0, 0.5).disc(0, 0, rng.uniform(0.24, 0.34), 0)


def cousin_advantage(rng: Rng) -> Pen:
    rise, thick = rng.uniform(0.7, 0.95), rng.uniform(0.42, 0.55)
    pen = Pen().fill(
        np.array(
            [
                (-1, -rise / 2),
                (0, rise / 2),
                (1, -rise / 2),
                (1, thick - rise / 2),
                (0, rise / 2 + thick),
                (-1, thick - rise / 2),
            ]
        )
    )
    inset = 0.12
    hole = np.array(
        [
            (-1 + inset, 0.16 - rise / 2),
            (0, rise / 2 + 0.14),
            (1 - inset, 0.16 - rise / 2),
            (1 - inset, thick - rise / 2 - 0.17),
            (0, rise / 2 + thick - 0.16),
            (-1 + inset, thick - rise / 2 - 0.17),
        ]
    )
    return pen.fill(hole, 0)


def cousin_triumph(rng: Rng) -> Pen:
    pen = _rays(8, rng.uniform(0.66, 0.8), 0.2).disc(0, 0, 0.3)
    return pen.disc(0, 0, 0.13, 0).ring(0, 0, 1.0, rng.uniform(0.07, 0.11))


def cousin_failure(rng: Rng) -> Pen:
    pen, half = Pen(), rng.uniform(0.15, 0.2)
    for k in range(4):
        side = polar(half, 135 + 90 * k)
        pen.fill(np.array([side, polar(1.0, 45 + 90 * k), -side]))
    return pen.disc(0, 0, half)


def cousin_threat(rng: Rng) -> Pen:
    pen = Pen().ring(0, 0, 0.56, rng.uniform(0.16, 0.22))
    for k in range(3):
        start = 90 + 120 * k
        outer = polar(np.linspace(0.52, 1.05, 20), start + np.linspace(-24, 40, 20))
        inner = polar(np.linspace(1.05, 0.5, 20), start + np.linspace(40, 26, 20))
        pen.fill(np.vstack([outer, inner]))
    return pen


def cousin_despair(rng: Rng) -> Pen:
    board = cv2.boxPoints(((0.0, 0.0), (0.28, 0.28), 45.0))
    pen = Pen().ring(0, 0, 0.8, rng.uniform(0.08, 0.12))
    for k in range(4):
        side = polar(0.13, 135 + 90 * k)
        pen.fill(np.array([side, polar(0.66, 45 + 90 * k), -side]))
        pen.fill(board + polar(0.92, 45 + 90 * k))
    return pen


def chisel_light(rng: Rng) -> Pen:
    return Pen().stroke(polar(1.0, 15 * np.arange(24)), rng.uniform(0.2, 0.34), closed=True, round_ends=False)


def brush_light(rng: Rng) -> Pen:
    hollow = rng.uniform(0.55, 0.7)
    return Pen().disc(0, 0, 1.0).disc(*rng.normal(0, 0.02, 2), hollow, 0)


def chisel_dark(_rng: Rng) -> Pen:
    return Pen().fill(polar(1.0, 15 * np.arange(24)))


def brush_dark(rng: Rng) -> Pen:
    return Pen().fill(polar(1.0, np.linspace(0, 360, 60)) * (1, rng.uniform(0.95, 1.0)))


Drawer = Callable[[Rng], Pen]
FAMILIES: dict[str, dict[str, Drawer]] = {
    "chisel": {
        "success": chisel_success,
        "advantage": chisel_advantage,
        "triumph": chisel_triumph,
        "failure": chisel_failure,
        "threat": chisel_threat,
        "despair": chisel_despair,
        "light": chisel_light,
        "dark": chisel_dark,
    },
    "brush": {
        "success": brush_success,
        "advantage": brush_advantage,
        "triumph": brush_triumph,
        "failure": brush_failure,
        "threat": brush_threat,
        "despair": brush_despair,
        "light": brush_light,
        "dark": brush_dark,
    },
    "cousin": {
        "success": cousin_success,
        "advantage": cousin_advantage,
        "triumph": cousin_triumph,
        "failure": cousin_failure,
        "threat": cousin_threat,
        "despair": cousin_despair,
        "light": brush_light,
        "dark": chisel_dark,
    },
}
