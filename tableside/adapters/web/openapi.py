"""The API's description for programs, OpenAPI 3.1.

What a message or a body looks like is told by its class; here stand the addresses and what they answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from tableside import __version__
from tableside.adapters.web import answers, dice_setup
from tableside.adapters.web.access import Me, MeBody, Mine, OfferBody, PairBody, Paired, PairingOffer, Unpaired
from tableside.adapters.web.body import Health, PressBody, SeenBody, SeenTrouble, fields_of
from tableside.adapters.web.camera import FRAMES, CameraChoice, CameraNow, ChooseBody, PhoneBody
from tableside.adapters.web.demo import Demo, DemoBody, Played
from tableside.adapters.web.games import ShownGame
from tableside.adapters.web.pages import ShownSet
from tableside.adapters.web.pairing import Phone
from tableside.adapters.web.photographs import LOOKS, PHOTOGRAPHS
from tableside.adapters.web.setup import SetupBody
from tableside.adapters.web.views import DraftOdds, GameSheet, Odds, OddsBody
from tableside.record import describe, schemas_of, words_of
from tableside.table.kept import OwnTable, Roll
from tableside.table.messages import TAKEN
from tableside.table.shown import Fairness, Luck, Offer, State
from tableside.typed import look_at

_Schema = dict[str, Any]
_COUNT: _Schema = {"type": "integer"}
_NAME: _Schema = {"type": "string"}
_REF = "#/components/schemas/{name}"
_ERROR: _Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["what", "where", "hint"],
            "properties": {name: {"type": "string"} for name in ("what", "where", "hint")},
        }
    },
}


_PICTURE: _Schema = {
    "required": True,
    "content": {
        kind: {"schema": {"type": "string", "format": "binary"}} for kind in ("image/jpeg", "image/png", "image/webp")
    },
}
_ERRORS = {
    "400": "the body is wrong",
    "403": "this caller may not",
    "404": "there is no such thing",
    "405": "no such act",
    "409": "what others did stands in the way",
    "413": "too large",
    "415": "no JSON",
    "429": "too many guesses",
    "503": "not now",
}


def _query(name: str, schema: _Schema, text: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, "description": text}


_JPEG, _STREAM = "image/jpeg", "text/event-stream"
_DRAFT = "/api/dice/draft"
_READS: Mapping[str, str] = {
    "/api/state": "The state of the table",
    "/api/events": "States and panel changes as server-sent events",
    "/api/foundry/poll": "Rolls and corrections for a Foundry world",
    "/foundry/module.json": "The manifest by which Foundry installs the table's module",
    "/foundry/module.zip": "The module for Foundry",
    "/api/hall": "All tables of the MQTT broker",
    "/api/hall/events": "The same as server-sent events",
    "/api/sets": "The dice sets with their types and faces",
    "/api/games": "The games with the forms and trackers that they declare",
    "/api/lookup": "Reference data of the games, a table each",
    "/api/odds": "Exact odds of what is asked, or null for those that they are not shown to",
    "/api/people": "Everybody of the scene, with what is carried to their next call",
    "/api/tables": "The group's own tables with their rows",
    "/api/history": "Changes, newest first",
    "/api/undo": "What goes with a change that is taken back",
    "/api/fairness": "Counts and chi-square of each die type",
    "/api/luck": "Luck of each player in standard errors",
    "/api/panel": "The drawn lamp panel",
    "/health": "200 while all works, else 503 with the reasons",
    "/api/rolls/{id}": "A roll of any age",
    "/api/rolls/{id}/spends": "What it may buy, what was bought and what is still affordable",
    "/api/rolls/{id}/picture": "The picture of a roll",
    "/api/tray/picture": "The tray as it is now; 204 where there is nothing to show",
    "/api/rolls/{id}/replay": "The moments before it lay still, on one sheet; see replay of the roll",
    "/api/demo": "Whether a demo plays by itself",
    "/api/setup": "Meters of the camera's newest picture, the tray found in it, and what was settled before",
    "/api/setup/picture": "The camera's newest picture",
    "/api/camera": "The kind of the tray's camera, the phone that is it, and where phones find HTTPS",
    "/api/cameras": "Every camera that could be chosen, and which is looked through",
    "/api/cameras/picture": "A picture of a USB camera",
    "/api/me": "What this caller may do",
    "/api/pairing": "The PIN that is valid now, for the table's own screen",
    "/api/devices": "The paired devices, for the game master",
    "/api/dice": "Taught sets, and the draft that is being taught",
    f"{_DRAFT}/dice/{{die}}": "The picture of a die of the draft",
    "/api/dice/sets/{name}/samples/{sample}": "The picture of a sample",
}
"""Addresses that are read."""
_MEDIA: Mapping[str, str] = {
    "/foundry/module.zip": "application/zip",
    "/api/history": "application/json text/csv",
    "/api/rolls/{id}/replay": _JPEG,
    f"{_DRAFT}/dice/{{die}}": _JPEG,
    "/api/dice/sets/{name}/samples/{sample}": _JPEG,
}
"""What these answer, separated by spaces; pictures and events are told by the ends of their addresses."""
_WRITES: Mapping[str, type[msgspec.Struct] | str] = {
    "/api/odds": OddsBody,
    "/api/demo": DemoBody,
    "/api/read": "Read the tray once more",
    "/api/panel/buttons/{name}": PressBody,
    "/api/setup": SetupBody,
    "/api/setup/adjust": "Let the camera find focus, light and colour by itself again",
    "/api/camera": PhoneBody,
    "/api/camera/secure": "Serve HTTPS, so that a phone can be the camera",
    "/api/cameras": ChooseBody,
    "/api/me": MeBody,
    "/api/pairing": OfferBody,
    "/api/pairing/open": "Let phones in: listen to the network from now on",
    "/api/pair": PairBody,
    "/api/troubles/seen": SeenBody,
    "/api/unpair": "Forget this device",
    "/api/devices/{device_id}/forget": "Forget a device, or all",
    _DRAFT: dice_setup.DraftBody,
    f"{_DRAFT}/pictures": dice_setup.PictureBody,
    f"{_DRAFT}/names": dice_setup.NamesBody,
    f"{_DRAFT}/drop": dice_setup.DropBody,
    f"{_DRAFT}/undo": "Take the last step back",
    f"{_DRAFT}/save": "Save the draft; it is read from now on",
    "/api/dice/sets/{name}": dice_setup.SetBody,
    "/api/dice/sets/{name}/samples/{sample}": dice_setup.SampleBody,
}
"""Addresses that take a body, or an empty one for what is said here."""
_BODIES: tuple[Any, ...] = (*TAKEN, *(kind for kind in _WRITES.values() if not isinstance(kind, str)))
_SESSION = _query("session", {"type": "string", "enum": ["now"]}, "Only this session's throws.")
_QUERIES: Mapping[str, Sequence[_Schema]] = {
    "/api/events": [_query("parts", {"type": "boolean"}, "After the first state, only what differs: events `part`.")],
    "/api/foundry/poll": [_query("since", _COUNT | {"minimum": 0}, "`next` of the last answer.")],
    "/api/lookup": [
        _query("words", _NAME, "Only rows that have all these words, or whose table has them in its title.")
    ],
    "/api/history": [
        _query("before", _COUNT | {"minimum": 1}, "A number; the changes before it are told."),
        _query("format", {"type": "string", "enum": ["csv"]}, "All changes as CSV, oldest first."),
        _query("limit", _COUNT | {"minimum": 1, "maximum": 200}, "How many at most."),
    ],
    "/api/undo": [_query("change", _COUNT | {"minimum": 1}, "The number of the change.")],
    "/api/fairness": [_SESSION],
    "/api/luck": [_SESSION],
    "/api/pairing": [
        _query("role", {"type": "string", "enum": ["player", "gm", "any"]}, "What it is for."),
        _query("keep", _NAME, "Not empty: somebody shows it, and it lasts anew."),
    ],
    "/api/cameras/picture": [_query("path", _NAME, "Its path.")],
}
_TOLD: Mapping[str, Any] = {
    "/api/state": State,
    "/api/foundry/poll": answers.FoundryPoll,
    "/foundry/module.json": dict[str, Any],
    "/api/hall": answers.Hall,
    "/api/sets": list[ShownSet],
    "/api/games": list[ShownGame],
    "/api/lookup": list[GameSheet],
    "/api/odds": Odds | None,
    "/api/people": list[answers.PersonTold],
    "/api/tables": list[OwnTable],
    "/api/history": answers.History,
    "/api/undo": answers.Undoing,
    "/api/fairness": list[Fairness],
    "/api/luck": list[Luck],
    "/api/panel": answers.Panel,
    "/health": Health,
    "/api/rolls/{id}": answers.RollTold,
    "/api/rolls/{id}/spends": list[Offer],
    "/api/demo": Demo,
    "/api/setup": answers.SetUp,
    "/api/camera": CameraNow,
    "/api/cameras": list[CameraChoice],
    "/api/me": Me,
    "/api/pairing": PairingOffer,
    "/api/devices": list[Phone],
    "/api/dice": answers.Teaching,
}
"""What the addresses answer that are read, but for pictures and events."""
_ROLL = (Roll, answers.HiddenRoll)  # no more than that there is one, for those that it is hidden from
_DONE: Mapping[str, Any] = {
    "/api/odds": DraftOdds,
    "/api/demo": Played,
    "/api/panel/buttons/{name}": answers.Panel,
    "/api/setup": answers.SetUp,
    "/api/setup/adjust": answers.SetUp,
    "/api/camera": CameraNow,
    "/api/camera/secure": CameraNow,
    "/api/cameras": list[CameraChoice],
    "/api/me": Mine,
    "/api/pairing": PairingOffer,
    "/api/pairing/open": PairingOffer,
    "/api/pair": Paired,
    "/api/troubles/seen": SeenTrouble,
    "/api/unpair": Unpaired,
    "/api/devices/{device_id}/forget": list[Phone],
    "/api/undo": answers.StateUndone,
    "/api/redo": answers.StateUndone,
    PHOTOGRAPHS: answers.PhotographedRoll,
    LOOKS: answers.PictureRead,
}
"""What the addresses answer that change something, but for rolls, dice that are taught and the state."""


def _done(address: str) -> Any:
    taught = answers.Teaching if address.startswith("/api/dice") else State
    return _DONE.get(address, _ROLL if address.startswith("/api/rolls") else taught)


@cache
def _answer_schemas() -> tuple[Mapping[str, _Schema], Mapping[str, _Schema]]:
    """Return what answers look like by the names of their types, and what they hold by the names of the classes."""
    kinds = {str(kind): kind for kind in (*_TOLD.values(), *_DONE.values(), *_ROLL, State)}
    schemas, held = schemas_of(kinds.values(), ref_template=_REF)
    return dict(zip(kinds, schemas, strict=True)), held


def _json_of(kind: Any) -> dict[str, Any]:
    """Return the content of an answer in JSON."""
    by_name = _answer_schemas()[0]
    any_of = {"anyOf": [by_name[str(one)] for one in kind]} if isinstance(kind, tuple) else by_name[str(kind)]
    return {"application/json": {"schema": any_of}}


def openapi_document() -> dict[str, Any]:
    """Return the whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tableside",
            "version": __version__,
            "description": "Anyone on the network may look; the table's own screen and paired devices may change.",
        },
        "paths": _paths(),
        "components": {"schemas": {"Error": _ERROR, **_answer_schemas()[1], **_schemas()}},
    }


