"""A table on an MQTT broker: its state kept there, its events in order, Home Assistant's entities, and two buttons.

TOPIC/NAME/availability   online or offline, retained; offline is the last will
TOPIC/NAME/state          the table as it is now, retained, JSON
TOPIC/NAME/event          each event once, JSON, quality of service 1
TOPIC/NAME/command        spends a point, where that is allowed
"""

from __future__ import annotations

import hashlib
import json
import logging
import threading
import time
import unicodedata
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from tableside.adapters.mqtt.broker import Broker, BrokerAddress, Received
from tableside.adapters.mqtt.discovery import discovery_json
from tableside.errors import ConnectError
from tableside.table import shown
from tableside.table.kept import Side, TableState
from tableside.table.messages import ChangeDestiny, ClearTrouble, Do, Message, ShowTrouble
from tableside.table.shown import Event

_log = logging.getLogger(__name__)

PART = "mqtt"
ONLINE, OFFLINE = b"online", b"offline"
STATE_SECONDS = 7 * 86400
"""The broker forgets a table that was not heard of for so long."""
_DISCOVERY = "homeassistant"
"""The prefix under which Home Assistant looks for devices, unless somebody set it otherwise there."""
_REFRESH_SECONDS = 3600.0
_RECENT = 5
_MOST_NAME, _MARK = 40, 6
_MOST_COMMAND_BYTES = 1024
_MOST_COMMANDS, _COMMANDS_SECONDS = 10, 10.0
_IDS = uuid.UUID("6d3c5a1e-3f64-4c55-8f0b-0e5d0c9a7c11")
"""Commands may carry any text for an id; in this namespace it becomes a UUID."""


class Posts(Protocol):
    """The part of the table that takes messages."""

    def post(self, message: Message) -> None: ...


