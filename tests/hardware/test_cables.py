"""Cables are long enough for the way that they take past the parts as they are built, and the guide says so."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from hardware.cables import CAMERA_CABLE_MM, PANEL_CABLE_MM, RIBBON_LENSES, SLACK_MM, camera_cable_mm, panel_cable_mm
from hardware.optics import LENSES, Lens, height_mm
from hardware.pinmap import header
from hardware.sizes import Sizes
from tests.conftest import ROOT

SIZES = Sizes()
HARDWARE = ROOT / "hardware"
CORE_MM = 1.27  # between the cores of a ribbon cable, whose thickness is less


@cache
def box_of(part: str) -> Any:
    """Return the bounding box of a part where it belongs in the whole."""
    pytest.importorskip("build123d", reason="build123d is missing: pip install -e '.[hardware]'")
    from hardware.enclosure import PARTS

    return PARTS[part][0](SIZES).bounding_box()


@pytest.mark.parametrize("lens", RIBBON_LENSES, ids=lambda lens: lens.name)
def test_the_flat_cable_reaches_the_camera_and_is_told(lens: Lens) -> None:
    needed = camera_cable_mm(lens, SIZES)
    assert needed <= CAMERA_CABLE_MM
    page = (HARDWARE / "README.md").read_text(encoding="utf-8")
    left = CAMERA_CABLE_MM - needed
    assert f"| to the {lens.name} | {needed:.0f} mm | {CAMERA_CABLE_MM} mm | {left:.0f} mm |" in page


def test_every_camera_but_the_one_on_usb_has_a_flat_cable() -> None:
    assert [lens.name for lens in LENSES if lens not in RIBBON_LENSES] == ["USB camera like the C920"]


@pytest.mark.parametrize("lens", RIBBON_LENSES, ids=lambda lens: lens.name)
def test_the_cable_goes_around_holder_and_arm_as_they_are_built(lens: Lens) -> None:
    pi, arm = box_of("holder"), box_of("arm")
    plate = height_mm(lens, SIZES) + lens.drop_mm  # the arm is built with its underside at 0
    up = plate + arm.max.Z - (pi.min.Z + pi.max.Z) / 2
    along = pi.max.Y  # from behind the holder to the middle of the tray
    down = arm.max.Z
    assert camera_cable_mm(lens, SIZES) == pytest.approx(up + along + down + SLACK_MM, abs=5)


def test_the_cable_of_the_panel_reaches_around_the_tray() -> None:
    pi, left = box_of("holder"), box_of("tray-left")
    across, back, front = -left.min.X, pi.max.Y, left.min.Y
    least = pi.center().Z + 2 * across + (back - front) + SIZES.panel_gap_mm + SIZES.panel_mm[0] / 2
    assert least <= panel_cable_mm(SIZES) <= least + 200
    assert panel_cable_mm(SIZES) <= PANEL_CABLE_MM


def test_the_cables_are_in_the_list_of_parts() -> None:
    page = (HARDWARE / "parts.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| flat camera cable, {CAMERA_CABLE_MM} mm \|", page, re.M)
    assert re.search(rf"^\| ribbon cable of {len(header())} cores, {PANEL_CABLE_MM // 1000} m,", page, re.M)


def test_the_panel_has_a_way_out_for_its_cable() -> None:
    pytest.importorskip("build123d", reason="build123d is missing: pip install -e '.[hardware]'")
    from hardware.enclosure.panel import panel
    from hardware.enclosure.shapes import block

    width, _height, depth = SIZES.panel_mm
    wide = len(header()) * CORE_MM
    upper = SIZES.panel_mm[1] / 2
    cable = block((-wide / 2, wide / 2), (upper - 20, upper + 20), (depth - 2 * CORE_MM, depth))
    assert wide < width
    assert not panel(SIZES) & cable


def test_the_holder_takes_a_pi_and_a_pi_zero_and_leaves_room_below() -> None:
    pytest.importorskip("build123d", reason="build123d is missing: pip install -e '.[hardware]'")
    from build123d import Axis

    from hardware.enclosure.holder import holder
    from hardware.enclosure.shapes import bore

    part, low = holder(SIZES), SIZES.holder_middle_mm - 49 / 2
    for up in (0, 23, 49):  # Raspberry Pi, mechanical drawings: 58 x 49 mm, and 58 x 23 mm of a Zero
        for x in (-29, 29):
            assert not part & bore(Axis.Y, (x, SIZES.mast_y_mm, low + up), 2.5, 100), (x, up)
    for hole in SIZES.holder_holes:
        bolt = SIZES.first_hole_mm + (hole - 1) * SIZES.hole_step_mm
        assert not part & bore(Axis.X, (0, SIZES.mast_y_mm, bolt), 4, 100)
    edge = low - 3.5  # of the board, with the sockets for power and screen
    assert edge + SIZES.floor_mm > 50  # a USB-C plug with its bend
