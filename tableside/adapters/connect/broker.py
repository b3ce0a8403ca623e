"""A connection to an MQTT 5 broker that comes back by itself. Everything of paho-mqtt stays in this file."""

from __future__ import annotations

import logging
import ssl
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableside.errors import ConnectError

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

_log = logging.getLogger(__name__)

KEEP_ALIVE_SECONDS = 15
"""A table that vanishes without a word is known to be gone after one and a half of these (MQTT 5, 3.1.2.10)."""
_CONNECT_SECONDS = 5.0
_FIRST_RETRY_SECONDS = 1
_LAST_RETRY_SECONDS = 30
_TAKEN_OVER_RETRY_SECONDS = 60
_TAKEN_OVER = 0x8E  # MQTT 5, 3.14.2.1: another client connected by the same client id
_SHORT_SECONDS, _MANY_SHORT = 5.0, 3
_MOST_ANSWERS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerAddress:
    """Where a broker is and how to get in.

    :ivar port: 0 takes the usual one. :ivar ca_file: trusted in place of the system's certificates.
    """

    host: str
    port: int = 0
    username: str = ""
    password: str = field(default="", repr=False)
    tls: bool = False
    ca_file: Path | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.true_port}"

    @property
    def true_port(self) -> int:
        return self.port or (8883 if self.tls else 1883)


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """A message of the broker.

    :ivar is_retained: the broker kept it; it is not new.
    :ivar seconds_left: until the broker forgets it, ``None`` where it never does.
    """

    topic: str
    payload: bytes
    is_retained: bool
    seconds_left: int | None


