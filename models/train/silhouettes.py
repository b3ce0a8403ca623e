"""Cut every die out of rendered scenes, with what lies round it.

A crop is SIDE px square and reaches REACH silhouette radii from the silhouette's middle. With each stands its type; of
dice that are whole also where the upper face is, (x, y, log of the circumradius) in silhouette radii, the point of it
that stands over the middle of a die that lies flat, likewise, whether the die leans, and the corners of both, px. There
are crops of no die, too: of where none lies, and of what a locator takes for one.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

from models.labelled import read_label
from models.train.crops import CORNERS, NONE, corners_of, cut, empty_spots, mistaken
from models.train.labels import geometry, lift_of, type_index
from tableside.dice import BLANK, face_of
from tableside.reader.place import spot_of
from tableside.reader.plane import HEIGHTS, Posture, flat_lift

SIDE = 104
REACH = 2.2
_NEAR = 0.12  # radii
LABELS = (
    "tops",
    "lifts",
    "cocked",
    "radius",
    "outlines",
    "faces",
    "types",
    "placed",
    "blank",
    "possible",
    "touches",
    "spots",
    "flats",
)
"""Names of what is stored with each picture, in the order of :class:`Cut`."""
_UNKNOWN = np.zeros((CORNERS, 2), np.float32)
_NOWHERE = np.full(2, np.nan, np.float32)
_MEASURED_OFF = 0.04  # radii, either way: how far off the reader measures lifts, as a rule


class Cut(NamedTuple):
    """One crop. Of what is not ``placed`` (no die, or one that is cut off or covered) only ``type`` and ``radius`` mean
    something: top (3,), lift (2,), whether it leans, native radius px, outline and face (CORNERS, 2), type, whether
    its upper face is blank.

    :ivar possible: it lies as a real one could: it is flat, or touches what it may lean on. :ivar touches: 1 where it
        touches something that it could lean on, 0 where it lies free, -1 where that is not known; where scenes do not
        say it, walls and things count for nothing, as few flat dice touch one there. :ivar spot: (2,), where in the
        picture it lies; see :func:`tableside.reader.place.spot_of`. :ivar flat: (2,), where the lift would be if it lay
        as flat as the others; see :func:`flats_of`."""

    picture: np.ndarray
    top: np.ndarray
    lift: np.ndarray
    cocked: bool
    radius: np.float32
    outline: np.ndarray
    face: np.ndarray
    type: int
    placed: bool
    blank: bool
    possible: bool
    touches: int
    spot: np.ndarray
    flat: np.ndarray


def cuts_of(path: Path) -> list[Cut]:
    """Return every die of a scene, also those that are cut off or covered, and some things that are no dice."""
    picture = cv2.imread(str(path.with_suffix(".jpg")))
    rng = np.random.default_rng([int(path.stem), 1])
    truth = json.loads(path.read_text())["dice"]
    shapes = [geometry(entry) for entry in truth]
    flats = flats_of(truth, max(picture.shape[:2]), np.random.default_rng([int(path.stem), 2]))
    found = []
    for entry, shape, flat in zip(truth, shapes, flats, strict=True):
        x, y, radius, top_x, top_y, top_radius = shape[:6]
        middle, kind = np.array([x, y]), type_index(entry)
        if not entry["whole"]:
            found.append(_unplaced(picture, middle, radius, kind))
            continue
        top = np.array([(top_x - x) / radius, (top_y - y) / radius, np.log(top_radius / radius)], np.float32)
        lift = ((lift_of(entry) - (x, y)) / radius).astype(np.float32)
        crop = cut(picture, middle, radius, side=SIDE, reach=REACH)
        outline, face = (corners_of(entry[name], middle, radius, side=SIDE, reach=REACH) for name in ("outline", "top"))
        leans, is_blank = bool(entry["cocked"]), face_of(entry["face"]) == BLANK
        is_at_die = touches(entry, truth, _NEAR * radius)
        could = not leans or entry.get("propped", False) or is_at_die
        at = int(entry.get("touches", -1 if leans else is_at_die))
        lies = (leans, np.float32(radius), outline, face, kind, True, is_blank, could, at)
        found.append(Cut(crop, top, lift, *lies, spot_of(picture, middle), flat))
    false = mistaken(picture, shapes, read_label(path.with_suffix(".json")).dice)
    for spot, radius in [*((np.array(f.middle), f.radius) for f in false), *empty_spots(picture, shapes, rng)]:
        found.append(_unplaced(picture, spot, radius, NONE))
    return found


def flats_of(truth: list[dict[str, Any]], size: float, rng: np.random.Generator) -> list[np.ndarray]:
    """Return of each die where its lift would be if it lay as flat as the others, (2,) in radii from the silhouette's
    middle, as the reader would tell it from these; NaN where too few tell.

    :param size: the picture's longer side, px.
    """
    postures = {i: _posture(entry) for i, entry in enumerate(truth) if entry["whole"] and entry["kind"] in HEIGHTS}
    off = rng.normal(0, _MEASURED_OFF, (len(truth), 2))
    measured = {
        i: replace(die, lift=(die.lift[0] + off[i, 0] * die.radius, die.lift[1] + off[i, 1] * die.radius))
        for i, die in postures.items()
    }
    flats = [_NOWHERE] * len(truth)
    for i, die in postures.items():
        if lift := flat_lift([other for j, other in measured.items() if j != i], die, size=size):
            flats[i] = ((np.array(lift) - die.middle) / die.radius).astype(np.float32)
    return flats


def _posture(entry: dict[str, Any]) -> Posture:
    x, y, radius = (float(v) for v in geometry(entry)[:3])
    lift_x, lift_y = lift_of(entry).tolist()
    return Posture(
        middle=(x, y), lift=(lift_x, lift_y), radius=radius, spread=_MEASURED_OFF, leans=0.5, solid=entry["kind"]
    )


def touches(entry: dict[str, Any], entries: list[dict[str, Any]], near: float) -> bool:
    """Return whether another die lies within so many px of a die."""
    outline = np.array(entry["outline"], np.float32)
    return any(
        cv2.pointPolygonTest(outline, (float(x), float(y)), True) > -near
        for other in entries
        if other is not entry
        for x, y in other["outline"]
    )


def _unplaced(picture: np.ndarray, middle: np.ndarray, radius: float, kind: int) -> Cut:
    crop, spot = cut(picture, middle, radius, side=SIDE, reach=REACH), spot_of(picture, middle)
    top, lift, radius = np.zeros(3, np.float32), np.zeros(2, np.float32), np.float32(radius)
    return Cut(crop, top, lift, False, radius, _UNKNOWN, _UNKNOWN, kind, False, False, False, -1, spot, _NOWHERE)
