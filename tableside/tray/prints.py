"""The sheets that are printed, as SVG of their true size: the marks of a tray, and the test card with its shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import cv2
import numpy as np

from tableside.dice import DiceSet, DieType, Face, find_sets
from tableside.dice.outlines import Points, circle, rounded, shapes_of
from tableside.dice.solids import drawn
from tableside.tray.card import CARD_MM, DICE, FIRST_MARK, MARGIN_MM, MARK_MM, MARKS_AT, PrintedDie, rectangle
from tableside.tray.region import MARK_CELLS, MARKS, mark_places

_SETS = ("narrative", "pips")  # the sets of the dice on the card
_SEAM = 0.01  # mm: cells that only touch show a line between them
_STAR_MM, _STAR_AT, _SPOKES = 13.0, (148.5, 105.0), 18
_PAPER, _INK = "#ffffff", "#000000"
_SYMBOLS_MM = {"d6": 9.3, "d8": 9.6, "d12": 9.4}
_WHOLE_FACE_MM = 12.8
_SEVERAL = 0.66  # of the size of one symbol
_LIGHTEST, _DARKEST = 0.30, 0.40  # of the facets, the lamp above and slightly to the left
_SHADOW = ((2.6, 1.16, 0.12), (2.0, 1.10, 0.25), (1.4, 1.05, 0.4), (0.9, 1.02, 0.55))  # mm away, size, grey


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A filled shape of the card: outlines in mm, of which every second one is a hole."""

    lines: Sequence[Points]
    colour: str


def card_shapes() -> list[Shape]:
    """Return what is printed, from below upwards, in mm from the sheet's top left corner."""
    kinds = {kind.name: (kind, one) for one in find_sets(_SETS) for kind in one.types}
    shapes = [*_marks(), *_star(), *_ruler()]
    for die in DICE:
        body, marks = _BODIES[kinds[die.type][0].solid](kinds[die.type][0].body), _face(*kinds[die.type], die.face)
        shapes += [*_shadow(_placed(body[:1], die)[0].lines[0]), *_placed([*body, *marks], die)]
    return shapes


def card_svg(words: str = "") -> str:
    """Return the card, with a line of words above."""
    paths = [f'<path fill="{one.colour}" fill-rule="evenodd" d="{_path(one.lines)}"/>' for one in card_shapes()]
    return _sheet(CARD_MM, paths, words=words, words_at=MARGIN_MM + 5)


def marks_svg(
    size_mm: tuple[float, float] = (210, 297), *, mark_mm: float = 22, margin_mm: float = 10, has_words: bool = True
) -> str:
    """Return a sheet with a mark in each corner, to be laid into the tray, or cut up and glued to it."""
    dictionary, cells = cv2.aruco.getPredefinedDictionary(MARKS), MARK_CELLS + 2
    cell = mark_mm / cells
    shapes = []
    for number, (left, top) in enumerate(mark_places(size_mm, mark_mm=mark_mm, margin_mm=margin_mm)):
        bits = cv2.aruco.generateImageMarker(dictionary, number, cells)
        for row, column in np.argwhere(bits == 0):
            x, y, side = left + column * cell, top + row * cell, cell + _SEAM
            shapes.append(f'<rect x="{x:.3f}" y="{y:.3f}" width="{side:.3f}" height="{side:.3f}"/>')
    words = f"Print at 100 %. The marks are {mark_mm:g} mm wide; keep them flat, white margins and all."
    return _sheet(size_mm, shapes, words=words if has_words else "", words_at=size_mm[1] / 2)


def _sheet(size_mm: tuple[float, float], shapes: Sequence[str], *, words: str, words_at: float) -> str:
    """Return a white sheet with a line of words at this height, in mm from the top."""
    width, height = size_mm
    line = f'<text x="{width / 2:g}" y="{words_at:g}" font-family="sans-serif" font-size="5" text-anchor="middle">'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}">\n<rect width="100%" height="100%" fill="{_PAPER}"/>\n'
        + "\n".join(shapes)
        + (f"\n{line}{escape(words)}</text>" if words else "")
        + "\n</svg>\n"
    )


def _path(lines: Sequence[Points]) -> str:
    return " ".join("M" + " L".join(f"{x:.3f} {y:.3f}" for x, y in line) + " Z" for line in lines)


def _marks() -> Iterator[Shape]:
    dictionary, cells = cv2.aruco.getPredefinedDictionary(MARKS), MARK_CELLS + 2
    cell = MARK_MM / cells
    for number, (left, top) in enumerate(MARKS_AT):
        bits = cv2.aruco.generateImageMarker(dictionary, FIRST_MARK + number, cells)
        white = [
            rectangle(left + column * cell, top + row * cell, cell + _SEAM, cell + _SEAM)
            for row, column in np.argwhere(bits)
        ]
        yield Shape(lines=[rectangle(left, top, MARK_MM, MARK_MM)], colour=_INK)
        yield from (Shape(lines=[one], colour=_PAPER) for one in white)


