"""D6 with dice codes, capital ships: crews, many guns, damage in pips, command, aimed fire.

Source of every number: the rules supplement (S003). Marks such as I9 name the readings of unclear points in the
project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import BadAsk
from tableside.games.d6.outcome import plain_words
from tableside.games.d6_companion.ask import Ask
from tableside.games.d6_companion.charts import AIMS, DESTROYED_PIPS, FACINGS, POINTED, Aim
from tableside.games.d6_companion.lasts import lasting
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.rules.code import Code, code_words, pips_words
from tableside.rules.form import choice, number
from tableside.rules.game import Outcome
from tableside.rules.people import Effect
from tableside.words import say


class IncreaseShield(Ask):
    """What more power for a facing is asked for besides."""

    purposes = ("increase_shield",)

    facings_lost: int = number("Facings lost", "capital_shields", most=FACINGS, filled_by="card")


class Tactics(Ask):
    """What tactics are asked for besides."""

    purposes = ("tactics",)

    tactic: str = choice(
        "Tactic",
        {"anticipate": "Anticipate the enemy", "deceive": "Deceive the enemy"},
        "starship_tactics",
        default="anticipate",
    )


GUNS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60, 90, 120, 180, 250)
"""Each of these numbers of guns adds a pip to the one before, but for the first, which adds none, and the second."""

MOST_MULTIPLE = 9
PIPS_A_DIE = 3
STATES = ((3, "heavily_damaged"), (6, "severely_damaged"), (DESTROYED_PIPS, "destroyed"))
"""The states of a ship, from so many pips of damage on."""

TACTICS: Mapping[str, tuple[str, str]] = {
    "anticipate": ("moderate", "one free haste action for the ship"),
    "deceive": ("difficult", "may redeclare actions"),
}
"""Difficulty of a use of tactics, and what it gives."""


SHUT_DOWN_DIFFICULTY, SHUT_DOWN_PENALTY = "moderate", 1
INCREASE_DIFFICULTY = "difficult"


def guns_modifier(guns: int) -> Code:
    """Return what so many guns add; numbers between rows take the row below, above 250 the last (I9)."""
    row = sum(1 for least in GUNS if least <= guns) - 1
    # 0, +2, 1D, 1D+1, 1D+2, 2D, ...: a pip a row, but the step to two guns is two.
    dice, pips = divmod(row + 1 if row else 0, 3)
    return Code(dice=dice, pips=pips)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapitalDamage:
    """What an attack did: pips of ship damage or of a shield, or dice of ionization from ion guns.

    :ivar comparison: which row of the chart it is, of damage and hull.
    """

    comparison: str
    pips: int = 0
    shield_pips: int = 0
    ion_dice: int = 0


def capital_damage(damage: int, hull: int) -> CapitalDamage:
    """Return the damage by how often its total holds the hull's."""
    times = max((n for n in range(1, MOST_MULTIPLE + 1) if damage >= n * hull), default=0)
    if times:
        return CapitalDamage(comparison=f"DR>={f'{times}x' if times > 1 else ''}HR", pips=times, ion_dice=times)
    if 2 * damage >= hull:
        return CapitalDamage(comparison="DR<HR", shield_pips=1)
    return CapitalDamage(comparison="2xDR<HR")


def damage_modifier(damage_pips: int) -> Code:
    """Return what a damaged ship loses on every operation, as dice and pips: each pip of damage costs a pip."""
    dice, pips = divmod(damage_pips, PIPS_A_DIE)
    return Code(dice=dice, pips=pips)


def modifier_words(damage_pips: int) -> str:
    """Return what a damaged ship loses in words: ``"-1 pip"``, ``"-1D"``, ``"-1D-1"``, ``"0"`` for nothing."""
    lost = damage_modifier(damage_pips)
    if not lost.dice:
        return pips_words(-lost.pips) if lost.pips else "0"
    return f"-{code_words(lost.dice, -lost.pips)}"


def boxes(code: Code) -> int:
    """Return the open boxes of a code's row on the ship's record, three to a die."""
    return PIPS_A_DIE * code.dice + code.pips


def shared_points(damage_pips: int, guns: int, weapons: int) -> tuple[int, ...]:
    """Return the points of counter-battery fire on each named weapon, as evenly as they can be shared."""
    each, more = divmod(damage_pips * guns, weapons)
    return tuple(each + (place < more) for place in range(weapons))


