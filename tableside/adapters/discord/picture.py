"""The dice of a roll as a drawing: what helps in the upper rows, what hinders below, a die in doubt in a ring.

The solids have the shapes and shades of the pages' drawings (``tableside/dice/solids.json``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import DiceSet, DieType, Status
from tableside.dice.outlines import Points, rounded, shapes_of
from tableside.dice.solids import drawn
from tableside.table.kept import RollDie

Colour: TypeAlias = tuple[int, int, int]
Canvas: TypeAlias = npt.NDArray[np.uint8]

DIE_PX = 96
MOST_DICE = 60
"""More are not drawn; a message still says what they came to."""
_IN_ROW = 8
_GAP_PX = 12
_FINER = 4  # drawn so much larger, for smooth edges
_GROUND: Colour = (0x15, 0x18, 0x1D)
_DOUBT: Colour = (0xFF, 0xB8, 0x4A)
_BLACK: Colour = (0, 0, 0)
_WHITE: Colour = (255, 255, 255)
_NEARLY_BLACK = 40  # the brightest part of a body that needs a ring to be seen
_SIZES = ("d20", "d12", "d10", "d8", "d6", "d4")


_STRANGE = DieType(name="strange", title="", solid="d6", body="#888888", ink="#ffffff", faces=())


def picture_of(dice: Sequence[RollDie], sets: Iterable[DiceSet]) -> bytes:
    """Return the dice as a PNG, ``b""`` where there are none to draw."""
    known = {kind.name: (kind, one) for one in sets for kind in one.types}
    shown = [(*known.get(die.type, (_STRANGE, None)), die) for die in dice[:MOST_DICE]]
    shown.sort(key=lambda one: (one[0].hinders, _SIZES.index(one[0].solid), one[0].name))
    rows = [
        part[at : at + _IN_ROW]
        for part in ([one for one in shown if not one[0].hinders], [one for one in shown if one[0].hinders])
        for at in range(0, len(part), _IN_ROW)
    ]
    if not rows:
        return b""
    step = DIE_PX + _GAP_PX
    width, height = max(map(len, rows)) * step + _GAP_PX, len(rows) * step + _GAP_PX
    canvas = np.full((height, width, 3), _GROUND, np.uint8)
    for y, row in enumerate(rows):
        for x, (kind, dice_set, die) in enumerate(row):
            left, top = _GAP_PX + x * step, _GAP_PX + y * step
            canvas[top : top + DIE_PX, left : left + DIE_PX] = _drawn(kind, dice_set, die)
    return cv2.imencode(".png", cv2.cvtColor(canvas, cv2.COLOR_RGB2BGR))[1].tobytes()


def _drawn(kind: DieType, dice_set: DiceSet | None, die: RollDie) -> Canvas:
    """Return one die in a square of ``DIE_PX``."""
    solid = drawn().solids[kind.solid]
    outer, face = solid.outer, solid.face
    if solid.round is not None:
        outer, face = (tuple(rounded(line, by)) for line, by in zip((outer, face), solid.round, strict=True))
    body = _rgb(die.colour if kind.any_colour and die.colour else kind.body)
    canvas = np.full((DIE_PX * _FINER, DIE_PX * _FINER, 3), _GROUND, np.uint8)
    _shade(canvas, outer, body)
    _fill(canvas, [face], _mix(body, _WHITE, 0.06))
    if max(body) < _NEARLY_BLACK:
        _line(canvas, outer, _mix(body, _WHITE, 0.5), 2.5)
    whole = dice_set is not None and dice_set.whole_face
    size = drawn().whole_face if whole else solid.two if len(die.face) > 1 else solid.one
    ink = _readable(_rgb(kind.ink), body)
    for n, symbol in enumerate(die.face):
        x = solid.at[0] + size * drawn().step * (n - (len(die.face) - 1) / 2)
        _mark(canvas, dice_set, symbol, (x, solid.at[1]), size, ink)
    if die.status is not Status.SURE:
        _line(canvas, rounded([(2, 2), (98, 2), (98, 98)], 24), _DOUBT, 4)
    return np.asarray(cv2.resize(canvas, (DIE_PX, DIE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _shade(canvas: Canvas, outer: Points, body: Colour) -> None:
    """Draw the facets round the face. The lamp stands above, slightly to the left."""
    _fill(canvas, [outer], _mix(body, _BLACK, 0.3))
    count, how = len(outer), drawn()
    for n, corner in enumerate(outer):
        after = outer[(n + 1) % count]
        x, y = (corner[0] + after[0]) / 2 - 50, (corner[1] + after[1]) / 2 - 50
        towards = (how.lamp[0] * x + how.lamp[1] * y) / (math.hypot(x, y) or 1)
        light = (
            _mix(body, _WHITE, how.lightest * towards) if towards >= 0 else _mix(body, _BLACK, -how.darkest * towards)
        )
        _fill(canvas, [[corner, after, (50, 50)]], light)


def _mark(
    canvas: Canvas, dice_set: DiceSet | None, symbol: str, at: tuple[float, float], size: float, ink: Colour
) -> None:
    """Draw a symbol in a square of ``size`` round a point: its drawing, or its name where there is none we can draw."""
    path = dice_set.drawing(symbol) if dice_set else None
    shapes = shapes_of(path.read_text(encoding="utf-8")) if path else []
    for shape in shapes:
        _fill(
            canvas,
            [[(at[0] + (x - 50) * size / 100, at[1] + (y - 50) * size / 100) for x, y in line] for line in shape],
            ink,
        )
    if not shapes:
        scale = size * (1.6 / len(symbol) if len(symbol) > 2 else 0.8) * DIE_PX * _FINER / 100 / 22
        font, thick = cv2.FONT_HERSHEY_DUPLEX, max(1, round(2 * scale))
        (width, height), _ = cv2.getTextSize(symbol, font, scale, thick)
        left, below = _pixel(at)[0] - width // 2, _pixel(at)[1] + height // 2
        cv2.putText(canvas, symbol, (left, below), font, scale, ink, thick, cv2.LINE_AA)


def _pixel(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] * DIE_PX * _FINER / 100), round(point[1] * DIE_PX * _FINER / 100)


def _fill(canvas: Canvas, lines: Iterable[Points], colour: Colour) -> None:
    cv2.fillPoly(canvas, [np.array([_pixel(point) for point in line], np.int32) for line in lines], colour)


def _line(canvas: Canvas, line: Points, colour: Colour, width: float) -> None:
    pixels = np.array([_pixel(point) for point in line], np.int32)
    cv2.polylines(canvas, [pixels], True, colour, round(width * DIE_PX * _FINER / 100))


def _rgb(colour: str) -> Colour:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(colour: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue


def _readable(ink: Colour, body: Colour) -> Colour:
    """Return the ink, made black or white where it could not be told from the body."""
    lights = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (ink, body)]
    if abs(lights[0] - lights[1]) >= 60:
        return ink
    return _BLACK if lights[1] > 128 else _WHITE
