"""The last moments before the dice lay still, as a few small pictures."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from tableside.reader.crop import shrunk
from tableside.reader.photo import Picture, jpeg_of
from tableside.tray.frame import Frame

SECONDS = 1.2
PICTURES = 14
WIDTH_PX = 480
_STEP_SECONDS = SECONDS / PICTURES
_COLUMNS = 4  # of a sheet: 1920 x 1440 px, which the Pi's graphics draw in one piece
_QUALITY = 75  # of 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Moment:
    """A frame, shrunk. ``number`` and ``time`` are the frame's."""

    picture: Picture
    number: int
    time: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """A film on one sheet: its pictures lie in rows from the upper left.

    :ivar sheet: the JPEG.
    :ivar times: seconds from the first picture at which each is shown.
    :ivar width_px: of one picture, as ``height_px``.
    """

    sheet: bytes
    times: tuple[float, ...]
    width_px: int
    height_px: int
    columns: int = _COLUMNS

    def to_json(self) -> dict[str, Any]:
        """Return what a page needs beside the sheet."""
        return {
            "times": [round(time, 3) for time in self.times],
            "width": self.width_px,
            "height": self.height_px,
            "columns": self.columns,
        }


class Cut:
    """The moments of one film, not drawn on a sheet yet."""

    def __init__(self, moments: list[_Moment]) -> None:
        self._moments = moments

    def film(self) -> Film:
        """Draw the sheet. It takes long enough to be done only when no roll waits."""
        height, width = self._moments[0].picture.shape[:2]
        rows = -(-len(self._moments) // _COLUMNS)
        sheet = np.zeros((rows * height, _COLUMNS * width, 3), np.uint8)
        for n, moment in enumerate(self._moments):
            y, x = height * (n // _COLUMNS), width * (n % _COLUMNS)
            sheet[y : y + height, x : x + width] = moment.picture
        begin = self._moments[0].time
        times = tuple(moment.time - begin for moment in self._moments)
        return Film(sheet=jpeg_of(sheet, quality=_QUALITY), times=times, width_px=width, height_px=height)


class Reel:
    """Remembers the last moments of the tray, shrunk, and cuts a film of them.

    It gets every frame in which something may move, and the moment from which the dice lie still. Once they are read,
    it is asked for the film.
    """

    def __init__(self) -> None:
        # the dwell follows the moments, and is known only once it is over
        self._moments: deque[_Moment] = deque(maxlen=2 * PICTURES)
        self._rest: int | None = None
        self._is_over = False

    def see(self, frame: Frame) -> None:
        """Take a frame, where one is due."""
        if self._is_over:
            self._moments.clear()
            self._is_over = False
        last = self._moments[-1] if self._moments else None
        if last is not None:
            if frame.number <= last.number:  # the camera was opened anew
                self._moments.clear()
            elif _slot(frame.time) == _slot(last.time):
                return
        height, width = frame.picture.shape[:2]
        small = shrunk(frame.pyramid, WIDTH_PX, round(height * WIDTH_PX / width))
        self._moments.append(_Moment(picture=small, number=frame.number, time=frame.time))

    def rest(self, number: int) -> None:
        """Note that nothing moves since the frame of this number."""
        self._rest = number

    def end(self) -> None:
        """Note that all lies still: what moves next begins another film."""
        self._is_over = True

    def cut(self) -> Cut | None:
        """Return the moments before the last rest, and forget them; ``None`` where there are none."""
        moments, rest = list(self._moments), self._rest
        self._moments.clear()
        self._rest = None
        if rest is None:
            return None
        lying = next((n for n, moment in enumerate(moments) if moment.number >= rest), len(moments) - 1)
        moments = moments[: lying + 1]  # the last picture shows the dice as they lie
        kept = [moment for moment in moments if moments[-1].time - moment.time <= SECONDS]
        same = [moment for moment in kept[-PICTURES:] if moment.picture.shape == kept[-1].picture.shape]
        return Cut(same) if len(same) > 1 else None


def _slot(time: float) -> int:
    return int(time / _STEP_SECONDS)
