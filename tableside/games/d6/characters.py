"""What the characters of both games with dice codes share."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from msgspec.structs import replace

from tableside.dice import Die
from tableside.errors import BadAsk
from tableside.games.d6.ask import D6Ask
from tableside.games.d6.outcome import Plan
from tableside.rules.acts import NEW_ROUND, Act
from tableside.rules.characters import Characters, fill_answers, is_dying, resisting_skill, why_out
from tableside.rules.code import Code
from tableside.rules.facts import facts_of
from tableside.rules.form import answers, name_of, names_of
from tableside.rules.people import Care, Effect, Gauge, Lasting, Person, PersonKind, Skill

_OF_ONE = ("wounds", "stuns", "stuns_before", "stunned_rounds", "unconscious", "mortal_rounds")
"""Trackers that are of one of a group, not of all."""
REACTIONS = ("Dodge", "Parry", "Melee parry", "Brawling parry", "Evasion")
"""Skills whose total is itself the difficulty of an attack."""


_SKILLS_OF: Mapping[str, tuple[str, ...]] = {
    "Dexterity": ("Blaster", "Brawling parry", "Dodge", "Melee combat", "Melee parry"),
    "Perception": ("Con", "Hide", "Hide/sneak", "Search", "Sneak"),
}
"""The attribute of skills that several are called by (skill_default)."""

ROUND = dataclasses.replace(NEW_ROUND, passes="round", source="round_order")
"""Both games count what lasts for rounds."""


PRONE = Lasting(name="Prone", words="Rising is an action.")
PREPARED = Lasting(name="Prepared", is_once=True, ask=answers(D6Ask, prepared=True))
PREPARE = Act(
    name="prepare",
    title="Prepare the next roll",
    help="A whole round for one die more on one roll.",
    is_deed=True,
    takes="actions",
    prepares=PREPARED,
    source="prepare",
)
RISE = Act(
    name="rise",
    title="Rise from prone",
    help="It is an action.",
    is_for_living=True,
    is_deed=True,
    takes="actions",
    source="stance",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class D6Characters(Characters):
    """What both games do alike.

    :ivar plan: works out the code of answers.
    """

    plan: Callable[..., Plan]

    def skill_answers(self, actor: Person, skill: Skill) -> Mapping[str, Any]:
        """Return the answers of a skill. Where it has no code its attribute is thrown (skill_default)."""
        found = Characters.skill_answers(self, actor, skill)
        given = self.form.build(found)
        if given.code is not None or not given.attribute:
            return found
        if given.advanced:
            hint = "Learn it first."
            raise BadAsk("{=skill} is an advanced skill", skill=skill.name, where=actor.name, hint=hint)
        code = code_of_skill(actor, given.attribute)
        return found if code is None else {**found, **answers(D6Ask, code=code)}

    def untrained(self, person: Person, name: str) -> Mapping[str, Any]:
        """Return the attribute, where it is known and on the card, else the two dice that one has at least."""
        wanted = name.casefold()
        of = next((one for one, names in _SKILLS_OF.items() if wanted in (known.casefold() for known in names)), "")
        code = code_of_skill(person, of) if of else None
        return answers(D6Ask, code=code or Code(dice=2))

    def is_thrown(self, given: Any) -> bool:
        """Tell whether the roll is a character's own code, which a Force Point doubles."""
        raise NotImplementedError

    melee: ClassVar[tuple[str, ...]] = ("Melee", "Melee combat", "Brawling", "Brawling combat")
    """Skills that are used close by."""

    def is_melee(self, skill: str) -> bool:
        return skill.casefold() in (name.casefold() for name in self.melee)

    def _resists(self, skill: str) -> bool:
        """Tell whether a skill only withstands damage, which is no action."""
        return skill.casefold() in [
            one.name.casefold() for one in self.skills if {"resists", "ship_resists"} & {*one.uses}
        ]

    def rising(self, person: Person) -> tuple[Care, ...]:
        """Return that somebody prone, who can act, may rise."""
        is_prone = person.has_state(PRONE.name) and not why_out(self, person)
        return (Care(words=RISE.title, act=RISE.name),) if is_prone else ()

    def joins(self, state: Lasting, given: Any, *, skill: str) -> bool:
        """Tell whether it joins: what withstands damage is no action, and nobody prepares it (prepare, preparation)."""
        declared = {field.name for field in self.form if field.holds} & state.ask.keys()
        if declared and not skill:
            return False
        point = {name_of(D6Ask.force_point)}
        return not (self._resists(skill) and (declared - point or state.name == PREPARED.name))

    def declare(self, person: Person, ask: Mapping[str, Any]) -> Person:
        return Characters.declare(self, person, ask) if self.is_thrown(self.form.build(ask)) else person

    def has_done_all(self, person: Person) -> bool:
        """Tell whether all actions are done: reactions on top are none of those that were declared (multi_action)."""
        return person.done >= declared_actions(person) + int(person.declared("extra_reactions", 0))

    def record_roll(self, person: Person, ask: Mapping[str, Any], *, skill: str, power: str, roll_id: str) -> Person:
        """Return somebody with one more action done. A reaction holds against all attacks of its kind (reaction)."""
        given = self.form.build(ask)
        if not skill or not self.is_thrown(given):
            return person
        if self._resists(skill):
            return self.declare(person, {name: ask[name] for name in names_of(D6Ask.force_point) if name in ask})
        person = self.declare(person, ask).acted()
        kind = self.reacts(given, skill=skill)
        return person.with_state(Lasting(name=kind.capitalize(), until="round", roll=roll_id)) if kind else person

    def takes_carried(self, given: Any) -> bool:
        return self.is_thrown(given)

    def flip(self, ask: Mapping[str, Any], side: str) -> dict[str, Any] | None:
        """Return the call with a Force Point spent on it: the code doubles. A dark point comes of deeds only.

        :raises BadAsk: for a second Force Point.
        """
        if side != "light":
            return None
        if self.form.build(ask).force_point:
            hint = "One Force Point counts for a whole round."
            raise BadAsk("a Force Point is spent on this call already", where=f"game {self.game}", hint=hint)
        return {**ask, **answers(D6Ask, force_point=True)}

    def resistance_left(self, target: Person | None, scales: Mapping[str, Any]) -> int | None:
        """Return what damage has to beat where its target has no die left to resist with: the pips, or 0.

        ``None`` for one who can throw. :param scales: answers of that throw.
        """
        skill = resisting_skill(self, target) if target else ""
        if target is None or code_of_skill(target, skill) is None:
            return None
        ask = self.form.build(fill_answers(self, target, skill=skill, ask=scales).answers)
        return self.plan(ask, least=0).left

    def apply_effect(self, person: Person, effect: Effect) -> Person:
        """Return the person after an effect. Who is out of a group falls, and the next stands unhurt in that place."""
        after = self._drop_stale(Characters.apply_effect(self, person, effect))
        if self.is_overcome(after) and after.value("stuns") > person.value("stuns"):
            after = after.with_value(self.tracker("unconscious"), 1)
        if person.kind is not PersonKind.GROUP or not any(fact.out for fact in facts_of(self.facts, after)):
            return after
        after = after.with_value(self.tracker("fallen"), after.value("fallen") + 1)
        for name in _OF_ONE:
            if name in after.trackers:
                after = after.with_value(self.tracker(name), 0)
        return after

    dying: ClassVar[tuple[str, ...]] = ("mortal_rounds",)
    """Trackers of the dying alone."""

    def check(self, person: Person) -> Person:
        return self._drop_stale(Characters.check(self, person))

    def _drop_stale(self, person: Person) -> Person:
        """Return somebody without what the dying alone have, where this one is none of them."""
        if is_dying(self, person):
            return person
        held = [name for name in self.dying if person.value(name)]
        return replace(person, trackers={**person.trackers, **{name: Gauge() for name in held}}) if held else person

    def is_overcome(self, person: Person) -> bool:
        """Tell whether somebody's stuns are as many as knock one out."""
        raise NotImplementedError

    def as_thrown(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> dict[str, Any]:
        """Return the call for as many dice as lie there, with the pips that the called code has."""
        kept = self.form.without_dice(ask)
        pips = self.plan(self.form.build(ask)).pips
        return {**kept, **answers(D6Ask, code=Code(dice=len(dice))), **(answers(D6Ask, pips=pips) if pips else {})}


def declared_actions(person: Person) -> int:
    """Return how many actions somebody has declared for the round."""
    return int(person.declared(name_of(D6Ask.actions), 1))


def code_of_skill(person: Person, name: str) -> Code | None:
    """Return the code of a skill or an attribute, ``None`` where the person has none of that name."""
    skill = person.find_skill(name)
    code = skill and skill.ask.get(name_of(D6Ask.code))
    return Code.of(str(code)) if code else None
