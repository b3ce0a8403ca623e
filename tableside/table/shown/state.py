"""The state as everybody may see it: the body of ``GET /api/state``."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tableside.errors import GameError
from tableside.rules import find_game
from tableside.rules.people import Person
from tableside.table.kept import Change, TableState
from tableside.table.shown.call import call_of, may_know_odds
from tableside.table.shown.standings import standings_json
from tableside.words import told_all

_SHOWN_ROLLS = 30
"""So many rolls are sent with each state; older ones are asked for."""
_BRIEF = ("id", "name", "kind", "game", "trackers", "members", "role", "colour", "emblem")
"""What a list of people shows of somebody."""


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
    call = call_of(state, knows_odds=knows_odds) if asked else None
    return {
        "revision": state.revision,
        "phase": state.phase.value,
        "rested": state.rested,
        "destiny": state.destiny.to_json(),
        "destiny_names": state.destiny_names.to_json(),
        "destiny_flips": state.destiny_flips,
        "game": state.game,
        "game_title": state.game_title,
        "roll": roll.to_json() if roll else None,
        "hidden": {"at": state.rolls[0].at} if is_behind else None,
        "question": roll.question if roll else None,
        "history": [roll.brief_json() for roll in rolls[:_SHOWN_ROLLS]],
        "trouble": [trouble.to_json(sees_folders=sees_folders) for trouble in state.trouble],
        "session": state.session.to_json(),
        "players": [{"id": player.id, "name": player.name} for player in state.players],
        "asked": asked.to_json() if asked else None,
        "call": call.to_json() if call else None,
        "contest": standings_json(state, sees_hidden=sees_hidden),
        "people": [_brief_person(state, person) for person in state.people],
        "points": points_now(state),
        "tables": [{"name": table.name, "dice": table.dice, "opens": table.is_opening} for table in state.tables],
        "setup": state.setup.to_json(),
        "trackers": [
            {"game": game, "name": name, "owner": owner, "value": value}
            for (game, name, owner), value in sorted(state.trackers.items())
        ],
        "initiative": _initiative_json(state),
        "testing": state.is_testing,
        "last_change": change_json(changes[-1]) if changes else None,
        "undo": None if undo is None else _undo_json(undo),
        "now": now,
    }


def points_now(state: TableState) -> dict[str, Any] | None:
    """Return the points of who acts: of the open call, of the fight's turn, or of the newest roll.

    ``None`` in a game whose points are nobody's own. Else who it is, and a number by the name of a side.
    """
    try:
        characters = find_game(state.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return None
    current = state.initiative.current
    acts = (state.asked.who, current.who if current else "", state.roll.who if state.roll else "")
    by_name = {person.name: person for person in state.people}
    found = next((one for key in acts if key and (one := state.person(key) or by_name.get(key))), None)
    if found is None or not characters.points:
        return None
    return {"who": found.id, "name": found.name} | {
        side: found.value(name, characters.tracker(name).default) for side, name in characters.points.items()
    }


def play_json(person: Person) -> dict[str, Any]:
    """Return how somebody is in play: why they are out, what lasts on them, what the round holds, how many stand."""
    try:
        characters = find_game(person.game).characters
    except GameError:  # an old log may tell of a game that is no longer installed
        return {"out": None, "states": [], "round": None, "left": person.members}
    why, now = characters.out(person), person.round
    held = {"actions": 1, **now.ask, "done": now.done, "reactions": dict(now.reactions)}
    return {
        "out": {"why": why, "words": told_all(why=why)} if why else None,
        "states": [one.to_json() for one in person.states],
        "round": held if characters.declares else None,
        "left": characters.members_left(person),
    }


def _initiative_json(state: TableState) -> dict[str, Any]:
    """Return the order; ``level`` are the slots that may change places with the one after them, ``back`` the number of
    the change that an undo takes back to give the turn before back, and ``acts`` whose a slot is."""
    now, order = state.initiative, state.turn_order
    level = [one.id for one, other in pairwise(now.slots) if now.are_level(one, other, order)]
    acting = ((slot, state.acting(slot)) for slot in now.slots)
    slots = [slot.to_json() | {"acts": person.id if person else ""} for slot, person in acting]
    order_json = {"numbers": list(order.numbers), "sides_choose": order.sides_choose, "by_side": order.is_by_side}
    return now.to_json() | order_json | {"slots": slots, "level": level, "back": state.turn_before}


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
    told = {"what": change.kind, "whose": whose, "at": change.at, "number": change.number}
    if change.is_grave:
        told |= {"asks": True, "sentence": change.sentence, "words": told_all(sentence=change.sentence)}
    return told


def change_json(change: Change) -> dict[str, Any]:
    """Return what a page says of a change."""
    return {
        "sentence": change.sentence,
        "words": told_all(sentence=change.sentence),
        "by": change.by,
        "at": change.at,
        "number": change.number,
        "id": change.id,
        "kind": change.kind,
        "undoes": change.undoes,
    }