class Broker:
    """One connection. Callbacks run on its own thread and must return soon.

    :param will: topic and payload that the broker publishes, retained, once this connection is lost or closed.
    :param when_up: called with each new connection: subscribe and announce there.
    :param when_trouble: called with what is wrong, or with ``None`` once it works.
    :param most_bytes: larger messages are not even sent to us.
    """

    def __init__(
        self, address: BrokerAddress, *, client_id: str, when_up: Callable[[], None],
        when_message: Callable[[Received], None] = lambda _: None,
        when_trouble: Callable[[ConnectError | None], None] = lambda _: None,
        will: tuple[str, bytes] | None = None, most_bytes: int = 65536,
    ) -> None:  # fmt: skip
        self._address = address
        self._when_up = when_up
        self._when_message = when_message
        self._when_trouble = when_trouble
        self._most_bytes = most_bytes
        self._is_up = False
        self._is_closed = False
        self._up_at = 0.0
        self._short = 0
        self._has_will = will is not None
        self._changed = threading.Condition()
        self._answers: OrderedDict[int, str] = OrderedDict()
        self._client = self._made(client_id, will)

    @property
    def is_up(self) -> bool:
        return self._is_up

    def start(self) -> None:
        """Begin to connect, and do so again whenever the connection is lost."""
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        asked: Any = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        asked.MaximumPacketSize = self._most_bytes
        self._client.connect_async(
            self._address.host, self._address.true_port, keepalive=KEEP_ALIVE_SECONDS, properties=asked
        )
        self._client.loop_start()

    def subscribe(self, *topics: str) -> None:
        """Ask for messages of these topics; to be done anew with each connection."""
        self._client.subscribe([(topic, _options()) for topic in topics])

    def unsubscribe(self, *topics: str) -> None:
        self._client.unsubscribe(list(topics))

    def publish(self, topic: str, payload: bytes, *, is_retained: bool = True, expires_seconds: int = 0) -> bool:
        """Publish if there is a connection, and do not wait. Return whether there was one."""
        if not self._is_up:
            return False
        self._client.publish(topic, payload, qos=1, retain=is_retained, properties=_expiring(expires_seconds))
        return True

    def deliver(self, topic: str, payload: bytes) -> None:
        """Publish, and return once the broker has said that it has it, however often it is lost meanwhile.

        paho keeps the message and sends it again with the next connection, so it is never handed over twice here.

        :raises ConnectError: when the connection is closed, or the broker does not want it.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_up or self._is_closed)
            if self._is_closed:
                raise self._closed()
        number = self._client.publish(topic, payload, qos=1).mid
        with self._changed:
            self._changed.wait_for(lambda: number in self._answers or self._is_closed)
            if number not in self._answers:
                raise self._closed()
            refused = self._answers.pop(number)
        if refused:
            hint = f"Let this user write to {topic} (see the broker's access list)."
            raise ConnectError(f"the broker does not take it ({refused})", where=str(self._address), hint=hint)

    def close(self) -> None:
        """Leave, have the broker publish the will, and end the thread. Closing twice does no harm."""
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.reasoncodes import ReasonCode

        with self._changed:
            if self._is_closed:
                return
            self._is_closed = True
            self._changed.notify_all()
        why = "Disconnect with will message" if self._has_will else "Normal disconnection"
        self._client.disconnect(reasoncode=ReasonCode(PacketTypes.DISCONNECT, why))
        self._client.loop_stop()

    def _made(self, client_id: str, will: tuple[str, bytes] | None) -> Client:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTv5)
        client.connect_timeout = _CONNECT_SECONDS
        client.reconnect_delay_set(_FIRST_RETRY_SECONDS, _LAST_RETRY_SECONDS)
        if self._address.username:
            client.username_pw_set(self._address.username, self._address.password or None)
        if self._address.tls:
            try:
                context = ssl.create_default_context(cafile=self._address.ca_file)
            except (OSError, ssl.SSLError) as error:
                hint = "Name a file of certificates in PEM form."
                raise ConnectError(f"cannot be used ({error})", where=str(self._address.ca_file), hint=hint) from error
            client.tls_set_context(context)
        if will is not None:
            client.will_set(will[0], will[1], qos=1, retain=True)
        client.on_connect = self._connected
        client.on_connect_fail = self._not_connected
        client.on_disconnect = self._disconnected
        client.on_publish = self._published
        client.on_message = self._received
        return client

    def _connected(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            hint = "Check [mqtt] username and password, and what the broker lets this user do."
            self._tell(ConnectError(f"the broker refuses ({reason})".lower(), where=str(self._address), hint=hint))
            return
        client.reconnect_delay_set(_FIRST_RETRY_SECONDS, _LAST_RETRY_SECONDS)
        with self._changed:
            self._is_up, self._up_at = True, time.monotonic()
            self._changed.notify_all()
        self._tell(None)
        self._guarded(self._when_up)

    def _not_connected(self, _client: Client, _data: Any) -> None:
        error = sys.exception()  # paho calls this while it handles what went wrong
        hint = "Check [mqtt] host and port, and that the broker runs; it is tried again and again."
        if isinstance(error, ssl.SSLError):
            hint = "Check [mqtt] tls and ca_file, and that the broker's certificate is for this name."
        told = getattr(error, "verify_message", "") or getattr(error, "strerror", "")
        what = told or str(error or "no answer")
        self._tell(ConnectError(f"the broker cannot be reached ({what})", where=str(self._address), hint=hint))

    def _disconnected(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        with self._changed:
            was_up, self._is_up = self._is_up, False
        if self._is_closed or not was_up:
            return
        hint = "It is connected again as soon as that works; what happens meanwhile is sent then."
        self._short = self._short + 1 if time.monotonic() - self._up_at < _SHORT_SECONDS else 0
        if reason.value == _TAKEN_OVER:
            client.reconnect_delay_set(_TAKEN_OVER_RETRY_SECONDS, _TAKEN_OVER_RETRY_SECONDS)
        if reason.value == _TAKEN_OVER or self._short >= _MANY_SHORT:  # the broker does not always say why
            hint = "Has another table this name? Choose another [table] name for one of them."
        what = f"the connection to the broker is lost ({reason})".lower()
        self._tell(ConnectError(what, where=str(self._address), hint=hint))

    def _published(self, _client: Client, _data: Any, number: int, reason: Any, _properties: Any) -> None:
        with self._changed:
            self._answers[number] = str(reason).lower() if reason.is_failure else ""
            while len(self._answers) > _MOST_ANSWERS:
                self._answers.popitem(last=False)
            self._changed.notify_all()

    def _received(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        left = getattr(message.properties, "MessageExpiryInterval", None)
        received = Received(
            topic=message.topic, payload=bytes(message.payload), is_retained=message.retain, seconds_left=left
        )
        self._guarded(lambda: self._when_message(received))

    def _tell(self, error: ConnectError | None) -> None:
        self._guarded(lambda: self._when_trouble(error))

    def _guarded(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:  # paho's thread must outlive whatever goes wrong here
            _log.exception("the connection to %s failed", self._address)

    def _closed(self) -> ConnectError:
        return ConnectError("the connection is closed", where=str(self._address), hint="Start tableside again.")


def _options() -> Any:
    from paho.mqtt.subscribeoptions import SubscribeOptions

    return SubscribeOptions(qos=1)


def _expiring(seconds: int) -> Any:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    if not seconds:
        return None
    properties: Any = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.MessageExpiryInterval = seconds
    return properties
