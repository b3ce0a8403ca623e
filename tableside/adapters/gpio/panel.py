"""The drawn panel: what the pins carry, for a page to show, and a finger on their buttons."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

from tableside.adapters.gpio.parts import BUTTONS, LAMPS, Lamp
from tableside.errors import PinError, did_you_mean

Snapshot: TypeAlias = dict[str, Any]
_HERTZ = 20


class Panel:
    """Reads and presses mock pins. ``Panel(None)`` is the panel of a table without them: nothing to draw.

    :param factory: gpiozero's mock factory, or ``None``. :param pins: BCM pins by the name of the lamp or button.
    :param rgb_shares: as the lamps were dimmed.
    """

    def __init__(
        self,
        factory: Any = None,
        *,
        pins: Mapping[str, Sequence[int]] = MappingProxyType({}),
        rgb_shares: tuple[float, float, float] = (1, 1, 1),
    ) -> None:
        self._shares = rgb_shares
        self._factory = factory
        self._lamps = [(name, row, wires) for row in LAMPS for name, wires in row.devices(pins.get(row.name, ()))]
        self._buttons = {row.name: (row.label, pins[row.name][0]) for row in BUTTONS if pins.get(row.name)}
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_mock(self) -> bool:
        return self._factory is not None

    def snapshot(self) -> Snapshot:
        """Return the JSON form of the panel as it is now."""
        if self._factory is None:
            return {"lamps": [], "buttons": [], "mock": False}
        return {
            "lamps": [self._lamp(*lamp) for lamp in self._lamps],
            "buttons": [
                {"name": name, "label": label, "pin": pin, "pressed": not self._level(pin)}
                for name, (label, pin) in self._buttons.items()
            ],
            "mock": True,
        }

    def press(self, name: str, pressed: bool) -> None:
        """Pull a button's wire low, or let it go.

        :raises PinError: where there is no such drawn button.
        """
        if self._factory is None:
            raise PinError("no drawn buttons here", where=name, hint="This table's pins are real or absent.")
        if name not in self._buttons:
            raise PinError("no such button", where=name, hint=did_you_mean(name, self._buttons))
        pin = self._factory.pin(self._buttons[name][1])
        if pressed:
            pin.drive_low()
        else:
            pin.drive_high()

    def watch(self, when_changed: Callable[[Snapshot], None]) -> None:
        """Call back with each new snapshot, at most 20 times a second, until closed."""
        if self._factory is None or self._thread is not None:
            return
        self._thread = threading.Thread(target=self._look, args=(when_changed,), name="tableside panel", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _look(self, when_changed: Callable[[Snapshot], None]) -> None:
        shown: Snapshot | None = None
        while not self._stop.wait(1 / _HERTZ):
            now = self.snapshot()
            if now != shown:
                when_changed(now)
            shown = now

    def _lamp(self, name: str, row: Lamp, pins: Sequence[int]) -> Snapshot:
        levels = [float(self._level(pin)) for pin in pins]
        if len(levels) == 3:
            levels = [level / share for level, share in zip(levels, self._shares, strict=True)]
        levels = [round(level, 3) for level in levels]
        value, colour = max(levels), row.drawn
        if len(levels) == 3 and value:
            colour = "#" + "".join(f"{round(255 * level / value):02x}" for level in levels)
        label = pins[0] if len(pins) == 1 else "/".join(str(pin) for pin in pins)
        return {"name": name, "side": row.name, "pin": label, "colour": colour, "value": value}

    def _level(self, pin: int) -> float:
        return float(self._factory.pin(pin).state)
