"""What a kind of camera is, and the section ``[camera]``, which names one.

A folder beside this file that gives a :class:`CameraKind` by the name ``KIND`` is one, by its folder's name. Settings,
pages and ``tableside doctor`` know it by that alone.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from tableside.setting import File, Size, secret_text

NAMES = sorted(file.parent.name for file in Path(__file__).parent.glob("*/__init__.py"))

if TYPE_CHECKING:
    from tableside.adapters.camera.port import Camera, Wait

    Kind: TypeAlias = str
else:
    Kind = Literal["auto", *NAMES, "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSettings:
    """Which camera looks at the tray.

    :ivar kind: ``auto``, ``picamera``, ``usb``, ``network``, ``phone``, ``video``, ``folder``, ``still`` or ``none``.
        ``auto`` takes a camera on the Pi's ribbon connector if there is one, else a USB camera; ``tableside doctor``
        says which, and why. With ``phone`` it is [a phone](camera.md#a-phone). With ``none`` dice are [entered by
        hand](camera.md#without-a-camera).
    :ivar path: the film, folder or picture of the kinds ``video``, ``folder`` and ``still``; or a USB camera's lasting
        path, ``/dev/v4l/by-id/...``, where there are several (``/dev/video1`` where it has none).
    :ivar url: of a [camera on the network](camera.md#a-camera-on-the-network), ``http://``, ``https://`` or
        ``rtsp://``; it is not printed.
    :ivar size_px: width and height of its pictures.
    :ivar fps: pictures a second.
    :ivar mains_hz: frequency of the mains that feeds the lamps, ``50`` or ``60``; ``"off"`` if no lamp flickers.
    """

    kind: Kind = "auto"
    path: File = None
    url: str = secret_text()
    size_px: Size = (1280, 960)
    fps: Annotated[float, Meta(ge=1, le=240)] = 30.0
    mains_hz: Literal["50", "60", "off"] = "50"  # lamps flicker twice as often

    @property
    def lamps_hz(self) -> int:
        """The frequency of the mains, 0 where no lamp flickers."""
        return 0 if self.mains_hz == "off" else int(self.mains_hz)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraKind:
    """One kind of camera.

    :ivar make: makes the camera of the settings, which may take what phones send; nothing is opened yet.
        :raises SettingsError: where a setting that it needs is missing or wrong.
    :ivar rank: its place among those that pages offer and that the doctor tells of.
    :ivar part: what the doctor calls it. :ivar tells: says what there is of it, given what asks the table that runs.
    :ivar choices: returns name and path of each that pages offer; ``None`` where they never do.
    """

    make: Callable[[CameraSettings, Wait, Any], Camera]
    rank: int = 9
    part: str = ""
    tells: Callable[[CameraSettings, Callable[[str], Any]], str] = lambda *_: ""
    choices: Callable[[], Iterable[tuple[str, str]]] | None = None


def kind_of(name: str) -> CameraKind:
    """Return the kind of this name."""
    kind: CameraKind = importlib.import_module(f"{__package__}.{name}").KIND
    return kind


def kinds() -> list[tuple[str, CameraKind]]:
    """Return every kind with its name, by rank."""
    return sorted(((name, kind_of(name)) for name in NAMES), key=lambda one: one[1].rank)
