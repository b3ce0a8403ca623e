"""Exact odds of a roll with a Wild Die, character point dice and each reading of a first 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from tableside.rules.code import Code
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

    def besides(self, difficulty: int | None, random: Totals | None) -> tuple[tuple[str, Fraction], ...]:
        """Return the chances of a complication, and that the Wild Die is thrown again."""
        both = () if difficulty is None else (self.success_with_complication(difficulty, random),)
        return (
            *(("success_with_complication", chance) for chance in both),
            ("complication", self.complication),
            ("wild_again", Fraction(self.explodes, SIDES)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WildTotal:
    """The total of a roll with a Wild Die, whole: no throw after a six is left out.

    :ivar closed: the ways to each total with which the roll has ended, out of ``denominator``.
    :ivar open: the ways to each total with which the Wild Die is thrown again, to which :func:`chain_reaches` adds.
    """

    denominator: int
    closed: Mapping[int, int]
    open: Mapping[int, int]

    def exceeds(self, other: WildTotal, by: int) -> Fraction:
        """Return the exact chance that this total is larger than another by so much at least."""
        cases: tuple[tuple[Mapping[int, int], Mapping[int, int], Callable[[int], Fraction]], ...] = (
            (self.closed, other.closed, lambda lead: Fraction(lead >= by)),
            (self.closed, other.open, lambda lead: 1 - chain_reaches(lead - by + 1)),
            (self.open, other.closed, lambda lead: chain_reaches(by - lead)),
            (self.open, other.open, lambda lead: chains_differ(by - lead)),
        )
        found = Fraction(0)
        for own, others, chance in cases:
            leads: dict[int, int] = {}
            for one, count in own.items():
                for two, times in others.items():
                    leads[one - two] = leads.get(one - two, 0) + count * times
            found += sum((count * chance(lead) for lead, count in leads.items()), Fraction(0))
        return found / (self.denominator * other.denominator)


def wild_total(code: Code, *, first_one: str = "counts", throws: int | None = None) -> WildTotal:
    """Return the whole total of a code of which one die is the Wild Die.

    :param throws: the Wild Die is thrown so many times at most.
    """
    ordinary, last = code.dice - 1, throws or 1
    plain = sum_of((PLAIN, ordinary))
    closed: dict[int, int] = {}

    def end(ways: Mapping[int, int], more: int, times: int) -> None:
        for total, count in ways.items():
            at = total + more + code.pips
            closed[at] = closed.get(at, 0) + count * times

    one = sum_without_highest(ordinary) if first_one == "highest" else plain
    end(one, 0 if first_one in ("nothing", "highest") else 1, SIDES ** (last - 1))
    for more, times in chain_die(last, first=range(2, SIDES + 1)).items():
        end(plain, more, times)
    open_ways = {total + SIDES * last + code.pips: count for total, count in plain.items()}
    if throws is not None:
        end(plain, SIDES * last, 1)
        open_ways = {}
    return WildTotal(denominator=SIDES ** (ordinary + last), closed=closed, open=open_ways)


def chain_reaches(number: int) -> Fraction:
    """Return the exact chance that a die which is thrown again after each six adds up to a number at least."""
    sixes, face = divmod(max(number, 0), SIDES)
    return Fraction(SIDES - max(face - 1, 0), SIDES ** (sixes + 1))


def chains_differ(by: int) -> Fraction:
    """Return the exact chance that one such die adds up to more than another by so much at least.

    Two first sixes change nothing, so the chance is that of all other first throws, of which it is 35 of 36.
    """
    ended = sum((chain_reaches(by + face) for face in range(1, SIDES)), Fraction(0)) / SIDES
    passed = sum((1 - chain_reaches(face - SIDES - by + 1) for face in range(1, SIDES)), Fraction(0)) / SIDES**2
    return (ended + passed) / (1 - Fraction(1, SIDES**2))


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
