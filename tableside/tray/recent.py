"""The pictures of the last moments: whole ones for the dwell, and small ones in which motion is looked for."""

from __future__ import annotations

import math
from collections import deque

from tableside.tray.frame import Frame
from tableside.tray.motion import Small, small_picture

CLOCK_SECONDS = 0.005
"""The error of the times that cameras give their frames."""
STEP_SECONDS = 0.1
"""How far apart two pictures must be to show motion."""
LEAST_FRAMES = 3
"""Frames that must show the tray unchanged, however slow the camera is."""


class Recent:
    """Keeps what the dwell and motion need, and no more, since frames are large.

    :ivar views: the frames, oldest first.
    """

    def __init__(self) -> None:
        self.views: deque[Frame] = deque()
        self._smalls: deque[tuple[float, Small]] = deque()

    @property
    def looked_at(self) -> float:
        """Time of the last frame that was looked at, ``-inf`` before the first."""
        return self._smalls[-1][0] if self._smalls else -math.inf

    @property
    def shape(self) -> tuple[int, ...] | None:
        """Shape of the small pictures, ``None`` before the first."""
        return self._smalls[-1][1].shape if self._smalls else None

    def keep(self, frame: Frame, seconds: float) -> None:
        """Take one more frame, and drop those that are older."""
        self.views.append(frame)
        while len(self.views) > LEAST_FRAMES and frame.time - self.views[0].time > seconds:
            self.views.popleft()
        while len(self._smalls) > 1 and frame.time - self._smalls[1][0] >= STEP_SECONDS - CLOCK_SECONDS:
            self._smalls.popleft()

    def look(self, time: float, small: Small) -> tuple[float, Small] | None:
        """Take the small picture of that time; return the one to compare it with and its time, ``None`` at first."""
        before = self._before(time)
        self._smalls.append((time, small))
        return before

    def catch_up(self) -> tuple[float, Small] | None:
        """Take in the frames that were skipped, and return what to compare the last small picture with then."""
        now = self._smalls.pop()
        last = self.looked_at
        self._smalls += [(v.time, small_picture(v)) for v in self.views if last < v.time < now[0]]
        return self.look(*now)

    def _before(self, time: float) -> tuple[float, Small] | None:
        """Return the newest small picture that is old enough to show motion, else the oldest."""
        if not self._smalls:
            return None
        old = [one for one in self._smalls if time - one[0] >= STEP_SECONDS - CLOCK_SECONDS]
        return old[-1] if old else self._smalls[0]
