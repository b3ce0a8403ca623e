"""Where one small picture differs from another by more than light and noise: motion and hands.

Other light is a factor and an offset for each colour. The bands of a flickering lamp are a factor for each row. Both
are fitted to the pixels that agree. Noise is learnt from the same differences that are tested.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from tableside.reader.crop import Pyramid, shrunk
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame

Small = npt.NDArray[np.float32]
"""(height, width, 3). Colours count, since a red die may be as grey as the green felt under it."""
Mask = npt.NDArray[np.uint8]
"""(height, width), 1 where it holds."""

WIDTH_PX = 160
_TIMES_NOISE = 6.0
"""Standard deviations by which a pixel must differ to have changed."""
_NEWEST = 0.1
"""Share of the newest difference in what is known of the noise."""
_LEAST_NOISE = 0.6
"""Grey levels: the least error of a difference, since levels are whole numbers."""
_MOST_BAND = 0.2
"""Share: a flickering lamp changes a row by less (the scene ``flickering_lamp``). What changes it by more covers it."""
WAKING_PX = 4
"""Px: as many that changed together are no noise."""
_BIN = 32
"""Grey levels: pixels of as much light, to so many levels, are taken together."""
_MOST_GROWTH = 3.0
"""Factor: noise at one brightness exceeds what the commonest brightness lets expect by no more."""
_DARK = 8.0
"""Grey levels: for darker pixels a factor means nothing."""
_PULL = 25.0
"""Grey levels squared: a ground that varies less gives no offset."""
_TREMBLE_PX = 0.03
"""Px by which every camera trembles, so that edges differ: a third of a pixel of a picture 1280 px wide."""
_OUTLINE = 10.0
"""Grey levels between the neighbours of a pixel: outlines of things are steeper, those of shadows are not."""
_LIT, _DARKEST, _TINGE, _NEARLY_ALL = 1.05, 0.4, 0.12, 0.85
"""Shares of the light: the most and least that a shadow leaves, and how much its colours may differ. The last is the
share of its pixels for which that holds."""
_CRISP = 30.0
"""Grey levels between the neighbours of a pixel: the edge of a shadow that passes changes no outline by as much."""
_ALIKE = 8.0
"""Grey levels: what differs by less looks the same."""
_NEAR = np.ones((3, 3), np.uint8)


def small_picture(frame: Frame) -> Small:
    """Return the small picture in which motion is looked for; the camera's own, where it gives one."""
    return small_of(frame.pyramid if frame.small is None else frame.small)


def small_of(picture: Picture | Pyramid) -> Small:
    """Return the picture small and smoothed."""
    height, width = picture.shape[:2]
    small = shrunk(picture, WIDTH_PX, max(1, round(height * WIDTH_PX / width)))
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.float32)


@dataclass(slots=True)
class Noise:
    """How much a pixel differs where nothing changed: sigma squared = slope * level + base, of each colour.

    :ivar slope: (3,).
    :ivar base: (3,), grey levels squared.
    :ivar by_place: sigma squared of each pixel where nothing ever moved, (height, width, 3): denoisers leave blotches.
    """

    slope: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros(3))
    base: npt.NDArray[np.float64] = field(default_factory=lambda: np.ones(3))
    by_place: Small | None = None
    _count: int = 0

    def variance(self, levels: Small) -> Small:
        """Return sigma squared at these levels, (..., 3)."""
        return np.asarray(np.maximum(_adjust(levels, self.slope, self.base), np.float32(_LEAST_NOISE**2)), np.float32)

    def learn(self, levels: Small, away: Small) -> None:
        """Learn from a difference, (n, 3) each. Medians are used, since what really changed is the smaller part."""
        which = levels[:, 1].astype(np.int32) // _BIN
        bins = [which == number for number in np.unique(which)]
        at = np.array([levels[chosen].mean(axis=0) for chosen in bins], np.float64)
        found = np.array([_median(np.abs(away[chosen].T)) for chosen in bins], np.float64)
        found = np.square(found / 0.6745)  # of a normal distribution
        weights = np.sqrt([np.count_nonzero(chosen) for chosen in bins])
        # all pixels of one brightness may have changed, but no sensor's noise grows so fast with the light
        most = int(np.argmax(weights))
        found = np.minimum(found, _MOST_GROWTH * found[most] * np.maximum(1, at / np.maximum(at[most], 1)))
        slope, base = _line(at, found, weights)
        share = max(_NEWEST, 1 / (1 + self._count))
        self._count += 1
        self.slope = (1 - share) * self.slope + share * slope
        self.base = (1 - share) * self.base + share * base

    def learn_places(self, away: Small, most: Small) -> None:
        """Learn from a difference in which nothing moved, (height, width, 3).

        :param most: sigma squared that it can show at each pixel.
        """
        found = np.minimum(np.square(away), most)
        if self.by_place is None or self.by_place.shape != away.shape:
            self.by_place = np.zeros_like(away)
        self.by_place += np.float32(_NEWEST) * (found - self.by_place)


