"""The probability that a find is a die at all, of a known set or not.

It comes from the networks and from the size of the dice around it. That the picture's edge
cuts it says nothing for or against it.

The weights are fitted by ``models/calibrate.py`` and stand in the classifier's card.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tableside.reader.candidate import Candidate
from tableside.reader.confidence import logit, sigmoid

_CLEAR_SCORE, _CLEAR_NOTHING = 0.8, 0.3  # whose size others are compared with
_MOST_UNLIKE = 1.0


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What the probability of being a die is computed from.

    :ivar nothing: probability that this is no die, by all views and the score.
    :ivar unlike: logarithm of how much larger or smaller it is than the clear dice around it; 0 without such.
    """

    nothing: float
    unlike: float = 0.0

    @property
    def values(self) -> tuple[float, float]:
        """The inputs of :class:`Presence`, in the order of its weights."""
        return logit(self.nothing), self.unlike


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Gives the probability that a find is a die of any kind, by logistic regression.

    The classifier doubts print and shadows, and the dice of one roll have about the same size.

    :ivar nothing: weight of the logit of :attr:`Cues.nothing`. The others are weights of the cues of their names.
    """

    bias: float
    nothing: float
    unlike: float = 0.0

    def __call__(self, cues: Cues) -> float:
        """Return the probability, 0..1, that a find with these cues is a die."""
        weights = (self.nothing, self.unlike)
        return sigmoid(self.bias + sum(w * v for w, v in zip(weights, cues.values, strict=True)))


def cues_of(candidates: Sequence[Candidate]) -> list[Cues]:
    """Return each candidate's cues; they are all of one picture."""
    clear = [v for v in candidates if v.found.score > _CLEAR_SCORE and v.nothing < _CLEAR_NOTHING]
    cues = []
    for candidate in candidates:
        others = [v.found.radius for v in clear if v is not candidate]
        unlike = abs(math.log(candidate.found.radius / median(others))) if others else 0.0
        cues.append(Cues(nothing=candidate.nothing, unlike=min(unlike, _MOST_UNLIKE)))
    return cues
