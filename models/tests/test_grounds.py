"""Table tops with patterns."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from models.render.grounds import ground, weave


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("draw", [ground, weave])
def test_a_table_top_is_an_albedo_of_the_asked_size_and_the_same_again(
    draw: Callable[..., np.ndarray], seed: int
) -> None:
    picture, again = (draw(np.random.default_rng(seed), 90, 120, 12.0) for _ in range(2))
    assert (picture.shape, picture.dtype) == ((90, 120, 3), np.float32)
    assert 0 < picture.min() <= picture.max() <= 1
    assert np.array_equal(picture, again)
