"""One running table: parts are taken in order and given back in reverse."""

from __future__ import annotations

import logging
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tableside import paths
from tableside.adapters.camera import Camera
from tableside.adapters.gpio import Panel
from tableside.app.cameras import camera_for
from tableside.app.live import LiveTray
from tableside.app.pictures import RollPictures
from tableside.app.pins import TablePins
from tableside.app.reading import Reads, installed_sets, open_reader
from tableside.config import Settings
from tableside.errors import StoreError
from tableside.rules import find_game, game_for
from tableside.table import Shower, Store, System, Table
from tableside.vision.settle import SettleRules

_log = logging.getLogger(__name__)
_PICTURES = "pictures"


class RunningTable:
    """A table at work until it is closed: store, table, lamps and buttons, then the camera.

    :param reader: reads in place of the networks.
    :param camera: looks at the tray in place of the camera of the settings.
    :raises TablesideError: when a part that is needed is missing; what was taken is given back.
    """

    def __init__(
        self, settings: Settings, *, store: Store, reader: Reads | None = None, camera: Camera | None = None
    ) -> None:
        self._stop = threading.Event()
        data = paths.data_folder(settings.table.data)
        with ExitStack() as undo:
            undo.callback(store.close)
            sets = installed_sets(settings.reader.sets, data)
            if settings.table.game:
                find_game(settings.table.game)
            system = System(
                sets=installed_sets((), data), find_game=find_game, game_for=game_for, game=settings.table.game
            )
            self._camera = camera or camera_for(settings.camera, wait=self._stop.wait)
            reader = reader or open_reader(sets)
            # the clock is ahead of the count of states shown, so that displays of an earlier run take ours for newer
            self.table = Table(store, system, revision=int(time.time() * 1000))
            undo.callback(self.table.close)
            self.pictures = RollPictures(data / _PICTURES, kept=settings.table.pictures_kept)
            self._pins = TablePins(settings.pins, self.table)
            undo.callback(self._pins.close)
            undo.callback(Shower(self.table, self._pins, name="lamps").close)
            self._tray = LiveTray(
                self._camera,
                reader,
                self.table,
                keep_picture=self.pictures.keep,
                rules=SettleRules(dwell_seconds=settings.settle.dwell_seconds),
                retry_seconds=settings.camera.retry_seconds,
                stop=self._stop,
            )
            undo.callback(self._tray.close)
            self._undo = undo.pop_all()

    @property
    def panel(self) -> Panel:
        """What a page may draw of the pins."""
        return self._pins.panel

    def start(self) -> None:
        """Begin to watch the tray."""
        self._tray.start()

    def close(self) -> None:
        """Stop, newest part first. Closing twice does no harm."""
        self._stop.set()
        self._undo.close()


def prepare_data(folder: Path) -> Path:
    """Make the data folder and check that it can be written to.

    :raises StoreError: when it cannot.
    """
    probe = folder / ".writable"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        hint = "Choose another folder with --data or TABLESIDE_DATA."
        raise StoreError(f"cannot be written to ({error.strerror})", where=str(folder), hint=hint) from error
    return folder


def open_page(address: str) -> None:
    """Open the page in the user's browser, on a thread of its own: some browsers return only when they end."""
    threading.Thread(target=_open_page, args=(address,), name="tableside browser", daemon=True).start()


def _open_page(address: str) -> None:
    try:
        webbrowser.open(address)
    except Exception:  # no browser is no reason to stop
        _log.exception("no browser could be opened")


Announce = Callable[[str], None]
