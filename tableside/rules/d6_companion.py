"""Dice codes and pips: the faces of all dice and the code's pips make a total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tableside.dice import DiceSet, Die, find_sets
from tableside.errors import UnknownDieType, did_you_mean
from tableside.rules.game import Outcome, PoolNames, check_ask, count_words

FORCE_POINTS = PoolNames(pool="Force points")
_ASK = {"pips": int, "difficulty": int}


def pip_values(dice: Sequence[Die], *, game: str) -> list[tuple[str, int]]:
    """Return (type, number) of each die, checked against the set of pip dice."""
    known = {die_type.name: die_type for die_type in _pip_set().types}
    values = []
    for die in dice:
        if die.type not in known:
            hint = did_you_mean(die.type, known)
            raise UnknownDieType(f"does not use {die.type!r} dice", where=f"game {game}", hint=hint)
        values.append((die.type, int(known[die.type].check_face(die.face)[0])))
    return values


def total_outcome(
    game: str, total: int, ask: Mapping[str, Any], *, sum_of: str, notes: Sequence[str] = (), count: int
) -> Outcome:
    """Return the outcome of a total, against ``ask["difficulty"]`` where it was given."""
    net = (("total", total),)
    if not count:
        return Outcome(
            game=game,
            word="nothing",
            succeeded=None,
            net=net,
            headline="No dice",
            sentence="No dice were thrown.",
        )
    difficulty = ask.get("difficulty")
    tail = "".join(f" {note}" for note in notes)
    if difficulty is None:
        return Outcome(
            game=game,
            word="total",
            succeeded=None,
            net=net,
            headline=str(total),
            sentence=f"{sum_of} = {total}.{tail}",
        )
    succeeded = total >= difficulty
    margin = abs(total - difficulty)
    word = "success" if succeeded else "failure"
    against = f"{'meets' if not margin else 'beats' if succeeded else 'misses'} {difficulty}"
    by = f" by {margin}" if margin else ""
    return Outcome(
        game=game, word=word, succeeded=succeeded, net=net, headline=f"{word.capitalize()} {total}",
        sentence=f"{sum_of} = {total}, which {against}{by}: {word}.{tail}",
    )  # fmt: skip


def sum_words(values: Sequence[int], pips: int) -> str:
    """Return ``"3 + 5 + 2 pips"``-like words for the parts of a total."""
    words = " + ".join(str(value) for value in values) or "0"
    return words if not pips else f"{words} {'+' if pips > 0 else '-'} {count_words(abs(pips), 'pip')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class D6Companion:
    """Asks: ``pips`` to add, ``difficulty`` to reach."""

    name: str = "d6-companion"
    title: str = "D6 with dice codes"
    has_wild_die: bool = False
    dice_sets: tuple[str, ...] = ("pips",)
    pool_names: PoolNames = FORCE_POINTS

    def score(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> Outcome:
        check_ask(ask, _ASK, game=self.name)
        values = [value for _, value in pip_values(dice, game=self.name)]
        pips = int(ask.get("pips", 0))
        return total_outcome(self.name, sum(values) + pips, ask, sum_of=sum_words(values, pips), count=len(values))


@cache
def _pip_set() -> DiceSet:
    (dice_set,) = find_sets(["pips"])
    return dice_set


GAME = D6Companion()
