"""Whether dice are fair: Pearson's chi-square, in plain words. Few throws say nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tableside.dice import DieType, Face
from tableside.words import say, sentences, words_json

_LEAST_EXPECTED = 5
"""So many throws of the rarest face have to be expected, or the chi-square distribution does not hold (Cochran)."""
_ODD, _VERY_ODD = 0.01, 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Fairness:
    """What the throws of one die type say.

    :ivar counts: face by face, how often it came and how often a fair die shows it.
    :ivar p: how often fair dice come out at least so uneven, ``None`` where there are too few throws to say.
    """

    type: str
    throws: int
    counts: tuple[tuple[Face, int, float], ...]
    chi_square: float
    freedom: int
    p: float | None
    words: str

    def to_json(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "throws": self.throws,
            "faces": [
                {"face": list(face), "count": count, "expected": round(expected, 2)}
                for face, count, expected in self.counts
            ],
            "chi_square": round(self.chi_square, 3),
            "freedom": self.freedom,
            "p": self.p,
            "sentence": self.words,
            "words": words_json(sentence=self.words),
        }


def fairness_of(die: DieType, counts: Mapping[Face, int], *, compared: int = 1) -> Fairness:
    """Judge the throws of one die type.

    :param compared: so many die types are looked at together; the more, the likelier one looks odd by chance.
    """
    faces = tuple(die.distinct_faces)
    weights = [sum(tuple(sorted(one)) == tuple(sorted(face)) for one in die.faces) for face in faces]
    seen = [counts.get(face, 0) for face in faces]
    throws, total = sum(seen), sum(weights)
    expected = [throws * weight / total for weight in weights]
    chi_square = sum((n - e) ** 2 / e for n, e in zip(seen, expected, strict=True)) if throws else 0.0
    p = chi_square_tail(chi_square, len(faces) - 1) if min(expected) >= _LEAST_EXPECTED else None
    return Fairness(
        type=die.name,
        throws=throws,
        counts=tuple(zip(faces, seen, expected, strict=True)),
        chi_square=chi_square,
        freedom=len(faces) - 1,
        p=p,
        words=_words(throws, p, compared, seen, expected, faces),
    )


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the chance that a chi-square variable is at least ``value`` (series of Abramowitz and Stegun 26.4)."""
    if value <= 0 or freedom <= 0:
        return 1.0
    half = value / 2
    if freedom % 2:
        tail, term, step = math.erfc(math.sqrt(half)), math.exp(-half) * math.sqrt(half / math.pi) * 2, 1.5
    else:
        tail, term, step = math.exp(-half), math.exp(-half) * half, 2.0
    while step <= freedom / 2:
        tail += term
        term *= half / step
        step += 1
    return min(1.0, tail)


def _words(
    throws: int, p: float | None, compared: int, seen: Sequence[int], expected: Sequence[float], faces: Sequence[Face]
) -> str:
    if not throws:
        return "Not thrown yet."
    if p is None:
        return say("{n} {n:throw|throws} are too few to say.", n=throws)
    if p * max(compared, 1) >= _ODD:
        return say("Nothing odd in {n} {n:throw|throws}.", n=throws)
    gaps = [(n - e) / math.sqrt(e) for n, e in zip(seen, expected, strict=True)]
    place = max(range(len(gaps)), key=lambda n: abs(gaps[n]))
    often = say(
        "{face} came {seen} times where {usual} are usual",
        face=list(faces[place]) or "blank", seen=seen[place], usual=f"{expected[place]:.0f}",
    )  # fmt: skip
    if p * max(compared, 1) >= _VERY_ODD:
        start = say("Uneven in {n} {n:throw|throws}: {often}.", n=throws, often=often)
        return sentences(start, say("Chance alone does this about once in {n}; keep counting.", n=round(1 / p)))
    start = say("Odd in {n} {n:throw|throws}: {often}.", n=throws, often=often)
    return sentences(start, "Chance alone hardly does this; look at the die, and at how it is read.")
