"""Addresses of teaching dice, for whoever leads the game or stands before the table's own screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from flask import Flask, Response, jsonify, request

from tableside.adapters.web import guard
from tableside.adapters.web.body import choice_of, json_of, text_of
from tableside.dice import Face, face_of
from tableside.errors import BadChange


class Teaches(Protocol):
    """What the page needs of teaching."""

    def now(self) -> dict[str, Any]: ...
    def begin(self, *, set_name: str, kind: str, solid: str, plays_as: str) -> dict[str, Any]: ...
    def shot(self, told: str) -> dict[str, Any]: ...
    def name(self, group: Sequence[str], face: Face) -> dict[str, Any]: ...
    def drop(self, group: Sequence[str]) -> dict[str, Any]: ...
    def undo(self) -> dict[str, Any]: ...
    def save(self) -> dict[str, Any]: ...
    def change_set(self, name: str, act: str) -> dict[str, Any]: ...
    def review(self, name: str, sample: str, act: str) -> dict[str, Any]: ...
    def crop(self, crop_id: str) -> bytes | None: ...
    def sample(self, name: str, sample_id: str) -> bytes | None: ...


def add_dice_setup(app: Flask, teaching: Teaches) -> None:
    """Add the addresses."""

    @app.get("/api/dice")
    def dice_now() -> Response:
        guard.need_master()
        return jsonify(teaching.now())

    @app.post("/api/dice/draft")
    def dice_begin() -> Response:
        guard.need_master()
        found = json_of(
            request, known={"set", "type", "solid", "plays_as"}, needed=frozenset({"set", "type", "solid"})
        )  # fmt: skip
        told = {key: text_of(found, key, request.path) for key in ("set", "type", "solid", "plays_as")}
        return jsonify(
            teaching.begin(set_name=told["set"], kind=told["type"], solid=told["solid"], plays_as=told["plays_as"])
        )

    @app.post("/api/dice/draft/pictures")
    def dice_shot() -> Response:
        guard.need_master()
        picture = json_of(request, known={"picture"}).get("picture", "")
        if not isinstance(picture, str):
            raise BadChange("picture is no text", where=request.path, hint="Send a photograph in base64, or nothing.")
        return jsonify(teaching.shot(picture))

    @app.post("/api/dice/draft/names")
    def dice_name() -> Response:
        guard.need_master()
        found = json_of(request, known={"dice", "face"}, needed=frozenset({"dice", "face"}))
        return jsonify(teaching.name(_texts(found["dice"], "dice"), face_of(_texts(found["face"], "face"))))

    @app.post("/api/dice/draft/drop")
    def dice_drop() -> Response:
        guard.need_master()
        found = json_of(request, known={"dice"}, needed=frozenset({"dice"}))
        return jsonify(teaching.drop(_texts(found["dice"], "dice")))

    @app.post("/api/dice/draft/undo")
    def dice_undo() -> Response:
        guard.need_master()
        json_of(request, known=set())
        return jsonify(teaching.undo())

    @app.post("/api/dice/draft/save")
    def dice_save() -> Response:
        guard.need_master()
        json_of(request, known=set())
        return jsonify(teaching.save())

    @app.post("/api/dice/sets/<name>")
    def dice_change(name: str) -> Response:
        guard.need_master()
        found = json_of(request, known={"do"}, needed=frozenset({"do"}))
        return jsonify(teaching.change_set(name, choice_of(found, "do", ["remove", "undo"], request.path)))

    @app.post("/api/dice/sets/<name>/samples/<sample>")
    def dice_review(name: str, sample: str) -> Response:
        guard.need_master()
        found = json_of(request, known={"do"}, needed=frozenset({"do"}))
        return jsonify(teaching.review(name, sample, choice_of(found, "do", ["accept", "forget"], request.path)))

    @app.get("/api/dice/draft/dice/<die>")
    def dice_crop(die: str) -> Response:
        guard.need_master()
        return _jpeg(teaching.crop(die), die)

    @app.get("/api/dice/sets/<name>/samples/<sample>")
    def dice_sample(name: str, sample: str) -> Response:
        guard.need_master()
        return _jpeg(teaching.sample(name, sample), sample)


def _jpeg(data: bytes | None, name: str) -> Response:
    if data is None:
        raise BadChange("no such picture", where=name[:40], hint="Load the page again.")
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


def _texts(found: Any, key: str) -> list[str]:
    if not isinstance(found, list) or len(found) > 400 or not all(isinstance(one, str) for one in found):
        raise BadChange(f"{key} is no list of words", where=request.path, hint="See /api/openapi.json.")
    return found
