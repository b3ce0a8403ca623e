"""What a finished roll leads to: it is taken as it lies, buys something, and does something to somebody."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from tableside.errors import BadChange, Conflict
from tableside.rules import Game
from tableside.rules.characters import Opposed
from tableside.rules.game import Outcome, Spend
from tableside.rules.people import ROLLER, Effect, Gives, Person
from tableside.table import messages
from tableside.table.acts.found import found_person, found_roll
from tableside.table.acts.people import need_game, paid, parts_of
from tableside.table.acts.pool import check_pool
from tableside.table.acts.rolls import scored
from tableside.table.kept import Applied, Bought, Carried, Decision, Part, Roll, Side, TableState, Tracked
from tableside.table.system import System
from tableside.words import own, say


def taken(state: TableState, message: messages.TakeRoll, system: System) -> Decision:
    """Take a roll as it lies: its call becomes what was thrown. What was spent on the call stays spent."""
    old = found_roll(state, message.roll_id, message.version)
    if not old.dice:
        raise Conflict("no dice lie there", where=f"roll {old.id}", hint="Throw again, or enter the roll by hand.")
    game = system.find_game(old.game)
    answers = game.characters.as_thrown(system.counted(old.throws[0]), old.ask)
    roll = scored(replace(old, ask=answers, version=old.version + 1), system, is_strict=True)
    return say("Taken as it lies: {result}", result=roll.headline), Part(roll=old), Part(roll=roll)


def spender_of(roll: Roll, name: str, system: System) -> str:
    """Return ``"roller"`` or ``"gm"``, whose a purchase is; ``""`` where there is none of that name."""
    return next((one.by for one in offers_of(roll, system)[-1] if one.name == name), "")


def bought(state: TableState, message: messages.BuySpend, system: System) -> Decision:
    """Record what a roll buys: what it carries, moves and calls for."""
    old = found_roll(state, message.roll_id)
    game, _, spends = offers_of(old, system)
    spend = next((one for one in spends if one.name == message.name), None)
    if spend is None and old.awaits is not None:
        raise Conflict("the roll still waits for a throw", where=f"roll {old.id}", hint=old.awaits.sentence)
    if spend is None:
        names = ", ".join(one.name for one in spends) or "nothing"
        fault = say("{=name} cannot be bought", name=message.name)
        raise BadChange(fault, where=f"roll {old.id}", hint=say("It may buy {=names}.", names=names))
    price = _price(state, old, game, spend, message)
    gives = spend.gives
    to = message.for_person
    if not to and gives.carry:  # where nobody says it, what is for the next ally waits for one
        to = {"self": old.who, "target": old.against}.get(gives.carry.to, "")
    if message.for_person:
        found_person(state, message.for_person)
    what = Bought(
        id=message.id, name=spend.name, of=price[0], count=price[1], by_person=message.by, to=to, follow=gives.follow,
        words=spend.title, short=spend.short,
    )  # fmt: skip
    roll = replace(old, bought=(*old.bought, what), version=old.version + 1)
    if spend.sets:
        roll = scored(replace(roll, ask={**old.ask, **dict(spend.sets)}), system, is_strict=True)
    before, after = paid(state, system, (roll.who, roll.game, roll.ask), (old.who, old.game, old.ask))
    before, after = replace(before, roll=old), replace(after, roll=roll)
    if gives.carry and (to or gives.carry.to == "ally"):  # what is for a target that nobody named is only recorded
        one = Carried(id=message.id, to=to, source=old.id, giver=old.by, ask=gives.carry.ask, words=spend.title)
        before, after = replace(before, carried=()), replace(after, carried=(one,))
    if (roller := state.person(roll.who)) and spend.sets:
        kept = (after.people or {}).get(roller.id) or roller
        declared = game.characters.declared(kept, dict(spend.sets))
        before, after = _with_person(before, after, roller, declared)
    for effect in gives.effects:
        before, after = _with_effect(state, effect, old, system, before, after)
    if gives.lasts or gives.ends:
        before, after = _with_state(state, gives, old, to, before, after)
    words = say("{who} buys: {what}", who=own(old.by) if old.by else "The roll", what=spend.title)
    return words, before, after


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
            left[tracker.name] = roller.value(tracker.name, tracker.default) if roller else tracker.highest
    return left


def offers_of(roll: Roll, system: System) -> tuple[Game, Outcome, tuple[Spend, ...]]:
    """Return the game of a roll, what it means, and what it may buy."""
    game, outcome = system.find_game(roll.game), outcome_of(roll, system)
    return game, outcome, game.spends(outcome, roll.ask)


def outcome_of(roll: Roll, system: System) -> Outcome:
    return system.find_game(roll.game).play([system.counted(throw) for throw in roll.throws], roll.ask)


def applied(state: TableState, message: messages.ApplyEffect, system: System) -> Decision | None:
    """Apply an effect of a roll to somebody. The same effect twice on one person counts once."""
    old = found_roll(state, message.roll_id)
    person = found_person(state, message.to)
    if any(one.effect == message.effect and one.to == person.id for one in old.applied):
        return None
    game = system.find_game(old.game)
    need_game(person, game)
    characters = game.characters
    effects = old.effects
    if not any(effect.on == ROLLER for effect in effects[message.effect : message.effect + 1]):
        # What this one resists with, and how it is by now; what built the dice stays as it was thrown.
        resists = characters.against(Opposed(target=person), old.ask, skill="")
        kept = characters.form.without_dice(resists)
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
    hurt = characters.affected(person, effect)
    if not state.fights(person):  # no round runs that would end it
        hurt = replace(hurt, states=tuple(one for one in hurt.states if one.until == "scene" or one in person.states))
    follows = characters.limits(hurt, before=person)
    record = Applied(effect=message.effect, to=person.id, words=effect.words, follows=follows)
    roll = replace(old, applied=(*old.applied, record), version=old.version + 1)
    before, after = parts_of({person.id: (person, hurt)})
    what = [effect.words, *(follow.words for follow in follows)]
    return (
        say("{name}: {what}", name=own(person.name), what=what),
        replace(before, roll=old),
        replace(after, roll=roll),
    )


def _with_effect(
    state: TableState, effect: Effect, roll: Roll, system: System, before: Part, after: Part
) -> tuple[Part, Part]:
    """Return the parts of a change with what a purchase does to the roller, the target or the table."""
    if effect.on == "table" and effect.tracker in tuple(Side):
        side = Side(effect.tracker)
        pool = state.destiny.with_count(side, state.destiny.count(side) + effect.change)
        pool = pool.with_count(side.other, pool.count(side.other) - effect.change)
        pool = check_pool(state, pool, most=system.most_points)
        return replace(before, destiny=state.destiny), replace(after, destiny=pool)
    if effect.on == "table":
        tracker = next(one for one in system.find_game(roll.game).trackers if one.name == effect.tracker)
        key = (roll.game, tracker.name, "")
        value = state.trackers.get(key, tracker.default)
        old = Tracked(game=roll.game, name=tracker.name, owner="", value=value)
        return replace(before, tracked=old), replace(
            after, tracked=replace(old, value=tracker.changed(value, effect.change))
        )
    person = state.person(roll.who if effect.on == "roller" else roll.against)
    if person is None:
        return before, after
    hurt = system.find_game(roll.game).characters.affected((after.people or {}).get(person.id) or person, effect)
    return _with_person(before, after, person, hurt)


def _with_state(state: TableState, gives: Gives, roll: Roll, to: str, before: Part, after: Part) -> tuple[Part, Part]:
    """Return the parts of a change with what a purchase puts on the roller or the target, or takes off."""
    person = state.person(roll.who if gives.on == ROLLER else to or roll.against)
    if person is None:
        return before, after
    kept = (after.people or {}).get(person.id) or person
    kept = kept.without_state(gives.ends)
    return _with_person(before, after, person, kept.with_state(gives.lasts) if gives.lasts else kept)


def _with_person(before: Part, after: Part, old: Person, new: Person) -> tuple[Part, Part]:
    """Return the parts of a change that makes of somebody who was ``old`` somebody else as well."""
    old_part, new_part = parts_of({old.id: (old, new)})
    return (
        replace(before, people={**(before.people or {}), **(old_part.people or {})}),
        replace(after, people={**(after.people or {}), **(new_part.people or {})}),
    )
