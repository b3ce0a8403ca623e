"""D6 with dice codes, starships and mounted weapons: astrogation, evasion, shields, damage, beams and ranges.

Source of every number: the rules supplement (S003). Marks such as I8 and O4 name the readings of unclear points in
the project's rules, ``d6-companion.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code

LEAST_HOURS = 1
EVASION_DISTURBS = 5
"""Most that a full evasion disturbs other actions and the shields."""

DEAD_CONTROLS_PENALTY = 3
IONIZED_LASTS = "rest of this round and the next round"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipDamageRow:
    """A row of the damage chart: damage is at least, or more than, so many halves of the hull (I8).

    :ivar comparison: as the chart prints it.
    """

    comparison: str
    halves: int
    ion_cannon: str
    other_attack: str

    def told(self, *, strict: bool) -> str:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EvasionEffects:
    """What a full evasion does to one's own ship."""

    own_gunners: int = 0
    other_actions: int = 0
    shield_rolls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """Bands of a weapon in metres, each from and to."""

    short: tuple[int, int]
    medium: tuple[int, int] | None = None
    long: tuple[int, int] | None = None

    def band(self, metres: int) -> str | None:
        """Return ``"short"``, ``"medium"`` or ``"long"``, ``None`` out of range or too near."""
        for name, ends in (("short", self.short), ("medium", self.medium), ("long", self.long)):
            if ends is not None and ends[0] <= metres <= ends[1]:
                return name
        return None


def _ranges(least: int, short: int, medium: int, long: int, *, gap: int = 0) -> Ranges:
    return Ranges(short=(least, short), medium=(short + 1, medium), long=(medium + 1 - gap, long))


WEAPON_RANGES: Mapping[tuple[str, str], Ranges] = {
    ("speeder", "light"): _ranges(50, 300, 500, 1_000),
    ("speeder", "medium"): _ranges(50, 300, 800, 1_500),
    ("speeder", "heavy"): _ranges(50, 400, 900, 2_000),
    ("artillery", "light"): _ranges(10, 500, 2_000, 10_000),
    ("artillery", "medium"): _ranges(20, 600, 3_000, 16_000),
    ("artillery", "heavy"): _ranges(50, 600, 5_000, 25_000),
    ("starfighter", "blaster"): _ranges(200, 10_000, 20_000, 35_000),
    ("starfighter", "missiles"): _ranges(250, 4_000, 17_000, 30_000),
    ("starfighter", "laser_cannon"): _ranges(200, 5_000, 25_000, 50_000),
    ("starfighter", "ion_cannon"): _ranges(5, 5_000, 15_000, 75_000),
    ("starfighter", "proton_torpedoes"): Ranges(short=(500, 15_000)),
    # Medium ends and long begins as printed, although they overlap (O4).
    ("capital", "missiles"): _ranges(3_000, 25_000, 60_500, 125_000, gap=500),
    ("capital", "turbolaser"): _ranges(5_000, 30_000, 70_000, 150_000),
    ("capital", "ion_cannon"): _ranges(2_000, 20_000, 50_000, 100_000),
    ("capital", "tractor_beam"): _ranges(1_000, 10_000, 30_000, 60_000),
}


def weapon_ranges(mount: str, weapon: str) -> Ranges:
    """Return the bands of a weapon, or raise :class:`GameError`."""
    if (mount, weapon) not in WEAPON_RANGES:
        known = [" ".join(pair) for pair in WEAPON_RANGES]
        hint = did_you_mean(f"{mount} {weapon}", known)
        raise GameError(f"no weapon {weapon!r} on {mount!r}", where="game d6-companion", hint=hint)
    return WEAPON_RANGES[mount, weapon]


def weapon_class(damage: Code) -> str:
    """Return the class of a speeder or artillery weapon by its dice, whatever the pips."""
    return "light" if damage.dice <= 2 else "medium" if damage.dice <= 4 else "heavy"


def astrogation_difficulty(base: int, *, hours_saved: int = 0, hours_extra: int = 0) -> int:
    """Return the difficulty of a journey that is shorter or longer than usual, one for each hour."""
    return base + hours_saved - hours_extra


def most_hours_saved(base_hours: int) -> int:
    """Return how many hours of a journey can be saved: one hour always remains."""
    return max(base_hours - LEAST_HOURS, 0)


def evasion_effects(roll: int, *, full: bool) -> EvasionEffects:
    """Return what an evasion does to one's own ship; a combat evasion disturbs nobody."""
    if not full:
        return EvasionEffects()
    disturbed = min(EVASION_DISTURBS, roll)
    return EvasionEffects(own_gunners=roll, other_actions=disturbed, shield_rolls=-disturbed)


def shield_number(difficulty: int, shield_roll: int) -> int:
    """Return the total at which an attack meets the hull alone."""
    return difficulty + shield_roll


def shield_result(attack: int, *, difficulty: int, shield_roll: int) -> str:
    """Return whether an attack misses, hits with the shields added to the hull, or hits the hull alone."""
    if attack < difficulty:
        return "miss"
    return "hit_shields_add_to_hull" if attack < shield_number(difficulty, shield_roll) else "hit_hull_only"


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


def missile_dice(target_speed_actions: int) -> Code:
    """Return the dice to throw and add to the difficulty of a missile."""
    return Code(dice=target_speed_actions)


def breaking_code(sublight: Code, overspeed: int) -> Code:
    """Return the ship's code against a tractor beam: a die more for each overspeed that succeeded."""
    return sublight.plus(overspeed)


def breaks_free(ship: int, beam: int) -> bool:
    """Return whether the ship's total is larger."""
    return ship > beam
