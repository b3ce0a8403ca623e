"""Things that lie about a table and are no dice, with what light does on them: boxes, phones, caps, boards, dust.

Those of :mod:`models.render.surfaces` are flat and dull; a closer look takes such as these for dice.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from PIL import Image, ImageDraw

from models.render.numbers import choose
from models.render.pages import typeface, word
from models.render.surfaces import MOST_LIGHT, colour_of, noise, stamp

Rng = np.random.Generator
_DARK = 0.4  # share of the tables that are nearly black: dust and grain show on them


def lay_things(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Lay one to five things, and often dust, on the (h, w, 3) linear BGR albedo, in place."""
    if rng.random() < _DARK:
        albedo *= np.float32(np.exp(rng.uniform(np.log(0.004), np.log(0.05))) / max(float(albedo.mean()), 1e-3))
        albedo += np.abs(rng.normal(0, 0.002, (*albedo.shape[:2], 1))).astype(np.float32)
    for _ in range(int(rng.integers(1, 6))):
        _THINGS[rng.integers(len(_THINGS))](rng, albedo, px_per_cm)
    if rng.random() < 0.6:
        dust(rng, albedo, px_per_cm)
    np.clip(albedo, 0.001, MOST_LIGHT, out=albedo)


def dust(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Strew lint, crumbs and fibres on the albedo, in place."""
    height, width = albedo.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        mask = np.zeros((height, width), np.uint8)
        count = int(np.exp(rng.uniform(np.log(8), np.log(400))))
        at = rng.uniform(0, 1, (count, 2)) * (width, height)
        if rng.random() < 0.4:  # swept together
            at = rng.uniform(0.1, 0.9, 2) * (width, height) + rng.normal(0, rng.uniform(0.5, 4) * px_per_cm, (count, 2))
        size = np.exp(rng.uniform(np.log(0.008), np.log(rng.uniform(0.02, 0.15)))) * px_per_cm
        for x, y in at:
            reach, level = max(0.35, size * np.exp(rng.normal(0, 0.5))), int(rng.uniform(40, 256))
            if rng.random() < 0.2:
                path = np.cumsum(rng.normal(0, 2 * reach, (5, 2)), axis=0) + (x, y)
                cv2.polylines(mask, [np.round(path * 16).astype(np.int32)], False, level, 1, cv2.LINE_AA, 4)
            else:
                axes = (round(reach * 16), round(reach * rng.uniform(0.3, 1) * 16))
                cv2.ellipse(
                    mask, (round(x * 16), round(y * 16)), axes, rng.uniform(0, 180), 0, 360, level, -1, cv2.LINE_AA, 4
                )
        light = rng.uniform(0.1, 0.9) * rng.uniform(0.7, 1, 3)
        stamp(albedo, mask, light.astype(np.float32), 0.0)


def _box(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A box with print on it, most often only its edge in view, in which lamps and colours are mirrored."""
    height, width = albedo.shape[:2]
    size, turn = rng.uniform((4, 1.5), (26, 12)) * px_per_cm, _turn(rng)
    corners = _corners(_edge_spot(rng, width, height), size, turn)
    mask = _filled(albedo, corners)
    colour = colour_of(rng) * (0.15 if rng.random() < 0.5 else 1.0)
    face = colour.astype(np.float32) * _shading(rng, mask, 0.06 * px_per_cm)
    for _ in range(int(rng.integers(0, 4))):
        text = _text(rng, word(rng).upper(), size[1] * rng.uniform(0.15, 0.8), turn, corners, albedo.shape[:2])
        stamp(face, text, colour_of(rng), 0.0)
    if rng.random() < 0.6:
        face = face + _mirrored_colours(rng, mask)
    if rng.random() < 0.5:  # the edge of its lid
        line = np.zeros_like(mask)
        a, b = corners[0], corners[1]
        at = rng.uniform(0, 1) * (corners[3] - corners[0])
        ends = [np.round(p + at).astype(int).tolist() for p in (a, b)]
        cv2.line(line, *ends, 255, max(1, int(rng.uniform(0.03, 0.15) * px_per_cm)), cv2.LINE_AA)
        face = face + (line / np.float32(255) * rng.uniform(-0.1, 0.7))[..., None]
    _lay(albedo, mask, face, 0.5)


def _phone(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A phone: dark glass that mirrors a window, or a lit screen with rows of signs on it."""
    height, width = albedo.shape[:2]
    size, turn = np.array([7.2, 15.0]) * px_per_cm * rng.uniform(0.8, 1.1), _turn(rng)
    at = _edge_spot(rng, width, height)
    corners = _corners(at, size, turn)
    mask = _rounded(_filled(albedo, corners), 0.7 * px_per_cm)
    face = np.full(albedo.shape, rng.uniform(0.003, 0.05), np.float32)
    inner = _filled(albedo, _corners(at, size * rng.uniform(0.88, 0.97), turn))
    if rng.random() < 0.5:
        lit = (colour_of(rng) * rng.uniform(0.3, 1.3)).astype(np.float32)
        face = np.where(inner[..., None] > 0, lit, face)
        rows, columns = int(rng.integers(2, 8)), int(rng.integers(2, 6))
        for row in range(rows):
            for column in range(columns):
                spot = _within(corners, (column + 0.5) / columns, (row + 0.5) / rows)
                sign = _rounded(
                    _filled(albedo, _corners(spot, size / (columns, rows) * rng.uniform(0.4, 0.8), turn)),
                    0.2 * px_per_cm,
                )
                face = np.where(sign[..., None] > 0, colour_of(rng).astype(np.float32), face)
    else:
        window = _filled(
            albedo, _corners(at + rng.normal(0, 3 * px_per_cm, 2), size * rng.uniform(0.3, 1, 2), 10 + turn)
        )
        soft = cv2.GaussianBlur(np.minimum(window, inner), (0, 0), rng.uniform(0.5, 6)) / np.float32(255)
        face = face + soft[..., None] * np.float32(rng.uniform(0.02, 0.5))
        for _ in range(int(rng.integers(0, 4))):
            _disc(rng, face, _within(corners, rng.uniform(0.1, 0.4), rng.uniform(0.04, 0.2)), 0.5 * px_per_cm)
    _lay(albedo, mask, face, 0.6)


def _board(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A plate of plastic, wood or card with rounded corners, with screws, feet or holes in it."""
    height, width = albedo.shape[:2]
    size, turn = rng.uniform(1.2, 16, 2) * px_per_cm, _turn(rng)
    corners = _corners(_edge_spot(rng, width, height), size, turn)
    mask = _rounded(_filled(albedo, corners), rng.uniform(0.05, 1.2) * px_per_cm)
    face = colour_of(rng).astype(np.float32) * _shading(rng, mask, 0.1 * px_per_cm)
    for _ in range(int(rng.integers(0, 7))):
        _disc(rng, face, _within(corners, *rng.uniform(0.05, 0.95, 2)), rng.uniform(0.1, 0.8) * px_per_cm)
    _lay(albedo, mask, face, 0.5)


def _cap(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A cap, washer, button or bowl: rings one in another, each shaded as if it were round."""
    height, width = albedo.shape[:2]
    at, radius = rng.uniform(0, 1, 2) * (width, height), rng.uniform(0.4, 2.2) * px_per_cm
    colour = colour_of(rng).astype(np.float32)
    for share in np.sort(rng.uniform(0.15, 1, int(rng.integers(1, 4))))[::-1]:
        mask = np.zeros((height, width), np.uint8)
        cv2.circle(mask, np.round(at).astype(int).tolist(), max(1, int(share * radius)), 255, -1, cv2.LINE_AA)
        face = colour * rng.uniform(0.4, 1.4) * _shading(rng, mask, rng.uniform(0.05, 0.8) * radius)
        _lay(albedo, mask, face, rng.uniform(0, 0.6))


def _lump(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A sweet, a rubber, a stone, a miniature's base, a fingertip: a lump without edges."""
    height, width = albedo.shape[:2]
    mask, at = np.zeros((height, width), np.uint8), rng.uniform(0, 1, 2) * (width, height)
    angle = np.linspace(0, 2 * np.pi, 40)
    bumps = 1 + sum(rng.uniform(0, 0.3) / k * np.sin(k * angle + rng.uniform(0, 6.3)) for k in (2, 3, 4))
    reach = rng.uniform(0.4, 1.8) * px_per_cm * np.array([1, rng.uniform(0.5, 1)])
    path = at + np.stack([np.cos(angle), np.sin(angle)], 1) * reach * bumps[:, None]
    cv2.fillPoly(mask, [np.round(path * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    grain = 1 + rng.uniform(0, 0.4) * noise(rng, height, width, rng.uniform(20, 200))[..., None]
    face = colour_of(rng).astype(np.float32) * _shading(rng, mask, 0.6 * float(reach.min())) * grain
    _lay(albedo, mask, face, 0.6)


def _edges(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Bands of unlike stuff side by side, cut off square: a table's end, a shelf, a frame, the gap behind a tray."""
    height, width = albedo.shape[:2]
    turn, at = _turn(rng), _edge_spot(rng, width, height)
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    length = rng.uniform(3, 40) * px_per_cm
    for _ in range(int(rng.integers(2, 6))):
        breadth = np.exp(rng.uniform(np.log(0.1), np.log(4))) * px_per_cm
        at = at + np.array([-s, c]) * breadth
        long = length * (1.0 if rng.random() < 0.6 else rng.uniform(0.1, 1))
        mask = _filled(albedo, _corners(at, np.array([long, breadth * 1.05]), turn))
        grain = 1 + rng.uniform(0, 0.3) * noise(rng, height, width, rng.uniform(20, 120), rng.uniform(1, 15))[..., None]
        face = colour_of(rng).astype(np.float32) * rng.uniform(0.1, 1.2) * grain
        _lay(albedo, mask, face, 0.3)


_THINGS: tuple[Callable[[Rng, np.ndarray, float], None], ...] = (_box, _box, _phone, _board, _cap, _lump, _edges)


def lay_belongings(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Lay two to five of what lies beside a tray at the edges of the (h, w, 3) albedo, in place."""
    for _ in range(int(rng.integers(2, 6))):
        _BELONGINGS[rng.integers(len(_BELONGINGS))](rng, albedo, px_per_cm)
    np.clip(albedo, 0.001, MOST_LIGHT, out=albedo)


def _at_edge(rng: Rng, width: int, height: int) -> np.ndarray:
    spot = rng.uniform(0, 1, 2)
    spot[rng.integers(2)] = rng.choice([0.0, 1.0]) + rng.normal(0, 0.04)
    return np.asarray(spot * (width, height))


def _stroke(albedo: np.ndarray, path: np.ndarray, thick: float) -> np.ndarray:
    """Return the mask of a line through (n, 2) points, so many px thick."""
    mask = np.zeros(albedo.shape[:2], np.uint8)
    points = [np.round(np.clip(path, -4000, 4000) * 16).astype(np.int32)]
    cv2.polylines(mask, points, False, 255, max(1, round(thick)), cv2.LINE_AA, 4)
    return mask


def _plug(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A mains plug with two or three pins and its cable, or a row of sockets, whose holes are like pips."""
    height, width = albedo.shape[:2]
    at, turn, side = _at_edge(rng, width, height), _turn(rng), rng.uniform(2.2, 4.2) * px_per_cm
    tone = (np.full(3, rng.choice([rng.uniform(0.01, 0.05), rng.uniform(0.5, 0.9)])) * rng.uniform(0.9, 1.1, 3)).astype(
        np.float32
    )
    way = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))])
    if rng.random() < 0.5:
        count = int(rng.integers(2, 6))
        body = _rounded(_filled(albedo, _corners(at, np.array([count, 1.1]) * side, turn)), 0.25 * side)
        _lay(albedo, body, tone * _shading(rng, body, 0.15 * side), 0.6)
        for k in range(count):
            middle = at + way * (k - (count - 1) / 2) * side
            _disc(rng, albedo, middle, 0.42 * side)
            for sign in (-1, 1):
                _disc(rng, albedo, middle + sign * 0.19 * side * np.array([-way[1], way[0]]), 0.06 * side)
        return
    cable = at + np.cumsum(np.vstack([[0, 0], rng.normal(0, 0.6, (6, 2)) - way * 1.2]), 0) * side
    mask = _stroke(albedo, cable, 0.18 * side)
    _lay(albedo, mask, tone * _shading(rng, mask, 0.09 * side), 0.5)
    for off in (-0.22, 0.22, *([0.0] if rng.random() < 0.3 else [])):
        foot = at + np.array([-way[1], way[0]]) * off * side + way * 0.3 * side
        pin = _stroke(albedo, np.stack([foot, foot + way * 0.55 * side]), 0.1 * side)
        _lay(albedo, pin, np.float32([0.35, 0.5, 0.6]) * _shading(rng, pin, 0.05 * side), 0.4)
    body = _rounded(
        _filled(albedo, _corners(at, np.array([rng.uniform(0.7, 1.2), rng.uniform(0.7, 1)]) * side, turn)), 0.2 * side
    )
    _lay(albedo, body, tone * _shading(rng, body, 0.3 * side), 0.6)


def _keys(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Two to four keys on a ring."""
    height, width = albedo.shape[:2]
    at, metal = _at_edge(rng, width, height), np.float32([0.3, 0.4, 0.45]) * np.float32(rng.uniform(0.4, 1.6))
    for angle in np.cumsum(rng.uniform(0.3, 1.2, int(rng.integers(2, 5)))) + rng.uniform(0, 2 * np.pi):
        way, size = np.array([np.cos(angle), np.sin(angle)]), rng.uniform(0.8, 1.2) * px_per_cm
        blade = _stroke(albedo, np.stack([at + way * 2 * size, at + way * 5.2 * size]), 0.8 * size)
        for _ in range(int(rng.integers(2, 6))):  # what is cut out of it
            notch = at + way * rng.uniform(3, 5) * size + np.array([-way[1], way[0]]) * 0.4 * size
            cv2.circle(blade, np.round(notch).astype(int).tolist(), max(1, int(0.2 * size)), 0, -1, cv2.LINE_AA)
        bow = np.zeros_like(blade)
        cv2.circle(
            bow, np.round(at + way * 1.4 * size).astype(int).tolist(), max(2, int(1.1 * size)), 255, -1, cv2.LINE_AA
        )
        cv2.circle(
            bow, np.round(at + way * 0.7 * size).astype(int).tolist(), max(1, int(0.25 * size)), 0, -1, cv2.LINE_AA
        )
        own = colour_of(rng).astype(np.float32) if rng.random() < 0.4 else metal
        for mask, colour in ((blade, metal), (bow, own)):
            _lay(albedo, mask, colour * _shading(rng, mask, 0.15 * size), 0.5)
    ring = np.zeros((height, width), np.uint8)
    cv2.circle(
        ring,
        np.round(at).astype(int).tolist(),
        max(2, int(1.1 * px_per_cm)),
        255,
        max(1, int(0.15 * px_per_cm)),
        cv2.LINE_AA,
    )
    _lay(albedo, ring, metal * 1.5 * _shading(rng, ring, 0.07 * px_per_cm), 0.4)


def _laptop(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """A keyboard's end, with letters and digits on keys of a die's size."""
    height, width = albedo.shape[:2]
    at, turn, key = _at_edge(rng, width, height), _turn(rng), rng.uniform(1.3, 1.9) * px_per_cm
    columns, rows = int(rng.integers(4, 15)), int(rng.integers(2, 6))
    size = np.array([columns + 0.6, rows + 0.6]) * key
    corners = _corners(at, size, turn)
    body = _rounded(_filled(albedo, corners), 0.3 * key)
    base = np.full(3, rng.choice([rng.uniform(0.01, 0.08), rng.uniform(0.3, 0.8)])).astype(np.float32)
    face = base * _shading(rng, body, 0.1 * key)
    cap = np.full(3, rng.choice([rng.uniform(0.005, 0.03), rng.uniform(0.4, 0.9)])).astype(np.float32)
    ink, all_keys = np.float32(0.9 if cap[0] < 0.2 else 0.02), np.zeros_like(body)
    letters = np.zeros_like(body)
    font = typeface(choose(rng), int(np.clip(0.45 * key, 6, 60)))
    for row in range(rows):
        for column in range(columns):
            middle = _within(corners, (column + 0.8) / (columns + 0.6), (row + 0.8) / (rows + 0.6))
            one = _corners(middle, np.full(2, 0.84 * key), turn)
            all_keys = np.maximum(all_keys, _filled(albedo, one))
            sign = Image.new("L", (max(4, int(key)),) * 2, 0)
            ImageDraw.Draw(sign).text(
                (sign.width / 2, sign.height / 2), str(rng.choice(list(_ON_KEYS))), 255, font, anchor="mm"
            )
            matrix = cv2.getRotationMatrix2D((sign.width / 2, sign.height / 2), -turn, 1)
            matrix[:, 2] += middle - sign.width / 2
            letters = np.maximum(letters, cv2.warpAffine(np.asarray(sign), matrix, letters.shape[::-1]))
    all_keys = _rounded(all_keys, 0.12 * key)
    _lay(face, all_keys, cap * _shading(rng, all_keys, 0.1 * key), 0.3)
    stamp(face, letters, np.full(3, ink), 0.0)
    _lay(albedo, body, face, 0.6)


def _person(rng: Rng, albedo: np.ndarray, px_per_cm: float) -> None:
    """Somebody who leans into the picture: hair, a face, eyes, nose and mouth."""
    height, width = albedo.shape[:2]
    at, turn = _at_edge(rng, width, height), rng.uniform(0, 2 * np.pi)
    half = np.array([0.75, 1.0]) * rng.uniform(3.5, 8) * px_per_cm
    skin = (np.array([0.16, 0.28, 0.55]) * rng.uniform(0.2, 1.5) * rng.uniform(0.85, 1.15, 3)).astype(np.float32)

    def oval(middle: tuple[float, float], axes: tuple[float, float]) -> np.ndarray:
        c, s = np.cos(turn), np.sin(turn)
        spot = at + np.array([[c, -s], [s, c]]) @ (np.array(middle) * half)
        mask = np.zeros((height, width), np.uint8)
        size = [max(1, int(v)) for v in np.array(axes) * half]
        cv2.ellipse(mask, np.round(spot).astype(int).tolist(), size, np.degrees(turn), 0, 360, 255, -1, cv2.LINE_AA)
        return mask

    hair = (np.array([0.2, 0.5, 1.0]) * rng.uniform(0.005, 0.25)).astype(np.float32)
    for mask, colour in (
        (oval((0, -0.25), (1.15, 1.0)), hair),
        (oval((0, 0), (0.95, 0.95)), skin),
        (oval((-0.35, -0.15), (0.17, 0.07)), np.float32([0.8, 0.8, 0.8])),
        (oval((0.35, -0.15), (0.17, 0.07)), np.float32([0.8, 0.8, 0.8])),
        (oval((-0.35, -0.15), (0.07, 0.06)), hair * 0.2),
        (oval((0.35, -0.15), (0.07, 0.06)), hair * 0.2),
        (oval((-0.35, -0.32), (0.24, 0.04)), hair),
        (oval((0.35, -0.32), (0.24, 0.04)), hair),
        (oval((0, 0.15), (0.13, 0.2)), skin * 0.85),
        (oval((0, 0.5), (0.32, 0.08)), skin * np.float32([0.5, 0.45, 0.9])),
    ):
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.5, 0.02 * half[0]))
        _lay(
            albedo,
            soft,
            colour * _shading(rng, mask, 0.3 * half[0]) if colour is skin else np.broadcast_to(colour, albedo.shape),
            0.0,
        )


_ON_KEYS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<>?+-#"
_BELONGINGS: tuple[Callable[[Rng, np.ndarray, float], None], ...] = (_plug, _keys, _laptop, _person)


def _lay(albedo: np.ndarray, mask: np.ndarray, face: np.ndarray, shadow: float) -> None:
    """Lay a thing with that (h, w, 3) face on the albedo, in place."""
    stamp(albedo, mask, np.clip(face, 0, MOST_LIGHT), shadow)


def _turn(rng: Rng) -> float:
    """Return degrees; much that lies on a table lies as the table does."""
    return float(rng.choice([0, 90]) + rng.normal(0, 6) if rng.random() < 0.5 else rng.uniform(0, 360))


def _edge_spot(rng: Rng, width: int, height: int) -> np.ndarray:
    """Return where a large thing's middle lies, (2,) px: often near the picture's edge."""
    spot = rng.uniform(0, 1, 2)
    if rng.random() < 0.7:
        spot[rng.integers(2)] = rng.choice([0.0, 1.0]) + rng.normal(0, 0.08)
    return np.asarray(spot * (width, height))


def _corners(middle: np.ndarray, size: np.ndarray, turn: float) -> np.ndarray:
    return cv2.boxPoints((middle.tolist(), np.maximum(size, 1).tolist(), turn))


def _within(corners: np.ndarray, along: float, across: float) -> np.ndarray:
    """Return the point so far along and across a rectangle."""
    return np.asarray(corners[0] + (corners[3] - corners[0]) * along + (corners[1] - corners[0]) * across)


def _filled(albedo: np.ndarray, corners: np.ndarray) -> np.ndarray:
    mask = np.zeros(albedo.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.clip(corners, -4000, 4000) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return mask


def _rounded(mask: np.ndarray, radius: float) -> np.ndarray:
    """Return the mask with rounded corners."""
    side = 2 * int(radius) + 1
    return cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))


def _shading(rng: Rng, mask: np.ndarray, bend: float) -> np.ndarray:
    """Return the (h, w, 1) light on a thing whose rim bends down over so many px, with a glint where it is glossy."""
    light = np.ones((*mask.shape, 1), np.float32)
    x, y, width, height = cv2.boundingRect(mask)
    angle, steep, strength, is_glossy = (
        rng.uniform(0, 2 * np.pi),
        rng.uniform(0.1, 0.4),
        rng.uniform(0.2, 0.8),
        rng.random() < 0.5,
    )
    glint = rng.uniform(0.5, 4)
    if width < 3 or height < 3:
        return light
    part = cv2.copyMakeBorder(mask[y : y + height, x : x + width], 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    inside = np.minimum(cv2.distanceTransform(part, cv2.DIST_L2, 5)[1:-1, 1:-1] / max(bend, 1.0), 1)
    rise = cv2.GaussianBlur(np.sqrt(1 - (1 - inside) ** 2), (0, 0), max(0.6, 0.2 * bend)) * np.float32(bend)
    slope_y, slope_x = np.gradient(rise)
    lean = (slope_x * np.cos(angle) + slope_y * np.sin(angle)) / np.sqrt(1 + slope_x**2 + slope_y**2)
    seen = np.clip(1 + strength * lean, 0, 2)
    if is_glossy:
        seen = seen + glint * np.clip((lean - steep) * 3, 0, 1)
    light[y : y + height, x : x + width, 0] = seen
    return light


def _mirrored_colours(rng: Rng, mask: np.ndarray) -> np.ndarray:
    """Return the (h, w, 3) light of blurred coloured things that a glossy side mirrors."""
    height, width = mask.shape
    cells = max(3, int(np.exp(rng.uniform(np.log(4), np.log(40)))))
    bright = np.clip(rng.normal(-0.4, 1, (cells, cells, 1)), 0, 3) * rng.uniform(0, 1, (cells, cells, 3))
    spread = cv2.resize(bright.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(spread, 0, 1) * np.float32(rng.uniform(0.02, 0.5))


def _text(rng: Rng, text: str, size: float, turn: float, corners: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return a word as an (h, w) uint8 mask, written along a rectangle, of that height in px."""
    font = typeface(choose(rng), int(np.clip(size, 6, 160)))
    left, top, right, bottom = font.getbbox(text)
    line = Image.new("L", (max(1, round(right - left)) + 4, max(1, round(bottom - top)) + 4), 0)
    ImageDraw.Draw(line).text((2 - left, 2 - top), text, fill=255, font=font)
    at = _within(corners, *rng.uniform(0.1, 0.9, 2))
    quarter = 90 * int(rng.integers(4))
    matrix = cv2.getRotationMatrix2D((line.width / 2, line.height / 2), -turn + quarter, 1)
    matrix[:, 2] += at - (line.width / 2, line.height / 2)
    return cv2.warpAffine(np.asarray(line), matrix, shape[1::-1])


def _disc(rng: Rng, face: np.ndarray, at: np.ndarray, radius: float) -> None:
    """Draw a screw, a foot, a lens or a hole on a thing's face, in place."""
    mask = np.zeros(face.shape[:2], np.uint8)
    middle = np.round(np.clip(at, -4000, 4000)).astype(int).tolist()
    cv2.circle(mask, middle, max(1, int(radius)), 255, -1, cv2.LINE_AA)
    tone = (colour_of(rng) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 0.5))).astype(np.float32)
    stamp(face, mask, tone * _shading(rng, mask, rng.uniform(0.1, 0.6) * radius), 0.0)
