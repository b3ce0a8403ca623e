"""What the Raspberry Pi's cameras see: the whole sensor by its lens, and the part of it that a picture shows."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan, degrees, radians, tan

from tableside.record import Record

FIELDS_DEG: Mapping[str, tuple[float, float]] = {
    "imx219": (62.2, 48.8),
    "imx477": (55.0, 42.6),
    "imx708": (66.0, 41.0),
    "imx708_wide": (102.0, 67.0),
}
"""Fields of view of the whole sensor in degrees, across and down, by libcamera's name of the sensor.

Raspberry Pi documentation, "Camera: Hardware specifications"; for the IMX477 of the HQ Camera "Recommended lenses", the
6 mm lens: 55 degrees across, of which 42.6 down follow for its 4056 x 3040 square pixels.
"""
_NO_INFRARED_FILTER = "_noir"  # the same lens


class View(Record, frozen=True, kw_only=True):
    """What a camera's picture shows.

    :ivar sensor: libcamera's name of the sensor.
    :ivar shares: how much of the sensor's width and of its height is in the picture, 0..1.
    """

    properties = ("field_deg",)

    sensor: str
    shares: tuple[float, float]

    @property
    def field_deg(self) -> tuple[float, float] | None:
        """The picture's field of view in degrees, across and down; ``None`` where the sensor's lens is not known."""
        whole = FIELDS_DEG.get(self.sensor.removesuffix(_NO_INFRARED_FILTER))
        if whole is None:
            return None
        across, down = (
            2 * degrees(atan(share * tan(radians(angle) / 2))) for share, angle in zip(self.shares, whole, strict=True)
        )
        return across, down

    @property
    def words(self) -> str:
        """The same for people."""
        across, down = (f"{share:.0%}" for share in self.shares)
        part = f"{across} of the width and {down} of the height of the sensor {self.sensor}"
        field = self.field_deg
        return f"field of view {field[0]:.0f} x {field[1]:.0f} degrees: {part}" if field else f"sees {part}"


def view_of(sensor: str, *, sensor_px: tuple[int, int], shown_px: tuple[int, int]) -> View:
    """Return what a picture of this part of the sensor shows.

    :param sensor_px: width and height of the whole sensor. :param shown_px: those of the part, in the same pixels.
    """
    return View(sensor=sensor, shares=(shown_px[0] / sensor_px[0], shown_px[1] / sensor_px[1]))
