"""Numbered dice: the d10, the percentile pair, and plain dice in place of the narrative ones (S000)."""

from __future__ import annotations

from collections.abc import Sequence

from tableside.dice import Die, Face, find_sets
from tableside.errors import GameError, UnknownDieType, UnknownFace, did_you_mean

PERCENTILE_USES = ("critical_injury_severity", "obligation_check")
"""What the percentile pair is thrown for (S000 Ten-sided dice)."""


def d10(shown: int) -> int:
    """Return 1..10: a 0 counts as 10 on a die thrown alone."""
    return _digit(shown) or 10


def d100(tens: int, ones: int) -> int:
    """Return 1..100: zeros count as 0, but both together are 100. Which die is the tens is fixed beforehand."""
    return _digit(tens) * 10 + _digit(ones) or 100


def percentile_of(dice: Sequence[Die], *, game: str) -> tuple[int, str]:
    """Return the number that one d10, or a d100 with a d10, shows, with words for it.

    :raises GameError: for other dice; :class:`UnknownFace` for a face that is not on the die.
    """
    shown: dict[str, int] = {}
    for die in dice:
        if die.type not in ("d10", "d100"):
            hint = did_you_mean(die.type, ("d10", "d100"))
            raise UnknownDieType(f"does not use {die.type!r} dice here", where=f"game {game}", hint=hint)
        faces = [f"{digit}{'0' if die.type == 'd100' else ''}" for digit in range(10)]
        if len(die.face) != 1 or die.face[0] not in faces:
            what = f"no face {' '.join(die.face) or 'blank'}"
            raise UnknownFace(what, where=f"die {die.type}", hint=f"Its faces are: {', '.join(faces)}.")
        shown[die.type] = faces.index(die.face[0])
    if len(shown) != len(dice) or "d10" not in shown:
        hint = "Throw one d10, or a d100 for the tens and a d10 for the ones."
        raise GameError("these dice make no number", where=f"game {game}", hint=hint)
    if "d100" not in shown:
        return d10(shown["d10"]), f"The d10 shows {d10(shown['d10'])}."
    number = d100(shown["d100"], shown["d10"])
    return number, f"Tens {shown['d100']} and ones {shown['d10']}: {number}."


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
