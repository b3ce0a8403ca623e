"""Scenes of blank dice under a bright ceiling."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[drawing]'")

from models.render.lamps import light_up, under_ceiling
from models.render.scene import scene


def test_most_dice_show_a_blank_face_and_many_are_black() -> None:
    dice = [d for seed in range(4_160_000, 4_160_020) for d in scene(seed, kinds="narrative", blank=True)[1]["dice"]]
    can_be_blank = [d for d in dice if d["type"] not in ("force", "other")]
    blank = [d for d in can_be_blank if not d["face"]]
    assert 0.6 < len(blank) / len(can_be_blank) < 0.95
    assert 0.3 < np.mean([d["type"] == "setback" for d in dice]) < 0.8


def test_half_of_blank_boost_scenes_are_light_dice_among_black_ones() -> None:
    dice = [d for seed in range(4_212_000, 4_212_020) for d in scene(seed, kinds="boost", blank=True)[1]["dice"]]
    assert {d["type"] for d in dice} == {"boost", "setback"}
    assert 0.3 < np.mean([d["type"] == "boost" for d in dice]) < 0.7
    assert 0.6 < np.mean([not d["face"] for d in dice]) < 0.95


def test_a_ceiling_adds_one_wide_panel_to_what_mirrors_and_changes_no_lamp() -> None:
    lighting = light_up(np.random.default_rng(1))
    with_ceiling = under_ceiling(np.random.default_rng(2), lighting)
    assert with_ceiling.panels[:-1].tolist() == lighting.panels.tolist()
    assert with_ceiling.panels[-1, 2] >= 0.4
    assert with_ceiling.lamps is lighting.lamps


def test_a_ceiling_lightens_black_faces_and_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    small = {"kinds": "narrative", "blank": True, "width": 240, "height": 240, "die_px": 40, "count": 6}
    seeds = range(4_160_000, 4_160_006)
    lit = [scene(seed, **small) for seed in seeds]
    monkeypatch.setattr("models.render.scene.under_ceiling", lambda _, lighting: lighting)
    monkeypatch.setattr("models.render.scene.polish_all", lambda *_: None)
    dull = [scene(seed, **small) for seed in seeds]
    assert [truth for _, truth in lit] == [truth for _, truth in dull]
    lighter = [
        float(a[y, x].max()) - float(b[y, x].max())
        for (a, truth), (b, _) in zip(lit, dull, strict=True)
        for die in truth["dice"]
        if die["type"] == "setback" and not die["face"]
        for x, y in [np.clip(np.round(die["center"]), 0, 239).astype(int)]
    ]
    assert max(lighter) > 40
