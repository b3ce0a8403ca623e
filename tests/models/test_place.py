"""The truth that the place network learns, against what its views show."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")

from models.train import place


@pytest.mark.parametrize("seed", range(8))
def test_the_truth_of_a_view_is_where_its_marks_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "photograph", lambda view, _rng: view)
    monkeypatch.setattr(place, "coarsen", lambda crop, *_: crop)
    monkeypatch.setattr(cv2, "circle", lambda view, *_: view)
    scale = place.SIDE / (2 * place.REACH)
    top, lift = np.array([0.3, -0.2, math.log(0.7)], np.float32), np.array([-0.1, 0.4], np.float32)
    crop = np.zeros((place.SIDE, place.SIDE, 3), np.uint8)
    for channel, (x, y) in enumerate(((0.0, 0.0), top[:2], lift)):
        px, py = (round(place.SIDE / 2 + v * scale) for v in (x, y))
        crop[py - 1 : py + 2, px - 1 : px + 2, channel] = 255
    view, truth = place.random_view(crop, 40.0, top, lift, True, np.random.default_rng(seed))
    y, x = np.mgrid[0 : place.INPUT, 0 : place.INPUT]
    for channel, (true_x, true_y) in enumerate((truth[0:2], truth[3:5], truth[8:10])):
        mark = view[channel]
        at = np.array([(x * mark).sum(), (y * mark).sum()]) / mark.sum()
        said = place.INPUT / 2 + np.array([true_x, true_y]) * place.INPUT / (2 * place.WIDE)
        assert at == pytest.approx(said, abs=0.6)
    assert truth[5] - truth[2] == pytest.approx(math.log(0.7), abs=1e-5)
    assert truth[7] == 1
