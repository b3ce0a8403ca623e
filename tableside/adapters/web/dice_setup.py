"""Addresses of teaching dice, for whoever leads the game or stands before the table's own screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol, TypeAlias

from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct

from tableside.adapters.web import guard
from tableside.adapters.web.body import NoBody, body_of
from tableside.dice import Face, face_of
from tableside.errors import BadChange
from tableside.table.messages import Line

_Texts: TypeAlias = Annotated[
    tuple[str, ...], Meta(max_length=400, extra={"fault": "is no list of words", "hint": "See /api/openapi.json."})
]


class DraftBody(Struct, frozen=True, kw_only=True):
    """Begin to teach a type of dice."""

    set: Line
    type: Line
    solid: Line
    plays_as: Line = ""


class PictureBody(Struct, frozen=True, kw_only=True):
    """Add the dice of a picture to the draft.

    :ivar picture: a photograph in base64; left out, the tray is looked at.
    """

    picture: Annotated[str, Meta(extra={"fault": "is no text", "hint": "Send a photograph in base64, or nothing."})] = (
        ""
    )


class NamesBody(Struct, frozen=True, kw_only=True):
    """Say what dice show."""

    dice: _Texts
    face: _Texts


class DropBody(Struct, frozen=True, kw_only=True):
    """Leave dice out."""

    dice: _Texts


class SetBody(Struct, frozen=True, kw_only=True):
    """Remove a taught set, or take its last change back."""

    do: Literal["remove", "undo"]


class SampleBody(Struct, frozen=True, kw_only=True):
    """Believe a doubted sample, or drop one."""

    do: Literal["accept", "forget"]


class Teaches(Protocol):
    """What the page needs of teaching."""

    def now(self) -> dict[str, Any]: ...
    def begin(self, *, set_name: str, kind: str, solid: str, plays_as: str) -> dict[str, Any]: ...
    def shot(self, data: str) -> dict[str, Any]: ...
    def name(self, group: Sequence[str], face: Face) -> dict[str, Any]: ...
    def drop(self, group: Sequence[str]) -> dict[str, Any]: ...
    def undo(self) -> dict[str, Any]: ...
    def save(self) -> dict[str, Any]: ...
    def change_set(self, name: str, act: str) -> dict[str, Any]: ...
    def review(self, name: str, sample: str, act: str) -> dict[str, Any]: ...
    def crop(self, crop_id: str) -> bytes | None: ...
    def sample(self, name: str, sample_id: str) -> bytes | None: ...


def teaching_routes(teaching: Teaches) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("teaching", __name__)

    @routes.get("/api/dice")
    def dice_now() -> Response:
        guard.need_master()
        return jsonify(teaching.now())

    @routes.post("/api/dice/draft")
    def dice_begin() -> Response:
        guard.need_master()
        begun = body_of(request, DraftBody)
        return jsonify(teaching.begin(set_name=begun.set, kind=begun.type, solid=begun.solid, plays_as=begun.plays_as))

    @routes.post("/api/dice/draft/pictures")
    def dice_shot() -> Response:
        guard.need_master()
        return jsonify(teaching.shot(body_of(request, PictureBody).picture))

    @routes.post("/api/dice/draft/names")
    def dice_name() -> Response:
        guard.need_master()
        named = body_of(request, NamesBody)
        return jsonify(teaching.name(named.dice, face_of(named.face)))

    @routes.post("/api/dice/draft/drop")
    def dice_drop() -> Response:
        guard.need_master()
        return jsonify(teaching.drop(body_of(request, DropBody).dice))

    @routes.post("/api/dice/draft/undo")
    def dice_undo() -> Response:
        guard.need_master()
        body_of(request, NoBody)
        return jsonify(teaching.undo())

    @routes.post("/api/dice/draft/save")
    def dice_save() -> Response:
        guard.need_master()
        body_of(request, NoBody)
        return jsonify(teaching.save())

    @routes.post("/api/dice/sets/<name>")
    def dice_change(name: str) -> Response:
        guard.need_master()
        return jsonify(teaching.change_set(name, body_of(request, SetBody).do))

    @routes.post("/api/dice/sets/<name>/samples/<sample>")
    def dice_review(name: str, sample: str) -> Response:
        guard.need_master()
        return jsonify(teaching.review(name, sample, body_of(request, SampleBody).do))

    @routes.get("/api/dice/draft/dice/<die>")
    def dice_crop(die: str) -> Response:
        guard.need_master()
        return _jpeg(teaching.crop(die), die)

    @routes.get("/api/dice/sets/<name>/samples/<sample>")
    def dice_sample(name: str, sample: str) -> Response:
        guard.need_master()
        return _jpeg(teaching.sample(name, sample), sample)

    return routes


def _jpeg(data: bytes | None, name: str) -> Response:
    if data is None:
        raise BadChange("no such picture", where=name[:40], hint="Load the page again.")
    return Response(data, mimetype="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})
