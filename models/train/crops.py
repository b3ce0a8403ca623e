"""Cut every upper face out of rendered scenes.

A crop is CROP px square and reaches MARGIN circumradii from the middle of the upper face.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.labelled import Labelled, read_label
from models.train.labels import TYPES, UNKNOWN, die_at, face_index, geometry, type_index
from tableside.reader.detection import Detection
from tableside.reader.locate import Locator
from tableside.reader.network import Network

CROP = 112
MARGIN = 1.75
NONE = len(TYPES)  # the classifier's extra type: not a die at all
UNMEASURED = np.full(2, np.nan, np.float32)
CORNERS = 24  # kept of an outline; its last corner is repeated where it has fewer
UNPLACED = np.full((2, CORNERS, 2), np.nan, np.float32)


class Stored:
    """Crops of several files, one after another, left on disk until they are asked for.

    :param paths: each names a ``.npz`` of labels with its pictures beside it as ``.npy``.
    """

    def __init__(self, paths: list[Path]) -> None:
        self.labels = [np.load(path) for path in paths]
        self._pictures = [np.load(path.with_suffix(".npy"), mmap_mode="r") for path in paths]
        self.starts = np.cumsum([0, *(len(part) for part in self._pictures)])

    def __getitem__(self, i: int) -> np.ndarray:
        part = int(np.searchsorted(self.starts, i, side="right")) - 1
        return np.asarray(self._pictures[part][i - self.starts[part]])


def store(out: Path, names: Sequence[str], found: Sequence[tuple[Any, ...]]) -> None:
    """Write crops as :class:`Stored` takes them: the labels of those names to ``out``, the pictures beside it.

    :param found: of each crop the picture, then its labels in the order of the names.
    """
    pictures, *labels = (np.array(part) for part in zip(*found, strict=True))
    np.save(out.with_suffix(".npy"), pictures)
    whole = out.with_suffix(".new.npz")  # what has its name is whole
    np.savez(whole, **dict(zip(names, labels, strict=True)))
    whole.replace(out)


def cut(
    picture: np.ndarray, centre: np.ndarray, radius: float, *, side: int = CROP, reach: float = MARGIN
) -> np.ndarray:
    """Return the (side, side, 3) crop round ``centre`` in px, reaching ``reach`` times ``radius``."""
    scale = side / (2 * reach * radius)
    source = picture
    while scale < 0.6:  # halve first, so that nothing aliases
        source = cv2.resize(source, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        centre, scale = np.asarray(centre) / 2, scale * 2
    matrix = np.array([[scale, 0, side / 2 - scale * centre[0]], [0, scale, side / 2 - scale * centre[1]]])
    return cv2.warpAffine(source, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def rise_of(shape: np.ndarray) -> np.ndarray:
    """Return how far the upper face's middle stands off the silhouette's, (2,) in the face's circumradii."""
    return ((shape[3:5] - shape[:2]) / shape[5]).astype(np.float32)


def corners_of(
    points: Sequence[Sequence[float]], middle: np.ndarray, radius: float, *, side: int = CROP, reach: float = MARGIN
) -> np.ndarray:
    """Return corners as they lie in the crop of the same measures, (CORNERS, 2) px; of a finer outline, as many evenly chosen."""
    at = (np.array(points) - middle) / radius * side / (2 * reach) + side / 2
    if len(at) > CORNERS:
        at = at[np.arange(CORNERS) * len(at) // CORNERS]
    return np.concatenate([at, np.repeat(at[-1:], CORNERS - len(at), axis=0)]).astype(np.float32)


def crops_of(path: Path) -> list[tuple[np.ndarray, int, int, bool, float, np.ndarray, np.ndarray]]:
    """Return (crop, type, face, cocked, native radius px, rise, corners) for every whole die, and two crops of no die.

    The corners, (2, CORNERS, 2) px in the crop, are the silhouette's and the upper face's.
    """
    picture = cv2.imread(str(path.with_suffix(".jpg")))
    truth = json.loads(path.read_text())["dice"]
    rng = np.random.default_rng(int(path.stem))
    found = []
    shapes = [geometry(entry) for entry in truth]
    for entry, shape in zip(truth, shapes, strict=True):
        if entry["whole"]:
            found.append(
                (
                    cut(picture, shape[3:5], shape[5]),
                    type_index(entry),
                    face_index(entry),
                    bool(entry["cocked"]),
                    shape[5],
                    rise_of(shape),
                    np.stack([corners_of(entry[name], shape[3:5], shape[5]) for name in ("outline", "top")]),
                )
            )
    false = mistaken(picture, shapes, read_label(path.with_suffix(".json")).dice)
    for spot, radius in [*((np.array(f.top), f.top_radius) for f in false), *empty_spots(picture, shapes, rng)]:
        found.append((cut(picture, spot, radius), NONE, UNKNOWN, False, radius, UNMEASURED, UNPLACED))
    return found


def empty_spots(
    picture: np.ndarray, shapes: list[np.ndarray], rng: np.random.Generator
) -> list[tuple[np.ndarray, float]]:
    """Return up to two places, (2,) px, and radii, px, where no die lies."""
    spots = []
    for _ in range(2):
        radius = rng.uniform(12, 80)
        spot = rng.uniform(radius, np.array(picture.shape[1::-1]) - radius)
        if all(np.linalg.norm(spot - s[:2]) > s[2] + 0.6 * radius for s in shapes):
            spots.append((spot, radius))
    return spots


def mistaken(picture: np.ndarray, shapes: list[np.ndarray], dice: Sequence[Labelled]) -> list[Detection]:
    """Return what the locator that :func:`prepare` was told of takes for dice and is none."""
    if _LOCATOR is None:
        return []
    found = _LOCATOR.find(picture)
    off = [f for f in found if all(np.linalg.norm(np.array(f.middle) - s[:2]) > 0.8 * s[2] for s in shapes)]
    return [f for f in off if die_at(f.middle, dice, picture) is None]  # dice that the edge cuts are dice, too


def prepare(models: Path) -> None:
    """Make a process ready to cut: one thread, and a folder's locator for :func:`mistaken`."""
    global _LOCATOR
    cv2.setNumThreads(1)
    _LOCATOR = Locator(Network(models, "locator"))


_LOCATOR: Locator | None = None


NAMES = ("types", "faces", "cocked", "radius", "rise", "corners")
"""Names of what is stored with each picture, in the order of :func:`crops_of`."""


def cutters(models: Path, workers: int) -> Pool:
    """Return so many processes that cut.

    :param models: folder of a locator, whose false finds become crops of no die.
    """
    return get_context("spawn").Pool(workers, initializer=prepare, initargs=(models,))


def cut_all(
    folder: Path, out: Path, crops_of: Callable[[Path], Sequence[tuple[Any, ...]]], names: Sequence[str], pool: Pool
) -> None:
    """Cut crops from all scenes of a folder, and store them.

    :param crops_of: what to cut from the scene with this label. :param names: of what follows a crop, as in :func:`store`.
    """
    found = [crop for crops in pool.imap(crops_of, sorted(folder.glob("*.json")), chunksize=16) for crop in crops]
    store(out, names, found)
