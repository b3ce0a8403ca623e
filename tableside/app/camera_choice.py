"""Choose and make the camera that the settings name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tableside.adapters.camera.folder import PICTURES, FolderCamera
from tableside.adapters.camera.kind import CameraSettings, kind_of
from tableside.adapters.camera.phone import PhonePictures
from tableside.adapters.camera.picamera import found_ribbons
from tableside.adapters.camera.port import Camera, SetElsewhere, Wait, no_wait, sleep
from tableside.adapters.camera.usb import usb_cameras
from tableside.adapters.camera.video import VideoCamera
from tableside.errors import CameraError, SettingsError
from tableside.tray.health import HealthRules


def choose(settings: CameraSettings, *, system: Path = Path("/")) -> tuple[CameraSettings, str]:
    """Return the settings with the kind, never ``auto``, and the path that they mean on this machine, and why.

    :param system: where Linux tells of its devices.
    """
    if settings.kind != "auto":
        return settings, f'[camera] kind = "{settings.kind}"'
    usb = replace(settings, kind="usb")
    if settings.path is not None:
        return usb, "[camera] path names it"
    ribbons, why = found_ribbons()
    if ribbons:
        return replace(settings, kind="picamera"), f"on the ribbon connector: {', '.join(ribbons)}"
    found = usb_cameras(system=system)
    if not found:
        return usb, f"{why}; number 0 of the video devices"
    return replace(usb, path=found[0]), f"{why}; the first of {len(found)} on USB"


def has_none(settings: CameraSettings, *, system: Path = Path("/")) -> bool:
    """Return whether this machine has no camera that could be taken by itself, as a laptop without one."""
    chosen, _ = choose(settings, system=system)
    is_there = chosen.path is not None or any((system / "dev").glob("video*"))
    return settings.kind == "auto" and chosen.kind == "usb" and not is_there


def camera_for(settings: CameraSettings, *, wait: Wait = sleep, phone: PhonePictures | None = None) -> Camera:
    """Make the camera of these settings; nothing is opened yet.

    :param phone: what phones send to this table.
    :raises SettingsError: when its kind needs a setting that is not there, and when the camera is switched off.
    """
    if settings.kind == "none":
        hint = 'Set it to "auto" to use a camera.'
        raise SettingsError("is none: this table has no camera", where="[camera] kind", hint=hint)
    chosen, _ = choose(settings)
    return kind_of(chosen.kind).make(chosen, wait, phone or PhonePictures())


def unheld_by(camera: Camera) -> CameraError | None:
    """Return that a camera does not hold what it was locked to, ``None`` where it does."""
    if not camera.unheld:
        return None
    hint = "Set it up again at /setup; where that does not help, pull its cable and plug it in again."
    return CameraError(
        "does not hold what it was set up with ({=unheld})", unheld=camera.unheld, where=camera.name, hint=hint
    )


def health_rules(camera: Camera, settings: CameraSettings) -> HealthRules:
    """Return when a picture of this camera is not as it should be: a recording shows what it shows."""
    if isinstance(camera, SetElsewhere):
        return HealthRules(is_live=camera.is_live)
    return HealthRules(is_live=True, size_px=settings.size_px, fps=settings.fps)


def clip_camera(clip: Path, fps: float | None) -> Camera:
    """Make the camera that plays a clip once, as fast as it can be read: a film, or a folder of its pictures."""
    if clip.is_dir():
        return FolderCamera(clip, fps=fps, wait=no_wait)
    if clip.suffix.lower() in PICTURES:
        hint = "Use `tableside read` for photographs."
        raise SettingsError("is a photograph, not a clip", where=str(clip), hint=hint)
    return VideoCamera(clip, fps=fps, wait=no_wait)
