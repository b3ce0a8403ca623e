"""Tell that the camera's picture was turned or mirrored, while the dice lie as they lay."""

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
"""Where a place of the unit square comes to lie by each turn of the picture, and by each mirror."""
_SWAPS_SIDES = 3  # from this one on width and height change places


def turned(before: Sequence[Point], after: Sequence[Point], *, aspect: float, reach: float) -> list[int] | None:
    """Return which of the places after is which of those before where the whole picture was turned or mirrored.

    ``None`` where it was not. One place alone tells nothing: any die may come to lie there.

    :param before: in shares of the picture's width, as are those after.
    :param aspect: height of the picture after as a share of its width.
    :param reach: so far a place may be off, as a share of the picture's width.
    """
    if len(before) != len(after) or len(before) < 2:
        return None
    for number, turn in enumerate(_TURNS):
        old_aspect = aspect if number < _SWAPS_SIDES else 1 / aspect
        places = [turn(x, y / old_aspect) for x, y in before]
        found = _matched([(x, y * aspect) for x, y in places], after, reach)
        if found is not None:
            return found
    return None


def _matched(wanted: Sequence[Point], places: Sequence[Point], reach: float) -> list[int] | None:
    """Return the nearest place to each that is wanted, ``None`` where one has none of its own within reach."""
    found = [min((math.dist(one, place), j) for j, place in enumerate(places)) for one in wanted]
    nearest = [j for _, j in found]
    is_near = all(distance <= reach for distance, _ in found)
    return nearest if is_near and len(set(nearest)) == len(nearest) else None
