"""People and things of a table: what a game is told of them before a roll, and what a roll does to them.

A person's skills, weapons and defences are answers to the form of the game, so that a call needs no typing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, Literal

from msgspec import Struct
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


Until = Literal["turn", "next", "round", "next_round", "scene", "evening", ""]
"""What something that lasts on somebody ends with: this one's turn, the turn after that, the round, the round after
that, the scene or the evening; ``""`` is never."""
_WITHIN: Mapping[str, tuple[str, ...]] = {
    "scene": ("turn", "next", "round", "next_round"), "evening": ("turn", "next", "round", "next_round", "scene"),
}  # fmt: skip
"""What is over as well where that ends."""
_LATER: Mapping[str, Until] = {"next": "turn", "next_round": "round"}


Distance = Literal["", "near", "afar"]
"""From where somebody is attacked, ``""`` for what is no attack."""
Barred = Literal["", "actions", "maneuvers", "second_maneuver", "defence"]
Joins = Literal["", "all", "wounds", "nothing"]
"""Which rules join somebody's calls by themselves, ``""`` as the table has it: all, wounds alone, or nothing."""


class Lasting(Record, frozen=True, kw_only=True,
              rename={"is_once": "once", "is_later": "later", "is_for_allies": "for_allies"}):  # fmt: skip
    """Something that lasts on somebody for a while, such as being prone, a boost, a dodge or what was declared.

    :ivar id: what tells it from others of its name. :ivar words: more of it, for people.
    :ivar until: what it ends with. :ivar is_once: the first call that it joins uses it up.
    :ivar is_later: it begins with the next round, and is of that; what is to be used once is lost by acting before it.
    :ivar ask: answers that join this one's calls, and ``damage`` those of the damage of its weapons.
    :ivar skills: of these skills alone; without any of all.
    :ivar is_for_allies: it joins the calls of all others of this one's side in place of this one's own.
    :ivar against: answers that join the calls against this one.
    :ivar near: answers that join attacks on this one from close by, ``afar`` those from anywhere else.
    :ivar bars: what this one cannot do, or cannot count on.
    :ivar roll: the id of the roll by which this one reacts to attacks. :ivar giver: the name of who gave it.
    :ivar lends: a tracker, of which a point goes with it.
    """

    optional = (
        "near", "afar", "bars", "id", "is_once", "is_later", "is_for_allies", "skills", "roll", "giver", "lends",
        "damage",
    )  # fmt: skip

    name: str
    until: Until = "scene"
    words: str = ""
    ask: Mapping[str, Any] = {}
    damage: Mapping[str, Any] = {}
    against: Mapping[str, Any] = {}
    near: Mapping[str, Any] = {}
    afar: Mapping[str, Any] = {}
    bars: Barred = ""
    id: str = ""
    is_once: bool = False
    is_later: bool = False
    is_for_allies: bool = False
    skills: tuple[str, ...] = ()
    roll: str = ""
    giver: str = ""
    lends: str = ""

    @classmethod
    def of_older(cls, form: Mapping[str, Any]) -> Lasting:
        """Return what an older version carried to a later call, be it of one or of any ally of its giver."""
        name, giver, is_for_allies = form["words"], form.get("giver", ""), not form.get("to")
        return cls(name=name, id=form["id"], until="evening", is_once=True, ask=form.get("ask", {}), giver=giver,
                   is_for_allies=is_for_allies)  # fmt: skip

    @property
    def key(self) -> str:
        """What tells it from others that last on the same one."""
        return self.id or self.name

    @property
    def is_talent(self) -> bool:
        """Whether it is a talent, which is of somebody for good and part of what they can do."""
        return not self.until

    def met_from(self, distance: Distance) -> Mapping[str, Any]:
        """Return the answers that join an attack on this one."""
        return {"near": self.near, "afar": self.afar, "": {}}[distance]

    def after(self, what: Collection[str]) -> Lasting | None:
        """Return it as it is after the turn, the round or whatever else ends, ``None`` where it is over then."""
        over = {*what, *(one for each in what for one in _WITHIN.get(each, ()))}
        if self.is_later and "round" in what and "scene" not in over:
            return replace(self, is_later=False)
        if self.until in over:
            return None
        return replace(self, until=_LATER[self.until]) if _LATER.get(self.until) in what else self


