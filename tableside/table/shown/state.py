"""The state as everybody may see it: the body of ``GET /api/state``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from msgspec.structs import asdict

from tableside.errors import GameError
from tableside.record import Record, SaidText
from tableside.rules import PoolNames, find_game
from tableside.rules.characters import Characters, is_called, is_dead, members_left, why_out
from tableside.rules.people import Care, Gauge, Lasting, Person, PersonKind
from tableside.table.acts import undo_words
from tableside.table.kept import (
    BriefRoll,
    Call,
    Called,
    Change,
    Destiny,
    Initiative,
    NowActs,
    Phase,
    Roll,
    Session,
    Setup,
    Slot,
    TableState,
    Tracked,
    Trouble,
)
from tableside.table.shown.call import OpenCall, call_of, may_know_odds
from tableside.table.shown.standings import Standings, standings_now
from tableside.words import word_json, words_json

_SHOWN_ROLLS = 30
"""So many rolls are sent with each state; older ones are asked for."""


class ShownSlot(Slot, frozen=True, kw_only=True):
    """A slot with the id of who acts in it, or of who likely takes it where it has no name, or ``""``."""

    acts: str


class ShownRoll(Roll, frozen=True, kw_only=True):
    """A roll with the number of the change that closed it, ``None`` where it is open."""

    closed_by: int | None


class ShownNow(NowActs, frozen=True, kw_only=True):
    """What is next, whose it is and the one act that leads on.

    :ivar number: it rises with each new one.
    :ivar whose: the id of a person, ``table``, ``master``, or ``""`` where nobody is meant.
    :ivar roll, call: the ids of what it is about. :ivar trouble: parts that do not work.
    :ivar undo: what this device takes back of it: what brought it, or what was done about its roll.
    """

    number: int
    name: str
    whose: str
    roll: str | None
    call: str | None
    trouble: tuple[str, ...] = ()
    undo: UndoTold | None = None


class ShownInitiative(Initiative, frozen=True, kw_only=True):
    """The order of a fight with what a page needs to draw it.

    :ivar level: ids of the slots that may change places with the one after them.
    :ivar back: the number of the change that an undo takes back to give the turn before back.
    :ivar numbers: what the numbers of a rank are. :ivar by_side: a slot belongs to a side.
    :ivar sides_choose: one side as a whole acts before the other, as somebody chooses.
    """

    slots: tuple[ShownSlot, ...] = ()
    level: tuple[str, ...]
    back: int | None
    numbers: tuple[str, ...]
    by_side: bool
    sides_choose: bool


class HistoryRoll(BriefRoll, frozen=True, kw_only=True):
    """A roll in brief with the number of the change that closed it, ``None`` where it is open."""

    closed_by: int | None


class HiddenNow(Record, frozen=True, kw_only=True):
    """When a roll was made that is hidden."""

    at: float


class PlayerTold(Record, frozen=True, kw_only=True):
    """A player."""

    id: str
    name: str


class TableTold(Record, frozen=True, kw_only=True, rename={"is_opening": "opens"}):
    """A table of the group's own, without its rows.

    :ivar is_opening: it is thrown for where a session begins.
    """

    name: str
    dice: str
    is_opening: bool


class OutWhy(Record, frozen=True, kw_only=True):
    """Why somebody cannot act."""

    texts = ("why",)

    why: str


class Play(Record, frozen=True, kw_only=True):
    """How somebody is in play.

    :ivar out: why this one is out. :ivar states: what lasts on this one. :ivar left: how many of a group stand.
    :ivar round: what this one declared and did in the round, where the game counts that.
    """

    out: OutWhy | None
    states: tuple[Lasting, ...]
    round: Mapping[str, Any] | None
    left: int


class BriefPerson(Play, frozen=True, kw_only=True):
    """What a list of people shows of somebody."""

    id: str
    name: str
    kind: PersonKind
    game: str
    trackers: Mapping[str, Gauge]
    members: int
    role: str
    colour: str
    emblem: str


class PointsNow(Record, frozen=True, kw_only=True):
    """Points that are somebody's own, by the sides that the game knows."""

    leaves_out_none = True

    who: str
    name: str
    light: int | None = None
    dark: int | None = None
    character: int | None = None


class ShownChange(Record, frozen=True, kw_only=True):
    """A change as a page says it.

    :ivar undoes: the number of the change that it takes back, or 0. :ivar with_it: the numbers of what went with it.
    """

    texts = ("sentence",)

    sentence: str
    by: str
    at: float
    number: int
    id: str
    kind: str
    undoes: int
    with_it: tuple[int, ...]


class UndoTold(Record, frozen=True, kw_only=True):
    """What an undo takes back.

    :ivar what: its kind. :ivar whose: who did it. :ivar number, change: its number.
    :ivar asks: it concerns the whole evening, so that people are asked first. :ivar sentence: what goes.
    """

    leaves_out_none = True

    what: str
    whose: str
    at: float
    number: int
    change: int
    sentence: str
    words: Mapping[str, SaidText]
    asks: bool | None = None


