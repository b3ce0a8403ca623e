"""The API's description for programs, OpenAPI 3.1.

What a message or a body looks like is told by its class; here stand the addresses and what they answer.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from tableside import __version__
from tableside.adapters.web import dice_setup
from tableside.adapters.web.access import MeBody, OfferBody, PairBody
from tableside.adapters.web.body import NoBody, PressBody, SeenBody, fields_of
from tableside.adapters.web.camera import FRAMES, ChooseBody, PhoneBody
from tableside.adapters.web.demo import DemoBody
from tableside.adapters.web.photographs import LOOKS, PHOTOGRAPHS
from tableside.adapters.web.setup import SetupBody
from tableside.adapters.web.views import OddsBody
from tableside.record import Record, schemas_of, words_of
from tableside.rules.reference import Sheet
from tableside.table.kept import Initiative, Roll
from tableside.table.messages import TAKEN
from tableside.table.shown import State
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


def _shown(kind: type[Record]) -> _Schema:
    return {"$ref": _REF.format(name=kind.__name__)}


_SHOWN = (State, Initiative, Sheet)
_SOME_ROLL: _Schema = {"anyOf": [_shown(Roll), {"type": "object", "required": ["id", "hidden"], "maxProperties": 2}]}
"""A roll, or no more than that there is one, for those that it is hidden from."""
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

_BODIES: tuple[Any, ...] = (
    *TAKEN,
    OddsBody,
    OfferBody,
    MeBody,
    PairBody,
    PressBody,
    SeenBody,
    DemoBody,
    SetupBody,
    dice_setup.DraftBody,
    PhoneBody,
    ChooseBody,
    dice_setup.PictureBody,
    dice_setup.NamesBody,
    dice_setup.DropBody,
    dice_setup.SetBody,
    dice_setup.SampleBody,
)


def openapi_document() -> dict[str, Any]:
    """Return the whole document."""
    paths: dict[str, Any] = {}
    for part in (_views(), _changes(), _rolls(), _play(), _setup(), _cameras(), _access(), _dice()):
        for address, acts in part.items():
            paths.setdefault(address, {}).update(acts)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tableside",
            "version": __version__,
            "description": "Anyone on the network may look; the table's own screen and paired devices may change.",
        },
        "paths": paths,
        "components": {"schemas": {"Error": _ERROR, **schemas_of(_SHOWN, ref_template=_REF), **_schemas()}},
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
        hidden = {key for key, name in names.items() if name in _left_out(kind)}
        schema["properties"] = {
            key: shown | ({"description": words[names[key]]} if names[key] in words else {})
            for key, shown in schema["properties"].items()
            if key not in hidden
        }
        if "id" in schema["properties"]:
            schema["properties"]["id"]["format"] = "uuid"
        schema["required"] = [key for key in schema["required"] if key not in hidden | {"id"}]
        schema["description"], schema["additionalProperties"] = words[""], False
    return schemas


def _left_out(kind: type[Any]) -> set[str]:
    """Return the fields that no body holds: those that the table's own side or the address fills."""
    return {*getattr(kind, "inner", ()), *re.findall(r"\{(\w+)\}", getattr(kind, "address", ""))}


def _views() -> dict[str, Any]:
    session = _query("session", {"type": "string", "enum": ["now"]}, "Only this session's throws.")
    page = [
        _query("before", _COUNT | {"minimum": 1}, "A number; the changes before it are told."),
        _query("format", {"type": "string", "enum": ["csv"]}, "All changes as CSV, oldest first."),
        _query("limit", _COUNT | {"minimum": 1, "maximum": 200}, "How many at most."),
    ]
    words = _query("words", _NAME, "Only rows that have all these words, or whose table has them in its title.")
    sheets = {"type": "array", "items": _shown(Sheet)}
    since = _query("since", _COUNT | {"minimum": 0}, "`next` of the last answer.")
    return {
        "/api/state": {"get": _read("The state of the table", schema=_shown(State))},
        "/api/events": {"get": _read("States and panel changes as server-sent events", "text/event-stream")},
        "/api/foundry/poll": {"get": _read("Rolls and corrections for a Foundry world", "application/json", since)},
        "/foundry/module.json": {"get": _read("The manifest by which Foundry installs the table's module")},
        "/foundry/module.zip": {"get": _read("The module for Foundry", "application/zip")},
        "/api/hall": {"get": _read("All tables of the MQTT broker")},
        "/api/hall/events": {"get": _read("The same as server-sent events", "text/event-stream")},
        "/api/sets": {"get": _read("The dice sets with their types and faces")},
        "/api/games": {"get": _read("The games with the forms and trackers that they declare")},
        "/api/lookup": {
            "get": _read("Reference data of the games, a table each", "application/json", words, schema=sheets)
        },
        "/api/odds": {
            "get": _read("Exact odds of what is asked, or null for those that they are not shown to"),
            "post": _write(OddsBody),
        },
        "/api/people": {"get": _read("Everybody of the scene, with what is carried to their next call")},
        "/api/tables": {"get": _read("The group's own tables with their rows")},
        "/api/history": {"get": _read("Changes, newest first", "application/json text/csv", *page)},
        "/api/fairness": {"get": _read("Counts and chi-square of each die type", "application/json", session)},
        "/api/luck": {"get": _read("Luck of each player in standard errors", "application/json", session)},
        "/api/panel": {"get": _read("The drawn lamp panel")},
        "/health": {"get": _read("200 while all works, else 503 with the reasons")},
    }


