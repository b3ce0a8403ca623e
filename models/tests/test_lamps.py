"""Invented light. Needs the drawing extra and typefaces, as drawing does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the drawing extra")

from models.render import numbers
from models.render.lamps import deepen, light_up
from models.render.scene import scene
from tableside.errors import SettingsError

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)


def test_in_deep_shadows_the_lamps_are_the_same_and_the_room_is_darker() -> None:
    lighting, table = light_up(np.random.default_rng(3)), np.full((4, 5, 3), 0.5, np.float32)
    darker, dark = deepen(np.random.default_rng(4), lighting, table)
    assert np.array_equal(darker.lamps, lighting.lamps)
    assert (darker.ambient < 0.5 * lighting.ambient).all()
    assert darker.level < 0.5 * lighting.level
    assert dark.dtype == np.float32
    assert dark.max() < 0.3


def test_half_of_the_dice_in_deep_shadows_are_black() -> None:
    types = [
        die["type"]
        for seed in range(4_995_000, 4_995_008)
        for die in scene(seed, deep=True, kinds="narrative", width=320, height=320, die_px=40, count=8)[1]["dice"]
    ]
    assert len(types) > 30
    assert 0.35 < types.count("setback") / len(types) < 0.8


def test_deep_shadows_change_a_scene_and_each_is_the_same_again() -> None:
    plain, again = (scene(7, width=160, height=160, die_px=40, deep=deep)[0] for deep in (False, False))
    assert np.array_equal(plain, again)
    assert not np.array_equal(plain, scene(7, width=160, height=160, die_px=40, deep=True)[0])