class State(Record, frozen=True, kw_only=True):
    """The state of the table, as this caller may see it.

    :ivar rested: so often the dice came to rest.
    :ivar roll: the newest roll that is shown. :ivar hidden: when a newer one was made that is not.
    :ivar question: the index of the die of the roll that a person should settle.
    :ivar history: rolls in brief, the newest first, from ``roll`` on.
    :ivar asked: what is called, as it was asked. :ivar call: the same as it is thrown, with its odds.
    :ivar called: who throws that, and who throws later. :ivar contest: how a call of several stands.
    :ivar people: everybody in brief. :ivar points: of who acts, where points are somebody's own.
    :ivar tables: the group's own tables. :ivar testing: whether rolls are for trying alone.
    :ivar undo: what an undo takes back. :ivar now: what is next. :ivar time: the table's clock.
    """

    revision: int
    phase: Phase
    rested: int
    destiny: Destiny
    destiny_names: PoolNames
    destiny_flips: bool
    game: str
    game_title: str
    roll: ShownRoll | None
    hidden: HiddenNow | None
    question: int | None
    history: tuple[HistoryRoll, ...]
    trouble: tuple[Trouble, ...]
    session: Session
    players: tuple[PlayerTold, ...]
    asked: Call | None
    call: OpenCall | None
    called: tuple[Called, ...]
    contest: Standings | None
    people: tuple[BriefPerson, ...]
    points: PointsNow | None
    tables: tuple[TableTold, ...]
    setup: Setup
    trackers: tuple[Tracked, ...]
    initiative: ShownInitiative
    testing: bool
    last_change: ShownChange | None
    undo: UndoTold | None
    now: ShownNow
    time: float


def state_json(
    state: TableState, *, now: float, sees_hidden: bool = False, sees_folders: bool = False, undoes_of: str = ""
) -> dict[str, Any]:
    """Return the form of the contract. ``history`` is newest first, starts with ``roll`` and is brief.

    :param sees_hidden: for the game master; all others are told that there is a hidden roll, and no more.
    :param sees_folders: where files are is told as well.
    :param undoes_of: for a device that takes back its own changes alone.
    """
    rolls = [roll for roll in state.rolls if sees_hidden or not roll.is_hidden]
    last = next((change for change in reversed(state.changes) if sees_hidden or state.may_tell(change)), None)
    is_behind = bool(state.roll and state.roll.is_hidden and not sees_hidden)
    roll = None if is_behind or not rolls else rolls[0]
    asked = state.asked if state.asked.id and (sees_hidden or not state.asked.is_hidden) else None
    next_ = state.now if sees_hidden else state.open_now
    undo = state.to_undo(only_open=not sees_hidden, only_of=undoes_of)
    undo_now = state.to_undo(only_open=not sees_hidden, only_of=undoes_of, of=next_)
    closed = state.closed
    knows_odds = may_know_odds(state.asked, sees_hidden=sees_hidden)
    shown = State(
        revision=state.revision,
        phase=state.phase,
        rested=state.rested,
        destiny=state.destiny,
        destiny_names=state.destiny_names,
        destiny_flips=state.destiny_flips,
        game=state.game,
        game_title=state.game_title,
        roll=None if roll is None else ShownRoll(**asdict(roll), closed_by=closed.get(roll.id)),
        hidden=HiddenNow(at=state.rolls[0].at) if is_behind else None,
        question=roll.question if roll else None,
        history=tuple(HistoryRoll(**asdict(roll), closed_by=closed.get(roll.id)) for roll in rolls[:_SHOWN_ROLLS]),
        trouble=state.trouble if sees_folders else tuple(one.without_folders() for one in state.trouble),
        session=state.session,
        players=tuple(PlayerTold(id=player.id, name=player.name) for player in state.players),
        asked=asked,
        call=call_of(state, knows_odds=knows_odds) if asked else None,
        called=tuple(_called_to(state, sees_hidden=sees_hidden)),
        contest=standings_now(state, sees_hidden=sees_hidden),
        people=tuple(_brief_person(person) for person in state.people),
        points=points_now(state),
        tables=tuple(TableTold(name=one.name, dice=one.dice, is_opening=one.is_opening) for one in state.tables),
        setup=state.setup,
        trackers=tuple(
            Tracked(game=game, name=name, owner=owner, value=value)
            for (game, name, owner), value in sorted(state.trackers.items())
        ),
        initiative=_initiative(state),
        testing=state.is_testing,
        last_change=show_change(last) if last else None,
        undo=None if undo is None else _undo_of(state, undo),
        now=ShownNow.from_fields(
            next_,
            **asdict(next_.acts),
            trouble=tuple(one.part for one in state.trouble),
            undo=None if undo_now is None else _undo_of(state, undo_now),
        ),
        time=now,
    )
    return shown.to_json()


