"""Lamps, buttons and the drawn panel of one table, taken together and given back together."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from tableside.adapters.gpio.buttons import Buttons
from tableside.adapters.gpio.factory import BusyPin, all_busy, are_drawn, is_board, open_pins
from tableside.adapters.gpio.lamps import RGB_SHARES, Lamps
from tableside.adapters.gpio.panel import Panel
from tableside.adapters.gpio.parts import BUTTONS
from tableside.app.live import Posts
from tableside.config import PinSettings
from tableside.errors import PinError
from tableside.table.kept import TableState
from tableside.table.messages import ClearTrouble, Message, ShowTrouble
from tableside.words import say

_log = logging.getLogger(__name__)

_RETRY_SECONDS = 5.0
_BY = "the table"
_DOES = {button.name: button.does for button in BUTTONS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """One press of a button at this table."""

    id: str
    at: float
    by: str
    post: Callable[[Message], None]
    read_again: Callable[[], object]


class TablePins:
    """What hangs on the pins. Where there are none, the table is told so and runs on.

    A pin that somebody else has takes nothing but its own lamp or button away; it is tried again until it can be had.
    Pins that are switched off in the settings are no trouble.

    :param retry_seconds: pause before what cannot be had is tried again.
    :ivar panel: what a page may draw; it is empty unless the pins are mock ones.
    """

    def __init__(
        self,
        settings: PinSettings,
        table: Posts,
        *,
        read_again: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.time,
        retry_seconds: float = _RETRY_SECONDS,
    ) -> None:
        self._settings = settings
        self._table = table
        self._clock = clock
        self._read_again = read_again
        self._lamps: Lamps | None = None
        self._buttons: Buttons | None = None
        self._state: TableState | None = None
        self._undo = ExitStack()
        self._lock = threading.Lock()
        self._missing: PinError | None = None
        self._stuck_buttons: dict[str, PinError] = {}
        self._last_error: PinError | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.panel = Panel()
        if settings.factory != "none" and not self._take():
            self._thread = threading.Thread(
                target=self._try_again, args=(retry_seconds,), name="tableside pins", daemon=True
            )
            self._thread.start()

    def show(self, state: TableState) -> None:
        """Show this state on the lamps."""
        with self._lock:
            self._state = state
            if self._lamps is not None:
                self._lamps.show(state)

    def close(self) -> None:
        """Put the lamps out and give the pins back; states that still come are not shown."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        with self._lock:
            self._lamps = None
        self._undo.close()

    def _try_again(self, seconds: float) -> None:
        while not self._stop.wait(seconds):
            if self._take():
                return

    def _take(self) -> bool:
        """Take what is not had yet, say what cannot be had, and return whether all is had now."""
        missing: PinError | None = None
        try:
            if self._lamps is None or self._buttons is None:
                self._open()
            busy = self._take_again()
            if busy:
                then = "The other lamps and buttons work; this is tried again."
                if len(busy) == len(self._settings.wires()):
                    then = "This is tried again."
                missing = all_busy(busy, then=then)
        except PinError as error:
            # on a laptop nobody misses pins that nobody named
            missing = error if is_board() or self._settings != PinSettings() else None
        except Exception as error:  # gpiozero and lgpio raise many kinds; whatever it is, the table runs on
            if self._missing is None:  # once, not with each try
                _log.exception("the pins cannot be used")
            hint = "Is another program using them? `tableside doctor` tells more. They are tried again."
            missing = PinError("cannot be used ({=why})", why=error, where="pins", hint=hint)
        with self._lock:
            self._missing = missing
        self._tell()
        return missing is None

    def _open(self) -> None:
        """Open the pins; what the settings name and nobody else has is had afterwards."""
        settings = self._settings
        with ExitStack() as taken:
            factory = open_pins(settings.factory)
            taken.callback(factory.close)
            pins = settings.pins()
            lamps = Lamps(factory, pins=pins, rgb_shares=RGB_SHARES)
            taken.callback(lamps.close)
            buttons = Buttons(
                factory,
                pins=pins,
                when_pressed=self._when_pressed,
                hold_seconds=settings.hold_seconds,
                when_stuck=self._stuck,
                when_freed=self._when_freed,
            )
            taken.callback(buttons.close)
            if are_drawn(factory):
                self.panel = Panel(factory, pins=pins, rgb_shares=RGB_SHARES)
                taken.callback(self.panel.close)
            with self._lock:
                self._lamps, self._buttons = lamps, buttons
            self._undo.push(taken.pop_all())

    def _take_again(self) -> tuple[BusyPin, ...]:
        """Take lamps and buttons that are not had yet, have them show the state, and return what is missing."""
        with self._lock:
            if self._lamps is None or self._buttons is None:
                return ()
            busy = (*self._lamps.take(), *self._buttons.take())
            if self._state is not None:
                self._lamps.show(self._state)
            return busy

    def _when_pressed(self, name: str) -> None:
        """Do what the button's row says; this runs on a thread of the pins."""
        press = Press(
            id=str(uuid.uuid4()), at=self._clock(), by=_BY, post=self._table.post, read_again=self._read_again
        )
        _DOES[name](press)

    def _stuck(self, name: str) -> None:
        hint = "Let it go, or see what lies on it; it counted once."
        what = say("the button {=name} stays pressed", name=name)
        with self._lock:
            self._stuck_buttons[name] = PinError(what, where=f"[pins] {name}", hint=hint)
        self._tell()

    def _when_freed(self, name: str) -> None:
        with self._lock:
            self._stuck_buttons.pop(name, None)
        self._tell()

    def _tell(self) -> None:
        """Tell the table what is wrong with the pins now, where that is news: a stuck button before what is missing."""
        with self._lock:
            wrong = next(iter(self._stuck_buttons.values()), self._missing)
            if str(wrong) == str(self._last_error):
                return
            self._last_error = wrong
            if wrong is None:
                self._table.post(ClearTrouble(at=self._clock(), part="pins"))
                return
            _log.warning("%s", wrong)
            self._table.post(ShowTrouble.of(wrong, part="pins", at=self._clock()))
