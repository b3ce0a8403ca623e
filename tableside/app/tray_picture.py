"""The picture of the tray as it is now, for the table's screen."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2

from tableside.reader.photo import jpeg_of
from tableside.tray.frame import Frame

_WIDTH_PX = 640  # of the view, which is 468 px wide on a screen of 1280
_QUALITY = 70  # of 100: half a second later it is replaced


class TrayPicture:
    """The newest frame as a small JPEG, encoded once however many screens ask for it.

    :param last: the newest frame, ``None`` before there is one.
    """

    def __init__(self, last: Callable[[], Frame | None]) -> None:
        self._last = last
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._jpeg: bytes | None = None

    def jpeg(self) -> bytes | None:
        """Return the picture, or ``None`` where there is none."""
        frame = self._last()
        if frame is None:
            return None
        with self._lock:
            if frame is not self._frame:
                height, width = frame.picture.shape[:2]
                size = (_WIDTH_PX, round(height * _WIDTH_PX / width))
                small = cv2.resize(frame.picture, size, interpolation=cv2.INTER_AREA)
                self._frame, self._jpeg = frame, jpeg_of(small, quality=_QUALITY)
            return self._jpeg
