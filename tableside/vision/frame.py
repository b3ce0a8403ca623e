"""A picture from a camera and its time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tableside.vision.photo import Picture


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture of the tray. Its array is shared by many, so it cannot be written to.

    :ivar picture: (height, width, 3) uint8 BGR, read-only.
    :ivar number: counts from 0 since the camera was opened.
    :ivar time: seconds on the camera's own clock; only differences mean something.
    """

    picture: Picture
    number: int
    time: float

    @classmethod
    def of(cls, picture: Picture, *, number: int, time: float) -> Frame:
        """Make a frame of a picture that nobody else writes to."""
        kept = np.ascontiguousarray(picture)
        kept.setflags(write=False)
        return cls(picture=kept, number=number, time=time)
