"""Finishes of dice: where they put the second colour, and that scenes stay what they are but for them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[drawing]'")

from models.render.dice import make
from models.render.finishes import FRAMES, METAL, RIMS, STRIPES, finished, second_share
from models.render.scene import Placed, finish_all, scene


def of_each_style() -> dict[int, list]:
    models: dict[int, list] = {}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        model = finished(rng, make(rng, "pip"))
        models.setdefault(int(model.finish[0]), []).append(model)
    return models


def test_all_styles_are_made_and_two_dice_in_five_stay_as_they_were() -> None:
    made = of_each_style()
    assert set(made) == {0, *range(STRIPES, METAL + 1)}
    assert 90 < len(made[0]) < 160


def test_the_second_colour_shows_beside_the_first_and_is_not_that_of_the_marks_under_them() -> None:
    points = np.random.default_rng(0).uniform(-1, 1, (400, 3))
    points /= np.abs(points).max(1, keepdims=True)  # on a cube's sides
    for style, models in of_each_style().items():
        spans = []
        for model in models:
            shares = [second_share(model.finish, *point, 1.0, 0, model.solid.normals) for point in points]
            assert 0 <= min(shares) <= max(shares) <= 1
            spans.append(np.ptp(shares))
            if 0 < style < METAL and style not in (RIMS, FRAMES) and model.finish[9] > 0:
                assert np.abs(np.sqrt(model.body2) - np.sqrt(model.ink)).max() > 0.3
        if style in (0, METAL):
            assert max(spans) == 0
        elif style != 5:  # of one side only, here
            assert np.median(spans) > 0.3, style


def test_dice_with_finishes_lie_as_they_would_without() -> None:
    (with_finishes, truth), (plain, plain_truth) = (scene(4_130_001, finishes=has) for has in (True, False))
    assert [die["outline"] for die in truth["dice"]] == [die["outline"] for die in plain_truth["dice"]]
    assert [die["face"] for die in truth["dice"]] == [die["face"] for die in plain_truth["dice"]]
    assert 0.002 < np.mean((with_finishes != plain).any(2)) < 0.6


def test_dice_of_one_make_have_one_finish() -> None:
    rng = np.random.default_rng(4)
    one, other = (make(rng, "pip") for _ in range(2))
    placed = [Placed(model, np.eye(3), np.zeros(3), 0, False) for model in (one, other, one, other, one)]
    finish_all(np.random.default_rng(3), placed)
    first, second, *rest = (die.model for die in placed)
    assert [die is first for die in rest] == [True, False, True]
    assert first.finish[0] != second.finish[0]
