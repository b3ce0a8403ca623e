"""``tableside demo``: recorded rolls for a camera, drawn pins. Nothing changes by itself once somebody is there."""

from __future__ import annotations

import json
import threading
import time
import uuid
from pathlib import Path

from tableside import paths
from tableside.adapters.camera import RecordedRolls
from tableside.adapters.camera.port import Wait
from tableside.config import CameraSettings, PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import find_sets
from tableside.rules import find_game
from tableside.table import TableState
from tableside.table.messages import ChangeDestiny, Do

_FPS = 10.0  # a demo shares the laptop with a browser
_HOLD_SECONDS = 8.0
_READ_SECONDS = 1.0
"""A roll lies at least so long, so that it was read before the next one is thrown."""


def opening() -> ChangeDestiny:
    """Return what a demo begins with: a pool to flip."""
    return ChangeDestiny(id=str(uuid.uuid4()), at=time.time(), do=Do.SET, light=3, dark=2, by="the demo")


def demo_settings(data: Path, *, port: int) -> Settings:
    """Return settings that need neither a camera nor pins. The demo's history lies in its own folder."""
    return Settings(
        camera=CameraSettings(kind="folder", path=paths.samples_folder(), fps=_FPS),
        table=TableSettings(data=data),
        web=WebSettings(port=port),
        pins=PinSettings(factory="mock"),
    )


class Demo:
    """Throws the recorded rolls, one after the other by itself until somebody touches the table or is asked something.

    It is a display of the table: what is asked and which game is played decide about the next roll.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or paths.samples_folder()
        self._types: dict[Path, frozenset[str]] = {}
        self._is_touched = threading.Event()
        self._is_wanted = threading.Event()
        self._state = TableState()

    def camera(self, *, wait: Wait) -> RecordedRolls:
        """Return the camera that looks at the recorded rolls."""
        return RecordedRolls(self._folder, fps=_FPS, goes_on=self.goes_on, fits=self.fits, wait=wait)

    def touch(self) -> None:
        """Somebody is there: no roll comes any more that nobody asks for."""
        self._is_touched.set()

    def throw(self) -> None:
        """Throw the next roll."""
        self._is_wanted.set()

    def show(self, state: TableState) -> None:
        self._state = state

    def goes_on(self, lain_seconds: float) -> bool:
        """Tell whether the roll that lies there for so long is to be taken away for the next one."""
        if lain_seconds == 0:
            self._is_wanted.clear()  # who asks while dice roll gets those
        if lain_seconds < _READ_SECONDS:
            return False
        if self._is_wanted.is_set():
            self._is_wanted.clear()
            return True
        return lain_seconds >= _HOLD_SECONDS and not self._is_touched.is_set() and not self._asks_something()

    def fits(self, picture: Path) -> bool:
        """Tell whether the game that was chosen knows the dice of a recorded roll."""
        game = self._state.setup.game
        if not game:
            return True
        known = {kind.name for dice_set in find_sets(find_game(game).dice_sets) for kind in dice_set.types}
        return self._types_of(picture) <= known

    def _asks_something(self) -> bool:
        roll = self._state.roll
        return roll is not None and not (roll.sure and roll.is_whole)

    def _types_of(self, picture: Path) -> frozenset[str]:
        """Return the types of the dice in a picture, as the file beside it says."""
        if picture not in self._types:
            told = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
            self._types[picture] = frozenset(die["type"] for die in told["dice"])
        return self._types[picture]
