"""What a game knows of characters: how a call is filled from them, and what a roll and a purchase do to them.

Each game has one :class:`Characters`. The base gives what all games share; a game overrides what it does otherwise.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import GameError
from tableside.rules.acts import Act, Done, find_act
from tableside.rules.code import Code
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
    :ivar missed_by: how far that roll missed its difficulty.
    """

    helpers: Sequence[Person]
    is_urgent: bool = False
    command: Mapping[str, Any] | None = None
    missed_by: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Characters:
    """The characters of one game.

    :ivar form, trackers: of the game.
    :ivar skills: known skills, each with the answers that it brings, such as ``{"skill_used": "computers"}``.
    :ivar skill_fields, weapon_fields, damage_fields, defence_fields: the answers that each fills; an editor asks for
        them.
    :ivar modifiers: what changes the dice: what trackers fill in, and what adds up, is said there.
    :ivar adds: other answers that add up where several things give them; of all others the last counts.
    :ivar gauges: for each kind of person the trackers that it has.
    :ivar own_limits: trackers whose limit each person has of their own.
    :ivar resists: the skill whose total damage has to beat, ``""`` where nothing is thrown against it.
    :ivar thing_resists: the same of a ship or vehicle.
    :ivar points: trackers that stand in the place of the table's pool, by ``light``, ``dark`` and ``character``.
    :ivar acts: what is done without dice. :ivar round_act: the one of them that passes with each round of a fight.
    :ivar turn_ends, turn_begins: those that pass where somebody's turn ends, and where it begins.
    """

    game: str
    form: Forms[Any]
    trackers: tuple[Tracker, ...]
    skills: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    skill_fields: tuple[str, ...] = ()
    weapon_fields: tuple[str, ...] = ()
    damage_fields: tuple[str, ...] = ()
    defence_fields: tuple[str, ...] = ()
    modifiers: tuple[Modifier[Any, Any], ...] = ()
    adds: tuple[str, ...] = ()
    gauges: Mapping[PersonKind, tuple[str, ...]] = field(default_factory=dict)
    own_limits: tuple[str, ...] = ()
    resists: str = ""
    thing_resists: str = ""
    points: Mapping[str, str] = field(default_factory=dict)
    acts: tuple[Act, ...] = ()
    round_act: str = ""
    turn_ends: str = ""
    turn_begins: str = ""

    pool_builders: ClassVar[tuple[str, ...]] = ()
    """Answers that build the dice; what lies in the tray takes their place in :meth:`as_thrown`."""
    declares: ClassVar[tuple[str, ...]] = ()
    """Answers that are said once and hold for a round."""
    attack_ask: ClassVar[Mapping[str, Any]] = {}
    """What a weapon is thrown for, where it does not say so."""
    damage_ask: ClassVar[Mapping[str, Any]] = {}
    """What its damage is thrown for, where it does not say so."""
    shared_by_damage: ClassVar[tuple[str, ...]] = ()
    """Answers of a weapon that hold for its damage to somebody as well."""
    filled: ClassVar[tuple[str, ...]] = ()
    """Answers that a skill or the card gives: nobody is asked for them where somebody's skill is used."""
    can_help: ClassVar[bool] = False
    """Whether the rules say what helpers add to a roll."""
    can_resist: ClassVar[bool] = False
    """Whether one whom a check is made against resists with a skill, which may be named."""
    initiative: ClassVar[tuple[str, ...]] = ()
    """Skills that are thrown for a place in the order of a fight, the usual one first."""
    initiative_ask: ClassVar[Mapping[str, Any]] = {}
    """Answers that make a throw of them one for initiative."""
    commands: ClassVar[tuple[str, ...]] = ()
    """Skills of which a roll leads helpers, where the rules want one."""
    reactions: ClassVar[tuple[str, ...]] = ()
    """Skills whose total is itself the difficulty of somebody else's roll."""
    reaction_ask: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Answers of which one makes a reaction of any skill, whatever a group calls it."""

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
            raise GameError(say("{n} members", n=person.members), where=person.name, hint=hint)
        for name, gauge in person.trackers.items():
            tracker = self.tracker(name)
            tracker.check(gauge.value)
            if gauge.most is not None:
                tracker.check(gauge.most)
        for name in self.gauges.get(person.kind, ()):
            if name not in person.trackers:
                person = person.with_value(self.tracker(name), self.tracker(name).default)
        return person

    def tracker(self, name: str) -> Tracker:
        """Return a tracker that characters have, or raise :class:`GameError`."""
        return find_tracker(name, [tracker for tracker in self.trackers if tracker.scope == "character"])

    def call(
        self,
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

        What several things give adds up where ``adds`` names it; of all else the later counts, in this order: the
        skill, the weapon, what the actor suffers from, has declared for the round and is in, the other side, who helps,
        what was carried here, and what is asked.

        :param is_damage: the damage of the weapon is rolled, not the attack with it.
        :raises GameError: for a skill or weapon that the actor has not.
        """
        parts: list[Mapping[str, Any]] = []
        armed = actor.weapon(weapon) if actor and weapon else None
        used = skill or (armed.skill if armed and not is_damage else "")
        if actor and used and not is_damage:
            parts.append(self.rated(actor, actor.skill(used)))
        if armed:
            shared = self.shared_by_damage if opposed and opposed.target else ()
            of_both = {name: value for name, value in armed.ask.items() if name in shared}
            damage = {**self.damage_ask, **of_both, **armed.damage}
            parts.append(damage if is_damage else {**self.attack_ask, **armed.ask})
        known = self.joined(*parts, ask or {})
        if actor:
            parts.append(self.suffered(actor, known, skill=used, target=opposed.target if opposed else None))
            known = self.joined(*parts, ask or {})
            parts.append(self.held(actor, known, skill=used))
        lasts = self.takes_carried(known)
        if actor and lasts:
            parts += [one.ask for one in actor.states if self.joins(one, known, skill=used)]
        if opposed:
            is_armed = armed is not None or (actor is not None and actor.fights_with(skill))
            opposed = dataclasses.replace(
                opposed,
                is_self=actor is not None and opposed.target is not None and actor.id == opposed.target.id,
                is_attack=is_armed and not is_damage,
            )
            parts.append(self.against(opposed, known, skill=skill))
            distance = self.distance(known, skill=used, is_attack=opposed.is_attack)
            for one in opposed.target.states if opposed.target else ():
                parts += [one.against] * lasts + [one.met_from(distance)]
        if helped:
            if actor is None:
                raise GameError("nobody is named whom they help", where="help", hint="Name who throws.")
            parts.append(self.helped(actor, helped, self.joined(*parts, ask or {}), skill=skill))
        return self.joined(*parts, *carried, ask or {})

    def resists_with(self, target: Person) -> str:
        """Return the skill whose total damage to this one has to beat."""
        return self.thing_resists if target.kind is PersonKind.THING and self.thing_resists else self.resists

    def out(self, person: Person) -> str:
        """Return why somebody cannot act, ``""`` for all who can."""
        del person
        return ""

    def is_dead(self, person: Person) -> bool:
        """Tell whether nothing betters somebody any more."""
        del person
        return False

    def cares(self, person: Person) -> tuple[Care, ...]:
        """Return what may better somebody who lives, the most pressing first."""
        del person
        return ()

    def is_for_fallen(self, ask: Mapping[str, Any], *, skill: str) -> bool:
        """Tell whether even those who are out make this roll, such as one whether they live."""
        del ask, skill
        return False

    def kept_from(self, person: Person, ask: Mapping[str, Any], *, skill: str) -> str:
        """Return why somebody cannot make this roll, ``""`` for all who can."""
        return "" if self.is_for_fallen(ask, skill=skill) else self.out(person)

    def over(self, person: Person, what: Until) -> Person:
        """Return somebody for whom no further round, or scene, follows: what counts by them is over."""
        after = person.after(what).after("turn").after("turn")  # no turn follows, nor one after that
        return self.anew(after, _OVER[what])

    def anew(self, person: Person, resets: Collection[str]) -> Person:
        """Return somebody whose trackers of these values of ``Tracker.resets`` begin anew."""
        for tracker in self.trackers:
            if tracker.resets in resets and tracker.name in person.trackers:
                person = person.with_value(tracker, tracker.default)
        return person

    def held(self, actor: Person, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return what the actor has declared for the round and what holds for this call.

        :param known: the answers so far. :param skill: what the actor uses, ``""`` for the damage of a weapon.
        """
        del actor, known, skill
        return {}

    def for_initiative(self, person: Person, wanted: str = "") -> tuple[str, Mapping[str, Any]]:
        """Return the skill and the answers of the roll that gives somebody a place in the order of a fight.

        Who has no such skill throws what the game gives the untrained, and no skill is named.

        :param wanted: one of ``initiative``; the first of them that somebody has otherwise.
        """
        for name in (wanted,) if wanted else self.initiative:
            for skill in person.skills:
                if self.is_called(skill, name):
                    return skill.name, self.initiative_ask
        return "", {**self.initiative_ask, **self.untrained(person, wanted or self.initiative[0])}

    def is_called(self, skill: Skill, name: str) -> bool:
        """Tell whether a skill is the game's own one of this name."""
        return skill.name.casefold() == name.casefold()

    def untrained(self, person: Person, name: str) -> Mapping[str, Any]:
        """Return the answers of a throw for initiative by somebody who has not this skill."""
        raise NotImplementedError

    def rank(self, person: Person) -> tuple[int, ...] | None:
        """Return somebody's place in the order of a game that throws for none, ``None`` where it is thrown for."""
        del person
        return None

    def ranked(self, person: Person, rank: tuple[int, ...]) -> tuple[int, ...]:
        """Return the rank of a slot with what its owner has declared since it was thrown or entered."""
        own = self.rank(person) or ()
        return (*own, *rank[len(own) :])

    def declared(self, person: Person, ask: Mapping[str, Any]) -> Person:
        """Return somebody who has declared what of these answers holds for the round."""
        del ask
        return person

    def rolled(self, person: Person, ask: Mapping[str, Any], *, skill: str, power: str, roll_id: str) -> Person:
        """Return somebody who has made a roll.

        :param skill: what was used, ``""`` for the damage of a weapon. :param power: the weapon or power that was used.
        """
        del skill, power, roll_id
        return self.declared(person, ask)

    def reaction(self, target: Person, known: Mapping[str, Any]) -> str:
        """Return the id of the roll by which a target reacts to all such attacks of the round, ``""`` for none.

        :param known: the answers of the attack so far.
        """
        del target, known
        return ""

    def is_action(self, ask: Mapping[str, Any]) -> bool:
        """Tell whether a call of these answers takes an action of a turn; a throw for the order takes none."""
        is_for_order = self.initiative_ask and self.initiative_ask.items() <= ask.items()
        return self.takes_carried(ask) and not is_for_order

    def distance(self, known: Mapping[str, Any], *, skill: str, is_attack: bool) -> Distance:
        """Return from where a call of these answers attacks.

        :param is_attack: it is made with a weapon, or with the skill of a weapon that the actor has.
        """
        del known, skill, is_attack
        return ""

    def takes_carried(self, ask: Mapping[str, Any]) -> bool:
        """Tell whether what was carried to somebody joins a call of these answers, and is used up by it."""
        del ask
        return True

    def joins(self, state: Lasting, known: Mapping[str, Any], *, skill: str) -> bool:
        """Tell whether something that lasts on somebody gives its answers to this call of theirs.

        :param known: the answers so far. :param skill: what is used, ``""`` for the damage of a weapon.
        """
        del state, known, skill
        return True

    def rated(self, actor: Person, skill: Skill) -> Mapping[str, Any]:
        """Return the answers that a skill gives."""
        del actor
        name = skill.name.casefold()
        known = next((ask for one, ask in self.skills if one.casefold() == name), {})
        return {**known, **skill.ask}

    def suffered(
        self, actor: Person, known: Mapping[str, Any], *, skill: str, target: Person | None
    ) -> Mapping[str, Any]:
        """Return the answers that the actor's trackers give, such as a penalty for wounds: those of ``modifiers``.

        :param known: the answers so far. :param skill: what the actor uses, ``""`` for the damage of a weapon.
        :param target: whom the roll is made against.
        """
        del known, skill, target
        found: dict[str, Any] = {}
        for row in self.modifiers:
            if row.tracker and (value := actor.value(row.tracker)):
                tracker = self.tracker(row.tracker)
                is_flag = self.form.field(row.name, game=self.game).kind is Kind.FLAG
                found[row.name] = is_flag or (tracker.step(value) if tracker.steps else value)
        return found

    def against(self, opposed: Opposed, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the answers that the other side gives.

        :param known: the answers so far. :param skill: what the actor uses.
        """
        del known, skill
        return opposed.target.defences if opposed.target else {}

    def helped(self, actor: Person, helped: Help, known: Mapping[str, Any], *, skill: str) -> Mapping[str, Any]:
        """Return the answers that helpers give to a roll which one makes for all.

        :param known: the answers so far. :param skill: what they all use.
        :raises GameError: where the rules do not let these help.
        """
        del actor, helped, known, skill
        hint = "Give what the help is worth with the call, such as a die."
        raise GameError("the rules of this game do not say what help is worth", where=f"game {self.game}", hint=hint)

    def joined(self, *asks: Mapping[str, Any]) -> dict[str, Any]:
        """Return all answers together, as :meth:`call` says."""
        adds = {*self.adds, *(row.name for row in self.modifiers if row.adds_up)}
        found: dict[str, Any] = {}
        for ask in asks:
            for name, value in ask.items():
                if name not in adds or name not in found:
                    found[name] = value
                elif (kind := (form := self.form.field(name, game=self.game)).kind) is Kind.POOL:
                    both, more = form.written(found[name]), form.written(value)  # of a person as people write it
                    found[name] = {die: both.get(die, 0) + more.get(die, 0) for die in {**both, **more}}
                elif kind is Kind.CHOICES:
                    found[name] = [*dict.fromkeys((*found[name], *value))]
                elif kind is Kind.CODE:
                    more = Code.of(str(value))
                    found[name] = str(Code.of(str(found[name])).plus(more.dice, more.pips))
                else:
                    found[name] = found[name] + value
        return found

    def flip(self, ask: Mapping[str, Any], side: str) -> dict[str, Any] | None:
        """Return the answers after a point of this side was spent on the open call; the game's tray checks them.

        ``None`` where such a point changes no call.
        """
        del ask, side
        return None

    def costs(self, ask: Mapping[str, Any]) -> Mapping[str, int]:
        """Return what the call itself takes off the actor's trackers, such as a Force Point."""
        del ask
        return {}

    def shared_costs(self, ask: Mapping[str, Any]) -> Mapping[str, int]:
        """Return what the call takes off trackers that all share: of one of them."""
        del ask
        return {}

    def as_thrown(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers of the call that these dice would have been right for."""
        return {**self.without_dice(ask), "dice": dict(Counter(die.type for die in dice))}

    def without_dice(self, ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers that build no dice. What a roll is for stays, even where it changes the dice."""
        builders = {*self.pool_builders, *(row.name for row in self.modifiers)} - {"purpose"}
        return {name: value for name, value in ask.items() if name not in builders}

    def affected(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect, which stops at the bounds of its tracker."""
        for one in (effect, *effect.also):
            tracker = self.tracker(one.tracker)
            value = person.value(one.tracker, tracker.default) + one.change if one.set is None else one.set
            person = person.with_value(tracker, value)
        return person

    def limits(self, person: Person, *, before: Person) -> tuple[Follow, ...]:
        """Return what the trackers call for that have reached a limit since ``before``."""
        del person, before
        return ()

    def done(self, person: Person, name: str, ask: Mapping[str, Any], *, skill: str = "") -> Done:
        """Return what an act makes of somebody.

        :param skill: the name of the skill that it is about, where the act needs one.
        :raises BadAsk: for an answer that the act does not know. :raises GameError: where the rules do not allow it.
        """
        act = find_act(name, self.acts)
        given = act.form.check(ask, game=self.game)
        if act.is_for_living and self.is_dead(person):
            raise GameError(say("{=who} is dead", who=person.name), where=person.name, hint="Choose somebody else.")
        if act.kinds and person.kind not in act.kinds:
            fault = say("{=who} cannot do this: {act}", who=person.name, act=act.title)
            raise GameError(fault, where=person.name, hint="Choose somebody else.")
        if act.is_deed and (why := self.out(person)):
            fault = say("{name} cannot act: {why}", name=own(person.name), why=why)
            raise GameError(fault, where=person.name, hint="Choose somebody else.")
        if barred := person.barred_by(act.takes):
            fault = say("{name} cannot act: {why}", name=own(person.name), why=barred)
            raise GameError(fault, where=person.name, hint="Take that state off first.")
        if act.is_with_skill:
            person.skill(skill)
        after = self.anew(person, act.resets)
        for what, resets in _ENDED_BY.items():
            if resets in act.resets:
                after = after.after(what)
        done = self._done(act, after, given, skill=skill, before=person)
        return replace(done, follows=(*done.follows, *self.limits(done.person, before=person)))

    def concerns(self, act: Act, person: Person) -> bool:
        """Tell whether an act that passes for all passes for this one."""
        return (not act.kinds or person.kind in act.kinds) and not (act.is_for_living and self.is_dead(person))

    def _done(self, act: Act, person: Person, given: Any, *, skill: str, before: Person) -> Done:
        """Return what an act makes of somebody whose trackers it has reset.

        :param before: how the person was.
        """
        del act, given, skill, before
        return Done(person=person)

    def members_left(self, group: Person) -> int:
        """Return how many of a group still stand."""
        return group.members
