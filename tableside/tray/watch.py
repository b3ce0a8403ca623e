"""The live path from frames to rolls, the same for the table, the demo and a recorded clip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from tableside.dice import DieReading, Reading, Status, Suspect
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.focus import is_out_of_focus
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.health import Fault, Health, HealthRules, check_frame, measure_sharpness, update_pace
from tableside.tray.meaning import (
    NOTHING_LAIN,
    NOTHING_WANTED,
    Interpretation,
    Lain,
    Meaning,
    Tray,
    Wanted,
    interpret,
    last_throw,
    things_of,
)
from tableside.tray.motion import Small, small_picture
from tableside.tray.region import WHOLE, Region, within
from tableside.tray.scene import Scene
from tableside.tray.settle import Motion, Settler, SettleRules, Settling

_AHEAD = 0.2
"""Share of the dwell after which dice are read. That is told after the dwell, and dropped if something moves before."""
_SHARPER = 1.15
"""Factor: if a later frame of the dwell is so much sharper than what was read ahead, it is read instead."""
_BLIND_SECONDS = 1.0
"""If nothing was seen for longer, dice that all lie elsewhere were thrown, not knocked."""


class Happening(StrEnum):
    """What a watched tray can do."""

    MOVING = "moving"
    HAND = "hand"
    SETTLED = "settled"
    ROLL = "roll"
    JOINED = "joined"
    CHANGED = "changed"
    CLEARED = "cleared"
    TROUBLE = "trouble"
    HEALED = "healed"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Event:
    """Something happened on the tray.

    :ivar frame: the frame at which it was known.
    :ivar since: the number of the frame from which nothing moved, for ``settled``.
    :ivar reading: what was read, for ``roll``, ``joined``, ``changed`` and ``cleared``.
    :ivar picture: the frame that was read.
    :ivar meaning: how a change came about.
    :ivar throw: which throw of its roll was read, counted from 0.
    """

    happening: Happening
    frame: Frame
    since: int | None = None
    reading: Reading | None = None
    picture: Frame | None = None
    meaning: Meaning | None = None
    throw: int = 0
    fault: Fault | None = None

    @property
    def reason(self) -> str:
        """What is wrong, for people."""
        return "" if self.fault is None else f"{self.fault.what}. {self.fault.hint}"


class Sees(Protocol):
    """The part of a reader that the watch needs."""

    def read(self, picture: Picture) -> Reading:
        """Return what the dice show."""

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]:
        """Return where dice are, in much less time."""


class Watch:
    """Turns frames into events: good frames are followed until the tray is still, then the dice are read, and the
    reading is interpreted.

    :param reader: reads one picture each time the tray comes to rest; it detects dice up to ten times a second while
        something may move.
    :param empty: how the tray looked at the set-up, to compare light and focus with.
    :param lying: what lay there when it was last looked at, some time ago.
    """

    def __init__(
        self,
        reader: Sees,
        rules: SettleRules | None = None,
        *,
        health: HealthRules | None = None,
        empty: Scene | None = None,
        lying: Tray | None = None,
    ) -> None:
        self._reader = reader
        self._settler = Settler(reader.detect, rules)
        self._health_rules = health or HealthRules()
        self._health = Health(rest=empty)
        self._known: Settling | None = None
        self._tray = lying or Tray()
        self._rest: Frame | None = None  # the tray when it was last still, else as it was first seen
        self._before: Frame | None = None  # and before the roll that lies there was thrown
        self._has_rested = False
        self._last_reported: Motion | None = None
        self._hand_seen = False
        self._blind_since = float("-inf") if lying else None
        self._ahead: tuple[Frame, Reading] | None = None
        self._is_given_back = False
        self._blurred: Reading | None = None  # the last reading, where it was out of focus
        self._was_sharp = False

    def see(self, frame: Frame, wanted: Wanted = NOTHING_WANTED) -> Iterator[Event]:
        """Yield what happened by this frame. Frames come in the order of their times.

        :param wanted: what the game wants of the roll that lies there.
        """
        self._give_back(wanted)
        self._health = update_pace(self._health, frame)
        small = None
        if self._settler.is_due(frame) or frame.is_damaged:
            small = small_picture(frame)
            yield from self._check(frame, small)
        if self._health.fault is None and self._health.sign is not None and self._health.sign.tells_nothing:
            return
        if self._health.hides_dice:
            self._known = None
            self._settler.begin()
            if self._blind_since is None:
                self._blind_since = frame.time
            return
        if self._known is None:
            self._last_reported = None
            self._hand_seen |= self._blind_since is not None and frame.time - self._blind_since > _BLIND_SECONDS
            self._blind_since = None
        if self._rest is None:
            self._rest = self._before = frame
        known = self._known = self._settler.see(frame, small)
        if self._settler.lies_still(frame):
            looked = self._health.looked
            self._health = measure_sharpness(self._health, frame, self._health_rules)
            if self._blurred is not None and self._health.looked != looked:
                outlines = [die.outline for die in self._blurred.dice]
                outlines += [one.outline for one in self._blurred.suspects]
                if not is_out_of_focus(frame.picture, outlines):
                    self._blurred = None  # the lens was turned: what lies there is read again
                    self._settler.begin()
        if known.settled:
            yield from self._tell_settled(known, frame, wanted)
        elif known.motion is not Motion.STILL:
            yield from self._tell_moving(known, frame)
            self._look_ahead(known, frame)

    def interrupt(self) -> None:
        """Note that frames are missing: the next one is looked at from scratch."""
        self._health = Health(fault=self._health.fault, rest=self._health.rest)
        self._known = None
        self._settler.begin()
        self._ahead = None
        self._blind_since = float("-inf")

    def set_up(self, corners: Region, empty: Scene) -> None:
        """Watch within these corners from now on, and compare light and focus with this picture of the empty tray."""
        self._settler.rules = replace(self._settler.rules, corners=corners)
        self._settler.begin()
        self._health = replace(self._health, rest=empty)
        self._known = None
        self._ahead = None

    def read_now(self, frame: Frame, wanted: Wanted = NOTHING_WANTED) -> Event:
        """Return the dice of the last throw as this frame shows them. Where none lies, what is asked about is a roll;
        so are laid dice."""
        is_new = self._tray.is_laid or (bool(self._tray.asked) and not self._tray.things)
        happening = Happening.ROLL if is_new and not wanted.is_gone else Happening.CHANGED
        whole = within(self._reader.read(frame.picture), self._settler.rules.corners)
        if wanted.is_gone or is_new:
            self._tray = Tray(things=things_of(whole))
        reading = last_throw(self._tray, whole)
        return Event(happening=happening, frame=frame, reading=reading, picture=frame, throw=self._tray.throw)

    @property
    def is_still(self) -> bool:
        """Whether nothing moves and the picture shows what lies there."""
        return self._known is not None and self._known.motion is Motion.STILL

    @property
    def laid(self) -> dict[str, int]:
        """Types and numbers of the dice that lie there and were laid for an open call."""
        return self._tray.laid

    @property
    def fault(self) -> Fault | None:
        """What is wrong with the picture now."""
        return self._health.fault

    def _give_back(self, wanted: Wanted) -> None:
        """Take the dice of a roll for laid ones once it was taken back and its call is open again, and the reverse."""
        is_given_back = wanted.is_gone and wanted.laid is not None
        if is_given_back is not self._is_given_back:
            self._is_given_back = is_given_back
            self._tray = replace(self._tray, is_laid=is_given_back)

    def _check(self, frame: Frame, small: Small) -> Iterator[Event]:
        before = self._health.fault
        is_unsteady = self._known is not None and self._known.is_unsteady
        aside = next((fault for fault, holds in (
            (Fault.UNSTEADY, is_unsteady),
            (Fault.BLURRED, self._blurred),
            (Fault.SMALL, any(thing.is_too_small for thing in self._tray.asked)),
            (Fault.ASKED, self._tray.asked),
        ) if holds), None)  # fmt: skip
        self._health = check_frame(self._health, frame, small, self._health_rules, aside=aside)
        fault = self._health.fault
        if fault is not before:
            happening = Happening.HEALED if fault is None else Happening.TROUBLE
            yield Event(happening=happening, frame=frame, fault=fault)

    def _tell_moving(self, known: Settling, frame: Frame) -> Iterator[Event]:
        if known.motion is Motion.HAND and self._last_reported is not Motion.HAND:
            self._hand_seen = True
            self._last_reported = Motion.HAND
            yield Event(happening=Happening.HAND, frame=frame)
        elif known.motion is Motion.MOVING and known.has_moved and self._last_reported in (None, Motion.STILL):
            self._last_reported = Motion.MOVING
            yield Event(happening=Happening.MOVING, frame=frame)

    def _tell_settled(self, known: Settling, frame: Frame, wanted: Wanted) -> Iterator[Event]:
        self._last_reported = Motion.STILL
        yield Event(happening=Happening.SETTLED, frame=frame, since=known.frames[0].number)
        ahead, self._ahead = self._since(known), None
        if known.is_same:
            return
        picture = max(known.frames, key=lambda one: one.sharpness)
        if ahead is not None and picture.sharpness <= _SHARPER * ahead[0].sharpness:
            picture, reading = ahead
        else:
            reading = self._read_now(picture)
        self._was_sharp |= bool(reading.dice) and not reading.is_blurred
        # a bare tray may have no edges but soft ones: it tells nothing where dice were sharp before
        is_told = bool(reading.dice or reading.suspects) or not self._was_sharp
        self._blurred = reading if reading.is_blurred and is_told else None
        result = self._interpret(reading, picture, wanted)
        if result.meaning is Meaning.ROLL:
            self._before = self._rest
        self._rest, self._has_rested = picture, True
        self._tray, self._hand_seen = result.tray, False
        happening = _HAPPENINGS.get(result.meaning)
        if happening is not None:
            yield Event(
                happening=happening,
                frame=frame,
                reading=result.reading,
                picture=picture,
                meaning=result.meaning,
                throw=result.tray.throw,
            )

    def _look_ahead(self, known: Settling, frame: Frame) -> None:
        """Read during the dwell, so that the result is ready at its end."""
        self._ahead = self._since(known)
        if not known.frames:
            return
        if self._ahead is None:
            if frame.time - known.frames[0].time >= _AHEAD * self._settler.rules.dwell_seconds:
                self._ahead = frame, self._read_now(frame)
        elif frame.sharpness > _SHARPER * self._ahead[0].sharpness:
            self._ahead = frame, self._read_now(frame)

    def _since(self, known: Settling) -> tuple[Frame, Reading] | None:
        """Return what was read ahead, if nothing moved since."""
        ahead = self._ahead
        return ahead if ahead and known.frames and ahead[0].time >= known.frames[0].time else None

    def _interpret(self, reading: Reading, picture: Frame, wanted: Wanted = NOTHING_WANTED) -> Interpretation:
        """Return what the reading of this picture means. Whether it means nothing is the same whatever is wanted."""
        lain = replace(self._lain(reading, picture), covered=self._settler.covered_places)
        if wanted.laid is not None or not any(die.status is Status.SURE for die in reading.dice):
            lain = replace(lain, by_hand=self._settler.laid_places((*reading.dice, *reading.suspects), picture))
        return interpret(self._tray, reading, hand_seen=self._hand_seen, wanted=wanted, lain=lain)

    def _lain(self, reading: Reading, picture: Frame) -> Lain:
        """Tell what of the doubtful things was there before."""
        if self._rest is None or self._before is None:
            return NOTHING_LAIN
        sure = [die for die in reading.dice if die.status is Status.SURE]
        things: list[DieReading | Suspect] = [die for die in reading.dice if die.status is not Status.SURE]
        things += reading.suspects
        if not things:
            return NOTHING_LAIN
        is_outlined = self._settler.rules.corners != WHOLE
        # what lies from the first in an outlined tray, or with dice that are sure, is a roll like any other
        if not self._has_rested and (is_outlined or self._settler.unchanged_places(sure, self._rest, picture)):
            return NOTHING_LAIN
        return Lain(
            at_rest=self._settler.unchanged_places(things, self._rest, picture),
            before=self._settler.unchanged_places(things, self._before, picture),
        )

    def _read_now(self, frame: Frame) -> Reading:
        known, self._known = self._known, None  # a reader that fails is asked again once the tray has settled again
        reading = within(self._reader.read(frame.picture), self._settler.rules.corners)
        self._known = known
        return reading


_HAPPENINGS = {
    Meaning.ROLL: Happening.ROLL,
    Meaning.JOINED: Happening.JOINED,
    Meaning.EXTENDED: Happening.CHANGED,
    Meaning.REPLACED: Happening.CHANGED,
    Meaning.READ_AGAIN: Happening.CHANGED,
    Meaning.FEWER: Happening.CHANGED,
    Meaning.CLEARED: Happening.CLEARED,
}
