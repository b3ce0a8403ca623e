"""What is happening now, frozen, and the changes that led to it, each with all that is needed to take it back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from tableside.errors import BadChange, TablesideError, did_you_mean, without_folders
from tableside.record import Record
from tableside.rules import PoolNames
from tableside.rules.people import Lasting, Person
from tableside.rules.turns import HIGH_TO_LOW, TurnOrder
from tableside.table.kept.calls import NO_CALL, NO_CONTEST, Call, Called, Contest, Entrant
from tableside.table.kept.now import Agenda, Now
from tableside.table.kept.order import Initiative, Slot
from tableside.table.kept.play import Destiny, OwnTable, Phase, Player, Session, Setup, Tracked
from tableside.table.kept.roll import Roll
from tableside.words import say

LOST = "lost"
"""The kind of what stands in the place of a change that cannot be read any more."""


_NO_AGENDA = Agenda()
_Known = TypeVar("_Known", Person, Roll)
_GRAVE = frozenset({"game", "session"})


class Part(Record, frozen=True, kw_only=True):
    """The part of the table's state that one change touches, as it was before it or as it is after it.

    What is ``None`` was not touched; a roll that is ``None`` on one side only was not there.

    :ivar roll: the one that the change is about. :ivar rolls: others that it touched by their ids.
    :ivar tracked: of the table. :ivar trackers: others of the table.
    :ivar people: those whom the change touched by their ids, ``None`` for somebody who was not there.
    :ivar carried: what a change of an older version took away, on the side of before, or brought, on that of after.
    :ivar order: the ids of all rolls and of all people, where what comes new or comes back does not come last.
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
    carried: tuple[Mapping[str, Any], ...] | None = None
    tables: tuple[OwnTable, ...] | None = None
    agenda: Agenda | None = None
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
    def closes(self) -> set[str]:
        """The ids of the rolls that nothing asks for any more since."""
        was, now = ((part.agenda or _NO_AGENDA).open for part in (self.before, self.after))
        return {*was, *(new.id for old, new in self.rolls if old is None and new)} - {*now}

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

    def without_folders(self) -> Trouble:
        """Return it without folders of this machine, which name its user: for all but those who look after it."""
        return replace(self, **{name: without_folders(getattr(self, name)) for name in ("what", "where", "hint")})


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
    :ivar people: characters and things of the scene.
    :ivar tables: the group's own. :ivar laid: dice that were laid in the tray for the open call.
    :ivar past: the state before each of ``changes``, without these two.
    :ivar agenda: how far the table is with its rolls.
    :ivar now: what is next, and ``open_now`` for who may not see what is hidden.
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
    tables: tuple[OwnTable, ...] = ()
    agenda: Agenda = field(default_factory=Agenda)
    laid: Mapping[str, int] = field(default_factory=dict)
    past: tuple[TableState, ...] = field(default=(), compare=False, repr=False)
    now: Now = field(default_factory=Now, compare=False)
    open_now: Now = field(default_factory=Now, compare=False)

    @property
    def roll(self) -> Roll | None:
        """The newest roll."""
        return self.rolls[0] if self.rolls else None

    @property
    def last_change(self) -> Change | None:
        return self.changes[-1] if self.changes else None

    @property
    def last_number(self) -> int:
        return self.changes[-1].number if self.changes else 0

    def person(self, person_id: str) -> Person | None:
        return _of_id(self.people, person_id) if person_id else None

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
        """Return the state with its rolls and people in the order of these ids."""

        sorted_by: dict[str, Any] = {}
        for name, ids in ((name, ids) for name, ids in order.items() if name != "carried"):
            by_id = {one.id: one for one in getattr(self, name)}
            sorted_by[name] = tuple(by_id[key] for key in ids if key in by_id)
        return dataclasses.replace(self, **sorted_by)

    def fights(self, person: Person) -> bool:
        """Tell whether the rounds of somebody are those of a fight that runs."""
        return bool(self.initiative.slots) and self.initiative.game in ("", person.game)

    def lent_to(self, person: Person | None) -> tuple[Lasting, ...]:
        """Return what lasts on others for their allies, of whom somebody is one."""
        allies = (one for one in self.people if person and one.is_ally(person))
        return tuple(state for one in allies for state in one.states if state.is_for_allies)

    def acting(self, slot: Slot | None) -> Person | None:
        """Return whose slot it is, as far as somebody of the scene is meant."""
        if slot is None:
            return None
        named = [one for one in self.people if slot.who and one.name == slot.who]
        return next((one for one in named if one.id == slot.person), None) or next(iter(named), None)

    def owner(self, slot: Slot) -> Person | None:
        """Return who brought a slot into the order, whoever acts in it in this round."""
        return self.person(slot.person) or self.acting(slot)

    def with_turn_of(self, person: Person) -> TableState:
        """Return the state with the turn of now as that of who acts, where nobody of that side took it."""
        return dataclasses.replace(self, initiative=self.initiative.claimed(person, self.turn_order))

    def likely(self, slot: Slot | None) -> Person | None:
        """Return whose slot it is, or of one that nobody has taken yet who had it, unless they act in another one."""
        if slot is None or slot.who:
            return self.acting(slot)
        taken = [one.id for other in self.initiative.slots if (one := self.acting(other))]
        return None if slot.person in taken else self.person(slot.person)

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
        return _of_id(self.rolls, roll_id)

    def roll_of(self, entrant: Entrant) -> Roll | None:
        """Return the newest roll of one of those who are called, ``None`` where that one has not rolled."""
        for roll in self.rolls:
            is_theirs = roll.who == entrant.who if entrant.who else not roll.who and roll.by == entrant.name
            if roll.contest == self.contest.id and is_theirs:
                return roll
        return None

    def gives_place(self, called: Call | Roll) -> bool:
        """Tell whether a call, or the roll that answers it, is for a place in the order."""
        return self.contest.is_initiative and called.contest == self.contest.id

    @property
    def closed(self) -> dict[str, int]:
        """The numbers of the changes that closed rolls, by their ids; of what is older than all at hand the oldest."""
        found = {roll.id: self.changes[0].number if self.changes else 0 for roll in self.rolls}
        standing = {one.number for one in self.standing_changes() if not one.undoes}
        for change in sorted(
            self.changes, key=lambda one: one.number in standing
        ):  # an undo tells less than what stands
            found |= dict.fromkeys(change.closes, change.number)
        return {one: number for one, number in found.items() if one not in self.agenda.open}

    def pool_of(self, roll: Roll) -> Destiny:
        """Return the pool that a throw for it gives, with those of all who were called for it one by one."""
        thrown = [one for one in self.rolls if one is roll or (roll.contest and one.contest == roll.contest)]
        points = [one.sets_pool for one in thrown if one.sets_pool is not None]
        return Destiny(light=sum(one.light for one in points), dark=sum(one.dark for one in points))

    @property
    def waiting(self) -> list[Entrant]:
        """Those who are called and have not rolled yet, in the order in which they are called."""
        return [one for one in self.contest.entrants if self.roll_of(one) is None]

    @property
    def called(self) -> list[Called]:
        """All who are called, in the order in which they throw."""
        calls = {one.id: one for one in (self.asked, *reversed(self.agenda.waits)) if one.id}
        now = [
            Called(id=one.id, who=one.who, name=one.player, label=one.label, contest=one.contest)
            for one in calls.values()
        ]
        later = [
            Called(
                id=self.contest.call_of(one),
                who=one.who,
                name=one.name,
                label=self.contest.label,
                contest=self.contest.id,
            )
            for one in self.waiting
        ]
        return now + [one for one in later if one.id not in calls]

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

    def standing_changes(self, *, without: Iterable[int] = ()) -> Iterator[Change]:
        """Return the changes that no other took back or left out, newest first; an undo is one of them.

        :param without: the numbers of those that are taken as taken back, too.
        """
        gone = set(without)
        for change in reversed(self.changes):
            if change.number not in gone:
                gone.update((change.undoes, *change.left_out))
                yield change

    def to_undo(self, *, only_open: bool, only_of: str, of: Now | None = None) -> Change | None:
        """Return the newest change that was not taken back.

        :param only_open: of those that everybody may read. :param only_of: of those of this device, ``""`` for all.
        :param of: of those that brought this now, or have made or changed its roll.
        """
        for change in self.standing_changes():
            is_within = (not only_open or self.may_tell(change)) and only_of in ("", change.device)
            if of is not None:
                is_within &= change.number == of.change or of.roll in change.after.rolls_by_id
            if not change.undoes and change.kind != LOST and is_within:
                return change
        return None

    def may_tell(self, change: Change) -> bool:
        """Tell whether everybody may read this change: it tells of no roll that is hidden, or hidden again."""
        hidden = {roll.id for roll in self.rolls if roll.is_hidden}
        touched = {*change.before.rolls_by_id, *change.after.rolls_by_id}
        return not change.is_hidden and hidden.isdisjoint(touched)


def _of_id(things: Iterable[_Known], wanted: str) -> _Known | None:
    for one in things:  # a generator would run for each of them
        if one.id == wanted:
            return one
    return None


Decision: TypeAlias = tuple[str, TableState]
"""What an act gives: what happened in words, and the state after it."""