@cache
def _schemas() -> dict[str, _Schema]:
    """Return what the bodies look like, by the names of their classes, each field with its words of the docstring."""
    for kind in _BODIES:
        look_at(kind)
    _, schemas = msgspec.json.schema_components(_BODIES, ref_template=_REF)
    for kind in _BODIES:
        schema, words = schemas[kind.__name__], words_of(kind)
        names = {field.encode_name: field.name for field in fields_of(kind)}
        filled = {*getattr(kind, "inner", ()), *re.findall(r"\{(\w+)\}", getattr(kind, "address", ""))}
        hidden = {key for key, name in names.items() if name in filled}  # by the table's own side, or the address
        schema["properties"] = {
            key: shown | ({"description": words[names[key]]} if names[key] in words else {})
            for key, shown in schema["properties"].items()
            if key not in hidden
        }
        if "id" in schema["properties"]:
            schema["properties"]["id"]["format"] = "uuid"
        schema["required"] = [key for key in schema["required"] if key not in hidden | {"id"}]
        schema["description"], schema["additionalProperties"] = words[""], False
    for name in schemas.keys() - {kind.__name__ for kind in _BODIES}:  # what bodies hold
        describe(schemas[name])
    return schemas


def _paths() -> dict[str, Any]:
    found: dict[str, Any] = {
        PHOTOGRAPHS: {"post": _photograph()},
        LOOKS: {"post": _look()},
        FRAMES: {"post": _frame()},
        "/api/pairing": {"delete": _read("/api/pairing", "Take the PIN back")},
    }
    for address, summary in _READS.items():
        found.setdefault(address, {})["get"] = _read(address, summary)
    for address, kind in _WRITES.items():
        found.setdefault(address, {})["post"] = _write(address, kind, "202" if address == "/api/read" else "200")
    for message in TAKEN:
        address = message.address.replace("{roll_id}", "{id}")
        act = _write(address, message, "201" if address == "/api/rolls" else "200")
        found.setdefault(address, {})["post"] = act
    return {
        address: {way: _operation(address, way) | told for way, told in ways.items()} for address, ways in found.items()
    }


