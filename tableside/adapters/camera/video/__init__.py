"""A film in a file, through OpenCV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from tableside.adapters.camera.folder import path_to_play
from tableside.adapters.camera.kind import CameraKind
from tableside.adapters.camera.port import USUAL_FPS, Recording, Wait, no_wait
from tableside.errors import CameraError
from tableside.reader.photo import MAX_PIXELS
from tableside.tray.frame import Frame


class VideoCamera(Recording):
    """A film, played once. Its times follow from its rate.

    :param fps: frames a second in place of the rate that the film states.
    :param wait: paces it; the default plays it as fast as it can be read.
    """

    def __init__(self, path: Path, *, fps: float | None = None, wait: Wait = no_wait) -> None:
        self._path = path
        self._fps = fps
        self._wait = wait
        self._capture: cv2.VideoCapture | None = None

    @property
    def name(self) -> str:
        return f"film {self._path}"

    def open(self) -> None:
        self.close()
        if not self._path.is_file():
            raise CameraError("is not there", where=self.name, hint="Check the name.")
        capture = cv2.VideoCapture(str(self._path))
        if not capture.isOpened():
            capture.release()
            raise CameraError("cannot be opened", where=self.name, hint="Is it a film?")
        size = [int(capture.get(side)) for side in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
        if size[0] * size[1] > MAX_PIXELS:
            capture.release()
            what = f"has pictures of {size[0]} x {size[1]} pixels, more than {MAX_PIXELS // 1_000_000} million"
            raise CameraError(what, where=self.name, hint="Save it at half the size.")
        self._capture = capture

    def frames(self) -> Iterator[Frame]:
        stated = self._capture.get(cv2.CAP_PROP_FPS) if self._capture is not None else 0.0
        fps = self._fps or (stated if 1 <= stated <= 1000 else USUAL_FPS)
        number = 0
        while (capture := self._capture) is not None:
            is_read, picture = capture.read()
            if not is_read:
                if number:
                    return
                raise CameraError("gives no pictures", where=self.name, hint="The film may be damaged.")
            yield Frame.of(np.asarray(picture, np.uint8), number=number, time=number / fps)
            number += 1
            self._wait(1 / fps)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None


KIND = CameraKind(make=lambda settings, wait, _: VideoCamera(path_to_play(settings), wait=wait))
