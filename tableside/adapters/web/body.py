"""Requests' bodies: JSON objects with known keys, each checked, all mistakes named."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from typing import Any

from flask import Request

from tableside.dice import Die, face_of
from tableside.errors import BadChange, did_you_mean
from tableside.table.messages import ChangeDestiny, CorrectDie, Do, EnterRoll, TellSuspect, Undo
from tableside.table.state import Side

Json = Mapping[str, Any]
_MOST_DICE = 60
_MOST_LETTERS = 200


def json_of(request: Request, *, known: set[str], needed: frozenset[str] = frozenset()) -> Json:
    """Return the body as an object.

    :raises BadChange: when it is no JSON object, a key is unknown or a needed one is missing.
    """
    try:
        found = request.get_json(force=True, silent=True)
    except RecursionError:  # brackets within brackets by the thousand
        found = None
    if found is None and not request.get_data():
        found = {}
    if not isinstance(found, dict):
        raise BadChange("the body is not a JSON object", where=request.path, hint="Send an object in braces.")
    for key in found:
        if key not in known or not key.isprintable():
            raise BadChange(f"unknown key {key[:40]!r}", where=request.path, hint=did_you_mean(key[:40], known))
    for key in sorted(needed - found.keys()):
        raise BadChange(f"{key} is missing", where=request.path, hint=f"Send {', '.join(sorted(needed))}.")
    return found


def destiny_of(request: Request) -> ChangeDestiny:
    """Return the change of the pool that the body asks for."""
    keys = {"id", "do", "side", "count", "light", "dark", "from_roll", "by"}
    found = json_of(request, known=keys, needed=frozenset({"do"}))
    return ChangeDestiny(
        id=id_of(found, request.path),
        at=time.time(),
        do=Do(choice_of(found, "do", [do.value for do in Do], request.path)),
        side=Side(choice_of(found, "side", [s.value for s in Side], request.path)) if found.get("side") else None,
        count=1 if (count := whole_of(found, "count", request.path)) is None else count,
        light=whole_of(found, "light", request.path),
        dark=whole_of(found, "dark", request.path),
        from_roll=text_of(found, "from_roll", request.path),
        by=text_of(found, "by", request.path),
    )


def roll_of(request: Request) -> EnterRoll:
    """Return the roll by hand that the body describes."""
    keys = {"id", "dice", "game", "label", "ask", "by", "hidden", "uses_ask"}
    found = json_of(request, known=keys, needed=frozenset({"dice"}))
    return EnterRoll(
        id=id_of(found, request.path),
        at=time.time(),
        dice=dice_of(found["dice"], request.path),
        game=text_of(found, "game", request.path),
        label=text_of(found, "label", request.path),
        ask=object_of(found, "ask", request.path),
        is_hidden=flag_of(found, "hidden", request.path) or False,
        uses_ask=flag_of(found, "uses_ask", request.path) or False,
        by=text_of(found, "by", request.path),
    )


def dice_of(found: Any, where: str) -> tuple[Die, ...]:
    """Return a list of dice."""
    if not isinstance(found, list) or not 0 < len(found) <= _MOST_DICE:
        raise BadChange(f"dice is no list of 1 to {_MOST_DICE} dice", where=where, hint="Send a list of dice.")
    return tuple(die_of(die, where) for die in found)


def object_of(found: Json, key: str, where: str) -> dict[str, Any]:
    """Return an object of the body, an empty one where there is none."""
    value = found.get(key, {})
    if not isinstance(value, dict):
        raise BadChange(f"{key} is not a JSON object", where=where, hint="Send an object in braces.")
    return value


def flag_of(found: Json, key: str, where: str) -> bool | None:
    """Return true or false, ``None`` where neither is sent."""
    value = found.get(key)
    if value is not None and not isinstance(value, bool):
        raise BadChange(f"{key} is neither true nor false", where=where, hint="Send true or false.")
    return value


def correction_of(request: Request, roll_id: str, index: int) -> CorrectDie:
    """Return the correction of one die that the body describes."""
    return CorrectDie(roll_id=roll_id, index=index, **_told(request))


def suspect_of(request: Request, roll_id: str, index: int) -> TellSuspect:
    """Return what the body says of something that could not be read."""
    return TellSuspect(roll_id=roll_id, index=index, **_told(request))


def _told(request: Request) -> dict[str, Any]:
    """Return what a person says of one find: a type and a face, or that it is no die."""
    found = json_of(request, known={"id", "type", "face", "nothing", "version", "by"})
    where = request.path
    is_nothing = flag_of(found, "nothing", where)
    if bool(is_nothing) == ("type" in found or "face" in found):
        hint = 'Send {"type": "ability", "face": ["success"]}, or {"nothing": true} where there is no die.'
        what = "both a die and nothing" if is_nothing else "neither a die nor nothing"
        raise BadChange(what, where=where, hint=hint)
    die = None if is_nothing else die_of({key: found[key] for key in ("type", "face") if key in found}, where)
    return {
        "id": id_of(found, where), "at": time.time(), "die": die, "version": whole_of(found, "version", where),
        "by": text_of(found, "by", where),
    }  # fmt: skip


def undo_of(request: Request) -> Undo:
    """Return what the body wants undone; an empty body means the newest change."""
    found = json_of(request, known={"id", "change", "by"})
    return Undo(
        id=id_of(found, request.path),
        at=time.time(),
        change=whole_of(found, "change", request.path),
        by=text_of(found, "by", request.path),
    )


def die_of(found: Any, where: str) -> Die:
    """Return the die that ``{"type": .., "face": [..]}`` names."""
    hint = 'A die is {"type": "ability", "face": ["success"]}.'
    if not isinstance(found, dict) or set(found) != {"type", "face"}:
        raise BadChange(f"{found!r} is no die"[:_MOST_LETTERS], where=where, hint=hint)
    name, face = found["type"], found["face"]
    is_name = isinstance(name, str) and len(name) <= _MOST_LETTERS
    if not is_name or not isinstance(face, list) or not all(isinstance(s, str) for s in face):
        raise BadChange(f"{found!r} is no die"[:_MOST_LETTERS], where=where, hint=hint)
    return Die(type=name, face=face_of(face))


def id_of(found: Json, where: str) -> str:
    """Return the id of the change, a new one where none is sent."""
    value = found.get("id")
    if value is None:
        return str(uuid.uuid4())
    try:
        return str(uuid.UUID(value))
    except (ValueError, AttributeError, TypeError) as error:
        raise BadChange("id is no UUID", where=where, hint="Send a new UUID with every change.") from error


def choice_of(found: Json, key: str, known: list[str], where: str, *, default: str | None = None) -> str:
    """Return a word of the body that is one of these."""
    value = found.get(key, default)
    if not isinstance(value, str) or value not in known:
        raise BadChange(f"{key} is {str(value)[:40]!r}", where=where, hint=f"Send one of {', '.join(known)}.")
    return str(value)


def whole_of(found: Json, key: str, where: str) -> int | None:
    """Return a whole number of the body, ``None`` where there is none."""
    value = found.get(key)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or abs(value) > 10**9):
        raise BadChange(f"{key} is no whole number", where=where, hint="Send a number such as 2.")
    return value


def text_of(found: Json, key: str, where: str) -> str:
    """Return a short text of the body, ``""`` where there is none."""
    value = found.get(key) or ""
    if not isinstance(value, str) or len(value) > _MOST_LETTERS or not value.isprintable():
        raise BadChange(
            f"{key} is no text of at most {_MOST_LETTERS} letters", where=where, hint="Send one line of text."
        )
    return value
