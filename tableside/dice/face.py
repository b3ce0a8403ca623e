"""A face is a multiset of symbols; a die shows one face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tableside.errors import BadFace
from tableside.words import say

MOST_SYMBOLS = 12
"""On one face."""
MOST_LETTERS = 40
"""In the name of one symbol."""

Face: TypeAlias = tuple[str, ...]
"""The symbols on a face, in canonical (alphabetical) order. A blank is ``()``, a number ``("5",)``."""

BLANK: Face = ()


def face_of(symbols: Iterable[str]) -> Face:
    """Return the canonical face of these symbols: order does not matter, number does.

    :raises BadFace: where no face is like that.
    """
    face = tuple(sorted(symbols))
    if fault := face_fault(face):
        raise BadFace(
            "a face {fault}",
            fault=fault,
            hint=say(
                "A face has at most {symbols} symbols of {letters} letters.",
                symbols=MOST_SYMBOLS,
                letters=MOST_LETTERS,
            ),
        )
    return face


def face_fault(symbols: Sequence[str]) -> str:
    """Return what is wrong with a face, such as ``"has 20 symbols"``; ``""`` where it may be one."""
    if len(symbols) > MOST_SYMBOLS:
        return say("has {n} symbols", n=len(symbols))
    return next((say("has a symbol of {n} letters", n=len(one)) for one in symbols if len(one) > MOST_LETTERS), "")


def face_name(face: Face) -> str:
    """Say a face in words: ``"blank"``, ``"success"``, ``"2 threat"``, ``"advantage + success"``."""
    if not face:
        return "blank"
    return " + ".join(symbol if n == 1 else f"{n} {symbol}" for symbol, n in Counter(face).items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A die that lies with one face up.

    :ivar type: a name in a dice set, such as ``"ability"``.
    :ivar colour: of its body as ``#rrggbb``, ``""`` where nobody saw it. Dice that differ in nothing else are equal.
    """

    type: str
    face: Face
    colour: str = field(default="", compare=False)
