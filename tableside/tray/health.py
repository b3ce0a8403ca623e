"""Find out from the frames alone what is wrong with the picture, so that no roll is read from a bad one.

A pure state machine: a sign is reported once it has lasted, and forgotten once it has been gone for a moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from tableside.tray.frame import Frame
from tableside.tray.scene import Scene, burnt_share, sharpness_factor

_STRAY_SHARE = 0.005
"""Share of a black picture that hot pixels and the camera's own lamp may light up."""

Levels = npt.NDArray[np.float32]
"""(height, width), grey."""


class Fault(StrEnum):
    """What is wrong with the picture."""

    DAMAGED = "damaged"
    FROZEN = "frozen"
    BLACK = "black"
    WHITE = "white"
    DARK = "dark"
    BRIGHT = "bright"
    SIZE = "size"
    BLURRED = "blurred"
    SLOW = "slow"
    UNSTEADY = "unsteady"
    ASKED = "asked"
    SMALL = "small"

    @property
    def hides_dice(self) -> bool:
        """Whether nothing can be read from such a picture."""
        return self in (Fault.DAMAGED, Fault.FROZEN, Fault.BLACK, Fault.WHITE, Fault.DARK)

    @property
    def tells_nothing(self) -> bool:
        """Whether a single such picture is ignored, as if it had not come."""
        return self in (Fault.DAMAGED, Fault.FROZEN)

    @property
    def what(self) -> str:
        """What happened, for people."""
        return _WORDS[self][0]

    @property
    def hint(self) -> str:
        """What to do next."""
        return _WORDS[self][1]


