"""Server-sent events: every display gets the newest state, and no slow one holds up another.

Form of the stream: WHATWG HTML, section 9.2.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tableside.table import Table, TableState

KEEP_ALIVE_SECONDS = 5.0
RETRY_MS = 1000


class Streams:
    """All open event streams of one table.

    :param most: streams at the same time; each holds one thread of the server.
    """

    def __init__(self, table: Table, *, most: int, panel: Callable[[], Any] | None = None) -> None:
        self._table = table
        self._most = most
        self._panel = panel
        self._open = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()

    @property
    def count(self) -> int:
        return self._open

    def open(self, last_id: str) -> Iterator[str] | None:
        """Return the text of a new stream, or ``None`` when there are too many.

        :param last_id: the ``Last-Event-ID``: a display that has the newest state already is not sent it again.
        """
        with self._lock:
            if self._open >= self._most or self._closed.is_set():
                return None
            self._open += 1
        return self._follow(last_id)

    def close(self) -> None:
        """End every stream."""
        self._closed.set()

    def _follow(self, last_id: str) -> Iterator[str]:
        shown = int(last_id) if last_id.isdecimal() else -1
        shown_panel: Any = None
        try:
            yield f"retry: {RETRY_MS}\n\n"
            spoken = time.monotonic()
            while not self._closed.is_set() and self._table.is_alive:
                if self._panel is not None:
                    panel = self._panel()
                    if panel != shown_panel:
                        shown_panel = panel
                        spoken = time.monotonic()
                        yield event_text("panel", panel)
                # a drawn panel is looked at 20 times a second, so that its lamps blink as real ones do
                state = self._table.wait(after=shown, timeout=0.05 if shown_panel and shown_panel["mock"] else 0.5)
                if state.revision > shown:
                    shown = state.revision
                    spoken = time.monotonic()
                    yield state_text(state)
                elif time.monotonic() - spoken > KEEP_ALIVE_SECONDS:
                    spoken = time.monotonic()
                    yield ": keep-alive\n\n"
        finally:
            with self._lock:
                self._open -= 1


def state_text(state: TableState) -> str:
    """Return the event of a state, with its revision for an id."""
    return event_text("state", state.to_json(now=time.time()), event_id=str(state.revision))


def event_text(name: str, body: Any, *, event_id: str = "") -> str:
    """Return one event. JSON has no line breaks, so one ``data`` line is enough."""
    head = f"id: {event_id}\n" if event_id else ""
    return f"{head}event: {name}\ndata: {json.dumps(body, ensure_ascii=False, separators=(',', ':'))}\n\n"
