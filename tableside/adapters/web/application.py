"""The Flask application: pages, symbols, API and stream. It only reads the state and posts messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from flask import Blueprint, Flask, Request, Response, g, jsonify, request, send_file
from werkzeug.exceptions import HTTPException

from tableside import errors
from tableside.adapters.web import guard
from tableside.adapters.web.access import access_routes
from tableside.adapters.web.api_page import api_tables
from tableside.adapters.web.body import Health, PressBody, SeenBody, SeenTrouble, body_of, told
from tableside.adapters.web.budget import REFUSED
from tableside.adapters.web.camera import camera_routes
from tableside.adapters.web.changes import change_routes
from tableside.adapters.web.demo import demo_routes
from tableside.adapters.web.dice_setup import teaching_routes
from tableside.adapters.web.guard import Missing
from tableside.adapters.web.hall import hall_routes
from tableside.adapters.web.help import help_routes
from tableside.adapters.web.openapi import openapi_document
from tableside.adapters.web.pages import Files, page_routes
from tableside.adapters.web.pairing import TooManyGuesses, WrongPin
from tableside.adapters.web.photographs import photograph_routes
from tableside.adapters.web.services import DrawnPanel, Services
from tableside.adapters.web.setup import setup_routes
from tableside.adapters.web.stream import STREAMS, Streams, TooManyDisplays, is_gone_of, stream_answer
from tableside.adapters.web.views import seen_roll, view_routes
from tableside.rules import find_game, game_names
from tableside.words import known_as, made_words_json

_STATUS: tuple[tuple[type[errors.TablesideError], int], ...] = (
    (guard.Refused, 403),
    (WrongPin, 403),
    (TooManyGuesses, 429),
    (errors.UnknownRoll, 404),
    (errors.PinError, 404),
    (errors.UnknownGame, 404),
    (errors.NotConnected, 404),
    (Missing, 404),
    (errors.Conflict, 409),
    (errors.CameraError, 409),
    (errors.SettingsError, 409),
    (errors.BadChange, 400),
    (errors.DiceSetError, 400),
    (errors.GameError, 400),
    (errors.TableError, 503),
    (errors.StoreError, 503),
    (TooManyDisplays, 503),
)
_HINTS = {404: "Open / for the table.", 405: "See /api/openapi.json.", 413: "Send less than 256 kB."}

Answer: TypeAlias = Response | tuple[Response, int]


def create_app(services: Services) -> Flask:
    """Return the application."""
    app = Flask("tableside", static_folder=None, template_folder=str(services.web_folder))
    app.jinja_env.globals["files"] = files = Files(services.web_folder)
    app.config["MAX_CONTENT_LENGTH"] = 256 * 1024
    app.json.sort_keys = False  # type: ignore[attr-defined]
    streams = streams_of(services)
    app.extensions["tableside_streams"] = streams
    app.extensions["tableside_caller"] = caller_of = caller_from(services)
    _guard(app, services, caller_of)
    _errors(app)
    for routes in (
        demo_routes(services.demo),
        access_routes(services),
        change_routes(services),
        view_routes(services),
        table_routes(services, streams),
        panel_routes(services.panel),
        page_routes(services.web_folder, files, services.table),
        hall_routes(services.hall, streams),
        *services.addresses,
    ):
        app.register_blueprint(routes)
    if services.guide_folder is not None:
        app.register_blueprint(help_routes(services.guide_folder, {"api": api_tables, **services.guide_parts}))
    if services.photographs is not None:
        app.register_blueprint(photograph_routes(services.photographs, services.table))
    cameras = services.cameras
    if services.setup is not None:
        phone = lambda: cameras.phone.camera.id if cameras and cameras.phone.camera else ""  # noqa: E731
        app.register_blueprint(setup_routes(services.setup, camera=phone))
    if cameras is not None:
        phones = camera_routes(cameras, services.pairing, address=services.address, let_in=services.let_in)
        app.register_blueprint(phones)
    if services.teaching is not None:
        app.register_blueprint(teaching_routes(services.teaching))
    return app


def streams_of(services: Services) -> Streams:
    """Return the event streams of a table, none of them open."""
    panel = services.panel.snapshot if services.panel else None
    most = STREAMS if services.most_streams is None else services.most_streams
    return Streams(services.table, most=most, panel=panel, is_paired=services.pairing.is_paired)


def table_routes(services: Services, streams: Streams) -> Blueprint:
    """Return the addresses of the table's state: now, as a stream, and whether all is well."""
    routes, table = Blueprint("table", __name__), services.table

    @routes.get("/api/state")
    def state() -> Answer:
        return jsonify(guard.caller().view(table.state))

    @routes.get("/api/events")
    def events() -> Answer:
        last_id = request.headers.get("Last-Event-ID", "")
        by_parts = "parts" in request.args
        return stream_answer(streams.open(last_id, guard.caller(), is_gone_of(request), by_parts=by_parts))

    @routes.get("/api/rolls/<roll_id>/picture")
    def roll_picture(roll_id: str) -> Answer:
        seen_roll(table, roll_id, guard.caller())
        path = services.picture(roll_id)
        if path is None:
            where, hint = f"roll {roll_id[:80]}", "Only the last ones are kept."
            raise Missing("no picture is kept of that roll", where=where, hint=hint)
        return send_file(path, mimetype="image/jpeg", max_age=0)

    @routes.post("/api/troubles/seen")
    def seen() -> Answer:
        guard.need_master()
        trouble_id = body_of(request, SeenBody).trouble
        if not services.forget_trouble(trouble_id):
            raise errors.Conflict("no trouble of that id is shown", where="trouble", hint="Somebody has seen it.")
        return told(SeenTrouble(seen=trouble_id))

    @routes.get("/health")
    def health() -> Answer:
        reasons = [] if table.is_alive else ["the table has stopped"]
        reasons += services.trouble()
        reasons += [f"{t.part}: {t.what}" for t in table.state.trouble if t.part in ("camera", "store", "reader")]
        reasons = [guard.caller().words(reason) for reason in reasons]
        return told(Health(ok=not reasons, reasons=tuple(reasons))), 503 if reasons else 200

    @cache
    def described() -> str:
        return json.dumps(openapi_document())

    @routes.get("/api/openapi.json")
    def openapi() -> Answer:
        return Response(described(), mimetype="application/json")

    return routes


