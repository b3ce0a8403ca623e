"""Push buttons. Each joins its pin to ground when pressed; the pin's own pull-up holds it high otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeAlias

Pressed: TypeAlias = Callable[[str], None]
"""Called with the button's name, on the thread of the pins: it must only post."""


class Buttons:
    """All buttons of a table. It owns the pins until it is closed.

    :param pins: BCM pins of each named button.
    :param bounce_seconds: a contact that chatters for so long counts as one press.
    """

    def __init__(
        self, factory: Any, *, pins: Mapping[str, Sequence[int]], when_pressed: Pressed,
        bounce_seconds: float = 0.03, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        from gpiozero import Button

        self._when_pressed = when_pressed
        self._bounce_seconds = bounce_seconds
        self._clock = clock
        self._quiet_since: dict[str, float] = {}
        with ExitStack() as undo:
            for name, numbers in pins.items():
                for pin in numbers:
                    button = undo.enter_context(
                        Button(pin, pull_up=True, bounce_time=bounce_seconds or None, pin_factory=factory)
                    )
                    button.when_pressed = self._told(name, is_press=True)
                    button.when_released = self._told(name, is_press=False)
            self._undo = undo.pop_all()

    def close(self) -> None:
        """Give the pins back."""
        self._undo.close()

    def _told(self, name: str, *, is_press: bool) -> Callable[[], None]:
        def told() -> None:
            # the kernel debounces where it can; a factory that cannot must not turn one press into five
            now = self._clock()
            is_quiet = now - self._quiet_since.get(name, -1e9) >= self._bounce_seconds
            self._quiet_since[name] = now
            if is_press and is_quiet:
                self._when_pressed(name)

        return told
