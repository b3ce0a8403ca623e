"""The probability that a find is a die at all, of a known set or not.

It comes from the networks, from the size of the dice around it, and from whether the picture's edge cuts it.

The weights are fitted by ``models/train/calibrate.py`` and stand in the classifier's card.
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
_CUT = 0.05  # radii beyond the picture's edge


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What the probability of being a die is computed from.

    :ivar score: the locator's, 0..1.
    :ivar nothing: probability that this is no die, by all views and the score.
    :ivar unlike: logarithm of how much larger or smaller it is than the clear dice around it; 0 without such.
    :ivar alone: there are no clear dice around it.
    :ivar cut: the picture's edge cuts it.
    """

    score: float
    nothing: float
    unlike: float = 0.0
    alone: bool = False
    cut: bool = False

    @property
    def values(self) -> tuple[float, float, float, float, float]:
        """The inputs of :class:`Presence`, in the order of its weights."""
        return logit(self.score), logit(self.nothing), self.unlike, float(self.alone), float(self.cut)


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """Gives the probability that a find is a die of any kind, by logistic regression.

    The locator doubts dice unlike those it was trained on, the classifier doubts print and shadows, and the dice of one
    roll have about the same size.

    :ivar score: weight of the logit of :attr:`Cues.score`.
    :ivar nothing: weight of the logit of :attr:`Cues.nothing`. The others are weights of the cues of their names.
    """

    bias: float
    score: float
    nothing: float
    unlike: float = 0.0
    alone: float = 0.0
    cut: float = 0.0

    def __call__(self, cues: Cues) -> float:
        """Return the probability, 0..1, that a find with these cues is a die."""
        weights = (self.score, self.nothing, self.unlike, self.alone, self.cut)
        return sigmoid(self.bias + sum(w * v for w, v in zip(weights, cues.values, strict=True)))


def cues_of(candidates: Sequence[Candidate], width: int, height: int) -> list[Cues]:
    """Return each candidate's cues; they are all of one picture, whose size is in px."""
    clear = [v for v in candidates if v.found.score > _CLEAR_SCORE and v.nothing < _CLEAR_NOTHING]
    cues = []
    for candidate in candidates:
        found = candidate.found
        others = [v.found.radius for v in clear if v is not candidate]
        unlike = abs(math.log(found.radius / median(others))) if others else 0.0
        xs, ys = zip(*found.outline, strict=True)
        beyond = max(-min(xs), -min(ys), max(xs) - width, max(ys) - height)
        cues.append(
            Cues(
                score=found.score,
                nothing=candidate.nothing,
                unlike=min(unlike, _MOST_UNLIKE),
                alone=not others,
                cut=beyond > _CUT * found.radius,
            )
        )
    return cues
