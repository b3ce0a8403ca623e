"""D6 with a Wild Die: one die of another colour that is thrown again after a six and complicates on a one.

Source: the two-page summary restated in the project's rules, "The Wild Die".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.rules.d6_code import Code, check_throws
from tableside.rules.d6_companion import FORCE_POINTS, pip_values, sum_words, total_outcome
from tableside.rules.game import Outcome, PoolNames, check_ask, count_words

_ASK = {"pips": int, "difficulty": int, "dice": int, "earlier": list}


@dataclass(frozen=True, slots=True, kw_only=True)
class WildRoll:
    """A roll with a Wild Die.

    :ivar rerolls: how often the chain made the Wild Die be thrown again, the throw still owed included.
    :ivar owed: the chain ends on a six, so the Wild Die must be thrown once more.
    :ivar complication: the first throw of the Wild Die was a 1.
    """

    total: int
    rerolls: int
    owed: bool
    complication: bool


def tray_dice(code: Code) -> tuple[int, int]:
    """Return how many ordinary and Wild Dice a code puts in the tray: of any dice, one is the Wild Die."""
    wild = min(code.dice, 1)
    return code.dice - wild, wild


def wild_roll(ordinary: Sequence[int], chain: Sequence[int], pips: int = 0) -> WildRoll:
    """Add the ordinary dice, every throw of the Wild Die and the pips.

    :param chain: the throws of the Wild Die, first throw first; a 1 counts as 1 (that it is added is our reading).
    :raises GameError: for a chain that goes on after anything but a six.
    """
    return WildRoll(
        total=sum(ordinary) + check_throws(chain) + pips,
        rerolls=sum(1 for face in chain if face == 6),
        owed=chain[-1] == 6,
        complication=chain[0] == 1,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class D6Wild:
    """Asks: ``pips`` to add, ``difficulty`` to reach, ``dice`` in all, ``earlier`` throws of the Wild Die.

    A roll in which the Wild Die is not one die, or in which it must be thrown again and the difficulty is not yet
    reached, has not succeeded or failed.
    """

    name: str = "d6-wild"
    title: str = "D6 with a Wild Die"
    has_wild_die: bool = True
    dice_sets: tuple[str, ...] = ("pips",)
    pool_names: PoolNames = FORCE_POINTS

    def score(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> Outcome:
        check_ask(ask, _ASK, game=self.name)
        values = pip_values(dice, game=self.name)
        ordinary = [value for kind, value in values if kind == "pip"]
        chain = [value for kind, value in values if kind == "wild"]
        pips = int(ask.get("pips", 0))
        earlier = _throws(ask.get("earlier", []))
        total = sum(value for _, value in values) + sum(earlier) + pips
        notes: list[str] = []
        awaits: tuple[str, ...] = ()
        decided = True
        if len(chain) == 1:
            roll = wild_roll(ordinary, [*earlier, *chain])
            if roll.owed:
                notes.append("The Wild Die shows a six: throw it again and add it.")
                awaits, decided = ("wild",), total >= ask.get("difficulty", total)
            if roll.complication:
                notes.append("The Wild Die shows a one: a complication.")
        elif values:
            wrong = f"There are {len(chain)} Wild Dice where one belongs" if chain else "The Wild Die is missing"
            notes.append(f"{wrong}: which of these is it?")
            decided = False
        wanted = ask.get("dice")
        if wanted is not None and wanted != len(values):
            gap = wanted - len(values)
            notes.append(f"{count_words(abs(gap), 'die', 'dice')} {'missing' if gap > 0 else 'too many'}.")
            decided = False
        outcome = total_outcome(
            self.name,
            total,
            ask if decided else {},
            sum_of=sum_words([*(value for _, value in values), *earlier], pips),
            notes=notes,
            count=len(values),
        )
        return replace(outcome, awaits=awaits)


def _throws(earlier: Sequence[Any]) -> list[int]:
    if any(value != 6 or isinstance(value, bool) for value in earlier):
        hint = "The Wild Die is thrown again only after a six, so they are all sixes."
        raise BadAsk(f"earlier is {list(earlier)!r}", where="game d6-wild", hint=hint)
    return list(earlier)


GAME = D6Wild()
