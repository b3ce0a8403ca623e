"""How far to believe the networks, by logistic regression on made scenes.

The weights are fitted by ``models/train/calibrate.py`` and stand in the classifier's card.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_LEAST = 1e-6
_LEAST_SPREAD = 0.01  # of radii; no place is measured better


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceSigns:
    """What tells whether the likeliest face is the one that lies up.

    :ivar likeliest: its probability. :ivar apart: how far apart the two networks see the upper face's middle, in radii
        of the silhouette. :ivar spread: how far the place network may be off, in radii.
    :ivar kind: the probability of the type by the first look alone. :ivar face: likewise, of the face.
    :ivar whole: the probability of the type by the look at the whole die.
    """

    likeliest: float
    apart: float
    spread: float
    kind: float
    face: float
    whole: float

    @property
    def values(self) -> tuple[float, float, float, float, float, float]:
        """What Trust weighs, in the order of its fields."""
        spread = math.log(max(self.spread, _LEAST_SPREAD))
        return logit(self.likeliest), self.apart, spread, logit(self.kind), logit(self.face), logit(self.whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceConfidence:
    """Tells how surely a die shows its likeliest face.

    Most faces that are read wrongly and without doubt are another side of the die, looked at in place of the upper
    one. The classifier cannot tell; that two networks see the upper face's middle in different places can.

    :ivar likeliest: weight of the logit of :attr:`Signs.likeliest`. :ivar apart: of :attr:`Signs.apart`.
    :ivar spread: of the logarithm of :attr:`Signs.spread`.
    :ivar kind: of the logit of :attr:`Signs.kind`; the others of the logits of the signs of the same names.
    """

    bias: float
    likeliest: float
    apart: float
    spread: float
    kind: float = 0.0
    face: float = 0.0
    whole: float = 0.0

    def __call__(self, signs: FaceSigns) -> float:
        """Return the probability, 0..1, that the likeliest face is the one that lies up."""
        weights = (self.likeliest, self.apart, self.spread, self.kind, self.face, self.whole)
        return sigmoid(self.bias + sum(w * value for w, value in zip(weights, signs.values, strict=True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoDie:
    """Tells how surely a find is no die, by three looks: at its face, at it and what lies round it, and from afar.

    A blank face seen near looks like no die; a mark in print, seen near, like a face.

    :ivar near: weight of the logit of what the look at the face says. :ivar whole: likewise, of the look at all of it.
    :ivar score: of the locator's score, which says the contrary.
    """

    bias: float
    near: float
    whole: float
    score: float

    def __call__(self, near: float, whole: float, score: float) -> float:
        """Return the probability, 0..1, that this is no die.

        :param near: that it is none, by the face. :param whole: by all of it. :param score: that it is one, from afar.
        """
        weighed = self.near * logit(near) + self.whole * logit(whole) + self.score * logit(score)
        return sigmoid(self.bias + weighed)


def logit(share: float) -> float:
    """Return the logarithm of the odds of a share, 0..1, kept from the ends."""
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))


def sigmoid(logarithm: float) -> float:
    """Return the share, 0..1, whose odds have that logarithm."""
    return 1 / (1 + math.exp(-logarithm))
