"""How long the cables are, along the way that they take: from the Pi behind the mast to the camera and to the panel."""

from __future__ import annotations

from hardware.optics import LENSES, Lens, height_mm
from hardware.sizes import Sizes

CAMERA_CABLE_MM = 500
"""The longest flat camera cable that Raspberry Pi sells for every board: 200, 300 and 500 mm for a Pi 5."""
PANEL_CABLE_MM = 1000
RIBBON_LENSES = tuple(lens for lens in LENSES if not lens.name.startswith("USB"))  # that one brings its own
SLACK_MM = 40
"""For bends, and to plug it in."""
_BOARD_MM = 1.5  # thickness of a Pi
_ASIDE_MM = 20  # how far the panel's cable passes beside the tray


def camera_cable_mm(lens: Lens, sizes: Sizes) -> float:
    """Return what a camera needs: up behind the mast, over the arm's collar, along the arm, to its middle."""
    plate = height_mm(lens, sizes) + lens.drop_mm
    over = plate + sizes.arm_mm
    side = sizes.plate_side_mm / 2
    return (over - sizes.holder_middle_mm) + (_board_y_mm(sizes) - side) + sizes.arm_mm + side + SLACK_MM


def panel_cable_mm(sizes: Sizes) -> float:
    """Return what the panel needs: down from the header, around the tray on the table, in, to the farthest lamp."""
    wide, deep = sizes.outer_mm
    header = sizes.holder_middle_mm + sizes.pi_holes_mm[1] / 2
    aside = wide / 2 + _ASIDE_MM
    along = _board_y_mm(sizes) + deep / 2 + sizes.panel_gap_mm
    inside = sizes.panel_mm[0] / 2 + sizes.panel_mm[1]
    return (header + sizes.floor_mm) + aside + along + aside + inside + SLACK_MM


def _board_y_mm(sizes: Sizes) -> float:
    """Return how far behind the middle of the tray the Pi's upper side is."""
    return sizes.mast_y_mm + sizes.mast_mm / 2 + sizes.slack_mm + sizes.holder_mm + sizes.pi_off_mm + _BOARD_MM


def table(sizes: Sizes) -> str:
    """Return the lengths as a table in Markdown."""
    rows = ["| cable | needs | bought | left |", "|---|---|---|---|"]
    lengths = [(f"to the {lens.name}", camera_cable_mm(lens, sizes), CAMERA_CABLE_MM) for lens in RIBBON_LENSES]
    lengths.append(("to the panel", panel_cable_mm(sizes), PANEL_CABLE_MM))
    rows += [
        f"| {what} | {needed:.0f} mm | {bought} mm | {bought - needed:.0f} mm |" for what, needed, bought in lengths
    ]
    return "\n".join(rows)
