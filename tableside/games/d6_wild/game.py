"""D6 with a Wild Die: one die of another colour that is thrown again after a six and complicates on a one.

Source: the two-page summary (S001) restated in the project's rules, "The Wild Die".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from tableside.errors import BadAsk
from tableside.games.d6.engine import Count, D6Game, Odds
from tableside.games.d6.outcome import Plan, plain_words
from tableside.games.d6_wild import combat
from tableside.games.d6_wild.ask import FORM, NAME, TABLES, TRACKERS, Ask, Damage, plan_of, use_of
from tableside.games.d6_wild.characters import CHARACTERS
from tableside.games.d6_wild.odds import FIRST_ONE, WildTotal, wild_odds, wild_total
from tableside.games.d6_wild.rolls import TURNS, point_limit
from tableside.games.d6_wild.sources import SOURCES, wild_step
from tableside.games.d6_wild.tables import looked_up, table_odds, table_plan, table_throw
from tableside.rules.code import Code
from tableside.rules.game import Choice, Fit, Mood, Outcome, Spend
from tableside.rules.odds import SIDES, Totals
from tableside.rules.people import Effect
from tableside.rules.throws import Throw, dice_words
from tableside.words import say, sentences


class D6Wild(D6Game[Ask, WildTotal]):
    """The game with a Wild Die.

    A roll in which the Wild Die is not one die, or in which a throw is still to come and the difficulty is not yet
    reached, has not succeeded or failed. The throws come in this order: the roll, in parts where the players own fewer
    dice; the Wild Die after each six; the game master's dice for the difficulty; the dice of character points.
    """

    name = NAME
    title = "D6 with a Wild Die"
    form = FORM
    trackers = TRACKERS
    turn_order = TURNS
    _characters = CHARACTERS
    lone_die = "wild"
    sources = SOURCES
    gm_adds = "The game master throws {dice} for the difficulty."
    settles_early = True

    def fit(self, types: Collection[str]) -> Fit:
        return Fit.USUAL if "wild" in types and super().fit(types) else super().fit(types)

    def table_ask(self, dice: str, added: int = 0) -> Mapping[str, Any] | None:
        ask = super().table_ask(dice, added)
        return ask and {"purpose": "table", **ask}

    def plan(self, given: Ask, *, least: int = 1) -> Plan:
        return table_plan(given) if given.purpose in TABLES else plan_of(given, least=least)

    def called(self, given: Ask, plan: Plan) -> Code | None:
        return plan.code or (Code(dice=given.dice, pips=plan.pips) if given.dice else None)

    def throw(self, given: Ask, code: Code) -> Throw:
        """Return the throw of a code: of any dice, one is the Wild Die."""
        if given.purpose in TABLES:
            return table_throw(code)
        dice = tuple((name, n) for name, n in (("pip", code.dice - 1), ("wild", 1)) if n)
        return Throw(name="roll", dice=dice, sentence=say("Throw {dice}.", dice=dice_words(dice)))

    def count(self, count: Count, given: Ask) -> None:
        """Count every throw of the Wild Die, each after a six, and what a first one does."""
        count.parts = [value for _, value in count.values]
        if given.purpose in TABLES:
            count.explain(say("{sum}.", sum=count.equation), "I12")
            return
        chain = [*given.earlier, *(value for kind, value in count.values if kind == "wild")]
        count.parts += given.earlier
        wild = len(chain) - len(given.earlier)
        count.is_clear = wild == 1 or not count.values
        if count.is_clear:
            _throw_again(count, chain, given.wild_throws)
        else:
            many = say("There are {n} Wild Dice where one belongs: which of these is it?", n=wild)
            none = "The Wild Die is missing: which of these is it?", "A throw for a table has none: ask for it as one."
            count.notes += [many] if wild else none
        count.explain(say("{sum}.", sum=count.equation), "wild_roll")
        if count.is_clear and chain[:1] == [1]:
            _take_first_one(count, given.first_one)

    def explain_difficulty(self, count: Count, more: int) -> None:
        number = count.plan.difficulty or 0
        sums = f"{number} + {more} = {number + more}"
        count.explain(say("The difficulty's dice: {sum}.", sum=sums), "difficulty_scale")

    def count_besides(self, count: Count, given: Ask) -> None:
        """Add the dice of character points; each is thrown again after a six, and a 1 is just a 1.

        Points that are spent one after the other are thrown so, each with its chain; several at once lie together.
        """
        points = left = given.character_points if given.purpose not in TABLES else 0
        added, again = 0, 0
        while (left or again) and not count.hand.waits:
            dice = (("pip", again or left),)
            pattern = (
                "Throw {dice} again after a six and add." if again else "Throw {dice} for character points and add."
            )
            throw = Throw(name="points", dice=dice, sentence=say(pattern, dice=dice_words(dice)))
            faces = count.take(throw, in_parts=not again)
            left -= 0 if again else len(faces)
            count.parts += faces
            added += sum(faces)
            again = faces.count(SIDES)
        if added:
            pattern = "{n} {n:character point adds|character points add} {added}: {total}."
            text = say(pattern, n=points - left, added=added, total=count.total)
            count.explain(text, "character_points")

    def after(self, outcome: Outcome, count: Count, given: Ask) -> Outcome:
        if given.purpose in TABLES:
            return looked_up(outcome, count, given)
        if isinstance(given, Damage):
            return _damage(outcome, count.total, given)
        match given.purpose:
            case "first_aid":
                return _first_aid(outcome)
            case "healing":
                return _healing(outcome, given.state)
        return outcome

    def _spends(self, outcome: Outcome, given: Ask) -> tuple[Spend, ...]:
        """Return the character points that may still be spent on the roll."""
        spent = given.character_points
        is_open = outcome.word not in ("nothing", "undecided") and given.purpose not in TABLES
        if not is_open or outcome.awaits or spent >= point_limit(use_of(given)):
            return ()
        return (_points_spend(spent, 1, "One more die"),)

    def odds_of(self, given: Ask, plan: Plan, code: Code) -> Odds:
        if given.purpose in TABLES:
            return table_odds(given, code)
        return wild_odds(
            code.dice,
            code.pips,
            points=given.character_points,
            first_one=given.first_one,
            reach=(plan.difficulty or 0) + SIDES * plan.difficulty_dice,
            throws=given.wild_throws,
        )

    def better(self, given: Ask, plan: Plan, code: Code, random: Totals | None) -> list[tuple[Spend, Fraction]]:
        """Return character points with the chance after so many, then a Force Point."""
        spends: list[tuple[Spend, Fraction]] = []
        spent = given.character_points
        for more in range(1, point_limit(use_of(given)) - spent + 1):
            after = self.odds_of(replace(given, character_points=spent + more), plan, code)
            many = "{n} {n:character point|character points}: a die each, after the roll"
            title = say(many if more > 1 else "{n} {n:character point|character points}: a die, after the roll", n=more)
            spends.append((_points_spend(spent, more, title), after.success(plan.difficulty or 0, random)))
        return spends + super().better(given, plan, code, random)

    def whole(self, given: Ask, code: Code) -> WildTotal:
        """Return the whole total of a code, its dice of character points left out: they come after the roll.

        :raises BadAsk: where such points are spent.
        """
        if given.character_points:
            hint = "Leave them out: they are thrown after the roll was seen."
            raise BadAsk("character points are spent on the damage or against it", where=f"game {NAME}", hint=hint)
        return wild_total(code, first_one=given.first_one, throws=given.wild_throws)

    def fixed(self, number: int) -> WildTotal:
        return WildTotal(denominator=1, closed={number: 1}, open={})

    def resisting(self, given: Ask, damage: Ask, resists: Ask) -> tuple[int | None, Ask] | None:
        """Return the roll of Strength; scale helps or hinders it as it does the damage."""
        if given.purpose in TABLES or not isinstance(damage, Damage):
            return None
        return damage.against, replace(resists, scale=damage.other_scale, other_scale=damage.scale, role="resist")

    def harms(self, dealt: WildTotal, held: WildTotal, damage: Ask) -> Sequence[tuple[str, Fraction]]:
        least = combat.HARMS[damage.purpose]
        reached = [dealt.exceeds(held, margin) for margin, _ in least]
        chances = (one - worse for one, worse in pairwise([*reached, Fraction(0)]))
        return [(plain_words(words), chance) for (_, words), chance in zip(least, chances, strict=True)]


def _throw_again(count: Count, chain: list[int], most: int | None) -> None:
    """Throw the Wild Die again after each six, so many times in all at most."""
    while chain and chain[-1] == SIDES and not count.hand.waits and (most is None or len(chain) < most):
        sentence = "The Wild Die shows a six: throw it again and add it."
        more = count.take(Throw(name="wild_again", dice=(("wild", 1),), sentence=sentence))[:1]
        chain += more
        count.parts += more
    if count.hand.awaits is not None and count.hand.awaits.name == "wild_again":
        title = say("Leave it at {total}", total=count.total)
        count.choices = (Choice(title=title, sets=(("wild_throws", len(chain)),)),)


def _take_first_one(count: Count, reading: str) -> None:
    """Take off what a first 1 on the Wild Die costs. That it is added is our reading (I3)."""
    if reading in ("nothing", "highest"):
        ordinary = [value for kind, value in count.values if kind == "pip"]
        count.less = 1 + (max(ordinary, default=0) if reading == "highest" else 0)
    text = say("The Wild Die shows a first one ({does}): {total}.", does=FIRST_ONE[reading], total=count.total)
    count.explain(text, "I3")
    if reading != "plain":
        count.moods = ((Mood.DESPAIR, "complication"),)
        count.notes.append("The Wild Die shows a one: a complication.")
        if count.less:
            count.notes.append(say("{n} {n:is|are} taken away.", n=count.less))


def _points_spend(spent: int, more: int, title: str) -> Spend:
    return Spend(
        name="character_points",
        title=title,
        prices=(("character_points", more),),
        sets=(("character_points", spent + more),),
        source="character_points",
        is_at_once=True,
    )


def _damage(outcome: Outcome, total: int, given: Damage) -> Outcome:
    """Return the outcome with what the damage does, where it is resisted."""
    against, purpose = given.against, given.purpose
    if against is None:
        return outcome
    result = (combat.stun_result if purpose == "stun_damage" else combat.damage_result)(total - against)
    words = plain_words(result)
    text = say(
        "{total} less {resisted} = {left}: {result}.", total=total, resisted=against, left=total - against, result=words
    )
    steps = [wild_step(text, purpose)]
    if minutes := {
        "unconscious": combat.STUNNED_MINUTES,
        "incapacitated": combat.UNCONSCIOUS_MINUTES["incapacitated"],
    }.get(result):
        steps.append(wild_step(say("Unconscious for {code} minutes.", code=str(minutes)), "unconscious_time"))
    place, destroyed = given.location, False
    if result == "killed" and place:
        result, destroyed = combat.kill_at(place)
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
    if result not in combat.STATES or result == "healthy":
        return ()
    stun = (Effect(tracker="stuns", change=1), Effect(tracker="stunned_rounds", set=combat.STUNNED_ROUNDS))
    also = stun if result == "stunned" else ()
    return (Effect(tracker="wounds", set=combat.STATES.index(result), words=words, also=also),)


def _first_aid(outcome: Outcome) -> Outcome:
    """Return the outcome with what first aid does for the mortally wounded."""
    if not outcome.succeeded:
        return outcome
    words = say("Stabilised: {then}", then=combat.STABILIZED_THEN)
    return replace(
        outcome,
        sentence=sentences(outcome.sentence, say("{words}.", words=words)),
        steps=(*outcome.steps, wild_step(say("{words}.", words=words), "stabilize")),
        effects=(Effect(tracker="stabilised", set=1, words=words),),
    )


def _healing(outcome: Outcome, state: str) -> Outcome:
    """Return the outcome with both ends of natural healing: the summary has lost its numbers, so people choose."""
    healing = combat.HEALING.get(state)
    if healing is None:
        return outcome
    steps, effects = [], []
    if healing.rest_days:
        steps.append(wild_step(say("After {n} days of rest.", n=healing.rest_days), "natural_healing"))
    for pattern, after in (("Better: {state}", healing.better), ("Worse: {state}", healing.worse)):
        if after is not None:
            change = combat.STATES.index(after) - combat.STATES.index(state)
            words = say(pattern, state=plain_words(after))
            effects.append(Effect(tracker="wounds", change=change, on="roller", words=words, is_either=True))
    text = say("{words}, as you judge it.", words=[effect.words for effect in effects])
    return replace(
        outcome,
        sentence=sentences(outcome.sentence, text),
        steps=(*outcome.steps, *steps, wild_step(text, "natural_healing")),
        effects=tuple(effects),
    )


GAME = D6Wild()