def _changes() -> dict[str, Any]:
    """Return the addresses of messages."""
    found: dict[str, Any] = {}
    for kind in TAKEN:
        parts = [
            _path("id", _NAME) if name == "roll_id" else _path(name, _COUNT | {"minimum": 0, "maximum": 99})
            for name in re.findall(r"\{(\w+)\}", kind.address)
        ]
        status = "201" if kind.address == "/api/rolls" else "200"
        answer = _SOME_ROLL if kind.address.startswith("/api/rolls") else _shown(State)
        act = _write(kind, *parts, status=status, schema=answer)
        found[kind.address.replace("{roll_id}", "{id}")] = {"post": act}
    return found


def _rolls() -> dict[str, Any]:
    roll_id = _path("id", _NAME)
    return {
        PHOTOGRAPHS: {"post": _photograph()},
        LOOKS: {"post": _look()},
        "/api/rolls/{id}": {"get": _read("A roll of any age", "application/json", roll_id, schema=_shown(Roll))},
        "/api/rolls/{id}/spends": {
            "get": _read("What it may buy, what was bought and what is still affordable", "application/json", roll_id)
        },
        "/api/rolls/{id}/picture": {"get": _read("The picture of a roll", "image/jpeg", roll_id)},
        "/api/tray/picture": {"get": _read("The tray as it is now; 204 where there is nothing to show", "image/jpeg")},
        "/api/rolls/{id}/replay": {
            "get": _read("The moments before it lay still, on one sheet; see replay of the roll", "image/jpeg", roll_id)
        },
    }


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
        "responses": _answers("200", "the roll, on disk", {"application/json": {"schema": _SOME_ROLL}}),
    }


def _look() -> dict[str, Any]:
    what = "what it shows; 204 where another is being looked at"
    return {
        "summary": "What a picture shows, which counts for nothing",
        "requestBody": _PICTURE,
        "responses": _answers("200", what, {"application/json": {"schema": {"type": "object"}}}),
    }


def _play() -> dict[str, Any]:
    return {
        "/api/demo": {"get": _read("Whether a demo plays by itself"), "post": _write(DemoBody)},
        "/api/read": {"post": _write(NoBody, summary="Read the tray once more", status="202")},
        "/api/troubles/seen": {"post": _write(SeenBody)},
        "/api/panel/buttons/{name}": {"post": _write(PressBody, _path("name", _NAME))},
    }


def _setup() -> dict[str, Any]:
    return {
        "/api/setup": {
            "get": _read("Meters of the camera's newest picture, the tray found in it, and what was settled before"),
            "post": _write(SetupBody),
        },
        "/api/setup/picture": {"get": _read("The camera's newest picture", "image/jpeg")},
        "/api/setup/adjust": {
            "post": _write(NoBody, summary="Let the camera find focus, light and colour by itself again")
        },
    }


