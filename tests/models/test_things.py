"""Things that are no dice lie under the dice, stay what a picture can hold, and show on dark tables."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[training]'")

from models.render.scene import scene
from models.render.things import dust, lay_things

SIDE, PX_PER_CM = 300, 25.0


def table(light: float = 0.3) -> np.ndarray:
    return np.full((SIDE, SIDE, 3), light, np.float32)


def test_things_change_a_table_within_what_light_can_be() -> None:
    changed = []
    for seed in range(12):
        albedo = table()
        lay_things(np.random.default_rng(seed), albedo, PX_PER_CM)
        assert np.isfinite(albedo).all()
        assert 0 < albedo.min() <= albedo.max() < 2
        changed.append(float((np.abs(albedo - 0.3).max(2) > 0.05).mean()))
    assert min(changed) > 0
    assert 0.1 < np.median(changed) < 1


def test_the_same_seed_lays_the_same_things() -> None:
    one, other = table(), table()
    for albedo in (one, other):
        lay_things(np.random.default_rng(7), albedo, PX_PER_CM)
    assert np.array_equal(one, other)


def test_dust_shows_on_a_dark_table_and_leaves_most_of_it() -> None:
    shares = []
    for seed in range(12):
        albedo = table(0.01)
        dust(np.random.default_rng(seed), albedo, PX_PER_CM)
        shares.append(float((albedo.max(2) > 0.03).mean()))
    assert min(shares) > 0
    assert max(shares) < 0.5


def test_dice_lie_on_the_things_and_one_picture_in_five_holds_none() -> None:
    seeds = [seed for seed in range(1_000_000, 1_000_010) if scene(seed, things=True)[1]["dice"]]
    assert 5 <= len(seeds) <= 8
    assert not any(seed % 5 == 0 for seed in seeds)
    things, plain = (scene(seeds[0], things=with_things)[1]["dice"] for with_things in (True, False))
    assert [die["outline"] for die in things] == [die["outline"] for die in plain]
