"""D6 with dice codes, equipment and droids: what an improvement costs and whether it works.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code
from tableside.rules.d6_companion.rolls import improved

ENHANCING_EXTRA = 3
"""Skill points more for a pip of a code that is added to a character's own."""

_DIFFICULTIES = ("very_easy", "easy", "moderate", "difficult", "very_difficult")

HYPERDRIVES: Mapping[tuple[str, str], int] = {
    ("x4", "x3"): 5,
    ("x3", "x2"): 10,
    ("x2", "x1"): 20,
    ("x1", "x1/2"): 40,
}
"""Skill points of each step of a hyperdrive's multiplier."""

DROID_ATTRIBUTE, DROID_SPEED, DROID_ARMOR = 5, 3, 3
"""Building dice for a die of a droid's attribute, of speed above Dexterity, and of armor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What an improvement costs at a scale.

    :ivar count: how many units of time a pip takes.
    """

    count: int
    unit: str
    credits: int

    @property
    def time(self) -> str:
        return f"{self.count} {self.unit}{'' if self.count == 1 else 's'}"


PRICES: Mapping[str, Price] = {
    "character": Price(count=1, unit="day", credits=10),
    "speeder": Price(count=3, unit="day", credits=100),
    "walker": Price(count=3, unit="day", credits=500),
    "starfighter": Price(count=1, unit="week", credits=500),
    "capital": Price(count=1, unit="month", credits=1_000_000),
    "death_star": Price(count=2, unit="month", credits=1_000_000_000),
}


def find_price(scale: str) -> Price:
    """Return the price at a scale, or raise :class:`GameError`."""
    if scale not in PRICES:
        raise GameError(f"no scale {scale!r}", where="game d6-companion", hint=did_you_mean(scale, PRICES))
    return PRICES[scale]


def improvement_points(code: Code, pips: int, *, enhancing: bool = False, dexterity_kept: bool = False) -> int:
    """Return the skill points for more pips: for each, the dice of the code as it then is, but at least one.

    :param dexterity_kept: the Dexterity that armor costs is bought back at the same price.
    """
    if pips < 1:
        raise GameError(f"{pips} pips", where="improvement", hint="Buy at least one.")
    steps = (improved(code, Code(pips=step)) for step in range(pips))
    points = sum(max(step.dice, 1) + (ENHANCING_EXTRA if enhancing else 0) for step in steps)
    return points * 2 if dexterity_kept else points


def pip_number(original: Code, code: Code) -> int:
    """Return which pip above the original code the next one is."""
    return 3 * (code.dice - original.dice) + code.pips - original.pips + 1


def technology_band(number: int) -> str:
    """Return how difficult the technology roll for a pip is, by its number above the original code."""
    if number < 1:
        raise GameError(f"pip {number}", where="technology roll", hint="The first pip above the original is 1.")
    return _DIFFICULTIES[min(number, len(_DIFFICULTIES)) - 1]


def hyperdrive_points(before: str, after: str) -> int:
    """Return the skill points of one step of a hyperdrive's multiplier."""
    if (before, after) not in HYPERDRIVES:
        known = ", ".join(f"{a} to {b}" for a, b in HYPERDRIVES)
        raise GameError(f"no step {before} to {after}", where="hyperdrive", hint=f"The steps are {known}.")
    return HYPERDRIVES[before, after]
