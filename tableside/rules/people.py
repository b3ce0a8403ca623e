"""People and things of a table: what a game is told of them before a roll, and what a roll does to them.

A person's skills, weapons and defences are answers to the form of the game, so that a call needs no typing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec.structs import replace

from tableside.errors import GameError, did_you_mean
from tableside.record import Record, Worded
from tableside.rules.tracker import Tracker

ROLLER = "roller"
_NONE_YET = "Nothing of that kind is entered for this one: enter it first."


class PersonKind(StrEnum):
    """What somebody is: a player's character, a person of the scene, a group of alike ones, or a ship or vehicle."""

    PLAYER = "player"
    PERSON = "person"
    GROUP = "group"
    THING = "thing"


Colour = Literal["", "brick", "plum", "teal", "moss", "ochre", "indigo", "rose", "slate"]
"""What the disc of a face is painted in, ``""`` where nobody chose: a page then gives one."""
Emblem = Literal[
    "", "wrench", "rocket", "sword", "wand-sparkles", "heart-pulse", "paw-print", "skull", "bot", "key", "compass",
    "star", "shield", "venetian-mask", "crosshair", "leaf", "book-open",
]  # fmt: skip
"""What stands in a face, by its name among the pages' signs; ``""`` is the first letter of the name."""


class Skill(Record, frozen=True, kw_only=True):
    """Something that a person can do.

    :ivar ask: answers to the game's form, such as ``{"characteristic": 3, "skill": 2}`` or ``{"code": "4D+1"}``.
    """

    name: str
    ask: Mapping[str, Any] = {}


class Weapon(Record, frozen=True, kw_only=True):
    """Something that a person attacks with.

    :ivar skill: the name of the skill it is used with.
    :ivar ask: answers to the form for the attack. :ivar damage: answers for a damage roll of its own, where it has one.
    """

    name: str
    skill: str = ""
    ask: Mapping[str, Any] = {}
    damage: Mapping[str, Any] = {}


class Gauge(Record, frozen=True, kw_only=True):
    """The value of a tracker, and its limit where this person has one of their own."""

    value: int = 0
    most: int | None = None


Until = Literal["turn", "next", "round", "scene"]
"""What something that lasts on somebody ends with: this one's turn, the turn after that, the round or the scene."""
_ENDS: Mapping[Until, tuple[Until, ...]] = {
    "turn": ("turn",), "next": (), "round": ("round",), "scene": ("turn", "next", "round", "scene"),
}  # fmt: skip


Distance = Literal["", "near", "afar"]
"""From where somebody is attacked, ``""`` for what is no attack."""
Barred = Literal["", "actions", "maneuvers", "defence"]


class Lasting(Record, frozen=True, kw_only=True):
    """Something that lasts on somebody for a while, such as being prone.

    :ivar until: what it ends with. :ivar words: more of it, for people.
    :ivar ask: answers that join this one's calls. :ivar against: answers that join the calls against this one.
    :ivar near: answers that join attacks on this one from close by, ``afar`` those from anywhere else.
    :ivar bars: what this one cannot do, or cannot count on.
    """

    optional = ("near", "afar", "bars")

    name: str
    until: Until = "scene"
    words: str = ""
    ask: Mapping[str, Any] = {}
    against: Mapping[str, Any] = {}
    near: Mapping[str, Any] = {}
    afar: Mapping[str, Any] = {}
    bars: Barred = ""

    def met_from(self, distance: Distance) -> Mapping[str, Any]:
        """Return the answers that join an attack on this one."""
        return {"near": self.near, "afar": self.afar, "": {}}[distance]


class Round(Record, frozen=True, kw_only=True):
    """What somebody has declared and done in the round that runs.

    :ivar ask: answers that hold for all calls of the round, such as the number of actions.
    :ivar done: how many actions were thrown for.
    :ivar reactions: ids of the rolls that hold against all attacks of a kind, by that kind.
    """

    optional = ("reactions",)

    ask: Mapping[str, Any] = {}
    done: int = 0
    reactions: Mapping[str, str] = {}

    @property
    def is_over(self) -> bool:
        """Whether all actions that were declared are done."""
        return self.done >= max(int(self.ask.get("actions", 1)), 1)


NO_ROUND = Round()


