"""Cameras. All of them give frames through the same port."""

from tableside.adapters.camera.folder import FolderCamera, RecordedRolls, StillCamera
from tableside.adapters.camera.lenses import View
from tableside.adapters.camera.network import NetworkCamera
from tableside.adapters.camera.phone import PhoneCamera, PhonePictures
from tableside.adapters.camera.picamera import PiCamera, has_picamera, pi_cameras, ribbon_cameras
from tableside.adapters.camera.port import AUTOMATIC, Camera, Controls, opened
from tableside.adapters.camera.usb import UsbCamera, usb_cameras
from tableside.adapters.camera.video import VideoCamera

__all__ = [
    "AUTOMATIC",
    "Camera",
    "Controls",
    "FolderCamera",
    "NetworkCamera",
    "PhoneCamera",
    "PhonePictures",
    "PiCamera",
    "RecordedRolls",
    "StillCamera",
    "UsbCamera",
    "VideoCamera",
    "View",
    "has_picamera",
    "opened",
    "pi_cameras",
    "ribbon_cameras",
    "usb_cameras",
]
