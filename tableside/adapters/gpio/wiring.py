"""Single lamps and buttons, for a test of the wiring."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from tableside.errors import PinError


@contextmanager
def burning(factory: Any, pin: int) -> Iterator[None]:
    """Let the lamp at this BCM pin burn meanwhile.

    :raises PinError: where the pin cannot be used.
    """
    from gpiozero import LED

    with ExitStack() as undo:
        try:
            undo.enter_context(LED(pin, initial_value=True, pin_factory=factory))
        except Exception as error:  # whatever the library calls it: lgpio.error where another program has the pin
            raise _in_use(pin, error) from error
        yield


class Contacts:
    """All buttons of a table at once, so that a press on a wrong pin is noticed. It owns the pins until it is closed.

    :param pins: the button's name of each BCM pin.
    :raises PinError: where a pin cannot be used.
    """

    def __init__(self, factory: Any, *, pins: Mapping[int, str], bounce_seconds: float = 0.03) -> None:
        from gpiozero import Button

        self._pressed: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._buttons: dict[int, Any] = {}
        with ExitStack() as undo:
            for pin in pins:
                try:
                    button = Button(pin, pull_up=True, bounce_time=bounce_seconds or None, pin_factory=factory)
                except Exception as error:  # as above
                    raise _in_use(pin, error) from error
                undo.enter_context(button)
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


def _in_use(pin: int, error: Exception) -> PinError:
    hint = "Stop the table first, such as by `sudo systemctl stop tableside`, and name each pin once."
    return PinError(f"cannot be used ({error})", where=f"GPIO {pin}", hint=hint)
