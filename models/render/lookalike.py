"""Dice of no set in the shapes, bodies and inks of the symbol dice: another game's dice on the same table.

A yellow twelve-sided die with numbers must not pass for a proficiency die, nor its 3 for two marks of advantage.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.dice import NARRATIVE, Model, contrasting_ink, make, symbol_colours
from models.render.invented import invent

Rng = np.random.Generator
LOOKALIKE = "lookalike"
_OWN_INK = 0.8  # share of the dice whose marks have the colour of the symbol dice's


def lookalike(rng: Rng) -> Model:
    """Invent a die with numbers that is like one of the symbol dice in all else."""
    like = NARRATIVE.types[rng.integers(len(NARRATIVE.types))]
    body, ink = symbol_colours(rng, like.name)
    if rng.random() > _OWN_INK:
        ink = contrasting_ink(rng, body)
    model = invent(rng, like.solid, colours=(body, ink))
    return replace(model, faces=(("?",),) * len(model.faces))


def make_any(rng: Rng, kind: str, *, marbled: float, dark: bool = False) -> Model:
    """Invent a die as :func:`models.render.dice.make` does, or a lookalike, where ``kind`` is ``LOOKALIKE``."""
    return lookalike(rng) if kind == LOOKALIKE else make(rng, kind, marbled=marbled, dark=dark)
