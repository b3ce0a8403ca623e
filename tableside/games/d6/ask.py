"""What both D6 games ask alike."""

from __future__ import annotations

from tableside.rules.form import Field, Kind, choices
from tableside.rules.tracker import Tracker

ATTRIBUTES = ("Dexterity", "Knowledge", "Mechanical", "Perception", "Strength", "Technical")
"""The six attributes of both games, which are thrown where a character has no skill (S001, S003)."""

UNTRAINED = (
    Field(
        name="attribute",
        title="Attribute of the skill",
        kind=Kind.CHOICE,
        choices=choices(ATTRIBUTES),
        source="skill_default",
        help="It is thrown where a skill has no code.",
    ),
    Field(
        name="advanced",
        title="An advanced skill",
        kind=Kind.FLAG,
        default=False,
        source="skill_default",
        help="Without a code nobody can try it.",
    ),
)
"""What a skill says that its owner has not learned."""

FALLEN = Tracker(name="fallen", title="Fallen of the group", source="round_order", help="Who is out of the fight.")
"""What both games count of a group."""
