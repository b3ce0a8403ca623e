"""Of finds that lie on a far larger one, either they are dice and it passes for one, such as a dark tray or a box, or
it is the die and they are its marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tableside.reader.belief import logit, share_of
from tableside.reader.locate import lies_on
from tableside.reader.verdict import Verdict

_LEAST_NOTHING = 1e-4  # a probability of none below it says no more
_NO_TRAY = 0.3  # evidence of a die in what fills the picture: empty trays reach 0.25, one die in fifty has below 0.35
_WHOLE = 1.05  # of the picture's shorter side: what is longer is no whole die, but its tray
_ONE_PIP = ("1",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Nesting:
    """Weights of the logistic regression that tells a die that bears marks from what dice lie on.

    Marks are mistaken for dice that show nothing or one pip, hardly ever for those that show more. The weights are
    fitted by ``models/train/nested.py`` and stand in the classifier's card.

    :ivar score: weight of the logit of the larger find's score. :ivar nothing: of that of its probability of none.
    :ivar marked: of the most evidence of a smaller find that shows more than one pip. :ivar plain: of another.
    :ivar together: of the evidence of all that show more than one pip.
    """

    bias: float
    score: float
    nothing: float
    marked: float
    plain: float
    together: float

    def __call__(self, large: Verdict, on_it: Sequence[Verdict]) -> float:
        """Return the probability, 0..1, that the larger find is a die and those on it are its marks."""
        values = measured(large, on_it)
        weights = (self.score, self.nothing, self.marked, self.plain, self.together)
        return share_of(self.bias + sum(weight * value for weight, value in zip(weights, values, strict=True)))


def measured(large: Verdict, on_it: Sequence[Verdict]) -> tuple[float, ...]:
    """Return what :class:`Nesting` weighs, in the order of its weights."""
    marked = [v.evidence for v in on_it if _is_marked(v)]
    plain = [v.evidence for v in on_it if not _is_marked(v)]
    said = logit(large.found.score), logit(max(large.nothing, _LEAST_NOTHING))
    return *said, max(marked, default=0.0), max(plain, default=0.0), sum(marked)


def finds_on(verdicts: Sequence[Verdict], i: int) -> list[int]:
    """Return the indices of the finds that lie on the one of that index and are far smaller."""
    return [j for j, small in enumerate(verdicts) if lies_on(small.found, verdicts[i].found)]


def upper(verdicts: Sequence[Verdict], nesting: Nesting | None, side: float) -> list[Verdict]:
    """Leave out marks of dice, and trays and boxes with dice on them; what stays is as sure as that was to tell.

    :param nesting: without it, what shows a face most surely stays, and the other is left out.
    :param side: the picture's shorter one, px.
    """
    surely = [1.0] * len(verdicts)
    for i, large in enumerate(verdicts):
        on_it = finds_on(verdicts, i)
        is_empty = large.found.fills and large.evidence < _NO_TRAY
        if on_it:
            marks = [verdicts[j] for j in on_it]
            if nesting is None:
                is_die = float(not is_empty and large.evidence > max(v.evidence for v in marks))
            else:
                is_die = 0.0 if 2 * large.found.radius > _WHOLE * side else nesting(large, marks)
            surely[i] = min(surely[i], is_die)
            for j in on_it:
                surely[j] = min(surely[j], 1 - is_die)
        elif is_empty:
            surely[i] = 0.0
    return [replace(v, upper=share) for v, share in zip(verdicts, surely, strict=True) if share >= 0.5]


def _is_marked(verdict: Verdict) -> bool:
    face = verdict.ranked[0][1] if verdict.ranked else ()
    return bool(face) and face != _ONE_PIP
