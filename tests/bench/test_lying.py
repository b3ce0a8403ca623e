"""What lies still is told, whatever moves or lies beside it: real dice on real grounds, and always alike."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.app.readers import installed_sets, open_reader
from tests.bench.lying import judged, play, staged

SIX = ["long_shadow", "laid_thing", "coming_shadow", "short_rest", "hand_far_away", "dark_table"]


@contextmanager
def other_work(*, threads: int) -> Iterator[None]:
    """Keep the processor busy meanwhile."""
    over = threading.Event()

    def work() -> None:
        picture = np.zeros((400, 400), np.float32)
        while not over.is_set():
            cv2.GaussianBlur(picture, (0, 0), 5)

    busy = [threading.Thread(target=work) for _ in range(threads)]
    for one in busy:
        one.start()
    yield
    over.set()
    for one in busy:
        one.join()


@pytest.mark.slow
@pytest.mark.parametrize("name", SIX)
def test_each_rest_is_told_in_time_and_the_same_frames_give_the_same_events(name: str, shared: Path) -> None:
    stage = staged(name, shared)
    told = []
    for threads in (0, 1, 2, 0, 1):
        reader = open_reader(installed_sets(["pips"], Path("no-data")), camera_stays=True)
        with other_work(threads=threads):
            told.append(play(stage, reader))
    assert told[1:] == told[:1] * 4
    found = judged(stage, told[0])
    assert (found["in_time"], found["beside"], found["troubles"]) == (found["due"], 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("ground", [0, 3])
def test_dice_that_lie_for_no_more_than_the_dwell_are_told_as_it_ends(ground: int, shared: Path) -> None:
    stage = staged("short_rest", shared, ground, fps=30)
    reader = open_reader(installed_sets(["pips"], Path("no-data")), camera_stays=True)
    told = [time for time, word, *_ in play(stage, reader, seed=ground) if word == "roll"]
    assert [round(time - due, 2) for time, (due, _) in zip(told, stage.due, strict=True)] == [0.3, 0.3]
