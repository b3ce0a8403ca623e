"""The set-up of one camera over one tray, and whether it still holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import cv2
import numpy as np

from tableside.reader.photo import Picture
from tableside.record import Record
from tableside.tray.frame import sharpness
from tableside.tray.region import WHOLE, Region
from tableside.tray.scene import Scene, SceneChange, scene_change

BRIGHT, _DARK = 250, 6  # grey levels of pixels that show nothing any more
_MOST_LOST = 0.03  # share of such pixels in a good picture
GOOD_LEVELS = (45, 230)  # of the median; a tray may be of white paper
TOO_DARK = "Too dark: add light."
TOO_BRIGHT = "Too bright: turn the lamp away or spread its light."
_DIGITS = {"sharpness": 1, "level": 1, "bright": 4, "dark": 4}


class Meters(Record, frozen=True, kw_only=True):
    """How good a picture is.

    :ivar sharpness: variance of the Laplacian; only its change while the lens turns means something.
    :ivar level: median grey level, and ``bright`` and ``dark`` the shares of pixels that show nothing.
    """

    properties = ("advice",)
    digits = _DIGITS

    sharpness: float
    level: float
    bright: float
    dark: float

    @property
    def advice(self) -> str:
        """What to do about the light, ``""`` where it is good."""
        if self.level < GOOD_LEVELS[0] or self.dark > 10 * _MOST_LOST:
            return TOO_DARK
        if self.level > GOOD_LEVELS[1] or self.bright > _MOST_LOST:
            return TOO_BRIGHT
        return ""


def meters_of(picture: Picture) -> Meters:
    """Return the meters of a picture."""
    grey = cv2.cvtColor(np.ascontiguousarray(picture[::2, ::2]), cv2.COLOR_BGR2GRAY)
    return Meters(
        sharpness=sharpness(picture),
        level=float(np.median(grey)),
        bright=float(np.count_nonzero(grey >= BRIGHT)) / grey.size,
        dark=float(np.count_nonzero(grey <= _DARK)) / grey.size,
    )


class Calibration(Record, frozen=True, kw_only=True):
    """The set-up of one camera.

    :ivar camera: its name.
    :ivar controls: in the form of the camera's adapter.
    :ivar meters: of the empty tray.
    """

    camera: str
    size_px: tuple[int, int]
    corners: Region = WHOLE
    controls: Mapping[str, Any] = {}
    meters: Meters


class Drift(StrEnum):
    """What changed since the camera was set up."""

    MOVED = "moved"
    FOCUS = "focus"
    LIGHT = "light"

    @property
    def what(self) -> str:
        return _WORDS[self][0]

    @property
    def hint(self) -> str:
        return _WORDS[self][1]


_WORDS: Mapping[Drift, tuple[str, str]] = {
    Drift.MOVED: ("the camera or the tray was moved since the set-up", "Move it back, or run `tableside calibrate`."),
    Drift.FOCUS: ("the focus slipped since the set-up", "Clean and focus the lens, or run `tableside calibrate`."),
    Drift.LIGHT: ("the light has changed since the set-up", "Restore the lamp, or run `tableside calibrate`."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftRules:
    """How much may change.

    :ivar shift: share of the picture's width.
    :ivar sharpness: least share of the edges' energy.
    :ivar light: least and greatest factor of brightness.
    :ivar times: how many measurements in a row must agree.
    """

    shift: float = 0.012
    sharpness: float = 0.45
    light: tuple[float, float] = (0.62, 1.6)
    times: int = 3
    every_seconds: float = 1.0


def drift_of(found: SceneChange, rules: DriftRules) -> Drift | None:
    """Return what has changed, the cause before its consequences."""
    if found.shift is not None and found.shift > rules.shift:
        return Drift.MOVED
    if found.sharpness is not None and found.sharpness < rules.sharpness:
        return Drift.FOCUS
    return None if rules.light[0] <= found.light <= rules.light[1] else Drift.LIGHT


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drifting:
    """What is known after several pictures. ``reported`` is the change that is shown to people."""

    reported: Drift | None = None
    last: Drift | None = None
    count: int = 0
    looked: float = float("-inf")


def watch_drift(now: Drifting, picture: Picture, empty: Scene, rules: DriftRules, *, time: float) -> Drifting:
    """Return what is known after one more picture of the still tray. Only some pictures are measured."""
    if time - now.looked < rules.every_seconds:
        return now
    found = drift_of(scene_change(Scene.of(picture), empty), rules)
    count = now.count + 1 if found is now.last else 1
    reported = found if count >= rules.times else now.reported
    return replace(now, reported=reported, last=found, count=count, looked=time)
