"""What carries the camera: a foot behind the tray, a mast of two equal segments, and an arm that slides on it."""

from __future__ import annotations

from build123d import Axis, Part, Pos, SlotOverall, extrude

from hardware.enclosure.shapes import block, bore
from hardware.enclosure.tray import screw_holes
from hardware.sizes import Sizes

_SIDE = 6.0  # of the foot around the mast, and 4 of the arm's collar
_COLLAR = 4.0
_BEAM = 16.0
_RIB = (4.0, 9.0)
MODULE_HOLES_MM = (21.0, 12.5)
"""Of the Camera Modules; M2. Raspberry Pi documentation, mechanical drawing of Camera Module 3."""
HQ_HOLES_MM = 30.0
"""Of the HQ Camera, a square; M2.5. Raspberry Pi documentation, mechanical drawing of the HQ Camera."""


def foot(sizes: Sizes) -> Part:
    """Return the foot: a plate on the tray's back wall, and a socket for the mast's tenon."""
    width, height, thick = sizes.strap_mm
    back = sizes.outer_mm[1] / 2
    bottom = -sizes.floor_mm
    plate = block((-width / 2, width / 2), (back, back + thick), (bottom, height + bottom))
    reach = sizes.mast_mm / 2 + _SIDE
    top = sizes.mast_bottom_mm
    made = plate + block((-reach, reach), (back + thick, sizes.mast_y_mm + reach), (bottom, top))
    made -= _mortise(sizes, top)
    made -= bore(Axis.X, (0, sizes.mast_y_mm, top - sizes.hole_step_mm), sizes.m4_mm, 4 * reach)
    return made - screw_holes(sizes, back + thick / 2)


def segment(sizes: Sizes) -> Part:
    """Return the lower segment of the mast: a tenon below, a mortise above, a hole each step between."""
    half, tenon = sizes.mast_mm / 2, sizes.tenon_mm / 2
    y, bottom = sizes.mast_y_mm, sizes.mast_bottom_mm
    top = bottom + sizes.segment_mm
    made = block((-half, half), (y - half, y + half), (bottom, top))
    made += block((-tenon, tenon), (y - tenon, y + tenon), (bottom - sizes.tenon_long_mm, bottom))
    made -= _mortise(sizes, top)
    count = round(sizes.segment_mm / sizes.hole_step_mm)
    for number in (-1, *range(1, count)):
        made -= bore(Axis.X, (0, y, bottom + number * sizes.hole_step_mm), sizes.m4_mm, 2 * sizes.mast_mm)
    return made


def arm(sizes: Sizes) -> Part:
    """Return the arm with the underside of its plate at z = 0; the plate lies over the middle of the tray.

    Its slots take a Camera Module, its outer holes an HQ Camera, its middle hole a 1/4 inch screw.
    """
    y, side = sizes.mast_y_mm, sizes.plate_side_mm / 2
    inner = sizes.mast_mm / 2 + sizes.slack_mm
    outer = inner + _COLLAR
    made = block((-outer, outer), (y - outer, y + outer), (0, sizes.arm_mm))
    made += block((-_BEAM / 2, _BEAM / 2), (side - 1, y - inner), (0, _BEAM))
    made += block((-side, side), (-side, side), (0, sizes.plate_mm))
    rib, high = _RIB
    for left in (-side, side - rib):
        made += block((left, left + rib), (-side, side), (0, high))
    made += block((-side, side), (side - rib, side), (0, high))
    made -= block((-inner, inner), (y - inner, y + inner), (-1, sizes.arm_mm + 1))
    made -= bore(Axis.X, (0, y, sizes.arm_mm / 2), sizes.m4_mm, 4 * outer)
    for x in (-MODULE_HOLES_MM[0] / 2, MODULE_HOLES_MM[0] / 2):
        slot = SlotOverall(MODULE_HOLES_MM[1] + 8, 2.3, rotation=90)
        made -= extrude(Pos(x, 0, -1) * slot, sizes.plate_mm + 2)
    for x in (-HQ_HOLES_MM / 2, HQ_HOLES_MM / 2):
        for place in (-HQ_HOLES_MM / 2, HQ_HOLES_MM / 2):
            made -= bore(Axis.Z, (x, place, 0), 2.8, 4 * sizes.plate_mm)
    return made - bore(Axis.Z, (0, 0, 0), 6.6, 4 * sizes.plate_mm)


def _mortise(sizes: Sizes, top: float) -> Part:
    half = sizes.tenon_mm / 2 + sizes.slack_mm
    y = sizes.mast_y_mm
    return block((-half, half), (y - half, y + half), (top - sizes.tenon_long_mm - 1, top + 1))
