"""Lamps and buttons on the Pi's pins, through gpiozero."""

from __future__ import annotations

from tableside.adapters.gpio.buttons import Buttons
from tableside.adapters.gpio.factory import GIVEN_AWAY, BusyPin, all_busy, are_drawn, no_pins, open_pins, try_pin
from tableside.adapters.gpio.lamps import Glow, Lamps, Rhythm, glow_of, pool_glow, status_rhythm
from tableside.adapters.gpio.panel import Panel

__all__ = [
    "GIVEN_AWAY",
    "BusyPin",
    "Buttons",
    "Glow",
    "Lamps",
    "Panel",
    "Rhythm",
    "all_busy",
    "are_drawn",
    "glow_of",
    "no_pins",
    "open_pins",
    "pool_glow",
    "status_rhythm",
    "try_pin",
]
