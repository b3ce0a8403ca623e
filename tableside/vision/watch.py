"""The live path from frames to rolls, the same for the table, the demo and a recorded clip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tableside.dice import Reading
from tableside.vision.frame import Frame
from tableside.vision.photo import Picture
from tableside.vision.settle import Motion, SettleRules, Settling, begin, settle
from tableside.vision.throws import Throw, judge


class Happening(StrEnum):
    """What a watched tray can do."""

    MOVING = "moving"
    HAND = "hand"
    SETTLED = "settled"
    ROLL = "roll"
    CHANGED = "changed"
    CLEARED = "cleared"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Event:
    """Something happened on the tray.

    :ivar frame: the frame at which it was known.
    :ivar since: the number of the frame from which nothing moved, for ``settled``.
    :ivar reading: what was read, for ``roll``, ``changed`` and ``cleared``.
    :ivar picture: the frame that was read.
    """

    happening: Happening
    frame: Frame
    since: int | None = None
    reading: Reading | None = None
    picture: Frame | None = None
    reason: str = ""


class Watch:
    """Turns frames into events.

    :param read: reads one picture; it is called once each time the tray comes to rest.
    """

    def __init__(self, read: Callable[[Picture], Reading], rules: SettleRules | None = None) -> None:
        self._read = read
        self._rules = rules or SettleRules()
        self._known: Settling | None = None
        self._last: Reading | None = None
        self._told: Motion | None = None
        self._hand_seen = False

    def see(self, frame: Frame) -> Iterator[Event]:
        """Yield what this frame tells. Frames come in the order of their times."""
        if self._known is None:
            self._known = begin(frame, self._rules)
            return
        known = self._known = settle(self._known, frame, self._rules)
        if known.settled:
            yield from self._settled(known, frame)
        elif known.motion is Motion.HAND and self._told is not Motion.HAND:
            self._hand_seen = True
            self._told = Motion.HAND
            yield Event(happening=Happening.HAND, frame=frame)
        elif known.motion is Motion.MOVING and known.since is frame and self._told is not Motion.MOVING:
            self._told = Motion.MOVING
            yield Event(happening=Happening.MOVING, frame=frame)

    def _settled(self, known: Settling, frame: Frame) -> Iterator[Event]:
        self._told = Motion.STILL
        yield Event(happening=Happening.SETTLED, frame=frame, since=known.since.number)
        self._known = None  # a reader that fails is asked again once the tray settled anew
        reading = self._read(known.best.picture)
        self._known = known
        throw = judge(self._last, reading, hand_seen=self._hand_seen)
        self._hand_seen = False
        if throw is not Throw.NOTHING:
            self._last = reading
            yield Event(happening=Happening(throw.value), frame=frame, reading=reading, picture=known.best)
