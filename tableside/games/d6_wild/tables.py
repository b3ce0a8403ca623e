"""D6 with a Wild Die, throws for a table: where a hit lands, whether the dying live, minutes without consciousness.

All dice of such a throw are plain ones: none is the Wild Die, no six is thrown again, and nothing changes the number of
dice. That is our reading (I12), as the tables have no row for more. Source: the two-page summary (S001) as restated in
the project's rules.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from tableside.games.d6.engine import Count, TotalOdds
from tableside.games.d6.outcome import Plan, plain_words
from tableside.games.d6_wild import combat
from tableside.games.d6_wild.ask import Ask, Dying
from tableside.games.d6_wild.sources import wild_step
from tableside.rules.code import Code
from tableside.rules.game import Outcome, count_words
from tableside.rules.odds import PLAIN, totals
from tableside.rules.people import Effect
from tableside.rules.throws import Throw, dice_words
from tableside.words import say

_TWO_DICE = Code(dice=2)
_KILLED = combat.STATES.index("killed")


def table_code(given: Ask) -> Code | None:
    """Return the dice of the throw, ``None`` where nobody told how many another table wants.

    Pips are added to the throw for another table alone: those of the rules have rows for the dice as they fall.
    """
    match given.purpose:
        case "hit_location" | "dying":
            return _TWO_DICE
        case "minutes":
            return combat.UNCONSCIOUS_MINUTES.get(given.state, combat.UNCONSCIOUS_MINUTES["stunned"])
    code = given.code or (Code(dice=given.dice) if given.dice else None)
    return code and code.plus(0, given.pips)


def table_plan(given: Ask) -> Plan:
    """Return how the throw is to be made."""
    code = table_code(given)
    plain = wild_step("A throw for a table has no Wild Die, and no six is thrown again.", "I12")
    return Plan(code=code, pips=code.pips if code else 0, difficulty=None, steps=(plain,))


def table_throw(code: Code) -> Throw:
    """Return the throw of a code; dice of any colour will do."""
    dice = (("pip", code.dice),)
    sentence = say("Throw {dice}, none of them as the Wild Die.", dice=dice_words(dice))
    return Throw(name="roll", dice=dice, sentence=sentence)


def table_odds(given: Ask, code: Code) -> TotalOdds:
    """Return the exact chances of what the table may say."""
    found = totals((PLAIN, code.dice), add=code.pips)
    chances: dict[str, Fraction] = {}
    match given.purpose:
        case "hit_location":
            for total in found.ways:
                place = combat.hit_location(total)
                chances[place] = chances.get(place, Fraction()) + found.chance(total)
        case "dying" if (rounds := rounds_of(given)) is not None:
            chances["success"] = found.at_least(rounds)
    return TotalOdds(all=found, chances=tuple(chances.items()))


def looked_up(outcome: Outcome, count: Count, given: Ask) -> Outcome:
    """Return the outcome with what the table says of the total."""
    total, sum_of = count.total, count.words
    purpose, rounds = given.purpose, rounds_of(given)
    match purpose:
        case "hit_location":
            place = plain_words(combat.hit_location(total))
            words, rule = say("{total}: {place}", total=total, place=place), "hit_location"
        case "dying" if rounds is not None:
            lives = total >= rounds
            pattern = "{total} in round {round}: lives on" if lives else "{total} in round {round}: dies"
            words, rule = say(pattern, total=total, round=rounds), "mortal_check"
            dead = () if lives else (Effect(tracker="wounds", set=_KILLED, on="roller", words="Dead"),)
            outcome = replace(outcome, word="success" if lives else "failure", succeeded=lives, effects=dead)
        case "minutes":
            words, rule = count_words(total, "minute"), "unconscious_time"
        case _:
            return outcome
    steps = [outcome.steps[0], wild_step(say("{sum} = {result}.", sum=sum_of, result=words), rule)]
    state, is_limb = combat.kill_at(combat.hit_location(total)) if purpose == "hit_location" else ("", False)
    if is_limb:
        note = say("Who would be killed is {state}, and the limb is destroyed.", state=plain_words(state))
        steps.append(wild_step(note, "limb_kill"))
    return replace(
        outcome, headline=words, sentence=say("{sum} = {result}.", sum=sum_of, result=words), steps=tuple(steps)
    )


def rounds_of(given: Ask) -> int | None:
    """Return the rounds since the mortal wound, ``None`` where nobody told."""
    return given.rounds if isinstance(given, Dying) else None
