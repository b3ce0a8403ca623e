"""The names that the networks' outputs stand for, and the geometry they regress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from models.labelled import Labelled
from tableside.dice import Face, Point, face_of, find_sets
from tableside.reader.photo import Picture

RAYS = 16
TYPES = (
    "boost",
    "setback",
    "ability",
    "difficulty",
    "proficiency",
    "challenge",
    "force",
    "pip",
    "d10",
    "d100",
    "other",
)
SETS = find_sets(["narrative", "pips", "percentile"])
SET_OF = {t.name: s.name for s in SETS for t in s.types}
# the same symbol of two sets ("1" in pips, "1" as a number) looks unlike, so each set has its own prototypes
FACES: tuple[tuple[str, Face], ...] = (
    *dict.fromkeys((s.name, face) for s in SETS for t in s.types for face in t.distinct_faces),
    ("", ("?",)),
)
UNKNOWN = len(FACES) - 1
_DIRECTIONS = np.stack([np.cos(np.arange(RAYS) * 2 * np.pi / RAYS), np.sin(np.arange(RAYS) * 2 * np.pi / RAYS)], 1)


def die_at(point: Point, dice: Sequence[Labelled], picture: Picture) -> Labelled | None:
    """Return the labelled die that the point, in px, lies on, if any.

    Outlines end at the picture's edge; the middle of a die that it cuts may lie beyond.
    """
    height, width = picture.shape[:2]
    seen = (min(max(point[0], 0.0), width - 1.0), min(max(point[1], 0.0), height - 1.0))
    return next((die for die in dice if die.contains(seen)), None)


def type_index(entry: dict[str, Any]) -> int:
    return TYPES.index(entry["type"])


def face_index(entry: dict[str, Any]) -> int:
    return FACES.index((SET_OF.get(entry["type"], ""), face_of(entry["face"])))


def geometry(entry: dict[str, Any]) -> np.ndarray:
    """Return (7 + RAYS) numbers: silhouette centre x, y and radius, top centre x, y and radius, area share, rays in radii."""
    outline = np.array(entry["outline"], float)
    x, y = outline.T
    cross = x * np.roll(y, -1) - np.roll(x, -1) * y
    area = abs(cross.sum()) / 2
    centre = ((outline + np.roll(outline, -1, 0)) * cross[:, None]).sum(0) / (3 * cross.sum() + 1e-9)
    radius = np.sqrt(area / np.pi)
    top = np.array(entry["top"], float)
    middle = np.array(entry["center"], float)
    top_radius = np.linalg.norm(top - middle, axis=1).mean()
    return np.array(
        [
            *centre,
            radius,
            *middle,
            top_radius,
            float(entry.get("whole", True)),
            *(ray_lengths(outline, centre) / radius),
        ]
    )


def ray_lengths(outline: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return the distance from the centre to the convex outline along RAYS directions."""
    a = outline - centre
    edge = np.roll(a, -1, 0) - a
    lengths = np.zeros(RAYS)
    for i, d in enumerate(_DIRECTIONS):
        denominator = d[0] * edge[:, 1] - d[1] * edge[:, 0]
        safe = np.where(np.abs(denominator) < 1e-9, 1e-9, denominator)
        t = (a[:, 0] * edge[:, 1] - a[:, 1] * edge[:, 0]) / safe
        u = (a[:, 0] * d[1] - a[:, 1] * d[0]) / safe
        ok = (t > 0) & (u >= -1e-6) & (u <= 1 + 1e-6) & (np.abs(denominator) > 1e-9)
        lengths[i] = t[ok].min() if ok.any() else 1.0
    return np.maximum(lengths, 1.0)


def lift_of(entry: dict[str, Any]) -> np.ndarray:
    """Return the point (2,) of the upper face, px, that stands over the die's middle when the die lies flat.

    It is the face's middle, but on the kite of a d10 it halves the axis (``models/render/solids.py``). The axis
    is the diagonal that halves the other one, seen from wherever.
    """
    corners = np.array(entry["top"], float)
    if entry["kind"] != "d10" or len(corners) != 4:
        return np.array(entry["center"], float)
    one, other = corners[::2], corners[1::2]
    along = np.linalg.solve(np.stack([one[1] - one[0], other[0] - other[1]], 1), other[0] - one[0])
    off = np.abs(along - 0.5)  # of where they cross, along each, from its middle
    return (one if off[0] > off[1] else other).mean(0)
