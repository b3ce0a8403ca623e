"""Where each rule of this game stands in the source texts, so that a step of an explanation can name it.

S004 is the heroic game; what it takes over goes by the marks of the narrative dice.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.games.narrative.sources import SOURCES as NARRATIVE
from tableside.rules.game import Step

SOURCES: Mapping[str, str] = {
    **NARRATIVE,
    "H02": "S004 The Dice (boosts do not stack)",
    "H03": "S004 The Dice",
    "H05": "S004 Damage and Threshold",
    "H06": "S004 The Condition Track table",
    "H09": "S004 Saving Throws",
    "H14": "S004 Defenses",
    "H16": "S004 Taunted, Taunting, and Taunts",
    "H19": "S004 Powers (range)",
    "H20": "S004 Basic Powers",
}


def heroic_step(text: str, rule: str) -> Step:
    """Return a step with its source."""
    return Step(text, rule, SOURCES[rule])
