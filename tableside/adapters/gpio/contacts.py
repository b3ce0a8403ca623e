"""Single lamps and buttons, for a test of the wiring."""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from tableside.adapters.gpio.buttons import BOUNCE_SECONDS
from tableside.adapters.gpio.factory import all_busy, try_pin


@contextmanager
def burning(factory: Any, pin: int, *, name: str) -> Iterator[None]:
    """Let the lamp at this BCM pin burn meanwhile.

    :param name: its setting in ``[pins]``.
    :raises PinError: where somebody else has the pin.
    """
    from gpiozero import LED

    refused = try_pin(factory, pin, name)
    if refused is not None:
        raise all_busy((refused,))
    with LED(pin, initial_value=True, pin_factory=factory):
        yield


class Contacts:
    """All buttons of a table at once, so that a press on a wrong pin is noticed. It owns the pins until it is closed.

    :param pins: BCM pins that nobody else has.
    """

    def __init__(self, factory: Any, *, pins: Iterable[int]) -> None:
        from gpiozero import Button

        self._pressed: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._buttons: dict[int, Any] = {}
        with ExitStack() as undo:
            for pin in pins:
                button = undo.enter_context(Button(pin, pull_up=True, bounce_time=BOUNCE_SECONDS, pin_factory=factory))
                button.when_pressed = lambda pin=pin: self._pressed.put(pin)
                self._buttons[pin] = button
            self._undo = undo.pop_all()

    def is_down(self, pin: int) -> bool:
        """Tell whether a button is pressed now."""
        return bool(self._buttons[pin].is_pressed)

    def forget(self) -> None:
        """Forget presses that were not asked for."""
        while not self._pressed.empty():
            self._pressed.get()

    def next_press(self, seconds: float) -> int | None:
        """Wait so long for a press and return its pin, ``None`` where there was none."""
        try:
            return self._pressed.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Give the pins back."""
        self._undo.close()
