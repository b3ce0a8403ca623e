"""The lamps' panel: a hole with a bezel for each lamp of the pin map, and one for each button. Printed face down."""

from __future__ import annotations

from build123d import Axis, Circle, Part, Pos, Rectangle, extrude

from hardware.enclosure.shapes import block, bore
from hardware.sizes import Sizes
from tableside.config import PinSettings

_GROOVE = (1.0, 0.6)  # width and depth of a bezel
_RING, _RESULT_RING = 9.5, 15.0
_LAMPS_UP, _BUTTONS_UP = 13.0, -13.0
_FIRST = 24.0  # of the lamps of the points, from the middle
BUTTONS = ("flip_light", "undo", "read_again", "flip_dark")  # from left to right, as the lamps


def lamp_places(sizes: Sizes, pins: PinSettings) -> dict[str, list[tuple[float, float]]]:
    """Return where the lamps sit on the panel, by setting: light points left, dark ones right, counted from the middle.

    :raises ValueError: when there are more lamps than the panel is wide.
    """
    places: dict[str, list[tuple[float, float]]] = {}
    for name, side in (("light", -1), ("dark", 1)):
        places[name] = [(side * (_FIRST + n * sizes.lamp_pitch_mm), _LAMPS_UP) for n in range(len(getattr(pins, name)))]
    places["result"] = [(0.0, _LAMPS_UP)] if pins.result else []
    places["status"] = [(-9.0 if pins.pool else 0.0, _BUTTONS_UP)] if pins.status else []
    places["pool"] = [(9.0 if pins.status else 0.0, _BUTTONS_UP)] if pins.pool else []
    widest = max((abs(x) for found in places.values() for x, _ in found), default=0.0)
    if widest + _RING / 2 + sizes.panel_wall_mm > sizes.panel_mm[0] / 2:
        raise ValueError(
            f"the lamps need a panel wider than {sizes.panel_mm[0]:g} mm; change panel_mm or lamp_pitch_mm"
        )
    return places


def button_places(sizes: Sizes, pins: PinSettings) -> dict[str, tuple[float, float]]:
    """Return where the buttons sit."""
    step = sizes.panel_mm[0] / len(BUTTONS)
    at = {name: (step * (n + 0.5) - sizes.panel_mm[0] / 2, _BUTTONS_UP) for n, name in enumerate(BUTTONS)}
    return {name: place for name, place in at.items() if getattr(pins, name)}


def panel(sizes: Sizes, pins: PinSettings | None = None) -> Part:
    """Return the panel, its face at z = 0 looking down: round bezels for light, square ones for dark.

    The cable is laid into a notch in the edge of its upper wall.
    """
    wired = pins or PinSettings()
    width, height, depth = sizes.panel_mm
    wall = sizes.panel_wall_mm
    made = block((-width / 2, width / 2), (-height / 2, height / 2), (0, depth))
    made -= block((-width / 2 + wall, width / 2 - wall), (-height / 2 + wall, height / 2 - wall), (wall, depth + 1))
    for name, places in lamp_places(sizes, wired).items():
        for x, y in places:
            # the face looks down, so that left and right change sides
            made -= bore(Axis.Z, (-x, y, 0), sizes.lamp_mm, 4 * wall)
            made -= _bezel(-x, y, _RESULT_RING if name == "result" else _RING, is_square=name == "dark")
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
