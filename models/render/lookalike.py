"""Dice of no set in the shapes, bodies and inks of the symbol dice: another game's dice on the same table.

A yellow twelve-sided die with numbers must not pass for a proficiency die, nor its 3 for two marks of advantage.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.dice import NARRATIVE, Model, any_colour, contrasting_ink, make, symbol_colours
from models.render.invented import invent

Rng = np.random.Generator
LOOKALIKE, STRANGER = "lookalike", "stranger"
_OWN_INK = 0.8  # share of the dice whose marks have the colour of the symbol dice's
_PIP_LIKE = 0.2  # share of the strangers that are cubes of any colour, as pip dice are
_MARKS = {"number": 0.35, "letter": 0.25, "mark": 0.4}  # what strangers bear


def lookalike(rng: Rng, marks: str = "number") -> Model:
    """Invent a die that is like one of the symbol dice in all but what it shows: ``marks`` of :func:`invent`."""
    like = NARRATIVE.types[rng.integers(len(NARRATIVE.types))]
    body, ink = symbol_colours(rng, like.name)
    if rng.random() > _OWN_INK:
        ink = contrasting_ink(rng, body)
    return _of_no_set(invent(rng, like.solid, colours=(body, ink), marks=marks))


def stranger(rng: Rng) -> Model:
    """Invent a die with numbers, letters or marks of its own that is like a symbol die or a pip die in all else."""
    marks = str(rng.choice(list(_MARKS), p=list(_MARKS.values())))
    if rng.random() > _PIP_LIKE:
        return lookalike(rng, marks)
    body = any_colour(rng)
    return _of_no_set(invent(rng, "d6", colours=(body, contrasting_ink(rng, body)), marks=marks))


def make_any(rng: Rng, kind: str, *, marbled: float) -> Model:
    """Invent a die as :func:`models.render.dice.make` does, or where ``kind`` is their name, a lookalike or stranger."""
    of_no_set = {LOOKALIKE: lookalike, STRANGER: stranger}.get(kind)
    return of_no_set(rng) if of_no_set else make(rng, kind, marbled=marbled)


def _of_no_set(model: Model) -> Model:
    return replace(model, faces=(("?",),) * len(model.faces))
