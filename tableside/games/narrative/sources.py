"""Where each rule of this game stands in the source texts, so that a step of an explanation can name it.

S000 is the core rulebook's text, S002 the summary sheet of the dice. Rules go by their marks in the project's rules.
"""

from __future__ import annotations

from collections.abc import Mapping

from tableside.rules.game import Step

SOURCES: Mapping[str, str] = {
    "M01": "S002 face table",
    "M03": "S000 Dice symbols and results",
    "M04": "S000 Triumph, Despair",
    "M05": "S000 Building a basic dice pool",
    "M06": "S000 Table 1-3; S002 Roll difficulties",
    "M09": "S000 Modifying a dice pool",
    "M10": "S000 Modifying a dice pool",
    "M11": "S002 A Helping Hand",
    "M12": "S000 Upgrading and downgrading ability and difficulty",
    "M15": "S002 Making a dice pool, step 4",
    "M19": "S002 Spending Destiny",
    "M22": "S000 Force dice",
    "M23": "S000 Ten-sided dice",
    "M24": "S000 Ten-sided dice",
    "M26": "S000 Success; equipment lines",
    "M28": "S000 Item qualities; equipment lines",
    "D4": "S002 The symbols (Failure)",
}


def symbol_step(text: str, rule: str) -> Step:
    """Return a step with its source."""
    return Step(text, rule, SOURCES[rule])
