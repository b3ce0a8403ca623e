"""The engine of the games with dice codes: it takes the dice, sums them, compares the total and says how it came about.

A game says which dice a code throws, how their faces count, what is thrown besides and what its charts make of a total.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.d6.ask import D6Ask
from tableside.games.d6.outcome import (
    FORCE_POINT,
    FORCE_POINTS,
    Plan,
    equation,
    pip_values,
    sum_words,
    table_code,
    total_outcome,
)
from tableside.rules.attack import Attack
from tableside.rules.code import Code
from tableside.rules.game import Choice, Game, Mood, Outcome, Prospect, Spend, Step
from tableside.rules.odds import PLAIN, Totals, odds_json, reached, totals
from tableside.rules.throws import Hand, Throw, dice_words, split_throw
from tableside.words import say

A = TypeVar("A", bound=D6Ask)
W = TypeVar("W")
"""What a game counts the whole total of a code in."""


class Odds(Protocol):
    """How the total of a roll falls."""

    @property
    def all(self) -> Totals:
        """Every total with its ways."""

    def success(self, difficulty: int, random: Totals | None) -> Fraction:
        """Return the chance to reach a difficulty. :param random: the totals of dice that are added to it."""

    def besides(self, difficulty: int | None, random: Totals | None) -> Sequence[tuple[str, Fraction]]:
        """Return what else may come of the roll."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalOdds:
    """The odds of a total that ends with its throw.

    :ivar more: so much more than the difficulty is asked for.
    :ivar chances: what else may come of the roll.
    """

    all: Totals
    more: int = 0
    chances: Sequence[tuple[str, Fraction]] = ()

    def success(self, difficulty: int, random: Totals | None) -> Fraction:
        return reached(self.all, difficulty + self.more, random)

    def besides(self, difficulty: int | None, random: Totals | None) -> Sequence[tuple[str, Fraction]]:
        return self.chances


