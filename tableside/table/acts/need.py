"""Whom and what a message names: somebody of the scene and of the right game, and a roll as it was seen."""

from __future__ import annotations

from tableside.errors import Conflict, UnknownRoll
from tableside.rules import Game
from tableside.rules.people import Person
from tableside.table.kept import Roll, TableState
from tableside.words import own, say


def need_person(state: TableState, person_id: str) -> Person:
    """Return the person of this id, or raise :class:`Conflict`."""
    person = state.person(person_id)
    if person is None:
        raise Conflict("nobody of that id is here", where=person_id or "people", hint="Somebody took them away.")
    return person


def need_game(person: Person, game: Game) -> None:
    """Raise :class:`Conflict` for somebody of another game, whose numbers mean nothing here."""
    if person.game != game.name:
        fault = say("{=name} is of another game", name=person.name)
        raise Conflict(fault, where=person.name, hint=say("Choose somebody of {game}.", game=game.title))


def need_roll(state: TableState, roll_id: str, version: int | None = None) -> Roll:
    """Return the roll, or raise where it is not there, or is another by now than somebody saw."""
    old = state.find_roll(roll_id)
    if old is None:
        raise UnknownRoll("no such roll", where=roll_id, hint="Only the last rolls can be changed.")
    if version not in (None, old.version):
        hint = say(
            "It says {=headline} now. Send version {=version} to change it anyway.",
            headline=old.headline,
            version=old.version,
        )
        raise Conflict(
            say("{who} has just changed this roll", who=_who_changed(state, old)),
            where=old.label or "rolls",
            hint=hint,
        )
    return old


def _who_changed(state: TableState, roll: Roll) -> str:
    """Return the name of who changed a roll last, as far as the table knows it."""
    for change in reversed(state.changes):
        if change.after.rolls_by_id.get(roll.id):
            return own(change.by) if change.by else "Somebody"
    return "Somebody"
