"""Acts without dice: what somebody does, or time that passes for everybody of the scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.errors import Conflict
from tableside.rules import Game
from tableside.rules.acts import Done, find_act
from tableside.rules.people import Person
from tableside.table.change import Decision
from tableside.table.messages import DoAct
from tableside.table.people_changes import found_person, parts_of
from tableside.table.state import TableState
from tableside.table.system import System
from tableside.words import own, say, sentences


def acted(state: TableState, message: DoAct, system: System) -> Decision:
    """Do an act: of one person, or of all where it passes for all."""
    if message.who:
        person = found_person(state, message.who)
        game = system.find_game(person.game)
        done = game.characters.done(person, message.act, message.ask, skill=message.skill)
        words = _words(done) or find_act(message.act, game.characters.acts).title
        before, after = parts_of({person.id: (person, done.person)})
        return say("{name}: {what}", name=own(person.name), what=words), before, after
    game = system.find_game(state.game)
    act = find_act(message.act, game.characters.acts)
    if not act.is_for_all:
        raise Conflict("nobody does this", where=act.title, hint="Choose who does it.")
    words, before, after = passed(state, game, message.act, message.ask)
    return sentences(say("{words}.", words=act.title), words), before, after


def passed(state: TableState, game: Game, name: str, ask: Mapping[str, Any]) -> Decision:
    """Return what an act makes of everybody of the game, with words for whom it touches."""
    touched: dict[str, tuple[Person | None, Person | None]] = {}
    words = []
    for person in state.people:
        if person.game == game.name:
            done = game.characters.done(person, name, ask)
            touched[person.id] = (person, done.person)
            if done.person != person and (told := _words(done)):
                words.append(say("{name}: {what}.", name=own(person.name), what=told))
    return sentences(*words), *parts_of(touched)


def _words(done: Done) -> str | list[str]:
    return [text for text in (done.words, *(follow.words for follow in done.follows)) if text]
