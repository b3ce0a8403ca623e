"""Finds that contain one another: a die on a tray is a die, a symbol on a die is none."""

from __future__ import annotations

import math
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tableside.reader.locate import Found, Locator, without_overlaps
from tableside.reader.network import Network

RAYS, TYPES, STRIDE, SIDE = 16, 3, 8, 384


class Seeing:
    """Stands for the network: finds of a given score, middle and radius, in pixels of the picture."""

    def __init__(self, *finds: tuple[float, tuple[float, float], float]) -> None:
        self.finds = finds
        self.card: dict[str, Any] = {"stride": STRIDE, "rays": RAYS, "radius_px": [7.0, 76.0]}

    def run(self, blob: np.ndarray) -> list[np.ndarray]:
        """Return the maps; a picture at another scale than 1 shows nothing."""
        height, width = blob.shape[2] // STRIDE, blob.shape[3] // STRIDE
        maps = np.full((1, 1 + 6 + RAYS + TYPES, height, width), -9.0, np.float32)
        maps[0, 1:] = 0
        for score, (x, y), radius in self.finds_in(blob):
            cell = maps[0, :, int(y // STRIDE), int(x // STRIDE)]
            cell[0] = math.log(score / (1 - score))
            cell[1:3] = x / STRIDE - int(x // STRIDE) - 0.5, y / STRIDE - int(y // STRIDE) - 0.5
            cell[3] = math.log(radius)
        return [maps]

    def finds_in(self, blob: np.ndarray) -> tuple[tuple[float, tuple[float, float], float], ...]:
        return self.finds if blob.shape[3] == SIDE else ()


def found(*finds: tuple[float, tuple[float, float], float]) -> list[Found]:
    return Locator(cast(Network, Seeing(*finds))).find(np.zeros((SIDE, SIDE, 3), np.uint8))


def radii(dice: list[Found]) -> list[int]:
    return sorted(round(die.radius) for die in dice)


def test_dice_on_a_tray_that_passes_for_a_die_are_found_and_the_tray_is_not() -> None:
    dice = found((0.8, (190.0, 190.0), 75.0), (0.7, (200.0, 180.0), 14.0), (0.6, (150.0, 220.0), 16.0))
    assert radii(dice) == [14, 16, 75]  # the upper faces tell which
    assert radii(without_overlaps(dice)) == [14, 16]


@pytest.mark.parametrize(("score", "radius"), [(0.45, 20.0), (0.7, 38.0)])
def test_a_symbol_is_no_die_on_the_die(score: float, radius: float) -> None:
    assert radii(found((0.9, (190.0, 190.0), 75.0), (score, (200.0, 180.0), radius))) == [75]


def test_dice_side_by_side_are_two() -> None:
    assert radii(found((0.9, (100.0, 190.0), 40.0), (0.6, (160.0, 190.0), 15.0))) == [15, 40]


class SeeingDiscs(Seeing):
    """Stands for the network: every white disc in view is a die, as large as it is seen."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[int, int]] = []

    def finds_in(self, blob: np.ndarray) -> tuple[tuple[float, tuple[float, float], float], ...]:
        height, width = blob.shape[2:]
        self.seen.append((width, height))
        white = (blob[0, 0] > 0.8).astype(np.uint8)
        _, _, boxes, middles = cv2.connectedComponentsWithStats(white)
        return tuple(
            (0.9, (float(x), float(y)), math.sqrt(box[cv2.CC_STAT_AREA] / math.pi))
            for box, (x, y) in zip(boxes[1:], middles[1:], strict=True)
        )


def of_discs(picture_side: int, *discs: tuple[int, int, int]) -> tuple[list[Found], list[tuple[int, int]]]:
    """Return what is found of white discs (x, y, radius), and the sizes of the pictures that the network was shown."""
    picture = np.zeros((picture_side, picture_side, 3), np.uint8)
    for x, y, radius in discs:
        cv2.circle(picture, (x, y), radius, (255, 255, 255), -1)
    network = SeeingDiscs()
    return Locator(cast(Network, network)).find(picture), network.seen


def test_small_dice_are_looked_at_again_where_they_lie_and_nowhere_else() -> None:
    dice, seen = of_discs(1152, (900, 880, 26), (960, 1000, 26), (300, 300, 100))
    assert seen[0] == (384, 384)
    assert len(seen) == 2
    assert max(seen[1]) < 500  # of 768
    places = {(round(die.middle[0], -1), round(die.middle[1], -1), round(die.radius, -1)) for die in dice}
    assert places == {(900, 880, 30), (960, 1000, 30), (300, 300, 100)}


def test_beside_dice_that_can_hardly_be_seen_others_are_looked_for_everywhere() -> None:
    _, seen = of_discs(1152, (900, 880, 22), (960, 1000, 26), (300, 300, 100))
    assert (384, 384) in seen
    assert seen[-1] == (768, 768)


def test_a_large_picture_is_looked_at_in_parts_and_each_die_is_found_once() -> None:
    dice, seen = of_discs(2304, (1152, 300, 20), (1152, 1900, 16), (700, 900, 16), (150, 2200, 18))
    assert max(w * h for w, h in seen) < 1_300_000
    assert sum(h == 1536 for _, h in seen) == 3
    places = sorted((round(die.middle[0], -1), round(die.middle[1], -1)) for die in dice)
    assert places == [(150, 2200), (700, 900), (1150, 300), (1150, 1900)]


def test_a_large_part_is_looked_at_in_strips_too() -> None:
    dice, seen = of_discs(2304, (300, 300, 26), (930, 1100, 26), (1500, 1900, 26))
    assert max(w * h for w, h in seen) < 1_300_000
    assert seen[-1][1] < 1536  # not the whole
    assert sorted((round(die.middle[0], -1), round(die.middle[1], -1)) for die in dice) == [
        (300, 300),
        (930, 1100),
        (1500, 1900),
    ]


def test_a_die_that_the_second_look_cuts_keeps_its_size() -> None:
    dice, seen = of_discs(1152, (900, 880, 24), (590, 880, 100))
    assert (seen[:2], len(seen)) == ([(384, 384), (96, 96)], 3)
    assert sorted(round(die.radius, -1) for die in dice) == [20, 100]


def test_dice_all_over_the_picture_are_looked_at_all_together() -> None:
    dice, seen = of_discs(1152, (100, 100, 24), (1000, 1000, 24), (100, 1000, 24))
    assert seen == [(384, 384), (768, 768)]
    assert len(dice) == 3


class SeeingAt(Seeing):
    """Stands for the network: at each width of its input other finds, in pixels of that input."""

    def __init__(self, finds_at: dict[int, list[tuple[float, tuple[float, float], float]]]) -> None:
        super().__init__()
        self.finds_at, self.seen = finds_at, list[int]()

    def finds_in(self, blob: np.ndarray) -> tuple[tuple[float, tuple[float, float], float], ...]:
        self.seen.append(blob.shape[3])
        return tuple(self.finds_at.get(blob.shape[3], ()))


SYMBOLS = [(0.55, (150.0, 190.0), 20.0), (0.4, (230.0, 200.0), 24.0)]
DICE = [(0.9, (150.0, 190.0), 20.0), (0.85, (230.0, 200.0), 24.0)]
PIPS = [(0.9, (x, y), 8.0) for x, y in ((170.0, 170.0), (192.0, 192.0), (214.0, 214.0))]


@pytest.mark.parametrize(
    ("first", "wide", "told", "without_faces"),
    [
        pytest.param(SYMBOLS, [(0.8, (48.0, 48.0), 40.0)], [20, 24, 160], [160], id="a die that fills the picture"),
        pytest.param(SYMBOLS, [(0.8, (48.0, 48.0), 17.0)], [20, 24, 68], [68], id="that fills a third of it"),
        pytest.param(DICE, [(0.7, (48.0, 48.0), 40.0)], [20, 24, 160], [20, 24], id="dice on their tray"),
        pytest.param(DICE, [(0.25, (48.0, 48.0), 40.0)], [20, 24], [20, 24], id="a tray that is hardly like a die"),
        pytest.param(DICE, [(0.7, (48.0, 48.0), 14.0)], [20, 24], [20, 24], id="no larger than the first look tells"),
        pytest.param(PIPS, [(0.7, (48.0, 48.0), 11.0)], [8, 8, 8, 44], [8, 8, 8], id="what three clear finds may mark"),
        pytest.param([], [(0.5, (48.0, 48.0), 40.0)], [160], [], id="an empty tray"),
        pytest.param([], [(0.9, (48.0, 48.0), 40.0)], [160], [160], id="a blank die that fills the picture"),
    ],
)
def test_what_fills_the_picture_is_told_by_a_wide_look(
    first: list[tuple[float, tuple[float, float], float]],
    wide: list[tuple[float, tuple[float, float], float]],
    told: list[int],
    without_faces: list[int],
) -> None:
    network = SeeingAt({SIDE: first, SIDE // 4: wide})
    dice = Locator(cast(Network, network)).find(np.zeros((SIDE, SIDE, 3), np.uint8))
    assert radii(dice) == told
    assert radii(without_overlaps(dice)) == without_faces


def test_three_clear_dice_need_no_wide_look() -> None:
    apart = [(0.9, (60.0, 190.0), 20.0), (0.85, (230.0, 200.0), 24.0), (0.9, (300.0, 350.0), 20.0)]
    network = SeeingAt({SIDE: apart, SIDE // 4: [(0.9, (48.0, 48.0), 40.0)]})
    dice = Locator(cast(Network, network)).find(np.zeros((SIDE, SIDE, 3), np.uint8))
    assert (len(dice), network.seen) == (3, [SIDE])


@pytest.mark.parametrize(("score", "count"), [(0.6, 3), (0.9, 1)], ids=["perhaps a die", "a clear die"])
def test_only_a_clear_die_makes_a_closer_look_needless(score: float, count: int) -> None:
    tray, dice = (score, (190.0, 190.0), 45.0), [(0.9, (200.0, 220.0), 14.0), (0.9, (500.0, 460.0), 14.0)]
    network = SeeingAt({SIDE: [tray], 2 * SIDE: dice})
    assert len(Locator(cast(Network, network)).find(np.zeros((3 * SIDE, 3 * SIDE, 3), np.uint8))) == count


def test_dice_too_small_for_the_first_look_are_looked_for_though_their_tray_was_seen() -> None:
    tiny = [(0.9, (300.0, 320.0), 10.0)]
    network = SeeingAt({SIDE // 4: [(0.7, (48.0, 48.0), 40.0)], 2 * SIDE: tiny})
    dice = Locator(cast(Network, network)).find(np.zeros((3 * SIDE, 3 * SIDE, 3), np.uint8))
    assert radii(without_overlaps(dice)) == [15]


@pytest.mark.parametrize("first", [[], [(0.2, (100.0, 100.0), 30.0)]], ids=["nothing", "something faint"])
def test_where_the_first_look_sees_no_die_a_closer_one_does(
    first: list[tuple[float, tuple[float, float], float]],
) -> None:
    dice = [(0.9, (300.0, 320.0), 18.0), (0.7, (400.0, 320.0), 20.0)]
    network = SeeingAt({SIDE: first, 2 * SIDE: dice})
    found = Locator(cast(Network, network)).find(np.zeros((3 * SIDE, 3 * SIDE, 3), np.uint8))
    assert radii([f for f in found if f.score > 0.5]) == [27, 30]


@pytest.mark.parametrize(("score", "count"), [(0.6, 2), (0.9, 1)], ids=["perhaps a die", "a clear die"])
def test_beside_what_may_be_no_die_others_are_looked_for_everywhere(score: float, count: int) -> None:
    small = (score, (60.0, 60.0), 9.0)
    closer = [(score, (120.0, 120.0), 18.0), (0.9, (600.0, 640.0), 14.0)]
    network = SeeingAt({SIDE: [small], 2 * SIDE: closer})
    dice = Locator(cast(Network, network)).find(np.zeros((3 * SIDE, 3 * SIDE, 3), np.uint8))
    assert len(dice) == count


@pytest.mark.parametrize(("score", "count"), [(0.45, 3), (0.9, 2)], ids=["faint", "clear"])
def test_where_small_dice_are_faint_a_closer_look_finds_their_neighbours(score: float, count: int) -> None:
    first = [(score, (60.0, 60.0), 14.0), (score, (320.0, 320.0), 14.0)]
    closer = [(0.8, (2 * x, 2 * y), 2 * r) for _, (x, y), r in first] + [(0.6, (200.0, 120.0), 28.0)]
    network = SeeingAt({SIDE: first, 2 * SIDE: closer})
    assert len(Locator(cast(Network, network)).find(np.zeros((3 * SIDE, 3 * SIDE, 3), np.uint8))) == count
