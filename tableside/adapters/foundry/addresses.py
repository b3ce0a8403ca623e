"""A module for Foundry, and the rolls that it asks for: its world's page may read them, and no other page may."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request

from tableside import __version__
from tableside.dice import DiceSet, Die, Face
from tableside.dice.sets import counted
from tableside.errors import BadChange, NotConnected
from tableside.table import Table
from tableside.table.kept import Roll
from tableside.table.shown import Event, EventType, events_of

_AT_ONCE = 100
_MODULE = Path(__file__).parent / "module"
_LANGUAGES = {"en": "English", "de": "Deutsch", "es": "Español", "fr": "Français"}
_TENS = "00"
"""The letter of a die with the faces 00 to 90: Foundry reads it and a ten-sided die as one."""
_DENOMINATIONS = {
    "boost": "b",
    "setback": "s",
    "ability": "a",
    "difficulty": "i",
    "proficiency": "p",
    "challenge": "c",
    "force": "f",
}
"""Letters of the symbol dice in Foundry's systems for them."""
_FACES = {
    "boost": ("", "", "s", "sa", "aa", "a"),
    "setback": ("", "", "f", "f", "t", "t"),
    "ability": ("", "s", "s", "ss", "a", "a", "sa", "aa"),
    "difficulty": ("", "f", "ff", "t", "t", "t", "tt", "ft"),
    "proficiency": ("", "s", "s", "ss", "ss", "a", "sa", "sa", "sa", "aa", "aa", "x"),
    "challenge": ("", "f", "f", "ff", "ff", "t", "t", "ft", "ft", "tt", "tt", "y"),
    "force": ("d", "d", "d", "d", "d", "d", "dd", "l", "l", "ll", "ll", "ll"),
}
"""The faces of the symbol dice as Foundry's dice number them, from 1, by the letters of `_LETTERS`.

Source: the tables ``CONFIG.FFG.*_RESULTS`` of the system StarWarsFFG.
"""
_LETTERS = {
    "success": "s",
    "failure": "f",
    "advantage": "a",
    "threat": "t",
    "triumph": "x",
    "despair": "y",
    "light": "l",
    "dark": "d",
}
_SYMBOLS = ("success", "failure", "advantage", "threat", "triumph", "despair", "light", "dark")


def addresses(table: Table, *, origin: str) -> Blueprint:
    """Return the addresses of the module, and the one that it asks.

    :param origin: of the page that may ask, such as ``http://foundry.local:30000``; ``""`` for none.
    """
    made = Blueprint("foundry", __name__)

    @made.get("/foundry/module.json")
    def manifest() -> Any:
        return jsonify(manifest_json(request.host_url.rstrip("/")))

    @made.get("/foundry/module.zip")
    def module() -> Response:
        return Response(packed_module(request.host_url.rstrip("/")), mimetype="application/zip")

    @made.get("/api/foundry/poll")
    def poll() -> Any:
        if not origin:
            raise NotConnected("no Foundry is set", where="[foundry] origin")
        since, last = _since(), table.state.last_number
        history = next((change.id for change in table.saved_since(0, limit=1)), "")
        heard = request.args.get("history", "")
        # the first time, or another history, such as another table's: it hears what comes from now on
        if since is None or since > last or (heard and heard != history):
            since = last
        changes = table.saved_since(since, limit=_AT_ONCE)
        rolls = [
            event_json(event, table.system.sets)
            for change in changes
            for event in events_of(change, find_roll=table.find_roll)
            if event.type is not EventType.DESTINY
        ]
        answer = {"rolls": rolls, "next": changes[-1].number if changes else since}
        if "history" in request.args:
            answer["history"] = history
        made_of = jsonify(answer)
        made_of.headers["Access-Control-Allow-Origin"] = origin
        made_of.headers["Vary"] = "Origin"
        return made_of

    return made


