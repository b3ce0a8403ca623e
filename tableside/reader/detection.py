"""What is found before it is named."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tableside.dice import Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """A die as the locator sees it, in pixels of the full picture.

    :ivar score: 0..1, how surely this is a die.
    :ivar radius: of the disc with the silhouette's area.
    :ivar top_radius: mean distance from ``top`` to the upper face's corners.
    :ivar types: log-probabilities over the card's types.
    :ivar whole: likewise over them and none, by the place network.
    :ivar lift: the point of the upper face that stands over ``middle`` when the die lies flat and is seen from straight
        above; the same as ``top``, except for a d10.
    :ivar spread: the error of ``lift`` against ``middle``, in radii.
    :ivar leans: 0..1, how surely the die leans, seen by itself.
    :ivar touches: 0..1, how surely it touches a wall, another die or a thing, without which none can lean.
    :ivar tilted: logit that it leans, given where a flat die's lift would be; none where that is not known.
    :ivar comfort: score, less where the die is near the ends of the network's range of sizes.
    """

    score: float
    middle: Point
    radius: float
    outline: tuple[Point, ...]
    top: Point
    top_radius: float
    types: npt.NDArray[np.float32] = field(compare=False)
    whole: npt.NDArray[np.float32] = field(compare=False)
    comfort: float
    lift: Point
    spread: float = 0.1
    leans: float = 0.0
    touches: float = 1.0
    tilted: float | None = None
