"""A table that keeps what it is told, a camera that can be unplugged, and how a running table is asked."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

from tableside.adapters.camera.folder import StillCamera
from tableside.adapters.camera.port import Recording
from tableside.app.running_table import RunningTable
from tableside.errors import CameraError
from tableside.reader.photo import Picture
from tableside.table.messages import Message
from tableside.tray.frame import Frame


class KeepingTable:
    """Takes messages as the real table does, and lets a test wait for one."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._came = threading.Condition()

    def post(self, message: Message) -> None:
        with self._came:
            self.messages.append(message)
            self._came.notify_all()

    def wait_for(self, is_wanted: Callable[[Message], bool], *, count: int = 1, timeout: float = 30.0) -> Message:
        """Return the ``count``-th message of this kind, or fail."""

        def found() -> list[Message]:
            return [message for message in self.messages if is_wanted(message)][count - 1 :]

        with self._came:
            assert self._came.wait_for(lambda: bool(found()), timeout), self.messages
            return found()[0]


class RestingCamera(StillCamera):
    """Shows one picture a few times and then ends, so that the tray says nothing of its own."""

    def frames(self) -> Iterator[Frame]:
        for number in range(8):
            if self._picture is not None:
                yield Frame.of(self._picture, number=number, time=number / self._fps)


class PluggedCamera(Recording):
    """Shows one picture after another, 30 a second by its own clock; it can be absent or lost on the way.

    :param lives: for each time it is opened the pictures it then shows before it is lost; once they are used up,
        it shows the last picture for ever. ``None`` stands for a time at which it is absent.
    """

    def __init__(self, *lives: list[Picture] | None) -> None:
        self._lives = list(lives)
        self._pictures: list[Picture] = []
        self._number = 0
        self._closed = threading.Event()
        self.open_count = 0

    @property
    def name(self) -> str:
        return "plugged camera"

    def open(self) -> None:
        self.open_count += 1
        life = self._lives.pop(0)
        if life is None:
            raise CameraError("is not plugged in", where=self.name, hint="Plug it in.")
        self._pictures = life
        self._closed.clear()

    def frames(self) -> Iterator[Frame]:
        for picture in self._pictures:
            yield self._frame(picture)
        if self._lives:
            raise CameraError("gives no pictures", where=self.name, hint="Check its cable.")
        while not self._closed.wait(0.001):
            yield self._frame(self._pictures[-1])

    def close(self) -> None:
        self._closed.set()

    def _frame(self, picture: Picture) -> Frame:
        self._number += 1
        return Frame.of(picture.copy(), number=self._number, time=self._number / 30)


def call(running: RunningTable, address: str, body: Any = None) -> tuple[int, Any]:
    """Ask a running table over the network, as a page does; return the status and the answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(running.address + address, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)
