"""What a message makes of a state, and what a change of the log makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from msgspec import structs

from tableside.errors import GameError
from tableside.rules import PoolNames
from tableside.rules.people import Lasting
from tableside.rules.tracker import find_tracker
from tableside.rules.turns import HIGH_TO_LOW
from tableside.table import messages
from tableside.table.acts import agenda, calls, evening, people, rolls, spends
from tableside.table.acts.difference import order_between, parts_between
from tableside.table.kept import WHOLE, Change, Decision, Phase, TableState
from tableside.table.system import System
from tableside.words import full_stop, sentences

_Act: TypeAlias = Callable[[TableState, Any, System], Decision]
_ACTS: dict[type[messages.Doing], tuple[str, _Act]] = {
    messages.ChangeDestiny: ("destiny", evening.change_pool),
    messages.NewRoll: ("roll", rolls.add_roll),
    messages.EnterRoll: ("roll", rolls.enter_roll),
    messages.EnterThrow: ("throw", rolls.enter_throw),
    messages.NewReading: ("reading", rolls.read_again),
    messages.NewThrow: ("throw", rolls.add_throw),
    messages.CorrectDie: ("correction", rolls.correct_die),
    messages.RuleDie: ("rule", rolls.rule_die),
    messages.TellSuspect: ("correction", rolls.tell_suspect),
    messages.ChangeRoll: ("adjustment", rolls.change_roll),
    messages.StartSession: ("session", evening.start_session),
    messages.EndSession: ("session", evening.end_session),
    messages.NamePlayer: ("players", evening.name_player),
    messages.CallRoll: ("ask", agenda.call_roll),
    messages.ChooseGame: ("game", evening.choose_game),
    messages.ChangeTracker: ("tracker", evening.change_tracker),
    messages.ChangeInitiative: ("initiative", evening.change_order),
    messages.ChangePerson: ("people", people.change_people),
    messages.TakeRoll: ("adjustment", spends.take_roll),
    messages.BuySpend: ("spend", spends.buy_spend),
    messages.ApplyEffect: ("effect", spends.apply_effect),
    messages.DoAct: ("act", evening.do_act),
    messages.ChangeTable: ("tables", evening.change_table),
    messages.PassNow: ("pass", agenda.pass_now),
}
"""What each message does, and the kind of change that it is."""


class Followed(NamedTuple):
    """What became of a message: the kind of change, words, the state after it, and the message, complete."""

    kind: str
    words: str
    state: TableState
    message: messages.Doing


def follow(state: TableState, message: messages.Doing, system: System) -> Followed | None:
    """Return what becomes of a message, ``None`` where what is wanted is so already.

    :raises TablesideError: where it cannot be followed.
    """
    kind, act = _ACTS[type(message)]
    if isinstance(message, messages.ChangeInitiative) and message.do is messages.Turn.CALL:
        kind, act = "ask", calls.call_to_fight
    words, new = act(state, message, system)
    if new is state or new == state:
        return None
    message = _complete(state, new, message)
    for update in _FOLLOWS:
        new = update(state, new, system)
    note, new = calls.call_next(new, system)
    new = agenda.update_agenda(state, new, system)
    words = sentences(full_stop(words), note) if note else words
    return Followed(kind, words, name_things(new, system), message)


_FOLLOWS: tuple[Callable[[TableState, TableState, System], TableState], ...] = (
    evening.follow_dice,
    evening.follow_game,
    calls.place_rolls,
    people.begin_fight,
    calls.keep_lent,
    calls.refill_call,
    people.update_names,
    people.keep_crews,
    people.update_ranks,
    rolls.look_up_rolls,
    rolls.drop_late_pools,
)
"""What follows from any change, in this order: each is given the state before it and the one after it."""


def _complete(state: TableState, new: TableState, message: messages.Doing) -> messages.Doing:
    """Return a message with what it meant when it was followed: the call, the game, who by the id, a die by its place.

    What was seen then, a version or whose turn it was, was right and is not asked again.
    """
    match message:
        case messages.ChangeDestiny() | messages.NewRoll() | messages.EnterRoll() if message.call is None:
            return structs.replace(_as_shown(message), call=state.asked.id if new.asked != state.asked else "")
        case messages.NewReading() if message.call is None:
            is_back = state.find_roll(message.roll_id) is None
            call = state.asked.id if new.asked != state.asked else ""
            return structs.replace(message, call=call, is_wanted=message.is_wanted and is_back)
        case messages.TellSuspect() if (roll := state.find_roll(message.roll_id)) and message.center is None:
            return structs.replace(message, center=roll.suspects[message.index].center, version=None)
        case messages.CorrectDie() | messages.RuleDie() if roll := state.find_roll(message.roll_id):
            if message.center is not None or message.was is not None:
                return message
            die = roll.dice[message.index]
            was = messages.ShownDie(type=die.type, face=die.lying.face)
            return structs.replace(message, center=die.center, was=was, version=None)
        case messages.CallRoll() if message.changes:
            return structs.replace(message, changes="")
        case messages.ChangePerson() if message.do is messages.DoPerson.ADD:
            return structs.replace(message, game=message.game or state.game)
        case messages.EnterThrow() | messages.ChangeRoll() | messages.TakeRoll():
            return structs.replace(_as_shown(message), version=None)
        case messages.ApplyEffect() if message.then and message.ends is None:
            return structs.replace(message, ends=_complete(state, new, spends.ends_of(message)))
        case messages.ChangeInitiative(do=messages.Turn.NEXT | messages.Turn.DELAY):
            now = state.initiative
            ended = now.current.id if now.current else ""
            then = {"slot": "", "ended": ended, "round": now.round, "segment": now.segment}
            return message if message.ended is not None else structs.replace(message, **then)
        case messages.ChangeInitiative() if not message.person:
            found = next((one.id for one in state.people if message.name and one.name == message.name), "")
            return structs.replace(message, person=found, round=None, segment=None)
    return message


def _as_shown(message: messages.Doing) -> messages.Doing:
    """Return a message with its dice as a person shows them: who entered them may know more."""
    if not isinstance(message, messages.EnterRoll | messages.EnterThrow):
        return message
    dice = tuple(messages.ShownDie(type=one.type, face=one.face) for one in message.dice)
    return structs.replace(message, dice=dice)


def change_between(
    state: TableState, new: TableState, sent: messages.Lasting, system: System, *, about: str = "", **what: Any
) -> Change:
    """Return the change that leads from a state to a new one.

    :param sent: what signs it.
    :param about: the id of the roll that it is about, where it touches several.
    :param what: other fields of it.
    """
    new = _raise_versions(state, new)
    before, after = parts_between(*_with_defaults(state, new, system), about=about)
    change = Change(
        number=state.last_number + 1, id=sent.id, at=sent.at, by=sent.by, device=sent.device,
        before=before, after=after, **what,
    )  # fmt: skip
    order = order_between(_with_parts(state, change), new)
    return change if order is None else structs.replace(change, after=structs.replace(after, order=order))


def _raise_versions(old: TableState, new: TableState) -> TableState:
    """Return the new state; a roll that was another one with its version gets a new version, as pages go by it."""
    for roll in new.rolls:
        if roll in old.rolls:
            continue
        sides = (one for change in old.changes for pair in change.rolls for one in pair)
        had = {one.version: one for one in sides if one is not None and one.id == roll.id}
        if had.get(roll.version, roll) != roll:
            new = new.with_roll(structs.replace(roll, version=max(had) + 1))
    return new


def _with_defaults(old: TableState, new: TableState, system: System) -> list[TableState]:
    """Return two states with the trackers of both: what nobody has moved yet is at its default."""
    keys = old.trackers.keys() ^ new.trackers.keys()
    defaults = dict.fromkeys(keys, 0)
    for key in keys:
        with suppress(GameError):  # an old log may tell of what the game counts no more
            defaults[key] = find_tracker(key[1], system.find_game(key[0]).trackers).default
    return [replace(state, trackers={**defaults, **state.trackers}) for state in (old, new)]


def apply(state: TableState, change: Change, system: System) -> TableState:
    """Return the state after a change of the log. It decides nothing, so an old log always gives the same state."""
    new, most = _with_parts(state, change), system.most_changes
    return replace(
        new,
        rolls=new.rolls[:most],
        changes=(*state.changes, change)[-most:],
        past=(*state.past, replace(state, changes=(), past=()))[-most:],
        laid=state.laid if change.after.asked is None else {},
    )


def _with_parts(state: TableState, change: Change) -> TableState:
    """Return the state with what a change touched as it is after it."""
    now = change.after
    new = state.with_people(now.people or {})
    for before, after in change.rolls:
        if after is not None:
            new = new.with_roll(after, is_back=bool(change.undoes))
        elif before is not None:
            new = replace(new, rolls=tuple(one for one in new.rolls if one.id != before.id))
    kept = {name: value for name in WHOLE if (value := getattr(now, name)) is not None}
    trackers = {**state.trackers, **{one.key: one.value for one in now.all_tracked}}
    new = replace(new, trackers=trackers, **kept).in_order(now.order or {})
    return _with_carried(new, change.before.carried or (), now.carried or ())


def _with_carried(state: TableState, gone: Iterable[Any], new: Iterable[Any]) -> TableState:
    """Return the state after an older version carried something to a call, or used it up."""
    for one in gone:
        state = state.with_people({person.id: person.without_state(one["id"]) for person in state.people})
    for one in new:
        roll = state.find_roll(one["source"])
        person = state.person(one["to"] or (roll.who if roll else ""))
        state = state.with_person(person.with_state(Lasting.of_older(one))) if person else state
    return state


def name_things(state: TableState, system: System) -> TableState:
    """Return the state with the names that its game gives to things."""
    name = evening.game_of(state, system)
    try:
        game = system.find_game(name) if name else system.game_for(())
        fights = state.initiative.game if state.initiative.slots else ""
        order = system.find_game(fights).turn_order if fights else game.turn_order
    except GameError:  # an old log may tell of a game that is no longer installed
        return replace(
            state, game=name, game_title=name, destiny_names=PoolNames(), destiny_flips=True, turn_order=HIGH_TO_LOW
        )
    return replace(
        state,
        game=game.name,
        game_title=game.title,
        destiny_names=state.setup.names or game.pool_names,
        destiny_flips=game.pool_flips,
        turn_order=order,
    )


def fold(state: TableState, changes: Iterable[Change], system: System) -> TableState:
    """Return the state after all these changes of a log."""
    for change in changes:
        state = apply(state, change, system)
    return name_things(replace(state, phase=Phase.EMPTY), system)
