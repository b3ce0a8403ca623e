"""Find every die in a picture: middle, size, outline and upper face, whatever its size.

The network finds dice of a limited range of sizes, so it sees the picture at several scales.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.crop import shrunk
from tableside.reader.network import Network
from tableside.reader.photo import Picture

_GRID = 32  # the network halves its input five times
_FIRST_SIDE = 384
_FILLS = 0.16  # of the picture's longer side: of a die with a larger radius, the first look sees only the symbols
_CLEAR, _MANY = 0.8, 3  # this many finds with this score are dice, and what is under them is their tray
_SURE_TO_FILL = 0.6  # with a higher score, what fills the picture is a die: trays have less
_FAINT = 0.12
_FOLLOWED_RADIUS = 12.0  # input px: dice of about this radius are found well, and more pixels take longer
_PLAIN = 0.3  # fainter finds, such as print on paper, are no reason to look closer
_CLEAR_RADIUS = 9.5  # input px: smaller dice are looked at again at twice the scale
_SEEN_RADIUS = 8.0  # input px: dice of this size are hardly ever missed, smaller ones are
_HAZY, _HAZY_RADIUS = 0.5, 16.0  # so are dice below this score and radius: in a heap some are not found yet
_LARGE_RADIUS = 48.0  # input px: larger dice are looked at again at half the scale
_ROUND = 160.0  # input px around the middles of small dice that are looked at with them
_MOST = 0.7  # share of the picture: if small dice and what is around them cover more, all of it is looked at
_MAX_SIDE = 2560
_AT_ONCE = 800_000  # input px that the network sees at once, without borders: a million take some 60 MB
_MARKS, _LEAST_MARK = 2, 0.1  # number and least share of the radius of small finds that may be the marks of a die
_NEAR, _ALIKE = 4.5, 1.25  # of neighbouring marks: radii between their middles, and the most that their sizes differ
_CLEAR_ON_IT, _FAR_SMALLER, _SMALLER = 0.5, 0.4, 0.6  # of dice on a larger find: least score, most shares of its radius


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
    :ivar fills: it fills so much of the picture that it may be the tray.
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
    fills: bool = False


class Locator:
    """Finds dice by a fully convolutional network; see ``models/README.md``."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._stride = int(network.card["stride"])
        self._rays = int(network.card["rays"])
        angles = np.arange(self._rays) * 2 * np.pi / self._rays
        self._directions = np.stack([np.cos(angles), np.sin(angles)], 1)
        self._least, self._most = (float(r) for r in network.card["radius_px"])
        self._known_radius = 0.0  # of the dice found last, in shares of the picture's longer side

    def detect(self, picture: Picture) -> list[Found]:
        """Return the dice of a (h, w, 3) BGR picture by one look, at the scale that suits those found last."""
        if not self._known_radius:
            return self.find(picture)
        side = min(max(_FOLLOWED_RADIUS / self._known_radius, _FIRST_SIDE / 2), _MAX_SIDE)
        return self._remembered(merged(self._look_all(picture, side / max(picture.shape[:2]))), picture)

    def find(self, picture: Picture) -> list[Found]:
        """Return the dice of a (h, w, 3) BGR picture, surest first."""
        return self._remembered(self._find(picture), picture)

    def _remembered(self, found: list[Found], picture: Picture) -> list[Found]:
        """Return the finds, and remember the size of the clear ones for later pictures."""
        clear = sorted(f.radius for f in without_overlaps(found) if f.score > _CLEAR)
        if clear:
            self._known_radius = clear[len(clear) // 2] / max(picture.shape[:2])
        return found

    def _find(self, picture: Picture) -> list[Found]:
        longest = max(picture.shape[:2])
        side = min(_FIRST_SIDE, max(longest, 192))
        found = merged(self._look(picture, side / longest))
        if not found or max(f.radius for f in found) * side / longest > _LARGE_RADIUS:
            found = merged(found + self._look(picture, side / 2 / longest))
        is_many = sum(f.score > _CLEAR for f in found) >= _MANY
        if not is_many or _may_be_marks(found):
            wide = [f for f in self._look(picture, side / 4 / longest) if f.score > _PLAIN]
            large = [f for f in wide if (f.radius > _FILLS * longest and not is_many) or _bears(f, found)]
            found = merged(found + [replace(f, fills=True) for f in large])
        while side * 2 <= min(longest * 1.5, _MAX_SIDE):
            dice = [f for f in found if f.score > _PLAIN and not f.fills]
            small = [f for f in dice if _is_small(f, f.radius * side / longest)]
            is_clear = any(f.score > _CLEAR for f in dice)
            if is_clear and not small:
                break
            # near dice this small others may be too small to be seen, and a doubtful find says nothing of others
            is_near = is_clear and min(f.radius for f in small) * side / longest >= _SEEN_RADIUS
            side *= 2
            scale = side / longest
            closer = self._look_round(small, picture, scale) if is_near else self._look_all(picture, scale)
            found = merged(found + closer)
        return found

    def _look_all(self, picture: Picture, scale: float) -> list[Found]:
        """Look at the whole picture at that scale."""
        height, width = picture.shape[:2]
        return self._look_in(picture, (0, 0, width, height), scale)

    def _look_round(self, small: Sequence[Found], picture: Picture, scale: float) -> list[Found]:
        """Look at the small finds and what is around them at that scale."""
        height, width = picture.shape[:2]
        middles = np.array([f.middle for f in small])
        reach = _ROUND / scale
        left, top = (max(0, int(v)) for v in middles.min(axis=0) - reach)
        right, bottom = (int(v) for v in middles.max(axis=0) + reach)
        right, bottom = min(width, right), min(height, bottom)
        if (right - left) * (bottom - top) > _MOST * height * width:
            return self._look_all(picture, scale)
        return self._look_in(picture, (left, top, right, bottom), scale)

    def _look_in(self, picture: Picture, part: tuple[int, int, int, int], scale: float) -> list[Found]:
        """Look at a part of the picture at that scale, in strips if it is large: memory grows with the pixels.

        :param part: left, top, right, bottom.
        """
        left, top, right, bottom = part
        count = math.ceil((right - left) * (bottom - top) * scale * scale / _AT_ONCE)
        found: list[Found] = []
        for strip in range(count):
            low, high = (left + (right - left) * end / count for end in (strip, strip + 1))
            low, high = max(left, int(low - _ROUND / scale)), min(right, int(high + _ROUND / scale))
            found += self._look_at(picture, (low, top, high, bottom), scale)
        return found

    def _look_at(self, picture: Picture, part: tuple[int, int, int, int], scale: float) -> list[Found]:
        """Look at a part of the picture at that scale. Dice that the edge of the part cuts are left out."""
        (height, width), (left, top, right, bottom) = picture.shape[:2], part
        # their size is not known
        low = np.array([left if left else -math.inf, top if top else -math.inf])
        high = np.array([right if right < width else math.inf, bottom if bottom < height else math.inf])
        found = [_shifted(f, left, top) for f in self._look(picture[top:bottom, left:right], scale)]
        return [f for f in found if np.minimum(f.middle - low, high - f.middle).min() > 1.5 * f.radius]

    def _look(self, picture: Picture, scale: float) -> list[Found]:
        height, width = picture.shape[:2]
        w, h = max(1, round(width * scale)), max(1, round(height * scale))
        scaled = shrunk(picture, w, h)
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
    """Keep the best of those that are one die, middles nearer than half a die. See :func:`lies_on` for the others."""
    kept: list[Found] = []
    for one in sorted(found, key=lambda f: f.comfort, reverse=True):
        clash = any(
            math.dist(one.middle, other.middle) < 0.6 * max(one.radius, other.radius)
            or (
                min(one.radius, other.radius) < 0.6 * max(one.radius, other.radius)
                and math.dist(one.middle, other.middle) < 0.95 * max(one.radius, other.radius)
            )
            for other in kept
            if not (lies_on(one, other) or lies_on(other, one))
        )
        if not clash:
            kept.append(one)
    return sorted(kept, key=lambda f: f.score, reverse=True)


def _shifted(found: Found, x: float, y: float) -> Found:
    return replace(
        found,
        middle=(found.middle[0] + x, found.middle[1] + y),
        top=(found.top[0] + x, found.top[1] + y),
        lift=(found.lift[0] + x, found.lift[1] + y),
        outline=tuple((px + x, py + y) for px, py in found.outline),
    )


def log_softmax(logits: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the logarithms, (..., n), of the probabilities that (..., n) logits stand for."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)), np.float32)


def lies_on(small: Found, large: Found) -> bool:
    """Return whether one find lies on another that is much larger.

    Then either a symbol lies on its die, or a die lies on something that was taken for one: a dark tray or a box.
    """
    far_smaller = _SMALLER if large.fills else _FAR_SMALLER
    return (
        (small.score >= _CLEAR_ON_IT or large.fills)
        and small.radius < far_smaller * large.radius
        and math.dist(small.middle, large.middle) < 0.95 * large.radius
    )


def _is_small(found: Found, radius: float) -> bool:
    """Return whether a find of that radius, input px, is worth a look at twice the scale."""
    return radius < (_CLEAR_RADIUS if found.score > _HAZY else _HAZY_RADIUS)


def _may_be_marks(found: Sequence[Found]) -> bool:
    """Return whether three finds of one size lie so close together that they may be marks of one face."""
    seen = [f for f in found if f.score > _CLEAR]
    return any(sum(_are_neighbours(one, other) for other in seen) > _MARKS for one in seen)


def _are_neighbours(one: Found, other: Found) -> bool:
    small, large = sorted((one.radius, other.radius))
    return large < _ALIKE * small and math.dist(one.middle, other.middle) < _NEAR * large


def _bears(large: Found, found: Sequence[Found]) -> bool:
    """Return whether several small finds lie on a large one that was not found before: they may be its marks."""
    near = [f for f in found if math.dist(f.middle, large.middle) < 0.95 * large.radius]
    is_new = all(f.radius < _SMALLER * large.radius for f in near)
    marks = [f for f in near if f.score > _PLAIN and _LEAST_MARK < f.radius / large.radius < _FAR_SMALLER]
    return is_new and len(marks) >= _MARKS


def without_overlaps(found: Sequence[Found]) -> list[Found]:
    """Where finds lie on a much larger one, keep either it or them, by their scores alone."""
    dropped: set[int] = set()
    for i, large in enumerate(found):
        on_it = [j for j, small in enumerate(found) if lies_on(small, large)]
        best = max((found[j].score for j in on_it), default=0.0)
        if large.fills and large.score > max(best, _SURE_TO_FILL):
            dropped.update(on_it)
        elif large.fills or on_it:
            dropped.add(i)
    return [one for i, one in enumerate(found) if i not in dropped]
