"""One frame as it is looked at while something may move: what moves near dice, and what is another scene."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from tableside.tray.frame import Frame
from tableside.tray.motion import (
    WAKING_PX,
    Blob,
    Difference,
    Mask,
    Small,
    blobs,
    edge_of,
    is_passing_shadow,
)
from tableside.tray.tracks import Track

_SCENE_SHARE = 0.7
"""Share of the edge: a hand comes in from one side or two, and what differs at more of the edge is another scene."""
_LEAST_OF_A_DIE, _MOST_OF_A_DIE = 0.3, 4.0
"""Shares of a die's area: what moves and is as large, blurred or two together, may be a die."""
NEAR_DICE = 2.0
"""Radii: what differs so near to dice is no hand, but dice or their shadows; what moves there holds a reading back."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rest:
    """The tray when it was last still.

    :ivar covered: those of the tracks that a hand covers.
    """

    small: Small
    view: Frame
    tracks: tuple[Track, ...]
    covered: tuple[Track, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """What is seen in one frame.

    :ivar region: what is watched.
    :ivar radius: of a die, px of the small picture, 0 where none is known.
    :ivar before: the small picture of 0.1 s before, ``quiet_from`` its time.
    :ivar moving, away: where it differs from that, and from the tray at rest.
    :ivar from_rest: the difference from the tray at rest.
    """

    frame: Frame
    small: Small
    region: Mask
    radius: float
    rest: Rest | None
    before: Small
    quiet_from: float
    moving: Mask
    away: Mask
    from_rest: Difference | None

    @property
    def is_another_scene(self) -> bool:
        """Whether so much of the edge differs from the tray at rest that nothing is known any more."""
        edge = edge_of(self.region)
        return bool(np.count_nonzero(close_gaps(self.away) & edge) > _SCENE_SHARE * np.count_nonzero(edge))

    @property
    def has_news(self) -> bool:
        """Whether something as large as a die differs from the tray at rest."""
        return bool(blobs(self.away, self.region, least=self._of_dice(_LEAST_OF_A_DIE)))

    def discs(self, tracks: Iterable[Track], reach: float) -> Mask:
        """Return where the tracks lie, out to so many radii."""
        discs, scale = np.zeros_like(self.region), self.small.shape[1] / self.frame.picture.shape[1]
        for track in tracks:
            at = (round(track.middle[0] * scale), round(track.middle[1] * scale))
            cv2.circle(discs, at, math.ceil(track.radius * reach * scale), 1, -1)
        return discs

    def near(self, tracks: Sequence[Track]) -> Mask:
        """Return what is near dice, those of the tray at rest among them."""
        return self.discs([*tracks, *(() if self.rest is None else self.rest.tracks)], NEAR_DICE)

    def stirs(self, near: Mask, hand: Mask | None) -> bool:
        """Whether something moves that is near a die, or that may be one: as large, and no part of a hand."""
        least, most = self._of_dice(_LEAST_OF_A_DIE), self._of_dice(_MOST_OF_A_DIE)
        if any(self._is_no_shadow(blob) for blob in blobs(self.moving & near, near, least=least)):
            return True
        far = self.moving if hand is None else self.moving & ~outline_of(hand)
        beside = [blob for blob in blobs(far, edge_of(self.region), least=least) if not blob.is_at_edge]
        return any(self._is_no_shadow(blob) for blob in beside if blob.area <= most or not near.any())

    def _is_no_shadow(self, blob: Blob) -> bool:
        return not is_passing_shadow(blob, self.small, self.before)

    def _of_dice(self, share: float) -> float:
        """Return that share of a die's area, px."""
        return max(WAKING_PX, share * math.pi * self.radius**2)


def outline_of(hand: Mask) -> Mask:
    """Return the hand with its outline, which moves with it."""
    return np.asarray(cv2.dilate(hand, np.ones((5, 5), np.uint8)), np.uint8)


def close_gaps(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8)
