"""Find every die in a picture: middle, size, outline and upper face, whatever its size.

The network finds dice of a limited range of sizes, so it looks at the picture in several sizes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.crop import shrunk
from tableside.reader.network import Network
from tableside.reader.photo import Picture

_GRID = 32  # the network halves its input five times
_SIDES = (384, 192)  # input px along the picture's longer side, of the looks at every picture
_CLOSER_SIDES, _WIDE_SIDE = (768, 1536), 96  # and of looks for dice that may be too small, or too large, for these
_FILLS = 0.15  # share of the longer side: the radius from which on dice may be too large for these
_ENLARGED, _LEAST_SIDE = 1.5, 192  # pictures are enlarged by half at most; smaller ones to so many px
_CLEAR = 0.5  # fainter finds tell nothing of the size of the dice
_PLAIN = 0.8  # what is fainter may be the tray of dice that are too small to be seen
_SMALL_RADIUS = 9.0  # input px: where dice are smaller, others are missed
_FITTING_RADIUS = 12.0  # input px: of the smallest known die, so that one somewhat smaller is seen, too
_FAINT = 0.12
_SAME, _INSIDE = 0.6, 0.95  # shares of the larger radius: finds whose middles are nearer may be one die
_FAR_SMALLER = 0.4  # of dice on a larger find: most share of its radius


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A die as the locator sees it, in pixels of the full picture.

    :ivar score: 0..1, how surely this is a die.
    :ivar radius: of the disc with the silhouette's area.
    :ivar top_radius: mean distance from ``top`` to the upper face's corners.
    :ivar types: log-probabilities over the card's types.
    :ivar whole: likewise over them and none, by the place network.
    :ivar lift: the point of the upper face that stands over ``middle`` when the die lies flat and is seen from straight
        above; the same as ``top``, except for a d10.
    :ivar spread: the error of ``lift`` against ``middle``, in radii.
    :ivar leans: 0..1, how surely the die leans, seen by itself.
    :ivar touches: 0..1, how surely it touches a wall, another die or a thing, without which none can lean.
    :ivar tilted: logit that it leans, given where a flat die's lift would be; none where that is not known.
    :ivar comfort: score, less where the die is near the ends of the network's range of sizes.
    """

    score: float
    middle: Point
    radius: float
    outline: tuple[Point, ...]
    top: Point
    top_radius: float
    types: npt.NDArray[np.float32] = field(compare=False)
    whole: npt.NDArray[np.float32] = field(compare=False)
    comfort: float
    lift: Point
    spread: float = 0.1
    leans: float = 0.0
    touches: float = 1.0
    tilted: float | None = None


