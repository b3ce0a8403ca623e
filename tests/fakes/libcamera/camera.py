"""A camera that fills buffers from a scene, checks what it is told, and can hang, be held or not obey."""

from __future__ import annotations

import enum
import errno
import mmap
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar
from weakref import ReferenceType, ref

import cv2
import numpy as np

from tests.fakes.libcamera import controls as c
from tests.fakes.libcamera import properties as p
from tests.fakes.libcamera.loop import Loop
from tests.fakes.libcamera.sensors import SENSORS, Sensor, shown
from tests.fakes.libcamera.streams import CameraConfiguration, FrameBuffer, Stream
from tests.fakes.libcamera.values import ControlId, ControlInfo, ControlType, Rectangle, Size

Scene = Callable[[int, int, int], np.ndarray]
"""Gives the BGR picture that the whole sensor sees: of a number, width and height."""
_FRAME_SECONDS = 0.002
_FRAMES_TO_OBEY = 4  # a sensor and the requests under way take so long; davidplowman, picamera2 issue 1278: buffers + 3
_NUMBERS = (ControlType.Integer32, ControlType.Integer64, ControlType.Float)
_FOCUS = (c.AfMode, c.AfTrigger, c.AfRange, c.AfSpeed, c.LensPosition)


def default_controls(sensor: Sensor = SENSORS["imx708"]) -> dict[ControlId, ControlInfo]:
    """Return the controls of a sensor. The ranges are guesses but those of the crop and the rate."""
    width, height = sensor.size
    whole = Rectangle(0, 0, width, height)
    found = {
        c.AeEnable: ControlInfo(False, True, True),
        c.AeFlickerMode: ControlInfo(0, 1, 0),
        c.AeFlickerPeriod: ControlInfo(100, 1_000_000),
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
    return {key: info for key, info in found.items() if sensor.has_focus or key not in _FOCUS}


class Request:
    """One frame that is asked for."""

    Status = enum.Enum("Status", "Pending Complete Cancelled", start=0)

    def __init__(self, camera: Camera, cookie: int) -> None:
        self._camera = camera
        self.cookie = cookie
        self.buffers: dict[Stream, FrameBuffer] = {}
        self.status = self.Status.Pending
        self.metadata: dict[ControlId, Any] = {}
        self.controls: dict[ControlId, Any] = {}

    def add_buffer(self, stream: Stream, buffer: FrameBuffer) -> None:
        self.buffers[stream] = buffer

    def set_control(self, control: ControlId, value: Any) -> None:
        try:
            self._camera.take(control, value)
        except (TypeError, ValueError) as error:  # this is picamera2's event thread, where nobody would catch it
            self._camera.violations.append(str(error))
            return
        self.controls[control] = value

    def reuse(self) -> None:
        self.status = self.Status.Pending
        self.controls = {}


class Camera:
    """A camera over a scene.

    :ivar applied: the controls that it took, by name. :ivar violations: values that no sensor would take.
    :ivar log: what was done to it. :ivar loop: what it finds by itself, and what it is held to.
    :ivar is_held: another program has it. :ivar fails_to_start: it can be configured, but does not start.
    """

    def __init__(
        self, scene: Scene, controls: dict[ControlId, ControlInfo] | None = None, *, model: str = "imx708"
    ) -> None:
        self.sensor = SENSORS[model]
        self.id = f"/base/soc/i2c0mux/i2c@1/{model.partition('_')[0]}@1a"
        self.scene = scene
        self.controls = controls if controls is not None else default_controls(self.sensor)
        width, height = self.sensor.size
        self.properties = {
            p.Model: model,
            p.Location: 2,
            p.Rotation: 0,
            p.PixelArraySize: Size(width, height),
            p.PixelArrayActiveAreas: [Rectangle(0, 0, width, height)],
            p.draft.ColorFilterArrangement: 0,
        }
        self.is_hanging = self.is_held = self.fails_to_start = False
        self.applied: dict[str, Any] = {}
        self.violations: list[str] = []
        self.log: list[str] = []
        self.loop = Loop()
        self._crop = Rectangle(0, 0, width, height)
        self._waiting: list[Request] = []
        self._asked: deque[tuple[int, dict[str, Any]]] = deque()
        self._running = False
        self._number = 0

    def acquire(self) -> None:
        if self.is_held:
            raise RuntimeError(os.strerror(errno.EBUSY))
        self.log.append("acquire")

    def release(self) -> None:
        self.log.append("release")

    def generate_configuration(self, roles: list[Any]) -> CameraConfiguration:
        return CameraConfiguration(roles, self.sensor)

    def configure(self, configuration: CameraConfiguration) -> int:
        """Take the mode that was asked for. What it shows, and how fast, follows from that."""
        mode = configuration.mode
        if mode is None:
            return -errno.EINVAL
        for one in configuration:
            one.stream.configuration = one
        size = configuration.at(0).size
        self._crop = shown(mode.crop, (size.width, size.height))
        most = Rectangle(*mode.crop)
        self.controls[c.ScalerCrop] = ControlInfo(Rectangle(0, 0, 64, 64), most, self._crop)
        least_us = round(1e6 / mode.fps)
        self.controls[c.FrameDurationLimits] = ControlInfo(least_us, 10_000_000, max(least_us, 33333))
        self.log.append(f"configure {mode.size[0]}x{mode.size[1]}")
        return 0

    def create_request(self, cookie: int) -> Request:
        return Request(self, cookie)

    def queue_request(self, request: Request) -> None:
        self._asked.append((self._number + _FRAMES_TO_OBEY, {key.name: v for key, v in request.controls.items()}))
        self._waiting.append(request)

    def start(self, controls: dict[ControlId, Any] | None = None) -> None:
        if self.fails_to_start:
            raise RuntimeError(os.strerror(errno.EIO))
        for control, value in (controls or {}).items():
            self.take(control, value)
        self._running, self._waiting, self._number = True, [], 0
        self._asked.clear()
        self.loop.obey({key.name: value for key, value in (controls or {}).items()})
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
            while self._asked and self._asked[0][0] <= self._number:
                self.loop.obey(self._asked.popleft()[1])
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
        picture = self._seen(width, height)
        if str(config.pixel_format) == "YUV420":
            padded = cv2.copyMakeBorder(picture, 0, 0, 0, config.stride - width, cv2.BORDER_REPLICATE)
            rows = cv2.cvtColor(padded, cv2.COLOR_BGR2YUV_I420)
        else:
            rows = picture.reshape(height, -1)
        with mmap.mmap(buffer.planes[0].fd, config.frame_size) as memory:
            for number, row in enumerate(rows):
                memory[number * config.stride : number * config.stride + row.size] = row.tobytes()

    def _seen(self, width: int, height: int) -> np.ndarray:
        """Return the part of the scene that this mode shows, at this size."""
        crop, scale = self._crop, width / self._crop.width
        whole = self.scene(self._number, *(round(side * scale) for side in self.sensor.size))
        left, top = round(crop.x * scale), round(crop.y * scale)
        part = whole[top : top + height, left : left + width]
        return part if part.shape[:2] == (height, width) else np.asarray(cv2.resize(part, (width, height)))

    def _metadata(self) -> dict[ControlId, Any]:
        told: Mapping[str, Any] = self.loop.now
        exposed = {
            c.SensorTimestamp: time.monotonic_ns(),
            c.ScalerCrop: self._crop,
            c.ExposureTime: told["ExposureTime"],
            c.AnalogueGain: told["AnalogueGain"],
            c.ColourGains: told["ColourGains"],
        }
        return exposed | ({c.LensPosition: told["LensPosition"]} if self.sensor.has_focus else {})


class CameraManager:
    """The one manager of all cameras; tells of frames that are done by a pipe.

    libcamera looks for ribbon cameras once, when its manager is made; the manager lives as long as anybody holds it.

    :ivar attached: the cameras of the machine.
    """

    attached: ClassVar[list[Camera]] = []
    _one: ReferenceType[CameraManager] | None = None
    version = "v0.7.1+stand-in"

    def __init__(self) -> None:
        self.cameras = list(self.attached)
        self._done: list[Request] = []
        self._lock = threading.Lock()
        self.event_fd, self._told_fd = os.pipe2(os.O_NONBLOCK)

    def __del__(self) -> None:
        os.close(self.event_fd)
        os.close(self._told_fd)

    @classmethod
    def singleton(cls) -> CameraManager:
        found = cls._one and cls._one()
        if found is None:
            found = cls()
            cls._one = ref(found)
        return found

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
