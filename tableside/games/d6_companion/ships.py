"""D6 with dice codes, starships and mounted weapons: astrogation, evasion, shields, damage, beams and ranges.

Source of every number: the rules supplement (S003). Marks such as I8 and O4 name the readings of unclear points in
the project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from tableside.errors import BadAsk
from tableside.games.d6_companion.ask import Ask
from tableside.games.d6_companion.charts import BY_DAMAGE, WEAPON_RANGES, Ranges, weapon_class
from tableside.games.d6_companion.lasts import lasting
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.games.d6_companion.sources import companion_step
from tableside.rules.form import choice, flag, number
from tableside.rules.game import Outcome
from tableside.rules.people import Effect
from tableside.words import say


class Astrogation(Ask):
    """What astrogation is asked for besides."""

    purposes = ("astrogation",)

    hours: int | None = number("Usual hours of the journey", "astrogation", default=None, most=9999)
    hours_saved: int = number(
        "Hours saved",
        "astrogation",
        least=-999,
        most=999,
        help="Each is 1 more difficult; below 0 it takes longer and is easier.",
    )
    navigation: str = choice(
        "By what",
        {
            "computer": "A nav computer",
            "none": "Without a nav computer",
            "instinct": "Instinctive astrogation in its place",
        },
        "astrogation",
        default="computer",
    )


class TractorBeam(Ask):
    """What breaking free is asked for besides."""

    purposes = ("tractor_beam",)

    overspeed_done: int = number(
        "Overspeed actions that succeeded",
        "tractor_beam",
        most=20,
        help="Each is a die more against the beam.",
        builds_dice=True,
    )


class Shields(Ask):
    """What shields are asked for besides."""

    purposes = ("shields",)

    increased: bool = flag(
        "A facing with more power", "capital_shields", help="The code that is added doubles for a round."
    )


LEAST_HOURS = 1
EVASION_DISTURBS = 5
"""Most that a full evasion disturbs other actions and the shields."""

DEAD_CONTROLS_PENALTY = 3
"""Ionization in dice in the round after the one without controls."""

NO_NAV_COMPUTER, BY_INSTINCT = "very_difficult", "very_easy"
"""Difficulty of astrogation without a nav computer, and with instinctive astrogation in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamageRow:
    """A row of the damage chart: damage is at least, or more than, so many halves of the hull (I8).

    :ivar comparison: as the chart prints it.
    """

    comparison: str
    halves: int
    ion_cannon: str
    other_attack: str

    def condition(self, *, strict: bool) -> str:
        """Return what is true of damage and hull where this row counts; as printed, a tie is in no row."""
        if not strict:
            return self.comparison.replace(">", ">=")
        return "DR<=SR" if self.comparison == "DR<SR" else self.comparison


SHIP_DAMAGE = (
    ShipDamageRow(comparison="2xDR<SR", halves=0, ion_cannon="no_effect", other_attack="no_effect"),
    ShipDamageRow(comparison="DR<SR", halves=1, ion_cannon="lose_shield_generator", other_attack="lightly_damaged"),
    ShipDamageRow(comparison="DR>SR", halves=2, ion_cannon="ionized_1D", other_attack="heavily_damaged"),
    ShipDamageRow(comparison="DR>2xSR", halves=4, ion_cannon="ionized_2D", other_attack="severely_damaged"),
    ShipDamageRow(comparison="DR>3xSR", halves=6, ion_cannon="dead_controls", other_attack="destroyed"),
)


_SHIELD_WORDS = {
    "hit_shields_add_to_hull": "It hits, and the shields add to the hull",
    "hit_hull_only": "It hits through the shields, and the hull alone resists",
}


def ranges_of(given: Ask) -> Ranges | None:
    """Return the bands of the mounted weapon, ``None`` where there is none."""
    mounted = given.mounted
    if not mounted:
        return None
    if mounted in BY_DAMAGE:
        damage = given.gun_damage
        if damage is None:
            hint = "Light, medium and heavy reach differently."
            raise BadAsk("the gun has no damage code", where="mounted weapon", hint=hint)
        return WEAPON_RANGES[mounted, weapon_class(damage)]
    mount, _, weapon = mounted.partition("_")
    return WEAPON_RANGES[mount, weapon]


def range_band(given: Ask) -> str:
    """Return the range of a shot with a mounted weapon by the distance, ``""`` where neither is known.

    :raises BadAsk: out of range.
    """
    ranges, metres = ranges_of(given), given.metres
    if ranges is None or metres is None:
        return ""
    band = ranges.band(metres)
    if band is None:
        least, most = ranges.short[0], (ranges.long or ranges.short)[1]
        hint = say("It reaches from {least} to {most} m.", least=least, most=most)
        raise BadAsk("{n} m is out of range", n=metres, where="mounted weapon", hint=hint)
    return band


