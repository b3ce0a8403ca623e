"""How the solids are drawn, by the pages and by whoever else draws dice; the numbers are in ``solids.json``."""

from __future__ import annotations

import functools
from pathlib import Path

import msgspec

from tableside.typed import decoded

FILE = Path(__file__).with_name("solids.json")


class Solid(msgspec.Struct, frozen=True):
    """How a die is drawn, in a square of 100.

    :ivar outer: its outline. :ivar face: what is seen of it.
    :ivar one: size of a single symbol. :ivar two: of several.
    :ivar at: where the symbols are.
    :ivar round: radius of the corners of outline and face, where these are squares.
    """

    outer: tuple[tuple[float, float], ...]
    face: tuple[tuple[float, float], ...]
    one: float
    two: float
    at: tuple[float, float]
    round: tuple[float, float] | None = None


class Drawn(msgspec.Struct, frozen=True, rename="camel"):
    """How all dice are drawn.

    :ivar lightest: share of white in a facet that looks at the lamp. :ivar darkest: of black in one that looks away.
    :ivar lamp: its direction. :ivar whole_face: size of a symbol that fills its face.
    :ivar step: from one symbol to the next, in sizes. :ivar solids: by their names.
    """

    lightest: float
    darkest: float
    lamp: tuple[float, float]
    whole_face: float
    step: float
    solids: dict[str, Solid]


@functools.cache
def drawn() -> Drawn:
    """Return how dice are drawn."""
    return decoded(FILE.read_bytes(), Drawn)
