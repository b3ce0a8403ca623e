"""The address of a demo: it throws the next recorded roll, and stops doing so by itself once somebody is there."""

from __future__ import annotations

from typing import Literal, Protocol

from flask import Blueprint, Response, request
from msgspec import Struct

from tableside.adapters.web import guard
from tableside.adapters.web.body import body_of, told
from tableside.errors import Conflict
from tableside.record import Record


class DemoBody(Struct, frozen=True, kw_only=True):
    """Throw the demo's next roll, or throw none by itself."""

    do: Literal["next", "hold"]


class Plays(Protocol):
    """What the pages need of a demo.

    :ivar is_playing: rolls come by themselves: nobody did anything for a minute.
    """

    @property
    def is_playing(self) -> bool: ...
    def touch(self) -> None: ...
    def throw(self) -> None: ...


class Demo(Record, frozen=True, kw_only=True):
    """Whether a demo plays by itself."""

    plays_itself: bool


class Played(Record, frozen=True, kw_only=True):
    """What the demo did."""

    do: str


def demo_routes(demo: Plays | None) -> Blueprint:
    """Return the address. Every change that anybody sends shows that somebody is there."""
    routes = Blueprint("demo", __name__)

    @routes.before_app_request
    def notice() -> None:
        if demo is not None and request.method == "POST":
            demo.touch()

    @routes.get("/api/demo")
    def plays() -> Response:
        return told(Demo(plays_itself=demo is not None and demo.is_playing))

    @routes.post("/api/demo")
    def play() -> Response:
        guard.need_player()
        do = body_of(request, DemoBody).do
        if demo is None:
            raise Conflict("this is no demo", where=request.path, hint="Throw dice into the tray.")
        if do == "next":
            demo.throw()
        return told(Played(do=do))

    return routes
