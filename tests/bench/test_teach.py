"""What ``python -m tools.bench teach`` counts, on dice of a recorded roll."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tableside import paths
from tableside.app.readers import Reads, open_reader
from tableside.teaching import measure
from tools.bench import teach
from tools.bench.__main__ import main

Told = pytest.CaptureFixture[str]

ROLL = paths.samples_folder() / "roll-4.json"  # four dice of one make with 6, 4, 3 and 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one die's photographs to show, and to ask about."""
    for part in ("show", "ask"):
        (tmp_path / "few" / "bones" / part).mkdir(parents=True)
    raw = json.loads(ROLL.read_text())
    for die in raw["dice"]:
        die["type"] = "mine"
    for name in ("show/a-0", "show/a-1", "ask/a-2"):
        path = tmp_path / "few" / "bones" / f"{name}.json"
        path.write_text(json.dumps(raw | {"image": f"{path.stem}.jpg"}))
        shutil.copy(ROLL.with_suffix(".jpg"), path.with_suffix(".jpg"))
    return tmp_path / "few"


def told(capsys: Told, *words: str | Path) -> list[dict[str, Any]]:
    assert main(["teach", *map(str, words), "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("words", [(), ("--one-camera",)])
def test_a_die_is_taught_from_one_and_from_five_photographs_and_asked_about_others(
    capsys: Told, folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    asked = set()

    def opened(*args: object, camera_stays: bool) -> Reads:
        asked.add(camera_stays)
        return open_reader(*args, camera_stays=camera_stays)

    monkeypatch.setattr(teach, "open_reader", opened)
    one, five, _ = told(capsys, *words, folder)
    assert [one["photographs_a_face"], five["photographs_a_face"]] == [1, 5]
    assert (one["sets"], one["dice"], one["right"], one["silent_errors"], one["missed"]) == (1, 4, 1.0, 0, 0)
    assert asked == {one["camera_stays"]} == {bool(words)}


def test_what_is_asked_about_some_throws_is_answered_before_the_others_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b-3", "c-4", "d-5", "e-6", "f-7", "g-8"):
        for kind in (".json", ".jpg"):
            shutil.copy(folder / f"bones/ask/a-2{kind}", folder / f"bones/ask/{name}{kind}")
    answered = teach.bench_answered(folder, 5)
    assert answered["answers"] == 0
    assert answered["before"] == answered["after"]
    assert answered["before"]["dice"] == 12  # of every second picture
    monkeypatch.setattr(measure, "_SURE", 1.0)
    answered = teach.bench_answered(folder, 5)
    assert answered["answers"] == 16
    assert [answered[when]["right_and_sure"] for when in ("before", "after")] == [0.0, 1.0]


def test_what_is_asked_and_was_never_shown_is_counted_apart(folder: Path) -> None:
    path = folder / "bones" / "ask" / "a-2.json"
    path.write_text(path.read_text().replace('"6"', '"7"'))
    one = teach.bench_shown(folder, 1)
    assert (one["dice"], one["never_shown"]) == (3, 1)


def test_a_folder_without_photographs_is_refused(capsys: Told, tmp_path: Path) -> None:
    assert main(["teach", str(tmp_path)]) == 2
    assert "holds no labelled photographs" in capsys.readouterr().err
