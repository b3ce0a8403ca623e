"""The pictures that tell marks on a die from dice on a tray."""

from __future__ import annotations

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train.marks import LEAST_RADIUS, SHARES, WIDTH, WINDOWS, pictures
from tableside import paths


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    shutil.copy(paths.samples_folder() / "roll-5.jpg", tmp_path)
    shutil.copy(paths.samples_folder() / "roll-5.json", tmp_path / "5.json")  # made scenes bear their seed's name
    return tmp_path / "5.json"


def test_a_scene_is_seen_whole_in_windows_and_with_few_of_its_dice(scene: Path) -> None:
    whole, *windows, one, two = pictures(scene)
    assert len(windows) == WINDOWS
    assert (len(one[1]), len(two[1])) == (1, 2)
    assert one[0].shape == two[0].shape == whole[0].shape
    for picture, dice in windows:
        assert max(picture.shape[:2]) == WIDTH
        shares = [radius / WIDTH for outline, radius in dice if radius > LEAST_RADIUS]
        assert any(share == pytest.approx(wanted, rel=0.1) for share in shares for wanted in SHARES)


def test_the_outlines_lie_on_the_dice_of_a_window(scene: Path) -> None:
    (picture, dice), (window, moved) = list(pictures(scene))[:2]
    compared = 0
    for (outline, radius), (there, larger) in zip(dice, moved, strict=True):
        x, y = (int(v) for v in there.mean(axis=0))
        if larger < x < window.shape[1] - larger and larger < y < window.shape[0] - larger:
            at = outline.mean(axis=0).astype(int)
            small, large = (
                cv2.mean(part)[:3]
                for part in (_round(picture, at, radius / 2), _round(window, np.array([x, y]), larger / 2))
            )
            assert small == pytest.approx(large, abs=12)
            compared += 1
    assert compared


def test_painted_out_dice_leave_the_table(scene: Path) -> None:
    (picture, dice), *_, (painted, kept), _ = pictures(scene)
    gone = [outline for outline, _ in dice if not any(outline is one for one, _ in kept)]
    assert gone
    held = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(held, [kept[0][0].astype(np.int32)], 255)
    assert np.array_equal(picture[held > 0], painted[held > 0])
    changed = np.abs(picture.astype(int) - painted).max(axis=2) > 30
    for outline in gone:
        hole = np.zeros_like(held)
        cv2.fillPoly(hole, [outline.astype(np.int32)], 255)
        assert changed[(hole > 0) & (held == 0)].mean() > 0.3


def _round(picture: np.ndarray, at: np.ndarray, reach: float) -> np.ndarray:
    x, y = at
    return picture[int(y - reach) : int(y + reach), int(x - reach) : int(x + reach)]
