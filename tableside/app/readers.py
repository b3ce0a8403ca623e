"""A reader with its dice sets, and what its readings mean."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from tableside import paths
from tableside.app.taught_sets import joined_errors, wrong_sets
from tableside.dice import DiceSet, Reading, Status, find_sets
from tableside.dice.sets import counted
from tableside.errors import DiceSetError, GameError
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture, load_photo
from tableside.reader.variant import Expected, bgr_of
from tableside.rules import Outcome, find_game, game_for
from tableside.rules.plain import plain_outcome
from tableside.table import Table


class Reads(Protocol):
    """Whatever reads dice from a picture."""

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading: ...

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]: ...


def installed_sets(names: Sequence[str], data: Path) -> tuple[DiceSet, ...]:
    """Return the named dice sets, or all of them that can be used.

    :raises UnknownDiceSet: naming the nearest. :raises DiceSetError: where a set that was named cannot be used.
    """
    return find_sets(names, user_folder=paths.user_sets_folder(data))


def usable_sets(names: Sequence[str], data: Path) -> tuple[DiceSet, ...]:
    """Return the named dice sets, or all of them, without those that cannot be used: a table goes on without these.

    :raises UnknownDiceSet: naming the nearest. :raises DiceSetError: where none is left.
    """
    wrong: list[DiceSetError] = []
    found = find_sets(names, user_folder=paths.user_sets_folder(data), when_wrong=wrong.append)
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


class TableReaders:
    """What one table reads by: the dice sets of its settings, or all, and what is known of its dice before a picture.

    :param named: the dice sets of the settings. :param data: the user's data folder.
    :param say_wrong: tells the table which taught dice are left out, by ``None`` that none is.
    """

    def __init__(
        self, table: Table, *, named: Sequence[str], data: Path, say_wrong: Callable[[DiceSetError | None], object]
    ) -> None:
        self._table, self._named, self._data, self._say_wrong = table, named, data, say_wrong
        if named:
            usable_sets(named, data)
        self._say_wrong_sets()

    def know_taught_dice(self) -> None:
        """Know the dice sets of now, also those taught or removed meanwhile."""
        self._table.use_sets(usable_sets((), self._data))
        self._say_wrong_sets()

    def sets(self) -> Sequence[DiceSet]:
        """Return the dice sets that are read."""
        return usable_sets(self._named, self._data) if self._named else self._table.system.sets

    def open(self, camera_stays: bool = False) -> Reads:
        """Load a reader, see :func:`open_reader`; of photographs none says how dice lie on the next."""
        return open_reader(self.sets(), expected=self._expectation, camera_stays=camera_stays)

    def _say_wrong_sets(self) -> None:
        wrong = wrong_sets(self._data)
        self._say_wrong(joined_errors(wrong) if wrong else None)

    def _expectation(self) -> Expected:
        """Tell what is known of the die that differs by colour, before a picture is read."""
        state = self._table.state
        game = self._table.system.game_now(state.setup.game)
        lone = find_game(game).lone_die if game else None
        wanted = state.roll.awaits if state.roll and state.roll.awaits else state.asked.tray
        if lone and wanted and lone not in dict(wanted.dice):
            lone = None  # a throw without it; but what was thrown before may lie there still
        return Expected(
            lone_die=lone, looks={kind: (bgr_of(a), bgr_of(b)) for kind, (a, b) in state.setup.looks.items()}
        )


class LiveReader:
    """A reader that can be exchanged between two pictures, when dice were taught meanwhile.

    :param make: loads a reader, which takes a moment; called on the caller's thread.
    """

    def __init__(self, make: Callable[[], Reads]) -> None:
        self._make = make
        self._reader = make()

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        return self._reader.read(picture, decode_ms)

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]:
        return self._reader.detect(picture)

    def load_again(self) -> None:
        """Read by the sets of now from the next picture on. A set that cannot be used leaves all as it was."""
        self._reader = self._make()


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
    taught = {kind.name for one in sets if one.taught for kind in one.types}
    meant = [counted(die, sets) for die in dice]
    try:
        return (find_game(game) if game else game_for(meant)).score(meant, {})
    except (DiceSetError, GameError):
        return plain_outcome(dice, game=game) if all(die.type in taught for die in dice) else None


def reading_json(reading: Reading, game: str = "", sets: Sequence[DiceSet] = ()) -> dict[str, Any]:
    """Return the reading in the form of ``read --json``, without its image."""
    outcome = outcome_of(reading, game, sets)
    return reading.to_json() | {"outcome": outcome.to_json() if outcome else None}
