"""Results as messages of a Discord channel, by its webhook, with the roll's photograph or its dice in words.

A correction edits the message; rate limits are kept.
"""

from __future__ import annotations

import colorsys
import json
import re
import threading
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import cv2
import numpy as np

from tableside.delivery.http import Answer, Http, check, form_of
from tableside.delivery.outbox import Outbox
from tableside.dice import DiceSet, Status, face_name
from tableside.errors import ConnectError
from tableside.reader.overlay import COLOURS, draw_outline
from tableside.reader.photo import jpeg_of
from tableside.table.kept import Roll, Source
from tableside.table.shown import Event, EventType

PART = "discord"
_MOST_LETTERS = 2000  # of a message, as Discord allows
_MOST_NAME = 80
_MOST_IN_WORDS = 1024  # letters that say what a picture shows
_PICTURE = "dice.jpg"
_ROOM = 0.05  # of a photograph's width, round the dice
_SIGNS, _HUES = "🟥🟧🟨🟩🟦🟪🟥", (15, 40, 70, 165, 250, 330)  # from which degree of the circle of hues on is the next
_STRANGE = "#888888"
_GREY, _LIGHT = 0.25, 0.5  # the most saturation of a colour that is none, and the value from which on that is white
_GOOD, _BAD, _DOUBT, _PLAIN = 0x5CE08A, 0xFF8072, 0xFFB84A, 0xA6AFBC  # as the table screen has them
_LONGEST_WAIT_SECONDS = 60.0
_UNKNOWN_MESSAGE = 10008  # Discord's error code: somebody deleted it there
_UNVERSIONED = re.compile(r"^/api/(?=webhooks/)")
"""Addresses that Discord shows name no version and mean an old one; what an edit does to pictures was settled in 10."""
_SPECIAL = re.compile(r"([\\*_~`|>#\[\]()<@:-])")


class Discord:
    """Carries events to a channel.

    :param webhook: its whole address, which is a secret.
    :param sets: gives the dice sets that there are now. :param picture: gives where a roll's photograph is.
    :param tells_pool: also tell changes of the pool.
    """

    def __init__(
        self,
        webhook: str,
        *,
        table: str,
        outbox: Outbox,
        sets: Callable[[], Sequence[DiceSet]],
        picture: Callable[[str], Path | None],
        tells_pool: bool = False,
    ) -> None:
        parts = urlsplit(webhook)
        self._address = parts
        self._table = table
        self._outbox = outbox
        self._sets = sets
        self._picture = picture
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
        picture = photograph_of(event.roll, self._picture(event.roll.id))
        payload = message_of(event.roll, self._sets(), has_picture=bool(picture))
        if known and self._call("PATCH", known, payload, picture) is not None:
            return
        made = self._call("POST", "", payload, picture)
        message = _json(made).get("id") if made else None
        is_id = isinstance(message, str) and message.isascii() and message.isdecimal() and len(message) < 32
        self._outbox.keep_message(PART, event.roll_id, str(message) if is_id else "")

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
            if method == "POST" and not re.search("discord|clyde", self._table, re.IGNORECASE):  # it refuses such names
                payload["username"] = self._table[:_MOST_NAME]
            body = json.dumps(payload).encode()
        if picture:
            parts = {"payload_json": (None, body, "application/json"), "files[0]": (_PICTURE, picture, "image/jpeg")}
            body, headers["Content-Type"] = form_of(parts)
        answer = self._http.call(method, self._url(message, is_new=method == "POST"), body, headers)
        if answer.headers.get("x-ratelimit-remaining") == "0":
            self._wait_seconds = _seconds(answer.headers.get("x-ratelimit-reset-after", ""))
        if answer.status == 404 and message and _json(answer).get("code") == _UNKNOWN_MESSAGE:
            return None
        check(answer, where=self._http.where, hint="Make a new webhook in the channel's settings and set it.")
        return answer

    def _url(self, message: str, *, is_new: bool) -> str:
        path = _UNVERSIONED.sub("/api/v10/", self._address.path).rstrip("/") + (
            f"/messages/{message}" if message else ""
        )
        query = "&".join(part for part in (self._address.query, urlencode({"wait": "true"}) if is_new else "") if part)
        return urlunsplit((self._address.scheme, self._address.netloc, path, query, ""))


