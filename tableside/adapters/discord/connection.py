"""The section ``[discord]``, and what begins by it: the messages of a channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tableside.delivery.connection import Connection, Opened, Site, Wrong
from tableside.setting import path_of, secret_text


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSettings:
    """A channel's webhook that gets the results.

    :ivar webhook: address of the channel's webhook, from [Discord](discord.md); none means off, and it is not printed.
    :ivar destiny: tell changes of the pool too.
    """

    webhook: str = secret_text()
    destiny: bool = False


def problems(settings: DiscordSettings) -> Iterator[Wrong]:
    """Yield an address that is no webhook's."""
    if settings.webhook and "/webhooks/" not in path_of(settings.webhook):
        hint = "Copy it from the channel's settings, Integrations, Webhooks."
        yield "webhook", "is no address of a Discord webhook", hint


def begin(settings: DiscordSettings, site: Site) -> Opened:
    """Open the way to the channel."""
    if not settings.webhook:
        return Opened()
    from tableside.adapters.discord.channel import Discord

    carrier = Discord(
        settings.webhook,
        table=site.name,
        outbox=site.outbox(),
        sets=lambda: site.table.system.sets,
        picture=site.picture,
        tells_pool=settings.destiny,
    )
    return Opened(carriers={"discord": carrier})


CONNECTION = Connection(settings=DiscordSettings, problems=problems, begin=begin)
