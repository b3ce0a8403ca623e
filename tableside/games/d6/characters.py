"""What the characters of both games with dice codes share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.d6.outcome import Plan
from tableside.rules.acts import Act
from tableside.rules.characters import Characters
from tableside.rules.code import Code
from tableside.rules.form import Answers
from tableside.rules.people import Person, Skill
from tableside.words import say

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


@dataclass(frozen=True, slots=True, kw_only=True)
class D6Characters(Characters):
    """What both games do alike.

    :ivar plan: works out the code of answers.
    """

    plan: Callable[[Answers], Plan]

    reactions: ClassVar[tuple[str, ...]] = ("Dodge", "Parry", "Melee parry", "Brawling parry", "Evasion")

    def rated(self, actor: Person, skill: Skill) -> Mapping[str, Any]:
        """Return the answers of a skill. Where it has no code its attribute is thrown (skill_default)."""
        found = Characters.rated(self, actor, skill)
        if "code" in found or "attribute" not in found:
            return found
        if found.get("advanced"):
            hint = "Learn it first."
            raise BadAsk(say("{=skill} is an advanced skill", skill=skill.name), where=actor.name, hint=hint)
        code = code_of_skill(actor, str(found["attribute"]))
        return found if code is None else {**found, "code": str(code)}

    def flip(self, ask: Mapping[str, Any], side: str) -> dict[str, Any] | None:
        """Return the call with a Force Point spent on it: the code doubles. A dark point comes of deeds only.

        :raises BadAsk: for a second Force Point.
        """
        if side != "light":
            return None
        if ask.get("force_point"):
            hint = "One Force Point counts for a whole round."
            raise BadAsk("a Force Point is spent on this call already", where=f"game {self.game}", hint=hint)
        return {**ask, "force_point": True}

    def as_thrown(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the call for as many dice as lie there, with the pips that the called code has."""
        kept = {name: value for name, value in ask.items() if name not in self.pool_builders}
        pips = self.plan(self.form.check(ask, game=self.game)).pips
        return {**kept, "code": f"{len(dice)}D", **({"pips": pips} if pips else {})}


def code_of_skill(person: Person, name: str) -> Code | None:
    """Return the code of a skill or an attribute, ``None`` where the person has none of that name."""
    for skill in person.skills:
        if skill.name.casefold() == name.casefold() and "code" in skill.ask:
            return Code.of(str(skill.ask["code"]))
    return None