def _star() -> Iterator[Shape]:
    """Yield a Siemens star, by which an eye sees whether the lens is in focus."""
    for n in range(_SPOKES):
        ends = [math.radians(360 * (n + share) / _SPOKES) for share in (0, 0.5)]
        far = [(_STAR_AT[0] + _STAR_MM * math.cos(end), _STAR_AT[1] + _STAR_MM * math.sin(end)) for end in ends]
        yield Shape(lines=[[_STAR_AT, *far]], colour=_INK)


def _ruler() -> Iterator[Shape]:
    """Yield a line of 100 mm with a stroke every 10: held to a real ruler, it tells whether the print has its size."""
    left, y = CARD_MM[0] / 2 - 50, CARD_MM[1] - MARGIN_MM
    yield Shape(lines=[rectangle(left, y - 0.3, 100, 0.3)], colour=_INK)
    for n in range(11):
        high = 5 if n in (0, 10) else 2.5
        yield Shape(lines=[rectangle(left + 10 * n - 0.15, y - high, 0.3, high)], colour=_INK)


def _placed(shapes: Sequence[Shape], die: PrintedDie) -> list[Shape]:
    """Return shapes round (0, 0) at the place of a die, turned as it is."""
    turn = math.radians(die.turned)
    cos, sin, (left, top) = math.cos(turn), math.sin(turn), die.at_mm
    return [
        Shape(
            lines=[[(left + x * cos - y * sin, top + x * sin + y * cos) for x, y in line] for line in one.lines],
            colour=one.colour,
        )
        for one in shapes
    ]


def _shadow(outline: Points) -> Iterator[Shape]:
    """Yield a soft shadow below and to the right of a die: a drawing without one is hardly taken for a die."""
    middle = [sum(point[axis] for point in outline) / len(outline) for axis in (0, 1)]
    for away, size, grey in _SHADOW:
        placed = [
            (middle[0] + (x - middle[0]) * size + 0.35 * away, middle[1] + (y - middle[1]) * size + 0.8 * away)
            for x, y in outline
        ]
        yield Shape(lines=[placed], colour=_mixed(_PAPER, -grey))


def _face(kind: DieType, dice_set: DiceSet, face: Face) -> list[Shape]:
    """Return the symbols on the upper face of a die at (0, 0)."""
    whole = _WHOLE_FACE_MM if dice_set.whole_face else _SYMBOLS_MM[kind.solid]
    wide = whole if len(face) == 1 else whole * _SEVERAL
    marks = []
    for n, symbol in enumerate(face):
        path = dice_set.drawing(symbol)
        across = wide * drawn().step * (n - (len(face) - 1) / 2)
        for lines in shapes_of(path.read_text(encoding="utf-8")) if path else ():
            placed = [[(across + (x - 50) * wide / 100, (y - 50) * wide / 100) for x, y in line] for line in lines]
            marks.append(Shape(lines=placed, colour=kind.ink))
    return marks


def _cube(body: str) -> list[Shape]:
    """Return a d6 of 16 mm as it is seen from straight above, its silhouette first."""
    return [
        Shape(lines=[rounded(rectangle(-8, -8, 16, 16), 2.6)], colour=_mixed(body, -0.22)),
        Shape(lines=[rounded(rectangle(-6.9, -6.9, 13.8, 13.8), 2.2)], colour=body),
    ]


def _octahedron(body: str) -> list[Shape]:
    """Return a d8 of 17 mm edges that lies on one face: its silhouette is a hexagon, its upper face a triangle."""
    corners = circle(17 / math.sqrt(3), 6, at=(0, 0))
    upper = corners[::2]
    sides = [[upper[n], corners[2 * n + 1], upper[(n + 1) % 3]] for n in range(3)]
    return [Shape(lines=[corners], colour=body), *_facets(sides, body), Shape(lines=[upper], colour=body)]


def _dodecahedron(body: str) -> list[Shape]:
    """Return a d12 of 8.5 mm edges that lies on one face: its silhouette is a decagon, its upper face a pentagon."""
    upper, corners = circle(0.8507 * 8.5, 5, at=(0, 0)), circle(1.3764 * 8.5, 10, at=(0, 0))
    sides = [[upper[n], *(corners[(2 * n + step) % 10] for step in range(3)), upper[(n + 1) % 5]] for n in range(5)]
    return [Shape(lines=[corners], colour=body), *_facets(sides, body), Shape(lines=[upper], colour=body)]


_BODIES: Mapping[str, Callable[[str], list[Shape]]] = {"d6": _cube, "d8": _octahedron, "d12": _dodecahedron}


def _facets(sides: Sequence[Points], body: str) -> Iterator[Shape]:
    """Yield the facets round the upper face, each lighter or darker by where it looks."""
    lamp_x, lamp_y = drawn().lamp
    for side in sides:
        x, y = (sum(point[axis] for point in side) for axis in (0, 1))
        towards = (lamp_x * x + lamp_y * y) / math.hypot(x, y)
        yield Shape(lines=[side], colour=_mixed(body, _LIGHTEST * towards if towards > 0 else _DARKEST * towards))


def _mixed(colour: str, share: float) -> str:
    """Return a colour lighter by this share of what is missing to white, or darker by a negative one."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(
        f"{round(part + (255 - part) * share if share > 0 else part * (1 + share)):02x}" for part in parts
    )
