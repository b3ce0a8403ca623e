"""Characters of the narrative game: their skills, their weapons, what hurts them and what their symbols buy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.games.narrative import checks
from tableside.games.narrative.ask import (
    FEARS,
    FORM,
    MODIFIERS,
    NAME,
    NO_CHECKS,
    PERCENTILES,
    TRACKERS,
    Ask,
    Attack,
    ForcePower,
    rating_of,
    reach_of,
)
from tableside.games.narrative.options import FREE, PRONE
from tableside.games.narrative.pool import Rating
from tableside.rules.acts import ENCOUNTER, NEW_ROUND, Act, Done
from tableside.rules.characters import Characters, Help, Known, Opposed, is_called, members_left, why_out
from tableside.rules.facts import Fact
from tableside.rules.form import answers, names_of
from tableside.rules.people import Care, Distance, Effect, Follow, Lasting, Person, PersonKind, Skill
from tableside.words import say

CRITICAL_STEP = 10
"""Added to the percentile throw for each critical injury that somebody has (published rule, not in S000)."""

CRITICAL = answers(Ask, purpose="critical")
THING_TRACKERS: Mapping[str, str] = {
    "wounds": "hull",
    "strain": "system_strain",
    "critical_injuries": "critical_hits",
}
"""What a ship or vehicle has in place of what people have."""

SHIP_SKILLS = ("piloting", "gunnery")
"""Skills that are used aboard ships and vehicles alone (M29)."""

SECOND_MANEUVER_STRAIN = 2
"""Strain that a second maneuver costs (published rule, not in S000)."""


_FEAR = "fear"
_INITIATIVE = ("cool", "vigilance")
_OF: Mapping[str, str] = {"cool": "presence"}
"""Characteristics of skills that S000 names without one (published rule)."""
_AVERAGE = 2  # of a humanoid


def _alike(name: str) -> tuple[str, ...]:
    """Return the known skills of the same characteristic."""
    wanted = name.casefold().replace(" ", "_")
    alike = checks.SKILLS.get(_OF.get(wanted, "")) or next((all for all in checks.SKILLS.values() if wanted in all), ())
    return tuple(one.replace("_", " ") for one in alike)


@dataclass(frozen=True, slots=True, kw_only=True)
class NarrativeCharacters(Characters):
    """The characters of the symbol dice."""

    def skill_answers(self, actor: Person, skill: Skill) -> Mapping[str, Any]:
        """Return the ratings; a group's ranks are its members beyond the first, in the skills that it has."""
        found = dict(Characters.skill_answers(self, actor, skill))
        return found | (_ranks(self, actor) if actor.has_all_join else {})

    def lasting(self, person: Person) -> tuple[Lasting, ...]:
        """Return what lasts, with fear and the ranks of a group, which a group's own book may lack."""
        found = Characters.lasting(self, person)
        if (fear := FEARS[person.value("fear")]) != "calm":
            more = {"dice": {"difficulty": 1}} if fear == "terrified" else {}
            found += (Lasting(name=fear, id=_FEAR, ask=answers(Ask, setback=1) | more),)
        if not person.has_all_join and (ranks := _ranks(self, person)):
            found += (Lasting(name="Ranks of a group", id="ranks", ask=ranks),)
        return found

    def joins(self, state: Lasting, given: Ask, *, skill: str) -> bool:
        """Tell whether it joins: who is afraid is no slower (published rule)."""
        return state.key != _FEAR or given.purpose != "initiative"

    def condition_answers(self, actor: Person, given: Ask, *, skill: str, target: Person | None) -> Mapping[str, Any]:
        """Return what injuries add to the throw for another, and the Force dice that are free."""
        if given.purpose == "critical":
            return _injury_facts(actor) if target is None else {}
        if isinstance(given, ForcePower):
            free = max((actor.most("committed") or 0) - actor.value("committed"), 0)
            return answers(Ask, force=free) if given.force is None else {}
        if given.purpose in NO_CHECKS:
            return {}
        found = {} if actor.kind is PersonKind.PLAYER else answers(Ask, of_master=True)
        if (
            _is_thing(actor)
            or "hull" in actor.trackers
            or (target and _is_thing(target))
            or given.skill_used in SHIP_SKILLS
        ):
            found |= answers(Ask, of_ships=True)
        if made := actor.value("maneuvers") + bool(actor.barred_by("second_maneuver")):
            found |= answers(Ask, maneuvers=made)
        return found

    def opponent_answers(self, opposed: Opposed, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the target's ratings where it resists with a skill, and its defences where it is attacked."""
        target = opposed.target
        if target is None:
            return {}
        if given.purpose in PERCENTILES:
            return _injury_facts(target)
        if given.purpose == "medicine":
            return {} if given.difficulty else answers(Ask, difficulty=_care(target))
        if isinstance(given, Attack):
            lost = names_of(Ask.setback) if target.barred_by("defence") else ()
            met = {name: value for name, value in target.defences.items() if name not in lost}
            return met | (answers(Ask, of_ships=True) if _is_thing(target) else {})
        name = opposed.skill or _resisting(skill, target)
        if not name:
            return {}
        found = _rating(FORM.build(self.skill_answers(target, target.skill(name))))
        return answers(Ask, opponent_characteristic=found.characteristic, opponent_skill=found.skill)

    def helper_answers(self, actor: Person, helped: Help, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the best helper's ratings, where they better the check, and a boost die for each other one.

        Skilled help takes the higher characteristic and the higher ranks; plain help is a boost die (section 10).
        """
        own = _rating(given)
        found = answers(Ask, boost=len(helped.helpers))
        pairs = ((one, one.find_skill(skill)) for one in helped.helpers)
        skilled = [_rating(FORM.build(self.skill_answers(one, used))) for one, used in pairs if used]
        best = max(skilled, key=lambda one: _size(checks.assisted(own, one)), default=own)
        if checks.assisted(own, best) != own:
            boost = len(helped.helpers) - 1
            found = answers(Ask, boost=boost, helper_characteristic=best.characteristic, helper_skill=best.skill)
        return {name: value for name, value in found.items() if value}

    def cares(self, person: Person) -> tuple[Care, ...]:
        """Return what the published rules have for wounds and strain, and repairs for a ship's hull."""
        if _is_thing(person):
            return (_REPAIRS,) if person.value("hull") else ()
        if person.kind is PersonKind.GROUP:
            return ()
        found = []
        if person.value("wounds"):
            found.append(_MEDICINE)
            if person.value("stimpacks") < self.tracker("stimpacks").most:
                found.append(Care(words=_STIMPACK, act="stimpack"))
        if person.value("strain"):
            is_skilled = any(is_called(self, one, name) for one in person.skills for name in _RECOVERY.skills)
            bare = {} if is_skilled else self.untrained(person, "cool")
            found.append(replace(_RECOVERY, ask={**_RECOVERY.ask, **bare}))
        if person.value("wounds") or person.value("strain"):
            found.append(Care(words=_NIGHT, act="night", is_rest=True))
        if person.without_state(PRONE.name) != person and not why_out(self, person):
            found.append(Care(words=_RISE, act="rise"))
        return tuple(found)

    def is_for_fallen(self, given: Ask, *, skill: str) -> bool:
        return given.purpose in NO_CHECKS

    def untrained(self, person: Person, name: str) -> Mapping[str, Any]:
        """Return the characteristic alone, as another skill of it tells; else that of an average humanoid (N1)."""
        alike = _alike(name)
        rated = (FORM.build(one.ask) for one in person.skills if any(is_called(self, one, n) for n in alike))
        known = (given.characteristic for given in rated if given.characteristic is not None)
        return answers(Ask, characteristic=next(known, _AVERAGE), skill=0)

    def distance(self, given: Ask, *, skill: str, is_attack: bool) -> Distance:
        if not isinstance(given, Attack):
            return ""
        return "near" if "engaged" in reach_of(given) else "afar"

    def takes_carried(self, given: Ask) -> bool:
        """Tell whether it is a check: the tables give boosts and setbacks to checks alone (section 10, M29)."""
        return given.purpose not in NO_CHECKS

    def flip(self, ask: Mapping[str, Any], side: str) -> dict[str, Any] | None:
        """Return the call upgraded: by points of the roller's side the check, by others the difficulty (M21, D10)."""
        given = FORM.build(ask)
        if given.purpose in NO_CHECKS:
            return None
        if side == ("dark" if given.of_master else "light"):
            return {**ask, **answers(Ask, helping_hand=given.helping_hand + 1)}
        return {**ask, **answers(Ask, raising_the_stakes=given.raising_the_stakes + 1)}

    def apply_effect(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect; what wounds and strains people is damage to a thing's hull and systems."""
        if effect.tracker == "system_strain" and not _is_thing(person):
            return person  # whoever flies or shoots: the ship is moved by hand
        if _is_thing(person) and effect.tracker == "maneuvers":
            return person  # they are of whoever flies
        if _is_thing(person):
            effect, *also = (
                replace(one, tracker=THING_TRACKERS.get(one.tracker, one.tracker)) for one in (effect, *effect.also)
            )
            effect = replace(effect, also=tuple(also))
        return Characters.apply_effect(self, person, effect)

    def _done(self, act: Act, person: Person, given: Any, *, skill: str, before: Person) -> Done:
        """Return what a maneuver, a stimpack, a night or a commitment of Force dice makes of somebody (section 10)."""
        match act.name:
            case "maneuver":
                return self._maneuver(person)
            case "rise" if (up := person.without_state(PRONE.name)) != person:
                done = self._maneuver(up)
                return replace(done, words=say("{owner}: {change}", owner=act.title, change=done.words))
            case "stimpack":
                used, most = person.value("stimpacks"), self.tracker("stimpacks").most
                if used >= most:
                    hint = "Others help again after a night."
                    raise GameError("no stimpack helps any more today", where=person.name, hint=hint)
                if not person.value("wounds"):
                    raise GameError("there is no wound", where=person.name, hint="Keep it for later.")
                healed = self._change(person, wounds=used - most, stimpacks=1)
                return Done(person=healed, words=say("{n} {n:wound|wounds} less", n=most - used))
            case "night":
                rested = self._change(person, wounds=-1, strain=-person.value("strain"))
                return Done(person=rested, words="A wound less, and no strain")
            case "commit":
                rating, committed = person.most("committed") or 0, person.value("committed")
                if committed >= rating:
                    hint = say("The Force rating is {n}.", n=rating)
                    raise GameError("no Force die is free", where=person.name, hint=hint)
                person = self._change(person, committed=1)
            case "release":
                person = self._change(person, committed=-1)
        return Done(person=person, words=act.title)

    def _maneuver(self, person: Person) -> Done:
        """Return who has moved: the second maneuver of a turn costs two strain, and there is no third."""
        made = person.value("maneuvers")
        if made and (why := person.barred_by("second_maneuver")):
            raise GameError("no second maneuver", where=person.name, hint=why)
        match made:
            case 0:
                return Done(person=self._change(person, maneuvers=1), words="A maneuver")
            case 1 if person.without_state(FREE.name) != person:  # that one was bought: this is the turn's own
                return Done(person=self._change(person, maneuvers=1), words="A maneuver")
            case 1 if not person.has_all_join:
                return Done(person=self._change(person, maneuvers=1), words="A second maneuver")
            case 1:
                words = say("A second maneuver for {n} strain", n=SECOND_MANEUVER_STRAIN)
                return Done(person=self._change(person, maneuvers=1, strain=SECOND_MANEUVER_STRAIN), words=words)
        hint = "Two are the most in a turn; the next begins with “The turn ends”."
        raise GameError("no third maneuver", where=person.name, hint=hint)

    def _change(self, person: Person, **changes: int) -> Person:
        for name, change in changes.items():
            person = self.apply_effect(person, Effect(tracker=name, change=change))
        return person


def _resisting(skill: str, target: Person) -> str:
    """Return the skill of the target that resists this one (S000), the same one where the texts name none."""
    wanted = skill.casefold()
    named = [name for name, resisted in checks.RESISTS.items() if wanted in resisted]
    named += [*checks.OPPOSED_BY.get(wanted, ()), wanted]
    return next((found.name for name in named if (found := target.find_skill(name))), "")


def _rating(given: Ask) -> Rating:
    return rating_of(given.characteristic, given.skill) or Rating(characteristic=0)


def _size(rating: Rating) -> tuple[int, int]:
    """Return how many dice a rating builds, and how many of them are upgraded."""
    low, high = rating.dice
    return low + high, high


def _injury_facts(person: Person) -> dict[str, Any]:
    """Return what the injuries that somebody has add to the throw for another."""
    tracker = THING_TRACKERS["critical_injuries"] if _is_thing(person) else "critical_injuries"
    found = answers(Ask, added=CRITICAL_STEP * person.value(tracker))
    return found | answers(Ask, of_ships=True) if _is_thing(person) else found


def _care(patient: Person) -> str:
    """Return how hard somebody is to treat: by half of the threshold, and beyond it (published rule)."""
    tracker = THING_TRACKERS["wounds"] if _is_thing(patient) else "wounds"
    threshold, wounds = patient.most(tracker), patient.value(tracker)
    if threshold is None:
        return "average"
    return "hard" if wounds > threshold else "average" if 2 * wounds > threshold else "easy"


def _ranks(characters: Characters, group: Person) -> dict[str, Any]:
    """Return the ranks that the members of a group beyond the first give it, none of all others."""
    if group.kind is not PersonKind.GROUP:
        return {}
    return answers(Ask, skill=checks.group_skill(members_left(characters, group)))


def _is_thing(person: Person) -> bool:
    return person.kind is PersonKind.THING


_LIVING = (PersonKind.PLAYER, PersonKind.PERSON)
_STIMPACK, _NIGHT, _RISE = "A stimpack", "A night's rest", "Rise from prone"
_MEDICINE = Care(words="Medicine", ask=answers(Ask, purpose="medicine"), skills=("medicine",), is_by_another=True)
_REPAIRS = Care(words="Repairs", ask=answers(Ask, purpose="medicine"), skills=("mechanics",), is_by_another=True)
_RECOVERY = Care(
    words="To shake off strain", ask=answers(Ask, purpose="recover"), skills=("discipline", "cool"), is_rest=True
)
ACTS = (
    Act(
        name="maneuver",
        title="A maneuver",
        kinds=_LIVING,
        is_deed=True,
        takes="maneuvers",
        help="The second of a turn costs two strain.",
        source="section 10",
    ),
    Act(
        name="rise",
        title=_RISE,
        kinds=_LIVING,
        is_deed=True,
        takes="maneuvers",
        help="It is a maneuver.",
        source="section 10",
    ),
    Act(name="turn", title="The turn ends", kinds=_LIVING, resets=("turn", "round"), passes="turn_end", source="M29"),
    Act(name="stimpack", title=_STIMPACK, kinds=_LIVING, source="section 10"),
    Act(name="night", title=_NIGHT, kinds=_LIVING, is_for_all=True, resets=("day",), source="section 10"),
    Act(name="commit", title="Commit a Force die", kinds=_LIVING, is_deed=True, source="section 10"),
    Act(name="release", title="Free a Force die", kinds=_LIVING, source="section 10"),
    NEW_ROUND,
    ENCOUNTER,
)

_SKILLS = sorted({name for names in checks.SKILLS.values() for name in names} | set(checks.UNPLACED_SKILLS))
FACTS = (
    Fact(tracker="wounds", out="Out of the fight from wounds", follow=Follow(words="A critical injury", ask=CRITICAL)),
    Fact(tracker="strain", out="Out of the fight from strain"),
    Fact(tracker="hull", out="Out of the fight from damage", follow=Follow(words="A critical hit", ask=CRITICAL)),
    Fact(tracker="system_strain", out="The systems fail"),
)
"""What is beyond a threshold (published rule, not in S000)."""
CHARACTERS = NarrativeCharacters(
    game=NAME,
    form=FORM,
    trackers=TRACKERS,
    skills=tuple(
        Known(
            name=name.replace("_", " ").capitalize(),
            gives=answers(Ask, skill_used=name),
            uses=("initiative",) if name in _INITIATIVE else (),
        )
        for name in _SKILLS
    ),
    modifiers=MODIFIERS,
    facts=FACTS,
    acts=ACTS,
)
