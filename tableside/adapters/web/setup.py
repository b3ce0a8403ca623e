"""Addresses of the camera's set-up, for whoever leads the game or stands before the table's own screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

from flask import Blueprint, Response, jsonify, request
from msgspec import Meta, Struct

from tableside.adapters.web import guard
from tableside.adapters.web.body import NoBody, body_of
from tableside.dice import Point
from tableside.errors import BadChange, CameraError
from tableside.tray.card import CARD_MM, MARGIN_MM
from tableside.tray.prints import card_svg, marks_svg
from tableside.tray.region import MOST_POINTS, is_convex
from tableside.words import say

_Corners = tuple[Point, ...]
_HINT = say(
    "Send 4 to {n} pairs of numbers from 0 to 1, clockwise from the top left, round a convex tray.", n=MOST_POINTS
)
_Share = Annotated[float, Meta(ge=0, le=1)]


class SetupBody(Struct, frozen=True, kw_only=True):
    """Take the empty tray's picture, lock the camera and keep that.

    :ivar corners: round a convex tray, in shares of the picture, clockwise from the top left; null has it found.
    """

    corners: (
        Annotated[
            tuple[tuple[_Share, _Share], ...],
            Meta(min_length=4, max_length=MOST_POINTS, extra={"fault": "is no convex tray", "hint": _HINT}),
        ]
        | None
    ) = None


class SetsUp(Protocol):
    """What the page needs of the camera."""

    def now(self) -> dict[str, Any]: ...
    def picture(self) -> bytes | None: ...
    def adjust(self) -> None: ...
    def save(self, corners: _Corners | None) -> dict[str, Any]: ...


def setup_routes(setup: Callable[[], SetsUp], *, camera: Callable[[], str] = lambda: "") -> Blueprint:
    """Return the addresses of the set-up.

    :param setup: returns that of the camera of now. :param camera: returns the id of the phone that is the camera.
    """
    routes = Blueprint("setup", __name__)

    def _need() -> None:
        """Refuse who neither leads the game nor is the camera."""
        if not (camera() and guard.caller().id == camera()):
            guard.need_master()

    @routes.get("/setup/card.svg")
    def card() -> Response:
        return Response(card_svg(), mimetype="image/svg+xml")

    @routes.get("/setup/marks.svg")
    def marks() -> Response:
        return Response(marks_svg(CARD_MM, margin_mm=MARGIN_MM, has_words=False), mimetype="image/svg+xml")

    @routes.get("/api/setup")
    def setup_now() -> Response:
        _need()
        return jsonify(setup().now())

    @routes.get("/api/setup/picture")
    def setup_picture() -> Response:
        guard.need_master()
        jpeg = setup().picture()
        if jpeg is None:
            raise CameraError("has given no picture yet", where="camera", hint="Wait a moment.")
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    @routes.post("/api/setup/adjust")
    def setup_adjust() -> Response:
        guard.need_master()
        body_of(request, NoBody)
        setup().adjust()
        return jsonify(setup().now())

    @routes.post("/api/setup")
    def setup_save() -> Response:
        _need()
        corners = body_of(request, SetupBody).corners
        if corners is not None and not is_convex(corners):
            raise BadChange("are no convex tray within the picture", where="corners", hint=_HINT)
        return jsonify(setup().save(corners))

    return routes
