"""Dice that no game knows: their numbers are added up, their symbols counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tableside.dice import Die, face_name
from tableside.rules.game import Outcome
from tableside.words import say


def plain_outcome(dice: Sequence[Die], *, game: str) -> Outcome:
    """Return what lies there: a total where every die shows one number, else its symbols."""
    shown = Counter(symbol for die in dice for symbol in die.face)
    if dice and all(len(die.face) == 1 and die.face[0].isdecimal() for die in dice):
        total = sum(int(die.face[0]) for die in dice)
        faces = " + ".join(die.face[0] for die in dice)
        one = say("The {die} shows {face}.", die=dice[0].type, face=faces)
        sentence = say("{sum} = {total}.", sum=faces, total=total) if len(dice) > 1 else one
        return Outcome(
            game=game, word="total", succeeded=None, net=(("total", total),), headline=str(total), sentence=sentence
        )
    words = ", ".join(f"{count} {symbol}" if count > 1 else symbol for symbol, count in sorted(shown.items()))
    faces = "; ".join(f"{die.type} {face_name(die.face)}" for die in dice)
    return Outcome(
        game=game,
        word="nothing",
        succeeded=None,
        net=(),
        headline=words or "blank",
        sentence=say("Shown: {faces}.", faces=faces),
    )
