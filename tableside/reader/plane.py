"""Fit one plane to all dice of a picture, and find the dice that lean out of it.

The upper face of a flat die stands over the middle of its silhouette. Seen at a slant it is displaced by the die's
height times the sine of that slant. Over one table the displacement grows evenly across the picture, whatever the
camera's height and tilt. A die that is displaced in another way is tilted against the table: it leans.

Three things are weighed: how far a die departs from the plane of the others, compared with how far they depart and with
how exactly it was measured; how it looks by itself; and whether it touches anything, since a free die cannot lean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.detection import Detection

LEAST_DICE = 3
"""With fewer dice nobody can say whether the table or a die is tilted."""
MANY_SIDED = frozenset({"d20"})
"""Solids whose sides lie so close together that a camera which looks at a slant confuses them."""

# inradius over the radius of the disc with the silhouette's area, seen along a face's normal
HEIGHTS: Mapping[str, float] = {"d6": 0.886, "d8": 0.78, "d10": 0.85, "d12": 0.855, "d20": 0.90}
# How much broader a solid looks at a slant, per displacement of its upper face: the square root of the silhouette's
# area over that from above, less one. Computed from the hulls of the solids; those left out hardly change.
_BROADENS: Mapping[str, float] = {"d6": 0.52, "d10": 0.14}
# At a sine of 0.526 the camera sees two sides of a d12 equally well, so beyond this the upper one is in doubt. Other
# solids are hardly ever confused in this way but the d20: at 20 degrees two of its sides face the camera alike, and at
# more the wrong one seems to lie straight below it.
_SIDEWAYS: Mapping[str, float] = {"d12": 0.5, "d20": 0.0}
_STEPS = 8
_PRIOR_SHIFT, _PRIOR_GROWTH = 0.05**2, 0.15**2
_NOISE = 0.03
_UNSURE = 0.06  # sine: the least error that a departure is measured with
_SPREAD_WEIGHT = 2.2
# The weights were chosen so that few flat dice in photographs are asked about and most leaning dice in made scenes are.
_OWN_WEIGHT = 0.12  # of the logit by which a die looks as if it leans, seen by itself
_TILT_WEIGHT, _TILT_SHIFT = 0.45, -0.45  # of the second look, which knows how flat dice lie and replaces the first
_FREE_WEIGHT = 0.2  # of the logit of touching something, where it speaks against it
_LEAST_OWN = 1 / (1 + math.exp(6.0))  # no such look is surer than this


_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Posture:
    """How one die lies, in px.

    :ivar middle: of the silhouette.
    :ivar lift: the point of the upper face that stands over ``middle`` when the die lies flat.
    :ivar radius: of the silhouette.
    :ivar spread: how far ``lift`` may be off ``middle`` other than measured, in radii.
    :ivar leans: 0..1, how surely it leans, seen by itself.
    :ivar solid: such as ``d6``.
    :ivar touches: 0..1, how surely it touches something that it could lean on.
    :ivar tilted: logit that it leans, by the second look, which knows where a flat die's lift is; none without it.
    """

    middle: Point
    lift: Point
    radius: float
    spread: float
    leans: float
    solid: str
    touches: float = 1.0
    tilted: float | None = None

    @property
    def is_measured(self) -> bool:
        """Whether its solid's height is known, so that its lift tells a tilt."""
        return self.solid in HEIGHTS


def leanings(dice: Sequence[Posture], *, size: float, before: Sequence[Posture] = ()) -> list[float]:
    """Return how much each die seems to lean. The scale is this module's own; the card holds limits on it.

    :param size: the picture's longer side, px.
    :param before: dice that lay flat in earlier pictures by the same camera.
    """
    scores = [_by_look(die) + _FREE_WEIGHT * min(_logit(die.touches), 0.0) for die in dice]
    known = [i for i, die in enumerate(dice) if die.is_measured]
    if known and len(known) + len(before) >= LEAST_DICE:
        off = _departures([*(dice[i] for i in known), *before], size)
        for i, far in zip(known, off, strict=False):
            scores[i] += far
    return scores


def _by_look(die: Posture) -> float:
    if die.tilted is None:
        return _OWN_WEIGHT * _logit(die.leans)
    return _TILT_WEIGHT * die.tilted + _TILT_SHIFT


def is_sideways(die: Posture) -> bool:
    """Return whether the side that seems to be the upper one faces the camera hardly more than another does."""
    return (
        math.dist(die.lift, die.middle) > _SIDEWAYS.get(die.solid, math.inf) * HEIGHTS.get(die.solid, 1.0) * die.radius
    )


def _logit(share: float) -> float:
    share = min(max(share, _LEAST_OWN), 1 - _LEAST_OWN)
    return math.log(share / (1 - share))


