"""The demo: recorded rolls come by themselves until somebody is there, and then when they are asked for."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from tableside import paths
from tableside.adapters.camera import RecordedRolls
from tableside.adapters.camera.port import no_wait
from tableside.app.demo import Demo
from tableside.dice import Status
from tableside.table.kept import Roll, RollDie, Setup, Source, TableState
from tests.fakes.tray import write_rolls

LONG = 60.0
ROLL = Roll(id="1", at=1.0, game="narrative", source=Source.CAMERA, ask={}, dice=(RollDie(type="ability", face=()),))


def test_rolls_come_by_themselves_while_nobody_is_there() -> None:
    demo = Demo()
    demo.show(TableState(rolls=(ROLL,)))
    assert [demo.goes_on(seconds) for seconds in (0.0, 5.0, LONG)] == [False, False, True]


def test_nothing_comes_by_itself_once_somebody_is_there() -> None:
    demo = Demo()
    demo.touch()
    assert not demo.goes_on(LONG)


def test_a_question_waits_for_its_answer() -> None:
    demo = Demo()
    unsure = replace(ROLL, dice=(RollDie(type="ability", face=(), status=Status.UNSURE),))
    demo.show(TableState(rolls=(unsure,)))
    assert not demo.goes_on(LONG)
    demo.show(TableState(rolls=(ROLL,)))
    assert demo.goes_on(LONG)


def test_the_next_roll_comes_once_for_each_time_that_it_is_asked_for() -> None:
    demo = Demo()
    demo.touch()
    demo.goes_on(0.0)
    demo.throw()
    assert [demo.goes_on(seconds) for seconds in (0.5, 3.0, 3.1)] == [False, True, False]  # it is read before it goes
    demo.throw()  # the dice roll just now
    assert [demo.goes_on(seconds) for seconds in (0.0, 3.0)] == [False, False]


@pytest.mark.parametrize(
    ("game", "wanted"), [("", "symbols pips"), ("narrative", "symbols"), ("heroic", "symbols"), ("d6-wild", "pips")]
)
def test_the_game_says_which_rolls_fit(game: str, wanted: str, tmp_path: Path) -> None:
    for name, kind in (("symbols", "ability"), ("pips", "pip")):
        (tmp_path / f"{name}.json").write_text(json.dumps({"dice": [{"type": kind}]}), encoding="utf-8")
    demo = Demo(tmp_path)
    demo.show(TableState(setup=Setup(game=game)))
    assert " ".join(name for name in ("symbols", "pips") if demo.fits(tmp_path / f"{name}.jpg")) == wanted


@pytest.mark.parametrize("game", ["narrative", "heroic", "d6-companion", "d6-wild"])
def test_every_game_has_a_recorded_roll(game: str) -> None:
    demo = Demo()
    demo.show(TableState(setup=Setup(game=game)))
    assert any(demo.fits(path) for path in paths.samples_folder().glob("roll-*.jpg"))


def frames_of(camera: RecordedRolls, count: int) -> list[int]:
    """Say of so many frames which dice lie there: 1 for the first roll, 2 for the second, 0 for an empty tray."""
    camera.open()
    seen = []
    for frame in islice(camera.frames(), count):
        blue, green, _ = (int(level) for level in frame.picture[100, 100])
        seen.append(1 if green > blue + 80 else 2 if blue > green + 80 else 0)
    camera.close()
    return seen


def test_a_roll_lies_until_it_may_go_and_unfit_ones_are_left_out(tmp_path: Path) -> None:
    rolls = write_rolls(tmp_path, [("green", 100, 100)], [("purple", 100, 100)])
    asked: list[float] = []

    def goes_on(seconds: float) -> bool:
        asked.append(seconds)
        return seconds >= 2

    camera = RecordedRolls(rolls, fps=10, noise=False, goes_on=goes_on, wait=no_wait)
    seen = frames_of(camera, 80)
    assert asked[:21] == [n / 10 for n in range(21)]
    assert seen.count(1) >= 20
    assert seen.count(2) >= 20
    only = RecordedRolls(rolls, fps=10, noise=False, fits=lambda path: path.stem == "roll-01", hold_seconds=1,
                         wait=no_wait)  # fmt: skip
    assert 1 not in frames_of(only, 80)
    none = RecordedRolls(rolls, fps=10, noise=False, fits=lambda _: False, hold_seconds=1, wait=no_wait)
    assert {1, 2} <= set(frames_of(none, 80))  # rather than an empty tray for ever
