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
    monkeypatch.setattr(place, "_CROPPED", 0.0)
    spot, flat = np.array([[0.5, -0.1], [0.2, 0.1]], np.float32)
    view, truth = place.random_view(crop, 40.0, top, lift, spot, flat, True, np.random.default_rng(seed), wear=0.0)
    y, x = np.mgrid[0 : place.INPUT, 0 : place.INPUT]
    for channel, (true_x, true_y) in enumerate((truth[0:2], truth[3:5], truth[8:10])):
        mark = view[channel]
        at = np.array([(x * mark).sum(), (y * mark).sum()]) / mark.sum()
        said = place.INPUT / 2 + np.array([true_x, true_y]) * place.INPUT / (2 * place.WIDE)
        assert at == pytest.approx(said, abs=0.6)
    assert truth[5] - truth[2] == pytest.approx(math.log(0.7), abs=1e-5)
    # where it lies in the picture, and where a flat die's lift would be, turn as what is seen does
    moved = np.stack([truth[3:5], truth[8:10]]) - truth[0:2]
    axes = np.linalg.solve(np.stack([top[:2], lift]), moved) * np.exp(-truth[2])
    assert view[3:, 0, 0] == pytest.approx(np.concatenate([spot @ axes, flat @ axes]), abs=1e-5)
    assert np.ptp(view[3:], axis=(1, 2)).max() == 0
    assert truth[7] == 1


def test_some_views_count_as_from_a_part_of_a_larger_picture() -> None:
    nowhere = np.zeros(2, np.float32)
    places = (40.0, np.zeros(3, np.float32), nowhere, np.array([0.5, 0.0], np.float32), nowhere, False)
    crop = np.zeros((place.SIDE, place.SIDE, 3), np.uint8)
    views = [place.random_view(crop, *places, np.random.default_rng(seed))[0] for seed in range(200)]
    off = np.array([math.hypot(*view[3:5, 0, 0]) for view in views])
    assert 0.05 < np.mean(np.abs(off - 0.5) > 1e-5) < 0.3
    assert off.max() <= math.sqrt(2)


def placed_truth() -> tuple[torch.Tensor, ...]:
    truth = torch.zeros(2, len(place.OUTPUTS))
    placed = torch.tensor([True, False])
    kinds, unknown = torch.tensor([TYPES.index("pip"), crops.NONE]), torch.tensor([-1, -1])
    return truth, kinds, placed, placed, unknown, torch.tensor([False, False])


def test_of_what_is_no_whole_die_only_the_type_is_learnt() -> None:
    truth = placed_truth()
    said = torch.zeros(2, len(place.OUTPUTS) + place.KINDS + 2)
    wrong_place, wrong_type = said.clone(), said.clone()
    wrong_place[1, : len(place.OUTPUTS)] = 1.0
    wrong_type[1, len(place.OUTPUTS)] = 3.0
    loss = place.loss_of(said, *truth)[0]
    assert place.loss_of(wrong_place, *truth)[0] == pytest.approx(float(loss))
    assert place.loss_of(wrong_type, *truth)[0] > loss


def test_a_die_that_leans_on_nothing_teaches_where_it_is_and_not_that_it_leans() -> None:
    truth, kinds, placed, _, *rest = placed_truth()
    truth[0, place.OUTPUTS.index("leans")] = 1.0
    possible = torch.tensor([True, False])
    losses = {
        (name, could): float(place.loss_of(said, truth, kinds, placed, possible if could else ~possible, *rest)[0])
        for name, said in (("right", said_of(leans=5.0)), ("wrong", said_of(leans=-5.0)), ("off", said_of(x=1.0)))
        for could in (True, False)
    }
    assert losses["wrong", True] > losses["right", True] + 0.5
    assert losses["wrong", False] == pytest.approx(losses["right", False])
    assert losses["off", False] > losses["wrong", False] + 0.5


def test_whether_a_die_touches_anything_is_learnt_where_it_is_known() -> None:
    *rest, _, told = placed_truth()
    said = said_of()
    said[:, -2] = 3.0
    losses = {known: float(place.loss_of(said, *rest, torch.tensor([known, -1]), told)[0]) for known in (-1, 0, 1)}
    assert losses[-1] < losses[1] < losses[0] - 0.3


