"""The connections of one table to other programs, as the settings ask for them; none by default."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from tableside.config import CONNECTIONS, Settings
from tableside.delivery.connection import Opened, Site
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.errors import StoreError, TablesideError
from tableside.table import Table
from tableside.table.messages import ShowTrouble

_log = logging.getLogger(__name__)

MARKS_NAME = "connections.sqlite"
_OUTBOX = "outbox"


def table_name(settings: Settings) -> str:
    """Return what others call this table: as set, or the machine's name."""
    return settings.table.name or socket.gethostname()[:40] or "table"


class Connections:
    """Everything that this table tells to other programs, until it is closed. Nothing is sent before it is started.

    A connection that cannot be made is shown as trouble; the table goes on without it.

    :param url: where phones find the table, if they can. :param picture: where a roll's photograph is.
    :ivar hall: all tables of a broker, ``None`` where none is set.
    :ivar addresses: Flask blueprints that the web server is to serve, too.
    """

    def __init__(
        self,
        settings: Settings,
        table: Table,
        *,
        data: Path,
        picture: Callable[[str], Path | None],
        url: Callable[[], str | None],
    ) -> None:
        self._table = table
        self._starts: list[Callable[[], None]] = []
        self._undo = ExitStack()
        self.hall: Any = None
        self.addresses: list[Any] = []
        self._outbox = cache(lambda: self._opened_outbox(data))
        site = Site(table=table, name=table_name(settings), url=url, outbox=self._outbox, picture=picture)
        for name, connection in CONNECTIONS.items():
            try:
                self._add(name, connection.begin(settings.section(name), site))
            except TablesideError as error:
                self._say(name, error)

    def start(self) -> None:
        """Begin to connect and to send."""
        for start in self._starts:
            start()

    def close(self) -> None:
        """End every connection; what waits is sent after the next start. Closing twice does no harm."""
        self._undo.close()

    def _add(self, name: str, opened: Opened) -> None:
        self._undo.callback(opened.close)
        self._starts.append(opened.start)
        for part, display in opened.displays.items():
            self._table.add_display(part, display)
        for part, carrier in opened.carriers.items():
            delivery = Delivery(part, carrier, self._table, self._outbox())
            self._undo.callback(delivery.close)
            self._starts.append(delivery.start)
        self.hall = self.hall or opened.hall
        if opened.addresses is not None:
            self.addresses.append(opened.addresses)
        if opened.trouble is not None:
            self._say(name, opened.trouble)

    def _opened_outbox(self, data: Path) -> Outbox:
        """Open the marks. Where that fails, what is new is sent all the same, but nothing is made up for later."""
        try:
            outbox = Outbox(data / MARKS_NAME)
        except StoreError as error:
            self._say(_OUTBOX, error)
            outbox = Outbox(None)
        self._undo.callback(outbox.close)
        return outbox

    def _say(self, part: str, error: TablesideError) -> None:
        _log.warning("%s: %s", part, error)
        self._table.post(ShowTrouble.of(error, part=part, at=time.time()))
