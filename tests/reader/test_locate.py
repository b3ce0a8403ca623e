"""Finds that contain one another: a die on a tray is a die, a symbol on a die is none."""

from __future__ import annotations

import math
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tableside.reader.detection import Detection
from tableside.reader.locate import Locator, without_overlaps
from tableside.reader.network import Network
from tests.fakes import found as fakes

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


def found(*finds: tuple[float, tuple[float, float], float]) -> list[Detection]:
    return Locator(cast(Network, Seeing(*finds))).find(np.zeros((SIDE, SIDE, 3), np.uint8))


def radii(dice: list[Detection]) -> list[int]:
    return sorted(round(die.radius) for die in dice)


def test_dice_on_a_tray_that_passes_for_a_die_are_found_and_the_tray_is_not() -> None:
    dice = found((0.65, (190.0, 190.0), 75.0), (0.7, (200.0, 180.0), 14.0), (0.6, (150.0, 220.0), 16.0))
    assert radii(dice) == [14, 16, 75]  # the upper faces tell which
    assert radii(without_overlaps(dice)) == [14, 16]


@pytest.mark.parametrize(("score", "radius"), [(0.45, 20.0), (0.7, 48.0)])
def test_a_symbol_is_no_die_on_the_die(score: float, radius: float) -> None:
    dice = found((0.9, (190.0, 190.0), 75.0), (score, (200.0, 180.0), radius))
    assert radii(without_overlaps(dice)) == [75]


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
        white = (blob[0, 0] > 90).astype(np.uint8)  # levels less the middle one
        _, _, boxes, middles = cv2.connectedComponentsWithStats(white)
        return tuple(
            (0.9, (float(x), float(y)), math.sqrt(box[cv2.CC_STAT_AREA] / math.pi))
            for box, (x, y) in zip(boxes[1:], middles[1:], strict=True)
        )


def of_discs(picture_side: int, *discs: tuple[int, int, int]) -> tuple[list[Detection], list[tuple[int, int]]]:
    """Return what is found of white discs (x, y, radius), and the sizes of the pictures that the network was shown."""
    picture = np.zeros((picture_side, picture_side, 3), np.uint8)
    for x, y, radius in discs:
        cv2.circle(picture, (x, y), radius, (255, 255, 255), -1)
    network = SeeingDiscs()
    return Locator(cast(Network, network)).find(picture), network.seen


@pytest.mark.parametrize(("large", "looks"), [(100, [384, 96]), (150, [384, 96, 192])])
def test_a_picture_is_looked_at_in_two_sizes_or_three_and_each_die_is_found_once(large: int, looks: list[int]) -> None:
    dice, seen = of_discs(1152, (900, 880, 30), (300, 300, large))
    assert seen == [(side, side) for side in looks]
    assert sorted(round(die.radius, -1) for die in dice) == [30, large]


def test_a_large_thing_beside_several_plainer_dice_brings_no_look() -> None:
    dice = [(0.9, (x, 60.0), 14.0) for x in (60.0, 160.0, 260.0)]
    for count, looks in ((2, [384, 96, 192]), (3, [384, 96])):
        network = SeeingAt({384: [*dice[:count], (0.8, (200.0, 250.0), 50.0)]})
        Locator(cast(Network, network)).find(np.zeros((SIDE, SIDE, 3), np.uint8))
        assert network.seen == looks


@pytest.mark.parametrize("other", [100, 30], ids=["a large die", "a die of usual size"])
def test_dice_that_are_small_beside_others_bring_a_closer_look(other: int) -> None:
    dice, seen = of_discs(1152, (900, 880, 20), (300, 300, other))
    assert seen[:2] == [(384, 384), (96, 96)]
    assert [384 < width < 768 for width, _ in seen[2:]] == [True]  # as close as these dice ask for
    assert sorted(round(die.radius, -1) for die in dice) == sorted((20, other))


def test_where_no_die_is_clear_smaller_ones_are_looked_for() -> None:
    assert of_discs(1152)[1] == [(384, 384), (96, 96), (768, 768)]


def test_small_pictures_are_not_enlarged_beyond_sense() -> None:
    assert max(of_discs(300)[1]) == (384, 384)
    assert max(of_discs(600)[1]) == (768, 768)


