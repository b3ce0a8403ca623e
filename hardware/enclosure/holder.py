"""What carries the Pi: a plate behind the mast, held by two bolts through the mast's holes. Printed as it stands."""

from __future__ import annotations

from build123d import Axis, Part, Plane, Polygon, Pos, extrude

from hardware.enclosure.shapes import block, bore
from hardware.sizes import Sizes

_CHEEK = 4.0  # thickness of what lies at either side of the mast
_EDGE = 4.0  # of the plate around its outermost holes
_WIDE = 7.0  # of what the Pi rests on


def holder(sizes: Sizes) -> Part:
    """Return the holder: cheeks around the mast, and behind each hole of the Pi a foot whose slope needs no support.

    The lower row of holes is for a Pi and a Pi Zero alike; they differ in the upper one.
    """
    inner = sizes.mast_mm / 2 + sizes.slack_mm
    front = sizes.mast_y_mm + inner
    face = front + sizes.holder_mm
    across, up = sizes.pi_holes_mm
    middle = sizes.holder_middle_mm
    low, high = middle - up / 2, middle + up / 2
    reach = across / 2 + _EDGE
    bottom = low - _WIDE / 2 - sizes.pi_off_mm
    made = block((-reach, reach), (front, face), (bottom, high + _EDGE))
    for side in (-1, 1):
        cheek = sorted((side * inner, side * (inner + _CHEEK)))
        made += block((cheek[0], cheek[1]), (sizes.mast_y_mm - sizes.mast_mm / 2, front), (bottom, high))
    holes = [(side * across / 2, z) for side in (-1, 1) for z in (low, low + sizes.zero_up_mm, high)]
    for x, z in holes:
        made += _foot(x, z, face, sizes.pi_off_mm)
    for x, z in holes:
        made -= bore(Axis.Y, (x, face, z), sizes.m25_mm, 40)
    for hole in sizes.holder_holes:
        bolt = sizes.first_hole_mm + (hole - 1) * sizes.hole_step_mm
        made -= bore(Axis.X, (0, sizes.mast_y_mm, bolt), sizes.m4_mm, 4 * inner)
    return made


def _foot(x: float, z: float, face: float, off: float) -> Part:
    half = _WIDE / 2
    outline = [
        (face - 1, z - half - off),
        (face, z - half - off),
        (face + off, z - half),
        (face + off, z + half),
        (face - 1, z + half),
    ]
    profile = Plane.YZ * Polygon(*outline, align=None)
    return Pos(x - half, 0, 0) * extrude(profile, _WIDE)
