"""What is told of one roll: what it came to and how, what it may buy, and how likely it still succeeds."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import asdict, replace

from tableside.dice import Face
from tableside.errors import DiceSetError, GameError
from tableside.record import Record
from tableside.rules.game import Outcome, ShownSpend, Spend
from tableside.rules.people import Effect
from tableside.table.acts import can_buy, left_of, offers_of, outcome_of, score_roll
from tableside.table.kept import Roll, RollDie, TableState
from tableside.table.system import System

_MOST_THROWS = 50
"""A chain of so many throws is given up: only a target far beyond every table of difficulties needs it."""


def outcome_json(state: TableState, roll: Roll, system: System) -> dict[str, Any]:
    """Return what a roll means, with its effects on whom it was made against and how it came about."""
    target = state.person(roll.against)
    effects = [effect.to_json() | {"target": target.id if target else None} for effect in roll.effects]
    try:
        outcome = outcome_of(roll, system)
    except (GameError, DiceSetError):  # no game scores it
        outcome = Outcome(game=roll.game, word=roll.word, headline=roll.headline, sentence=roll.sentence)
    return replace(outcome, sets_pool=roll.sets_pool).to_json(steps=True) | {"effects": effects}


class Carries(Record, frozen=True, kw_only=True):
    """What a purchase gives to a later roll, and to whose."""

    ask: Mapping[str, Any]
    to: str


class Offer(ShownSpend, frozen=True, kw_only=True):
    """Something that a roll may buy.

    :ivar affordable: it can still be paid. :ivar bought: how often it was. :ivar carries: what it gives a later roll.
    :ivar effects: what it does to somebody. :ivar success: the chance of success with it, where it changes that.
    """

    affordable: bool
    bought: int
    carries: Carries | None
    effects: tuple[Effect, ...]
    success: float | None


def spends_of(state: TableState, roll: Roll, system: System, *, knows_odds: bool = False) -> tuple[Offer, ...]:
    """Return what the roll may buy: what was bought, and what is still affordable."""
    try:
        game, _, spends = offers_of(roll, system)
    except (GameError, DiceSetError):  # no game scores it, so nothing is left over
        return ()
    left = left_of(state, roll, game)
    found = []
    offered = {spend.name for spend in spends}
    for spend in (*spends, *_not_again(roll, offered)):
        gives, lasts = spend.gives, spend.gives.lasts
        chance = _chance_with(roll, dict(spend.sets), system) if knows_odds else None
        found.append(
            Offer(
                **asdict(spend.shown),
                affordable=spend.name in offered and can_buy(state, roll, spend, system, left=left),
                bought=sum(1 for bought in roll.bought if bought.name == spend.name),
                carries=Carries(ask=lasts.ask, to=gives.on) if lasts and lasts.is_once else None,
                effects=gives.effects,
                success=None if chance is None else float(chance),
            )
        )
    return tuple(found)


def _not_again(roll: Roll, offered: Container[str]) -> Iterable[Spend]:
    """Yield what the roll bought and may not buy once more, each once."""
    bought = {one.name: one for one in roll.bought if one.name not in offered}
    return (
        Spend(name=one.name, title=one.words, short=one.short, prices=((one.of, one.count),)) for one in bought.values()
    )


def chance_from_here(roll: Roll, system: System) -> Fraction | None:
    """Return the exact chance of success once all is thrown that the roll waits for.

    ``None`` where the roll waits for nothing or knows no success, and where more than one die is to be thrown.
    """
    return _chance(roll, system) if roll.awaits is not None else None


def _chance_with(roll: Roll, sets: Mapping[str, Any], system: System) -> Fraction | None:
    """Return the exact chance of success once these answers are added, such as one more die after the roll.

    ``None`` where nothing is added or no success is known, and where more than one die is to be thrown.
    """
    return _chance(score_roll(replace(roll, ask={**roll.ask, **sets}), system), system) if sets else None


def _chance(roll: Roll, system: System) -> Fraction | None:
    if roll.succeeded is not None:
        return Fraction(roll.succeeded)
    if roll.awaits is None or roll.awaits.most != 1 or roll.last_throw > _MOST_THROWS:
        return None
    ((kind, _),) = roll.awaits.dice
    sides = _sides(kind, system)
    found = Fraction(0)
    for face in sides:
        die = RollDie(type=kind, face=face, throw=roll.last_throw + 1)
        then = _chance(score_roll(replace(roll, dice=(*roll.dice, die)), system), system)
        if then is None:
            return None
        found += then / len(sides)
    return found if sides else None


def _sides(kind: str, system: System) -> tuple[Face, ...]:
    """Return every side of a die of this type, none where they are not all known."""
    found = (one for dice_set in system.sets for one in dice_set.types if one.name == kind and one.has_all_sides)
    return next((one.faces for one in found), ())
