from __future__ import annotations

import numpy as np
import pytest

from tableside.vision.lean import LEAST_DICE, leanings

SIZE = 1280.0


def flat_dice(count: int, *, tilt: tuple[float, float] = (0.0, 0.0), growth: float = 0.2) -> dict[str, list]:
    """Return dice on one table as a camera at some height and tilt sees them."""
    rng = np.random.default_rng(count)
    middles = rng.uniform(200, 1000, (count, 2))
    radius, height = 40.0, 0.886
    places = (middles - middles.mean(0)) / (SIZE / 2)
    tops = middles + (np.array(tilt) + growth * places) * radius * height
    return {
        "middles": [tuple(m) for m in middles],
        "tops": [tuple(t) for t in tops],
        "radii": [radius] * count,
        "solids": ["d6"] * count,
    }


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.3, -0.2)])
def test_flat_dice_do_not_lean_however_the_camera_is_held(tilt: tuple[float, float]) -> None:
    assert max(leanings(**flat_dice(8, tilt=tilt), size=SIZE)) < 0.5


def test_the_one_that_leans_stands_out() -> None:
    dice = flat_dice(8, tilt=(0.1, 0.0))
    x, y = dice["tops"][3]
    dice["tops"][3] = (x + 0.35 * 40 * 0.886, y)
    found = leanings(**dice, size=SIZE)
    assert int(np.argmax(found)) == 3
    assert found[3] > 3
    assert max(np.delete(found, 3)) < 1


def test_where_offsets_are_measured_roughly_a_die_must_lean_more_to_stand_out() -> None:
    dice = flat_dice(8)
    x, y = dice["tops"][3]
    dice["tops"][3] = (x + 0.35 * 40 * 0.886, y)
    exact = leanings(**dice, size=SIZE)[3]
    rough = np.random.default_rng(1).normal(0, 0.12 * 40, (8, 2))
    dice["tops"] = [tuple(np.array(top) + off) for top, off in zip(dice["tops"], rough, strict=True)]
    assert leanings(**dice, size=SIZE)[3] < 0.8 * exact


def test_of_a_few_dice_nothing_is_said() -> None:
    assert leanings(**flat_dice(LEAST_DICE - 1), size=SIZE) == [0.0] * (LEAST_DICE - 1)


def test_a_die_whose_upper_face_is_no_level_is_left_out() -> None:
    dice = flat_dice(6)
    dice["solids"][2] = "d10"
    dice["tops"][2] = (0.0, 0.0)
    found = leanings(**dice, size=SIZE)
    assert found[2] == 0.0
    assert max(found) < 0.5
