"""Cameras. All of them give frames through the same port."""

from tableside.adapters.camera.folder import FolderCamera, RecordedRolls, StillCamera
from tableside.adapters.camera.picamera import PiCamera, has_picamera, pi_cameras
from tableside.adapters.camera.port import AUTOMATIC, Camera, Controls, opened
from tableside.adapters.camera.usb import UsbCamera
from tableside.adapters.camera.video import VideoCamera

__all__ = [
    "AUTOMATIC",
    "Camera",
    "Controls",
    "FolderCamera",
    "PiCamera",
    "RecordedRolls",
    "StillCamera",
    "UsbCamera",
    "VideoCamera",
    "has_picamera",
    "opened",
    "pi_cameras",
]
