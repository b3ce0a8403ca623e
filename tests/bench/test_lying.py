"""What lies still is told, whatever moves or lies beside it: real dice on real grounds, and always alike."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tableside.app.readers import installed_sets, open_reader
from tools.bench.lying import Told, frames_of, judged, play, staged

SIX = ["long_shadow", "laid_thing", "coming_shadow", "short_rest", "hand_far_away", "dark_table"]


@pytest.mark.slow
@pytest.mark.parametrize("name", SIX)
def test_each_rest_is_told_in_time_and_the_same_frames_give_the_same_events(name: str, shared: Path) -> None:
    stage = staged(name, shared)
    frames = list(frames_of(stage, 0))

    def play_once(_: int) -> Told:
        return play(frames, open_reader(installed_sets(["pips"], Path("no-data")), camera_stays=True))

    with ThreadPoolExecutor(2) as beside:  # each is the other's load
        told, again = beside.map(play_once, range(2))
    assert told == again
    found = judged(stage, told)
    assert (found["in_time"], found["beside"], found["troubles"]) == (found["due"], 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ground", [0, 3])
def test_dice_that_lie_for_no_more_than_the_dwell_are_told_as_it_ends(ground: int, shared: Path) -> None:
    stage = staged("short_rest", shared, ground, fps=30)
    reader = open_reader(installed_sets(["pips"], Path("no-data")), camera_stays=True)
    told = [time for time, word, *_ in play(frames_of(stage, ground), reader) if word == "roll"]
    assert [round(time - due, 2) for time, (due, _) in zip(told, stage.due, strict=True)] == [0.3, 0.3]
