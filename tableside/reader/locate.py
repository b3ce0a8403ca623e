"""Find every die in a picture: middle, size, outline and upper face, whatever its size.

The network finds dice of a limited range of sizes, so it looks at the picture in several sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from tableside.reader.confidence import logit
from tableside.reader.crop import Pyramid, pyramid_of, shrunk
from tableside.reader.detection import Detection
from tableside.reader.network import Network, planes_of
from tableside.reader.photo import Picture

_GRID = 32  # the network halves its input five times
_SIDE, _WIDE_SIDE = (
    384,
    96,
)  # input px along the picture's longer side, of the usual looks; several plain dice need no second
_MIDDLE_SIDE, CLOSEST_SIDE = 192, 1536  # and of looks for dice that may be too large, or too small, for these
_LARGE, _FILLS = 0.1, 0.15  # shares of the longer side: the radii from which on dice may be too large for 384 and 192
_SEEN, _SEVERAL = 0.3, 3  # how clear a large find has to be to be looked at, unless so many plain dice outdo it
_ENLARGED, _LEAST_SIDE = 1.5, 192  # pictures are enlarged by half at most; smaller ones to so many px
_CLEAR = 0.5  # fainter finds tell nothing of the size of the dice
_PLAIN, _PLAIN_LARGE = 0.7, 0.8  # what is fainter may be the tray of dice too small to be seen: above all what is large
_SMALL_RADIUS = 9.0  # input px: where dice are smaller, others are missed
_CLOSER = 1.2  # times as close as the look before is the least that is worth another
_FITTING_RADIUS = 12.0  # input px: of the smallest known die, so that one somewhat smaller is seen, too
_FAINT = 0.12
_SAME, _INSIDE = 0.6, 0.95  # shares of the larger radius: finds whose middles are nearer may be one die
_FAR_SMALLER = 0.4  # of dice on a larger find: most share of its radius


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

    def find(self, picture: Picture | Pyramid) -> list[Detection]:
        """Return the dice of a (h, w, 3) BGR picture, surest first."""
        picture, longest = pyramid_of(picture), max(picture.shape[:2])
        if self._camera_stays and self._known_radius:
            side = self._fitting_side
            found = self._look(picture, side)
            if side == CLOSEST_SIDE or not _has_small(found, side / longest):
                return self._remember_sizes(merge_finds(found, of_one_size=True), longest)
        found, wide = self._look(picture, _SIDE), list[Detection]()
        plain = [one.score for one in found if one.radius <= _LARGE * longest and one.score > _PLAIN]
        if len(plain) < _SEVERAL or self._large(found, longest):
            wide = self._look(picture, _WIDE_SIDE)
            large = self._large((*found, *wide), longest)
            if large and not (len(plain) >= _SEVERAL and max(plain) > max(large)):
                found += self._look(picture, _MIDDLE_SIDE)
        found, side = [*found, *(one for one in wide if one.radius > _FILLS * longest)], float(_SIDE)
        while side < CLOSEST_SIDE and self._may_lack(found, side, longest):
            scale, farther = side / longest, side
            side = min(2 * side, CLOSEST_SIDE)
            if _has_small(found, scale):  # their size tells how close is close enough
                side = min(side, max(longest * _FITTING_RADIUS / _least_radius(found), _CLOSER * farther))
            if not _CLOSER * farther <= side <= _ENLARGED * longest:
                break
            # what was too small for the looks before is seen by this one
            found = [*(one for one in found if one.radius * scale >= _SMALL_RADIUS), *self._look(picture, side)]
        return self._remember_sizes(merge_finds(found, of_one_size=True), longest)

    def _large(self, found: Sequence[Detection], longest: int) -> list[float]:
        """Return the scores of clear finds that may be too large for the usual look."""
        return [one.score for one in found if one.radius > _LARGE * longest and one.score > _SEEN]

    def _may_lack(self, found: Sequence[Detection], side: float, longest: int) -> bool:
        """Return whether dice may be too small to be seen by a look of ``side`` px, the closest so far.

        Beside small dice there may be smaller ones. What is not plainly a die may be their tray, or several of them.
        """
        scale, is_first = side / longest, side == _SIDE
        if _has_small(found, scale):
            return True
        surest = max(found, key=lambda one: one.score, default=None)
        if surest is None or surest.score < _CLEAR:
            # an empty tray may bear such dice, too; what is small and faint may be several that touch
            return is_first or (surest is not None and surest.score > _SEEN and surest.radius * scale < _SMALL_RADIUS)
        is_plain = surest.score >= (_PLAIN_LARGE if surest.radius > _LARGE * longest else _PLAIN)
        return not is_plain and (is_first or not _FITTING_RADIUS <= surest.radius * scale <= self._most)

    def detect(self, picture: Picture | Pyramid) -> list[Detection]:
        """Return the dice of a (h, w, 3) BGR picture by one look, at the scale that suits those found last."""
        if not self._known_radius:
            return self.find(picture)
        return self._remember_sizes(
            merge_finds(self._look(pyramid_of(picture), self._fitting_side)), max(picture.shape[:2])
        )

    @property
    def _fitting_side(self) -> float:
        """The longer side, input px, of a look that suits the dice found last: the usual one, if they are not small."""
        if self._known_radius * _SIDE >= _SMALL_RADIUS:
            return _SIDE
        return min(_FITTING_RADIUS / self._known_radius, CLOSEST_SIDE)

    def _remember_sizes(self, found: list[Detection], longest: int) -> list[Detection]:
        """Return the finds, and remember the size of the clear ones for later pictures."""
        self._known_radius = _least_radius(without_overlaps(found)) / longest or self._known_radius
        return found

    def _look(self, picture: Pyramid, side: float) -> list[Detection]:
        """Return what the network sees in the picture, scaled so that its longer side has ``side`` px."""
        height, width = picture.shape[:2]
        longest = max(height, width)
        scale = min(side, max(_ENLARGED * longest, _LEAST_SIDE)) / longest
        w, h = max(1, round(width * scale)), max(1, round(height * scale))
        blob = np.zeros((1, 3, h + -h % _GRID, w + -w % _GRID), np.float32)
        planes_of(shrunk(picture, w, h), blob[0, :, :h, :w])
        out = self._network.run(blob)[0][0]
        peaks = (out[0] >= cv2.dilate(out[0], np.ones((3, 3), np.uint8))) & (out[0] > logit(_FAINT))
        rows, columns = np.nonzero(peaks)
        values = out[:, rows, columns].T
        radii = np.exp(np.minimum(values[:, 3], 6.0))
        middles = (np.stack([columns, rows], 1) + 0.5 + values[:, 1:3]) * self._stride
        fits = (radii >= self._least * 0.75) & (radii <= self._most * 1.3)
        fits &= ((middles >= 0) & (middles < (w, h))).all(axis=1)
        back = np.array([width / w, height / h])
        return self._decode_outputs(values[fits], 1 / (1 + np.exp(-values[fits, 0])), middles[fits], radii[fits], back)

    def _decode_outputs(
        self,
        values: npt.NDArray[np.float32],
        scores: npt.NDArray[np.float32],
        middles: npt.NDArray[np.float64],
        radii: npt.NDArray[np.float32],
        back: npt.NDArray[np.float64],
    ) -> list[Detection]:
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
            Detection(
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


def merge_finds(
    found: Sequence[Detection],
    *,
    surely: Callable[[Detection], float] = lambda one: one.comfort,
    of_one_size: bool = False,
) -> list[Detection]:
    """Keep the surest of those that are one die. See :func:`lies_on` for the others.

    :param of_one_size: finds of one die whose sizes differ much are all kept: a closer view will tell.
    """
    kept: list[Detection] = []
    for one in sorted(found, key=surely, reverse=True):
        rivals = (other for other in kept if are_one(one, other))
        if not any(not of_one_size or _SAME * one.radius < other.radius < one.radius / _SAME for other in rivals):
            kept.append(one)
    return sorted(kept, key=lambda f: f.score, reverse=True)


def are_one(one: Detection, other: Detection) -> bool:
    """Return whether two finds are one die. See :func:`lies_on` for those that are not, though one covers the other."""
    small, large = (one, other) if one.radius < other.radius else (other, one)
    reach = _INSIDE if small.radius < _SAME * large.radius else _SAME
    return math.dist(one.middle, other.middle) < reach * large.radius and not lies_on(small, large)


def log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the logarithms, (..., n), of the probabilities that (..., n) logits stand for."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)


def lies_on(small: Detection, large: Detection) -> bool:
    """Return whether one find lies on another that is much larger.

    Then either a symbol lies on its die, or a die lies on something that was taken for one: a dark tray or a box.
    """
    return small.radius < _FAR_SMALLER * large.radius and math.dist(small.middle, large.middle) < _INSIDE * large.radius


def without_overlaps(found: Sequence[Detection]) -> list[Detection]:
    """Where finds lie on a much larger one, keep either it or them, by their scores alone."""
    dropped: set[int] = set()
    for i, large in enumerate(found):
        on_it = [j for j, small in enumerate(found) if lies_on(small, large)]
        if on_it and large.score > max(found[j].score for j in on_it):
            dropped.update(on_it)
        elif on_it:
            dropped.add(i)
    return [one for i, one in enumerate(found) if i not in dropped]


def _least_radius(found: Sequence[Detection]) -> float:
    """Return the radius of the smallest clear find, px; 0 where none is clear."""
    return min((one.radius for one in found if one.score > _CLEAR), default=0.0)


def _has_small(found: Sequence[Detection], scale: float) -> bool:
    """Return whether a clear find is so small that others may be missed at that scale, of px to one of the picture."""
    return 0 < _least_radius(found) * scale < _SMALL_RADIUS
