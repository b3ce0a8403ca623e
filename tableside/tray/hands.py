"""Tell whether a hand laid a die where it lies.

A die that a hand lays stands still while its fingers still cover a part of it. A die that was thrown is seen whole as
soon as it stands still: it moves until then. So the last moments before the whole die was seen are looked at again.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.tray.motion import Mask, Small, is_alike

_KEPT_SECONDS = 10.0
"""So long a hand may take to lay several dice."""
_APART_SECONDS = 0.045
"""Pictures nearer to each other than this tell nothing new."""
_STANDS_SECONDS = 0.06
"""So long a die must have stood still under a hand: in one picture out of fifteen a second, in two out of more."""
_BROAD = 3.5
"""Radii of a die: some part of a hand is as broad, and no die that rolls is, blurred as it may be. So far round the die
the hand shows its colours."""
_PART = 0.1
"""Share of a die's place: what counts must be seen of at least so much of it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Seen:
    """One small picture: what differs in it from the tray at rest, and from 0.1 s before."""

    time: float
    picture: npt.NDArray[np.uint8]
    away: Mask
    moving: Mask


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Place:
    """Where a die lies in the small picture, and how it looks there.

    :ivar part: rows and columns round it.
    :ivar near: those round it in which a hand shows its colours.
    :ivar disc: the pixels of the part on which it is told from the ground.
    :ivar around: 1 on it and beside it, in the whole picture.
    :ivar picture: the part, as it looks now.
    :ivar breadth: px of the broadest part of a hand, at least.
    :ivar die, ground: the colours of both there, (n, 3).
    """

    part: tuple[slice, slice]
    near: tuple[slice, slice]
    disc: npt.NDArray[np.bool_]
    around: Mask
    picture: Small
    breadth: int
    die: Small
    ground: Small


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shares:
    """What is seen of a die's place, in shares of it.

    :ivar ground: looks as at rest.
    :ivar die: looks as the die does now, or so in a shadow.
    :ivar hand: looks like the hand over it.
    :ivar moving: of what looks like the die, the share that moves.
    """

    ground: float
    die: float
    hand: float
    moving: float


class Hands:
    """The small pictures since the tray woke."""

    def __init__(self) -> None:
        self.begin(None)

    def begin(self, rest: Small | None) -> None:
        """Forget all: from now on something may move where all looked like this."""
        self._rest = rest
        self._seen: deque[_Seen] = deque()

    def see(self, time: float, small: Small, away: Mask, moving: Mask) -> None:
        """Take one more small picture, with what differs in it from the tray at rest, and what moves."""
        if self._seen and time - self._seen[-1].time < _APART_SECONDS:
            return
        picture = np.rint(np.clip(small, 0, 255)).astype(np.uint8)
        self._seen.append(_Seen(time=time, picture=picture, away=away, moving=moving))
        while time - self._seen[0].time > _KEPT_SECONDS:
            self._seen.popleft()

    def laid(self, middle: Point, radius: float) -> bool:
        """Return whether a hand laid the die that lies there now, px of the small picture."""
        place = self._place(middle, radius)
        if place is None:
            return False
        stood, later = 0.0, self._seen[-1].time
        for seen in reversed(self._seen):
            found = _shares(seen, place)
            if found.ground > 1 - _PART:
                break
            if found.die >= 1 - _PART and found.moving <= _PART:
                stood = 0.0  # it lay there in sight: what counts is how it came there before
            elif found.hand >= _PART and found.die >= _PART and found.moving <= _PART:
                stood += later - seen.time
            later = seen.time
        return stood >= _STANDS_SECONDS

    def _place(self, middle: Point, radius: float) -> _Place | None:
        if self._rest is None or not self._seen:
            return None
        last = self._seen[-1]
        disc, around = (_disc(last.away.shape, middle, reach) for reach in (radius, radius + 1))
        part, near = (_around(middle, reach) for reach in (radius + 1, _BROAD * radius))
        mask = ((disc & last.away) > 0)[part]
        if not mask.any():
            return None
        now = np.asarray(np.mean([one.picture[part] for one in list(self._seen)[-3:]], axis=0), np.float32)
        return _Place(
            part=part, near=near, disc=mask, around=around, picture=now,
            breadth=max(3, round(_BROAD * radius)), die=now[mask], ground=self._rest[part][mask],
        )  # fmt: skip


def _shares(seen: _Seen, place: _Place) -> _Shares:
    """Return what is seen of the place."""
    is_ground = place.disc & (seen.away[place.part] == 0)
    picture = np.asarray(seen.picture[place.part], np.float32)
    is_die = place.disc & ~is_ground & is_alike(picture, place.picture)
    others = place.disc & ~is_ground & ~is_die
    px, px_of_die = int(np.count_nonzero(place.disc)), int(np.count_nonzero(is_die))
    return _Shares(
        ground=int(np.count_nonzero(is_ground)) / px,
        die=px_of_die / px,
        hand=_count_of_hand(seen, place, others) / px if others.any() else 0.0,
        moving=int(np.count_nonzero(is_die & (seen.moving[place.part] > 0))) / max(1, px_of_die),
    )


def _count_of_hand(seen: _Seen, place: _Place, others: npt.NDArray[np.bool_]) -> int:
    """Return how many of these pixels of the place are of a hand: joined to something broad, and of its colours."""
    closed = np.asarray(cv2.morphologyEx(seen.away, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
    broad = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((place.breadth, place.breadth), np.uint8)) > 0
    hand = np.asarray(seen.picture[place.near][(broad & (place.around == 0))[place.near]], np.float32)
    if not len(hand):
        return 0
    labels = np.asarray(cv2.connectedComponents(closed)[1], np.int32)
    joined = np.isin(labels[place.part], np.unique(labels[broad])) & others
    pixels = np.asarray(seen.picture[place.part], np.float32)[joined]
    to_hand, to_die, to_ground = (_distance(pixels, colours) for colours in (hand, place.die, place.ground))
    return int(np.count_nonzero((to_hand < to_die) & (to_hand < to_ground)))


def _distance(pixels: Small, colours: Small) -> Small:
    """Return how far each of (n, 3) pixels is from the nearest of (m, 3) colours, grey levels squared."""
    of_both = np.square(pixels).sum(axis=1)[:, None] + np.square(colours).sum(axis=1)
    return np.asarray((of_both - 2 * pixels @ colours.T).min(axis=1), np.float32)


def _disc(shape: tuple[int, ...], middle: Point, radius: float) -> Mask:
    disc = np.zeros(shape, np.uint8)
    cv2.circle(disc, (round(middle[0]), round(middle[1])), math.ceil(radius), 1, -1)
    return disc


def _around(middle: Point, reach: float) -> tuple[slice, slice]:
    """Return the rows and columns that lie within reach of a point."""
    rows, columns = (slice(max(0, math.floor(v - reach)), math.ceil(v + reach) + 1) for v in (middle[1], middle[0]))
    return rows, columns
