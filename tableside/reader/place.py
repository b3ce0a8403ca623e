"""Measure each die that was found: its silhouette, its upper face, its type, whether it leans and whether it touches
anything.

The locator sees all dice at once and small. The place network sees one die at a time, as large as its pixels allow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tableside.dice import Point
from tableside.reader.confidence import logit, sigmoid
from tableside.reader.crop import Pyramid, pyramid_of, square
from tableside.reader.detection import Detection
from tableside.reader.locate import Locator, log_softmax, merge_finds, without_overlaps
from tableside.reader.network import Network, planes_of
from tableside.reader.photo import Picture

_BOUNDS = np.array([1.0, 1.0, 0.7, 1.5, 1.5, 1.5, 5.0, 15.0, 1.5, 1.5], np.float32)
"""No output departs by more than this from what the locator measured."""
_PLACES = len(_BOUNDS)
"""So many outputs are places. The others are logits: of types and none, of touching, and of leaning, given how flat
dice lie."""
COLOURS, SPOTS, FLATS = slice(0, 3), slice(3, 5), slice(5, 7)
"""Planes of the network's input."""
_POINTS = slice(0, 2), slice(3, 5), slice(8, 10)  # the middle, the upper face's, and the lift
_LARGEST = 0.6
"""Of the picture's shorter side. What has a larger radius is no die but its tray: a square that fills it has 0.56."""
_TURNS = (1.0, 2.3, 4.1)
"""Radians, of the views by which a measure is checked."""


class Placer:
    """Measures finds by the place network; see ``models/README.md``."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._side, self._reach = int(network.card["input_px"]), float(network.card["reach"])

    def placed(self, picture: Picture | Pyramid, found: Sequence[Detection]) -> list[Detection]:
        """Return the finds as the network measures them. Finds that turn out to be one die are merged."""
        if not found:
            return []
        moved = _apply_outputs(found, self._run(picture, found, 0.0)[:, :-1])
        return merge_finds(moved, surely=lambda one: one.score * (1 - math.exp(one.whole[-1])))

    def checked(
        self, picture: Picture | Pyramid, placed: Sequence[Detection], flats: Sequence[Point | None]
    ) -> list[Detection]:
        """Return finds measured once, each with the mean of that and of turned views of where it was found.

        :param flats: where the lift of each would be, px, if it lay as flat as the others; none where few tell.
        """
        if not placed:
            return []
        first = np.array([_outputs_of(f) for f in placed], np.float32)
        turned = np.array([self._run(picture, placed, turn, flats) for turn in _TURNS])
        measured = _apply_outputs(placed, np.mean([first, *turned[:, :, :-1]], axis=0))
        tilted = turned[:, :, -1].mean(axis=0).tolist()  # the first view did not know how flat dice lie
        return [
            replace(f, tilted=None if flat is None else logit)
            for f, logit, flat in zip(measured, tilted, flats, strict=True)
        ]

    def _run(
        self, picture: Picture | Pyramid, found: Sequence[Detection], turn: float, flats: Sequence[Point | None] = ()
    ) -> npt.NDArray[np.float32]:
        """Return the network's outputs for each find seen under that turn, places as for an unturned view."""
        c, s = math.cos(turn), math.sin(turn)
        back = np.array([[c, -s], [s, c]], np.float32)  # of row vectors
        blob = np.zeros((len(found), FLATS.stop, self._side, self._side), np.float32)
        for f, planes in zip(found, blob, strict=True):
            planes_of(square(picture, f.middle, f.radius * self._reach, self._side, turn), planes[COLOURS])
        spots = np.array([spot_of(picture, f.middle) for f in found], np.float32)
        blob[:, SPOTS] = (spots @ back.T)[:, :, None, None]
        for i, (f, flat) in enumerate(zip(found, flats, strict=False)):
            if flat is not None:
                off = (np.array(flat, np.float32) - f.middle) / f.radius
                blob[i, FLATS] = (off @ back.T)[:, None, None]
        outputs = self._network.run(blob)[0]
        outputs[:, :_PLACES] = np.clip(outputs[:, :_PLACES], -_BOUNDS, _BOUNDS)
        for point in _POINTS:
            outputs[:, point] = outputs[:, point] @ back
        return outputs


