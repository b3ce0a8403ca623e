"""A USB camera, through OpenCV. It does not see a camera on the Pi's ribbon connector."""

from __future__ import annotations

import logging
import os
import re
import struct
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.adapters.camera.kind import CameraKind
from tableside.adapters.camera.port import AUTOMATIC, Controls, Device
from tableside.errors import CameraError
from tableside.reader.photo import Picture, decode_jpeg
from tableside.tray.frame import Frame

_log = logging.getLogger(__name__)

_EXPOSURE_UNIT_US = 100
"""``V4L2_CID_EXPOSURE_ABSOLUTE`` counts in steps of 100 microseconds."""
_MANUAL_EXPOSURE, _AUTO_EXPOSURE = 1, 3
"""``V4L2_EXPOSURE_MANUAL`` and ``V4L2_EXPOSURE_APERTURE_PRIORITY``."""
_USBDEVFS_RESET = 0x5514
"""``_IO('U', 20)`` of linux/usbdevice_fs.h: as if it was unplugged and plugged in again."""
_SELECT_SECONDS = "2"
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")
_SET_CONTROL = 0xC008561C
"""``VIDIOC_S_CTRL`` of linux/videodev2.h."""
_POWER_LINE_FREQUENCY = 0x00980918
"""``V4L2_CID_POWER_LINE_FREQUENCY`` of linux/v4l2-controls.h."""
_POWER_LINES = {0: 0, 50: 1, 60: 2}
"""Its values by the frequency of the mains in hertz; 0 switches it off."""
_WORDS = {
    "exposure_us": "exposure in microseconds",
    "gain": "gain",
    "colour_kelvin": "white balance in kelvin",
    "lens": "focus",
}
_STEPS = {"exposure_us": _EXPOSURE_UNIT_US, "gain": 1, "colour_kelvin": 100, "lens": 5}
"""Steps of common cameras, by which a value may differ."""
_ALIKE = 0.1  # share by which a value may differ that was rounded to the camera's own steps

OpenCapture = Callable[[int], Any]
SetControl = Callable[[Path, int, int], None]
"""Sets a V4L2 control of a device by its number; raises OSError."""


def usb_cameras(*, system: Path = Path("/")) -> list[Path]:
    """Return the paths of the USB cameras in the order of their numbers.

    That is the lasting one, ``/dev/v4l/by-id/...``. Of two alike without serial numbers only one has such a path, and a
    system without udev gives none: then it is ``/dev/videoN``.
    """
    found = (system / "dev/v4l/by-id").glob("usb-*-video-index0")  # a camera's other devices give no pictures
    known = {path.resolve(): path for path in found if path.exists()}
    for entry in (system / "sys/class/video4linux").glob("video*"):
        node, place = system / "dev" / entry.name, entry / "index"
        number = _number_of(node)
        if (
            number is not None
            and place.exists()
            and place.read_text().strip() == "0"
            and usb_node(number, system=system)
        ):
            known.setdefault(node.resolve(), node)
    return sorted(known.values(), key=lambda path: (_number_of(path) or 0, path))


def set_v4l2_control(device: Path, control: int, value: int) -> None:
    """Set a control of a V4L2 device.

    :raises OSError: where it has no such control.
    """
    import fcntl

    opened = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    try:
        fcntl.ioctl(opened, _SET_CONTROL, struct.pack("=Ii", control, value))
    finally:
        os.close(opened)


