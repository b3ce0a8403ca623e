"""What a connection to another program is.

A folder in ``tableside/adapters`` with a file ``connection.py`` that gives a :class:`Connection` by the name
``CONNECTION`` is one. Its settings are read, its page is asked for and it is opened without being named anywhere else.
The file is imported whenever settings are read, so what a connection needs to run is imported in ``begin``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from tableside.errors import TablesideError

if TYPE_CHECKING:
    from pathlib import Path

    from tableside.delivery.delivery import Carrier
    from tableside.delivery.outbox import Outbox
    from tableside.table import Table
    from tableside.table.display import Display

Settings = TypeVar("Settings")
Wrong: TypeAlias = tuple[str, str, str]
"""A setting, what is wrong with it, and what to write. A secret is not repeated."""


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where a connection begins.

    :ivar name: what others call this table. :ivar url: where phones find the table, if they can.
    :ivar outbox: returns the marks of all connections; the file is made when it is first asked for.
    :ivar picture: returns where the photograph of the roll of this id is, if it is kept.
    """

    table: Table
    name: str
    url: Callable[[], str | None]
    outbox: Callable[[], Outbox]
    picture: Callable[[str], Path | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a connection gives the table; one that is off gives nothing.

    :ivar carriers: take events to the other program, by the name of their mark and their trouble.
    :ivar displays: see every state of the table, by name.
    :ivar start: begins to connect. :ivar close: gives everything back that is no carrier.
    :ivar addresses: a Flask blueprint that the web server serves, too. :ivar hall: all tables that it knows of.
    :ivar trouble: why some of it could not be made.
    """

    carriers: Mapping[str, Carrier] = field(default_factory=dict)
    displays: Mapping[str, Display] = field(default_factory=dict)
    start: Callable[[], None] = _nothing
    close: Callable[[], None] = _nothing
    addresses: Any = None
    hall: Any = None
    trouble: TablesideError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection(Generic[Settings]):
    """One kind of connection. Its section of the settings, and the part of its trouble, are named as its folder.

    :ivar settings: the section as a frozen dataclass with defaults, with which it is off.
    :ivar problems: yields what no connection could be made with.
    :ivar begin: opens it, without sending anything yet. :raises TablesideError: where it cannot be made.
    :ivar checks: what ``tableside doctor`` looks at, by the name of the check: each says what it found.
    """

    settings: type[Settings]
    begin: Callable[[Settings, Site], Opened]
    problems: Callable[[Settings], Iterator[Wrong]] = lambda _: iter(())
    checks: Mapping[str, Callable[[Settings], str]] = field(default_factory=dict)
