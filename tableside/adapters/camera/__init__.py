"""Cameras. All of them give frames through the same port."""

from tableside.adapters.camera.folder import FolderCamera, RecordedRolls, StillCamera
from tableside.adapters.camera.picamera import PiCamera, has_picamera
from tableside.adapters.camera.port import Camera, opened
from tableside.adapters.camera.video import VideoCamera

__all__ = [
    "Camera",
    "FolderCamera",
    "PiCamera",
    "RecordedRolls",
    "StillCamera",
    "VideoCamera",
    "has_picamera",
    "opened",
]
