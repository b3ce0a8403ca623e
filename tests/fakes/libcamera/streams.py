"""Streams of a camera: their formats, configurations and buffers."""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from tests.fakes.libcamera.sensors import Mode, Sensor
from tests.fakes.libcamera.values import ColorSpace, Orientation, PixelFormat, Size

StreamRole = enum.Enum("StreamRole", "Raw StillCapture VideoRecording Viewfinder", start=0)
BYTES_A_PIXEL = {"BGR888": 3, "RGB888": 3, "XBGR8888": 4, "XRGB8888": 4}
PLANAR = ("YUV420", "NV12")


class StreamFormats:
    """Which pixel formats a stream has, and in which sizes."""

    def __init__(self, table: dict[str, list[tuple[int, int]]]) -> None:
        self.table = table

    @property
    def pixel_formats(self) -> list[PixelFormat]:
        return [PixelFormat(name) for name in self.table]

    def sizes(self, pixel_format: PixelFormat) -> list[Size]:
        return [Size(*size) for size in self.table[str(pixel_format)]]


class Stream:
    """A stream; configured when the camera is."""

    configuration: StreamConfiguration


class StreamConfiguration:
    """What a stream is to give."""

    def __init__(self, formats: StreamFormats) -> None:
        self.size = Size(640, 480)
        self.pixel_format = PixelFormat("XBGR8888")
        self.buffer_count = 4
        self.stride = 0
        self.frame_size = 0
        self.color_space = ColorSpace.Sycc()
        self.formats = formats
        self.stream = Stream()

    def lay_out(self) -> bool:
        """Work out rows and bytes as the hardware would, and tell whether the format is one of the stream's."""
        name, width, height = str(self.pixel_format), self.size.width, self.size.height
        if name.startswith("S"):  # raw, packed
            bits = int(name.partition("_")[0].lstrip("SRGB"))
            self.stride = _padded(width * bits // 8, 64)
            self.frame_size = self.stride * height
        elif name in PLANAR:
            self.stride = _padded(width, 128)
            self.frame_size = self.stride * height * 3 // 2
        elif name in BYTES_A_PIXEL:
            self.stride = _padded(width * BYTES_A_PIXEL[name], 64)
            self.frame_size = self.stride * height
        return name.startswith("S") or name in self.formats.table


class SensorConfiguration:
    """The mode of the sensor that is asked for."""

    def __init__(self) -> None:
        self.bit_depth = 0
        self.output_size = Size()


class CameraConfiguration:
    """The configurations of the streams of these roles."""

    Status = enum.Enum("Status", "Valid Adjusted Invalid", start=0)

    def __init__(self, roles: Sequence[Any], sensor: Sensor) -> None:
        self._sensor = sensor
        video = {name: [sensor.size] for name in (*BYTES_A_PIXEL, *PLANAR)}
        tables = [sensor.raw_sizes if role is StreamRole.Raw else video for role in roles]
        self._streams = [StreamConfiguration(StreamFormats(table)) for table in tables]
        self.orientation = Orientation.Rotate0
        self.sensor_config: SensorConfiguration | None = None

    def at(self, index: int) -> StreamConfiguration:
        return self._streams[index]

    def __iter__(self) -> Iterator[StreamConfiguration]:
        return iter(self._streams)

    @property
    def mode(self) -> Mode | None:
        """The sensor's mode that was asked for, or ``None`` where it has no such mode."""
        asked = self.sensor_config
        return asked and self._sensor.mode((asked.output_size.width, asked.output_size.height), asked.bit_depth)

    def validate(self) -> Any:
        """Adjust the raw pictures to what the sensor gives, and tell whether all is possible."""
        for stream in self._streams:
            if self.mode and str(stream.pixel_format).startswith("S"):
                stream.size, stream.pixel_format = Size(*self.mode.size), PixelFormat(self.mode.raw)
        are_good = [stream.lay_out() for stream in self._streams]
        return self.Status.Valid if self.mode and all(are_good) else self.Status.Invalid


class FrameMetadata:
    """What became of a buffer."""

    Status = enum.Enum("Status", "Success Error Cancelled Startup", start=0)


class FrameBuffer:
    """Memory for one frame of one stream."""

    class Plane:
        """Part of a file descriptor's memory."""

        def __init__(self) -> None:
            self.fd = -1
            self.offset = 0
            self.length = 0

    def __init__(self, planes: Sequence[Any]) -> None:
        self.planes = list(planes)
        used = [SimpleNamespace(bytes_used=plane.length) for plane in self.planes]
        self.metadata = SimpleNamespace(status=FrameMetadata.Status.Success, planes=used)


class FrameBufferAllocator:
    """Gives a stream its buffers, in anonymous memory."""

    def __init__(self, _camera: Any) -> None:
        self._buffers: dict[Stream, list[FrameBuffer]] = {}

    def allocate(self, stream: Stream) -> int:
        configuration = stream.configuration
        found = self._buffers[stream] = []
        for number in range(configuration.buffer_count):
            plane = FrameBuffer.Plane()
            plane.fd = os.memfd_create(f"frame {number}")
            plane.length = configuration.frame_size
            os.ftruncate(plane.fd, plane.length)
            found.append(FrameBuffer([plane]))
        return len(found)

    def buffers(self, stream: Stream) -> list[FrameBuffer]:
        return self._buffers[stream]


def _padded(count: int, step: int) -> int:
    return (count + step - 1) // step * step
