"""Plain values of libcamera: sizes, colour spaces, controls."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class ControlType(enum.Enum):
    """The types of controls, with libcamera's own numbers."""

    Null = 0
    Bool = 1
    Byte = 2
    Integer32 = 5
    Integer64 = 6
    Float = 7
    String = 8
    Rectangle = 9
    Size = 10
    Point = 11


class Orientation(enum.Enum):
    """EXIF's orientations, which libcamera uses."""

    Rotate0 = 1
    Rotate0Mirror = 2
    Rotate180 = 3
    Rotate180Mirror = 4
    Rotate90Mirror = 5
    Rotate270 = 6
    Rotate270Mirror = 7
    Rotate90 = 8


@dataclass
class Size:
    """Pixels."""

    width: int = 0
    height: int = 0


@dataclass
class Rectangle:
    """Pixels."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)


class Transform:
    """How the picture is turned; made of another one or of flags."""

    def __init__(
        self, other: Transform | None = None, *, hflip: bool = False, vflip: bool = False, transpose: bool = False
    ) -> None:
        self.hflip = bool(other.hflip if other else hflip)
        self.vflip = bool(other.vflip if other else vflip)
        self.transpose = bool(other.transpose if other else transpose)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Transform) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.hflip, self.vflip, self.transpose))

    def __str__(self) -> str:  # which picamera2 makes its representation too
        return f"<libcamera.Transform {vars(self)}>"


class ColorSpace:
    """A colour space; made of another one or of its four parts."""

    Primaries = enum.Enum("Primaries", "Raw Smpte170m Rec709 Rec2020", start=0)
    TransferFunction = enum.Enum("TransferFunction", "Linear Srgb Rec709", start=0)
    YcbcrEncoding = enum.Enum("YcbcrEncoding", "Null Rec601 Rec709 Rec2020", start=0)
    Range = enum.Enum("Range", "Full Limited", start=0)

    def __init__(self, *parts: Any) -> None:
        if len(parts) == 1:
            (other,) = parts
            parts = (other.primaries, other.transferFunction, other.ycbcrEncoding, other.range)
        self.primaries, self.transferFunction, self.ycbcrEncoding, self.range = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ColorSpace) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))

    def __str__(self) -> str:  # which picamera2 makes its representation too
        return f"<libcamera.ColorSpace {vars(self)}>"

    @classmethod
    def Raw(cls) -> ColorSpace:
        return cls(cls.Primaries.Raw, cls.TransferFunction.Linear, cls.YcbcrEncoding.Null, cls.Range.Full)

    @classmethod
    def Sycc(cls) -> ColorSpace:
        return cls(cls.Primaries.Rec709, cls.TransferFunction.Srgb, cls.YcbcrEncoding.Rec601, cls.Range.Full)

    @classmethod
    def Smpte170m(cls) -> ColorSpace:
        return cls(cls.Primaries.Smpte170m, cls.TransferFunction.Rec709, cls.YcbcrEncoding.Rec601, cls.Range.Limited)

    @classmethod
    def Rec709(cls) -> ColorSpace:
        return cls(cls.Primaries.Rec709, cls.TransferFunction.Rec709, cls.YcbcrEncoding.Rec709, cls.Range.Limited)


@dataclass(frozen=True)
class PixelFormat:
    """A name such as ``RGB888``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class ControlId:
    """A control or a property.

    :ivar count: so many elements make a value.
    """

    id: int
    name: str
    type: ControlType
    count: int = 1


class ControlInfo:
    """What values a camera takes for a control."""

    def __init__(self, least: Any, most: Any, default: Any = None, values: Sequence[Any] = ()) -> None:
        self.min = least
        self.max = most
        self.default = default
        self.values = list(values)
