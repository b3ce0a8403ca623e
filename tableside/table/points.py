"""Points that an ask takes from the pool: taken when it is put, given back where nobody rolls for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tableside.errors import Conflict, GameError
from tableside.table.destiny import check_pool, now_words, side_name
from tableside.table.destiny_pool import Destiny, Side
from tableside.table.play import Ask
from tableside.table.state import TableState
from tableside.table.system import System
from tableside.words import say


def points_of(system: System, game: str, ask: Mapping[str, Any]) -> Counter[Side]:
    """Return the points that an ask takes, none where its game is no longer installed."""
    try:
        return Counter({Side(side): count for side, count in system.find_game(game).points(ask)})
    except GameError:
        return Counter()


def points_of_ask(system: System, ask: Ask) -> Counter[Side]:
    """Return the points that an open ask has taken."""
    return points_of(system, ask.game, ask.answers) if ask.id else Counter()


def taken_from_pool(
    state: TableState, taken: Counter[Side], instead_of: Counter[Side], system: System
) -> Destiny | None:
    """Return the pool after the points have turned over, ``None`` where it stays as it is.

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
    return None if pool == state.destiny else check_pool(state, pool, most=system.most_points)


def pool_now_words(state: TableState, pool: Destiny) -> str:
    """Return ``"Destiny: 1 light, 2 dark"``."""
    return say("{pool}: {now}", pool=state.destiny_names.pool, now=now_words(state, pool))
