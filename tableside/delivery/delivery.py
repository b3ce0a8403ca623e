"""Delivery of events to one other program: each once and in order, however often either side fails."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable
from typing import Protocol

from tableside.delivery.outbox import Mark, Outbox
from tableside.errors import ConnectError, EventRefused, StoreError, TablesideError
from tableside.table.kept import Change, Roll, TableState
from tableside.table.messages import ClearTrouble, Message, ShowTrouble
from tableside.table.shown import Event, events_of

_log = logging.getLogger(__name__)

MOST_WAITING = 20_000
"""So many changes wait at most; of a longer outage only the newest are sent. A day of play is about 1000."""
_AT_ONCE = 50
_WAKE_SECONDS = 0.5
_FIRST_RETRY_SECONDS = 1.0
_LAST_RETRY_SECONDS = 60.0
_MOST_RETRY_SECONDS = 3600.0
_LONG_SECONDS = 60.0
_CLOSE_SECONDS = 20.0


class Source(Protocol):
    """The part of the table that a delivery needs."""

    @property
    def state(self) -> TableState: ...
    def wait(self, *, after: int, timeout: float) -> TableState: ...
    def saved_since(self, number: int, *, limit: int) -> list[Change]: ...
    def find_roll(self, roll_id: str) -> Roll | None: ...
    def post(self, message: Message) -> None: ...


class Carrier(Protocol):
    """The way to one other program."""

    def send(self, event: Event) -> None:
        """Send an event and return once the other side has it.

        :raises EventRefused: where it never takes this one. :raises ConnectError: where it is to be tried again.
        """
        ...

    def rest(self) -> None:
        """Do what is to be done now and then; called about twice a second while nothing waits."""
        ...

    def close(self) -> None:
        """Give everything back. A ``send`` on another thread ends with a :class:`ConnectError`."""
        ...


def grown_seconds(tries: int, *, most: float) -> float:
    """Return how long to wait after so many tries in vain: twice as long each time, and not all tables at once."""
    return min(most, _FIRST_RETRY_SECONDS * 2.0 ** min(tries, 10)) * random.uniform(0.8, 1.2)


class Delivery:
    """Sends what happens at the table through a carrier, on a thread of its own, until it is closed.

    An event counts as sent once the other side has said so and the mark is on disk. Between the two a kill leads to the
    same event being sent once more with the same id, by which the other side knows it: at least once on the wire, once
    in effect. A connection that is new begins with what happens from then on.

    :param name: of the connection, also the part that its trouble is shown under.
    """

    def __init__(
        self,
        name: str,
        carrier: Carrier,
        table: Source,
        outbox: Outbox,
        *,
        clock: Callable[[], float] = time.time,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self._name = name
        self._carrier = carrier
        self._table = table
        self._outbox = outbox
        self._clock = clock
        self._most_waiting = most_waiting
        self._stop = threading.Event()
        self._last_error = ""
        self._tries = 0
        self._mark = self._begin()
        self._sent: set[str] = set()  # ids of events of the change after the mark that are sent already
        self._thread = threading.Thread(target=self._run, name=f"tableside {name}", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    @property
    def done(self) -> int:
        """The number of the last change that is done with."""
        return self._mark.number

    def close(self) -> None:
        """Stop sending; what waits is sent after the next start. Closing twice does no harm."""
        self._stop.set()
        self._carrier.close()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_SECONDS)  # a call that hangs ends by its own time limit

    def _begin(self) -> Mark:
        """Return where to go on. The mark of another history, such as one that was read back, is of no use."""
        last = self._table.state.last_change
        newest = Mark(number=last.number, change=last.id) if last else Mark(number=0, change="")
        mark = self._outbox.mark(self._name)
        if mark is None:
            self._outbox.set_mark(self._name, newest)
            return newest
        if mark.number == 0:
            return mark
        found = self._table.saved_since(mark.number - 1, limit=1)
        if found and found[0].number == mark.number and found[0].id == mark.change:
            return mark
        _log.warning("%s: the history is another one; it goes on with what is new", self._name)
        self._outbox.set_mark(self._name, newest)
        return newest

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._go_on()
            except ConnectError as error:
                self._note_failure(error, error.retry_seconds)
            except TablesideError as error:  # the log cannot be read
                self._note_failure(error, None)
            except Exception as error:  # the table must outlive whatever goes wrong here
                _log.exception("the connection %s failed", self._name)
                hint = "It goes on; the log holds the traceback."
                self._note_failure(
                    ConnectError("failed ({=why})", why=type(error).__name__, where=self._name, hint=hint), None
                )

    def _go_on(self) -> None:
        """Send what waits, or wait for something to send."""
        state = self._table.state
        changes: list[Change] = []
        if state.last_number > self._mark.number:
            self._leave_out_oldest(state)
            changes = self._table.saved_since(self._mark.number, limit=_AT_ONCE)
        if not changes:
            self._carrier.rest()
            self._table.wait(after=state.revision, timeout=_WAKE_SECONDS)
            return
        for change in changes:
            events = events_of(change, find_roll=self._table.find_roll)
            for event in events:
                if self._stop.is_set():
                    return
                if event.id not in self._sent:
                    self._send(event)
                    self._sent.add(event.id)
            self._done(Mark(number=change.number, change=change.id), is_kept=bool(events) or change is changes[-1])

    def _leave_out_oldest(self, state: TableState) -> None:
        """Give up what has waited too long behind too much."""
        oldest = state.last_number - self._most_waiting
        if oldest > self._mark.number:
            _log.warning("%s: %d changes are too old to be sent", self._name, oldest - self._mark.number)
            self._mark = Mark(number=oldest, change="")
            self._sent.clear()

    def _send(self, event: Event) -> None:
        try:
            self._carrier.send(event)
        except EventRefused as error:
            _log.warning("%s: event %s is left out: %s", self._name, event.id, error)
        self._tries = 0
        if self._last_error:
            self._last_error = ""
            self._table.post(ClearTrouble(at=self._clock(), part=self._name))

    def _done(self, mark: Mark, *, is_kept: bool) -> None:
        self._mark = mark
        self._sent.clear()
        if is_kept:
            try:
                self._outbox.set_mark(self._name, mark)
            except StoreError as error:  # it goes on by memory: after a restart some may come twice
                self._say(error)

    def _note_failure(self, error: TablesideError, retry_seconds: float | None) -> None:
        if self._stop.is_set():
            return
        if retry_seconds is None or retry_seconds >= _LONG_SECONDS:
            self._say(error)  # to be asked to wait for a moment is no trouble
        if retry_seconds is None:
            retry_seconds = grown_seconds(self._tries, most=_LAST_RETRY_SECONDS)
            self._tries += 1
        self._stop.wait(min(retry_seconds, _MOST_RETRY_SECONDS))

    def _say(self, error: TablesideError) -> None:
        """Say it once: the trouble is itself a new state of the table."""
        if str(error) == self._last_error:
            return
        self._last_error = str(error)
        _log.warning("%s: %s", self._name, error)
        trouble = ShowTrouble.of(error, part=self._name, at=self._clock())
        self._table.post(trouble)
