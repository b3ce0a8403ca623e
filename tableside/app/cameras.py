"""Choose and make the camera that the settings name."""

from __future__ import annotations

from pathlib import Path

from tableside.adapters.camera import (
    Camera,
    FolderCamera,
    PiCamera,
    RecordedRolls,
    StillCamera,
    UsbCamera,
    VideoCamera,
    has_picamera,
    opened,
)
from tableside.adapters.camera.folder import PICTURES
from tableside.adapters.camera.port import Wait, no_wait, sleep
from tableside.config import CameraSettings
from tableside.errors import SettingsError
from tableside.vision.health import HealthRules

__all__ = ["camera_for", "clip_camera", "health_rules", "opened"]


def camera_for(settings: CameraSettings, *, wait: Wait = sleep) -> Camera:
    """Make the camera of these settings; nothing is opened yet.

    :raises SettingsError: when its kind needs a path and there is none, and when the camera is switched off.
    """
    if settings.kind == "none":
        hint = 'Set it to "auto" to use a camera.'
        raise SettingsError("is none: this table has no camera", where="[camera] kind", hint=hint)
    kind = settings.kind
    if kind == "auto":
        kind = "picamera" if has_picamera() else "usb"
    if kind == "picamera":
        return PiCamera(settings.index, size_px=settings.size_px, fps=settings.fps)
    if kind == "usb":
        return UsbCamera(settings.index, size_px=settings.size_px, fps=settings.fps)
    if settings.path is None:
        hint = f"Set path: the kind {kind} plays a file or folder."
        raise SettingsError("is not set", where="[camera] path", hint=hint)
    if kind == "video":
        return VideoCamera(settings.path, wait=wait)
    if kind == "folder":
        return RecordedRolls(settings.path, fps=settings.fps, wait=wait)
    return StillCamera(settings.path, fps=settings.fps, wait=wait)


def health_rules(camera: Camera, settings: CameraSettings) -> HealthRules:
    """Return when a picture of this camera is not as it should be: a recording shows what it shows."""
    if not camera.is_live:
        return HealthRules()
    return HealthRules(is_live=True, size_px=settings.size_px, fps=settings.fps)


def clip_camera(clip: Path, fps: float | None) -> Camera:
    """Make the camera that plays a clip once, as fast as it can be read: a film, or a folder of its pictures."""
    if clip.is_dir():
        return FolderCamera(clip, fps=fps, wait=no_wait)
    if clip.suffix.lower() in PICTURES:
        hint = "Use `tableside read` for photographs."
        raise SettingsError("is a photograph, not a clip", where=str(clip), hint=hint)
    return VideoCamera(clip, fps=fps, wait=no_wait)
