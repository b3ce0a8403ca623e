"""The Raspberry Pi's own camera, on its ribbon connector, through picamera2."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import numpy as np

from tableside.errors import CameraError
from tableside.vision.frame import Frame

_BUFFERS = 3  # fewer and the sensor waits for us
_NANOSECONDS = 1e-9


def has_picamera() -> bool:
    """Tell whether picamera2 is installed, without importing it."""
    return importlib.util.find_spec("picamera2") is not None


class PiCamera:
    """A camera on the Pi's ribbon connector.

    picamera2 and libcamera come from the system packages (``apt install python3-picamera2``).

    :param timeout_seconds: without a frame for so long, the camera counts as lost.
    """

    def __init__(
        self, index: int = 0, *, size_px: tuple[int, int] = (1280, 960), fps: float = 30.0,
        timeout_seconds: float = 2.0,
    ) -> None:  # fmt: skip
        self._index = index
        self._size_px = size_px
        self._fps = fps
        self._timeout_seconds = timeout_seconds
        self._camera: Any = None

    @property
    def name(self) -> str:
        return f"Pi camera {self._index}"

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
                buffer_count=_BUFFERS,
                queue=False,
                controls={"FrameRate": self._fps},
            )
            self._camera.align_configuration(settings)
            self._camera.configure(settings)
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            hint = "Check the ribbon cable and that no other program uses the camera."
            raise CameraError(f"cannot be opened ({error})", where=self.name, hint=hint) from error

    def frames(self) -> Iterator[Frame]:
        number = 0
        while (camera := self._camera) is not None:
            try:
                with camera.captured_request(wait=self._timeout_seconds) as request:
                    picture = np.array(request.make_array("main"), np.uint8)
                    at = request.get_metadata()["SensorTimestamp"] * _NANOSECONDS
            except (TimeoutError, RuntimeError, OSError) as error:
                hint = "Check the ribbon cable."
                raise CameraError("gives no pictures", where=self.name, hint=hint) from error
            yield Frame.of(picture, number=number, time=at)
            number += 1

    def close(self) -> None:
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.stop()
            camera.close()
