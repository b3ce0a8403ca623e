"""What each camera sees, and how high it must hang so that the whole tray is in its picture.

Fields of view of the Pi's cameras: see :mod:`tableside.adapters.camera.lenses`; the USB camera's is the 78 degrees
across the corners of 16:9 that Logitech states for the C920.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, ceil, degrees, hypot, radians, tan

from hardware.sizes import Sizes
from tableside.adapters.camera.lenses import FIELDS_DEG

ASPECT = 4 / 3  # of the pictures that tableside asks for, 1280 x 960; a wider sensor is cropped at its sides
WIDTH_PX = 1280


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """A camera with its lens.

    :ivar field_deg: horizontal and vertical field of view of the whole sensor.
    :ivar sensor: libcamera's name of it; none for a USB camera.
    :ivar nearest_mm: nearest distance that can be in focus.
    :ivar drop_mm: how far its lens hangs below the plate it is screwed to.
    :ivar note: what its owner should know.
    """

    name: str
    field_deg: tuple[float, float]
    nearest_mm: float
    drop_mm: float
    note: str = ""
    sensor: str = ""

    @property
    def width_share(self) -> float:
        """Return the width of its 4:3 picture at a distance of 1: the wider side of the sensor is cropped."""
        across, high = self.whole_mm(1)
        return min(across, high * ASPECT)

    def whole_mm(self, distance_mm: float) -> tuple[float, float]:
        """Return the width and height of what the whole sensor sees at a distance."""
        across, high = (2 * tan(radians(angle) / 2) * distance_mm for angle in self.field_deg)
        return across, high

    def sees_mm(self, distance_mm: float) -> tuple[float, float]:
        """Return the width and height of what it sees at a distance."""
        width = self.width_share * distance_mm
        return width, width / ASPECT


def _from_diagonal(diagonal_deg: float, wide: float, high: float) -> tuple[float, float]:
    half = tan(radians(diagonal_deg) / 2) / hypot(wide, high)
    return degrees(2 * atan(half * wide)), degrees(2 * atan(half * high))


def _on_ribbon(name: str, sensor: str, *, nearest_mm: float, drop_mm: float, note: str) -> Lens:
    """Return a camera of the Pi's, with the field of view that the program knows of its sensor."""
    return Lens(
        name=name, sensor=sensor, field_deg=FIELDS_DEG[sensor], nearest_mm=nearest_mm, drop_mm=drop_mm, note=note
    )


LENSES: Sequence[Lens] = (
    _on_ribbon("Camera Module 3", "imx708", nearest_mm=100, drop_mm=12, note="recommended"),
    _on_ribbon("Camera Module 3 Wide", "imx708_wide", nearest_mm=50, drop_mm=12, note="bends straight edges"),
    _on_ribbon("Camera Module 2", "imx219", nearest_mm=100, drop_mm=9, note="turn its lens into focus"),
    _on_ribbon("HQ Camera, 6 mm CS lens", "imx477", nearest_mm=200, drop_mm=53, note="heavy: 4 screws"),
    Lens(
        name="USB camera like the C920",
        field_deg=_from_diagonal(78, 16, 9),
        nearest_mm=100,
        drop_mm=25,
        note="1/4 inch screw",
    ),
)


def needed_height_mm(lens: Lens, sizes: Sizes) -> float:
    """Return the least height of the lens above the tray's floor at which rim and marks are in the picture.

    The rim is nearer to the camera than the floor, so what is seen at its height decides.
    """
    width, depth = sizes.rim_mm
    aim = 2 * sizes.aim_mm
    at_rim = max((width + aim) / lens.width_share, (depth + aim) * ASPECT / lens.width_share)
    return sizes.wall_high_mm + max(at_rim, lens.nearest_mm)


def hole_of(lens: Lens, sizes: Sizes) -> int:
    """Return the hole of the mast that the arm's bolt goes through, in steps from the bottom; the joint has none.

    :raises ValueError: when the mast is too short for this camera.
    """
    plate = needed_height_mm(lens, sizes) + lens.drop_mm
    hole = max(1, ceil((plate + sizes.bolt_above_plate_mm - sizes.first_hole_mm) / sizes.hole_step_mm) + 1)
    if hole == sizes.joint_hole:
        hole += 1
    if hole > sizes.holes:
        raise ValueError(f"the mast has {sizes.holes} holes, {lens.name} needs number {hole}")
    return hole


def height_mm(lens: Lens, sizes: Sizes) -> float:
    """Return the height of the lens above the tray's floor when the arm is bolted to that hole."""
    bolt = sizes.first_hole_mm + (hole_of(lens, sizes) - 1) * sizes.hole_step_mm
    return bolt - sizes.bolt_above_plate_mm - lens.drop_mm


def hole_words(lens: Lens, sizes: Sizes) -> str:
    """Return the hole as one counts it: the segment of the mast, and the number from its lower end."""
    hole = hole_of(lens, sizes)
    return f"upper {hole - sizes.joint_hole}" if hole > sizes.joint_hole else f"lower {hole}"


def table(sizes: Sizes) -> str:
    """Return the heights as a table in Markdown."""
    rows = [
        "| camera | field of view | hole | lens above the floor | sees at the rim | a 16 mm die | note |",
        "|---|---|---|---|---|---|---|",
    ]
    for lens in LENSES:
        height = height_mm(lens, sizes)
        width, depth = lens.sees_mm(height - sizes.wall_high_mm)
        across = 16 * WIDTH_PX / lens.sees_mm(height)[0]
        rows.append(
            f"| {lens.name} | {lens.field_deg[0]:.0f}° x {lens.field_deg[1]:.0f}° | {hole_words(lens, sizes)} "
            f"| {height:.0f} mm | {width:.0f} x {depth:.0f} mm | {across:.0f} px | {lens.note} |"
        )
    return "\n".join(rows)
