"""What a question about a die would be answered with, and what the roll would then come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from tableside.dice import Alternative, Die
from tableside.table.roll import Roll
from tableside.table.roll_changes import scored
from tableside.table.system import System
from tableside.words import told_all

_MOST = 3
"""So many faces are offered; another one is found in the whole list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to the question of a roll.

    :ivar then: the roll as it would be.
    :ivar matters: whether any answer that is offered would come to something else.
    """

    die: Die
    confidence: float
    then: Roll
    matters: bool

    def to_json(self) -> dict[str, Any]:
        then = self.then
        outcome = {
            "net": dict(then.net),
            "succeeded": then.succeeded,
            "outcome": then.outcome,
            "headline": then.headline,
            "sentence": then.sentence,
            "words": told_all(headline=then.headline, sentence=then.sentence),
            "awaits": then.awaits.to_json() if then.awaits else None,
        }
        return {
            "type": self.die.type,
            "face": list(self.die.face),
            "confidence": round(self.confidence, 4),
            "outcome": outcome,
            "matters": self.matters,
        }


def answers_of(roll: Roll, system: System) -> tuple[Answer, ...]:
    """Return the likeliest answers to the first question about a die of this roll, likeliest first; none without one.

    Each is worked out with the other dice as they are read now. Faces with the same symbols in another order are one.
    """
    if roll.question is None:
        return ()
    asked = roll.dice[roll.question]
    seen: dict[tuple[str, tuple[str, ...]], tuple[Die, float]] = {}
    first = Alternative(type=asked.type, face=asked.face, confidence=asked.confidence)
    for one in sorted((first, *asked.alternatives), key=lambda each: -each.confidence):
        seen.setdefault((one.type, tuple(sorted(one.face))), (Die(type=one.type, face=one.face), one.confidence))
    found = []
    for die, confidence in list(seen.values())[:_MOST]:
        dice = list(roll.dice)
        dice[roll.question] = asked.corrected(die)
        found.append((die, confidence, scored(replace(roll, dice=tuple(dice)), system)))
    matters = len({_result(then) for _, _, then in found}) > 1
    return tuple(Answer(die=die, confidence=sure, then=then, matters=matters) for die, sure, then in found)


def _result(roll: Roll) -> tuple[Any, ...]:
    """Return what of a roll people can tell apart: a face that changes none of it asks nothing of them."""
    return roll.outcome, roll.net, roll.headline, roll.sentence, roll.awaits, roll.short
