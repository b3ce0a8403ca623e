"""Dice followed from picture to picture, and since when each of them lies still.

The patch around a die is compared by normalised correlation, so light does not matter. The place where it is found
again says how far the die moved. Noise lowers the correlation by a known amount, which is allowed for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.motion import Noise, lit_alike, sparse

MOVED = 0.1
"""Radii of a die: what moved further does not lie still."""
_UNLIKE = 0.05
"""1 - correlation of one die in two pictures without noise: it may be off by parts of a pixel."""
_TIMES_NOISE = 3.0
_RADIUS_PX = 10.0
"""Patches are compared at the level at which a die's radius is nearest to this."""
_HALF, _SEARCH = 1.15, 0.45
"""Radii: how far a patch reaches, and how far off it is searched for."""
_LEAST_PX = 240
"""Width of the picture in which they are compared: in less, the ground has no marks."""
_LEAP = 3
"""Views: so many together take no longer than a die that moves needs to be elsewhere, nor to come back."""
_MATCHED = 0.7
"""Radii: a find this near to a track is the same die."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A die that is followed, in px of the full picture.

    :ivar seen: time of the last picture in which it was found.
    """

    middle: Point
    radius: float
    seen: float


def is_known(found: Detection | Track, tracks: Sequence[Detection] | Sequence[Track]) -> bool:
    """Return whether a find is one of the tracks, judging by its place."""
    return any(math.dist(track.middle, found.middle) < _MATCHED * found.radius for track in tracks)


def follow_tracks(tracks: Sequence[Track], found: Sequence[Detection], *, time: float, forgets: float) -> list[Track]:
    """Return the tracks after one more picture. One that was not found for ``forgets`` seconds is dropped."""
    after = [Track(middle=one.middle, radius=one.radius, seen=time) for one in found]
    for track in tracks:
        is_found = any(math.dist(track.middle, one.middle) < _MATCHED * one.radius for one in found)
        if not is_found and time - track.seen < forgets:
            after.append(track)
    return after


def level_of(tracks: Sequence[Track], picture: Picture) -> int:
    """Return the level of the picture's pyramid at which the tracks are compared."""
    radius = float(np.median([track.radius for track in tracks])) if tracks else _RADIUS_PX
    number = max(0, round(math.log2(radius / _RADIUS_PX)))
    while number and picture.shape[1] >> number < _LEAST_PX:
        number -= 1
    return number


class Stillness:
    """Says since when tracks lie still, and learns the noise of patches."""

    def __init__(self) -> None:
        self._noise = Noise()

    def compare_views(self, tracks: Sequence[Track], views: Sequence[Frame]) -> Views:
        """Return the views, compared at what lies still there or may."""
        level = level_of(tracks, views[-1].picture)
        if len(views) > 1 and tracks:
            now, before = (sparse(view.pyramid.level(level)) for view in (views[-1], views[max(0, len(views) - 10)]))
            lit = lit_alike(now, before)
            self._noise.learn(lit.reshape(-1, 3), np.asarray((now - lit).reshape(-1, 3), np.float32))
        return Views(tracks, views, level, self._noise)

    def which_lie_still(self, tracks: Sequence[Track], then: Frame, now: Frame) -> list[bool]:
        """Return for each track whether it lies as it lay then."""
        seen = self.compare_views(tracks, [then, now])
        return [seen.since([track]) == 0 for track in tracks]


