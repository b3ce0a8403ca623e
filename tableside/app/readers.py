"""A reader with its dice sets, and what its readings mean."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from tableside import paths
from tableside.dice import DiceSet, Reading, Status, find_sets
from tableside.dice.sets import counted
from tableside.errors import DiceSetError, GameError
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture, load_photo
from tableside.reader.variant import Expected
from tableside.rules import Outcome, find_game, game_for
from tableside.rules.plain import plain_outcome


class Reads(Protocol):
    """Whatever reads dice from a picture."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading: ...

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]: ...


def installed_sets(names: Sequence[str], data: Path) -> tuple[DiceSet, ...]:
    """Return the named dice sets, or all of them that can be used.

    :raises UnknownDiceSet: naming the nearest. :raises DiceSetError: where a set that was named cannot be used.
    """
    return find_sets(names, user_folder=paths.user_sets_folder(data))


def usable_sets(names: Sequence[str], data: Path, *, besides: Sequence[str] = ()) -> tuple[DiceSet, ...]:
    """Return the named dice sets, or all of them, without those that cannot be used: a table goes on without these.

    :param besides: sets on request that come with all others.
    :raises UnknownDiceSet: naming the nearest. :raises DiceSetError: where none is left.
    """
    wrong: list[DiceSetError] = []
    folder = paths.user_sets_folder(data)
    found = find_sets(names, besides=besides, user_folder=folder, when_wrong=wrong.append)
    if not found and wrong:
        raise wrong[0]
    return found


def open_reader(
    sets: Sequence[DiceSet],
    *,
    game: str = "",
    expected: Callable[[], Expected] | None = None,
    camera_stays: bool = False,
) -> Reads:
    """Load the networks, which takes a moment.

    :param game: the game that is played; it tells which die stands alone in every roll.
    :param expected: tells that before each picture, in place of the game.
    :param camera_stays: all pictures are of one table by one camera, so that earlier ones tell how a flat die lies.
    :raises ModelError: when they are missing.
    """
    from tableside.reader.reader import Reader
    from tableside.teaching.load import load_taught_types

    of_game = Expected(lone_die=find_game(game).lone_die if game else None)
    return Reader(
        sets,
        models_folder=paths.models_folder(),
        taught_types=load_taught_types,
        expected=expected or (lambda: of_game),
        camera_stays=camera_stays,
    )


def read_file(reader: Reads, path: Path) -> tuple[Picture, Reading]:
    """Load and read a photograph.

    :raises PhotoError: when it is none.
    """
    begin = time.perf_counter()
    picture = load_photo(path)
    decode_ms = (time.perf_counter() - begin) * 1000
    return picture, reader.read(picture, decode_ms)


def outcome_of(reading: Reading, game: str = "", sets: Sequence[DiceSet] = ()) -> Outcome | None:
    """Score a reading by a game, or by the one that fits its dice. A cocked die shows no face and does not count.

    :param sets: tell what taught dice count as.
    :returns: ``None`` where nothing lies or the dice belong to no one game.
    """
    dice = [die.die for die in reading.dice if die.status is not Status.COCKED]
    if not dice:
        return None
    of_no_game = {kind.name for one in sets if one.needs_no_game for kind in one.types}
    meant = [counted(die, sets) for die in dice]
    try:
        return (find_game(game) if game else game_for(meant)).play((meant,), {})
    except (DiceSetError, GameError):
        return plain_outcome(dice, game=game) if all(die.type in of_no_game for die in dice) else None


def reading_json(reading: Reading, game: str = "", sets: Sequence[DiceSet] = ()) -> dict[str, Any]:
    """Return the reading in the form of ``read --json``, without its image."""
    outcome = outcome_of(reading, game, sets)
    return reading.to_json() | {"outcome": outcome.to_json() if outcome else None}
