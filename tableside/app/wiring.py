"""The wiring test of ``tableside doctor``: lamp by lamp and button by button, with a person who looks and presses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from tableside.adapters.gpio.contacts import Contacts, burning
from tableside.adapters.gpio.factory import all_busy, are_drawn, open_pins, try_pin
from tableside.adapters.gpio.parts import BUTTONS, LAMPS, RGB
from tableside.app.checkup import Finding
from tableside.config import PinSettings
from tableside.errors import PinError, TablesideError

PRESS_SECONDS = 15.0
_LAMP_HINT = "Turn the LED round (long leg to the resistor), and compare its pin with hardware/README.md."

Ask = Callable[[str], bool]
"""Asks a person yes or no."""
Tell = Callable[[str], object]


def lamps_of(settings: PinSettings) -> list[tuple[str, int]]:
    """Return the name and BCM pin of each single lamp, in the order in which they stand."""
    found: list[tuple[str, int]] = []
    for row in LAMPS:
        for name, pins in row.devices(getattr(settings, row.name)):
            names = [name] if len(pins) == 1 else [f"{name} {colour}" for colour in RGB]
            found += list(zip(names, pins, strict=True))
    return found


def buttons_of(settings: PinSettings) -> dict[int, str]:
    """Return the button's name of each BCM pin."""
    return {pin: row.name for row in BUTTONS for pin in getattr(settings, row.name)}


def try_wiring(
    settings: PinSettings, *, ask: Ask, tell: Tell, press_seconds: float = PRESS_SECONDS, factory: Any = None
) -> Iterator[Finding]:
    """Try each lamp and each button and yield what came of it.

    :param ask: is asked whether a lamp burns. :param tell: is told which button to press.
    :param factory: pins in place of those of the settings; the caller closes them.
    """
    if factory is not None:
        yield from _try_all(settings, factory, ask, tell, press_seconds)
        return
    try:
        factory = open_pins(settings.factory)
    except PinError as error:
        yield Finding.of("pins", error)
        return
    with closing(factory):
        if are_drawn(factory):
            hint = 'Set [pins] factory = "auto"; drawn lamps and buttons are on the page.'
            yield Finding(part="pins", text="drawn pins have no wires", is_good=False, hint=hint)
            return
        yield from _try_all(settings, factory, ask, tell, press_seconds)


def _try_all(settings: PinSettings, factory: Any, ask: Ask, tell: Tell, press_seconds: float) -> Iterator[Finding]:
    for name, pin in lamps_of(settings):
        yield _lamp(factory, name, pin, ask)
    buttons = {}
    for pin, name in buttons_of(settings).items():
        refused = try_pin(factory, pin, name)
        if refused is None:
            buttons[pin] = name
        else:
            yield Finding.of(f"button {name}", all_busy((refused,)))
    with closing(Contacts(factory, pins=buttons)) as contacts:
        for pin in buttons:
            yield _button(contacts, buttons, pin, tell, press_seconds)


def _lamp(factory: Any, name: str, pin: int, ask: Ask) -> Finding:
    part = f"lamp {name}"
    try:
        with burning(factory, pin, name=name.split()[0]):
            is_seen = ask(f"Does the lamp {name} (GPIO {pin}) burn, and no other?")
    except TablesideError as error:
        return Finding.of(part, error)
    text = f"GPIO {pin}, seen burning" if is_seen else f"GPIO {pin}: nobody saw it burn alone"
    return Finding(part=part, text=text, is_good=is_seen, hint="" if is_seen else _LAMP_HINT)


def _button(contacts: Contacts, buttons: dict[int, str], pin: int, tell: Tell, seconds: float) -> Finding:
    name = buttons[pin]
    part = f"button {name}"
    if contacts.is_down(pin):
        hint = "Let it go. If nobody holds it, its pin touches ground: look for a short circuit."
        return Finding(part=part, text=f"GPIO {pin}: is down already", is_good=False, hint=hint)
    contacts.forget()
    tell(f"Press the button {name} (GPIO {pin}) now ...")
    pressed = contacts.next_press(seconds)
    if pressed == pin:
        return Finding(part=part, text=f"GPIO {pin}, felt")
    if pressed is None:
        text, hint = f"GPIO {pin}: no press within {seconds:g} s", "Check its two wires: one to the pin, one to ground."
    else:
        text = f"GPIO {pin}: the press came at GPIO {pressed} ({buttons[pressed]})"
        hint = "Swap their wires, or the two numbers in [pins]."
    return Finding(part=part, text=text, is_good=False, hint=hint)
