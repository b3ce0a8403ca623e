"""Results as messages of a Discord channel, by its webhook, with the dice drawn.

A correction edits the message; rate limits are kept.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

from tableside.adapters.discord.picture import picture_of
from tableside.delivery.http import Answer, Http, check, form_of
from tableside.delivery.outbox import Outbox
from tableside.dice import DiceSet, face_name
from tableside.errors import ConnectError
from tableside.table.kept import Roll, Source
from tableside.table.shown import Event, EventType

PART = "discord"
_MOST_LETTERS = 2000  # of a message, as Discord allows
_MOST_NAME = 80
_MOST_IN_WORDS = 1024  # letters that say what a picture shows
_PICTURE = "dice.png"
_GOOD, _BAD, _DOUBT, _PLAIN = 0x5CE08A, 0xFF8072, 0xFFB84A, 0xA6AFBC  # as the table screen has them
_LONGEST_WAIT_SECONDS = 60.0
_UNKNOWN_MESSAGE = 10008  # Discord's error code: somebody deleted it there
_UNVERSIONED = re.compile(r"^/api/(?=webhooks/)")
"""Addresses that Discord shows name no version and mean an old one; what an edit does to pictures was settled in 10."""
_SPECIAL = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


class Discord:
    """Carries events to a channel.

    :param webhook: its whole address, which is a secret.
    :param sets: gives the dice sets that there are now, for the drawing.
    :param tells_pool: also tell changes of the pool.
    """

    def __init__(
        self,
        webhook: str,
        *,
        table: str,
        outbox: Outbox,
        sets: Callable[[], Sequence[DiceSet]],
        tells_pool: bool = False,
    ) -> None:
        parts = urlsplit(webhook)
        self._address = parts
        self._table = table
        self._outbox = outbox
        self._sets = sets
        self._tells_pool = tells_pool
        self._http = Http(webhook)
        self._closed = threading.Event()
        self._wait_seconds = 0.0

    def send(self, event: Event) -> None:
        """Post, edit or delete the message of the event's roll."""
        if event.type is EventType.DESTINY:
            if self._tells_pool and event.destiny is not None:
                pool = f"{event.destiny.light} light, {event.destiny.dark} dark"
                self._call("POST", "", {"content": _plain(event.sentence) or pool})
            return
        known = self._outbox.message(PART, event.roll_id)
        if event.type is EventType.WITHDRAWN:
            if known and event.is_hiding:
                self._call("DELETE", known, None)
                self._outbox.keep_message(PART, event.roll_id, "")
            elif known:
                self._call("PATCH", known, {"content": "-# This roll was taken back.", "embeds": [], "attachments": []})
            return
        if event.roll is None:
            return
        picture = picture_of(event.roll.dice, self._sets())
        payload = message_of(event.roll, has_picture=bool(picture))
        if known and self._call("PATCH", known, payload, picture) is not None:
            return
        made = self._call("POST", "", payload, picture)
        self._outbox.keep_message(PART, event.roll_id, _message_id(made))

    def rest(self) -> None:
        pass

    def close(self) -> None:
        self._closed.set()
        self._http.close()

    def _call(self, method: str, message: str, payload: dict[str, Any] | None, picture: bytes = b"") -> Answer | None:
        """Return the answer, or ``None`` where the message is not there any more."""
        if self._wait_seconds and self._closed.wait(self._wait_seconds):
            raise ConnectError("the connection is closed", where=self._http.where, hint="Start tableside again.")
        self._wait_seconds = 0.0
        body, headers = b"", {}
        if payload is not None:
            payload = payload | {"allowed_mentions": {"parse": []}}
            body = json.dumps(self._named(payload) if method == "POST" else payload).encode()
        if picture:
            parts = {"payload_json": (None, body, "application/json"), "files[0]": (_PICTURE, picture, "image/png")}
            body, headers["Content-Type"] = form_of(parts)
        answer = self._http.call(method, self._url(message, is_new=method == "POST"), body, headers)
        if answer.headers.get("x-ratelimit-remaining") == "0":
            self._wait_seconds = _seconds(answer.headers.get("x-ratelimit-reset-after", ""))
        if answer.status == 404 and message and _json(answer).get("code") == _UNKNOWN_MESSAGE:
            return None
        check(answer, where=self._http.where, hint="Make a new webhook in the channel's settings and set it.")
        return answer

    def _named(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Return a new message with the table's name over it, unless Discord refuses such a name."""
        is_refused = re.search("discord|clyde", self._table, re.IGNORECASE)
        return payload if is_refused else payload | {"username": self._table[:_MOST_NAME]}

    def _url(self, message: str, *, is_new: bool) -> str:
        path = _UNVERSIONED.sub("/api/v10/", self._address.path).rstrip("/") + (
            f"/messages/{message}" if message else ""
        )
        query = "&".join(part for part in (self._address.query, urlencode({"wait": "true"}) if is_new else "") if part)
        return urlunsplit((self._address.scheme, self._address.netloc, path, query, ""))


def message_of(roll: Roll, *, has_picture: bool) -> dict[str, Any]:
    """Return a roll as a message: what it came to, who and what for, the sentence, and the dice as a picture.

    What is in doubt came to nothing yet: it is said to be asked about, without a result.
    """
    headline = _plain(roll.headline or roll.word) or "A roll"
    who = ": ".join(_plain(part) for part in (roll.by, roll.label) if part)
    notes = []
    if not roll.sure:
        headline, notes = "Being asked", ["a die is in doubt; this message changes when somebody has settled it"]
    if roll.source is Source.CORRECTED:
        notes.append("corrected by hand")
    elif roll.source is Source.MANUAL:
        notes.append("entered by hand")
    elif roll.source is Source.PHOTO:
        notes.append("by photograph")
    first = f"**{headline}**" + (f" · {who}" if who else "")
    lines = [first, _plain(roll.sentence) if roll.sure else "", f"-# {', '.join(notes)}" if notes else ""]
    payload: dict[str, Any] = {
        "content": "\n".join(line for line in lines if line)[:_MOST_LETTERS],
        "embeds": [],
        "attachments": [],  # in an edit: the old picture goes
    }
    if has_picture:
        words = ", ".join(f"{die.type}: {face_name(die.face)}" for die in roll.dice)
        payload["attachments"] = [{"id": 0, "filename": _PICTURE, "description": words[:_MOST_IN_WORDS]}]
        payload["embeds"] = [{"color": _colour(roll), "image": {"url": f"attachment://{_PICTURE}"}}]
    return payload


def _colour(roll: Roll) -> int:
    if not roll.sure:
        return _DOUBT
    return _PLAIN if roll.succeeded is None else _GOOD if roll.succeeded else _BAD


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
