"""Characters of the game with a Wild Die: codes, attacks with damage of their own, wound states, stuns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import Any, ClassVar

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.games.d6.ask import ATTRIBUTES
from tableside.games.d6.characters import (
    PREPARE,
    PREPARED,
    PRONE,
    REACTIONS,
    RISE,
    ROUND,
    D6Characters,
    code_of_skill,
    declared_actions,
)
from tableside.games.d6_wild.ask import FORM, MODIFIERS, NAME, TABLES, TRACKERS, Ask, Damage, Dying, plan_of
from tableside.games.d6_wild.combat import HEALING, STATES, UNCONSCIOUS_MINUTES, stunned_out, worsened
from tableside.games.d6_wild.rolls import TURNS, command_bonus, most_commanded
from tableside.rules.acts import ENCOUNTER, Act, Done
from tableside.rules.characters import Characters, Help, Known, Opposed, is_dying
from tableside.rules.code import Code
from tableside.rules.facts import Fact
from tableside.rules.form import answers, name_of
from tableside.rules.people import Care, Distance, Effect, Follow, Lasting, Person, PersonKind, Until
from tableside.words import say

_MORTAL = STATES.index("mortally_wounded")
_OUT = STATES.index("incapacitated")
_IS_SAVED = 2
"""Of the tracker of first aid: who had a medpac or a bacta tank as well lives."""
_SAVED, _WAKE, _REST = "A medpac or a bacta tank within the hour", "Awake again", "A minute's rest"
_NO_MORE = Lasting(
    name="No more actions", until="round", words="Wounded: none until the round is over.", bars="actions"
)
"""What a wound puts on somebody besides its state (wound_track)."""
_KNOCKED_DOWN = ("wounded", "wounded_twice", "incapacitated")
_FIRST_AID = Care(
    words="First aid", ask=answers(Ask, purpose="first_aid"), skills=("First aid", "Medicine"), is_by_another=True
)
_DYING = Care(words="Two dice for a life", ask=answers(Dying, purpose="dying"))
_HEALING = Care(words="Natural healing", ask=answers(Ask, purpose="healing"), skills=("Strength",), is_rest=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class WildCharacters(D6Characters):
    """The characters of the game with a Wild Die."""

    def is_thrown(self, given: Ask) -> bool:
        return given.purpose == "check"

    def reacts(self, given: Ask, *, skill: str) -> str:
        if given.role != "dodge" and skill.capitalize() not in REACTIONS:
            return ""
        return "parry" if "parry" in skill.casefold() else "dodge"

    def met_by(self, given: Ask) -> tuple[str, ...]:
        """Return a dodge for what is shot, a parry for all else; where there is none of it the other counts."""
        if not self.is_thrown(given):
            return ()
        return ("dodge",) if given.range else ("parry", "dodge")

    def joins(self, state: Lasting, given: Ask, *, skill: str) -> bool:
        """Tell whether it joins: no reaction is prepared (prepare)."""
        is_reaction = state.name == PREPARED.name and bool(self.reacts(given, skill=skill))
        return not is_reaction and D6Characters.joins(self, state, given, skill=skill)

    dying: ClassVar[tuple[str, ...]] = ("mortal_rounds", "stabilised")

    def _drop_stale(self, person: Person) -> Person:
        """Return somebody who is no longer awake in spite of a wound that this one has not (wound_track)."""
        if person.value("awake") and person.value("wounds") != _OUT:
            person = person.with_value(self.tracker("awake"), 0)
        return D6Characters._drop_stale(self, person)

    def over(self, person: Person, what: Until) -> Person:
        after = Characters.over(self, person, what)
        return after.with_value(self.tracker("wounds"), 0) if _is_stunned(after) else after

    def cares(self, person: Person) -> tuple[Care, ...]:
        """Return what the summary has for the hurt (stabilize, natural_healing, unconscious_time, stun_count)."""
        found, state, help_given = [], STATES[person.value("wounds")], person.value("stabilised")
        if person.kind in (PersonKind.GROUP, PersonKind.THING):
            return ()
        if is_dying(self, person) and not help_given:
            found += [_FIRST_AID, _DYING]
        if is_dying(self, person) and help_given == 1:
            found.append(Care(words=_SAVED, act="saved"))
        if state in HEALING and (help_given == _IS_SAVED or not is_dying(self, person)):
            found.append(_HEALING)
        if person.value("unconscious") or (person.value("wounds") == _OUT and not person.value("awake")):
            found.append(Care(words=_WAKE, act="wake"))
        if person.value("stuns"):
            found.append(Care(words=_REST, act="minute_of_rest"))
        return (*found, *self.rising(person))

    def is_for_fallen(self, given: Ask, *, skill: str) -> bool:
        """Tell whether it is Strength against damage or to heal, or a throw for what becomes of somebody."""
        return given.purpose != "check" or given.role == "resist" or self._resists(skill)

    def rank(self, person: Person, thrown: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
        """Return the rank with the actions of the round, each of which has its turn (turn_order)."""
        at = TURNS.numbers.index("actions")
        if thrown is None:
            return None
        return (*thrown[:at], *(0,) * (at - len(thrown)), declared_actions(person), *thrown[at + 1 :])

    def condition_answers(self, actor: Person, given: Ask, *, skill: str, target: Person | None) -> Mapping[str, Any]:
        """Return the wound state, which costs dice, the rounds of the dying, and that Strength withstands damage."""
        if isinstance(given, Dying):
            return answers(Dying, rounds=max(actor.value("mortal_rounds"), 1))
        found = dict(Characters.condition_answers(self, actor, given, skill=skill, target=target))
        own = actor.defences.get(name_of(Ask.other_scale))
        if target is not None and own:
            found[name_of(Ask.scale)] = own
        is_met = bool(given.role or given.difficulty is not None or given.band)
        if given.purpose == "check" and self._resists(skill) and not is_met:  # nothing to reach: it withstands damage
            found |= answers(Ask, role="resist")
        return found

    def opponent_answers(self, opposed: Opposed, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the target's defences, and its last total: what damage has to beat, or the reaction to an attack.

        What is hard to hit is not for that harder to persuade, to heal or to hurt: only an attack meets the defences.
        """
        target = opposed.target
        if given.purpose in TABLES:
            return {}
        defences = dict(target.defences) if target else {}
        other = {name: value for name, value in defences.items() if name == name_of(Ask.other_scale)}
        total = opposed.total.get("total", 0) if opposed.total is not None else None
        if isinstance(given, Damage):
            if total is None and given.against is None:
                own = FORM.build(other).other_scale
                scales = answers(Ask, role="resist", scale=own, other_scale=given.scale)
                total = self.resistance_left(target, scales)
            return other | ({} if total is None else answers(Damage, against=total))
        found = {} if total is None else answers(Ask, reaction_total=total)
        if opposed.is_attack or given.role == "attack" or given.range:
            is_of_scale = other and not given.role  # which counts for an attack, as this is one
            return defences | found | (answers(Ask, role="attack") if is_of_scale else {})
        return (other if given.role else {}) | found

    def distance(self, given: Ask, *, skill: str, is_attack: bool) -> Distance:
        if given.purpose != "check" or not (is_attack or given.role == "attack" or given.range):
            return ""
        return "near" if self.is_melee(skill) and not given.range else "afar"

    def helper_answers(self, actor: Person, helped: Help, given: Ask, *, skill: str) -> Mapping[str, Any]:
        """Return the bonus of a combined action, which goes to the one with the highest skill (combined_action).

        :raises GameError: for one with a lower skill, and for more workers than their leader commands.
        """
        own = _code_of(actor, skill)
        better = next((one for one in helped.helpers if _code_of(one, skill) > own), None)
        if better is not None:
            let_throw = say("Let {=name} throw.", name=better.name)
            raise GameError("the bonus goes to the highest skill", where=actor.name, hint=let_throw)
        working = 1 + len(helped.helpers)
        if helped.command is not None:
            code = FORM.build(helped.command).code or Code()
            if working > (most := most_commanded(code)):
                hint = "One for each die: leave some out."
                raise GameError("{code} commands {n}", code=str(code), n=most, where="command", hint=hint)
        bonus = command_bonus(working, missed_by=helped.missed_by)
        return {name_of(Ask.bonus): bonus.added} if bonus != Code() else {}

    def apply_effect(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect; wounds worsen as the summary prints it."""
        if effect.tracker == "wounds" and effect.set is not None:
            after = worsened(STATES[person.value("wounds")], STATES[effect.set])
            is_wound = STATES[effect.set] not in ("healthy", "stunned")
            effect = replace(effect, set=STATES.index(after))
            if is_wound and after in _KNOCKED_DOWN and person.kind in (PersonKind.PLAYER, PersonKind.PERSON):
                person = person.with_state(PRONE).with_state(_NO_MORE)
        return D6Characters.apply_effect(self, person, effect)

    def is_overcome(self, person: Person) -> bool:
        """Tell whether as many stuns count as Strength has dice (stun_count)."""
        strength = code_of_skill(person, "Strength")
        return strength is not None and stunned_out(strength, person.value("stuns"))

    def _done(self, act: Act, person: Person, given: Any, *, skill: str, before: Person) -> Done:
        """Return what time does: a round, half an hour, or a minute's rest."""
        if act.name == RISE.name and person.has_state(PRONE.name):
            return Done(person=person.without_state(PRONE.name).acted(), words=act.title)
        if act.name == "hour" and person.value("stabilised") == 1:
            return Done(person=person.with_value(self.tracker("wounds"), _MORTAL + 1))
        if act.name == "saved" and person.value("stabilised") != 1:
            raise GameError("nobody stabilised this one", where=person.name, hint="First aid comes first.")
        if act.name == "saved":
            return Done(person=person.with_value(self.tracker("stabilised"), _IS_SAVED), words=act.title)
        if act.name == "wake" and person.value("wounds") == _OUT:
            return Done(person=person.with_value(self.tracker("awake"), 1), words=act.title)
        if act.name != ROUND.name:
            return Done(person=person, words="" if act.is_for_all else act.title)
        words = ""
        left = person.value("stunned_rounds")
        person = person.with_value(self.tracker("stunned_rounds"), left - 1)
        if left == 1:
            words = "No longer stunned"
            person = person.with_value(self.tracker("wounds"), 0) if _is_stunned(person) else person
        if person.value("wounds") == _MORTAL and not person.value("stabilised"):
            person = person.with_value(self.tracker("mortal_rounds"), person.value("mortal_rounds") + 1)
        return Done(person=person, words=words)


def _is_stunned(person: Person) -> bool:
    return STATES[person.value("wounds")] == "stunned"


def _code_of(person: Person, skill: str) -> Code:
    return FORM.build(person.skill(skill).ask).code or Code()


def life_throw(person: Person) -> Follow:
    """Return the throw for the life of the dying (mortal_check)."""
    rounds = person.value("mortal_rounds")
    return Follow(words="Two dice for a life", ask=answers(Dying, purpose="dying", rounds=rounds))


def _out(state: str) -> Follow:
    """Return the throw for the minutes without consciousness."""
    return Follow(
        words=say("Unconscious for {code} minutes", code=str(UNCONSCIOUS_MINUTES[state])),
        ask=answers(Ask, purpose="minutes", state=state),
    )


ACTS = (
    ROUND,
    PREPARE,
    changed(RISE, source="wound_track"),
    Act(name="half_hour", title="Half an hour passes", is_for_all=True, resets=("half an hour",), source="stun_count"),
    Act(
        name="minute_of_rest",
        title=_REST,
        is_for_living=True,
        resets=("half an hour",),
        help="No stun counts any more.",
        source="stun_count",
    ),
    Act(
        name="saved",
        title=_SAVED,
        is_for_living=True,
        help="Who was stabilised lives.",
        source="stabilize",
    ),
    Act(
        name="hour",
        title="An hour passes",
        is_for_all=True,
        resets=("half an hour",),
        help="Who was stabilised and got no more help dies.",
        source="stabilize",
    ),
    ENCOUNTER,
    Act(name="wake", title=_WAKE, is_for_living=True, resets=("waking up",), source="unconscious_time"),
)

_USES = {"Perception": ("initiative", "command"), "Strength": ("resists",)}
FACTS = (
    Fact(tracker="wounds", at=_OUT, out="Incapacitated", unless="awake", follow=_out("incapacitated")),
    Fact(
        tracker="wounds",
        at=_MORTAL,
        out="Mortally wounded",
        follow=Follow(words="Mortally wounded: two dice each round", ask=answers(Dying, purpose="dying", rounds=1)),
        is_dying=True,
    ),
    Fact(tracker="wounds", at=_MORTAL + 1, out="Dead", is_dead=True),
    Fact(tracker="mortal_rounds", at=1, again=True, follow=life_throw),
    Fact(tracker="unconscious", at=1, out="Unconscious", follow=_out("stunned")),
)
"""The incapacitated come to after a while, and act at their penalty (wound_track, unconscious_time, stun_count)."""
CHARACTERS = WildCharacters(
    game=NAME,
    form=FORM,
    plan=plan_of,
    trackers=TRACKERS,
    skills=(
        Known(name="Command", uses=("command",)),
        *(Known(name=name, uses=_USES.get(name, ())) for name in ATTRIBUTES),
        *(Known(name=name, gives=answers(Ask, role="dodge"), uses=("reaction",)) for name in REACTIONS),
        Known(name="Hull", uses=("ship_resists",)),
    ),
    modifiers=MODIFIERS,
    facts=FACTS,
    acts=ACTS,
)
