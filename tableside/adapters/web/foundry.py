"""Rolls for a Foundry world, which asks for them: its page may read one address, and no other page may."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from flask import Flask, Response, jsonify, request

from tableside.dice import DiceSet
from tableside.errors import BadChange
from tableside.table import Table
from tableside.table.events import Event, EventType, events_of
from tableside.table.roll import Roll

_AT_ONCE = 100
_DENOMINATIONS = {
    "boost": "b", "setback": "s", "ability": "a", "difficulty": "i", "proficiency": "p", "challenge": "c", "force": "f",
}  # fmt: skip
"""Letters of the symbol dice in Foundry's systems for them; the faces are numbered there as in our set."""
_SYMBOLS = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")


def add_foundry(
    app: Flask, table: Table, sets: Callable[[], Sequence[DiceSet]], *, origin: str, error: Callable[..., Any]
) -> None:
    """Add the address.

    :param origin: of the page that may ask, such as ``http://foundry.local:30000``; ``""`` for none.
    """

    @app.get("/api/foundry/poll")
    def poll() -> Any:
        if not origin:
            return error("no Foundry is set", "[foundry] origin", "Set it in the settings file.", 404)
        since, last = _since(), table.state.last_number
        if since is None or since > last:  # the first time, or another history: it hears what comes from now on
            since = last
        changes = table.saved_since(since, limit=_AT_ONCE)
        told = [
            event_json(event, sets())
            for change in changes
            for event in events_of(change, is_hidden=lambda roll_id: _is_hidden(table, roll_id))
            if event.type is not EventType.DESTINY
        ]
        return _allowed(jsonify({"rolls": told, "next": changes[-1].number if changes else since}), origin)


def event_json(event: Event, sets: Sequence[DiceSet]) -> dict[str, Any]:
    """Return an event in the form that table cameras for Foundry use."""
    told: dict[str, Any] = {"type": event.type.value, "id": event.id, "timestamp": round(event.at * 1000)}
    if event.roll is not None:
        told["roll"] = _roll_json(event.roll, sets)
        if event.type is EventType.AMENDMENT:
            told["amendment"] = {"roll_id": event.roll_id, "corrected": told["roll"]}
    else:
        told["roll"] = {"roll_id": event.roll_id}
    return told


def _roll_json(roll: Roll, sets: Sequence[DiceSet]) -> dict[str, Any]:
    net = dict(roll.net)
    dice = [_die_json(die.type, die.face, sets) for die in roll.dice]
    counts = Counter(die["denomination"] for die in dice)
    return {
        "roll_id": roll.id,
        "formula": " + ".join(f"{count}d{letter}" for letter, count in counts.items()),
        "total": net.get("total"),
        "dice": dice,
        "ffg": {name: net.get(name, 0) for name in _SYMBOLS},
        "headline": roll.headline or roll.outcome,
        "sentence": roll.sentence,
        "by": roll.by,
        "label": roll.label,
        "sure": roll.sure,
        "version": roll.version,
    }


def _die_json(name: str, face: tuple[str, ...], sets: Sequence[DiceSet]) -> dict[str, Any]:
    """Return a die with the number of its face, from 1; of several faces that look the same, the first."""
    kind = next((kind for dice_set in sets for kind in dice_set.types if kind.name == name), None)
    solid = kind.solid if kind else ""
    wanted = sorted(face)
    faces = kind.faces if kind else ()
    value = next((place for place, one in enumerate(faces, start=1) if sorted(one) == wanted), None)
    if len(face) == 1 and face[0].isdecimal():
        value = int(face[0])  # a printed number is its own
    letter = _DENOMINATIONS.get(name) or solid.removeprefix("d")
    return {"shape": solid, "denomination": letter, "value": value, "type": name, "face": list(face)}


def _is_hidden(table: Table, roll_id: str) -> bool:
    roll = table.find_roll(roll_id)
    return roll is not None and roll.is_hidden


def _since() -> int | None:
    text = request.args.get("since", "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise BadChange("since is no number", where=request.path, hint="Send `next` of the last answer, or nothing.")
    return int(text)


def _allowed(answer: Response, origin: str) -> Response:
    answer.headers["Access-Control-Allow-Origin"] = origin
    answer.headers["Vary"] = "Origin"
    return answer
