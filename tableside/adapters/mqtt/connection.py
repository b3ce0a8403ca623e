"""The section ``[mqtt]``, and what begins by it: this table on a broker, and the hall of all its tables."""

from __future__ import annotations

import queue
import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from tableside.delivery.connection import Connection, Opened, Site, Wrong
from tableside.errors import ConnectError
from tableside.setting import File, secret_text

if TYPE_CHECKING:
    from tableside.adapters.mqtt.broker import BrokerAddress

_ANSWER_SECONDS = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSettings:
    """The MQTT broker that this table tells everything to. No host means none.

    :ivar host: name or address of the broker; none means no MQTT.
    :ivar port: 0 takes 1883, or 8883 with TLS.
    :ivar username: how to get in.
    :ivar password: how to get in; ``tableside config`` does not print it.
    :ivar tls: speak TLS.
    :ivar ca_file: trust these certificates in place of the system's.
    :ivar topic: what all topics begin with; the tables of one hall share it.
    :ivar commands: the broker may spend points of the pool.
    """

    host: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = 0
    username: str = ""
    password: str = secret_text()
    tls: bool = False
    ca_file: File = None
    topic: str = "tableside"
    commands: bool = False


def problems(settings: MqttSettings) -> Iterator[Wrong]:
    """Yield addresses and topics that no broker could have."""
    if not re.fullmatch(r"[A-Za-z0-9.:_-]*", settings.host):
        yield "host", "is no host name", "Write only the name or address; the port has its own setting."
    if not re.fullmatch(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*", settings.topic):
        yield "topic", "is no topic", "Use letters, digits, - and _, with / between levels."
    if settings.password and not settings.username:
        yield "password", "has no username", "Set username as well."
    if settings.ca_file is not None and not settings.tls:
        yield "ca_file", "needs TLS", "Set tls = true as well."


def address_of(settings: MqttSettings) -> BrokerAddress:
    """Return where the broker is and how to get in."""
    from tableside.adapters.mqtt.broker import BrokerAddress

    return BrokerAddress(
        host=settings.host,
        port=settings.port,
        username=settings.username,
        password=settings.password,
        tls=settings.tls,
        ca_file=settings.ca_file,
    )


def begin(settings: MqttSettings, site: Site) -> Opened:
    """Open the table's connection and the hall's. The hall listens only while somebody looks."""
    if not settings.host:
        return Opened()
    from tableside.adapters.mqtt.publisher import MqttTable
    from tableside.adapters.mqtt.subscriber import Hall

    address = address_of(settings)
    hall = Hall(address, topic=settings.topic, own=site.name)
    try:
        mqtt = MqttTable(
            address,
            site.table,
            name=site.name,
            topic=settings.topic,
            commands=settings.commands,
            url=site.url,
        )
    except ConnectError as error:
        return Opened(hall=hall, close=hall.close, trouble=error)
    return Opened(
        carriers={"mqtt events": mqtt}, displays={"mqtt display": mqtt}, start=mqtt.start, hall=hall, close=hall.close
    )


def check_broker(settings: MqttSettings) -> str:
    """Connect to the broker under a name of our own, so that a running table keeps its connection.

    :raises ConnectError: where the broker does not let the table in.
    """
    if not settings.host:
        return "not asked for in the settings"
    from tableside.adapters.mqtt.broker import Broker

    address = address_of(settings)
    troubles: queue.SimpleQueue[ConnectError | None] = queue.SimpleQueue()
    client = f"tableside-doctor-{uuid.uuid4().hex[:8]}"
    broker = Broker(address, client_id=client, when_up=lambda: None, when_trouble=troubles.put)
    broker.start()
    try:
        trouble = troubles.get(timeout=_ANSWER_SECONDS)
    except queue.Empty:
        hint = "Check [mqtt] host and port, and that a broker listens there."
        trouble = ConnectError("does not answer", where=str(address), hint=hint)
    finally:
        broker.close()
    if trouble is not None:
        raise trouble
    return f"{address} lets the table in"


CONNECTION = Connection(settings=MqttSettings, problems=problems, begin=begin, checks={"broker": check_broker})
