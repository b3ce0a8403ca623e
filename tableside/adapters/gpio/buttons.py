"""Push buttons. Each joins its pin to ground when pressed; the pin's own pull-up holds it high otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from tableside.adapters.gpio.claims import Claims, Wires
from tableside.adapters.gpio.factory import BusyPin
from tableside.adapters.gpio.parts import BUTTONS

Pressed: TypeAlias = Callable[[str], None]
"""Called with the button's name, on a thread of the pins: it must only post."""

BOUNCE_SECONDS = 0.03
"""A contact that chatters for no longer is one press."""
_STUCK_SECONDS = 20.0
"""A button that stays down so long is stuck, or something lies on it."""


class Buttons:
    """All buttons of a table. It owns the pins until it is closed.

    A button whose pin somebody else has is left out: ``take`` tries again.

    :param pins: BCM pins by the name of the button; one without pins is not there.
    :param bounce_seconds: presses that follow one another within this time count as one, because a contact chatters.
    :param hold_seconds: so long a button is down that counts once it is held; it counts once a press.
    :param when_stuck: called with the name of a button that is held much longer, once; ``when_freed`` once it is not.
    """

    def __init__(
        self,
        factory: Any,
        *,
        pins: Mapping[str, Sequence[int]],
        when_pressed: Pressed,
        bounce_seconds: float = BOUNCE_SECONDS,
        hold_seconds: float = 1.0,
        when_stuck: Pressed = lambda _: None,
        when_freed: Pressed = lambda _: None,
        stuck_seconds: float = _STUCK_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._when_pressed = when_pressed
        self._bounce_seconds = bounce_seconds
        self._clock = clock
        self._quiet_since: dict[str, float] = {}
        self._hold_seconds = hold_seconds
        self._is_held = {row.name for row in BUTTONS if row.is_held}
        self._when_stuck = when_stuck
        self._when_freed = when_freed
        self._stuck: set[str] = set()
        self._stuck_seconds = stuck_seconds
        self._factory = factory
        wanted = [(row.name, (pin,)) for row in BUTTONS for pin in pins.get(row.name, ())]
        self._buttons = Claims(factory, wanted, self._open_button)

    def take(self) -> tuple[BusyPin, ...]:
        """Take the buttons that are not had yet and return the pins that somebody else has."""
        return self._buttons.take()

    def close(self) -> None:
        """Give the pins back; what was held and not long enough is forgotten."""
        self._buttons.close()

    def _open_button(self, wires: Wires) -> Any:
        from gpiozero import Button

        name, (pin,) = wires
        button = Button(
            pin,
            pull_up=True,
            bounce_time=self._bounce_seconds or None,
            hold_time=self._hold_seconds,
            hold_repeat=True,
            pin_factory=self._factory,
        )
        beats = 0

        def pressed() -> None:
            nonlocal beats
            beats = 0
            if self._is_quiet(name) and name not in self._is_held:
                self._when_pressed(name)

        def still_down() -> None:
            """Run each time that the button was down for ``hold_seconds`` more."""
            nonlocal beats
            beats += 1
            if beats == 1 and name in self._is_held:
                self._when_pressed(name)
            if name not in self._stuck and beats * self._hold_seconds >= self._stuck_seconds:
                self._stuck.add(name)
                self._when_stuck(name)

        def released() -> None:
            self._is_quiet(name)
            if name in self._stuck:
                self._stuck.remove(name)
                self._when_freed(name)

        button.when_pressed, button.when_held, button.when_released = pressed, still_down, released
        return button

    def _is_quiet(self, name: str) -> bool:
        """Return whether a contact has been quiet; the kernel debounces where it can, and drawn pins cannot."""
        now = self._clock()
        is_quiet = now - self._quiet_since.get(name, -1e9) >= self._bounce_seconds
        self._quiet_since[name] = now
        return is_quiet