def flat_lift(others: Sequence[Posture], die: Posture, *, size: float) -> Point | None:
    """Return where a die's lift, px, would be if it lay as flat as the others; none where too few dice tell.

    :param size: the picture's longer side, px.
    """
    return next(iter(_flat_lifts(others, [die], size)), None) if die.is_measured else None


def slant(found: Detection, solid: str) -> float:
    """Return the sine of the angle at which a die seems to be looked at, 0 from straight above."""
    seen = math.dist(found.lift, found.middle) / (HEIGHTS[solid] * found.radius)
    return seen * (1 + _BROADENS.get(solid, 0.0) * seen)


def tilts(others: Sequence[Posture], dice: Sequence[Posture], *, size: float) -> list[float]:
    """Return the sine of the tilt by which each die of known height departs from the others; nothing where these are
    too few to tell.

    :param size: the picture's longer side, px.
    """
    known = [die for die in dice if die.is_measured]
    return [
        math.dist(place, die.lift) / (HEIGHTS[die.solid] * die.radius)
        for die, place in zip(known, _flat_lifts(others, known, size), strict=False)
    ]


def _flat_lifts(others: Sequence[Posture], dice: Sequence[Posture], size: float) -> list[Point]:
    """Return the dice's lifts if they lay as flat as the others; nothing where too few dice tell."""
    others = [other for other in others if other.is_measured]
    if len(others) < LEAST_DICE - 1:
        return []
    shift, growth = _fit_line(*_measures(others, size))
    about = np.mean([other.middle for other in others], axis=0)
    lifts = []
    for die in dice:
        middle = np.array(die.middle)
        here = (middle - about) / (size / 2)
        x, y = middle + _shift_of_tilt(shift + growth * here, die.solid) * HEIGHTS[die.solid] * die.radius
        lifts.append((float(x), float(y)))
    return lifts


def _departures(dice: Sequence[Posture], size: float) -> list[float]:
    """Return how far each die departs from the table's plane, in units of how far its neighbours do."""
    places, offsets, spreads = _measures(dice, size)
    shift, growth = _fit_line(places, offsets, spreads)
    found = np.sqrt(((shift + growth * places - offsets) ** 2).sum(axis=1))
    others = found[np.nonzero(~np.eye(len(dice), dtype=bool))[1]].reshape(len(dice), -1)
    usual = np.median(others, axis=1)
    return [float(far / (_UNSURE + near + spread)) for far, near, spread in zip(found, usual, spreads, strict=True)]


def _measures(dice: Sequence[Posture], size: float) -> tuple[_Floats, _Floats, _Floats]:
    """Return the places of the dice (n, 2) about their mean, in half sizes, the sines of their tilts (n, 2), and their
    errors (n,)."""
    middles, lifts = (np.array(points, float) for points in ([d.middle for d in dice], [d.lift for d in dice]))
    heights = np.array([HEIGHTS[die.solid] for die in dice])
    radii = np.array([die.radius for die in dice])
    places = (middles - middles.mean(axis=0)) / (size / 2)
    spreads = _SPREAD_WEIGHT * np.array([die.spread for die in dice]) / heights
    seen = (lifts - middles) / (heights * radii)[:, None]
    broadens = np.array([_BROADENS.get(die.solid, 0.0) for die in dice])
    return places, seen * (1 + broadens * np.hypot(*seen.T))[:, None], spreads


def _shift_of_tilt(sines: _Floats, solid: str) -> _Floats:
    """Return the displacement (2,) by which a tilt shows, in heights of the die: the inverse of ``_measures``."""
    broadens, steep = _BROADENS.get(solid, 0.0), float(np.hypot(*sines))
    return sines / (0.5 + 0.5 * math.sqrt(1 + 4 * broadens * steep))


def _fit_line(places: _Floats, offsets: _Floats, spreads: _Floats) -> tuple[_Floats, float]:
    """Fit offset = shift + growth * place by least absolute distances (iteratively reweighted least squares)."""
    confidence = _NOISE / (_NOISE + spreads)
    along = (places * offsets).sum(axis=1)
    squares = (places * places).sum(axis=1)
    weights = confidence
    for _ in range(_STEPS):
        # the normal equations, solved for the shift first; a weak prior for a camera that looks straight down from afar
        # keeps few dice from explaining everything
        total = weights.sum() + _PRIOR_SHIFT
        place, offset = weights @ places, weights @ offsets
        growth = (weights @ along - place @ offset / total) / (
            weights @ squares + _PRIOR_GROWTH - place @ place / total
        )
        shift = (offset - growth * place) / total
        off = shift + growth * places - offsets
        weights = confidence / np.maximum(np.sqrt((off * off).sum(axis=1)), _NOISE)
    return shift, float(growth)
