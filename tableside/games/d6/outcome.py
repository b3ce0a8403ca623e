"""What the D6 games share of a roll: the code that is made, faces checked, sums in words, totals compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec.structs import replace

from tableside.dice import DiceSet, Die, find_sets
from tableside.errors import BadAsk, GameError, UnknownDieType, did_you_mean
from tableside.rules.code import Code, code_words
from tableside.rules.form import F
from tableside.rules.game import Outcome, PoolNames, Spend, Step, count_words
from tableside.rules.modifiers import Modifier, changes
from tableside.rules.throws import Hand, short_words
from tableside.words import say, sentences

FORCE_POINTS = PoolNames(pool="Force Points", light="Force", dark="Dark Side")
"""A Force Point that is spent is gone, and dark ones come from evil acts only: neither turns into the other."""

FORCE_POINT = Spend(
    name="force_point",
    title="A Force Point doubles dice and pips",
    short="The Force doubles all",
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
    :ivar less_dice: dice that the game master throws and takes off the total.
    :ivar steps: how the code and the difficulty came about.
    """

    code: Code | None
    pips: int
    difficulty: int | None
    difficulty_dice: int = 0
    difficulty_more: int = 0
    less_dice: int = 0
    steps: tuple[Step, ...] = ()

    def versus(self, code: Code) -> str:
        """Return the code with what the game master throws: ``"4D+2 against 3D"``, ``"8D less 3D"``."""
        less = code_words(self.less_dice, 0)
        words = say("{code} less {less}", code=str(code), less=less) if self.less_dice else str(code)
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


class Draft:
    """A code while it changes, a step a change.

    :ivar base: the code that nothing has changed.
    """

    def __init__(self, base: Code, rule: str, *, step: Callable[[str, str], Step], steps: list[Step]) -> None:
        self.base, self.dice, self.pips = base, base.dice, base.pips
        self._step, self._steps = step, steps
        self.change("Base code", rule)

    def change(self, text: str, rule: str, *, dice: int = 0, pips: int = 0) -> None:
        """Add dice and pips, or take them off. :param text: why."""
        self.dice, self.pips = self.dice + dice, self.pips + pips
        self._steps.append(
            self._step(say("{change}: {code}.", change=text, code=code_words(self.dice, self.pips)), rule)
        )

    def double(self, text: str, rule: str) -> None:
        """Double dice and pips, as a Force Point does."""
        self.change(text, rule, dice=self.dice, pips=self.pips)

    def modify(self, rows: Iterable[Modifier[int, F]], given: F) -> None:
        """Change the dice as the rows of a table say."""
        for change, words, rule in changes(rows, given):
            more = "{why}, {n}D more" if change > 0 else "{why}, {n}D less"
            self.change(say(more, why=words, n=abs(change)), rule, dice=change)

    def keep(self, least: int, *, game: str, hint: str) -> None:
        """Leave no fewer than no dice, or raise :class:`BadAsk` where that is less than so many as have to be left."""
        if self.dice < 1 <= least:
            raise BadAsk("of {=base} no die is left", base=self.base, where=f"game {game}", hint=hint)
        self.dice = max(self.dice, 0)

    @property
    def code(self) -> Code:
        return Code(dice=self.dice, pips=self.pips)


def plain_words(name: str) -> str:
    """Return the words of a name: ``very_easy`` is very easy."""
    return name.replace("_", " ") if "_" in name else name  # what has no name but words keeps its values


def needs_difficulty(names: Sequence[str], *, game: str) -> None:
    """Raise :class:`BadAsk` where something is to be added to a difficulty that nobody gave."""
    if names:
        hint = "Give the difficulty that it is added to, as a number or a band."
        raise BadAsk("{=names} stands without a difficulty", names=names[0], where=f"game {game}", hint=hint)


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
            raise UnknownDieType("does not use {=type} dice", type=repr(die.type), where=f"game {game}", hint=hint)
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
    hand: Hand,
    difficulty: int | None = None,
    is_clear: bool = True,
    is_final: bool = True,
    settles_early: bool = False,
    must_beat: bool = False,
    notes: Sequence[str] = (),
    steps: Sequence[Step] = (),
    source: str = "",
    pips: int = 0,
) -> Outcome:
    """Return the outcome of a total, against a difficulty where there is one.

    :param count: the dice that lie there. :param pips: what the code adds to them.
    :param is_clear: whether each die is what it should be.
    :param is_final: of a total that is not decided yet, whether its difficulty stays as it is.
    :param settles_early: whether a difficulty that is reached stays reached, whatever is still thrown.
    :param must_beat: equal is not enough, as in contests that ask for more.
    :param source: where the text says what is compared.
    """
    wait = hand.awaits.sentence if hand.awaits else ""
    outcome = Outcome(
        game=game,
        word="nothing",
        succeeded=None,
        net=(("total", total),),
        headline="No dice",
        sentence=sentences("No dice were thrown.", wait),
        awaits=hand.awaits,
        short=hand.short,
    )
    if not count:
        return outcome
    sums, tail = equation(sum_of, total), [short_words(hand.short), *notes, wait]
    outcome = replace(
        outcome,
        word="undecided",
        headline=str(total),
        sentence=sentences(say("{sum} so far." if hand.waits else "{sum}.", sum=sums), *tail),
        difficulty=difficulty if is_final and not hand.short else None,
        steps=tuple(steps),
        pips=pips,
    )
    is_reached = difficulty is not None and total >= difficulty
    if hand.short or not is_clear or (hand.waits and not (settles_early and is_reached)):
        return outcome
    if difficulty is None:
        return replace(outcome, word="total")
    succeeded = total > difficulty if must_beat else is_reached
    word, margin = "success" if succeeded else "failure", abs(total - difficulty)
    if margin:
        pattern = (
            "{sum}, which beats {wanted} by {margin}: success."
            if succeeded
            else "{sum}, which misses {wanted} by {margin}: failure."
        )
        start = say(pattern, sum=sums, wanted=difficulty, margin=margin)
    else:
        pattern = (
            "{sum}, which does not beat {wanted}: failure." if must_beat else "{sum}, which meets {wanted}: success."
        )
        start = say(pattern, sum=sums, wanted=difficulty)
    asked = "{total} against more than {wanted}: {word}." if must_beat else "{total} against at least {wanted}: {word}."
    step = Step(say(asked, total=total, wanted=difficulty, word=word), "difficulty_check", source)
    return replace(
        outcome,
        word=word,
        succeeded=succeeded,
        headline=say("{^word} {total}", word=word, total=total),
        sentence=sentences(start, *tail),
        difficulty=difficulty,
        steps=(*steps, step),
    )


@cache
def _pip_set() -> DiceSet:
    (dice_set,) = find_sets(["pips"])
    return dice_set
