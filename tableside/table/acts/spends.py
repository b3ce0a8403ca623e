"""What a finished roll leads to: it is taken as it lies, buys something, and does something to somebody."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from tableside.errors import BadChange, Conflict
from tableside.rules import Game
from tableside.rules.characters import Opposed, fell_one, followups
from tableside.rules.game import Outcome, Spend
from tableside.rules.people import ROLLER, Effect, PersonKind
from tableside.rules.tracker import find_tracker
from tableside.table import messages
from tableside.table.acts.evening import change_order
from tableside.table.acts.need import need_game, need_person, need_roll
from tableside.table.acts.people import pay
from tableside.table.acts.pool import check_pool
from tableside.table.acts.rolls import score_roll
from tableside.table.acts.stage import concerned
from tableside.table.kept import Applied, Bought, Decision, Roll, Side, TableState, Tracked
from tableside.table.system import System
from tableside.words import own, say, sentences


def take_roll(state: TableState, message: messages.TakeRoll, system: System) -> Decision:
    """Take a roll as it lies: its call becomes what was thrown. What was spent on the call stays spent."""
    old = need_roll(state, message.roll_id, message.version)
    if not old.dice:
        raise Conflict("no dice lie there", where=f"roll {old.id}", hint="Throw again, or enter the roll by hand.")
    game = system.find_game(old.game)
    answers = game.characters.as_thrown(system.counted(old.throws[0]), old.ask)
    roll = score_roll(replace(old, ask=answers, version=old.version + 1), system, is_strict=True)
    return say("Taken as it lies: {result}", result=roll.headline), state.with_roll(roll)


def spender_of(roll: Roll, name: str, system: System) -> str:
    """Return ``"roller"`` or ``"gm"``, whose a purchase is; ``""`` where there is none of that name."""
    return next((one.by for one in offers_of(roll, system)[-1] if one.name == name), "")


def buy_spend(state: TableState, message: messages.BuySpend, system: System) -> Decision:
    """Record what a roll buys: what it carries, moves and calls for."""
    old = need_roll(state, message.roll_id)
    game, _, spends = offers_of(old, system)
    spend = next((one for one in spends if one.name == message.name), None)
    if spend is None and old.awaits is not None:
        raise Conflict("the roll still waits for a throw", where=f"roll {old.id}", hint=old.awaits.sentence)
    if spend is None:
        names = ", ".join(one.name for one in spends) or "nothing"
        fault = say("{=name} cannot be bought", name=message.name)
        raise BadChange(fault, where=f"roll {old.id}", hint=say("It may buy {=names}.", names=names))
    if is_late(state, old, spend):
        raise Conflict("somebody else has rolled since", where=spend.title, hint="Spend it before the next one rolls.")
    of, count = _price(state, old, game, spend, message)
    gives, lasts = spend.gives, spend.gives.lasts
    if message.for_person:
        need_person(state, message.for_person)
    to = message.for_person or {ROLLER: old.who, "target": old.against}.get(gives.on, "")
    group = state.person(message.for_person or old.against) if gives.is_deadly else None
    fells = group is not None and group.kind is PersonKind.GROUP
    what = Bought(
        id=message.id, name=spend.name, of=of, count=count, by_person=message.by,
        to=to if lasts and lasts.is_once else message.for_person, follow=None if fells else gives.follow,
        words=spend.title, short=spend.short,
    )  # fmt: skip
    roll = replace(old, bought=(*old.bought, what), version=old.version + 1)
    if spend.sets:
        roll = score_roll(replace(roll, ask={**old.ask, **dict(spend.sets)}), system, is_strict=True)
    new = pay(state.with_roll(roll), system, (roll.who, roll.game, roll.ask), (old.who, old.game, old.ask))
    if (roller := new.person(roll.who)) and spend.sets:
        new = new.with_person(game.characters.declare(roller, dict(spend.sets)))
    for effect in gives.effects:
        new = _affect(new, effect, old, system)
    if group is not None and fells:
        new = new.with_person(fell_one(game.characters, group))
    waits = gives.on == "ally" and not to  # with whom it is of, or with everybody where nobody of the scene threw
    if lasts and not lasts.name:
        lasts = replace(
            lasts, id=message.id, name=spend.title, giver=old.by, is_for_allies=waits and roller is not None
        )
    for person in new.people:
        if person.id == (roll.who if waits else to) or (waits and not roller and person.game == roll.game):
            person = person.without_state(gives.ends) if gives.ends else person
            new = new.with_person(person.with_state(lasts) if lasts else person)
    return say("{who} buys: {what}", who=own(old.by) if old.by else "The roll", what=spend.title), new


def can_buy(state: TableState, roll: Roll, spend: Spend, system: System, *, left: Mapping[str, int]) -> bool:
    """Tell whether ``left`` still pays for a purchase that would change something."""
    is_paid = any(left.get(of, 0) >= count for of, count in spend.prices)
    return is_paid and not is_late(state, roll, spend) and not is_idle(state, roll, spend, system)


def is_idle(state: TableState, roll: Roll, spend: Spend, system: System) -> bool:
    """Tell whether a purchase would change nothing of people of the scene, as where no strain is left to recover."""
    gives = spend.gives
    whose = {ROLLER: state.person(roll.who), "target": state.person(roll.against)}
    meant = [*(effect.on for effect in gives.effects), *([gives.on] if gives.ends else [])]
    if spend.sets or gives.lasts or gives.follow or not meant or any(whose.get(one) is None for one in meant):
        return False
    after = state
    for effect in gives.effects:
        after = _affect(after, effect, roll, system)
    person = whose.get(gives.on)
    return after == state and (person is None or person.without_state(gives.ends) == person)


def is_late(state: TableState, roll: Roll, spend: Spend) -> bool:
    """Tell whether it is too late to buy something: somebody else has rolled since."""
    since = state.rolls[: state.rolls.index(roll)] if spend.is_at_once and roll in state.rolls else ()
    return any(one.who != roll.who for one in since)


def _price(state: TableState, roll: Roll, game: Game, spend: Spend, message: messages.BuySpend) -> tuple[str, int]:
    """Return what is paid: the price that was named, else the first that the roll can pay."""
    left = left_of(state, roll, game)
    prices = [price for price in spend.prices if message.price is None or price[0] == message.price.of]
    if not prices:
        hint = say("It costs {price}.", price=spend.price_words())
        raise BadChange("it is not paid with that", where=spend.name, hint=hint)
    for of, count in prices:
        if left[of] >= count:
            return of, count
    raise Conflict(
        "the roll cannot pay for it any more",
        where=f"roll {roll.id}",
        hint=say("It costs {price}.", price=spend.price_words()),
    )


def left_of(state: TableState, roll: Roll, game: Game) -> Counter[str]:
    """Return what a roll can still pay with: its symbols less what it bought, and the roller's own points."""
    left = roll.left
    roller = state.person(roll.who)
    for tracker in game.trackers:
        if tracker.scope == "character":
            left[tracker.name] = roller.counted(tracker) if roller else tracker.highest
    return left