def evasion_more(given: Ask) -> tuple[int, int]:
    """Return what a full evasion of one's own ship adds to a difficulty on board, and to a roll of its shields."""
    roll = given.own_evasion
    disturbed = min(EVASION_DISTURBS, roll)
    match given.aboard:
        case "gunner":
            return roll, 0
        case "shields":
            return 0, -disturbed
    return disturbed, 0


def ship_damage_row(damage: int, hull: int, *, strict: bool = False) -> ShipDamageRow:
    """Return the row of the chart, read from the bottom up.

    :param strict: damage must be more than the hull and its multiples, as printed, where the other charts ask for as
        much (I8). Damage of just half the hull is not less than half in either reading.
    """
    for row in reversed(SHIP_DAMAGE):
        is_more = 2 * damage > row.halves * hull
        if is_more or (2 * damage == row.halves * hull and not (strict and row.halves > 1)):
            return row
    return SHIP_DAMAGE[0]


def light_damage_effect(*, shields_effective: bool) -> str:
    """Return what light damage does: it costs a shield generator, or ionizes a ship whose shields did not work."""
    return "lose_shield_generator" if shields_effective else "ionized_1D"


def hours_of(given: Astrogation) -> int | None:
    """Return how long a journey takes, ``None`` where nobody gave its usual hours.

    :raises BadAsk: where less than an hour would be left.
    """
    hours, saved = given.hours, given.hours_saved
    if hours is None:
        return None
    if saved > (most := max(hours - LEAST_HOURS, 0)):
        hint = say("One hour always remains: save at most {n}.", n=most)
        raise BadAsk("{n} hours saved of {hours}", n=saved, hours=hours, where="astrogation", hint=hint)
    return hours - saved


def _journey(outcome: Outcome, total: int, given: Astrogation) -> Outcome:
    hours = hours_of(given)
    if not outcome.succeeded or hours is None:
        return outcome
    return said_too(outcome, say("The journey takes {n} {n:hour|hours}", n=hours), "astrogation")


def _navigation(given: Astrogation) -> str:
    return {"none": NO_NAV_COMPUTER, "instinct": BY_INSTINCT}.get(given.navigation, "")


def _count_evasion(outcome: Outcome, total: int, given: Ask) -> Outcome:
    """Return what a full evasion does to one's own ship; a combat evasion disturbs nobody."""
    if not given.full_reaction:
        return outcome
    roll = max(total, 0)
    pattern = "On board the gunners' difficulty is {roll} higher, of all else {n}; shield rolls lose {n}"
    words = say(pattern, roll=roll, n=min(EVASION_DISTURBS, roll))
    text = say("Full evasion, {roll}", roll=roll)
    return said_too(
        outcome, words, "evasion_side_effects", Effect(lasts=lasting("evasion", roll), on="roller", words=text)
    )


def _count_shields(outcome: Outcome, total: int, given: Ask) -> Outcome:
    words = say("Shields up, {n}", n=total)
    return said_too(
        outcome, words, "shields", Effect(lasts=lasting("shields", max(total, 0)), on="roller", words=words)
    )


def met_shields(outcome: Outcome, total: int, given: Ask) -> Outcome:
    """Return the outcome of an attack with what it meets: below difficulty and shields together the shields, too."""
    if given.shields is None or outcome.difficulty is None or not outcome.succeeded:
        return outcome
    number = outcome.difficulty + (given.shields or 0)
    words = _SHIELD_WORDS["hit_shields_add_to_hull" if total < number else "hit_hull_only"]
    step = companion_step(say("Shields: {n} is the number to get through.", n=number), "shields")
    found = said_too(outcome, words, "shields")
    return replace(found, steps=(*outcome.steps, step, *found.steps[len(outcome.steps) :]))


def _broke_free(outcome: Outcome, total: int, given: Ask) -> Outcome:
    if outcome.succeeded is None:
        return outcome
    words = "The ship breaks free" if outcome.succeeded else "The beam holds, and the larger ship drags the smaller"
    held = Effect(tracker="held", set=int(not outcome.succeeded), on="roller", words=words)
    return said_too(outcome, words, "tractor_beam", held)


PURPOSES: Purposes = {
    "evasion": Purpose(part="pilot", does=_count_evasion),
    "shields": Purpose(part="shields", does=_count_shields),
    "tractor_beam": Purpose(is_opposed=True, part="engines", does=_broke_free),
    "astrogation": Purpose(band=_navigation, needs=hours_of, does=_journey),
}
