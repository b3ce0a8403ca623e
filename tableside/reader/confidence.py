"""Calibrate what the networks say: logistic regressions from their outputs to probabilities.

The weights are fitted by ``models/train/calibrate.py`` and stand in the classifier's card.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_LEAST = 1e-6
_LEAST_SPREAD = 0.01  # radii: the best that any place is measured


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceSigns:
    """What the probability of the likeliest face is calibrated by.

    :ivar likeliest: its probability.
    :ivar apart: distance between the upper face's middle by the two networks, in radii of the silhouette.
    :ivar spread: the error of the place network, in radii.
    :ivar kind: the probability of the type by the first view of the face.
    :ivar face: the probability of the face by that view.
    :ivar whole: the probability of the type by the view of the whole die.
    """

    likeliest: float
    apart: float
    spread: float
    kind: float
    face: float
    whole: float

    @property
    def values(self) -> tuple[float, float, float, float, float, float]:
        """The inputs of :class:`FaceConfidence`, in the order of its weights."""
        spread = math.log(max(self.spread, _LEAST_SPREAD))
        return logit(self.likeliest), self.apart, spread, logit(self.kind), logit(self.face), logit(self.whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceConfidence:
    """Gives the probability that a die shows its likeliest face.

    Most faces that are read wrongly and without doubt are another side of the die, taken for the upper one. The
    classifier cannot notice that. But then two networks place the middle of the upper face differently.

    :ivar likeliest: weight of the logit of :attr:`FaceSigns.likeliest`. :ivar apart: of :attr:`FaceSigns.apart`.
    :ivar spread: of the logarithm of :attr:`FaceSigns.spread`.
    :ivar kind: of the logit of :attr:`FaceSigns.kind`; the others of the logits of the signs of the same names.
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
    """Gives the probability that a find is no die, from three views: its face, all of it, and the first look from afar.

    Seen closely, a blank face looks like no die, and a printed mark looks like a face.

    :ivar near: weight of the logit by the view of the face.
    :ivar whole: weight of the logit by the view of all of it.
    :ivar score: weight of the logit of the locator's score, which counts against it.
    """

    bias: float
    near: float
    whole: float
    score: float

    def __call__(self, near: float, whole: float, score: float) -> float:
        """Return the probability, 0..1, that this is no die.

        :param near: the same by the view of the face. :param whole: the same by the view of all of it.
        :param score: the locator's, that it is a die.
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
