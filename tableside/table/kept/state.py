"""What is happening now, frozen, and the changes that led to it, each with all that is needed to take it back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec.structs import replace

from tableside.errors import BadChange, TablesideError, did_you_mean, without_folders
from tableside.record import Record
from tableside.rules import PoolNames
from tableside.rules.people import NO_ROUND, Person, PersonKind
from tableside.rules.turns import HIGH_TO_LOW, TurnOrder
from tableside.table.kept.calls import NO_CALL, NO_CONTEST, Call, Contest, Entrant
from tableside.table.kept.order import Initiative, Slot
from tableside.table.kept.play import Carried, Destiny, OwnTable, Phase, Player, Session, Setup, Tracked
from tableside.table.kept.roll import Roll
from tableside.words import say

LOST = "lost"
"""The kind of what stands in the place of a change that cannot be read any more."""


_GRAVE = frozenset({"game", "session"})


class Part(Record, frozen=True, kw_only=True):
    """The part of the table's state that one change touches, as it was before it or as it is after it.

    What is ``None`` was not touched; a roll that is ``None`` on one side only was not there.

    :ivar roll: the one that the change is about. :ivar rolls: others that it touched by their ids.
    :ivar tracked: of the table. :ivar trackers: others of the table.
    :ivar people: those whom the change touched by their ids, ``None`` for somebody who was not there.
    :ivar carried: what the change took away, on the side of before, or brought, on the side of after.
    :ivar order: the ids of all rolls, of all people and of all that is carried, where what comes new or comes back
        does not come last.
    """

    leaves_out_none = True

    destiny: Destiny | None = None
    roll: Roll | None = None
    rolls: Mapping[str, Roll | None] | None = None
    session: Session | None = None
    players: tuple[Player, ...] | None = None
    asked: Call | None = None
    contest: Contest | None = None
    setup: Setup | None = None
    tracked: Tracked | None = None
    trackers: tuple[Tracked, ...] | None = None
    initiative: Initiative | None = None
    people: Mapping[str, Person | None] | None = None
    carried: tuple[Carried, ...] | None = None
    tables: tuple[OwnTable, ...] | None = None
    order: Mapping[str, tuple[str, ...]] | None = None

    @property
    def rolls_by_id(self) -> dict[str, Roll | None]:
        """Every roll that the change touched, first the one that it is about."""
        return ({self.roll.id: self.roll} if self.roll else {}) | dict(self.rolls or {})

    @property
    def all_tracked(self) -> tuple[Tracked, ...]:
        return (*((self.tracked,) if self.tracked else ()), *(self.trackers or ()))


_OF_MANY = ("roll", "rolls", "tracked", "trackers", "people", "carried", "order")
WHOLE = tuple(name for name in Part.__struct_fields__ if name not in _OF_MANY)
"""Fields that the state has by the same name, and that a change gives anew as a whole."""


class Change(Record, frozen=True, kw_only=True):
    """A change that happened.

    :ivar number: its place in the log, from 1.
    :ivar id: the sender's id; the same id counts once.
    :ivar device: what it was done with, ``""`` for what belongs to the table itself.
    :ivar undoes: the number of the change that this one takes back, or 0.
    :ivar sentence: what happened, for people.
    :ivar message: what was asked, by the name of its class and complete, so that it can be followed again.
    :ivar place: the number of the change that this one is followed after, 0 for the one before it: a roll that is
        corrected has its new dice before anything is done with it.
    :ivar left_out: the numbers of later changes that could not be followed again with it.
    :ivar repeats_hidden: its words repeat those of a change that is hidden.
    """

    texts = ("sentence",)
    optional = ("device", "message", "place", "left_out", "repeats_hidden")

    number: int
    id: str
    at: float
    by: str
    kind: str
    sentence: str
    before: Part
    after: Part
    undoes: int = 0
    device: str = ""
    message: Mapping[str, Any] = {}
    place: int = 0
    left_out: tuple[int, ...] = ()
    repeats_hidden: bool = False

    @property
    def rolls(self) -> Iterator[tuple[Roll | None, Roll | None]]:
        """Every roll that it touched, as it was and as it is then; first the one that the change is about."""
        before, after = self.before.rolls_by_id, self.after.rolls_by_id
        return ((before.get(key), after.get(key)) for key in {**after, **before})

    @property
    def is_grave(self) -> bool:
        """Whether it concerns the whole evening, so that no single press takes it back."""
        return self.kind in _GRAVE and not self.undoes

    @property
    def is_hidden(self) -> bool:
        """Whether its words would tell of a roll that is for the game master alone."""
        rolls = [after or before for before, after in self.rolls]  # one that is shown to all at last is no secret
        if self.repeats_hidden or any(roll and roll.is_hidden for roll in rolls):
            return True
        is_called = any(part.asked and part.asked.is_hidden for part in (self.before, self.after))
        return is_called and not any(self.after.rolls_by_id.values())


def lost_change(number: int, *, at: float) -> Change:
    """Return what stands in the place of a change that cannot be read any more.

    :param at: when the change before it happened, in seconds since 1970.
    """
    sentence = "This change is lost: the history was damaged."
    return Change(
        number=number, id=f"lost-{number}", at=at, by="", kind=LOST, sentence=sentence, before=Part(), after=Part()
    )


class Trouble(Record, frozen=True, kw_only=True):
    """Something that does not work while the table goes on, in the three parts of an error.

    :ivar id: of one that stays until somebody has seen it.
    :ivar part: what it concerns, one word such as ``"camera"``; a part has at most one trouble without an id.
    :ivar since: epoch seconds.
    """

    texts = ("what", "hint")
    optional = ("id",)

    part: str
    what: str
    where: str = ""
    hint: str = ""
    since: float
    id: str = ""

    def __str__(self) -> str:
        return str(TablesideError(self.what, where=self.where, hint=self.hint))

    def to_json(self, *, sees_folders: bool = False) -> dict[str, Any]:
        """Return its words. Folders of this machine, which name its user, are only for those who look after it."""
        if sees_folders:
            return super().to_json()
        texts = {name: without_folders(getattr(self, name)) for name in ("what", "where", "hint")}
        return replace(self, **texts).to_json(sees_folders=True)


_USUAL = PoolNames()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """What is happening now.

    :ivar revision: grows with every state shown, also over a restart.
    :ivar rested: the revision with which the tray last came to rest, 0 before it has. A display that skips states
        sees by it that something moved.
    :ivar rolls: newest first, as many as are at hand.
    :ivar changes: the newest changes, oldest first, as many as can be undone.
    :ivar destiny_flips: the game knows points that turn over when they are spent.
    :ivar turn_order: of the game of the fight, or of the table's where nobody fights.
    :ivar trackers: values by game, name and owner; what is not there has its default.
    :ivar is_testing: the lamps are being tested.
    :ivar people: characters and things of the scene. :ivar carried: what was bought for later calls.
    :ivar tables: the group's own. :ivar laid: dice that were laid in the tray for the open call.
    :ivar past: the state before each of ``changes``, without these two.
    """

    revision: int = 0
    phase: Phase = Phase.EMPTY
    rested: int = 0
    destiny: Destiny = field(default_factory=Destiny)
    rolls: tuple[Roll, ...] = ()
    trouble: tuple[Trouble, ...] = ()
    changes: tuple[Change, ...] = ()
    game: str = ""
    game_title: str = ""
    destiny_names: PoolNames = _USUAL
    destiny_flips: bool = True
    turn_order: TurnOrder = HIGH_TO_LOW
    session: Session = field(default_factory=Session)
    players: tuple[Player, ...] = ()
    asked: Call = NO_CALL
    contest: Contest = NO_CONTEST
    setup: Setup = field(default_factory=Setup)
    trackers: Mapping[tuple[str, str, str], int] = field(default_factory=dict)
    initiative: Initiative = field(default_factory=Initiative)
    is_testing: bool = False
    people: tuple[Person, ...] = ()
    carried: tuple[Carried, ...] = ()
    tables: tuple[OwnTable, ...] = ()
    laid: Mapping[str, int] = field(default_factory=dict)
    past: tuple[TableState, ...] = field(default=(), compare=False, repr=False)

    @property
    def roll(self) -> Roll | None:
        """The newest roll."""
        return self.rolls[0] if self.rolls else None

    @property
    def open_roll(self) -> Roll | None:
        """The newest roll that all may see, unless a hidden one came after it."""
        return self.roll if self.roll and not self.roll.is_hidden else None

    @property
    def last_change(self) -> Change | None:
        return self.changes[-1] if self.changes else None

    @property
    def last_number(self) -> int:
        return self.changes[-1].number if self.changes else 0

    def person(self, person_id: str) -> Person | None:
        return next((person for person in self.people if person.id == person_id), None) if person_id else None

    def with_people(self, people: Mapping[str, Person | None]) -> TableState:
        """Return the state with these people: who was there keeps the place, who is new comes last, ``None`` goes."""
        left = dict(people)
        kept = [left.pop(one.id, one) if one.id in left else one for one in self.people]
        return dataclasses.replace(self, people=tuple(one for one in (*kept, *left.values()) if one is not None))

    def with_person(self, person: Person) -> TableState:
        """Return the state with somebody as they are now."""
        return self.with_people({person.id: person})

    def with_roll(self, roll: Roll, *, is_back: bool = False) -> TableState:
        """Return the state with a roll in its place; a new one is the newest, one that comes back goes by its time."""
        rolls = tuple(roll if one.id == roll.id else one for one in self.rolls)
        if self.find_roll(roll.id) is None:
            place = next((n for n, one in enumerate(rolls) if not is_back or one.at <= roll.at), len(rolls))
            rolls = (*rolls[:place], roll, *rolls[place:])
        return dataclasses.replace(self, rolls=rolls)

    def with_tracked(self, tracked: Tracked) -> TableState:
        """Return the state with the value of a tracker of the table."""
        return dataclasses.replace(self, trackers={**self.trackers, tracked.key: tracked.value})

    def in_order(self, order: Mapping[str, tuple[str, ...]]) -> TableState:
        """Return the state with its rolls, people and what is carried in the order of these ids."""

        sorted_by: dict[str, Any] = {}
        for name, ids in order.items():
            by_id = {one.id: one for one in getattr(self, name)}
            sorted_by[name] = tuple(by_id[key] for key in ids if key in by_id)
        return dataclasses.replace(self, **sorted_by)

    def fights(self, person: Person) -> bool:
        """Tell whether the rounds of somebody are those of a fight that runs."""
        return bool(self.initiative.slots) and self.initiative.game in ("", person.game)

    def in_round(self, person: Person) -> Person:
        """Return somebody as the next call finds them: without a fight a round is over once its actions are done."""
        return replace(person, round=NO_ROUND) if person.round.is_over and not self.fights(person) else person

    def carried_to(self, person: Person) -> tuple[Carried, ...]:
        """Return what lies in somebody's next call.

        What is for the next ally is neither for its giver nor for the other side.
        """

        def is_ally(one: Carried) -> bool:
            roll = self.find_roll(one.source)
            giver = self.person(roll.who) if roll else None
            sides = {who.kind is PersonKind.PLAYER for who in (person, giver) if who}
            return giver is None or (giver.id != person.id and len(sides) == 1)

        return tuple(one for one in self.carried if one.to == person.id or (not one.to and is_ally(one)))

    def acting(self, slot: Slot | None) -> Person | None:
        """Return whose slot it is, as far as somebody of the scene is meant."""
        if slot is None:
            return None
        named = [one for one in self.people if slot.who and one.name == slot.who]
        return next((one for one in named if one.id == slot.person), None) or next(iter(named), None)

    def owner(self, slot: Slot) -> Person | None:
        """Return who brought a slot into the order, whoever acts in it in this round."""
        return self.person(slot.person) or self.acting(slot)

    def table(self, name: str) -> OwnTable:
        """Return the group's own table of this name, or raise :class:`BadChange`."""
        for table in self.tables:
            if table.name.casefold() == name.casefold():
                return table
        raise BadChange(
            say("no table {=name}", name=name),
            where="tables",
            hint=did_you_mean(name, [one.name for one in self.tables]),
        )

    def find_roll(self, roll_id: str) -> Roll | None:
        return next((roll for roll in self.rolls if roll.id == roll_id), None)

    def roll_of(self, entrant: Entrant) -> Roll | None:
        """Return the newest roll of one of those who are called, ``None`` where that one has not rolled."""
        for roll in self.rolls:
            is_theirs = roll.who == entrant.who if entrant.who else not roll.who and roll.by == entrant.name
            if roll.contest == self.contest.id and is_theirs:
                return roll
        return None

    @property
    def waiting(self) -> list[Entrant]:
        """Those who are called and have not rolled yet, in the order in which they are called."""
        return [one for one in self.contest.entrants if self.roll_of(one) is None]

    @property
    def turn_before(self) -> int | None:
        """The number of the change that ended the turn before, as long as the order stands as that left it."""
        ordered = (one for one in self.standing_changes() if one.after.initiative is not None and not one.undoes)
        change = next(ordered, None)
        if change is None or change.before.initiative is None:
            return None
        before, after = change.before.initiative, self.initiative
        if change.after.initiative != after or {one.id for one in before.slots} != {one.id for one in after.slots}:
            return None
        was = after.find(before.current.id) if before.current else None
        is_another = (before.round, before.segment) != (after.round, after.segment)  # which has an order of its own
        return change.number if is_another or (was is not None and was.is_done) else None

    def is_taken_back(self, roll_id: str) -> bool:
        """Tell whether a person took this roll back. One that the table has not heard of yet was not."""
        for change in reversed(self.changes):
            rolls = change.after.rolls_by_id
            if roll_id in rolls or roll_id in change.before.rolls_by_id:
                return rolls.get(roll_id) is None
        return False

    def brought_by(self, roll_id: str) -> int | None:
        """Return the number of the change that brought a roll; whoever takes that back undoes the roll."""
        for change in self.changes:
            if change.after.roll is not None and change.after.roll.id == roll_id and not change.undoes:
                return change.number if change.before.roll is None else None
        return None

    def asked_before(self, roll_id: str) -> Call | None:
        """Return the call that a roll answered, as long as that change is at hand."""
        for change in self.changes:
            if change.after.roll is not None and change.after.roll.id == roll_id:
                return change.before.asked
        return None

    def standing_changes(self, *, without: int = 0) -> Iterator[Change]:
        """Return the changes that no other took back or left out, newest first; an undo is one of them.

        :param without: the number of one that is taken as taken back, too.
        """
        gone = {without}
        for change in reversed(self.changes):
            if change.number not in gone:
                gone.update((change.undoes, *change.left_out))
                yield change

    def to_undo(self, *, only_open: bool, only_of: str) -> Change | None:
        """Return the newest change that was not taken back.

        :param only_open: of those that everybody may read. :param only_of: of those of this device, ``""`` for all.
        """
        for change in self.standing_changes():
            is_within = (not only_open or self.may_tell(change)) and only_of in ("", change.device)
            if not change.undoes and change.kind != LOST and is_within:
                return change
        return None

    def may_tell(self, change: Change) -> bool:
        """Tell whether everybody may read this change: it tells of no roll that is hidden, or hidden again."""
        hidden = {roll.id for roll in self.rolls if roll.is_hidden}
        touched = {*change.before.rolls_by_id, *change.after.rolls_by_id}
        return not change.is_hidden and hidden.isdisjoint(touched)


Decision: TypeAlias = tuple[str, TableState]
"""What an act gives: what happened in words, and the state after it."""
