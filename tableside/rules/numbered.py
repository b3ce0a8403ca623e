"""Numbered dice: the d10, the percentile pair, and plain dice in place of the narrative ones (S000)."""

from __future__ import annotations

from tableside.dice import Face, find_sets
from tableside.errors import GameError

PERCENTILE_USES = ("critical_injury_severity", "obligation_check")
"""What the percentile pair is thrown for (S000 Ten-sided dice)."""


def d10(shown: int) -> int:
    """Return 1..10: a 0 counts as 10 on a die thrown alone."""
    return _digit(shown) or 10


def d100(tens: int, ones: int) -> int:
    """Return 1..100: zeros count as 0, but both together are 100. Which die is the tens is fixed beforehand."""
    return _digit(tens) * 10 + _digit(ones) or 100


def face_of_number(die: str, number: int) -> Face:
    """Return the face of a narrative die that a plain die of the same size stands for (table M01, S002)."""
    (dice_set,) = find_sets(["narrative"])
    faces = dice_set.type(die).faces
    if not 1 <= number <= len(faces):
        hint = f"It has the numbers 1 to {len(faces)}."
        raise GameError(f"{number} is not on the die", where=f"die {die}", hint=hint)
    return faces[number - 1]


def _digit(shown: int) -> int:
    if not 0 <= shown <= 9:
        raise GameError(f"{shown} is not on the die", where="d10", hint="It shows the digits 0 to 9.")
    return shown
