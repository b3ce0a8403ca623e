"""The locator's truth stays on the die when the picture is turned and mirrored."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")

from models.train.labels import RAYS
from models.train.locator import GEOMETRY, PATCH, STRIDE, shine, turned

CELLS = PATCH // STRIDE
MIDDLE, RADIUS, TOP = np.array([196.0, 100.0]), 40.0, np.array([0.25, -0.4])
DIRECTIONS = np.stack([np.cos(np.arange(RAYS) * 2 * np.pi / RAYS), np.sin(np.arange(RAYS) * 2 * np.pi / RAYS)], 1)
LENGTHS = np.linspace(0.6, 1.4, RAYS)  # no two alike, so that a ray in another's place is seen


def outline(target: np.ndarray, y: int, x: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners and the upper face's middle, in pixels."""
    values = target[:, y, x]
    middle = (np.array([x, y]) + 0.5 + values[:2]) * STRIDE
    radius = np.exp(values[2])
    return middle + DIRECTIONS * radius * np.exp(values[6:, None]), middle + values[3:5] * radius


def test_the_outline_and_the_upper_face_turn_with_the_picture() -> None:
    canvas = np.zeros((PATCH, PATCH, 3), np.uint8)
    cv2.fillPoly(canvas, [np.round(MIDDLE + DIRECTIONS * LENGTHS[:, None] * RADIUS).astype(np.int32)], (90, 90, 90))
    cv2.circle(canvas, np.round(MIDDLE + TOP * RADIUS).astype(int).tolist(), 3, (255, 255, 255), -1)
    target = np.zeros((GEOMETRY, CELLS, CELLS), np.float32)
    mask = np.zeros((CELLS, CELLS), np.float32)
    x, y = (MIDDLE // STRIDE).astype(int)
    mask[y, x] = 1
    target[:, y, x] = [*(MIDDLE / STRIDE - (x + 0.5, y + 0.5)), np.log(RADIUS), *TOP, 0.0, *np.log(LENGTHS)]
    seen = set()
    for seed in range(60):
        picture, _, _, truth, where, _ = turned(np.random.default_rng(seed), canvas, mask, mask, target, mask, mask)
        ((row, column),) = np.argwhere(where)
        corners, top = outline(truth, row, column)
        drawn = cv2.fillPoly(np.zeros((PATCH, PATCH), np.uint8), [np.round(corners).astype(np.int32)], 1)
        die = (picture.max(2) > 0).astype(np.uint8)
        assert (drawn & die).sum() > 0.93 * (drawn | die).sum()
        bright = np.argwhere(picture.min(2) > 200).mean(0)[::-1]
        assert np.hypot(*(bright - top)) < 1.5
        seen.add((row, column, *np.round(top).astype(int)))
    assert len(seen) == 8


ENTRY = {
    "outline": [[100, 100], [200, 110], [190, 200], [95, 190]],
    "top": [[115, 115], [180, 120], [175, 180], [110, 175]],
}
CORNERS = np.array(ENTRY["outline"], np.float32) * 0.5 + (60, 20)


def shone(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a picture before and after, and how far from the die, px, each pixel lies; less than nothing within."""
    before = np.random.default_rng(0).integers(0, 120, (PATCH, PATCH, 3)).astype(np.uint8)
    canvas = before.copy()
    shine(canvas, ENTRY, 0.5, np.array([-60.0, -20.0]), np.random.default_rng(seed), wear=1.0)
    die = cv2.fillPoly(np.zeros((PATCH, PATCH), np.uint8), [np.round(CORNERS).astype(np.int32)], 1)
    outside, inside = (cv2.distanceTransform(part, cv2.DIST_L2, 5) for part in (1 - die, die))
    return before, canvas, outside - inside


def test_light_on_shiny_dice_leaves_the_table_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.train.locator._SHINY", 1.0)
    monkeypatch.setattr("models.train.locator.shaded", lambda picture, *_: picture)
    before, after, far = shone(1)
    changed = (after != before).any(2)
    assert changed.sum() > 500
    assert far[changed].max() < 4


def test_shade_darkens_a_die_and_the_table_on_one_side_of_it_and_nothing_far_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("models.train.locator._SHINY", 1.0)
    for name in ("mirrored", "sheen"):
        monkeypatch.setattr(f"models.train.locator.{name}", lambda picture, *_: picture)
    for seed in range(6):
        before, after, far = shone(seed)
        table = far > 4
        assert (after[table] <= before[table]).all()
        darker = before[table].astype(int).sum() - after[table].astype(int).sum()
        assert darker > 0
        assert (after != before)[far < -1].any()
        assert (after == before)[far > 100].all()
