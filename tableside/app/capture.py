"""Frames on a thread of their own: a reader that takes its time never keeps the camera waiting."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from tableside.adapters.camera.port import Camera, opened
from tableside.errors import CameraError
from tableside.tray.frame import Frame

_log = logging.getLogger(__name__)

_QUEUE = 8
"""Frames that wait to be looked at: some 30 MB at 1280x960."""

Taken: TypeAlias = Frame | CameraError
"""A frame, or why there is none."""


class Capture:
    """Opens a camera again and again and hands over what comes, until it is closed.

    A sensor goes on while nobody looks, so its oldest frames are dropped; a recording waits.

    :param retry_seconds: pause before the camera is opened again after a fault.
    """

    def __init__(
        self,
        camera: Camera,
        *,
        retry_seconds: float,
        stop: threading.Event | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._camera = camera
        self._retry_seconds = retry_seconds
        self._stop = stop or threading.Event()
        self._clock = clock
        self._taken: deque[Taken] = deque()
        self._changed = threading.Condition()
        self._is_anew = False
        self._alive_at = clock()
        self.dropped = 0
        self._thread = threading.Thread(target=self._run, name="tableside camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def silent_seconds(self) -> float:
        """How long the camera has kept its thread without giving a frame or an error."""
        return self._clock() - self._alive_at

    def take(self, timeout: float) -> Taken | None:
        """Return what came next, or ``None`` when nothing came for so many seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._taken or self._stop.is_set(), timeout)
            found = self._taken.popleft() if self._taken else None
            self._changed.notify_all()
            return found

    def reset(self) -> None:
        """Reset the device, and open it anew as soon as it lets go."""
        with self._changed:
            self._is_anew = True
            self._taken.clear()
            self._changed.notify_all()
        self._camera.reset()

    def close(self) -> None:
        """Give the camera back. A device that keeps its thread for ever is left behind."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(timeout=_PATIENCE_SECONDS)

    def _run(self) -> None:
        while not self._stop.is_set():
            error = self._follow()
            if error is not None:
                self._put(error)
            self._alive_at = self._clock()
            self._stop.wait(self._retry_seconds)

    def _follow(self) -> CameraError | None:
        """Hand over frames until something happens, and return what that was."""
        self._is_anew = False
        try:
            with opened(self._camera):
                for frame in self._camera.frames():
                    self._put(frame)
                    if self._stop.is_set() or self._is_anew:
                        return None
        except CameraError as error:
            return error
        except Exception as error:  # the table must outlive whatever goes wrong here
            _log.exception("the camera failed")
            hint = "It is tried again; the log holds the traceback."
            return CameraError("failed ({=why})", why=type(error).__name__, where=self._camera.name, hint=hint)
        return CameraError("has ended", where=self._camera.name, hint="It is played again.")

    def _put(self, taken: Taken) -> None:
        self._alive_at = self._clock()
        with self._changed:
            if self._camera.is_live:
                while len(self._taken) >= _QUEUE:
                    self._taken.popleft()
                    self.dropped += 1
            else:
                self._changed.wait_for(lambda: len(self._taken) < _QUEUE or self._stop.is_set() or self._is_anew)
                self._alive_at = self._clock()
            self._taken.append(taken)
            self._changed.notify_all()


_PATIENCE_SECONDS = 5.0
