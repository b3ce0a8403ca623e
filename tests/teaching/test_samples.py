"""Which find is the die that a photograph was taken of."""

from __future__ import annotations

import numpy as np
import pytest

from tableside import paths
from tableside.errors import PhotoError
from tableside.reader.candidate import Candidate
from tableside.reader.classify import View
from tableside.teaching.samples import Finder
from tests.fakes.found import found

MIDDLE, CORNER = (320.0, 240.0), (90.0, 70.0)


def die(spot: tuple[float, float], presence: float) -> Candidate:
    return Candidate(found(spot), View(spot, 30.0), (("pip", ("3",), 0.8),), nothing=0.1, presence=presence)


def table(seed: int) -> np.ndarray:
    """Another corner in every picture, the same middle: two faces of a die that look alike."""
    picture = np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8)
    picture[:140, :200] = np.random.default_rng(seed).integers(0, 255, (140, 200, 3), np.uint8)
    return picture


@pytest.mark.parametrize(
    ("finds", "chosen"),
    [
        pytest.param(
            [die(MIDDLE, 0.95), die(CORNER, 0.45)],
            MIDDLE,
            id="a clear die where another face of it lay",
        ),
        pytest.param([die(MIDDLE, 0.4), die(CORNER, 0.95)], CORNER, id="what every picture shows is furniture"),
        pytest.param([die(MIDDLE, 0.9)], MIDDLE, id="nothing else"),
    ],
)
def test_the_one_die_is_told_from_other_things(
    finds: list[Candidate], chosen: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = Finder(paths.models_folder())
    monkeypatch.setattr(finder._reader, "assess", lambda *_: finds)
    shown = finder.only(table(2), [table(3), table(4)], where="a.jpg")
    assert shown.outline[0] == chosen


def test_two_dice_are_one_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    finder = Finder(paths.models_folder())
    monkeypatch.setattr(finder._reader, "assess", lambda *_: [die((250.0, 240.0), 0.9), die((390.0, 240.0), 0.9)])
    with pytest.raises(PhotoError, match="shows 2 dice"):
        finder.only(table(2), where="a.jpg")
