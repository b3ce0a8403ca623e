"""Lamps, buttons and the drawn panel of one table, taken together and given back together."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack

from tableside.adapters.gpio import BusyPin, Buttons, Lamps, Panel, all_busy, are_drawn, open_pins
from tableside.app.live import Posts
from tableside.config import BUTTONS, LAMPS, PinSettings
from tableside.errors import PinError
from tableside.table.messages import ChangeDestiny, ClearTrouble, Do, ShowTrouble, Undo
from tableside.table.state import Side, TableState

_log = logging.getLogger(__name__)

_RETRY_SECONDS = 5.0
_BY = "the table"
_SIDES = {"flip_light": Side.LIGHT, "flip_dark": Side.DARK}


class TablePins:
    """What hangs on the pins. Where there are none, the table is told so and runs on.

    A pin that somebody else has takes nothing but its own lamp or button away; it is tried again until it can be had.
    Pins that are switched off in the settings are no trouble.

    :param retry_seconds: pause before what cannot be had is tried again.
    :ivar panel: what a page may draw; it is empty unless the pins are mock ones.
    """

    def __init__(
        self, settings: PinSettings, table: Posts, *, read_again: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.time, retry_seconds: float = _RETRY_SECONDS,
    ) -> None:  # fmt: skip
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
        self._told: PinError | None = None
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
                others = "The other lamps and buttons work; this" if len(busy) < len(self._settings.wires()) else "This"
                missing = all_busy(busy, then=f"{others} is tried again.")
        except PinError as error:
            missing = error
        except Exception as error:  # gpiozero and lgpio raise many kinds; whatever it is, the table runs on
            if self._missing is None:  # once, not with each try
                _log.exception("the pins cannot be used")
            hint = "Is another program using them? `tableside doctor` tells more. They are tried again."
            missing = PinError(f"cannot be used ({error})", where="pins", hint=hint)
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
            wired = {name: getattr(settings, name) for name in LAMPS}
            lamps = Lamps(factory, **wired, rgb_shares=settings.rgb_shares)
            taken.callback(lamps.close)
            wires = {name: getattr(settings, name) for name in BUTTONS}
            buttons = Buttons(
                factory, pins=wires, when_pressed=self._pressed, bounce_seconds=settings.bounce_seconds,
                held=("undo",), hold_seconds=settings.hold_seconds, when_stuck=self._stuck, when_freed=self._freed,
            )  # fmt: skip
            taken.callback(buttons.close)
            if are_drawn(factory):
                self.panel = Panel(factory, buttons=wires, **wired, rgb_shares=settings.rgb_shares)
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

    def _pressed(self, name: str) -> None:
        """Post what the button means; this runs on the thread of the pins."""
        now, change_id = self._clock(), str(uuid.uuid4())
        if name in _SIDES:
            self._table.post(ChangeDestiny(id=change_id, at=now, do=Do.SPEND, side=_SIDES[name], by=_BY))
        elif name == "undo":
            self._table.post(Undo(id=change_id, at=now, by=_BY, only_open=True))
        elif self._read_again is not None:
            self._read_again()

    def _stuck(self, name: str) -> None:
        hint = "Let it go, or see what lies on it; it counted once."
        what = f"the button {name} stays pressed"
        with self._lock:
            self._stuck_buttons[name] = PinError(what, where=f"[pins] {name}", hint=hint)
        self._tell()

    def _freed(self, name: str) -> None:
        with self._lock:
            self._stuck_buttons.pop(name, None)
        self._tell()

    def _tell(self) -> None:
        """Tell the table what is wrong with the pins now, where that is news: a stuck button before what is missing."""
        with self._lock:
            wrong = next(iter(self._stuck_buttons.values()), self._missing)
            if str(wrong) == str(self._told):
                return
            self._told = wrong
            if wrong is None:
                self._table.post(ClearTrouble(at=self._clock(), part="pins"))
                return
            _log.warning("%s", wrong)
            self._table.post(
                ShowTrouble(at=self._clock(), part="pins", what=wrong.what, where=wrong.where, hint=wrong.hint)
            )
