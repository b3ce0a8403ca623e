"""A sensor that goes on by itself and can be given every fault there is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from tableside.adapters.camera.lenses import View, view_of
from tableside.adapters.camera.port import AUTOMATIC, Controls, Device
from tableside.errors import CameraError
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame


@cache
def _noise(shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    return 2 * np.random.default_rng(3).standard_normal((8, *shape), np.float32)


_REST_FRAMES, _REST_SECONDS = 150, 0.05


class FakeSensor(Device):
    """Shows one scene with noise, 30 frames a second by its own clock, as fast as it is looked at.

    Where nothing has changed for five seconds of that clock it shows few frames, as each takes a processor's time.

    :param scene: what lies before the lens.
    :ivar rolling: draws what is shown instead, by the frame's number; dice that roll never lie twice in the same place,
        however few of the frames are looked at.
    """

    def __init__(self, scene: Picture) -> None:
        self.scene = scene
        self.rolling: Callable[[int], Picture] | None = None
        self.fault = ""
        self.disobeys = ""
        self.reset_count = 0
        self.open_count = 0
        self._number = 0
        self._noise = _noise(scene.shape)
        self._last = scene
        self._closed = threading.Event()

    @property
    def name(self) -> str:
        return "fake sensor"

    @property
    def is_live(self) -> bool:
        return True

    @property
    def view(self) -> View | None:
        return view_of("imx708", sensor_px=(4608, 2592), shown_px=(3456, 2592))

    @property
    def unheld(self) -> str:
        return self.disobeys

    def open(self) -> None:
        self.open_count += 1
        if self.fault == "unplugged":
            raise CameraError("is not plugged in", where=self.name, hint="Plug it in.")
        self._closed.clear()

    def frames(self) -> Iterator[Frame]:
        number, still, shown = 0, 0, 0
        while not self._closed.wait(0.002 if still < _REST_FRAMES else _REST_SECONDS):
            still = 0 if self.fault or self.rolling or shown != id(self.scene) else still + 1
            shown = id(self.scene)
            if self.fault == "unplugged":
                raise CameraError("gives no pictures", where=self.name, hint=self.cure())
            if self.fault == "hanging":
                self._closed.wait(0.05)
                continue
            self._number += 1
            is_damaged = self.fault == "damaged"
            yield Frame.of(self._shot(), number=number, time=self._number / 30, is_damaged=is_damaged)
            number += 1

    def controls(self) -> Controls:
        return AUTOMATIC

    def lock(self, controls: Controls) -> None:
        pass

    def reset(self) -> None:
        """What unplugging and plugging in again does to a picture that froze or a device that hangs."""
        self.reset_count += 1
        if self.fault in ("frozen", "hanging"):
            self.fault = ""

    def close(self) -> None:
        self._closed.set()

    def _shot(self) -> Picture:
        if self.fault == "frozen":
            return self._last.copy()
        if self.fault == "damaged":  # what is left of a picture whose second half was lost
            half = self._last.copy()
            half[half.shape[0] // 2 :] = 128
            return half
        light = {"black": 0.02, "white": 9.0, "dark": 0.3}.get(self.fault, 1.0)
        scene = self.rolling(self._number) if self.rolling else self.scene
        noise = self._noise[self._number % 8]
        picture = cv2.addWeighted(scene.astype(np.float32), light, noise, 1, -0.5, dtype=cv2.CV_8U)
        if self.fault == "blurred":
            picture = cv2.GaussianBlur(picture, (0, 0), 5)
        if self.fault == "small":
            picture = np.asarray(cv2.resize(picture, None, fx=0.75, fy=0.75), np.uint8)
        self._last = picture
        return picture