@dataclass(slots=True, kw_only=True)
class Count:
    """A total while it comes together.

    :ivar values: the type and the number of each die of the roll.
    :ivar parts: the numbers that count, in the order in which they were thrown. :ivar less: what is taken off them.
    :ivar is_clear: whether each die is what it should be; where not, people are asked.
    :ivar may_fall: whether what is still thrown may take something off.
    :ivar moods: how the roll feels, each mood with what brings it.
    :ivar choices: what settles what the dice leave open.
    """

    game: D6Game[Any, Any]
    plan: Plan
    hand: Hand
    values: Sequence[tuple[str, int]]
    parts: list[int] = field(default_factory=list)
    less: int = 0
    steps: list[Step]
    notes: list[str] = field(default_factory=list)
    is_clear: bool = True
    may_fall: bool = False
    moods: tuple[tuple[Mood, str], ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def total(self) -> int:
        return sum(self.parts) + self.plan.pips - self.less

    @property
    def words(self) -> str:
        """The parts of the total: ``"3 + 5 + 2 pips"``."""
        return sum_words(self.parts, self.plan.pips, less=self.less)

    @property
    def equation(self) -> str:
        """The total with its parts: ``"3 + 5 + 2 pips = 10"``."""
        return equation(self.words, self.total)

    def explain(self, text: str, rule: str) -> None:
        self.steps.append(Step(text, rule, self.game.sources[rule]))

    def take(self, throw: Throw, *, in_parts: bool = False) -> list[int]:
        """Return the numbers of a throw that comes after the roll."""
        dice = self.hand.take(throw, any_type=True, in_parts=in_parts)
        return [value for _, value in pip_values(dice, game=self.game.name)]


class D6Game(Game[A], Generic[A, W]):
    """A game with dice codes.

    :cvar sources: where each rule stands in the source texts.
    :cvar gm_adds: what the game master does with dice for the difficulty.
    :cvar settles_early: whether a total that reaches its difficulty before the last throw has succeeded.
    """

    dice_sets = ("pips",)
    pool_names = FORCE_POINTS
    sources: ClassVar[Mapping[str, str]]
    gm_adds: ClassVar[str]
    settles_early: ClassVar[bool] = False

    @abstractmethod
    def plan(self, given: A, *, least: int = 1) -> Plan:
        """Return the code to throw and the difficulty.

        :param least: so many dice have to be left; 0 for what resists.
        :raises BadAsk: for an answer that the rules do not allow.
        """

    @abstractmethod
    def count(self, count: Count, given: A) -> None:
        """Count the faces of the roll: what is dropped, thrown again or taken off."""

    @abstractmethod
    def explain_difficulty(self, count: Count, more: int) -> None:
        """Say how the dice of the game master change the difficulty."""

    def count_besides(self, count: Count, given: A) -> None:
        """Count what is thrown once the difficulty is known."""

    @abstractmethod
    def after(self, outcome: Outcome, count: Count, given: A) -> Outcome:
        """Return the outcome of a decided roll with what it does."""

    @abstractmethod
    def odds_of(self, given: A, plan: Plan, code: Code) -> Odds:
        """Return the odds of a code."""

    @abstractmethod
    def resisting(self, given: A, damage: A, resists: A) -> tuple[int | None, A] | None:
        """Return what damage has to beat where that is known, and the roll that resists it where not.

        ``None`` where the rolls are no attack and its damage.
        """

    @abstractmethod
    def whole(self, given: A, code: Code) -> W:
        """Return the whole total of a code."""

    @abstractmethod
    def fixed(self, number: int) -> W:
        """Return a number as a whole total."""

    @abstractmethod
    def harms(self, dealt: W, held: W, damage: A) -> Sequence[tuple[str, Fraction]]:
        """Return what damage does that hits, with the chance of each; what is missing of one does nothing."""

    def called(self, given: A, plan: Plan) -> Code | None:
        """Return the code that is thrown, ``None`` where nobody told."""
        return plan.code

    def throw(self, given: A, code: Code) -> Throw:
        """Return the throw of a code."""
        dice = (("pip", code.dice),)
        return Throw(name="roll", dice=dice, sentence=say("Throw {dice}.", dice=dice_words(dice)))

    def must_beat(self, given: A) -> bool:
        """Tell whether equal is not enough, as in contests that ask for more."""
        return False

    def better(self, given: A, plan: Plan, code: Code, random: Totals | None) -> list[tuple[Spend, Fraction]]:
        """Return points that may be spent with the chance after each: a Force Point, where the code can be doubled."""
        doubled = replace(given, force_point=True)
        try:
            plan = self.plan(doubled)
        except GameError:  # more dice than a code has
            return []
        if given.force_point or plan.code is None or plan.difficulty is None:
            return []
        return [(FORCE_POINT, self.odds_of(doubled, plan, plan.code).success(plan.difficulty, random))]

    def table_ask(self, dice: str, added: int = 0) -> Mapping[str, Any] | None:
        code = table_code(dice, added)
        return {"code": code} if code else None

    def _tray(self, given: A) -> Throw | None:
        wanted = self._whole_throw(given, self.plan(given))
        return wanted and split_throw(wanted, {"pip": given.owned})[0]

    def _whole_throw(self, given: A, plan: Plan) -> Throw | None:
        code = self.called(given, plan)
        return self.throw(given, code) if code and code.dice else None

    def _play(self, throws: Sequence[Sequence[Die]], given: A) -> Outcome:
        plan, hand = self.plan(given), Hand(throws)
        for throw in throws:
            pip_values(throw, game=self.name)
        wanted = self._whole_throw(given, plan)
        thrown = hand.take_any() if wanted is None else hand.take_all(wanted, {"pip": given.owned}, any_type=True)
        values = pip_values(thrown, game=self.name)
        count = Count(game=self, plan=plan, hand=hand, values=values, steps=list(plan.steps))
        self.count(count, given)
        difficulty, is_known = plan.difficulty, count.is_clear
        if count.is_clear:
            if difficulty is not None and plan.difficulty_dice:
                difficulty, is_known = self._with_gm(count, difficulty)
            self.count_besides(count, given)
            hand.check_rest(self.name)
        outcome = total_outcome(
            self.name,
            count.total,
            sum_of=count.words,
            count=len(values),
            hand=hand,
            difficulty=difficulty,
            is_clear=count.is_clear,
            is_final=is_known and not count.may_fall,
            # What is still thrown can only add, so a difficulty that is reached stays reached, once it is known.
            settles_early=self.settles_early and is_known,
            must_beat=self.must_beat(given),
            notes=count.notes,
            steps=count.steps,
            source=self.sources["difficulty_check"],
            pips=plan.pips,
        )
        moods, choices = count.moods, count.choices
        net = (*outcome.net, *((name, 1) for _, name in moods))
        outcome = replace(outcome, net=net, moods=moods, choices=choices)
        return outcome if hand.waits or outcome.word in ("nothing", "undecided") else self.after(outcome, count, given)

    def _with_gm(self, count: Count, difficulty: int) -> tuple[int, bool]:
        """Return the difficulty with the dice that the game master throws for it, and whether they were thrown."""
        count_of, more = count.plan.difficulty_dice, count.plan.difficulty_more
        dice = (("pip", count_of),)
        sentence = say(self.gm_adds, dice=dice_words(dice, more=more))
        throw = Throw(name="difficulty", dice=dice, sentence=sentence, by_gm=True, most=count_of + more)
        shown = sum(count.take(throw))
        if shown:
            self.explain_difficulty(count, shown)
        return difficulty + shown, shown > 0

    def _odds(self, given: A) -> Prospect:
        plan = self.plan(given)
        code = self.called(given, plan)
        if code is None:
            raise BadAsk("no code was given", where=f"game {self.name}", hint="Ask for one, such as code=4D+2.")
        random = totals((PLAIN, plan.difficulty_dice)) if plan.difficulty_dice else None
        found = self.odds_of(given, plan, code)
        chances, spends = [*found.besides(plan.difficulty, random)], []
        if plan.difficulty is not None:
            chances.insert(0, ("success", found.success(plan.difficulty, random)))
            spends = self.better(given, plan, code, random)
        whole = found.all
        form = {"game": self.name, "code": str(code), "difficulty": plan.difficulty}
        return Prospect(
            pool=plan.versus(code),
            chances=tuple(chances),
            bars_of="total",
            bars=tuple((str(total), whole.chance(total)) for total in whole.ways),
            spends=tuple(spends),
            difficulty=plan.against,
            pips=code.pips,
            form=form | {name: float(chance) for name, chance in chances} | odds_json(whole),
        )

    def _attack_odds(self, given: A, damage: A, resists: A) -> Attack | None:
        """Return how attack, damage and the roll against it end together."""
        asked = self.resisting(given, damage, resists)
        if asked is None:
            return None
        hits = dict(self._odds(given).chances).get("success") if self.plan(given).code else None
        thrown = self.plan(damage).code
        if hits is None or thrown is None:
            return None
        number, resists = asked
        if number is not None:
            held = self.fixed(number)
        elif (plan := self.plan(resists, least=0)).left is not None:
            held = self.fixed(plan.left)
        elif plan.code is None:
            return None
        else:
            held = self.whole(resists, plan.code)
        ends = self.harms(self.whole(damage, thrown), held, damage)
        harms = [(say("{^result}", result=words), hits * chance) for words, chance in ends]
        return Attack.of(miss=1 - hits, harmless=hits - sum(chance for _, chance in harms), harms=harms)
