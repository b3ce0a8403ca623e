"""A stand-in for libcamera's Python binding, as far as the real picamera2 calls it.

It models a sensor such as the IMX708 of the Camera Module 3. picamera2 checks only that a control has a known name;
this checks type, count and range of every value that would reach the sensor, and collects what is wrong in
``Camera.violations``. The ranges are guesses; names, types and enumerations are held against those of libcamera 0.7.1
(``names.json``). :func:`tests.fakes.pi_camera.fake_pi` puts it where ``import libcamera`` finds it.
"""

from tests.fakes.libcamera import controls, properties
from tests.fakes.libcamera import values as _libcamera
from tests.fakes.libcamera.camera import Camera, CameraManager, Request
from tests.fakes.libcamera.streams import (
    CameraConfiguration,
    FrameBuffer,
    FrameBufferAllocator,
    FrameMetadata,
    SensorConfiguration,
    Stream,
    StreamConfiguration,
    StreamRole,
)
from tests.fakes.libcamera.values import (
    ColorSpace,
    ControlId,
    ControlInfo,
    ControlType,
    Orientation,
    PixelFormat,
    Rectangle,
    Size,
    Transform,
)

__all__ = [
    "Camera",
    "CameraConfiguration",
    "CameraManager",
    "ColorSpace",
    "ControlId",
    "ControlInfo",
    "ControlType",
    "FrameBuffer",
    "FrameBufferAllocator",
    "FrameMetadata",
    "Orientation",
    "PixelFormat",
    "Rectangle",
    "Request",
    "SensorConfiguration",
    "Size",
    "Stream",
    "StreamConfiguration",
    "StreamRole",
    "Transform",
    "_libcamera",
    "controls",
    "properties",
]