def test_at_a_set_up_table_one_look_at_the_scale_of_its_dice_is_enough() -> None:
    network = SeeingDiscs()
    locator = Locator(cast(Network, network), camera_stays=True)
    picture = np.zeros((1152, 1152, 3), np.uint8)
    empty = picture.copy()
    cv2.circle(picture, (900, 880), 24, (255, 255, 255), -1)
    first = locator.find(picture)
    network.seen.clear()
    assert len(locator.find(picture)) == len(first) == 1
    assert locator.find(empty) == []
    assert len(network.seen) == 2
    assert 384 < network.seen[0][0] < 768


def test_at_a_set_up_table_the_usual_look_is_close_enough_for_dice_that_it_misses_nowhere() -> None:
    network = SeeingDiscs()
    locator = Locator(cast(Network, network), camera_stays=True)
    picture = np.zeros((1152, 1152, 3), np.uint8)
    cv2.circle(picture, (900, 880), 29, (255, 255, 255), -1)
    for _ in range(2):
        assert len(locator.find(picture)) == len(locator.detect(picture)) == 1
    assert network.seen == [(384, 384), (96, 96), *[(384, 384)] * 3]


def test_dice_smaller_than_those_of_a_set_up_table_are_looked_for_as_if_no_size_were_known() -> None:
    network = SeeingDiscs()
    locator = Locator(cast(Network, network), camera_stays=True)
    picture = np.zeros((1152, 1152, 3), np.uint8)
    cv2.circle(picture, (300, 300), 60, (255, 255, 255), -1)
    locator.find(picture)
    network.seen.clear()
    cv2.circle(picture, (900, 880), 20, (255, 255, 255), -1)
    assert radii(locator.find(picture)) == [20, 59]
    assert network.seen[:3] == [(384, 384), (384, 384), (96, 96)]
    assert [384 < width < 768 for width, _ in network.seen[3:]] == [True]


def test_the_closest_look_of_a_set_up_table_and_one_hardly_closer_than_the_last_are_not_taken_twice() -> None:
    network = SeeingDiscs()
    locator = Locator(cast(Network, network), camera_stays=True)
    picture = np.zeros((3072, 3072, 3), np.uint8)
    cv2.circle(picture, (900, 880), 26, (255, 255, 255), -1)
    cv2.circle(picture, (1500, 880), 15, (255, 255, 255), -1)
    for looks in ([384, 96, 768, 1504], [1536], [1536]):
        assert len(locator.find(picture)) == 2
        assert [width for width, _ in network.seen] == looks
        network.seen.clear()


def test_a_look_hardly_closer_than_the_last_is_not_taken() -> None:
    small = [(0.9, (500.0, 500.0), 7.0)]  # too small for any of them
    looks = {384: [(0.9, (125.0, 125.0), 6.0)], 768: [(0.9, (250.0, 250.0), 6.9)], 1344: small, 1536: small}
    assert at_scales(looks)[1] == [384, 96, 768, 1344]


class SeeingAt(Seeing):
    """Stands for the network: at each width of its input other finds, in pixels of that input."""

    def __init__(self, finds_at: dict[int, list[tuple[float, tuple[float, float], float]]]) -> None:
        super().__init__()
        self.finds_at, self.seen = finds_at, list[int]()

    def finds_in(self, blob: np.ndarray) -> tuple[tuple[float, tuple[float, float], float], ...]:
        self.seen.append(blob.shape[3])
        return tuple(self.finds_at.get(blob.shape[3], ()))


def test_of_a_die_and_its_marks_the_clearer_is_kept_where_no_face_is_named() -> None:
    marks = [(0.7, (x, 225.0), 12.0) for x in (150.0, 190.0, 230.0)]
    for score, told in ((0.9, [75]), (0.6, [12, 12, 12])):
        network = SeeingAt({SIDE: [*marks, (score, (190.0, 190.0), 75.0)]})
        dice = Locator(cast(Network, network)).find(np.zeros((SIDE, SIDE, 3), np.uint8))
        assert radii(dice) == [12, 12, 12, 75]
        assert radii(without_overlaps(dice)) == told


