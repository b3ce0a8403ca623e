"""D6 with dice codes, personal combat: order, haste, reactions, damage, stuns and wounds.

Source of every number: the rules supplement (S003).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableside.games.d6_companion.ask import NUMBERS, Ask
from tableside.games.d6_companion.purpose import Purpose, Purposes, said_too
from tableside.games.d6_companion.rolls import COMBAT_BANDS, MEDPAC_BANDS, MEDPAC_STEP
from tableside.rules.code import Code
from tableside.rules.form import choice, flag, number
from tableside.rules.game import Outcome
from tableside.rules.people import Effect
from tableside.rules.turns import Ranked, Slot, TurnOrder
from tableside.words import say


class Dying(Ask):
    """What the dying are asked for besides."""

    purposes = ("dying",)

    rounds: int = number(
        "Rounds since the mortal wound",
        "mortal_check",
        default=1,
        least=1,
        most=NUMBERS,
        help="Who is dying dies where 2D show less.",
        filled_by="card",
    )


class Healing(Ask):
    """What natural healing is asked for besides."""

    purposes = ("healing",)

    accelerated: bool = flag(
        "Healing is accelerated",
        "power results",
        help="By the Force: 2 more, and the second medpac of the day is no harder.",
        filled_by="card",
    )


class Medpac(Healing):
    """What a medpac is asked for besides."""

    purposes = ("medpac",)

    patient: str = choice("The patient is", tuple(MEDPAC_BANDS), "medpac_difficulty")
    medpacs: int = number(
        "Medpacs used on the patient today",
        "medpac_difficulty",
        most=20,
        help="Each is 3 more difficult.",
        filled_by="card",
    )


SURPRISE_HASTE = 2
SCATTER: Mapping[str, Code] = {"short": Code(dice=1), "medium": Code(dice=2), "long": Code(dice=3)}
"""Metres that a grenade scatters."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOrder(TurnOrder):
    """Three segments a round: actions are declared, then reactions, then all is resolved; damage follows each hit.

    Among equals the game master's declare first; equal haste is at the same time.
    """

    numbers: tuple[str, ...] = ("dice", "pips", "haste", "movement")
    declares: int = 2
    hint: str = "Give Dexterity as the rank, such as 3 1 for 3D+1, then haste, then 1 for movement."

    def rank(self, net: Mapping[str, int], ask: Mapping[str, Any]) -> tuple[int, ...] | None:
        """Return nothing: no throw orders the turns of this game."""
        return None

    def turns(self, slots: Sequence[Slot], *, segment: int = 0, players_first: bool | None = None) -> tuple[Slot, ...]:
        if segment >= len(SEGMENTS):
            return ()

        def key(slot: Slot) -> tuple[int, ...]:
            dice, pips, haste, movement = (self.number(slot, name) for name in self.numbers)
            return ((dice, pips, slot.is_player), (-dice, -pips, slot.is_player), (-haste, movement))[segment]

        return tuple(sorted(slots, key=key))

    def title(self, slots: Sequence[Ranked], *, segment: int = 0, players_first: bool | None = None) -> str:
        return SEGMENTS[segment]


SEGMENTS = (
    "Declare actions, lowest Dexterity first",
    "Declare reactions, highest Dexterity first",
    "Resolve by haste, movement last",
)
"""S003 ch. 3 Combat Sequence, segments 1 to 3."""

TURNS = SegmentOrder()


def is_shot(given: Ask) -> bool:
    """Tell whether answers are those of an attack, whatever it is made with."""
    return given.about in COMBAT_BANDS or bool(given.mounted or given.attack or given.fire or given.guns or given.aim)


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


def overcome(code: Code, stuns: int) -> bool:
    """Return whether stuns reach the whole dice of a code: of Dexterity immobile, of stamina unconscious."""
    return code.dice <= stuns


HEALING_BONUS = 2
"""What accelerated healing adds to each of its two rolls or medpacs of a day."""


def haste_actions(given: Ask) -> int:
    """Return the actions that haste costs: all levels that were declared, less the free ones."""
    return max(max(given.haste, given.haste_declared) - given.free_haste, 0)


def medpac_more(given: Medpac) -> int:
    """Return what medpacs of the same day add to the difficulty of another."""
    used = given.medpacs
    return 0 if given.accelerated and used < 2 else MEDPAC_STEP * used


def _patient(given: Medpac) -> str:
    return MEDPAC_BANDS.get(given.patient, "")


def _used_up(outcome: Outcome, total: int, given: Medpac) -> Outcome:
    """Return the outcome of a medpac, which counts also where it fails; where it works it heals."""
    words = "One more medpac today"
    heals = outcome.succeeded and given.patient
    if heals:
        words = "One step better, and one more medpac today"
    also = (Effect(tracker="wounds", change=-1),) if heals else ()
    return said_too(outcome, words, "medpac_difficulty", Effect(tracker="medpacs", change=1, words=words, also=also))


def _count_healing(outcome: Outcome, total: int, given: Healing) -> Outcome:
    """Return the outcome of a healing roll: the supplement prints no numbers for it, so people choose."""
    choices = (("One step better", -1), ("One step worse", 1))
    effects = (
        Effect(tracker="wounds", change=change, on="roller", words=words, is_either=True) for words, change in choices
    )
    words = say("{words}, as you judge it", words=[words for words, _ in choices])
    return said_too(outcome, words, "accelerate_healing", *effects)


def _scatter_code(given: Ask) -> Code | None:
    return SCATTER.get(given.about)


def _count_scatter(outcome: Outcome, total: int, given: Ask) -> Outcome:
    words = say("It lands {n} m off", n=total)
    return said_too(outcome, words, "grenade_scatter", headline=words)


def _lives(outcome: Outcome, total: int, given: Dying) -> Outcome:
    if outcome.succeeded is None:
        return outcome
    pattern = "{total} in round {round}: lives on" if outcome.succeeded else "{total} in round {round}: dies"
    words = say(pattern, total=total, round=given.rounds)
    dead = () if outcome.succeeded else (Effect(tracker="wounds", set=4, on="roller", words="Dead"),)
    return said_too(outcome, words, "mortal_check", *dead, headline=words)


PURPOSES: Purposes = {
    "dying": Purpose(
        code=lambda _: Code(dice=2),
        number=lambda given: given.rounds,
        is_free=True,
        does=_lives,
    ),
    "medpac": Purpose(band=_patient, does=_used_up),
    "healing": Purpose(does=_count_healing),
    "scatter": Purpose(code=_scatter_code, is_free=True, is_measure=True, does=_count_scatter),
}
