"""Addresses of the hall: all tables of one broker, as a page, as JSON and as a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, request

from tableside.adapters.web import guard
from tableside.adapters.web.guard import Caller
from tableside.adapters.web.pages import page_of
from tableside.adapters.web.stream import RETRY_MS, Streams, event_text, is_gone_of, stream_answer
from tableside.errors import NotConnected

_TOGETHER_SECONDS = 0.05
"""Changes of so long a time are sent as one: many tables roll at once."""
_LINK_SECONDS = 0.5
_KEEP_ALIVE_WAITS = 10
_NOWHERE = {"up": False, "trouble": None, "own": ""}


class ShowsHall(Protocol):
    """What the page needs of the hall."""

    def touch(self) -> None: ...
    def wait(self, *, after: int, timeout: float) -> int: ...
    def link(self) -> dict[str, Any]: ...
    def since(self, revision: int) -> list[dict[str, Any]]: ...


def hall_routes(hall: ShowsHall | None, streams: Streams) -> Blueprint:
    """Return the addresses."""
    routes = Blueprint("hall", __name__)

    @routes.get("/hall")
    @routes.get("/hall/<name>")
    def hall_page(name: str = "") -> Response:  # noqa: ARG001 - the page reads it from its address
        return page_of("hall")

    @routes.get("/api/hall")
    def hall_now() -> Response:
        if hall is None:
            return jsonify({"broker": False, **_NOWHERE, "tables": []})
        hall.touch()
        return jsonify({"broker": True, **_link(hall, guard.caller()), "tables": hall.since(-1)})

    @routes.get("/api/hall/events")
    def hall_events() -> Any:
        if hall is None:
            raise NotConnected("no broker is set", where="[mqtt] host")
        caller = guard.caller()
        return stream_answer(streams.admit(_follow(hall, streams, caller, is_gone_of(request)), caller))

    return routes


def _link(hall: ShowsHall, caller: Caller) -> dict[str, Any]:
    link = hall.link()
    trouble = link["trouble"] and {key: caller.words(text) for key, text in link["trouble"].items()}
    return link | {"trouble": trouble}


def _follow(hall: ShowsHall, streams: Streams, caller: Caller, is_gone: Callable[[], bool]) -> Iterator[str]:
    """Yield all tables, then those that change."""
    yield f"retry: {RETRY_MS}\n\n"
    shown, link, waits = -1, None, 0
    while not (streams.is_closed or is_gone()):
        hall.touch()
        now, now_link = hall.wait(after=shown, timeout=_LINK_SECONDS), _link(hall, caller)
        if now > shown or now_link != link:
            is_first = shown < 0
            if not is_first:
                streams.pause(_TOGETHER_SECONDS)
                now = hall.wait(after=-1, timeout=0)
            tables = hall.since(shown)
            shown, link, waits = now, now_link, 0
            yield event_text("hall", {"broker": True, **now_link, "all": is_first, "tables": tables})
        elif (waits := waits + 1) >= _KEEP_ALIVE_WAITS:
            waits = 0
            yield ": keep-alive\n\n"
