"""The connections of one table to other programs, as the settings ask for them; none by default."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from tableside.adapters.connect import BrokerAddress, Delivery, Discord, Hall, MqttTable, Outbox, Webhook
from tableside.config import MqttSettings, Settings
from tableside.errors import StoreError, TablesideError
from tableside.table import Table
from tableside.table.messages import ShowTrouble

_log = logging.getLogger(__name__)

MARKS_NAME = "connections.sqlite"
_OUTBOX = "outbox"


def table_name(settings: Settings) -> str:
    """Return what others call this table: as set, or the machine's name."""
    return settings.table.name or socket.gethostname()[:40] or "table"


def broker_address(settings: MqttSettings) -> BrokerAddress | None:
    """Return where the broker is, ``None`` where there is none."""
    if not settings.host:
        return None
    return BrokerAddress(
        host=settings.host,
        port=settings.port,
        username=settings.username,
        password=settings.password,
        tls=settings.tls,
        ca_file=settings.ca_file,
    )


class Connections:
    """Everything that this table tells to other programs, until it is closed. Nothing is sent before it is started.

    A connection that cannot be made is shown as trouble; the table goes on without it.

    :param url: where phones find the table, if they can.
    :ivar hall: all tables of the broker, ``None`` where none is set.
    """

    def __init__(
        self, settings: Settings, table: Table, *, data: Path, url: Callable[[], str | None] = lambda: None
    ) -> None:
        self._table = table
        self._starts: list[Callable[[], None]] = []
        self._undo = ExitStack()
        self.hall: Hall | None = None
        name = table_name(settings)
        if not (settings.mqtt.host or settings.discord.webhook or settings.webhook.url):
            return
        outbox = self._outbox(data)
        self._undo.callback(outbox.close)
        address = broker_address(settings.mqtt)
        if address is not None:
            self.hall = Hall(address, topic=settings.mqtt.topic, own=name)
            self._undo.callback(self.hall.close)
            self._try("mqtt", lambda: self._mqtt(address, settings.mqtt, name, outbox, url))
        if settings.webhook.url:
            self._try("webhook", lambda: self._webhook(settings, name, outbox))
        if settings.discord.webhook:
            self._try("discord", lambda: self._discord(settings, name, outbox))

    def start(self) -> None:
        """Begin to connect and to send."""
        for start in self._starts:
            start()

    def close(self) -> None:
        """End every connection; what waits is sent after the next start. Closing twice does no harm."""
        self._undo.close()

    def _mqtt(
        self, address: BrokerAddress, settings: MqttSettings, name: str, outbox: Outbox, url: Callable[[], str | None]
    ) -> None:
        mqtt = MqttTable(
            address, self._table, name=name, topic=settings.topic, discovery=settings.discovery,
            commands=settings.commands, url=url,
        )  # fmt: skip
        self._table.add_display("mqtt display", mqtt)
        self._starts.append(mqtt.start)
        self._add(Delivery("mqtt", mqtt, self._table, outbox, says_trouble=False))

    def _webhook(self, settings: Settings, name: str, outbox: Outbox) -> None:
        carrier = Webhook(settings.webhook.url, secret=settings.webhook.secret, table=name)
        self._add(Delivery("webhook", carrier, self._table, outbox))

    def _discord(self, settings: Settings, name: str, outbox: Outbox) -> None:
        carrier = Discord(settings.discord.webhook, table=name, outbox=outbox, tells_pool=settings.discord.destiny)
        self._add(Delivery("discord", carrier, self._table, outbox))

    def _add(self, delivery: Delivery) -> None:
        self._undo.callback(delivery.close)
        self._starts.append(delivery.start)

    def _outbox(self, data: Path) -> Outbox:
        """Open the marks. Where that fails, what is new is sent all the same, but nothing is made up for later."""
        try:
            return Outbox(data / MARKS_NAME)
        except StoreError as error:
            self._say(_OUTBOX, error)
            return Outbox(None)

    def _try(self, part: str, make: Callable[[], None]) -> None:
        try:
            make()
        except TablesideError as error:
            self._say(part, error)

    def _say(self, part: str, error: TablesideError) -> None:
        _log.warning("%s: %s", part, error)
        self._table.post(ShowTrouble(at=time.time(), part=part, what=error.what, where=error.where, hint=error.hint))
