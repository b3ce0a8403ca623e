"""The section ``[foundry]``, and what begins by it: a module for Foundry, and one address that it may read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tableside.delivery.connection import Connection, Opened, Site, Wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundrySettings:
    """The page that may ask for new rolls, such as ``http://foundry.local:30000``. None means nobody may.

    :ivar origin: the page that may ask for new rolls, such as ``http://foundry.local:30000``; none means [nobody
        may](foundry.md).
    """

    origin: str = ""


def problems(settings: FoundrySettings) -> Iterator[Wrong]:
    """Yield what is no origin."""
    if not re.fullmatch(r"(https?://[^/\s*@]+)?", settings.origin):
        hint = "Write what the browser shows up to the first single slash, such as http://foundry.local:30000."
        yield "origin", "is no origin", hint


def begin(settings: FoundrySettings, site: Site) -> Opened:
    """Give the addresses; the one of rolls says that it is off where no page may ask."""
    from tableside.adapters.foundry.addresses import addresses

    return Opened(addresses=addresses(site.table, origin=settings.origin))


CONNECTION = Connection(settings=FoundrySettings, problems=problems, begin=begin)
