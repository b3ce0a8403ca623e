"""The Raspberry Pi's own camera, on its ribbon connector, through picamera2."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np

from tableside.adapters.camera.port import AUTOMATIC, Controls
from tableside.errors import CameraError
from tableside.vision.frame import Frame

_BUFFERS = 3  # fewer and the sensor waits for us
_NANOSECONDS = 1e-9
_SMALL_WIDTH_PX = 320
_AF_MANUAL, _AF_CONTINUOUS = 0, 2
"""libcamera's ``AfModeEnum``; its own names need an import that may fail on its own."""


def has_picamera() -> bool:
    """Tell whether picamera2 is installed with the libcamera that it needs, without importing them."""
    return all(importlib.util.find_spec(name) is not None for name in ("picamera2", "libcamera"))


def pi_cameras() -> str:
    """Say which cameras libcamera finds, and its version.

    :raises CameraError: where picamera2 or libcamera cannot be used, or finds none.
    """
    where = "libcamera"
    try:
        import libcamera
        from picamera2 import Picamera2
    except ImportError as error:
        hint = "Run `sudo apt install python3-picamera2` and use a venv with --system-site-packages."
        raise CameraError(f"is not installed ({error})", where=where, hint=hint) from error
    except ValueError as error:  # a simplejpeg that was built for numpy 1 beside numpy 2
        hint = "Run `.venv/bin/pip install 'simplejpeg>=1.8.1'`."
        raise CameraError(f"does not fit the installed numpy ({error})", where=where, hint=hint) from error
    found = [str(camera.get("Model", "unknown")) for camera in Picamera2.global_camera_info()]
    if not found:
        hint = "Check the ribbon cable, both ends, contacts towards the board's contacts; then start the Pi again."
        raise CameraError("finds no camera", where=where, hint=hint)
    return f"{libcamera.CameraManager.singleton().version}: {', '.join(found)}"


class PiCamera:
    """A camera on the Pi's ribbon connector: large pictures to read, and small ones beside to watch.

    picamera2 and libcamera come from the system packages (``apt install python3-picamera2``).

    :param timeout_seconds: without a frame for so long, the camera counts as lost.
    """

    def __init__(
        self, index: int = 0, *, size_px: tuple[int, int] = (1280, 960), fps: float = 30.0,
        timeout_seconds: float = 1.5,
    ) -> None:  # fmt: skip
        self._index = index
        self._size_px = size_px
        self._fps = fps
        self._timeout_seconds = timeout_seconds
        width = min(_SMALL_WIDTH_PX, size_px[0])
        height = round(size_px[1] * width / size_px[0])
        self._small_px = (width, height - height % 2)  # YUV420 has even sizes
        self._camera: Any = None
        self._locked = AUTOMATIC
        self._metadata: dict[str, Any] = {}

    @property
    def name(self) -> str:
        return f"Pi camera {self._index}"

    @property
    def is_live(self) -> bool:
        return True

    def open(self) -> None:
        self.close()
        try:
            from picamera2 import Picamera2
        except Exception as error:  # beside ImportError, a numpy of another ABI raises ValueError
            hint = "Run `sudo apt install python3-picamera2` and use a venv with --system-site-packages."
            raise CameraError(f"needs picamera2 ({error})", where=self.name, hint=hint) from error
        try:
            self._camera = Picamera2(self._index)
            settings = self._camera.create_video_configuration(
                main={"size": self._size_px, "format": "RGB888"},  # libcamera's RGB888 is BGR in memory
                lores={"size": self._small_px, "format": "YUV420"},
                buffer_count=_BUFFERS,
                queue=False,
                controls={"FrameRate": self._fps} | self._wanted(),
            )
            self._camera.configure(settings)
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            hint = "Check the ribbon cable and that no other program uses the camera."
            raise CameraError(f"cannot be opened ({error})", where=self.name, hint=hint) from error

    def frames(self) -> Iterator[Frame]:
        number = 0
        width, _ = self._small_px  # rows may be padded
        while (camera := self._camera) is not None:
            try:
                with camera.captured_request(wait=self._timeout_seconds) as request:
                    picture = request.make_array("main")  # a copy: the buffer goes back at once
                    small = cv2.cvtColor(request.make_array("lores"), cv2.COLOR_YUV2BGR_I420)[:, :width]
                    self._metadata = request.get_metadata()
            except (TimeoutError, RuntimeError, OSError) as error:
                hint = "Check the ribbon cable."
                raise CameraError("gives no pictures", where=self.name, hint=hint) from error
            at = self._metadata["SensorTimestamp"] * _NANOSECONDS
            yield Frame.of(picture, number=number, time=at, small=np.asarray(small, np.uint8))
            number += 1

    def controls(self) -> Controls:
        """Return what the newest frame was taken with."""
        told = self._metadata
        if "ExposureTime" not in told:
            return self._locked
        gains = told.get("ColourGains")
        has_lens = self._camera is not None and "LensPosition" in self._camera.camera_controls
        return Controls(
            exposure_us=int(told["ExposureTime"]),
            gain=float(told.get("AnalogueGain", 1.0)),
            colour_gains=None if gains is None else (float(gains[0]), float(gains[1])),
            lens=float(told["LensPosition"]) if has_lens and "LensPosition" in told else None,
        )

    def lock(self, controls: Controls) -> None:
        self._locked = controls
        if self._camera is not None:
            self._camera.set_controls(self._wanted())

    def reset(self) -> None:
        """Opening it anew is all that helps."""

    def close(self) -> None:
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.cancel_all_and_flush()  # else stopping waits for ever behind a request that timed out
            camera.stop()
            camera.close()

    def _wanted(self) -> dict[str, Any]:
        """Return the controls to send: cameras without autofocus, such as the HQ, have none for the lens."""
        locked, has = self._locked, self._camera.camera_controls
        wanted: dict[str, Any] = {"AeEnable": locked.exposure_us is None, "AwbEnable": locked.colour_gains is None}
        if locked.exposure_us is not None:
            wanted |= {"ExposureTime": locked.exposure_us, "AnalogueGain": locked.gain or 1.0}
        if locked.colour_gains is not None:
            wanted["ColourGains"] = locked.colour_gains
        wanted["AfMode"] = _AF_CONTINUOUS if locked.lens is None else _AF_MANUAL
        if locked.lens is not None:
            wanted["LensPosition"] = locked.lens
        return {name: value for name, value in wanted.items() if name in has}
