"""What is next at the table: how far its rolls are, which is kept, and what is worked out from it for all to show."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tableside.record import Record
from tableside.table.kept.calls import Call

_log = logging.getLogger(__name__)


class Agenda(Record, frozen=True, kw_only=True):
    """How far the table is with what was thrown.

    :ivar open: ids of the rolls that nothing has closed yet, the oldest first.
    :ivar put_off: what was left for later: ids of rolls, or names of a ``Now``.
    :ivar has_acted: whose turn it is has thrown in it.
    :ivar is_won: nobody of the other side stands.
    :ivar waits: calls that wait for the open one, which was put before them; the last one comes back first.
    """

    optional = ("open", "put_off", "has_acted", "is_won", "waits")

    open: tuple[str, ...] = ()
    put_off: tuple[str, ...] = ()
    has_acted: bool = False
    is_won: bool = False
    waits: tuple[Call, ...] = ()


class Request(Record, frozen=True, kw_only=True):
    """What a page sends as it is, with an ``id``."""

    method: str = "POST"
    path: str
    body: Mapping[str, Any] = {}


class NowAct(Record, frozen=True, kw_only=True):
    """One thing that leads on.

    :ivar key: by which a page knows its words. :ivar values: in them; those of people are their ids.
    :ivar request: ``None`` where it is a throw of real dice or a choice in the page.
    """

    key: str
    values: Mapping[str, Any] = {}
    request: Request | None = None


class NowActs(Record, frozen=True, kw_only=True):
    """What leads on from what is next.

    :ivar act: the one that does. :ivar then: the act after it, for the game master and the table.
    :ivar also: quiet ones, three at most. :ivar waiting: ids of who are called after it.
    :ivar by_hand: no camera looks at the tray.
    """

    act: NowAct | None = None
    then: NowAct | None = None
    also: tuple[NowAct, ...] = ()
    waiting: tuple[str, ...] = ()
    by_hand: bool = False


@dataclass(frozen=True, kw_only=True)
class Now:
    """What is next and whose it is.

    :ivar number: it rises with each new one. :ivar change: the number of the change that brought it.
    :ivar whose: the id of a person, ``table``, ``master``, or ``""`` where nobody is meant.
    :ivar roll, call: the ids of what it is about.
    :ivar work_out: gives what leads on from it.
    """

    number: int = 0
    change: int = 0
    name: str = ""
    whose: str = ""
    roll: str | None = None
    call: str | None = None
    work_out: Callable[[], NowActs] = field(default=NowActs, compare=False, repr=False)

    @property
    def is_about(self) -> tuple[Any, ...]:
        """What makes it another one."""
        return self.name, self.whose, self.roll, self.call

    @cached_property
    def acts(self) -> NowActs:
        """What leads on from it, worked out once by whoever shows it."""
        try:
            return self.work_out()
        except Exception:  # the table must outlive whatever goes wrong here
            _log.exception("what leads on from %s cannot be told", self.name)
            return NowActs()
