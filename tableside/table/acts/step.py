"""All decisions of the table, as a pure function: the same state and message always give the same new state."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from msgspec import structs

from tableside.errors import Conflict, GameError
from tableside.rules import PoolNames
from tableside.rules.tracker import find_tracker
from tableside.rules.turns import HIGH_TO_LOW
from tableside.table import messages
from tableside.table.acts import calls, evening, people, rolls, spends, undo
from tableside.table.acts.difference import order_between, parts_between
from tableside.table.kept import WHOLE, Change, Decision, Initiative, Part, Phase, TableState, Trouble
from tableside.table.system import System
from tableside.words import Words, say, sentences

_UNDONE = "Undone: {change}"
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
    messages.CallRoll: ("ask", calls.call_roll),
    messages.ChooseGame: ("game", evening.choose_game),
    messages.ChangeTracker: ("tracker", evening.change_tracker),
    messages.ChangeInitiative: ("initiative", evening.change_order),
    messages.ChangePerson: ("people", people.change_people),
    messages.TakeRoll: ("adjustment", spends.take_roll),
    messages.BuySpend: ("spend", spends.buy_spend),
    messages.ApplyEffect: ("effect", spends.apply_effect),
    messages.DoAct: ("act", evening.do_act),
    messages.ChangeTable: ("tables", evening.change_table),
}
"""What each message does, and the kind of change that it is."""


def step(state: TableState, message: messages.Message, system: System) -> TableState:
    """Return the state after a message. A message that changes nothing gives the very same state.

    A change adds itself to ``changes``: the caller puts it on disk before anybody sees the new state.

    :raises TablesideError: where the message cannot be followed; nothing is changed then.
    """
    match message:
        case messages.ShowPhase():
            if message.phase is Phase.STILL:  # also where it was still before: other dice may lie there
                return _next(replace(state, phase=Phase.STILL, rested=state.revision + 1))
            return state if state.phase is message.phase else _next(replace(state, phase=message.phase))
        case messages.LaidDice():
            dice = {name: count for name, count in message.dice.items() if count > 0} if state.asked.id else {}
            return state if dict(state.laid) == dice else _next(replace(state, laid=dice))
        case messages.TestLamps():
            is_on = message.is_on
            return state if state.is_testing is is_on else _next(replace(state, is_testing=is_on))
        case messages.ShowTrouble() | messages.ClearTrouble():
            return _with_trouble(state, message)
    if any(change.id == message.id for change in state.changes):
        return state
    change = _decide(state, message, system)
    return state if change is None else _next(name_things(apply(state, change, system), system))


def apply(state: TableState, change: Change, system: System) -> TableState:
    """Return the state after a change of the log. It decides nothing, so an old log always gives the same state."""
    new = _with_parts(state, change)
    return replace(
        new,
        rolls=new.rolls[: system.most_changes],
        changes=(*state.changes, change)[-system.most_changes :],
        laid=state.laid if change.after.asked is None else {},
    )


def _with_parts(state: TableState, change: Change) -> TableState:
    """Return the state with what a change touched as it is after it."""
    now, gone = change.after, {one.id for one in change.before.carried or ()}
    new = state.with_people(now.people or {})
    for before, after in change.rolls:
        if after is not None:
            new = new.with_roll(after, is_back=bool(change.undoes))
        elif before is not None:
            new = replace(new, rolls=tuple(one for one in new.rolls if one.id != before.id))
    kept = {name: value for name in WHOLE if (value := getattr(now, name)) is not None}
    carried = (*(one for one in state.carried if one.id not in gone), *(now.carried or ()))
    trackers = {**state.trackers, **{one.key: one.value for one in now.all_tracked}}
    return replace(new, carried=carried, trackers=trackers, **kept).in_order(now.order or {})


def name_things(state: TableState, system: System) -> TableState:
    """Return the state with the names that its game gives to things."""
    name = system.game_now(state.setup.game) or (state.roll.game if state.roll else "")
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


def _next(state: TableState) -> TableState:
    return replace(state, revision=state.revision + 1)


def _with_trouble(state: TableState, message: messages.ShowTrouble | messages.ClearTrouble) -> TableState:
    of = message.trouble_id or message.part
    old = next((trouble for trouble in state.trouble if (trouble.id or trouble.part) == of), None)
    others = tuple(trouble for trouble in state.trouble if trouble is not old)
    if isinstance(message, messages.ClearTrouble):
        return state if old is None else _next(replace(state, trouble=others))
    new = Trouble(
        part=message.part,
        what=message.what,
        where=message.where,
        hint=message.hint,
        since=message.at if old is None else old.since,
        id=message.trouble_id,
    )
    return state if new == old else _next(replace(state, trouble=(*others, new)))


def _decide(state: TableState, message: messages.Lasting, system: System) -> Change | None:
    """Return the change that a message makes, ``None`` where what is wanted is so already."""
    if isinstance(message, messages.Undo | messages.Redo):
        return _undone(state, message, system)
    kind, act = _ACTS[type(message)]
    if isinstance(message, messages.ChangeInitiative) and message.do is messages.Turn.CALL:
        kind, act = "ask", calls.call_to_fight
    words, new = act(state, message, system)
    parts = parts_between(state, new)
    if parts == (Part(), Part()):
        return None
    words, before, after = undo.without_done(state, (words, *parts))
    new = _with_parts(state, _change_of(before, after))
    note, new = _follow_up(state, new, system)
    words = sentences(say("{words}.", words=words), note) if note else words
    return _change_to(state, message, new, system, kind=kind, sentence=words)


def _follow_up(old: TableState, state: TableState, system: System) -> Decision:
    """Return the state with all that follows from any change of it, and words for whom that leaves out."""
    for follow in _FOLLOWS:
        state = follow(old, state, system)
    return calls.call_next(state, system)


_FOLLOWS: tuple[Callable[[TableState, TableState, System], TableState], ...] = (
    calls.place_rolls,
    people.begin_fight,
    calls.refill_call,
    people.update_names,
    people.update_ranks,
    rolls.look_up_rolls,
    rolls.drop_late_pools,
)
"""What follows from any change, in this order: each is given the state before it and the one after it."""


def _change_to(state: TableState, message: messages.Lasting, new: TableState, system: System, **what: Any) -> Change:
    """Return the change that leads from a state to a new one."""
    before, after = parts_between(*_with_defaults(state, new, system))
    change = Change(
        number=state.last_number + 1, id=message.id, at=message.at, by=message.by, device=message.device,
        before=before, after=after, **what,
    )  # fmt: skip
    order = order_between(_with_parts(state, change), new)
    return change if order is None else structs.replace(change, after=structs.replace(after, order=order))


def _to_undo(state: TableState, message: messages.Undo) -> int:
    """Return the number of what is to be taken back; what concerns the whole evening has to be named by its number."""
    if message.change is not None:
        return message.change
    change = state.to_undo(only_open=message.only_open, only_of=message.only_of)
    if change is None:
        hint = "Nothing of yours stands." if message.only_of else "Nothing was changed yet."
        raise Conflict("there is nothing to undo", where="history", hint=hint)
    if change.is_grave:
        hint = "Undo it on the table's screen, which asks first, or send its number."
        raise Conflict("the newest change concerns the whole evening", where=change.sentence, hint=hint)
    return change.number


def _taken_back(sentence: str) -> str:
    """Return what an undo took back, from its words; of anything else its own words."""
    if isinstance(sentence, Words) and sentence.pattern == _UNDONE:
        change = sentence.values["change"]
        return change if isinstance(change, str) else str(change)
    return sentence if isinstance(sentence, Words) else sentence.removeprefix("Undone: ")


def _undone(state: TableState, message: messages.Undo | messages.Redo, system: System) -> Change:
    number = undo.to_redo(state) if isinstance(message, messages.Redo) else _to_undo(state, message)
    target, before, after = undo.taken_back(state, number)
    sentence: str = say("Redone: {change}" if target.undoes else _UNDONE, change=_taken_back(target.sentence))
    kind = "redo" if target.undoes else "undo"
    new = _with_parts(state, _change_of(before, after, undoes=target.number))
    ids = {roll.id for roll in new.rolls}
    if undo.is_changed_later(state, target, "initiative"):
        left = tuple(one for one in new.initiative.slots if one.roll in ids or not state.find_roll(one.roll))
        new = replace(new, initiative=structs.replace(new.initiative, slots=left) if left else Initiative())
        for follow in _FOLLOWS:
            new = follow(state, new, system)
    else:
        new = calls.refill_call(state, new, system)
        new = replace(people.update_names(state, new, system), initiative=new.initiative)
    return _change_to(state, message, new, system, kind=kind, sentence=sentence, undoes=target.number)


def _with_defaults(old: TableState, new: TableState, system: System) -> list[TableState]:
    """Return two states with the trackers of both: what nobody has moved yet is at its default."""
    keys = old.trackers.keys() ^ new.trackers.keys()
    defaults = {key: find_tracker(key[1], system.find_game(key[0]).trackers).default for key in keys}
    return [replace(state, trackers={**defaults, **state.trackers}) for state in (old, new)]


def _change_of(before: Part, after: Part, *, undoes: int = 0) -> Change:
    """Return a change that only touches these parts."""
    return Change(number=0, id="", at=0.0, by="", kind="", sentence="", before=before, after=after, undoes=undoes)
