"""The real picamera2 over a stand-in for libcamera: only what lies below picamera2 is invented.

``prctl``, ``pidng`` and ``pykms``, which picamera2 needs for films, raw pictures and previews alone, are empty here, so
that nothing has to be compiled.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tableside.adapters.camera.picamera import PiCamera
from tests.fakes import libcamera as fake
from tests.fakes.libcamera.camera import Camera, CameraManager, Scene

NEEDED = ("picamera2", "simplejpeg", "videodev2", "piexif")
_EMPTY: dict[str, tuple[str, ...]] = {
    "prctl": (),
    "pidng": (),
    "pidng.core": ("PICAM2DNG",),
    "pidng.camdefs": ("Picamera2Camera",),
}
"""Modules of which nothing is called, with the names that are imported from them."""


class _Names(type):
    """picamera2 lists the formats of a preview that is never opened."""

    def __getattr__(cls, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return name


class _PixelFormat(metaclass=_Names):
    pass


SMALL_HEAP_BYTES, HEAP_BYTES = 64 << 20, 512 << 20
"""What a Pi with little memory may set aside for buffers, and one with much."""


class _MemoryHeap:
    """Buffers without ``/dev/dma_heap``. Like the heap's device it stays open until it is closed, and can be full."""

    bytes = HEAP_BYTES

    def __init__(self) -> None:
        self._device = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        self._given: list[int] = []

    def alloc(self, name: str, size: int) -> Any:
        from picamera2.dma_heap import UniqueFD

        self._given = [given for given in self._given if _is_open(given)]
        if size + sum(os.fstat(given).st_size for given in self._given) > self.bytes:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        descriptor = os.memfd_create(name)
        self._given.append(descriptor)
        os.ftruncate(descriptor, size)
        return UniqueFD(descriptor)

    def close(self) -> None:
        os.close(self._device)


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


@contextmanager
def fake_pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Yield what attaches a camera of a model and returns it; skip where picamera2 is not installed, but fail in the
    pipeline.

    The camera tells ``applied`` controls, ``violations`` of their ranges, and the ``log`` of what was done to it.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        told = f"{', '.join(missing)} not installed: ./check installs it, or pip install --no-deps picamera2"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(told)
    if getattr(sys.modules.get("libcamera"), "__name__", fake.__name__) != fake.__name__:
        pytest.skip("a real libcamera was imported before")
    sys.modules.update(
        {"libcamera": fake, "libcamera.controls": fake.controls, "libcamera.properties": fake.properties}
    )
    for name, wanted in _EMPTY.items():
        _put(name, dict.fromkeys(wanted, object))
    _put("pykms", {"PixelFormat": _PixelFormat})
    from picamera2.allocators import dmaallocator

    # a machine that stands still for a while has lost no camera
    monkeypatch.setitem(PiCamera.__init__.__kwdefaults__, "timeout_seconds", 30.0)
    monkeypatch.setattr(dmaallocator, "DmaHeap", _MemoryHeap)
    monkeypatch.setattr(dmaallocator.fcntl, "ioctl", lambda *_: 0)  # memory needs no synchronising
    from picamera2 import Picamera2

    def install(scene: Scene, *, model: str = "imx708", heap_bytes: int = HEAP_BYTES) -> Camera:
        monkeypatch.setattr(_MemoryHeap, "bytes", heap_bytes)
        camera = Camera(scene, model=model)
        CameraManager.attached[:] = [camera]
        return camera

    Picamera2._cm._cms = None  # the manager of the test before, with its cameras
    yield install
    CameraManager.attached.clear()
    Picamera2._cm._cms = None


def _put(name: str, holds: dict[str, Any]) -> None:
    """Make a module, unless the true one is there."""
    if name not in sys.modules:
        module = types.ModuleType(name)
        vars(module).update(holds)
        sys.modules[name] = module
