"""What a table keeps beside its rolls: session, players, what is asked, trackers and the order of initiative."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.record import Record, Worded
from tableside.rules import PoolNames
from tableside.rules.code import Code
from tableside.rules.game import Points
from tableside.rules.people import Follow
from tableside.words import own, say


class Phase(StrEnum):
    """What the camera sees on the tray; ``by_hand`` where the settings switch it off."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    STILL = "still"
    NO_CAMERA = "no_camera"
    BY_HAND = "by_hand"


class Side(StrEnum):
    """The two faces of a destiny point."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def other(self) -> Side:
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


class Destiny(Points, frozen=True, kw_only=True):
    """The pool of destiny points. Neither side is ever below zero."""

    def count(self, side: Side) -> int:
        return self.light if side is Side.LIGHT else self.dark

    def with_count(self, side: Side, count: int) -> Destiny:
        return replace(self, light=count) if side is Side.LIGHT else replace(self, dark=count)


class Session(Record, frozen=True, kw_only=True):
    """One evening of play. The first begins by itself, with number 0; `ended` is when it was, 0 while it runs."""

    optional = ("ended",)

    number: int = 0
    title: str = ""
    at: float = 0.0
    ended: float = 0.0

    def played(self, at: float) -> Session:
        """Return the session that a throw belongs to: this one, or the next where it has ended."""
        return Session(number=self.number + 1, at=at) if self.ended else self


class Player(Record, frozen=True, kw_only=True):
    """Somebody at the table, known by the name that rolls and trackers carry.

    :ivar device: what this one joined with, and may change the name with.
    """

    optional = ("device",)

    id: str
    name: str
    device: str = ""


class Bought(Worded, frozen=True, kw_only=True, rename={"by_person": "by"}):
    """Something that a roll bought; ``words`` say what.

    :ivar short: the same on a card. :ivar of: what it was paid with, and ``count`` how many.
    :ivar to: the id of the person that it is for. :ivar follow: the throw that it calls for.
    """

    optional = ("to", "follow", "short")

    id: str
    name: str
    short: str = ""
    of: str
    count: int
    by_person: str = ""
    to: str = ""
    follow: Follow | None = None


class Applied(Worded, frozen=True, kw_only=True):
    """An effect of a roll that was applied; ``words`` say what.

    :ivar effect: its place among the roll's effects, from 0. :ivar to: the id of the person.
    :ivar follows: what the person's trackers then called for.
    """

    effect: int
    to: str
    follows: tuple[Follow, ...] = ()


class TableRow(Record, frozen=True, kw_only=True, rename={"least": "from", "most": "to"}):
    """A row of a table of the group's own: what a total from ``least`` to ``most`` means."""

    least: int
    most: int
    words: str


def shown_by(dice: str) -> tuple[int, int] | None:
    """Return the least and the largest number that a table's dice show, ``d100`` or a code; ``None`` for no dice."""
    sided = re.fullmatch(r"[dw]([0-9]{1,4})", dice.strip(), re.IGNORECASE)
    if sided:
        return 1, int(sided[1])
    try:
        code = Code.of(dice)
    except GameError:
        return None
    return (code.dice + code.pips, 6 * code.dice + code.pips) if code.dice else None


_DOUBLES = 11  # two ten-sided dice that show the same number


class OwnTable(Record, frozen=True, kw_only=True, rename={"is_opening": "opens"}):
    """A table of the group's own, such as critical injuries.

    :ivar dice: what is thrown for it, such as ``"d100"``, ``"d10"``, ``"1D"`` or ``"2D"``.
    :ivar is_opening: it is thrown for where a session begins, such as obligation or duty.
    """

    optional = ("is_opening",)

    name: str
    dice: str = "d100"
    rows: tuple[TableRow, ...] = ()
    is_opening: bool = False

    def words(self, total: int) -> str:
        """Return what a total means, ``""`` for nothing. Where a session begins, doubles count twice (published rule).

        Beyond what the dice show, the row at that end counts, if the rows reach as far as the dice. Where they do not,
        as for an obligation of 45 in a hundred, the rest of the dice means nothing.
        """
        if not self.rows:
            return ""
        ordered = sorted(self.rows, key=lambda row: row.least)
        (lowest, highest), first, last = shown_by(self.dice) or (1, 1), ordered[0].least, ordered[-1].most
        if last >= highest:
            total = min(total, last)
        if first <= lowest:
            total = max(total, first)
        found = next((row.words for row in ordered if row.least <= total <= row.most), "")
        is_double = self.is_opening and self.dice == "d100" and total % _DOUBLES == 0
        return say("{words} Doubles: it counts twice.", words=own(found)) if found and is_double else found


class Photographers(StrEnum):
    """Who may send a throw by photograph: everybody at the table, who is called, or nobody."""

    ALL = "all"
    ASKED = "asked"
    NOBODY = "nobody"


class Setup(Record, frozen=True, kw_only=True):
    """What is played, and how this table names things.

    :ivar game: the chosen game, or ``""`` to go by the settings or the dice.
    :ivar told: the game that the dice have told, which is played where none is chosen.
    :ivar names: the table's own names of its pool, where it has any.
    :ivar settings: for each game the answers that stay from roll to roll.
    :ivar photographs: who may send throws by photograph.
    :ivar looks: for each type that differs from others by colour alone, as a person showed it: its colour and that of
        the others, as ``#rrggbb``.
    """

    optional = ("looks", "photographs", "told")

    game: str = ""
    told: str = ""
    names: PoolNames | None = None
    settings: Mapping[str, Mapping[str, Any]] = {}
    looks: Mapping[str, tuple[str, str]] = {}
    photographs: Photographers = Photographers.ALL

    def answers(self, game: str) -> dict[str, Any]:
        return dict(self.settings.get(game, {}))


class Tracked(Record, frozen=True, kw_only=True):
    """The value of one tracker.

    :ivar owner: whose it is, or ``""`` where the table shares it.
    """

    game: str
    name: str
    owner: str = ""
    value: int

    @property
    def key(self) -> tuple[str, str, str]:
        return self.game, self.name, self.owner
