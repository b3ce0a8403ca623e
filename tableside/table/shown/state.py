"""The state as everybody may see it: the body of ``GET /api/state``."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from msgspec.structs import asdict

from tableside.errors import GameError
from tableside.record import Record
from tableside.rules import PoolNames, find_game
from tableside.rules.characters import Characters, is_called, is_dead, members_left, why_out
from tableside.rules.people import Care, Person
from tableside.table.kept import (
    Call,
    Change,
    Destiny,
    Initiative,
    Phase,
    Roll,
    Session,
    Setup,
    Slot,
    TableState,
    Tracked,
)
from tableside.table.shown.call import OpenCall, call_of, may_know_odds
from tableside.table.shown.standings import standings_json
from tableside.words import word_json, words_json

_SHOWN_ROLLS = 30
"""So many rolls are sent with each state; older ones are asked for."""
_BRIEF = ("id", "name", "kind", "game", "trackers", "members", "role", "colour", "emblem")
"""What a list of people shows of somebody."""


_Form = Mapping[str, Any]


class ShownSlot(Slot, frozen=True, kw_only=True):
    """A slot with the id of the person who acts in it, ``""`` where it is nobody's yet."""

    acts: str


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


class State(Record, frozen=True, kw_only=True):
    """The state of the table, as this caller may see it.

    :ivar rested: so often the dice came to rest.
    :ivar roll: the newest roll that is shown. :ivar hidden: when a newer one was made that is not.
    :ivar question: the index of the die of the roll that a person should settle.
    :ivar history: rolls in brief, the newest first, from ``roll`` on.
    :ivar asked: what is called, as it was asked. :ivar call: the same as it is thrown, with its odds.
    :ivar contest: how a call of several stands.
    :ivar people: everybody in brief. :ivar points: of who acts, where points are somebody's own.
    :ivar tables: the group's own tables. :ivar testing: whether rolls are for trying alone.
    :ivar undo: what an undo takes back. :ivar now: the table's clock.
    """

    revision: int
    phase: Phase
    rested: int
    destiny: Destiny
    destiny_names: PoolNames
    destiny_flips: bool
    game: str
    game_title: str
    roll: Roll | None
    hidden: _Form | None
    question: int | None
    history: tuple[_Form, ...]
    trouble: tuple[_Form, ...]
    session: Session
    players: tuple[_Form, ...]
    asked: Call | None
    call: OpenCall | None
    contest: _Form | None
    people: tuple[_Form, ...]
    points: _Form | None
    tables: tuple[_Form, ...]
    setup: Setup
    trackers: tuple[Tracked, ...]
    initiative: ShownInitiative
    testing: bool
    last_change: _Form | None
    undo: _Form | None
    now: float


def state_json(
    state: TableState, *, now: float, sees_hidden: bool = False, sees_folders: bool = False, undoes_of: str = ""
) -> dict[str, Any]:
    """Return the form of the contract. ``history`` is newest first, starts with ``roll`` and is brief.

    :param sees_hidden: for the game master; all others are told that there is a hidden roll, and no more.
    :param sees_folders: where files are is told as well.
    :param undoes_of: for a device that takes back its own changes alone.
    """
    rolls = [roll for roll in state.rolls if sees_hidden or not roll.is_hidden]
    changes = [change for change in state.changes if sees_hidden or state.may_tell(change)]
    is_behind = bool(state.roll and state.roll.is_hidden and not sees_hidden)
    roll = None if is_behind or not rolls else rolls[0]
    asked = state.asked if state.asked.id and (sees_hidden or not state.asked.is_hidden) else None
    undo = state.to_undo(only_open=not sees_hidden, only_of=undoes_of)
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
        roll=roll,
        hidden={"at": state.rolls[0].at} if is_behind else None,
        question=roll.question if roll else None,
        history=tuple(roll.brief_json() for roll in rolls[:_SHOWN_ROLLS]),
        trouble=tuple(trouble.to_json(sees_folders=sees_folders) for trouble in state.trouble),
        session=state.session,
        players=tuple({"id": player.id, "name": player.name} for player in state.players),
        asked=asked,
        call=call_of(state, knows_odds=knows_odds) if asked else None,
        contest=standings_json(state, sees_hidden=sees_hidden),
        people=tuple(_brief_person(state, person) for person in state.people),
        points=points_now(state),
        tables=tuple({"name": one.name, "dice": one.dice, "opens": one.is_opening} for one in state.tables),
        setup=state.setup,
        trackers=tuple(
            Tracked(game=game, name=name, owner=owner, value=value)
            for (game, name, owner), value in sorted(state.trackers.items())
        ),
        initiative=_initiative(state),
        testing=state.is_testing,
        last_change=change_json(changes[-1]) if changes else None,
        undo=None if undo is None else _undo_json(undo),
        now=now,
    )
    return shown.to_json()


