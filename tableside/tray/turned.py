"""Notice that the camera's picture was turned or mirrored while the dice did not move."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tableside.dice import Point

_TURNS: Sequence[Callable[[float, float], Point]] = (
    lambda x, y: (1 - x, 1 - y),
    lambda x, y: (1 - x, y),
    lambda x, y: (x, 1 - y),
    lambda x, y: (y, x),
    lambda x, y: (1 - y, x),
    lambda x, y: (y, 1 - x),
    lambda x, y: (1 - y, 1 - x),
)
"""Where each turn and each mirroring of the picture puts a place of the unit square."""
_SWAPS_SIDES = 3  # from this one on, width and height are swapped


def find_turn(before: Sequence[Point], after: Sequence[Point], *, aspect: float, reach: float) -> list[int] | None:
    """Return the index after of each place before, if the whole picture was turned or mirrored, else ``None``.

    A single place says nothing, since any die may come to lie there.

    :param before: in shares of the picture's width, as are those after.
    :param aspect: height of the picture after as a share of its width.
    :param reach: how far a place may be off, as a share of the picture's width.
    """
    if len(before) != len(after) or len(before) < 2:
        return None
    for number, turn in enumerate(_TURNS):
        old_aspect = aspect if number < _SWAPS_SIDES else 1 / aspect
        places = [turn(x, y / old_aspect) for x, y in before]
        found = _nearest_of_each([(x, y * aspect) for x, y in places], after, reach)
        if found is not None:
            return found
    return None


def _nearest_of_each(wanted: Sequence[Point], places: Sequence[Point], reach: float) -> list[int] | None:
    """Return the nearest place to each that is wanted, ``None`` where one of them has no place of its own."""
    found = [min((math.dist(one, place), j) for j, place in enumerate(places)) for one in wanted]
    nearest = [j for _, j in found]
    is_near = all(distance <= reach for distance, _ in found)
    return nearest if is_near and len(set(nearest)) == len(nearest) else None
