"""Addresses that change the table: one for each message that has one. What is acknowledged is on disk.

A message says its address and who may send it; what more has to be true of its sender stands below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from flask import Blueprint, Response, jsonify, request
from msgspec.structs import replace

from tableside.adapters.web import guard
from tableside.adapters.web.body import ReadBody, body_of, message_of
from tableside.adapters.web.guard import Caller, Refused
from tableside.adapters.web.pairing import Pairing, Role
from tableside.adapters.web.services import Services
from tableside.dice import Die
from tableside.errors import Conflict
from tableside.rules.people import PersonKind
from tableside.table import Table, messages
from tableside.table.acts import is_nothing, losses, make_call, points_of, points_of_ask, spender_of
from tableside.table.kept import Change, Side, Slot, TableState
from tableside.table.shown import left_out_json

Answer: TypeAlias = Response | tuple[Response, int]
_Check: TypeAlias = Callable[[Table, Caller, Any], Any]
"""Refuses a message by whom it may not be sent; it may return another one to follow in its place."""
_CHECKS: dict[type[Any], _Check] = {}
"""What has to be true of who sends a message, beside its class's ``sender``."""


def change_routes(services: Services) -> Blueprint:
    """Return the addresses."""
    routes, table, read_again = Blueprint("changes", __name__), services.table, services.read_again
    checks: Mapping[type[Any], _Check] = {**_CHECKS, messages.ChangePerson: partial(_check_person, services.pairing)}
    for kind in messages.TAKEN:
        rule = kind.address.replace("{index}", "<int:index>").replace("{", "<").replace("}", ">")
        routes.post(rule, endpoint=kind.__name__)(_follows(kind, table, checks.get(kind)))

    @routes.post("/api/read")
    def read() -> Answer:
        caller = guard.need_player()
        body_of(request, ReadBody)
        if not read_again():
            raise Conflict("there is no camera", where="tray", hint="Enter the roll by hand.")
        return jsonify(caller.view(table.state)), 202

    return routes


def _follows(kind: type[Any], table: Table, check: _Check | None) -> Callable[..., Answer]:
    """Return what follows a message of this kind: it answers with the roll that it is about, else with the state."""

    def follow(**parts: Any) -> Answer:
        caller = guard.need_master() if kind.sender is messages.Sender.MASTER else guard.need_player()
        message = message_of(request, kind, **parts)
        roll_id = parts.get("roll_id") or (message.id if kind is messages.EnterRoll else "")
        if kind is not messages.EnterRoll:
            _need_to_see(table, caller, getattr(message, "roll_id", ""))
        message = (check(table, caller, message) if check else None) or message
        if isinstance(message, messages.Signed):
            is_for_others = kind is messages.EnterRoll and caller.role is not Role.PLAYER
            by = message.by if is_for_others else caller.name or message.by
            message = replace(message, by=by, device=caller.id)
        state = table.ask(message)
        if isinstance(message, messages.Undo | messages.Redo):
            done = next((one for one in state.changes if one.id == message.id), None)
            lost = losses(state, done.number, sees_hidden=caller.sees_hidden) if done else {}
            return jsonify(caller.view(state) | {"left_out": left_out_json(lost)})
        if not roll_id:
            return jsonify(caller.view(state))
        roll = table.state.find_roll(roll_id)
        is_seen = roll is not None and (caller.sees_hidden or not roll.is_hidden)
        answer = roll.to_json() if roll and is_seen else {"id": roll_id, "hidden": roll is not None}
        return jsonify(answer), 201 if kind is messages.EnterRoll else 200

    return follow


def _checks(kind: type[Any]) -> Callable[[_Check], _Check]:
    """Have messages of this kind checked so."""

    def keep(check: _Check) -> _Check:
        _CHECKS[kind] = check
        return check

    return keep


def _need_to_see(table: Table, caller: Caller, roll_id: str) -> None:
    roll = table.state.find_roll(roll_id) if roll_id else None
    if roll is not None and roll.is_hidden and not caller.sees_hidden:
        raise Refused("this roll is for the game master", hint="Ask the game master to show it.")


@_checks(messages.ChangeDestiny)
def _check_destiny(table: Table, caller: Caller, message: messages.ChangeDestiny) -> None:
    if (message.do, message.side) != (messages.Do.SPEND, Side.LIGHT):
        guard.need_master()
    if message.do is messages.Do.SPEND:
        _need_turn(table, caller)
    _need_to_see(table, caller, message.from_roll)


@_checks(messages.EnterRoll)
def _check_entered(table: Table, caller: Caller, message: messages.EnterRoll) -> None:
    if message.is_hidden:
        guard.need(Role.GM)
    if message.uses_ask:
        _need_turn(table, caller)
    dice = [Die(type=die.type, face=die.face) for die in message.dice]
    chosen = message.game or table.system.choose_game(dice, wanted=table.state.setup.game).name
    _check_points(table, caller, chosen, message.ask)


@_checks(messages.ChangeRoll)
def _check_changed(table: Table, caller: Caller, message: messages.ChangeRoll) -> None:
    if message.is_hidden is not None:
        guard.need(Role.GM)
    changed = table.state.find_roll(message.roll_id)
    if changed is not None:
        after = {name: value for name, value in {**changed.ask, **message.ask}.items() if value is not None}
        taken = points_of(table.system, changed.game, changed.ask)[Side.DARK]
        _check_points(table, caller, changed.game, after, has=taken)


