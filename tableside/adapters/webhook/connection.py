"""The section ``[webhook]``, and what begins by it: every event to one address."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass

from tableside.delivery.connection import Connection, Opened, Site, Wrong
from tableside.setting import path_of, secret_text


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSettings:
    """An address that gets every event, signed with ``secret``. No address means none.

    :ivar url: address that gets [every event](connections.md#a-webhook); none means off, and it is not printed.
    :ivar secret: what the events are signed with; it is not printed.
    """

    url: str = secret_text()
    secret: str = secret_text()


def problems(settings: WebhookSettings) -> Iterator[Wrong]:
    """Yield what is no address, and a secret that nothing could be signed with."""
    if settings.url and not path_of(settings.url):
        yield "url", "is no web address", "Write it as https://HOST/PATH."
    if settings.url and key_of(settings.secret) is None:
        hint = "Make one: echo whsec_$(openssl rand -base64 32)"
        yield "secret", "is no whsec_ with 24 to 64 random bytes in base64", hint


def key_of(secret: str) -> bytes | None:
    """Return the bytes of a secret, ``None`` where it is none. Padding at its end may be left out."""
    kept = secret.removeprefix("whsec_").rstrip("=")
    try:
        key = base64.b64decode(kept + "=" * (-len(kept) % 4), validate=True)
    except ValueError:
        return None
    return key if secret.startswith("whsec_") and 24 <= len(key) <= 64 else None


def begin(settings: WebhookSettings, site: Site) -> Opened:
    """Open the way to the address."""
    key = key_of(settings.secret)
    if not settings.url or key is None:
        return Opened()
    from tableside.adapters.webhook.signed import Webhook

    return Opened(carriers={"webhook": Webhook(settings.url, key=key, table=site.name)})


CONNECTION = Connection(settings=WebhookSettings, problems=problems, begin=begin)
