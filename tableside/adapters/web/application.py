"""The Flask application: pages, symbols, API and stream. It only reads the state and posts messages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from flask import Blueprint, Flask, Response, g, jsonify, request, send_file
from werkzeug.exceptions import HTTPException

from tableside.adapters.web import guard
from tableside.adapters.web.access import add_access
from tableside.adapters.web.body import PressBody, body_of
from tableside.adapters.web.changes import add_changes
from tableside.adapters.web.demo import Plays, add_demo
from tableside.adapters.web.hall import ShowsHall, add_hall
from tableside.adapters.web.openapi import openapi_document
from tableside.adapters.web.pages import add_pages
from tableside.adapters.web.pairing import Pairing, TooManyGuesses, WrongPin
from tableside.adapters.web.stream import STREAMS, Streams, place_of
from tableside.adapters.web.told import add_told, seen_roll
from tableside.dice import DiceSet
from tableside.errors import (
    BadChange,
    Conflict,
    DiceSetError,
    GameError,
    NotConnected,
    PinError,
    StoreError,
    TableError,
    TablesideError,
    UnknownGame,
    UnknownRoll,
)
from tableside.table import Table
from tableside.tray.film import Film
from tableside.words import told_made

_STATUS: tuple[tuple[type[TablesideError], int], ...] = (
    (guard.Refused, 403),
    (WrongPin, 403),
    (TooManyGuesses, 429),
    (UnknownRoll, 404),
    (PinError, 404),
    (UnknownGame, 404),
    (NotConnected, 404),
    (Conflict, 409),
    (BadChange, 400),
    (DiceSetError, 400),
    (GameError, 400),
    (TableError, 503),
    (StoreError, 503),
)
_HINTS = {404: "Open / for the table.", 405: "See /api/openapi.json.", 413: "Send less than 256 kB."}

Answer: TypeAlias = Response | tuple[Response, int]


class DrawnPanel(Protocol):
    """What the page needs of the drawn lamp panel."""

    def snapshot(self) -> dict[str, Any]: ...
    def press(self, name: str, pressed: bool) -> None: ...


def create_app(
    table: Table,
    *,
    web_folder: Path,
    sets: Sequence[DiceSet] | Callable[[], Sequence[DiceSet]],
    panel: DrawnPanel | None = None,
    picture: Callable[[str], Path | None] | None = None,
    replay: Callable[[str], Film | None] = lambda _: None,
    tray: Callable[[], bytes | None] = lambda: None,
    demo: Plays | None = None,
    trouble: Callable[[], Sequence[str]] | None = None,
    read_again: Callable[[], None] | None = None,
    pairing: Pairing | None = None,
    address: Callable[[], str | None] = lambda: None,
    is_open: bool = False,
    trusts_screen: bool = True,
    most_streams: int = STREAMS,
    names: Collection[str] = (),
    hall: ShowsHall | None = None,
    addresses: Sequence[Blueprint] = (),
) -> Flask:
    """Return the application.

    :param sets: dice to draw and to choose from, or what returns those of now.
    :param picture: where the picture of a roll is, by the roll's id. :param replay: the film of a roll.
    :param tray: its picture as it is now, a JPEG.
    :param demo: throws recorded rolls, where the table is one. :param trouble: reasons not to be healthy.
    :param read_again: has the tray read once more. :param address: where phones reach this table.
    :param is_open: whether everybody on the network may do what a player may.
    :param trusts_screen: whether a browser on this machine is the table's own screen.
    :param names: host names that lead here beside this machine's own.
    :param hall: all tables of the broker, where one is set.
    :param addresses: of connections that other programs ask.
    """
    app = Flask("tableside", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 256 * 1024
    app.json.sort_keys = False  # type: ignore[attr-defined]
    pairing = pairing or Pairing()
    streams = Streams(table, most=most_streams, panel=panel.snapshot if panel else None, is_paired=pairing.is_paired)
    app.extensions["tableside_streams"] = streams
    _guard(app, pairing, names=names, is_open=is_open, trusts_screen=trusts_screen)
    _errors(app)
    add_demo(app, demo)
    add_access(app, pairing, address=address, is_demo=demo is not None)
    add_changes(app, table, read_again=read_again)
    add_told(app, table, replay=replay, tray=tray)
    _panel(app, panel)
    known = sets if callable(sets) else lambda: sets
    add_pages(app, web_folder, known, _error)
    for blueprint in addresses:
        app.register_blueprint(blueprint)
    add_hall(app, hall, streams, web_folder=web_folder, error=_error)

    @app.get("/api/state")
    def state() -> Answer:
        return jsonify(guard.caller().told(table.state))

    @app.get("/api/events")
    def events() -> Answer:
        caller = guard.caller()
        last_id = request.headers.get("Last-Event-ID", "")
        stream = streams.open(last_id, place_of(caller, request), caller)
        if stream is None:
            answer = _error("too many displays are open", "/api/events", "Close one and try again.", 503)
            answer[0].headers["Retry-After"] = "5"
            return answer
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    @app.get("/api/rolls/<roll_id>/picture")
    def roll_picture(roll_id: str) -> Answer:
        seen_roll(table, roll_id, guard.caller())
        path = picture(roll_id) if picture else None
        if path is None:
            return _error(
                "no picture is kept of that roll", f"roll {roll_id[:80]}", "Only the last ones are kept.", 404
            )
        return send_file(path, mimetype="image/jpeg", max_age=0)

    @app.get("/health")
    def health() -> Answer:
        reasons = [] if table.is_alive else ["the table has stopped"]
        reasons += list(trouble()) if trouble else []
        reasons += [f"{t.part}: {t.what}" for t in table.state.trouble if t.part in ("camera", "store", "reader")]
        reasons = [guard.caller().words(reason) for reason in reasons]
        return (jsonify({"ok": not reasons, "reasons": reasons}), 503 if reasons else 200)

    @app.get("/api/openapi.json")
    def openapi() -> Answer:
        return jsonify(openapi_document())

    return app


def _guard(app: Flask, pairing: Pairing, *, names: Collection[str], is_open: bool, trusts_screen: bool) -> None:
    @app.before_request
    def check() -> None:
        guard.check_host(request, names)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            guard.check_origin(request, names)
        g.tableside_caller = guard.caller_of(request, pairing, is_open=is_open, trusts_screen=trusts_screen)

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", guard.CONTENT_POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        is_page = request.method == "GET" and not request.path.startswith("/api/")
        response.headers.setdefault("Cache-Control", "no-cache" if is_page else "no-store")
        return response


def _errors(app: Flask) -> None:
    @app.errorhandler(TablesideError)
    def ours(error: TablesideError) -> Answer:
        status = next((status for kind, status in _STATUS if isinstance(error, kind)), 400)
        words = guard.caller().words
        answer = _error(words(error.what), words(error.where), words(error.hint), status)
        if status == 429:
            answer[0].headers["Retry-After"] = "600"
        return answer

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Answer:
        code = error.code or 500
        return _error(error.name.lower(), request.path[:200], _HINTS.get(code, "See /api/openapi.json."), code)


def _error(what: str, where: str, hint: str, status: int) -> tuple[Response, int]:
    error = {"what": what, "where": where, "hint": hint}
    said = told_made(**error)
    return jsonify({"error": error | ({"words": said} if said else {})}), status


def _panel(app: Flask, panel: DrawnPanel | None) -> None:
    empty = {"lamps": [], "buttons": [], "mock": False}

    @app.get("/api/panel")
    def shown() -> Answer:
        return jsonify(panel.snapshot() if panel else empty)

    @app.post("/api/panel/buttons/<name>")
    def press(name: str) -> Answer:
        guard.need_master()  # they stand at the table, and undo what anybody did
        pressed = body_of(request, PressBody).pressed
        if panel is None:
            raise PinError("no drawn buttons here", where=name[:80], hint="This table's pins are real or absent.")
        panel.press(name, pressed)
        return jsonify(panel.snapshot())