def spot_of(picture: Picture | Pyramid, middle: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Return where in the picture a point (2,), px, lies, from the picture's middle, in halves of its longer side."""
    height, width = picture.shape[:2]
    off = np.asarray(middle, np.float32) - np.array([width, height], np.float32) / 2
    return np.asarray(np.clip(off / (max(width, height) / 2), -1.0, 1.0), np.float32)


class MeasuringLocator:
    """Finds dice and measures each: the locator, then the place network.

    :param models_folder: holds both with their cards.
    :param camera_stays: one camera takes all pictures.
    :raises ModelError: when one is missing or damaged.
    """

    def __init__(self, models_folder: Path, *, camera_stays: bool = False) -> None:
        self._locator = Locator(Network(models_folder, "locator"), camera_stays=camera_stays)
        self._placer = Placer(Network(models_folder, "place"))

    def find(self, picture: Picture | Pyramid) -> list[Detection]:
        """Return the dice of a (h, w, 3) BGR picture, surest first."""
        picture = pyramid_of(picture)
        found = self._locator.find(picture)
        largest = _LARGEST * min(picture.shape[:2])
        return [one for one in self._placer.placed(picture, found) if one.radius < largest]

    def detect(self, picture: Picture | Pyramid) -> list[Detection]:
        """Return where dice are by one look of the locator alone."""
        return without_overlaps(self._locator.detect(picture))

    def checked(
        self, picture: Picture | Pyramid, found: Sequence[Detection], flats: Sequence[Point | None]
    ) -> list[Detection]:
        """Return finds measured more exactly, in four times the time of the first measure; see :class:`Placer`."""
        return self._placer.checked(picture, found, flats)


def _apply_outputs(found: Sequence[Detection], outputs: npt.NDArray[np.float32]) -> list[Detection]:
    """Return each find with the places and types that the network gave it."""
    kinds, touches = log_softmax(outputs[:, _PLACES:-1]), outputs[:, -1].tolist()
    places = outputs[:, :_PLACES].tolist()
    return [
        replace(_moved_one(f, row), whole=kind, touches=sigmoid(touch))
        for f, row, kind, touch in zip(found, places, kinds, touches, strict=True)
    ]


def _moved_one(found: Detection, outputs: Sequence[float]) -> Detection:
    x, y, log_radius, top_x, top_y, log_top_radius, log_spread, leans, lift_x, lift_y = outputs
    radius = found.radius * math.exp(log_radius)
    middle = _at(found, x, y)
    share = radius / found.radius
    outline = tuple(
        (middle[0] + (px - found.middle[0]) * share, middle[1] + (py - found.middle[1]) * share)
        for px, py in found.outline
    )
    return replace(
        found,
        middle=middle,
        radius=radius,
        outline=outline,
        top=_at(found, top_x, top_y),
        top_radius=found.radius * math.exp(log_top_radius),
        lift=_at(found, lift_x, lift_y),
        spread=math.exp(log_spread) * found.radius / radius,
        leans=sigmoid(leans),
    )


def _outputs_of(found: Detection) -> tuple[float, ...]:
    """Return a find in the form of the network's outputs."""
    (x, y), radius = found.middle, found.radius
    top, lift = (((px - x) / radius, (py - y) / radius) for px, py in (found.top, found.lift))
    logs = (math.log(found.top_radius / radius), math.log(found.spread), logit(found.leans))
    return (0.0, 0.0, 0.0, *top, *logs, *lift, *found.whole.tolist(), logit(found.touches))


def _at(found: Detection, x: float, y: float) -> Point:
    return found.middle[0] + x * found.radius, found.middle[1] + y * found.radius
