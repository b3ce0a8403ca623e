"""All tables of a broker, as they tell of themselves. It listens only while somebody looks.

Nothing of the broker is trusted: messages are bounded in size, tables in number, and of a message only known fields of
the right kind are kept.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tableside.adapters.mqtt.broker import Broker, BrokerAddress, Received
from tableside.adapters.mqtt.publisher import ONLINE, STATE_SECONDS, topic_name
from tableside.dice.sets import is_name
from tableside.errors import ConnectError

_log = logging.getLogger(__name__)

MOST_TABLES = 200
MOST_BYTES = 16384
_LINGER_SECONDS = 30.0
_MOST_RECENT, _MOST_NET, _MOST_TROUBLE = 5, 16, 8
_MOST_DICE, _MOST_SYMBOLS, _LONGEST_NAME = 40, 6, 40
_MOST_SECONDS = 10**9
_MOST_DEPTH = 8  # of texts within texts
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_WORD = re.compile(r"[a-z][a-z0-9_-]{0,23}")


@dataclass(slots=True)
class _Known:
    """What is known of one table. ``told`` is ``None`` for one that is gone."""

    payload: dict[str, Any] | None
    rolled_at: float
    revision: int


class Hall:
    """The tables that are on the broker.

    :param own: the name of this machine's own table.
    :param when_idle: seconds after the last look at which it stops to listen.
    """

    def __init__(
        self,
        address: BrokerAddress,
        *,
        topic: str = "tableside",
        own: str = "",
        when_idle: float = _LINGER_SECONDS,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._address = address
        self._topic = topic
        self._own = topic_name(own)
        self._when_idle = when_idle
        self._clock = clock
        self._changed = threading.Condition()
        self._tables: dict[str, _Known] = {}
        self._online: dict[str, bool] = {}
        self._revision = 0
        self._trouble: ConnectError | None = None
        self._broker: Broker | None = None
        self._looked = 0.0
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def touch(self) -> None:
        """Somebody looks: listen from now on, until nobody has for a while."""
        with self._changed:
            self._looked = time.monotonic()
            if self._broker is not None or self._is_closed:
                return
            try:
                self._broker = self._listening()
            except ConnectError as error:
                self._trouble = error
                return
            self._broker.start()
            self._thread = threading.Thread(target=self._leave_when_idle, name="tableside hall", daemon=True)
            self._thread.start()

    def wait(self, *, after: int, timeout: float) -> int:
        """Return the newest revision as soon as it exceeds ``after``, or when ``timeout`` seconds are over."""
        with self._changed:
            self._changed.wait_for(lambda: self._revision > after or self._is_closed, timeout)
            return self._revision

    def link(self) -> dict[str, Any]:
        """Return whether the broker is there, and what is wrong where it is not."""
        with self._changed:
            error, broker = self._trouble, self._broker
            trouble = error and {"what": error.what, "where": error.where, "hint": error.hint}
            return {"up": broker is not None and broker.is_up, "trouble": trouble, "own": self._own}

    def since(self, revision: int) -> list[dict[str, Any]]:
        """Return the tables that have changed since a revision; ``-1`` for all that are there."""
        now = self._clock()
        with self._changed:
            found = [(name, known) for name, known in self._tables.items() if known.revision > revision]
            return [
                self._table_json(name, known, now)
                for name, known in sorted(found)
                if known.payload is not None or revision >= 0
            ]

    def close(self) -> None:
        """Stop to listen. Closing twice does no harm."""
        with self._changed:
            self._is_closed = True
            broker, self._broker = self._broker, None
            self._changed.notify_all()
        if broker is not None:
            broker.close()
        if self._thread is not None:
            self._thread.join()

    def _listening(self) -> Broker:
        broker = Broker(
            self._address,
            client_id=f"{topic_name(self._topic)}-hall-{uuid.uuid4().hex[:12]}",
            when_up=lambda: broker.subscribe(f"{self._topic}/+/availability", f"{self._topic}/+/state"),
            when_message=self._when_received,
            when_trouble=self._when_trouble,
            most_bytes=MOST_BYTES,
        )
        return broker

    def _leave_when_idle(self) -> None:
        with self._changed:
            while not self._is_closed:
                left = self._looked + self._when_idle - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(left)
            broker, self._broker = self._broker, None
            self._tables.clear()  # what is there is told anew by the broker
            self._online.clear()
        if broker is not None:
            broker.close()

    def _when_trouble(self, error: ConnectError | None) -> None:
        with self._changed:
            self._trouble = error
            self._grow()

    def _when_received(self, message: Received) -> None:
        name, _, kind = message.topic.removeprefix(f"{self._topic}/").partition("/")
        if not _NAME.fullmatch(name):
            return
        if kind == "availability":
            self._available(name, message.payload == ONLINE)
        elif kind == "state" and message.payload:
            payload = table_of(message.payload)
            if payload is not None:
                left = STATE_SECONDS if message.seconds_left is None else message.seconds_left
                self._note_table(name, payload, kept_seconds=max(0, STATE_SECONDS - left))
        elif kind == "state":
            with self._changed:
                if name in self._tables:
                    self._tables[name] = _Known(payload=None, rolled_at=0.0, revision=self._grow())

    def _available(self, name: str, is_online: bool) -> None:
        with self._changed:
            if name not in self._online and len(self._online) >= 2 * MOST_TABLES:
                return
            if self._online.get(name) is is_online:
                return
            self._online[name] = is_online
            if name in self._tables:
                self._tables[name].revision = self._grow()

    def _note_table(self, name: str, payload: dict[str, Any], *, kept_seconds: float) -> None:
        """Keep what a table tells.

        :param kept_seconds: how long the broker has kept it: clocks of machines differ, but ages add up.
        """
        age = payload["result"]["age"] if payload["result"] else 0.0
        rolled_at = self._clock() - age - kept_seconds
        with self._changed:
            if name not in self._tables and not self._has_room():
                _log.warning("hall: more than %d tables, %s is left out", MOST_TABLES, name)
                return
            self._tables[name] = _Known(payload=payload, rolled_at=rolled_at, revision=self._grow())

    def _has_room(self) -> bool:
        if len(self._tables) < MOST_TABLES:
            return True
        gone = next((name for name, known in self._tables.items() if known.payload is None), None)
        if gone is None:
            return False
        del self._tables[gone]
        return True

    def _grow(self) -> int:
        self._revision += 1
        self._changed.notify_all()
        return self._revision

    def _table_json(self, name: str, known: _Known, now: float) -> dict[str, Any]:
        if known.payload is None:
            return {"id": name, "gone": True}
        is_online = self._online.get(name, False)
        age = max(0.0, round(now - known.rolled_at, 1)) if known.payload["result"] else None
        head = {"id": name, "gone": False, "revision": known.revision, "online": is_online, "age": age}
        return head | known.payload


def table_of(payload: bytes) -> dict[str, Any] | None:
    """Return what is understood of a table's state, each field of its kind and bounded; ``None`` where it is none."""
    try:
        raw = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    destiny, names = _part(raw, "destiny"), _part(raw, "destiny_names")
    result = raw.get("result")
    return {
        "name": _text(raw.get("name"), 40),
        "sent": _number(raw.get("sent"), 1e11),
        "phase": _word(raw.get("phase")),
        "game": _text(raw.get("game"), 60),
        "destiny": {side: int(_number(destiny.get(side), 999)) for side in ("light", "dark")},
        "destiny_names": {key: _text(names.get(key), 30) for key in ("pool", "light", "dark")},
        "hidden": raw.get("hidden") is True,
        "result": _result(result) if isinstance(result, dict) else None,
        "recent": [_result(one) for one in _list(raw, "recent", _MOST_RECENT) if isinstance(one, dict)],
        "trouble": [
            {"part": _word(one.get("part")), "what": _text(one.get("what"), 120)}
            for one in _list(raw, "trouble", _MOST_TROUBLE)
            if isinstance(one, dict)
        ],
    }


