"""What both D6 games ask alike."""

from __future__ import annotations

from tableside.rules.code import MAX_DICE, Code
from tableside.rules.form import Form, choice, flag, number, rules_join
from tableside.rules.form import code as dice_code
from tableside.rules.tracker import Tracker

ATTRIBUTES = ("Dexterity", "Knowledge", "Mechanical", "Perception", "Strength", "Technical")
"""The six attributes of both games, which are thrown where a character has no skill (S001, S003)."""


class D6Ask(Form):
    """What both games ask; each says more of its own."""

    purpose: str = choice("What is thrown", ("check",), default="check")
    code: Code | None = dice_code("Dice code", "dice_total")
    pips: int = number("More pips")
    actions: int = number("Actions this round", "multi_action", least=1, most=20, default=1)
    force_point: bool = flag("Force Point spent", "force_point", builds_dice=True, holds=True, costs="force_points")
    prepared: bool = flag("Prepared", "prepare")
    attribute: str = choice(
        "Attribute of the skill",
        ATTRIBUTES,
        "skill_default",
        help="It is thrown where a skill has no code.",
        filled_by="skill card",
    )
    owned: int = number("Dice that the players own", most=MAX_DICE, is_setting=True)
    joins: str = rules_join("0")
    advanced: bool = flag(
        "An advanced skill", "skill_default", help="Without a code nobody can try it.", filled_by="skill card"
    )


FORCE = Tracker(
    name="force_points", title="Force Points", default=1, source="force_point", kinds=("player",), stands_for="light"
)
MORTAL_ROUNDS = Tracker(name="mortal_rounds", title="Rounds since the mortal wound", source="mortal_check")
FALLEN = Tracker(
    name="fallen",
    title="Fallen of the group",
    source="round_order",
    help="Who is out of the fight.",
    kinds=("group",),
    fells="each",
)
"""What both games count alike."""
