"""The lamps' panel: a hole with a bezel for each lamp of the pin map, and one for each button. Printed face down."""

from __future__ import annotations

from build123d import Axis, Circle, Part, Pos, Rectangle, extrude

from hardware.enclosure.shapes import block, bore
from hardware.places import RESULT_RING_MM, RING_MM, button_places, lamp_places
from hardware.sizes import Sizes
from tableside.adapters.gpio.parts import LAMPS, Place
from tableside.config import PinSettings

_GROOVE = (1.0, 0.6)  # width and depth of a bezel


def panel(sizes: Sizes, pins: PinSettings | None = None) -> Part:
    """Return the panel, its face at z = 0 looking down: round bezels for light, square ones for dark.

    The cable is laid into a notch in the edge of its upper wall.
    """
    wired = pins or PinSettings()
    width, height, depth = sizes.panel_mm
    wall = sizes.panel_wall_mm
    made = block((-width / 2, width / 2), (-height / 2, height / 2), (0, depth))
    made -= block((-width / 2 + wall, width / 2 - wall), (-height / 2 + wall, height / 2 - wall), (wall, depth + 1))
    rows = {row.name: row for row in LAMPS}
    for name, places in lamp_places(sizes, wired).items():
        ring = RESULT_RING_MM if rows[name].place is Place.MIDDLE else RING_MM
        for x, y in places:
            # the face looks down, so that left and right change sides
            made -= bore(Axis.Z, (-x, y, 0), sizes.lamp_mm, 4 * wall)
            made -= _bezel(-x, y, ring, is_square=rows[name].is_square)
    for x, y in button_places(sizes, wired).values():
        made -= bore(Axis.Z, (-x, y, 0), sizes.button_mm, 4 * wall)
    exit_wide, exit_high = sizes.cable_exit_mm
    upper = height / 2
    made -= block((-exit_wide / 2, exit_wide / 2), (upper - wall - 1, upper + 1), (depth - exit_high, depth + 1))
    return made


def _bezel(x: float, y: float, width: float, *, is_square: bool) -> Part:
    across, deep = _GROOVE
    inner = width - 2 * across
    outline = Rectangle(width, width) - Rectangle(inner, inner) if is_square else Circle(width / 2) - Circle(inner / 2)
    return extrude(Pos(x, y, 0) * outline, deep)
