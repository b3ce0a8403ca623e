"""The sensors of Raspberry Pi's cameras, with every mode and what part of the sensor it reads.

Sizes, crops and rates are those that ``rpicam-hello --list-cameras`` prints, as quoted by Raspberry Pi's engineers and
owners: raspberrypi/picamera2 issue 683 (IMX219), raspberrypi/rpicam-apps issues 336 (IMX477) and 515 (IMX708).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.fakes.libcamera.values import Rectangle


@dataclass(frozen=True)
class Mode:
    """One way to read a sensor out.

    :ivar raw: the raw format. :ivar size: pixels that come out. :ivar crop: x, y, width and height in the sensor's own
        pixels. :ivar fps: frames a second at most.
    """

    raw: str
    bits: int
    size: tuple[int, int]
    crop: tuple[int, int, int, int]
    fps: float


@dataclass(frozen=True)
class Sensor:
    """A sensor and its modes. :ivar has_focus: whether a motor moves its lens."""

    model: str
    size: tuple[int, int]
    modes: tuple[Mode, ...]
    has_focus: bool = False

    @property
    def raw_sizes(self) -> dict[str, list[tuple[int, int]]]:
        """Return the sizes of each raw format."""
        found: dict[str, list[tuple[int, int]]] = {}
        for mode in self.modes:
            found.setdefault(mode.raw, []).append(mode.size)
        return found

    def mode(self, size: tuple[int, int], bits: int) -> Mode | None:
        """Return the mode that was asked for, or ``None``."""
        return next((mode for mode in self.modes if (mode.size, mode.bits) == (size, bits)), None)


def shown(crop: tuple[int, int, int, int], size: tuple[int, int]) -> Rectangle:
    """Return the part of a mode's crop that a picture of this size shows: all that fits its shape, in the middle."""
    x, y, width, height = crop
    wide = min(width, height * size[0] // size[1])
    high = min(height, width * size[1] // size[0])
    return Rectangle(x + (width - wide) // 2, y + (height - high) // 2, wide, high)


def _imx219(raw: str, bits: int) -> tuple[Mode, ...]:
    whole = (0, 0, 3280, 2464)
    return (
        Mode(raw, bits, (640, 480), (1000, 752, 1280, 960), 103.33),
        Mode(raw, bits, (1640, 1232), whole, 41.85),
        Mode(raw, bits, (1920, 1080), (680, 692, 1920, 1080), 47.57),
        Mode(raw, bits, (3280, 2464), whole, 21.19),
    )


_IMX477 = (
    Mode("SRGGB10_CSI2P", 10, (1332, 990), (696, 528, 2664, 1980), 120.05),
    Mode("SRGGB12_CSI2P", 12, (2028, 1080), (0, 440, 4056, 2160), 50.03),
    Mode("SRGGB12_CSI2P", 12, (2028, 1520), (0, 0, 4056, 3040), 40.01),
    Mode("SRGGB12_CSI2P", 12, (4056, 3040), (0, 0, 4056, 3040), 10.0),
)
_IMX708 = (
    Mode("SRGGB10_CSI2P", 10, (1536, 864), (768, 432, 3072, 1728), 120.13),
    Mode("SRGGB10_CSI2P", 10, (2304, 1296), (0, 0, 4608, 2592), 56.03),
    Mode("SRGGB10_CSI2P", 10, (4608, 2592), (0, 0, 4608, 2592), 14.35),
)
SENSORS: Mapping[str, Sensor] = {
    sensor.model: sensor
    for sensor in (
        Sensor("imx219", (3280, 2464), _imx219("SRGGB10_CSI2P", 10) + _imx219("SRGGB8", 8)),
        Sensor("imx477", (4056, 3040), _IMX477),
        Sensor("imx708", (4608, 2592), _IMX708, has_focus=True),
        Sensor("imx708_wide", (4608, 2592), _IMX708, has_focus=True),
    )
}