class Person(Record, frozen=True, kw_only=True):
    """Somebody or something that rolls, is rolled against, or is hurt.

    :ivar defences: answers to the form that a roll against this one gets.
    :ivar members: how many a group has; 1 for all others.
    :ivar role: what somebody is, in a word or two, such as ``"Mechanic"``.
    :ivar device: what this one was added with. :ivar states: what lasts on this one.
    :ivar round: what was declared and done in the round.
    :ivar used: powers that were used, each with what gives it back.
    """

    optional = ("device", "states", "round", "used")

    id: str
    name: str
    kind: PersonKind = PersonKind.PLAYER
    game: str = ""
    skills: tuple[Skill, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    defences: Mapping[str, Any] = {}
    trackers: Mapping[str, Gauge] = {}
    members: int = 1
    notes: str = ""
    role: str = ""
    colour: Colour = ""
    emblem: Emblem = ""
    device: str = ""
    states: tuple[Lasting, ...] = ()
    round: Round = NO_ROUND
    used: Mapping[str, str] = {}

    def find_skill(self, name: str) -> Skill | None:
        """Return the skill of this name, ``None`` where there is none."""
        return next((skill for skill in self.skills if skill.name.casefold() == name.casefold()), None)

    def fights_with(self, skill: str) -> bool:
        """Tell whether a weapon is used by this skill."""
        return bool(skill) and any(one.skill.casefold() == skill.casefold() for one in self.weapons)

    def skill(self, name: str) -> Skill:
        """Return the skill of this name, or raise :class:`GameError`."""
        if (skill := self.find_skill(name)) is not None:
            return skill
        hint = did_you_mean(name, [skill.name for skill in self.skills]) or _NONE_YET
        if not name:
            raise GameError("no skill is named", where=self.name, hint=hint)
        raise GameError("{=who} has no skill {=name}", who=self.name, name=repr(name), where="skill", hint=hint)

    def weapon(self, name: str) -> Weapon:
        """Return the weapon of this name, or raise :class:`GameError`."""
        for weapon in self.weapons:
            if weapon.name.casefold() == name.casefold():
                return weapon
        hint = did_you_mean(name, [weapon.name for weapon in self.weapons]) or _NONE_YET
        raise GameError("{=who} has no weapon {=name}", who=self.name, name=repr(name), where="weapon", hint=hint)

    def value(self, name: str, default: int = 0) -> int:
        """Return the value of a tracker."""
        gauge = self.trackers.get(name)
        return default if gauge is None else gauge.value

    def counted(self, tracker: Tracker) -> int:
        """Return the value of a tracker. Who has none entered has the usual one; a group or a thing has nothing."""
        has_usual = self.kind in (PersonKind.PLAYER, PersonKind.PERSON)
        return self.value(tracker.name, tracker.default if has_usual else tracker.least)

    def most(self, name: str) -> int | None:
        """Return this person's own limit of a tracker, ``None`` where there is none."""
        gauge = self.trackers.get(name)
        return None if gauge is None else gauge.most

    def after(self, what: Until) -> Person:
        """Return the person without what ends with a turn, a round or a scene."""
        left = tuple(one for one in self.states if one.until not in _ENDS[what])
        if what == "turn":
            left = tuple(replace(one, until="turn") if one.until == "next" else one for one in left)
        return replace(self, states=left, round=self.round if what == "turn" else NO_ROUND)

    def barred_by(self, what: Barred) -> str:
        """Return the name of something that lasts on this one and keeps from that, ``""`` where nothing does."""
        return next((one.name for one in self.states if what and one.bars == what), "")

    def with_state(self, state: Lasting) -> Person:
        """Return the person with something that lasts, in place of what has its name."""
        return replace(self, states=(*self.without_state(state.name).states, state))

    def without_state(self, name: str) -> Person:
        """Return the person without what lasts by this name."""
        return replace(self, states=tuple(one for one in self.states if one.name != name))

    def with_value(self, tracker: Tracker, value: int) -> Person:
        """Return the person with another value, which stops at the bounds of the tracker."""
        gauge = self.trackers.get(tracker.name, Gauge())
        kept = min(max(value, tracker.least), tracker.highest)
        return replace(self, trackers={**self.trackers, tracker.name: replace(gauge, value=kept)})


class Effect(Worded, frozen=True, kw_only=True, rename={"is_either": "either"}):
    """What a roll does to somebody.

    :ivar change: what is added to the tracker. :ivar set: the value it gets instead, where it is not ``None``.
    :ivar on: ``"target"``, ``"roller"``, or ``"table"`` where the tracker is shared by all.
    :ivar also: what changes in the same act, such as a condition and being staggered.
    :ivar is_either: of those of a roll that are so, people choose one.
    """

    optional = ("also", "is_either")

    tracker: str
    change: int = 0
    set: int | None = None
    on: str = "target"
    also: tuple[Effect, ...] = ()
    is_either: bool = False

    def to_json(self) -> dict[str, Any]:
        form = super().to_json()
        value = form.pop("set")
        return form if value is None else form | {"change": {"set": value}}

    @classmethod
    def values_of(cls, form: Mapping[str, Any]) -> dict[str, Any]:
        values = super().values_of(form)
        change = values["change"]
        return values | {"change": 0, "set": change["set"]} if isinstance(change, Mapping) else values


class Carry(Record, frozen=True, kw_only=True):
    """What something that was bought gives to a later roll.

    :ivar ask: answers to the form that are added to the next call of whom it is for.
    :ivar to: ``"self"``, ``"ally"`` or ``"target"``, which tells whom it is for where nobody says.
    """

    ask: Mapping[str, Any]
    to: str = "ally"


class Follow(Worded, frozen=True, kw_only=True):
    """What a tracker at its limit, or a purchase, calls for, such as a critical injury.

    :ivar ask: answers for the throw, ``None`` where nothing is thrown.
    """

    ask: Mapping[str, Any] | None = None


class Care(Worded, frozen=True, kw_only=True):
    """What may better somebody now.

    :ivar act: what is done without dice, ``""`` where something is thrown.
    :ivar ask: answers for the throw. :ivar skills: what it is thrown with, the first that the thrower has.
    :ivar is_by_another: somebody else throws. :ivar is_rest: it takes long, so nobody does it in a fight.
    """

    act: str = ""
    ask: Mapping[str, Any] = {}
    skills: tuple[str, ...] = ()
    is_by_another: bool = False
    is_rest: bool = False


class Gives(Record, frozen=True, kw_only=True):
    """What a purchase gives besides its words.

    :ivar carry: answers for a later call.
    :ivar effects: what it does to trackers. :ivar follow: a throw that it calls for.
    :ivar lasts: what it puts on somebody for a while, and ``on`` whom: the roller or the target.
    :ivar ends: the name of what it takes off that one.
    """

    carry: Carry | None = None
    effects: tuple[Effect, ...] = ()
    follow: Follow | None = None
    lasts: Lasting | None = None
    ends: str = ""
    on: str = ROLLER


NOTHING = Gives()
