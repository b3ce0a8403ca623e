"""D6 with a Wild Die: one die of another colour that is thrown again after a six and complicates on a one.

Source: the two-page summary (S001) restated in the project's rules, "The Wild Die".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from msgspec.structs import replace as replaced

from tableside.dice import Die
from tableside.errors import BadAsk, GameError
from tableside.games.d6.outcome import (
    FORCE_POINT,
    FORCE_POINTS,
    Plan,
    equation,
    pip_values,
    plain_words,
    sum_words,
    table_code,
    total_outcome,
)
from tableside.games.d6_wild.ask import FORM, NAME, TABLES, TRACKERS, Ask, Damage, plan_of, use_of
from tableside.games.d6_wild.characters import CHARACTERS
from tableside.games.d6_wild.combat import (
    HARMS,
    HEALING,
    STABILIZED_THEN,
    STATES,
    STUNNED_MINUTES,
    STUNNED_ROUNDS,
    UNCONSCIOUS_MINUTES,
    damage_result,
    kill_at,
    stun_result,
)
from tableside.games.d6_wild.odds import FIRST_ONE, WildOdds, WildTotal, wild_odds, wild_total
from tableside.games.d6_wild.rolls import TURNS, check_throws, point_limit
from tableside.games.d6_wild.sources import SOURCES, wild_step
from tableside.games.d6_wild.tables import table_odds, table_outcome, table_throw
from tableside.rules.attack import Attack
from tableside.rules.code import Code
from tableside.rules.game import Choice, Fit, Game, Mood, Outcome, Prospect, Spend, Step
from tableside.rules.odds import PLAIN, SIDES, Totals, odds_json, totals
from tableside.rules.people import Effect
from tableside.rules.throws import Hand, Throw, dice_words, split_throw
from tableside.words import say, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class WildRoll:
    """A roll with a Wild Die.

    :ivar owed: the chain ends on a six, so the Wild Die must be thrown once more.
    :ivar complication: the first throw of the Wild Die was a 1.
    """

    total: int
    owed: bool
    complication: bool


def tray_dice(code: Code) -> tuple[int, int]:
    """Return how many ordinary and Wild Dice a code puts in the tray: of any dice, one is the Wild Die."""
    wild = min(code.dice, 1)
    return code.dice - wild, wild


def wild_roll(ordinary: Sequence[int], chain: Sequence[int], pips: int = 0, *, first_one: str = "counts") -> WildRoll:
    """Add the ordinary dice, every throw of the Wild Die and the pips.

    :param chain: the throws of the Wild Die, first throw first.
    :param first_one: what a first 1 does, a name of ``FIRST_ONE``; that it is added is our reading.
    :raises GameError: for a chain that goes on after anything but a six.
    """
    total = sum(ordinary) + check_throws(chain) + pips
    is_one = chain[0] == 1
    if is_one and first_one in ("nothing", "highest"):
        total -= 1 + (max(ordinary, default=0) if first_one == "highest" else 0)
    return WildRoll(
        total=total,
        owed=chain[-1] == 6,
        complication=is_one and first_one != "plain",
    )


class D6Wild(Game[Ask]):
    """The game with a Wild Die.

    A roll in which the Wild Die is not one die, or in which a throw is still to come and the difficulty is not yet
    reached, has not succeeded or failed. The throws come in this order: the roll, in parts where the players own fewer
    dice; the Wild Die after each six; the game master's dice for the difficulty; the dice of character points.
    """

    name = NAME
    title = "D6 with a Wild Die"
    dice_sets = ("pips",)
    form = FORM
    trackers = TRACKERS
    turn_order = TURNS
    _characters = CHARACTERS
    pool_names = FORCE_POINTS
    lone_die = "wild"
    damage_purpose = "damage"

    def fit(self, types: Collection[str]) -> Fit:
        return Fit.USUAL if "wild" in types and super().fit(types) else super().fit(types)

    def table_ask(self, dice: str, added: int = 0) -> Mapping[str, Any] | None:
        code = table_code(dice, added)
        return {"purpose": "table", "code": code} if code else None

    def _tray(self, given: Ask) -> Throw | None:
        wanted = table_throw(given) if given.purpose in TABLES else _wanted(given, plan_of(given))
        return wanted and split_throw(wanted, {"pip": given.owned})[0]

    def _play(self, throws: Sequence[Sequence[Die]], given: Ask) -> Outcome:
        if given.purpose in TABLES:
            return table_outcome(self.name, throws, given)
        plan = plan_of(given)
        for throw in throws:
            pip_values(throw, game=self.name)
        hand, steps, notes = Hand(throws), list(plan.steps), list[str]()
        wanted = _wanted(given, plan)
        thrown = hand.take_any() if wanted is None else hand.take_all(wanted, _owned(given), any_type=True)
        values = pip_values(thrown, game=self.name)
        ordinary = [value for kind, value in values if kind == "pip"]
        shown = [value for kind, value in values if kind == "wild"]
        chain = [*given.earlier, *shown[:1]]
        is_clear = len(shown) == 1 or not values
        parts = [value for _, value in values] + list(given.earlier)
        if not is_clear:
            many = say("There are {n} Wild Dice where one belongs: which of these is it?", n=len(shown))
            notes.append(many if shown else "The Wild Die is missing: which of these is it?")
            if not shown:
                notes.append("A throw for a table has none: ask for it as one.")
        else:
            most = given.wild_throws
            while chain and chain[-1] == SIDES and not hand.waits and (most is None or len(chain) < most):
                sentence = "The Wild Die shows a six: throw it again and add it."
                again = Throw(name="wild_again", dice=(("wild", 1),), sentence=sentence)
                more = [value for _, value in pip_values(hand.take(again, any_type=True)[:1], game=self.name)]
                chain, parts = chain + more, parts + more
        total = sum(parts) + plan.pips
        steps.append(wild_step(say("{sum}.", sum=equation(sum_words(parts, plan.pips), total)), "wild_roll"))
        complicates = False
        if is_clear and chain:
            roll = wild_roll(ordinary, chain, plan.pips, first_one=given.first_one)
            complicates = roll.complication
            if chain[0] == 1:
                pattern, does = (
                    "The Wild Die shows a first one ({does}): {total}.",
                    FIRST_ONE[given.first_one],
                )
                steps.append(wild_step(say(pattern, does=does, total=roll.total), "I3"))
            if complicates:
                lost = total - roll.total
                notes.append("The Wild Die shows a one: a complication.")
                if lost:
                    notes.append(say("{n} {n:is|are} taken away.", n=lost))
            total = roll.total
        difficulty = self._difficulty(hand, plan, steps) if is_clear else plan.difficulty
        if is_clear:
            total += self._with_points(hand, given.character_points, parts, steps, total)
        # What is still thrown can only add, so a difficulty that is reached stays reached, once it is known.
        sure = not plan.difficulty_dice or difficulty != plan.difficulty
        decided = is_clear and (not hand.waits or (difficulty is not None and sure and total >= difficulty))
        lost = sum(parts) + plan.pips - total
        outcome = total_outcome(
            self.name,
            total,
            sum_of=sum_words(parts, plan.pips, less=lost),
            count=len(values),
            difficulty=difficulty,
            notes=notes,
            decided=decided,
            awaits=hand.awaits,
            short=hand.short,
            steps=tuple(steps),
            source=SOURCES["difficulty_check"],
            pips=plan.pips,
            is_final=is_clear and sure,
        )
        if hand.awaits is not None and hand.awaits.name == "wild_again":
            leave = Choice(title=say("Leave it at {total}", total=total), sets=(("wild_throws", len(chain)),))
            outcome = replace(outcome, choices=(leave,))
        if complicates:
            outcome = replace(outcome, net=(*outcome.net, ("complication", 1)), moods=((Mood.DESPAIR, "complication"),))
        if is_clear:
            hand.check_rest(self.name)
        return outcome if hand.waits else _after(outcome, total, given)

    def _spends(self, outcome: Outcome, given: Ask) -> tuple[Spend, ...]:
        """Return the character points that may still be spent on the roll."""
        spent = given.character_points
        is_open = outcome.word not in ("nothing", "undecided") and given.purpose not in TABLES
        if not is_open or outcome.awaits or spent >= point_limit(use_of(given)):
            return ()
        return (_points_spend(spent, 1, "One more die"),)

    def _odds(self, given: Ask) -> Prospect:
        if given.purpose in TABLES:
            return table_odds(self.name, given)
        plan = plan_of(given)
        code = plan.code or (Code(dice=given.dice, pips=plan.pips) if given.dice else None)
        if code is None:
            raise BadAsk("no code was given", where=f"game {self.name}", hint="Ask for one, such as code=4D+2.")
        random = totals((PLAIN, plan.difficulty_dice)) if plan.difficulty_dice else None
        found = _odds(code, plan, given)
        chances: list[tuple[str, Fraction]] = []
        spends: list[tuple[Spend, Fraction]] = []
        if (difficulty := plan.difficulty) is not None:
            chances.append(("success", found.success(difficulty, random)))
            chances.append(("success_with_complication", found.success_with_complication(difficulty, random)))
            spent = given.character_points
            for more in range(1, point_limit(use_of(given)) - spent + 1):
                after = replaced(given, character_points=spent + more)
                better = _odds(code, plan, after).success(difficulty, random)
                many = "{n} {n:character point|character points}: a die each, after the roll"
                title = say(
                    many if more > 1 else "{n} {n:character point|character points}: a die, after the roll", n=more
                )
                spends.append((_points_spend(spent, more, title), better))
            if not given.force_point and given.code is not None:
                spends += _doubled(given, difficulty, random)
        chances += [("complication", found.complication), ("wild_again", found.explosion())]
        whole = found.all
        form = {"game": self.name, "code": str(code), "difficulty": plan.difficulty}
        return Prospect(
            pool=plan.versus(code),
            chances=tuple(chances),
            bars_of="total",
            bars=tuple((str(total), whole.chance(total)) for total in whole.ways),
            spends=tuple(spends),
            difficulty=plan.against,
            form=form | {name: float(chance) for name, chance in chances} | odds_json(whole),
        )

    def _attacked(self, given: Ask, damage: Ask, resists: Ask) -> Attack | None:
        """Return how attack, damage and the roll of Strength against it end together. Scale helps or hinders both."""
        if given.purpose in TABLES:
            return None
        if not isinstance(damage, Damage):
            return None
        hits = dict(self._odds(given).chances).get("success") if plan_of(given).code else None
        thrown = plan_of(damage).code
        if hits is None or thrown is None:
            return None
        if (against := damage.against) is not None:
            held = WildTotal(denominator=1, closed={against: 1}, open={})
        else:
            scales = {"scale": damage.other_scale, "other_scale": damage.scale, "role": "resist"}
            plan = plan_of(replaced(resists, **scales) if damage.role == "damage" else resists, least=0)
            if plan.code is None:
                return None
            held = WildTotal(denominator=1, closed={plan.left or 0: 1}, open={})
            if plan.left is None:
                held = _whole(plan.code, resists)
        dealt = _whole(thrown, damage)
        least = HARMS[damage.purpose]
        reached = [hits * dealt.exceeds(held, margin) for margin, _ in least]
        harms = zip((words for _, words in least), (a - b for a, b in pairwise([*reached, Fraction(0)])), strict=True)
        return Attack.of(
            miss=1 - hits,
            harmless=hits - reached[0],
            harms=[(say("{^result}", result=plain_words(words)), chance) for words, chance in harms],
        )

    def _difficulty(self, hand: Hand, plan: Plan, steps: list[Step]) -> int | None:
        """Return the difficulty with the dice that the game master throws for it, which are plain (I12)."""
        if plan.difficulty is None or not plan.difficulty_dice:
            return plan.difficulty
        dice = (("pip", plan.difficulty_dice),)
        more = plan.difficulty_more
        sentence = say("The game master throws {dice} for the difficulty.", dice=dice_words(dice, more=more))
        throw = Throw(name="difficulty", dice=dice, sentence=sentence, by_gm=True, most=dice[0][1] + more)
        shown = sum(value for _, value in pip_values(hand.take(throw, any_type=True), game=self.name))
        if shown:
            sums = f"{plan.difficulty} + {shown} = {plan.difficulty + shown}"
            steps.append(wild_step(say("The difficulty's dice: {sum}.", sum=sums), "difficulty_scale"))
        return plan.difficulty + shown

    def _with_points(self, hand: Hand, points: int, parts: list[int], steps: list[Step], total: int) -> int:
        """Return what the dice of character points add; each is thrown again after a six, and a 1 is just a 1.

        Points that are spent one after the other are thrown so, each with its chain; several at once lie together.
        """
        added, left, again = 0, points, 0
        while (left or again) and not hand.waits:
            dice = (("pip", again or left),)
            pattern = (
                "Throw {dice} again after a six and add." if again else "Throw {dice} for character points and add."
            )
            throw = Throw(name="points", dice=dice, sentence=say(pattern, dice=dice_words(dice)))
            thrown = hand.take(throw, any_type=True, in_parts=not again)
            faces = [value for _, value in pip_values(thrown, game=self.name)]
            left -= 0 if again else len(faces)
            parts += faces
            added += sum(faces)
            again = faces.count(SIDES)
        if added:
            pattern = "{n} {n:character point adds|character points add} {added}: {total}."
            text = say(pattern, n=points - left, added=added, total=total + added)
            steps.append(wild_step(text, "character_points"))
        return added


def _doubled(given: Ask, difficulty: int, random: Totals | None) -> list[tuple[Spend, Fraction]]:
    """Return a Force Point with the chance after it, nothing where the doubled code is more than can be thrown."""
    doubled = replaced(given, force_point=True)
    try:
        plan = plan_of(doubled)
    except GameError:
        return []
    return [] if plan.code is None else [(FORCE_POINT, _odds(plan.code, plan, doubled).success(difficulty, random))]


def _wanted(given: Ask, plan: Plan) -> Throw | None:
    count = plan.code.dice if plan.code is not None else given.dice
    if not count:
        return None
    ordinary, wild = tray_dice(Code(dice=count))
    dice = tuple((name, n) for name, n in (("pip", ordinary), ("wild", wild)) if n)
    return Throw(name="roll", dice=dice, sentence=say("Throw {dice}.", dice=dice_words(dice)))


def _owned(given: Ask) -> dict[str, int]:
    return {"pip": given.owned}


def _points_spend(spent: int, more: int, title: str) -> Spend:
    return Spend(
        name="character_points",
        title=title,
        prices=(("character_points", more),),
        sets=(("character_points", spent + more),),
        source="character_points",
    )


def _whole(code: Code, given: Ask) -> WildTotal:
    """Return the whole total of a code, its dice of character points left out: they come after the roll.

    :raises BadAsk: where such points are spent.
    """
    if given.character_points:
        hint = "Leave them out: they are thrown after the roll was seen."
        raise BadAsk("character points are spent on the damage or against it", where=f"game {NAME}", hint=hint)
    return wild_total(code, first_one=given.first_one, throws=given.wild_throws)


def _odds(code: Code, plan: Plan, given: Ask) -> WildOdds:
    reach = (plan.difficulty or 0) + SIDES * plan.difficulty_dice
    return wild_odds(
        code.dice,
        code.pips,
        points=given.character_points,
        first_one=given.first_one,
        reach=reach,
        throws=given.wild_throws,
    )


def _after(outcome: Outcome, total: int, given: Ask) -> Outcome:
    """Return the outcome with what a decided roll does."""
    if outcome.word in ("nothing", "undecided"):
        return outcome
    if isinstance(given, Damage):
        return _damage(outcome, total, given)
    match given.purpose:
        case "first_aid":
            return _first_aid(outcome)
        case "healing":
            return _healing(outcome, given.state)
    return outcome


def _damage(outcome: Outcome, total: int, given: Damage) -> Outcome:
    """Return the outcome with what the damage does, where it is resisted."""
    against, purpose = given.against, given.purpose
    if against is None:
        return outcome
    result = (stun_result if purpose == "stun_damage" else damage_result)(total - against)
    words = plain_words(result)
    text = say(
        "{total} less {resisted} = {left}: {result}.", total=total, resisted=against, left=total - against, result=words
    )
    steps = [wild_step(text, purpose)]
    if minutes := {"unconscious": STUNNED_MINUTES, "incapacitated": UNCONSCIOUS_MINUTES["incapacitated"]}.get(result):
        steps.append(wild_step(say("Unconscious for {code} minutes.", code=str(minutes)), "unconscious_time"))
    place, destroyed = given.location, False
    if result == "killed" and place:
        result, destroyed = kill_at(place)
    headline = say("{^result}", result=plain_words(result))
    if destroyed:
        words = say("{result}, the {place} is destroyed", result=plain_words(result), place=plain_words(place))
        headline = say("{^result}", result=words)
        steps.append(wild_step(say("{^result}.", result=words), "limb_kill"))
    return replace(
        outcome,
        headline=headline,
        sentence=sentences(outcome.sentence, say("Against {resisted}: {result}.", resisted=against, result=words)),
        steps=(*outcome.steps, *steps),
        effects=_hurt(result, headline),
    )


def _hurt(result: str, words: str) -> tuple[Effect, ...]:
    """Return what a result of the damage chart does to its target. A stun counts besides the state that it brings."""
    if result == "unconscious":
        return (Effect(tracker="unconscious", set=1, words=words),)
    if result not in STATES or result == "healthy":
        return ()
    stun = (Effect(tracker="stuns", change=1), Effect(tracker="stunned_rounds", set=STUNNED_ROUNDS))
    also = stun if result == "stunned" else ()
    return (Effect(tracker="wounds", set=STATES.index(result), words=words, also=also),)


def _first_aid(outcome: Outcome) -> Outcome:
    """Return the outcome with what first aid does for the mortally wounded."""
    if not outcome.succeeded:
        return outcome
    words = say("Stabilised: {then}", then=STABILIZED_THEN)
    return replace(
        outcome,
        sentence=sentences(outcome.sentence, say("{words}.", words=words)),
        steps=(*outcome.steps, wild_step(say("{words}.", words=words), "stabilize")),
        effects=(Effect(tracker="stabilised", set=1, words=words),),
    )


def _healing(outcome: Outcome, state: str) -> Outcome:
    """Return the outcome with both ends of natural healing: the summary has lost its numbers, so people choose."""
    healing = HEALING.get(state)
    if healing is None:
        return outcome
    steps, effects = [], []
    if healing.rest_days:
        steps.append(wild_step(say("After {n} days of rest.", n=healing.rest_days), "natural_healing"))
    for pattern, after in (("Better: {state}", healing.better), ("Worse: {state}", healing.worse)):
        if after is not None:
            change = STATES.index(after) - STATES.index(state)
            words = say(pattern, state=plain_words(after))
            effects.append(Effect(tracker="wounds", change=change, on="roller", words=words))
    told = say("{words}, as you judge it.", words=[effect.words for effect in effects])
    return replace(
        outcome,
        sentence=sentences(outcome.sentence, told),
        steps=(*outcome.steps, *steps, wild_step(told, "natural_healing")),
        effects=tuple(effects),
    )


GAME = D6Wild()
