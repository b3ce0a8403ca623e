"""Whether a lens is out of focus, told by one picture: real photographs, sharp and blurred by a share of a die."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.dice import Doubt
from tableside.reader.focus import is_out_of_focus
from tests.reader.test_reader import reader

PHOTOS = sorted((Path(__file__).parents[1] / "photos").glob("*/*.jpg"))
Outlines = list[list[tuple[float, float]]]


def shown(path: Path) -> tuple[np.ndarray, Outlines, float]:
    """Return a photograph, the outlines of its dice and their radius, px."""
    picture = cv2.imread(str(path))
    assert picture is not None
    dice = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["dice"]
    outlines = [[(x, y) for x, y in die["outline"]] for die in dice if die.get("outline")]
    sizes = [np.ptp(np.array(one), axis=0).mean() / 2 for one in outlines]
    return picture, outlines, float(np.median(sizes)) if sizes else 0.05 * picture.shape[1]


@pytest.mark.parametrize("path", PHOTOS[::2], ids=lambda path: path.stem)
def test_a_photograph_is_out_of_focus_where_it_was_blurred_and_nowhere_else(path: Path) -> None:
    picture, outlines, radius = shown(path)
    assert not is_out_of_focus(picture, outlines)
    assert not is_out_of_focus(picture, [])
    blurred = cv2.GaussianBlur(picture, (0, 0), 0.14 * radius)
    assert not outlines or is_out_of_focus(blurred, outlines)
    assert path.parent.name not in ("phone", "backlit") or is_out_of_focus(blurred, [])


@pytest.mark.parametrize("path", [path for path in PHOTOS if path.parent.name in ("pips", "phone")][::4])
def test_small_dice_as_a_webcam_shows_them_are_in_focus(path: Path) -> None:
    picture, outlines, radius = shown(path)
    share = 13 / radius
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    seen = cv2.GaussianBlur(small, (0, 0), 0.9)
    assert not is_out_of_focus(seen, [[(x * share, y * share) for x, y in one] for one in outlines])


@pytest.mark.parametrize("level", [0, 90, 255])
def test_a_picture_without_edges_is_in_focus(level: int) -> None:
    grain = np.random.default_rng(0).normal(0, 2, (240, 320, 3))
    picture = np.clip(level + grain, 0, 255).astype(np.uint8)
    assert not is_out_of_focus(picture, [])
    assert not is_out_of_focus(picture, [[(100, 100), (140, 100), (140, 140), (100, 140)]])


@pytest.mark.parametrize(
    "path",
    [path for path in PHOTOS if path.parent.name in ("pips", "phone", "webcam")][::6],
    ids=lambda path: path.stem,
)
def test_a_reading_out_of_focus_is_never_sure_of_how_many_dice_there_are(path: Path) -> None:
    pips, (picture, _, radius) = reader("pips"), shown(path)
    assert not pips.read(picture).is_blurred
    for share in (0.1, 0.14):
        blurred = pips.read(cv2.GaussianBlur(picture, (0, 0), share * radius))
        assert not blurred.sure
        assert sum(die.doubt is Doubt.BLUR for die in blurred.dice) <= 1  # one question for all
