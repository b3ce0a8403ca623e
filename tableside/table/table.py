"""The table: the only owner of its state. One inbox, one writer."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from queue import SimpleQueue
from typing import TypeAlias

from tableside.dice import DiceSet
from tableside.errors import StoreError, TableError, TablesideError
from tableside.table.acts import fold, step
from tableside.table.display import Display, DisplayThread
from tableside.table.kept import Change, Roll, Store, TableState
from tableside.table.messages import ClearTrouble, Message, Passing, ShowTrouble
from tableside.table.now import with_now
from tableside.table.shown import Counts
from tableside.table.system import System
from tableside.words import say

_log = logging.getLogger(__name__)

STORE = "store"
CHANGE = "change"
_REVISIONS = 1000  # reserved at a time, so that a phase costs no write
_MOST_REVISIONS_A_SECOND = 100  # more than any evening had over its whole length
_MOST_UNSAVED = 2000  # changes kept in memory while the disk takes none
_RETRY_SECONDS = 2.0
_Item: TypeAlias = "tuple[Message, Future[TableState] | None]"


class Table:
    """Follows messages one at a time and shows every new state.

    What is asked is on disk before it is answered. What is posted is followed even while the disk takes nothing:
    it is then kept in memory, said as trouble, and put on disk as soon as that is possible.

    :param store: closed by the table.
    :raises StoreError: where the log cannot be read.
    """

    def __init__(self, system: System, store: Store, *, clock: Callable[[], float] = time.time) -> None:
        self._system = system
        self._store = store
        self._clock = clock
        self._unsaved: list[Change] = []
        self._tried = 0.0
        self._reserved = store.reserved()
        self._inbox: SimpleQueue[_Item | None] = SimpleQueue()
        self._shown = threading.Condition()
        self._displays: list[DisplayThread] = []
        self._is_closed = False
        self._counts = Counts()
        state = fold(TableState(), self._counts.following(store.changes()), system)
        # Revisions go on where they may have ended. By the clock they also differ from those of another history, as of
        # an older backup or of the demo before: no display takes an old state for a new one.
        by_clock = int(clock() * _MOST_REVISIONS_A_SECOND)
        state = replace(state, revision=max(self._reserved, state.last_number, by_clock) + 1)
        self._state = self._with_now(state, state)
        if (error := self._reserve()) is not None:  # such as on a disk that was full before
            self._say(STORE, error)
        self._writer = threading.Thread(target=self._run, name="tableside table", daemon=True)
        self._writer.start()

    @property
    def state(self) -> TableState:
        return self._state

    @property
    def is_alive(self) -> bool:
        return self._writer.is_alive() and not self._is_closed

    @property
    def system(self) -> System:
        return self._system

    def use_sets(self, sets: tuple[DiceSet, ...]) -> None:
        """Know these dice from the next message on."""
        self._system = replace(self._system, sets=sets)

    def counts(self) -> Counts:
        """Return how often each face was thrown, as of now."""
        with self._shown:
            return self._counts.copy()

    def history(self, *, before: int, limit: int) -> list[Change]:
        """Return changes of lower numbers, newest first, those in memory included.

        :raises StoreError: where the log cannot be read.
        """
        unsaved = [change for change in reversed(self._unsaved) if change.number < before][:limit]
        return unsaved + self._store.page(before=before, limit=limit - len(unsaved))

    def saved_since(self, number: int, *, limit: int) -> list[Change]:
        """Return changes of higher numbers that are on disk, oldest first.

        :raises StoreError: where the log cannot be read.
        """
        return self._store.since(number, limit=limit)

    def find_roll(self, roll_id: str) -> Roll | None:
        """Return a roll of any age as it is now; ``None`` where there is none or it was taken back."""
        roll = self._state.find_roll(roll_id)
        if roll is not None:
            return roll
        changes = self._store.of_roll(roll_id)
        return changes[-1].after.rolls_by_id.get(roll_id) if changes else None

    def has_followed(self, change_id: str) -> bool:
        """Return whether a change of this id is on disk, be it taken back or not.

        :raises StoreError: where the log cannot be read.
        """
        return self._store.has(change_id)

    def post(self, message: Message) -> None:
        """Leave a message and go on. After closing it is dropped."""
        with self._shown:
            if not self._is_closed:
                self._inbox.put((message, None))

    def ask(self, message: Message, *, timeout: float = 10.0) -> TableState:
        """Leave a message and return the state after it, once it is on disk.

        :raises TablesideError: where the table cannot follow it; nothing was changed then.
        :raises TableError: after ``timeout`` seconds; the change may still come, and the same id counts once.
        """
        reply: Future[TableState] = Future()
        with self._shown:
            if self._is_closed:
                raise TableError("the table is closed", hint="Start tableside again.")
            self._inbox.put((message, reply))
        try:
            return reply.result(timeout)
        except TimeoutError:
            hint = "Send it again with the same id: it counts once."
            raise TableError(
                say("no answer within {=timeout} seconds", timeout=f"{timeout:g}"), where="table", hint=hint
            ) from None

    def wait(self, *, after: int, timeout: float) -> TableState:
        """Return the newest state as soon as its revision exceeds ``after``, or when ``timeout`` seconds are over."""
        with self._shown:
            self._shown.wait_for(lambda: self._state.revision > after or self._is_closed, timeout)
            return self._state

    def add_display(self, name: str, display: Display) -> None:
        """Show every state to ``display`` on a thread of its own; a slow one skips to the newest.

        :param name: the part that its trouble is shown under.
        """
        thread = DisplayThread(name, display, post=self.post, clock=self._clock)
        with self._shown:
            self._displays.append(thread)
            thread.put(self._state)
        thread.start()

    def close(self) -> None:
        """Follow what was left in the inbox, then stop every thread and close the store. Twice is no error."""
        with self._shown:
            is_first = not self._is_closed
            self._is_closed = True
            if is_first:
                self._inbox.put(None)
            self._shown.notify_all()
        self._writer.join()
        if is_first:
            for display in self._displays:
                display.close()
            self._store.close()

    def _run(self) -> None:
        while (item := self._inbox.get()) is not None:
            message, reply = item
            try:
                self._follow(message, is_asked=reply is not None)
            except TablesideError as error:
                if reply is not None:
                    reply.set_exception(error)
                else:
                    _log.warning("refused: %s", error)
                    self._say(CHANGE, error)
            except Exception as error:  # the table must outlive whatever goes wrong here
                _log.exception("the table failed on %s", type(message).__name__)
                # what went wrong may repeat what somebody sent, and all displays show a trouble
                why = type(error).__name__
                trouble = TableError(say("failed ({=why})", why=why), where=type(message).__name__, hint="See the log.")
                self._say(CHANGE, trouble)
                if reply is not None:
                    reply.set_exception(trouble)
            else:
                if reply is not None:
                    reply.set_result(self._state)
        self._save_unsaved(is_last=True)

    def _follow(self, message: Message, *, is_asked: bool) -> None:
        if isinstance(message, Passing):
            self._show(step(self._state, message, self._system))
            self._save_unsaved()
            return
        if self._is_known(message.id, is_asked=is_asked):
            return
        new = step(self._state, message, self._system)
        change = new.last_change
        if change is None or new.last_number == self._state.last_number:
            return
        self._save(change, is_asked=is_asked)
        # trouble may have come or gone while saving
        new = replace(new, trouble=self._state.trouble, revision=self._state.revision + 1)
        with self._shown:
            self._counts.follow(change)
        self._show(step(new, ClearTrouble(at=message.at, part=CHANGE), self._system))

    def _is_known(self, change_id: str, *, is_asked: bool) -> bool:
        if any(change.id == change_id for change in self._unsaved):
            if is_asked:  # it was followed, yet an answer promises that it is on disk
                self._write(())
            return True
        try:
            return self._store.has(change_id)
        except StoreError as error:
            self._say(STORE, error)
            if is_asked:
                raise
            return False

    def _save(self, change: Change, *, is_asked: bool) -> None:
        try:
            self._write((change,))
        except StoreError:
            if is_asked or len(self._unsaved) >= _MOST_UNSAVED:
                raise
            self._unsaved.append(change)

    def _save_unsaved(self, *, is_last: bool = False) -> None:
        is_healthy = all(trouble.part != STORE for trouble in self._state.trouble)
        if not self._unsaved and (is_last or is_healthy):
            return
        if not is_last and time.monotonic() - self._tried < _RETRY_SECONDS:
            return
        self._tried = time.monotonic()
        try:
            self._store.reserve(self._reserved)  # to write nothing succeeds on a full disk, too
            self._write(())
        except StoreError as error:
            if is_last:
                _log.error("%d changes are lost: %s", len(self._unsaved), error)

    def _write(self, changes: tuple[Change, ...]) -> None:
        self._tried = time.monotonic()
        try:
            self._store.append((*self._unsaved, *changes))
        except StoreError as error:
            self._say(STORE, error)
            raise
        self._unsaved.clear()
        self._show(step(self._state, ClearTrouble(at=self._clock(), part=STORE), self._system))

    def _say(self, part: str, error: TablesideError) -> None:
        trouble = ShowTrouble.of(error, part=part, at=self._clock())
        self._show(step(self._state, trouble, self._system))

    def _show(self, new: TableState) -> None:
        if new is self._state:
            return
        new = self._with_now(self._state, new)
        if new.revision >= self._reserved:
            self._reserve(new.revision)
        with self._shown:
            self._state = new
            for display in self._displays:
                display.put(new)
            self._shown.notify_all()

    def _with_now(self, old: TableState, new: TableState) -> TableState:
        try:
            return with_now(old, new, self._system)
        except Exception:  # the table must outlive whatever goes wrong here: what is next stays as it was
            _log.exception("what is next cannot be told")
            return new

    def _reserve(self, revision: int = 0) -> StoreError | None:
        self._reserved = max(revision, self._state.revision) + _REVISIONS
        try:
            self._store.reserve(self._reserved)
        except StoreError as error:  # the table goes on; the next change says the trouble
            _log.warning("cannot reserve revisions: %s", error)
            return error
        return None
