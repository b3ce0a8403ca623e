"""The camera loop: frames in, messages to the table out, on a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Protocol

from tableside.adapters.camera import Camera, opened
from tableside.app.reading import Reads, reading_json
from tableside.dice import Reading
from tableside.errors import CameraError, TablesideError
from tableside.table.messages import ClearTrouble, Message, NewReading, NewRoll, ShowPhase, ShowTrouble
from tableside.table.state import Phase
from tableside.vision.frame import Frame
from tableside.vision.photo import Picture
from tableside.vision.settle import SettleRules
from tableside.vision.watch import Event, Happening, Watch

_log = logging.getLogger(__name__)

CAMERA = "camera"
READER = "reader"
_PHASES = {
    Happening.MOVING: Phase.MOVING,
    Happening.HAND: Phase.HAND,
    Happening.SETTLED: Phase.STILL,
}


class Posts(Protocol):
    """The part of the table that the loop needs."""

    def post(self, message: Message) -> None: ...


KeepPicture = Callable[[str, Picture], bool]
"""Keeps a roll's picture under the roll's id and says whether that succeeded."""


def event_json(event: Event, game: str = "") -> dict[str, Any]:
    """Return an event in the form of ``watch --json``."""
    told: dict[str, Any] = {
        "frame": event.frame.number,
        "t": round(event.frame.time, 4),
        "event": event.happening.value,
    }
    if event.since is not None:
        told["since"] = event.since
    if event.reading is not None and event.happening in (Happening.ROLL, Happening.CHANGED):
        told |= reading_json(event.reading, game)
    if event.reason:
        told["reason"] = event.reason
    return told


class LiveTray:
    """Watches the tray until it is closed. An absent camera is a trouble; it is tried again and again.

    :param keep_picture: called before the roll is posted.
    """

    def __init__(
        self, camera: Camera, reader: Reads, table: Posts, *, keep_picture: KeepPicture,
        rules: SettleRules | None = None, retry_seconds: float = 3.0, stop: threading.Event | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._camera = camera
        self._reader = reader
        self._table = table
        self._keep_picture = keep_picture
        self._rules = rules or SettleRules()
        self._retry_seconds = retry_seconds
        self._stop = stop or threading.Event()
        self._clock = clock
        self._roll_id = ""
        self._again = threading.Event()
        self._in_trouble: set[str] = set()
        # one watch for all openings of the camera: a roll that still lies there after a fault is no new roll
        self._watch = Watch(self._read, self._rules)
        self._thread = threading.Thread(target=self._run, name="tableside tray", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def read_again(self) -> None:
        """Read the next picture as it lies there, without waiting for anything to move."""
        self._again.set()

    @property
    def is_alive(self) -> bool:
        """Whether the loop still runs."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Stop watching and give the camera back."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with opened(self._camera):
                    self._follow()
            except CameraError as error:
                self._say(CAMERA, error)
            except TablesideError:  # of the reader, already shown
                _log.exception("a picture could not be read")
            except Exception as error:  # the table must outlive whatever goes wrong here
                _log.exception("the camera loop failed")
                hint = "It is tried again; the log holds the traceback."
                self._say(CAMERA, CameraError(f"failed ({error!r})", where=self._camera.name, hint=hint))
            else:
                if not self._stop.is_set():  # a film that ended
                    end = CameraError("has ended", where=self._camera.name, hint="It is played again.")
                    self._say(CAMERA, end)
            self._stop.wait(self._retry_seconds)

    def _follow(self) -> None:
        for frame in self._camera.frames():
            if self._stop.is_set():
                return
            self._heal(CAMERA)
            for event in self._watch.see(frame):
                self._tell(event)
            if self._again.is_set():
                self._again.clear()
                self._read_now(frame)

    def _read_now(self, frame: Frame) -> None:
        """Somebody asked for it: the dice of the last roll are read anew, or a first roll is made of them."""
        reading = self._read(frame.picture)
        if not reading.dice and not reading.suspects:
            self._table.post(ShowPhase(at=self._clock(), phase=Phase.EMPTY))
            return
        happening = Happening.CHANGED if self._roll_id else Happening.ROLL
        self._tell(Event(happening=happening, frame=frame, reading=reading, picture=frame), is_wanted=True)

    def _read(self, picture: Picture) -> Reading:
        try:
            reading = self._reader.read(picture)
        except TablesideError as error:
            self._say(READER, error)
            raise
        except Exception as error:
            hint = "Dice can be entered by hand; the log holds the traceback."
            broken = TablesideError(f"failed ({error!r})", where="reader", hint=hint)
            self._say(READER, broken)
            raise broken from error
        self._heal(READER)
        return reading

    def _tell(self, event: Event, *, is_wanted: bool = False) -> None:
        now = self._clock()
        if event.happening in _PHASES:
            self._table.post(ShowPhase(at=now, phase=_PHASES[event.happening]))
            return
        if event.happening is Happening.CLEARED or event.reading is None or event.picture is None:
            self._table.post(ShowPhase(at=now, phase=Phase.EMPTY))
            return
        message_id = str(uuid.uuid4())
        is_new = event.happening is Happening.ROLL or not self._roll_id
        if is_new:
            self._roll_id = message_id
        kept = self._keep_picture(self._roll_id, event.picture.picture)
        if is_new:
            self._table.post(NewRoll(id=message_id, at=now, reading=event.reading, has_picture=kept))
        else:
            self._table.post(
                NewReading(
                    id=message_id,
                    at=now,
                    roll_id=self._roll_id,
                    reading=event.reading,
                    has_picture=kept,
                    is_wanted=is_wanted,
                )
            )

    def _say(self, part: str, error: TablesideError) -> None:
        now = self._clock()
        if part not in self._in_trouble:
            _log.warning("%s: %s", part, error)
        self._in_trouble.add(part)
        self._table.post(ShowTrouble(at=now, part=part, what=error.what, where=error.where, hint=error.hint))
        if part == CAMERA:
            self._table.post(ShowPhase(at=now, phase=Phase.NO_CAMERA))

    def _heal(self, part: str) -> None:
        if part in self._in_trouble:
            self._in_trouble.discard(part)
            self._table.post(ClearTrouble(at=self._clock(), part=part))
            if part == CAMERA:
                self._table.post(ShowPhase(at=self._clock(), phase=Phase.MOVING))
