"""D6 with dice codes, personal combat: order, haste, reactions, damage, stuns and wounds.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code
from tableside.rules.d6_companion.rolls import FIRE_MODIFIERS
from tableside.rules.turns import Ranked, Slot, TurnOrder

SURPRISE_HASTE = 2
SCATTER: Mapping[str, Code] = {"short": Code(dice=1), "medium": Code(dice=2), "long": Code(dice=3)}
"""Metres that a grenade scatters."""

PRONE_MODIFIER = FIRE_MODIFIERS["prone"]
WOUNDED_PENALTY = 1
FULL_REACTION_ACTIONS = 2
"""The reaction and the speed action that goes with it."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOrder(TurnOrder):
    """Three segments a round: actions are declared, then reactions, then all is resolved; damage follows each hit.

    Among equals the game master's declare first; equal haste is at the same time.
    """

    numbers: tuple[str, ...] = ("dice", "pips", "haste", "movement")
    hint: str = "Give Dexterity as the rank, such as 3 1 for 3D+1, then haste, then 1 for movement."

    def rank(self, net: Mapping[str, int], ask: Mapping[str, Any]) -> tuple[int, ...] | None:
        """Return nothing: no throw orders the turns of this game."""
        del net, ask
        return None

    def turns(self, slots: Sequence[Slot], *, segment: int = 0, players_first: bool | None = None) -> tuple[Slot, ...]:
        del players_first
        if segment >= len(SEGMENTS):
            return ()

        def key(slot: Slot) -> tuple[int, ...]:
            dice, pips, haste, movement = (self.number(slot, name) for name in self.numbers)
            return ((dice, pips, slot.is_player), (-dice, -pips, slot.is_player), (-haste, movement))[segment]

        return tuple(sorted(slots, key=key))

    def title(self, slots: Sequence[Ranked], *, segment: int = 0, players_first: bool | None = None) -> str:
        del slots, players_first
        return SEGMENTS[segment]


SEGMENTS = (
    "Declare actions, lowest Dexterity first",
    "Declare reactions, highest Dexterity first",
    "Resolve by haste, movement last",
)
"""S003 ch. 3 Combat Sequence, segments 1 to 3."""

TURNS = SegmentOrder()


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
