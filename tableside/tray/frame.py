"""A picture from a camera and its time."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from tableside.reader.crop import Pyramid, pyramid_of
from tableside.reader.photo import Picture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture of the tray. Its array is shared by many, so it cannot be written to.

    :ivar picture: (height, width, 3) uint8 BGR, read-only.
    :ivar number: counts from 0 since the camera was opened.
    :ivar small: a small picture of the same moment, BGR and read-only, where the camera gives one.
    :ivar is_damaged: the decoder warned that a part of the picture is not what the camera saw.
    :ivar time: seconds on the camera's own clock; only differences mean something.
    :ivar pyramid: the picture's, made once for all of the tray's thread that look at it.
    """

    picture: Picture
    number: int
    time: float
    small: Picture | None = None
    is_damaged: bool = False
    pyramid: Pyramid = field(init=False, repr=False)
    _sharpness: list[float] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name, value in (("pyramid", Pyramid(self.picture)), ("_sharpness", [])):
            object.__setattr__(self, name, value)

    @property
    def sharpness(self) -> float:
        """:func:`sharpness` of the picture, measured once."""
        if not self._sharpness:
            self._sharpness.append(sharpness(self.pyramid))
        return self._sharpness[0]

    @classmethod
    def of(
        cls, picture: Picture, *, number: int, time: float, small: Picture | None = None, is_damaged: bool = False
    ) -> Frame:
        """Make a frame of pictures that nobody else writes to."""
        kept = np.ascontiguousarray(picture)
        kept.setflags(write=False)
        if small is not None:
            small = np.ascontiguousarray(small)
            small.setflags(write=False)
        return cls(picture=kept, number=number, time=time, small=small, is_damaged=is_damaged)


def sharpness(picture: Picture | Pyramid) -> float:
    """Return the variance of the Laplacian of the green channel at half size: larger is sharper."""
    green = cv2.extractChannel(pyramid_of(picture).level(1), 1)
    return float(cv2.meanStdDev(cv2.Laplacian(green, cv2.CV_16S))[1][0, 0] ** 2)
