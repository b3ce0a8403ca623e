"""Printed pictures for boxes, cards and playmats. Needs the drawing extra and typefaces, as drawing does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the drawing extra")

from models.render import numbers
from models.render.artwork import artwork, lay_prints
from models.render.scene import scene
from tableside.errors import SettingsError

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.mark.parametrize("seed", range(12))
def test_a_print_is_an_albedo_of_the_asked_size_and_the_same_again(seed: int) -> None:
    picture, again = (artwork(np.random.default_rng(seed), 90, 120, 12.0) for _ in range(2))
    assert (picture.shape, picture.dtype) == ((90, 120, 3), np.float32)
    assert 0 < picture.min() <= picture.max() <= 1
    assert np.array_equal(picture, again)


def test_most_tables_have_printed_things_or_a_printed_box_and_few_are_covered_by_a_playmat() -> None:
    plain = np.full((180, 240, 3), 0.5, np.float32)  # 45 by 60 cm
    laid = [lay_prints(np.random.default_rng(seed), plain.copy(), 4.0) for seed in range(40)]
    covered = [np.mean(np.any(table != plain, axis=2)) for table, _ in laid]
    assert 20 <= sum(walls is not None for _, walls in laid) <= 32
    assert 5 <= sum(share > 0.98 for share in covered) <= 15
    assert sum(share > 0 for share in covered) >= 25


def test_a_scene_on_a_printed_table_holds_the_dice_it_tells_of() -> None:
    picture, truth = scene(4_990_002, table="printed", count=6, kinds="narrative", width=320, height=320, die_px=40)
    assert picture.shape == (320, 320, 3)
    assert 3 <= len(truth["dice"]) <= 6
    again, _ = scene(4_990_002, table="printed", count=6, kinds="narrative", width=320, height=320, die_px=40)
    assert np.array_equal(picture, again)