def offers_of(roll: Roll, system: System) -> tuple[Game, Outcome, tuple[Spend, ...]]:
    """Return the game of a roll, what it means, and what it may buy."""
    game, outcome = system.find_game(roll.game), outcome_of(roll, system)
    return game, outcome, game.spends(outcome, roll.ask)


def outcome_of(roll: Roll, system: System) -> Outcome:
    return system.find_game(roll.game).play([system.counted(throw) for throw in roll.throws], roll.ask)


def apply_effect(state: TableState, message: messages.ApplyEffect, system: System) -> Decision:
    """Apply an effect of a roll to somebody, and end the turn or the fight with it where that is wanted.

    The same effect twice on one person counts once.
    """
    words, new = _apply_alone(state, message, system)
    if not message.then or new is state:
        return words, new
    ends, after = change_order(new, message.ends or ends_of(message), system)
    return sentences(say("{words}.", words=words), ends), after


def ends_of(message: messages.ApplyEffect) -> messages.ChangeInitiative:
    """Return what is done with the order beside an effect."""
    do = messages.Turn.NEXT if message.then == "next" else messages.Turn.CLEAR
    return messages.ChangeInitiative(id=message.id, at=message.at, do=do)


def _apply_alone(state: TableState, message: messages.ApplyEffect, system: System) -> Decision:
    old = need_roll(state, message.roll_id)
    person = need_person(state, message.to)
    if any(one.effect == message.effect and one.to == person.id for one in old.applied):
        return "", state
    game = system.find_game(old.game)
    need_game(person, game)
    characters = game.characters
    effects = old.effects
    if not any(effect.on == ROLLER for effect in effects[message.effect : message.effect + 1]):
        # What this one resists with, and how it is by now; what built the dice stays as it was thrown.
        resists = characters.opponent_answers(
            Opposed(target=person), game.form.check(old.ask, game=game.name), skill=""
        )
        kept = characters.form.without_dice(resists)
        if not kept.items() <= old.ask.items():
            effects = outcome_of(replace(old, ask={**old.ask, **kept}), system).effects
    if not effects:
        fault = say("it does nothing to {=name}", name=person.name)
        raise Conflict(fault, where=f"roll {old.id}", hint="Choose somebody else.")
    if not 0 <= message.effect < len(effects):
        hint = say("It has {n}, counted from 0.", n=len(effects))
        raise BadChange(say("no effect {n}", n=message.effect), where=f"roll {old.id}", hint=hint)
    effect = effects[message.effect]
    if effect.is_either and any(n < len(effects) and effects[n].is_either for n in (one.effect for one in old.applied)):
        raise Conflict("another of these was chosen", where=f"roll {old.id}", hint="Undo that first.")
    hurt = characters.apply_effect(person, effect)
    if not state.fights(person):  # no turn waits for who cannot act
        hurt = replace(hurt, states=tuple(one for one in hurt.states if one.bars != "actions" or one in person.states))
    follows = followups(characters, hurt, before=person)
    record = Applied(effect=message.effect, to=person.id, words=effect.words, follows=follows)
    roll = replace(old, applied=(*old.applied, record), version=old.version + 1)
    what = [effect.words, *(follow.words for follow in follows)]
    return say("{name}: {what}", name=own(person.name), what=what), state.with_roll(roll).with_person(hurt)


def _affect(state: TableState, effect: Effect, roll: Roll, system: System) -> TableState:
    """Return the state after what a purchase does to the roller, the target or the table."""
    game = system.find_game(roll.game)
    if effect.on == "table" and effect.tracker in tuple(Side):
        side = Side(effect.tracker)
        pool = state.destiny.with_count(side, state.destiny.count(side) + effect.change)
        pool = pool.with_count(side.other, pool.count(side.other) - effect.change)
        return dataclasses.replace(state, destiny=check_pool(state, pool, most=system.most_points))
    if effect.on == "table":
        tracker = find_tracker(effect.tracker, game.trackers)
        has = state.trackers.get((game.name, tracker.name, ""), tracker.default)
        return state.with_tracked(Tracked(game=game.name, name=tracker.name, value=tracker.changed(has, effect.change)))
    person = state.person(concerned(roll, effect, system))
    return state if person is None else state.with_person(game.characters.apply_effect(person, effect))
