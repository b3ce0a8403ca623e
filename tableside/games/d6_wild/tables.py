"""D6 with a Wild Die, throws for a table: where a hit lands, whether the dying live, minutes without consciousness.

All dice of such a throw are plain ones: none is the Wild Die, no six is thrown again, and nothing changes the number of
dice. That is our reading (I12), as the tables have no row for more. Source: the two-page summary (S001) as restated in
the project's rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.d6.outcome import equation, pip_values, plain_words, sum_words, total_outcome
from tableside.games.d6_wild.ask import Ask, Dying
from tableside.games.d6_wild.combat import STATES, UNCONSCIOUS_MINUTES, hit_location, kill_at
from tableside.games.d6_wild.sources import wild_step
from tableside.rules.code import Code
from tableside.rules.game import Outcome, Prospect, count_words
from tableside.rules.odds import PLAIN, odds_json, totals
from tableside.rules.people import Effect
from tableside.rules.throws import Hand, Throw, dice_words
from tableside.words import say

_TWO_DICE = Code(dice=2)
_KILLED = STATES.index("killed")


def table_code(given: Ask) -> Code | None:
    """Return the dice of the throw, ``None`` where nobody told how many another table wants."""
    match given.purpose:
        case "hit_location" | "dying":
            return _TWO_DICE
        case "minutes":
            return UNCONSCIOUS_MINUTES.get(given.state, UNCONSCIOUS_MINUTES["stunned"])
    return given.code or (Code(dice=given.dice) if given.dice else None)


def table_throw(given: Ask) -> Throw | None:
    """Return the throw that is wanted; dice of any colour will do."""
    code = table_code(given)
    if code is None or not code.dice:
        return None
    dice = (("pip", code.dice),)
    return Throw(
        name="roll", dice=dice, sentence=say("Throw {dice}, none of them as the Wild Die.", dice=dice_words(dice))
    )


def table_outcome(game: str, throws: Sequence[Sequence[Die]], given: Ask) -> Outcome:
    """Return what the throw means in its table."""
    hand, code, wanted = Hand(throws), table_code(given), table_throw(given)
    owned = {"pip": given.owned}
    thrown = hand.take_any() if wanted is None else hand.take_all(wanted, owned, any_type=True)
    values = [value for _, value in pip_values(thrown, game=game)]
    pips = code.pips if code is not None else 0
    total, sum_of = sum(values) + pips, sum_words(values, pips)
    plain = wild_step("A throw for a table has no Wild Die, and no six is thrown again.", "I12")
    outcome = total_outcome(
        game,
        total,
        sum_of=sum_of,
        count=len(values),
        decided=not hand.waits,
        awaits=hand.awaits,
        short=hand.short,
        pips=pips,
        steps=(plain, wild_step(say("{sum}.", sum=equation(sum_of, total)), "I12")),
    )
    hand.check_rest(game)
    return outcome if outcome.word != "total" else _looked_up(outcome, total, sum_of, given)


def table_odds(game: str, given: Ask) -> Prospect:
    """Return the exact chances of what the table may say."""
    code = table_code(given)
    if code is None:
        raise BadAsk("no code was given", where=f"game {game}", hint="Ask for one, such as code=3D.")
    found = totals((PLAIN, code.dice), add=code.pips)
    chances: dict[str, Fraction] = {}
    match given.purpose:
        case "hit_location":
            for total in found.ways:
                place = hit_location(total)
                chances[place] = chances.get(place, Fraction()) + found.chance(total)
        case "dying" if (rounds := rounds_of(given)) is not None:
            chances["success"] = found.at_least(rounds)
    form = {"game": game, "code": str(code)} | {name: float(chance) for name, chance in chances.items()}
    return Prospect(
        pool=str(code),
        chances=tuple(chances.items()),
        bars_of="total",
        bars=tuple((str(total), found.chance(total)) for total in found.ways),
        form=form | odds_json(found),
    )


def _looked_up(outcome: Outcome, total: int, sum_of: str, given: Ask) -> Outcome:
    """Return the outcome with what the table says of the total."""
    purpose, rounds = given.purpose, rounds_of(given)
    match purpose:
        case "hit_location":
            words, rule = say("{total}: {place}", total=total, place=_place(total)), "hit_location"
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
    state, is_limb = kill_at(hit_location(total)) if purpose == "hit_location" else ("", False)
    if is_limb:
        note = say("Who would be killed is {state}, and the limb is destroyed.", state=plain_words(state))
        steps.append(wild_step(note, "limb_kill"))
    return replace(
        outcome, headline=words, sentence=say("{sum} = {result}.", sum=sum_of, result=words), steps=tuple(steps)
    )


def rounds_of(given: Ask) -> int | None:
    """Return the rounds since the mortal wound, ``None`` where nobody told."""
    return given.rounds if isinstance(given, Dying) else None


def _place(total: int) -> str:
    return plain_words(hit_location(total))
