"""D6 with dice codes: what a successful Force power yields, and atonement.

Source of every number: the rules supplement (S003), restated under "power results" in the project's rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tableside.errors import GameError, did_you_mean
from tableside.rules.d6.outcome import plain_words
from tableside.rules.d6_companion.force import (
    DIMMED_SENSES,
    FARSEEN,
    INFLICTED_PAIN,
    POSTCOGNITION,
    emptiness_bonus,
    injury,
)
from tableside.rules.d6_companion.rolls import multiple

HEALING_ROLLS, HEALING_BONUS = 2, 2
"""Accelerated healing: so many rolls or medpacs a day, and what each gains; the second medpac is no harder."""

CONSCIOUS_PENALTY, CONSCIOUS_ROUNDS = 1, 1
"""Remaining conscious: as if wounded, for a round, and not twice in a row."""

ASTROGATION_BAND = "very_easy"
"""Instinctive astrogation takes the place of a nav computer; without either it is very difficult."""

ATONED_AN_ADVENTURE = 1


def farseen(total: int, difficulty: int, *, future: bool = False) -> str | None:
    """Return how much of what is seen is right, ``None`` for a failure."""
    times = min(multiple(total, difficulty, strict=False), max(FARSEEN))
    return FARSEEN[times][int(future)] if times else None


def postcognition(total: int, difficulty: int) -> str | None:
    """Return how clear the past is, ``None`` where the total is not more than the difficulty."""
    if total <= difficulty:
        return None
    return POSTCOGNITION[min(multiple(total, difficulty, strict=False), max(POSTCOGNITION))]


def dimmed_dice(total: int, target: int) -> int:
    """Return the dice that the target's Perception, hiding and searching lose."""
    return DIMMED_SENSES.get(min(multiple(total, target, strict=False), max(DIMMED_SENSES)), 0)


def inflicted_pain(total: int, target: int) -> str | None:
    """Return what the pain does, ``None`` for nothing."""
    return INFLICTED_PAIN.get(min(multiple(total, target, strict=False), max(INFLICTED_PAIN)))


def thoughts_read(total: int, difficulty: int) -> str | None:
    """Return what receptive telepathy finds."""
    times = multiple(total, difficulty, strict=False)
    return "deeper search" if times >= 2 else "thoughts" if times else None


AGAINST: Mapping[str, Callable[[int, int], object]] = MappingProxyType(
    {
        "farseeing": farseen,
        "postcognition": postcognition,
        "dim other's senses": dimmed_dice,
        "inflict pain": inflicted_pain,
        "injure/kill": injury,
        "telekinetic kill": injury,
        "receptive telepathy": thoughts_read,
    }
)
"""Powers whose result grows with the total against a difficulty or the target's roll."""

ON_SUCCESS: Mapping[str, str] = MappingProxyType(
    {
        "accelerate healing": f"{HEALING_ROLLS} healing rolls or medpacs in the day, +{HEALING_BONUS} to each",
        "remain conscious": f"{CONSCIOUS_ROUNDS} round as if wounded, -{CONSCIOUS_PENALTY}D; not twice in a row",
        "absorb/dissipate energy": "no damage from that kind of energy all round",
        "instinctive astrogation": f"astrogation without a nav computer is {ASTROGATION_BAND.replace('_', ' ')}",
        "transfer force": "the target stays alive in hibernation, without survival rolls; it costs a Force Point",
    }
)
"""Powers that do one thing."""


def power_yield(power: str, total: int, against: int) -> str:
    """Say what a power yields at this total against a difficulty or the target's roll."""
    if power in AGAINST:
        found = AGAINST[power](total, against)
        if power == "dim other's senses" and found:
            return f"Perception, hiding and searching lose {found}D"
        return plain_words(str(found)) if found else "nothing"
    if power in ON_SUCCESS:
        return ON_SUCCESS[power] if total >= against else "nothing"
    hint = did_you_mean(power, [*AGAINST, *ON_SUCCESS])
    raise GameError(f"no result is printed for {power!r}", where="Force powers", hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emptiness:
    """A character in emptiness.

    :ivar entry_total: the roll that entered it; it is added to Sense difficulties of powers used on the character,
        or to Alter where there is no Sense.
    """

    entry_total: int
    hours: int
    dark_side_points: int = 0

    def guarded(self, difficulties: Mapping[str, int]) -> dict[str, int]:
        """Return the difficulties of a power that is used on the character."""
        skill = "sense" if "sense" in difficulties else "alter"
        return {name: number + (self.entry_total if name == skill else 0) for name, number in difficulties.items()}

    def bonus_after(self) -> tuple[int, int]:
        """Return what is added to Force rolls after leaving, and for how many hours."""
        return emptiness_bonus(self.dark_side_points), self.hours


def atoned(dark_side_points: int, *, force_point_spent: bool, atoned_already: int = 0) -> int:
    """Return the Dark Side Points left: one goes for a Force Point spent while atoning, once an adventure."""
    goes = force_point_spent and atoned_already < ATONED_AN_ADVENTURE
    return max(dark_side_points - int(goes), 0)
