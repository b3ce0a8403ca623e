"""Lamps and buttons whose pins somebody else may have: each is had from when on its pins are free."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, TypeAlias

from tableside.adapters.gpio.factory import BusyPin, try_pin

Wires: TypeAlias = tuple[str, tuple[int, ...]]
"""A setting of ``[pins]``, and the BCM pins of one lamp or button."""


class Claims:
    """What is had of the lamps or buttons. It owns their pins until it is closed.

    :param make: makes one whose pins are free.
    :ivar devices: those that are had.
    """

    def __init__(self, factory: Any, wanted: Sequence[Wires], make: Callable[[Wires], Any]) -> None:
        self._factory = factory
        self._wanted = wanted
        self._make = make
        self._undo = ExitStack()
        self.devices: dict[Wires, Any] = {}
        try:
            self.take()
        except Exception:
            self.close()
            raise

    def take(self) -> tuple[BusyPin, ...]:
        """Take what is not had yet and return the pins that somebody else has."""
        busy: list[BusyPin] = []
        for wires in self._wanted:
            if wires in self.devices:
                continue
            name, pins = wires
            refused = [one for one in (try_pin(self._factory, pin, name) for pin in pins) if one is not None]
            busy += refused
            if not refused:
                self.devices[wires] = self._undo.enter_context(self._make(wires))
        return tuple(busy)

    def wired(self, name: str) -> list[tuple[Wires, Any]]:
        """Return those of a setting that are had, in the order of its pins."""
        had = [wires for wires in self._wanted if wires[0] == name and wires in self.devices]
        return [(wires, self.devices[wires]) for wires in had]

    def close(self) -> None:
        """Give the pins back."""
        self._undo.close()