def _cameras() -> dict[str, Any]:
    frame = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
    taken = {"description": "Taken. The header Tableside-Asks names who wants to be the camera."}
    return {
        "/api/camera": {
            "get": _read("The kind of the tray's camera, the phone that is it, and where phones find HTTPS"),
            "post": _write(PhoneBody),
        },
        "/api/camera/secure": {"post": _write(NoBody, summary="Serve HTTPS, so that a phone can be the camera")},
        FRAMES: {
            "post": {
                "summary": "A picture of the phone that is the camera; 409 where another is",
                "requestBody": {"required": True, "content": frame},
                "responses": _answers("204", "taken", {}) | {"204": taken},
            }
        },
        "/api/cameras": {
            "get": _read("Every camera that could be chosen, and which is looked through"),
            "post": _write(ChooseBody),
        },
        "/api/cameras/picture": {
            "get": _read("A picture of a USB camera", "image/jpeg", _query("path", _NAME, "Its path."))
        },
    }


def _access() -> dict[str, Any]:
    device = _path("device_id", _NAME)
    return {
        "/api/me": {"get": _read("What this caller may do"), "post": _write(MeBody)},
        "/api/pairing": {
            "get": _read(
                "The PIN that is valid now, for the table's own screen",
                "application/json",
                _query("role", {"type": "string", "enum": ["player", "gm", "any"]}, "What it is for."),
                _query("keep", _NAME, "Not empty: somebody shows it, and it lasts anew."),
            ),
            "post": _write(OfferBody),
            "delete": _read("Take the PIN back"),
        },
        "/api/pairing/open": {"post": _write(NoBody, summary="Let phones in: listen to the network from now on")},
        "/api/pair": {"post": _write(PairBody)},
        "/api/unpair": {"post": _write(NoBody, summary="Forget this device")},
        "/api/devices": {"get": _read("The paired devices, for the game master")},
        "/api/devices/{device_id}/forget": {"post": _write(NoBody, device, summary="Forget a device, or all")},
    }


def _dice() -> dict[str, Any]:
    name, sample, die = (_path(key, _NAME) for key in ("name", "sample", "die"))
    draft = "/api/dice/draft"
    return {
        "/api/dice": {"get": _read("Taught sets, and the draft that is being taught")},
        draft: {"post": _write(dice_setup.DraftBody)},
        f"{draft}/pictures": {"post": _write(dice_setup.PictureBody)},
        f"{draft}/names": {"post": _write(dice_setup.NamesBody)},
        f"{draft}/drop": {"post": _write(dice_setup.DropBody)},
        f"{draft}/undo": {"post": _write(NoBody, summary="Take the last step back")},
        f"{draft}/save": {"post": _write(NoBody, summary="Save the draft; it is read from now on")},
        f"{draft}/dice/{{die}}": {"get": _read("The picture of a die of the draft", "image/jpeg", die)},
        "/api/dice/sets/{name}": {"post": _write(dice_setup.SetBody, name)},
        "/api/dice/sets/{name}/samples/{sample}": {
            "get": _read("The picture of a sample", "image/jpeg", name, sample),
            "post": _write(dice_setup.SampleBody, name, sample),
        },
    }


def _path(name: str, schema: _Schema) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": schema}


def _query(name: str, schema: _Schema, text: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema, "description": text}


def _answers(status: str, text: str, content: dict[str, Any]) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    failed = {code: {"description": words, "content": error} for code, words in _ERRORS.items()}
    return {**failed, status: {"description": text, "content": content}}


def _read(
    summary: str, kind: str = "application/json", *parameters: dict[str, Any], schema: _Schema | None = None
) -> dict[str, Any]:
    """Return an address that is read.

    :param kind: the media types of its answers, separated by spaces.
    """
    content = {one: {"schema": schema} if schema else {} for one in kind.split()}
    return {"summary": summary, "parameters": list(parameters), "responses": _answers("200", "good", content)}


def _write(
    kind: type[msgspec.Struct],
    *parameters: dict[str, Any],
    summary: str = "",
    status: str = "200",
    schema: _Schema | None = None,
) -> dict[str, Any]:
    """Return an address that takes this body.

    :param summary: in place of what the body's class says. :param schema: of the answer.
    """
    if kind is NoBody:
        body, needed = {"type": "object", "properties": {}, "additionalProperties": False}, False
    else:
        body, needed = {"$ref": _REF.format(name=kind.__name__)}, bool(_schemas()[kind.__name__]["required"])
    return {
        "summary": summary or words_of(kind)[""],
        "parameters": list(parameters),
        "requestBody": {"required": needed, "content": {"application/json": {"schema": body}}},
        "responses": _answers(status, "done and on disk", {"application/json": {"schema": schema} if schema else {}}),
    }
