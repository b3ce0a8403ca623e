"""Everybody of the scene as a caller may know them. What costs much of it is worked out once for each person."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from tableside.adapters.web.guard import Caller
from tableside.errors import GameError
from tableside.rules import find_game
from tableside.rules.characters import fill_answers
from tableside.rules.people import Person, PersonKind
from tableside.table.kept import TableState
from tableside.table.shown import cares_json, play_of

_GM_ALONE: Mapping[str, Any] = {"defences": {}, "notes": ""}
"""What is told of nobody but players' characters, in the place of what the game master wrote."""


class People:
    """The people of one table."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, bool], tuple[Person, Mapping[str, Any], str]] = {}

    def text(self, state: TableState, caller: Caller, *, held: Collection[str]) -> str:
        """Return a JSON list of all, with what is carried to their next call.

        :param held: ids of those whom a phone belongs to.
        """
        ids = {person.id for person in state.people}
        self._texts = {key: kept for key, kept in self._texts.items() if key[0] in ids}
        return (
            f"[{','.join(self._person(state, person, caller, is_held=person.id in held) for person in state.people)}]"
        )

    def _person(self, state: TableState, person: Person, caller: Caller, *, is_held: bool) -> str:
        lasts = (*person.states, *state.lent_to(person))
        once = (one for one in lasts if one.is_once and (one.is_for_allies is (one not in person.states)))
        carried = [{"from": one.giver, "ask": dict(one.ask), "words": one.name} for one in once]
        more = {
            "phone": is_held,
            "own": caller.owns(person),
            "carried": carried,
            "cares": cares_json(state, person),
        }
        is_whole = caller.sees_hidden or person.kind is PersonKind.PLAYER
        settings = state.setup.answers(person.game)
        of, by, text = self._texts.get((person.id, is_whole), (None, None, ""))
        if of is not person or by != settings:
            form = {
                **person.form_without("device", "sheets"),
                **({} if is_whole else _GM_ALONE),
                **play_of(person).to_json(),
            }
            text = json.dumps(form | {"dice": dice_of(person, settings)})[:-1]
            self._texts[person.id, is_whole] = (person, settings, text)
        return f"{text}, {json.dumps(more)[1:]}"


def dice_of(person: Person, settings: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Return what each skill of a person throws by itself, without a difficulty."""
    game = find_game(person.game)
    found = {}
    for skill in person.skills:
        try:
            answers = fill_answers(game.characters, person.as_played(settings), skill=skill.name).answers
            tray = game.tray({**settings, **answers})
        except GameError:  # such as a code that wounds leave no die of, or a skill that was never learned
            tray = None
        found[skill.name] = dict(tray.dice) if tray else {}
    return found
