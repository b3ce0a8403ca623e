"""A die that the picture's edge cuts may change the result: it must not go unsaid."""

from __future__ import annotations

import math
from functools import cache

import cv2
import numpy as np
import pytest

from models.labelled import read_label
from tableside import paths
from tableside.dice import Status, find_sets
from tableside.reader.photo import load_photo
from tableside.reader.reader import Reader

SAMPLES = sorted(path.stem for path in paths.samples_folder().glob("roll-*.json"))


@cache
def reader() -> Reader:
    return Reader(find_sets(["narrative"]), models_folder=paths.models_folder())


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("name", SAMPLES)
def test_half_a_die_is_a_question(name: str, quarters: int) -> None:
    label = read_label(paths.samples_folder() / f"{name}.json")
    whole = load_photo(label.picture)
    height, width = whole.shape[:2]
    circles = []
    for die in label.dice:
        (x, y), radius = cv2.minEnclosingCircle(np.array(die.outline, np.float32))
        turned = [(x, y), (y, width - x), (width - x, height - y), (height - y, x)]
        circles.append((*turned[quarters], radius))
    x, y, radius = min(circles)  # the die that is nearest to the left
    reading = reader().read(np.ascontiguousarray(np.rot90(whole, quarters)[:, int(x) :]))
    asked = [die.center for die in reading.dice if die.status is not Status.SURE]
    asked += [suspect.center for suspect in reading.suspects]
    assert not reading.sure
    assert any(math.dist(place, (0.0, y)) < radius for place in asked)
