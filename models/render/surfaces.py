"""Invented table tops, trays and the things that lie about and are no dice."""

from __future__ import annotations

import cv2
import numpy as np

from models.render.symbols import draw

Rng = np.random.Generator
MOST_LIGHT = 1.6  # of white, of a thing in which a lamp is mirrored


def noise(rng: Rng, height: int, width: int, cells: float, stretch: float = 1.0) -> np.ndarray:
    """Return smooth noise of unit variance with about ``cells`` bumps across the width."""
    rows = max(2, int(cells * height / width))
    columns = max(2, int(cells / stretch))
    coarse = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def colour_of(rng: Rng) -> np.ndarray:
    """Return a linear BGR surface colour; dull and dark ones are commoner than bright ones."""
    if rng.random() < 0.35:
        return np.full(3, rng.uniform(0.02, 0.85)) * rng.uniform(0.9, 1.1, 3)
    hsv = np.array([[[rng.uniform(0, 180), rng.uniform(30, 230), rng.uniform(25, 220)]]]).astype(np.uint8)
    return (cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] / 255.0) ** 2.2


def surface(rng: Rng, height: int, width: int) -> np.ndarray:
    """Return a (height, width, 3) float32 linear BGR albedo of felt, wood, leather, neoprene, paper or plain."""
    kind = rng.choice(
        ["felt", "wood", "leather", "print", "paper", "plain", "cloth"],
        p=[0.24, 0.2, 0.12, 0.1, 0.1, 0.16, 0.08],
    )
    base = colour_of(rng)
    shade = np.ones((height, width), np.float32)
    if kind == "felt":
        shade += rng.uniform(0.03, 0.22) * rng.normal(0, 1, (height, width)).astype(np.float32)
        shade += rng.uniform(0, 0.1) * noise(rng, height, width, 60)
    elif kind == "wood":
        base = np.array([rng.uniform(0.02, 0.25), rng.uniform(0.05, 0.4), rng.uniform(0.1, 0.6)])
        base = np.sort(base) if rng.random() < 0.9 else base
        grain = noise(rng, height, width, rng.uniform(40, 220), rng.uniform(10, 40))
        rings = np.sin(noise(rng, height, width, 6, 5) * 6 + np.linspace(0, rng.uniform(5, 80), height)[:, None])
        shade += rng.uniform(0.05, 0.3) * grain + rng.uniform(0, 0.25) * rings.astype(np.float32)
        for edge in range(0, height, int(rng.uniform(60, 400))):
            if rng.random() < 0.6:
                shade[edge : edge + 2] *= rng.uniform(0.2, 0.9)
    elif kind == "leather":
        bumps = noise(rng, height, width, rng.uniform(60, 160))
        shade += rng.uniform(0.05, 0.25) * np.abs(bumps) + rng.uniform(0, 0.15) * noise(rng, height, width, 5)
    elif kind == "cloth":
        y, x = np.mgrid[0:height, 0:width]
        step = rng.uniform(0.5, 2.2)
        shade += rng.uniform(0.03, 0.2) * (np.sin(x * step) * np.sin(y * step)).astype(np.float32)
    picture = shade[..., None] * base.astype(np.float32)
    if kind == "print":
        second = colour_of(rng).astype(np.float32)
        veil = np.clip(0.5 + noise(rng, height, width, rng.uniform(3, 25)) * rng.uniform(0.5, 3), 0, 1)[..., None]
        picture = picture * (1 - veil) + second * veil
        for _ in range(int(rng.integers(0, 6))):
            _scrawl(rng, picture)
    elif kind == "paper":
        picture = np.full((height, width, 3), rng.uniform(0.5, 0.95), np.float32)
        if rng.random() < 0.5:
            step = int(rng.uniform(14, 60))
            picture[::step] *= 0.6
            if rng.random() < 0.6:
                picture[:, ::step] *= 0.6
    picture *= (1 + rng.uniform(0, 0.12) * noise(rng, height, width, rng.uniform(2, 8)))[..., None]
    if rng.random() < 0.5:
        picture = np.ascontiguousarray(np.rot90(cv2.resize(picture, (height, width)), 1))
    return np.clip(picture, 0.002, 1.0)


