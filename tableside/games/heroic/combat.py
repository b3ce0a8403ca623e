"""The heroic game's turns, defences, characters and powers (S004).

Marks such as A7 name the readings of unclear points in the project's rules, ``heroic.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tableside.errors import GameError, did_you_mean
from tableside.games.narrative.checks import SymbolOrder
from tableside.games.narrative.pool import Pool, Rating

ABILITIES = ("brawn", "vitality", "agility", "intellect", "wisdom", "presence")
ABILITY_RANGE = (1, 6)
LEVEL_ONE_POINTS = 4
LEVEL_ONE_MOST = 3
MANEUVERS_A_TURN = 2
DEFENSES: Mapping[str, tuple[str, str]] = {
    "reflex": ("agility", "intellect"),
    "willpower": ("wisdom", "presence"),
    "fortitude": ("brawn", "vitality"),
}
"""The two abilities of each defence; the higher counts."""

TAUNT_DICE = Pool(setback=1)
"""What an attack takes that leaves out the taunter (A7)."""

LONG_RANGE_DICE = Pool(setback=1)
"""What a target beyond short range adds (A8)."""

RECHARGES: Mapping[str, str | None] = {
    "at_will": None,
    "encounter": "short_rest",
    "daily": "extended_rest",
}
PROVOKING: Mapping[str, bool] = {
    "personal": False,
    "melee": False,
    "close": False,
    "sight": True,
    "range": True,
    "area": True,
}
"""Whether a power of this range provokes those who stand near."""

WEAPON_POWERS = ("basic_melee", "basic_ranged", "basic_retaliate")
"""Basic attacks, whose damage is that of a weapon (H20)."""

HOLDS: Mapping[str, str] = {"basic_grab": "grabbed", "basic_grapple": "restrained"}
"""Basic powers that hold their target, and how (H20)."""

NO_ACTIONS = ("basic_retaliate", "basic_grab")
"""Basic powers that take no action of one's turn (H20)."""

POWERS = (*WEAPON_POWERS, *HOLDS, "own")
"""What is attacked with: a basic power, or one of the character's own."""


def boost_of(sources: Iterable[int]) -> int:
    """Return the boost dice to throw: the most that one source gives, for boosts do not stack."""
    return max(sources, default=0)


TURNS = SymbolOrder(numbers=("triumph", "success", "advantage"), is_net=False)
"""A Vigilance roll each: triumphs, successes, advantages, then players first (H11); below zero counts as zero (A12)."""


def may_take_second_maneuver(*, action_taken: bool, advantage_spent: int, grants_combat_advantage: bool) -> bool:
    """Return whether one of its prices is paid: no action, an advantage, or combat advantage to enemies."""
    return not action_taken or advantage_spent >= 1 or grants_combat_advantage


def may_do_incidental(name: str, done_this_turn: Collection[str]) -> bool:
    """Return whether an incidental may be done: none twice in a turn."""
    return name not in done_this_turn


def defense_abilities(defense: str) -> tuple[str, str]:
    """Return the abilities of a defence, or raise :class:`GameError`."""
    if defense not in DEFENSES:
        hint = did_you_mean(defense, DEFENSES)
        raise GameError(f"no defence {defense!r}", where="attack", hint=hint)
    return DEFENSES[defense]


def defense_pool(abilities: Iterable[int], rank: int) -> Pool:
    """Return the negative side of an attack: the higher ability with the rank, as a skill is built."""
    return Rating(characteristic=max(abilities), skill=rank).opposing()


def is_first_level(scores: Sequence[int]) -> bool:
    """Return whether these are six abilities for level 1: all at 1, four points placed, none above 3."""
    least = ABILITY_RANGE[0]
    return (
        len(scores) == len(ABILITIES)
        and all(least <= score <= LEVEL_ONE_MOST for score in scores)
        and sum(scores) == least * len(ABILITIES) + LEVEL_ONE_POINTS
    )


def burst_side(radius: int) -> int:
    """Return the side of the square that a burst fills."""
    return 2 * radius + 1


def is_far(distance: int, *, short: int, long: int) -> bool | None:
    """Tell whether a target is beyond short range, ``None`` where it is beyond long range, too (H19)."""
    return None if distance > long else distance > short


def power_damage(power: str, *, ability: int, net_success: int, weapon: int = 0) -> int | None:
    """Return the damage of an attack, ``None`` for a miss or where it does none. ``weapon`` is 0 for bare hands."""
    if power not in POWERS:
        raise GameError(f"no power {power!r}", where="powers", hint=did_you_mean(power, POWERS))
    return weapon + ability + net_success if net_success >= 1 and power not in HOLDS else None
