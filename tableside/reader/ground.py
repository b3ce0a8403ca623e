"""Remember how dice lay flat in earlier pictures by the same camera, so that a single die can be seen to lean.

A camera may be knocked. So what is remembered is dropped when the dice of two pictures contradict it, or when those of
one picture agree on another plane.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from tableside.dice import Point
from tableside.reader.plane import LEAST_DICE, Posture, tilts

_MOST = 24
_LEAST = 5  # among so many, one that leaned unnoticed does little harm
_AT_ODDS = 0.15  # sine of the angle between the plane that is remembered and that of a picture
_SAME = 0.2  # radii; the same die, still lying there


class Ground:
    """Remembers dice that lay flat. Not safe for use by two threads at once."""

    def __init__(self) -> None:
        self._size = 0.0
        self._flat: list[Posture] = []
        self._at_odds: list[Point] = []

    def known(self, dice: Sequence[Posture], *, size: float) -> Sequence[Posture]:
        """Return dice of earlier pictures that show how flat ones lie now, none where too few are known.

        :param dice: of the new picture.
        :param size: its longer side, px. Another size is another camera.
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

        :param flat: those that surely lie flat.
        :param leaning: those that seem to lean, judging by what was known.
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
        self._flat, self._at_odds = [], []


def _are_same(die: Posture, spot: Point) -> bool:
    return math.dist(die.middle, spot) < _SAME * die.radius