def _line(
    at: npt.NDArray[np.float64], found: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return slope and base, (3,) each, of the line through (n, 3) points, neither of them negative."""
    shares = (weights / weights.sum())[:, None]
    mean_at, mean_found = (shares * at).sum(axis=0), (shares * found).sum(axis=0)
    spread = (shares * (at - mean_at) ** 2).sum(axis=0)
    slope = (shares * (at - mean_at) * (found - mean_found)).sum(axis=0) / (spread + 50.0)
    slope = np.clip(slope, 0, mean_found / np.maximum(mean_at, 1))
    return slope, np.maximum(mean_found - slope * mean_at, 0)


def lit_alike(now: Small, then: Small) -> Small:
    """Return ``then`` in the light of ``now``."""
    rows = _median((now[:, ::4, 1] + _DARK) / (then[:, ::4, 1] + _DARK))
    band = rows / _median(rows)
    band[np.abs(band - 1) > _MOST_BAND] = 1
    lit = np.asarray(then * band[:, None, None], np.float32)
    seen, before = (sparse(one).reshape(-1, 3) for one in (now, lit))
    slopes, offsets = np.ones(3, np.float32), np.zeros(3, np.float32)
    for colour in range(3):
        slopes[colour], offsets[colour] = _light(before[:, colour], seen[:, colour])
    return _adjust(lit, slopes, offsets)


def _adjust(levels: Small, factors: npt.NDArray[np.generic], offsets: npt.NDArray[np.generic]) -> Small:
    """Return (..., 3) levels times (3,) factors and with (3,) offsets; numpy is slow over so short a last axis."""
    matrix = np.hstack([np.diag(factors), offsets[:, None]]).astype(np.float32)
    return np.asarray(cv2.transform(levels.reshape(-1, 1, 3), matrix), np.float32).reshape(levels.shape)


def sparse(picture: Picture | Small) -> Small:
    """Return every fourth pixel each way of a small picture, or as many of a larger one: enough to learn from."""
    step = max(1, 4 * picture.shape[1] // WIDTH_PX)
    return np.asarray(picture[::step, ::step], np.float32)


def _median(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the upper median along the last axis, in a fraction of the time that numpy's own takes."""
    middle = values.shape[-1] // 2
    return np.asarray(np.partition(values, middle, axis=-1)[..., middle], np.float32)


def _light(before: npt.NDArray[np.float32], seen: npt.NDArray[np.float32]) -> tuple[float, float]:
    """Return factor and offset between (n,) levels of one colour, fitted to those that agree."""
    bright = before > _DARK
    factor = float(_median(seen[bright] / before[bright])) if bright.any() else 1.0
    away = seen - factor * before
    away -= _median(away)
    np.abs(away, out=away)
    agreed = away < 3 * float(_median(away)) + 1
    x, y = before[agreed], seen[agreed]
    middle, level = float(x.mean()), float(y.mean())
    x, y = x - middle, y - level
    # a plain ground gives no offset: then the factor of the medians is used
    pull = _PULL * len(x)
    own, other, both = float(x @ x) + pull, float(y @ y) + pull * factor**2, float(x @ y) + pull * factor
    # both have noise, so the distance to the line counts, not the vertical distance, which would flatten the line
    slope = (other - own + math.hypot(other - own, 2 * both)) / (2 * both) if both > 0 else factor
    return slope, level - slope * middle


class Difference:
    """How a small picture differs from an earlier one, apart from light."""

    def __init__(self, now: Small, then: Small) -> None:
        self._lit = lit_alike(now, then)
        self._away = np.asarray(cv2.blur(now - self._lit, (3, 3)), np.float32)
        soft = cv2.blur(self._lit, (3, 3))
        self._soft, self._most, self._least = soft, cv2.dilate(soft, _NEAR), cv2.erode(soft, _NEAR)

    def teach(self, noise: Noise) -> None:
        """Let the noise learn from this difference."""
        noise.learn(*(sparse(one).reshape(-1, 3) for one in (self._lit, self._away)))

    def teach_places(self, noise: Noise) -> None:
        """Let the noise of each place learn from this difference, in which nothing moved."""
        noise.learn_places(self._away, (2 * _TIMES_NOISE) ** 2 * noise.variance(self._lit))

    def changed(self, noise: Noise, *, may_tremble: bool = False) -> Mask:
        """Return where the two differ by more than light and noise.

        :param may_tremble: what moved by a pixel or less is no difference.
        """
        away, variance = self._away, noise.variance(self._lit)
        if noise.by_place is not None and noise.by_place.shape == away.shape:
            variance = np.maximum(variance, noise.by_place)
        if may_tremble:
            seen = self._soft + away
            away = np.maximum(np.maximum(seen - self._most, self._least - seen), 0)
        else:
            variance = variance + np.square((self._most - self._least) * np.float32(_TREMBLE_PX))
        blue, green, red = cv2.split(away * away / variance)
        return np.asarray(cv2.max(cv2.max(blue, green), red) > _TIMES_NOISE**2, np.uint8)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blob:
    """A connected region of a mask.

    :ivar area: px.
    :ivar is_at_edge: it touches the edge of what is watched.
    """

    mask: Mask
    area: int
    is_at_edge: bool


def blobs(changed: Mask, edge: Mask, *, least: float) -> list[Blob]:
    """Return the connected regions of at least ``least`` px.

    :param edge: the rim of what is watched.
    """
    if cv2.countNonZero(changed) < least:
        return []
    _, labels, stats, _ = cv2.connectedComponentsWithStats(changed, ltype=cv2.CV_16U)
    found = []
    for label in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] >= least) + 1:
        mask = np.asarray(labels == label, np.uint8)
        is_at_edge = cv2.countNonZero(mask & edge) > 0
        found.append(Blob(mask=mask, area=int(stats[label, cv2.CC_STAT_AREA]), is_at_edge=is_at_edge))
    return found


