"""What is told to other programs: one event for each change of a roll or of the pool, without anything hidden.

Events are made of the log, so they come in its order, are on disk before they are told, and can be made again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tableside.table.kept import Change, Destiny, Roll


class EventType(StrEnum):
    """What happened.

    A ``roll`` is new to everybody, or was hidden until now. An ``amendment`` is a roll that was told before and is
    another one now. ``withdrawn`` is a roll that was told and is taken back or hidden.
    """

    ROLL = "roll"
    AMENDMENT = "amendment"
    WITHDRAWN = "withdrawn"
    DESTINY = "destiny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event.

    :ivar id: the same for every time that it is sent: who has seen it may drop it.
    :ivar number: of the change in the log; it grows, with gaps.
    :ivar sentence: what happened, for people; empty where it would tell something hidden.
    :ivar roll: the roll as it is after a ``roll`` or an ``amendment``.
    :ivar roll_id: of the roll that it is about, if any.
    :ivar is_hiding: a roll is withdrawn because it is hidden, not because it was taken back.
    """

    id: str
    number: int
    type: EventType
    at: float
    by: str = ""
    sentence: str = ""
    roll: Roll | None = None
    roll_id: str = ""
    destiny: Destiny | None = None
    is_hiding: bool = False

    def to_json(self, *, table: str) -> dict[str, Any]:
        """Return the form that MQTT and webhooks send. ``table`` is the table's name."""
        payload: dict[str, Any] = {
            "event_type": self.type.value,
            "id": self.id,
            "number": self.number,
            "table": table,
            "at": self.at,
            "by": self.by,
            "sentence": self.sentence,
        }
        if self.roll is not None:
            payload["roll"] = self.roll.brief_json()
        elif self.roll_id:
            payload["roll"] = {"id": self.roll_id}
        if self.destiny is not None:
            payload["destiny"] = self.destiny.to_json()
        return payload


def events_of(change: Change, *, find_roll: Callable[[str], Roll | None]) -> tuple[Event, ...]:
    """Return what everybody may be told of a change.

    :param find_roll: gives the roll of this id as it is now: what was open once and is hidden now is not told late.
    """
    events: list[Event] = []
    hides_any = False
    for n, (before, after) in enumerate(change.rolls):
        roll = after or before
        now = find_roll(roll.id) if roll is not None else None
        hides_now = now is not None and now.is_hidden
        hides_any = hides_any or hides_now
        events += _of_roll(change, before, after, hides_now, event_id=change.id if n == 0 else f"{change.id}:{n}")
    return (*events, *_of_pool(change, hides_any))


def _of_roll(
    change: Change, before: Roll | None, after: Roll | None, hides_now: bool, *, event_id: str
) -> tuple[Event, ...]:
    either = after or before
    if either is None or before == after:
        return ()
    was_shown = before is not None and not before.is_hidden
    is_shown = after is not None and not after.is_hidden and not hides_now
    if not was_shown and not is_shown:
        return ()
    kind = EventType.WITHDRAWN if not is_shown else EventType.AMENDMENT if was_shown else EventType.ROLL
    event = Event(
        id=event_id,
        number=change.number,
        type=kind,
        at=change.at,
        by=change.by,
        sentence="" if change.is_hidden or hides_now else change.sentence,
        roll=after if is_shown else None,
        roll_id=either.id,
        is_hiding=not is_shown and (after is not None or hides_now),
    )
    return (event,)


def _of_pool(change: Change, hides_now: bool) -> tuple[Event, ...]:
    before, after = change.before.destiny, change.after.destiny
    if after is None or before == after:
        return ()
    event = Event(
        id=f"{change.id}:destiny",
        number=change.number,
        type=EventType.DESTINY,
        at=change.at,
        by=change.by,
        sentence="" if change.is_hidden or hides_now else change.sentence,
        destiny=after,
    )
    return (event,)
