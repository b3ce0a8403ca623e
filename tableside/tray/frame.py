"""A picture from a camera and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tableside.reader.photo import Picture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture of the tray. Its array is shared by many, so it cannot be written to.

    :ivar picture: (height, width, 3) uint8 BGR, read-only.
    :ivar number: counts from 0 since the camera was opened.
    :ivar small: a small picture of the same moment, BGR and read-only, where the camera gives one.
    :ivar is_damaged: the decoder warned that a part of the picture is not what the camera saw.
    :ivar time: seconds on the camera's own clock; only differences mean something.
    """

    picture: Picture
    number: int
    time: float
    small: Picture | None = None
    is_damaged: bool = False

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
