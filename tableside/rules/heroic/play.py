"""The heroic game's turns, defences, characters and powers (S004).

Marks such as A7 name the readings of unclear points in the project's rules, ``heroic.md``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from tableside.errors import GameError, did_you_mean
from tableside.rules.narrative.odds import success_chance
from tableside.rules.narrative.people import SymbolOrder
from tableside.rules.narrative.pool import Pool, Rating

ABILITIES = ("brawn", "vitality", "agility", "intellect", "wisdom", "presence")
ABILITY_RANGE = (1, 6)
LEVEL_ONE_POINTS = 4
LEVEL_ONE_MOST = 3
FEATS = 6
MANEUVERS_A_TURN = 2
TALK_WORDS_A_ROUND = (16, 20, 25)
"""Fewest, usual and most words in the six seconds of a round."""

ROUND_SECONDS = 6
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

BASIC_POWERS: Mapping[str, str] = {
    "basic_melee": "brawn",
    "basic_ranged": "agility",
    "basic_retaliate": "brawn",
}
"""Basic attacks with the ability that is added to their damage."""


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


def talk_words(seconds: int) -> tuple[int, int, int]:
    """Return the fewest, usual and most words that fit."""
    few, usual, many = (words * seconds // ROUND_SECONDS for words in TALK_WORDS_A_ROUND)
    return few, usual, many


def taunt_dice(taunted_by: str, targets: Collection[str]) -> Pool:
    """Return the dice that a taunted attacker adds: none where the taunter is among the targets or there is none."""
    return TAUNT_DICE if taunted_by and taunted_by not in targets else Pool()


def defense_abilities(defense: str) -> tuple[str, str]:
    """Return the abilities of a defence, or raise :class:`GameError`."""
    if defense not in DEFENSES:
        hint = did_you_mean(defense, DEFENSES)
        raise GameError(f"no defence {defense!r}", where="attack", hint=hint)
    return DEFENSES[defense]


def defense_pool(abilities: Iterable[int], rank: int) -> Pool:
    """Return the negative side of an attack: the higher ability with the rank, as a skill is built."""
    return Rating(characteristic=max(abilities), skill=rank).opposing()


def hardest_target(attacker: Pool, targets: Mapping[str, Pool]) -> str:
    """Return whom one roll against several is made: least chance of success, then most challenge dice (A14)."""
    if not targets:
        raise GameError("no target was given", where="attack", hint="Give at least one.")

    def ease(name: str) -> tuple[Fraction, int]:
        return success_chance((attacker + targets[name]).counts()), -targets[name].challenge

    return min(targets, key=ease)


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


def long_range_dice(distance: int, *, short: int, long: int) -> Pool | None:
    """Return the dice that the distance adds, or ``None`` where it is beyond long range."""
    if distance > long:
        return None
    return LONG_RANGE_DICE if distance > short else Pool()


def power_damage(power: str, *, ability: int, net_success: int, weapon: int = 0) -> int | None:
    """Return the damage of a basic attack, ``None`` for a miss. ``weapon`` is 0 for bare hands."""
    if power not in BASIC_POWERS:
        raise GameError(f"no basic attack {power!r}", where="powers", hint=did_you_mean(power, BASIC_POWERS))
    return weapon + ability + net_success if net_success >= 1 else None


def after_cost(pool: int, cost: int) -> int | None:
    """Return the opportunity pool after a cost, or ``None`` where it is too small (A11)."""
    return pool - cost if pool >= cost else None
