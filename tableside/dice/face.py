"""A face is a multiset of symbols; a die shows one face."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

Face: TypeAlias = tuple[str, ...]
"""The symbols on a face, in canonical (alphabetical) order. A blank is ``()``, a number ``("5",)``."""

BLANK: Face = ()


def face_of(symbols: Iterable[str]) -> Face:
    """Return the canonical face of these symbols: order does not matter, number does."""
    return tuple(sorted(symbols))


def face_name(face: Face) -> str:
    """Say a face in words: ``"blank"``, ``"success"``, ``"2 threat"``, ``"advantage + success"``."""
    if not face:
        return "blank"
    counts = {symbol: face.count(symbol) for symbol in face}
    return " + ".join(symbol if n == 1 else f"{n} {symbol}" for symbol, n in counts.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A die that lies with one face up.

    :ivar type: a name in a dice set, such as ``"ability"``.
    :ivar colour: of its body as ``#rrggbb``, ``""`` where nobody saw it. Dice that differ in nothing else are equal.
    """

    type: str
    face: Face
    colour: str = field(default="", compare=False)
