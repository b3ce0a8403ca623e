"""The odds of a whole attack: that it hits, that it gets through what protects its target, and how hard it hurts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from tableside.record import Record
from tableside.words import say

MISS = "Miss"
HARMLESS = "A hit that does nothing"


class AttackEnd(Record, frozen=True, kw_only=True):
    """An end of an attack that does something.

    :ivar at_least: the chance of it or a worse one.
    """

    texts = ("name",)

    name: str
    chance: float
    at_least: float


class ShownAttack(Record, frozen=True, kw_only=True):
    """An attack as pages get it.

    :ivar hits: the chance of a hit. :ivar hurts: of one that does something. :ivar ends: the mildest first.
    """

    hits: float
    hurts: float
    ends: tuple[AttackEnd, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """How a whole attack ends, all its rolls together.

    :ivar ends: every end in words with its exact chance, the mildest first: the miss, the hit that does nothing, then
        what the hit does.
    """

    ends: tuple[tuple[str, Fraction], ...]

    @classmethod
    def of(cls, *, miss: Fraction, harmless: Fraction, harms: Iterable[tuple[str, Fraction]]) -> Attack:
        """Return the attack of these chances; harms that cannot happen are left out."""
        return cls(ends=((MISS, miss), (HARMLESS, harmless), *((words, chance) for words, chance in harms if chance)))

    @classmethod
    def of_damage(cls, damages: Iterable[tuple[int | None, Fraction]]) -> Attack:
        """Return the attack of these damages, ``None`` being a miss and 0 a hit that does nothing."""
        found: dict[int | None, Fraction] = {None: Fraction(0), 0: Fraction(0)}
        for damage, chance in damages:
            found[damage] = found.get(damage, Fraction(0)) + chance
        harms = sorted((damage, chance) for damage, chance in found.items() if damage)
        return cls.of(
            miss=found[None],
            harmless=found[0],
            harms=((say("{n} damage", n=damage), chance) for damage, chance in harms),
        )

    @property
    def hits(self) -> Fraction:
        """The chance of a hit."""
        return 1 - self.ends[0][1]

    @property
    def hurts(self) -> Fraction:
        """The chance of a hit that does something."""
        return self.hits - self.ends[1][1]

    def at_least(self) -> tuple[tuple[str, Fraction], ...]:
        """Return each end that does something with the chance of it or a worse one."""
        harms = self.ends[2:]
        sums = accumulate(chance for _, chance in reversed(harms))
        return tuple((words, chance) for (words, _), chance in zip(harms, reversed([*sums]), strict=True))

    @property
    def shown(self) -> ShownAttack:
        """The chances as floats, with the words of each end."""
        ends = zip(self.ends[2:], self.at_least(), strict=True)
        return ShownAttack(
            hits=float(self.hits),
            hurts=float(self.hurts),
            ends=tuple(AttackEnd(name=one, chance=float(p), at_least=float(least)) for (one, p), (_, least) in ends),
        )
