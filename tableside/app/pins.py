"""Lamps, buttons and the drawn panel of one table, taken together and given back together."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack

from tableside.adapters.gpio import Buttons, Lamps, Panel, are_drawn, open_pins
from tableside.app.live import Posts
from tableside.config import PinSettings
from tableside.errors import PinError
from tableside.table.messages import ChangeDestiny, ClearTrouble, Do, ShowTrouble, Undo
from tableside.table.state import Side, TableState

_log = logging.getLogger(__name__)

_BY = "the table"
_SIDES = {"flip_light": Side.LIGHT, "flip_dark": Side.DARK}


class TablePins:
    """What hangs on the pins. Where there are none, the table is told so and runs on.

    :ivar panel: what a page may draw; it is empty unless the pins are mock ones.
    """

    def __init__(
        self, settings: PinSettings, table: Posts, *, read_again: Callable[[], None] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._table = table
        self._clock = clock
        self._read_again = read_again
        self._lamps: Lamps | None = None
        self._lock = threading.Lock()
        self.panel = Panel()
        with ExitStack() as undo:
            try:
                self._take(settings, undo)
            except PinError as error:
                self._say(error)
            except Exception as error:  # gpiozero and lgpio raise many kinds; whatever it is, the table runs on
                _log.exception("the pins cannot be used")
                hint = "Is another program using them? `tableside doctor` tells more."
                self._say(PinError(f"cannot be used ({error})", where="pins", hint=hint))
            self._undo = undo.pop_all()

    def show(self, state: TableState) -> None:
        """Show this state on the lamps."""
        with self._lock:
            if self._lamps is not None:
                self._lamps.show(state)

    def close(self) -> None:
        """Put the lamps out and give the pins back; states that still come are not shown."""
        with self._lock:
            self._lamps = None
        self._undo.close()

    def _take(self, settings: PinSettings, undo: ExitStack) -> None:
        with ExitStack() as taken:
            factory = open_pins(settings.factory)
            taken.callback(factory.close)
            wired = {name: getattr(settings, name) for name in ("light", "dark", "result", "pool", "status")}
            lamps = Lamps(factory, **wired)
            taken.callback(lamps.close)
            wires = {name: getattr(settings, name) for name in (*_SIDES, "undo", "read_again")}
            buttons = Buttons(
                factory, pins=wires, when_pressed=self._pressed, bounce_seconds=settings.bounce_seconds,
                held=("undo",), hold_seconds=settings.hold_seconds, when_stuck=self._stuck, when_freed=self._freed,
            )  # fmt: skip
            taken.callback(buttons.close)
            if are_drawn(factory):
                self.panel = Panel(factory, buttons=wires, **wired)
                taken.callback(self.panel.close)
            self._lamps = lamps
            undo.push(taken.pop_all())

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
        self._say(PinError(what, where=f"[pins] {name}", hint=hint))

    def _freed(self, _name: str) -> None:
        self._table.post(ClearTrouble(at=self._clock(), part="pins"))

    def _say(self, error: PinError) -> None:
        self._table.post(
            ShowTrouble(at=self._clock(), part="pins", what=error.what, where=error.where, hint=error.hint)
        )
