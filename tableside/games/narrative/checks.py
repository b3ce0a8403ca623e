"""Checks of the narrative game: skills, help, and what ranks the rolls of several and the order of turns (S000)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tableside.games.narrative.pool import Rating
from tableside.rules.turns import Ranked, TurnOrder

SKILLS: Mapping[str, tuple[str, ...]] = {
    "brawn": ("athletics", "brawl", "melee"),
    "agility": ("coordination", "ranged_light", "ranged_heavy"),
    "intellect": ("astrogation", "computers", "knowledge", "lore", "xenology"),
    "cunning": ("deception", "perception", "survival"),
    "willpower": ("coercion", "discipline", "vigilance"),
    "presence": ("charm", "leadership"),
}
"""The skills of each characteristic, as far as S000 names them."""

UNPLACED_SKILLS = (
    "cool",
    "gunnery",
    "mechanics",
    "piloting",
    "resilience",
    "skulduggery",
    "streetwise",
)
"""Skills that S000 names without a characteristic."""

RESISTS: Mapping[str, tuple[str, ...]] = {"discipline": ("leadership", "coercion", "deception")}
"""What a skill resists (S000 Discipline)."""

OPPOSED_BY: Mapping[str, tuple[str, ...]] = {"leadership": ("discipline", "willpower")}
"""What opposes an order that is harmful or against the target's nature (S000 Leadership)."""


def assisted(roller: Rating, helper: Rating) -> Rating:
    """Return the rating of a check with skilled help: the best of both (published rule, not in S000)."""
    return Rating(
        characteristic=max(roller.characteristic, helper.characteristic), skill=max(roller.skill, helper.skill)
    )


def merit_of(net: Mapping[str, int]) -> tuple[int, ...] | None:
    """Return what ranks a competitive check: net successes, then triumphs (published rule, not in S000)."""
    if "success" not in net and "failure" not in net:
        return None
    return net.get("success", 0) - net.get("failure", 0), net.get("triumph", 0)


def group_skill(members: int) -> int:
    """Return the skill ranks of a minion group: its members beyond the first (published rule, not in S000)."""
    return max(members - 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolOrder(TurnOrder):
    """By the symbols of a roll for initiative, in the order in which ``numbers`` names them.

    :ivar is_net: what counts against a symbol leaves less than none of it; else that counts as none.
    :ivar called: answers that only a call gives, the purpose first: with another purpose the roll is for something
        else. Loose dice may be thrown for the order.
    """

    is_net: bool = True
    called: tuple[str, ...] = ()

    def rank(self, net: Mapping[str, int], ask: Mapping[str, Any]) -> tuple[int, ...] | None:
        is_another = any(name in ask for name in self.called) and ask.get(self.called[0]) != "initiative"
        if is_another or not any(name in net for name in self.numbers):
            return None
        against = {"success": "failure", "advantage": "threat"}
        return tuple(net.get(name, 0) - net.get(against.get(name, ""), 0) for name in self.numbers)

    def number(self, slot: Ranked, name: str) -> int:
        # Bound by name: slots make a new class, which zero-argument super() does not know.
        found = TurnOrder.number(self, slot, name)
        return found if self.is_net else max(found, 0)


TURNS = SymbolOrder(numbers=("success", "advantage"), is_by_side=True)
"""A Simple check of Cool, or of Vigilance when surprised: successes, then advantages, then players first (published
rule). A slot belongs to a side, whose characters may fill it with whom they like.
"""
