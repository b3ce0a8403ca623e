"""D6 with dice codes: the rolls of the adventure printed with the rules supplement (S003)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tableside.errors import GameError, did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task of the adventure.

    :ivar bands: the difficulty of each roll in turn.
    :ivar may_combine: several characters may work together.
    :ivar failure: what each failed roll does.
    :ivar penalty_dice: what is taken from each code because two things are done at once.
    """

    bands: tuple[str, ...]
    may_combine: bool = False
    failure: str = ""
    penalty_dice: int = 0


_WOUNDS = "wounded, for each failed check"

TASKS: Mapping[str, Task] = {
    "con the officer into changing the verdict": Task(bands=("difficult",), may_combine=True),
    "rip open a sealed panel in the pod": Task(bands=("difficult",), may_combine=True),
    "reprogram the pod": Task(bands=("moderate",)),
    "impact in a damaged pod": Task(bands=("easy",), failure="wounded"),
    "climb down": Task(bands=("easy",)),
    "spot the ambush": Task(bands=("moderate",)),
    "cross the river": Task(bands=("moderate", "moderate", "difficult"), failure="6D"),
    "talk into the camp, telling the truth": Task(bands=("moderate",)),
    "talk into the camp, stretching the truth": Task(bands=("difficult",)),
    "talk into the camp, invented story": Task(bands=("very_difficult",)),
    "carry more than own weight": Task(bands=("difficult",)),
    "fly the pod up the mountain": Task(bands=("difficult",)),
    "fly the pod with the carving": Task(bands=("very_difficult",)),
    "set a decoy signal": Task(bands=("moderate",)),
    "climb to the summit, sheltered side": Task(bands=("easy",), failure=_WOUNDS, penalty_dice=1),
    "climb without scouting": Task(bands=("easy",) * 3, failure=_WOUNDS, penalty_dice=1),
}

BURDEN_PENALTY = 1
"""Dice more that a burdened climber loses."""

_VERDICTS = ("house arrest", "house arrest", "exile", "execution")


def find_task(name: str) -> Task:
    """Return a task of the adventure, or raise :class:`GameError`."""
    if name not in TASKS:
        raise GameError(f"no task {name!r}", where="adventure", hint=did_you_mean(name, TASKS))
    return TASKS[name]


def verdict(points: int) -> str:
    """Return the officer's verdict by the number of points he was angered on."""
    if not 0 <= points < len(_VERDICTS):
        raise GameError(f"{points} points", where="adventure", hint="He can be angered on 0 to 3.")
    return _VERDICTS[points]
