"""Gear of the narrative game: weapons with their qualities, and armor (S000)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tableside.rules.reference import FILE, read_sheets


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
