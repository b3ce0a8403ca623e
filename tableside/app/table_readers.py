"""What a table reads by, and what it knows before a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tableside.app.readers import Reads, open_reader, usable_sets
from tableside.app.taught_sets import joined_errors, wrong_sets
from tableside.dice import DiceSet, Reading
from tableside.errors import DiceSetError
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture
from tableside.reader.variant import Expected, bgr_of
from tableside.rules import find_game
from tableside.table import Table


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
        self._table.use_sets(usable_sets((), self._data, besides=self._named))
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
