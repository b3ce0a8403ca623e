"""The API's description for programs, OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from tableside import __version__
from tableside.adapters.web.openapi_dice import dice_paths
from tableside.dice import MOST_LETTERS, MOST_SYMBOLS

_Schema = dict[str, Any]
_ID: _Schema = {"type": "string", "format": "uuid", "description": "The same id counts once. Left out, one is made."}
_TEXT: _Schema = {"type": "string", "maxLength": 200, "description": "One line."}
_SIDE: _Schema = {"type": "string", "enum": ["light", "dark"]}
_FACE: _Schema = {
    "type": "array",
    "items": {"type": "string", "maxLength": MOST_LETTERS},
    "maxItems": MOST_SYMBOLS,
}
_DIE: _Schema = {
    "type": "object",
    "required": ["type", "face"],
    "properties": {"type": {"type": "string"}, "face": _FACE},
    "additionalProperties": False,
}
_DICE: _Schema = {"type": "array", "items": _DIE, "minItems": 1, "maxItems": 60}
_COUNT: _Schema = {"type": "integer"}
_FLAG: _Schema = {"type": "boolean"}
_OBJECT: _Schema = {"type": "object"}
_VERSION = _COUNT | {"description": "The version of the roll that was seen; another one is refused with 409."}
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
_STATE: _Schema = {
    "type": "object",
    "required": ["revision", "phase", "destiny", "roll", "history", "trouble"],
    "properties": {"revision": _COUNT, "history": {"type": "array"}, "trouble": {"type": "array"}},
}
_ERRORS = {
    "400": "the body is wrong", "403": "this caller may not", "404": "there is no such thing", "405": "no such act",
    "409": "what others did stands in the way", "413": "too large", "415": "no JSON", "429": "too many guesses",
    "503": "not now",
}  # fmt: skip
_BY = {"by": _TEXT | {"description": "Who did it; a paired device signs with its own name."}}
_NAMES: _Schema = {"type": "object", "properties": dict.fromkeys(("pool", "light", "dark"), _TEXT)}


def openapi_document() -> dict[str, Any]:
    """Return the whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tableside",
            "version": __version__,
            "description": "Anyone on the network may look; the table's own screen and paired devices may change.",
        },
        "paths": {**_told(), **_rolls(), **_play(), **_setup(), **_access(), **dice_paths(_read, _write)},
        "components": {"schemas": {"Error": _ERROR, "State": _STATE}},
    }


def _told() -> dict[str, Any]:
    session = _query("session", {"type": "string", "enum": ["now"]}, "Only this session's throws.")
    page = [_query("before", _COUNT | {"minimum": 1}, "A number; the changes before it are told."),
            _query("limit", _COUNT | {"minimum": 1, "maximum": 200}, "How many at most.")]  # fmt: skip
    odds = {"game": _TEXT, "answers": _OBJECT}
    since = _query("since", _COUNT | {"minimum": 0}, "`next` of the last answer.")
    return {
        "/api/state": {"get": _read("The state of the table", schema=_STATE)},
        "/api/events": {"get": _read("States and panel changes as server-sent events", "text/event-stream")},
        "/api/foundry/poll": {"get": _read("Rolls and corrections for a Foundry world", "application/json", since)},
        "/api/hall": {"get": _read("All tables of the MQTT broker")},
        "/api/hall/events": {"get": _read("The same as server-sent events", "text/event-stream")},
        "/api/sets": {"get": _read("The dice sets with their types and faces")},
        "/api/games": {"get": _read("The games with the forms and trackers that they declare")},
        "/api/odds": {
            "get": _read("Exact odds of what is asked, or null for those that they are not shown to"),
            "post": _write("Exact odds of any ask", odds, []),
        },
        "/api/history": {"get": _read("Changes, newest first", "application/json", *page)},
        "/api/fairness": {"get": _read("Counts and chi-square of each die type", "application/json", session)},
        "/api/luck": {"get": _read("Luck of each player in standard errors", "application/json", session)},
        "/api/panel": {"get": _read("The drawn lamp panel")},
        "/health": {"get": _read("200 while all works, else 503 with the reasons")},
    }


def _rolls() -> dict[str, Any]:
    roll_id, index = _path("id", {"type": "string"}), _path("index", _COUNT | {"minimum": 0, "maximum": 99})
    entered = {
        "id": _ID, "dice": _DICE, "game": _TEXT, "label": _TEXT, "ask": _OBJECT, "hidden": _FLAG,
        "uses_ask": _FLAG | {"description": "It is the roll that the table asks for."}, **_BY,
    }  # fmt: skip
    adjusted = {
        "id": _ID, "ask": _OBJECT, "player": _TEXT, "label": _TEXT, "hidden": _FLAG, "version": _VERSION, **_BY,
    }  # fmt: skip
    thrown = {"id": _ID, "dice": _DICE, "version": _VERSION, **_BY}
    nothing = _FLAG | {"description": "There is no die, in place of type and face."}
    told = {"id": _ID, "type": {"type": "string"}, "face": _FACE, "nothing": nothing, "version": _VERSION, **_BY}
    undo = {"id": _ID, "change": _COUNT, **_BY}
    return {
        "/api/rolls": {"post": _write("Enter a roll by hand", entered, ["dice"], status="201")},
        "/api/rolls/{id}": {
            "get": _read("A roll of any age", "application/json", roll_id),
            "post": _write("Change what a roll was for; it is scored anew", adjusted, [], roll_id),
        },
        "/api/rolls/{id}/throws": {"post": _write("Enter the throw that a roll waits for", thrown, ["dice"], roll_id)},
        "/api/rolls/{id}/dice/{index}": {
            "post": _write("Correct a die; the first reading is kept", told, [], roll_id, index)
        },
        "/api/rolls/{id}/suspects/{index}": {"post": _write("Say what could not be read", told, [], roll_id, index)},
        "/api/rolls/{id}/spends": {
            "get": _read("What may be bought, and how it came about", "application/json", roll_id)
        },
        "/api/rolls/{id}/picture": {"get": _read("The picture of a roll", "image/jpeg", roll_id)},
        "/api/rolls/{id}/replay": {
            "get": _read("The moments before it lay still, on one sheet; see replay of the roll", "image/jpeg", roll_id)
        },
        "/api/undo": {"post": _write("Take back a change, the newest by default", undo, [])},
        "/api/redo": {"post": _write("Take back the newest undo", undo, [])},
    }


