"""Set a camera up over its tray, keep that, and take it up again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from tableside.adapters.camera.port import AUTOMATIC, Camera, Controls, opened
from tableside.durable import change_files
from tableside.errors import CameraError, PhotoError, SettingsError
from tableside.reader.photo import Picture, load_photo
from tableside.tray.calibration import Calibration, Meters, meters_of
from tableside.tray.card import find_card
from tableside.tray.frame import Frame
from tableside.tray.motion import is_still
from tableside.tray.region import WHOLE, Region, find_tray

FOLDER = "calibration"
_WARM_UP_FRAMES = 45  # what a camera takes to find exposure, white balance and focus
EMPTY_FRAMES = 9  # their median has no noise to speak of, and no fly


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptSetup:
    """A calibration with the picture of the empty tray."""

    calibration: Calibration
    empty: Picture


class Calibrations:
    """What was settled for each camera, as files ``NAME.json`` and ``NAME.png`` of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, made: KeptSetup) -> Path:
        """Keep it in place of an earlier one and return where.

        :raises SettingsError: when the folder cannot be written to.
        """
        path = self._path(made.calibration.camera)
        done, png = cv2.imencode(".png", made.empty)
        text = json.dumps(made.calibration.to_json(), indent=1).encode()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with change_files(self._folder, "setup") as change:
                for target, data in ((path.with_suffix(".png"), png.tobytes() if done else b""), (path, text)):
                    (change.new / target.name).write_bytes(data)
                    change.put(target.name)
        except OSError as error:
            hint = "Choose another folder with --data or TABLESIDE_DATA."
            raise SettingsError("cannot be written ({=why})", why=error.strerror, where=str(path), hint=hint) from error
        return path

    def load(self, camera: str) -> KeptSetup | None:
        """Return what was settled for this camera, ``None`` where it never was.

        :raises SettingsError: when the files are damaged.
        """
        path = self._path(camera)
        if not path.exists():
            return None
        try:
            calibration = Calibration.from_json(json.loads(path.read_text(encoding="utf-8")))
            return KeptSetup(calibration=calibration, empty=load_photo(path.with_suffix(".png")))
        except (OSError, ValueError, KeyError, TypeError, RecursionError, PhotoError) as error:
            hint = "Run `tableside calibrate` again, or delete it."
            raise SettingsError("cannot be used ({=why})", why=error, where=str(path), hint=hint) from error

    def _path(self, camera: str) -> Path:
        return self._folder / (re.sub(r"[^a-z0-9]+", "-", camera.lower()).strip("-") + ".json")


def calibrate(
    camera: Camera, *, corners: Region | None = None, meter: Callable[[Meters], object] = lambda _: None
) -> KeptSetup:
    """Set up a camera that looks at its empty tray, and leave it locked.

    :param corners: of the tray, where a person knows better than what is found.
    :param meter: is told how good the picture is while the camera adjusts itself.
    :raises CameraError: when it gives no pictures, when something moves, or when it sees too little.
    """
    camera.lock(AUTOMATIC)
    with opened(camera):
        frames = camera.frames()
        for number, frame in enumerate(islice(frames, _WARM_UP_FRAMES)):
            if number % 5 == 0:
                meter(meters_of(frame.picture))
        made = made_of(camera, list(islice(frames, EMPTY_FRAMES)), corners=corners)
    camera.lock(Controls.from_json(dict(made.calibration.controls)))
    return made


def made_of(camera: Camera, frames: Sequence[Frame], *, corners: Region | None = None) -> KeptSetup:
    """Return the set-up that follows from a few frames of the empty tray by an open camera.

    :raises CameraError: when there are none, when something moves, or when they show too little.
    """
    if len(frames) < 2:
        raise CameraError("gives too few pictures", where=camera.name, hint="A film must show the empty tray for 2 s.")
    if not is_still(frames[0].picture, frames[-1].picture):
        hint = "Empty the tray, take your hands away and try again."
        raise CameraError("sees something move", where=camera.name, hint=hint)
    empty = np.asarray(np.median([frame.picture for frame in frames], axis=0), np.uint8)
    if find_card(empty) is not None:
        raise CameraError("sees the test card", where=camera.name, hint="Take it out of the tray, then try again.")
    meters = meters_of(empty)
    if meters.advice:
        raise CameraError("has the wrong light", where=camera.name, hint=meters.advice)
    height, width = empty.shape[:2]
    calibration = Calibration(
        camera=camera.name,
        size_px=(width, height),
        corners=corners or find_tray(empty) or WHOLE,
        controls=camera.controls().to_json(),
        meters=meters,
    )
    return KeptSetup(calibration=calibration, empty=empty)
