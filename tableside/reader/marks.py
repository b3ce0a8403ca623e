"""Decide between a large find and the smaller ones on it.

Either the large one is a die and the small ones are its marks, or they are dice and it is what they lie on, such as a
dark tray or a box. What is more surely dice is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tableside.reader.candidate import Candidate
from tableside.reader.locate import lies_on


def weigh_marks(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates, each with the probability that it is neither a mark nor a tray as ``upper``.

    Finds that are likelier no dice than dice speak neither for nor against others.
    """
    surely = [1.0] * len(candidates)
    for i, large in enumerate(candidates):
        on_it = [j for j, small in enumerate(candidates) if lies_on(small.found, large.found)]
        rivals = sum(candidates[j].odds for j in on_it if candidates[j].is_likely)
        is_die = large.odds / (large.odds + rivals) if large.is_likely else 0.0 if rivals else 1.0
        surely[i] = min(surely[i], is_die)
        for j in on_it:
            surely[j] = min(surely[j], 1 - is_die)
    return [replace(v, upper=share) for v, share in zip(candidates, surely, strict=True)]
