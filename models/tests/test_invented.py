"""Invented dice. Needs the drawing extra and typefaces, as drawing does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numba", reason="needs the drawing extra")

from models.render import numbers
from models.render.invented import invent
from tableside.errors import SettingsError

try:
    numbers.typefaces()
except SettingsError as missing:
    pytest.skip(str(missing), allow_module_level=True)


@pytest.mark.parametrize(
    ("kind", "first", "last", "count"),
    [("d6", 1, 6, 6), ("d8", 1, 8, 8), ("d10", 0, 9, 10), ("d12", 1, 12, 12), ("d20", 1, 20, 20), ("d100", 0, 90, 10)],
)
def test_numbered_dice_have_their_usual_numbers(kind: str, first: int, last: int, count: int) -> None:
    faces = [name for (name,) in invent(np.random.default_rng(5), kind).faces]
    numbers = sorted(int(name) for name in faces)
    assert (numbers[0], numbers[-1], len(set(faces))) == (first, last, count)
    assert ("00" in faces) == (kind == "d100")


@pytest.mark.parametrize("is_marked", [True, False])
def test_a_mark_tells_6_from_9_where_there_is_one(is_marked: bool) -> None:
    die = invent(np.random.default_rng(5), "d12", typeface=numbers.typefaces()[0], is_marked=is_marked)
    plain = invent(np.random.default_rng(5), "d12", typeface=numbers.typefaces()[0], is_marked=False)
    differs = {face for face, one, other in zip(die.faces, die.texture, plain.texture, strict=True)
               if not np.array_equal(one, other)}  # fmt: skip
    assert ({("6",), ("9",)} <= differs) is is_marked
