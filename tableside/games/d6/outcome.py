"""What the D6 games share after a roll: faces checked, sums in words, totals against difficulties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tableside.dice import DiceSet, Die, find_sets
from tableside.errors import BadAsk, GameError, UnknownDieType, did_you_mean
from tableside.rules.code import Code, code_words
from tableside.rules.game import Outcome, PoolNames, Spend, Step, count_words
from tableside.rules.throws import Throw, short_words
from tableside.words import say, sentences

FORCE_POINTS = PoolNames(pool="Force Points", light="Force", dark="Dark Side")
"""A Force Point that is spent is gone, and dark ones come from evil acts only: neither turns into the other."""

FORCE_POINT = Spend(
    name="force_point",
    title="A Force Point doubles dice and pips",
    prices=(("force_points", 1),),
    sets=(("force_point", True),),
    source="force_point",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a roll of a D6 game is to be made, as worked out from what was asked.

    :ivar code: the code to throw, ``None`` where nobody told.
    :ivar difficulty: the number to reach before dice are added to it, ``None`` where the roll is no check.
    :ivar difficulty_dice: dice that the game master throws and adds to the difficulty.
    :ivar difficulty_more: so many more the game master may throw.
    :ivar steps: how the code and the difficulty came about.
    """

    code: Code | None
    pips: int
    difficulty: int | None
    difficulty_dice: int = 0
    difficulty_more: int = 0
    steps: tuple[Step, ...] = ()

    def versus(self, code: Code, *, less: int = 0) -> str:
        """Return the code with what the game master throws: ``"4D+2 against 3D"``, ``"8D less 3D"``.

        :param less: dice that are taken off the total.
        """
        words = say("{code} less {less}", code=str(code), less=code_words(less, 0)) if less else str(code)
        if not self.difficulty_dice:
            return words
        return say("{code} against {difficulty}", code=words, difficulty=self.against)

    @property
    def left(self) -> int | None:
        """What resists where the code has no die left to throw: its pips, but not less than 0; else ``None``."""
        return max(self.pips, 0) if self.code is not None and not self.code.dice else None

    @property
    def against(self) -> int | str | None:
        """What the total is compared with: a number, or in words the dice that the game master throws: ``"3D+5"``."""
        dice = self.difficulty_dice
        return code_words(dice, self.difficulty or 0) if dice else self.difficulty


def plain_words(name: str) -> str:
    """Return the words of a name: ``very_easy`` is very easy."""
    return name.replace("_", " ") if "_" in name else name  # what has no name but words keeps its values


def needs_difficulty(names: Sequence[str], *, game: str) -> None:
    """Raise :class:`BadAsk` where something is to be added to a difficulty that nobody gave."""
    if names:
        hint = "Give the difficulty that it is added to, as a number or a band."
        raise BadAsk(say("{=names} stands without a difficulty", names=names[0]), where=f"game {game}", hint=hint)


def table_code(dice: str, added: int) -> str | None:
    """Return the code of a throw for a table of the group's own, ``None`` where ``dice`` is no dice code."""
    try:
        code = Code.of(dice)
    except GameError:
        return None
    return str(code.plus(0, added)) if code.dice else None


def pip_values(dice: Sequence[Die], *, game: str) -> list[tuple[str, int]]:
    """Return (type, number) of each die, checked against the set of pip dice."""
    known = {die_type.name: die_type for die_type in _pip_set().types}
    values = []
    for die in dice:
        if die.type not in known:
            hint = did_you_mean(die.type, known)
            raise UnknownDieType(say("does not use {=type} dice", type=repr(die.type)), where=f"game {game}", hint=hint)
        values.append((die.type, int(known[die.type].check_face(die.face)[0])))
    return values


def sum_words(values: Sequence[int], pips: int, *, less: int = 0) -> str:
    """Return ``"3 + 5 + 2 pips"``-like words for the parts of a total."""
    words = " + ".join(str(value) for value in values) or "0"
    if pips:
        more = "{dice} + {pips}" if pips > 0 else "{dice} - {pips}"
        words = say(more, dice=words, pips=count_words(abs(pips), "pip"))
    return say("{sum} - {less}", sum=words, less=less) if less else words


def equation(sum_of: str, total: int) -> str:
    """Return ``"3 + 5 = 8"``, and a die alone as its number."""
    return sum_of if sum_of == str(total) else say("{sum} = {total}", sum=sum_of, total=total)


def total_outcome(
    game: str,
    total: int,
    *,
    sum_of: str,
    count: int,
    difficulty: int | None = None,
    more_than: bool = False,
    notes: Sequence[str] = (),
    decided: bool = True,
    awaits: Throw | None = None,
    short: tuple[tuple[str, int], ...] = (),
    steps: tuple[Step, ...] = (),
    source: str = "",
    pips: int = 0,
    is_final: bool = False,
) -> Outcome:
    """Return the outcome of a total, against a difficulty where there is one.

    :param count: the dice that lie there. :param pips: what the code adds to them.
    :param more_than: equal is not enough, as in contests that ask for more.
    :param source: where the text says what is compared.
    :param decided: whether the dice tell enough to say success or failure.
    :param is_final: of a total that is not decided yet, whether its difficulty stays as it is.
    """
    net = (("total", total),)
    if not count:
        return Outcome(
            game=game,
            word="nothing",
            succeeded=None,
            net=net,
            headline="No dice",
            sentence=sentences("No dice were thrown.", awaits.sentence if awaits else ""),
            awaits=awaits,
            short=short,
        )
    tail = [short_words(short), *notes, awaits.sentence if awaits else ""]
    sums = equation(sum_of, total)
    if short:
        return Outcome(
            game=game,
            word="undecided",
            succeeded=None,
            net=net,
            headline=str(total),
            sentence=sentences(say("{sum} so far.", sum=sums), *tail),
            awaits=awaits,
            short=short,
            steps=steps,
            pips=pips,
        )
    if difficulty is None or not decided:
        word = "total" if decided else "undecided"
        start = say("{sum}." if decided or not awaits else "{sum} so far.", sum=sums)
        return Outcome(
            game=game,
            word=word,
            succeeded=None,
            net=net,
            headline=str(total),
            sentence=sentences(start, *tail),
            awaits=awaits,
            steps=steps,
            pips=pips,
            difficulty=difficulty if is_final else None,
        )
    succeeded = total > difficulty if more_than else total >= difficulty
    margin = abs(total - difficulty)
    word = "success" if succeeded else "failure"
    if not margin:
        pattern = (
            "{sum}, which does not beat {wanted}: failure." if more_than else "{sum}, which meets {wanted}: success."
        )
        start = say(pattern, sum=sums, wanted=difficulty)
    else:
        beaten = "{sum}, which beats {wanted} by {margin}: success."
        missed = "{sum}, which misses {wanted} by {margin}: failure."
        start = say(beaten if succeeded else missed, sum=sums, wanted=difficulty, margin=margin)
    asked = "{total} against more than {wanted}: {word}." if more_than else "{total} against at least {wanted}: {word}."
    step = Step(say(asked, total=total, wanted=difficulty, word=word), "difficulty_check", source)
    return Outcome(
        game=game,
        word=word,
        succeeded=succeeded,
        net=net,
        headline=say("{^word} {total}", word=word, total=total),
        sentence=sentences(start, *tail),
        awaits=awaits,
        steps=(*steps, step),
        difficulty=difficulty,
        pips=pips,
    )


@cache
def _pip_set() -> DiceSet:
    (dice_set,) = find_sets(["pips"])
    return dice_set