def _operation(address: str, way: str) -> dict[str, Any]:
    """Return the name of an operation, by which programs that are made of this document call it, and its part."""
    parts = re.findall(r"\w+", address.removeprefix("/api"))
    return {"operationId": "_".join((way, *parts)), "tags": parts[:1]}


def _photograph() -> dict[str, Any]:
    names = {
        "id": (_NAME, "The roll's id; the same counts once."),
        "who": (_NAME, "The id of the person who threw."),
        "for": ({"enum": ["call", "loose"]}, "Whether it may answer the open call of that person."),
        "doubts": ({"enum": ["count", "ask", "show"]}, "Whether it counts; with ask where no die is in doubt."),
        "said": (_NAME, "What the sender says of the finds, as JSON: a list of list, index and die."),
    }
    return {
        "summary": "A throw by photograph",
        "parameters": [_query(name, schema, words) for name, (schema, words) in names.items()],
        "requestBody": _PICTURE,
        "responses": _answers("200", "the roll, on disk", _json_of(_done(PHOTOGRAPHS))),
    }


def _look() -> dict[str, Any]:
    what = "what it shows; 204 where another is being looked at"
    return {
        "summary": "What a picture shows, which counts for nothing",
        "requestBody": _PICTURE,
        "responses": _answers("200", what, _json_of(_done(LOOKS))),
    }