@pytest.mark.parametrize("radius", [40.0, 27.0], ids=["a die that fills the picture", "a die of half its width"])
@pytest.mark.parametrize("score", [0.9, 0.6], ids=["clearer than what lies on it", "less clear"])
def test_what_fills_the_picture_is_found_beside_what_lies_on_it(score: float, radius: float) -> None:
    network = SeeingAt({SIDE: [(0.7, (230.0, 200.0), 20.0)], SIDE // 4: [(score, (48.0, 48.0), radius)]})
    dice = Locator(cast(Network, network)).find(np.zeros((SIDE, SIDE, 3), np.uint8))
    assert radii(dice) == [20, 4 * radius]  # their faces tell which is a die


def test_a_faint_die_on_a_box_that_passes_for_a_die_is_found() -> None:
    network = SeeingAt({SIDE: [(0.7, (190.0, 190.0), 60.0), (0.3, (200.0, 180.0), 12.0)]})
    assert radii(Locator(cast(Network, network)).find(np.zeros((SIDE, SIDE, 3), np.uint8))) == [12, 60]


def at_scales(finds: dict[int, list[tuple[float, tuple[float, float], float]]]) -> tuple[list[int], list[int]]:
    """Return the radii of what is found, in pixels of the picture, and the widths of the looks."""
    network = SeeingAt(finds)
    dice = Locator(cast(Network, network)).find(np.zeros((3072, 3072, 3), np.uint8))
    return sorted(round(die.radius) for die in dice), network.seen


def test_a_tray_that_passes_for_a_die_does_not_hide_dice_too_small_to_be_seen_on_it() -> None:
    found, seen = at_scales(
        {384: [(0.6, (190.0, 190.0), 66.0)], 768: [(0.65, (300.0, 300.0), 7.5)], 1248: [(0.9, (487.0, 487.0), 12.2)]}
    )
    assert seen == [384, 96, 192, 768, 1248]
    assert 30 in found


@pytest.mark.parametrize("score", [0.45, 0.9])
def test_what_a_closer_look_sees_counts_however_clear_the_tray_is(score: float) -> None:
    found, seen = at_scales({384: [(0.6, (190.0, 190.0), 50.0)], 768: [(score, (400.0, 400.0), 20.0)]})
    assert seen[:4] == [384, 96, 192, 768]
    assert found == [80, 400]


def test_what_was_too_small_for_a_look_is_seen_by_the_closer_one() -> None:
    pair = [(0.6, (x, 258.0), 10.0) for x in (250.0, 278.0)]
    found, _ = at_scales({384: [(0.9, (190.0, 190.0), 8.5)], 544: pair})
    assert found == [57, 57]  # the first took both for one


def test_only_what_the_closest_look_cannot_see_brings_another() -> None:
    for radius, closest in ((66.0, 1536), (30.0, 768)):
        assert max(at_scales({384: [(0.6, (190.0, 190.0), radius)]})[1]) == closest


def test_a_look_that_would_enlarge_the_picture_by_more_than_half_is_not_taken() -> None:
    network = SeeingAt({384: [(0.6, (190.0, 190.0), 66.0)]})
    Locator(cast(Network, network)).find(np.zeros((900, 900, 3), np.uint8))
    assert max(network.seen) == 768


def test_finds_of_one_die_that_differ_much_in_size_are_kept_for_a_closer_view() -> None:
    looks = {SIDE: [(0.54, (190.0, 190.0), 50.0)], SIDE // 2: [(0.51, (95.0, 95.0), 14.0)]}
    dice = Locator(cast(Network, SeeingAt(looks))).find(np.zeros((SIDE, SIDE, 3), np.uint8))
    assert radii(dice) == [28, 50]


def test_what_is_small_and_faint_brings_closer_looks_since_it_may_be_several_that_touch() -> None:
    pair = [(0.8, (x, 500.0), 14.0) for x in (500.0, 528.0)]
    for score, closest in ((0.4, 1536), (0.2, 768)):
        found, seen = at_scales({768: [(score, (257.0, 250.0), 7.0)], 1536: pair})
        assert max(seen) == closest
        assert found == ([28, 28] if score == 0.4 else [28])


def long_find(x: float, *, length: float, width: float, turn: float = 0.0) -> Detection:
    """Return a find at (x, 100) with so large a silhouette, in px, turned by radians."""
    corners = np.array([(length, width), (-length, width), (-length, -width), (length, -width)]) / 2
    c, s = math.cos(turn), math.sin(turn)
    outline = tuple((float(px), float(py)) for px, py in corners @ np.array([[c, s], [-s, c]]) + (x, 100.0))
    return fakes.found((x, 100.0), radius=math.sqrt(length * width / math.pi), outline=outline)
