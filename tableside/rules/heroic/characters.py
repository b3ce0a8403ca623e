"""Characters of the heroic game: abilities and skills, attacks against defences, the condition track."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from tableside.rules.characters import NOTHING, ROLLER, Bought, Characters, Opposed
from tableside.rules.game import Outcome, Spend
from tableside.rules.heroic.ask import FORM, NAME, TRACKERS
from tableside.rules.heroic.hurt import CONDITIONS
from tableside.rules.narrative.characters import CHANGES, SYMBOLS
from tableside.rules.people import Effect, Follow, Person, PersonKind
from tableside.words import say

SKILLS = ("Athletics", "Acrobatics", "Vigilance")
"""Skills that S004 names; the whole list is missing, so the group adds its own (A13)."""

_CONDITIONS = tuple(CONDITIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroicCharacters(Characters):
    """The characters of the heroic game."""

    pool_builders: ClassVar[tuple[str, ...]] = (
        "ability",
        "skill",
        "condition",
        "difficulty",
        "defense",
        "defense_abilities",
        "defense_rank",
        "boosts",
        "taunted",
        "long_range",
        *CHANGES,
    )

    def suffered(
        self, actor: Person, known: Mapping[str, Any], *, skill: str, target: Person | None
    ) -> Mapping[str, Any]:
        """Return the condition, whose dice join every check (H06)."""
        del known, skill, target
        condition = _CONDITIONS[actor.value("condition")]
        return {} if condition == "normal" else {"condition": condition}

    def against(self, opposed: Opposed, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the target's defence and how it is (H04, H05, H14)."""
        del known, skill
        target = opposed.target
        if target is None:
            return {}
        return {
            **target.defences,
            "target_condition": _CONDITIONS[target.value("condition")],
            "target_staggered": bool(target.value("staggered")),
            "target_unconscious": bool(target.value("unconscious")),
            "target_stamina": target.value("stamina"),
        }

    def bought(self, spend: Spend, *, price: str, outcome: Outcome, ask: Mapping[str, Any]) -> Bought:
        del price, outcome, ask
        if spend.name == "second_maneuver":
            return Bought(effects=(Effect(tracker="maneuvers", change=1, words="A second maneuver", on=ROLLER),))
        if spend.name == "opportunity":
            words = "Opportunity pool +1"
            return Bought(effects=(Effect(tracker="opportunity", change=1, words=words, on="table"),))
        return NOTHING

    def limits(self, person: Person, *, before: Person) -> tuple[Follow, ...]:
        """Return what follows on the lowest row of the track (H07)."""
        if (
            person.value("unconscious")
            and not person.value("stamina")
            and (before.value("stamina") or not before.value("unconscious"))
        ):
            return (Follow(words="Dead"),)
        if person.value("unconscious") and not before.value("unconscious"):
            return (Follow(words=say("Unconscious: {n} stamina left", n=person.value("stamina"))),)
        if _CONDITIONS[person.value("condition")] == "helpless" and person.value("condition") > before.value(
            "condition"
        ):
            return (Follow(words="Helpless: no actions"),)
        return ()


CHARACTERS = HeroicCharacters(
    game=NAME,
    form=FORM,
    trackers=TRACKERS,
    skills=tuple((name, {}) for name in SKILLS),
    skill_fields=("ability", "skill"),
    weapon_fields=("power", "weapon", "damage_ability", "long_range"),
    defence_fields=("threshold", "defense", "defense_abilities", "defense_rank", "soak", "vulnerability"),
    adds=(*CHANGES, *SYMBOLS, "dice", "boosts"),
    gauges=dict.fromkeys(PersonKind, ("condition", "staggered", "unconscious", "stamina", "maneuvers")),
    own_limits=("stamina",),
)
