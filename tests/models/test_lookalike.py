"""Dice of another game in the colours of the symbol dice."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.render.dice import NARRATIVE, PIPS
from models.render.lookalike import lookalike
from models.render.scene import scene
from models.train.classifier import OTHER, loss_of
from models.train.labels import FACES, TYPES, UNKNOWN


def test_lookalikes_are_of_no_set_and_have_the_shapes_of_symbol_dice() -> None:
    dice = [lookalike(np.random.default_rng(seed)) for seed in range(30)]
    assert {die.type for die in dice} == {"other"}
    assert {face for die in dice for face in die.faces} == {("?",)}
    assert {die.solid.name for die in dice} == {kind.solid for kind in NARRATIVE.types}
    assert min(die.texture.reshape(len(die.faces), -1).max(1).min() for die in dice) > 0  # a number on every face


def test_scenes_with_lookalikes_hold_symbol_dice_too() -> None:
    types = {die["type"] for seed in range(9200000, 9200004) for die in scene(seed, kinds="lookalikes")[1]["dice"]}
    assert "other" in types
    assert types - {"other"} <= {kind.name for kind in NARRATIVE.types}
    assert len(types) > 2


@pytest.mark.parametrize(
    ("of", "is_worse"), [("narrative", True), (PIPS.name, True), ("percentile", False), ("", False)]
)
def test_a_strange_die_must_not_show_a_symbol_but_may_show_a_number(of: str, is_worse: bool) -> None:
    def strange(face: int) -> float:
        logits = torch.zeros(1, len(FACES))
        logits[0, face] = 5.0
        one = torch.ones(1, dtype=torch.long)
        outputs = (torch.zeros(1, 4), logits, torch.zeros(1, len(TYPES) + 1 + 5))
        _, parts = loss_of(outputs, one * OTHER, one * UNKNOWN, one == 0, torch.zeros(1, 5), -one, one * 0)
        return float(parts["strange"])

    seen = next(i for i, (name, _) in enumerate(FACES) if name == of)
    assert (strange(seen) > 1) is is_worse
