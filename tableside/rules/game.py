"""What every game offers, and the games that are installed.

A game is one object behind :class:`Game`, registered in the entry-point group ``tableside.games``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from tableside.dice import Die
from tableside.errors import BadAsk, GameError, UnknownGame, did_you_mean

_GROUP = "tableside.games"


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolNames:
    """What this game calls its pool of light and dark points."""

    pool: str = "Destiny"
    light: str = "Light"
    dark: str = "Dark"

    def to_json(self) -> dict[str, str]:
        return {"pool": self.pool, "light": self.light, "dark": self.dark}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a roll means in a game.

    :ivar word: one of ``success failure light dark total nothing``.
    :ivar succeeded: ``None`` where the roll was no check.
    :ivar net: names with values; of each narrative pair one side is zero.
    :ivar headline: what a screen shows largest.
    :ivar awaits: types of the dice that the rules want thrown next, before the result stands.
    """

    game: str
    word: str
    succeeded: bool | None
    net: tuple[tuple[str, int], ...]
    headline: str
    sentence: str
    awaits: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "net": dict(self.net),
            "succeeded": self.succeeded,
            "outcome": self.word,
            "headline": self.headline,
            "sentence": self.sentence,
            "awaits": list(self.awaits),
        }


@runtime_checkable
class Game(Protocol):
    """The rules of one game. Implementations are immutable."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def dice_sets(self) -> tuple[str, ...]: ...
    @property
    def pool_names(self) -> PoolNames: ...
    @property
    def has_wild_die(self) -> bool:
        """Whether one die of another colour belongs to every roll."""
        ...

    def score(self, dice: Sequence[Die], ask: Mapping[str, Any]) -> Outcome:
        """Return what the dice mean.

        :param ask: what was asked of the roll, such as ``{"difficulty": 15}``; games list what they know.
        :raises DiceSetError: for a die or a face that the game does not use.
        :raises BadAsk: for an ask that the game does not know.
        """
        ...


def _checkout_points() -> tuple[EntryPoint, ...]:
    """Return the entry points that ``pyproject.toml`` declares, for a source checkout that is not installed."""
    path = Path(__file__).parents[2] / "pyproject.toml"
    if not path.is_file():
        return ()
    declared = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["entry-points"][_GROUP]
    return tuple(EntryPoint(name=name, value=value, group=_GROUP) for name, value in declared.items())


@cache
def _installed() -> dict[str, Game]:
    games = {}
    for point in entry_points(group=_GROUP) or _checkout_points():
        game = point.load()
        if not isinstance(game, Game) or game.name != point.name:
            hint = f"Its entry point in the group {_GROUP} must name a Game of the same name."
            raise GameError("is not a game", where=f"{point.name} = {point.value}", hint=hint)
        games[point.name] = game
    return games


def game_names() -> tuple[str, ...]:
    """Return the names of the installed games, sorted."""
    return tuple(sorted(_installed()))


def find_game(name: str) -> Game:
    """Return the installed game of this name, or raise :class:`UnknownGame`."""
    games = _installed()
    if name not in games:
        raise UnknownGame(f"no game {name!r} is installed", hint=did_you_mean(name, games))
    return games[name]


def game_for(dice: Sequence[Die]) -> Game:
    """Return the game that these dice are usually thrown for, where nobody has said which."""
    types = {die.type for die in dice}
    if "wild" in types:
        return find_game("d6-wild")
    if types and types <= {"pip"}:
        return find_game("d6-companion")
    return find_game("narrative")


def check_ask(ask: Mapping[str, Any], known: Mapping[str, type], *, game: str) -> None:
    """Raise :class:`BadAsk` for a key that is not in ``known`` or a value of another type."""
    for key, value in ask.items():
        if key not in known:
            raise BadAsk(f"cannot be asked for {key!r}", where=f"game {game}", hint=did_you_mean(key, known))
        if not isinstance(value, known[key]) or isinstance(value, bool) is not (known[key] is bool):
            what = f"{key} is {value!r}"
            raise BadAsk(what, where=f"game {game}", hint=f"It must be of type {known[key].__name__}.")


def count_words(count: int, one: str, many: str = "") -> str:
    """Return ``"1 success"`` or ``"3 successes"``."""
    return f"{count} {one if count == 1 else many or one + 's'}"
