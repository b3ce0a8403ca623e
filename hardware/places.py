"""Where lamps and buttons sit on the printed panel, and what the printed parts follow from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from hardware.sizes import Sizes
from tableside.adapters.gpio.parts import BUTTONS, LAMPS, Lamp, Place
from tableside.config import PinSettings

RING_MM, RESULT_RING_MM = 9.5, 15.0
_LAMPS_UP_MM, _BELOW_MM = 13.0, -13.0
_FIRST_MM = 24.0
"""Of the lamps of the points, from the middle."""
_BELOW_STEP_MM = 18.0

Spot = tuple[float, float]
"""Across and up from the middle of the panel, in mm, as one sees it."""


def lamp_places(sizes: Sizes, pins: PinSettings) -> dict[str, list[Spot]]:
    """Return where the lamps with pins sit, by setting: light points left, dark ones right, counted from the middle.

    :raises ValueError: when there are more lamps than the panel is wide.
    """
    wired: list[tuple[Lamp, int]] = [
        (row, len(row.devices(getattr(pins, row.name)))) for row in LAMPS if getattr(pins, row.name)
    ]
    below = _centred([row.name for row, _ in wired if row.place is Place.BELOW])
    places: dict[str, list[Spot]] = {}
    for row, count in wired:
        if row.place is Place.BELOW:
            places[row.name] = [(below[row.name], _BELOW_MM)]
        elif row.place is Place.MIDDLE:
            places[row.name] = [(0.0, _LAMPS_UP_MM)]
        else:
            side = -1 if row.place is Place.LEFT else 1
            places[row.name] = [(side * (_FIRST_MM + n * sizes.lamp_pitch_mm), _LAMPS_UP_MM) for n in range(count)]
    widest = max((abs(x) for found in places.values() for x, _ in found), default=0.0)
    if widest + RING_MM / 2 + sizes.panel_wall_mm > sizes.panel_mm[0] / 2:
        raise ValueError(
            f"the lamps need a panel wider than {sizes.panel_mm[0]:g} mm; change panel_mm or lamp_pitch_mm"
        )
    return places


def button_places(sizes: Sizes, pins: PinSettings) -> dict[str, Spot]:
    """Return where the buttons with pins sit."""
    order = (Place.LEFT, Place.MIDDLE, Place.BELOW, Place.RIGHT)
    wired = sorted((row for row in BUTTONS if getattr(pins, row.name)), key=lambda row: order.index(row.place))
    step = sizes.panel_mm[0] / max(1, len(wired))
    return {row.name: (step * (n + 0.5) - sizes.panel_mm[0] / 2, _BELOW_MM) for n, row in enumerate(wired)}


def fingerprint(sizes: Sizes, pins: PinSettings) -> str:
    """Return a hash of all that the printed parts follow from; a lamp or button without pins is no part of it."""
    holes: Mapping[str, object] = {**lamp_places(sizes, pins), **button_places(sizes, pins)}
    told = json.dumps([asdict(sizes), holes], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()


def _centred(names: Sequence[str]) -> dict[str, float]:
    return {name: (n - (len(names) - 1) / 2) * _BELOW_STEP_MM for n, name in enumerate(names)}
