"""Displays: each sees the newest state, on a thread of its own, and none can delay the table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Protocol

from tableside.table.kept import TableState
from tableside.table.messages import ClearTrouble, Message, ShowTrouble
from tableside.words import say

_log = logging.getLogger(__name__)


class Display(Protocol):
    """Anything that can show a state: lamps, a page, a log."""

    def show(self, state: TableState) -> None:
        """Show this state, whatever was shown before."""
        ...


class DisplayThread:
    """A mailbox that holds only the newest state, and the thread that shows it."""

    def __init__(
        self, name: str, display: Display, *, post: Callable[[Message], None], clock: Callable[[], float]
    ) -> None:
        self._name = name
        self._display = display
        self._post = post
        self._clock = clock
        self._changed = threading.Condition()
        self._newest: TableState | None = None
        self._is_closed = False
        self._failure = ""
        self._thread = threading.Thread(target=self._run, name=f"tableside display {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def put(self, state: TableState) -> None:
        """Replace what is in the mailbox. It never blocks."""
        with self._changed:
            self._newest = state
            self._changed.notify()

    def close(self) -> None:
        """Show what is in the mailbox, then stop."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest is not None or self._is_closed)
                state, self._newest = self._newest, None
            if state is None:
                return
            self._show(state)

    def _show(self, state: TableState) -> None:
        try:
            self._display.show(state)
        except Exception as error:  # a display that fails must not end, nor stop the others
            if str(error) != self._failure:
                # said once: the trouble is itself a new state, which will fail again
                self._failure = str(error) or type(error).__name__
                _log.exception("the display %s failed", self._name)
                hint = "It is tried again with the next state; the log holds the traceback."
                self._post(
                    ShowTrouble(
                        at=self._clock(),
                        part=self._name,
                        what=say("failed ({=why})", why=type(error).__name__),
                        where=self._name,
                        hint=hint,
                    )
                )
        else:
            if self._failure:
                self._failure = ""
                self._post(ClearTrouble(at=self._clock(), part=self._name))
