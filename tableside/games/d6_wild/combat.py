"""D6 with a Wild Die, in combat: range, modifiers, scale, damage, wounds and healing.

Source of every number: the two-page summary (S001) as restated in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code

RANGES: Mapping[str, str] = {
    "point_blank": "very_easy",
    "short": "easy",
    "medium": "moderate",
    "long": "difficult",
}
"""The difficulty band of each range."""

CALLED_SHOTS: Mapping[str, int] = {"10-50 cm": 1, "1-10 cm": 4, "under 1 cm": 8}
OBSCURITY: Mapping[str, int] = {
    "light smoke": 1,
    "thick smoke": 2,
    "very thick smoke": 4,
    "poor light": 1,
    "moonlit night": 2,
    "complete darkness": 4,
}
COVER: Mapping[str, int | None] = {"1/4": 1, "1/2": 2, "3/4": 3, "full": None}
"""Dice to throw and add to the difficulty; ``None``: no direct hit until the cover is gone."""

SCALES: Mapping[str, int] = {
    "character": 0,
    "speeder": 2,
    "walker": 4,
    "starfighter": 6,
    "capital": 12,
    "death_star": 24,
}
"""Scale modifiers in dice."""

ARMED_DEFENCE, ARMED_ATTACK = 5, 10
"""Modifiers of an armed fighter against an unarmed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRow:
    """What damage beyond Strength does, from ``least`` to ``most`` points; ``None`` has no upper limit."""

    least: int
    most: int | None
    result: str


DAMAGE = (
    DamageRow(least=0, most=3, result="stunned"),
    DamageRow(least=4, most=8, result="wounded"),
    DamageRow(least=9, most=12, result="incapacitated"),
    DamageRow(least=13, most=15, result="mortally_wounded"),
    DamageRow(least=16, most=None, result="killed"),
)

STATES = ("healthy", "stunned", "wounded", "wounded_twice", "incapacitated", "mortally_wounded", "killed")
"""Wound states, the lightest first."""

_WORSENED: Mapping[tuple[str, str], str] = {
    ("wounded", "wounded"): "wounded_twice",
    ("wounded_twice", "wounded"): "incapacitated",
    ("incapacitated", "wounded"): "mortally_wounded",
    ("incapacitated", "incapacitated"): "mortally_wounded",
    ("mortally_wounded", "incapacitated"): "killed",
    ("mortally_wounded", "mortally_wounded"): "killed",
}
_PENALTIES: Mapping[str, int] = {"stunned": 1, "wounded_twice": 2, "incapacitated": 4}

STUNNED_ROUNDS = 2
"""A stun hinders for the rest of its round and for the next."""

STUNNED_MINUTES = Code(dice=2)
UNCONSCIOUS_MINUTES: Mapping[str, Code] = {"stunned": STUNNED_MINUTES, "incapacitated": Code(dice=10)}

STABILIZE_DIFFICULTY = "moderate"
STABILIZED_THEN = "medpac or bacta within one hour"
"""What keeps alive who was stabilised; else that one dies."""
LIMBS = ("left_leg", "right_leg", "left_arm", "right_arm")
LOCATIONS = (*LIMBS, "torso", "head")
_LOCATIONS = ((4, "left_leg"), (5, "left_arm"), (7, "torso"), (8, "head"), (9, "right_arm"), (12, "right_leg"))
"""Highest sum of two dice for each location."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Healing:
    """What a Strength roll after the rest may do. The summary has lost the numbers, so a person chooses.

    :ivar rest_days: so many days have to be rested, ``None`` where none are printed.
    """

    rest_days: int | None
    better: str
    worse: str | None


HEALING: Mapping[str, Healing] = {
    "wounded": Healing(rest_days=3, better="healthy", worse="wounded_twice"),
    "wounded_twice": Healing(rest_days=3, better="wounded", worse="incapacitated"),
    "incapacitated": Healing(rest_days=None, better="wounded_twice", worse=None),
    "mortally_wounded": Healing(rest_days=None, better="incapacitated", worse=None),
}
"""That the wounded may be healed, and those who were saved from death, is our reading: the summary has the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleBonus:
    """Dice that a difference in scale adds."""

    attack: int = 0
    dodge: int = 0
    damage: int = 0
    resist: int = 0


def find(name: str, table: Mapping[str, object], *, what: str) -> str:
    """Return the name, or raise :class:`GameError` with the nearest in the table."""
    if name not in table:
        raise GameError(f"no {what} {name!r}", where="game d6-wild", hint=did_you_mean(name, table))
    return name


def scale_bonus(attacker: str, target: str) -> ScaleBonus:
    """Return what scale adds: the smaller hits and dodges more easily, the larger hurts and resists more."""
    gap = SCALES[find(target, SCALES, what="scale")] - SCALES[find(attacker, SCALES, what="scale")]
    return ScaleBonus(attack=gap, resist=gap) if gap > 0 else ScaleBonus(dodge=-gap, damage=-gap)


def damage_result(margin: int) -> str:
    """Return what damage beyond Strength does."""
    for row in reversed(DAMAGE):
        if margin >= row.least:
            return row.result
    return "no_effect"


def stun_result(margin: int) -> str:
    """Return what a weapon set on stun does: anything worse than stunned is unconsciousness."""
    result = damage_result(margin)
    return result if result in ("no_effect", "stunned") else "unconscious"


def worsened(state: str, result: str) -> str:
    """Return the state after another wound; pairs that are not printed take the worse of both (our reading)."""
    for name in (state, result):
        find(name, dict.fromkeys(STATES), what="wound state")
    printed = _WORSENED.get((state, result))
    return printed or max(state, result, key=STATES.index)


def wound_penalty(state: str, *, wounded: int = 0) -> int:
    """Return the dice that every code loses. For plain ``wounded`` none is printed, so it is a setting."""
    find(state, dict.fromkeys(STATES), what="wound state")
    return wounded if state == "wounded" else _PENALTIES.get(state, 0)


def stunned_out(strength: Code, stuns: int) -> bool:
    """Return whether stuns that still count knock one out: as many as Strength has dice."""
    return stuns >= strength.dice


HARMS: Mapping[str, tuple[tuple[int, str], ...]] = {
    purpose: tuple((n, result_of(n)) for n in (row.least for row in DAMAGE) if result_of(n) != result_of(n - 1))
    for purpose, result_of in (("damage", damage_result), ("stun_damage", stun_result))
}
"""By what is thrown: from which lead over Strength damage does what, the mildest first."""


def hit_location(total: int) -> str:
    """Return where a hit lands, by the sum of two dice."""
    if total >= 2:
        for most, location in _LOCATIONS:
            if total <= most:
                return location
    raise GameError(f"{total} is no sum of two dice", where="hit location", hint="It is 2 to 12.")


def kill_at(location: str) -> tuple[str, bool]:
    """Return the state after ``killed`` at a location, and whether a limb is destroyed in its place."""
    is_limb = location in LIMBS
    return ("mortally_wounded" if is_limb else "killed"), is_limb
