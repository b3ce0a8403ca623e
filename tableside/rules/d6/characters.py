"""What the characters of both games with dice codes share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.errors import BadAsk
from tableside.rules.acts import Act
from tableside.rules.code import Code
from tableside.rules.people import Person

ATTRIBUTES = ("Dexterity", "Knowledge", "Mechanical", "Perception", "Strength", "Technical")
"""The six attributes of both games, which are thrown where a character has no skill (S001, S003)."""


POINTS = {"light": "force_points", "dark": "dark_side_points", "character": "character_points"}
"""Trackers that stand in the place of a pool: each character has points of its own."""


ROUND = Act(
    name="round",
    title="A round passes",
    is_for_all=True,
    resets=("round",),
    help="In a fight it passes by itself with the last turn.",
    source="round_order",
)
"""Both games count what lasts for rounds."""


def doubled(ask: Mapping[str, Any], side: str, *, game: str) -> dict[str, Any] | None:
    """Return the call with a Force Point spent on it: the code doubles. A dark point comes of deeds only.

    :raises BadAsk: for a second Force Point.
    """
    if side != "light":
        return None
    if ask.get("force_point"):
        hint = "One Force Point counts for a whole round."
        raise BadAsk("a Force Point is spent on this call already", where=f"game {game}", hint=hint)
    return {**ask, "force_point": True}


def code_of_skill(person: Person, name: str) -> Code | None:
    """Return the code of a skill or an attribute, ``None`` where the person has none of that name."""
    for skill in person.skills:
        if skill.name.casefold() == name.casefold() and "code" in skill.ask:
            return Code.of(str(skill.ask["code"]))
    return None


def code_of(dice: int, pips: int) -> dict[str, Any]:
    """Return the answers for so many dice with pips that are added to their total."""
    return {"code": f"{dice}D", **({"pips": pips} if pips else {})}
