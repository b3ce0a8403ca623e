"""Tell dice that lie as they lay from dice that were thrown, on the tray and in photographs that are sent again.

A die is the same one where it lies where it lay and shows what it showed. A throw is the same one where that holds of
all of its dice, and the pictures look alike wherever one lies or lay: another throw may show as much at these places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from tableside.dice.face import Face
from tableside.dice.reading import Point

SAME_PLACE = 0.012
"""Share of the picture's width: a die that did not move is found again within this."""


class Lies(Protocol):
    """What lies somewhere: its place in shares of the picture's width, and what it shows, as far as that was read."""

    @property
    def place(self) -> Point: ...
    @property
    def shows(self) -> tuple[str, Face]: ...


T = TypeVar("T", bound=Lies)


def paired(
    before: Sequence[T], now: Sequence[T], reach: float, *, parts: int = 0
) -> tuple[tuple[tuple[T, T], ...], tuple[T, ...], tuple[T, ...]]:
    """Return pairs within reach, nearest first, and what is left of both.

    :param parts: how much must be the same: 0 nothing, 1 the type, 2 the face, too.
    """
    near = sorted(
        (math.dist(old.place, new.place), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(now)
        if old.shows[:parts] == new.shows[:parts]
    )
    olds, news, pairs = set(range(len(before))), set(range(len(now))), []
    for distance, i, j in near:
        if distance <= reach and i in olds and j in news:
            olds.discard(i)
            news.discard(j)
            pairs.append((before[i], now[j]))
    return tuple(pairs), tuple(before[i] for i in sorted(olds)), tuple(now[j] for j in sorted(news))


def is_same_throw(before: Sequence[T], now: Sequence[T], looks_alike: Callable[[T], bool]) -> bool:
    """Return whether dice that lie there are those that lay there, and not others like them.

    :param looks_alike: whether both pictures look alike round a place.
    """
    others = paired(before, now, SAME_PLACE, parts=2)[2]
    return not others and all(map(looks_alike, (*now, *before)))
