"""Two shapes that every part is made of."""

from __future__ import annotations

from build123d import Align, Axis, Box, Cylinder, Part, Pos, Rot

Span = tuple[float, float]


def block(x: Span, y: Span, z: Span) -> Part:
    """Return a box by its least and greatest coordinates."""
    corner = (Align.MIN, Align.MIN, Align.MIN)
    return Pos(x[0], y[0], z[0]) * Box(x[1] - x[0], y[1] - y[0], z[1] - z[0], align=corner)


def bore(axis: Axis, at: tuple[float, float, float], width: float, length: float) -> Part:
    """Return the round hole of this width along x, y or z, with its middle at a place."""
    turn = {Axis.X: Rot(0, 90, 0), Axis.Y: Rot(90, 0, 0), Axis.Z: Rot(0, 0, 0)}[axis]
    return Pos(*at) * turn * Cylinder(width / 2, length)
