"""What was read from one picture: dice, doubts and times.

Coordinates are pixels of the full picture, x to the right and y down. The JSON forms are fixed by the
``read --json`` contract.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from tableside.dice.face import Die, Face
from tableside.record import Record

_TOO_FLAT = 0.6
"""Sine of an angle of 37 degrees, at which a side of a cube shows three quarters of what its upper face does."""

Point: TypeAlias = tuple[float, float]
"""Image position ``(x, y)`` in pixels."""


class Status(StrEnum):
    """How far a die's reading can be trusted."""

    SURE = "sure"
    UNSURE = "unsure"
    COCKED = "cocked"


class Doubt(StrEnum):
    """Why an unsure die is."""

    FACE = "face"
    """Its marks may be those of another face, or of another die."""
    LEAN = "lean"
    """It may lean."""
    SIDE = "side"
    """Another side may be the upper one."""
    EDGE = "edge"
    """The picture's edge cuts its upper face."""
    GLARE = "glare"
    """Light has left nothing of its marks."""
    FAINT = "faint"
    """It may be no die."""
    BLUR = "blur"
    """The picture is out of focus, so that dice may be missed, too."""
    COLOUR = "colour"
    """It or another of its type may be the one that differs by colour alone."""


_DIGITS = {"center": 1, "outline": 1, "confidence": 4}


class Alternative(Record, frozen=True, kw_only=True):
    """Another face that the die may show, with its probability in 0..1."""

    digits = _DIGITS

    type: str
    face: Face
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DieReading:
    """One die as read.

    :ivar center: middle of the upper face.
    :ivar outline: corners of the silhouette.
    :ivar confidence: calibrated probability in 0..1 that type and face are both right.
    :ivar alternatives: other readings, likeliest first.
    :ivar colour_bgr: median colour, or ``None`` where it was not measured.
    :ivar doubt: why it is unsure, where it is.
    """

    type: str
    face: Face
    center: Point
    outline: tuple[Point, ...]
    confidence: float
    status: Status
    alternatives: tuple[Alternative, ...] = ()
    colour_bgr: tuple[int, int, int] | None = None
    doubt: Doubt | None = None

    @property
    def colour(self) -> str:
        """The body colour as ``#rrggbb``, ``""`` where it was not measured."""
        return "#{2:02x}{1:02x}{0:02x}".format(*self.colour_bgr) if self.colour_bgr else ""

    @property
    def die(self) -> Die:
        return Die(type=self.type, face=self.face, colour=self.colour)

    def to_json(self) -> dict[str, Any]:
        """Return the die's part of the ``read --json`` form, with ``doubt`` where there is one."""
        return {
            "type": self.type,
            "face": list(self.face),
            "center": _point(self.center),
            "outline": [_point(point) for point in self.outline],
            "confidence": round(self.confidence, 4),
            "status": self.status.value,
            "alternatives": [alternative.to_json() for alternative in self.alternatives],
        } | ({"doubt": self.doubt.value} if self.doubt else {})


class Suspect(Record, frozen=True, kw_only=True):
    """Something that may be a die but could not be read. It makes the roll not sure."""

    digits = _DIGITS

    center: Point
    outline: tuple[Point, ...]
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Milliseconds spent on one picture."""

    decode: float = 0.0
    locate: float = 0.0
    classify: float = 0.0

    @property
    def total(self) -> float:
        return self.decode + self.locate + self.classify

    def to_json(self) -> dict[str, float]:
        return {
            "decode": round(self.decode, 2),
            "locate": round(self.locate, 2),
            "classify": round(self.classify, 2),
            "total": round(self.total, 2),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything read from one picture. No dice at all is an empty reading that is sure.

    :ivar slant: sine of the angle between the camera's look and straight down, by most dice; ``None`` where none tells.
    :ivar is_blurred: the picture is out of focus: there may be more dice, so it is never sure.
    :ivar nearer: how many times nearer the camera should be, 1 where it is near enough; else dice may be missed, too.
    """

    width: int
    height: int
    dice: tuple[DieReading, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    timings: Timings = Timings()
    slant: float | None = None
    is_blurred: bool = False
    nearer: float = 1.0

    @property
    def is_too_flat(self) -> bool:
        """Whether the camera looks so flat that dice show two large faces, and a side may pass for the upper one."""
        return self.slant is not None and self.slant > _TOO_FLAT

    @property
    def sure(self) -> bool:
        """True when every die is sure, nothing die-like was left unread, and the picture is sharp and near enough."""
        is_clear = not self.is_blurred and self.nearer <= 1
        return is_clear and not self.suspects and all(die.status is Status.SURE for die in self.dice)

    def to_json(self) -> dict[str, Any]:
        """Return the ``read --json`` form without ``image`` and ``outcome``, which the caller adds."""
        return {
            "width": self.width,
            "height": self.height,
            "sure": self.sure,
            "dice": [die.to_json() for die in self.dice],
            "suspects": [suspect.to_json() for suspect in self.suspects],
            "ms": self.timings.to_json(),
            **{name: True for name, holds in (("too_flat", self.is_too_flat), ("blurred", self.is_blurred)) if holds},
            **({"nearer": round(self.nearer, 1)} if self.nearer > 1 else {}),
        }


def _point(point: Point) -> list[float]:
    return [round(point[0], 1), round(point[1], 1)]
