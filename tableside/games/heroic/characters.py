"""Characters of the heroic game: abilities and skills, attacks against defences, the condition track."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from typing import Any

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.games.heroic import combat
from tableside.games.heroic.ask import FORM, MODIFIERS, NAME, TRACKERS, Ask, Attack
from tableside.games.heroic.hurt import CONDITIONS, Health, most_stamina, row, threshold_of
from tableside.rules.acts import ENCOUNTER, NEW_ROUND, Act, Done
from tableside.rules.characters import Characters, Known, Opposed
from tableside.rules.facts import Fact
from tableside.rules.form import Form, answers, choice, names_of
from tableside.rules.people import Care, Distance, Effect, Follow, Gauge, Lasting, Person
from tableside.words import say

SECOND = Lasting(name="A second maneuver", until="turn", words="It was paid with an advantage.")
NO_ACTION = Lasting(name="No action", until="turn", words="It was given up for a maneuver.", bars="actions")
_CONDITIONS = tuple(CONDITIONS)


class Maneuver(Form):
    """What a maneuver asks."""

    by: str = choice(
        "How a second one is paid",
        {"no_action": "no action this turn", "combat_advantage": "combat advantage to the enemies"},
        "H12",
    )


_ABILITIES: Mapping[str, str] = {"vigilance": "wisdom"}
"""The ability of skills that are thrown by who has no rank in them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeroicCharacters(Characters):
    """The characters of the heroic game."""

    def opponent_answers(self, opposed: Opposed, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the target's defence and how it is (H04, H05, H14); a named skill takes the defence's place (H20)."""
        target = opposed.target
        if target is None:
            return {}
        if isinstance(given, Attack) and given.power == "basic_grapple" and not target.value("held"):
            hint = "Grab this one first."
            raise GameError("{=who} is not grabbed", who=target.name, where=target.name, hint=hint)
        health = health_of(target)
        how = answers(
            Attack,
            target_condition=health.condition,
            target_staggered=health.staggered,
            target_unconscious=health.unconscious,
            target_stamina=health.stamina,
        )
        found = {**_defence_facts(target.defences, given.defense), **how}
        if opposed.skill:
            rated = FORM.build(self.skill_answers(target, target.skill(opposed.skill)))
            found |= answers(Ask, defense_abilities=(rated.ability or 0,), defense_rank=rated.skill or 0)
        return found

    def distance(self, given: Ask, *, skill: str, is_attack: bool) -> Distance:
        if not isinstance(given, Attack):
            return ""
        is_shot = combat.PROVOKING.get(given.reach) or given.power == "basic_ranged"
        return "afar" if is_shot else "near"

    def condition_answers(self, actor: Person, given: Ask, *, skill: str, target: Person | None) -> Mapping[str, Any]:
        """Return the condition, and the maneuvers of the turn."""
        found = dict(Characters.condition_answers(self, actor, given, skill=skill, target=target))
        made = actor.value("maneuvers")
        return found | answers(Ask, maneuvers=made) if made else found

    def check(self, person: Person) -> Person:
        """Return the person with the stamina of its class and Vitality.

        :raises GameError: for abilities that nobody has at level 1.
        """
        person = Characters.check(self, person)
        own = FORM.build(person.defences)
        if own.level == 1 and own.abilities and not combat.is_first_level(own.abilities):
            hint = "All six start at 1, four points are placed, and none is above 3."
            raise GameError("these are no abilities of level 1", where=person.name, hint=hint)
        if (
            own.stamina_base is None
            or len(own.abilities) != len(combat.ABILITIES)
            or person.most("stamina") is not None
        ):
            return person
        most = most_stamina(own.stamina_base, own.abilities[combat.ABILITIES.index("vitality")])
        return replace(person, trackers={**person.trackers, "stamina": Gauge(value=most, most=most)})

    def cares(self, person: Person) -> tuple[Care, ...]:
        """Return what a stamina buys (H08, H20), and how one comes free of a hold."""
        health = health_of(person)
        found = []
        if health.steadied() and not person.value("steadied"):
            found.append(Care(words=_STEADY, act="steady"))
        if health.stamina and health.moved_up() != health:
            found.append(Care(words=_HEALED, act="heal"))
        if person.value("held"):
            found.append(Care(words=_FREED, act="release"))
        return tuple(found)

    def is_for_fallen(self, given: Ask, *, skill: str) -> bool:
        return given.purpose == "save"

    def record_roll(self, person: Person, ask: Mapping[str, Any], *, skill: str, power: str, roll_id: str) -> Person:
        """Return somebody who has acted, and used a power, which comes back with its rest (H12, H19)."""
        given = FORM.build(ask)
        if isinstance(given, Attack) and given.power not in combat.NO_ACTIONS:
            person = person.acted()
        frequency = given.frequency
        is_counted = person.most(f"{frequency}_powers") is not None  # by a tracker of their own
        if not power or not combat.RECHARGES[frequency] or is_counted:
            return person
        return replace(person, used={**person.used, power: frequency})

    def untrained(self, person: Person, name: str) -> Mapping[str, Any]:
        """Return the ability alone, 1 where it is not known, which is the average (H17)."""
        own, of = FORM.build(person.defences).abilities, _ABILITIES.get(name.casefold(), "")
        rated = own[combat.ABILITIES.index(of)] if of and len(own) == len(combat.ABILITIES) else 1
        return answers(Ask, ability=max(rated, 1), skill=0)

    def _done(self, act: Act, person: Person, given: Form, *, skill: str, before: Person) -> Done:
        """Return what Steady, healing, a maneuver or a rest makes of somebody (H08, H12, H19)."""
        if isinstance(given, Maneuver):
            return self._maneuver(person, given.by)
        match act.name:
            case "steady":
                if not combat.may_do_incidental("steady", ("steady",) if person.value("steadied") else ()):
                    raise GameError("no incidental twice in a turn", where=person.name, hint="Wait for the next turn.")
                return self._better(self._set(person, steadied=1), health_of(person).steadied())
            case "heal":
                health = health_of(person)
                better = health.moved_up() if health.stamina else health
                found = None if better == health else dataclass_replace(better, stamina=health.stamina - 1)
                return self._better(person, found)
            case "short_rest":
                left = {name: often for name, often in person.used.items() if combat.RECHARGES[often] != act.name}
                person = replace(person, used=left)
                return Done(person=self._fill(person, "encounter_powers"), words=act.title)
            case "extended_rest":
                person = replace(person, used={})
                return Done(person=self._fill(person, "encounter_powers", "daily_powers", "stamina"), words=act.title)
        return Done(person=person, words=act.title)

    def _better(self, person: Person, after: Health | None) -> Done:
        if after is None:
            hint = "It takes a stamina, and something to recover from; the helpless need another's help."
            raise GameError("this helps nothing", where=person.name, hint=hint)
        values = {"condition": row(after.condition), "staggered": int(after.staggered)}
        person = self._set(person, **values, unconscious=int(after.unconscious), stamina=after.stamina)
        return Done(
            person=person, words=say("{^condition}, {n} stamina left", condition=after.condition, n=after.stamina)
        )

    def _maneuver(self, person: Person, by: str) -> Done:
        """Return who has moved; a second maneuver has its price, and there is no third (H12)."""
        count = person.value("maneuvers")
        if count >= combat.MANEUVERS_A_TURN:
            raise GameError("no third maneuver", where=person.name, hint="Two are the most in a turn.")
        is_paid = combat.may_take_second_maneuver(
            action_taken=by != "no_action" or person.done > 0,
            advantage_spent=int(person.has_state(SECOND.name)),  # also where it was made first
            grants_combat_advantage=by == "combat_advantage",
        )
        if count and not is_paid:
            hint = "Give up the action or grant combat advantage, or buy it with an advantage of a roll."
            raise GameError("a second maneuver has its price", where=person.name, hint=hint)
        person = self._set(person, maneuvers=count + 1)
        if count and by == "no_action" and not person.has_state(SECOND.name):
            person = person.with_state(NO_ACTION)
        if count and by == "combat_advantage":
            return Done(
                person=self._set(person, combat_advantage=1), words="A second maneuver: enemies have combat advantage"
            )
        return Done(person=person, words="A second maneuver" if count else "A maneuver")

    def _fill(self, person: Person, *names: str) -> Person:
        return self._set(person, **{name: most for name in names if (most := person.most(name)) is not None})

    def _set(self, person: Person, **values: int) -> Person:
        for name, value in values.items():
            person = person.with_value(self.tracker(name), value)
        return person

    def apply_effect(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect: who is restrained is not let go by a mere grab (H20)."""
        if effect.tracker == "held" and effect.set is not None:
            effect = replace(effect, set=max(effect.set, person.value("held")))
        return Characters.apply_effect(self, person, effect)


def _defence_facts(defences: Mapping[str, Any], attacked: str) -> dict[str, Any]:
    """Return what a character withstands: the attacked defence and the threshold, by its abilities (H04, H14)."""
    found = {name: value for name, value in defences.items() if name not in _OWN}
    own = FORM.build({**defences, **answers(Ask, purpose="attack")})
    if not isinstance(own, Attack) or len(own.abilities) != len(combat.ABILITIES):
        return found
    scores = dict(zip(combat.ABILITIES, own.abilities, strict=True))
    if name := attacked or own.defense:
        both = tuple(scores[ability] for ability in combat.defense_abilities(name))
        found |= answers(Ask, defense=name, defense_abilities=both, defense_rank=own.defense_ranks.get(name, 0))
    if own.threshold_base is not None and own.threshold is None:
        found |= answers(Attack, threshold=threshold_of(own.threshold_base, scores["vitality"]))
    return found


def health_of(person: Person) -> Health:
    """Return how somebody is, as the trackers say."""
    return Health(
        condition=_CONDITIONS[person.value("condition")],
        staggered=bool(person.value("staggered")),
        unconscious=bool(person.value("unconscious")),
        stamina=person.value("stamina"),
    )


_OWN = names_of(Ask.abilities, Ask.defense_ranks, Ask.threshold_base, Ask.stamina_base, Ask.level)
"""What of a character's answers only builds others."""

_STEADY, _HEALED, _FREED = "Steady", "Healed by somebody", "Free of a hold"
ACTS = (
    Act(name="turn", title="A turn begins", resets=("turn", "round"), passes="turn_begin", source="H12"),
    Act(name="maneuver", title="A maneuver", asks=Maneuver, is_deed=True, takes="maneuvers", source="H12"),
    Act(name="steady", title=_STEADY, help="One stamina, one step up.", is_for_living=True, source="H20"),
    Act(name="heal", title=_HEALED, help="One stamina, one step up.", is_for_living=True, source="H08"),
    Act(name="release", title=_FREED, is_for_living=True, sets=(("held", 0),), source="H20"),
    Act(name="short_rest", title="A short rest", is_for_all=True, is_for_living=True, resets=("turn",), source="H19"),
    Act(
        name="extended_rest",
        title="An extended rest",
        is_for_all=True,
        is_for_living=True,
        resets=("turn",),
        source="H08",
    ),
    NEW_ROUND,
    ENCOUNTER,
)

FACTS = (
    Fact(tracker="condition", at=row("helpless"), out="Helpless: no actions", unless="unconscious"),
    Fact(
        tracker="unconscious",
        at=1,
        out="Unconscious",
        follow=lambda person: Follow(words=say("Unconscious: {n} stamina left", n=person.value("stamina"))),
    ),
    Fact(tracker="unconscious", at=1, out="Dead", unless="stamina", is_dead=True),
)
"""The lowest row of the track (H07)."""
CHARACTERS = HeroicCharacters(
    game=NAME,
    form=FORM,
    trackers=TRACKERS,
    skills=(Known(name="Athletics"), Known(name="Acrobatics"), Known(name="Vigilance", uses=("initiative",))),
    modifiers=MODIFIERS,
    facts=FACTS,
    acts=ACTS,
)
"""S004 names these skills; the whole list is missing, so the group adds its own (A13)."""
