"""The pool of points: what is spent and set by hand, and what a call or a roll takes of it and gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tableside.errors import BadChange, Conflict, GameError, UnknownRoll
from tableside.table.kept import Call, Destiny, Side, TableState
from tableside.table.messages import ChangeDestiny, Do
from tableside.table.system import System
from tableside.words import say

_DONE = {Do.SPEND: "{points} spent: {now}", Do.ADD: "{points} added: {now}", Do.REMOVE: "{points} removed: {now}"}


def pool_after(state: TableState, message: ChangeDestiny, *, most: int) -> Destiny:
    """Return the pool after the change.

    :raises BadChange: where a side would fall below zero or rise above ``most``.
    """
    if message.from_roll:
        return _pool_of_roll(state, message.from_roll, most=most)
    if message.do is Do.SET:
        return _pool_as_set(state.destiny, message, most=most)
    if message.side is None:
        raise BadChange("no side is named", where="side", hint="Say light or dark.")
    if not 1 <= message.count <= most:
        raise BadChange(
            say("cannot {=do} {n} points", do=message.do.value, n=message.count),
            where="count",
            hint=say("Say 1 to {=most}.", most=most),
        )
    if message.do is Do.SPEND and not state.destiny_flips:
        hint = "Ask for it with the roll, and take it off the trackers, or out of the pool with remove."
        raise Conflict(
            say("a point that is spent does not turn over in {game}", game=state.game_title),
            where=state.destiny_names.pool,
            hint=hint,
        )
    pool, side, count = state.destiny, message.side, message.count
    if message.do is not Do.ADD:
        pool = pool.with_count(side, pool.count(side) - count)
    if message.do is not Do.REMOVE:
        gains = side.other if message.do is Do.SPEND else side
        pool = pool.with_count(gains, pool.count(gains) + count)
    return check_pool(state, pool, most=most)


def check_pool(state: TableState, pool: Destiny, *, most: int) -> Destiny:
    """Return the pool if the table can have it."""
    for side in Side:
        name = side_name(state, side)
        if pool.count(side) < 0:
            has = state.destiny.count(side)
            raise Conflict(
                say("there {n:is|are} only {n} {side} {n:point|points}", n=has, side=name)
                if has
                else say("there is no {side} point left", side=name),
                where=state.destiny_names.pool,
                hint=say("Wait until one turns {side}, or add one.", side=name),
            )
        if pool.count(side) > most:
            raise Conflict(
                say("{n} {side} points are too many", n=pool.count(side), side=name),
                where=state.destiny_names.pool,
                hint=say("A side holds at most {most}.", most=most),
            )
    return pool


def side_name(state: TableState, side: Side) -> str:
    """Return what the game calls a side, inside a sentence."""
    names = state.destiny_names
    return (names.light if side is Side.LIGHT else names.dark).lower()


def pool_words(state: TableState, message: ChangeDestiny, after: Destiny) -> str:
    """Say what was done and what the pool is now: ``"Light spent: 2 light, 3 dark"``."""
    now = now_words(state, after)
    if message.from_roll:
        return say("{pool} from the throw: {now}", pool=state.destiny_names.pool, now=now)
    if message.side is None or message.do is Do.SET:
        return say("{pool} set: {now}", pool=state.destiny_names.pool, now=now)
    name = side_name(state, message.side)
    points = say("{^name}", name=name) if message.count == 1 else say("{n} {^name}", n=message.count, name=name)
    return say(_DONE[message.do], points=points, now=now)


def now_words(state: TableState, pool: Destiny) -> str:
    """Return ``"1 light, 2 dark"``."""
    found = [say("{n} {side}", n=pool.count(side), side=side_name(state, side)) for side in Side]
    return say("{all}", all=found)


def _pool_as_set(pool: Destiny, message: ChangeDestiny, *, most: int) -> Destiny:
    wanted = {Side.LIGHT: message.light, Side.DARK: message.dark}
    if message.side is not None and message.light is None and message.dark is None:
        wanted[message.side] = message.count
    if all(count is None for count in wanted.values()):
        raise BadChange("no number of points is given", where="set", hint="Give light, dark, or both.")
    for side, count in wanted.items():
        if count is None:
            continue
        if not 0 <= count <= most:
            raise BadChange(
                say("{side} cannot be {n}", side=side.value, n=count),
                where=side.value,
                hint=say("Give 0 to {=most}.", most=most),
            )
        pool = pool.with_count(side, count)
    return pool


def _pool_of_roll(state: TableState, roll_id: str, *, most: int) -> Destiny:
    """Return the pool that a throw for it gives, as its game says."""
    roll = state.find_roll(roll_id)
    if roll is None:
        raise UnknownRoll("no such roll", where=roll_id, hint="Throw for the pool again.")
    if not roll.sure or roll.sets_pool is None:
        hint = "Settle its doubts, and throw the dice that make the pool and nothing else."
        raise BadChange("it is no sure throw for the pool", where=f"roll {roll_id}", hint=hint)
    if not state.destiny_flips:
        hint = "Choose the game that throws for its pool, or set the points by hand."
        raise Conflict(
            say("no dice give the points of {game}", game=state.game_title), where=state.destiny_names.pool, hint=hint
        )
    return check_pool(state, state.pool_of(roll), most=most)


def points_of(system: System, game: str, ask: Mapping[str, Any]) -> Counter[Side]:
    """Return the points that an ask takes, none where its game is no longer installed."""
    try:
        played = system.find_game(game)
    except GameError:
        return Counter()
    return Counter({Side(side): count for side, count in played.points(played.form.build(ask))})


def points_of_ask(system: System, ask: Call) -> Counter[Side]:
    """Return the points that an open ask has taken."""
    return points_of(system, ask.game, ask.answers) if ask.id else Counter()


def take_points(state: TableState, taken: Counter[Side], instead_of: Counter[Side], system: System) -> TableState:
    """Return the state after these points have turned over.

    :param instead_of: points that were taken before for the same thing; what is not wanted any more turns back.
    :raises Conflict: where a side has too few points.
    """
    pool = state.destiny
    for side in Side:
        more = taken[side] - instead_of[side]
        has = state.destiny.count(side)
        if more > has:
            name = side_name(state, side)
            pattern = "this takes {n} {side} {n:point|points}, and there {has:is|are} {has}"
            raise Conflict(
                say(pattern, n=more, side=name, has=has or "none"),
                where=state.destiny_names.pool,
                hint=say("Ask without it, or wait until a point turns {side}.", side=name),
            )
        turned = max(more, -pool.count(side.other))
        pool = pool.with_count(side, pool.count(side) - turned)
        pool = pool.with_count(side.other, pool.count(side.other) + turned)
    return state if pool == state.destiny else replace(state, destiny=check_pool(state, pool, most=system.most_points))


def pool_now_words(state: TableState, pool: Destiny) -> str:
    """Return ``"Destiny: 1 light, 2 dark"``."""
    return say("{pool}: {now}", pool=state.destiny_names.pool, now=now_words(state, pool))