def _called_to(state: TableState, *, sees_hidden: bool) -> list[Called]:
    """Return who is called, without those whose calls are hidden."""
    hidden = {one.id for one in (state.asked, *state.agenda.waits) if one.is_hidden}
    several = {state.contest.call_of(one) for one in state.waiting if state.contest.is_hidden}
    return [one for one in state.called if sees_hidden or one.id not in hidden | several]


def points_now(state: TableState) -> PointsNow | None:
    """Return the points of who acts: of the open call, of the fight's turn, or of the newest roll.

    ``None`` in a game whose points are nobody's own. Else who it is, and a number by the name of a side.
    """
    try:
        characters = find_game(state.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return None
    found = (
        state.person(state.asked.who)
        or state.acting(state.initiative.current)
        or state.person(state.roll.who if state.roll else "")
    )
    points = {one.stands_for: one for one in characters.trackers if one.stands_for}
    if found is None or found.game != state.game or not points:
        return None
    return PointsNow(who=found.id, name=found.name, **{side: found.counted(one) for side, one in points.items()})


def play_of(person: Person) -> Play:
    """Return how somebody is in play: why they are out, what lasts on them, what the round holds, how many stand."""
    try:
        characters = find_game(person.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return Play(out=None, states=(), round=None, left=person.members)
    why, declares = why_out(characters, person), [field for field in characters.form if field.holds]
    held = {one.name: said for one in declares if (said := person.declared(one.name, one.default)) != one.default}
    reactions = {one.name.casefold(): one.roll for one in person.states if one.roll}
    return Play(
        out=OutWhy(why=why) if why else None,
        states=person.states,
        round={"actions": 1, **held, "done": person.done, "reactions": reactions} if declares else None,
        left=members_left(characters, person),
    )


def cares_json(state: TableState, person: Person) -> list[dict[str, Any]]:
    """Return what may better somebody: each with the ``act`` to do, or with the ``call`` of the throw to ask for.

    What others throw is there once for each of them who has the skill and can act, with the name as ``by``. Where
    nobody has it, any of the dice may be thrown. What takes long waits until the fight is over.
    """
    try:
        characters = find_game(person.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return []
    found: list[dict[str, Any]] = []
    for care in () if is_dead(characters, person) else characters.cares(person):
        words = {"words": care.words, "said": care.to_json()["said"]}
        if care.is_rest and state.initiative.slots:
            continue
        if care.act:
            found.append(words | {"act": care.act})
            continue
        call = {"game": person.game, "ask": dict(care.ask), "label": care.words}
        if not care.is_by_another:
            found.append(words | {"call": call | {"who": person.id, **_care_skill(characters, person, care)}})
            continue
        others = [one for one in state.people if one.game == person.game and one.id != person.id]
        skilled = [
            (one, has) for one in others if (has := _care_skill(characters, one, care)) and not why_out(characters, one)
        ]
        found += [
            words | {"by": one.name, "call": call | {"who": one.id, "against": person.id, **has}}
            for one, has in skilled
        ] or [words | {"call": call | {"against": person.id}}]
    return found


def _care_skill(characters: Characters, person: Person, care: Care) -> dict[str, str]:
    """Return the skill that a care is thrown with, nothing where this one has none of them."""
    has = (skill for name in care.skills for skill in person.skills if is_called(characters, skill, name))
    return next(({"skill": skill.name} for skill in has), {})


def _initiative(state: TableState) -> ShownInitiative:
    now, order = state.initiative, state.turn_order
    acting = ((slot, state.likely(slot)) for slot in now.slots)
    slots = tuple(ShownSlot(**asdict(slot), acts=person.id if person else "") for slot, person in acting)
    return ShownInitiative(
        **asdict(now) | {"slots": slots},
        level=tuple(one.id for one, other in pairwise(now.slots) if now.are_level(one, other, order)),
        back=state.turn_before,
        numbers=order.numbers,
        by_side=order.is_by_side,
        sides_choose=order.sides_choose,
    )


def _brief_person(person: Person) -> BriefPerson:
    return BriefPerson.from_fields(person, **asdict(play_of(person)))


def _undo_of(state: TableState, change: Change) -> UndoTold:
    """Return what an undo would take back: its kind, whose act it was and when."""
    roll = change.after.roll or change.before.roll
    asked = change.after.asked if change.kind == "ask" else None
    whose = change.by or (roll.by if roll else "") or (asked.player if asked else "")
    sentence = change.sentence if change.is_grave else undo_words(state, change)
    return UndoTold(
        what=change.kind, whose=whose, at=change.at, number=change.number, change=change.number, sentence=sentence,
        words=words_json(sentence=sentence), asks=change.is_grave or None,
    )  # fmt: skip


def left_out_json(lost: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return what goes with a change that is taken back, by numbers and in words."""
    return [{"change": number, "words": words, "said": word_json(words)} for number, words in lost.items()]


def show_change(change: Change) -> ShownChange:
    """Return what a page says of a change."""
    return ShownChange.from_fields(change, with_it=change.left_out)
