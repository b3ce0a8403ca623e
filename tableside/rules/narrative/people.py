"""Characters of the narrative game: characteristics, skills, gear and the order of turns (S000)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tableside.rules.narrative.pool import Rating
from tableside.rules.reference import FILE, read_sheets
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon (S000 Adversaries). ``qualities`` have ranks, or ``True`` where they have none."""

    skill: str
    damage: int
    critical: int
    range: str
    qualities: Mapping[str, int | bool]

    def rank(self, quality: str) -> int:
        """Return the rank of a quality, 0 where the weapon has it not."""
        return int(self.qualities.get(quality, 0))

    @property
    def activates(self) -> bool:
        """Whether it has a quality that is activated by symbols."""
        return any(QUALITIES[name] == "activated" for name in self.qualities)


@dataclass(frozen=True, slots=True, kw_only=True)
class Armor:
    """What is worn (S000 Adversaries)."""

    soak: int
    defense: int = 0


QualityUse = Literal["always", "chosen", "activated"]
QUALITIES: Mapping[str, QualityUse] = {"pierce": "always", "vicious": "always", "stun_setting": "chosen"}
"""How each quality of the excerpt's weapons comes to bear: by itself, as a setting before the shot, or for symbols.

S000 knows active and passive qualities; which is which is known from the published game.
"""

VICIOUS_STEP = 10
"""Added to the percentile throw of a critical for each rank of Vicious (published rule, not in S000)."""


def _gear() -> dict[str, Weapon | Armor]:
    """Return the gear of the excerpt's adversaries, as people look it up (S000)."""
    sheets = {sheet.name: sheet.rows for sheet in read_sheets(Path(__file__).with_name(FILE))}
    found: dict[str, Weapon | Armor] = {}
    for name, skill, damage, critical, band, qualities in sheets["weapons"]:
        found[_key(name)] = Weapon(
            skill=_key(skill), damage=int(damage), critical=int(critical), range=band, qualities=_qualities(qualities)
        )
    for name, soak, defense in sheets["armor"]:
        found[_key(name)] = Armor(soak=int(soak), defense=int(defense))
    return found


def _key(title: str) -> str:
    return re.sub(r"\W+", "_", title.lower()).strip("_")


def _qualities(text: str) -> Mapping[str, int | bool]:
    """Read ``"Pierce 2, Vicious 1"``."""
    found: dict[str, int | bool] = {}
    for word in text.split(", ") if text != "-" else ():
        name, _, rank = word.rpartition(" ")
        found[_key(name if rank.isdecimal() else word)] = int(rank) if rank.isdecimal() else True
    return found


GEAR: Mapping[str, Weapon | Armor] = _gear()


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
    """

    is_net: bool = True

    def rank(self, net: Mapping[str, int], ask: Mapping[str, Any]) -> tuple[int, ...] | None:
        del ask
        if not any(name in net for name in self.numbers):
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
