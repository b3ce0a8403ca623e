"""Finds that contain one another: a die on a tray is a die, a symbol on a die is none."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
import pytest

from tableside.vision.locate import Found, Locator
from tableside.vision.network import Network

RAYS, TYPES, STRIDE, SIDE = 16, 3, 8, 384


class Seeing:
    """Stands for the network: finds of a given score, middle and radius, in pixels of the picture."""

    def __init__(self, *finds: tuple[float, tuple[float, float], float]) -> None:
        self.finds = finds
        self.card: dict[str, Any] = {"stride": STRIDE, "rays": RAYS, "radius_px": [7.0, 76.0]}

    def run(self, blob: np.ndarray) -> list[np.ndarray]:
        """Return the maps; a picture at another scale than 1 shows nothing."""
        height, width = blob.shape[2] // STRIDE, blob.shape[3] // STRIDE
        maps = np.full((1, 1 + 6 + RAYS + TYPES, height, width), -9.0, np.float32)
        maps[0, 1:] = 0
        if blob.shape[3] == SIDE:
            for score, (x, y), radius in self.finds:
                cell = maps[0, :, int(y // STRIDE), int(x // STRIDE)]
                cell[0] = math.log(score / (1 - score))
                cell[1:3] = x / STRIDE - int(x // STRIDE) - 0.5, y / STRIDE - int(y // STRIDE) - 0.5
                cell[3] = math.log(radius)
        return [maps]


def found(*finds: tuple[float, tuple[float, float], float]) -> list[Found]:
    return Locator(cast(Network, Seeing(*finds))).find(np.zeros((SIDE, SIDE, 3), np.uint8))


def radii(dice: list[Found]) -> list[int]:
    return sorted(round(die.radius) for die in dice)


def test_dice_on_a_tray_that_passes_for_a_die_are_found_and_the_tray_is_not() -> None:
    dice = found((0.8, (190.0, 190.0), 75.0), (0.7, (200.0, 180.0), 14.0), (0.6, (150.0, 220.0), 16.0))
    assert radii(dice) == [14, 16]


@pytest.mark.parametrize(("score", "radius"), [(0.45, 20.0), (0.7, 38.0)])
def test_a_symbol_is_no_die_on_the_die(score: float, radius: float) -> None:
    assert radii(found((0.9, (190.0, 190.0), 75.0), (score, (200.0, 180.0), radius))) == [75]


def test_dice_side_by_side_are_two() -> None:
    assert radii(found((0.9, (100.0, 190.0), 40.0), (0.6, (160.0, 190.0), 15.0))) == [15, 40]
