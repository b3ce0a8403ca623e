"""D6 with dice codes, personal combat: order, haste, reactions, damage, stuns and wounds.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean
from tableside.rules.d6_code import Code, two_dice
from tableside.rules.d6_companion_rolls import FIRE_MODIFIERS

SURPRISE_HASTE = 2
SCATTER: Mapping[str, Code] = {"short": Code(dice=1), "medium": Code(dice=2), "long": Code(dice=3)}
"""Metres that a grenade scatters."""

PRONE_MODIFIER = FIRE_MODIFIERS["prone"]
WOUNDED_PENALTY = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Fighter:
    """Who takes part in a round."""

    name: str
    dexterity: Code
    is_player: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """An action that was declared."""

    name: str
    haste: int
    is_movement: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageRow:
    """A row of the damage chart: damage is at least so many halves of Strength.

    :ivar comparison: as the chart prints it.
    """

    comparison: str
    halves: int
    stun_attack: str
    other_attack: str


DAMAGE = (
    DamageRow(comparison="2xDR<SR", halves=0, stun_attack="no_effect", other_attack="no_effect"),
    DamageRow(comparison="DR<SR", halves=1, stun_attack="no_effect", other_attack="stun_1"),
    DamageRow(comparison="DR>=SR", halves=2, stun_attack="stun_1", other_attack="wound"),
    DamageRow(comparison="DR>=2xSR", halves=4, stun_attack="stun_2", other_attack="incapacitated"),
    DamageRow(comparison="DR>=3xSR", halves=6, stun_attack="unconscious", other_attack="mortal_wound"),
)
_STUNS: Mapping[str, int] = {"stun_1": 1, "stun_2": 2}


def declaration_order(fighters: Iterable[Fighter]) -> tuple[str, ...]:
    """Return who declares actions when: lowest Dexterity first, among equals those of the game master."""
    return tuple(f.name for f in sorted(fighters, key=lambda f: (f.dexterity, f.is_player)))


def reaction_order(fighters: Iterable[Fighter]) -> tuple[str, ...]:
    """Return who declares reactions when: highest Dexterity first, among equals those of the game master."""
    ranked = sorted(fighters, key=lambda f: (-f.dexterity.dice, -f.dexterity.pips, f.is_player))
    return tuple(f.name for f in ranked)


def resolution_order(acts: Iterable[Act]) -> tuple[str, ...]:
    """Return the order of actions: by haste, and at each haste movement last."""
    return tuple(act.name for act in sorted(acts, key=lambda act: (-act.haste, act.is_movement)))


def may_declare_haste(first: int, second: int) -> bool:
    """Return whether haste may be declared so in segments 1 and 2: it may only be raised, for reactions only."""
    return second >= first


def reaction_applies(*, attack_haste: int = 0, reaction_haste: int = 0, skill: str = "", attack: str = "") -> bool:
    """Return whether a reaction is fast enough and fits: dodging stops no melee weapon."""
    return reaction_haste >= attack_haste and not (skill == "dodge" and attack == "melee_weapon")


def reaction_difficulty(base: int, roll: int, *, full: bool) -> int:
    """Return the attacker's difficulty: a full reaction adds its roll, a combat reaction takes the higher."""
    return base + roll if full else max(base, roll)


def damage_row(damage: int, strength: int) -> DamageRow:
    """Return the row of the chart, read from the bottom up."""
    for row in reversed(DAMAGE):
        if 2 * damage >= row.halves * strength:
            return row
    return DAMAGE[0]


def stuns_of(results: Iterable[str]) -> int:
    """Return how many stuns these results hold."""
    named = list(results)
    for name in named:
        if name not in _STUNS:
            raise GameError(f"{name!r} is no stun", where="game d6-companion", hint=did_you_mean(name, _STUNS))
    return sum(_STUNS[name] for name in named)


def stun_penalty(by_round: Mapping[int, Iterable[str]], at_round: int) -> int:
    """Return the dice that all codes but Strength lose: each stun counts in its round and the next."""
    return sum(stuns_of(results) for when, results in by_round.items() if when in (at_round - 1, at_round))


def overcome(code: Code, stuns: int) -> bool:
    """Return whether stuns reach the whole dice of a code: of Dexterity immobile, of stamina unconscious."""
    return code.dice <= stuns


def dies(rounds: int, faces: Sequence[int]) -> bool:
    """Return whether the mortally wounded die this round: two dice below the rounds since the wound."""
    return two_dice(faces) < rounds