def facing_steps(facing: int, other: int) -> int:
    """Return how many reserved speed actions it takes to turn another facing, 0 to 5, to the one opponent."""
    half = FACINGS // 2
    apart = min((other - facing) % FACINGS, (facing - other) % FACINGS)
    return half - 1 if apart == half else apart


PARTS: Mapping[str, str] = {
    "hull": "capital_damage",
    "vital_location": "capital_damage",
    "sublight_engines": "sublight_damage",
    "maneuver": "maneuver_damage",
    "fire_control": "fire_control_damage",
}
"""The tracker that takes the pips of a hit on each part."""


def aimed_dice(given: Ask) -> tuple[int, str]:
    """Return the dice that aiming changes on this roll, and at what."""
    purpose, vital = given.purpose, given.vital
    aim = AIMS.get(given.aim, Aim())
    name = plain_words(given.aim or "vital_location")
    match purpose:
        case "check":
            return aim.hit + AIMS["vital_location"].hit * vital, name
        case "hull":
            return AIMS["vital_location"].hull * vital, plain_words("vital_location")
        case "capital_damage" | "capital_ion_damage" if given.penetrated or not aim.penetrated:
            return aim.damage, name
    return 0, ""


def guns_of(given: Ask) -> int:
    """Return the guns that count for the modifier of this roll: those of other ships help to hit only."""
    own = given.guns
    return own + given.coordinated if own and given.purpose == "check" else own


def part_effects(pips: int, given: Ask) -> tuple[tuple[Effect, ...], tuple[str, ...]]:
    """Return what so many pips of damage do to the part that was aimed at, and what else is said of them."""
    aim = given.aim or "hull"
    if aim in POINTED:
        points = shared_points(pips, max(given.guns, 1), given.weapons)
        states = tuple(
            say("{n} with {points} {points:point|points}: {state}.", n=points.count(one), points=one,
                state=plain_words(POINTED[aim][min(one, max(POINTED[aim]))]))
            for one in sorted(set(points), reverse=True) if one
        )  # fmt: skip
        return (), states
    if aim == "command":
        words = say("{n} free haste against the confused enemy", n=pips)
        return (Effect(tracker="free_haste", change=pips, on="roller", words=words),), ()
    tracker = "shield_damage" if given.shields_worked else PARTS[aim]
    pattern = "{n} {n:pip|pips} of damage to the {part}"
    part = "shields" if given.shields_worked else plain_words("hull" if aim == "vital_location" else aim)
    return (Effect(tracker=tracker, change=pips, words=say(pattern, n=pips, part=part)),), ()


def _tactic(given: Tactics) -> str:
    return TACTICS[given.tactic][0]


def _count_tactics(outcome: Outcome, total: int, given: Tactics) -> Outcome:
    if not outcome.succeeded:
        return outcome
    tactic = given.tactic
    words = say("{^words}", words=TACTICS[tactic][1])
    free = (Effect(tracker="free_haste", change=1, on="roller", words=words),) if tactic == "anticipate" else ()
    return said_too(outcome, words, "starship_tactics", *free)


def _shut_down(outcome: Outcome, total: int, given: Ask) -> Outcome:
    if not outcome.succeeded:
        return outcome
    words = "A facing is lost in place of a shield pip, until it is repaired"
    return said_too(
        outcome, words, "capital_shields", Effect(tracker="facings_lost", change=1, on="roller", words=words)
    )


def _another_facing(given: IncreaseShield) -> None:
    if given.facings_lost >= FACINGS - 1:
        hint = "With one facing left no power can be moved."
        raise BadAsk("{n} facings are lost", n=given.facings_lost, where="shields", hint=hint)


def _count_shield(outcome: Outcome, total: int, given: IncreaseShield) -> Outcome:
    if not outcome.succeeded:
        return outcome
    words = "One facing is burnt out; another has twice its code this round, and other shield rolls lose 1D"
    strained = (Effect(lasts=lasting("strained")),)
    lost = Effect(tracker="facings_lost", change=1, on="roller", words=words, also=strained)
    return said_too(outcome, words, "capital_shields", lost)


PURPOSES: Purposes = {
    "hull": Purpose(part="hull"),
    "capital_ram": Purpose(),
    "tactics": Purpose(band=_tactic, does=_count_tactics),
    "shut_down_shield": Purpose(part="shields", band=lambda _: SHUT_DOWN_DIFFICULTY, does=_shut_down),
    "increase_shield": Purpose(
        part="shields",
        band=lambda _: INCREASE_DIFFICULTY,
        needs=_another_facing,
        does=_count_shield,
    ),
}
