"""Setting the camera up while the table runs: what the page for it shows and does."""

from __future__ import annotations

from typing import Any

import cv2

from tableside.adapters.camera import AUTOMATIC, Camera, Controls
from tableside.app.calibration import Calibrations, KeptSetup, made_of
from tableside.app.live import LiveTray
from tableside.errors import CameraError
from tableside.tray.calibration import meters_of
from tableside.tray.region import Region, find_tray

_EMPTY_FRAMES = 9
_SECONDS = 3.0
_QUALITY = 80  # of 100: it is looked at once


class CameraSetup:
    """Looks through the running camera.

    :param made: what was settled before.
    """

    def __init__(self, camera: Camera, tray: LiveTray, calibrations: Calibrations, made: KeptSetup | None) -> None:
        self._camera = camera
        self._tray = tray
        self._calibrations = calibrations
        self._made = made

    def now(self) -> dict[str, Any]:
        """Return what the camera sees, the newest picture's meters and tray, and what was settled before."""
        frame = self._tray.last_frame
        return {
            "camera": self._camera.name,
            "view": None if self._camera.view is None else self._camera.view.to_json(),
            "meters": None if frame is None else meters_of(frame.picture).to_json(),
            "found": None if frame is None else _json(find_tray(frame.picture)),
            "made": None if self._made is None else self._made.calibration.to_json(),
            "moving": not self._tray.is_still,
        }

    def picture(self) -> bytes | None:
        """Return the newest picture as JPEG."""
        frame = self._tray.last_frame
        if frame is None:
            return None
        done, data = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        return data.tobytes() if done else None

    def adjust(self) -> None:
        """Let the camera find focus, exposure and white balance by itself again."""
        self._camera.lock(AUTOMATIC)

    def save(self, corners: Region | None) -> dict[str, Any]:
        """Take the empty tray's picture, lock the camera, keep that and watch by it from now on.

        :raises CameraError: when it is a bad moment for it.
        :raises SettingsError: when it cannot be kept.
        """
        frames = self._tray.next_frames(_EMPTY_FRAMES, timeout=_SECONDS)
        if len(frames) < _EMPTY_FRAMES:
            raise CameraError("gives no pictures", where=self._camera.name, hint="Check its cable.")
        made = made_of(self._camera, frames, corners=corners)
        self._camera.lock(Controls.from_json(dict(made.calibration.controls)))
        self._calibrations.save(made)
        self._made = made
        self._tray.set_up(made.calibration.corners, made.empty)
        return self.now()


def _json(corners: Region | None) -> list[list[float]] | None:
    return None if corners is None else [[round(x, 4), round(y, 4)] for x, y in corners]