class Views:
    """Views of some tracks at one scale, the last compared with those before."""

    def __init__(self, tracks: Sequence[Track], views: Sequence[Frame], level: int, noise: Noise) -> None:
        self._views, self._level, self._noise = views, level, noise
        self._scale = 0.5**level
        self._last = views[-1].pyramid.level(level)
        self._ground = _Ground(tracks, self._last, self._scale)

    def since(self, tracks: Sequence[Track], latest: int = 0) -> int:
        """Return the index of the first view since which these tracks lie as in the last one. The oldest is 0.

        :param latest: it is returned where they lie for longer.
        """
        for track in tracks:
            if latest < len(self._views) - 1:
                latest = self._first(track, latest)
        return latest

    def _first(self, track: Track, latest: int) -> int:
        """Return the index of the first view since which the track lies still, or ``latest`` where that is later.

        One bad picture means no motion.
        """
        patch = self._patch_of(track)
        at, misses = len(self._views) - 1, 0
        # what lies still is not there and back within a step: most views between need no look
        while at > latest and self._lies_still(patch, max(0, at - _LEAP)):
            at = max(0, at - _LEAP)
        still = at
        while still > latest and at > 0 and misses < 2:
            at -= 1
            if self._lies_still(patch, at):
                still, misses = at, 0
            else:
                misses += 1
        return max(still, latest)

    def _patch_of(self, track: Track) -> _Patch:
        """Return how the track looks in the last view."""
        x, y, reach = (v * self._scale for v in (*track.middle, track.radius))
        levels, origin = _cut(self._last, x, y, _HALF * reach)
        mean, deviation = cv2.meanStdDev(levels)
        noise, contrast = (float(v.sum()) for v in (self._noise.variance(mean[:, 0].astype(np.float32)), deviation**2))
        return _Patch(levels=levels, origin=origin, reach=reach, noise=noise, contrast=contrast)

    def _lies_still(self, patch: _Patch, at: int) -> bool:
        then = self._views[at].pyramid.level(self._level)
        unlike, moved = patch.compare_with(then)
        if unlike > 0 or moved is None or math.hypot(*moved) <= MOVED:
            return unlike <= 0
        if (shift := self._ground.shift(at, then)) is None:
            return False
        return math.hypot(moved[0] - shift[0] / patch.reach, moved[1] - shift[1] / patch.reach) <= MOVED


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Patch:
    """A track and a little round it in the last view.

    :ivar origin: left top corner, px. :ivar reach: radius of the die, px.
    :ivar noise, contrast: variances over all colours, of the noise between two pictures of it, and of its own levels.
    """

    levels: Picture
    origin: tuple[int, int]
    reach: float
    noise: float
    contrast: float

    def compare_with(self, then: Picture) -> tuple[float, Point | None]:
        """Return how much less alike the patch is than noise explains, and how far it moved, in radii.

        A patch with no more contrast than noise has no measurable motion.
        """
        room = max(2, math.ceil(_SEARCH * self.reach))
        area, start = _around(then, self.origin, self.levels.shape, room)
        if min(self.levels.shape[:2]) < 4:
            return 0.0, None
        if self.contrast < 2 * self.noise:
            there = area[start[1] :, start[0] :][: self.levels.shape[0], : self.levels.shape[1]]
            away = cv2.subtract(self.levels, there, dtype=cv2.CV_32F)
            return float(np.square(cv2.meanStdDev(away)[1]).sum()) - _TIMES_NOISE * self.noise, None
        scores = cv2.matchTemplate(area, self.levels, cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        moved = (
            (_peak(scores[row], column) - start[0]) / self.reach,
            (_peak(scores[:, column], row) - start[1]) / self.reach,
        )
        allowed = _UNLIKE + _TIMES_NOISE / 2 * self.noise / self.contrast
        return (1 - best) - allowed, moved


class _Ground:
    """What lies round the tracks in the last view: it says whether the camera moved."""

    def __init__(self, tracks: Sequence[Track], last: Picture, scale: float) -> None:
        self._tracks, self._last, self._scale = tracks, last, scale
        self._shifts: dict[int, Point | None] = {}
        self._marks: npt.NDArray[np.float32] | None = None

    def shift(self, at: int, then: Picture) -> Point | None:
        """Return by how many px it moved since view ``at``, ``None`` where it has no marks to measure it by."""
        if at not in self._shifts:
            if self._marks is None:
                self._marks = self._found()
            self._shifts[at] = self._measure_shift(self._marks, then)
        return self._shifts[at]

    def _found(self) -> npt.NDArray[np.float32]:
        grey = cv2.cvtColor(self._last, cv2.COLOR_BGR2GRAY)
        free = np.full(grey.shape, 255, np.uint8)
        for track in self._tracks:
            at = (round(track.middle[0] * self._scale), round(track.middle[1] * self._scale))
            cv2.circle(free, at, round(2 * track.radius * self._scale), 0, -1)
        corners = cv2.goodFeaturesToTrack(grey, 12, 0.05, 20, mask=free, blockSize=5)
        return np.zeros((0, 2), np.float32) if corners is None else np.asarray(corners.reshape(-1, 2), np.float32)

    def _measure_shift(self, marks: npt.NDArray[np.float32], then: Picture) -> Point | None:
        shifts = []
        for x, y in marks:
            patch, origin = _cut(self._last, float(x), float(y), 8)
            if min(patch.shape[:2]) < 16:
                continue
            area, start = _around(then, origin, patch.shape, 8)
            scores = cv2.matchTemplate(area, patch, cv2.TM_CCOEFF_NORMED)
            _, best, _, (column, row) = cv2.minMaxLoc(scores)
            if best > 0.7:
                shifts.append((_peak(scores[row], column) - start[0], _peak(scores[:, column], row) - start[1]))
        if len(shifts) < 4:
            return None
        x, y = np.median(shifts, axis=0)
        agree = sum(math.hypot(one[0] - x, one[1] - y) < 1 for one in shifts)
        return (float(x), float(y)) if 2 * agree > len(shifts) else None


def _cut(picture: Picture, x: float, y: float, half: float) -> tuple[Picture, tuple[int, int]]:
    """Return the part of the picture round a point, and its left top corner."""
    height, width = picture.shape[:2]
    left, top = max(0, round(x - half)), max(0, round(y - half))
    return picture[top : min(height, round(y + half)), left : min(width, round(x + half))], (left, top)


def _around(
    picture: Picture, origin: tuple[int, int], shape: tuple[int, ...], room: int
) -> tuple[Picture, tuple[int, int]]:
    """Return a part of the picture with ``room`` px around it where there are any, and where in it the part begins."""
    left, top = max(0, origin[0] - room), max(0, origin[1] - room)
    part = picture[top : origin[1] + shape[0] + room, left : origin[0] + shape[1] + room]
    return part, (origin[0] - left, origin[1] - top)


def _peak(scores: npt.NDArray[Any], at: int) -> float:
    """Return the place of the highest score between the pixels, by a parabola through it and its neighbours."""
    if not 0 < at < len(scores) - 1:
        return float(at)
    before, here, after = (float(v) for v in scores[at - 1 : at + 2])
    bend = before - 2 * here + after
    return at + (0.5 * (before - after) / bend if bend < 0 else 0.0)
