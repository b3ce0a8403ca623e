"""What a question about a die would be answered with, and what the roll would then come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from tableside.dice import Alternative, Die, Doubt
from tableside.table.acts.rolls import score_roll
from tableside.table.acts.settling import settle_colours
from tableside.table.kept import Roll, RollDie
from tableside.table.system import System
from tableside.words import words_json

_MOST = 3
"""So many faces are offered; another one is found in the whole list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to the question of a roll.

    :ivar index: the die that it is said of. :ivar then: the roll as it would be.
    :ivar matters: whether any answer that is offered would come to something else.
    """

    index: int
    die: Die
    confidence: float
    then: Roll
    matters: bool

    def to_json(self) -> dict[str, Any]:
        then = self.then
        outcome = {
            "net": dict(then.net),
            "succeeded": then.succeeded,
            "outcome": then.word,
            "headline": then.headline,
            "sentence": then.sentence,
            "words": words_json(headline=then.headline, sentence=then.sentence),
            "awaits": then.awaits.to_json() if then.awaits else None,
        }
        return {
            "index": self.index,
            "type": self.die.type,
            "face": list(self.die.face),
            "confidence": round(self.confidence, 4),
            "outcome": outcome,
            "matters": self.matters,
        }


def answers_of(roll: Roll, system: System) -> tuple[Answer, ...]:
    """Return the likeliest answers to the first question about a die of this roll, likeliest first; none without one.

    Each is worked out with the other dice as they are read now. Faces with the same symbols in another order are one.
    Where it is asked which die differs by colour, each die that it may be is an answer.
    """
    if roll.question is None:
        return ()
    asked = roll.dice[roll.question]
    said = _dice_it_may_be(roll, asked, system) if asked.doubt is Doubt.COLOUR else []
    said = said or [(roll.question, die, confidence) for die, confidence in _readings(asked)[:_MOST]]
    found = []
    for index, die, confidence in said:
        dice = list(roll.dice)
        dice[index] = dice[index].corrected(die)
        then = score_roll(replace(roll, dice=tuple(settle_colours(dice, system, said=index))), system)
        found.append((index, die, confidence, then))
    # a face that changes nothing that people can tell apart asks nothing of them
    results = {(then.word, then.net, then.headline, then.sentence, then.awaits, then.short) for *_, then in found}
    matters = len(results) > 1
    return tuple(
        Answer(index=index, die=die, confidence=sure, then=then, matters=matters) for index, die, sure, then in found
    )


def _readings(asked: RollDie) -> list[tuple[Die, float]]:
    seen: dict[tuple[str, tuple[str, ...]], tuple[Die, float]] = {}
    first = Alternative(type=asked.type, face=asked.face, confidence=asked.confidence)
    for one in sorted((first, *asked.alternatives), key=lambda each: -each.confidence):
        seen.setdefault((one.type, tuple(sorted(one.face))), (Die(type=one.type, face=one.face), one.confidence))
    return list(seen.values())


def _dice_it_may_be(roll: Roll, asked: RollDie, system: System) -> list[tuple[int, Die, float]]:
    """Return each die of the throw as the one that differs by colour, the one that is asked about first.

    None is, where no reading of the die that is asked about differs by colour.
    """
    variant = next((one.type for one in asked.alternatives if system.usual_of(one.type) == asked.type), "")
    if not variant:
        return []
    alike = [i for i, die in enumerate(roll.dice) if die.type == asked.type and die.throw == asked.throw]
    alike.sort(key=lambda i: roll.dice[i] is not asked)
    return [(i, Die(type=variant, face=roll.dice[i].face), 1 / len(alike)) for i in alike]
