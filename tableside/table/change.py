"""One line of the table's log, with all that is needed to take it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from tableside.record import Record
from tableside.rules.people import Person
from tableside.table.destiny_pool import Destiny
from tableside.table.play import Ask, Carried, Contest, Initiative, OwnTable, Player, Session, Setup, Tracked
from tableside.table.roll import Roll

LOST = "lost"
"""The kind of what stands in the place of a change that cannot be read any more."""


_GRAVE = frozenset({"game", "session"})


class Part(Record, frozen=True, kw_only=True):
    """The part of the table's state that one change touches, as it was before it or as it is after it.

    What is ``None`` was not touched; a roll that is ``None`` on one side only was not there.

    :ivar people: those whom the change touched by their ids, ``None`` for somebody who was not there.
    :ivar carried: what the change took away, on the side of before, or brought, on the side of after.
    """

    leaves_out_none = True

    destiny: Destiny | None = None
    roll: Roll | None = None
    session: Session | None = None
    players: tuple[Player, ...] | None = None
    asked: Ask | None = None
    contest: Contest | None = None
    setup: Setup | None = None
    tracked: Tracked | None = None
    initiative: Initiative | None = None
    people: Mapping[str, Person | None] | None = None
    carried: tuple[Carried, ...] | None = None
    tables: tuple[OwnTable, ...] | None = None


_BY_DIFFERENCE = ("destiny", "roll", "tracked", "people", "carried")
WHOLE = tuple(name for name in Part.__struct_fields__ if name not in _BY_DIFFERENCE)
"""Fields that the state has by the same name and that are put back as they were, not by difference."""


Decision: TypeAlias = tuple[str, Part, Part]
"""What happened in words, and what it touches before and after it."""


class Change(Record, frozen=True, kw_only=True):
    """A change that happened.

    :ivar number: its place in the log, from 1.
    :ivar id: the sender's id; the same id counts once.
    :ivar device: what it was done with, ``""`` for what belongs to the table itself.
    :ivar undoes: the number of the change that this one takes back, or 0.
    :ivar sentence: what happened, for people.
    """

    texts = ("sentence",)
    optional = ("device",)

    number: int
    id: str
    at: float
    by: str
    kind: str
    sentence: str
    before: Part
    after: Part
    undoes: int = 0
    device: str = ""

    @property
    def is_grave(self) -> bool:
        """Whether it concerns the whole evening, so that no single press takes it back."""
        return self.kind in _GRAVE and not self.undoes

    @property
    def is_hidden(self) -> bool:
        """Whether its words would tell of a roll that is for the game master alone."""
        for part in (self.before, self.after):
            if (part.roll and part.roll.is_hidden) or (part.asked and part.asked.is_hidden):
                # a roll that is shown to all at last is no secret any more
                return not (self.after.roll is not None and not self.after.roll.is_hidden)
        return False


def lost_change(number: int, *, at: float) -> Change:
    """Return what stands in the place of a change that cannot be read any more.

    :param at: when the change before it happened, in seconds since 1970.
    """
    sentence = "This change is lost: the history was damaged."
    return Change(
        number=number, id=f"lost-{number}", at=at, by="", kind=LOST, sentence=sentence, before=Part(), after=Part()
    )
