"""Tell a die that leans from those that lie flat: by its own look, and by the others in the same picture.

From above, the point of a flat die's upper face that lies over its middle stands off the silhouette's middle by the
die's height times the tilt of the line of sight. Over one table that offset grows evenly across the picture, whatever
the camera's height and tilt. A die whose offset departs from what the others show has another tilt than the table: it
leans. A second look at it, told where a flat die's upper face would be, says so, too. One that touches nothing has
nothing to lean on, so it must depart by more. How exactly offsets are measured changes from picture to picture and from
die to die, so a departure counts against those of the other dice in it, and against how far the measure may be off.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tableside.dice import Point

LEAST_DICE = 3
"""With fewer dice the table's own tilt cannot be told from a die's."""

# inradius over the radius of the disc with the silhouette's area, seen along a face's normal
HEIGHTS: Mapping[str, float] = {"d6": 0.886, "d8": 0.78, "d10": 0.85, "d12": 0.855, "d20": 0.90}
# By how much broader a solid is when seen aslant: the square root of the silhouette's area over that from above, less
# one, per offset that is seen; from hulls of solids turned about the vertical. Others stay within 6 % as broad.
_BROADENS: Mapping[str, float] = {"d6": 0.52, "d10": 0.14}
# Seen at a sine of 0.526 two sides of a d12 face the camera alike. Of those that seem to be seen at more than this one
# in ten was looked at from the side in made pictures from a seat, all of them in close-ups of photographs; of other
# solids, a d20 aside (:mod:`tableside.reader.tilt`), one in thirty or none.
_SIDEWAYS: Mapping[str, float] = {"d12": 0.5}
_STEPS = 8
_BELIEF_SHIFT, _BELIEF_GROWTH = 0.05**2, 0.15**2
_NOISE = 0.03
_UNSURE = 0.06  # what is measured of a departure in any picture; with it, made scenes tell most leaning dice
_SPREAD_WEIGHT = 2.2
_OWN_WEIGHT = 0.12  # of the logit of what the die's own look says of its leaning,
# of what a second look says, told how flat dice lie, in its stead. These weights were chosen by how many of 1185
# leaning dice in 1430 made scenes seem to lean more than all but 4 and 7 of 538 flat ones in photographs and rolls: 86
# and 88 %; with those of logistic regression for an earlier network 84 and 84
_TILT_WEIGHT, _TILT_SHIFT = 0.45, -0.45
_FREE_WEIGHT = 0.2  # and of that it touches something, where it seems not to: on an even table such a die lies flat
_LEAST_OWN = 1 / (1 + math.exp(6.0))  # neither is surer than this


_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Posture:
    """How one die lies, in px.

    :ivar middle: of the silhouette. :ivar lift: the point of the upper face that stands over it when the die lies flat
        and is seen from straight above. :ivar radius: of the silhouette.
    :ivar spread: how far ``lift`` may be off ``middle`` other than measured, in radii.
    :ivar leans: 0..1, how surely it leans by its own look. :ivar solid: such as ``d6``.
    :ivar touches: 0..1, how surely it touches something that it could lean on.
    :ivar tilted: logit of that it leans, by a look that was told where a flat die's lift would be; none without such.
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
    """Return for each die how surely it leans. The scale is this module's own; limits on it are measured.

    :param size: the picture's longer side, px.
    :param before: dice that lay flat in earlier pictures by the same camera.
    """
    said = [_by_look(die) + _FREE_WEIGHT * min(_logit(die.touches), 0.0) for die in dice]
    known = [i for i, die in enumerate(dice) if die.is_measured]
    if known and len(known) + len(before) >= LEAST_DICE:
        off = _departures([*(dice[i] for i in known), *before], size)
        for i, far in zip(known, off, strict=False):
            said[i] += far
    return said


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
    shift, growth = _fitted(*_measures(others, size))
    about = np.mean([other.middle for other in others], axis=0)
    lifts = []
    for die in dice:
        middle = np.array(die.middle)
        here = (middle - about) / (size / 2)
        x, y = middle + _seen(shift + growth * here, die.solid) * HEIGHTS[die.solid] * die.radius
        lifts.append((float(x), float(y)))
    return lifts


def _departures(dice: Sequence[Posture], size: float) -> list[float]:
    """Return how far each die departs from the table's plane, in what its neighbours depart by."""
    places, offsets, spreads = _measures(dice, size)
    shift, growth = _fitted(places, offsets, spreads)
    found = np.sqrt(((shift + growth * places - offsets) ** 2).sum(axis=1))
    others = found[np.nonzero(~np.eye(len(dice), dtype=bool))[1]].reshape(len(dice), -1)
    usual = np.median(others, axis=1)
    return [float(far / (_UNSURE + near + spread)) for far, near, spread in zip(found, usual, spreads, strict=True)]


def _measures(dice: Sequence[Posture], size: float) -> tuple[_Floats, _Floats, _Floats]:
    """Return where the dice are (n, 2) about their mean, in half sizes; the sines of their tilts (n, 2); how far these
    may be off (n,)."""
    middles, lifts = (np.array(points, float) for points in ([d.middle for d in dice], [d.lift for d in dice]))
    heights = np.array([HEIGHTS[die.solid] for die in dice])
    radii = np.array([die.radius for die in dice])
    places = (middles - middles.mean(axis=0)) / (size / 2)
    spreads = _SPREAD_WEIGHT * np.array([die.spread for die in dice]) / heights
    seen = (lifts - middles) / (heights * radii)[:, None]
    broadens = np.array([_BROADENS.get(die.solid, 0.0) for die in dice])
    return places, seen * (1 + broadens * np.hypot(*seen.T))[:, None], spreads


def _seen(sines: _Floats, solid: str) -> _Floats:
    """Return the offset (2,) that a tilt shows as, in heights of the die: the inverse of what ``_measures`` does."""
    broadens, steep = _BROADENS.get(solid, 0.0), float(np.hypot(*sines))
    return sines / (0.5 + 0.5 * math.sqrt(1 + 4 * broadens * steep))


def _fitted(places: _Floats, offsets: _Floats, spreads: _Floats) -> tuple[_Floats, float]:
    """Fit offset = shift + growth * place by least absolute distances (iteratively reweighted least squares)."""
    trust = _NOISE / (_NOISE + spreads)
    along = (places * offsets).sum(axis=1)
    squares = (places * places).sum(axis=1)
    weights = trust
    for _ in range(_STEPS):
        # the normal equations, solved for the shift first; a weak belief in a camera that looks straight down from
        # afar keeps few dice from explaining everything
        total = weights.sum() + _BELIEF_SHIFT
        place, offset = weights @ places, weights @ offsets
        growth = (weights @ along - place @ offset / total) / (
            weights @ squares + _BELIEF_GROWTH - place @ place / total
        )
        shift = (offset - growth * place) / total
        off = shift + growth * places - offsets
        weights = trust / np.maximum(np.sqrt((off * off).sum(axis=1)), _NOISE)
    return shift, float(growth)
