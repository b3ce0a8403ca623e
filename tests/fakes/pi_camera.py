"""The real picamera2 over a fake libcamera: only what lies below picamera2 is invented.

``libcamera`` and ``pykms`` come from the reference folder; ``prctl`` and ``pidng``, which picamera2 needs for films and
raw pictures alone, are empty here, so that nothing has to be compiled.
"""

from __future__ import annotations

import importlib.util
import mmap
import os
import sys
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

AUTOFOCUS = ("AfMode", "AfTrigger", "AfRange", "AfSpeed", "LensPosition")
_FRAME_SECONDS = 0.002

Scene = Callable[[int, int, int], np.ndarray]
"""Gives the BGR picture of a number, width and height."""


class _MemoryHeap:
    """Buffers without ``/dev/dma_heap``."""

    def alloc(self, name: str, size: int) -> Any:
        from picamera2.dma_heap import UniqueFD

        descriptor = os.memfd_create(name)
        os.ftruncate(descriptor, size)
        return UniqueFD(descriptor)

    def close(self) -> None:
        pass


@contextmanager
def fake_pi(fakes: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Yield what installs a camera and returns it; skip where picamera2 is not installed or a real libcamera is.

    The camera tells ``applied`` controls, ``violations`` of their ranges, and the ``log`` of what was done to it.
    """
    for needed in ("picamera2", "simplejpeg", "videodev2", "piexif"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(
                f"{needed} is not installed: pip install --no-deps picamera2 simplejpeg videodev2 piexif pillow"
            )
    if importlib.util.find_spec("libcamera") is not None and "libcamera" not in sys.modules:
        pytest.skip("there is a real libcamera")
    if str(fakes) not in sys.path:
        sys.path.append(str(fakes))
    for name, wanted in (
        ("prctl", ()),
        ("pidng", ()),
        ("pidng.core", ("PICAM2DNG",)),
        ("pidng.camdefs", ("Picamera2Camera",)),
    ):
        if name not in sys.modules:
            module = types.ModuleType(name)
            for attribute in wanted:
                setattr(module, attribute, object)
            sys.modules[name] = module
    from libcamera import _libcamera as fake
    from picamera2.allocators import dmaallocator

    monkeypatch.setattr(dmaallocator, "DmaHeap", _MemoryHeap)
    monkeypatch.setattr(dmaallocator.fcntl, "ioctl", lambda *_: 0)  # memory needs no synchronising

    class Camera(fake.Camera):  # type: ignore[misc]
        """Fills the small grey stream too, and can hang."""

        def __init__(self, scene: Scene, controls: Any) -> None:
            super().__init__("/base/soc/i2c0mux/i2c@1/imx708@1a", None, controls)
            self.scene = scene
            self.is_hanging = False

        def _loop(self) -> None:
            while self._running:
                if not self._q or self.is_hanging:
                    time.sleep(0.001)
                    continue
                request = self._q.pop(0)
                for stream, buffer in request.buffers.items():
                    self._fill(stream.configuration, buffer)
                request.metadata = self._metadata()
                request.status = fake.Request.Status.Complete
                self._seq += 1
                fake.CameraManager.singleton()._done(request)
                time.sleep(_FRAME_SECONDS)

        def _fill(self, config: Any, buffer: Any) -> None:
            if str(config.pixel_format) not in ("RGB888", "YUV420"):
                return  # the raw stream, which picamera2 always adds
            width, height = config.size.width, config.size.height
            picture = self.scene(self._seq, width, height)
            if str(config.pixel_format) == "YUV420":
                planes = cv2.copyMakeBorder(picture, 0, 0, 0, config.stride - width, cv2.BORDER_REPLICATE)
                rows = cv2.cvtColor(planes, cv2.COLOR_BGR2YUV_I420)
            else:
                rows = picture.reshape(height, -1)
            with mmap.mmap(buffer.planes[0].fd, config.frame_size) as memory:
                for row, pixels in enumerate(rows):
                    memory[row * config.stride : row * config.stride + pixels.size] = pixels.tobytes()

        def _metadata(self) -> dict[Any, Any]:
            names = fake.C
            applied = self.applied
            return {
                names.SensorTimestamp: time.monotonic_ns(),
                names.ExposureTime: applied.get("ExposureTime", 20000),
                names.AnalogueGain: float(applied.get("AnalogueGain", 1.0)),
                names.ColourGains: tuple(applied.get("ColourGains", (1.5, 1.5))),
                names.LensPosition: float(applied.get("LensPosition", 4.0)),
            }

    def install(scene: Scene, *, without: tuple[str, ...] = ()) -> Any:
        controls = {key: info for key, info in fake.default_controls().items() if key.name not in without}
        camera = Camera(scene, controls)
        fake.CameraManager.singleton().cameras[:] = [camera]
        return camera

    yield install
    fake.CameraManager.singleton().cameras.clear()
