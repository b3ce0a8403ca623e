"""Luck, measured against the exact expectation of the dice that were thrown, in standard errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import ClassVar

from tableside.dice import Die, DieType, Face
from tableside.errors import GameError
from tableside.record import Record
from tableside.rules import game_for

_USUAL, _RARE = 2.0, 3.0
"""Standard errors; within two lies 95 %, within three 99.7 % of what chance does."""


class Luck(Record, frozen=True, kw_only=True, rename={"errors": "standard_errors"}):
    """How the throws of one player came out.

    :ivar of: what is measured, as the game of the dice says: ``"net success"``, ``"pips"``.
    :ivar errors: how many standard errors the sum lies above the expected one.
    """

    properties = texts = ("sentence",)
    digits: ClassVar[Mapping[str, int]] = {"expected": 2, "errors": 2}

    player: str
    of: str
    dice: int
    total: float
    expected: float
    errors: float

    @property
    def sentence(self) -> str:
        """Say it without feeding superstition: small differences are no luck."""
        if abs(self.errors) < _USUAL:
            return "as expected"
        if self.errors > 0:
            return "very lucky" if self.errors >= _RARE else "lucky"
        return "very unlucky" if self.errors <= -_RARE else "unlucky"


def luck_of(thrown: Mapping[str, Mapping[str, Mapping[Face, int]]], types: Iterable[DieType]) -> tuple[Luck, ...]:
    """Return the luck of each player in each measure.

    :param thrown: by player and die type, how often each face came.
    """
    known = {kind.name: kind for kind in types}
    found = []
    for player, kinds in sorted(thrown.items()):
        sums: dict[str, list[float]] = {}
        for name, counts in kinds.items():
            if name in known:
                _add(sums, known[name], counts)
        for measure, (dice, total, expected, variance) in sorted(sums.items()):
            errors = (total - expected) / math.sqrt(variance) if variance else 0.0
            found.append(Luck(player=player, of=measure, dice=int(dice), total=total, expected=expected, errors=errors))
    return tuple(found)


def _add(sums: dict[str, list[float]], kind: DieType, counts: Mapping[Face, int]) -> None:
    worths = {face: _worth(Die(type=kind.name, face=face)) for face in kind.distinct_faces}
    for measure in {name for worth in worths.values() for name in worth}:
        values = [worths[face].get(measure, 0) for face in kind.faces]
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        dice = sum(counts.values())
        total = sum(worths.get(face, {}).get(measure, 0) * count for face, count in counts.items())
        old = sums.setdefault(measure, [0.0, 0.0, 0.0, 0.0])
        sums[measure] = [
            have + more for have, more in zip(old, (dice, total, dice * mean, dice * variance), strict=True)
        ]


def _worth(die: Die) -> Mapping[str, int]:
    """Return what a die adds to each measure of the game that it is thrown for."""
    try:
        return game_for([die]).worth(die)
    except GameError:  # dice of no game
        return {}
