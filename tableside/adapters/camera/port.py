"""What every camera can do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from tableside.vision.frame import Frame

Wait: TypeAlias = Callable[[float], object]
"""Waits so many seconds; tests pass one that does not."""

sleep: Wait = time.sleep


def no_wait(_seconds: float) -> None:
    """Wait not at all: play as fast as frames can be read."""


class Camera(Protocol):
    """A source of frames. It can be opened again after it was closed; closing twice does no harm."""

    @property
    def name(self) -> str:
        """What people call it, for troubles."""

    def open(self) -> None:
        """Take the device.

        :raises CameraError: when it is not there or another program holds it.
        """

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they come; a recording ends, a device does not.

        :raises CameraError: when the device stops giving frames.
        """

    def close(self) -> None:
        """Give the device back."""


@contextmanager
def opened(camera: Camera) -> Iterator[Camera]:
    """Open a camera and close it afterwards, come what may."""
    camera.open()
    try:
        yield camera
    finally:
        camera.close()
