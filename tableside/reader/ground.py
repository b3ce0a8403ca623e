"""What a camera that stays has seen of how dice lie flat on its table: one die alone can then be told to lean.

A camera is knocked now and then. What was seen before is forgotten when dice that are all at odds with it come twice,
or when those of one picture agree on something else. Of dice with many sides, of which no picture alone tells how they
lie, several together tell the table's tilt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from tableside.dice import Point
from tableside.reader.plane import LEAST_DICE, Posture, tilts
from tableside.reader.tilt import Sighting, Tilt, agreed

_MOST = 24
_LEAST = 5  # one that leaned unnoticed does not count for much among so many
_AT_ODDS = 0.15  # sine of the angle by which what was seen before departs from what the dice of a picture agree on
_SAME = 0.2  # radii; the same die, still lying there
_SIGHTINGS = 24
_STILL = 0.01  # of half a picture; the same die likewise
_MISSES = 3  # in a row: no face lies where the tilt puts it


class Ground:
    """Remembers dice that lay flat. Not safe for use by two threads at once."""

    def __init__(self) -> None:
        self._size = 0.0
        self._flat: list[Posture] = []
        self._at_odds: list[Point] = []
        self._sightings: list[Sighting] = []
        self._tilt: Tilt | None = None
        self._misses = 0

    @property
    def tilt(self) -> Tilt | None:
        """How the camera looks at the table, by dice of many sides; none where too few were sighted."""
        return self._tilt

    def sight(self, sighting: Sighting) -> None:
        """Remember the faces of a die of many sides, which lay flat."""
        if all(math.dist(sighting.place, old.place) > _STILL for old in self._sightings):
            self._sightings = [*self._sightings, sighting][-_SIGHTINGS:]
            self._tilt = agreed(self._sightings)

    def met(self, is_there: bool) -> None:
        """Remember whether a face of a die of many sides lay where the tilt has it."""
        self._misses = 0 if is_there else self._misses + 1
        if self._misses >= _MISSES:
            self._forget()

    def known(self, dice: Sequence[Posture], *, size: float) -> Sequence[Posture]:
        """Return dice of earlier pictures that tell how flat ones lie now, none where too few are known.

        :param dice: of the picture that is looked at. :param size: its longer side, px; another camera's is another.
        """
        if size != self._size:
            self._forget()
            self._size = size
        off = tilts(dice, self._flat, size=size) if len(dice) >= LEAST_DICE else []
        if off and median(off) > _AT_ODDS:
            self._forget()
        return tuple(self._flat) if len(self._flat) >= _LEAST else ()

    def learn(self, flat: Sequence[Posture], leaning: Sequence[Posture]) -> None:
        """Remember how the dice of a picture lay.

        :param flat: those that surely lie flat. :param leaning: those that seem to lean by what was known.
        """
        if leaning and not flat:
            at = [die.middle for die in leaning]
            if self._at_odds and not any(_are_same(die, spot) for die in leaning for spot in self._at_odds):
                self._forget()
            else:
                self._at_odds = at
            return
        self._at_odds = []
        kept = [old for old in self._flat if not any(_are_same(old, new.middle) for new in flat)]
        self._flat = [*kept, *(die for die in flat if die.is_measured)][-_MOST:]

    def _forget(self) -> None:
        self._flat, self._at_odds, self._sightings, self._tilt, self._misses = [], [], [], None, 0


def _are_same(die: Posture, spot: Point) -> bool:
    return math.dist(die.middle, spot) < _SAME * die.radius
