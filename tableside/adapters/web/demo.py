"""The address of a demo: it throws the next recorded roll, and stops doing so by itself once somebody is there."""

from __future__ import annotations

from typing import Protocol

from flask import Flask, Response, jsonify, request

from tableside.adapters.web import body, guard
from tableside.errors import Conflict


class Plays(Protocol):
    """What the pages need of a demo."""

    def touch(self) -> None: ...
    def throw(self) -> None: ...


def add_demo(app: Flask, demo: Plays | None) -> None:
    """Add the address. Every change that anybody sends shows that somebody is there."""

    @app.before_request
    def notice() -> None:
        if demo is not None and request.method == "POST":
            demo.touch()

    @app.post("/api/demo")
    def play() -> Response:
        guard.need_player()
        found = body.json_of(request, known={"do"}, needed=frozenset({"do"}))
        do = body.choice_of(found, "do", ["next", "hold"], request.path)
        if demo is None:
            raise Conflict("this is no demo", where=request.path, hint="Throw dice into the tray.")
        if do == "next":
            demo.throw()
        return jsonify({"do": do})
