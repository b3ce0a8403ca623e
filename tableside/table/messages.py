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
from tableside.rules import PoolNames
from tableside.table.play import Seen
from tableside.table.pool import Side
from tableside.table.state import Phase


class Do(StrEnum):
    """What can be done to the destiny pool."""

    SPEND = "spend"
    ADD = "add"
    REMOVE = "remove"
    SET = "set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """What a change says of who made it.

    :ivar by: a name for people; others may have the same.
    :ivar device: what it was done with, which tells whose the change is; ``""`` for what belongs to the table itself.
    """

    by: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDestiny(Signed):
    """Spend, add or remove ``count`` points of a side, or set either or both sides.

    Spending turns a point over: a light point spent becomes a dark one, and the reverse. Games in which a spent point
    is gone refuse it.

    :ivar from_roll: the id of a throw for the pool, which is set to what its game says.
    """

    id: str
    at: float
    do: Do
    side: Side | None = None
    count: int = 1
    light: int | None = None
    dark: int | None = None
    from_roll: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRoll(Signed):
    """The camera read a new throw; ``id`` becomes the roll's id."""

    id: str
    at: float
    reading: Reading
    has_picture: bool = False
    game: str = ""
    label: str = ""
    ask: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReading(Signed):
    """The camera read the same throw again: picture and dice are replaced, the roll's id is kept.

    :ivar is_wanted: somebody asked for it, so that a roll or a throw which was taken back comes back.
    :ivar throw: which throw of the roll it is, counted from 0.
    """

    id: str
    at: float
    roll_id: str
    reading: Reading
    has_picture: bool = False
    is_wanted: bool = False
    throw: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NewThrow(Signed):
    """The camera read the throw that a roll waits for: its dice join the roll."""

    id: str
    at: float
    roll_id: str
    reading: Reading
    has_picture: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterRoll(Signed):
    """A person entered a roll by hand; ``id`` becomes the roll's id.

    :ivar uses_ask: what is asked at the table is what this roll is for.
    """

    id: str
    at: float
    dice: tuple[Die, ...]
    game: str = ""
    label: str = ""
    ask: Mapping[str, Any] = field(default_factory=dict)
    is_hidden: bool = False
    uses_ask: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterThrow(Signed):
    """A person entered the throw that a roll waits for."""

    id: str
    at: float
    roll_id: str
    dice: tuple[Die, ...]
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRoll(Signed):
    """Change what a roll was for: it is scored anew. What is ``None`` stays.

    :ivar ask: answers to put in place of the roll's, such as one more advantage.
    """

    id: str
    at: float
    roll_id: str
    ask: Mapping[str, Any] = field(default_factory=dict)
    player: str | None = None
    label: str | None = None
    is_hidden: bool | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectDie(Signed):
    """A person says how a die lies.

    :ivar die: what it is, or ``None`` where there is no die.
    :ivar version: the version of the roll that the person saw, or ``None`` to correct it as it is now.
    """

    id: str
    at: float
    roll_id: str
    index: int
    die: Die | None
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TellSuspect(Signed):
    """A person says what could not be read.

    :ivar index: of the roll's suspects, from 0. :ivar die: what it is, or ``None`` where there is no die.
    :ivar version: the version of the roll that the person saw, or ``None``.
    """

    id: str
    at: float
    roll_id: str
    index: int
    die: Die | None
    version: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Signed):
    """Take back the change of this number, or the newest that was not taken back. An undo can be undone.

    :ivar only_open: the newest that all may know of, so that nobody takes back what is hidden from them.
    :ivar only_of: the newest that was done with this device.
    """

    id: str
    at: float
    change: int | None = None
    only_open: bool = False
    only_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redo(Signed):
    """Take back the newest undo that stands."""

    id: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StartSession(Signed):
    """A new evening begins."""

    id: str
    at: float
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePlayer(Signed):
    """Add a player, give one another name, or with an empty name take one away.

    :ivar player_id: ``""`` adds one, whose id is the message's.
    """

    id: str
    at: float
    name: str
    player_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsk(Signed):
    """Say what the next roll is for. ``game`` empty means the table's; no answers, player or label means no ask."""

    id: str
    at: float
    game: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    player: str = ""
    label: str = ""
    is_hidden: bool = False
    odds_for: Seen = Seen.GM


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseGame(Signed):
    """Choose what is played. What is ``None`` stays.

    :ivar settings: the game's answers that stay from roll to roll.
    :ivar names: what this table calls its pool; empty names are the game's own.
    """

    id: str
    at: float
    game: str | None = None
    settings: Mapping[str, Any] | None = None
    names: PoolNames | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTracker(Signed):
    """Add ``count`` to a tracker of the table's game, or set it to ``value``."""

    id: str
    at: float
    name: str
    owner: str = ""
    count: int = 0
    value: int | None = None


class Turn(StrEnum):
    """What can be done to the order of initiative."""

    ADD = "add"
    REMOVE = "remove"
    CLAIM = "claim"
    NEXT = "next"
    CLEAR = "clear"
    FIRST = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeInitiative(Signed):
    """Change the order of initiative.

    :ivar slot: the slot to remove or claim; a new one has the message's id.
    :ivar rank: for a new slot, the numbers of the game's :class:`TurnOrder`. :ivar roll_id: or the roll that tells.
    :ivar is_player: the side of a new slot, or the side that goes first.
    :ivar who: who claims the slot, nobody where it is empty.
    """

    id: str
    at: float
    do: Turn
    slot: str = ""
    is_player: bool = True
    rank: tuple[int, ...] = ()
    roll_id: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestLamps:
    """Light every lamp in turn, or end that."""

    __test__ = False  # no test class, whatever its name

    at: float
    is_on: bool = True


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


Lasting: TypeAlias = (
    ChangeDestiny | NewRoll | NewReading | NewThrow | EnterRoll | EnterThrow | CorrectDie | TellSuspect
    | ChangeRoll | Undo | Redo | StartSession | NamePlayer | SetAsk | ChooseGame | ChangeTracker | ChangeInitiative
)  # fmt: skip
Passing: TypeAlias = ShowPhase | ShowTrouble | ClearTrouble | TestLamps
Message: TypeAlias = Lasting | Passing
