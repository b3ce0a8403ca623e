"""D6 with dice codes, capital ships: crews, many guns, damage in pips, command, aimed fire.

Source of every number: the rules supplement (S003). Marks such as I9 name the readings of unclear points in the
project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code, code_words, pips_words

CREWS: Mapping[str, tuple[tuple[str, str], tuple[str, str | None]]] = {
    "recruit": (("3D", "3D"), ("2D", "3D+2")),
    "average": (("3D+1", "4D"), ("4D", "5D")),
    "veteran": (("4D+1", "5D+2"), ("5D+1", "6D")),
    "elite": (("6D", "6D+2"), ("6D+1", "7D")),
    "hand_picked_elite": (("7D", "8D"), ("7D+1", None)),
}
"""Lowest and highest crew codes, imperial and rebel; the best rebels reach a player's character."""

GUNS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60, 90, 120, 180, 250)
"""Each of these numbers of guns adds a pip to the one before, but for the first, which adds none, and the second."""

MOST_MULTIPLE = 9
PIPS_A_DIE = 3
DESTROYED_PIPS = 9
_STATES = ((DESTROYED_PIPS, "destroyed"), (6, "severely_damaged"), (3, "heavily_damaged"))

HASTE_ORDER_DICE = 1
UNCOMMANDED_PENALTY = 1
TACTICS: Mapping[str, tuple[str, str]] = {
    "anticipate": ("moderate", "one free haste action for the ship"),
    "deceive": ("difficult", "may redeclare actions"),
}
"""Difficulty of a use of tactics, and what it gives."""

WEAPON_STATES: Mapping[int, str] = {
    1: "-1D fire control",
    2: "out of action until repaired",
    3: "destroyed",
}
"""What points of counter-battery fire do to a weapon."""

SWARM_STATES: Mapping[int, str] = {
    1: "heavily_damaged",
    2: "severely_damaged",
    3: "destroyed",
}
"""What they do to a starfighter of a swarm."""

SHUT_DOWN_DIFFICULTY, SHUT_DOWN_PENALTY = "moderate", 1
INCREASE_DIFFICULTY, INCREASE_PENALTY, INCREASE_ROUNDS = "difficult", 1, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What aiming at a part changes, in dice.

    :ivar penetrated: the change of damage holds only where the shields are penetrated or gone.
    """

    hit: int = 0
    damage: int = 0
    penetrated: bool = False
    hull: int = 0


AIMS: Mapping[str, Aim] = {
    "hull": Aim(),
    "sublight_engines": Aim(hit=-2),
    "maneuver": Aim(hit=-3, damage=1, penetrated=True),
    "fire_control": Aim(hit=-4, damage=2, penetrated=True),
    "weapon_beam": Aim(hit=-3),
    "weapon_missile": Aim(hit=-2, damage=-1),
    "command": Aim(hit=-4),
    "vital_location": Aim(hit=-2, hull=-1),
}


def aimed(target: str, vital_levels: int = 0) -> Aim:
    """Return what aiming changes; vital locations add to any target, themselves included."""
    if target not in AIMS:
        raise GameError(f"no target {target!r}", where="aimed attack", hint=did_you_mean(target, AIMS))
    aim, vital = AIMS[target], AIMS["vital_location"]
    return Aim(
        hit=aim.hit + vital.hit * vital_levels,
        damage=aim.damage,
        penetrated=aim.penetrated,
        hull=aim.hull + vital.hull * vital_levels,
    )


def guns_modifier(guns: int) -> Code:
    """Return what so many guns add; numbers between rows take the row below, above 250 the last (I9)."""
    if guns < 1:
        raise GameError(f"{guns} guns", where="attack", hint="At least one gun fires.")
    row = sum(1 for least in GUNS if least <= guns) - 1
    # 0, +2, 1D, 1D+1, 1D+2, 2D, ...: a pip a row, but the step to two guns is two.
    dice, pips = divmod(row + 1 if row else 0, 3)
    return Code(dice=dice, pips=pips)


def hit_code(fire_control: Code, crew: Code, modifier: Code) -> Code:
    """Return the code to hit."""
    return fire_control.plus(crew.dice, crew.pips).plus(modifier.dice, modifier.pips)


def damage_code(weapon: Code, modifier: Code) -> Code:
    """Return the damage of one's own guns."""
    return weapon.plus(modifier.dice, modifier.pips)


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


def ship_state(damage_pips: int) -> str | None:
    """Return the state of a ship with so many pips of damage, ``None`` below three."""
    return next((state for least, state in _STATES if damage_pips >= least), None)


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


def boxes(code: Code, row: int) -> tuple[int, int]:
    """Return the open and the blacked boxes of a row on the ship's record, three to a die."""
    opened = 3 * code.dice + code.pips
    if not 0 <= opened <= row:
        raise GameError(f"{code} on {row} boxes", where="ship record", hint="The row is too short.")
    return opened, row - opened


def shared_points(damage_pips: int, guns: int, weapons: int) -> tuple[int, ...]:
    """Return the points of counter-battery fire on each named weapon, as evenly as they can be shared."""
    if weapons < 1:
        raise GameError("no weapon was named", where="counter-battery fire", hint="Name at least one.")
    each, more = divmod(damage_pips * guns, weapons)
    return tuple(each + (place < more) for place in range(weapons))


def point_state(points: int, states: Mapping[int, str]) -> str | None:
    """Return what points do, by ``WEAPON_STATES`` or ``SWARM_STATES``; ``None`` for none."""
    return states[min(points, max(states))] if points > 0 else None


def ram_code(hull: Code, speed_actions: int) -> Code:
    """Return the damage that a ship throws when ships ram."""
    return hull.plus(speed_actions)


def increased_shield(code: Code) -> Code:
    """Return the doubled code of a facing whose power was increased."""
    return code.times(2)
