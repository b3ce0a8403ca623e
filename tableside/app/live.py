"""The camera loop: frames in, messages to the table out, on a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from tableside.adapters.camera.port import Camera
from tableside.app.camera_choice import unheld_by
from tableside.app.capture import Capture, Taken
from tableside.app.readers import Reads, reading_json
from tableside.app.replays import Replays
from tableside.dice import Reading
from tableside.errors import CameraError, TablesideError
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture
from tableside.table.kept import Phase
from tableside.table.messages import (
    ClearTrouble,
    LaidDice,
    Message,
    NewReading,
    NewRoll,
    NewThrow,
    ShowPhase,
    ShowTrouble,
)
from tableside.tray.calibration import Drifting, DriftRules, watch_drift
from tableside.tray.card import without_card
from tableside.tray.frame import Frame
from tableside.tray.health import Fault, HealthRules
from tableside.tray.meaning import NOTHING_WANTED, Tray, Wanted
from tableside.tray.proof import SAMPLES, THROWS, Sample, sample_of
from tableside.tray.region import Region
from tableside.tray.scene import Scene
from tableside.tray.settle import SettleRules
from tableside.tray.watch import Event, Happening, Watch
from tableside.words import sentences

_log = logging.getLogger(__name__)

CAMERA = "camera"
READER = "reader"
SETUP = "setup"
LOCK = "lock"
_PHASES = {
    Happening.MOVING: Phase.MOVING,
    Happening.HAND: Phase.HAND,
    Happening.SETTLED: Phase.STILL,
    Happening.CLEARED: Phase.EMPTY,
}
_SILENCE_SECONDS = 1.2
"""A sensor that gives nothing for so long is lost; at the slowest useful rate a frame comes every 0.2 s."""
_RESET_SECONDS = 5.0
_STUCK_SECONDS = 60.0


class Posts(Protocol):
    """The part of the table that the loop needs."""

    def post(self, message: Message) -> None: ...


KeepPicture = Callable[[str, Picture], bool]
"""Keeps a roll's picture under the roll's id and says whether that succeeded."""


def event_json(event: Event, game: str = "") -> dict[str, Any]:
    """Return an event in the form of ``watch --json``."""
    joins = event.happening is Happening.JOINED
    payload: dict[str, Any] = {
        "frame": event.frame.number,
        "t": round(event.frame.time, 4),
        "event": (Happening.CHANGED if joins else event.happening).value,
    }
    if joins or event.happening is Happening.CHANGED:
        payload["how"] = event.meaning
    if event.since is not None:
        payload["since"] = event.since
    if event.reading is not None and event.happening is not Happening.CLEARED:
        payload |= reading_json(event.reading, game)
    if event.reason:
        payload["reason"] = event.reason
    return payload


class LiveTray:
    """Watches the tray until it is closed. An absent camera is a trouble; it is tried again and again.

    :param keep_picture: called before the roll is posted.
    :param replays: is told what moves, and which roll came of it.
    :param wanted: tells what the game wants of the roll of this id.
    :param beat: called as long as all goes on, for a watchdog.
    :param empty: the empty tray as it was at the set-up; what has changed since is said.
    :param health: when a picture is not as it should be.
    :param lying: the last roll that was read here, and what lay there then.
    :ivar samples: of the last pictures. :ivar throws: the last rolls since the set-up, as they were first read.
    """

    def __init__(
        self,
        camera: Camera,
        reader: Reads,
        table: Posts,
        *,
        keep_picture: KeepPicture,
        rules: SettleRules | None = None,
        health: HealthRules | None = None,
        wanted: Callable[[str], Wanted] = lambda _: NOTHING_WANTED,
        retry_seconds: float = 1.0,
        stop: threading.Event | None = None,
        clock: Callable[[], float] = time.time,
        beat: Callable[[], object] = lambda: None,
        empty: Picture | None = None,
        replays: Replays | None = None,
        lying: tuple[str, Tray] | None = None,
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._table = table
        self._keep_picture = keep_picture
        self._replays = replays or Replays()
        self._stop = stop or threading.Event()
        self._clock = clock
        self._beat = beat
        self._roll_id, lies = lying or ("", None)
        self._in_trouble: set[str] = set()
        self._gone: set[str] = set()  # what was said of the camera since its last picture
        self._unheld = ""
        self._reset_at = float("-inf")
        self._again = threading.Event()
        self.last_frame: Frame | None = None
        self.samples: deque[Sample] = deque(maxlen=SAMPLES)
        self.throws: deque[Reading] = deque(maxlen=THROWS)
        self._came = threading.Condition()
        self._collected: list[Frame] | None = None
        self._made: tuple[Region, Picture] | None = None
        # one watch for all openings of the camera: a roll that still lies there after a fault is no new roll
        self._empty = None if empty is None else Scene.of(empty)
        self._drifting = Drifting()
        self._wanted = wanted
        self._watch = Watch(self, rules, health=health, empty=self._empty, lying=lies)
        self._capture = Capture(camera, retry_seconds=retry_seconds, stop=self._stop)
        self._thread = threading.Thread(target=self._run, name="tableside tray", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._capture.start()
        self._thread.start()

    def read_again(self) -> bool:
        """Read the next picture as it lies there, without waiting for anything to move.

        The dice of the last roll are read anew, or a first roll is made of them.
        """
        self._again.set()
        return True

    @property
    def is_still(self) -> bool:
        """Whether nothing moves on the tray."""
        return self._watch.is_still

    def next_frames(self, count: int, *, patience: float, most: float) -> list[Frame]:
        """Wait for so many frames and return them, or fewer when one does not come in time.

        :param patience: so many seconds the next one may take. :param most: so many all of them may take.
        """
        until = time.monotonic() + most
        with self._came:
            found = self._collected = []
            while len(found) < count and (left := until - time.monotonic()) > 0:
                if not self._came.wait(min(patience, left)):
                    break
            self._collected = None
            return found[:count]

    def set_up(self, corners: Region, empty: Picture) -> None:
        """Watch by another set-up from the next frame on."""
        self.throws.clear()
        with self._came:
            self._made = (corners, empty)

    @property
    def is_alive(self) -> bool:
        """Whether the loop still runs."""
        return self._thread.is_alive() and self._capture.is_alive

    def close(self) -> None:
        """Stop watching and give the camera back."""
        self._stop.set()
        self._capture.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._capture.silent_seconds < _STUCK_SECONDS:
                self._beat()  # else the driver holds the camera for good: only a new start of the program helps
            # twice: where the machine stood still, the first wait is over before the camera had its turn
            taken = self._capture.take(_SILENCE_SECONDS / 2) or self._capture.take(_SILENCE_SECONDS / 2)
            try:
                self._look(taken)
            except TablesideError:  # of the reader, already shown
                _log.exception("a picture could not be read")
            except Exception as error:  # the table must outlive whatever goes wrong here
                _log.exception("the tray loop failed")
                hint = "It goes on; the log holds the traceback."
                self._say(
                    CAMERA,
                    CameraError("failed ({=why})", why=type(error).__name__, where=self._camera.name, hint=hint),
                )
                self._watch.interrupt()

    def _look(self, taken: Taken | None) -> None:
        if self._stop.is_set():
            return
        if isinstance(taken, Frame):
            self._see(taken)
            return
        if taken is None:
            if not self._camera.is_live:
                return
            self._reset()
            hint = sentences(self._camera.cure(), "It is tried again.")
            taken = CameraError("gives no pictures", where=self._camera.name, hint=hint)
            if self._gone:  # what opening it said is more exact
                return
        self.last_frame = None
        self._watch.interrupt()
        if str(taken) in self._gone:
            return
        self._gone.add(str(taken))  # each once: the words stay, however often it is tried again
        self._say(CAMERA, taken)
        self._post(ShowPhase(at=self._clock(), phase=Phase.NO_CAMERA))

    def _see(self, frame: Frame) -> None:
        self.last_frame = frame
        self._gone.clear()
        self.samples.append(sample_of(frame.picture))
        with self._came:
            if self._collected is not None:
                self._collected.append(frame)
                self._came.notify_all()
            made, self._made = self._made, None
        if made is not None:
            self._empty, self._drifting = Scene.of(made[1]), Drifting()
            self._heal(SETUP)
            self._watch.set_up(made[0], self._empty)
        if self._watch.fault is None:
            self._heal(CAMERA)
        wanted = self._wanted(self._roll_id)
        for event in self._watch.see(frame, wanted):
            self._tell(event)
        if wanted.laid is not None and wanted.laid != self._watch.laid:
            self._post(LaidDice(at=self._clock(), dice=self._watch.laid))
        if self._watch.is_still:
            self._replays.still()
        else:
            self._replays.see(frame)
        if self._again.is_set():
            self._again.clear()
            again = self._watch.read_now(frame, self._wanted(self._roll_id))
            if again.reading is not None and (again.reading.dice or again.reading.suspects):
                self._post_reading(again, again.reading, frame, is_wanted=True)
            else:
                self._post(ShowPhase(at=self._clock(), phase=Phase.EMPTY))
        self._check_lock()
        if self._watch.fault is Fault.FROZEN:
            self._reset()
        elif self._empty is not None and self._watch.is_still:
            self._compare(frame, self._empty)

    def _compare(self, frame: Frame, empty: Scene) -> None:
        """Say what has changed since the set-up, and when it has not any more."""
        before = self._drifting.reported
        self._drifting = watch_drift(self._drifting, frame.picture, empty, DriftRules(), time=frame.time)
        drift = self._drifting.reported
        if drift is None:
            self._heal(SETUP)
        elif drift is not before:
            self._say(SETUP, CameraError(drift.what, where=self._camera.name, hint=drift.hint))

    def _check_lock(self) -> None:
        """Say what of the set-up the camera does not hold, and when it holds all of it again."""
        if self._camera.unheld == self._unheld:
            return
        self._unheld = self._camera.unheld
        error = unheld_by(self._camera)
        if error is None:
            self._heal(LOCK)
        else:
            self._say(LOCK, error)

    def _reset(self) -> None:
        """Reset the device, but not so often that it cannot come back."""
        now = time.monotonic()
        if now - self._reset_at >= _RESET_SECONDS:
            self._reset_at = now
            self._capture.reset()

    def read(self, picture: Picture) -> Reading:
        """Read a picture for the watch, and say when the reader fails."""
        try:
            reading = self._reader.read(picture)
        except TablesideError as error:
            self._say(READER, error)
            raise
        except Exception as error:
            hint = "Dice can be entered by hand; the log holds the traceback."
            broken = TablesideError("failed ({=why})", why=type(error).__name__, where="reader", hint=hint)
            self._say(READER, broken)
            raise broken from error
        self._heal(READER)
        return without_card(reading, picture)

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]:
        """Detect dice for the watch."""
        return self._reader.detect(picture)

    def _tell(self, event: Event) -> None:
        now = self._clock()
        if event.fault is not None:
            cure = self._camera.cure(event.fault)
            self._say(CAMERA, CameraError(event.fault.what, where=self._camera.name, hint=cure))
            if event.fault.hides_dice:
                self._post(ShowPhase(at=now, phase=Phase.NO_CAMERA))
        elif event.happening is Happening.HEALED:
            self._heal(CAMERA)
        elif event.happening in _PHASES:
            if event.since is not None:
                self._replays.rest(event.since)
            self._post(ShowPhase(at=now, phase=_PHASES[event.happening]))
        elif event.reading is not None and event.picture is not None:
            self._post_reading(event, event.reading, event.picture)

    def _post_reading(self, event: Event, reading: Reading, picture: Frame, *, is_wanted: bool = False) -> None:
        message_id, now = str(uuid.uuid4()), self._clock()
        if event.happening is Happening.ROLL or not self._roll_id:
            self._roll_id = message_id
        kept = self._keep_picture(self._roll_id, picture.picture)
        if event.happening in (Happening.ROLL, Happening.JOINED):
            self._replays.keep(self._roll_id)
            self.throws.append(reading)
        if self._roll_id == message_id:
            self._post(NewRoll(id=message_id, at=now, reading=reading, has_picture=kept))
            return
        roll_id = self._roll_id
        if event.happening is Happening.JOINED:
            self._post(NewThrow(id=message_id, at=now, roll_id=roll_id, reading=reading, has_picture=kept))
            return
        again = NewReading(
            id=message_id,
            at=now,
            roll_id=roll_id,
            reading=reading,
            has_picture=kept,
            is_wanted=is_wanted,
            throw=event.throw,
        )
        self._post(again)

    def _post(self, message: Message) -> None:
        self._table.post(message)

    def _say(self, part: str, error: TablesideError) -> None:
        if part not in self._in_trouble:
            _log.warning("%s: %s", part, error)
        self._in_trouble.add(part)
        self._post(ShowTrouble.of(error, part=part, at=self._clock()))

    def _heal(self, part: str) -> None:
        if part in self._in_trouble:
            self._in_trouble.discard(part)
            self._post(ClearTrouble(at=self._clock(), part=part))
            if part == CAMERA:
                self._post(ShowPhase(at=self._clock(), phase=Phase.MOVING))
