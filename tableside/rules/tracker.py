"""Trackers that a game keeps beside the rolls, declared as data: points, wounds, a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tableside.errors import GameError, did_you_mean
from tableside.record import Record
from tableside.words import say

PEOPLE = ("player", "person", "group")
EVERYBODY = (*PEOPLE, "thing")
"""Kinds of persons that most trackers are of: who lives, and a ship or a vehicle as well."""


class ShownTracker(Record, frozen=True, kw_only=True):
    """A tracker as pages get it.

    :ivar kind: a track has names for its steps. :ivar most: the largest value.
    """

    name: str
    title: str
    kind: Literal["track", "number"]
    scope: str
    least: int
    most: int
    default: int
    steps: tuple[str, ...]
    paired: str
    counts_left: bool
    resets: str
    help: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracker:
    """Something that a game counts or a track that it goes down.

    :ivar scope: ``"table"`` where all share one, ``"character"`` where each has one of their own.
    :ivar least, most: the bounds of a number; ``most`` may be set for each character.
    :ivar steps: the names along a track, best first; a number has none.
    :ivar paired: the tracker that gains what this one loses, and the reverse, so that their sum stays.
    :ivar counts_left: whether it counts what is left, so that more of it is better.
    :ivar resets: when it goes back to its default, such as ``"extended rest"``.
    :ivar then: the tracker that has its value from then on, so long as that lasts once more.
    :ivar kinds: kinds of persons that have it from the start.
    :ivar own_limit: whether each has a limit of their own.
    :ivar stands_for: ``light``, ``dark`` or ``character`` points of the table's pool, in whose place it stands.
    :ivar fells: who of a group falls by it: one for ``each`` point, or one each time it goes ``beyond`` its limit.
    """

    name: str
    title: str
    scope: str = "character"
    least: int = 0
    most: int = 99
    default: int = 0
    steps: tuple[str, ...] = ()
    paired: str = ""
    counts_left: bool = False
    resets: str = ""
    then: str = ""
    kinds: tuple[str, ...] = ()
    own_limit: bool = False
    stands_for: str = ""
    fells: Literal["", "each", "beyond"] = ""
    help: str = ""
    source: str = ""

    @property
    def highest(self) -> int:
        """The largest value: the last step of a track."""
        return len(self.steps) - 1 if self.steps else self.most

    def changed(self, value: int, by: int) -> int:
        """Return the value after a change, which stops at the bounds."""
        return min(max(self.check(value) + by, self.least), self.highest)

    def check(self, value: int) -> int:
        """Return the value, or raise :class:`GameError` outside the bounds."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.highest:
            hint = say("It is {least} to {most}.", least=self.least, most=self.highest)
            raise GameError("{=value} cannot be", value=repr(value), where=f"tracker {self.name}", hint=hint)
        return value

    def step(self, value: int) -> str:
        """Return the name of the step at this value, or the number in words."""
        return self.steps[self.check(value)] if self.steps else str(self.check(value))

    @property
    def shown(self) -> ShownTracker:
        """The tracker as pages get it."""
        return ShownTracker.from_fields(self, kind="track" if self.steps else "number", most=self.highest)


def find_tracker(name: str, trackers: Sequence[Tracker]) -> Tracker:
    """Return the tracker of this name, or raise :class:`GameError`."""
    for tracker in trackers:
        if tracker.name == name:
            return tracker
    hint = did_you_mean(name, [tracker.name for tracker in trackers])
    raise GameError("no tracker {=name}", name=repr(name), where="trackers", hint=hint)
