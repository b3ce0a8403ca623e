"""What every camera can do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from tableside.adapters.camera.lenses import View
from tableside.record import Record
from tableside.tray.frame import Frame
from tableside.tray.health import Fault

Wait: TypeAlias = Callable[[float], object]
"""Waits so many seconds; tests pass one that does not."""

sleep: Wait = time.sleep


def no_wait(_seconds: float) -> None:
    """Wait not at all: play as fast as frames can be read."""


class Controls(Record, frozen=True, kw_only=True):
    """What a camera was set to. ``None`` is left to the camera, or is nothing that it has.

    :ivar exposure_us: microseconds.
    :ivar gain: of the sensor, 1 for none; for USB cameras in the maker's own units.
    :ivar colour_gains: of red and blue.
    :ivar colour_kelvin: white balance of USB cameras.
    :ivar lens: dioptres for the Pi's cameras, the maker's own units for USB cameras.
    """

    exposure_us: int | None = None
    gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    colour_kelvin: int | None = None
    lens: float | None = None


AUTOMATIC = Controls()


class Camera(Protocol):
    """A source of frames. It can be opened again after it was closed; closing twice does no harm.

    It is opened, read and closed by one thread; ``reset`` may come from another.
    """

    @property
    def name(self) -> str:
        """What people call it, for troubles and for the calibration that belongs to it."""

    @property
    def is_live(self) -> bool:
        """Whether a sensor gives the frames, which goes on while nobody looks; a recording waits."""

    @property
    def view(self) -> View | None:
        """What the newest picture shows of the world; ``None`` before there is one, and of cameras that do not tell."""

    @property
    def unheld(self) -> str:
        """What of the locked controls the newest frames were not taken with, in words; empty where all are held."""

    def cure(self, fault: Fault | None = None) -> str:
        """Return what to do about a fault of its pictures, or where it gives none."""

    def open(self) -> None:
        """Take the device.

        :raises CameraError: when it is not there or another program holds it.
        """

    def frames(self) -> Iterator[Frame]:
        """Yield frames as they come; a recording ends, a device does not.

        :raises CameraError: when the device stops giving frames.
        """

    def controls(self) -> Controls:
        """Return what the open camera is set to now, by itself or by ``lock``."""

    def lock(self, controls: Controls) -> None:
        """Hold focus, exposure, gain and white balance, now and whenever it is opened; what it cannot is left out.

        What is ``None`` the camera finds by itself.
        """

    def reset(self) -> None:
        """Try to bring back a device that does not answer. A recording needs no such thing."""

    def close(self) -> None:
        """Give the device back."""


USUAL_FPS = 30.0
"""Pictures a second of a recording that does not say how many it has."""


class Device:
    """What cameras share."""

    _view: View | None = None
    _unheld = ""
    _cure = "Check its cable."
    _cures: frozenset[Fault] = frozenset()
    """Besides giving no pictures, what that cures."""

    @property
    def is_live(self) -> bool:
        return True

    @property
    def view(self) -> View | None:
        return self._view

    @property
    def unheld(self) -> str:
        return self._unheld

    def cure(self, fault: Fault | None = None) -> str:
        return self._cure if fault is None or fault in self._cures else fault.hint

    def reset(self) -> None:
        """Opening it anew is all that helps."""


class SetElsewhere(Device):
    """What cameras share that nothing here can set, such as one on the network, a phone's, or a recording."""

    _cures = frozenset({Fault.DAMAGED, Fault.FROZEN, Fault.SLOW})

    def controls(self) -> Controls:
        return AUTOMATIC

    def lock(self, controls: Controls) -> None:
        """Focus and exposure are those of the camera's own app; pictures that were taken cannot be exposed again."""


class Recording(SetElsewhere):
    """What all recordings share."""

    _cure = "Check the recording."

    @property
    def is_live(self) -> bool:
        return False


@contextmanager
def opened(camera: Camera) -> Iterator[Camera]:
    """Open a camera and close it afterwards, come what may."""
    camera.open()
    try:
        yield camera
    finally:
        camera.close()
