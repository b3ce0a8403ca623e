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
from tableside.table.messages import ChangeDestiny, Do, ShowTrouble
from tableside.table.state import Side, TableState

_log = logging.getLogger(__name__)

_SIDES = {"flip_light": Side.LIGHT, "flip_dark": Side.DARK}


class TablePins:
    """What hangs on the pins. Where there are none, the table is told so and runs on.

    :ivar panel: what a page may draw; it is empty unless the pins are mock ones.
    """

    def __init__(self, settings: PinSettings, table: Posts, *, clock: Callable[[], float] = time.time) -> None:
        self._table = table
        self._clock = clock
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
            lamps = Lamps(factory, light=settings.light, dark=settings.dark, result=settings.result)
            taken.callback(lamps.close)
            wires = {"flip_light": settings.flip_light, "flip_dark": settings.flip_dark}
            buttons = Buttons(factory, pins=wires, when_pressed=self._pressed, bounce_seconds=settings.bounce_seconds)
            taken.callback(buttons.close)
            if are_drawn(factory):
                self.panel = Panel(
                    factory, light=settings.light, dark=settings.dark, result=settings.result, buttons=wires
                )
                taken.callback(self.panel.close)
            self._lamps = lamps
            undo.push(taken.pop_all())

    def _pressed(self, name: str) -> None:
        """Post the flip; this runs on the thread of the pins."""
        change = ChangeDestiny(id=str(uuid.uuid4()), at=self._clock(), do=Do.SPEND, side=_SIDES[name], by="the table")
        self._table.post(change)

    def _say(self, error: PinError) -> None:
        self._table.post(
            ShowTrouble(at=self._clock(), part="pins", what=error.what, where=error.where, hint=error.hint)
        )
