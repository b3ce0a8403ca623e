"""Find out whether something moves on the tray, and since when nothing does.

While the tray is still, small pictures are compared with how it looked at rest, and nothing else is done. Once they
differ, dice are found and followed. A die settles by what happens at it: it is found at its place, looks the same, and
nothing moves near it. The tray is still again when all dice have settled and none came for a while. A hand holds that
back as long as it works near dice, or covers one.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np

from tableside.dice import DieReading, Point, Reading, Status, Suspect
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
    is_alike,
    is_passing_shadow,
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
"""What moves beside dice that have been still for this long is no die, and what has lain still for so long no hand."""
_UNSTEADY_SECONDS = 2.0
"""If it takes longer than this to settle, without a hand or a moving die, that is reported."""
_CLEAR, _FAINT = 0.5, 0.2
"""Score at which a find begins to be followed, and down to which it is followed further."""
_LEAST_FRAMES = 3
"""Frames that must show the tray unchanged, however slow the camera is."""
_HAND_SHARE = 0.03
"""Share of what is watched: a region at the edge this large is a hand."""
_MOVING_SHARE = 0.05
"""Share of a hand: where less of it moves, it lies still, and what rolls past does not move it."""
_SCENE_SHARE = 0.7
"""Share of the edge: a hand comes in from one side or two, and what differs at more of the edge is another scene."""
_LEAST_OF_A_DIE, _MOST_OF_A_DIE = 0.3, 4.0
"""Shares of a die's area: what moves and is as large, blurred or two together, may be a die."""
_NEAR_DICE = 2.0
"""Radii: what moves this near to dice holds a reading back."""


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Rest:
    """The tray when it was last still."""

    small: Small
    view: ShrunkFrame
    tracks: tuple[Track, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Woken:
    """What was seen since the tray woke; replaced whole. Times are seconds on the camera's clock.

    :ivar tracks: dice that are followed, ``stirred`` those of them that lay there when one last came or moved.
    :ivar tracks_since: when the last of them came to lie still, ``inf`` while that is not known.
    :ivar left_at: since when the place of a die that went looks as it looks now.
    :ivar stirs: in the last picture something moved that a die may be, or that is near one.
    :ivar quiet_since: since when nothing does, ``None`` while something may.
    :ivar look_at: when dice are looked for next.
    :ivar stirred_at: when a die or a hand last moved.
    :ivar hand: where a hand, or a thing like one, reaches in from the edge.
    :ivar hand_moved_at: when it last moved.
    """

    tracks: tuple[Track, ...] = ()
    stirred: tuple[Track, ...] = ()
    tracks_since: float = math.inf
    left_at: float = -math.inf
    stirs: bool = False
    quiet_since: float | None = None
    look_at: float = -math.inf
    stirred_at: float = -math.inf
    has_moved: bool = False
    hand_was_there: bool = False
    hand: Mask | None = None
    hand_moved_at: float = -math.inf

    def found_at(self, time: float) -> list[Track]:
        """Return the dice that were found in the picture of that time."""
        return [track for track in self.tracks if track.seen == time]

    def still_since(self, time: float) -> float | None:
        """Return since when nothing moves, ``None`` while something does."""
        if math.isinf(self.tracks_since):
            return None
        if self.quiet_since is None:
            return self.tracks_since if time - self.tracks_since >= _OVERRULED_SECONDS else None
        return max(self.tracks_since, self.quiet_since)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sight:
    """One frame as it is looked at while something may move.

    :ivar region: what is watched. :ivar scale: px of the small picture for one px of the full one.
    :ivar before: the small picture of 0.1 s before. :ivar moving, away: where it differs from that, and from the
        tray at rest.
    :ivar from_rest: the difference from the tray at rest.
    :ivar quiet_from: time of the picture from which ``moving`` tells.
    """

    frame: Frame
    small: Small
    region: Mask
    scale: float
    before: Small
    moving: Mask
    away: Mask
    from_rest: Difference | None
    quiet_from: float

    def discs(self, tracks: Iterable[Track], reach: float) -> Mask:
        """Return where the tracks lie, out to so many radii."""
        discs = np.zeros_like(self.region)
        for track in tracks:
            at = (round(track.middle[0] * self.scale), round(track.middle[1] * self.scale))
            cv2.circle(discs, at, math.ceil(track.radius * reach * self.scale), 1, -1)
        return discs


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
        self._rest: _Rest | None = None
        self._woken: _Woken | None = None
        self._checked_at = -math.inf
        self._hands = Hands()

    def is_due(self, frame: Frame) -> bool:
        """Whether this frame has to be looked at: every frame while something happens, else one now and then."""
        return self._woken is not None or frame.time - self._checked_at > _STEP_SECONDS + _CLOCK_SECONDS

    def see(self, frame: Frame, small: Small | None = None) -> Settling:
        """Return what is known after one more frame."""
        self._keep(frame)
        if not self.is_due(frame):
            return Settling(motion=Motion.STILL)
        small = watched(frame) if small is None else small
        if self._smalls and self._smalls[-1][1].shape != small.shape:
            self.begin()
            self._keep(frame)
        self._checked_at = frame.time
        reference = self._reference(frame.time)
        self._smalls.append((frame.time, small))
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
                # follows the daylight, whose changes would add up
                self._rest = replace(self._rest, small=0.9 * self._rest.small + 0.1 * small)
                return Settling(motion=Motion.STILL)
            woken = _Woken(tracks=self._rest.tracks, stirred=self._rest.tracks, stirred_at=frame.time)
            self._hands.begin(self._rest.small)
            reference = self._catch_up() or reference
        return self._follow(self._sight(frame, small, reference, region), woken)

    def lies_still(self, frame: Frame) -> bool:
        """Whether this frame was looked at, and nothing in it differs from the tray at rest."""
        return self._rest is not None and self._woken is None and self._checked_at == frame.time

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

    def without_hand(self, reading: Reading) -> Reading:
        """Return the reading of a picture of now without what may be no die and lies within the hand."""
        hand = None if self._woken is None else self._woken.hand
        if hand is None or not hand.any():
            return reading
        scale = hand.shape[1] / max(1, reading.width)

        def is_free(center: Point) -> bool:
            x, y = (min(int(v * scale), size - 1) for v, size in zip(center, hand.shape[::-1], strict=True))
            return not hand[y, x]

        dice = tuple(die for die in reading.dice if die.status is Status.SURE or is_free(die.center))
        return replace(reading, dice=dice, suspects=tuple(one for one in reading.suspects if is_free(one.center)))

    def _sight(self, frame: Frame, small: Small, reference: tuple[float, Small] | None, region: Mask) -> _Sight:
        nothing = np.zeros_like(region)
        moving = away = nothing
        from_rest = None if self._rest is None else Difference(small, self._rest.small)
        if reference is not None:
            recent = Difference(small, reference[1])
            recent.teach(self._recent_noise)
            moving = recent.changed(self._recent_noise, may_tremble=True) & region
        if from_rest is not None:
            away = from_rest.changed(self._rest_noise, may_tremble=True) & region
        return _Sight(
            frame=frame, small=small, region=region, scale=small.shape[1] / frame.picture.shape[1], moving=moving,
            before=small if reference is None else reference[1], away=away, from_rest=from_rest,
            quiet_from=frame.time if reference is None else reference[0],
        )  # fmt: skip

    def _follow(self, sight: _Sight, woken: _Woken) -> Settling:
        frame, time = sight.frame, sight.frame.time
        self._hands.see(time, sight.small, sight.away, sight.moving)
        is_looked_at = time >= woken.look_at
        if is_looked_at:
            woken = self._looked(frame, woken)
        woken = self._with_hand(sight, woken)
        near = sight.discs([*woken.tracks, *(() if self._rest is None else self._rest.tracks)], _NEAR_DICE)
        stirs = self._stirs(sight, woken, near)
        stirs_again, woken = stirs and woken.stirs, replace(woken, stirs=stirs)  # one bad picture means no motion
        is_hand_still = time - woken.hand_moved_at + _CLOCK_SECONDS >= _OVERRULED_SECONDS
        is_at_work = woken.hand is not None and not is_hand_still and bool((woken.hand & near).any())
        is_new = self._rest is None or any(not is_known(one, self._rest.tracks) for one in woken.found_at(time))
        if is_at_work or (not (is_new and is_hand_still) and self._covered(sight, woken)):
            self._woken = replace(woken, quiet_since=None, tracks_since=math.inf, stirred_at=time)
            return Settling(motion=Motion.HAND, has_moved=True)
        if stirs_again:
            woken = replace(woken, has_moved=True, quiet_since=None)
        elif woken.quiet_since is None:
            woken = replace(woken, quiet_since=sight.quiet_from)
        self._woken = woken
        since = woken.still_since(time)
        frames = () if since is None else tuple(v.frame for v in self._views if v.frame.time >= since)
        lain = -1.0 if since is None else time - since + _CLOCK_SECONDS
        least = self._of_dice(_LEAST_OF_A_DIE, sight)
        is_news = self._rest is None or woken.has_moved or bool(blobs(sight.away, sight.region, least=least))
        if is_looked_at and not is_news and woken.quiet_since is not None:
            # nothing happened: it was the light, or the camera trembled
            self._lie_still(sight, woken, is_same=True)
            return Settling(motion=Motion.STILL)
        has_lain = lain >= self.rules.dwell_seconds and len(frames) >= _LEAST_FRAMES
        if is_looked_at and has_lain and not (stirs and woken.quiet_since is not None):
            is_as_before = self._rest is not None and self._is_as_at_rest(woken.found_at(time), self._rest)
            is_hand_gone = time - woken.hand_moved_at + _CLOCK_SECONDS >= self.rules.dwell_seconds
            is_large = bool(blobs(sight.moving, near, least=self._of_dice(_MOST_OF_A_DIE, sight)))
            if (is_hand_gone and not is_large) or not is_as_before:
                is_same = is_as_before and not woken.hand_was_there
                self._lie_still(sight, woken, is_same=is_same)
                return Settling(motion=Motion.STILL, frames=frames, settled=True, is_same=is_same)
        if woken.hand is not None:
            return Settling(motion=Motion.HAND, frames=frames, has_moved=True)
        is_unsteady = time - woken.stirred_at > _UNSTEADY_SECONDS
        motion = Motion.MOVING if woken.has_moved or self._rest is None else Motion.STILL
        return Settling(motion=motion, frames=frames, has_moved=woken.has_moved, is_unsteady=is_unsteady)

    def _of_dice(self, share: float, sight: _Sight) -> float:
        """Return that share of a die's area, px of the small picture."""
        return max(WAKING_PX, share * math.pi * (self._radius * sight.scale) ** 2)

    def _stirs(self, sight: _Sight, woken: _Woken, near: Mask) -> bool:
        """Whether something moves that is near a die, or that may be one: as large, and no part of a hand."""
        far = sight.moving if woken.hand is None else sight.moving & ~_round(woken.hand)
        least, most = self._of_dice(_LEAST_OF_A_DIE, sight), self._of_dice(_MOST_OF_A_DIE, sight)
        found = blobs(sight.moving & near, near, least=least)
        found += [blob for blob in blobs(far, near, least=least) if blob.area <= most or not near.any()]
        return any(not is_passing_shadow(blob, sight.small, sight.before) for blob in found)

    def _with_hand(self, sight: _Sight, woken: _Woken) -> _Woken:
        """Return what is known with the hand of this picture: a large thing that was not there and is no die."""
        if self._rest is None:
            return replace(woken, hand=None)
        time = sight.frame.time
        dice = [track for track in woken.tracks if track.seen >= time - 1]
        no_die = np.asarray(sight.discs(dice, 1.4) == 0, np.uint8)
        free = sight.away & no_die
        closed = np.asarray(cv2.morphologyEx(free, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
        edge = edge_of(sight.region)
        if np.count_nonzero(closed & edge) > _SCENE_SHARE * np.count_nonzero(edge):
            self._rest = None  # another scene, of which nothing is known
            return replace(woken, hand=None, has_moved=True)
        least = _HAND_SHARE * float(np.count_nonzero(sight.region))
        reaching = [blob for blob in blobs(closed, edge, least=least) if blob.is_at_edge]
        came = [blob.mask for blob in reaching if self._is_hand(blob, sight, woken)]
        if not came:
            return replace(woken, hand=None, hand_was_there=woken.hand_was_there or bool(reaching))
        hand = np.asarray(np.max(came, axis=0), np.uint8)
        in_motion = np.count_nonzero(sight.moving & no_die & _round(hand))
        moved_at = time if in_motion > _MOVING_SHARE * np.count_nonzero(hand) else woken.hand_moved_at
        return replace(woken, hand=hand, hand_moved_at=moved_at, has_moved=True, hand_was_there=True)

    def _is_hand(self, blob: Blob, sight: _Sight, woken: _Woken) -> bool:
        """Whether a thing came there that is no shadow, or it is the hand of the last picture, which has not moved."""
        assert self._rest is not None
        rest = self._rest.small
        if is_thing(blob, sight.small, rest) and not is_shadow(blob, sight.small, rest):
            return True
        if woken.hand is None or 2 * np.count_nonzero(blob.mask & woken.hand) < blob.area:
            return False
        return int(np.count_nonzero(blob.mask & sight.moving)) < WAKING_PX

    def _covered(self, sight: _Sight, woken: _Woken) -> list[Track]:
        """Return the dice that lay there, are not found now and are under the hand: where the ground shows, none is."""
        rest = self._rest
        if woken.hand is None or rest is None:
            return []
        lay, found = sight.discs(rest.tracks, _NEAR_DICE), []
        for track in rest.tracks:
            place = sight.discs([track], 1.0)
            round_it = (sight.discs([track], 2 * _NEAR_DICE) > 0) & (lay == 0)
            if is_known(track, woken.tracks) or not (place & woken.hand).any() or not round_it.any():
                continue
            ground = np.median(rest.small[round_it], axis=0)
            if np.mean(is_alike(sight.small[place > 0], ground)) < 0.5:
                found.append(track)
        return found

    def _looked(self, frame: Frame, woken: _Woken) -> _Woken:
        """Find the dice, and since when they lie still."""
        time = frame.time
        found = [one for one in self._detect(frame.picture) if self._is_inside(one, frame)]
        found = [one for one in found if one.score >= _CLEAR or (one.score >= _FAINT and is_known(one, woken.tracks))]
        stirred, stirred_at = woken.stirred, woken.stirred_at
        if any(not is_known(one, stirred) for one in found):  # a die came or moved
            stirred_at, stirred = time, tuple(Track(middle=f.middle, radius=f.radius, seen=time) for f in found)
        missing = [track for track in woken.tracks if not is_known(track, found)]
        tracks = followed(woken.tracks, found, time=time, forgets=self.rules.dwell_seconds)
        seen = [track for track in tracks if track.seen == time]
        if seen:
            self._radius = float(np.median([track.radius for track in seen]))
        views = list(self._views)
        first = max(self._stillness.since(seen, views), default=0)
        since = views[first].frame.time
        if first == 0:
            since = min(since, woken.tracks_since)  # it has been still for longer than pictures are kept
        left = max(self._stillness.since(missing, views), default=0)
        left_at = views[left].frame.time if left else woken.left_at  # the place where it was has looked alike since
        since = max(since, left_at)
        has_moved = woken.has_moved or (self._rest is not None and not self._is_as_at_rest(seen, self._rest))
        due = since if woken.quiet_since is None else max(since, woken.quiet_since)
        at_dwell = due + self.rules.dwell_seconds - _CLOCK_SECONDS
        look_at = min(time + _STEP_SECONDS, at_dwell) if at_dwell > time else time + _STEP_SECONDS
        return replace(
            woken, tracks=tuple(tracks), stirred=stirred, stirred_at=stirred_at, tracks_since=since, left_at=left_at,
            has_moved=has_moved, look_at=look_at,
        )  # fmt: skip

    def _lie_still(self, sight: _Sight, woken: _Woken, *, is_same: bool) -> None:
        """Take the tray as it is for the tray at rest, but for a hand that still moves and what it covers."""
        if is_same and sight.from_rest is not None:  # what differed was noise
            sight.from_rest.teach(self._rest_noise)
        small, tracks = sight.small, tuple(woken.found_at(sight.frame.time))
        moves = sight.frame.time - woken.hand_moved_at + _CLOCK_SECONDS < self.rules.dwell_seconds
        if self._rest is not None and woken.hand is not None and moves:
            small = np.where(_round(woken.hand)[..., None] > 0, self._rest.small, small)
        tracks += tuple(self._covered(sight, woken))
        self._rest, self._woken = _Rest(small=small, view=self._views[-1], tracks=tracks), None

    def _is_as_at_rest(self, seen: Sequence[Track], rest: _Rest) -> bool:
        """Whether the dice lie as they lay when the tray was last still."""
        is_new = any(not is_known(track, rest.tracks) for track in seen)
        return not is_new and not any(self._stillness.since(rest.tracks, [rest.view, self._views[-1]]))

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


def _round(hand: Mask) -> Mask:
    """Return the hand with its outline, which moves with it."""
    return np.asarray(cv2.dilate(hand, np.ones((5, 5), np.uint8)), np.uint8)


def _track_of(outline: Sequence[Point], time: float) -> Track:
    xs, ys = zip(*outline, strict=True)
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    return Track(middle=middle, radius=max(1.0, (max(xs) - min(xs) + max(ys) - min(ys)) / 4), seen=time)


def sharpness(picture: Picture) -> float:
    """Return the variance of the Laplacian of the green channel at half size: larger is sharper."""
    green = np.ascontiguousarray(picture[::2, ::2, 1])
    return float(cv2.Laplacian(green, cv2.CV_32F).var())
