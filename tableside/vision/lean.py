"""Tell a die that leans from those that lie flat, by the others in the same picture.

From above, the middle of a flat die's upper face stands off the silhouette's middle by the die's height times the tilt
of the line of sight. Over one table that offset grows evenly across the picture, whatever the camera's height and tilt.
A die whose offset departs from what the others show has another tilt than the table: it leans. How exactly offsets are
measured changes from picture to picture, so a departure counts against those of the other dice in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tableside.dice import Point

LEAST_DICE = 3
"""With fewer dice the table's own tilt cannot be told from a die's."""

# inradius over the radius of the disc with the silhouette's area, seen along a face's normal. A d10 is left out: the
# middle of its kite does not lie over the middle of its body.
_HEIGHTS: Mapping[str, float] = {"d6": 0.886, "d8": 0.78, "d12": 0.855, "d20": 0.90}
_STEPS = 8
_NOISE = 0.03
_UNSURE = 0.08  # what is measured of a departure in any picture; with it, made scenes tell most leaning dice


def leanings(
    middles: Sequence[Point], tops: Sequence[Point], radii: Sequence[float], solids: Sequence[str], *, size: float
) -> list[float]:
    """Return for each die how far it departs from the table's plane, in what its neighbours depart by.

    :param middles: silhouettes' middles, px. :param tops: upper faces' middles, px. :param radii: silhouettes', px.
    :param size: the picture's longer side, px.
    :returns: 0 for dice of other solids, and for all where fewer than ``LEAST_DICE`` can be measured.
    """
    known = [i for i, solid in enumerate(solids) if solid in _HEIGHTS]
    measured = [0.0] * len(middles)
    if len(known) < LEAST_DICE:
        return measured
    centres, upper = np.array(middles)[known], np.array(tops)[known]
    heights = np.array([_HEIGHTS[solids[i]] * radii[i] for i in known])
    places = (centres - centres.mean(axis=0)) / (size / 2)
    departures = _residuals(places, (upper - centres) / heights[:, None])  # about the sine of each tilt
    for n, i in enumerate(known):
        usual = float(np.median(np.delete(departures, n)))
        measured[i] = float(departures[n]) / (_UNSURE + usual)
    return measured


def _residuals(places: npt.NDArray[np.float64], offsets: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Fit offset = shift + growth * place by least absolute distances (iteratively reweighted least squares)."""
    count = len(places)
    matrix = np.zeros((2 * count, 3))
    matrix[0::2, 0] = matrix[1::2, 1] = 1
    matrix[:, 2] = places.ravel()
    weights = np.ones(count)
    found = np.zeros(count)
    # a weak belief in a camera that looks straight down from afar keeps few dice from explaining everything
    belief = np.diag([0.05, 0.05, 0.15])
    for _ in range(_STEPS):
        scale = np.repeat(np.sqrt(weights), 2)
        stacked = np.vstack([matrix * scale[:, None], belief])
        wanted = np.concatenate([offsets.ravel() * scale, np.zeros(3)])
        solution = np.linalg.lstsq(stacked, wanted, rcond=None)[0]
        found = np.linalg.norm((matrix @ solution).reshape(-1, 2) - offsets, axis=1)
        weights = 1 / np.maximum(found, _NOISE)
    return found
