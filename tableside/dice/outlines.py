"""The drawing of a symbol as outlines, for whatever draws dice without a browser."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

Points: TypeAlias = Sequence[tuple[float, float]]

_CURVE = 12  # steps of a curve
_SHAPE = re.compile(r"<(path|circle|rect)\b([^>]*)>")
_OTHER = re.compile(r"<(polygon|polyline|line|ellipse|text|use|image)\b|transform=|<g\b")
_NUMBER = r"-?\d*\.?\d+(?:[eE]-?\d+)?"
_STEP = re.compile(rf"([A-Za-z])|({_NUMBER})")
_VALUES = {"M": 2, "L": 2, "C": 6, "Q": 4, "A": 7, "Z": 0}


def circle(radius: float, count: int, *, first: float = -90.0, at: tuple[float, float] = (50, 50)) -> Points:
    """Return points of a circle, the first one at this angle in degrees."""
    angles = [math.radians(first + 360 * n / count) for n in range(count)]
    return [(at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)) for angle in angles]


def rounded(square: Points, radius: float) -> Points:
    """Return a square, clockwise from its top left corner, with round corners."""
    low, high = square[0][0], square[2][0]
    near, far = low + radius, high - radius
    corners = (((far, far), 0), ((near, far), 90), ((near, near), 180), ((far, near), 270))
    turns = [(at, math.radians(first + 90 * n / _CURVE)) for at, first in corners for n in range(_CURVE + 1)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for (x, y), turn in turns]


def shapes_of(svg: str) -> list[list[Points]]:
    """Return the shapes of a symbol's drawing, each as outlines of which every second one is a hole.

    Paths may have absolute steps M, L, C, Q, A and Z, as the drawings of dice sets have. A drawing with anything else
    gives nothing.
    """
    found: list[list[Points]] = []
    if _OTHER.search(svg):
        return found
    for name, text in _SHAPE.findall(svg):
        has = dict(re.findall(r'([\w-]+)="([^"]*)"', text))
        try:
            if name == "circle":
                at = (float(has["cx"]), float(has["cy"]))
                found.append([circle(float(has["r"]), 4 * _CURVE, at=at)])
            elif name == "rect":
                x, y, wide, high = (float(has[key]) for key in ("x", "y", "width", "height"))
                found.append([[(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]])
            else:
                lines = _outlines(has["d"])
                found += [lines] if has.get("fill-rule") == "evenodd" else [[line] for line in lines]
        except (KeyError, ValueError):
            return []
    return found


def _outlines(path: str) -> list[Points]:
    """Return a path's outlines. :raises ValueError: where it has a step that is not known."""
    lines: list[list[tuple[float, float]]] = []
    tokens = [(letter, number) for letter, number in _STEP.findall(path)]
    step, at = "", 0
    while at < len(tokens):
        if tokens[at][0]:
            step, at = tokens[at][0], at + 1
        if step not in _VALUES:
            raise ValueError(step)
        values = [float(number) for _, number in tokens[at : at + _VALUES[step]]]
        at += len(values)
        if len(values) < _VALUES[step] or (step != "M" and not lines):
            raise ValueError(path)
        if step == "M":
            lines.append([(values[0], values[1])])
            step = "L"
        elif step == "A":
            lines[-1] += _arc(lines[-1][-1], values)
        elif step != "Z":
            lines[-1] += _bent(lines[-1][-1], values)
        elif at < len(tokens) and not tokens[at][0]:
            raise ValueError(path)  # a number after Z
    return list(lines)


def _bent(begin: tuple[float, float], values: Sequence[float]) -> Points:
    """Return a line or a curve with control points (Bezier) from ``begin``, by de Casteljau's halving."""
    points = [begin, *zip(values[::2], values[1::2], strict=True)]
    if len(points) == 2:
        return points[1:]
    found = []
    for n in range(1, _CURVE + 1):
        share, left = n / _CURVE, points
        while len(left) > 1:
            pairs = pairwise(left)
            left = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairs]
        found.append(left[0])
    return found


def _arc(begin: tuple[float, float], values: Sequence[float]) -> Points:
    """Return an arc of a circle (SVG 1.1, appendix F.6.5 with equal radii)."""
    radius, other, _, is_large, is_onward, x, y = values
    if radius != other:
        raise ValueError("an ellipse")
    dx, dy = (x - begin[0]) / 2, (y - begin[1]) / 2
    half = math.hypot(dx, dy)
    radius = max(radius, half)
    if half == 0:
        return []
    away = math.sqrt(radius**2 - half**2) / half * (1 if bool(is_large) != bool(is_onward) else -1)
    middle = (begin[0] + dx - away * dy, begin[1] + dy + away * dx)
    first = math.atan2(begin[1] - middle[1], begin[0] - middle[0])
    turn = (math.atan2(y - middle[1], x - middle[0]) - first) % (2 * math.pi)
    turn = turn if is_onward else turn - 2 * math.pi
    turns = [first + turn * n / (4 * _CURVE) for n in range(1, 4 * _CURVE + 1)]
    return [(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in turns]
