"""What a game has ready for a first evening: heroes to bring in at one tap, weapons to give to a new one, and
what lasts on somebody for a while.

It lies in ``ready.toml`` of the game's package: ``[[hero]]``, ``[[weapon]]`` and ``[[state]]``.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tableside.record import Record
from tableside.rules.people import Lasting, Person, Weapon
from tableside.words import words_json

FILE = "ready.toml"
_OF_A_HERO = ("name", "role", "kind", "game", "colour", "emblem", "skills", "weapons", "defences", "trackers")


class Ready(Record, frozen=True, kw_only=True):
    """Heroes, weapons and states of a game.

    :ivar heroes: their names and numbers are a start, and may be changed like those of anybody else.
    """

    heroes: tuple[Person, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    states: tuple[Lasting, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the form; skills, weapons and roles have their words, so that a page says them in its language."""
        heroes = []
        for hero in self.heroes:
            form = {name: value for name, value in hero.to_json().items() if name in _OF_A_HERO}
            form["words"] = words_json(role=hero.role)
            form["skills"] = [skill.to_json() | {"words": words_json(name=skill.name)} for skill in hero.skills]
            form["weapons"] = [_named(weapon) for weapon in hero.weapons]
            heroes.append(form)
        return {
            "heroes": heroes,
            "weapons": [_named(weapon) for weapon in self.weapons],
            "states": [state.to_json() for state in self.states],
        }


def read_ready(path: Path, *, game: str) -> Ready:
    """Return what a file has ready, nothing where there is no file."""
    if not path.is_file():
        return Ready()
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    heroes = [{"id": hero["name"].lower(), "game": game, **hero} for hero in found.get("hero", [])]
    return Ready.from_json({"heroes": heroes, "weapons": found.get("weapon", []), "states": found.get("state", [])})


def _named(weapon: Weapon) -> dict[str, Any]:
    return weapon.to_json() | {"words": words_json(name=weapon.name, skill=weapon.skill)}
