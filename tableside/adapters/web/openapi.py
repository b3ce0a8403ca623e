"""The API's description for programs, OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from tableside import __version__

_ID = {"type": "string", "format": "uuid", "description": "The same id counts once. Left out, one is made."}
_TEXT = {"type": "string", "maxLength": 200}
_SIDE = {"type": "string", "enum": ["light", "dark"]}
_FACE = {"type": "array", "items": {"type": "string"}}
_DIE = {"type": "object", "required": ["type", "face"], "properties": {"type": {"type": "string"}, "face": _FACE}}
_COUNT = {"type": "integer"}


def openapi_document() -> dict[str, Any]:
    """Return the whole document."""
    destiny = {
        "id": _ID,
        "do": {"type": "string", "enum": ["spend", "add", "remove", "set"]},
        "side": _SIDE,
        "count": _COUNT | {"default": 1},
        "light": _COUNT,
        "dark": _COUNT,
        "by": _TEXT,
    }
    roll = {
        "id": _ID,
        "dice": {"type": "array", "items": _DIE, "minItems": 1},
        "game": _TEXT,
        "label": _TEXT,
        "ask": {"type": "object"},
        "by": _TEXT,
    }
    correction = {"id": _ID, "type": {"type": "string"}, "face": _FACE, "version": _COUNT, "by": _TEXT}
    undo = {"id": _ID, "change": _COUNT, "by": _TEXT}
    roll_id, index, name = _path("id", "string"), _path("index", "integer"), _path("name", "string")
    return {
        "openapi": "3.1.0",
        "info": {"title": "tableside", "version": __version__},
        "paths": {
            "/api/state": {"get": _read("The state of the table")},
            "/api/events": {"get": _read("States and panel changes as server-sent events", "text/event-stream")},
            "/api/sets": {"get": _read("The dice sets with their types and faces")},
            "/api/panel": {"get": _read("The drawn lamp panel")},
            "/api/panel/buttons/{name}": {
                "post": _write("Press or release a drawn button", {"pressed": {"type": "boolean"}}, ["pressed"], name)
            },
            "/api/destiny": {"post": _write("Change the pool of light and dark points", destiny, ["do"])},
            "/api/rolls": {"post": _write("Enter a roll by hand", roll, ["dice"], status="201")},
            "/api/rolls/{id}/dice/{index}": {
                "post": _write("Correct a die; the first reading is kept", correction, ["type", "face"], roll_id, index)
            },
            "/api/rolls/{id}/picture": {"get": _read("The picture of a roll", "image/jpeg", roll_id)},
            "/api/undo": {"post": _write("Take back a change, the newest by default", undo, [])},
            "/health": {"get": _read("200 while all works, else 503 with the reasons")},
        },
    }


def _path(name: str, kind: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": kind}}


def _read(summary: str, kind: str = "application/json", *parameters: dict[str, Any]) -> dict[str, Any]:
    answers = {"200": {"description": "good", "content": {kind: {}}}, "default": {"description": "an error"}}
    return {"summary": summary, "parameters": list(parameters), "responses": answers}


def _write(
    summary: str, keys: dict[str, Any], needed: list[str], *parameters: dict[str, Any], status: str = "200"
) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": keys, "additionalProperties": False}
    if needed:
        schema["required"] = needed
    answers = {status: {"description": "done and on disk"}, "default": {"description": "an error in three parts"}}
    return {
        "summary": summary,
        "parameters": list(parameters),
        "requestBody": {"required": bool(needed), "content": {"application/json": {"schema": schema}}},
        "responses": answers,
    }
