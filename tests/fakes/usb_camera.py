"""A USB camera below OpenCV: a capture that keeps its properties as a V4L2 driver does, and a tree of device files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np

_DEFAULTS: Mapping[int, float] = {
    cv2.CAP_PROP_EXPOSURE: 157.0,
    cv2.CAP_PROP_GAIN: 4.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_FOCUS: 30.0,
    cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_AUTOFOCUS: 1.0,
}
_FOCUS = (cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS)


class FakeUsb:
    """A camera on USB that can be unplugged.

    :param scene: gives the picture of a number, width and height.
    :param has_focus: whether its lens moves.
    """

    def __init__(
        self, system: Path, scene: Callable[[int, int, int], np.ndarray], *, index: int = 0, has_focus: bool = True
    ) -> None:
        self.scene = scene
        self.is_busy = False
        self.values = {key: value for key, value in _DEFAULTS.items() if has_focus or key not in _FOCUS}
        self._node = system / f"dev/video{index}"
        device = system / "sys/devices/usb1/1-1"
        (device / "1-1:1.0").mkdir(parents=True, exist_ok=True)
        (device / "busnum").write_text("1\n")
        (device / "devnum").write_text("7\n")
        entry = system / f"sys/class/video4linux/video{index}"
        entry.mkdir(parents=True, exist_ok=True)
        (entry / "device").symlink_to(device / "1-1:1.0")
        self._node.parent.mkdir(parents=True, exist_ok=True)
        self.plug()

    def plug(self) -> None:
        self._node.touch()

    def unplug(self) -> None:
        self._node.unlink()

    @property
    def is_plugged(self) -> bool:
        return self._node.exists()

    def open(self, index: int) -> FakeCapture:
        return FakeCapture(self)


class FakeCapture:
    """What ``cv2.VideoCapture`` offers of it."""

    def __init__(self, usb: FakeUsb) -> None:
        self._usb = usb
        self._size = {cv2.CAP_PROP_FRAME_WIDTH: 640.0, cv2.CAP_PROP_FRAME_HEIGHT: 480.0}
        self._number = 0

    def isOpened(self) -> bool:
        return self._usb.is_plugged and not self._usb.is_busy

    def set(self, key: int, value: float) -> bool:
        for values in (self._size, self._usb.values):
            if key in values:
                values[key] = float(value)
                return True
        return False

    def get(self, key: int) -> float:
        return self._usb.values.get(key, self._size.get(key, 0.0))

    def read(self) -> tuple[bool, np.ndarray | None]:
        if not self._usb.is_plugged:
            return False, None
        width, height = (int(self._size[key]) for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        self._number += 1
        return True, self._usb.scene(self._number - 1, width, height)

    def release(self) -> None:
        pass
