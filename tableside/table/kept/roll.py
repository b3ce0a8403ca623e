"""One throw of dice as the table keeps it: what lies there, where that is known from and what it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec.structs import replace

from tableside.dice import Die, Doubt, Face, Point, Status
from tableside.dice.reading import Alternative, DieReading, Suspect
from tableside.record import Record
from tableside.rules.game import Result
from tableside.table.kept.play import Applied, Bought

_DIGITS = Suspect.digits


class Source(StrEnum):
    """Where a roll's faces come from."""

    CAMERA = "camera"
    MANUAL = "manual"
    CORRECTED = "corrected"
    PHOTO = "photo"


class Original(Alternative, frozen=True, kw_only=True):
    """What the reader had said of a die before a person corrected it."""


class Dismissed(Record, frozen=True, kw_only=True):
    """What a person said is no die.

    :ivar type: what it had been read as, with its ``face``; ``None`` where it had not been read.
    :ivar confidence: that it is that, or that it is a die.
    :ivar throw: the throw of the roll after which it was there, from 0.
    """

    optional = ("type", "face", "throw")
    digits = _DIGITS

    center: Point | None
    outline: tuple[Point, ...]
    confidence: float
    type: str | None = None
    face: Face | None = None
    throw: int = 0

    @property
    def read(self) -> Die | None:
        """What it had been read as, where it was."""
        return None if self.type is None else Die(type=self.type, face=self.face or ())


Rule = Literal["", "away", "turned", "again"]
"""What a rule has done to a die, such as that of a talent: taken away, turned to another face, or thrown again."""


class RollDie(Record, frozen=True, kw_only=True, rename={"is_told": "told"}):
    """One die of a roll.

    :ivar center: where it lies in the picture, or ``None`` for a die entered by hand.
    :ivar doubt: why it is unsure, where it is.
    :ivar colour: of its body as ``#rrggbb``, ``""`` where the camera did not measure it.
    :ivar original: the first reading, once a person corrected it.
    :ivar throw: which throw of the roll it belongs to, from 0.
    :ivar is_told: it lies in the picture and could not be read: a person said what it is.
    :ivar rule: what a rule has done to it; ``face`` is what counts then, and ``lay`` how it lay before.
    """

    optional = ("doubt", "colour", "original", "throw", "is_told", "rule", "lay")
    digits = _DIGITS

    type: str
    face: Face
    center: Point | None = None
    outline: tuple[Point, ...] = ()
    confidence: float = 1.0
    status: Status = Status.SURE
    alternatives: tuple[Alternative, ...] = ()
    doubt: Doubt | None = None
    colour: str = ""
    original: Original | None = None
    throw: int = 0
    is_told: bool = False
    rule: Rule = ""
    lay: Face | None = None

    @property
    def counts(self) -> bool:
        """Whether no rule has taken it away."""
        return self.rule != "away"

    @property
    def lying(self) -> Die:
        """The die as it lies, whatever a rule makes of it."""
        return self.die if self.lay is None else Die(type=self.type, face=self.lay, colour=self.colour)

    @property
    def read(self) -> tuple[str, Face] | None:
        """Type and face that a reader saw first, ``None`` where a person alone told them."""
        first = self.original or self.lying
        return None if self.is_told else (first.type, first.face)

    @property
    def die(self) -> Die:
        return Die(type=self.type, face=self.face, colour=self.colour)

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
            doubt=reading.doubt,
            colour=reading.colour,
        )

    def corrected(self, die: Die) -> RollDie:
        """Return this die as a person says it lies, keeping what was read at first."""
        return replace(
            self,
            type=die.type,
            face=die.face,
            confidence=1.0,
            status=Status.SURE,
            doubt=None,
            rule="",
            lay=None,
            original=self.original or Original(type=self.type, face=self.lying.face, confidence=self.confidence),
        )

    def by_rule(self, rule: Rule, face: Face) -> RollDie:
        """Return this die as a rule has it count."""
        return replace(self, face=face, rule=rule, lay=self.face if self.lay is None else self.lay)

    def brief_json(self) -> dict[str, Any]:
        """Return what a list of past rolls shows of a die."""
        ruled = {"rule": self.rule} if self.rule else {}
        return {"type": self.type, "face": list(self.face), "status": self.status.value, **ruled}