def test_that_a_die_leans_is_learnt_from_flat_ones_where_these_tell_how_it_would_lie() -> None:
    *rest, _ = placed_truth()
    rest[0][0, place.OUTPUTS.index("leans")] = 1.0
    losses = {}
    for said_so in (-3.0, 3.0):
        said = said_of()
        said[:, -1] = said_so
        for told in (True, False):
            losses[said_so, told] = float(place.loss_of(said, *rest, torch.tensor([told, False]))[0])
    assert losses[-3.0, True] > losses[3.0, True] + 0.3
    assert losses[-3.0, False] == losses[3.0, False]


def test_only_the_last_output_goes_by_what_is_told_of_flat_dice() -> None:
    torch.manual_seed(5)
    net = place.Place().eval()
    view = torch.rand(1, len(place.PLANES), place.INPUT, place.INPUT)
    other = view.clone()
    other[:, 5:] += 0.4
    with torch.no_grad():
        one, two = net(view)[0], net(other)[0]
    assert torch.equal(one[:-1], two[:-1])
    assert abs(float(one[-1] - two[-1])) > 1e-4


def test_where_a_flat_dies_lift_would_be_is_told_by_the_others() -> None:
    """Four dice seen from above by a near camera; the fourth leans to the left."""
    square = np.array([(-30, -30), (30, -30), (30, 30), (-30, 30)])
    dice = [
        {"kind": "d6", "whole": True, "center": [x + 0.1 * (x - 320) + off, y + 0.1 * (y - 240)], "top": [],
         "outline": np.add(square, [x, y]).tolist()}
        for x, y, off in ((120, 140, 0), (520, 140, 0), (320, 400, 0), (420, 240, -15))
    ]  # fmt: skip
    for die in dice:
        die["top"] = np.add(square * 0.8, die["center"]).tolist()
    flats = silhouettes.flats_of(dice, 640, np.random.default_rng(1))
    radius = math.sqrt(3600 / math.pi)
    assert flats[3] == pytest.approx((10 / radius, 0), abs=0.1)
    assert np.isnan(silhouettes.flats_of(dice[:2], 640, np.random.default_rng(1))).all()


def said_of(**values: float) -> torch.Tensor:
    said = torch.zeros(2, len(place.OUTPUTS) + place.KINDS + 2)
    for name, value in values.items():
        said[0, place.OUTPUTS.index(name)] = value
    return said


@pytest.mark.parametrize(
    ("cocked", "propped", "gap", "possible"),
    [(False, False, 90, True), (True, False, 90, False), (True, True, 90, True), (True, False, 3, True)],
)
def test_a_die_can_lean_on_a_prop_or_a_die_that_it_touches(
    cocked: bool, propped: bool, gap: int, possible: bool, tmp_path: Path
) -> None:
    square = np.array([(-30, -30), (30, -30), (30, 30), (-30, 30)])
    dice = [
        {
            "type": "pip", "kind": "d6", "face": ["1"], "cocked": leans, "whole": True, "center": [x, 200],
            "top": (square * 0.8 + [x, 200]).tolist(), "outline": np.add(square, [x, 200]).tolist(),
        }
        for x, leans in ((100, cocked), (160 + gap, False))
    ]  # fmt: skip
    dice[0] |= {"propped": True} if propped else {}
    cv2.imwrite(str(tmp_path / "7.jpg"), np.full((480, 640, 3), 90, np.uint8))
    (tmp_path / "7.json").write_text(json.dumps({"image": "7.jpg", "dice": dice}))
    die, other = silhouettes.cuts_of(tmp_path / "7.json")[:2]
    assert [die.possible, other.possible] == [possible, True]
    assert other.touches == (gap < 10)
    assert die.touches == (-1 if cocked else gap < 10)
    dice[0]["touches"] = True
    (tmp_path / "7.json").write_text(json.dumps({"image": "7.jpg", "dice": dice}))
    assert silhouettes.cuts_of(tmp_path / "7.json")[0].touches == 1


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
