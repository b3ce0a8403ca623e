"""Where a die is, as the place network says it, and the view that it is shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from tableside.reader.crop import square
from tableside.reader.detection import Detection
from tableside.reader.network import MIDDLE_LEVEL, Network
from tableside.reader.place import Placer, spot_of
from tests.fakes.found import found

SPOT = (300.0, 200.0)
KINDS = (1.0, -1.0, 0.5)  # logits of two types and none
TOUCH = -2.0  # that of touching anything
TILT = 1.5  # that of leaning, by what was told of flat dice
CORNERS = ((340.0, 200.0), (300.0, 240.0), (260.0, 200.0), (300.0, 160.0))
DIE = replace(found(SPOT, outline=CORNERS), whole=np.zeros(len(KINDS), np.float32))


class Saying:
    """Stands for the network: says the same of every view, and keeps the views."""

    def __init__(self, *row: float) -> None:
        self.card: dict[str, Any] = {"input_px": 64, "reach": 1.5}
        self.row, self.seen = row, np.zeros(0)

    def run(self, blob: np.ndarray) -> list[np.ndarray]:
        self.seen = blob
        return [np.tile(np.array(self.row, np.float32), (len(blob), 1))]


def placed(*row: float, die: Detection | None = None) -> Detection:
    network = Saying(*row, *KINDS, TOUCH, TILT)
    picture = np.zeros((480, 640, 3), np.uint8)
    return Placer(cast(Network, network)).placed(picture, [die or DIE])[0]


def test_what_is_said_in_radii_of_the_view_becomes_pixels() -> None:
    die = placed(0.1, -0.2, math.log(1.25), 0.3, 0.0, math.log(0.5), math.log(0.05), 0.0, 0.2, 0.1)
    assert die.middle == pytest.approx((304.0, 192.0))
    assert die.radius == pytest.approx(50.0)
    assert die.top == pytest.approx((312.0, 200.0))
    assert die.top_radius == pytest.approx(20.0)
    assert die.lift == pytest.approx((308.0, 204.0))
    assert die.leans == pytest.approx(0.5)
    assert die.spread == pytest.approx(0.04)  # of the radius that was measured
    assert die.score == 0.9
    assert math.log(die.touches / (1 - die.touches)) == pytest.approx(TOUCH)


def test_the_outline_goes_where_the_silhouette_goes() -> None:
    die = placed(0.1, -0.2, math.log(1.25), *[0.0] * 7)
    assert np.array(die.outline) == pytest.approx(np.array([(354, 192), (304, 242), (254, 192), (304, 142)]))


def test_a_die_far_off_and_wild_outputs_make_no_harm() -> None:
    die = placed(9.0, 9.0, 90.0, 9.0, 9.0, 90.0, 900.0, -900.0, 90.0, -90.0)
    assert all(math.isfinite(v) for v in (*die.middle, *die.lift, die.radius, die.top_radius, die.spread, die.leans))


def test_finds_that_turn_out_to_be_one_die_are_one() -> None:
    faint = replace(DIE, middle=(SPOT[0] + 45, SPOT[1]), score=0.3, comfort=0.3)

    class Same(Saying):
        def run(self, blob: np.ndarray) -> list[np.ndarray]:
            return [np.array([[*[0.0] * 10, *KINDS, TOUCH, TILT], [-1.0, *[0.0] * 9, *KINDS, TOUCH, TILT]], np.float32)]

    dice = Placer(cast(Network, Same())).placed(np.zeros((480, 640, 3), np.uint8), [DIE, faint])
    assert [die.score for die in dice] == [0.9]


def test_of_finds_of_one_die_the_one_that_looks_most_like_a_die_by_itself_is_kept() -> None:
    other = replace(DIE, radius=26.0, score=0.85)

    class Doubting(Saying):
        def run(self, blob: np.ndarray) -> list[np.ndarray]:
            return [np.array([[*[0.0] * 10, *kinds, TOUCH, TILT] for kinds in ((0, 0, 5), KINDS)], np.float32)]

    dice = Placer(cast(Network, Doubting())).placed(np.zeros((480, 640, 3), np.uint8), [DIE, other])
    assert [die.score for die in dice] == [0.85]


def test_without_finds_the_network_is_not_asked() -> None:
    network = Saying()
    assert Placer(cast(Network, network)).placed(np.zeros((10, 10, 3), np.uint8), []) == []
    assert network.seen.size == 0


@pytest.mark.parametrize("radius", [9.0, 30.0, 200.0])
@pytest.mark.parametrize("turn", [0.0, 1.0, 3.0])
def test_a_view_is_centred_scaled_and_turned(radius: float, turn: float) -> None:
    picture = np.zeros((900, 1200, 3), np.uint8)
    spot, mark = (600.0, 450.0), (600.0 + radius, 450.0)
    cv2.circle(picture, (round(mark[0]), round(mark[1])), max(1, round(radius * 0.15)), (255, 255, 255), -1)
    view = square(picture, spot, 1.5 * radius, 64, turn).astype(float).sum(axis=2)
    y, x = np.mgrid[0:64, 0:64]
    at = np.array([(x * view).sum(), (y * view).sum()]) / view.sum()
    wanted = 32 + 64 / 3 * np.array([math.cos(turn), math.sin(turn)])
    assert at == pytest.approx(wanted, abs=1.0)


class Seeing(Saying):
    """Says that the silhouette's middle is where blue is, the upper face's where green is, the lift where red is."""

    def run(self, blob: np.ndarray) -> list[np.ndarray]:
        self.seen, rows = blob, []
        y, x = np.mgrid[0:64, 0:64] + 0.5
        for view in blob:
            inks = view[:3] + MIDDLE_LEVEL
            spots = [[(x * ink).sum() / ink.sum(), (y * ink).sum() / ink.sum()] for ink in inks]
            (mx, my), (tx, ty), lift = (np.array(spots) - 32) / 32 * 1.5
            rows.append([mx, my, 0.0, tx, ty, math.log(0.75), math.log(0.1), 2.0, *lift, *KINDS, TOUCH, TILT])
        return [np.array(rows, np.float32)]


def test_a_checked_find_is_the_mean_of_its_first_measure_and_of_what_turned_views_show() -> None:
    picture = np.zeros((480, 640, 3), np.uint8)
    middle, top, lift = (306, 196), (318, 187), (309, 206)
    for channel, (px, py) in enumerate((middle, top, lift)):
        picture[py - 1 : py + 2, px - 1 : px + 2, channel] = 255
    network = Seeing(*[0.0] * 10)
    first = replace(
        DIE, leans=1 / (1 + math.exp(2)), touches=0.5, spread=0.4, whole=np.log([0.2, 0.2, 0.6]).astype(np.float32)
    )
    die = Placer(cast(Network, network)).checked(picture, [first], [None])[0]
    assert die.tilted is None
    shares = [0.25 * a + 0.75 * b for a, b in zip(SPOT * 3, (*middle, *top, *lift), strict=True)]
    assert (*die.middle, *die.top, *die.lift) == pytest.approx(tuple(shares), abs=0.6)
    assert math.log(die.leans / (1 - die.leans)) == pytest.approx(-0.25 * 2 + 0.75 * 2)
    assert math.log(die.touches / (1 - die.touches)) == pytest.approx(0.75 * TOUCH)
    assert math.log(die.spread) == pytest.approx(0.25 * math.log(0.4) + 0.75 * math.log(0.1))
    assert die.radius == pytest.approx(40)
    mean = 0.25 * np.log([0.2, 0.2, 0.6]) + 0.75 * np.array(KINDS)
    assert np.exp(die.whole) == pytest.approx(np.exp(mean) / np.exp(mean).sum(), abs=1e-5)


@pytest.mark.parametrize(
    ("at", "spot"), [((320, 240), (0, 0)), ((640, 240), (1, 0)), ((160, 0), (-0.5, -0.75)), ((900, 240), (1, 0))]
)
def test_where_in_the_picture_a_die_lies_is_told_from_its_middle_in_halves_of_the_longer_side(
    at: tuple[float, float], spot: tuple[float, float]
) -> None:
    assert spot_of(np.zeros((480, 640, 3), np.uint8), at) == pytest.approx(spot)


def test_the_network_is_told_where_in_the_picture_a_die_lies_as_the_view_is_turned() -> None:
    picture, network = np.zeros((480, 640, 3), np.uint8), Saying(*[0.0] * 10, *KINDS, TOUCH, TILT)
    placer, die = Placer(cast(Network, network)), DIE
    placer.placed(picture, [die])
    assert network.seen[0, 3:5, 5, 7] == pytest.approx(spot_of(picture, SPOT))
    placer.checked(picture, [replace(die, spread=0.1)], [None])
    assert network.seen[0, 3:5, 5, 7] == pytest.approx(turned(spot_of(picture, SPOT)), abs=1e-5)
    assert network.seen[0, 5:].max() == 0


def test_of_a_checked_find_the_network_is_told_where_a_flat_dies_lift_would_be() -> None:
    picture, network = np.zeros((480, 640, 3), np.uint8), Saying(*[0.0] * 10, *KINDS, TOUCH, TILT)
    die, other = Placer(cast(Network, network)).checked(
        picture, [replace(DIE, spread=0.1)] * 2, [(SPOT[0] + 8, SPOT[1] - 4), None]
    )
    assert network.seen[0, 5:, 5, 7] == pytest.approx(turned(np.array([0.2, -0.1])), abs=1e-5)
    assert network.seen[1, 5:].max() == 0
    assert die.tilted == pytest.approx(TILT)
    assert other.tilted is None


def turned(at: np.ndarray) -> tuple[float, float]:
    """Return a point as the last of the turned views shows it."""
    c, s = math.cos(4.1), math.sin(4.1)
    return c * at[0] - s * at[1], s * at[0] + c * at[1]


def test_without_finds_to_check_the_network_is_not_asked() -> None:
    network = Saying()
    assert Placer(cast(Network, network)).checked(np.zeros((10, 10, 3), np.uint8), [], []) == []
    assert network.seen.size == 0
