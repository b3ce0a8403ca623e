"""What a game knows of characters: how a call is filled from them, and what a roll and a purchase do to them.

Each game has one :class:`Characters`. The base gives what all games share; a game overrides what it does otherwise.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import GameError
from tableside.rules.acts import Act, Done, find_act
from tableside.rules.facts import Fact, facts_of, new_facts
from tableside.rules.form import Forms, Kind
from tableside.rules.modifiers import Modifier
from tableside.rules.people import Care, Distance, Effect, Follow, Lasting, Person, PersonKind, Skill, Until
from tableside.rules.tracker import Tracker, find_tracker
from tableside.words import own, say

_MOST_MEMBERS = 1000  # of a group: an army that a table still can count
_ENDED_BY: Mapping[Until, str] = {"turn": "turn", "round": "round", "scene": "encounter"}
"""What of ``Act.resets`` ends what lasts so long."""
_OVER: Mapping[Until, tuple[str, ...]] = {"round": ("turn", "round"), "scene": ("turn", "round", "encounter")}
"""Values of ``Tracker.resets`` that are over where no further round or scene follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opposed:
    """What a roll is made against.

    :ivar skill: the skill that the target resists with, ``""`` to leave it to the game.
    :ivar total: the outcome's numbers of an earlier roll that is the difficulty, such as a dodge.
    :ivar ask: the answers of that roll.
    :ivar is_self: it is the roller.
    :ivar is_attack: it is made with a weapon, or with the skill of a weapon that the roller has.
    """

    target: Person | None = None
    skill: str = ""
    total: Mapping[str, int] | None = None
    ask: Mapping[str, Any] = field(default_factory=dict)
    is_self: bool = False
    is_attack: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Help:
    """What others do for a roll that one of them makes for all.

    :ivar helpers: who help.
    :ivar is_urgent: time is short, as in a fight.
    :ivar command: the answers of the roll that leads them, ``None`` where nobody threw for it.
    :ivar missed_by: how far that roll missed its difficulty. :ivar leader: who threw it.
    """

    helpers: Sequence[Person]
    is_urgent: bool = False
    command: Mapping[str, Any] | None = None
    missed_by: int = 0
    leader: Person | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A skill that the game knows by its name.

    :ivar gives: the answers that it brings, such as ``{"skill_used": "computers"}``.
    :ivar uses: what else it is for: ``initiative`` is thrown for a place in the order of a fight, ``command`` leads
        helpers, ``reaction`` is itself the difficulty of somebody else's roll, ``resists`` is what damage has to beat,
        and ``ship_resists`` that of a ship or vehicle.
    """

    name: str
    gives: Mapping[str, Any] = field(default_factory=dict)
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Characters:
    """The characters of one game.

    :ivar form, trackers: of the game.
    :ivar skills: known skills.
    :ivar modifiers: what changes the dice: what trackers fill in is said there.
    :ivar facts: who is out, dying or dead, and what follows, by the trackers.
    :ivar acts: what is done without dice.
    """

    game: str
    form: Forms[Any]
    trackers: tuple[Tracker, ...]
    skills: tuple[Known, ...] = ()
    modifiers: tuple[Modifier[Any, Any], ...] = ()
    facts: tuple[Fact, ...] = ()
    acts: tuple[Act, ...] = ()

    def check(self, person: Person) -> Person:
        """Return the person with all trackers of its kind.

        :raises BadAsk: for an answer that the form does not know.
        :raises GameError: for a tracker that the game does not know, or a weapon whose skill is missing.
        """
        for ask in (
            *(skill.ask for skill in person.skills),
            *(weapon.ask for weapon in person.weapons),
            *(weapon.damage for weapon in person.weapons),
            person.defences,
            *(answers for one in person.states for answers in (one.ask, one.against, one.near, one.afar)),
        ):
            self.form.check(ask, game=self.game)
        for weapon in person.weapons:
            if weapon.skill:
                person.skill(weapon.skill)
        if not 1 <= person.members <= _MOST_MEMBERS:
            hint = say("A group has 1 to {n}.", n=_MOST_MEMBERS)
            raise GameError("{n} members", n=person.members, where=person.name, hint=hint)
        for name, gauge in person.trackers.items():
            tracker = self.tracker(name)
            tracker.check(gauge.value)
            if gauge.most is not None:
                tracker.check(gauge.most)
        for tracker in self.trackers:
            if person.kind in tracker.kinds and tracker.name not in person.trackers:
                person = person.with_value(tracker, tracker.default)
        return person

    def tracker(self, name: str) -> Tracker:
        """Return a tracker that characters have, or raise :class:`GameError`."""
        return find_tracker(name, [tracker for tracker in self.trackers if tracker.scope == "character"])

    def cares(self, person: Person) -> tuple[Care, ...]:
        """Return what may better somebody who lives, the most pressing first."""
        return ()

    def is_for_fallen(self, given: Any, *, skill: str) -> bool:
        """Tell whether even those who are out make this roll, such as one whether they live."""
        return False

    def kept_from(self, person: Person, given: Any, *, skill: str) -> str:
        """Return why somebody cannot make this roll, ``""`` for all who can."""
        return "" if self.is_for_fallen(given, skill=skill) else why_out(self, person)

    def over(self, person: Person, what: Until) -> Person:
        """Return somebody for whom no further round, or scene, follows: what counts by them is over."""
        after = person.after(what).after("turn").after("turn")  # no turn follows, nor one after that
        return reset_trackers(self, after, _OVER[what])

    def round_answers(self, actor: Person, given: Any, *, skill: str) -> Mapping[str, Any]:
        """Return what the actor has declared for the round and what holds for this call.

        :param given: the answers so far. :param skill: what the actor uses, ``""`` for the damage of a weapon.
        """
        return {}

    def untrained(self, person: Person, name: str) -> Mapping[str, Any]:
        """Return the answers of a throw for initiative by somebody who has not this skill."""
        raise NotImplementedError

    def rank(self, person: Person, thrown: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
        """Return somebody's place in the order of a fight with what they have declared.

        :param thrown: the rank that was thrown or entered; without it ``None`` in a game that throws for one.
        """
        return thrown

    def declare(self, person: Person, ask: Mapping[str, Any]) -> Person:
        """Return somebody who has declared what of these answers holds for the round."""
        return person

    def record_roll(self, person: Person, ask: Mapping[str, Any], *, skill: str, power: str, roll_id: str) -> Person:
        """Return somebody who has made a roll.

        :param skill: what was used, ``""`` for the damage of a weapon. :param power: the weapon or power that was used.
        """
        return self.declare(person, ask)

    def reaction(self, target: Person, given: Any) -> str:
        """Return the id of the roll by which a target reacts to all such attacks of the round, ``""`` for none.

        :param given: the answers of the attack so far.
        """
        return ""

    def distance(self, given: Any, *, skill: str, is_attack: bool) -> Distance:
        """Return from where a call of these answers attacks.

        :param is_attack: it is made with a weapon, or with the skill of a weapon that the actor has.
        """
        return ""

    def takes_carried(self, given: Any) -> bool:
        """Tell whether what was carried to somebody joins a call of these answers, and is used up by it."""
        return True

    def joins(self, state: Lasting, given: Any, *, skill: str) -> bool:
        """Tell whether something that lasts on somebody gives its answers to this call of theirs.

        :param given: the answers so far. :param skill: what is used, ``""`` for the damage of a weapon.
        """
        return True

    def skill_answers(self, actor: Person, skill: Skill) -> Mapping[str, Any]:
        """Return the answers that a skill gives."""
        name = skill.name.casefold()
        known = next((one.gives for one in self.skills if one.name.casefold() == name), {})
        return {**known, **skill.ask}

    def condition_answers(self, actor: Person, given: Any, *, skill: str, target: Person | None) -> Mapping[str, Any]:
        """Return the answers that the actor's trackers give, such as a penalty for wounds: those of ``modifiers``.

        :param given: the answers so far. :param skill: what the actor uses, ``""`` for the damage of a weapon.
        :param target: whom the roll is made against.
        """
        found: dict[str, Any] = {}
        for row in self.modifiers:
            if row.tracker and (value := actor.value(row.tracker)):
                tracker = self.tracker(row.tracker)
                is_flag = self.form.field(row.name, game=self.game).kind is Kind.FLAG
                found[row.name] = is_flag or (tracker.step(value) if tracker.steps else value)
        return found

    def opponent_answers(self, opposed: Opposed, given: Any, *, skill: str) -> Mapping[str, Any]:
        """Return the answers that the other side gives.

        :param given: the answers so far. :param skill: what the actor uses.
        """
        return opposed.target.defences if opposed.target else {}

    def helper_answers(self, actor: Person, helped: Help, given: Any, *, skill: str) -> Mapping[str, Any]:
        """Return the answers that helpers give to a roll which one makes for all.

        :param given: the answers so far. :param skill: what they all use.
        :raises GameError: where the rules do not let these help.
        """
        hint = "Give what the help is worth with the call, such as a die."
        raise GameError("the rules of this game do not say what help is worth", where=f"game {self.game}", hint=hint)

    def flip(self, ask: Mapping[str, Any], side: str) -> dict[str, Any] | None:
        """Return the answers after a point of this side was spent on the open call; the game's tray checks them.

        ``None`` where such a point changes no call.
        """
        return None

    def as_thrown(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers of the call that these dice would have been right for."""
        return {**self.form.without_dice(ask), "dice": dict(Counter(die.type for die in dice))}

    def apply_effect(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect, which stops at the bounds of its tracker."""
        for one in (effect, *effect.also):
            tracker = self.tracker(one.tracker)
            value = person.counted(tracker) + one.change if one.set is None else one.set
            person = person.with_value(tracker, value)
        return person

    def _done(self, act: Act, person: Person, given: Any, *, skill: str, before: Person) -> Done:
        """Return what an act makes of somebody whose trackers it has reset.

        :param before: how the person was.
        """
        return Done(person=person)


def fill_answers(
    characters: Characters,
    actor: Person | None,
    *,
    skill: str = "",
    weapon: str = "",
    is_damage: bool = False,
    opposed: Opposed | None = None,
    helped: Help | None = None,
    carried: Sequence[Mapping[str, Any]] = (),
    ask: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the answers for a roll of this person.

    What several things give adds up where its field says so; of all else the later counts, in this order: what the
    actor suffers from, the skill, the weapon, what the actor has declared for the round and is in, the other side, who
    helps, what was carried here, and what is asked.

    :param is_damage: the damage of the weapon is rolled, not the attack with it.
    :raises GameError: for a skill or weapon that the actor has not.
    """
    parts: list[Mapping[str, Any]] = []
    armed = actor.weapon(weapon) if actor and weapon else None
    used = skill or (armed.skill if armed and not is_damage else "")
    if actor and used and not is_damage:
        parts.append(characters.skill_answers(actor, actor.skill(used)))
    if armed:
        of_both = characters.form.with_damage(armed.ask) if opposed and opposed.target else {}
        damage = {**characters.form.purpose("damage"), **of_both, **armed.damage}
        parts.append(damage if is_damage else {**characters.form.purpose("attack"), **armed.ask})
    form = characters.form
    given = form.build(form.joined(*parts, ask or {}))
    if actor:
        parts.insert(
            0, characters.condition_answers(actor, given, skill=used, target=opposed.target if opposed else None)
        )
        given = form.build(form.joined(*parts, ask or {}))
        parts.append(characters.round_answers(actor, given, skill=used))
    lasts = characters.takes_carried(given)
    if actor and lasts:
        parts += [one.ask for one in actor.states if characters.joins(one, given, skill=used)]
    if opposed:
        is_armed = armed is not None or (actor is not None and actor.fights_with(skill))
        opposed = dataclasses.replace(
            opposed,
            is_self=actor is not None and opposed.target is not None and actor.id == opposed.target.id,
            is_attack=is_armed and not is_damage,
        )
        parts.append(characters.opponent_answers(opposed, given, skill=skill))
        distance = characters.distance(given, skill=used, is_attack=opposed.is_attack)
        for one in opposed.target.states if opposed.target else ():
            parts += [one.against] * lasts + [one.met_from(distance)]
    if helped:
        if actor is None:
            raise GameError("nobody is named whom they help", where="help", hint="Name who throws.")
        given = form.build(form.joined(*parts, ask or {}))
        parts.append(characters.helper_answers(actor, helped, given, skill=used))
    return form.joined(*parts, *carried, ask or {})


def perform_act(characters: Characters, person: Person, name: str, ask: Mapping[str, Any], *, skill: str = "") -> Done:
    """Return what an act makes of somebody.

    :param skill: the name of the skill that it is about, where the act needs one.
    :raises BadAsk: for an answer that the act does not know. :raises GameError: where the rules do not allow it.
    """
    act = find_act(name, characters.acts)
    given = act.form.check(ask, game=characters.game)
    if act.is_for_living and is_dead(characters, person):
        raise GameError("{=who} is dead", who=person.name, where=person.name, hint="Choose somebody else.")
    if act.kinds and person.kind not in act.kinds:
        fault = say("{=who} cannot do this: {act}", who=person.name, act=act.title)
        raise GameError(fault, where=person.name, hint="Choose somebody else.")
    if act.is_deed and (why := why_out(characters, person)):
        fault = say("{name} cannot act: {why}", name=own(person.name), why=why)
        raise GameError(fault, where=person.name, hint="Choose somebody else.")
    if barred := person.barred_by(act.takes):
        fault = say("{name} cannot act: {why}", name=own(person.name), why=barred)
        raise GameError(fault, where=person.name, hint="Take that state off first.")
    if act.is_with_skill:
        person.skill(skill)
    after = reset_trackers(characters, person, act.resets)
    for what, resets in _ENDED_BY.items():
        if resets in act.resets:
            after = after.after(what)
    done = characters._done(act, after, given, skill=skill, before=person)
    return replace(done, follows=(*done.follows, *followups(characters, done.person, before=person)))


def concerns(characters: Characters, act: Act, person: Person) -> bool:
    """Tell whether an act that passes for all passes for this one."""
    return (not act.kinds or person.kind in act.kinds) and not (act.is_for_living and is_dead(characters, person))


def initiative_call(characters: Characters, person: Person, wanted: str = "") -> tuple[str, Mapping[str, Any]]:
    """Return the skill and the answers of the roll that gives somebody a place in the order of a fight.

    Who has no such skill throws what the game gives the untrained, and no skill is named.

    :param wanted: one of the skills for it; the first of them that somebody has otherwise.
    """
    usual = skills_for(characters, "initiative")
    for name in (wanted,) if wanted else usual:
        for skill in person.skills:
            if is_called(characters, skill, name):
                return skill.name, characters.form.purpose("initiative")
    return "", {**characters.form.purpose("initiative"), **characters.untrained(person, wanted or usual[0])}


def takes_action(characters: Characters, given: Any) -> bool:
    """Tell whether a call of these answers takes an action of a turn; a throw for the order takes none."""
    return characters.takes_carried(given) and getattr(given, "purpose", "") != "initiative"


def reset_trackers(characters: Characters, person: Person, resets: Collection[str]) -> Person:
    """Return somebody whose trackers of these values of ``Tracker.resets`` begin anew."""
    for tracker in characters.trackers:
        if tracker.resets in resets and tracker.name in person.trackers:
            person = person.with_value(tracker, tracker.default)
    return person


def skills_for(characters: Characters, use: str) -> tuple[str, ...]:
    """Return the names of the skills that the game knows for a use, as :class:`Known` lists them."""
    return tuple(one.name for one in characters.skills if use in one.uses)


def resisting_skill(characters: Characters, target: Person) -> str:
    """Return the skill whose total damage to this one has to beat, ``""`` where nothing is thrown against it."""
    own = skills_for(characters, "ship_resists") if target.kind is PersonKind.THING else ()
    return next(iter((*own, *skills_for(characters, "resists"))), "")


def costs_of(characters: Characters, ask: Mapping[str, Any], *, scope: str = "character") -> dict[str, int]:
    """Return what a call takes off the actor's own trackers, or with ``scope="table"`` off those that all share."""
    trackers = {one.name for one in characters.trackers if one.scope == scope}
    return {name: count for name, count in characters.form.costs(ask).items() if name in trackers}


def why_out(characters: Characters, person: Person) -> str:
    """Return why somebody cannot act, ``""`` for all who can."""
    if person.kind is PersonKind.GROUP:
        return "" if members_left(characters, person) else "All of them have fallen"
    return next((fact.out for fact in facts_of(characters.facts, person) if fact.out), "")


def is_dying(characters: Characters, person: Person) -> bool:
    """Tell whether somebody is mortally hurt."""
    return any(fact.is_dying for fact in facts_of(characters.facts, person))


def is_dead(characters: Characters, person: Person) -> bool:
    """Tell whether nothing betters somebody any more."""
    return any(fact.is_dead for fact in facts_of(characters.facts, person))


def followups(characters: Characters, person: Person, *, before: Person) -> tuple[Follow, ...]:
    """Return what somebody's trackers call for since ``before``, or how many of a group have fallen."""
    if person.kind is PersonKind.GROUP:
        fallen = members_left(characters, before) - members_left(characters, person)
        return (Follow(words=say("{n} of them {n:falls|fall}", n=fallen)),) if fallen > 0 else ()
    return tuple(fact.told(person) for fact in new_facts(characters.facts, person, before=before))


def members_left(characters: Characters, group: Person) -> int:
    """Return how many of a group still stand, as the trackers say that fell its members."""
    for tracker in characters.trackers:
        value, most = group.value(tracker.name), group.most(tracker.name)
        if tracker.fells == "each":
            return max(group.members - value, 0)
        if tracker.fells == "beyond" and most and value:
            return max(group.members - (value - 1) // most, 0)
    return group.members


def is_called(characters: Characters, skill: Skill, name: str) -> bool:
    """Tell whether a skill is the game's own one of this name, by its name or by the answers that this gives."""
    wanted = name.casefold()
    gives = next((one.gives for one in characters.skills if one.name.casefold() == wanted), {})
    return skill.name.casefold() == wanted or (bool(gives) and gives.items() <= skill.ask.items())