def is_still(first: Picture, last: Picture) -> bool:
    """Return whether nothing moved between two pictures, without knowing the noise."""
    noise, difference = Noise(), Difference(small_of(last), small_of(first))
    difference.teach(noise)
    changed = difference.changed(noise)
    return not blobs(changed, changed, least=WAKING_PX)


def edge_of(region: Mask) -> Mask:
    """Return the rim of a region; the picture's own edge is one, too."""
    inner = cv2.erode(region, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return np.asarray(region - inner, np.uint8)


def is_thing(blob: Blob, now: Small, then: Small) -> bool:
    """Return whether a thing came: its outlines are seen in ``now`` and not in ``then``.

    For a thing that went it is the other way round, and other light has no outlines.
    """
    inside, now, then = _beside(blob, now, then, np.ones((5, 5), np.uint8))  # its outline with it
    new, old = (_steepness(one)[inside] for one in (now, then))
    came = np.count_nonzero(new > 2 * old + _OUTLINE)
    went = np.count_nonzero(old > 2 * new + _OUTLINE)
    return int(came) > max(int(went), math.sqrt(blob.area))


def is_shadow(blob: Blob, now: Small, then: Small) -> bool:
    """Return whether nearly all of the blob is darker by the same share in all colours, as under a shadow."""
    inside = blob.mask.astype(bool)
    return bool(np.mean(_is_darker(now[inside], then[inside])) > _NEARLY_ALL)


def is_passing_shadow(blob: Blob, now: Small, then: Small) -> bool:
    """Return whether no more than a soft shadow came to the blob, or left it."""
    if not is_shadow(blob, now, then) and not is_shadow(blob, then, now):
        return False
    inside, now, then = _beside(blob, now, then, _NEAR)
    return float(np.abs(_steepness(now) - _steepness(then))[inside].max()) < _CRISP


def _beside(blob: Blob, now: Small, then: Small, grown: Mask) -> tuple[npt.NDArray[np.bool_], Small, Small]:
    """Return where the blob is, dilated by ``grown``, and both pictures, as far as they lie round it."""
    x, y, width, height = cv2.boundingRect(blob.mask)
    reach = grown.shape[0]
    part = (slice(max(0, y - reach), y + height + reach), slice(max(0, x - reach), x + width + reach))
    return cv2.dilate(blob.mask[part], grown).astype(bool), now[part], then[part]


def is_alike(now: Small, then: Small) -> npt.NDArray[np.bool_]:
    """Return where (h, w, 3) pixels look as they looked then, or so in a shadow."""
    return np.asarray(_is_darker(now, then) | (np.abs(now - then).max(axis=-1) < _ALIKE), np.bool_)


def _is_darker(now: Small, then: Small) -> npt.NDArray[np.bool_]:
    """Return where (..., 3) pixels are darker by the same share in all colours, if at all."""
    ratio = (now + 4) / (then + 4)
    least, most = ratio.min(axis=-1), ratio.max(axis=-1)
    return np.asarray((most < _LIT) & (least > _DARKEST) & (most - least < _TINGE), np.bool_)


def _steepness(picture: Small) -> npt.NDArray[np.float32]:
    """Return how many grey levels lie between the neighbours of each pixel, vertically and horizontally."""
    grey = np.asarray(picture.mean(axis=2), np.float32)
    across, down = (np.abs(cv2.Sobel(grey, cv2.CV_32F, *way)) for way in ((1, 0), (0, 1)))
    return np.asarray((across + down) / 4, np.float32)
