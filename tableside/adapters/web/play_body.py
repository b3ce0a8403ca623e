"""Bodies of what is kept beside the rolls: sessions, players, asks, games, trackers, initiative."""

from __future__ import annotations

import time
from typing import Any

from flask import Request

from tableside.adapters.web.body import (
    choice_of,
    dice_of,
    flag_of,
    id_of,
    json_of,
    object_of,
    text_of,
    whole_of,
)
from tableside.errors import BadChange
from tableside.rules import PoolNames
from tableside.table.messages import (
    ChangeInitiative,
    ChangeRoll,
    ChangeTracker,
    ChooseGame,
    EnterThrow,
    NamePlayer,
    SetAsk,
    StartSession,
    Turn,
)
from tableside.table.play import Seen

_MOST_RANKS = 4


def throw_of(request: Request, roll_id: str) -> EnterThrow:
    """Return the throw that a roll waits for."""
    found = json_of(request, known={"id", "dice", "version", "by"}, needed=frozenset({"dice"}))
    return EnterThrow(
        id=id_of(found, request.path),
        at=time.time(),
        roll_id=roll_id,
        dice=dice_of(found["dice"], request.path),
        version=whole_of(found, "version", request.path),
        by=text_of(found, "by", request.path),
    )


def adjustment_of(request: Request, roll_id: str) -> ChangeRoll:
    """Return what a roll was for after all."""
    found = json_of(request, known={"id", "ask", "player", "label", "hidden", "version", "by"})
    return ChangeRoll(
        id=id_of(found, request.path),
        at=time.time(),
        roll_id=roll_id,
        ask=object_of(found, "ask", request.path),
        player=text_of(found, "player", request.path) if "player" in found else None,
        label=text_of(found, "label", request.path) if "label" in found else None,
        is_hidden=flag_of(found, "hidden", request.path),
        version=whole_of(found, "version", request.path),
        by=text_of(found, "by", request.path),
    )


def session_of(request: Request) -> StartSession:
    """Return the new session."""
    found = json_of(request, known={"id", "title", "by"})
    return StartSession(
        id=id_of(found, request.path),
        at=time.time(),
        title=text_of(found, "title", request.path),
        by=text_of(found, "by", request.path),
    )


def player_of(request: Request) -> NamePlayer:
    """Return who comes, goes or changes the name."""
    found = json_of(request, known={"id", "player", "name", "by"}, needed=frozenset({"name"}))
    return NamePlayer(
        id=id_of(found, request.path),
        at=time.time(),
        player_id=text_of(found, "player", request.path),
        name=text_of(found, "name", request.path),
        by=text_of(found, "by", request.path),
    )


def ask_of(request: Request) -> SetAsk:
    """Return what the next roll is for; an empty body means nothing any more."""
    keys = {"id", "game", "answers", "player", "label", "hidden", "odds_for", "by"}
    found = json_of(request, known=keys)
    odds_for = choice_of(found, "odds_for", [seen.value for seen in Seen], request.path, default="gm")
    return SetAsk(
        id=id_of(found, request.path),
        at=time.time(),
        game=text_of(found, "game", request.path),
        answers=object_of(found, "answers", request.path),
        player=text_of(found, "player", request.path),
        label=text_of(found, "label", request.path),
        is_hidden=flag_of(found, "hidden", request.path) or False,
        odds_for=Seen(odds_for),
        by=text_of(found, "by", request.path),
    )


def game_of(request: Request) -> ChooseGame:
    """Return the chosen game, its settings or the names of its pool."""
    found = json_of(request, known={"id", "game", "settings", "names", "by"})
    names = object_of(found, "names", request.path) if "names" in found else None
    return ChooseGame(
        id=id_of(found, request.path),
        at=time.time(),
        game=text_of(found, "game", request.path) if "game" in found else None,
        settings=object_of(found, "settings", request.path) if "settings" in found else None,
        names=None if names is None else _names(names, request.path),
        by=text_of(found, "by", request.path),
    )


def tracker_of(request: Request) -> ChangeTracker:
    """Return the change of a tracker."""
    keys = {"id", "name", "owner", "count", "value", "by"}
    found = json_of(request, known=keys, needed=frozenset({"name"}))
    return ChangeTracker(
        id=id_of(found, request.path),
        at=time.time(),
        name=text_of(found, "name", request.path),
        owner=text_of(found, "owner", request.path),
        count=whole_of(found, "count", request.path) or 0,
        value=whole_of(found, "value", request.path),
        by=text_of(found, "by", request.path),
    )


def initiative_of(request: Request) -> ChangeInitiative:
    """Return the change of the order."""
    keys = {"id", "do", "slot", "side", "rank", "roll", "who", "by"}
    found = json_of(request, known=keys, needed=frozenset({"do"}))
    side = choice_of(found, "side", ["player", "npc"], request.path, default="player")
    return ChangeInitiative(
        id=id_of(found, request.path),
        at=time.time(),
        do=Turn(choice_of(found, "do", [turn.value for turn in Turn], request.path)),
        slot=text_of(found, "slot", request.path),
        is_player=side == "player",
        rank=_rank(found.get("rank", []), request.path),
        roll_id=text_of(found, "roll", request.path),
        who=text_of(found, "who", request.path),
        by=text_of(found, "by", request.path),
    )


def _names(found: dict[str, Any], where: str) -> PoolNames:
    if set(found) != {"pool", "light", "dark"}:
        hint = "An empty one is the game's own."
        raise BadChange("names has not the keys pool, light and dark", where=where, hint=hint)
    return PoolNames(**{key: text_of(found, key, where).strip()[:40] for key in found})


def _rank(found: Any, where: str) -> tuple[int, ...]:
    is_rank = isinstance(found, list) and len(found) <= _MOST_RANKS
    if not is_rank or not all(isinstance(n, int) and not isinstance(n, bool) and abs(n) < 10**6 for n in found):
        raise BadChange(f"rank is no list of at most {_MOST_RANKS} numbers", where=where, hint="Send [2, 1].")
    return tuple(found)