class UsbCamera(Device):
    """A USB camera.

    :param path: see :func:`usb_cameras`; else the first video device is taken.
    :param fps: frames a second that it is asked for.
    :param mains_hz: frequency of the mains, whose lamps flicker twice as often; 0 where they do not.
    :param open_capture: opens a device of this number, for tests; else OpenCV does.
    :param set_control: sets a V4L2 control, for tests.
    :param system: where Linux tells of its devices.
    """

    def __init__(
        self,
        *,
        path: Path | None = None,
        size_px: tuple[int, int] = (1280, 960),
        fps: float = 30.0,
        mains_hz: int = 50,
        clock: Callable[[], float] = time.monotonic,
        open_capture: OpenCapture = cv2.VideoCapture,
        set_control: SetControl = set_v4l2_control,
        system: Path = Path("/"),
    ) -> None:
        self._path = path
        self._size_px = size_px
        self._fps = fps
        self._mains_hz = mains_hz
        self._clock = clock
        self._open_capture = open_capture
        self._set_control = set_control
        self._system = system
        self._capture: Any = None
        self._locked = AUTOMATIC

    @property
    def name(self) -> str:
        return f"USB camera {0 if self._path is None else self._path.name}"

    def open(self) -> None:
        self.close()
        number = self._number()
        device = self._system / f"dev/video{number}"
        if sys.platform == "linux" and not device.exists():
            hint = "Plug it in; `tableside doctor` lists cameras and says which one is taken, and why."
            raise CameraError("is not plugged in", where=self.name, hint=hint)
        # OpenCV waits 10 s for a frame of a camera that hangs, unless told otherwise
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", _SELECT_SECONDS)
        capture = self._open_capture(number)
        if not capture.isOpened():
            capture.release()
            raise CameraError("cannot be opened", where=self.name, hint="Does another program use it?")
        # uncompressed, most cameras give a large picture only a few times a second
        capture.set(cv2.CAP_PROP_FOURCC, _MJPG)
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
        capture.set(cv2.CAP_PROP_FPS, self._fps)
        if capture.get(cv2.CAP_PROP_FOURCC) == _MJPG:
            # OpenCV would decode them too, but keep to itself that one is damaged
            capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        self._capture = capture
        try:  # it then chooses exposures that see the lamps' flicker whole, where it can
            self._set_control(device, _POWER_LINE_FREQUENCY, _POWER_LINES[self._mains_hz])
        except (ImportError, OSError) as error:
            _log.info("%s: cannot be told the frequency of the mains (%s)", self.name, error)
        self._apply()

    def frames(self) -> Iterator[Frame]:
        """Yield frames. Their times come from the clock."""
        number = 0
        last = np.zeros((self._size_px[1], self._size_px[0], 3), np.uint8)
        while (capture := self._capture) is not None:
            is_read, read = capture.read()
            if not is_read:
                raise CameraError("gives no pictures", where=self.name, hint=self.cure())
            picture, warning = _decode(read)
            last = last if picture is None else picture
            yield Frame.of(last, number=number, time=self._clock(), is_damaged=bool(warning))
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
        node = usb_node(self._number(), system=self._system)
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

    def _number(self) -> int:
        """Return the number that its device has now.

        :raises CameraError: when its path leads nowhere, or to something else.
        """
        if self._path is None:
            return 0
        number = _number_of(self._path)
        if number is None:
            is_there = self._path.exists()
            hint = "Name one of /dev/v4l/by-id." if is_there else "Plug it in, or name another one of /dev/v4l/by-id."
            raise CameraError("is no camera" if is_there else "is not plugged in", where=self.name, hint=hint)
        return number

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
        self._compare()

    def _compare(self) -> None:
        """Hold what the camera says it is set to against what was asked for."""
        came, differs = self.controls(), []
        for name, words in _WORDS.items():
            asked, got = getattr(self._locked, name), getattr(came, name)
            if asked is not None and got is not None and abs(got - asked) > max(_ALIKE * abs(asked), _STEPS[name]):
                differs.append(f"{words}: {asked:g} asked, {got:g} came")
        self._unheld = "; ".join(differs)
        if differs:
            _log.warning("%s: does not hold what it was set up with (%s)", self.name, self._unheld)


def _number_of(path: Path) -> int | None:
    """Return the number of the device that a path leads to, ``None`` where it leads to no camera."""
    found = re.fullmatch(r"video(\d+)", path.resolve().name)
    return int(found[1]) if found and path.exists() else None


def _decode(read: np.ndarray) -> tuple[Picture | None, str]:
    """Return what was captured as a picture, and what its decoder warns of.

    The picture is a JPEG's bytes, or was decoded by OpenCV where the camera or the system gives nothing else.
    """
    if read.ndim == 3 and read.shape[2] == 3:
        return np.asarray(read, np.uint8), ""
    return decode_jpeg(np.asarray(read, np.uint8).tobytes())


def usb_node(index: int, *, system: Path = Path("/")) -> Path | None:
    """Return the node of the USB device behind a camera's number, ``None`` where it is none."""
    interface = system / f"sys/class/video4linux/video{index}/device"
    try:
        device = interface.resolve(strict=True).parent
        bus, number = (int((device / name).read_text()) for name in ("busnum", "devnum"))
    except (OSError, ValueError):
        return None
    return system / f"dev/bus/usb/{bus:03}/{number:03}"


KIND = CameraKind(
    make=lambda settings, *_: UsbCamera(
        path=settings.path, size_px=settings.size_px, fps=settings.fps, mains_hz=settings.lamps_hz
    ),
    rank=2,
    part="usb",
    tells=lambda *_: (
        ", ".join(map(str, usb_cameras()))
        or "none is plugged in; one that is shows under Camera and dice, and is taken by itself"
    ),
    choices=lambda: [(path.name, str(path)) for path in usb_cameras()],
)