_WORDS: Mapping[Fault, tuple[str, str]] = {
    Fault.DAMAGED: ("gives damaged pictures", "Plug it into another port, without a hub; use a shorter cable."),
    Fault.FROZEN: ("shows the same picture again and again", "Unplug it and plug it in again."),
    Fault.BLACK: ("sees nothing but black", "Take the cap off the lens or switch the lamp on."),
    Fault.WHITE: ("sees nothing but white", "Turn the lamp away from the lens."),
    Fault.DARK: ("sees much less light than before", "Switch the lamp on; a darker table is accepted in a moment."),
    Fault.BRIGHT: ("sees far more light than before, and bright dice lose their marks", "Dim or turn away the lamp."),
    Fault.SIZE: ("gives pictures of another size than it was asked for", "Set size_px to a size that it has."),
    Fault.BLURRED: ("is out of focus", "Clean the lens and set its focus; `tableside calibrate` shows the sharpness."),
    Fault.UNSTEADY: (
        "never sees the tray at rest, though no hand is there",
        "Fix the camera to a stand, use a lamp that does not flicker, and add light.",
    ),
    Fault.ASKED: (
        "sees something that may be a die",
        'If it is one, press "Read the tray", or enter it by hand; else take it off.',
    ),
    Fault.SMALL: (
        "sees something like dice that are too small to be read",
        "Bring the camera nearer, or take a narrower lens or a larger size_px.",
    ),
    Fault.SLOW: ("gives too few pictures a second", "Add light, or set a smaller size_px."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthRules:
    """When a picture is not as it should be.

    :ivar patience_seconds: how long a sign must last before it is reported.
    :ivar calm_seconds: how long it must be gone before all is well.
    :ivar is_live: the frames come from a sensor, whose noise makes no two alike.
    :ivar size_px: the size that was asked for, ``None`` for any.
    :ivar fps: the rate that was asked for, ``None`` for any.
    :ivar black_level: mean grey level of a covered lens.
    :ivar white_level: mean grey level of a lens with a lamp in it.
    :ivar dark_share: a lamp that is switched off leaves less than this of the light.
    :ivar bright_factor: more than this of the light is too much.
    :ivar burnt_share: so it is, too, if this share of the picture has turned white.
    :ivar accept_seconds: after this time, a darker or brighter tray is taken for how the table is lit now; until
        then the old light may come back.
    :ivar blurred_share: focus that slipped leaves less than this of the edges' energy.
    :ivar slow_share: less than this of the asked rate is slow. :ivar least_fps: so is less than this of any sensor:
        a dwell takes three pictures.
    """

    patience_seconds: float = 0.8
    calm_seconds: float = 0.3
    is_live: bool = False
    size_px: tuple[int, int] | None = None
    fps: float | None = None
    black_level: float = 12.0
    white_level: float = 246.0
    dark_share: float = 0.4
    bright_factor: float = 1.4
    burnt_share: float = 0.3
    accept_seconds: float = 10.0
    blurred_share: float = 0.3
    slow_share: float = 0.34
    least_fps: float = 2.5
    look_seconds: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Health:
    """What is known of the picture after a frame.

    :ivar fault: what is reported, ``None`` where all is well.
    :ivar sign: what this frame shows, which may not have lasted yet.
    :ivar since: the time from which that sign was there.
    :ivar came: number and time of the last frame.
    :ivar interval: seconds from one frame to the next.
    :ivar rest: the tray as it looked when it last lay still and well.
    :ivar lit: the same when it last was brightest, and that time: light that comes back is no fault.
    :ivar looked: when sharpness was measured last, and ``is_blurred`` what came of it.
    """

    fault: Fault | None = None
    sign: Fault | None = None
    since: float = 0.0
    last: Levels | None = None
    last_time: float | None = None
    came: tuple[int, float] | None = None
    interval: float | None = None
    rest: Scene | None = None
    lit: tuple[Scene, float] | None = None
    looked: float = float("-inf")
    is_blurred: bool = False

    @property
    def hides_dice(self) -> bool:
        """Whether this frame is not fit to be read, or even to be watched."""
        return any(one is not None and one.hides_dice for one in (self.fault, self.sign))


def update_pace(health: Health, frame: Frame) -> Health:
    """Return what is known of the rate after one more frame, whether it is looked at or not."""
    interval = health.interval
    if health.came is not None and (count := frame.number - health.came[0]) > 0:
        step = (frame.time - health.came[1]) / count  # frames that nobody took count, too
        interval = step if interval is None else 0.9 * interval + 0.1 * step
    return replace(health, interval=interval, came=(frame.number, frame.time))


def check_frame(
    health: Health, frame: Frame, small: npt.NDArray[np.float32], rules: HealthRules, *, aside: Fault | None = None
) -> Health:
    """Return what is known after one more frame that is looked at.

    :param small: the frame as motion is watched for.
    :param aside: what is wrong with the tray, where the picture is as it should be.
    """
    grey = small[:, :, 1]  # most of what eyes and sensors call bright is green
    now = health
    slowest = max(rules.least_fps if rules.is_live else 0.0, rules.slow_share * (rules.fps or 0.0))
    is_slow = now.interval is not None and now.interval * slowest > 1
    sign = _sign(now, frame, grey, rules) or (Fault.BLURRED if now.is_blurred else Fault.SLOW if is_slow else aside)
    since = now.since if sign is now.sign and now.last_time is not None else frame.time
    lasted = frame.time - since
    fault = now.fault
    if sign is not None and lasted >= rules.patience_seconds:
        fault = sign
    elif sign is None and lasted >= rules.calm_seconds:
        fault = None
    if sign in (Fault.DARK, Fault.BRIGHT) and lasted >= rules.accept_seconds:  # the table is lit like this from now on
        sign = fault = None
        now = replace(now, rest=None, lit=None)
    return replace(now, fault=fault, sign=sign, since=since, last=grey, last_time=frame.time)


def measure_sharpness(health: Health, frame: Frame, rules: HealthRules) -> Health:
    """Measure sharpness now and then, on frames in which nothing moves and no fault hides the dice."""
    is_well = {health.fault, health.sign} <= {None, Fault.BLURRED}
    if frame.time - health.looked < rules.look_seconds or not is_well:  # a picture with a fault teaches nothing
        return health
    seen = Scene.of(frame.picture)
    sharp = None if health.rest is None else sharpness_factor(seen, health.rest)
    is_blurred = sharp is not None and sharp < rules.blurred_share
    if is_blurred:
        return replace(health, looked=frame.time, is_blurred=True)
    lit = health.lit
    if lit is None or seen.brightness >= lit[0].brightness or frame.time - lit[1] > rules.accept_seconds:
        lit = (seen, frame.time)
    return replace(health, looked=frame.time, is_blurred=False, rest=seen, lit=lit)


def _sign(health: Health, frame: Frame, grey: Levels, rules: HealthRules) -> Fault | None:
    if frame.is_damaged:
        return Fault.DAMAGED
    height, width = frame.picture.shape[:2]
    if rules.is_live and health.last is not None and np.array_equal(health.last, grey):
        return _plain(grey, rules) or Fault.FROZEN
    if (plain := _plain(grey, rules)) is not None:
        return plain
    if health.rest is not None:
        light = float(np.median(grey))
        if light < rules.dark_share * health.rest.brightness:
            return Fault.DARK
        lit = health.rest if health.lit is None else health.lit[0]
        if light > rules.bright_factor * lit.brightness or burnt_share(grey) - lit.burnt > rules.burnt_share:
            return Fault.BRIGHT
    if rules.size_px is not None and (width, height) != rules.size_px:
        return Fault.SIZE
    return None


def _plain(grey: Levels, rules: HealthRules) -> Fault | None:
    """Return the fault of a picture that is all black, by a cap or at night, or all white, by a lamp in the lens."""
    mean = float(grey.mean())
    if mean <= rules.black_level and np.count_nonzero(grey > 3 * rules.black_level) < _STRAY_SHARE * grey.size:
        return Fault.BLACK
    return Fault.WHITE if mean >= rules.white_level else None
