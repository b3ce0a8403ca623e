"""Exact odds of totals: sums of six-sided dice with caps and of dice that are thrown again after a six.

Everything is counted in whole numbers. Only a die that is thrown again has no largest total; what lies above the last
total that is listed is kept in one exact number, so that nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from types import MappingProxyType
from typing import Any

SIDES = 6
PLAIN: Mapping[int, int] = dict.fromkeys(range(1, SIDES + 1), 1)
"""The faces of a die with their weights."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How many ways lead to each total, out of ``denominator``.

    :ivar ways: totals, in order, with their ways.
    :ivar beyond: the ways of all totals above the last.
    """

    denominator: int
    ways: Mapping[int, int]
    beyond: int = 0

    def at_least(self, number: int) -> Fraction:
        """Return the exact chance to reach a number, which must not lie beyond the last total by more than one."""
        if self.beyond and number > max(self.ways) + 1:
            raise ValueError(f"{number} lies beyond the totals that were worked out, which end at {max(self.ways)}")
        return 1 - Fraction(sum(count for total, count in self.ways.items() if total < number), self.denominator)

    def chance(self, total: int) -> Fraction:
        """Return the exact chance of one total."""
        return Fraction(self.ways.get(total, 0), self.denominator)

    def moved(self, by: int) -> Totals:
        """Return the totals with a number added to each."""
        ways = {total + by: count for total, count in self.ways.items()}
        return Totals(denominator=self.denominator, ways=MappingProxyType(ways), beyond=self.beyond)

    def less(self, other: Totals) -> Totals:
        """Return this total less another, which has a largest one."""
        if other.beyond:
            raise ValueError("a total without a largest one cannot be taken off")
        ways: dict[int, int] = {}
        for total, count in self.ways.items():
            for off, times in other.ways.items():
                ways[total - off] = ways.get(total - off, 0) + count * times
        # Beyond this one lies what would still be reached from above the last total; what is not surely known goes too.
        known = max(self.ways) - max(other.ways)
        kept = {t: n for t, n in sorted(ways.items()) if not self.beyond or t <= known}
        denominator = self.denominator * other.denominator
        return Totals(denominator=denominator, ways=MappingProxyType(kept), beyond=denominator - sum(kept.values()))

    def mixed(self, other: Totals) -> Totals:
        """Return both together, which are two cases that exclude each other and share a denominator."""
        if self.denominator != other.denominator:
            raise ValueError("only cases of one roll can be mixed")
        last = min((max(side.ways) for side in (self, other) if side.beyond and side.ways), default=None)
        ways: dict[int, int] = {}
        for side in (self, other):
            for total, count in side.ways.items():
                if last is None or total <= last:
                    ways[total] = ways.get(total, 0) + count
        whole = sum(self.ways.values()) + self.beyond + sum(other.ways.values()) + other.beyond
        ordered = MappingProxyType(dict(sorted(ways.items())))
        return Totals(denominator=self.denominator, ways=ordered, beyond=whole - sum(ways.values()))


def capped_die(cap: int) -> Mapping[int, int]:
    """Return the faces of a die under a cap: what shows more counts nothing."""
    return {0: SIDES - cap} | dict.fromkeys(range(1, cap + 1), 1) if cap < SIDES else PLAIN


def chain_die(throws: int, *, first: Iterable[int] = range(1, SIDES + 1)) -> Mapping[int, int]:
    """Return the sums of a die that is thrown again after each six, out of ``6 ** throws``.

    :param throws: so many throws are followed; a chain that goes on is left out.
    :param first: the faces that the first throw may show; the ways of the others are left out.
    """
    wanted = set(first)
    return {
        SIDES * sixes + face: SIDES ** (throws - 1 - sixes)
        for sixes in range(throws)
        for face in range(1, SIDES)
        if (SIDES if sixes else face) in wanted
    }


def sum_of(*dice: tuple[Mapping[int, int], int], last: int | None = None) -> dict[int, int]:
    """Return the ways to each sum of so many dice of each kind; faces are 0 or more.

    The counts are packed into one long integer, a place for each sum: dice are added by multiplying it.

    :param last: larger sums are left out, which saves the time for them.
    """
    room = prod(sum(faces.values()) ** count for faces, count in dice).bit_length() // 8 + 1
    packed = 1
    for faces, count in dice:
        die = sum(weight << (8 * room * face) for face, weight in faces.items())
        if last is None:
            packed *= die**count
            continue
        wanted = (1 << (8 * room * (last + 1))) - 1
        for _ in range(count):
            packed = packed * die & wanted
    return _unpack(packed, room)


def sum_without_highest(count: int) -> dict[int, int]:
    """Return the ways to each sum of so many plain dice of which the highest is taken away."""
    if not count:
        return {0: 1}
    ways: dict[int, int] = {}
    below: dict[int, int] = {}
    for highest in range(1, SIDES + 1):
        upto = sum_of((dict.fromkeys(range(1, highest + 1), 1), count))
        for total, number in upto.items():
            number -= below.get(total, 0)
            if number:
                ways[total - highest] = ways.get(total - highest, 0) + number
        below = upto
    return dict(sorted(ways.items()))


def totals(*dice: tuple[Mapping[int, int], int], add: int = 0) -> Totals:
    """Return the totals of so many dice of each kind, with a number added."""
    denominator = prod(sum(faces.values()) ** count for faces, count in dice)
    ways = {total + add: count for total, count in sum_of(*dice).items()}
    return Totals(denominator=denominator, ways=MappingProxyType(ways))


def open_totals(ways: Mapping[int, int], *, last: int, denominator: int, whole: int) -> Totals:
    """Return totals up to the last that is worked out, the rest of ``whole`` ways lying beyond."""
    kept = {total: count for total, count in ways.items() if total <= last}
    return Totals(denominator=denominator, ways=MappingProxyType(kept), beyond=whole - sum(kept.values()))


def reached(totals: Totals, difficulty: int, random: Totals | None = None) -> Fraction:
    """Return the exact chance that a total reaches a difficulty to which other dice may add."""
    if random is None:
        return totals.at_least(difficulty)
    return sum((random.chance(more) * totals.at_least(difficulty + more) for more in random.ways), Fraction(0))


def odds_json(totals: Totals) -> dict[str, Any]:
    """Return totals with exact counts for ``odds --json``."""
    return {
        "denominator": totals.denominator,
        "totals": [[total, count] for total, count in totals.ways.items()],
        "beyond": totals.beyond,
    }


def _unpack(packed: int, room: int) -> dict[int, int]:
    size = (packed.bit_length() + 8 * room - 1) // (8 * room)
    raw = packed.to_bytes(size * room, "little")
    counts = (int.from_bytes(raw[place * room : (place + 1) * room], "little") for place in range(size))
    return {total: count for total, count in enumerate(counts) if count}
