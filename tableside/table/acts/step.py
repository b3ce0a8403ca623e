"""All decisions of the table, as a pure function: the same state and message always give the same new state."""

from __future__ import annotations

from dataclasses import replace

from tableside.table import messages
from tableside.table.acts.follow import apply, name_things
from tableside.table.acts.undo import decide
from tableside.table.kept import Phase, TableState, Trouble
from tableside.table.system import System


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
    change = decide(state, message, system)
    return state if change is None else _next(name_things(apply(state, change, system), system))


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
