"""Lamps: one per light point, one per dark point or one RGB lamp for the pool, one for the result, one for the state.

Each lamp's anode goes to its pin through a resistor, its cathode to ground. An RGB lamp for the result has a common
cathode. What the lamps show is a function of the table's state alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import cycle
from typing import Any, TypeAlias

from tableside.adapters.gpio.factory import BusyPin
from tableside.adapters.gpio.held import Held, Wires
from tableside.rules import Mood
from tableside.table.state import Roll, TableState

Colour: TypeAlias = tuple[float, float, float]
"""Red, green and blue in 0..1."""


class Rhythm(StrEnum):
    """How a lamp changes with time, so that colour is never the only sign."""

    OFF = "off"
    STEADY = "steady"
    SLOW = "slow"
    FAST = "fast"
    PULSE = "pulse"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Glow:
    """What the result lamp shows."""

    colour: Colour = (0, 0, 0)
    rhythm: Rhythm = Rhythm.OFF


DARK = Glow()
DOUBT = Glow(colour=(1, 0.45, 0), rhythm=Rhythm.DOUBT)
MOODS = {
    Mood.DESPAIR: Glow(colour=(0.7, 0, 1), rhythm=Rhythm.FAST),
    Mood.TRIUMPH: Glow(colour=(1, 0.75, 0.1), rhythm=Rhythm.PULSE),
}
"""What shows each mood; of two, the first."""
SUCCESS = Glow(colour=(0, 1, 0), rhythm=Rhythm.STEADY)
FAILURE = Glow(colour=(1, 0, 0), rhythm=Rhythm.SLOW)
TOTAL = Glow(colour=(0.3, 0.5, 1), rhythm=Rhythm.STEADY)

POOL_LIGHT: Colour = (0.1, 0.35, 1)
POOL_DARK: Colour = (1, 0, 0)
TEST_COLOURS: tuple[Colour, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
_TEST_SECONDS = 0.7  # of each colour

# seconds on and off; a pulse fades in and out over these
_BEATS = {Rhythm.SLOW: (1.0, 1.0), Rhythm.FAST: (0.12, 0.12), Rhythm.DOUBT: (0.1, 0.9), Rhythm.PULSE: (0.6, 0.6)}


def pool_glow(state: TableState) -> Glow:
    """Say the pool with one lamp: blue for light and red for dark, mixed by their share.

    A rhythm says that one side is gone, in games in which a spent point would bring it back.
    """
    light, dark = state.destiny.light, state.destiny.dark
    if not light + dark:
        return DARK
    share = light / (light + dark)
    red, green, blue = (share * one + (1 - share) * other for one, other in zip(POOL_LIGHT, POOL_DARK, strict=True))
    gone = Rhythm.SLOW if not light else Rhythm.PULSE if not dark else Rhythm.STEADY
    rhythm = gone if state.destiny_flips else Rhythm.STEADY
    return Glow(colour=(round(red, 3), round(green, 3), round(blue, 3)), rhythm=rhythm)


def status_rhythm(state: TableState) -> Rhythm:
    """Say with one lamp how the table is: steady while all works, fast while something does not, slow in doubt."""
    if state.trouble:
        return Rhythm.FAST
    roll = state.open_roll
    return Rhythm.SLOW if roll is not None and not roll.sure else Rhythm.STEADY


def glow_of(roll: Roll | None) -> Glow:
    """Say in light what a roll came to. Doubt goes before everything else, then the moods of the result."""
    if roll is None:
        return DARK
    if not roll.sure or roll.outcome == "undecided":
        return DOUBT
    felt = {mood for mood, _ in roll.moods}
    for mood, glow in MOODS.items():
        if mood in felt:
            return glow
    if roll.succeeded is None:
        return TOTAL if roll.dice else DARK
    return SUCCESS if roll.succeeded else FAILURE


def _has_colour(wires: Wires) -> bool:
    return len(wires[1]) == 3


class Lamps:
    """All lamps of a table. It owns the pins until it is closed; it is used from one thread.

    A lamp whose pin somebody else has is left out: ``take`` tries again.

    :param factory: a gpiozero pin factory that can dim.
    :param light: BCM pins of the light points, in order.
    :param dark: BCM pins of the dark points, in order.
    :param result: three pins (red, green, blue), one, or none.
    :param pool: three pins of one lamp for both sides, or none. :param status: one pin or none.
    :param rgb_shares: by how much red, green and blue of an RGB lamp are dimmed, since their currents differ.
    """

    def __init__(
        self, factory: Any, *, light: Sequence[int], dark: Sequence[int], result: Sequence[int],
        pool: Sequence[int] = (), status: Sequence[int] = (), rgb_shares: Colour = (1, 1, 1),
    ) -> None:  # fmt: skip
        self._shares = rgb_shares
        self._factory = factory
        self._shown: dict[Any, object] = {}
        wanted: list[Wires] = []
        wanted += [("light", (pin,)) for pin in light] + [("dark", (pin,)) for pin in dark]
        single = (("result", result), ("pool", pool), ("status", status))
        wanted += [(name, tuple(pins)) for name, pins in single if pins]
        self._lamps = Held(factory, wanted, self._made)

    def take(self) -> tuple[BusyPin, ...]:
        """Take the lamps that are not had yet and return the pins that somebody else has."""
        return self._lamps.take()

    def show(self, state: TableState) -> None:
        """Show this state. Lamps that already show it are left alone, so that no rhythm starts anew."""
        if state.is_testing:
            self._show_test()
            return
        self._show_points(self._lamps.named("light"), state.destiny.light)
        self._show_points(self._lamps.named("dark"), state.destiny.dark)
        glows = {
            "result": glow_of(state.open_roll), "pool": pool_glow(state), "status": Glow(rhythm=status_rhythm(state))
        }  # fmt: skip
        for wires, lamp in self._lamps.devices.items():
            if wires[0] in glows:
                self._show_glow(lamp, glows[wires[0]], has_colour=_has_colour(wires))

    def close(self) -> None:
        """Put out every lamp and give the pins back."""
        self._lamps.close()

    def _made(self, wires: Wires) -> Any:
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
            lamp.value = self._mixed(glow.colour) if has_colour else 1
        else:
            colours = {"on_color": self._mixed(glow.colour)} if has_colour else {}
            (lamp.pulse if rhythm is Rhythm.PULSE else lamp.blink)(*_BEATS[rhythm], **colours)

    def _show_test(self) -> None:
        """Burn every plain lamp, and take every RGB lamp through its three colours."""
        for wires, lamp in self._lamps.devices.items():
            if not self._is_new(lamp, "test"):
                continue
            if _has_colour(wires):
                colours = [self._mixed(colour) for colour in TEST_COLOURS]
                lamp.color = colours[0]  # at once, and ends its rhythm
                lamp.source_delay = _TEST_SECONDS
                lamp.source = cycle(colours)
            else:
                lamp.value = 1

    def _mixed(self, colour: Colour) -> Colour:
        red, green, blue = (wanted * share for wanted, share in zip(colour, self._shares, strict=True))
        return red, green, blue

    def _is_new(self, lamp: Any, wanted: object) -> bool:
        if self._shown.get(lamp) == wanted:
            return False
        self._shown[lamp] = wanted
        return True
