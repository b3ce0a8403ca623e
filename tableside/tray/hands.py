"""Tell where a hand is, what it covers, and which dice it laid.

A hand is a large thing that was not there at rest, reaches in from the edge, and is neither a shadow nor near dice; one
that does not move any more stays one. Over a die it is what is joined to something as broad and has its colours.

A die that a hand lays stands still while its fingers still cover a part of it. A die that was thrown is seen whole as
soon as it stands still: it moves until then. So the last moments before the whole die was seen are looked at again.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.tray.motion import WAKING_PX, Blob, Mask, Small, blobs, edge_of, is_alike, is_shadow, is_thing
from tableside.tray.sight import NEAR_DICE, Sight, close_gaps, outline_of
from tableside.tray.tracks import Track, is_known

_HAND_SHARE = 0.03
"""Share of what is watched: a region at the edge this large is a hand."""
_MOVING_SHARE = 0.05
"""Share of a hand: where less of it moves, it lies still, and what rolls past does not move it."""
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


def hand_in(sight: Sight, dice: Sequence[Track], before: Mask | None) -> Mask | None:
    """Return where a hand reaches in, or the hand of the picture before, which did not move."""
    free = np.asarray(sight.away & (sight.discs(dice, NEAR_DICE) == 0), np.uint8)
    least = _HAND_SHARE * float(np.count_nonzero(sight.region))
    reaching = [blob for blob in blobs(close_gaps(free), edge_of(sight.region), least=least) if blob.is_at_edge]
    came = [blob.mask for blob in reaching if _is_hand(sight, blob, before)]
    return np.asarray(np.max(came, axis=0), np.uint8) if came else None


def _is_hand(sight: Sight, blob: Blob, before: Mask | None) -> bool:
    assert sight.rest is not None
    if is_thing(blob, sight.small, sight.rest.small) and not is_shadow(blob, sight.small, sight.rest.small):
        return True
    lay = before is not None and 2 * np.count_nonzero(blob.mask & before) >= blob.area
    return bool(lay and np.count_nonzero(blob.mask & sight.moving) < WAKING_PX)


def hand_moves(sight: Sight, hand: Mask, dice: Sequence[Track]) -> bool:
    """Return whether a hand moves, not only dice that roll past it."""
    no_die = sight.discs(dice, NEAR_DICE) == 0
    return bool(np.count_nonzero(sight.moving & no_die & outline_of(hand)) > _MOVING_SHARE * np.count_nonzero(hand))


def covered_tracks(sight: Sight, tracks: Sequence[Track], hand: Mask | None) -> tuple[Track, ...]:
    """Return the dice that lay there, are not tracked now and are under the hand: where ground shows, none is."""
    if hand is None or sight.rest is None:
        return ()
    lay, found = sight.discs(sight.rest.tracks, NEAR_DICE), []
    for track in sight.rest.tracks:
        place = sight.discs([track], 1.0)
        round_it = (sight.discs([track], 2 * NEAR_DICE) > 0) & (lay == 0)
        if is_known(track, tracks) or not (place & hand).any() or not round_it.any():
            continue
        ground = np.median(sight.rest.small[round_it], axis=0)
        if np.mean(is_alike(sight.small[place > 0], ground)) < 0.5:
            found.append(track)
    return tuple(found)


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

    def has_laid(self, middle: Point, radius: float) -> bool:
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
    whole = close_gaps(seen.away)
    broad = cv2.morphologyEx(whole, cv2.MORPH_OPEN, np.ones((place.breadth, place.breadth), np.uint8)) > 0
    hand = np.asarray(seen.picture[place.near][(broad & (place.around == 0))[place.near]], np.float32)
    if not len(hand):
        return 0
    labels = np.asarray(cv2.connectedComponents(whole)[1], np.int32)
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
