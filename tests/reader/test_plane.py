from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tableside.reader.plane import HEIGHTS, LEAST_DICE, Posture, flat_lift, is_sideways, leanings

SIZE = 1280.0
RADIUS, HEIGHT = 40.0, 0.886


def flat_dice(count: int, *, tilt: tuple[float, float] = (0.0, 0.0), growth: float = 0.2) -> list[Posture]:
    """Return dice on one table as a camera at some height and tilt sees them, whose own look says nothing."""
    rng = np.random.default_rng(count)
    middles = rng.uniform(200, 1000, (count, 2))
    places = (middles - middles.mean(0)) / (SIZE / 2)
    tops = middles + (np.array(tilt) + growth * places) * RADIUS * HEIGHT
    return [
        Posture(middle=(mx, my), lift=(tx, ty), radius=RADIUS, spread=0.02, leans=0.5, solid="d6")
        for (mx, my), (tx, ty) in zip(middles, tops, strict=True)
    ]


def with_one_leaning(count: int = 8, *, tilt: tuple[float, float] = (0.0, 0.0)) -> list[Posture]:
    dice = flat_dice(count, tilt=tilt)
    x, y = dice[3].lift
    dice[3] = replace(dice[3], lift=(x + 0.35 * RADIUS * HEIGHT, y))
    return dice


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.3, -0.2)])
def test_flat_dice_do_not_lean_however_the_camera_is_held(tilt: tuple[float, float]) -> None:
    assert max(leanings(flat_dice(8, tilt=tilt), size=SIZE)) < 0.5


def test_the_one_that_leans_stands_out() -> None:
    found = leanings(with_one_leaning(tilt=(0.1, 0.0)), size=SIZE)
    assert int(np.argmax(found)) == 3
    assert found[3] > 2
    assert max(np.delete(found, 3)) < 1


def test_where_offsets_are_measured_roughly_a_die_must_lean_more_to_stand_out() -> None:
    dice = with_one_leaning()
    exact = leanings(dice, size=SIZE)[3]
    rough = np.random.default_rng(1).normal(0, 0.12 * RADIUS, (8, 2))
    dice = [replace(die, lift=(die.lift[0] + x, die.lift[1] + y)) for die, (x, y) in zip(dice, rough, strict=True)]
    assert leanings(dice, size=SIZE)[3] < 0.8 * exact


def test_a_die_that_may_be_measured_wrong_must_lean_more_to_stand_out() -> None:
    dice = with_one_leaning()
    exact = leanings(dice, size=SIZE)[3]
    dice[3] = replace(dice[3], spread=0.3)
    assert leanings(dice, size=SIZE)[3] < 0.5 * exact


def test_a_die_that_touches_nothing_must_lean_more_to_stand_out() -> None:
    dice = with_one_leaning()
    touching = leanings(dice, size=SIZE)[3]
    dice[3] = replace(dice[3], touches=0.01)
    free = leanings(dice, size=SIZE)[3]
    assert 0.5 * touching < free < touching - 0.2


def test_of_a_few_dice_only_their_own_look_counts() -> None:
    dice = flat_dice(LEAST_DICE - 1)
    assert leanings(dice, size=SIZE) == [0.0] * (LEAST_DICE - 1)
    dice[1] = replace(dice[1], leans=0.99)
    assert leanings(dice, size=SIZE)[1] > 0.5


def test_a_second_look_that_knows_how_flat_dice_lie_is_believed_sooner_than_the_first() -> None:
    dice = with_one_leaning()
    dice[3] = replace(dice[3], leans=0.9)
    first = leanings(dice, size=SIZE)[3]
    for logit, more in ((5.0, 0.5), (-5.0, -1.5)):
        dice[3] = replace(dice[3], tilted=logit)
        assert (leanings(dice, size=SIZE)[3] - first) / more > 1


@pytest.mark.parametrize(
    ("solid", "sine", "is_so"),
    [("d12", 0.45, False), ("d12", 0.55, True), ("d6", 0.65, False), ("d20", 0.02, True), ("d20", 0.4, True)],
)
def test_a_d12_seen_more_than_thirty_degrees_off_may_have_another_side_up_and_a_d20_always(
    solid: str, sine: float, is_so: bool
) -> None:
    lift = (100 + sine * HEIGHTS[solid] * RADIUS, 100.0)
    die = Posture(middle=(100.0, 100.0), lift=lift, radius=RADIUS, spread=0.02, leans=0.5, solid=solid)
    assert is_sideways(die) is is_so


def test_a_die_of_unknown_height_is_told_by_its_own_look() -> None:
    dice = flat_dice(6)
    dice[2] = replace(dice[2], solid="", lift=(0.0, 0.0))
    found = leanings(dice, size=SIZE)
    assert found[2] == 0.0
    assert max(found) < 0.5


@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.3, -0.2)])
def test_the_others_tell_where_a_flat_die_has_its_upper_face_whatever_it_shows_itself(
    tilt: tuple[float, float],
) -> None:
    true = flat_dice(8, tilt=tilt)[3].lift
    dice = with_one_leaning(tilt=tilt)
    others = [*dice[:3], *dice[4:]]
    assert flat_lift(others, dice[3], size=SIZE) == pytest.approx(true, abs=0.1 * RADIUS)


def test_too_few_others_tell_nothing_of_a_die() -> None:
    die, *others = flat_dice(LEAST_DICE)
    assert flat_lift(others, die, size=SIZE) is not None
    assert flat_lift(others[1:], die, size=SIZE) is None
    assert flat_lift([replace(others[0], solid=""), *others[1:]], die, size=SIZE) is None
    assert flat_lift(others, replace(die, solid=""), size=SIZE) is None


def seen_aslant(tilt: float) -> tuple[list[Posture], Posture]:
    """Return round dice, and a cube between them, that lie flat under a far camera with that tilt, in radians."""
    rng = np.random.default_rng(1)
    round_ones = [
        Posture(
            middle=(x, y),
            lift=(x + np.sin(tilt) * 0.855 * RADIUS, y),
            radius=RADIUS,
            spread=0.02,
            leans=0.5,
            solid="d12",
        )
        for x, y in rng.uniform(200, 1000, (7, 2))
    ]
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    turn, aslant = np.radians(27), np.array([[np.cos(tilt), 0, np.sin(tilt)], [0, 1, 0]])
    about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    hull = cv2.convexHull((corners @ about.T @ aslant.T).astype(np.float32))
    radius = float(np.sqrt(cv2.contourArea(hull) / np.pi))
    middle = (600.0, 600.0)
    lift = (middle[0] + float((aslant @ [0, 0, 1])[0]) * 40, middle[1])
    return round_ones, Posture(middle=middle, lift=lift, radius=40 * radius, spread=0.02, leans=0.5, solid="d6")


@pytest.mark.parametrize("degrees", [20, 35, 50])
def test_a_flat_cube_among_round_dice_does_not_lean_where_all_are_seen_aslant(degrees: int) -> None:
    round_ones, cube = seen_aslant(np.radians(degrees))
    assert leanings([*round_ones, cube], size=SIZE)[-1] < 0.5


def test_round_dice_tell_where_a_cube_seen_aslant_has_its_upper_face() -> None:
    round_ones, cube = seen_aslant(np.radians(40))
    assert flat_lift(round_ones, cube, size=SIZE) == pytest.approx(cube.lift, abs=0.05 * cube.radius)
