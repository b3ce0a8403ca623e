"""Everything a display may draw, frozen. ``TableState.to_json`` is the body of ``GET /api/state``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tableside.dice import Die, Face, Point, Status
from tableside.dice.reading import Alternative, DieReading, Suspect
from tableside.rules import PoolNames, Throw


class Phase(StrEnum):
    """What the camera sees on the tray."""

    EMPTY = "empty"
    MOVING = "moving"
    HAND = "hand"
    STILL = "still"
    NO_CAMERA = "no_camera"


class Side(StrEnum):
    """The two faces of a destiny point."""

    LIGHT = "light"
    DARK = "dark"

    @property
    def other(self) -> Side:
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


class Source(StrEnum):
    """Where a roll's faces come from."""

    CAMERA = "camera"
    MANUAL = "manual"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Destiny:
    """The pool of destiny points. Neither side is ever below zero."""

    light: int = 0
    dark: int = 0

    def count(self, side: Side) -> int:
        return self.light if side is Side.LIGHT else self.dark

    def with_count(self, side: Side, count: int) -> Destiny:
        return replace(self, light=count) if side is Side.LIGHT else replace(self, dark=count)

    def to_json(self) -> dict[str, int]:
        return {"light": self.light, "dark": self.dark}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that does not work while the table goes on, in the three parts of an error.

    :ivar part: what it concerns, one word such as ``"camera"``; a part has at most one trouble.
    :ivar since: epoch seconds.
    """

    part: str
    what: str
    where: str = ""
    hint: str = ""
    since: float

    def to_json(self) -> dict[str, Any]:
        return {
            "part": self.part,
            "what": self.what,
            "where": self.where,
            "hint": self.hint,
            "since": self.since,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """What the reader had said of a die before a person corrected it."""

    type: str
    face: Face
    confidence: float

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, "face": list(self.face), "confidence": round(self.confidence, 4)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RollDie:
    """One die of a roll.

    :ivar center: where it lies in the picture, or ``None`` for a die entered by hand.
    :ivar original: the first reading, once a person corrected it.
    """

    type: str
    face: Face
    center: Point | None = None
    outline: tuple[Point, ...] = ()
    confidence: float = 1.0
    status: Status = Status.SURE
    alternatives: tuple[Alternative, ...] = ()
    original: Original | None = None

    @property
    def die(self) -> Die:
        return Die(type=self.type, face=self.face)

    @classmethod
    def from_reading(cls, reading: DieReading) -> RollDie:
        return cls(
            type=reading.type,
            face=reading.face,
            center=reading.center,
            outline=reading.outline,
            confidence=reading.confidence,
            status=reading.status,
            alternatives=reading.alternatives,
        )

    def corrected(self, die: Die) -> RollDie:
        """Return this die as a person says it lies, keeping what was read at first."""
        return replace(
            self,
            type=die.type,
            face=die.face,
            confidence=1.0,
            status=Status.SURE,
            original=self.original or Original(type=self.type, face=self.face, confidence=self.confidence),
        )

    def brief_json(self) -> dict[str, Any]:
        """Return what a list of past rolls shows of a die."""
        return {"type": self.type, "face": list(self.face), "status": self.status.value}

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "type": self.type,
            "face": list(self.face),
            "center": None if self.center is None else _point(self.center),
            "outline": [_point(point) for point in self.outline],
            "confidence": round(self.confidence, 4),
            "status": self.status.value,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
        }
        if self.original is not None:
            found["original"] = self.original.to_json()
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll:
    """One throw: what lies there, where that is known from and what it means.

    :ivar at: epoch seconds at which the dice lay still.
    :ivar version: 1 when new, one more with every correction or newer reading.
    :ivar pictures: how many pictures were kept of it; the newest is served.
    :ivar succeeded: ``None`` where the game knows no success.
    :ivar awaits: the throw that the rules want next, before the result stands.
    :ivar short: types of dice that are missing, with how many; too many are below zero.
    """

    id: str
    at: float
    game: str
    source: Source
    by: str = ""
    label: str = ""
    dice: tuple[RollDie, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    ask: Mapping[str, Any]
    net: tuple[tuple[str, int], ...] = ()
    outcome: str = ""
    succeeded: bool | None = None
    headline: str = ""
    sentence: str = ""
    awaits: Throw | None = None
    short: tuple[tuple[str, int], ...] = ()
    width: int = 0
    height: int = 0
    pictures: int = 0
    version: int = 1

    @property
    def sure(self) -> bool:
        return not self.suspects and self.question is None

    @property
    def question(self) -> int | None:
        """The index of the first die that a person should settle."""
        for index, die in enumerate(self.dice):
            if die.status is not Status.SURE:
                return index
        return None

    @property
    def picture(self) -> str | None:
        """Address of the picture; it changes when there is a newer one."""
        return f"/api/rolls/{self.id}/picture?v={self.pictures}" if self.pictures else None

    def brief_json(self) -> dict[str, Any]:
        """Return the roll without places, outlines and alternatives: a tenth of its size."""
        brief = self.to_json() | {"dice": [die.brief_json() for die in self.dice]}
        del brief["suspects"]
        return brief

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "at": self.at,
            "game": self.game,
            "source": self.source.value,
            "by": self.by,
            "label": self.label,
            "sure": self.sure,
            "dice": [die.to_json() for die in self.dice],
            "suspects": [suspect.to_json() for suspect in self.suspects],
            "ask": dict(self.ask),
            "net": dict(self.net),
            "outcome": self.outcome,
            "succeeded": self.succeeded,
            "headline": self.headline,
            "sentence": self.sentence,
            "awaits": self.awaits.to_json() if self.awaits else None,
            "short": dict(self.short),
            "width": self.width,
            "height": self.height,
            "picture": self.picture,
            "pictures": self.pictures,
            "version": self.version,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of the table's state that one change touches, as it was before it or as it is after it.

    :ivar removed: the id of a roll that is not there, or ``""``.
    """

    destiny: Destiny | None = None
    roll: Roll | None = None
    removed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of the table's log: a change that happened, with all that is needed to take it back.

    :ivar number: its place in the log, from 1.
    :ivar id: the sender's id; the same id counts once.
    :ivar undoes: the number of the change that this one takes back, or 0.
    :ivar sentence: what happened, for people.
    """

    number: int
    id: str
    at: float
    by: str
    kind: str
    sentence: str
    before: Part
    after: Part
    undoes: int = 0


_USUAL = PoolNames()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """What is happening now.

    :ivar revision: grows with every state shown, also over a restart.
    :ivar rolls: newest first, as many as are shown.
    :ivar changes: the newest changes, oldest first, as many as can be undone.
    """

    revision: int = 0
    phase: Phase = Phase.EMPTY
    destiny: Destiny = Destiny()
    rolls: tuple[Roll, ...] = ()
    trouble: tuple[Trouble, ...] = ()
    changes: tuple[Change, ...] = ()
    game: str = ""
    game_title: str = ""
    destiny_names: PoolNames = _USUAL

    @property
    def roll(self) -> Roll | None:
        """The newest roll."""
        return self.rolls[0] if self.rolls else None

    @property
    def last_change(self) -> Change | None:
        return self.changes[-1] if self.changes else None

    @property
    def last_number(self) -> int:
        return self.changes[-1].number if self.changes else 0

    def find_roll(self, roll_id: str) -> Roll | None:
        return next((roll for roll in self.rolls if roll.id == roll_id), None)

    def to_json(self, *, now: float) -> dict[str, Any]:
        """Return the form of the contract. ``history`` is newest first, starts with ``roll`` and is brief."""
        last = self.last_change
        return {
            "revision": self.revision,
            "phase": self.phase.value,
            "destiny": self.destiny.to_json(),
            "destiny_names": self.destiny_names.to_json(),
            "game": self.game,
            "game_title": self.game_title,
            "roll": self.roll.to_json() if self.roll else None,
            "question": self.roll.question if self.roll else None,
            "history": [roll.brief_json() for roll in self.rolls],
            "trouble": [trouble.to_json() for trouble in self.trouble],
            "last_change": None
            if last is None
            else {
                "sentence": last.sentence,
                "by": last.by,
                "at": last.at,
                "number": last.number,
                "id": last.id,
                "kind": last.kind,
            },
            "now": now,
        }


def _point(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
