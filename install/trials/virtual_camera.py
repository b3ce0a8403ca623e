"""Run the Pi's camera adapter on the real picamera2 and libcamera, over libcamera's virtual camera.

The virtual camera gives NV12 of one size only, has no raw stream and next to no controls, and a PC has no
``/dev/dma_heap``. That is bridged here: buffers lie in anonymous memory, and NV12 is turned into what was asked for.
Cameras, configurations, starting, requests, buffers, time stamps and closing are libcamera's own.
"""

from __future__ import annotations

import mmap
import os
import sys
import types
from contextlib import contextmanager, nullcontext
from itertools import islice, pairwise
from typing import Any

import cv2
import libcamera
import numpy as np

SIZE, SMALL = (1280, 960), (320, 240)
_EMPTY = {"prctl": (), "pidng": (), "pidng.core": ("PICAM2DNG",), "pidng.camdefs": ("Picamera2Camera",), "pykms": ()}


class _Names(type):
    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


for _name, _wanted in _EMPTY.items():  # which picamera2 imports for films, raw pictures and previews
    _module = types.ModuleType(_name)
    vars(_module).update(dict.fromkeys(_wanted, object))
    sys.modules[_name] = _module
vars(sys.modules["pykms"])["PixelFormat"] = _Names("PixelFormat", (), {})

import picamera2  # noqa: E402
from picamera2.allocators.allocator import Allocator  # noqa: E402

from tableside.adapters.camera.picamera import PiCamera, pi_cameras  # noqa: E402
from tableside.adapters.camera.port import AUTOMATIC, opened  # noqa: E402
from tableside.errors import CameraError  # noqa: E402


class PlaneAllocator(Allocator):  # type: ignore[misc]
    """Gives NV12 its two planes, in anonymous memory: picamera2 makes buffers of one, in ``/dev/dma_heap``."""

    def __init__(self) -> None:
        super().__init__()
        self._buffers: dict[Any, list[Any]] = {}
        self.mapped_buffers: dict[Any, mmap.mmap] = {}
        self.sync = lambda _allocator, buffer, _write: nullcontext(self.mapped_buffers[buffer])

    def allocate(self, libcamera_config: Any, _use_case: Any) -> None:
        for config in libcamera_config:
            luma = config.stride * config.size.height
            self._buffers[config.stream] = [self._buffer(luma, config.frame_size) for _ in range(config.buffer_count)]

    def buffers(self, stream: Any) -> list[Any]:
        return self._buffers[stream]

    def _buffer(self, luma: int, size: int) -> Any:
        descriptor = os.memfd_create("frame")
        os.ftruncate(descriptor, size)
        planes = [libcamera.FrameBuffer.Plane(), libcamera.FrameBuffer.Plane()]
        for plane, offset, length in zip(planes, (0, luma), (luma, size - luma), strict=True):
            plane.fd, plane.offset, plane.length = descriptor, offset, length
        buffer = libcamera.FrameBuffer(planes)
        self.mapped_buffers[buffer] = mmap.mmap(descriptor, size)
        return buffer


class Converted:
    """A request whose NV12 is turned into what the adapter asked for."""

    def __init__(self, request: Any) -> None:
        self._request = request

    def make_array(self, name: str) -> np.ndarray:
        nv12 = self._request.make_array(name)
        bgr = cv2.cvtColor(nv12, cv2.COLOR_YUV2BGR_NV12)
        if name == "main":
            return bgr
        return np.asarray(cv2.cvtColor(cv2.resize(bgr, SMALL), cv2.COLOR_BGR2YUV_I420))

    def get_metadata(self) -> dict[str, Any]:
        told: dict[str, Any] = self._request.get_metadata()
        return told


class VirtualPicamera2(picamera2.Picamera2):  # type: ignore[misc]
    """picamera2 on a camera that has no raw stream."""

    def _get_raw_modes(self) -> list[Any]:
        return [{"format": "SBGGR8", "size": SIZE}]

    @contextmanager
    def captured_request(self, *, wait: float) -> Any:
        with super().captured_request(wait=wait) as request:
            yield Converted(request)


def hold(camera: PiCamera, times: int) -> None:
    """Hold the camera as another program would, try to open it so many times, and let it go."""
    manager = libcamera.CameraManager.singleton()
    taken = manager.cameras[0]
    taken.acquire()
    counts = set()
    for _ in range(times):
        try:
            camera.open()
        except CameraError as error:
            said = str(error)
        else:
            raise SystemExit("a camera that is held was opened")
        counts.add(len(os.listdir("/proc/self/fd")))  # noqa: PTH208
    taken.release()
    print(f"held: {times} opens failed ({said}), open files {sorted(counts)}")
    assert len(counts) == 1


def main() -> None:
    """Open, read, close and open again, also after it was held; say what was seen."""
    picamera2.picamera2.DmaAllocator = PlaneAllocator
    picamera2.Picamera2 = VirtualPicamera2
    print("doctor:", pi_cameras())
    camera = PiCamera(size_px=SIZE)
    for opening in range(3):
        if opening == 2:
            hold(camera, 1000)
        with opened(camera):
            frames = list(islice(camera.frames(), 12))
        assert [frame.number for frame in frames] == list(range(12))
        assert all(later.time > earlier.time for earlier, later in pairwise(frames)), [f.time for f in frames]
        for frame in frames:
            assert frame.picture.shape == (SIZE[1], SIZE[0], 3)
            assert frame.small is not None
            assert frame.small.shape == (SMALL[1], SMALL[0], 3)
            assert not frame.picture.flags.writeable
        camera.lock(AUTOMATIC)
        shown = {int(frame.picture.mean()) for frame in frames}
        print(f"opening {opening + 1}: {len(frames)} frames of {frames[0].picture.shape}, mean levels {shown}")
    camera.close()
    print("good")


if __name__ == "__main__":
    main()
