"""A USB camera, or a film in a file, through OpenCV. It does not see a camera on the Pi's ribbon connector."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from tableside.adapters.camera.port import Wait, no_wait
from tableside.errors import CameraError
from tableside.vision.frame import Frame

_USUAL_FPS = 30.0


class VideoCamera:
    """A film or a USB camera.

    :param source: the film's path, or the camera's number.
    :param fps: frames a second: what a camera is asked for; for a film instead of the rate that it states.
    :param wait: paces a film; the default plays it as fast as it can be read.
    """

    def __init__(
        self, source: Path | int, *, size_px: tuple[int, int] = (1280, 960), fps: float | None = None,
        wait: Wait = no_wait, clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._source = source
        self._size_px = size_px
        self._fps = fps
        self._wait = wait
        self._clock = clock
        self._capture: cv2.VideoCapture | None = None

    @property
    def name(self) -> str:
        return f"film {self._source}" if isinstance(self._source, Path) else f"USB camera {self._source}"

    def open(self) -> None:
        self.close()
        if isinstance(self._source, Path):
            capture = self._open_film(self._source)
        else:
            if sys.platform == "linux" and not Path(f"/dev/video{self._source}").exists():
                hint = "Plug it in; `tableside doctor` lists cameras."
                raise CameraError("is not plugged in", where=self.name, hint=hint)
            capture = cv2.VideoCapture(self._source)
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
            capture.set(cv2.CAP_PROP_FPS, self._fps or _USUAL_FPS)
        if not capture.isOpened():
            capture.release()
            hint = "Is it a film?" if isinstance(self._source, Path) else "Does another program use it?"
            raise CameraError("cannot be opened", where=self.name, hint=hint)
        self._capture = capture

    def _open_film(self, path: Path) -> cv2.VideoCapture:
        if not path.is_file():
            raise CameraError("is not there", where=self.name, hint="Check the name.")
        return cv2.VideoCapture(str(path))

    def frames(self) -> Iterator[Frame]:
        """Yield frames. A film's times follow from its rate; a camera's come from the clock."""
        film = isinstance(self._source, Path)
        stated = self._capture.get(cv2.CAP_PROP_FPS) if self._capture is not None else 0.0
        fps = self._fps or (stated if 1 <= stated <= 1000 else _USUAL_FPS)
        number = 0
        while (capture := self._capture) is not None:
            is_read, picture = capture.read()
            if not is_read:
                if film and number:
                    return
                hint = "Check its cable." if not film else "The film may be damaged."
                raise CameraError("gives no pictures", where=self.name, hint=hint)
            at = number / fps if film else self._clock()
            yield Frame.of(np.asarray(picture, np.uint8), number=number, time=at)
            number += 1
            if film:
                self._wait(1 / fps)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None
