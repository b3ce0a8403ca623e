"""A camera that fills buffers from a scene, checks what it is told, and can hang."""

from __future__ import annotations

import enum
import mmap
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import cv2
import numpy as np

from tests.fakes.libcamera import controls as c
from tests.fakes.libcamera import properties as p
from tests.fakes.libcamera.streams import SENSOR_SIZES, CameraConfiguration, FrameBuffer, Stream
from tests.fakes.libcamera.values import ControlId, ControlInfo, ControlType, Rectangle, Size

Scene = Callable[[int, int, int], np.ndarray]
"""Gives the BGR picture of a number, width and height."""
_FRAME_SECONDS = 0.002
_NUMBERS = (ControlType.Integer32, ControlType.Integer64, ControlType.Float)


def default_controls() -> dict[ControlId, ControlInfo]:
    """Return the controls of a Camera Module 3. The ranges are guesses."""
    width, height = SENSOR_SIZES[-1]
    whole = Rectangle(0, 0, width, height)
    return {
        c.AeEnable: ControlInfo(False, True, True),
        c.AwbEnable: ControlInfo(False, True),
        c.AfMode: ControlInfo(0, 2, 0),
        c.AfTrigger: ControlInfo(0, 1, 0),
        c.AfRange: ControlInfo(0, 2, 0),
        c.AfSpeed: ControlInfo(0, 1, 0),
        c.LensPosition: ControlInfo(0.0, 32.0, 1.0),
        c.ExposureTime: ControlInfo(1, 66666, 20000),
        c.ExposureTimeMode: ControlInfo(0, 1, 0),
        c.AnalogueGain: ControlInfo(1.0, 16.0, 1.0),
        c.AnalogueGainMode: ControlInfo(0, 1, 0),
        c.ColourGains: ControlInfo(0.0, 32.0),
        c.FrameDurationLimits: ControlInfo(33333, 120000, 33333),
        c.ScalerCrop: ControlInfo(Rectangle(0, 0, 64, 64), whole, whole),
        c.draft.NoiseReductionMode: ControlInfo(0, 4, 0),
    }


class Request:
    """One frame that is asked for."""

    Status = enum.Enum("Status", "Pending Complete Cancelled", start=0)

    def __init__(self, camera: Camera, cookie: int) -> None:
        self._camera = camera
        self.cookie = cookie
        self.buffers: dict[Stream, FrameBuffer] = {}
        self.status = self.Status.Pending
        self.metadata: dict[ControlId, Any] = {}

    def add_buffer(self, stream: Stream, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, control: ControlId, value: Any) -> None:
        try:
            self._camera.take(control, value)
        except (TypeError, ValueError) as error:  # this is picamera2's event thread, where nobody would catch it
            self._camera.violations.append(str(error))

    def reuse(self) -> None:
        self.status = self.Status.Pending


