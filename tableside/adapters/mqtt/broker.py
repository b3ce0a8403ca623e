"""A connection to an MQTT 5 broker that comes back by itself. Everything of paho-mqtt stays in this file."""

from __future__ import annotations

import logging
import ssl
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tableside.delivery.delivery import grown_seconds
from tableside.errors import ConnectError
from tableside.words import say, sentences

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage, MQTTMessageInfo

_log = logging.getLogger(__name__)

KEEP_ALIVE_SECONDS = 15
"""A table that vanishes without a word is known to be gone after one and a half of these (MQTT 5, 3.1.2.10)."""
_CONNECT_SECONDS = 5.0
_ANSWER_SECONDS = 10.0
_DELIVER_SECONDS = 1.0
_LAST_RETRY_SECONDS = 30.0
_TAKEN_OVER_RETRY_SECONDS = 60.0
_TAKEN_OVER = 0x8E  # MQTT 5, 3.14.2.1: another client connected by the same client id
_OTHER_VERSION = 0x84  # MQTT 5, 3.2.2.2: unsupported protocol version; paho says so too to the answer of MQTT 3.1.1
_NEEDS = "tableside needs MQTT 5, which Mosquitto speaks from 1.6 on: update the broker, or switch MQTT 5 on there."
_SHORT_SECONDS, _MANY_SHORT = 5.0, 3
_MOST_ANSWERS = 1000
_FORGOTTEN_SECONDS = 0.5
_SILENT_SECONDS = 20.0
"""What has no answer by then gets none; it may be sent again over a new connection only (MQTT 5, 4.4)."""


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
    """One connection. Callbacks run on its own threads and must return soon.

    Each time it is lost a new client of paho is made: what the old one had not yet sent is not sent later, as it may be
    hidden by then. Who delivers makes it anew.

    :param will: topic and payload that the broker publishes, retained, once this connection is lost or closed.
    :param when_up: called with each new connection: subscribe and announce there.
    :param when_trouble: called with what is wrong, or with ``None`` once it works.
    :param most_bytes: larger messages are not even sent to us.
    :raises ConnectError: where the certificates to trust cannot be used.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        client_id: str,
        when_up: Callable[[], None],
        when_message: Callable[[Received], None] = lambda _: None,
        when_trouble: Callable[[ConnectError | None], None] = lambda _: None,
        will: tuple[str, bytes] | None = None,
        most_bytes: int = 65536,
    ) -> None:
        self._address = address
        self._client_id = client_id
        self._will = will
        self._when_up = when_up
        self._when_message = when_message
        self._when_trouble = when_trouble
        self._most_bytes = most_bytes
        self._context = _trusting(address)
        self._changed = threading.Condition()
        self._client: Client | None = None
        self._is_up = False
        self._is_over = False
        self._was_refused = False
        self._is_closed = False
        self._tries = 0
        self._least_wait = 0.0
        self._up_at = 0.0
        self._short = 0
        self._answers: OrderedDict[int, str] = OrderedDict()
        self._thread = threading.Thread(target=self._run, name=f"tableside link {client_id}", daemon=True)

    @property
    def is_up(self) -> bool:
        return self._is_up

    def start(self) -> None:
        """Begin to connect, and do so again whenever the connection is lost."""
        self._thread.start()

    def subscribe(self, *topics: str) -> None:
        """Ask for messages of these topics; to be done anew with each connection."""
        from paho.mqtt.subscribeoptions import SubscribeOptions

        client = self._client
        if client is not None:
            client.subscribe([(topic, SubscribeOptions(qos=1)) for topic in topics])

    def publish(self, topic: str, payload: bytes, *, is_retained: bool = True, expires_seconds: int = 0) -> bool:
        """Publish if there is a connection, and do not wait. Return whether there was one."""
        client = self._client
        if client is None or not self._is_up:
            return False
        client.publish(topic, payload, qos=1, retain=is_retained, properties=_expiring(expires_seconds))
        return True

    def deliver(self, topic: str, payload: bytes) -> None:
        """Publish, and return once the broker has said that it has it.

        :raises ConnectError: where it is not known to have it; ``retry_seconds`` is 0 where that is no news.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_up or self._is_closed, _DELIVER_SECONDS)
            client, answers = self._client, self._answers
            if client is None or not self._is_up:
                raise self._away()
        refused = self._answer(client, client.publish(topic, payload, qos=1), answers)
        if refused:
            hint = say("Let this user write to {=topic} (see the broker's access list).", topic=topic)
            raise ConnectError(
                "the broker does not take it ({=why})",
                why=refused,
                where=str(self._address),
                hint=hint,
            )

    def _answer(self, client: Client, sent: MQTTMessageInfo, answers: OrderedDict[int, str]) -> str:
        """Wait for the answer to a message and return why it was refused, ``""`` where it was taken.

        :raises ConnectError: where none comes; a connection that has none to give is ended.
        """
        latest = time.monotonic() + _SILENT_SECONDS
        with self._changed:
            while sent.mid not in answers:
                if self._client is not client or self._is_over:
                    raise self._away()
                if sent.rc == 0 and sent.is_published():
                    return ""  # among very many states the answer was forgotten before this thread saw it
                if time.monotonic() > latest:
                    _log.warning("%s: no answer to a message, so the connection is made anew", self._address)
                    self._end(client)
                else:
                    self._changed.wait(_FORGOTTEN_SECONDS)
            return answers.pop(sent.mid)

    def close(self) -> None:
        """Leave, have the broker publish the will, and end the threads. Closing twice does no harm."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._is_closed:
            client = self._new_client()
            with self._changed:
                self._client, self._is_over, self._was_refused = client, False, False
                self._answers = OrderedDict()  # its messages are numbered anew
            try:
                self._connect(client)
            except (OSError, ValueError) as error:  # paho says ValueError to a host that is no name
                self._not_reached(error)
            except Exception as error:
                _log.exception("the connection to %s failed", self._address)
                self._not_reached(error)
            with self._changed:
                self._client, self._is_up = None, False
                self._changed.notify_all()
                least, self._least_wait = self._least_wait, 0.0
                grown = grown_seconds(self._tries, most=_LAST_RETRY_SECONDS)
                self._tries += 1
                self._changed.wait_for(lambda: self._is_closed, max(grown, least))

    def _connect(self, client: Client) -> None:
        """Connect, and return once that is over."""
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties
        from paho.mqtt.reasoncodes import ReasonCode

        asked: Any = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        asked.MaximumPacketSize = self._most_bytes
        client.connect(self._address.host, self._address.true_port, keepalive=KEEP_ALIVE_SECONDS, properties=asked)
        client.loop_start()
        try:
            with self._changed:
                if not self._changed.wait_for(lambda: self._is_up or self._is_over or self._is_closed, _ANSWER_SECONDS):
                    raise TimeoutError("it does not answer")
                self._changed.wait_for(lambda: self._is_over or self._is_closed)
            why = "Normal disconnection" if self._will is None else "Disconnect with will message"
            client.disconnect(reasoncode=ReasonCode(PacketTypes.DISCONNECT, why))  # does nothing where it is lost
        finally:
            client.loop_stop()

    def _new_client(self) -> Client:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(
            CallbackAPIVersion.VERSION2, client_id=self._client_id, protocol=MQTTv5, reconnect_on_failure=False
        )
        client.connect_timeout = _CONNECT_SECONDS
        if self._address.username:
            client.username_pw_set(self._address.username, self._address.password or None)
        if self._context is not None:
            client.tls_set_context(self._context)
        if self._will is not None:
            client.will_set(self._will[0], self._will[1], qos=1, retain=True)
        client.on_connect = self._when_connected
        client.on_disconnect = self._when_disconnected
        client.on_publish = self._when_published
        client.on_message = self._when_received
        return client

    def _when_connected(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            hint = "Check [mqtt] username and password, and what the broker lets this user do."
            what: str = say("the broker refuses ({=why})", why=str(reason).lower())
            if reason.value == _OTHER_VERSION:
                what, hint = "the broker does not speak MQTT 5", _NEEDS
            self._tell(ConnectError(what, where=str(self._address), hint=hint))
            self._end(client)
            return
        with self._changed:
            self._is_up, self._up_at, self._tries = True, time.monotonic(), 0
            self._changed.notify_all()
        self._tell(None)
        self._guard(self._when_up)

    def _not_reached(self, error: Exception) -> None:
        hint = "Check [mqtt] host and port, and that the broker runs; it is tried again and again."
        if isinstance(error, ssl.SSLError):
            hint = "Check [mqtt] tls and ca_file, and that the broker's certificate is for this name."
        why = getattr(error, "verify_message", "") or getattr(error, "strerror", "") or str(error) or "no answer"
        self._tell(ConnectError("the broker cannot be reached ({=why})", why=why, where=str(self._address), hint=hint))

    def _when_disconnected(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        was_over = self._is_over
        was_up = self._end(client)
        if not was_up and not was_over and not self._is_closed and client is self._client:
            what = "the broker ended the connection without an answer"  # as some do that know no MQTT 5
            self._tell(
                ConnectError(what, where=str(self._address), hint=sentences("Check [mqtt] port and tls.", _NEEDS))
            )
        if self._is_closed or not was_up:
            return
        hint = "It is connected again as soon as that works; what happens meanwhile is sent then."
        self._short = self._short + 1 if time.monotonic() - self._up_at < _SHORT_SECONDS else 0
        if reason.value == _TAKEN_OVER:
            self._least_wait = _TAKEN_OVER_RETRY_SECONDS
        if reason.value == _TAKEN_OVER or self._short >= _MANY_SHORT:  # the broker does not always say why
            hint = "Has another table this name? Choose another [table] name for one of them."
        if self._was_refused:  # Mosquitto 2.0.11 ends the connection after that
            hint = "The broker refused something: let this user write to all topics of this table."
        what = say("the connection to the broker is lost ({=why})", why=str(reason).lower())
        self._tell(ConnectError(what, where=str(self._address), hint=hint))

    def _end(self, client: Client) -> bool:
        """Note that this connection is over, and return whether it was up."""
        with self._changed:
            if client is not self._client:
                return False
            was_up, self._is_up, self._is_over = self._is_up, False, True
            self._changed.notify_all()
            return was_up

    def _when_published(self, client: Client, _data: Any, number: int, reason: Any, _properties: Any) -> None:
        with self._changed:
            if client is not self._client:
                return
            self._answers[number] = str(reason).lower() if reason.is_failure else ""
            self._was_refused = self._was_refused or reason.is_failure
            if len(self._answers) > _MOST_ANSWERS:  # what was refused is kept for the one who waits
                accepted = next((one for one, why in self._answers.items() if not why), None)
                self._answers.pop(next(iter(self._answers)) if accepted is None else accepted)
            self._changed.notify_all()

    def _when_received(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        left = getattr(message.properties, "MessageExpiryInterval", None)
        received = Received(
            topic=message.topic, payload=bytes(message.payload), is_retained=message.retain, seconds_left=left
        )
        self._guard(lambda: self._when_message(received))

    def _tell(self, error: ConnectError | None) -> None:
        self._guard(lambda: self._when_trouble(error))

    def _guard(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:  # paho's thread must outlive whatever goes wrong here
            _log.exception("the connection to %s failed", self._address)

    def _away(self) -> ConnectError:
        return ConnectError("the broker is away", where=str(self._address), hint="It is sent then.", retry_seconds=0)


def _trusting(address: BrokerAddress) -> ssl.SSLContext | None:
    if not address.tls:
        return None
    try:
        return ssl.create_default_context(cafile=address.ca_file)
    except (OSError, ssl.SSLError) as error:
        hint = "Name a file of certificates in PEM form."
        raise ConnectError("cannot be used ({=why})", why=error, where=str(address.ca_file), hint=hint) from error


def _expiring(seconds: int) -> Any:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    if not seconds:
        return None
    properties: Any = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.MessageExpiryInterval = seconds
    return properties
