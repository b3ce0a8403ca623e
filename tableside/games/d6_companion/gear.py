"""D6 with dice codes, equipment: what an improvement costs and whether it works.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import BadAsk
from tableside.games.d6_companion.ask import Ask
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.games.d6_companion.rolls import improved
from tableside.rules.code import Code
from tableside.rules.form import choice, flag
from tableside.rules.form import code as dice_code
from tableside.rules.game import Outcome
from tableside.rules.people import Effect
from tableside.words import say

ENHANCING_EXTRA = 3
"""Skill points more for a pip of a code that is added to a character's own."""

_DIFFICULTIES = ("very_easy", "easy", "moderate", "difficult", "very_difficult")


_TIMES: Mapping[str, str] = {
    "day": "{n} {n:day|days}",
    "week": "{n} {n:week|weeks}",
    "month": "{n} {n:month|months}",
}


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
        return say(_TIMES[self.unit], n=self.count)


PRICES: Mapping[str, Price] = {
    "character": Price(count=1, unit="day", credits=10),
    "speeder": Price(count=3, unit="day", credits=100),
    "walker": Price(count=3, unit="day", credits=500),
    "starfighter": Price(count=1, unit="week", credits=500),
    "capital": Price(count=1, unit="month", credits=1_000_000),
    "death_star": Price(count=2, unit="month", credits=1_000_000_000),
}


class Technology(Ask):
    """What a technology roll is asked for besides."""

    purposes = ("technology",)

    device: Code | None = dice_code("The device's code now", "equipment_cost")
    original: Code | None = dice_code("Its original code", "technology_roll", help="Where it was improved before.")
    device_scale: str = choice("Its scale", tuple(PRICES), "equipment_cost", default="character")
    enhancing: bool = flag(
        "It is added to a code of its user",
        "equipment_cost",
        help="Such as speed, fire control, maneuver, shields or armor.",
    )
    dexterity_kept: bool = flag("Armor that costs no Dexterity", "equipment_cost")
    hired: bool = flag("Done by hired specialists", "equipment_cost")


def pip_points(code: Code, *, enhancing: bool, dexterity_kept: bool) -> int:
    """Return the skill points for the next pip: the dice of the code, but at least one.

    :param dexterity_kept: the Dexterity that armor costs is bought back at the same price.
    """
    points = max(code.dice, 1) + (ENHANCING_EXTRA if enhancing else 0)
    return points * 2 if dexterity_kept else points


def pip_number(original: Code, code: Code) -> int:
    """Return which pip above the original code the next one is."""
    return 3 * (code.dice - original.dice) + code.pips - original.pips + 1


def _device(given: Technology) -> Code:
    code = given.device
    if code is None:
        raise BadAsk("the device has no code", where="technology", hint="Say what it has now, such as 4D.")
    return code


def _band(given: Technology) -> str:
    """Return how difficult the technology roll for the next pip is, by its number above the original code."""
    code = _device(given)
    number = pip_number(given.original or code, code)
    return _DIFFICULTIES[min(max(number, 1), len(_DIFFICULTIES)) - 1]


def _count_technology(outcome: Outcome, total: int, given: Technology) -> Outcome:
    """Return what the pip costs, which is paid before the roll, and whether it works."""
    if outcome.succeeded is None:
        return outcome
    code, price = _device(given), PRICES[given.device_scale]
    points = pip_points(code, enhancing=given.enhancing, dexterity_kept=given.dexterity_kept)
    large = given.device_scale in ("capital", "death_star")
    credits = points * price.credits * (2 if given.hired and not large else 1)
    cost = say("{n} skill {n:point|points}, {credits} credits, {time}", n=points, credits=credits, time=price.time)
    after = str(improved(code, Code(pips=1)))
    pattern = "It works: {code} for {cost}" if outcome.succeeded else "Wasted: {cost}; it stays at {code}"
    words = say(pattern, code=after if outcome.succeeded else str(code), cost=cost)
    paid = Effect(tracker="character_points", change=-points, on="roller", words=cost)
    return said_too(outcome, words, "technology_roll", paid)


PURPOSES: Purposes = {"technology": Purpose(band=_band, needs=_device, does=_count_technology)}
