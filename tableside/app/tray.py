"""Who watches the tray: the camera of now, as it was set up, or nobody; another one can be chosen meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.camera.phone import PhonePictures
from tableside.adapters.camera.port import Camera, Controls
from tableside.app.calibrate import FOLDER, Calibrations, KeptSetup
from tableside.app.camera_choice import camera_for, health_rules
from tableside.app.camera_setup import CameraSetup, CardCheck
from tableside.app.live import CAMERA, LOCK, SETUP, KeepPicture, LiveTray
from tableside.app.readers import Reads
from tableside.app.replays import Replays
from tableside.app.table_readers import LiveReader
from tableside.app.unwatched import NoSetup, UnwatchedTray
from tableside.config import Settings
from tableside.dice import DiceSet, DieReading
from tableside.errors import SettingsError, TablesideError
from tableside.reader.photo import Picture
from tableside.table import Table
from tableside.table.kept import Phase, RollDie, TableState
from tableside.table.messages import ShowPhase
from tableside.tray.frame import Frame
from tableside.tray.meaning import Thing, Tray, Wanted
from tableside.tray.region import WHOLE
from tableside.tray.settle import SettleRules


class TableTray:
    """The tray of one table. Nobody looks at it before it is started.

    :param data: the user's data folder.
    :param camera: looks at it in place of the camera of the settings, which may switch it off.
    :param make_reader: loads a reader, which takes a moment; it is told whether all pictures are of one camera that
        stays. :param sets: whose dice are read.
    :param say_trouble: tells the table what is wrong with a part, or by ``None`` that it works.
    :ivar phone: what phones send. :ivar settings: of the camera of now. :ivar setup: of the camera of now.
    """

    setup: CameraSetup | NoSetup

    def __init__(
        self,
        settings: Settings,
        table: Table,
        *,
        data: Path,
        camera: Camera | None,
        make_reader: Callable[[bool], Reads],
        sets: Callable[[], Sequence[DiceSet]],
        keep_picture: KeepPicture,
        replays: Replays,
        beat: Callable[[], object],
        say_trouble: Callable[[str, TablesideError | None], None],
    ) -> None:
        self.settings = settings.camera
        self.phone = PhonePictures()
        self._dwell_seconds = settings.settle.dwell_seconds
        self._table = table
        self._calibrations = Calibrations(data / FOLDER)
        self._make_reader, self._sets = make_reader, sets
        self._keep_picture, self._replays = keep_picture, replays
        self._beat, self._say_trouble = beat, say_trouble
        self._reader: LiveReader | None = None
        self._swapping = threading.Lock()
        self._is_closed = False
        self._tray = self._look_by(settings.camera, camera)

    def start(self) -> None:
        """Begin to look."""
        self._tray.start()

    def close(self) -> None:
        """Look no more, and give the camera back."""
        with self._swapping:
            self._is_closed = True
            self._tray.close()

    @property
    def is_alive(self) -> bool:
        return self._tray.is_alive

    def last_frame(self) -> Frame | None:
        """Return the newest frame, ``None`` where there is none."""
        return self._tray.last_frame

    def last_picture(self) -> Picture | None:
        """Return the newest picture, ``None`` where there is none."""
        frame = self._tray.last_frame
        return None if frame is None else frame.picture

    def read_again(self) -> bool:
        """Read once more as it lies, and return whether a camera watches it."""
        return self._tray.read_again()

    def load_reader_again(self) -> None:
        """Read by the dice sets of now from the next picture on."""
        if self._reader is not None:
            self._reader.load_again()

    def look_through(self, settings: CameraSettings) -> None:
        """Look through the camera of these settings from now on."""
        with self._swapping:
            if self._is_closed:
                return
            self._tray.close()
            if settings.kind != "phone":
                self.phone.replace()
            for part in (CAMERA, SETUP, LOCK):
                self._say_trouble(part, None)
            self._table.post(ShowPhase(at=time.time(), phase=Phase.NO_CAMERA))
            self._tray = self._look_by(settings)
            self._tray.start()

    def _look_by(self, settings: CameraSettings, camera: Camera | None = None) -> LiveTray | UnwatchedTray:
        """Return the tray under this camera, that of these settings, or none."""
        stop = threading.Event()
        if camera is None and settings.kind != "none":
            camera = camera_for(settings, wait=stop.wait, phone=self.phone)
        self.settings = settings
        if camera is None:
            self._reader, self.setup = None, NoSetup()
            return UnwatchedTray(self._table, stop=stop, beat=self._beat)
        stays = camera.is_live
        reader = self._reader = LiveReader(lambda: self._make_reader(stays))  # of a camera that stays, more is known
        made = self._set_up_before(camera)
        tray = LiveTray(
            camera,
            reader,
            self._table,
            keep_picture=self._keep_picture,
            replays=self._replays,
            rules=SettleRules(
                dwell_seconds=self._dwell_seconds, corners=WHOLE if made is None else made.calibration.corners
            ),
            empty=None if made is None else made.empty,
            health=health_rules(camera, settings),
            wanted=self._wanted_of,
            beat=self._beat,
            stop=stop,
            lying=_lying(self._table.state) if stays else None,
        )
        card = CardCheck(lambda: self._make_reader(stays), self._sets)
        self.setup = CameraSetup(camera, tray, self._calibrations, made, card=card)
        return tray

    def _set_up_before(self, camera: Camera) -> KeptSetup | None:
        """Lock the camera as it was set up. A set-up that is damaged is a trouble; the table goes on without."""
        try:
            made = self._calibrations.load(camera.name)
        except SettingsError as error:
            self._say_trouble(SETUP, error)
            return None
        if made is not None:
            camera.lock(Controls.from_json(dict(made.calibration.controls)))
        return made

    def _wanted_of(self, roll_id: str) -> Wanted:
        """Tell what the game wants of the roll that lies in the tray, if that is still the newest."""
        state = self._table.state
        laid = state.laid if state.asked.tray else None
        if state.is_taken_back(roll_id):
            return Wanted(is_gone=True, laid=laid)
        roll = state.roll
        if roll is None or roll.id != roll_id:
            return Wanted(laid=laid)
        count = roll.awaits.most if roll.awaits else 0
        has_too_many = any(gap < 0 for _, gap in roll.short)
        return Wanted(count=count, throws=len(roll.throws), has_too_many=has_too_many, laid=laid)


def _lying(state: TableState) -> tuple[str, Tray] | None:
    """Return the newest roll that the tray read, and what lay there then: it may lie there still after a restart."""
    roll = next((one for one in state.rolls if one.width and not one.photos), None)
    if roll is None:
        return None
    last = len(roll.throws) - 1
    things = {
        Thing(place=(die.center[0] / roll.width, die.center[1] / roll.width), die=_as_read(die)): die.throw
        for die in roll.dice
        if die.center
    }
    earlier = tuple(thing for thing, throw in things.items() if throw < last)
    return roll.id, Tray(things=tuple(things), earlier=earlier, throw=last)


def _as_read(die: RollDie) -> DieReading:
    """Return a die as the camera read it, whatever a person or a rule made of it."""
    read = die.original or die.lying
    return DieReading(
        type=read.type,
        face=read.face,
        center=die.center or (0.0, 0.0),
        outline=die.outline,
        confidence=die.confidence,
        status=die.status,
    )
