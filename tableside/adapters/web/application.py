"""The Flask application: pages, symbols, API and stream. It only reads the state and posts messages."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from flask import Flask, Response, jsonify, request, send_file, send_from_directory
from werkzeug.exceptions import HTTPException

from tableside.adapters.web import body, guard
from tableside.adapters.web.openapi import openapi_document
from tableside.adapters.web.server import STREAMS
from tableside.adapters.web.stream import Streams
from tableside.dice import DiceSet
from tableside.errors import (
    BadAsk,
    BadChange,
    DiceSetError,
    GameError,
    PinError,
    StoreError,
    TablesideError,
    UnknownDieType,
    UnknownFace,
    UnknownRoll,
)
from tableside.table import Table

_STATUS: tuple[tuple[type[TablesideError], int], ...] = (
    (guard.Refused, 403),
    (UnknownRoll, 404),
    (PinError, 404),
    (BadChange, 400),
    (UnknownDieType, 400),
    (UnknownFace, 400),
    (DiceSetError, 400),
    (BadAsk, 400),
    (GameError, 400),
    (StoreError, 503),
)

Answer: TypeAlias = Response | tuple[Response, int]


class DrawnPanel(Protocol):
    """What the page needs of the drawn lamp panel."""

    def snapshot(self) -> dict[str, Any]: ...
    def press(self, name: str, pressed: bool) -> None: ...


def create_app(
    table: Table,
    *,
    web_folder: Path,
    sets: Sequence[DiceSet],
    panel: DrawnPanel | None = None,
    picture: Callable[[str], Path | None] | None = None,
    trouble: Callable[[], Sequence[str]] | None = None,
    is_open: bool = False,
    most_streams: int = STREAMS,
) -> Flask:
    """Return the application.

    :param picture: where the picture of a roll is, by the roll's id. :param trouble: reasons not to be healthy.
    :param is_open: whether other machines may change anything.
    """
    app = Flask("tableside", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = 256 * 1024
    streams = Streams(table, most=most_streams, panel=panel.snapshot if panel else None)
    app.extensions["tableside_streams"] = streams
    _guard(app, is_open=is_open)
    _errors(app)
    _changes(app, table)
    _panel(app, panel)
    _pages(app, web_folder, sets)

    @app.get("/api/state")
    def state() -> Answer:
        return jsonify(table.state.to_json(now=time.time()))

    @app.get("/api/events")
    def events() -> Answer:
        stream = streams.open(request.headers.get("Last-Event-ID", ""))
        if stream is None:
            answer = _error("too many displays are open", "/api/events", "Close one and try again.", 503)
            answer[0].headers["Retry-After"] = "5"
            return answer
        return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})

    @app.get("/api/rolls/<roll_id>/picture")
    def roll_picture(roll_id: str) -> Answer:
        path = picture(roll_id) if picture else None
        if path is None:
            return _error(
                "no picture is kept of that roll", f"roll {roll_id[:80]}", "Only the last ones are kept.", 404
            )
        return send_file(path, mimetype="image/jpeg", max_age=0)

    @app.get("/api/sets")
    def all_sets() -> Answer:
        return jsonify([_set_json(dice_set) for dice_set in sets])

    @app.get("/health")
    def health() -> Answer:
        reasons = [] if table.is_alive else ["the table has stopped"]
        reasons += list(trouble()) if trouble else []
        reasons += [f"{t.part}: {t.what}" for t in table.state.trouble if t.part in ("camera", "store", "reader")]
        return (jsonify({"ok": not reasons, "reasons": reasons}), 503 if reasons else 200)

    @app.get("/api/openapi.json")
    def openapi() -> Answer:
        return jsonify(openapi_document())

    return app


def _guard(app: Flask, *, is_open: bool) -> None:
    @app.before_request
    def check() -> None:
        guard.check_host(request)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            guard.check_change(request, is_open=is_open)

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", guard.CONTENT_POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers.setdefault("Cache-Control", "no-cache" if request.method == "GET" else "no-store")
        return response


def _errors(app: Flask) -> None:
    @app.errorhandler(TablesideError)
    def ours(error: TablesideError) -> Answer:
        status = next((status for kind, status in _STATUS if isinstance(error, kind)), 400)
        return _error(error.what, error.where, error.hint, status)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Answer:
        hints = {404: "Open / for the table.", 405: "See /api/openapi.json.", 413: "Send less than 256 kB."}
        code = error.code or 500
        return _error(error.name.lower(), request.path[:200], hints.get(code, "See /api/openapi.json."), code)


def _error(what: str, where: str, hint: str, status: int) -> tuple[Response, int]:
    return jsonify({"error": {"what": what, "where": where, "hint": hint}}), status


def _changes(app: Flask, table: Table) -> None:
    @app.post("/api/destiny")
    def destiny() -> Answer:
        return _after(table, body.destiny_of(request))

    @app.post("/api/rolls")
    def enter_roll() -> Answer:
        message = body.roll_of(request)
        _, status = _after(table, message)
        roll = table.state.find_roll(message.id)
        return jsonify(roll.to_json() if roll else {}), 201 if status == 200 else status

    @app.post("/api/rolls/<roll_id>/dice/<int:index>")
    def correct(roll_id: str, index: int) -> Answer:
        _after(table, body.correction_of(request, roll_id, index))
        roll = table.state.find_roll(roll_id)
        return jsonify(roll.to_json() if roll else {})

    @app.post("/api/undo")
    def undo() -> Answer:
        return _after(table, body.undo_of(request))


def _after(table: Table, message: Any) -> tuple[Response, int]:
    return jsonify(table.ask(message).to_json(now=time.time())), 200


def _panel(app: Flask, panel: DrawnPanel | None) -> None:
    empty = {"lamps": [], "buttons": [], "mock": False}

    @app.get("/api/panel")
    def shown() -> Answer:
        return jsonify(panel.snapshot() if panel else empty)

    @app.post("/api/panel/buttons/<name>")
    def press(name: str) -> Answer:
        found = body.json_of(request, known={"pressed"}, needed=frozenset({"pressed"}))
        if not isinstance(found["pressed"], bool):
            raise BadChange("pressed is neither true nor false", where=request.path, hint="Send true or false.")
        if panel is None:
            raise PinError("no drawn buttons here", where=name[:80], hint="This table's pins are real or absent.")
        panel.press(name, found["pressed"])
        return jsonify(panel.snapshot())


def _pages(app: Flask, web_folder: Path, sets: Sequence[DiceSet]) -> None:
    drawings = {(s.name, symbol): s.drawing(symbol) for s in sets for symbol in s.symbols}

    @app.get("/")
    def table_screen() -> Answer:
        return send_from_directory(web_folder, "index.html")

    @app.get("/<any(gm, player, setup, overlay):page>")
    def page(page: str) -> Answer:
        return send_from_directory(web_folder, f"{page}.html")

    @app.get("/<path:name>")
    def file(name: str) -> Answer:
        return send_from_directory(web_folder, name)

    @app.get("/symbols/<set_name>/<symbol>.svg")
    def drawing(set_name: str, symbol: str) -> Answer:
        path = drawings.get((set_name, symbol))
        if path is None:
            return _error("no such drawing", f"{set_name}/{symbol}"[:80], "See /api/sets for the symbols.", 404)
        return send_file(path, mimetype="image/svg+xml", max_age=3600)


def _set_json(dice_set: DiceSet) -> dict[str, Any]:
    types = [
        {
            "name": t.name,
            "title": t.title,
            "solid": t.solid,
            "body": t.body,
            "ink": t.ink,
            "any_colour": t.any_colour,
            "variant_of": t.variant_of,
            "faces": [list(face) for face in t.distinct_faces],
        }
        for t in dice_set.types
    ]
    drawn = [symbol for symbol in dice_set.symbols if dice_set.drawing(symbol)]
    return {"name": dice_set.name, "title": dice_set.title, "types": types, "drawings": drawn}
