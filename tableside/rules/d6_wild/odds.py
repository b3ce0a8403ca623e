"""Exact odds of a roll with a Wild Die, character point dice and each reading of a first 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from tableside.rules.odds import PLAIN, SIDES, Totals, chain_die, open_totals, reached, sum_of, sum_without_highest

FIRST_ONE: Mapping[str, str] = MappingProxyType(
    {
        "counts": "a complication, and the 1 is added",
        "nothing": "a complication, and the 1 is not added",
        "highest": "a complication; the 1 and the highest other die are taken away",
        "plain": "just a 1",
    }
)
"""What a first 1 on the Wild Die does. The summary leaves it to the table; that it is added is our reading (I3)."""

TAIL_THROWS = 16
"""So many throws of a chain are followed at least: what lies beyond has a chance below 6 ** -15."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WildOdds:
    """The odds of a roll with a Wild Die, in two cases: its first throw shows a 1, or it does not."""

    one: Totals
    other: Totals
    complicates: bool
    explodes: bool = True

    @property
    def all(self) -> Totals:
        return self.other.mixed(self.one)

    @property
    def complication(self) -> Fraction:
        """The chance of a complication."""
        ways = sum(self.one.ways.values()) + self.one.beyond
        return Fraction(ways, self.one.denominator) if self.complicates else Fraction(0)

    def success(self, difficulty: int, random: Totals | None = None) -> Fraction:
        """Return the chance to reach a difficulty to which other dice may add.

        :param random: the totals of dice that are added to the difficulty.
        """
        return reached(self.all, difficulty, random)

    def success_with_complication(self, difficulty: int, random: Totals | None = None) -> Fraction:
        """Return the chance to reach the difficulty and have a complication."""
        if not self.complicates:
            return Fraction(0)
        # Of the ways in which the first throw is no 1, none counts: they are what is missing from one.
        return reached(self.one, difficulty, random) - (1 - Fraction(1, SIDES))

    def explosion(self) -> Fraction:
        """Return the chance that the Wild Die is thrown again."""
        return Fraction(self.explodes, SIDES)


def wild_odds(
    dice: int, pips: int = 0, *, points: int = 0, first_one: str = "counts", reach: int = 0, throws: int | None = None
) -> WildOdds:
    """Return the exact odds of so many dice, one of them the Wild Die.

    :param points: character point dice, each thrown again after a six.
    :param throws: the Wild Die is thrown so many times at most.
    :param reach: totals are worked out at least so far.
    """
    ordinary = dice - 1
    follow = max(TAIL_THROWS + dice + points, (reach - pips) // SIDES + 2)
    chains = (chain_die(follow), points)
    denominator = SIDES ** (ordinary + follow * (1 + points))
    # A chain that is not followed to its end is longer than this, whatever the other dice show.
    last = SIDES * follow
    first = {0: SIDES ** (follow - 1)} if first_one in ("nothing", "highest") else {1: SIDES ** (follow - 1)}
    plain = sum_without_highest(ordinary) if first_one == "highest" else sum_of((PLAIN, ordinary))
    # One more factor makes both cases share the denominator.
    one = sum_of((plain, 1), (first, 1), chains, last=last)
    wild = chain_die(follow, first=range(2, SIDES + 1))
    if throws is not None and throws < follow:
        ended = {**chain_die(throws, first=range(2, SIDES + 1)), SIDES * throws: 1}
        wild = {total: ways * SIDES ** (follow - throws) for total, ways in ended.items()}
    other = sum_of((PLAIN, ordinary), (wild, 1), chains, last=last)
    sixth = denominator // SIDES
    return WildOdds(
        one=open_totals(one, last=last, denominator=denominator, whole=sixth).moved(pips),
        other=open_totals(other, last=last, denominator=denominator, whole=denominator - sixth).moved(pips),
        complicates=first_one != "plain",
        explodes=throws != 1,
    )
