"""A signed webhook: every event as JSON to one address, in the form of Standard Webhooks (standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable

from tableside.delivery.http import Http, check
from tableside.table.shown import Event


class Webhook:
    """Carries events to an address.

    :param key: what events are signed with; the receiver has the same.
    :param table: the table's name.
    """

    def __init__(self, url: str, *, key: bytes, table: str, clock: Callable[[], float] = time.time) -> None:
        self._url = url
        self._key = key
        self._table = table
        self._clock = clock
        self._http = Http(url)

    def send(self, event: Event) -> None:
        """Send an event, signed with its id and the time of sending."""
        body = json.dumps(event.to_json(table=self._table), ensure_ascii=False, separators=(",", ":")).encode()
        seconds = str(int(self._clock()))
        headers = {
            "webhook-id": event.id,
            "webhook-timestamp": seconds,
            "webhook-signature": signature(self._key, event.id, seconds, body),
        }
        answer = self._http.call("POST", self._url, body, headers)
        check(answer, where=self._http.where, hint="Check [webhook] url and secret.")

    def rest(self) -> None:
        pass

    def close(self) -> None:
        self._http.close()


def signature(key: bytes, event_id: str, seconds: str, body: bytes) -> str:
    """Return ``v1,`` and the base64 of HMAC-SHA256 over ``id.seconds.body`` (Standard Webhooks 1.0.0)."""
    signed = b".".join((event_id.encode(), seconds.encode(), body))
    return f"v1,{base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()}"