class Roll(Result, frozen=True, kw_only=True, rename={"is_hidden": "hidden"}):
    """One throw: what lies there, where that is known from, and what it came to.

    :ivar at: epoch seconds at which the dice lay still.
    :ivar dismissed: what was read or suspected and is no die, by a person's word.
    :ivar version: 1 when new, one more with every correction or newer reading.
    :ivar pictures: how many pictures were kept of it; the newest is served.
    :ivar is_hidden: for the game master's eyes alone.
    :ivar session: the number of the session it was thrown in.
    :ivar who: the id of the person whose roll it is. :ivar against: the id of the person it was made against.
    :ivar aboard: the id of the thing whose crew the roller is of, where it is what that does.
    :ivar weapon: the name of the weapon that was used, ``""`` also where its damage was rolled.
    :ivar table: the name of the group's own table that it was for. :ivar row: what the total means in it.
    :ivar contest: the id of the call of several that it answers.
    :ivar photos: hashes of the photographs that somebody sent of it, so that none counts twice.
    :ivar bought: what it bought. :ivar applied: effects that were applied.
    :ivar pays: what buys something: names in ``net``, each with how many of it.
    """

    properties = ("sure", "picture")
    optional = (
        *Result.optional,
        "who",
        "against",
        "weapon",
        "table",
        "row",
        "contest",
        "bought",
        "applied",
        "photos",
        "pays",
        "aboard",
    )

    id: str
    at: float
    source: Source
    by: str = ""
    label: str = ""
    dice: tuple[RollDie, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    dismissed: tuple[Dismissed, ...] = ()
    ask: Mapping[str, Any]
    width: int = 0
    height: int = 0
    pictures: int = 0
    version: int = 1
    is_hidden: bool = False
    session: int = 0
    who: str = ""
    against: str = ""
    aboard: str = ""
    weapon: str = ""
    table: str = ""
    row: str = ""
    contest: str = ""
    bought: tuple[Bought, ...] = ()
    applied: tuple[Applied, ...] = ()
    photos: tuple[str, ...] = ()
    pays: tuple[tuple[str, int], ...] = ()

    def came_to(self, result: Result) -> Roll:
        """Return the roll with this result."""
        return replace(self, **{name: getattr(result, name) for name in Result.__struct_fields__})

    @property
    def last_throw(self) -> int:
        """The newest throw that dice belong to, from 0."""
        return max((die.throw for die in self.dice), default=0)

    @property
    def throws(self) -> tuple[tuple[Die, ...], ...]:
        """The dice of each throw that count, in order."""
        return tuple(
            tuple(die.die for die in self.dice if die.throw == n and die.counts) for n in range(self.last_throw + 1)
        )

    @property
    def missing(self) -> dict[str, int]:
        """How many dice of each type lack of what was called."""
        return {kind: count for kind, count in self.short if count > 0}

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to throw or to choose."""
        return self.awaits is None and not self.short and not self.choices

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
    def left(self) -> Counter[str]:
        """What its symbols still pay: less than none where they paid for more than a correction left."""
        left = Counter(dict(self.net))
        for one in self.bought:
            left[one.of] -= one.count
        return left

    @property
    def can_pay(self) -> bool:
        """Whether it has symbols left that buy something. Points of its roller may be spent at any time."""
        return any(0 < count <= self.left[of] for of, count in self.pays)

    @property
    def picture(self) -> str | None:
        """Address of the picture; it changes when there is a newer one."""
        return f"/api/rolls/{self.id}/picture?v={self.pictures}" if self.pictures else None

    def brief_json(self) -> dict[str, Any]:
        """Return the roll without places, outlines and alternatives: a tenth of its size."""
        return self.form_without("dice", "suspects", "dismissed") | {"dice": [die.brief_json() for die in self.dice]}


class BriefDie(Record, frozen=True, kw_only=True):
    """A die as a list of past rolls has it."""

    optional = ("rule",)

    type: str
    face: Face
    status: Status
    rule: str = ""


class BriefRoll(Roll, frozen=True, kw_only=True):
    """A roll without places, outlines and alternatives, as :meth:`Roll.brief_json` tells it."""

    beside = (("dice", tuple[BriefDie, ...]), ("suspects", None), ("dismissed", None))
    to_json = Roll.brief_json
