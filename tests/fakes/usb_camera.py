"""A USB camera below OpenCV: a capture that keeps its properties as a V4L2 driver does, and a tree of device files."""

from __future__ import annotations

import errno
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
_MJPG, _YUYV = (float(cv2.VideoWriter.fourcc(*name)) for name in ("MJPG", "YUYV"))


class FakeUsb:
    """A camera on USB that can be unplugged, and whose JPEGs can be damaged on the way.

    :param scene: gives the picture of a number, width and height.
    :param has_focus: whether its lens moves. :param has_jpeg: whether it gives JPEGs, else uncompressed pictures alone.
    :ivar damage: makes other bytes of a JPEG's. :ivar stuck: properties that stay at a value, whatever is asked.
    :ivar asked: V4L2 controls that were set, by their number.
    """

    def __init__(
        self, system: Path, scene: Callable[[int, int, int], np.ndarray], *, index: int = 0, has_focus: bool = True,
        has_jpeg: bool = True,
    ) -> None:  # fmt: skip
        self.scene = scene
        self.is_busy = False
        self.has_jpeg = has_jpeg
        self.damage: Callable[[bytes], bytes] = bytes
        self.stuck: dict[int, float] = {}
        self.asked: dict[int, int] = {}
        self.values = {key: value for key, value in _DEFAULTS.items() if has_focus or key not in _FOCUS}
        self.lasting = system / "dev/v4l/by-id/usb-046d_HD_Pro_Webcam_C920_ABCDEF-video-index0"
        self._system = system
        self._link(index)
        self.plug()

    def _link(self, index: int) -> None:
        self._node = self._system / f"dev/video{index}"
        device = self._system / "sys/devices/usb1/1-1"
        (device / "1-1:1.0").mkdir(parents=True, exist_ok=True)
        (device / "busnum").write_text("1\n")
        (device / "devnum").write_text("7\n")
        entry = self._system / f"sys/class/video4linux/video{index}"
        entry.mkdir(parents=True, exist_ok=True)
        (entry / "device").symlink_to(device / "1-1:1.0")
        (entry / "index").write_text("0\n")
        self._node.parent.mkdir(parents=True, exist_ok=True)

    def plug(self) -> None:
        self._node.touch()
        self.lasting.parent.mkdir(parents=True, exist_ok=True)
        self.lasting.symlink_to(f"../../{self._node.name}")

    def unplug(self) -> None:
        self._node.unlink()
        self.lasting.unlink()

    def plug_as(self, index: int) -> None:
        """Plug it in where the system gives it another number."""
        self._link(index)
        self.plug()

    @property
    def is_plugged(self) -> bool:
        return self._node.exists()

    def open(self, index: int) -> FakeCapture:
        return FakeCapture(self, is_its_own=self._node.name == f"video{index}")

    def set_control(self, device: Path, control: int, value: int) -> None:
        """What the driver does with a control."""
        if not device.exists():
            raise OSError(errno.ENODEV, "No such device")
        self.asked[control] = value


class FakeCapture:
    """What ``cv2.VideoCapture`` offers of it."""

    def __init__(self, usb: FakeUsb, *, is_its_own: bool) -> None:
        self._usb = usb
        self._is_its_own = is_its_own
        self._size = {
            cv2.CAP_PROP_FRAME_WIDTH: 640.0,
            cv2.CAP_PROP_FRAME_HEIGHT: 480.0,
            cv2.CAP_PROP_FOURCC: _YUYV,
            cv2.CAP_PROP_CONVERT_RGB: 1.0,
        }
        self._number = 0

    def isOpened(self) -> bool:
        return self._is_its_own and self._usb.is_plugged and not self._usb.is_busy

    def set(self, key: int, value: float) -> bool:
        if key == cv2.CAP_PROP_FOURCC and value == _MJPG and not self._usb.has_jpeg:
            return False
        for values in (self._size, self._usb.values):
            if key in values:
                values[key] = float(value)
                return True
        return False

    def get(self, key: int) -> float:
        return (self._usb.values | self._usb.stuck).get(key, self._size.get(key, 0.0))

    def read(self) -> tuple[bool, np.ndarray | None]:
        if not self._usb.is_plugged:
            return False, None
        width, height = (int(self._size[key]) for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        self._number += 1
        picture = self._usb.scene(self._number - 1, width, height)
        if self._size[cv2.CAP_PROP_FOURCC] == _YUYV:
            return True, picture if self._size[cv2.CAP_PROP_CONVERT_RGB] else _packed(picture)
        _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        sent = np.frombuffer(self._usb.damage(jpeg.tobytes()), np.uint8)
        if not self._size[cv2.CAP_PROP_CONVERT_RGB]:
            return True, sent[None]
        decoded = cv2.imdecode(sent, cv2.IMREAD_COLOR)  # which keeps to itself that they are damaged
        return decoded is not None, decoded

    def release(self) -> None:
        pass


def _packed(picture: np.ndarray) -> np.ndarray:
    """Return two bytes a pixel, as a camera sends them uncompressed; only their shape matters."""
    return np.ascontiguousarray(picture[:, :, :2])
