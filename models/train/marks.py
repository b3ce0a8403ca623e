"""What :class:`tableside.reader.marks.MarkModel` is fitted on: finds that lie on one another in made scenes.

Scenes hold few of them, so each is looked at in windows, too, cut round a die so that it fills much of them, and with
all dice but one or two painted out: what a table sees of a single die on a tray.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.labelled import read_label
from tableside.reader.candidate import Candidate
from tableside.reader.marks import finds_on, mark_features
from tableside.reader.photo import Picture, load_photo
from tableside.reader.reader import Reader

SHARES = (0.08, 0.1, 0.12, 0.14, 0.17, 0.2, 0.25, 0.3, 0.36, 0.42)  # radius of the die, of the window's longer side
WINDOWS = 3
LEAST_RADIUS = 20.0  # px: enlarged smaller dice are but blurs
WIDTH = 640
_CLOSE = 0.7, 1.4  # a find's radius over that of the die whose find it is
_COARSE = 4  # times smaller, what is painted out is filled from round it
_GRAIN = 3.0  # of 255

Dice = list[tuple[np.ndarray, float]]
"""The outline, (n, 2) px, and the radius, px, of each die."""
Rng = np.random.Generator


def examples(reader: Reader, scenes: list[Path]) -> tuple[list[list[float]], list[bool]]:
    """Return what :class:`MarkModel` weighs of each large find with others on it, and whether that is a die."""
    values, truths = [], []
    for scene in scenes:
        for picture, dice in pictures(scene):
            candidates = reader.name(picture, reader.locate(picture))
            for i, large in enumerate(candidates):
                on_it = [candidates[j] for j in finds_on(candidates, i)]
                is_die = _is_one(large, dice)
                # a die on a die is neither's mark
                if on_it and not (is_die and any(_is_one(small, dice) for small in on_it)):
                    values.append(list(mark_features(large, on_it)))
                    truths.append(is_die)
    return values, truths


def pictures(scene: Path) -> Iterator[tuple[Picture, Dice]]:
    """Yield the scene, WINDOWS windows of it, and it with but one and two of its dice, each with where its dice are."""
    label = read_label(scene)
    picture = load_photo(label.picture)
    outlines = [np.array(die.outline, np.float32) for die in label.dice]
    dice = [(outline, float(np.sqrt(max(cv2.contourArea(outline), 1.0) / np.pi))) for outline in outlines]
    yield picture, dice
    rng = np.random.default_rng(int(scene.stem))
    whole = [i for i, die in enumerate(label.dice) if die.whole]
    large = [i for i in whole if dice[i][1] > LEAST_RADIUS]
    for share in rng.choice(SHARES, WINDOWS, replace=False) if large else ():
        yield _window(picture, dice, int(rng.choice(large)), float(share), rng)
    for count in (1, 2):
        if count < len(dice) and count <= len(whole):
            kept = {int(i) for i in rng.choice(whole, count, replace=False)}
            yield _painted_out(picture, dice, kept, rng), [dice[i] for i in sorted(kept)]


def _window(picture: Picture, dice: Dice, at: int, share: float, rng: Rng) -> tuple[Picture, Dice]:
    """Return a part of the picture in which that die's radius has that share of the longer side."""
    outline, radius = dice[at]
    size = np.maximum(radius / share * np.array([1.0, 0.75]), 2.1 * radius)
    spare = np.maximum(size / 2 - 1.15 * radius, 0)
    room = np.maximum(np.array(picture.shape[1::-1]) - size, 0)
    x, y = np.clip(outline.mean(axis=0) + rng.uniform(-1, 1, 2) * spare - size / 2, 0, room).astype(int)
    part = picture[y : y + int(size[1]), x : x + int(size[0])]
    scale = WIDTH / max(part.shape[:2])
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    seen = [(((around - (x, y)) * scale).astype(np.float32), reach * scale) for around, reach in dice]
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=how), np.uint8), seen


def _painted_out(picture: Picture, dice: Dice, kept: set[int], rng: Rng) -> Picture:
    """Return the picture without the dice that are not kept."""
    height, width = picture.shape[:2]
    hole, rest = np.zeros((2, height, width), np.uint8)
    for i, (outline, _) in enumerate(dice):
        cv2.fillPoly(rest if i in kept else hole, [outline.astype(np.int32)], 255)
    hole = np.asarray(cv2.dilate(hole, np.ones((9, 9), np.uint8)), np.uint8)
    hole[rest > 0] = 0
    coarse = (width // _COARSE, height // _COARSE)
    small = cv2.resize(picture, coarse, interpolation=cv2.INTER_AREA)
    small_hole = cv2.dilate(cv2.resize(hole, coarse, interpolation=cv2.INTER_NEAREST), np.ones((3, 3), np.uint8))
    filled = cv2.resize(cv2.inpaint(small, small_hole, 5, cv2.INPAINT_TELEA), (width, height))
    grainy = np.clip(filled + rng.normal(0, _GRAIN, picture.shape), 0, 255).astype(np.uint8)
    return np.where(hole[..., None] > 0, grainy, picture)


def _is_one(candidate: Candidate, dice: Dice) -> bool:
    x, y = candidate.found.middle
    low, high = _CLOSE
    return any(
        cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 and low < candidate.found.radius / radius < high
        for outline, radius in dice
    )