def caller_from(services: Services) -> Callable[[Request], guard.Caller]:
    """Return what tells who sends a request, from its head alone."""
    return lambda request: guard.caller_of(
        request, services.pairing, is_open=services.is_open, trusts_screen=services.trusts_screen
    )


def _guard(app: Flask, services: Services, caller_of: Callable[[Request], guard.Caller]) -> None:
    @app.before_request
    def check() -> None:
        guard.check_host(request, services.names)
        if request.method not in ("GET", "HEAD", "OPTIONS"):
            guard.check_origin(request, services.names)
        g.tableside_caller = caller_of(request)
        if (refused := request.environ.get(REFUSED)) is not None:
            raise refused

    @app.after_request
    def protect(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", guard.CONTENT_POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        is_page = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
        response.headers.setdefault("Cache-Control", "no-cache" if is_page else "no-store")
        return response


def _errors(app: Flask) -> None:
    @app.errorhandler(errors.TablesideError)
    def ours(error: errors.TablesideError) -> Answer:
        status = next((status for kind, status in _STATUS if isinstance(error, kind)), 400)
        words = guard.caller().words
        answer = _error(words(error.what), words(error.where) or request.path, words(error.hint), status)
        if isinstance(error, TooManyGuesses | TooManyDisplays | errors.Busy):
            answer[0].headers["Retry-After"] = "600" if status == 429 else "5"
        return answer

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Answer:
        code = error.code or 500
        return _error(error.name.lower(), request.path[:200], _HINTS.get(code, "See /api/openapi.json."), code)


def _error(what: str, where: str, hint: str, status: int) -> tuple[Response, int]:
    game = where.removeprefix("game ")
    if game in game_names():
        where = known_as(where, find_game(game).title)  # pages say a game by its title
    error = {"what": what, "where": where, "hint": hint}
    said = made_words_json(**error)
    return jsonify({"error": error | ({"words": said} if said else {})}), status


def panel_routes(panel: DrawnPanel | None) -> Blueprint:
    """Return the addresses of the drawn lamps and buttons."""
    routes = Blueprint("panel", __name__)
    empty = {"lamps": [], "buttons": [], "mock": False}

    @routes.get("/api/panel")
    def shown() -> Answer:
        return jsonify(panel.snapshot() if panel else empty)

    @routes.post("/api/panel/buttons/<name>")
    def press(name: str) -> Answer:
        guard.need_master()  # they stand at the table, and undo what anybody did
        pressed = body_of(request, PressBody).pressed
        if panel is None:
            raise errors.PinError(
                "no drawn buttons here", where=name[:80], hint="This table's pins are real or absent."
            )
        panel.press(name, pressed)
        return jsonify(panel.snapshot())

    return routes
