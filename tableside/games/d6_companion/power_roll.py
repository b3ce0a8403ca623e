"""D6 with dice codes, using a Force power: one roll for each of its skills, one after the other.

Each roll has to reach its difficulty; the first that does not ends the power (S003, Force rules).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tableside.dice import Die
from tableside.errors import BadAsk, did_you_mean
from tableside.games.d6.outcome import Plan, equation, pip_values, plain_words, sum_words
from tableside.games.d6_companion import force
from tableside.games.d6_companion.ask import NAME, Ask
from tableside.games.d6_companion.force import PowerAsk
from tableside.games.d6_companion.plan import plan_of
from tableside.games.d6_companion.powers import POWERS, RESIST
from tableside.games.d6_companion.rolls import band
from tableside.games.d6_companion.sources import companion_step
from tableside.games.d6_companion.yields import power_yield
from tableside.rules.code import Code
from tableside.rules.game import Outcome, Prospect, Step
from tableside.rules.odds import PLAIN, odds_json, totals
from tableside.rules.people import Effect
from tableside.rules.throws import Hand, Throw, dice_words, short_words, split_throw
from tableside.words import say, sentences

DARK = Effect(tracker="dark_side_points", change=1, on="roller", words="A Dark Side Point")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillRoll:
    """One roll of a power.

    :ivar wanted: what it has to reach.
    """

    skill: str
    plan: Plan
    wanted: int

    @property
    def throw(self) -> Throw:
        assert self.plan.code is not None
        dice = (("pip", self.plan.code.dice),)
        sentence = say("Throw {dice} for {^skill}.", dice=dice_words(dice), skill=self.skill)
        return Throw(name="roll", dice=dice, sentence=sentence)


def power_rolls(given: PowerAsk) -> tuple[SkillRoll, ...]:
    """Return the rolls of the power that is asked for.

    :raises BadAsk: where the power, a code or a case is missing.
    """
    name = given.power
    if not name:
        raise BadAsk("no power was chosen", where=f"game {NAME}", hint="Choose one, such as telekinesis.")
    needs = force.needs_of(POWERS[name])
    actions = len(needs) + given.actions - 1
    codes = {"control": given.control, "sense": given.sense, "alter": given.alter}
    found = []
    for skill in needs:
        code = codes[skill]
        if code is None:
            hint = say("The power needs {=skills}.", skills=", ".join(needs))
            raise BadAsk("no code for {^skill}", skill=skill, where=f"game {NAME}", hint=hint)
        if name == "force of will":
            code = code.plus(-given.will_lost)
        # What changes every roll of a power.
        ask = Ask(
            code=code,
            actions=actions,
            pips=given.pips + given.force_bonus,
            force_point=given.force_point,
            force_point_last=given.force_point_last,
            prepared=given.prepared,
            wounded=given.wounded,
            stuns=given.stuns,
            haste=given.haste,
            haste_declared=given.haste_declared,
            free_haste=given.free_haste,
        )
        wanted = _difficulty(name, skill, given)
        plan = plan_of(ask)
        found.append(SkillRoll(skill=skill, plan=plan, wanted=wanted))
    return tuple(found)


def _difficulty(name: str, skill: str, given: PowerAsk) -> int:
    need = force.needs_of(POWERS[name])[skill]
    more = force.modifiers(skill, need, name, given)
    if need.by == "mass":
        if given.kg is None:
            raise BadAsk("no mass was given", where=f"game {NAME}", hint="Say how heavy it is.")
        label, heavier = force.lifting(given.kg)
        return band(label)[0] + heavier + more
    cases = dict(need.cases)
    case = (
        {"control": given.case_control, "sense": given.case_sense, "alter": given.case_alter}[skill]
        if len(cases) > 1
        else next(iter(cases))
    )
    if case not in cases:
        hint = did_you_mean(case, cases) if case else say("It may be: {=names}.", names=", ".join(cases))
        raise BadAsk("no case for {^skill}", skill=skill, where=f"game {NAME}", hint=hint)
    if cases[case] == RESIST:
        if given.resist is None:
            raise BadAsk("the target has not resisted", where=f"game {NAME}", hint="It rolls Perception or Control.")
        return (given.resist or 0) + more
    return band(cases[case])[0] + more


def power_tray(given: PowerAsk) -> Throw | None:
    return split_throw(power_rolls(given)[0].throw, {"pip": given.owned})[0]


def power_outcome(throws: Sequence[Sequence[Die]], given: PowerAsk) -> Outcome:
    """Return what all rolls of a power mean together."""
    hand, owned = Hand(throws), {"pip": given.owned}
    name = given.power
    rolls = power_rolls(given)
    steps: list[Step] = []
    parts: list[str] = []
    reached: dict[str, tuple[int, int]] = {}
    total, succeeded = 0, True
    for roll in rolls:
        thrown = hand.take_all(roll.throw, owned, any_type=True)
        values = [value for _, value in pip_values(thrown, game=NAME)]
        if hand.waits:
            return _waiting(hand, values, total if reached else None, parts, steps)
        total = sum(values) + roll.plan.pips
        succeeded = total >= roll.wanted
        pattern = "{^skill}: {sum} reaches {wanted}." if succeeded else "{^skill}: {sum} misses {wanted}."
        sums = equation(sum_words(values, roll.plan.pips), total)
        parts.append(say(pattern, skill=roll.skill, sum=sums, wanted=roll.wanted))
        steps += [*roll.plan.steps, companion_step(parts[-1], "power_roll")]
        reached[roll.skill] = (total, roll.wanted)
        if not succeeded:
            break
    hand.check_rest(NAME)
    dark = (DARK,) if POWERS[name].dark_side_point else ()
    words, effects = power_yield(name, given, reached) if succeeded else ("The power fails", ())
    blocked = succeeded and given.target_will > 0 and total < reached[roll.skill][1] + given.target_will
    if blocked:
        succeeded, words = False, "Force of will blocks it, and loses a die"
        effects = (Effect(tracker="will_lost", change=1, words=words),)
    steps.append(companion_step(say("{^words}.", words=words), "force_power"))
    word = "success" if succeeded else "failure"
    return Outcome(
        game=NAME,
        word=word,
        succeeded=succeeded,
        net=(("total", total),),
        headline=say("{^name}: {word}", name=plain_words(name), word=word),
        sentence=sentences(*parts, say("{^words}.", words=words)),
        steps=tuple(steps),
        difficulty=reached[roll.skill][1],
        pips=roll.plan.pips,
        effects=(*effects, *dark),
    )


def _waiting(
    hand: Hand, values: Sequence[int], total: int | None, parts: Sequence[str], steps: Sequence[Step]
) -> Outcome:
    """Return the outcome while dice of a roll are still to come."""
    awaits = hand.awaits
    shown = sum(values) if total is None else total
    is_empty = total is None and not values
    return Outcome(
        game=NAME,
        word="nothing" if is_empty else "undecided",
        succeeded=None,
        net=(("total", shown),),
        headline="No dice" if is_empty else str(shown),
        sentence=sentences(*parts, short_words(hand.short), awaits.sentence if awaits else ""),
        awaits=awaits,
        short=hand.short,
        steps=tuple(steps),
    )


def power_odds(given: PowerAsk) -> Prospect:
    """Return the chance that every roll of the power succeeds, and the distribution of the first total."""
    rolls = power_rolls(given)
    success = Fraction(1)
    chances: list[tuple[str, Fraction]] = []
    codes: list[Code] = []
    for roll in rolls:
        assert roll.plan.code is not None
        codes.append(roll.plan.code)
        chance = totals((PLAIN, roll.plan.code.dice), add=roll.plan.code.pips).at_least(roll.wanted)
        chances.append((roll.skill, chance))
        success *= chance
    first = totals((PLAIN, codes[0].dice), add=codes[0].pips)
    form: Mapping[str, Any] = {
        "game": NAME,
        "code": str(codes[0]),
        "difficulty": rolls[0].wanted,
        "success": float(success),
    }
    return Prospect(
        pool=", ".join(str(code) for code in codes),
        chances=(("success", success), *chances),
        bars_of="total",
        bars=tuple((str(total), first.chance(total)) for total in first.ways),
        pips=codes[0].pips,
        form={**form, **odds_json(first)},
    )