class Camera:
    """A camera over a scene.

    :ivar applied: the controls that it took, by name. :ivar violations: values that no sensor would take.
    :ivar log: what was done to it.
    """

    def __init__(self, scene: Scene, controls: dict[ControlId, ControlInfo]) -> None:
        self.id = "/base/soc/i2c0mux/i2c@1/imx708@1a"
        self.scene = scene
        self.controls = controls
        width, height = SENSOR_SIZES[-1]
        self.properties = {
            p.Model: "imx708",
            p.Location: 2,
            p.Rotation: 0,
            p.PixelArraySize: Size(width, height),
            p.PixelArrayActiveAreas: [Rectangle(0, 0, width, height)],
            p.draft.ColorFilterArrangement: 0,
        }
        self.is_hanging = False
        self.applied: dict[str, Any] = {}
        self.violations: list[str] = []
        self.log: list[str] = []
        self._waiting: list[Request] = []
        self._running = False
        self._number = 0

    def acquire(self) -> None:
        self.log.append("acquire")

    def release(self) -> None:
        self.log.append("release")

    def generate_configuration(self, roles: list[Any]) -> CameraConfiguration:
        return CameraConfiguration(roles)

    def configure(self, configuration: CameraConfiguration) -> int:
        for one in configuration:
            one.stream.configuration = one
        self.log.append("configure")
        return 0

    def create_request(self, cookie: int) -> Request:
        return Request(self, cookie)

    def queue_request(self, request: Request) -> None:
        self._waiting.append(request)

    def start(self, controls: dict[ControlId, Any] | None = None) -> None:
        for control, value in (controls or {}).items():
            self.take(control, value)
        self._running, self._waiting, self._number = True, [], 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.log.append("start")
        self._thread.start()

    def stop(self) -> None:
        self._running = False
        self._thread.join()
        for request in self._waiting:
            request.status = Request.Status.Cancelled
            CameraManager.singleton().done(request)
        self._waiting = []
        self.log.append("stop")

    def take(self, control: ControlId, value: Any) -> None:
        """Take a control.

        :raises TypeError: where its value is of another type. :raises ValueError: of another count or range.
        """
        info = self.controls.get(control)
        if info is None:
            raise ValueError(f"{control.name}: this camera has no such control")
        values = list(value) if isinstance(value, (list, tuple)) else [value]
        if len(values) != control.count:
            raise ValueError(f"{control.name}: wants {control.count} values, got {value!r}")
        for one in values:
            _check(control, info, one.value if isinstance(one, enum.Enum) else one)
        self.applied[control.name] = value

    def _run(self) -> None:
        while self._running:
            if not self._waiting or self.is_hanging:
                time.sleep(0.001)
                continue
            request = self._waiting.pop(0)
            for stream, buffer in request.buffers.items():
                self._fill(stream, buffer)
            request.metadata = self._metadata()
            request.status = Request.Status.Complete
            self._number += 1
            CameraManager.singleton().done(request)
            time.sleep(_FRAME_SECONDS)

    def _fill(self, stream: Stream, buffer: FrameBuffer) -> None:
        config = stream.configuration
        if str(config.pixel_format) not in ("RGB888", "YUV420"):
            return  # the raw stream, which picamera2 always adds
        width, height = config.size.width, config.size.height
        picture = self.scene(self._number, width, height)
        if str(config.pixel_format) == "YUV420":
            padded = cv2.copyMakeBorder(picture, 0, 0, 0, config.stride - width, cv2.BORDER_REPLICATE)
            rows = cv2.cvtColor(padded, cv2.COLOR_BGR2YUV_I420)
        else:
            rows = picture.reshape(height, -1)
        with mmap.mmap(buffer.planes[0].fd, config.frame_size) as memory:
            for number, row in enumerate(rows):
                memory[number * config.stride : number * config.stride + row.size] = row.tobytes()

    def _metadata(self) -> dict[ControlId, Any]:
        applied = self.applied
        return {
            c.SensorTimestamp: time.monotonic_ns(),
            c.ExposureTime: applied.get("ExposureTime", 20000),
            c.AnalogueGain: float(applied.get("AnalogueGain", 1.0)),
            c.ColourGains: tuple(applied.get("ColourGains", (1.5, 1.5))),
            c.LensPosition: float(applied.get("LensPosition", 4.0)),
        }


class CameraManager:
    """The one manager of all cameras; tells of frames that are done by a pipe."""

    _one: CameraManager | None = None
    version = "v0.7.1+stand-in"

    def __init__(self) -> None:
        self.cameras: list[Camera] = []
        self._done: list[Request] = []
        self._lock = threading.Lock()
        self.event_fd, self._told_fd = os.pipe2(os.O_NONBLOCK)

    @classmethod
    def singleton(cls) -> CameraManager:
        cls._one = cls._one or cls()
        return cls._one

    def done(self, request: Request) -> None:
        with self._lock:
            self._done.append(request)
        with suppress(BlockingIOError):  # it is full of news already
            os.write(self._told_fd, b"x")

    def get_ready_requests(self) -> list[Request]:
        with suppress(BlockingIOError):  # no news
            os.read(self.event_fd, 4096)
        with self._lock:
            done, self._done = self._done, []
        return done


def _check(control: ControlId, info: ControlInfo, value: Any) -> None:
    kind = control.type
    is_whole = isinstance(value, int) and not isinstance(value, float)
    if kind is ControlType.Bool and not is_whole:
        raise TypeError(f"{control.name}: wants true or false, got {value!r}")
    if kind in (ControlType.Integer32, ControlType.Integer64) and not is_whole:
        raise TypeError(f"{control.name}: wants a whole number, got {value!r}")
    if kind is ControlType.Float and not isinstance(value, (int, float)):
        raise TypeError(f"{control.name}: wants a number, got {value!r}")
    # libcamera clamps the limits of the frame duration by itself
    if kind in _NUMBERS and control is not c.FrameDurationLimits and not info.min <= value <= info.max:
        raise ValueError(f"{control.name}: {value!r} is not within {info.min} and {info.max}")
