"""A dozen real photographs of each free set, so that a clone alone shows whether a change makes reading worse."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from models.labelled import find_labels, pictures
from models.score import Score
from tableside import paths
from tableside.dice import find_sets
from tableside.errors import PhotoError
from tableside.reader.reader import Reader

PHOTOS = Path(__file__).parents[1] / "photos"


@cache
def reader(name: str) -> Reader:
    return Reader([one.without_variants() for one in find_sets([name])], models_folder=paths.models_folder())


def never(error: PhotoError) -> None:
    raise error


@pytest.mark.parametrize(
    ("folder", "dice_set", "right", "answered"),
    [
        ("pips", "pips", 12, 10),
        ("phone", "pips", 12, 8),
        ("webcam", "pips", 12, 10),
        ("oblique", "pips", 10, 5),
        ("tower", "percentile", 12, 12),
        ("backlit", "percentile", 7, 7),
    ],
)
def test_photographs_are_read_as_well_as_before(folder: str, dice_set: str, right: int, answered: int) -> None:
    score, labels = Score(), find_labels(PHOTOS / folder)
    for label, picture in pictures(labels, never):
        score.add(label, reader(dice_set).read(picture))
    assert score.rolls == 12
    assert score.rolls_right >= right, (score.wrong_pictures, score.confusion)
    assert score.rolls_answered >= answered
    assert score.silent_pictures == []


def test_they_come_with_their_licences_and_weigh_little() -> None:
    told = (PHOTOS / "README.md").read_text(encoding="utf-8")
    folders = [folder for folder in PHOTOS.iterdir() if folder.is_dir()]
    assert [folder.name for folder in folders if f"| `{folder.name}` |" not in told] == []
    assert sum(path.stat().st_size for path in PHOTOS.rglob("*.*")) < 4_000_000
