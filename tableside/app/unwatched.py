"""A table without a camera: what stands in the place of the tray's loop and of its set-up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from tableside.app.live import Posts
from tableside.errors import CameraError
from tableside.table.kept import Phase
from tableside.table.messages import ShowPhase
from tableside.tray.frame import Frame
from tableside.tray.region import Region

_BEAT_SECONDS = 1.0


class UnwatchedTray:
    """A tray that nobody watches: dice are entered by hand. It gives the watchdog's beat, as the tray's loop does.

    :param beat: called as long as all goes on, for a watchdog.
    """

    def __init__(self, table: Posts, *, stop: threading.Event, beat: Callable[[], object] = lambda: None) -> None:
        self._table = table
        self._stop = stop
        self._beat = beat
        self._thread = threading.Thread(target=self._run, name="tableside tray", daemon=True)
        self.last_frame: Frame | None = None

    def start(self) -> None:
        """Tell the table that dice are entered by hand."""
        self._table.post(ShowPhase(at=time.time(), phase=Phase.BY_HAND))
        self._thread.start()

    def read_again(self) -> bool:
        """There is nothing that could be read."""
        return False

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        self._beat()
        while not self._stop.wait(_BEAT_SECONDS):
            self._beat()


class NoSetup:
    """The set-up of a camera that is switched off: there is nothing to see and nothing to do."""

    def now(self) -> dict[str, Any]:
        none = dict.fromkeys(("camera", "meters", "found", "made", "card", "throws_advice"))
        return none | {"moving": False, "proofs": [], "throws": []}

    def picture(self) -> NoReturn:
        raise _switched_off()

    def adjust(self) -> NoReturn:
        raise _switched_off()

    def save(self, corners: Region | None) -> NoReturn:  # noqa: ARG002 - as the real one is called
        raise _switched_off()


def _switched_off() -> CameraError:
    hint = 'Dice are entered by hand. Set [camera] kind = "auto" to use a camera.'
    return CameraError("is switched off in the settings", where="camera", hint=hint)
