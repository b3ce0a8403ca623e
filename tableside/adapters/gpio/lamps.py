"""Lamps at work: what each shows is a function of the table's state, written in its row of `parts`.

Each lamp's anode goes to its pin through a resistor, its cathode to ground. An RGB lamp has a common cathode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

from tableside.adapters.gpio.claims import Claims, Wires
from tableside.adapters.gpio.factory import BusyPin
from tableside.adapters.gpio.parts import LAMPS, RGB, Colour, Glow, Rhythm
from tableside.table.kept import TableState

RGB_SHARES: Colour = (1.0, 0.93, 0.93)
"""By how much red, green and blue of an RGB lamp are dimmed, so that all three are white (`hardware/budget.py`)."""
TEST_COLOURS: tuple[Colour, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_TEST_SECONDS = 0.7  # of each colour

# seconds on and off; what breathes or fades goes in and out over these
_BEATS = {
    Rhythm.SLOW: (1.0, 1.0),
    Rhythm.FAST: (0.12, 0.12),
    Rhythm.DOUBT: (0.1, 0.9),
    Rhythm.PULSE: (0.6, 0.6),
    Rhythm.BREATHE: (1.5, 1.5),
    Rhythm.FADE: (0.0, 60.0),
    Rhythm.SHORT: (3.0, 0.0),
}
_SOFT = (Rhythm.PULSE, Rhythm.BREATHE, Rhythm.FADE)
_ONCE = (Rhythm.FADE, Rhythm.SHORT)


def _has_colour(wires: Wires) -> bool:
    return len(wires[1]) == len(RGB)


class Lamps:
    """All lamps of a table. It owns the pins until it is closed; it is used from one thread.

    A lamp whose pin somebody else has is left out: ``take`` tries again.

    :param factory: a gpiozero pin factory that can dim.
    :param pins: BCM pins by the name of the lamp; one without pins is not there.
    :param rgb_shares: by how much red, green and blue of an RGB lamp are dimmed, since their currents differ.
    """

    def __init__(self, factory: Any, *, pins: Mapping[str, Sequence[int]], rgb_shares: Colour = (1, 1, 1)) -> None:
        self._shares = rgb_shares
        self._factory = factory
        self._shown: dict[Any, object] = {}
        wanted = [(row.name, wires) for row in LAMPS for _, wires in row.devices(pins.get(row.name, ()))]
        self._lamps = Claims(factory, wanted, self._open_lamp)

    def take(self) -> tuple[BusyPin, ...]:
        """Take the lamps that are not had yet and return the pins that somebody else has."""
        return self._lamps.take()

    def show(self, state: TableState) -> None:
        """Show this state. Lamps that already show it are left alone, so that no rhythm starts anew."""
        if state.is_testing:
            self._show_test()
            return
        for row in LAMPS:
            shown, lamps = row.shows(state), self._lamps.wired(row.name)
            if isinstance(shown, int):
                self._show_points([lamp for _, lamp in lamps], shown)
            else:
                for wires, lamp in lamps:
                    self._show_glow(lamp, shown, has_colour=_has_colour(wires))

    def close(self) -> None:
        """Put out every lamp and give the pins back."""
        self._lamps.close()

    def _open_lamp(self, wires: Wires) -> Any:
        from gpiozero import PWMLED, RGBLED

        return (RGBLED if _has_colour(wires) else PWMLED)(*wires[1], pin_factory=self._factory)

    def _show_points(self, lamps: Sequence[Any], points: int) -> None:
        for place, lamp in enumerate(lamps):
            is_more = place == len(lamps) - 1 and points > len(lamps)
            rhythm = Rhythm.PULSE if is_more else Rhythm.STEADY if place < points else Rhythm.OFF
            if self._is_new(lamp, rhythm):
                if rhythm is Rhythm.PULSE:
                    lamp.pulse(*_BEATS[Rhythm.PULSE])
                else:
                    lamp.value = float(rhythm is Rhythm.STEADY)

    def _show_glow(self, lamp: Any, glow: Glow, *, has_colour: bool) -> None:
        if not self._is_new(lamp, glow):
            return
        lamp.source = None  # ends its test
        rhythm = glow.rhythm
        if rhythm is Rhythm.OFF:
            lamp.off()
        elif rhythm is Rhythm.STEADY:
            lamp.value = self._mix(glow.colour) if has_colour else 1
        else:
            colours = {"on_color": self._mix(glow.colour)} if has_colour else {}
            times = {"n": 1} if rhythm in _ONCE else {}
            (lamp.pulse if rhythm in _SOFT else lamp.blink)(*_BEATS[rhythm], **colours, **times)

    def _show_test(self) -> None:
        """Burn every plain lamp, and take every RGB lamp through its three colours."""
        for wires, lamp in self._lamps.devices.items():
            if not self._is_new(lamp, "test"):
                continue
            if _has_colour(wires):
                colours = [self._mix(colour) for colour in TEST_COLOURS]
                lamp.color = colours[0]  # at once, and ends its rhythm
                lamp.source_delay = _TEST_SECONDS
                lamp.source = cycle(colours)
            else:
                lamp.value = 1

    def _mix(self, colour: Colour) -> Colour:
        red, green, blue = (wanted * share for wanted, share in zip(colour, self._shares, strict=True))
        return red, green, blue

    def _is_new(self, lamp: Any, wanted: object) -> bool:
        if self._shown.get(lamp) == wanted:
            return False
        self._shown[lamp] = wanted
        return True