@_checks(messages.CallRoll)
def _check_asked(table: Table, caller: Caller, message: messages.CallRoll) -> messages.CallRoll:
    if message.is_hidden:
        guard.need(Role.GM)
    if message.overrules:
        guard.need_master()
    state = table.state
    _need_turn(table, caller)
    if caller.role is Role.PLAYER and not is_nothing(message) and not message.contest:
        taken = points_of_ask(table.system, state.asked)[Side.DARK]
        asked = make_call(state, message, table.system)  # what people bring counts as well
        _check_points(table, caller, asked.game, asked.answers, has=taken)
    return replace(message, is_players=caller.role is Role.PLAYER)


def _need_turn(table: Table, caller: Caller) -> None:
    """Raise :class:`Conflict` for who would answer, change or end a call that is hidden from them."""
    if table.state.asked.is_hidden and not caller.sees_hidden:
        raise Conflict("the game master rolls first", where="ask", hint="Wait for that roll.")


def _check_points(table: Table, caller: Caller, game: str, ask: Mapping[str, Any], *, has: int = 0) -> None:
    """Let players ask for what takes light points alone: the dark ones are the game master's.

    :param has: dark points that were taken for the same thing before.
    """
    if caller.role is Role.PLAYER and points_of(table.system, game, ask)[Side.DARK] > has:
        raise Refused("a player may not spend dark points", hint="Ask the game master.")


def may_undo(state: TableState, caller: Caller, change: Change) -> bool:
    """Tell whether a caller takes back this change, where it stands."""
    is_seen = caller.role is Role.GM or state.may_tell(change)
    return is_seen and (caller.role in (Role.GM, Role.SCREEN) or change.device == caller.id)


@_checks(messages.Undo)
def check_undone(table: Table, caller: Caller, message: messages.Undo) -> messages.Undo | None:
    """A player takes back only its own changes, and nobody what is hidden."""
    state = table.state
    if caller.role is Role.GM:
        return None

    if message.change is None:
        return replace(message, only_open=True, only_of=caller.undoes_of)
    change = next((one for one in state.changes if one.number == message.change), None)
    if change is not None and not may_undo(state, caller, change) and not _throws_again(table, caller, change.number):
        raise Refused("this change is not yours", where=f"change {message.change}", hint="Ask the game master.")
    return None


@_checks(messages.PassNow)
def _check_passed(table: Table, caller: Caller, message: messages.PassNow) -> None:
    """A player passes what is its own: what its roll still wants, and its own call."""
    roll, asked = table.state.find_roll(message.roll), table.state.asked
    _need_to_see(table, caller, message.roll)
    whose = roll.who if roll else asked.who if message.call == asked.id else ""
    person = table.state.person(whose)
    if message.name == "fallen" or person is None or not caller.owns(person):
        guard.need_master()


def _throws_again(table: Table, caller: Caller, number: int) -> bool:
    """Tell whether a change is the wrong throw of this caller's character, which is to be thrown again."""
    now = table.state.open_now
    person, again = table.state.person(now.whose), now.acts.act if now.name == "wrong" else None
    is_it = again and again.request and again.request.body == {"change": number}
    return bool(is_it and person and caller.owns(person))


@_checks(messages.NamePlayer)
def _check_named(table: Table, caller: Caller, message: messages.NamePlayer) -> None:
    """A player may join, and change a name that it joined with."""
    if caller.role is Role.PLAYER and message.player_id:
        player = next((one for one in table.state.players if one.id == message.player_id), None)
        if player is not None and player.device != caller.id:
            raise Refused("this is not your name", where=player.name, hint="Ask the game master.")


@_checks(messages.BuySpend)
def _check_bought(table: Table, caller: Caller, message: messages.BuySpend) -> None:
    """What hinders the roller is the game master's to buy."""
    roll = table.state.find_roll(message.roll_id)
    if caller.role is not Role.GM and roll is not None and spender_of(roll, message.name, table.system) == "gm":
        raise Refused("threats and despairs are spent by the game master", hint="Ask the game master.")


@_checks(messages.DoAct)
def _check_acted(_table: Table, _caller: Caller, message: messages.DoAct) -> None:
    """What passes for everybody, the game master lets pass."""
    if not message.who:
        guard.need_master()


def _acts(table: Table, caller: Caller, slot: Slot | None) -> bool:
    """Tell whether a place in the order is that of this caller's character."""
    person = table.state.acting(slot)
    return person is not None and caller.owns(person)


@_checks(messages.ApplyEffect)
def _check_applied(table: Table, caller: Caller, message: messages.ApplyEffect) -> None:
    """Who may end a turn may do so with an effect; a fight is the game master's to end."""
    if message.then == "end" or (message.then and not _acts(table, caller, table.state.initiative.current)):
        guard.need_master()


@_checks(messages.ChangeInitiative)
def _check_ordered(table: Table, caller: Caller, message: messages.ChangeInitiative) -> None:
    """Players take places, and end the turn of their own character where they name it; a turn that is over is over."""
    slot = table.state.initiative.find(message.slot)
    if message.do is messages.Turn.NEXT and _acts(table, caller, slot):
        return
    if message.do not in (messages.Turn.CLAIM, messages.Turn.ADD):
        guard.need_master()


def _check_person(pairing: Pairing, table: Table, caller: Caller, message: messages.ChangePerson) -> None:
    """Players change and take away their own; a character that belongs to nobody yet they may change as well."""
    person = table.state.person(str(message.person.id)) if message.person.id else None
    if caller.role is not Role.PLAYER or message.do is messages.DoPerson.ADD or person is None or caller.owns(person):
        return
    if message.do is messages.DoPerson.CHANGE and person.kind is PersonKind.PLAYER and not pairing.having(person):
        return
    raise Refused("this is not your character", where=person.name, hint="Ask the game master.")
