"""Decide between a large find and the smaller ones on it.

Either the large one is a die and the small ones are its marks, or they are dice and it is what they lie on, such as a
dark tray or a box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tableside.reader.candidate import Candidate
from tableside.reader.confidence import logit, sigmoid
from tableside.reader.locate import lies_on

_LEAST_NOTHING = 1e-4  # smaller probabilities of being no die mean the same
_WHOLE = 1.05  # of the picture's shorter side: what is longer is no die but its tray
_ONE_PIP = ("1",)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkModel:
    """Logistic regression that decides whether a large find is a die with marks, or something that dice lie on.

    Marks are mistaken for dice that show nothing or one pip, hardly ever for dice that show more. The weights are
    fitted by ``models/train/marks.py`` and stand in the classifier's card.

    :ivar score: weight of the logit of the larger find's score.
    :ivar nothing: weight of the logit of its probability of being no die.
    :ivar marked: weight of the strongest evidence of a smaller find that shows more than one pip.
    :ivar plain: the same for the other smaller finds.
    :ivar together: weight of the evidence of all that show more than one pip.
    """

    bias: float
    score: float
    nothing: float
    marked: float
    plain: float
    together: float

    def __call__(self, large: Candidate, on_it: Sequence[Candidate]) -> float:
        """Return the probability, 0..1, that the larger find is a die and those on it are its marks."""
        values = mark_features(large, on_it)
        weights = (self.score, self.nothing, self.marked, self.plain, self.together)
        return sigmoid(self.bias + sum(weight * value for weight, value in zip(weights, values, strict=True)))


def mark_features(large: Candidate, on_it: Sequence[Candidate]) -> tuple[float, ...]:
    """Return the inputs of :class:`MarkModel`, in the order of its weights."""
    marked = [v.evidence for v in on_it if _is_marked(v)]
    plain = [v.evidence for v in on_it if not _is_marked(v)]
    logits = logit(large.found.score), logit(max(large.nothing, _LEAST_NOTHING))
    return *logits, max(marked, default=0.0), max(plain, default=0.0), sum(marked)


def finds_on(candidates: Sequence[Candidate], i: int) -> list[int]:
    """Return the indices of the much smaller finds that lie on the one with index ``i``."""
    return [j for j, small in enumerate(candidates) if lies_on(small.found, candidates[i].found)]


def without_marks(candidates: Sequence[Candidate], model: MarkModel | None, side: float) -> list[Candidate]:
    """Leave out marks of dice, and trays and boxes with dice on them. ``upper`` of what stays says how sure that was.

    :param model: without it, what shows a face most surely stays, and the other is left out.
    :param side: the picture's shorter one, px.
    """
    surely = [1.0] * len(candidates)
    for i, large in enumerate(candidates):
        on_it = finds_on(candidates, i)
        if on_it:
            marks = [candidates[j] for j in on_it]
            if model is None:
                is_die = float(large.evidence > max(v.evidence for v in marks))
            else:
                is_die = 0.0 if 2 * large.found.radius > _WHOLE * side else model(large, marks)
            surely[i] = min(surely[i], is_die)
            for j in on_it:
                surely[j] = min(surely[j], 1 - is_die)
    return [replace(v, upper=share) for v, share in zip(candidates, surely, strict=True) if share >= 0.5]


def _is_marked(candidate: Candidate) -> bool:
    face = candidate.ranked[0][1] if candidate.ranked else ()
    return bool(face) and face != _ONE_PIP
