"""All that a table can look through, and choosing among it while the table runs."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from tableside.adapters.camera.kind import kinds
from tableside.adapters.camera.phone import PhonePictures
from tableside.adapters.camera.port import Camera, opened
from tableside.adapters.camera.usb import UsbCamera, usb_cameras
from tableside.adapters.web.camera import CameraChoice
from tableside.app.camera_choice import camera_for, choose
from tableside.app.pages import Pages
from tableside.app.tray import TableTray
from tableside.config import Settings, keep_camera
from tableside.errors import BadChange, CameraError, Conflict
from tableside.reader.photo import Picture, jpeg_of

_QUALITY = 80  # of 100: it is looked at once
_PATIENCE_SECONDS = 6.0  # so long a choice waits for another camera's picture; the page waits 15 s
_LEAD_FRAMES = 5  # a camera's first pictures are darker than what it then gives


class TableCameras:
    """Which camera the table looks through.

    :param tray: looks through the one that is chosen. :param pages: by HTTPS take what a phone sees.
    """

    def __init__(self, settings: Settings, *, tray: TableTray, pages: Pages) -> None:
        self._settings, self._tray, self._pages = settings, tray, pages
        self._own = settings.camera
        self._lock = threading.Lock()

    @property
    def phone(self) -> PhonePictures:
        return self._tray.phone

    @property
    def kind(self) -> str:
        return self._tray.settings.kind

    @property
    def is_seeing(self) -> bool:
        return self._tray.last_frame() is not None

    @property
    def secure_address(self) -> str | None:
        return self._pages.secure_address

    @property
    def authority(self) -> Path | None:
        return self._pages.authority if self._pages.authority.exists() else None

    def serve_securely(self) -> None:
        """Serve HTTPS, too, from now on."""
        self._pages.serve_securely()

    def look_through_phone(self) -> None:
        """Look through a phone until it stops, or another camera is chosen."""
        self._tray.look_through(replace(self._own, kind="phone"))

    def look_through_own(self) -> None:
        """Look through the camera of the settings again."""
        if self._own.kind != "phone":
            self._tray.look_through(self._own)

    def all(self) -> list[CameraChoice]:
        """Return every camera that could be chosen: its kind, name and path, and whether it is the one of now."""
        now, _ = choose(self._tray.settings)
        found = [(kind, *one) for kind, of in kinds() for one in (of.choices() if of.choices else ())]
        found.append(("none", "", ""))
        same = (one for one in found if one[0] == now.kind and (not now.path or one[2] == str(now.path)))
        taken = next(same, None)
        return [CameraChoice(kind=one[0], name=one[1], path=one[2], is_now=one is taken) for one in found]

    def picture_of(self, path: str) -> bytes:
        """Return a picture of a USB camera as JPEG.

        :raises CameraError: where there is none of this path, or it gives none.
        """
        device = next((one for one in usb_cameras() if str(one) == path), None)
        if device is None:
            raise CameraError("is not connected", where=path[:80] or "camera", hint="Plug it in, and look again.")
        is_now = any(one.is_now and one.path == path for one in self.all())
        picture = self._tray.last_picture() if is_now else None
        if picture is None:
            with self._lock:
                picture = _first_picture(UsbCamera(path=device, size_px=self._own.size_px, fps=self._own.fps))
        return jpeg_of(picture, quality=_QUALITY)

    def choose(self, *, kind: str, path: str, url: str) -> None:
        """Look through this camera from now on, also after the next start.

        :raises BadChange: for a kind that is not offered. :raises SettingsError: where it cannot be kept.
        :raises CameraError: where one on the network gives no picture.
        """
        if kind not in ("auto", "none", *(name for name, of in kinds() if of.choices)):
            raise BadChange("is no camera", where="kind", hint="Load the page again.")
        if not self._lock.acquire(timeout=_PATIENCE_SECONDS):  # the page asks for the pictures of all of them
            raise Conflict("another camera is tried just now", where="camera", hint="Wait a moment.")
        try:
            wanted = replace(self._own, kind=kind, path=Path(path) if path else None, url=url)
            if kind == "network":
                _first_picture(camera_for(wanted))
            if kind == "phone":
                self.serve_securely()
            keep_camera(self._settings.file, wanted)
            self._own = wanted
            self._tray.look_through(wanted)
        finally:
            self._lock.release()


def _first_picture(camera: Camera) -> Picture:
    with opened(camera):
        for frame in camera.frames():
            if frame.number >= _LEAD_FRAMES or not isinstance(camera, UsbCamera):
                return frame.picture
    raise CameraError("gives no picture", where=camera.name, hint="Check it, and try again.")
