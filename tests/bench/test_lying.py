"""What lies still is told, whatever moves or lies beside it: real dice on real grounds, and always alike."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tableside.app.readers import installed_sets, open_reader
from tableside.tray.frame import Frame
from tools.bench.lying import Stage, Told, frames_of, judged, play, staged

pytestmark = pytest.mark.slow


def told_of(frames: Iterable[Frame]) -> Told:
    return play(frames, open_reader(installed_sets(["pips"], Path("no-data")), camera_stays=True))


def is_all_told(stage: Stage, told: Told) -> bool:
    found = judged(stage, told)
    return (found["in_time"], found["beside"], found["troubles"]) == (found["due"], 0, 0)


@pytest.mark.parametrize("name", ["laid_thing", "coming_shadow", "hand_far_away", "dark_table"])
def test_each_rest_is_told_in_time(name: str, shared: Path) -> None:
    stage = staged(name, shared)
    assert is_all_told(stage, told_of(frames_of(stage, 0)))


def test_the_same_frames_give_the_same_events(shared: Path) -> None:
    stage = staged("long_shadow", shared)
    with ThreadPoolExecutor(2) as beside:  # each is the other's load
        told, again = beside.map(told_of, (frames_of(stage, 0), frames_of(stage, 0)))
    assert told == again
    assert is_all_told(stage, told)


def test_dice_that_lie_for_no_more_than_the_dwell_are_told_as_it_ends(shared: Path) -> None:
    stage = staged("short_rest", shared, ground=3, fps=30)
    told = told_of(frames_of(stage, 3))
    assert is_all_told(stage, told)
    rests = [time for time, word, *_ in told if word == "roll"]
    assert [round(time - due, 2) for time, (due, _) in zip(rests, stage.due, strict=True)] == [0.3, 0.3]
