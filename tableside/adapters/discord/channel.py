"""Results as messages of a Discord channel, by its webhook. A correction edits the message; rate limits are kept."""

from __future__ import annotations

import json
import re
import threading
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from tableside.delivery.http import Answer, Http, check
from tableside.delivery.outbox import Outbox
from tableside.errors import ConnectError
from tableside.table.events import Event, EventType
from tableside.table.roll import Roll, Source

PART = "discord"
_MOST_LETTERS = 2000  # of a message, as Discord allows
_MOST_NAME = 80
_LONGEST_WAIT_SECONDS = 60.0
_UNKNOWN_MESSAGE = 10008  # Discord's error code: somebody deleted it there
_SPECIAL = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


class Discord:
    """Carries events to a channel.

    :param webhook: its whole address, which is a secret.
    :param tells_pool: also tell changes of the pool.
    """

    def __init__(self, webhook: str, *, table: str, outbox: Outbox, tells_pool: bool = False) -> None:
        parts = urlsplit(webhook)
        self._address = parts
        self._table = table
        self._outbox = outbox
        self._tells_pool = tells_pool
        self._http = Http(webhook)
        self._closed = threading.Event()
        self._wait_seconds = 0.0

    def send(self, event: Event) -> None:
        """Post, edit or delete the message of the event's roll."""
        if event.type is EventType.DESTINY:
            if self._tells_pool and event.destiny is not None:
                pool = f"{event.destiny.light} light, {event.destiny.dark} dark"
                self._call("POST", "", _plain(event.sentence) or pool)
            return
        known = self._outbox.message(PART, event.roll_id)
        if event.type is EventType.WITHDRAWN:
            if known and event.is_hiding:
                self._call("DELETE", known, None)
                self._outbox.keep_message(PART, event.roll_id, "")
            elif known:
                self._call("PATCH", known, "-# This roll was taken back.")
            return
        if event.roll is None:
            return
        content = message_of(event.roll)
        if known and self._call("PATCH", known, content) is not None:
            return
        made = self._call("POST", "", content)
        self._outbox.keep_message(PART, event.roll_id, _message_id(made))

    def rest(self) -> None:
        pass

    def close(self) -> None:
        self._closed.set()
        self._http.close()

    def _call(self, method: str, message: str, content: str | None) -> Answer | None:
        """Return the answer, or ``None`` where the message is not there any more."""
        if self._wait_seconds and self._closed.wait(self._wait_seconds):
            raise ConnectError("the connection is closed", where=self._http.where, hint="Start tableside again.")
        self._wait_seconds = 0.0
        body = b"" if content is None else json.dumps(self._body(content, is_new=method == "POST")).encode()
        answer = self._http.call(method, self._url(message, is_new=method == "POST"), body, {})
        if answer.headers.get("x-ratelimit-remaining") == "0":
            self._wait_seconds = _seconds(answer.headers.get("x-ratelimit-reset-after", ""))
        if answer.status == 404 and message and _json(answer).get("code") == _UNKNOWN_MESSAGE:
            return None
        check(answer, where=self._http.where, hint="Make a new webhook in the channel's settings and set it.")
        return answer

    def _body(self, content: str, *, is_new: bool) -> dict[str, Any]:
        body: dict[str, Any] = {"content": content[:_MOST_LETTERS], "allowed_mentions": {"parse": []}}
        if is_new and not re.search("discord|clyde", self._table, re.IGNORECASE):  # names that Discord refuses
            body["username"] = self._table[:_MOST_NAME]
        return body

    def _url(self, message: str, *, is_new: bool) -> str:
        path = self._address.path.rstrip("/") + (f"/messages/{message}" if message else "")
        query = "&".join(part for part in (self._address.query, urlencode({"wait": "true"}) if is_new else "") if part)
        return urlunsplit((self._address.scheme, self._address.netloc, path, query, ""))


def message_of(roll: Roll) -> str:
    """Return a roll as the text of a message: the outcome, who and what for, and the sentence."""
    headline = _plain(roll.headline or roll.outcome) or "A roll"
    who = ": ".join(_plain(part) for part in (roll.by, roll.label) if part)
    notes = ["a die is in doubt"] if not roll.sure else []
    if roll.source is Source.CORRECTED:
        notes.append("corrected by hand")
    elif roll.source is Source.MANUAL:
        notes.append("entered by hand")
    first = f"**{headline}{'' if roll.sure else ' ?'}**" + (f" · {who}" if who else "")
    lines = [first, _plain(roll.sentence), f"-# {', '.join(notes)}" if notes else ""]
    return "\n".join(line for line in lines if line)


def _plain(text: str) -> str:
    """Return text of people so that Discord neither formats it nor mentions anybody."""
    return _SPECIAL.sub(r"\\\1", text[:600])


def _message_id(answer: Answer | None) -> str:
    found = _json(answer).get("id") if answer else None
    return found if isinstance(found, str) and found.isascii() and found.isdecimal() and len(found) < 32 else ""


def _json(answer: Answer) -> dict[str, Any]:
    try:
        found = json.loads(answer.body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(text: str) -> float:
    try:
        return min(max(0.0, float(text)), _LONGEST_WAIT_SECONDS)
    except ValueError:
        return 1.0
