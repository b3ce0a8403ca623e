"""Push buttons. Each joins its pin to ground when pressed; the pin's own pull-up holds it high otherwise."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from tableside.adapters.gpio.factory import BusyPin
from tableside.adapters.gpio.held import Held, Wires

Pressed: TypeAlias = Callable[[str], None]
"""Called with the button's name, on the thread of the pins: it must only post."""

_STUCK_SECONDS = 20.0
"""A button that stays down so long is stuck, or something lies on it."""


class Buttons:
    """All buttons of a table. It owns the pins until it is closed.

    A button whose pin somebody else has is left out: ``take`` tries again.

    :param pins: BCM pins of each named button.
    :param bounce_seconds: a contact that chatters for so long counts as one press.
    :param held: buttons that tell only once they were held for ``hold_seconds``, once a press.
    :param when_stuck: called with the name of a button that is held much longer, once; ``when_freed`` once it is not.
    """

    def __init__(
        self, factory: Any, *, pins: Mapping[str, Sequence[int]], when_pressed: Pressed,
        bounce_seconds: float = 0.03, held: Sequence[str] = (), hold_seconds: float = 1.0,
        when_stuck: Pressed | None = None, when_freed: Pressed | None = None, stuck_seconds: float = _STUCK_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._when_pressed = when_pressed
        self._bounce_seconds = bounce_seconds
        self._clock = clock
        self._quiet_since: dict[str, float] = {}
        self._timers: dict[str, list[threading.Timer]] = {}
        self._lock = threading.Lock()
        self._is_closed = False
        self._held = dict.fromkeys(held, hold_seconds)
        self._when_stuck = when_stuck
        self._when_freed = when_freed
        self._stuck: set[str] = set()
        self._stuck_seconds = stuck_seconds
        self._factory = factory
        self._buttons = Held(factory, [(name, (pin,)) for name, numbers in pins.items() for pin in numbers], self._made)

    def take(self) -> tuple[BusyPin, ...]:
        """Take the buttons that are not had yet and return the pins that somebody else has."""
        return self._buttons.take()

    def close(self) -> None:
        """Give the pins back; what was held and not long enough is forgotten."""
        with self._lock:
            self._is_closed = True
        self._buttons.close()
        for name in list(self._timers):
            self._let_go(name)

    def _made(self, wires: Wires) -> Any:
        from gpiozero import Button

        name, (pin,) = wires
        button = Button(pin, pull_up=True, bounce_time=self._bounce_seconds or None, pin_factory=self._factory)
        button.when_pressed = self._told(name, is_press=True)
        button.when_released = self._told(name, is_press=False)
        return button

    def _told(self, name: str, *, is_press: bool) -> Callable[[], None]:
        def told() -> None:
            # the kernel debounces where it can; a factory that cannot must not turn one press into five
            now = self._clock()
            is_quiet = now - self._quiet_since.get(name, -1e9) >= self._bounce_seconds
            self._quiet_since[name] = now
            if not is_press:
                self._let_go(name)
                return
            self._hold(name)
            if is_quiet and name not in self._held:
                self._when_pressed(name)

        return told

    def _hold(self, name: str) -> None:
        """Begin to wait for the moments at which a button that is still down says more."""
        self._let_go(name)
        waits: list[tuple[float, Pressed]] = []
        if name in self._held:
            waits.append((self._held[name], self._when_pressed))
        if self._when_stuck is not None:
            waits.append((self._stuck_seconds, self._say_stuck))
        with self._lock:
            if self._is_closed:
                return
            timers = [threading.Timer(seconds, tell, args=(name,)) for seconds, tell in waits]
            for timer in timers:
                timer.name, timer.daemon = f"tableside button {name}", True
                timer.start()
            self._timers[name] = timers

    def _say_stuck(self, name: str) -> None:
        with self._lock:
            self._stuck.add(name)
        if self._when_stuck is not None:
            self._when_stuck(name)

    def _let_go(self, name: str) -> None:
        with self._lock:
            timers = self._timers.pop(name, [])
            was_stuck = name in self._stuck
            self._stuck.discard(name)
        for timer in timers:
            timer.cancel()
        if was_stuck and self._when_freed is not None:
            self._when_freed(name)
