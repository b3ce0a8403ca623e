"""Run a table until somebody stops it."""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager

from tableside import paths
from tableside.app.camera_choice import has_none
from tableside.app.demo import Demo
from tableside.app.history import open_history
from tableside.app.running_table import RunningTable
from tableside.app.watchdog import Watchdog
from tableside.config import Settings
from tableside.errors import HistoryDamaged
from tableside.table import Message
from tableside.table.kept import HISTORY, kept_troubles
from tableside.table.messages import ShowTrouble
from tableside.table.table import STORE

_log = logging.getLogger(__name__)
_M_ARENA_MAX = -8  # glibc's malloc.h


def serve(
    settings: Settings,
    *,
    announce: Callable[[str], None],
    open_browser: bool,
    opening: Sequence[Message] = (),
    demo: Demo | None = None,
) -> None:
    """Run a table until Ctrl-C or a request to end.

    :param demo: throws recorded rolls in place of a camera.
    :param opening: are told to a table on which nothing has happened yet.
    :param announce: is told where the page is.
    :raises TablesideError: when a part that is needed is missing.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("tornado").setLevel(logging.ERROR)  # a request that is none is no news
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_ARENA_MAX, 1)  # a pool of its own for each thread keeps what any picture once took
    data = paths.data_folder(settings.table.data)
    watchdog = Watchdog()
    store, troubles = open_history(data, when_working=watchdog.working)
    with (
        stop_asked() as wait_for_stop,
        closing(RunningTable(settings, store=store, demo=demo, beat=watchdog.beat)) as running,
    ):
        kept = {str(trouble) for trouble in kept_troubles(data)}
        for words in dict.fromkeys([*map(str, troubles), *kept]):
            announce(f"Note: {words}")
        for trouble in troubles:
            if str(trouble) not in kept:
                part = HISTORY if isinstance(trouble, HistoryDamaged) else STORE
                running.table.post(ShowTrouble.of(trouble, part=part, at=time.time()))
        if not running.table.state.changes:
            for message in opening:
                running.table.post(message)

        def listening() -> None:
            announce(f"The table is at {running.address} (Ctrl-C stops it; its history is in {data})")
            if running.network_address:
                announce(f"Phones find it at {running.network_address}/player")
            if open_browser:
                open_page(running.address)
            watchdog.ready(f"The table is at {running.address}")

        if demo is None and has_none(settings.camera):
            announce("No camera was found: enter dice by hand on the page, or use a phone for one, see docs/camera.md")
        running.start(when_listening=listening)
        watchdog.ready()  # camera and lamps work, also where the address of the pages comes later
        wait_for_stop()
        watchdog.stopping()
        announce("Stopping.")


@contextmanager
def stop_asked() -> Iterator[Callable[[], None]]:
    """Yield what returns once Ctrl-C or a request to end has come, be it before or while one waits.

    A handler in Python runs on the thread that waits, at any moment: an event's lock, which that thread may just hold,
    would stop both for ever. So the interpreter itself writes a byte for each signal into a pipe.
    """
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    woken = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}

    def wait() -> None:
        os.read(read_end, 1)

    try:
        yield wait
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(woken)
        os.close(read_end)
        os.close(write_end)


def open_page(address: str) -> None:
    """Open the page in the user's browser, on a thread of its own: some browsers return only when they end."""
    threading.Thread(target=_open_page, args=(address,), name="browser", daemon=True).start()


def _open_page(address: str) -> None:
    try:
        webbrowser.open(address)
    except Exception:  # no browser is no reason to stop
        _log.exception("no browser could be opened")
