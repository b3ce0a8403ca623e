"""Pools of narrative dice: how they are built and changed before the roll.

S000 is the core rulebook's text, S002 the summary sheet, S004 the heroic game on the same dice.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import asdict, astuple, replace

from tableside.errors import GameError, did_you_mean

UPGRADED: Mapping[str, str] = {"ability": "proficiency", "difficulty": "challenge"}
"""What each low die is upgraded to (S002 step 4). The low die names the side of the pool."""

LEVELS: Mapping[str, int] = {
    "simple": 0,
    "easy": 1,
    "average": 2,
    "hard": 3,
    "daunting": 4,
    "formidable": 5,
    "impossible": 5,
}
"""Difficulty dice of each level (S000 Difficulty levels, S002)."""

RULESETS = ("core", "summary")
_RANGES: Mapping[str, str] = {"close": "easy", "medium": "average", "long": "hard", "extreme": "daunting"}
_ENGAGED: Mapping[str, str] = {"core": "average", "summary": "easy"}
"""Striking while engaged: S000 says Average, S002 says Easy."""


class Pool(Struct, frozen=True, kw_only=True):
    """The dice to throw, by type.

    :raises GameError: for a count below zero.
    """

    boost: int = 0
    ability: int = 0
    proficiency: int = 0
    setback: int = 0
    difficulty: int = 0
    challenge: int = 0
    force: int = 0

    def __post_init__(self) -> None:
        if min(astuple(self)) < 0:
            name, count = min(asdict(self).items(), key=lambda item: item[1])
            hint = "Counts are whole numbers from 0 up."
            raise GameError(f"{count!r} {name} dice cannot be thrown", where="pool", hint=hint)

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> Pool:
        """Return the pool with these counts, or raise :class:`GameError` for a die that does not exist."""
        for name in counts:
            if name not in DICE:
                raise GameError(f"{name!r} is no die", where="pool", hint=did_you_mean(name, DICE))
        return cls(**counts)

    def counts(self) -> dict[str, int]:
        """Return the dice that are there, with their numbers."""
        return {name: count for name, count in asdict(self).items() if count}

    def __len__(self) -> int:
        """Return how many dice should lie in the tray."""
        return sum(astuple(self))

    def __add__(self, other: Pool) -> Pool:
        return Pool(**dict(zip(DICE, map(operator.add, astuple(self), astuple(other)), strict=True)))

    def __mul__(self, times: int) -> Pool:
        return Pool(**{name: times * count for name, count in self.counts().items()})

    def upgrade(self, side: str, times: int = 1) -> Pool:
        """Turn low dice of a side into high ones; where none is left, add one (S002 step 4, S004).

        :param side: ``"ability"`` or ``"difficulty"``.
        """
        low, high = self._side(side, times)
        turned = min(times, low)
        added, more = divmod(times - turned, 2)
        # Each pair of further upgrades adds a low die and turns it at once; a single one leaves it low.
        return self._with(side, low - turned + more, high + turned + added)

    def downgrade(self, side: str, times: int = 1) -> Pool:
        """Turn high dice of a side into low ones. What finds no high die is lost (published rule, not in S000)."""
        low, high = self._side(side, times)
        turned = min(times, high)
        return self._with(side, low + turned, high - turned)

    def remove(self, dice: Pool) -> Pool:
        """Take dice out, as far as they are there."""
        return Pool(**{name: max(count - getattr(dice, name), 0) for name, count in self.counts().items()})

    def _side(self, side: str, times: int) -> tuple[int, int]:
        if side not in UPGRADED:
            raise GameError(f"{side!r} is no side of a pool", where="pool", hint=did_you_mean(side, UPGRADED))
        if times < 0:
            raise GameError(f"{times} times", where="pool", hint="A pool is changed 0 times or more.")
        return getattr(self, side), getattr(self, UPGRADED[side])

    def _with(self, side: str, low: int, high: int) -> Pool:
        return replace(self, **{side: low, UPGRADED[side]: high})


DICE: tuple[str, ...] = Pool.__struct_fields__


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A characteristic with the ranks of a skill; 0 ranks when untrained."""

    characteristic: int
    skill: int = 0

    def __post_init__(self) -> None:
        for name, value in (("characteristic", self.characteristic), ("skill", self.skill)):
            if value < 0:
                raise GameError(f"{name} is {value}", where="rating", hint="Ratings start at 0.")

    @property
    def dice(self) -> tuple[int, int]:
        """Low and high dice: the larger number of dice, the smaller of them upgraded (S000 Basic dice pool)."""
        few, many = sorted((self.characteristic, self.skill))
        return many - few, few

    def pool(self) -> Pool:
        """Return the positive side."""
        low, high = self.dice
        return Pool(ability=low, proficiency=high)

    def opposing(self) -> Pool:
        """Return the negative side that an opponent of this rating puts up (S002 Difficulty; S004 Defense)."""
        low, high = self.dice
        return Pool(difficulty=low, challenge=high)


def combined(ratings: Iterable[Rating]) -> Rating:
    """Return the rating of one check on several skills: lowest characteristic, lowest skill (S000)."""
    parts = tuple(ratings)
    if not parts:
        raise GameError("no skill was given", where="combined check", hint="Give at least one skill.")
    return Rating(
        characteristic=min(part.characteristic for part in parts),
        skill=min(part.skill for part in parts),
    )


def level_pool(level: str) -> Pool:
    """Return the difficulty dice of a level, or raise :class:`GameError`."""
    if level not in LEVELS:
        raise GameError(f"no difficulty {level!r}", where="pool", hint=did_you_mean(level, LEVELS))
    return Pool(difficulty=LEVELS[level])


def range_level(attack: str, band: str, *, ruleset: str = "core") -> str:
    """Return the level of an attack: ``"ranged"`` by its range, ``"melee"`` only while engaged (S000, S002)."""
    if ruleset not in RULESETS:
        raise GameError(f"no ruleset {ruleset!r}", where="range", hint=did_you_mean(ruleset, RULESETS))
    if attack == "melee" and band == "engaged":
        return _ENGAGED[ruleset]
    if attack == "ranged" and band in _RANGES:
        return _RANGES[band]
    hint = f"Ranged attacks know {', '.join(_RANGES)}; melee attacks only engaged."
    raise GameError(f"no {attack} attack at range {band!r}", where="range", hint=hint)
