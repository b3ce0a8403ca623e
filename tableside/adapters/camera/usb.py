"""A USB camera, through OpenCV. It does not see a camera on the Pi's ribbon connector."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.adapters.camera.port import AUTOMATIC, Controls
from tableside.errors import CameraError
from tableside.vision.frame import Frame

_log = logging.getLogger(__name__)

_EXPOSURE_UNIT_US = 100
"""``V4L2_CID_EXPOSURE_ABSOLUTE`` counts in steps of 100 microseconds."""
_MANUAL_EXPOSURE, _AUTO_EXPOSURE = 1, 3
"""``V4L2_EXPOSURE_MANUAL`` and ``V4L2_EXPOSURE_APERTURE_PRIORITY``."""
_USBDEVFS_RESET = 0x5514
"""``_IO('U', 20)`` of linux/usbdevice_fs.h: as if it was unplugged and plugged in again."""
_SELECT_SECONDS = "2"

OpenCapture = Callable[[int], Any]


class UsbCamera:
    """A USB camera.

    :param index: its number, from 0.
    :param fps: frames a second that it is asked for.
    :param open_capture: opens a device of this number, for tests; else OpenCV does.
    :param system: where Linux tells of its devices.
    """

    def __init__(
        self, index: int = 0, *, size_px: tuple[int, int] = (1280, 960), fps: float = 30.0,
        clock: Callable[[], float] = time.monotonic, open_capture: OpenCapture = cv2.VideoCapture,
        system: Path = Path("/"),
    ) -> None:  # fmt: skip
        self._index = index
        self._size_px = size_px
        self._fps = fps
        self._clock = clock
        self._open_capture = open_capture
        self._system = system
        self._capture: Any = None
        self._locked = AUTOMATIC

    @property
    def name(self) -> str:
        return f"USB camera {self._index}"

    @property
    def is_live(self) -> bool:
        return True

    def open(self) -> None:
        self.close()
        if sys.platform == "linux" and not (self._system / f"dev/video{self._index}").exists():
            hint = "Plug it in; `tableside doctor` lists cameras."
            raise CameraError("is not plugged in", where=self.name, hint=hint)
        # OpenCV waits 10 s for a frame of a camera that hangs, unless told otherwise
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", _SELECT_SECONDS)
        capture = self._open_capture(self._index)
        if not capture.isOpened():
            capture.release()
            raise CameraError("cannot be opened", where=self.name, hint="Does another program use it?")
        # uncompressed, most cameras give a large picture only a few times a second
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        self._capture = capture
        self._apply()

    def frames(self) -> Iterator[Frame]:
        """Yield frames. Their times come from the clock."""
        number = 0
        while (capture := self._capture) is not None:
            is_read, picture = capture.read()
            if not is_read:
                raise CameraError("gives no pictures", where=self.name, hint="Check its cable.")
            yield Frame.of(np.asarray(picture, np.uint8), number=number, time=self._clock())
            number += 1

    def controls(self) -> Controls:
        if self._capture is None:
            return self._locked
        exposure, gain = self._get(cv2.CAP_PROP_EXPOSURE), self._get(cv2.CAP_PROP_GAIN)
        kelvin = self._get(cv2.CAP_PROP_WB_TEMPERATURE)
        return Controls(
            exposure_us=None if exposure is None else round(exposure * _EXPOSURE_UNIT_US),
            gain=gain,
            colour_kelvin=None if kelvin is None else round(kelvin),
            lens=self._get(cv2.CAP_PROP_FOCUS),
        )

    def lock(self, controls: Controls) -> None:
        self._locked = controls
        self._apply()

    def reset(self) -> None:
        """Reset its USB port, where the system lets us."""
        node = usb_node(self._index, system=self._system)
        if node is None:
            return
        try:
            import fcntl

            device = os.open(node, os.O_WRONLY)
            try:
                fcntl.ioctl(device, _USBDEVFS_RESET, 0)
            finally:
                os.close(device)
            _log.warning("%s: its USB port was reset", self.name)
        except (ImportError, OSError) as error:
            _log.warning("%s: its USB port cannot be reset (%s)", self.name, error)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _get(self, key: int) -> float | None:
        """Return a control's value, ``None`` where the camera has no such control."""
        value = float(self._capture.get(key))
        return value if value > 0 else None

    def _apply(self) -> None:
        capture, locked = self._capture, self._locked
        if capture is None:
            return
        is_fixed = locked.exposure_us is not None
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE if is_fixed else _AUTO_EXPOSURE)
        if locked.exposure_us is not None:
            capture.set(cv2.CAP_PROP_EXPOSURE, max(1, round(locked.exposure_us / _EXPOSURE_UNIT_US)))
        if locked.gain is not None:
            capture.set(cv2.CAP_PROP_GAIN, locked.gain)
        for automatic, key, value in (
            (cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_WB_TEMPERATURE, locked.colour_kelvin),
            (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS, locked.lens),
        ):
            capture.set(automatic, 0 if value is not None else 1)
            if value is not None:
                capture.set(key, value)


def usb_node(index: int, *, system: Path = Path("/")) -> Path | None:
    """Return the node of the USB device behind a camera's number, ``None`` where it is none."""
    interface = system / f"sys/class/video4linux/video{index}/device"
    try:
        device = interface.resolve(strict=True).parent
        bus, number = (int((device / name).read_text()) for name in ("busnum", "devnum"))
    except (OSError, ValueError):
        return None
    return system / f"dev/bus/usb/{bus:03}/{number:03}"
