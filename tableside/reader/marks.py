"""Decide between a large find and the smaller ones on it.

Either the large one is a die and the small ones are its marks, or they are dice and it is what they lie on, such as a
dark tray or a box. What shows faces more surely is dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tableside.reader.candidate import Candidate
from tableside.reader.confidence import logit, sigmoid
from tableside.reader.locate import lies_on


def are_rivals(one: Candidate, other: Candidate) -> bool:
    """Return whether one lies on the other, so that only one of them is a die."""
    return lies_on(one.found, other.found) or lies_on(other.found, one.found)


def weighed(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, each with the probability that it is neither a mark nor a tray as ``upper``.

    Finds that are likelier no dice than dice speak neither for what they lie on nor against it.
    """
    surely = [1.0] * len(candidates)
    for i, large in enumerate(candidates):
        on_it = [j for j, small in enumerate(candidates) if lies_on(small.found, large.found)]
        rivals = [candidates[j].evidence for j in on_it if candidates[j].is_likely]
        is_die = sigmoid(logit(large.evidence) - logit(sum(rivals))) if rivals else 1.0
        surely[i] = min(surely[i], is_die)
        for j in on_it:
            surely[j] = min(surely[j], 1 - is_die)
    return [replace(v, upper=share) for v, share in zip(candidates, surely, strict=True)]