def _frame() -> dict[str, Any]:
    taken = {"description": "Taken. The header Tableside-Asks names who wants to be the camera."}
    return {
        "summary": "A picture of the phone that is the camera; 409 where another is",
        "requestBody": {"required": True, "content": {_JPEG: _PICTURE["content"][_JPEG]}},
        "responses": _answers("204", "taken", {}) | {"204": taken},
    }


def _parameters(address: str) -> list[_Schema]:
    """Return the places of an address, which are names but for numbers of dice and of effects."""
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": _COUNT | {"minimum": 0, "maximum": 99} if name in ("index", "effect") else _NAME,
        }
        for name in re.findall(r"\{(\w+)\}", address)
    ]


def _answers(status: str, text: str, content: dict[str, Any]) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    failed = {code: {"description": words, "content": error} for code, words in _ERRORS.items()}
    return {**failed, status: {"description": text, "content": content}}


def _read(address: str, summary: str) -> dict[str, Any]:
    """Return an address that is read."""
    usual = _STREAM if address.endswith("/events") else _JPEG if address.endswith("/picture") else "application/json"
    content: dict[str, Any] = {one: {} for one in _MEDIA.get(address, usual).split()}
    if address in _TOLD:
        content |= _json_of(_TOLD[address])
    parameters = [*_parameters(address), *_QUERIES.get(address, ())]
    return {"summary": summary, "parameters": parameters, "responses": _answers("200", "good", content)}


def _write(address: str, kind: type[msgspec.Struct] | str, status: str) -> dict[str, Any]:
    """Return an address that takes this body, or an empty one for what it says."""
    if isinstance(kind, str):
        summary, body, needed = kind, {"type": "object", "properties": {}, "additionalProperties": False}, False
    else:
        summary, body = words_of(kind)[""], {"$ref": _REF.format(name=kind.__name__)}
        needed = bool(_schemas()[kind.__name__]["required"])
    return {
        "summary": summary,
        "parameters": _parameters(address),
        "requestBody": {"required": needed, "content": {"application/json": {"schema": body}}},
        "responses": _answers(status, "done and on disk", _json_of(_done(address))),
    }
