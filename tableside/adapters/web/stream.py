"""Server-sent events: every display gets the newest state, and no slow one holds up another.

Form of the stream: WHATWG HTML, section 9.2. A state is turned into text once for all displays that see the same.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from flask import Request, Response, request

from tableside.adapters.web.budget import Places
from tableside.adapters.web.guard import Caller
from tableside.adapters.web.pairing import Device, Role
from tableside.errors import TablesideError
from tableside.table import Table, TableState

STREAMS = 104
"""At the same time; each needs a thread of the server for its next line."""
IS_GONE = "tableside.is_gone"
"""What the server puts beside a request: it tells whether who sent it has left."""
KEPT: dict[str, int] = {Role.SCREEN: 4, Role.GM: 4, Role.PLAYER: 32}
"""Of those, so many are kept for the table's own screen, for game masters, and for players' paired devices."""
A_SENDERS_STREAMS = 8
"""So many for one address of the network, whoever is behind it, or for one paired device."""
KEEP_ALIVE_SECONDS = 5.0
RETRY_MS = 1000
_PANEL_SECONDS = 0.05
"""A drawn panel is looked at 20 times a second, so that its lamps blink as real ones do."""
_FRESH_SECONDS = 1.0
"""So long a text is shared; later its clock would be wrong for a display that comes anew."""


class TooManyDisplays(TablesideError):
    """There is no room for one more stream."""


def is_gone_of(request: Request) -> Callable[[], bool]:
    """Return what tells whether the display that sent this request has left."""
    return request.environ.get(IS_GONE, lambda: False)  # type: ignore[no-any-return]


class Streams:
    """All open event streams of one table.

    :param most: streams at the same time. :param panel: what a page may draw of the pins.
    :param is_paired: tells whether a device still is; the stream of one that was forgotten ends.
    """

    def __init__(
        self,
        table: Table,
        *,
        most: int = STREAMS,
        panel: Callable[[], Any] | None = None,
        is_paired: Callable[[Device], bool] = lambda _device: True,
    ) -> None:
        self._table = table
        kept = {role: min(kept, most * kept // STREAMS) for role, kept in KEPT.items()}
        self._places = Places(most, each=A_SENDERS_STREAMS, kept=kept)
        self._panel = panel
        self._is_paired = is_paired
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._views: dict[tuple[bool, bool, str], _View] = {}
        self._panel_text: tuple[float, str, bool] = (-1e9, "", False)

    @property
    def count(self) -> int:
        return len(self._places)

    def open(
        self, last_id: str, caller: Caller, is_gone: Callable[[], bool], *, by_parts: bool = False
    ) -> Iterator[str] | None:
        """Return the text of a new stream, or ``None`` when there are too many.

        :param last_id: the ``Last-Event-ID``: a display that has the newest state already is not sent it again.
        :param is_gone: tells whether the display has left.
        :param by_parts: after the first state, only what differs from the one before is sent.
        """
        return self.admit(self._follow(last_id, caller, is_gone, by_parts=by_parts), caller)

    def admit(self, lines: Iterator[str], caller: Caller) -> Iterator[str] | None:
        """Return these lines as a stream that counts among the others, or ``None`` when there are too many."""
        sender = caller.sender
        if self._closed.is_set() or not self._places.take(sender):
            return None
        return _Stream(lines, lambda: self._places.leave(sender))

    @property
    def is_closed(self) -> bool:
        return self._closed.is_set()

    def pause(self, seconds: float) -> None:
        """Wait so long, or until the streams are closed."""
        self._closed.wait(seconds)

    def close(self) -> None:
        """End every stream."""
        self._closed.set()

    def _follow(self, last_id: str, caller: Caller, is_gone: Callable[[], bool], *, by_parts: bool) -> Iterator[str]:
        shown = int(last_id) if last_id.isascii() and last_id.isdecimal() and len(last_id) < 16 else -1
        if shown > self._table.state.revision:  # of another history: ours is news
            shown = -1
        shown_panel = ""
        told: _View | None = None
        yield f"retry: {RETRY_MS}\n\n"
        spoken = time.monotonic()
        while not self._closed.is_set() and self._table.is_alive:
            if is_gone() or (caller.device and not self._is_paired(caller.device)):
                return
            panel, is_mock = self._panel_now()
            if panel != shown_panel:
                shown_panel = panel
                spoken = time.monotonic()
                yield panel
            state = self._table.wait(after=shown, timeout=_PANEL_SECONDS if is_mock else 0.5)
            if state.revision > shown:
                shown = state.revision
                spoken = time.monotonic()
                view = self._view(state, caller)
                yield view.text(after=told if by_parts else None)
                told = view
            elif time.monotonic() - spoken > KEEP_ALIVE_SECONDS:
                spoken = time.monotonic()
                yield ": keep-alive\n\n"

    def _view(self, state: TableState, caller: Caller) -> _View:
        seen = (caller.sees_hidden, caller.sees_folders, caller.undoes_of)
        with self._lock:
            view = self._views.get(seen)
            if view is None or view.revision != state.revision or time.monotonic() - view.at >= _FRESH_SECONDS:
                view = _View(state.revision, caller.view(state))
                self._views = {key: kept for key, kept in self._views.items() if kept.revision == state.revision}
                self._views[seen] = view
            return view

    def _panel_now(self) -> tuple[str, bool]:
        if self._panel is None:
            return "", False
        with self._lock:
            at, text, is_mock = self._panel_text
            if time.monotonic() - at >= _PANEL_SECONDS / 2:
                panel = self._panel()
                text, is_mock = event_text("panel", panel), bool(panel["mock"])
                self._panel_text = (time.monotonic(), text, is_mock)
            return text, is_mock


class _View:
    """A state as some callers may see it, and its texts, each made once for all displays that want it."""

    def __init__(self, revision: int, body: dict[str, Any]) -> None:
        self.revision, self.body, self.at = revision, body, time.monotonic()
        self._texts: dict[int, str] = {}
        self._lock = threading.Lock()

    def text(self, *, after: _View | None) -> str:
        """Return the event of it, or of what differs from a view before."""
        with self._lock:
            key = after.revision if after else -1
            if key not in self._texts:
                self._texts[key] = state_text(self, after)
            return self._texts[key]


class _Stream:
    """A stream that gives its place back however it ends, also before its first line was read."""

    def __init__(self, lines: Iterator[str], when_closed: Callable[[], None]) -> None:
        self._lines = lines
        self._when_closed: Callable[[], None] | None = when_closed

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            return next(self._lines)
        except StopIteration:
            self.close()
            raise

    def close(self) -> None:
        left, self._when_closed = self._when_closed, None
        if left is not None:
            left()


def stream_answer(stream: Iterator[str] | None) -> Response:
    """Return a stream as an answer.

    :raises TooManyDisplays: where there was no room for it.
    """
    if stream is None:
        raise TooManyDisplays("too many displays are open", where=request.path, hint="Close one and try again.")
    return Response(stream, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})


def state_text(view: _View, before: _View | None) -> str:
    """Return the event of a state, or of what of it differs from one before, with its revision for an id."""
    body = part_between(before.body, view.body) if before else view.body
    return event_text("part" if before else "state", body, event_id=str(view.revision))


def part_between(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return what of a state differs from an older one; of its history the ids, and the rolls that are new."""
    part = {key: value for key, value in new.items() if old[key] != value}
    if "history" in part:
        known = {roll["id"]: roll for roll in old["history"]}
        rolls = [roll for roll in new["history"] if known.get(roll["id"]) != roll]
        part["history"] = {"ids": [roll["id"] for roll in new["history"]], "rolls": rolls}
    return part


def event_text(name: str, body: Any, *, event_id: str = "") -> str:
    """Return one event. JSON has no line breaks, so one ``data`` line is enough."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n"
