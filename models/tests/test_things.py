"""Things that are no dice lie under the dice, stay what a picture can hold, and show on dark tables; small round ones
are alike among their kind."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

pytest.importorskip("numba", reason="only needed to render: pip install -e '.[drawing]'")

from models.render.fittings import _FITTINGS, lay_fittings
from models.render.scene import scene
from models.render.things import dust, lay_things

SIDE, PX_PER_CM = 300, 25.0


def table(light: float = 0.3) -> np.ndarray:
    return np.full((SIDE, SIDE, 3), light, np.float32)


def shares_changed(lay, count: int) -> list[float]:
    """Return what share of a table is another after each laying, and hold that it is within what light can be."""
    changed = []
    for seed in range(count):
        albedo = table()
        lay(np.random.default_rng(seed), albedo, PX_PER_CM)
        assert np.isfinite(albedo).all()
        assert 0 < albedo.min() <= albedo.max() < 2
        changed.append(float((np.abs(albedo - 0.3).max(2) > 0.05).mean()))
    return changed


def test_things_change_a_table_within_what_light_can_be() -> None:
    changed = shares_changed(lay_things, 12)
    assert min(changed) > 0
    assert 0.1 < np.median(changed) < 1


@pytest.mark.parametrize("lay", [lay_things, lay_fittings])
def test_the_same_seed_lays_the_same_things(lay) -> None:
    one, other = table(), table()
    for albedo in (one, other):
        lay(np.random.default_rng(7), albedo, PX_PER_CM)
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


def test_fittings_change_some_of_a_table_within_what_light_can_be() -> None:
    changed = shares_changed(lay_fittings, 30)
    assert np.mean(np.array(changed) > 0) > 0.8  # some lie beyond the edge
    assert np.median(changed) < 0.5


@pytest.mark.parametrize("draw", sorted(set(_FITTINGS), key=lambda draw: draw.__name__))
def test_each_kind_shows_where_it_lies_and_nowhere_else(draw) -> None:
    far = 3.6 * 2.2 * PX_PER_CM  # the largest stain, and its shadow
    for seed in range(8):
        albedo = cv2.resize(table(), (3 * SIDE, 3 * SIDE))
        draw(np.random.default_rng(seed), albedo, np.array([1.5, 1.5]) * SIDE, PX_PER_CM)
        rows, columns = np.nonzero(np.abs(albedo - 0.3).max(2) > 0.004)
        assert len(rows)
        assert np.hypot(rows - 1.5 * SIDE, columns - 1.5 * SIDE).max() < far


def test_those_of_a_kind_are_alike() -> None:
    albedo = cv2.resize(table(), (4 * SIDE, SIDE))
    for x in (0.5, 3.0):
        _FITTINGS[3](np.random.default_rng(3), albedo, np.array([x * SIDE + 50, 0.5 * SIDE]), PX_PER_CM)
    one, other = (albedo[:, int(x * SIDE) : int(x * SIDE) + 100] for x in (0.5, 3.0))
    assert np.abs(one - 0.3).max() > 0.05
    assert np.allclose(one, other, atol=1e-3)


def test_the_dice_lie_on_fittings_as_they_would_without() -> None:
    with_fittings, plain = (scene(1_000_001, fittings=has)[1]["dice"] for has in (True, False))
    assert plain
    assert [die["outline"] for die in with_fittings] == [die["outline"] for die in plain]
