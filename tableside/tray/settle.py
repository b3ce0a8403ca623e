"""Find out whether something moves on the tray, and since when nothing does.

While the tray is still, small pictures are compared with how it looked at rest, and nothing else is done. Once they
differ, dice are found and followed. The tray is still again when the same dice have been at the same places for a
while. A hand is what reaches in from the edge; as long as it is there, nothing is still.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from tableside.dice import DieReading, Point, Suspect
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.hands import Hands
from tableside.tray.motion import (
    WAKING_PX,
    Blob,
    Difference,
    Mask,
    Noise,
    Small,
    blobs,
    edge_of,
    is_shadow,
    is_thing,
    watched,
)
from tableside.tray.region import WHOLE, Region, is_inside, mask_of
from tableside.tray.tracks import Detection, ShrunkFrame, Stillness, Track, followed, is_known

Detect = Callable[[Picture], Sequence[Detection]]

_CLOCK_SECONDS = 0.005
"""The error of the times that cameras give their frames."""
_STEP_SECONDS = 0.1
"""How often the tray is looked at while nothing happens; how often dice are looked for while something may; and how far
apart two pictures must be to show motion."""
_OVERRULED_SECONDS = 1.0
"""What moves beside dice that have been still for this long is no die."""
_UNSTEADY_SECONDS = 2.0
"""If it takes longer than this to settle, without a hand or a moving die, that is reported."""
_LAID_SECONDS = 15.0
"""No hand lies for so long without moving: it is a thing that was put there."""
_CLEAR, _FAINT = 0.5, 0.2
"""Score at which a find begins to be followed, and down to which it is followed further."""
_LEAST_FRAMES = 3
"""Frames that must show the tray unchanged, however slow the camera is."""
_HAND_SHARE = 0.03
"""Share of what is watched: a region at the edge this large is a hand."""
_SCENE_SHARE = 0.7
"""Share of the edge: a hand comes in from one side or two, and what differs at more of the edge is another scene."""
_OF_A_DIE = 0.3
"""Share of a die's area: what moves and is larger may be a die."""
_NEAR_DICE = 3.0
"""Radii: a hand this near to dice may be at work, however still it is."""


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
    :ivar is_unsteady: it does not settle although no hand and no die moves.
    """

    motion: Motion
    frames: tuple[Frame, ...] = ()
    settled: bool = False
    has_moved: bool = False
    is_same: bool = False
    is_unsteady: bool = False


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
        self._views: deque[ShrunkFrame] = deque()
        self._smalls: deque[tuple[float, Small]] = deque()
        self._rest: Small | None = None
        self._rest_view: ShrunkFrame | None = None
        self._tracks: list[Track] = []
        self._stirred: list[Track] = []
        self._rest_tracks: list[Track] = []
        self._woken_at: float | None = None
        self._has_moved = self._hand_was_there = False
        self._begun = False
        self._checked_at = -math.inf
        self._look_at = -math.inf
        self._quiet_since: float | None = None
        self._stirs = False
        self._hand: Mask | None = None
        self._hands = Hands()
        self._tracks_since, self._left_at = math.inf, -math.inf
        self._stirred_at = self._lies_since = -math.inf
        self._known = Settling(motion=Motion.MOVING)

    def is_due(self, frame: Frame) -> bool:
        """Whether this frame has to be looked at: every frame while something happens, else one now and then."""
        return (
            self._woken_at is not None
            or not self._begun
            or frame.time - self._checked_at > _STEP_SECONDS + _CLOCK_SECONDS
        )

    def see(self, frame: Frame, small: Small | None = None) -> Settling:
        """Return what is known after one more frame."""
        self._keep(frame)
        if not self.is_due(frame):
            self._known = Settling(motion=Motion.STILL)
            return self._known
        small = watched(frame) if small is None else small
        if self._smalls and self._smalls[-1][1].shape != small.shape:
            self.begin()
            self._keep(frame)
        self._checked_at = frame.time
        reference = self._reference(frame.time)
        self._smalls.append((frame.time, small))
        region = mask_of(self.rules.corners, small.shape)
        if not self._begun:
            self._begun = True
            self._wake(frame.time)
            self._quiet_since = frame.time
        if self._woken_at is None:
            assert self._rest is not None
            away = Difference(small, self._rest)
            if not blobs(away.changed(self._rest_noise) & region, region, least=WAKING_PX):
                away.teach(self._rest_noise)
                self._rest = 0.9 * self._rest + 0.1 * small  # follows the daylight, whose changes would add up
                self._known = Settling(motion=Motion.STILL)
                return self._known
            self._wake(frame.time)
            reference = self._catch_up() or reference
        self._known = self._follow(frame, small, reference, region)
        return self._known

    def lies_still(self, frame: Frame) -> bool:
        """Whether this frame was looked at, and nothing in it differs from the tray at rest."""
        return self._begun and self._woken_at is None and self._checked_at == frame.time

    def unchanged(self, things: Sequence[DieReading | Suspect], then: Frame, now: Frame) -> frozenset[Point]:
        """Return the centres, px, of those things whose places look as they looked then."""
        if then.picture.shape != now.picture.shape:
            return frozenset()
        outlined = [thing for thing in things if thing.outline]
        tracks = [_track_of(thing.outline, now.time) for thing in outlined]
        since = self._stillness.since(tracks, [ShrunkFrame(frame=then), ShrunkFrame(frame=now)])
        return frozenset(thing.center for thing, first in zip(outlined, since, strict=True) if first == 0)

    def laid(self, things: Sequence[DieReading | Suspect], now: Frame) -> frozenset[Point]:
        """Return the centres, px, of those things that a hand laid at their places."""
        if not self._smalls:
            return frozenset()
        scale = self._smalls[-1][1].shape[1] / now.picture.shape[1]
        found = set()
        for thing in things:
            track = _track_of(thing.outline, now.time)
            if self._hands.laid((track.middle[0] * scale, track.middle[1] * scale), track.radius * scale):
                found.add(thing.center)
        return frozenset(found)

    def _wake(self, time: float) -> None:
        self._woken_at = self._stirred_at = time
        self._hands.begin(self._rest)
        self._has_moved = self._hand_was_there = False
        self._look_at = -math.inf
        self._tracks_since, self._left_at = math.inf, -math.inf
        self._quiet_since = None

    def _follow(self, frame: Frame, small: Small, reference: tuple[float, Small] | None, region: Mask) -> Settling:
        time = frame.time
        moving = away = np.zeros_like(region)
        from_rest = None if self._rest is None else Difference(small, self._rest)
        if reference is not None:
            recent = Difference(small, reference[1])
            recent.teach(self._recent_noise)
            moving = recent.changed(self._recent_noise, may_tremble=True) & region
        if from_rest is not None:
            away = from_rest.changed(self._rest_noise, may_tremble=True) & region
        scale = small.shape[1] / frame.picture.shape[1]
        least = max(WAKING_PX, _OF_A_DIE * math.pi * (self._radius * scale) ** 2)
        stirs = blobs(moving, region, least=least)
        stirs_again, self._stirs = bool(stirs) and self._stirs, bool(stirs)  # one bad picture means no motion
        reaching = self._reaching(small, away, region, frame, stirs if stirs_again else ())
        self._hands.see(time, small, away, moving)
        is_hand = any(self._moves(blob, moving) for blob in reaching)
        is_looked_at = not is_hand and time >= self._look_at
        if is_looked_at:
            self._look(frame)
        if is_hand or self._lies_near(reaching, region, scale):
            self._lies_since = time if moving.any() else self._lies_since
            if time - self._lies_since > _LAID_SECONDS:
                self._rest = small
            if is_hand:
                self._look_at = -math.inf
            self._has_moved = self._hand_was_there = True
            self._quiet_since, self._tracks_since, self._stirred_at = None, math.inf, time
            return Settling(motion=Motion.HAND, has_moved=True)
        self._lies_since = time
        if stirs_again:
            self._has_moved, self._quiet_since = True, None
        elif self._quiet_since is None:
            self._quiet_since = time if reference is None else reference[0]
        since = self._since_when(time)
        frames = () if since is None else tuple(v.frame for v in self._views if v.frame.time >= since)
        lain = -1.0 if since is None else time - since + _CLOCK_SECONDS
        is_news = self._rest is None or self._has_moved or bool(blobs(away, region, least=least))
        if is_looked_at and not is_news and self._quiet_since is not None:
            if from_rest is not None:
                from_rest.teach(self._rest_noise)
            self._lie_still(frame, small)  # nothing happened: it was the light, or the camera trembled
            return Settling(motion=Motion.STILL)
        if is_looked_at and lain >= self.rules.dwell_seconds and len(frames) >= _LEAST_FRAMES:
            seen = [track for track in self._tracks if track.seen == time]
            rest, is_same = self._rest_view, False
            if rest is not None and not self._hand_was_there:
                is_same = self._is_as_at_rest(seen, rest, self._views[-1])
            if is_same and from_rest is not None:  # what differed was noise
                from_rest.teach(self._rest_noise)
            self._lie_still(frame, small)
            return Settling(motion=Motion.STILL, frames=frames, settled=True, is_same=is_same)
        is_unsteady = time - self._stirred_at > _UNSTEADY_SECONDS
        motion = Motion.MOVING if self._has_moved or self._rest is None else Motion.STILL
        return Settling(motion=motion, frames=frames, has_moved=self._has_moved, is_unsteady=is_unsteady)

    def _since_when(self, time: float) -> float | None:
        """Return since when nothing moves, ``None`` while something does."""
        if math.isinf(self._tracks_since):
            return None
        if self._quiet_since is None:
            return self._tracks_since if time - self._tracks_since >= _OVERRULED_SECONDS else None
        return max(self._tracks_since, self._quiet_since)

    def _look(self, frame: Frame) -> None:
        """Find the dice, and since when they lie still."""
        time = frame.time
        found = [one for one in self._detect(frame.picture) if self._is_inside(one, frame)]
        found = [one for one in found if one.score >= _CLEAR or (one.score >= _FAINT and is_known(one, self._tracks))]
        if any(not is_known(one, self._stirred) for one in found):  # a die came or moved
            self._stirred_at, self._stirred = time, [Track(middle=f.middle, radius=f.radius, seen=time) for f in found]
        missing = [track for track in self._tracks if not is_known(track, found)]
        self._tracks = followed(self._tracks, found, time=time, forgets=self.rules.dwell_seconds)
        seen = [track for track in self._tracks if track.seen == time]
        if seen:
            self._radius = float(np.median([track.radius for track in seen]))
        views = list(self._views)
        first = max(self._stillness.since(seen, views), default=0)
        since = views[first].frame.time
        if first == 0 and self._tracks_since < since:
            since = self._tracks_since  # it has been still for longer than pictures are kept
        left = max(self._stillness.since(missing, views), default=0)
        if left:  # from then on, the place where it was has looked as it looks now
            self._left_at = views[left].frame.time
        self._tracks_since = max(since, self._left_at)
        rest = self._rest_view
        if not self._has_moved and rest is not None:
            self._has_moved = not self._is_as_at_rest(seen, rest, views[-1])
        due = self._tracks_since if self._quiet_since is None else max(self._tracks_since, self._quiet_since)
        at_dwell = due + self.rules.dwell_seconds - _CLOCK_SECONDS
        self._look_at = min(time + _STEP_SECONDS, at_dwell) if at_dwell > time else time + _STEP_SECONDS

    def _lie_still(self, frame: Frame, small: Small) -> None:
        self._rest, self._rest_view = small, self._views[-1]
        self._rest_tracks = [track for track in self._tracks if track.seen == frame.time]
        self._woken_at = None

    def _is_as_at_rest(self, seen: Sequence[Track], rest: ShrunkFrame, view: ShrunkFrame) -> bool:
        """Whether the dice lie as they lay when the tray was last still."""
        is_new = any(not is_known(track, self._rest_tracks) for track in seen)
        return not is_new and not any(self._stillness.since(self._rest_tracks, [rest, view]))

    def _reaching(self, small: Small, away: Mask, region: Mask, frame: Frame, stirs: Sequence[Blob]) -> list[Blob]:
        """Return what reaches in from the edge: large things that were not there and are no dice."""
        if self._rest is None:
            return []
        dice = [track for track in self._tracks if track.seen >= frame.time - 1]
        free = away & ~self._discs(dice, 1.4, region, small.shape[1] / frame.picture.shape[1]) & 1
        closed = np.asarray(cv2.morphologyEx(free, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        edge = edge_of(region)
        if np.count_nonzero(closed & edge) > _SCENE_SHARE * np.count_nonzero(edge):
            self._rest, self._has_moved = None, True  # another scene, of which nothing is known
            return []
        least = _HAND_SHARE * float(np.count_nonzero(region))
        found = [b for b in blobs(closed, edge, least=least) if b.is_at_edge]
        rest = self._rest
        things = [
            blob
            for blob in found
            if (is_thing(blob, small, rest) and not is_shadow(blob, small, rest)) or self._lies_still(blob, stirs)
        ]
        self._hand = np.zeros_like(region)
        for blob in things:
            self._hand |= blob.mask
        return things

    def _lies_still(self, blob: Blob, stirs: Sequence[Blob]) -> bool:
        """Whether it is the hand of the last picture, which cannot go without moving."""
        if self._hand is None or 2 * np.count_nonzero(blob.mask & self._hand) < blob.area:
            return False
        return not any(bool((blob.mask & stir.mask).any()) for stir in stirs)

    def _moves(self, blob: Blob, moving: Mask) -> bool:
        round_it = np.asarray(cv2.dilate(blob.mask, np.ones((5, 5), np.uint8)), np.uint8)
        return int(np.count_nonzero(round_it & moving)) >= WAKING_PX

    def _lies_near(self, reaching: Sequence[Blob], region: Mask, scale: float) -> bool:
        """Whether one of them is near enough to dice, or to where they were, to be a hand at work."""
        if not reaching:
            return False
        near = self._discs([*self._tracks, *self._rest_tracks], _NEAR_DICE, region, scale)
        return any(bool((blob.mask & near).any()) for blob in reaching)

    def _discs(self, tracks: Iterable[Track], reach: float, region: Mask, scale: float) -> Mask:
        discs = np.zeros_like(region)
        for track in tracks:
            at = (round(track.middle[0] * scale), round(track.middle[1] * scale))
            cv2.circle(discs, at, math.ceil(track.radius * reach * scale), 1, -1)
        return discs

    def _is_inside(self, found: Detection, frame: Frame) -> bool:
        height, width = frame.picture.shape[:2]
        return is_inside((found.middle[0] / width, found.middle[1] / height), self.rules.corners)

    def _keep(self, frame: Frame) -> None:
        """Keep the frames that the dwell needs, and no more, since they are large."""
        kept = self.rules.dwell_seconds + 2 * _STEP_SECONDS
        self._views.append(ShrunkFrame(frame=frame))
        while len(self._views) > _LEAST_FRAMES and frame.time - self._views[0].frame.time > kept:
            self._views.popleft()
        while len(self._smalls) > 1 and frame.time - self._smalls[1][0] >= _STEP_SECONDS - _CLOCK_SECONDS:
            self._smalls.popleft()

    def _catch_up(self) -> tuple[float, Small] | None:
        """Take in the frames that were skipped, and return the small picture to compare this one with."""
        now = self._smalls.pop()
        last = self._smalls[-1][0] if self._smalls else -math.inf
        self._smalls += [(v.frame.time, watched(v.frame)) for v in self._views if last < v.frame.time < now[0]]
        reference = self._reference(now[0])
        self._smalls.append(now)
        return reference

    def _reference(self, time: float) -> tuple[float, Small] | None:
        """Return the newest small picture that is old enough to show motion, else the oldest."""
        if not self._smalls:
            return None
        old = [one for one in self._smalls if time - one[0] >= _STEP_SECONDS - _CLOCK_SECONDS]
        return old[-1] if old else self._smalls[0]


def _track_of(outline: Sequence[Point], time: float) -> Track:
    xs, ys = zip(*outline, strict=True)
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    return Track(middle=middle, radius=max(1.0, (max(xs) - min(xs) + max(ys) - min(ys)) / 4), seen=time)


def sharpness(picture: Picture) -> float:
    """Return the variance of the Laplacian of the green channel at half size: larger is sharper."""
    green = np.ascontiguousarray(picture[::2, ::2, 1])
    return float(cv2.Laplacian(green, cv2.CV_32F).var())
