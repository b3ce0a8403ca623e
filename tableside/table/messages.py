"""What others may tell the table. Times are epoch seconds and ids are chosen by the sender.

A message with an ``id`` is a change: it is on disk before it is acknowledged, and the same id counts once.
The others are passing: they are shown and forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from tableside.dice import Die, Reading
from tableside.table.state import Phase, Side


class Do(StrEnum):
    """What can be done to the destiny pool."""

    SPEND = "spend"
    ADD = "add"
    REMOVE = "remove"
    SET = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDestiny:
    """Spend, add or remove ``count`` points of a side, or set either or both sides.

    Spending turns a point over: a light point spent becomes a dark one, and the reverse.
    """

    id: str
    at: float
    do: Do
    side: Side | None = None
    count: int = 1
    light: int | None = None
    dark: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRoll:
    """The camera read a new throw; ``id`` becomes the roll's id."""

    id: str
    at: float
    reading: Reading
    has_picture: bool = False
    game: str = ""
    label: str = ""
    ask: Mapping[str, Any] = field(default_factory=dict)
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReading:
    """The camera read the same throw again: picture and dice are replaced, the roll's id is kept."""

    id: str
    at: float
    roll_id: str
    reading: Reading
    has_picture: bool = False
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterRoll:
    """A person entered a roll by hand; ``id`` becomes the roll's id."""

    id: str
    at: float
    dice: tuple[Die, ...]
    game: str = ""
    label: str = ""
    ask: Mapping[str, Any] = field(default_factory=dict)
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDie:
    """A person says how a die lies.

    :ivar version: the version of the roll that the person saw, or ``None`` to correct it as it is now.
    """

    id: str
    at: float
    roll_id: str
    index: int
    die: Die
    version: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take back the change of this number, or the newest that was not taken back. An undo can be undone."""

    id: str
    at: float
    change: int | None = None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowPhase:
    """The camera sees something else going on."""

    at: float
    phase: Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowTrouble:
    """A part does not work; it replaces an earlier trouble of that part."""

    at: float
    part: str
    what: str
    where: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearTrouble:
    """A part works again."""

    at: float
    part: str


Lasting: TypeAlias = ChangeDestiny | NewRoll | NewReading | EnterRoll | CorrectDie | Undo
Passing: TypeAlias = ShowPhase | ShowTrouble | ClearTrouble
Message: TypeAlias = Lasting | Passing
