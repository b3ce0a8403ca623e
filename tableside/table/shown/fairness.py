"""Whether dice are fair: Pearson's chi-square, in plain words. Few throws say nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from tableside.dice import DieType, Face
from tableside.record import Record
from tableside.words import say, sentences

_LEAST_EXPECTED = 5
"""So many throws of the rarest face have to be expected, or the chi-square distribution does not hold (Cochran)."""
_ODD, _VERY_ODD = 0.01, 0.001


class FaceCount(Record, frozen=True, kw_only=True):
    """How often a face came, and how often a fair die shows it."""

    digits: ClassVar[Mapping[str, int]] = {"expected": 2}

    face: Face
    count: int
    expected: float


class Fairness(Record, frozen=True, kw_only=True):
    """What the throws of one die type say.

    :ivar p: how often fair dice come out at least so uneven, ``None`` where there are too few throws to say.
    """

    texts = ("sentence",)
    digits: ClassVar[Mapping[str, int]] = {"chi_square": 3}

    type: str
    throws: int
    faces: tuple[FaceCount, ...]
    chi_square: float
    freedom: int
    p: float | None
    sentence: str


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
        faces=tuple(
            FaceCount(face=face, count=n, expected=e) for face, n, e in zip(faces, seen, expected, strict=True)
        ),
        chi_square=chi_square,
        freedom=len(faces) - 1,
        p=p,
        sentence=_sentence(throws, p, compared, seen, expected, faces),
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


def _sentence(
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