def manifest_json(address: str) -> dict[str, Any]:
    """Return what Foundry installs the module by.

    :param address: of this table, as whoever asks for the manifest reaches it.
    """
    return {
        "id": "tableside",
        "title": "tableside",
        "description": "Real dice from the tray answer Foundry's rolls and come to its chat.",
        "version": __version__,
        "authors": [{"name": "tableside"}],
        "url": address,
        "license": "MIT",
        "compatibility": {"minimum": "12", "verified": "14"},
        "esmodules": ["tableside.js"],
        "languages": [{"lang": code, "name": name, "path": f"lang/{code}.json"} for code, name in _LANGUAGES.items()],
        "socket": True,
        "manifest": f"{address}/foundry/module.json",
        "download": f"{address}/foundry/module.zip",
    }


def packed_module(address: str) -> bytes:
    """Return the module as a zip file, which knows this table's address."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("module.json", json.dumps(manifest_json(address), indent=2))
        packed.writestr("table.js", f"export default {json.dumps(address)};\n")
        for path in (file for file in sorted(_MODULE.rglob("*")) if file.is_file()):
            packed.write(path, path.relative_to(_MODULE).as_posix())
    return kept.getvalue()


def event_json(event: Event, sets: Sequence[DiceSet]) -> dict[str, Any]:
    """Return an event in the form that table cameras for Foundry use."""
    payload: dict[str, Any] = {"type": event.type.value, "id": event.id, "timestamp": round(event.at * 1000)}
    if event.roll is not None:
        payload["roll"] = _roll_json(event.roll, sets)
        if event.type is EventType.AMENDMENT:
            payload["amendment"] = {"roll_id": event.roll_id, "corrected": payload["roll"]}
    else:
        payload["roll"] = {"roll_id": event.roll_id}
    return payload


def _roll_json(roll: Roll, sets: Sequence[DiceSet]) -> dict[str, Any]:
    net = dict(roll.net)
    dice = [_die_json(die.die, sets) for die in roll.dice]
    counts = Counter(die["denomination"] for die in dice)
    return {
        "roll_id": roll.id,
        "formula": " + ".join(f"{count}d{letter}" for letter, count in counts.items()),
        "total": net.get("total"),
        "dice": dice,
        "ffg": {name: net.get(name, 0) for name in _SYMBOLS},
        "headline": roll.headline or roll.word,
        "sentence": roll.sentence,
        "purpose": str(roll.ask.get("purpose", "")),
        "by": roll.by,
        "label": roll.label,
        "sure": roll.sure,
        "version": roll.version,
    }


def _die_json(die: Die, sets: Sequence[DiceSet]) -> dict[str, Any]:
    """Return a die with the number of its face, from 1; of several faces that look the same, the first.

    A taught die has the number that Foundry gives to the die it stands for.
    """
    known = next((kind for dice_set in sets for kind in dice_set.types if kind.name == die.type), None)
    solid = known.solid if known else ""
    stands_for = counted(die, sets)
    counts_tens = known is not None and all(
        len("".join(face)) == 2 and "".join(face).isdecimal() for face in known.faces
    )
    letter = _DENOMINATIONS.get(stands_for.type) or (_TENS if counts_tens else solid.removeprefix("d"))
    return {
        "shape": solid,
        "denomination": letter,
        "value": _number(stands_for, known.faces if known else ()),
        "type": die.type,
        "face": list(die.face),
    }


def _number(die: Die, faces: Sequence[Face]) -> int | None:
    """Return the number of a face: the printed one, or that of Foundry's die, or its place among these faces."""
    if len(die.face) == 1 and die.face[0].isdecimal():
        return int(die.face[0])
    wanted: Sequence[str] = die.face
    known: Sequence[Sequence[str]] = faces
    if die.type in _FACES:
        wanted, known = [_LETTERS.get(symbol, "?") for symbol in die.face], _FACES[die.type]
    return next((place for place, one in enumerate(known, start=1) if sorted(one) == sorted(wanted)), None)


def _since() -> int | None:
    text = request.args.get("since", "")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 15):
        raise BadChange("since is no number", where=request.path, hint="Send `next` of the last answer, or nothing.")
    return int(text)
