"""Dice of another game in the colours of the symbol dice."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the drawing extra")

from models.render.dice import NARRATIVE
from models.render.lookalike import lookalike, stranger
from models.render.scene import scene


def test_lookalikes_are_of_no_set_and_have_the_shapes_of_symbol_dice() -> None:
    dice = [lookalike(np.random.default_rng(seed)) for seed in range(30)]
    assert {die.type for die in dice} == {"other"}
    assert {face for die in dice for face in die.faces} == {("?",)}
    assert {die.solid.name for die in dice} == {kind.solid for kind in NARRATIVE.types}
    assert min(die.texture.reshape(len(die.faces), -1).max(1).min() for die in dice) > 0  # a number on every face


def test_strangers_bear_marks_of_any_kind_on_every_face_and_some_are_like_pip_dice() -> None:
    dice = [stranger(np.random.default_rng(seed)) for seed in range(60)]
    assert {die.type for die in dice} == {"other"}
    assert {face for die in dice for face in die.faces} == {("?",)}
    assert min(die.texture.reshape(len(die.faces), -1).max(1).min() for die in dice) > 0
    shares = [np.mean([die.solid.name == kind for die in dice]) for kind in ("d6", "d8", "d12")]
    assert min(shares) > 0.15
    assert sum(shares) == 1


def test_scenes_with_lookalikes_hold_symbol_dice_too() -> None:
    types = {die["type"] for seed in range(9200000, 9200004) for die in scene(seed, kinds="lookalikes")[1]["dice"]}
    assert "other" in types
    assert types - {"other"} <= {kind.name for kind in NARRATIVE.types}
    assert len(types) > 2


def test_scenes_with_strangers_hold_symbol_and_pip_dice_too() -> None:
    seeds = range(9202000, 9202008)
    types = {die["type"] for seed in seeds for die in scene(seed, kinds="strangers")[1]["dice"]}
    assert {"other", "pip"} < types
    assert types - {"other", "pip"} <= {kind.name for kind in NARRATIVE.types}
