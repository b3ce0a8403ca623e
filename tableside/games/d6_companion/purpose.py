"""D6 with dice codes: what a purpose of a call asks, gives to the roll and makes of its total."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from tableside.games.d6_companion.sources import companion_step
from tableside.rules.code import Code
from tableside.rules.game import Outcome
from tableside.rules.people import Effect
from tableside.words import say, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What a call is for.

    :ivar code: the code that the purpose itself throws, ``None`` where a character's is thrown.
    :ivar band: the difficulty band, where nobody gave a number.
    :ivar number: the difficulty that the purpose itself gives, where nobody gave one.
    :ivar is_opposed: the total has to be more than the other side's; a tie has no winner (I2).
    :ivar is_free: it is no action and nothing changes its dice.
    :ivar is_measure: its total is compared with no difficulty, whatever range or band is named.
    :ivar part: what the purpose itself is done with, such as the engines, where the skill does not say it.
    :ivar needs: raises :class:`BadAsk` where the rules do not allow the roll.
    :ivar does: what a decided total does.
    """

    code: Callable[[Any], Code | None] | None = None
    band: Callable[[Any], str] | None = None
    number: Callable[[Any], int] | None = None
    is_opposed: bool = False
    is_free: bool = False
    is_measure: bool = False
    part: str = ""
    needs: Callable[[Any], object] | None = None
    does: Callable[[Outcome, int, Any], Outcome] | None = None


Purposes = Mapping[str, Purpose]


def said_too(
    outcome: Outcome, words: str, rule: str, *effects: Effect, headline: str = "", more: tuple[str, ...] = ()
) -> Outcome:
    """Return the outcome with one more thing that the roll does.

    :param words: without a full stop. :param headline: in place of the old one. :param more: further steps.
    """
    sentence = say("{^words}.", words=words)
    return replace(
        outcome,
        headline=headline or outcome.headline,
        sentence=sentences(outcome.sentence, sentence),
        steps=(*outcome.steps, companion_step(sentence, rule), *(companion_step(text, rule) for text in more)),
        effects=(*outcome.effects, *effects),
    )
