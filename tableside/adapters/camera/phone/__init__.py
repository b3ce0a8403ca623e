"""A phone as the tray's camera: its page sends pictures, one request each. Only the newest counts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tableside.adapters.camera.kind import CameraKind, CameraSettings
from tableside.adapters.camera.port import SetElsewhere
from tableside.errors import CameraError, Conflict
from tableside.reader.photo import MAX_PIXELS, decode_jpeg, is_strip, picture_size
from tableside.tray.frame import Frame
from tableside.words import say

OPEN_PHONE = "start the table, and open /camera on a phone that is paired"
_ASLEEP_SECONDS = 3.0
"""A phone sends two pictures a second where nothing moves; without one for so long it sleeps or is out of reach."""
_GONE_SECONDS = 10.0
"""A phone that sent none for so long is asked for no leave, and one that asked so long ago does not ask any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phone:
    """A paired phone. :ivar id: of its pairing. :ivar name: what people call it. :ivar at: when it last spoke."""

    id: str
    name: str
    at: float


class PhonePictures:
    """What phones send: which of them is the camera, who wants to be, and the newest picture."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._camera: Phone | None = None
        self._asks: Phone | None = None
        self._replaced = ""
        self._newest: tuple[bytes, float] | None = None

    @property
    def camera(self) -> Phone | None:
        """The phone that is the camera."""
        return self._camera

    @property
    def asks(self) -> Phone | None:
        """The phone that wants to be the camera in its place."""
        asks = self._asks
        return asks if asks and self._clock() - asks.at < _GONE_SECONDS else None

    def begin(self, id: str, name: str) -> None:
        """Make a phone the camera. One that is awake and is it already is asked for leave.

        :raises Conflict: as long as that has not answered.
        """
        with self._changed:
            now, camera = self._clock(), self._camera
            if camera and camera.id != id and now - camera.at < _GONE_SECONDS:
                self._asks = Phone(id=id, name=name, at=now)
                hint = say("It is asked there. Stop it on that phone, or wait until it sleeps.")
                raise Conflict("{who} is the camera", who=camera.name, where="camera", hint=hint)
            self._camera, self._asks, self._replaced = Phone(id=id, name=name, at=now), None, ""

    def replace(self) -> None:
        """Take no more pictures, since another camera was chosen, until a phone begins again."""
        with self._changed:
            if self._camera:
                self._replaced = self._camera.id
            self._camera = self._asks = self._newest = None

    def is_replaced(self, id: str) -> bool:
        """Return whether another camera was chosen while this phone was it."""
        return bool(id) and id == self._replaced

    def give(self, id: str) -> None:
        """Hand over to the phone that asks, or to nobody. Only the camera itself can."""
        with self._changed:
            if self._camera and self._camera.id == id:
                self._camera, self._asks, self._newest = self.asks, None, None

    def keep(self, id: str) -> None:
        """Stay the camera though another phone asks."""
        with self._changed:
            if self._camera and self._camera.id == id:
                self._asks = None

    def put(self, data: bytes, *, id: str, name: str) -> None:
        """Take a picture of the phone that is the camera.

        :raises Conflict: from any other phone. :raises CameraError: where it is no JPEG of a picture.
        """
        size = picture_size(data)
        if size is None or is_strip(size) or size[0] * size[1] > MAX_PIXELS or not data.startswith(b"\xff\xd8"):
            raise CameraError("sends no JPEG", where=name, hint="Open /camera on that phone again.")
        with self._changed:
            if self._camera is None or self._camera.id != id:
                raise Conflict("another phone is the camera", where="camera", hint="Begin on this phone again.")
            now = self._clock()
            self._camera, self._newest = Phone(id=id, name=name, at=now), (data, now)
            self._changed.notify_all()

    def newer_than(self, before: float) -> tuple[bytes, float]:
        """Wait for a picture that came after this time, and return it with its time.

        :raises CameraError: where none comes.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None and self._newest[1] > before, _ASLEEP_SECONDS)
            if self._newest is None or self._newest[1] <= before:
                hint = (
                    say("Wake {who}.", who=self._camera.name)
                    if self._camera
                    else "Open /camera on a phone that is paired."
                )
                raise CameraError("is asleep" if self._camera else "sends no pictures", where="phone camera", hint=hint)
            return self._newest


class PhoneCamera(SetElsewhere):
    """The pictures that a phone sends, as a camera."""

    name = "phone camera"
    _cure = "Keep its page /camera open and its screen on, and bring it nearer to the Wi-Fi."

    def __init__(self, pictures: PhonePictures, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pictures = pictures
        self._clock = clock
        self._is_open = False

    def open(self) -> None:
        """Wait for a picture.

        :raises CameraError: where no phone sends one.
        """
        self._pictures.newer_than(self._clock() - _ASLEEP_SECONDS)
        self._is_open = True

    def frames(self) -> Iterator[Frame]:
        """Yield the newest picture whenever there is one. Times are of its arrival, from the clock."""
        number, came = 0, self._clock() - _ASLEEP_SECONDS
        while self._is_open:
            data, came = self._pictures.newer_than(came)
            picture, warning = decode_jpeg(data)
            if picture is None:
                raise CameraError("sends pictures that cannot be read", where=self.name, hint="Begin there again.")
            yield Frame.of(picture, number=number, time=came, is_damaged=bool(warning))
            number += 1

    def close(self) -> None:
        self._is_open = False


def _tell(settings: CameraSettings, ask: Callable[[str], Any]) -> str:
    now = ask("/api/camera")
    if now is None and settings.kind != "phone":
        return 'none asked for; tap "Use a phone\'s camera" on the screen of a table that runs'
    if now is None or not now.get("phone"):
        return f"none sends pictures; {OPEN_PHONE}"
    return f"{now['phone']} is the camera" + ("" if now["is_seeing"] else ", and sleeps: wake it")


KIND = CameraKind(
    make=lambda _settings, _wait, phone: PhoneCamera(phone),
    rank=3,
    part="phone",
    tells=_tell,
    choices=lambda: [("", "")],
)