class Sheet(Record, frozen=True, kw_only=True):
    """What somebody is in one game; name, face and notes are the same in all. Each field is a person's of its name."""

    optional = ("states", "done", "used", "crew")

    role: str = ""
    skills: tuple[Skill, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    defences: Mapping[str, Any] = {}
    trackers: Mapping[str, Gauge] = {}
    states: tuple[Lasting, ...] = ()
    done: int = 0
    used: Mapping[str, str] = {}
    crew: tuple[str, ...] = ()


class Person(Record, frozen=True, kw_only=True):
    """Somebody or something that rolls, is rolled against, or is hurt.

    :ivar defences: answers to the form that a roll against this one gets.
    :ivar members: how many a group has; 1 for all others.
    :ivar role: what somebody is, in a word or two, such as ``"Mechanic"``.
    :ivar device: what this one was added with. :ivar states: what lasts on this one.
    :ivar done: how many actions of the round were thrown for.
    :ivar used: powers that were used, each with what gives it back.
    :ivar sheets: what this one was in other games, by their names: it waits for the way back.
    :ivar joins: which rules join this one's calls by themselves.
    :ivar crew: of a thing: ids of people who roll what it does.
    """

    optional = ("device", "states", "done", "used", "sheets", "joins", "crew")

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
    done: int = 0
    used: Mapping[str, str] = {}
    sheets: Mapping[str, Sheet] = {}
    joins: Joins = ""
    crew: tuple[str, ...] = ()

    def in_game(self, game: str, like: Person | None) -> Person:
        """Return the same person in another game, as they were there before, else with what somebody else has there."""
        sheets = {**self.sheets, self.game: Sheet.from_fields(self)}
        sheet = sheets.pop(game, None) or (Sheet.from_fields(like) if like else Sheet())
        return replace(
            self, game=game, sheets=sheets, **{name: getattr(sheet, name) for name in Sheet.__struct_fields__}
        )

    @property
    def has_all_join(self) -> bool:
        """Whether all rules join by themselves, also those that a group's own book may lack."""
        return self.joins in ("", "all")

    def as_played(self, settings: Mapping[str, Any]) -> Person:
        """Return the person as the rules meet it: where it says nothing of its own, the table does."""
        return replace(self, joins=self.joins or settings.get("joins", ""))

    def is_ally(self, other: Person) -> bool:
        """Tell whether two are of one side, and not the same."""
        sides = {(one.game, one.kind is PersonKind.PLAYER) for one in (self, other)}
        return len(sides) == 1 and self.id != other.id

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

    @classmethod
    def values_of(cls, form: Mapping[str, Any]) -> dict[str, Any]:
        if was := form.get("round"):  # as older versions kept it
            declared = [{"name": name, "until": "round", "ask": {name: value}} for name, value in was["ask"].items()]
            reacts = [{"name": kind, "until": "round", "roll": of} for kind, of in was.get("reactions", {}).items()]
            form = {**form, "states": [*form.get("states", ()), *declared, *reacts], "done": was["done"]}
        return super().values_of(form)

    def after(self, what: Collection[str]) -> Person:
        """Return the person without the states that end with what is named; what they lent goes with them."""
        kept = [(one, one.after(what)) for one in self.states]
        trackers = dict(self.trackers)
        for name in (one.lends for one, left in kept if one.lends and left is None):
            trackers[name] = replace(trackers.get(name, Gauge()), value=max(self.value(name) - 1, 0))
        done = 0 if "round" in what else self.done
        return replace(self, states=tuple(left for _, left in kept if left), trackers=trackers, done=done)

    def acted(self) -> Person:
        """Return the person with one more action done in the round."""
        left = tuple(one for one in self.states if not (one.is_later and one.is_once))
        return replace(self, done=self.done + 1, states=left)

    def renamed_use(self, was: Person) -> Person:
        """Return the person with the powers that were used by what they are called now: those in the same place."""
        had, has = ([one.name for one in person.weapons] for person in (was, self))
        called = {old: new for old, new in zip(had, has, strict=False) if old not in has and new not in had}
        return replace(self, used={called.get(name, name): often for name, often in was.used.items()})

    def declared(self, name: str, default: Any) -> Any:
        """Return the last answer of this name that lasts on this one."""
        found = (one.ask[name] for one in reversed(self.states) if name in one.ask)
        return next(found, default)

    def barred_by(self, what: Barred) -> str:
        """Return the name of something that lasts on this one and keeps from that, ``""`` where nothing does."""
        bars = self.states if what and self.has_all_join else ()
        return next((one.name for one in bars if one.bars == what and not one.is_later), "")

    def has_state(self, key: str) -> bool:
        """Tell whether something lasts on this one by this key."""
        return any(one.key == key for one in self.states)

    def with_state(self, state: Lasting) -> Person:
        """Return the person with something that lasts, in place of what has its key."""
        return replace(self, states=(*self.without_state(state.key).states, state))

    def without_state(self, key: str) -> Person:
        """Return the person without what lasts by this key."""
        return replace(self, states=tuple(one for one in self.states if one.key != key))

    def with_value(self, tracker: Tracker, value: int) -> Person:
        """Return the person with another value, which stops at the bounds of the tracker."""
        gauge = self.trackers.get(tracker.name, Gauge())
        kept = min(max(value, tracker.least), tracker.highest)
        return replace(self, trackers={**self.trackers, tracker.name: replace(gauge, value=kept)})


class SetTo(Struct, frozen=True, kw_only=True):
    """The value that something gets, whatever it was."""

    set: int


class Effect(Worded, frozen=True, kw_only=True, rename={"is_either": "either"}):
    """What a roll does to somebody.

    :ivar change: what is added to the tracker. :ivar set: the value it gets instead, where it is not ``None``.
    :ivar on: ``"target"``, ``"roller"``, or ``"table"`` where the tracker is shared by all.
    :ivar also: what changes in the same act, such as a condition and being staggered.
    :ivar lasts: what it puts on somebody for a while; without a tracker it does nothing else.
    :ivar is_either: of those of a roll that are so, people choose one.
    """

    optional = ("also", "is_either", "lasts")
    beside = (("set", None), ("change", int | SetTo))

    tracker: str = ""
    change: int = 0
    set: int | None = None
    on: str = "target"
    also: tuple[Effect, ...] = ()
    is_either: bool = False
    lasts: Lasting | None = None

    def to_json(self) -> dict[str, Any]:
        form = super().to_json()
        value = form.pop("set")
        return form if value is None else form | {"change": {"set": value}}

    @classmethod
    def values_of(cls, form: Mapping[str, Any]) -> dict[str, Any]:
        values = super().values_of(form)
        change = values["change"]
        return values | {"change": 0, "set": change["set"]} if isinstance(change, Mapping) else values


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

    :ivar effects: what it does to trackers. :ivar follow: a throw that it calls for.
    :ivar lasts: what it puts on somebody for a while, and ``on`` whom: the roller, the target or an ally.
    :ivar ends: the name of what it takes off that one.
    :ivar is_deadly: one of a group falls by it at once, in place of what it calls for.
    """

    effects: tuple[Effect, ...] = ()
    follow: Follow | None = None
    lasts: Lasting | None = None
    ends: str = ""
    on: str = ROLLER
    is_deadly: bool = False


NOTHING = Gives()