def _play() -> dict[str, Any]:
    destiny = {
        "id": _ID, "do": {"type": "string", "enum": ["spend", "add", "remove", "set"]}, "side": _SIDE,
        "count": _COUNT | {"default": 1}, "light": _COUNT, "dark": _COUNT,
        "from_roll": _TEXT | {"description": "With set: the points are those of this throw for the pool."}, **_BY,
    }  # fmt: skip
    ask = {
        "id": _ID, "game": _TEXT, "answers": _OBJECT, "player": _TEXT, "label": _TEXT, "hidden": _FLAG,
        "odds_for": {"type": "string", "enum": ["all", "gm", "nobody"]}, **_BY,
    }  # fmt: skip
    initiative = {
        "id": _ID, "do": {"type": "string", "enum": ["add", "remove", "claim", "next", "clear", "first"]},
        "slot": _TEXT, "side": {"type": "string", "enum": ["player", "npc"]}, "roll": _TEXT, "who": _TEXT,
        "rank": {"type": "array", "items": _COUNT, "maxItems": 4}, **_BY,
    }  # fmt: skip
    tracker = {"id": _ID, "name": _TEXT, "owner": _TEXT, "count": _COUNT, "value": _COUNT, **_BY}
    game = {"id": _ID, "game": _TEXT, "settings": _OBJECT, "names": _NAMES, **_BY}
    player = {"id": _ID, "player": _TEXT, "name": _TEXT, **_BY}
    name = _path("name", {"type": "string"})
    pressed = {"pressed": _FLAG}
    demo = {"type": "string", "enum": ["next", "hold"]}
    return {
        "/api/destiny": {"post": _write("Change the pool of light and dark points", destiny, ["do"])},
        "/api/session": {"post": _write("Begin a session", {"id": _ID, "title": _TEXT, **_BY}, [])},
        "/api/players": {"post": _write("Add, rename or, with no name, remove a player", player, ["name"])},
        "/api/ask": {"post": _write("Say what the next roll is for; an empty body ends it", ask, [])},
        "/api/game": {"post": _write("Choose the game, its settings or its pool's names", game, [])},
        "/api/trackers": {"post": _write("Change a tracker of the game", tracker, ["name"])},
        "/api/initiative": {"post": _write("Change the order of initiative", initiative, ["do"])},
        "/api/demo": {"post": _write("Throw the demo's next roll, or throw none by itself", {"do": demo}, ["do"])},
        "/api/read": {"post": _write("Read the tray once more", {}, [], status="202")},
        "/api/lamps/test": {"post": _write("Begin or end the lamp test", {"on": _FLAG}, [])},
        "/api/panel/buttons/{name}": {"post": _write("Press or release a drawn button", pressed, ["pressed"], name)},
    }


def _setup() -> dict[str, Any]:
    point = {"type": "array", "items": {"type": "number", "minimum": 0, "maximum": 1}, "minItems": 2, "maxItems": 2}
    corners = {
        "type": ["array", "null"], "items": point, "minItems": 4, "maxItems": 24,
        "description": "Round a convex tray, in shares of the picture, clockwise from the top left; null has it found.",
    }  # fmt: skip
    return {
        "/api/setup": {
            "get": _read("Meters of the camera's newest picture, the tray found in it, and what was settled before"),
            "post": _write("Take the empty tray's picture, lock the camera and keep that", {"corners": corners}, []),
        },
        "/api/setup/picture": {"get": _read("The camera's newest picture", "image/jpeg")},
        "/api/setup/adjust": {"post": _write("Let the camera find focus, light and colour by itself again", {}, [])},
    }


def _access() -> dict[str, Any]:
    role = {"role": {"type": "string", "enum": ["player", "gm"]}}
    device = _path("device_id", {"type": "string"})
    return {
        "/api/me": {"get": _read("What this caller may do")},
        "/api/pairing": {
            "get": _read("The PIN that is valid now, for the table's own screen"),
            "post": _write("Show a new PIN", role, []),
            "delete": _read("Take the PIN back"),
        },
        "/api/pair": {"post": _write("Pair this device by the PIN", {"pin": _TEXT, "name": _TEXT}, ["pin"])},
        "/api/unpair": {"post": _write("Forget this device", {}, [])},
        "/api/devices": {"get": _read("The paired devices, for the game master")},
        "/api/devices/{device_id}/forget": {"post": _write("Forget a device, or all", {}, [], device)},
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
    content = {kind: {"schema": schema} if schema else {}}
    return {"summary": summary, "parameters": list(parameters), "responses": _answers("200", "good", content)}


def _write(
    summary: str, keys: dict[str, Any], needed: list[str], *parameters: dict[str, Any], status: str = "200"
) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": keys, "additionalProperties": False}
    if needed:
        schema["required"] = needed
    return {
        "summary": summary,
        "parameters": list(parameters),
        "requestBody": {"required": bool(needed), "content": {"application/json": {"schema": schema}}},
        "responses": _answers(status, "done and on disk", {"application/json": {}}),
    }
