"""Run a table until somebody stops it."""

from __future__ import annotations

import logging
import signal
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from types import FrameType

from tableside import paths
from tableside.app.history import open_history
from tableside.app.table import RunningTable
from tableside.config import Settings
from tableside.table import Message
from tableside.table.messages import ShowTrouble
from tableside.table.table import STORE

_log = logging.getLogger(__name__)


def serve(
    settings: Settings, *, announce: Callable[[str], None], open_browser: bool, opening: Message | None = None
) -> None:
    """Run a table until Ctrl-C or a request to end.

    :param opening: is told to a table on which nothing has happened yet.
    :param announce: is told where the page is.
    :raises TablesideError: when a part that is needed is missing.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("waitress").setLevel(logging.ERROR)  # a busy moment is no news
    data = paths.data_folder(settings.table.data)
    store, trouble = open_history(data)
    with stop_asked() as stop, closing(RunningTable(settings, store=store)) as running:
        if trouble is not None:
            running.table.post(
                ShowTrouble(at=time.time(), part=STORE, what=trouble.what, where=trouble.where, hint=trouble.hint)
            )
        if opening is not None and not running.table.state.changes:
            running.table.post(opening)
        running.start()
        announce(f"The table is at {running.address} (Ctrl-C stops it; its history is in {data})")
        if running.network_address:
            announce(f"Phones find it at {running.network_address}/player")
        if open_browser:
            open_page(running.address)
        stop.wait()
        announce("Stopping.")


@contextmanager
def stop_asked() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C or a request to end sets."""
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def open_page(address: str) -> None:
    """Open the page in the user's browser, on a thread of its own: some browsers return only when they end."""
    threading.Thread(target=_open_page, args=(address,), name="browser", daemon=True).start()


def _open_page(address: str) -> None:
    try:
        webbrowser.open(address)
    except Exception:  # no browser is no reason to stop
        _log.exception("no browser could be opened")