def points_now(state: TableState) -> dict[str, Any] | None:
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
    return {"who": found.id, "name": found.name} | {side: found.counted(one) for side, one in points.items()}


def play_json(person: Person) -> dict[str, Any]:
    """Return how somebody is in play: why they are out, what lasts on them, what the round holds, how many stand."""
    try:
        characters = find_game(person.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return {"out": None, "states": [], "round": None, "left": person.members}
    why, now = why_out(characters, person), person.round
    held = {"actions": 1, **now.ask, "done": now.done, "reactions": dict(now.reactions)}
    return {
        "out": {"why": why, "words": words_json(why=why)} if why else None,
        "states": [one.to_json() for one in person.states],
        "round": held if any(field.holds for field in characters.form) else None,
        "left": members_left(characters, person),
    }


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
            found.append(words | {"call": call | {"who": person.id, **_skilled(characters, person, care)}})
            continue
        others = [one for one in state.people if one.game == person.game and one.id != person.id]
        skilled = [
            (one, has) for one in others if (has := _skilled(characters, one, care)) and not why_out(characters, one)
        ]
        found += [
            words | {"by": one.name, "call": call | {"who": one.id, "against": person.id, **has}}
            for one, has in skilled
        ] or [words | {"call": call | {"against": person.id}}]
    return found


def _skilled(characters: Characters, person: Person, care: Care) -> dict[str, str]:
    """Return the skill that a care is thrown with, nothing where this one has none of them."""
    has = (skill for name in care.skills for skill in person.skills if is_called(characters, skill, name))
    return next(({"skill": skill.name} for skill in has), {})


def _initiative(state: TableState) -> ShownInitiative:
    now, order = state.initiative, state.turn_order
    acting = ((slot, state.acting(slot)) for slot in now.slots)
    slots = tuple(ShownSlot(**asdict(slot), acts=person.id if person else "") for slot, person in acting)
    return ShownInitiative(
        **asdict(now) | {"slots": slots},
        level=tuple(one.id for one, other in pairwise(now.slots) if now.are_level(one, other, order)),
        back=state.turn_before,
        numbers=order.numbers,
        by_side=order.is_by_side,
        sides_choose=order.sides_choose,
    )


def _brief_person(state: TableState, person: Person) -> dict[str, Any]:
    """Return what a list of people shows of somebody."""
    form = person.to_json()
    shown = {name: form[name] for name in _BRIEF}
    carried = [one.to_json() for one in state.carried if one.to == person.id]
    return shown | play_json(person) | {"carried": carried}


def _undo_json(change: Change) -> dict[str, Any]:
    """Return what an undo would take back: its kind, whose act it was and when."""
    roll = change.after.roll or change.before.roll
    asked = change.after.asked if change.kind == "ask" else None
    whose = change.by or (roll.by if roll else "") or (asked.player if asked else "")
    payload = {"what": change.kind, "whose": whose, "at": change.at, "number": change.number, "change": change.number}
    if change.is_grave:
        payload |= {"asks": True, "sentence": change.sentence, "words": words_json(sentence=change.sentence)}
    return payload


def left_out_json(lost: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return what goes with a change that is taken back, by numbers and in words."""
    return [{"change": number, "words": words, "said": word_json(words)} for number, words in lost.items()]


def change_json(change: Change) -> dict[str, Any]:
    """Return what a page says of a change."""
    return {
        "sentence": change.sentence,
        "words": words_json(sentence=change.sentence),
        "by": change.by,
        "at": change.at,
        "number": change.number,
        "id": change.id,
        "kind": change.kind,
        "undoes": change.undoes,
        "with_it": list(change.left_out),
    }
