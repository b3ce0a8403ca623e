"""What a game knows of characters: how a call is filled from them, and what a roll and a purchase do to them.

Each game has one :class:`Characters`. The base gives what all games share; a game overrides what it does otherwise.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import GameError
from tableside.record import Record
from tableside.rules.acts import Act, Done, find_act
from tableside.rules.facts import Fact, facts_of, new_facts
from tableside.rules.form import Forms, Kind
from tableside.rules.modifiers import Modifier
from tableside.rules.people import Care, Distance, Effect, Follow, Lasting, Person, PersonKind, Skill, Until
from tableside.rules.tracker import Tracker, find_tracker
from tableside.words import own, say

_MOST_MEMBERS = 1000  # of a group: an army that a table still can count
_OVER: Mapping[Until, tuple[str, ...]] = {
    "round": ("turn", "round", "rounds"), "scene": ("turn", "round", "rounds", "scene"),
    "evening": ("turn", "round", "rounds", "scene", "evening"),
}  # fmt: skip
"""What is over where no further round, scene or evening follows: ``rounds`` is what rounds move and do not reset."""


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
    :ivar older: trackers of older versions that are something that lasts by now, made of its name and value.
    """

    game: str
    form: Forms[Any]
    trackers: tuple[Tracker, ...]
    skills: tuple[Known, ...] = ()
    modifiers: tuple[Modifier[Any, Any], ...] = ()
    facts: tuple[Fact, ...] = ()
    acts: tuple[Act, ...] = ()
    older: Mapping[str, Callable[[int], Lasting]] = field(default_factory=dict)

    def check(self, person: Person) -> Person:
        """Return the person with all trackers of its kind.

        :raises BadAsk: for an answer that the form does not know.
        :raises GameError: for a tracker that the game does not know, or a weapon whose skill is missing.
        """
        person = read_older(self, person)
        for ask in (
            *(skill.ask for skill in person.skills),
            *(weapon.ask for weapon in person.weapons),
            *(weapon.damage for weapon in person.weapons),
            person.defences,
            *(answers for one in person.states for answers in (one.ask, one.damage, one.against, one.near, one.afar)),
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

    def is_of_thing(self, effect: Effect) -> bool:
        """Tell whether what a roll does to the roller is of the ship or vehicle where somebody of its crew rolls."""
        return any(one.name == effect.tracker and one.kinds == (PersonKind.THING,) for one in self.trackers)

    def kept_from(self, person: Person, given: Any, *, skill: str) -> str:
        """Return why somebody cannot make this roll, ``""`` for all who can."""
        return "" if self.is_for_fallen(given, skill=skill) else why_out(self, person)

    def over(self, person: Person, what: Until) -> Person:
        """Return somebody for whom no further round, or scene, follows: what counts by them is over."""
        return end_lasting(self, end_lasting(self, person, _OVER[what]), _OVER[what])  # no next one follows either

    def has_done_all(self, person: Person) -> bool:
        """Tell whether somebody has done all that was declared for the round."""
        return False

    def untrained(self, person: Person, name: str) -> Mapping[str, Any]:
        """Return the answers of a throw by somebody who has not this skill.

        :raises GameError: where nobody throws what they have not.
        """
        return self.skill_answers(person, person.skill(name))

    def rank(self, person: Person, thrown: tuple[int, ...] | None = None) -> tuple[int, ...] | None:
        """Return somebody's place in the order of a fight with what they have declared.

        :param thrown: the rank that was thrown or entered; without it ``None`` in a game that throws for one.
        """
        return thrown

    def declare(self, person: Person, ask: Mapping[str, Any]) -> Person:
        """Return somebody who has declared what of these answers holds for the round; what was lent for it is used."""
        for asked in self.form:
            if asked.holds and ask.get(asked.name) and ask[asked.name] != person.declared(asked.name, asked.default):
                left = tuple(one for one in person.states if not one.lends or one.lends != asked.costs)
                held = Lasting(name=asked.title, until="round", ask={asked.name: ask[asked.name]})
                person = replace(person, states=left).with_state(held)
        return person

    def reacts(self, given: Any, *, skill: str) -> str:
        """Return the kind of reaction that a roll is, ``""`` for none."""
        return ""

    def met_by(self, given: Any) -> tuple[str, ...]:
        """Return the kinds of reactions that meet an attack of these answers, the first of them first."""
        return ()

    def record_roll(self, person: Person, ask: Mapping[str, Any], *, skill: str, power: str, roll_id: str) -> Person:
        """Return somebody who has made a roll.

        :param skill: what was used, ``""`` for the damage of a weapon. :param power: the weapon or power that was used.
        """
        return self.declare(person, ask)

    def distance(self, given: Any, *, skill: str, is_attack: bool) -> Distance:
        """Return from where a call of these answers attacks.

        :param is_attack: it is made with a weapon, or with the skill of a weapon that the actor has.
        """
        return ""

    def lasting(self, person: Person) -> tuple[Lasting, ...]:
        """Return what lasts on somebody, with what follows from trackers and joins calls alike."""
        return person.states

    def takes_carried(self, given: Any) -> bool:
        """Tell whether what lasts on somebody joins a call of these answers."""
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
            older = self.older[one.tracker](one.set or one.change) if one.tracker in self.older else None
            if lasts := one.lasts or older:
                person = person.with_state(lasts)
            if older or not one.tracker:
                continue
            tracker = self.tracker(one.tracker)
            value = person.counted(tracker) + one.change if one.set is None else one.set
            changed = person.with_value(tracker, value)
            person = person if changed.counted(tracker) == person.counted(tracker) else changed
        return person

    def _done(self, act: Act, person: Person, given: Any, *, skill: str, before: Person) -> Done:
        """Return what an act makes of somebody whose trackers it has reset.

        :param before: how the person was.
        """
        return Done(person=person)


class Joining(Record, frozen=True, kw_only=True, rename={"is_on": "on", "is_ticked": "ticked"}):
    """Something that joins a call, or that people may let join it.

    :ivar key: what tells it from others of the call. :ivar words: more of it, for people.
    :ivar is_on: it joins. :ivar is_ticked: as somebody ticked it.
    """

    optional = ("is_ticked", "words")

    key: str
    name: str
    words: str = ""
    is_on: bool = True
    is_ticked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """The answers for a roll, and what joins them or may.

    :ivar lasts: what of that lasts on somebody and joins.
    """

    answers: dict[str, Any]
    joins: tuple[Joining, ...] = ()
    lasts: tuple[Lasting, ...] = ()


def fill_answers(
    characters: Characters,
    actor: Person | None,
    *,
    skill: str = "",
    weapon: str = "",
    is_damage: bool = False,
    opposed: Opposed | None = None,
    helped: Help | None = None,
    lent: Sequence[Lasting] = (),
    ask: Mapping[str, Any] | None = None,
    ticked: Collection[str] = (),
) -> Filled:
    """Return the answers for a roll of this person.

    What several things give adds up where its field says so; of all else the later counts, in this order: what the
    actor suffers from, the skill, the weapon, what lasts on the actor, the other side, who helps, and what is asked.

    :param is_damage: the damage of the weapon is rolled, not the attack with it.
    :param lent: what lasts on others, for their allies.
    :param ticked: the keys of what joins though the actor's rules do not by themselves.
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
    joins: list[Joining] = []
    lasts: list[Lasting] = []

    def join(one: Lasting, gives: Mapping[str, Any], key: str = "") -> Mapping[str, Any]:
        joins.append(_joining(actor, one, ticked, key))
        return gives if joins[-1].is_on else {}

    given = form.build(form.joined(*parts, ask or {}))
    if actor:
        target = opposed.target if opposed else None
        suffers, hurts = suffered(characters, actor, given, skill=used, target=target, ticked=ticked)
        joins += hurts
        parts.insert(0, suffers)
        given = form.build(form.joined(*parts, ask or {}))
        of = actor.find_skill(used or (armed.skill if armed else ""))
        own = (one for one in characters.lasting(actor) if not one.is_for_allies)
        for one in (*own, *lent):
            answers = one.damage if is_damage else one.ask
            gives = {name: value for name, value in answers.items() if hasattr(given, name)}
            is_for = not one.skills or (of and any(is_called(characters, of, name) for name in one.skills))
            is_told = bool(gives) or (one.is_talent and not is_damage)
            takes = is_damage or (characters.takes_carried(given) and characters.joins(one, given, skill=used))
            if is_told and is_for and takes and not one.is_later:
                parts.append(join(one, gives))
                lasts += [one] if joins[-1].is_on else []
    takes = characters.takes_carried(given)
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
            met = form.joined(one.against if takes else {}, one.met_from(distance))
            if met and not one.is_later:
                parts.append(join(one, met, f"against {one.key}"))
    if helped:
        if actor is None:
            raise GameError("nobody is named whom they help", where="help", hint="Name who throws.")
        given = form.build(form.joined(*parts, ask or {}))
        parts.append(characters.helper_answers(actor, helped, given, skill=used))
    return Filled(answers=form.joined(*parts, ask or {}), joins=tuple(joins), lasts=tuple(lasts))


def aboard(characters: Characters, actor: Person, thing: Person, *, skill: str) -> Person:
    """Return somebody of a crew as they roll what their ship or vehicle does: with its weapons and what is of it.

    The dice are the roller's own. What its skill says beside dice, such as a boost for how it handles, counts too.
    """
    own, its = actor.find_skill(skill), thing.find_skill(skill)
    skills = tuple(one for one in actor.skills if one is not own)
    if skill:
        rated = characters.form.filled_by("skill")
        more = {name: value for name, value in its.ask.items() if name not in rated} if its else {}
        ask = own.ask if own else characters.untrained(actor, skill)
        skills = (*skills, Skill(name=own.name if own else skill, ask=characters.form.joined(more, ask)))
    return replace(
        actor,
        skills=skills,
        weapons=thing.weapons,
        states=(*thing.states, *actor.states),
        trackers={**thing.trackers, **actor.trackers},
    )


def suffered(
    characters: Characters,
    actor: Person,
    given: Any,
    *,
    skill: str,
    target: Person | None = None,
    ticked: Collection[str] = (),
) -> tuple[dict[str, Any], list[Joining]]:
    """Return what somebody's trackers give to a roll, and which wounds of theirs join it or may."""
    found, joins = dict(characters.condition_answers(actor, given, skill=skill, target=target)), []
    rows = (row for row in characters.modifiers if row.tracker and not (row.spares and row.spares(given)))
    for name in (*(row.name for row in rows), *characters.form.filled_by("wounds")):
        if name in found:
            hurt = Lasting(name=characters.form.field(name, game=characters.game).title, id=name)
            joins.append(_joining(actor, hurt, ticked, is_wound=True))
            if not joins[-1].is_on:
                del found[name]
    return found, joins


def _joining(
    actor: Person | None, one: Lasting, ticked: Collection[str], key: str = "", *, is_wound: bool = False
) -> Joining:
    """Return how something joins a call of this person: by itself, as somebody ticked it, or not."""
    is_own = one.is_talent or actor is None or actor.has_all_join or (is_wound and actor.joins == "wounds")
    is_on = is_own or (key or one.key) in ticked
    return Joining(key=key or one.key, name=one.name, words=one.words, is_on=is_on, is_ticked=is_on and not is_own)


def read_older(characters: Characters, person: Person) -> Person:
    """Return somebody of an older version with what were trackers then as what lasts."""
    for name in characters.older.keys() & person.trackers.keys():
        value = person.value(name)
        trackers = {key: gauge for key, gauge in person.trackers.items() if key != name}
        person = replace(person, trackers=trackers)
        person = person.with_state(characters.older[name](value)) if value else person
    return person


def reaction_to(characters: Characters, target: Person, given: Any) -> str:
    """Return the id of the roll by which a target reacts to all such attacks of the round, ``""`` for none.

    :param given: the answers of the attack so far.
    """
    reactions = {one.name.casefold(): one.roll for one in target.states}
    return next((reactions[kind] for kind in characters.met_by(given) if reactions.get(kind)), "")


def perform_act(
    characters: Characters,
    person: Person,
    name: str,
    ask: Mapping[str, Any],
    *,
    skill: str = "",
    settings: Mapping[str, Any] = MappingProxyType({}),
) -> Done:
    """Return what an act makes of somebody.

    :param skill: the name of the skill that it is about, where the act needs one.
    :param settings: the answers of the table that stay.
    :raises BadAsk: for an answer that the act does not know. :raises GameError: where the rules do not allow it.
    """
    joins, person = person.joins, person.as_played(settings)
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
    after = end_lasting(characters, person, act.resets)
    for tracker, value in act.sets:
        after = after.with_value(characters.tracker(tracker), value)
    if act.prepares:
        if person.has_state(act.prepares.key):
            raise GameError("this one is prepared already", where=person.name, hint="Roll first.")
        if person.done and act.prepares.is_later:
            raise GameError("this one has acted in this round", where=person.name, hint="Prepare in the next round.")
        after = after.with_state(act.prepares)
    done = characters._done(act, after, given, skill=skill, before=person)
    follows = (*done.follows, *followups(characters, done.person, before=person))
    return replace(done, person=replace(done.person, joins=joins), follows=follows)


def concerns(characters: Characters, act: Act, person: Person) -> bool:
    """Tell whether an act that passes for all passes for this one."""
    return (not act.kinds or person.kind in act.kinds) and not (act.is_for_living and is_dead(characters, person))


def initiative_call(characters: Characters, person: Person, wanted: str = "") -> tuple[str, Mapping[str, Any]]:
    """Return the skill and the answers of the roll that gives somebody a place in the order of a fight.

    Who has no such skill throws what the game gives the untrained, and no skill is named.

    :param wanted: one of the skills for it; the first of them that somebody has otherwise.
    """
    names = (wanted,) if wanted else skills_for(characters, "initiative")
    skill, given = skill_or_untrained(characters, person, *names)
    return skill, {**characters.form.purpose("initiative"), **given}


def skill_or_untrained(characters: Characters, person: Person, *names: str) -> tuple[str, Mapping[str, Any]]:
    """Return the first of some skills that somebody has, else no skill and what the game gives the untrained."""
    for name in names:
        for skill in person.skills:
            if is_called(characters, skill, name):
                return skill.name, {}
    known = next((one.gives for one in characters.skills if one.name.casefold() == names[0].casefold()), {})
    return "", {**known, **characters.untrained(person, names[0])}


def takes_action(characters: Characters, given: Any) -> bool:
    """Tell whether a call of these answers takes an action of a turn; a throw for the order takes none."""
    return characters.takes_carried(given) and getattr(given, "purpose", "") != "initiative"


def end_lasting(characters: Characters, person: Person, what: Collection[str]) -> Person:
    """Return somebody after a turn, a round or whatever else ends, as states and ``Tracker.resets`` name it."""
    return reset_trackers(characters, person.after(what), what)


def reset_trackers(characters: Characters, person: Person, what: Collection[str]) -> Person:
    """Return somebody whose trackers of these values of ``Tracker.resets`` begin anew, or last once more."""
    after = person
    for tracker in characters.trackers:
        if tracker.resets not in what:
            continue
        if tracker.name in person.trackers:
            after = after.with_value(tracker, tracker.default)
        if tracker.then and (tracker.then in person.trackers or person.value(tracker.name)):
            after = after.with_value(characters.tracker(tracker.then), person.value(tracker.name))
    return after


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


def fell_one(characters: Characters, group: Person) -> Person:
    """Return a group of which one more has fallen."""
    fallen = group.members - members_left(characters, group) + 1
    for tracker in characters.trackers:
        most = 1 if tracker.fells == "each" else group.most(tracker.name) if tracker.fells else None
        if most and fallen <= group.members:
            return group.with_value(tracker, most * fallen + (tracker.fells == "beyond"))
    return group


def is_called(characters: Characters, skill: Skill, name: str) -> bool:
    """Tell whether a skill is the game's own one of this name, by its name or by the answers that this gives."""
    wanted = name.casefold()
    gives = next((one.gives for one in characters.skills if one.name.casefold() == wanted), {})
    return skill.name.casefold() == wanted or (bool(gives) and gives.items() <= skill.ask.items())
