"""Which wire goes where, told by the program's own settings; every drawing and table is made from this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tableside.adapters.gpio.parts import PARTS, RGB, Button, Kind, Lamp
from tableside.config import PinSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One wire from the Pi's header.

    :ivar setting: its name in ``[pins]``. :ivar place: from 0, where a setting has several.
    :ivar gpio: BCM number. :ivar pin: position on the 40-pin header. :ivar colour: of the lamp, ``""`` for a button.
    :ivar is_rgb: one of the three wires of an RGB lamp.
    """

    setting: str
    place: int
    gpio: int
    pin: int
    title: str
    colour: str = ""
    is_rgb: bool = False

    @property
    def part(self) -> Lamp | Button:
        """The row of its lamp or button."""
        return PARTS[self.setting]

    @property
    def is_lamp(self) -> bool:
        return bool(self.colour)

    @property
    def is_point(self) -> bool:
        """Whether it is of a lamp of the points, which have a side of the drawings to themselves."""
        return isinstance(self.part, Lamp) and self.part.kind is Kind.EACH

    @property
    def kind(self) -> str:
        """What its resistor follows from: the green of an RGB lamp is another than that of a plain one."""
        return "RGB green" if self.is_rgb and self.colour == "green" else self.colour

    @property
    def label(self) -> str:
        return f"GPIO {self.gpio} · pin {self.pin}"


@cache
def header() -> Mapping[int, str]:
    """Return what each of the 40 positions carries (``GPIO5``, ``GND``, ``3V3``, ``5V``), as gpiozero knows it.

    Source: gpiozero's board data. All boards since the Pi 1 B+ have the same 40 pins.
    """
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory(revision="c03111")
    try:
        pins: Any = factory.board_info.headers["J8"].pins
        return {number: str(info.name) for number, info in pins.items()}
    finally:
        factory.close()


def pin_of(gpio: int) -> int:
    """Return the position of a BCM number on the header."""
    return next(number for number, name in header().items() if name == f"GPIO{gpio}")


def ground_pins() -> tuple[int, ...]:
    """Return the positions that carry ground."""
    return tuple(number for number, name in header().items() if name == "GND")


def wires(pins: PinSettings | None = None) -> tuple[Wire, ...]:
    """Return every wire of these settings, of the defaults where none are given, in the order of the settings."""
    settings = pins or PinSettings()
    found = []
    for part in PARTS.values():
        numbers = getattr(settings, part.name)
        is_rgb = isinstance(part, Lamp) and part.kind is not Kind.EACH and len(numbers) == len(RGB)
        for place, gpio in enumerate(numbers):
            suffix = RGB[place] if is_rgb else str(place + 1) if len(numbers) > 1 else ""
            colour = "" if isinstance(part, Button) else RGB[place] if is_rgb else part.colour
            found.append(
                Wire(
                    setting=part.name,
                    place=place,
                    gpio=gpio,
                    pin=pin_of(gpio),
                    title=f"{part.title} {suffix}".strip(),
                    colour=colour,
                    is_rgb=is_rgb,
                )
            )
    return tuple(found)
