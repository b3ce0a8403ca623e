"""Settling on drawn frames: the moment of rest is known exactly."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tableside.reader.crop import Pyramid
from tableside.tray.frame import Frame
from tableside.tray.settle import Motion, Settler, SettleRules, Settling
from tests.fakes.grain import GRAIN
from tests.fakes.tray import Square, detect_things, settle_all

FPS = 30
Dice = Sequence[tuple[float, float]]


def tray(*dice: tuple[float, float], noise: float = 2.0, seed: int = 0, brightness: float = 90) -> np.ndarray:
    picture = np.full((480, 640, 3), brightness, np.float32)
    for x, y in dice:
        lay(picture, x, y, (40, 200, 60))
    return grainy(picture, seed, noise)


def grainy(picture: np.ndarray, seed: int, noise: float = 2.0) -> np.ndarray:
    """Return the picture with noise of its own."""
    y, x = 37 * seed % 480, 91 * seed % 640
    drawn, floor = GRAIN[y : y + 480, x : x + 640], -0.5
    return cv2.addWeighted(np.ascontiguousarray(picture, np.float32), 1, drawn, noise, floor, dtype=cv2.CV_8U)


def lay(picture: np.ndarray, x: float, y: float, colour: tuple[float, float, float], turn: float = 0.0) -> None:
    """Draw a die with a mark out of its middle, to a part of a pixel."""
    for half, at, ink in ((18, (0, 0), colour), (4, (9, 6), (255, 255, 255))):
        c, s = np.cos(turn), np.sin(turn)
        corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], float) + at
        placed = corners @ np.array([[c, s], [-s, c]]) + (x, y)
        cv2.fillPoly(picture, [np.rint(placed * 256).astype(np.int32)], ink, cv2.LINE_AA, 8)


def clip(pictures: Sequence[np.ndarray], fps: float = FPS) -> list[Frame]:
    return [Frame.of(np.asarray(picture, np.uint8), number=n, time=n / fps) for n, picture in enumerate(pictures)]


def still(count: int, *dice: tuple[float, float], **how: float) -> list[np.ndarray]:
    return [tray(*dice, seed=100 + n, **how) for n in range(count)]


def rolling(*ends: tuple[float, float]) -> list[np.ndarray]:
    """Ten frames of dice that roll in from the left, the last a step before they lie."""
    return [tray(*((x - 20 * n, y) for x, y in ends), seed=n) for n in range(10, 0, -1)]


def seen(pictures: Sequence[np.ndarray], fps: float = FPS, rules: SettleRules | None = None) -> list[Settling]:
    return list(settle_all(clip(pictures, fps), detect_things, rules))


def settled_at(pictures: Sequence[np.ndarray], fps: float = FPS) -> list[tuple[int, int]]:
    """(frame at which rest was known, frame since which nothing moved) of each settling."""
    return [(n, known.frames[0].number) for n, known in enumerate(seen(pictures, fps)) if known.settled]


@pytest.mark.parametrize("noise", [0.0, 2.0, 8.0, 16.0])
def test_a_still_tray_settles_once_and_stays_still_however_noisy(noise: float) -> None:
    assert settled_at(still(45, (300, 200), noise=noise)) == [(9, 0)]


def test_the_blotches_of_a_denoiser_wake_nothing_once_they_are_learnt_and_hide_no_die() -> None:
    """They are as wide as dice, in a part of the picture alone, and no two pictures share them."""

    def blotched(n: int, *dice: tuple[float, float]) -> np.ndarray:
        spots = np.random.default_rng(n).normal(0, 2, (30, 40, 3)).astype(np.float32)
        spots[:, 10:] = 0
        return grainy(tray(*dice, noise=0) + cv2.resize(spots, (640, 480), interpolation=cv2.INTER_NEAREST), n, 1)

    looked_at: list[int] = []
    pictures = [blotched(n, (500, 200)) for n in range(120)]
    rolls = [blotched(n, (500, 200), (80 - 20 * max(0, 130 - n), 200)) for n in range(120, 145)]
    known: list[Settling] = []

    def detect(picture: Pyramid) -> Sequence[Square]:
        looked_at.append(len(known))
        return detect_things(picture)

    settler = Settler(detect)
    for frame in clip([*pictures, *rolls]):
        known.append(settler.see(frame))
    assert {one.motion for one in known[10:120]} == {Motion.STILL}
    assert max(n for n in looked_at if n < 120) < 90
    assert [n for n, one in enumerate(known) if one.settled][1:] == [139]


def test_a_die_that_comes_to_rest_is_read_after_the_dwell_and_not_before() -> None:
    assert settled_at(still(15) + rolling((280, 200)) + still(30, (280, 200))) == [(9, 0), (34, 25)]


@pytest.mark.parametrize(("fps", "frames"), [(5, 2), (10, 3), (60, 18)])
def test_a_rest_is_told_by_time_however_many_pictures_there_are(fps: float, frames: int) -> None:
    first = round(fps) + 3
    found = settled_at(still(first) + rolling((280, 200)) + still(round(fps), (280, 200)), fps)
    assert found[-1] == (first + 10 + frames, first + 10)


@pytest.mark.parametrize(("contrast", "step"), [(30, 0.5), (60, 1.0), (150, 0.5)])
def test_a_slowly_creeping_die_is_not_still_however_faint(contrast: float, step: float) -> None:
    def faint(x: float, n: int) -> np.ndarray:
        picture = np.full((480, 640, 3), 100, np.float32)
        lay(picture, x, 200, (100 - contrast / 2, 100 + contrast, 100 + contrast / 2))
        return grainy(picture, n)

    lying = [faint(100, n) for n in range(12)]
    creeping = [faint(100 + step * (n + 1), 50 + n) for n in range(40)]
    assert [at for at in settled_at([*lying, *creeping]) if at[0] > 12] == []


@pytest.mark.parametrize("degrees", [2.0, 9.0, 90.0])
def test_a_die_that_spins_in_its_place_is_not_still(degrees: float) -> None:
    def spinning(n: int) -> np.ndarray:
        picture = np.full((480, 640, 3), 90, np.float32)
        lay(picture, 300, 200, (40, 200, 60), np.radians(degrees) * n)
        return grainy(picture, n, 1)

    turning = [spinning(n) for n in range(30)]
    assert [at for at in settled_at([*still(12, (300, 200)), *turning]) if at[0] > 14] == []


def test_a_die_of_the_very_grey_of_the_felt_is_seen_to_roll() -> None:
    def felt(x: int) -> np.ndarray:
        picture = np.full((480, 640, 3), (60, 100, 40), np.uint8)
        cv2.rectangle(picture, (x, 200), (x + 36, 236), (0, 0, 255), -1)
        return picture

    grey = cv2.cvtColor(felt(100), cv2.COLOR_BGR2GRAY)
    assert abs(int(grey[210, 110]) - int(grey[10, 10])) <= 3
    moving = [felt(100 + 4 * n) for n in range(30)]
    assert settled_at([felt(100)] * 12 + moving + [felt(220)] * 12)[1:] == [(51, 42)]


SKIN = (120, 150, 220)


def reaching(depth: float, *dice: tuple[float, float], seed: int = 0, skin: tuple[float, ...] = SKIN) -> np.ndarray:
    """A hand comes in from above, down to so many px."""
    picture = tray(*dice, seed=seed)
    if depth > 0:
        cv2.rectangle(picture, (200, 0), (340, round(depth)), skin, -1)
    return picture


def test_a_hand_that_reaches_in_is_told_from_a_die() -> None:
    hand = seen(still(15) + [reaching(60 + 20 * n, seed=n) for n in range(10)])
    assert {known.motion for known in hand[17:]} == {Motion.HAND}
    dice = seen(still(15) + rolling((280, 200)))
    assert {known.motion for known in dice[17:]} == {Motion.MOVING}


def test_a_hand_that_lies_still_beside_a_die_holds_a_reading_back_for_a_second() -> None:
    comes = [reaching(20 * n, seed=n) for n in range(10)]
    lies = [reaching(180, (270, 215), seed=100 + n) for n in range(60)]
    goes = [reaching(180 - 20 * n, (270, 215), seed=n) for n in range(10)]
    found = [at for at, _ in settled_at(still(15) + comes + lies + goes + still(20, (270, 215))) if at >= 15]
    rests = 15 + 10
    assert rests + FPS <= found[0] <= rests + 1.5 * FPS
    assert len(found) <= 2


def test_a_hand_that_works_beside_a_die_holds_a_reading_back_as_long_as_it_does() -> None:
    works = [reaching(170 + 10 * (n // 5 % 2), (270, 215), seed=n) for n in range(55)]
    assert [at for at in settled_at(still(15, (270, 215)) + works) if at[0] >= 15] == []


def test_a_hand_that_moves_far_from_the_dice_holds_nothing_back() -> None:
    waves = [reaching(90 + 15 * (n // 4 % 2), (600, 420), seed=n) for n in range(40)]
    comes = [reaching(90 + 15 * (n // 4 % 2), (600 - 20 * n, 420), seed=n) for n in range(10, 0, -1)]
    found = settled_at(still(15) + [reaching(30 * n, seed=n) for n in range(4)] + comes + waves)
    assert 29 + 8 <= found[-1][0] <= 29 + 14


def test_dice_under_a_hand_are_not_gone_however_still_it_lies() -> None:
    over = [reaching(min(30 * n, 260), seed=n) for n in range(60)]
    assert [at for at in settled_at(still(15, (270, 215)) + over) if at[0] >= 18] == []


def test_a_still_hand_is_one_also_when_the_camera_gives_it_the_colour_of_a_shadow() -> None:
    def skin(n: int) -> tuple[float, ...]:
        return tuple(np.interp(n, (5, 30), ends) for ends in ((55, 58), (64, 64), (75, 68)))

    comes = [reaching(20 * n, seed=n, skin=skin(0)) for n in range(10)]
    lies = [reaching(180, (270, 215), seed=100 + n, skin=skin(n)) for n in range(30)]
    assert [at for at in settled_at(still(15) + comes + lies) if 15 <= at[0] < 25 + FPS] == []


def test_a_thing_that_lies_still_at_the_edge_away_from_the_dice_is_no_hand() -> None:
    laid = [reaching(120, seed=n) for n in range(30)]
    thrown = [reaching(120, (600 - 20 * n, 420), seed=n) for n in range(10, 0, -1)]
    found = settled_at([*still(15), *laid, *thrown, *(reaching(120, (600, 420), seed=n) for n in range(12))])
    assert found[-1] == (64, 55)


def test_a_hand_that_was_there_first_and_goes_holds_nothing_up() -> None:
    there = [reaching(180, (270, 215), seed=n) for n in range(15)]
    found = settled_at(there + still(30, (270, 215)))
    assert found[-1] == (23, 14)


@pytest.mark.parametrize(
    ("slope", "offset"),
    [((1.2, 1.2, 1.2), 0), ((1.1, 0.95, 0.9), 0), ((0.7, 0.7, 0.7), 20)],
    ids=["exposure", "white balance", "contrast"],
)
def test_light_that_changes_is_neither_a_hand_nor_a_motion(slope: tuple[float, ...], offset: float) -> None:
    def lit(n: int, share: float) -> np.ndarray:
        picture = np.repeat(np.linspace(40, 130, 640)[None, :, None], 480, 0).repeat(3, 2).astype(np.float32)
        lay(picture, 60, 60, (40, 200, 60))
        picture = picture * (1 + (np.array(slope) - 1) * share) + offset * share
        return grainy(picture, n)

    known = seen([lit(n, min(1.0, max(0, n - 15) / 6)) for n in range(40)])
    assert {one.motion for one in known[10:]} == {Motion.STILL}


@pytest.mark.parametrize("share", [0.02, 0.06])
def test_a_lamp_that_flickers_in_bands_is_no_motion(share: float) -> None:
    def banded(n: int) -> np.ndarray:
        rows = 1 + share * np.sin(np.arange(480) / 25 + 2.1 * n)
        return np.clip(tray((300, 200), seed=n) * rows[:, None, None], 0, 255)

    assert settled_at([banded(n) for n in range(40)]) == [(9, 0)]


def test_a_lamp_that_slowly_dims_is_no_motion() -> None:
    bright = [tray((300, 200), seed=n, brightness=120) for n in range(80)]
    dimming = [(picture * (1 - 0.002 * n)).astype(np.uint8) for n, picture in enumerate(bright)]
    assert settled_at(dimming) == [(9, 0)]


def test_one_bad_picture_does_not_begin_the_dwell_anew() -> None:
    pictures = still(15) + rolling((280, 200)) + still(20, (280, 200))
    pictures[30] = np.roll(pictures[30], 7, axis=1)
    assert settled_at(pictures)[-1][0] <= 36


def test_a_camera_that_is_pushed_takes_dice_and_ground_along() -> None:
    ground = cv2.resize(np.random.default_rng(5).uniform(80, 100, (48, 64, 3)).astype(np.float32), (640, 480))

    def pushed(shift: float) -> np.ndarray:
        picture = ground.copy()
        lay(picture, 300, 200, (40, 200, 60))
        move = np.array([[1, 0, shift], [0, 1, 0]], np.float32)
        return cv2.warpAffine(picture, move, (640, 480), borderMode=cv2.BORDER_REPLICATE)

    drifting = [pushed(0.25 * n) for n in range(45)]
    assert settled_at(drifting)[0] == (9, 0)


def test_another_scene_is_seen_however_soon_it_comes() -> None:
    """What differs all over is no noise."""
    cloth = cv2.resize(np.random.default_rng(3).uniform(20, 230, (12, 16, 3)).astype(np.float32), (640, 480))
    lay(cloth, 240, 200, (40, 200, 60))
    scenes = [cloth] * 12 + [cloth[:, ::-1]] * 20
    assert settled_at([grainy(scene, n, 1) for n, scene in enumerate(scenes)])[1:] == [(21, 12)]


def cloth_round_the_tray() -> np.ndarray:
    """Return a tray that differs all round from the bare one."""
    squares = np.random.default_rng(3).uniform(20, 230, (6, 8, 3)).astype(np.float32)
    cloth = squares.repeat(80, axis=0).repeat(80, axis=1)
    cloth[60:420, 60:580] = 90
    return cloth


def test_another_scene_is_no_hand_though_its_middle_looks_alike() -> None:
    """It differs all round, and a hand comes in from one side or two."""
    cloth = cloth_round_the_tray()
    lay(cloth, 100, 240, (40, 200, 60))
    assert settled_at([*still(12), *(grainy(cloth, n, 2) for n in range(20))])[1:] == [(21, 12)]


def test_another_scene_is_a_motion_though_no_two_pictures_show_it() -> None:
    assert seen([*still(12), grainy(cloth_round_the_tray(), 0)], fps=1)[-1].has_moved


def test_a_frame_cannot_be_written_to() -> None:
    frame = clip(still(1))[0]
    assert not frame.picture.flags.writeable


def test_a_tray_that_trembles_says_that_it_never_rests() -> None:
    pictures = [np.roll(tray((300, 200), seed=n), (0, 12 * (n % 2)), (0, 1)) for n in range(70)]
    known = seen(pictures)
    assert not any(one.settled for one in known)
    assert next(n for n, one in enumerate(known) if one.is_unsteady) / FPS < 2.3


def test_square_is_a_detection() -> None:
    assert [one.middle for one in detect_things(Pyramid(tray((300, 200))))] == [pytest.approx((300, 200), abs=1)]
    assert Square((1, 1)).score > 0.5
