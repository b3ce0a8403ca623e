"""How likely a roll still succeeds that waits for a throw."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from tableside.dice import Face
from tableside.table.roll import Roll, RollDie
from tableside.table.roll_changes import scored
from tableside.table.system import System

_MOST_THROWS = 50
"""A chain of so many throws is given up: only a target far beyond every table of difficulties needs it."""


def chance_from_here(roll: Roll, system: System) -> Fraction | None:
    """Return the exact chance of success once all is thrown that the roll waits for.

    ``None`` where the roll waits for nothing or knows no success, and where more than one die is to be thrown.
    """
    return _chance(roll, system) if roll.awaits is not None else None


def chance_with(roll: Roll, sets: Mapping[str, Any], system: System) -> Fraction | None:
    """Return the exact chance of success once these answers are added, such as one more die after the roll.

    ``None`` where nothing is added or no success is known, and where more than one die is to be thrown.
    """
    return _chance(scored(replace(roll, ask={**roll.ask, **sets}), system), system) if sets else None


def _chance(roll: Roll, system: System) -> Fraction | None:
    if roll.succeeded is not None:
        return Fraction(roll.succeeded)
    if roll.awaits is None or roll.awaits.most != 1 or roll.last_throw > _MOST_THROWS:
        return None
    ((kind, _),) = roll.awaits.dice
    sides = _sides(kind, system)
    found = Fraction(0)
    for face in sides:
        die = RollDie(type=kind, face=face, throw=roll.last_throw + 1)
        then = _chance(scored(replace(roll, dice=(*roll.dice, die)), system), system)
        if then is None:
            return None
        found += then / len(sides)
    return found if sides else None


def _sides(kind: str, system: System) -> tuple[Face, ...]:
    """Return every side of a die of this type, none where they are not all known."""
    found = (one for dice_set in system.sets for one in dice_set.types if one.name == kind and one.has_all_sides)
    return next((one.faces for one in found), ())
