"""Say what a reading of the still tray means: a new roll, a change of the last one, or nothing new.

the tray was emptied, then dice lie there          a new roll
every die of the last roll is gone from its place  a new roll, if a hand was seen; else a change (a knock)
some dice stayed and others came, went or turned   a change of the last roll
the same dice in the same places                   nothing
no dice                                            cleared
"""

from __future__ import annotations

import math
from enum import StrEnum

from tableside.dice import DieReading, Reading

_SAME_PLACE = 0.012
"""Share of the picture's width: a die that lies still is found again within this."""


class Throw(StrEnum):
    """What a reading of the still tray means."""

    ROLL = "roll"
    CHANGED = "changed"
    CLEARED = "cleared"
    NOTHING = "nothing"


def judge(last: Reading | None, reading: Reading, *, hand_seen: bool) -> Throw:
    """Compare a reading with the last one, which is ``None`` or without dice where the tray was empty."""
    before = last is not None and bool(last.dice or last.suspects)
    now = bool(reading.dice or reading.suspects)
    if not now:
        return Throw.CLEARED if before else Throw.NOTHING
    if last is None or not before:
        return Throw.ROLL
    stayed = sum(any(_same(die, other, reading.width) for other in last.dice) for die in reading.dice)
    if stayed == len(reading.dice) == len(last.dice) and len(reading.suspects) == len(last.suspects):
        return Throw.NOTHING
    return Throw.ROLL if hand_seen and not stayed else Throw.CHANGED


def _same(die: DieReading, other: DieReading, width: int) -> bool:
    alike = die.type == other.type and die.face == other.face
    return alike and math.dist(die.center, other.center) <= _SAME_PLACE * width
