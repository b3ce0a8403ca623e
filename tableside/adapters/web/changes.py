"""Addresses that change the table. Each says who may; what is acknowledged is on disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from flask import Flask, Response, jsonify, request

from tableside.adapters.web import body, guard, play_body
from tableside.adapters.web.guard import Caller, Refused
from tableside.adapters.web.pairing import Role
from tableside.errors import Conflict
from tableside.table import Table
from tableside.table.messages import Do, NamePlayer, Redo, TestLamps, Turn, Undo
from tableside.table.points import points_of, points_of_ask
from tableside.table.pool import Side

Answer: TypeAlias = Response | tuple[Response, int]


def add_changes(app: Flask, table: Table, *, read_again: Callable[[], None] | None) -> None:
    """Add the addresses.

    :param read_again: has the tray read once more.
    """

    def done(caller: Caller, message: Any) -> Response:
        """Follow the message, signed by a paired device with its own name, and answer with the state after it."""
        signed = replace(message, by=caller.name or message.by, device=caller.id)
        return jsonify(caller.told(table.ask(signed)))

    def roll_after(caller: Caller, message: Any, roll_id: str, status: int = 200) -> Answer:
        done(caller, message)
        roll = table.state.find_roll(roll_id)
        is_seen = roll is not None and (caller.sees_hidden or not roll.is_hidden)
        return jsonify(roll.to_json() if roll and is_seen else {"id": roll_id, "hidden": roll is not None}), status

    def seen_roll(caller: Caller, roll_id: str) -> None:
        roll = table.state.find_roll(roll_id)
        if roll is not None and roll.is_hidden and not caller.sees_hidden:
            raise Refused("this roll is for the game master", hint="Ask the game master to show it.")

    def check_points(caller: Caller, game: str, ask: Mapping[str, Any], *, has: int = 0) -> None:
        """Let players ask for what takes light points alone: the dark ones are the game master's.

        :param has: dark points that were taken for the same thing before.
        """
        if caller.role is Role.PLAYER and points_of(table.system, game, ask)[Side.DARK] > has:
            raise Refused("a player may not spend dark points", hint="Ask the game master.")

    @app.post("/api/destiny")
    def destiny() -> Answer:
        caller, message = guard.need_player(), body.destiny_of(request)
        if (message.do, message.side) != (Do.SPEND, Side.LIGHT):
            guard.need_master()
        if message.from_roll:
            seen_roll(caller, message.from_roll)
        return done(caller, message)

    @app.post("/api/rolls")
    def enter_roll() -> Answer:
        caller, message = guard.need_player(), body.roll_of(request)
        if message.is_hidden:
            guard.need(Role.GM)
        chosen = message.game or table.system.choose_game(message.dice, wanted=table.state.setup.game).name
        check_points(caller, chosen, message.ask)
        name = caller.name if caller.role is Role.PLAYER else ""
        table.ask(replace(message, by=name or message.by, device=caller.id))
        roll = table.state.find_roll(message.id)
        is_seen = roll is not None and (caller.sees_hidden or not roll.is_hidden)
        return jsonify(roll.to_json() if roll and is_seen else {"id": message.id, "hidden": True}), 201

    @app.post("/api/rolls/<roll_id>")
    def adjust(roll_id: str) -> Answer:
        caller, message = guard.need_player(), play_body.adjustment_of(request, roll_id)
        seen_roll(caller, roll_id)
        if message.is_hidden is not None:
            guard.need(Role.GM)
        changed = table.state.find_roll(roll_id)
        if changed is not None:
            told = {name: value for name, value in message.ask.items() if value is not None}
            taken = points_of(table.system, changed.game, changed.ask)[Side.DARK]
            check_points(caller, changed.game, told, has=taken)
        return roll_after(caller, message, roll_id)

    @app.post("/api/rolls/<roll_id>/throws")
    def throw(roll_id: str) -> Answer:
        caller, message = guard.need_player(), play_body.throw_of(request, roll_id)
        seen_roll(caller, roll_id)
        return roll_after(caller, message, roll_id)

    @app.post("/api/rolls/<roll_id>/dice/<int:index>")
    def correct(roll_id: str, index: int) -> Answer:
        caller, message = guard.need_player(), body.correction_of(request, roll_id, index)
        seen_roll(caller, roll_id)
        return roll_after(caller, message, roll_id)

    @app.post("/api/rolls/<roll_id>/suspects/<int:index>")
    def tell(roll_id: str, index: int) -> Answer:
        caller, message = guard.need_player(), body.suspect_of(request, roll_id, index)
        seen_roll(caller, roll_id)
        return roll_after(caller, message, roll_id)

    @app.post("/api/undo")
    def undo() -> Answer:
        caller, message = guard.need_player(), body.undo_of(request)
        return done(caller, _own_undo(table, caller, message))

    @app.post("/api/redo")
    def redo() -> Answer:
        caller, message = guard.need_master(), body.undo_of(request)
        return done(caller, Redo(id=message.id, at=message.at, by=message.by))

    @app.post("/api/session")
    def session() -> Answer:
        return done(guard.need_master(), play_body.session_of(request))

    @app.post("/api/players")
    def players() -> Answer:
        caller, message = guard.need_player(), play_body.player_of(request)
        if caller.role is Role.PLAYER:
            _only_own_name(table, caller, message)
        return done(caller, message)

    @app.post("/api/ask")
    def ask() -> Answer:
        caller, message = guard.need_player(), play_body.ask_of(request)
        if message.is_hidden:
            guard.need(Role.GM)
        if table.state.asked.is_hidden and not caller.sees_hidden:
            raise Conflict("the game master rolls first", where="ask", hint="Wait for that roll.")
        taken = points_of_ask(table.system, table.state.asked)[Side.DARK]
        check_points(caller, message.game or table.state.game, message.answers, has=taken)
        return done(caller, message)

    @app.post("/api/game")
    def game() -> Answer:
        return done(guard.need_master(), play_body.game_of(request))

    @app.post("/api/trackers")
    def trackers() -> Answer:
        return done(guard.need_player(), play_body.tracker_of(request))

    @app.post("/api/initiative")
    def initiative() -> Answer:
        caller, message = guard.need_player(), play_body.initiative_of(request)
        if message.do not in (Turn.CLAIM, Turn.ADD):
            guard.need_master()
        if message.roll_id:
            seen_roll(caller, message.roll_id)
        return done(caller, message)

    @app.post("/api/read")
    def read() -> Answer:
        caller = guard.need_player()
        body.json_of(request, known=set())
        if read_again is None:
            raise Conflict("there is no camera", where="tray", hint="Enter the roll by hand.")
        read_again()
        return jsonify(caller.told(table.state)), 202

    @app.post("/api/lamps/test")
    def lamps() -> Answer:
        caller = guard.need_master()
        found = body.json_of(request, known={"on"})
        is_on = body.flag_of(found, "on", request.path)
        state = table.ask(TestLamps(at=time.time(), is_on=is_on is not False))
        return jsonify(caller.told(state))


def _own_undo(table: Table, caller: Caller, message: Undo) -> Undo:
    """Return the undo of a change that the caller may take back: a player only its own, and nobody what is hidden."""
    state = table.state
    if caller.role is Role.GM:
        return message

    def is_allowed(change: Any) -> bool:
        return state.may_tell(change) and (caller.role is Role.SCREEN or change.device == caller.id)

    if message.change is None:
        return replace(message, only_open=True, only_of=caller.id if caller.role is Role.PLAYER else "")
    change = next((one for one in state.changes if one.number == message.change), None)
    if change is not None and not is_allowed(change):
        raise Refused("this change is not yours", where=f"change {message.change}", hint="Ask the game master.")
    return message


def _only_own_name(table: Table, caller: Caller, message: NamePlayer) -> None:
    """A player may join, and change a name that it joined with."""
    if not message.player_id:
        return
    player = next((one for one in table.state.players if one.id == message.player_id), None)
    if player is not None and player.device != caller.id:
        raise Refused("this is not your name", where=player.name, hint="Ask the game master.")
