"""The part of the API's description that teaches dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_WORDS: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "maxItems": 400}
_TEXT: dict[str, Any] = {"type": "string", "maxLength": 200}
_BASE = "/api/dice"


def dice_paths(read: Callable[..., dict[str, Any]], write: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Return the addresses; ``read`` and ``write`` describe one of each kind."""
    name, sample, die = (
        {"name": key, "in": "path", "required": True, "schema": {"type": "string"}} for key in ("name", "sample", "die")
    )
    begin = {"set": _TEXT, "type": _TEXT, "solid": _TEXT, "plays_as": _TEXT}
    picture = {"picture": {"type": "string", "description": "A photograph in base64; left out, the tray is looked at."}}
    return {
        _BASE: {"get": read("Taught sets, and the draft that is being taught")},
        f"{_BASE}/draft": {"post": write("Begin to teach a type of dice", begin, ["set", "type", "solid"])},
        f"{_BASE}/draft/pictures": {"post": write("Add the dice of a picture to the draft", picture, [])},
        f"{_BASE}/draft/names": {
            "post": write("Say what dice show", {"dice": _WORDS, "face": _WORDS}, ["dice", "face"])
        },
        f"{_BASE}/draft/drop": {"post": write("Leave dice out", {"dice": _WORDS}, ["dice"])},
        f"{_BASE}/draft/undo": {"post": write("Take the last step back", {}, [])},
        f"{_BASE}/draft/save": {"post": write("Save the draft; it is read from now on", {}, [])},
        f"{_BASE}/draft/dice/{{die}}": {"get": read("The picture of a die of the draft", "image/jpeg", die)},
        f"{_BASE}/sets/{{name}}": {
            "post": write(
                "Remove a taught set, or take its last change back", {"do": _do("remove", "undo")}, ["do"], name
            )
        },
        f"{_BASE}/sets/{{name}}/samples/{{sample}}": {
            "get": read("The picture of a sample", "image/jpeg", name, sample),
            "post": write(
                "Believe a doubted sample, or drop one", {"do": _do("accept", "forget")}, ["do"], name, sample
            ),
        },
    }


def _do(*acts: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(acts)}
