"""Choose and make the camera that the settings name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tableside.adapters.camera import (
    Camera,
    FolderCamera,
    NetworkCamera,
    PhoneCamera,
    PhonePictures,
    PiCamera,
    RecordedRolls,
    StillCamera,
    UsbCamera,
    VideoCamera,
    has_picamera,
    opened,
    ribbon_cameras,
    usb_cameras,
)
from tableside.adapters.camera.folder import PICTURES
from tableside.adapters.camera.port import Wait, no_wait, sleep
from tableside.config import CameraSettings
from tableside.errors import CameraError, SettingsError
from tableside.tray.health import HealthRules
from tableside.words import say

__all__ = ["Choice", "camera_for", "choose", "clip_camera", "health_rules", "opened", "unheld_by"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which camera is taken. :ivar kind: never ``auto``. :ivar path: see the settings. :ivar why: for people."""

    kind: str
    path: Path | None
    why: str


def choose(settings: CameraSettings, *, system: Path = Path("/")) -> Choice:
    """Return which camera the settings mean on this machine.

    :param system: where Linux tells of its devices.
    """
    if settings.kind != "auto":
        return Choice(kind=settings.kind, path=settings.path, why=f'[camera] kind = "{settings.kind}"')
    if settings.path is not None:
        return Choice(kind="usb", path=settings.path, why="[camera] path names it")
    ribbons, why = found_ribbons()
    if ribbons:
        return Choice(kind="picamera", path=None, why=f"on the ribbon connector: {', '.join(ribbons)}")
    found = usb_cameras(system=system)
    if not found:
        return Choice(kind="usb", path=None, why=f"{why}; number 0 of the video devices")
    return Choice(kind="usb", path=found[0], why=f"{why}; the first of {len(found)} on USB")


def has_none(settings: CameraSettings, *, system: Path = Path("/")) -> bool:
    """Return whether this machine has no camera that could be taken by itself, as a laptop without one."""
    choice = choose(settings, system=system)
    is_there = choice.path is not None or any((system / "dev").glob("video*"))
    return settings.kind == "auto" and choice.kind == "usb" and not is_there


def found_ribbons() -> tuple[list[str], str]:
    """Return the cameras on the ribbon connectors, and why there are none."""
    if not has_picamera():
        return [], "no ribbon camera without picamera2 (on a Pi: sudo apt install python3-picamera2)"
    try:
        found = ribbon_cameras()
    except CameraError as error:
        return [], f"no ribbon camera: {error.where} {error.what}"
    return found, "no ribbon camera is connected"


def camera_for(settings: CameraSettings, *, wait: Wait = sleep, phone: PhonePictures | None = None) -> Camera:
    """Make the camera of these settings; nothing is opened yet.

    :param phone: what phones send to this table.
    :raises SettingsError: when its kind needs a path and there is none, and when the camera is switched off.
    """
    if settings.kind == "none":
        hint = 'Set it to "auto" to use a camera.'
        raise SettingsError("is none: this table has no camera", where="[camera] kind", hint=hint)
    choice = choose(settings)
    kind, path = choice.kind, choice.path
    mains_hz = 0 if settings.mains_hz == "off" else int(settings.mains_hz)
    if kind == "picamera":
        return PiCamera(size_px=settings.size_px, fps=settings.fps, mains_hz=mains_hz)
    if kind == "usb":
        return UsbCamera(path=path, size_px=settings.size_px, fps=settings.fps, mains_hz=mains_hz)
    if kind == "phone":
        return PhoneCamera(phone or PhonePictures())
    if kind == "network":
        if not _is_address(settings.url):
            hint = "Write the address of its stream, such as http://192.168.1.20:8080/video or rtsp://..."
            raise SettingsError("is no address of a camera", where="[camera] url", hint=hint)
        return NetworkCamera(settings.url, fps=settings.fps)
    if path is None:
        hint = say("Set path: the kind {=kind} plays a file or folder.", kind=kind)
        raise SettingsError("is not set", where="[camera] path", hint=hint)
    if kind == "video":
        return VideoCamera(path, wait=wait)
    if kind == "folder":
        return RecordedRolls(path, fps=settings.fps, wait=wait)
    return StillCamera(path, fps=settings.fps, wait=wait)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https", "rtsp") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that are none
        return False


def unheld_by(camera: Camera) -> CameraError | None:
    """Return that a camera does not hold what it was locked to, ``None`` where it does."""
    if not camera.unheld:
        return None
    hint = "Set it up again at /setup; where that does not help, pull its cable and plug it in again."
    return CameraError(
        say("does not hold what it was set up with ({=unheld})", unheld=camera.unheld), where=camera.name, hint=hint
    )


def health_rules(camera: Camera, settings: CameraSettings) -> HealthRules:
    """Return when a picture of this camera is not as it should be: a recording shows what it shows."""
    if not camera.is_live:
        return HealthRules()
    if settings.kind in ("network", "phone"):  # size and rate are set there
        return HealthRules(is_live=True)
    return HealthRules(is_live=True, size_px=settings.size_px, fps=settings.fps)


def clip_camera(clip: Path, fps: float | None) -> Camera:
    """Make the camera that plays a clip once, as fast as it can be read: a film, or a folder of its pictures."""
    if clip.is_dir():
        return FolderCamera(clip, fps=fps, wait=no_wait)
    if clip.suffix.lower() in PICTURES:
        hint = "Use `tableside read` for photographs."
        raise SettingsError("is a photograph, not a clip", where=str(clip), hint=hint)
    return VideoCamera(clip, fps=fps, wait=no_wait)