def _result(raw: dict[str, Any]) -> dict[str, Any]:
    succeeded = raw.get("succeeded")
    return {
        "id": _text(raw.get("id"), 64),
        "version": int(_number(raw.get("version"), 10**6)),
        "age": _number(raw.get("age"), _MOST_SECONDS),
        "headline": _text(raw.get("headline"), 60),
        "sentence": _text(raw.get("sentence"), 300),
        "words": {name: _words(_part(raw, "words").get(name)) for name in ("headline", "sentence")},
        "outcome": _word(raw.get("outcome")),
        "succeeded": succeeded if isinstance(succeeded, bool) else None,
        "by": _text(raw.get("by"), 60),
        "label": _text(raw.get("label"), 100),
        "net": {
            name: int(_number(count, 999))
            for name, count in list(_part(raw, "net").items())[:_MOST_NET]
            if isinstance(name, str) and _WORD.fullmatch(name)
        },
        "sure": raw.get("sure") is not False,
        "waits": raw.get("waits") is True,
        "dice": [die for one in _list(raw, "dice", _MOST_DICE) if (die := _die(one))],
    }


def _words(raw: Any, *, depth: int = 0) -> Any:
    """Return the keys and values of a result's texts, nothing where they are not what a table tells."""
    if isinstance(raw, dict) and depth < _MOST_DEPTH:
        return {name[:40]: _words(one, depth=depth + 1) for name, one in list(raw.items())[:_MOST_NET]}
    if isinstance(raw, list) and depth < _MOST_DEPTH:
        return [_words(one, depth=depth + 1) for one in raw[:_MOST_NET]]
    return raw if isinstance(raw, int) else _text(raw, 300) if isinstance(raw, str) else None


def _die(raw: Any) -> dict[str, Any] | None:
    if not isinstance(raw, dict) or not _is_symbol(raw.get("type")):
        return None
    face = _list(raw, "face", _MOST_SYMBOLS)
    return {"type": raw["type"], "face": face} if all(map(_is_symbol, face)) else None


def _is_symbol(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_NAME and is_name(value)


def _part(raw: dict[str, Any], key: str) -> dict[str, Any]:
    value = raw.get(key)
    return value if isinstance(value, dict) else {}


def _list(raw: dict[str, Any], key: str, most: int) -> list[Any]:
    value = raw.get(key)
    return value[:most] if isinstance(value, list) else []


def _text(value: Any, most: int) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(letter if letter.isprintable() else " " for letter in value[:most])


def _word(value: Any) -> str:
    return value if isinstance(value, str) and _WORD.fullmatch(value) else ""


def _number(value: Any, most: float) -> float:
    """Return a number from 0 to ``most``; 0 for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return 0
    return min(max(0, value), most)
