"""A camera on the network: a stream (MJPEG, RTSP) or a still that is fetched again and again."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import cv2
import numpy as np

from tableside.adapters.camera.kind import CameraKind, CameraSettings
from tableside.adapters.camera.port import SetElsewhere
from tableside.delivery.http import host_of, login_of
from tableside.errors import CameraError, SettingsError
from tableside.reader.photo import MAX_PIXELS, Picture, decode_jpeg, is_strip, picture_size
from tableside.tray.frame import Frame
from tableside.words import say

if TYPE_CHECKING:
    import urllib3

_log = logging.getLogger(__name__)

_OPEN_SECONDS = 5.0
"""OpenCV's FFmpeg waits 30 s to open a stream and 30 s for a picture, unless told otherwise."""
_READ_SECONDS = 2.0
_OLD_SECONDS = 1.0
"""A picture that came longer ago than this is none."""
_LONGEST_PAUSE_SECONDS = 30.0
_MOST_BYTES = 32 * 1024 * 1024
_MJPG = cv2.VideoWriter.fourcc(*"MJPG")


class NetworkCamera(SetElsewhere):
    """A camera on the network. A thread keeps its newest picture; older ones are dropped.

    :param url: ``http://``, ``https://`` or ``rtsp://``; of it the host alone is told.
    :param fps: most stills a second that are fetched.
    """

    _cure = "Bring it nearer to its network, and set a smaller picture in its own app. Is it switched on?"

    def __init__(self, url: str, *, fps: float = 30.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._fps = fps
        self._clock = clock
        self._source: _Source | None = None
        self._failures = 0
        self._next_try = 0.0

    @property
    def name(self) -> str:
        return f"network camera {host_of(self._url)}"

    def open(self) -> None:
        """Reach the camera. After each failure the next try waits longer, up to half a minute.

        :raises CameraError: where it cannot be reached, or it is too early for another try.
        """
        self.close()
        if self._clock() < self._next_try:
            raise CameraError("is not reached", where=self.name, hint="It is tried again within half a minute.")
        source = _Source(self._url, where=self.name, fps=self._fps, clock=self._clock)
        try:
            source.begin()
        except CameraError:
            source.end()
            self._failures += 1
            self._next_try = self._clock() + min(2.0 ** min(self._failures - 1, 10), _LONGEST_PAUSE_SECONDS)
            raise
        self._source, self._failures = source, 0

    def frames(self) -> Iterator[Frame]:
        """Yield the newest picture whenever there is one. Times are of its arrival, from the clock."""
        number, last_time = 0, -1.0
        while (source := self._source) is not None:
            picture, came, is_damaged = source.newer_than(last_time)
            last_time = came
            yield Frame.of(picture, number=number, time=came, is_damaged=is_damaged)
            number += 1

    def close(self) -> None:
        if self._source is not None:
            self._source.end()
            self._source = None


class _Source:
    """The thread that waits for pictures, since nothing but its own limits ends such a wait."""

    def __init__(self, url: str, *, where: str, fps: float, clock: Callable[[], float]) -> None:
        self._url = url
        self._where = where
        self._fps = fps
        self._clock = clock
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._newest: tuple[Picture, float, bool] | None = None
        self._error: CameraError | None = None
        self._thread = threading.Thread(target=self._run, name="tableside network camera", daemon=True)

    def begin(self) -> None:
        """Start it, and wait for its first picture."""
        self._thread.start()
        self._wait(lambda: self._newest is not None, _OPEN_SECONDS + _READ_SECONDS)

    def newer_than(self, time: float) -> tuple[Picture, float, bool]:
        """Wait for a picture that came after this time, and return it.

        :raises CameraError: where none comes within a second.
        """

        def is_there() -> bool:
            came = self._newest[1] if self._newest else time
            return came > time and self._clock() - came <= _OLD_SECONDS

        self._wait(is_there, _OLD_SECONDS)
        assert self._newest is not None
        return self._newest

    def end(self) -> None:
        """Stop it. One that hangs in FFmpeg beyond its limits is left behind, so that the table goes on."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(_OPEN_SECONDS + _READ_SECONDS)
            if self._thread.is_alive():
                _log.warning("%s: its connection hangs and is left alone", self._where)

    def _wait(self, is_there: Callable[[], bool], seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: is_there() or self._error is not None, seconds)
            if self._error is not None:
                raise self._error
            if not is_there():
                raise self._said("gives no pictures")

    def _said(self, what: str) -> CameraError:
        hint = "Is it switched on and in this network? Open its address in a browser."
        return CameraError(what, where=self._where, hint=hint)

    def _run(self) -> None:
        import urllib3

        try:
            for picture, is_damaged in self._stills() if self._is_still() else self._stream():
                with self._changed:
                    shown = picture if picture is not None else self._newest and self._newest[0]
                    if shown is None:
                        raise self._said("gives no pictures that can be read")
                    self._newest = (shown, self._clock(), is_damaged)
                    self._changed.notify_all()
        except CameraError as error:
            self._fail(error)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            _log.info("%s: %s", self._where, type(error).__name__)
            self._fail(self._said("is not reached"))

    def _fail(self, error: CameraError) -> None:
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def _pool(self) -> urllib3.PoolManager:
        import urllib3

        limits = urllib3.Timeout(connect=_OPEN_SECONDS, read=_READ_SECONDS)
        return urllib3.PoolManager(timeout=limits, retries=False, headers=login_of(self._url))

    def _is_still(self) -> bool:
        """Tell whether the address gives one picture; what gives many never ends."""
        if not self._url.startswith("http"):
            return False
        with self._pool() as pool:
            answer = pool.request("GET", self._url, preload_content=False)
            answer.close()
        if answer.status != 200:
            raise self._said(say("answers {=status}", status=answer.status))
        return answer.headers.get("Content-Type", "").startswith("image/")

    def _stills(self) -> Iterator[tuple[Picture | None, bool]]:
        """Fetch a still again and again."""
        with self._pool() as pool:
            while not self._stop.is_set():
                answer = pool.request("GET", self._url, preload_content=False)
                data = answer.read(_MOST_BYTES)
                answer.drain_conn()
                answer.release_conn()
                yield self._decode(data)
                self._stop.wait(1 / self._fps)

    def _decode(self, data: bytes) -> tuple[Picture | None, bool]:
        """Return a JPEG as a picture, and whether it is damaged."""
        size = picture_size(data) or (1, 1)
        if size[0] * size[1] > MAX_PIXELS or is_strip(size):
            raise self._said("gives pictures that are too large")
        picture, warning = decode_jpeg(data)
        return picture, bool(warning)

    def _stream(self) -> Iterator[tuple[Picture | None, bool]]:
        """Follow a stream by OpenCV's FFmpeg. Pictures of MJPEG come as they are, so that a damaged one is known."""
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # it would log addresses with their passwords
        limits = {cv2.CAP_PROP_OPEN_TIMEOUT_MSEC: _OPEN_SECONDS, cv2.CAP_PROP_READ_TIMEOUT_MSEC: _READ_SECONDS}
        asked = [number for key, seconds in limits.items() for number in (key, int(1000 * seconds))]
        capture = cv2.VideoCapture(self._url, cv2.CAP_FFMPEG, asked)
        try:
            if not capture.isOpened():
                raise self._said("cannot be opened")
            is_jpeg = int(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPG and capture.set(cv2.CAP_PROP_FORMAT, -1)
            while not self._stop.is_set():
                is_read, read = capture.read()
                if not is_read:
                    raise self._said("gives no pictures")
                shown = np.asarray(read, np.uint8)
                yield self._decode(shown.tobytes()) if is_jpeg else (shown, False)
        finally:
            capture.release()


def _make(settings: CameraSettings, *_: object) -> NetworkCamera:
    try:
        parts = urlsplit(settings.url)
        is_address = parts.scheme in ("http", "https", "rtsp") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets or a port that are none
        is_address = False
    if not is_address:
        hint = "Write the address of its stream, such as http://192.168.1.20:8080/video or rtsp://..."
        raise SettingsError("is no address of a camera", where="[camera] url", hint=hint)
    return NetworkCamera(settings.url, fps=settings.fps)


def _tell(settings: CameraSettings, _ask: object) -> str:
    if not settings.url:
        return "no address is set; write that of a stream or a still under Camera and dice, or as [camera] url"
    name = _make(settings).name
    return f"{name}, tried below" if settings.kind == "network" else f'{name}; [camera] kind = "network" takes it'


KIND = CameraKind(make=_make, rank=4, part="network", tells=_tell, choices=lambda: [("", "")])