def topic_name(name: str) -> str:
    """Return a table's name as one level of a topic: ``"Table 3"`` becomes ``"table-3"``, ``"pi-4"`` stays.

    A name that is written in any other way gets a mark, so that no two of these become the same: ``"TABLE 3"`` becomes
    ``"table-3-4d8374"``, and ``"Tisch 3 Grün"`` has a mark of its own, too.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = "".join(c if c.isalnum() else " " for c in plain).split()
    slug = "-".join(words)[:_MOST_NAME] or "table"
    if name in ("-".join(words), " ".join(word.capitalize() for word in words)):
        return slug
    mark = hashlib.sha256(unicodedata.normalize("NFC", name).encode()).hexdigest()[:_MARK]
    return f"{slug[: _MOST_NAME - _MARK - 1].rstrip('-')}-{mark}"


def state_json(state: TableState, *, name: str, now: float) -> dict[str, Any]:
    """Return what everybody may know of the table now, in about a kilobyte."""
    payload = shown.state_json(state, now=now)
    roll, next_ = payload["roll"], payload["now"]
    whose = state.person(next_["whose"])
    return {
        "name": name,
        "sent": now,
        "phase": payload["phase"],
        "game": payload["game_title"],
        "destiny": payload["destiny"],
        "destiny_names": payload["destiny_names"],
        "hidden": payload["hidden"] is not None,
        "now": {"number": next_["number"], "name": next_["name"], "whose": whose.name if whose else next_["whose"]},
        "result": None
        if roll is None
        else _result(roll, now) | {"dice": [{"type": die["type"], "face": die["face"]} for die in roll["dice"][:40]]},
        "recent": [_result(one, now) for one in payload["history"][:_RECENT]],
        "trouble": [{"part": one["part"], "what": one["what"]} for one in payload["trouble"]],
    }


def _result(roll: dict[str, Any], now: float) -> dict[str, Any]:
    return {
        "id": roll["id"],
        "version": roll["version"],
        "at": roll["at"],
        "age": round(max(0.0, now - roll["at"]), 1),  # clocks of machines differ, an age does not
        "headline": roll["headline"] or roll["outcome"],
        "sentence": roll["sentence"],
        "words": roll["words"],
        "outcome": roll["outcome"],
        "succeeded": roll["succeeded"],
        "by": roll["by"],
        "label": roll["label"],
        "net": {name: count for name, count in roll["net"].items() if count},
        "source": roll["source"],
        "sure": roll["sure"],
        "waits": roll["awaits"] is not None,
        "moods": list(roll["moods"]) if roll["sure"] and roll["awaits"] is None else [],
    }


class MqttTable:
    """Publishes one table. It is a display of the table's state and a carrier of its events.

    :param name: for people; tables of one broker must differ in it.
    :param topic: what the topics begin with.
    :param commands: whether a point may be spent from there.
    """

    def __init__(
        self,
        address: BrokerAddress,
        table: Posts,
        *,
        name: str,
        topic: str = "tableside",
        commands: bool = False,
        url: Callable[[], str | None] = lambda: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._table = table
        self._name = name
        self._slug = topic_name(name)
        self._base = f"{topic}/{self._slug}"
        self._commands = commands
        self._url = url
        self._clock = clock
        self._lock = threading.Lock()
        self._newest: TableState | None = None
        self._shown: dict[str, Any] = {}
        self._shown_at = float("-inf")
        self._last_error = ""
        self._commanded: deque[float] = deque(maxlen=_MOST_COMMANDS)
        self._broker = Broker(
            address,
            client_id=f"{topic_name(topic)}-{self._slug}",
            when_up=self._up,
            when_message=self._when_received,
            when_trouble=self._say,
            will=(f"{self._base}/availability", OFFLINE),
        )

    def start(self) -> None:
        """Begin to connect."""
        self._broker.start()

    @property
    def is_up(self) -> bool:
        """Whether there is a connection."""
        return self._broker.is_up

    def show(self, state: TableState) -> None:
        """Publish this state if there is a connection; else the newest is published with the next one."""
        with self._lock:
            self._newest = state
        self._publish_state()

    def send(self, event: Event) -> None:
        """Publish an event and wait until the broker has it."""
        self._broker.deliver(f"{self._base}/event", _text(event.to_json(table=self._name)))

    def rest(self) -> None:
        """Keep the broker from forgetting a table at which nothing happens."""
        if time.monotonic() - self._shown_at > _REFRESH_SECONDS:
            self._publish_state(is_fresh=True)

    def close(self) -> None:
        """Leave; the broker then says that this table is offline."""
        self._broker.close()

    def _up(self) -> None:
        """Announce everything: with each connection, as the broker may be a new one that knows nothing."""
        commands = [f"{self._base}/command"] if self._commands else []
        self._broker.subscribe(f"{_DISCOVERY}/status", *commands)
        self._announce()
        self._broker.publish(f"{self._base}/availability", ONLINE)
        self._publish_state(is_fresh=True)

    def _announce(self) -> None:
        found = discovery_json(
            name=self._name, slug=self._slug, base=self._base, commands=self._commands, url=self._url()
        )
        self._broker.publish(f"{_DISCOVERY}/device/{found['dev']['ids'][0]}/config", _text(found))

    def _publish_state(self, *, is_fresh: bool = False) -> None:
        with self._lock:
            if self._newest is None:
                return
            payload = state_json(self._newest, name=self._name, now=self._clock())
            result = payload["result"] and {key: value for key, value in payload["result"].items() if key != "age"}
            recent = [(one["id"], one["version"]) for one in payload["recent"]]
            lasting = payload | {
                "sent": 0,
                "result": result,
                "recent": recent,
            }  # what a display draws, without the clock
            if lasting == self._shown and not is_fresh:
                return
            if self._broker.publish(f"{self._base}/state", _text(payload), expires_seconds=STATE_SECONDS):
                self._shown, self._shown_at = lasting, time.monotonic()

    def _when_received(self, message: Received) -> None:
        if message.topic == f"{_DISCOVERY}/status":
            if message.payload == ONLINE and not message.is_retained:  # Home Assistant was started again
                self._announce()
                self._broker.publish(f"{self._base}/availability", ONLINE)
                self._publish_state(is_fresh=True)
        elif message.topic == f"{self._base}/command" and self._commands:
            self._command(message)

    def _command(self, message: Received) -> None:
        """Follow a command of the broker. It is not to be trusted: anything but the one known form is dropped."""
        if message.is_retained:
            _log.warning("mqtt: a retained command is not followed: it would come again with every connection")
            return
        now = time.monotonic()
        if len(self._commanded) == _MOST_COMMANDS and now - self._commanded[0] < _COMMANDS_SECONDS:
            _log.warning("mqtt: too many commands, this one is dropped")
            return
        self._commanded.append(now)
        spent = spending_of(message.payload)
        if spent is None:
            _log.warning("mqtt: not a command: %r", message.payload[:80])
            return
        side, change_id = spent
        self._table.post(ChangeDestiny(id=change_id, at=self._clock(), do=Do.SPEND, side=side, by="MQTT"))

    def _say(self, error: ConnectError | None) -> None:
        if str(error or "") == self._last_error:
            return
        self._last_error = str(error or "")
        if error is None:
            self._table.post(ClearTrouble(at=self._clock(), part=PART))
            return
        _log.warning("mqtt: %s", error)
        trouble = ShowTrouble.of(error, part=PART, at=self._clock())
        self._table.post(trouble)


def spending_of(payload: bytes) -> tuple[Side, str] | None:
    """Return which point a command spends and the id of that change, or ``None`` where it is no command.

    ``{"do": "spend", "side": "light", "id": "any text, the same counts once"}``
    """
    if len(payload) > _MOST_COMMAND_BYTES:
        return None
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not found.keys() <= {"do", "side", "id"} or found.get("do") != "spend":
        return None
    side, given = found.get("side"), found.get("id")
    if side not in ("light", "dark") or not (given is None or (isinstance(given, str) and 0 < len(given) <= 100)):
        return None
    return Side(side), str(uuid.uuid4() if given is None else uuid.uuid5(_IDS, given))


def _text(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
