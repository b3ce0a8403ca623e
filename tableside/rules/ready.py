"""What a game has ready for a first evening: how its dice look in their box, heroes and opponents to bring in at one
tap, weapons, and what lasts on somebody for a while.

It lies in ``ready.toml`` of the game's package: ``[box]``, ``[[hero]]``, ``[[opponent]]``, ``[[weapon]]`` and
``[[state]]``. Who has one of the weapons has it by its name.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from msgspec.structs import asdict

from tableside.record import Record
from tableside.rules.people import Gauge, Lasting, Person, PersonKind, Skill, Weapon

FILE = "ready.toml"
_Shown = TypeVar("_Shown", bound="ShownHero")


class NamedSkill(Skill, frozen=True, kw_only=True):
    """A skill whose name pages say in other languages."""

    texts = ("name",)


class NamedWeapon(Weapon, frozen=True, kw_only=True):
    """A weapon whose name pages say in other languages."""

    texts = ("name", "skill")


class ShownHero(Record, frozen=True, kw_only=True):
    """A hero as pages get it.

    :ivar dice: what each skill throws by itself.
    """

    texts: ClassVar[tuple[str, ...]] = ("role",)

    name: str
    role: str
    kind: PersonKind
    game: str
    colour: str
    emblem: str
    skills: tuple[NamedSkill, ...]
    weapons: tuple[NamedWeapon, ...]
    defences: Mapping[str, Any]
    trackers: Mapping[str, Gauge]
    states: tuple[Lasting, ...]
    dice: Mapping[str, Mapping[str, int]] = {}


class ShownOpponent(ShownHero, frozen=True, kw_only=True):
    """An opponent as pages get it. Its name is a word of the language, unlike that of a hero."""

    texts = ("name", "role")

    members: int


class Box(Record, frozen=True, kw_only=True):
    """The dice of a game as somebody finds them in a box, who may know no game by its name.

    :ivar dice: how many of each type are drawn. :ivar emblem: what tells it from another game of the same dice.
    """

    texts = ("title", "more")

    title: str
    more: str
    dice: Mapping[str, int]
    emblem: str = ""


class ShownReady(Record, frozen=True, kw_only=True):
    """What a game has ready, as pages get it."""

    box: Box | None
    heroes: tuple[ShownHero, ...]
    opponents: tuple[ShownOpponent, ...]
    weapons: tuple[NamedWeapon, ...]
    states: tuple[Lasting, ...]


class Ready(Record, frozen=True, kw_only=True):
    """The box, heroes, opponents, weapons and states of a game.

    :ivar heroes, opponents: their names and numbers are a start, and may be changed like those of anybody else.
    """

    box: Box | None = None
    heroes: tuple[Person, ...] = ()
    opponents: tuple[Person, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    states: tuple[Lasting, ...] = ()

    def show(self, dice_of: Callable[[Person], Mapping[str, Mapping[str, int]]]) -> ShownReady:
        """Return the form; what has words of its own says a page in its language.

        :param dice_of: gives what each skill of somebody throws by itself.
        """

        def show(kind: type[_Shown], people: Iterable[Person]) -> tuple[_Shown, ...]:
            return tuple(
                kind.from_fields(
                    one,
                    skills=tuple(NamedSkill(**asdict(skill)) for skill in one.skills),
                    weapons=_name_weapons(one.weapons),
                    dice=dice_of(one),
                )
                for one in people
            )

        heroes, opponents = show(ShownHero, self.heroes), show(ShownOpponent, self.opponents)
        return ShownReady.from_fields(self, heroes=heroes, opponents=opponents, weapons=_name_weapons(self.weapons))


def read_ready(path: Path, *, game: str) -> Ready:
    """Return what a file has ready, nothing where there is no file."""
    if not path.is_file():
        return Ready()
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    weapons = {one["name"]: one for one in found.get("weapon", [])}
    people = {
        name: [
            {
                "id": one["name"].lower(),
                "game": game,
                **one,
                "weapons": [weapons.get(str(w), w) for w in one["weapons"]],
            }
            for one in found.get(name, [])
        ]
        for name in ("hero", "opponent")
    }
    return Ready.from_json(
        {
            "box": found.get("box"),
            "heroes": people["hero"],
            "opponents": people["opponent"],
            "weapons": found.get("weapon", []),
            "states": found.get("state", []),
        }
    )


def _name_weapons(weapons: Iterable[Weapon]) -> tuple[NamedWeapon, ...]:
    return tuple(NamedWeapon(**asdict(one)) for one in weapons)
