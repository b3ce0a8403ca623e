"""All decisions of the table, as a pure function: the same state and message always give the same new state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, assert_never

from msgspec import structs

from tableside.errors import Conflict, GameError
from tableside.rules import PoolNames
from tableside.rules.turns import HIGH_TO_LOW
from tableside.table import messages
from tableside.table.acts import calls, evening, people, pool, rolls, spends, undo
from tableside.table.kept import WHOLE, Change, Part, Phase, TableState, Trouble
from tableside.table.system import System
from tableside.words import Words, say

_UNDONE = "Undone: {change}"
_OF_ROLLS = ("roll", "throw", "reading", "correction", "adjustment")
"""Kinds of changes by which a roll may become whole."""


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
    return state if change is None else _next(named(apply(state, change, system), system))


def apply(state: TableState, change: Change, system: System) -> TableState:
    """Return the state after a change of the log. It decides nothing, so an old log always gives the same state."""
    before, after = change.before.roll, change.after.roll
    shown = state.rolls
    if after is not None and state.find_roll(after.id) is not None:
        shown = tuple(after if roll.id == after.id else roll for roll in shown)
    elif after is not None:  # one that is redone comes back to its place
        place = next((n for n, roll in enumerate(shown) if not change.undoes or roll.at <= after.at), len(shown))
        shown = (*shown[:place], after, *shown[place:])
    elif before is not None:
        shown = tuple(roll for roll in shown if roll.id != before.id)
    now = change.after
    trackers = {**state.trackers, now.tracked.key: now.tracked.value} if now.tracked else state.trackers
    kept = {name: value for name in ("destiny", *WHOLE) if (value := getattr(now, name)) is not None}
    return replace(
        state,
        rolls=shown[: system.most_changes],
        changes=(*state.changes, change)[-system.most_changes :],
        trackers=trackers,
        people=state.people if now.people is None else people.with_people(state.people, now.people),
        carried=people.carried_after(state, change.before, change.after),
        laid=state.laid if now.asked is None else {},
        **kept,
    )


def named(state: TableState, system: System) -> TableState:
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
    return named(replace(state, phase=Phase.EMPTY), system)


def _next(state: TableState) -> TableState:
    return replace(state, revision=state.revision + 1)


def _with_trouble(state: TableState, message: messages.ShowTrouble | messages.ClearTrouble) -> TableState:
    old = next((trouble for trouble in state.trouble if trouble.part == message.part), None)
    others = tuple(trouble for trouble in state.trouble if trouble.part != message.part)
    if isinstance(message, messages.ClearTrouble):
        return state if old is None else _next(replace(state, trouble=others))
    new = Trouble(
        part=message.part,
        what=message.what,
        where=message.where,
        hint=message.hint,
        since=message.at if old is None else old.since,
    )
    return state if new == old else _next(replace(state, trouble=(*others, new)))


def _decide(state: TableState, message: messages.Lasting, system: System) -> Change | None:
    if isinstance(message, messages.Undo | messages.Redo):
        return _undone(state, message, system)
    found = _parts(state, message, system)
    if found is None:
        return None
    kind, sentence, before, after = found
    if before == after:  # what is wanted is so already
        return None
    sentence, before, after = undo.without_done(state, (sentence, before, after))
    before, after = _followed(state, before, after, system)
    after = _without_late_pool(state, _looked_up(state, after), system)
    if kind in _OF_ROLLS:
        sentence, before, after = calls.placed(state, system, (sentence, before, after))
    if kind in (*_OF_ROLLS, "people", "players"):
        sentence, before, after = calls.called_on(state, message, system, (sentence, before, after))
    return _next_change(state, message, kind=kind, sentence=sentence, before=before, after=after)


def _followed(
    state: TableState, before: Part, after: Part, system: System, *, in_order: bool = True
) -> tuple[Part, Part]:
    """Return the parts of a change, or of an undo, with the call and the order as its people are by then.

    :param in_order: whether the order follows: one that is as it was before what is taken back stays so.
    """
    before, after = calls.refreshed(state, before, after, system)
    for key, new in (after.people or {}).items():
        old = state.person(key)
        if old and new:
            before, after = people.renamed(state, key, old.name, new.name, before, after, in_order=in_order)
        elif old and in_order:
            before, after = people.left_order(state, key, old.name, system, before, after)
    return people.reranked(state, before, after, system) if in_order else (before, after)


def _next_change(state: TableState, message: messages.Lasting, **what: Any) -> Change:
    number = state.last_number + 1
    return Change(number=number, id=message.id, at=message.at, by=message.by, device=message.device, **what)


def _looked_up(state: TableState, after: Part) -> Part:
    """Return the part with what the roll's total means in the group's own table, where it was for one.

    Of a table that is gone nobody knows what another total means.
    """
    roll = after.roll
    was = state.find_roll(roll.id) if roll else None
    table = next((one for one in state.tables if roll and one.name.casefold() == roll.table.casefold()), None)
    if roll is None or (table is None and (was is None or was.net == roll.net)):
        return after
    total = dict(roll.net).get("total")
    row = "" if total is None or roll.awaits or table is None else table.words(total)
    return after if row == roll.row else structs.replace(after, roll=structs.replace(roll, row=row))


def _without_late_pool(state: TableState, after: Part, system: System) -> Part:
    """Return the part without the offer of a pool, where the roll's dice were thrown for something else.

    A pool is made where a session begins: before any other roll of it, or later by a call for it.
    """
    roll = after.roll
    if roll is None or roll.sets_pool is None:
        return after
    wanted = system.find_game(roll.game).pool_ask.items()
    ids = [one.id for one in state.rolls]
    earlier = state.rolls[ids.index(roll.id) + 1 :] if roll.id in ids else state.rolls
    begins = all(one.sets_pool is not None for one in earlier if one.session == roll.session)
    if begins or (wanted and wanted <= roll.ask.items()):
        return after
    return structs.replace(after, roll=structs.replace(roll, sets_pool=None))


def _parts(state: TableState, message: messages.Doing, system: System) -> tuple[str, str, Part, Part] | None:
    """Return kind and words of the change, with what it touches before and after it."""
    match message:
        case messages.ChangeDestiny():
            joined = calls.spent(state, message, system)
            if joined is not None:
                return "destiny", *joined
            after = pool.changed_pool(state, message, most=system.most_points)
            words = pool.pool_words(state, message, after)
            return "destiny", words, Part(destiny=state.destiny), Part(destiny=after)
        case messages.NewRoll():
            return "roll", *rolls.new_roll(state, message, system)
        case messages.EnterRoll():
            return "roll", *rolls.entered(state, message, system)
        case messages.EnterThrow():
            return "throw", *rolls.entered_throw(state, message, system)
        case messages.NewReading():
            found = rolls.read_again(state, message, system)
            return None if found is None else ("reading", *found)
        case messages.NewThrow():
            found = rolls.thrown_on(state, message, system)
            return None if found is None else ("throw", *found)
        case messages.CorrectDie():
            return "correction", *rolls.corrected(state, message, system)
        case messages.RuleDie():
            return "rule", *rolls.ruled(state, message, system)
        case messages.TellSuspect():
            return "correction", *rolls.tell_suspect(state, message, system)
        case messages.ChangeRoll():
            return "adjustment", *rolls.rescored(state, message, system)
        case messages.StartSession():
            return "session", *evening.started_session(state, message, system)
        case messages.EndSession():
            return "session", *evening.ended_session(state, message, system)
        case messages.NamePlayer():
            return "players", *evening.named_player(state, message, system)
        case messages.CallRoll():
            return "ask", *calls.called(state, message, system)
        case messages.ChooseGame():
            return "game", *evening.chosen_game(state, message, system)
        case messages.ChangeTracker():
            return "tracker", *evening.tracked(state, message, system)
        case messages.ChangeInitiative(do=messages.Turn.CALL):
            return "ask", *calls.called_to_fight(state, message, system)
        case messages.ChangeInitiative():
            return "initiative", *evening.changed_initiative(state, message, system)
        case messages.ChangePerson():
            return "people", *people.changed_people(state, message, system)
        case messages.TakeRoll():
            return "adjustment", *spends.taken(state, message, system)
        case messages.BuySpend():
            return "spend", *spends.bought(state, message, system)
        case messages.ApplyEffect():
            found = spends.applied(state, message, system)
            return None if found is None else ("effect", *found)
        case messages.DoAct():
            return "act", *evening.acted(state, message, system)
        case messages.ChangeTable():
            return "tables", *evening.changed_tables(state, message)
        case _:
            assert_never(message)


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
    in_order = undo.is_changed_later(state, target, "initiative")
    before, after = _followed(state, before, after, system, in_order=in_order)
    if in_order:
        sentence, before, after = calls.placed(state, system, (sentence, before, after))
    kind = "redo" if target.undoes else "undo"
    return _next_change(state, message, kind=kind, sentence=sentence, before=before, after=after, undoes=target.number)
