"""How far to believe the networks, by logistic regression on made scenes.

The weights are fitted by ``models/train/calibrate.py`` and stand in the classifier's card.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_LEAST = 1e-6
LEAST_SPREAD = 0.01  # of radii; no place is measured better


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """Tells how surely a die shows its likeliest face.

    Most faces that are read wrongly and without doubt are another side of the die, looked at in place of the upper
    one. The classifier cannot tell; that two networks see the upper face's middle in different places can.

    :ivar likeliest: weight of the logit of the likeliest face's probability.
    :ivar apart: of how far apart the two networks see the upper face's middle, in radii of the silhouette.
    :ivar spread: of the logarithm of how far the place network may be off, in radii.
    """

    bias: float
    likeliest: float
    apart: float
    spread: float

    def __call__(self, likeliest: float, apart: float, spread: float) -> float:
        """Return the probability, 0..1, that the likeliest face is the one that lies up."""
        spread = math.log(max(spread, LEAST_SPREAD))
        return share_of(self.bias + self.likeliest * logit(likeliest) + self.apart * apart + self.spread * spread)


def logit(share: float) -> float:
    """Return the logarithm of the odds of a share, 0..1, kept from the ends."""
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))


def share_of(logarithm: float) -> float:
    """Return the share, 0..1, whose odds have that logarithm."""
    return 1 / (1 + math.exp(-logarithm))
