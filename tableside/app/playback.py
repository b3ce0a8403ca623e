"""A clip through the live pipeline, without a table: what `watch` and the benches do."""

from __future__ import annotations

from collections.abc import Iterator

from tableside.adapters.camera.port import Camera, opened
from tableside.app.readers import Reads
from tableside.dice import Die, Status
from tableside.errors import TablesideError
from tableside.rules import Outcome, find_game
from tableside.tray.meaning import NOTHING_WANTED, Wanted
from tableside.tray.region import WHOLE, Region, find_tray
from tableside.tray.settle import SettleRules
from tableside.tray.watch import Event, Happening, Watch


class Playback:
    """Plays a recording and tells what happens, and what the game makes of all throws of the roll.

    :param game: the game that is played; it may wait for a further throw.
    :param corners: of the tray; ``None`` looks for it in the first picture.
    """

    def __init__(self, reader: Reads, *, game: str = "", corners: Region | None = WHOLE) -> None:
        self._game = find_game(game) if game else None
        self._throws: list[tuple[Die, ...]] = []
        self._wanted = NOTHING_WANTED
        self._reader, self._corners = reader, corners

    def events(self, camera: Camera) -> Iterator[Event]:
        """Yield what happens until the recording ends.

        :raises CameraError: when it cannot be read.
        """
        watch: Watch | None = None
        with opened(camera):
            for frame in camera.frames():
                if watch is None:
                    corners = self._corners or find_tray(frame.picture) or WHOLE
                    watch = Watch(self._reader, SettleRules(corners=corners))
                for event in watch.see(frame, self._wanted):
                    self._follow(event)
                    yield event

    @property
    def outcome(self) -> Outcome | None:
        """What the throws of the last roll mean together in the game, ``None`` without a game or without sense."""
        if self._game is None or not self._throws:
            return None
        try:
            return self._game.play(self._throws, {})
        except TablesideError:
            return None

    def _follow(self, event: Event) -> None:
        if event.reading is None or event.happening is Happening.CLEARED:
            return
        if event.happening is Happening.ROLL:
            self._throws.clear()
        elif event.happening is Happening.CHANGED and self._throws:
            self._throws.pop()
        self._throws.append(tuple(die.die for die in event.reading.dice if die.status is not Status.COCKED))
        self._wanted = self._wants()

    def _wants(self) -> Wanted:
        outcome = self.outcome
        if outcome is None:
            return NOTHING_WANTED
        count = outcome.awaits.most if outcome.awaits else 0
        return Wanted(count=count, has_too_many=any(gap < 0 for _, gap in outcome.short))