def photograph_of(roll: Roll, path: Path | None) -> bytes:
    """Return the part of a roll's photograph that shows its dice, outlined, as JPEG; ``b""`` where there is none."""
    finds = [(die.outline, die.status) for die in roll.dice if die.outline]
    finds += [(suspect.outline, Status.UNSURE) for suspect in roll.suspects]
    read = cv2.imread(str(path)) if path and finds else None
    if read is None:
        return b""
    photograph = np.asarray(read, np.uint8)
    for outline, status in finds:
        draw_outline(photograph, outline, COLOURS[status])
    x, y, width, height = cv2.boundingRect(np.array([point for outline, _ in finds for point in outline], np.float32))
    room = round(_ROOM * photograph.shape[1])
    shown = photograph[max(0, y - room) : y + height + room, max(0, x - room) : x + width + room]
    return jpeg_of(shown)


def words_of(roll: Roll, sets: Sequence[DiceSet]) -> str:
    """Return the dice in words, each kind with a sign of its colour, a die in doubt with a question mark."""
    bodies = {kind.name: kind.body for one in sets for kind in one.types}
    dice = Counter(
        f"{_sign(die.colour or bodies.get(die.type, _STRANGE))}{'' if die.status is Status.SURE else '❔'} "
        f"{die.type}: {face_name(die.face)}"
        for die in roll.dice
    )
    return ", ".join(words if count == 1 else f"{words} ×{count}" for words, count in dice.items())


def _sign(colour: str) -> str:
    """Return the square that is most like a colour."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    return _SIGNS[bisect(_HUES, 360 * hue)] if saturation > _GREY else "⬜" if value > _LIGHT else "⬛"


def message_of(roll: Roll, sets: Sequence[DiceSet], *, has_picture: bool) -> dict[str, Any]:
    """Return a roll as a message: what it came to, who and what for, the sentence, and the dice.

    What is in doubt came to nothing yet: it is said to be asked about, without a result.
    """
    headline = _plain(roll.headline or roll.word) or "A roll"
    who = ": ".join(_plain(part) for part in (roll.by, roll.label) if part)
    notes = []
    if not roll.sure:
        headline, notes = "Being asked", ["a die is in doubt; this message changes when somebody has settled it"]
    elif roll.awaits is not None and "total" in dict(roll.net):
        headline = f"{dict(roll.net)['total']} so far"
    if roll.source is Source.CORRECTED:
        notes.append("corrected by hand")
    elif roll.source is Source.MANUAL:
        notes.append("entered by hand")
    elif roll.source is Source.PHOTO:
        notes.append("by photograph")
    first = f"**{headline}**" + (f" · {who}" if who else "")
    words = words_of(roll, sets)
    lines = [first, _plain(roll.sentence) if roll.sure else "", f"-# {', '.join(notes)}" if notes else ""]
    lines += [] if has_picture else [_plain(words)]
    payload: dict[str, Any] = {
        "content": "\n".join(line for line in lines if line)[:_MOST_LETTERS],
        "embeds": [],
        "attachments": [],  # in an edit: the old picture goes
    }
    if has_picture:
        payload["attachments"] = [{"id": 0, "filename": _PICTURE, "description": words[:_MOST_IN_WORDS]}]
        colour = _PLAIN if roll.succeeded is None else _GOOD if roll.succeeded else _BAD
        payload["embeds"] = [{"color": colour if roll.sure else _DOUBT, "image": {"url": f"attachment://{_PICTURE}"}}]
    return payload


def _plain(text: str) -> str:
    """Return text of people so that Discord neither formats it nor mentions anybody."""
    return _SPECIAL.sub(r"\\\1", text[:600])


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