def _scrawl(rng: Rng, picture: np.ndarray) -> None:
    height, width = picture.shape[:2]
    colour = tuple(float(v) for v in colour_of(rng))
    centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    if rng.random() < 0.5:
        cv2.circle(picture, centre, int(rng.uniform(10, 200)), colour, int(rng.integers(1, 8)), cv2.LINE_AA)
    else:
        points = (rng.uniform(-150, 150, (int(rng.integers(3, 7)), 2)) + centre).astype(np.int32)
        cv2.polylines(picture, [points], True, colour, int(rng.integers(1, 8)), cv2.LINE_AA)


def stamp(picture: np.ndarray, mask: np.ndarray, colour: np.ndarray | tuple[float, ...], shadow: float) -> None:
    """Draw a thing on the (h, w, 3) linear picture, in place, and its shadow.

    :param mask: (h, w) uint8. :param colour: one, or that of each pixel. :param shadow: 0..1, how much light it takes.
    """
    if shadow:
        dark = cv2.GaussianBlur(mask, (0, 0), 5)
        dark = np.roll(dark, (3, 4), (0, 1)).astype(np.float32)[..., None] / 255
        picture *= 1 - shadow * dark
    cover = mask.astype(np.float32)[..., None] / 255
    picture *= 1 - cover
    picture += cover * np.asarray(colour, np.float32)


def clutter(rng: Rng, picture: np.ndarray, px_per_cm: float, count: int) -> None:
    """Lay coins, pencils, cards, sheets, gems, rings, cables and hands on the albedo picture, in place."""
    height, width = picture.shape[:2]
    for _ in range(count):
        mask = np.zeros((height, width), np.uint8)
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        turn = rng.uniform(0, 360)
        kind = rng.choice(
            ["coin", "pencil", "card", "sheet", "gem", "cable", "hand", "token", "box"],
            p=[0.16, 0.12, 0.14, 0.12, 0.14, 0.1, 0.05, 0.1, 0.07],
        )
        colour: np.ndarray = colour_of(rng)
        if kind in ("coin", "token"):
            radius = rng.uniform(0.7, 1.5) * px_per_cm
            cv2.circle(mask, (int(x), int(y)), int(radius), 255, -1, cv2.LINE_AA)
            if kind == "coin":
                colour = np.array([rng.uniform(0.1, 0.4), rng.uniform(0.2, 0.5), rng.uniform(0.3, 0.6)])
            relief = np.ones((height, width, 1), np.float32)
            cv2.circle(relief, (int(x), int(y)), int(radius * 0.85), float(rng.uniform(0.6, 1.4)), 2, cv2.LINE_AA)
            for _ in range(int(rng.integers(1, 6))):
                points = (rng.uniform(-0.6, 0.6, (4, 2)) * radius + (x, y)).astype(np.int32)
                cv2.polylines(relief, [points], False, float(rng.uniform(0.5, 1.6)), 2, cv2.LINE_AA)
            stamp(picture, mask, colour * relief, 0.5)
        elif kind in ("pencil", "card", "sheet", "box"):
            size = {
                "pencil": (rng.uniform(8, 18), 0.75),
                "card": (8.8, 6.3),
                "sheet": (29, 21),
                "box": (rng.uniform(1, 4), rng.uniform(1, 4)),
            }[kind]
            corners = cv2.boxPoints(((x, y), (size[0] * px_per_cm, size[1] * px_per_cm), turn))
            cv2.fillConvexPoly(mask, corners.astype(np.int32), 255, cv2.LINE_AA)
            ink = np.ones((height, width, 1), np.float32)
            if kind in ("card", "sheet"):
                colour = np.full(3, rng.uniform(0.4, 0.95)) if rng.random() < 0.7 else colour
                for _ in range(int(rng.integers(2, 14))):
                    a, b = rng.uniform(0, 1, 2)
                    start = corners[0] + (corners[1] - corners[0]) * a + (corners[3] - corners[0]) * b
                    if rng.random() < 0.6:
                        end = start + (corners[1] - corners[0]) * rng.uniform(0.05, 0.5)
                        cv2.line(
                            ink,
                            start.astype(int).tolist(),
                            end.astype(int).tolist(),
                            float(rng.uniform(0, 0.5)),
                            int(rng.integers(1, 4)),
                            cv2.LINE_AA,
                        )
                    else:
                        _print_symbol(rng, ink, start, rng.uniform(0.4, 2.0) * px_per_cm)
            stamp(picture, mask, colour * ink, 0.4)
        elif kind == "gem":
            points = rng.uniform(-0.9, 0.9, (int(rng.integers(5, 9)), 2)) * px_per_cm + (x, y)
            hull = cv2.convexHull(points.astype(np.int32))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA)
            gradient = np.linspace(rng.uniform(0.2, 1), rng.uniform(0.8, 2), width, dtype=np.float32)[None, :, None]
            stamp(picture, mask, np.clip(colour * gradient, 0, 1), 0.6)
        elif kind == "cable":
            points = np.cumsum(rng.normal(0, 2.2 * px_per_cm, (7, 2)), 0) + (x, y)
            t = np.linspace(0, 6, 120)
            smooth = np.stack(
                [np.interp(t, range(7), cv2.GaussianBlur(points[:, i : i + 1], (1, 3), 0)[:, 0]) for i in (0, 1)],
                1,
            )
            cv2.polylines(
                mask,
                [smooth.astype(np.int32)],
                False,
                255,
                max(2, int(rng.uniform(0.2, 0.6) * px_per_cm)),
                cv2.LINE_AA,
            )
            stamp(picture, mask, colour, 0.5)
        else:  # a hand from the edge
            skin = np.array([0.16, 0.28, 0.55]) * rng.uniform(0.2, 1.5) * rng.uniform(0.85, 1.15, 3)
            wrist = np.array([rng.choice([0, width]), y])
            palm = wrist + (np.array([width / 2, height / 2]) - wrist) * rng.uniform(0.1, 0.5)
            thick = int(rng.uniform(4, 7) * px_per_cm)
            cv2.line(mask, wrist.astype(int).tolist(), palm.astype(int).tolist(), 255, thick, cv2.LINE_AA)
            heading = np.arctan2(*(palm - wrist)[::-1])
            for finger in np.linspace(-0.6, 0.6, 5):
                tip = palm + rng.uniform(5, 9) * px_per_cm * np.array(
                    [np.cos(heading + finger), np.sin(heading + finger)]
                )
                cv2.line(
                    mask,
                    palm.astype(int).tolist(),
                    tip.astype(int).tolist(),
                    255,
                    int(1.7 * px_per_cm),
                    cv2.LINE_AA,
                )
            soft = 1 + 0.2 * noise(rng, height, width, 20)[..., None]
            stamp(picture, mask, np.clip(skin * soft, 0, 1), 0.6)


