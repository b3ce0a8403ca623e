"""How far the table is with what was thrown: which rolls nothing has closed, and what was left for later."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from msgspec import structs

from tableside.errors import Conflict, GameError
from tableside.table import messages
from tableside.table.acts import calls
from tableside.table.acts.calls import is_nothing, is_put_off, make_call, take_off
from tableside.table.acts.stage import Stage, stage_of, steps_of
from tableside.table.kept import NO_CALL, Call, Decision, Roll, TableState
from tableside.table.system import System
from tableside.words import own, say

_PUT_OFF = {
    "dice": "The dice are just read",
    "cast": "Who plays is known",
    "setup": "The set-up is over",
    "won": "Later",
}


def call_roll(state: TableState, message: messages.CallRoll, system: System) -> Decision:
    """Call a roll: a later one after the open call; a player's own and the further throw of a roll before it."""
    asked = state.asked
    if message.changes not in ("", asked.id):
        raise Conflict("that call is over", where="ask", hint="Look at what is next by now.")
    if not asked.id or message.contest or is_nothing(message):
        return calls.call_roll(state, message, system)
    put_off = replace(state, asked=NO_CALL, agenda=structs.replace(state.agenda, waits=(*state.agenda.waits, asked)))
    if message.is_later:
        if message.others and is_put_off(put_off):
            raise Conflict("several are called already", where="others", hint="Call these once those have thrown.")
        words, new = calls.call_roll(put_off, message, system)
        *waits, asked = new.agenda.waits
        agenda = structs.replace(new.agenda, waits=(new.asked, *waits))
        return words, replace(new, asked=asked, agenda=agenda)
    if message.others:
        return calls.call_roll(state, message, system)
    ask = make_call(state, message, system)
    is_before = _is_own(ask, asked) if message.is_players else _is_further(state, ask, system)
    return calls.call_one(put_off if is_before else state, ask, system)


def _is_own(ask: Call, asked: Call) -> bool:
    """Tell whether a player's call is another one than the open call, and no change of it."""
    what = [(one.skill, one.weapon, one.is_damage, one.table) for one in (ask, asked)]
    is_change = (ask.who, ask.player) == (asked.who, asked.player) and (what[0] == what[1] or ask.by == asked.by)
    return not is_change


def _is_further(state: TableState, ask: Call, system: System) -> bool:
    """Tell whether a call is for a throw that an open roll calls for."""
    rolls = [roll for one in state.agenda.open if (roll := state.find_roll(one))]
    return any(step.is_called(ask) for roll in rolls for step in steps_of(state, roll, system))


def pass_now(state: TableState, message: messages.PassNow, system: System) -> Decision:
    """What is next is passed: a call of one of several, what a roll still wants, or a fight that is won goes on."""
    agenda = state.agenda
    if message.roll and message.name == "fallen":
        after = structs.replace(agenda, put_off=(*agenda.put_off, message.roll))
    elif message.roll:
        after = close_rolls(state, {message.roll}).agenda
    elif message.name in _PUT_OFF:
        after = structs.replace(agenda, put_off=(*(one for one in agenda.put_off if one != message.name), message.name))
    elif message.call and (off := take_off(state, message.call, system)):
        who = next(one.name for one in state.called if one.id == message.call)
        return say("{who} is passed", who=own(who)), off
    else:
        raise Conflict("there is nothing to pass", where="now", hint="Look at what is next by now.")
    if after == agenda:
        return "", state
    return _PUT_OFF.get(message.name, "Later"), replace(state, agenda=after)


def close_rolls(state: TableState, rolls: Collection[str]) -> TableState:
    """Return the state with these rolls closed."""
    left = tuple(one for one in state.agenda.open if one not in rolls)
    return replace(state, agenda=structs.replace(state.agenda, open=left))


def update_agenda(old: TableState, state: TableState, system: System) -> TableState:
    """Open what was thrown, and close what the table has left behind: nothing but an undo opens that again.

    A turn that ends, another session and the end of a fight close all. A call, a later throw and the beginning of a
    fight close what wants nothing more of anybody.
    """
    agenda = state.agenda
    thrown = [roll for roll in reversed(state.rolls) if old.find_roll(roll.id) is None]
    was, now = old.initiative, state.initiative
    turns = [(one.current.id if one.current else "", one.round, one.segment) for one in (was, now)]
    are_others = {slot.id for slot in was.slots} != {slot.id for slot in now.slots}
    has_passed = turns[0] != turns[1] and not (are_others and now.slots) and bool(was.slots)
    older = () if has_passed or old.session != state.session else agenda.open
    rolls = [roll for one in older if (roll := state.find_roll(one)) and roll not in thrown] + thrown
    kept = [roll for n, roll in enumerate(rolls) if _stays(old, state, roll, system, is_last=n == len(rolls) - 1)]
    has_moved = bool(thrown) or old.rolls != state.rolls or old.asked.id != state.asked.id or turns[0] != turns[1]
    is_won = agenda.is_won
    if has_moved or are_others or len(old.people) < len(state.people):
        is_won = has_won(state, system)
    ids = tuple(roll.id for roll in kept)
    after = structs.replace(
        agenda,
        open=ids,
        put_off=tuple(one for one in agenda.put_off if one in ids or (one in _PUT_OFF and (is_won or one != "won"))),
        has_acted=(turns[0] == turns[1] and agenda.has_acted) or any(_acts(state, roll) for roll in thrown),
        is_won=is_won,
    )
    return state if after == agenda else replace(state, agenda=after)


def _stays(old: TableState, state: TableState, roll: Roll, system: System, *, is_last: bool) -> bool:
    stage = stage_of(state, roll, system)
    if stage is Stage.STEP and any(one.is_called(state.asked) for one in steps_of(state, roll, system)):
        return False
    if stage is not Stage.DONE:
        return True
    has_place = any(slot.roll == roll.id for slot in state.initiative.slots)
    begins = bool(state.initiative.slots and not old.initiative.slots)
    has_pool = roll.sets_pool is not None and state.destiny == state.pool_of(roll)
    return is_last and not (state.asked.id or has_place or begins or has_pool)


def _acts(state: TableState, roll: Roll) -> bool:
    """Tell whether a roll is of whose turn it is; what gave a place in the order is none."""
    slot = state.initiative.current
    person = state.acting(slot)
    if slot is None or any(one.roll == roll.id for one in state.initiative.slots):
        return False
    return roll.who == person.id if person else bool(roll.by) and roll.by == slot.who


def has_won(state: TableState, system: System) -> bool:
    """Tell whether the other side has somebody in the order, and nobody of it stands."""
    others = [state.owner(slot) for slot in state.initiative.slots if not slot.is_player]
    try:
        return bool(others) and all(one is not None and system.is_out(one) for one in others)
    except GameError:  # an old log may tell of a game that is no longer installed
        return False