class Locator:
    """Finds dice by a fully convolutional network; see ``models/README.md``.

    :param camera_stays: one camera takes all pictures, so the dice are as large as those found before.
    """

    def __init__(self, network: Network, *, camera_stays: bool = False) -> None:
        self._network = network
        self._camera_stays = camera_stays
        self._stride = int(network.card["stride"])
        self._rays = int(network.card["rays"])
        angles = np.arange(self._rays) * 2 * np.pi / self._rays
        self._directions = np.stack([np.cos(angles), np.sin(angles)], 1)
        self._least, self._most = (float(r) for r in network.card["radius_px"])
        self._known_radius = 0.0  # of the smallest clear die found last, in shares of the picture's longer side

    def find(self, picture: Picture) -> list[Found]:
        """Return the dice of a (h, w, 3) BGR picture, surest first."""
        longest = max(picture.shape[:2])
        if self._camera_stays and self._known_radius:
            found = merged(self._look(picture, self._fitting_side))
            if not _has_small(found, self._fitting_side / longest):
                return self._remembered(found, longest)
        halves: list[Picture] = []
        found = [one for side in _SIDES for one in self._look(picture, side, halves)]
        found += [one for one in self._look(picture, _WIDE_SIDE, halves) if one.radius > _FILLS * longest]
        found = merged(found)
        for side in _CLOSER_SIDES:
            scale = side / 2 / longest  # of the closest look before
            if 2 * scale > _ENLARGED or not self._may_lack(found, scale, is_first=side == _CLOSER_SIDES[0]):
                break
            # what was too small for the looks before is seen by this one
            found = merged([*(one for one in found if one.radius * scale >= _SMALL_RADIUS), *self._look(picture, side)])
        return self._remembered(found, longest)

    def _may_lack(self, found: Sequence[Found], scale: float, *, is_first: bool) -> bool:
        """Return whether dice may be too small to be seen at that scale, of px to one of the picture.

        Beside small dice there may be smaller ones. What is not plainly a die may be the tray of such.

        :param is_first: no closer look was taken, so that an empty tray may bear such dice, too.
        """
        if _has_small(found, scale):
            return True
        surest = max(found, key=lambda one: one.score, default=None)
        if surest is None or surest.score < _CLEAR:
            return is_first
        return surest.score < _PLAIN and (is_first or surest.radius * scale > self._most)

    def detect(self, picture: Picture) -> list[Found]:
        """Return the dice of a (h, w, 3) BGR picture by one look, at the scale that suits those found last."""
        if not self._known_radius:
            return self.find(picture)
        return self._remembered(merged(self._look(picture, self._fitting_side)), max(picture.shape[:2]))

    @property
    def _fitting_side(self) -> float:
        """The longer side, input px, of a look that suits the dice found last."""
        return min(max(_FITTING_RADIUS / self._known_radius, _SIDES[0]), _CLOSER_SIDES[-1])

    def _remembered(self, found: list[Found], longest: int) -> list[Found]:
        """Return the finds, and remember the size of the clear ones for later pictures."""
        self._known_radius = _least_radius(without_overlaps(found)) / longest or self._known_radius
        return found

    def _look(self, picture: Picture, side: float, halves: list[Picture] | None = None) -> list[Found]:
        """Return what the network sees in the picture, scaled so that its longer side has ``side`` px."""
        height, width = picture.shape[:2]
        longest = max(height, width)
        scale = min(side, max(_ENLARGED * longest, _LEAST_SIDE)) / longest
        w, h = max(1, round(width * scale)), max(1, round(height * scale))
        scaled = shrunk(picture, w, h, halves)
        right, below = -w % _GRID, -h % _GRID
        framed = cv2.copyMakeBorder(scaled, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        blob = np.asarray(cv2.dnn.blobFromImage(framed, 1 / 255), np.float32)
        out = self._network.run(blob)[0][0]
        heat = 1 / (1 + np.exp(-out[0]))
        peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _FAINT)
        rows, columns = np.nonzero(peaks)
        values = out[:, rows, columns].T
        radii = np.exp(np.minimum(values[:, 3], 6.0))
        middles = (np.stack([columns, rows], 1) + 0.5 + values[:, 1:3]) * self._stride
        fits = (radii >= self._least * 0.75) & (radii <= self._most * 1.3)
        fits &= ((middles >= 0) & (middles < (w, h))).all(axis=1)
        back = np.array([width / w, height / h])
        return self._decoded(values[fits], heat[rows, columns][fits], middles[fits], radii[fits], back)

    def _decoded(
        self,
        values: npt.NDArray[np.float32],
        scores: npt.NDArray[np.float32],
        middles: npt.NDArray[np.float64],
        radii: npt.NDArray[np.float32],
        back: npt.NDArray[np.float64],
    ) -> list[Found]:
        """Return the finds of (n, channels) outputs. :param back: px of the picture to one of the input, (2,)."""
        rays = values[:, 7 : 7 + self._rays]
        outlines = (middles[:, None] + self._directions * (radii[:, None] * np.exp(rays))[..., None]) * back
        tops = (middles + values[:, 4:6] * radii[:, None]) * back
        # dice in the middle of the network's range of sizes are measured best
        comforts = scores - 0.12 * np.abs(np.log(radii / math.sqrt(self._least * self._most)))
        numbers = (scores, middles * back, radii * back[0], radii * np.exp(values[:, 6]) * back[0], comforts, tops)
        types = log_softmax(values[:, 7 + self._rays :])
        unseen = np.zeros(types.shape[1] + 1, np.float32)
        return [
            Found(
                score=score,
                middle=(mx, my),
                radius=radius,
                outline=tuple((px, py) for px, py in outline),
                top=(tx, ty),
                lift=(tx, ty),
                top_radius=top_radius,
                types=kinds,
                whole=unseen,
                comfort=comfort,
            )
            for (score, (mx, my), radius, top_radius, comfort, (tx, ty)), outline, kinds in zip(
                zip(*(column.tolist() for column in numbers), strict=True), outlines.tolist(), types, strict=True
            )
        ]


def merged(found: list[Found]) -> list[Found]:
    """Keep the best of those that are one die. See :func:`lies_on` for the others."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: f.comfort, reverse=True):
        if not any(_are_one(one, other) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda f: f.score, reverse=True)


def _are_one(one: Found, other: Found) -> bool:
    small, large = sorted((one, other), key=lambda f: f.radius)
    reach = _INSIDE if small.radius < _SAME * large.radius else _SAME
    return math.dist(one.middle, other.middle) < reach * large.radius and not lies_on(small, large)


def log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the logarithms, (..., n), of the probabilities that (..., n) logits stand for."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)


def lies_on(small: Found, large: Found) -> bool:
    """Return whether one find lies on another that is much larger.

    Then either a symbol lies on its die, or a die lies on something that was taken for one: a dark tray or a box.
    """
    return small.radius < _FAR_SMALLER * large.radius and math.dist(small.middle, large.middle) < _INSIDE * large.radius


def without_overlaps(found: Sequence[Found]) -> list[Found]:
    """Where finds lie on a much larger one, keep either it or them, by their scores alone."""
    dropped: set[int] = set()
    for i, large in enumerate(found):
        on_it = [j for j, small in enumerate(found) if lies_on(small, large)]
        if on_it and large.score > max(found[j].score for j in on_it):
            dropped.update(on_it)
        elif on_it:
            dropped.add(i)
    return [one for i, one in enumerate(found) if i not in dropped]


def _least_radius(found: Sequence[Found]) -> float:
    """Return the radius of the smallest clear find, px; 0 where none is clear."""
    return min((one.radius for one in found if one.score > _CLEAR), default=0.0)


def _has_small(found: Sequence[Found], scale: float) -> bool:
    """Return whether a clear find is so small that others may be missed at that scale, of px to one of the picture."""
    return 0 < _least_radius(found) * scale < _SMALL_RADIUS
