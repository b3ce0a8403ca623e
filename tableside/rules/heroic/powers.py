"""The heroic game's powers, classes and races as records (S004; rules H18 to H20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tableside.errors import GameError, did_you_mean
from tableside.rules.heroic.hurt import DAMAGE_TYPES
from tableside.rules.heroic.play import DEFENSES, FEATS, PROVOKING, RECHARGES

ACTIONS = ("none", "incidental", "free", "maneuver", "action", "retaliate")
TYPES = ("feature", "attack", "utility")
KEYWORDS = ("weapon", "basic", *DAMAGE_TYPES[1:])
"""Weapon is a keyword and a type of damage in one."""

TARGETS = ("creature", "self", "ally", "enemy")
SECONDARY_SOURCES = 2
RACE_SKILLS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Something a character can do.

    :ivar frequency: ``at_will``, ``encounter`` or ``daily``.
    :ivar range_detail: such as ``"1"``, ``"10/20"``, ``"weapon"``, ``"blast 3"`` or ``"burst 1 within 10"``.
    :ivar attack: the offensive skill and the defence; a power with these is an attack.
    :ivar check: the skill and the difficulty where nobody is opposed.
    :ivar opportunity_cost: advantages to pay (A11).
    :ivar hit, miss: what happens with one net success or more, and with none; ``effect`` happens always.
    """

    name: str
    flavour: str = ""
    frequency: str = "at_will"
    type: str = "attack"
    class_name: str = ""
    level: int = 1
    action: str = "action"
    trigger: str = ""
    keywords: tuple[str, ...] = ()
    range: str = "melee"
    range_detail: str = ""
    target: str = "creature"
    attack: tuple[str, str] | None = None
    check: tuple[str, str] | None = None
    opportunity_cost: int = 0
    recharge: str = ""
    requirement: str = ""
    special: str = ""
    hit: str = ""
    miss: str = ""
    effect: str = ""
    sustain: str = ""

    def __post_init__(self) -> None:
        named = [
            ("frequency", self.frequency, tuple(RECHARGES)),
            ("type", self.type, TYPES),
            ("action", self.action, ACTIONS),
            ("range", self.range, tuple(PROVOKING)),
            ("target", self.target, TARGETS),
            *(("keyword", keyword, KEYWORDS) for keyword in self.keywords),
        ]
        if self.attack is not None:
            named.append(("defence", self.attack[1], tuple(DEFENSES)))
        for name, value, known in named:
            if value not in known:
                hint = did_you_mean(value, known)
                raise GameError(f"{name} is {value!r}", where=f"power {self.name}", hint=hint)
        if self.opportunity_cost < 0 or self.level < 1:
            hint = "Costs start at 0 and levels at 1."
            what = f"cost {self.opportunity_cost}, level {self.level}"
            raise GameError(what, where=f"power {self.name}", hint=hint)

    @property
    def is_attack(self) -> bool:
        return self.attack is not None

    @property
    def provokes(self) -> bool:
        """Whether using it provokes those who stand near."""
        return PROVOKING[self.range]

    @property
    def recharges_after(self) -> str | None:
        """The rest that brings it back, ``None`` where it is never used up."""
        return RECHARGES[self.frequency]

    def happens(self, net_success: int) -> tuple[str, ...]:
        """Return what it does at this result."""
        return tuple(text for text in (self.hit if net_success >= 1 else self.miss, self.effect) if text)


_BASIC = ("basic", "weapon")
_MELEE_HIT = "weapon + Brawn + net successes; unarmed Brawn + net successes"
BASIC: Mapping[str, Power] = MappingProxyType(
    {
        power.name: power
        for power in (
            Power(
                name="basic_melee",
                keywords=_BASIC,
                range_detail="1 or weapon",
                attack=("primary", "reflex"),
                hit=_MELEE_HIT,
            ),
            Power(
                name="basic_ranged",
                keywords=_BASIC,
                range="range",
                range_detail="weapon",
                attack=("primary", "reflex"),
                hit="weapon + Agility + net successes",
            ),
            Power(
                name="basic_retaliate",
                keywords=_BASIC,
                action="retaliate",
                range_detail="1",
                trigger="a neighbour provokes",
                attack=("primary", "reflex"),
                hit=_MELEE_HIT,
            ),
            Power(
                name="basic_grab",
                keywords=("basic",),
                action="maneuver",
                range_detail="1",
                requirement="one free hand",
                attack=("brawn", "reflex"),
                hit="the target is grabbed",
            ),
            Power(
                name="basic_grapple",
                keywords=("basic",),
                range_detail="1",
                requirement="a grabbed target",
                check=("brawn", "Athletics or Acrobatics"),
                hit="the target is restrained",
                special="released as an incidental",
            ),
            Power(
                name="steady",
                type="utility",
                action="incidental",
                range="personal",
                target="self",
                requirement="one stamina",
                effect="one step up the condition track",
            ),
        )
    }
)
"""What everybody can do (H20). What grabbed and restrained mean is not in the text (A16)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterClass:
    """What a class gives; its numbers are the table's own, as the list is not in the text (A16).

    :ivar sources: the attack skills: one primary, two secondary.
    :ivar skills: class skills, with one rank each.
    """

    name: str
    threshold: int
    stamina: int
    defense: str
    primary: str
    secondary: tuple[str, str]
    skills: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.defense not in DEFENSES:
            hint = did_you_mean(self.defense, DEFENSES)
            raise GameError(f"no defence {self.defense!r}", where=f"class {self.name}", hint=hint)
        if self.threshold < 0 or self.stamina < 0:
            raise GameError("a base below zero", where=f"class {self.name}", hint="Bases start at 0.")

    def defense_rank(self, defense: str) -> int:
        """Return the rank at the start: one in the class's defence."""
        return int(defense == self.defense)


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """What a race gives: one rank more in two skills, or in any two untrained ones, and a trait."""

    name: str
    skills: tuple[str, ...] = ()
    trait: str = ""

    def __post_init__(self) -> None:
        if len(self.skills) not in (0, RACE_SKILLS):
            hint = f"It names {RACE_SKILLS} skills, or none where any two untrained ones may be chosen."
            raise GameError(f"{len(self.skills)} skills", where=f"race {self.name}", hint=hint)


def with_feat(feats: tuple[str, ...], new: str, *, instead_of: str = "") -> tuple[str, ...]:
    """Return the feats with a new one; a seventh takes the place of one."""
    if len(feats) < FEATS:
        return (*feats, new)
    if instead_of not in feats:
        hint = did_you_mean(instead_of, feats)
        raise GameError(f"{FEATS} feats are the most", where="feats", hint=f"Name one to replace. {hint}")
    return tuple(new if feat == instead_of else feat for feat in feats)
