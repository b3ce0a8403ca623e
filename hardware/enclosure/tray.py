"""The tray in two halves that fit a small bed, joined by dovetails in the floor and by a strap or foot at the wall."""

from __future__ import annotations

from build123d import Axis, Part, Plane, Polygon, Pos, extrude, mirror, offset

from hardware.enclosure.shapes import block, bore
from hardware.sizes import Sizes

_NECK, _HEAD, _REACH = 14.0, 20.0, 8.0  # of a dovetail
_PLACES = (-0.32, 0.0, 0.32)  # of the dovetails, in shares of the depth
_GUSSET = 15.0


def tray_half(sizes: Sizes, *, is_left: bool) -> Part:
    """Return one half. The left one carries the dovetails, the right one their sockets, wider by the slack."""
    half = _whole(sizes)
    width, depth = sizes.rim_mm
    beyond = (0.0, width) if is_left else (-width, 0.0)
    half -= block(beyond, (-depth, depth), (-sizes.floor_mm - 1, sizes.wall_high_mm + 1))
    tails = _tails(sizes, 0.0 if is_left else sizes.slack_mm)
    return half + tails if is_left else half - tails


def strap(sizes: Sizes) -> Part:
    """Return the strap that joins the halves at the front wall."""
    width, height, thick = sizes.strap_mm
    front = -sizes.outer_mm[1] / 2
    plate = block((-width / 2, width / 2), (front - thick, front), (-sizes.floor_mm, height - sizes.floor_mm))
    return plate - screw_holes(sizes, front - thick / 2)


def screw_holes(sizes: Sizes, y: float) -> Part:
    """Return the holes of the two screws through a wall, at either side of the seam."""
    x, z = sizes.strap_hole_mm[0], sizes.strap_hole_mm[1] - sizes.floor_mm
    return bore(Axis.Y, (-x, y, z), sizes.m3_mm, 20) + bore(Axis.Y, (x, y, z), sizes.m3_mm, 20)


def _whole(sizes: Sizes) -> Part:
    (wide, deep), (outer_wide, outer_deep) = sizes.inner_mm, sizes.outer_mm
    top, bottom = sizes.wall_high_mm, -sizes.floor_mm
    tray = block((-outer_wide / 2, outer_wide / 2), (-outer_deep / 2, outer_deep / 2), (bottom, top))
    for right in (False, True):
        for back in (False, True):
            corner = _corner(sizes)
            corner = corner if right else mirror(corner, Plane.YZ)
            tray += corner if back else mirror(corner, Plane.XZ)
    tray -= block((-wide / 2, wide / 2), (-deep / 2, deep / 2), (0, top + 1))
    for side in (-1, 1):
        tray -= screw_holes(sizes, side * outer_deep / 2)
    return tray


def _corner(sizes: Sizes) -> Part:
    """Return the solid corner at the back right; its top carries a mark, its gussets hold it to the walls."""
    x, y = sizes.inner_mm[0] / 2, sizes.inner_mm[1] / 2
    wall, side = sizes.wall_mm, sizes.corner_mm
    outline = [
        (x + wall, y - _GUSSET),
        (x + side, y - _GUSSET + side - wall),
        (x + side, y + side),
        (x - _GUSSET + side - wall, y + side),
        (x - _GUSSET, y + wall),
        (x + wall, y + wall),
    ]
    face = Pos(0, 0, -sizes.floor_mm) * Polygon(*outline, align=None)
    return extrude(face, sizes.wall_high_mm + sizes.floor_mm)


def _tails(sizes: Sizes, slack: float) -> Part:
    depth = sizes.inner_mm[1]
    tails = Part()
    for share in _PLACES:
        y = share * depth
        outline = [
            (-1, y - _NECK / 2),
            (0, y - _NECK / 2),
            (_REACH, y - _HEAD / 2),
            (_REACH, y + _HEAD / 2),
            (0, y + _NECK / 2),
            (-1, y + _NECK / 2),
        ]
        face = Polygon(*outline, align=None)
        if slack:
            face = offset(face, slack)
        below = 1.0 if slack else 0.0
        tail = extrude(Pos(0, 0, -sizes.floor_mm - below) * face, sizes.floor_mm + 2 * below)
        tails += tail
    return tails
