"""A fake ``lgpio``: what gpiozero's real LGPIOFactory calls, with debounce as the kernel does it.

A test puts it into ``sys.modules`` as ``lgpio``.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_ACTIVE_LOW, SET_OPEN_DRAIN, SET_OPEN_SOURCE = 4, 8, 16
SET_BIAS_PULL_UP = SET_PULL_UP = 32
SET_BIAS_PULL_DOWN = SET_PULL_DOWN = 64
SET_BIAS_DISABLE = SET_PULL_NONE = 128
_INPUT, _OUTPUT, _ALERT = 1 << 8, 1 << 9 | 1 << 1, 1 << 10


class error(Exception):  # noqa: N801 - the real one's name
    """What the real lgpio raises."""


@dataclass(slots=True)
class Line:
    """One wire."""

    mode: int = 0
    level: int = 0
    debounce_us: int = 0
    pwm: tuple[float, float] | None = None
    callbacks: list[tuple[int, Callable[..., None]]] = field(default_factory=list)
    timer: threading.Timer | None = None


lines: dict[int, Line] = {}
is_open = False


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


def gpiochip_open(chip: int) -> int:
    global is_open
    if chip != 0:
        raise error("can not open gpiochip")
    is_open = True
    return 0


def gpiochip_close(handle: int) -> int:
    global is_open
    is_open = False
    return 0


def gpio_claim_input(handle: int, gpio: int, flags: int = 0) -> int:
    wire = line(gpio)
    wire.mode = _INPUT | flags
    if flags & (SET_PULL_UP | SET_PULL_DOWN):
        wire.level = 1 if flags & SET_PULL_UP else 0
    return 0


def gpio_claim_output(handle: int, gpio: int, level: int = 0, flags: int = 0) -> int:
    wire = line(gpio)
    wire.mode, wire.level = _OUTPUT, int(bool(level))
    return 0


def gpio_claim_alert(handle: int, gpio: int, edges: int, flags: int = 0) -> int:
    gpio_claim_input(handle, gpio, flags)
    line(gpio).mode |= _ALERT
    return 0


def gpio_free(handle: int, gpio: int) -> int:
    line(gpio).mode = 0
    return 0


def gpio_read(handle: int, gpio: int) -> int:
    return line(gpio).level


def gpio_write(handle: int, gpio: int, level: int) -> int:
    line(gpio).level = int(level)
    return 0


def gpio_get_mode(handle: int, gpio: int) -> int:
    return line(gpio).mode


def gpio_set_debounce_micros(handle: int, gpio: int, debounce_us: int) -> int:
    line(gpio).debounce_us = debounce_us
    return 0


def tx_pwm(handle: int, gpio: int, frequency: float, duty: float, *more: Any) -> int:
    line(gpio).pwm = (frequency, duty) if frequency else None
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