def _print_symbol(rng: Rng, ink: np.ndarray, at: np.ndarray, span: float) -> None:
    art = cv2.resize(
        draw(str(rng.choice(["success", "threat", "failure", "glyph", "dark", "light"])), rng),
        (max(6, int(span)),) * 2,
    )
    x, y = int(at[0]), int(at[1])
    h, w = art.shape
    if x < 0 or y < 0 or y + h > ink.shape[0] or x + w > ink.shape[1]:
        return
    ink[y : y + h, x : x + w, 0] *= 1 - art / 255.0 * rng.uniform(0.5, 1)


def patches(rng: Rng, picture: np.ndarray, px_per_cm: float) -> None:
    """Draw flat dark or coloured shapes of a die's size, most of them at the picture's edges and corners, in place.

    They are what the corner of a tray, a gap between boards or a printed square looks like: uniform, and no die.
    """
    height, width = picture.shape[:2]
    for _ in range(int(rng.integers(1, 7))):
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        if rng.random() < 0.6:
            x = rng.choice([rng.uniform(0, 25), rng.uniform(width - 25, width)])
            if rng.random() < 0.7:
                y = rng.choice([rng.uniform(0, 25), rng.uniform(height - 25, height)])
        size = rng.uniform(0.6, 2.2, 2) * px_per_cm
        turn = rng.normal(0, 6) if rng.random() < 0.7 else rng.uniform(0, 90)
        colour = np.full(3, rng.uniform(0.0, 0.03)) if rng.random() < 0.6 else colour_of(rng)
        mask = np.zeros((height, width), np.uint8)
        if rng.random() < 0.75:
            corners = cv2.boxPoints(((x, y), (size[0], size[0] if rng.random() < 0.6 else size[1]), turn))
            cv2.fillConvexPoly(mask, corners.astype(np.int32), 255, cv2.LINE_AA)
        else:
            cv2.circle(mask, (int(x), int(y)), int(size[0] / 2), 255, -1, cv2.LINE_AA)
        stamp(picture, mask, colour, 0.0 if rng.random() < 0.7 else 0.4)
