"""Characters of the game with dice codes: codes, attacks with damage of their own, wounds, stuns, hulls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.rules.characters import Help, Opposed
from tableside.rules.code import Code
from tableside.rules.d6.ask import ATTRIBUTES
from tableside.rules.d6.characters import POINTS, D6Characters, code_of_skill
from tableside.rules.d6_companion.ask import FORM, NAME, TRACKERS, plan_of
from tableside.rules.d6_companion.capital import DESTROYED_PIPS
from tableside.rules.d6_companion.combat import overcome
from tableside.rules.d6_companion.rolls import combine_limit, combined, may_combine
from tableside.rules.people import Effect, Follow, Person, PersonKind
from tableside.words import say

_WOUNDS = next(tracker.steps for tracker in TRACKERS if tracker.name == "wounds")
_WOUNDED, _INCAPACITATED = _WOUNDS.index("wounded"), _WOUNDS.index("incapacitated")
_DAMAGE = ("damage", "stun_damage", "ship_damage", "ion_damage", "capital_damage", "capital_ion_damage")
_COSTS = (("stuns", "stuns"), ("ionized", "ionized"), ("capital_damage", "ship_damage"))
_SPARED: Mapping[str, str] = {"stuns": "strength", "ionized": "hull", "capital_damage": "hull"}
"""The code that each of these leaves as it is."""
_WORST = ("wounds", "ship_damage", "ionized")
"""Trackers that keep the worse of what they are and what a hit does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionCharacters(D6Characters):
    """The characters of the game with dice codes."""

    pool_builders: ClassVar[tuple[str, ...]] = (
        "code",
        "add",
        "pips",
        "force_point",
        "prepared",
        "guns",
        "actions",
        "full_reaction",
        "wounded",
        "stuns",
        "ionized",
        "ship_damage",
        "uncertainty",
    )
    can_help: ClassVar[bool] = True

    def suffered(
        self, actor: Person, known: Mapping[str, Any], *, skill: str, target: Person | None
    ) -> Mapping[str, Any]:
        """Return the wound, the stuns and the ship's damage, which cost dice or pips.

        Stuns leave Strength alone, ionization and the ship's damage leave the hull alone (stun_track,
        starship_damage, capital_state).
        """
        del known, target
        found: dict[str, Any] = {}
        if actor.value("wounds") >= _WOUNDED:
            found["wounded"] = True
        for tracker, field in _COSTS:
            if actor.value(tracker) and skill.casefold() != _SPARED[tracker]:
                found[field] = actor.value(tracker)
        return found

    def against(self, opposed: Opposed, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the target's defences, and its last total: what damage has to beat, or a reaction to an attack."""
        del skill
        if known.get("purpose") == "dying":
            return {}
        found = dict(opposed.target.defences) if opposed.target else {}
        if is_damage := known.get("purpose") in _DAMAGE:  # what is hard to hit is not for that harder to hurt
            found = {name: value for name, value in found.items() if name == "target_scale"}
        if opposed.total is not None:
            total = opposed.total.get("total", 0)
            if is_damage:
                found["against"] = total
            elif "difficulty" in known or "band" in known or "difficulty" in found or "band" in found:
                found |= {"reaction": known.get("reaction", "combat"), "reaction_total": total}
            else:
                found["difficulty"] = total
        return found

    def helped(self, actor: Person, helped: Help, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the pips of a combined action: one for each whole die of the supporters (combined_action).

        Where time is short, no more may combine than the highest of their codes has dice (combined_limit, I6, I7).
        """
        if not may_combine(re.sub(r"\W+", "_", skill.casefold())):
            fault = say("{=skill} cannot be combined", skill=skill)
            raise GameError(fault, where=f"game {self.game}", hint="Let each of them roll.")
        codes = [self._code_left(person, skill) for person in (actor, *helped.helpers)]
        limit = combine_limit(codes, ample_time=not helped.is_urgent)
        bonus, _ = combined(codes[0], codes[1:], actions=known.get("actions", 1), limit=limit)
        return {"pips": bonus}

    def _code_left(self, person: Person, skill: str) -> Code:
        """Return the code of a skill after what its owner suffers from, of which no die may be left."""
        suffered = self.suffered(person, {}, skill=skill, target=None)
        given = self.joined(self.rated(person, person.skill(skill)), suffered)
        try:
            return plan_of(self.form.check(given, game=self.game)).code or Code()
        except GameError:
            return Code()

    def costs(self, ask: Mapping[str, Any]) -> Mapping[str, int]:
        return {"force_points": 1} if ask.get("force_point") else {}

    def affected(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect. A wound on a wound incapacitates; else the worse of both stays."""
        now = person.value(effect.tracker)
        if effect.tracker in _WORST and effect.set is not None:
            again = effect.tracker == "wounds" and now == effect.set == _WOUNDED
            effect = replace(effect, set=_INCAPACITATED if again else max(now, effect.set))
        return D6Characters.affected(self, person, effect)

    def limits(self, person: Person, *, before: Person) -> tuple[Follow, ...]:
        """Return what follows: a survival roll each round, and what stuns and ships' damage come to.

        As many stuns as Dexterity has dice make immobile, as many as stamina has knock out (stun_track).
        """
        now, was = person.value("wounds"), before.value("wounds")
        mortal = _WOUNDS.index("mortally_wounded")
        if now != was and now == mortal:
            return (Follow(words="Mortally wounded: two dice each round", ask={"purpose": "dying", "rounds": 1}),)
        if now != was and now > mortal:
            return (Follow(words="Dead"),)
        if now != was and now == _INCAPACITATED:
            return (Follow(words="Incapacitated"),)
        if person.value("ship_damage") == 4 != before.value("ship_damage"):
            return (Follow(words="Destroyed"),)
        if person.value("capital_damage") >= DESTROYED_PIPS > before.value("capital_damage"):
            return (Follow(words="Destroyed"),)
        if person.value("unconscious") > before.value("unconscious"):
            return (Follow(words="Unconscious"),)
        return self._stunned(person, before)

    def _stunned(self, person: Person, before: Person) -> tuple[Follow, ...]:
        stuns, had = person.value("stuns"), before.value("stuns")
        stamina = code_of_skill(person, "stamina") or code_of_skill(person, "Strength")
        dexterity = code_of_skill(person, "Dexterity")
        if stamina and had < stuns and overcome(stamina, stuns):
            return (Follow(words="Unconscious"),)
        if dexterity and had < stuns and overcome(dexterity, stuns):
            return (Follow(words="Immobile: no skills of Dexterity"),)
        return ()


CHARACTERS = CompanionCharacters(
    game=NAME,
    form=FORM,
    plan=plan_of,
    trackers=TRACKERS,
    skills=tuple((name, {}) for name in ATTRIBUTES),
    points=POINTS,
    resists="Strength",
    skill_fields=("code",),
    weapon_fields=("add", "band", "fire"),
    damage_fields=("code", "purpose", "chart"),
    defence_fields=("difficulty", "target_scale"),
    adds=("pips", "guns", "stuns", "ionized", "overspeed"),
    gauges={
        PersonKind.PLAYER: ("force_points", "character_points", "wounds", "stuns", "unconscious", "dark_side_points"),
        PersonKind.PERSON: ("wounds", "stuns", "unconscious"),
        PersonKind.GROUP: ("wounds", "stuns", "unconscious"),
        PersonKind.THING: ("ship_damage", "ionized", "capital_damage"),
    },
)
