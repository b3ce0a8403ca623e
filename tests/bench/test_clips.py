"""Clips with truth are counted right: found, late, missed, doubled, invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tableside.errors import CameraError
from tests.fakes.tray import DrawnReader, write_clip
from tools.bench.clips import ClipScore, find_clips, score_clip

ONE = [("green", 100, 100)]
TWO = [*ONE, ("purple", 200, 150)]
SUCCESS: dict[str, Any] = {"type": "ability", "face": ["success"], "cocked": False}
FAILURE: dict[str, Any] = {"type": "difficulty", "face": ["failure"], "cocked": False}
FRAMES = [[]] * 12 + [ONE] * 15 + [TWO] * 15


def clip(folder: Path, *rolls: tuple[str, int, list[dict[str, Any]]], frames: list[Any] = FRAMES) -> ClipScore:
    write_clip(folder, *frames)
    told = {
        "times": [round(n / 30, 4) for n in range(len(frames))],
        "rolls": [{"event": event, "rest": frame / 30, "dice": dice} for event, frame, dice in rolls],
    }
    (folder / "clip.json").write_text(json.dumps(told))
    score = ClipScore()
    for one in find_clips(folder):
        score_clip(one, DrawnReader(), score)
    return score


def test_what_is_told_in_time_is_found_with_its_dice(tmp_path: Path) -> None:
    score = clip(tmp_path, ("roll", 12, [SUCCESS]), ("changed", 27, [SUCCESS, FAILURE]))
    assert (score.rolls, score.found, score.timely, score.dice, score.right, score.wrong) == (2, 2, 2, 3, 3, 0)
    assert score.faults == []


def test_a_roll_that_is_never_told_is_missed(tmp_path: Path) -> None:
    score = clip(tmp_path, ("roll", 12, [SUCCESS]), frames=[[]] * 30)
    assert (score.found, score.missed) == (0, 1)


def test_a_roll_told_before_the_dice_lay_is_early(tmp_path: Path) -> None:
    score = clip(tmp_path, ("roll", 38, [SUCCESS, FAILURE]))
    assert score.early == 2
    assert score.missed == 1


def test_a_roll_told_late_is_found_but_not_timely(tmp_path: Path) -> None:
    score = clip(tmp_path, ("roll", 1, [SUCCESS]), frames=FRAMES[:27])
    assert (score.found, score.timely) == (1, 0)


def test_what_nobody_threw_is_invented_or_doubled(tmp_path: Path) -> None:
    assert clip(tmp_path / "a", ("roll", 12, [SUCCESS])).invented == 1
    thrown_twice = FRAMES[:27] + [[]] * 12 + [TWO] * 15
    assert clip(tmp_path / "b", ("roll", 12, [SUCCESS]), frames=thrown_twice).doubled == 1


def test_a_wrong_face_read_surely_is_counted(tmp_path: Path) -> None:
    score = clip(tmp_path, ("roll", 12, [FAILURE]), frames=FRAMES[:27])
    assert (score.right, score.wrong) == (0, 1)


def test_a_clip_without_truth_says_so(tmp_path: Path) -> None:
    (tmp_path / "clip.json").write_text('{"times": [0.0], "rolls": null}')
    with pytest.raises(CameraError, match="has no truth"):
        score_clip(tmp_path, DrawnReader(), ClipScore())
