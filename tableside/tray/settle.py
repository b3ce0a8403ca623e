"""Find out whether something moves on the tray, and since when nothing does.

While the tray is still, small pictures are compared with how it looked at rest, and nothing else is done. Once they
differ, dice are found and followed. A die settles by what happens at it: it is found at its place, looks the same, and
nothing moves near it. What a frame says is the first of these that holds:

a hand works near dice, or covers one         a hand: nothing is known to lie still
no die came, went or moved                    still, as before: it was the light, or the camera trembled
all has lain still for the dwell              still, and settled: the moment to read
a hand is there                               a hand, beside which dice may lie still already
none of these                                 moving, and unsteady where no hand worked for long
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from tableside.dice import DieReading, Point, Suspect
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.tray import recent
from tableside.tray.frame import Frame
from tableside.tray.hands import Hands, covered_tracks, hand_in, hand_moves
from tableside.tray.motion import WAKING_PX, Difference, Mask, Noise, Small, blobs, small_picture
from tableside.tray.region import WHOLE, Region, is_inside, mask_of
from tableside.tray.sight import Rest, Sight, outline_of
from tableside.tray.tracks import Stillness, Track, follow_tracks, is_known

Detect = Callable[[Pyramid], Sequence[Detection]]

_OVERRULED_SECONDS = 1.0
"""What moves beside dice that have been still for this long is no die, and what has lain still for so long no hand."""
_UNSTEADY_SECONDS = 1.8
"""If it takes longer than this to settle, without a hand, that is reported: no die rolls for so long."""
_CLEAR, _FAINT = 0.5, 0.2
"""Score at which a find begins to be followed, and down to which it is followed further."""


class Motion(StrEnum):
    """What goes on in front of the camera."""

    MOVING = "moving"
    HAND = "hand"
    STILL = "still"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleRules:
    """When the tray counts as still.

    :ivar dwell_seconds: how long nothing may change.
    :ivar corners: of the tray; what moves outside it is not looked at.
    """

    dwell_seconds: float = 0.3
    corners: Region = WHOLE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settling:
    """What is known of the tray after a frame.

    :ivar frames: those during which nothing changed, oldest first, as far as they are kept; none if that is not known.
    :ivar settled: this frame ended the dwell: the moment to read.
    :ivar has_moved: something was seen to move since the tray was last still.
    :ivar is_same: the dice lie as they lay when it was last still, and no hand was there meanwhile.
    :ivar is_unsteady: it does not settle although no hand works.
    """

    motion: Motion
    frames: tuple[Frame, ...] = ()
    settled: bool = False
    has_moved: bool = False
    is_same: bool = False
    is_unsteady: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Woken:
    """What was seen since the tray woke; replaced whole. Times are seconds on the camera's clock.

    :ivar tracks: dice that are followed.
    :ivar tracks_since: when the last of them came to lie still, ``inf`` while that is not known.
    :ivar left_at: since when the place of a die that went looks as it looks now.
    :ivar looked_at: when dice were looked for last.
    :ivar stirs: in the last picture something moved that a die may be, or that is near one.
    :ivar quiet_since: since when nothing does, ``None`` while something may.
    :ivar stirred_at: when the tray woke, or a hand worked last.
    :ivar hand: where a hand, or a thing like one, reaches in from the edge.
    :ivar hand_moved_at: when it last moved, ``-inf`` while there was none.
    """

    tracks: tuple[Track, ...] = ()
    tracks_since: float = math.inf
    left_at: float = -math.inf
    looked_at: float = -math.inf
    stirs: bool = False
    quiet_since: float | None = None
    stirred_at: float = -math.inf
    has_moved: bool = False
    hand: Mask | None = None
    hand_moved_at: float = -math.inf

    @property
    def found(self) -> tuple[Track, ...]:
        """The dice that were found when they were looked for last."""
        return tuple(track for track in self.tracks if track.seen == self.looked_at)

    def look_at(self, dwell_seconds: float) -> float:
        """Return when dice are looked for next: in a step, as the dwell ends, or in two steps while they may move."""
        soon = self.looked_at + recent.STEP_SECONDS * (2 if self.stirs else 1)
        ends_at = max(self.tracks_since, self.quiet_since or -math.inf) + dwell_seconds
        return (ends_at if self.looked_at < ends_at < soon else soon) - recent.CLOCK_SECONDS

    def still_since(self, time: float) -> float:
        """Return since when nothing moves, ``inf`` while something does."""
        if self.quiet_since is None:
            return self.tracks_since if time - self.tracks_since >= _OVERRULED_SECONDS else math.inf
        return max(self.tracks_since, self.quiet_since)

    def hand_rests(self, time: float, seconds: float) -> bool:
        """Whether no hand has moved for so long."""
        return time - self.hand_moved_at + recent.CLOCK_SECONDS >= seconds


class Settler:
    """Follows one tray. Frames come in the order of their times.

    :param detect: finds dice in a picture.
    """

    def __init__(self, detect: Detect, rules: SettleRules | None = None) -> None:
        self._detect = detect
        self.rules = rules or SettleRules()
        self._stillness = Stillness()
        self._rest_noise, self._recent_noise = Noise(), Noise()
        self._radius = 0.0  # of a die, px of the full picture, as last seen
        self.begin()

    def begin(self) -> None:
        """Forget what lies there: pictures are missing, or show something else."""
        self._recent = recent.Recent()
        self._rest: Rest | None = None
        self._woken: _Woken | None = None
        self._hands = Hands()

    def is_due(self, frame: Frame) -> bool:
        """Whether this frame has to be looked at: every frame while something happens, else one now and then."""
        return (
            self._woken is not None or frame.time - self._recent.looked_at > recent.STEP_SECONDS + recent.CLOCK_SECONDS
        )

    def see(self, frame: Frame, small: Small | None = None) -> Settling:
        """Return what is known after one more frame."""
        kept = self.rules.dwell_seconds + 2 * recent.STEP_SECONDS
        self._recent.keep(frame, kept)
        if not self.is_due(frame):
            return Settling(motion=Motion.STILL)
        small = small_picture(frame) if small is None else small
        if self._recent.shape not in (None, small.shape):
            self.begin()
            self._recent.keep(frame, kept)
        before = self._recent.look(frame.time, small)
        region = mask_of(self.rules.corners, small.shape)
        woken = self._woken
        if woken is None and self._rest is None:
            woken = _Woken(stirred_at=frame.time, quiet_since=frame.time)
            self._hands.begin(None)
        elif woken is None:
            assert self._rest is not None
            away = Difference(small, self._rest.small)
            if not blobs(away.changed(self._rest_noise) & region, region, least=WAKING_PX):
                away.teach(self._rest_noise)
                away.teach_places(self._rest_noise)
                # follows the daylight, whose changes would add up
                self._rest = replace(self._rest, small=0.9 * self._rest.small + 0.1 * small)
                return Settling(motion=Motion.STILL)
            woken = _Woken(tracks=self._rest.tracks, stirred_at=frame.time)
            self._hands.begin(self._rest.small)
            before = self._recent.catch_up() or before
        is_looked_at = frame.time >= woken.look_at(self.rules.dwell_seconds)
        sight = self._sight(frame, small, before or (frame.time, small), region, may_learn=is_looked_at)
        self._hands.see(frame.time, small, sight.away, sight.moving)
        if sight.is_another_scene:  # of which nothing is known
            self._rest, sight, woken = None, replace(sight, rest=None), replace(woken, has_moved=True)
        return self._follow(sight, woken, is_looked_at=is_looked_at)

    def lies_still(self, frame: Frame) -> bool:
        """Whether this frame was looked at, and nothing in it differs from the tray at rest."""
        return self._rest is not None and self._woken is None and self._recent.looked_at == frame.time

    def unchanged_places(self, things: Sequence[DieReading | Suspect], then: Frame, now: Frame) -> frozenset[Point]:
        """Return the centres, px, of those things whose places look as they looked then."""
        if then.picture.shape != now.picture.shape:
            return frozenset()
        outlined_ones = [thing for thing in things if thing.outline]
        tracks = [_track_of(thing.outline, now.time) for thing in outlined_ones]
        unmoved = self._stillness.which_lie_still(tracks, then, now)
        return frozenset(thing.center for thing, lies in zip(outlined_ones, unmoved, strict=True) if lies)

    def laid_places(self, things: Sequence[DieReading | Suspect], now: Frame) -> frozenset[Point]:
        """Return the centres, px, of those things that a hand laid at their places."""
        if self._recent.shape is None:
            return frozenset()
        scale = self._recent.shape[1] / now.picture.shape[1]
        found = set()
        for thing in things:
            track = _track_of(thing.outline, now.time)
            if self._hands.has_laid((track.middle[0] * scale, track.middle[1] * scale), track.radius * scale):
                found.add(thing.center)
        return frozenset(found)

    @property
    def covered_places(self) -> frozenset[Point]:
        """The middles, px, of dice that lie under a hand while all lies still."""
        lie = () if self._rest is None or self._woken is not None else self._rest.covered
        return frozenset(track.middle for track in lie)

    def _sight(
        self, frame: Frame, small: Small, before: tuple[float, Small], region: Mask, *, may_learn: bool
    ) -> Sight:
        moved = Difference(small, before[1])
        from_rest = None if self._rest is None else Difference(small, self._rest.small)
        if may_learn and before[0] < frame.time:  # the noise stays for longer than a picture
            moved.teach(self._recent_noise)
        moving = moved.changed(self._recent_noise, may_tremble=True) & region
        away = from_rest.changed(self._rest_noise, may_tremble=True) & region if from_rest else np.zeros_like(region)
        return Sight(
            frame=frame, small=small, region=region, radius=self._radius * small.shape[1] / frame.picture.shape[1],
            rest=self._rest, before=before[1], quiet_from=before[0], moving=moving, away=away, from_rest=from_rest,
        )  # fmt: skip

    def _follow(self, sight: Sight, woken: _Woken, *, is_looked_at: bool) -> Settling:
        time, dwell = sight.frame.time, self.rules.dwell_seconds
        if is_looked_at:
            woken = self._look_for_dice(sight.frame, woken)
            sight = replace(sight, radius=self._radius * sight.small.shape[1] / sight.frame.picture.shape[1])
        dice = [track for track in woken.tracks if track.seen >= time - _OVERRULED_SECONDS]
        hand = None if sight.rest is None else hand_in(sight, dice, woken.hand)
        if hand is not None:
            moved_at = time if hand_moves(sight, hand, dice) else woken.hand_moved_at
            woken = replace(woken, hand_moved_at=moved_at, has_moved=True)
        woken = replace(woken, hand=hand)
        near = sight.near(woken.tracks)
        stirs = sight.stirs(near, woken.hand)
        stirs_again, woken = stirs and woken.stirs, replace(woken, stirs=stirs)  # one bad picture means no motion
        if self._is_held_back(sight, woken, near):
            self._woken = replace(woken, quiet_since=None, tracks_since=math.inf, stirred_at=time)
            return Settling(motion=Motion.HAND, has_moved=True)
        if stirs_again:
            woken = replace(woken, has_moved=True, quiet_since=None)
        elif woken.quiet_since is None:
            woken = replace(woken, quiet_since=sight.quiet_from)
        self._woken = woken
        if (
            is_looked_at
            and woken.quiet_since is not None
            and not (woken.has_moved or self._rest is None or sight.has_news)
        ):
            self._lie_still(sight, woken, is_same=True)
            return Settling(motion=Motion.STILL)
        since = woken.still_since(time)
        frames = tuple(view for view in self._recent.views if view.time >= since)
        has_lain = time - since + recent.CLOCK_SECONDS >= dwell and len(frames) >= recent.LEAST_FRAMES
        if is_looked_at and has_lain and not (stirs and woken.quiet_since is not None):
            is_as_before = self._rest is not None and self._is_as_at_rest(woken.found, self._rest)
            if not is_as_before or woken.hand_rests(time, dwell):
                is_same = is_as_before and math.isinf(woken.hand_moved_at)
                self._lie_still(sight, woken, is_same=is_same)
                return Settling(motion=Motion.STILL, frames=frames, settled=True, is_same=is_same)
        if woken.hand is not None:
            return Settling(motion=Motion.HAND, frames=frames, has_moved=True)
        is_unsteady = time - woken.stirred_at > _UNSTEADY_SECONDS
        motion = Motion.MOVING if woken.has_moved or self._rest is None else Motion.STILL
        return Settling(motion=motion, frames=frames, has_moved=woken.has_moved, is_unsteady=is_unsteady)

    def _is_held_back(self, sight: Sight, woken: _Woken, near: Mask) -> bool:
        """Whether a hand works near dice, or covers one; beside dice that came, one that rests holds nothing back."""
        if woken.hand is None:
            return False
        rests = woken.hand_rests(sight.frame.time, _OVERRULED_SECONDS)
        if not rests and (woken.hand & near).any():
            return True
        lay = () if sight.rest is None else sight.rest.tracks
        is_new = any(not is_known(one, lay) for one in woken.found)
        return not (is_new and rests) and bool(covered_tracks(sight, woken.tracks, woken.hand))

    def _look_for_dice(self, frame: Frame, woken: _Woken) -> _Woken:
        """Find the dice, and since when they lie still."""
        time = frame.time
        height, width = frame.picture.shape[:2]
        found = [
            one
            for one in self._detect(frame.pyramid)
            if is_inside((one.middle[0] / width, one.middle[1] / height), self.rules.corners)
        ]
        found = [one for one in found if one.score >= _CLEAR or (one.score >= _FAINT and is_known(one, woken.tracks))]
        missing = [track for track in woken.tracks if not is_known(track, found)]
        tracks = follow_tracks(woken.tracks, found, time=time, forgets=self.rules.dwell_seconds)
        seen = [track for track in tracks if track.seen == time]
        if seen:
            self._radius = float(np.median([track.radius for track in seen]))
        views = list(self._recent.views)
        compared = self._stillness.compare_views([*seen, *missing], views)
        first = compared.since(seen)
        since = views[first].time
        if first == 0:
            since = min(since, woken.tracks_since)  # it has been still for longer than pictures are kept
        left = compared.since(missing, first)
        left_at = views[left].time if left > first else woken.left_at  # where it was all has looked alike since
        return replace(
            woken,
            tracks=tuple(tracks),
            tracks_since=max(since, left_at),
            left_at=left_at,
            looked_at=time,
            has_moved=woken.has_moved or (self._rest is not None and not self._is_as_at_rest(seen, self._rest)),
        )

    def _lie_still(self, sight: Sight, woken: _Woken, *, is_same: bool) -> None:
        """Take the tray as it is for the tray at rest, but for a hand that still moves and what it covers."""
        if is_same and sight.from_rest is not None:  # what differed was noise
            sight.from_rest.teach(self._rest_noise)
            sight.from_rest.teach_places(self._rest_noise)
        small, time = sight.small, sight.frame.time
        if self._rest is not None and woken.hand is not None and not woken.hand_rests(time, self.rules.dwell_seconds):
            small = np.where(outline_of(woken.hand)[..., None] > 0, self._rest.small, small)
        under = covered_tracks(sight, woken.tracks, woken.hand)
        self._rest = Rest(small=small, view=self._recent.views[-1], tracks=(*woken.found, *under), covered=under)
        self._woken = None

    def _is_as_at_rest(self, seen: Sequence[Track], rest: Rest) -> bool:
        """Whether the dice lie as they lay when the tray was last still."""
        is_new = any(not is_known(track, rest.tracks) for track in seen)
        return not is_new and all(self._stillness.which_lie_still(rest.tracks, rest.view, self._recent.views[-1]))


def _track_of(outline: Sequence[Point], time: float) -> Track:
    xs, ys = zip(*outline, strict=True)
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    return Track(middle=middle, radius=max(1.0, (max(xs) - min(xs) + max(ys) - min(ys)) / 4), seen=time)
