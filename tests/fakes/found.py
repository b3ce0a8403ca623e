"""A die as the locator would tell it, for what comes after."""

from __future__ import annotations

import numpy as np

from tableside.dice import Point
from tableside.reader.detection import Detection


def found(
    spot: Point,
    score: float = 0.9,
    *,
    radius: float = 40.0,
    top_radius: float = 30.0,
    outline: tuple[Point, ...] | None = None,
) -> Detection:
    """Return a die that lies flat there, of a kind that nobody knows."""
    return Detection(
        score=score,
        middle=spot,
        radius=radius,
        outline=(spot,) * 16 if outline is None else outline,
        top=spot,
        top_radius=top_radius,
        types=np.zeros(11, np.float32),
        whole=np.zeros(12, np.float32),
        comfort=score,
        lift=spot,
    )
