"""The truth that the place network learns, against what its views show."""

from __future__ import annotations

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch", reason="only needed to train: pip install -e '.[training]'")

import torch

from models.train import crops, place, silhouettes
from models.train.labels import TYPES


@pytest.mark.parametrize("seed", range(8))
def test_the_truth_of_a_view_is_where_its_marks_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "photograph", lambda view, _rng, **_: view)
    monkeypatch.setattr(cv2, "circle", lambda view, *_: view)
    scale = place.SIDE / (2 * place.REACH)
    top, lift = np.array([0.3, -0.2, math.log(0.7)], np.float32), np.array([-0.1, 0.4], np.float32)
    crop = np.zeros((place.SIDE, place.SIDE, 3), np.uint8)
    for channel, (x, y) in enumerate(((0.0, 0.0), top[:2], lift)):
        px, py = (round(place.SIDE / 2 + v * scale) for v in (x, y))
        crop[py - 1 : py + 2, px - 1 : px + 2, channel] = 255
    view, truth = place.random_view(crop, 40.0, top, lift, True, np.random.default_rng(seed), wear=0.0)
    y, x = np.mgrid[0 : place.INPUT, 0 : place.INPUT]
    for channel, (true_x, true_y) in enumerate((truth[0:2], truth[3:5], truth[8:10])):
        mark = view[channel]
        at = np.array([(x * mark).sum(), (y * mark).sum()]) / mark.sum()
        said = place.INPUT / 2 + np.array([true_x, true_y]) * place.INPUT / (2 * place.WIDE)
        assert at == pytest.approx(said, abs=0.6)
    assert truth[5] - truth[2] == pytest.approx(math.log(0.7), abs=1e-5)
    assert truth[7] == 1


def placed_truth() -> tuple[torch.Tensor, ...]:
    truth = torch.zeros(2, len(place.OUTPUTS))
    return truth, torch.tensor([TYPES.index("pip"), crops.NONE]), torch.tensor([True, False])


def test_of_what_is_no_whole_die_only_the_type_is_learnt() -> None:
    truth, kinds, placed = placed_truth()
    said = torch.zeros(2, len(place.OUTPUTS) + place.KINDS)
    wrong_place, wrong_type = said.clone(), said.clone()
    wrong_place[1, : len(place.OUTPUTS)] = 1.0
    wrong_type[1, len(place.OUTPUTS)] = 3.0
    loss = place.loss_of(said, truth, kinds, placed)[0]
    assert place.loss_of(wrong_place, truth, kinds, placed)[0] == pytest.approx(float(loss))
    assert place.loss_of(wrong_type, truth, kinds, placed)[0] > loss


def test_of_a_scene_whole_dice_have_places_cut_ones_a_type_and_empty_spots_none(tmp_path: Path) -> None:
    square = np.array([(-30, -30), (30, -30), (30, 30), (-30, 30)])
    dice = [
        {
            "type": "pip", "kind": "d6", "face": face, "cocked": False, "whole": whole, "center": list(at),
            "top": (square * 0.8 + at).tolist(), "outline": (square + at).tolist(),
        }
        for at, whole, face in (((100, 100), True, ["1"]), ((300, 100), False, []), ((200, 300), True, []))
    ]  # fmt: skip
    cv2.imwrite(str(tmp_path / "7.jpg"), np.full((480, 640, 3), 90, np.uint8))
    (tmp_path / "7.json").write_text(json.dumps({"image": "7.jpg", "dice": dice}))
    cuts = silhouettes.cuts_of(tmp_path / "7.json")
    pip = TYPES.index("pip")
    seen = [(cut.type, cut.placed, cut.blank) for cut in cuts]
    assert seen[:3] == [(pip, True, False), (pip, False, False), (pip, True, True)]
    assert seen[3:]
    assert set(seen[3:]) == {(crops.NONE, False, False)}
