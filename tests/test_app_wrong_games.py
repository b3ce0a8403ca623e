"""An installed game that cannot be loaded: it is left out and said, and all others play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from tableside.adapters.camera.kind import CameraSettings
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Die
from tableside.errors import GameError
from tableside.rules import find_game, game, game_names, wrong_games
from tableside.table import MemoryStore
from tableside.table.messages import EnterRoll
from tests.conftest import Run
from tests.until import until

GROUP = "tableside.games"


def forget() -> None:
    """Look for games anew."""
    game._points.cache_clear()
    game._load_game.cache_clear()


@pytest.fixture
def beside() -> Iterator[Callable[[str, str], None]]:
    """Install games beside the shipped ones: a name, and what its entry point says."""
    with pytest.MonkeyPatch.context() as patch:
        points = list(entry_points(group=GROUP))

        def add(name: str, value: str) -> None:
            points.append(EntryPoint(name=name, value=value, group=GROUP))
            patch.setattr(game, "entry_points", lambda **_: points)
            forget()

        yield add
    forget()


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("gone_last_week:GAME", "ModuleNotFoundError"),
        ("tableside.rules.game:NO_SUCH", "AttributeError"),
        ("json:dumps", "is not a game"),
        ("tableside.games.narrative:GAME", "is not a game"),  # by another name than its own
    ],
)
def test_a_game_that_cannot_be_loaded_is_left_out_and_all_others_play(
    beside: Callable[[str, str], None], run: Run, value: str, what: str
) -> None:
    usual = game_names()
    beside("chariots", value)
    assert game_names() == usual
    assert what in wrong_games()["chariots"].what
    with pytest.raises(GameError, match=what):
        find_game("chariots")
    status, _, said = run("score", "--game", "chariots", "--json")
    assert (status != 0, "Traceback" in said, what in said) == (True, False, True)
    assert run("odds", "1a 1d", "--json")[0] == 0
    _, told, said = run("doctor")
    assert "chariots" in told + said


def test_a_table_says_which_game_is_left_out_and_goes_by_the_dice(
    beside: Callable[[str, str], None], tmp_path: Path, undo: ExitStack
) -> None:
    beside("chariots", "gone_last_week:GAME")
    settings = Settings(
        table=TableSettings(game="chariots", data=tmp_path), camera=CameraSettings(kind="none"),
        web=WebSettings(port=0), pins=PinSettings(factory="none"),
    )  # fmt: skip
    running = RunningTable(settings, store=MemoryStore())
    undo.callback(running.close)
    until(lambda: running.table.state.trouble)
    (trouble,) = running.table.state.trouble
    assert trouble.part == "games"
    assert "chariots" in trouble.where
    state = running.table.ask(EnterRoll(id="r", at=1.0, dice=(Die(type="ability", face=("success",)),)))
    assert state.roll is not None
    assert state.roll.game == "narrative"
