"""A fake ``lgpio``: what gpiozero's real LGPIOFactory calls, as unforgiving as the real one.

Facts from lgpio 0.2.2.0 (``src/lgGpio.c``): a line belongs to the handle that claimed it until it is freed or the
handle is closed; to everybody else it is busy. What is an input already stays as it is when it is claimed as one
again. The text of an error is quoted. The kernel tells who holds a line. Debounce as the kernel does it.

A test puts it below gpiozero by ``install`` and has others hold lines by ``held_by``.
"""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gpiozero.pins.local
import pytest

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_ACTIVE_LOW, SET_OPEN_DRAIN, SET_OPEN_SOURCE = 4, 8, 16
SET_BIAS_PULL_UP = SET_PULL_UP = 32
SET_BIAS_PULL_DOWN = SET_PULL_DOWN = 64
SET_BIAS_DISABLE = SET_PULL_NONE = 128
_KERNEL, _INPUT, _OUTPUT, _ALERT = 1 << 0, 1 << 8, 1 << 9 | 1 << 1, 1 << 10
_PI_5 = 0xC04170
_LINES = 54
"""Of a Pi 5's first chip."""


class error(Exception):  # noqa: N801 - the real one's name
    """What the real lgpio raises."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __str__(self) -> str:
        return repr(self.value)


@dataclass(slots=True)
class Line:
    """One wire. ``handle`` is whose it is."""

    mode: int = 0
    level: int = 0
    handle: int | None = None
    debounce_us: int = 0
    pwm: tuple[float, float] | None = None
    callbacks: list[tuple[int, Callable[..., None]]] = field(default_factory=list)
    timer: threading.Timer | None = None


lines: dict[int, Line] = {}
held_by: dict[int, str] = {}
"""Who else holds a line, as the kernel calls them: ``onewire@0``, ``spi0 CS0``, another program."""
_open: set[int] = set()
_handles = itertools.count()


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have gpiozero's real factory find a Pi 5 with this library, just started."""
    lines.clear()
    held_by.clear()
    _open.clear()
    monkeypatch.setitem(sys.modules, "lgpio", sys.modules[__name__])
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: _PI_5)


def is_open() -> bool:
    return bool(_open)


def line(gpio: int) -> Line:
    return lines.setdefault(gpio, Line())


def drive(gpio: int, level: int) -> None:
    """Put a level on a wire; callbacks come on another thread once it held for the debounce time."""
    wire = line(gpio)
    if wire.timer is not None:
        wire.timer.cancel()
        wire.timer.join()

    def settled() -> None:
        if wire.level == level:
            return
        wire.level = level
        edge = RISING_EDGE if level else FALLING_EDGE
        for edges, told in list(wire.callbacks):
            if edges & edge:
                told(0, gpio, level, time.time_ns())

    wire.timer = threading.Timer(wire.debounce_us / 1e6, settled)
    wire.timer.start()


def _line(handle: int, gpio: int) -> Line:
    if handle not in _open:
        raise error("unknown handle")
    if not 0 <= gpio < _LINES:
        raise error("bad GPIO number")
    return line(gpio)


def _claim(handle: int, gpio: int, mode: int, level: int | None = None) -> Line:
    wire = _line(handle, gpio)
    if gpio in held_by or wire.handle not in (None, handle):
        raise error("GPIO busy")
    wire.handle, wire.mode, wire.pwm = handle, mode, None
    if level is not None:
        wire.level = level
    return wire


def gpiochip_open(chip: int) -> int:
    if chip != 0:
        raise error("can not open gpiochip")
    handle = next(_handles)
    _open.add(handle)
    return handle


def gpiochip_close(handle: int) -> int:
    if handle not in _open:
        raise error("unknown handle")
    _open.discard(handle)
    for wire in lines.values():
        if wire.handle == handle:
            wire.handle, wire.mode, wire.pwm = None, 0, None
    return 0


def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> int:
    wire = _line(handle, gpio)
    if wire.handle == handle and wire.mode & _INPUT:
        return 0
    pulled = 1 if flags & SET_PULL_UP else 0 if flags & SET_PULL_DOWN else None
    _claim(handle, gpio, _INPUT | flags, pulled)
    return 0


def gpio_claim_output(handle: int, gpio: int, level: int = 0, flags: int = 0) -> int:
    wire = _line(handle, gpio)
    if wire.handle == handle and wire.mode & _OUTPUT:
        return 0
    _claim(handle, gpio, _OUTPUT | flags, int(bool(level)))
    return 0


def gpio_claim_alert(handle: int, gpio: int, edges: int, flags: int = 0) -> int:
    pulled = 1 if flags & SET_PULL_UP else 0 if flags & SET_PULL_DOWN else None
    _claim(handle, gpio, _INPUT | _ALERT | flags, pulled)
    return 0


def gpio_free(handle: int, gpio: int) -> int:
    wire = _line(handle, gpio)
    if wire.handle != handle:
        raise error("GPIO not allocated")
    wire.handle, wire.mode, wire.pwm = None, 0, None
    return 0


def gpio_read(handle: int, gpio: int) -> int:
    if _line(handle, gpio).handle != handle:
        try:
            gpio_claim_input(handle, gpio)
        except error as busy:
            raise error("GPIO not allocated") from busy
    return line(gpio).level


def gpio_write(handle: int, gpio: int, level: int) -> int:
    gpio_claim_output(handle, gpio, level)
    line(gpio).level = int(bool(level))
    return 0


def gpio_get_mode(handle: int, gpio: int) -> int:
    wire = _line(handle, gpio)
    is_used = gpio in held_by or wire.handle is not None
    return (wire.mode if wire.handle == handle else 0) | (_KERNEL if is_used else 0)


def gpio_get_line_info(handle: int, gpio: int) -> list[Any]:
    wire = _line(handle, gpio)
    user = held_by.get(gpio, "" if wire.handle is None else "lg")
    return [0, gpio, gpio_get_mode(handle, gpio), f"GPIO{gpio}", user]


def gpio_set_debounce_micros(handle: int, gpio: int, debounce_us: int) -> int:
    _line(handle, gpio).debounce_us = debounce_us
    return 0


def tx_pwm(handle: int, gpio: int, frequency: float, duty: float, *more: Any) -> int:
    wire = _line(handle, gpio)
    try:
        gpio_claim_output(handle, gpio)
    except error as busy:
        raise error("GPIO not set as an output") from busy
    wire.pwm = (frequency, duty) if frequency else None
    return 0


class callback:  # noqa: N801 - the real one's name
    """Registers a callback until it is cancelled."""

    def __init__(
        self, handle: int, gpio: int, edges: int = RISING_EDGE, func: Callable[..., None] | None = None
    ) -> None:
        self._gpio = gpio
        self._entry = (edges, func or (lambda *_told: None))
        line(gpio).callbacks.append(self._entry)

    def cancel(self) -> None:
        if self._entry in line(self._gpio).callbacks:
            line(self._gpio).callbacks.remove(self._entry)
