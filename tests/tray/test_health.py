"""What is wrong with a picture is told from frames alone, soon, and healed as soon."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, cycle, islice, repeat

import cv2
import numpy as np
import pytest

from tableside.tray.frame import Frame
from tableside.tray.health import Fault, Health, HealthRules, check_frame, measure_sharpness, update_pace
from tableside.tray.motion import small_of
from tableside.tray.scene import Scene, scene_change
from tests.fakes.grain import GRAIN

FPS = 30
RNG = np.random.default_rng(5)
Picture = np.ndarray


def room(
    noise: float = 2.0, light: float = 1.0, blur: int = 0, shift: int = 0, size: tuple[int, int] = (640, 480)
) -> Picture:
    """A tray with a rim, marks and a die, by a camera with noise."""
    picture = np.full((480, 640, 3), 90, np.uint8)
    cv2.rectangle(picture, (60 + shift, 50), (580 + shift, 430), (50, 80, 150), 12)
    for x, y in ((90, 80), (550, 80), (90, 400), (550, 400), (320, 80), (320, 400)):
        cv2.circle(picture, (x + shift, y), 9, (220, 220, 220), 3)
    cv2.rectangle(picture, (300 + shift, 220), (330 + shift, 250), (30, 200, 60), -1)
    if blur:
        picture = cv2.GaussianBlur(picture, (0, 0), blur)
    y, x = RNG.integers(480), RNG.integers(640)
    drawn = GRAIN[y : y + 480, x : x + 640]
    return cv2.resize(cv2.addWeighted(picture.astype(np.float32), light, drawn, noise, -0.5, dtype=cv2.CV_8U), size)


def lasting(make: Callable[[], Picture], seconds: float) -> Iterable[Picture]:
    """Five pictures in turn: no two that follow one another are alike."""
    return islice(cycle([make() for _ in range(5)]), round(seconds * FPS))


def frozen(seconds: float) -> Iterable[Picture]:
    return repeat(room(), round(seconds * FPS))


def told(
    *parts: Iterable[Picture], fps: float = FPS, asked: float | None = FPS, **rules: object
) -> list[tuple[float, Fault | None]]:
    """(seconds, fault) whenever what is told changes."""
    settings = HealthRules(is_live=True, fps=asked, **rules)
    health, found = Health(), []
    for number, picture in enumerate(chain(*parts)):
        frame = Frame.of(picture, number=number, time=number / fps)
        before = health.fault
        health = check_frame(update_pace(health, frame), frame, small_of(picture), settings)
        if not health.hides_dice:
            health = measure_sharpness(health, frame, settings)
        if health.fault is not before:
            found.append((frame.time, health.fault))
    return found


FAULTS: dict[Fault, Callable[[float], Iterable[Picture]]] = {
    Fault.FROZEN: frozen,
    Fault.BLACK: lambda s: lasting(lambda: room(light=0.02), s),
    Fault.WHITE: lambda s: lasting(lambda: room(light=9.0), s),
    Fault.DARK: lambda s: lasting(lambda: room(light=0.3), s),
    Fault.BRIGHT: lambda s: lasting(lambda: room(light=1.6), s),
    Fault.BLURRED: lambda s: lasting(lambda: room(blur=5), s),
    Fault.SIZE: lambda s: lasting(lambda: room(size=(320, 240)), s),
}


def test_pictures_whose_decoder_warns_are_a_fault_of_the_camera_however_long_they_last() -> None:
    """One picture of a damaged JPEG that is shown again and again is damaged, not frozen."""
    health, found, half = Health(), [], room()
    for number in range(round(8 * FPS)):
        is_damaged = 2 <= number / FPS < 5
        picture = half if is_damaged else room()
        frame = Frame.of(picture, number=number, time=number / FPS, is_damaged=is_damaged)
        before, health = health.fault, check_frame(health, frame, small_of(picture), HealthRules(is_live=True))
        if health.fault is not before:
            found.append(health.fault)
        assert health.hides_dice or not is_damaged
    assert found == [Fault.DAMAGED, None]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_within_two_seconds_and_healed_within_two(fault: Fault) -> None:
    found = told(lasting(room, 2), FAULTS[fault](3), lasting(room, 3), size_px=(640, 480))
    assert [what for _, what in found] == [fault, None]
    assert 2 < found[0][0] <= 4
    assert 5 <= found[1][0] <= 7


def test_a_healthy_camera_is_never_in_trouble() -> None:
    assert told(lasting(room, 6)) == []


def test_a_camera_that_slows_down_is_told() -> None:
    assert [what for _, what in told(lasting(room, 3), fps=6)] == [Fault.SLOW]


def test_a_camera_of_one_picture_a_second_is_told_though_no_rate_was_asked_for() -> None:
    slow = [room() for _ in range(4)]
    assert told(slow, fps=1, asked=None) == [(2.0, Fault.SLOW)]
    assert told(slow * 3, fps=5, asked=None) == []


def test_a_short_flicker_is_no_fault() -> None:
    assert told(lasting(room, 2), FAULTS[Fault.BLACK](0.3), lasting(room, 2)) == []


def test_a_table_that_stays_darker_is_accepted() -> None:
    found = told(lasting(room, 2), FAULTS[Fault.DARK](15))
    assert [what for _, what in found] == [Fault.DARK, None]


@pytest.mark.parametrize("light", [1.6, 2.5, 4.0])
def test_a_picture_that_is_too_bright_is_told_and_is_not_taken_for_the_light_of_rest(light: float) -> None:
    found = told(lasting(room, 2), lasting(lambda: room(light=light), 4), lasting(room, 3))
    assert [what for _, what in found] in ([Fault.BRIGHT, None], [Fault.WHITE, None])
    assert 2 < found[0][0] < 5
    assert found[1][0] < 7


@pytest.mark.parametrize("dim", [0.45, 0.6, 0.68])
def test_light_that_dims_for_a_moment_and_comes_back_is_no_fault_also_the_second_time(dim: float) -> None:
    dimmed = [part for _ in range(2) for part in (lasting(lambda: room(light=dim), 1.5), lasting(room, 2))]
    assert told(lasting(room, 2), *dimmed) == []


def test_more_light_than_a_dim_table_had_for_long_is_told() -> None:
    found = told(lasting(room, 2), lasting(lambda: room(light=0.6), 12), lasting(room, 3))
    assert [what for _, what in found] == [Fault.BRIGHT]


def test_a_still_film_is_not_frozen() -> None:
    settings = HealthRules(is_live=False)
    health = Health()
    picture = room()
    for number in range(90):
        frame = Frame.of(picture, number=number, time=number / FPS)
        health = check_frame(health, frame, small_of(picture), settings)
        if not health.hides_dice:
            health = measure_sharpness(health, frame, settings)
    assert health.fault is None


def test_dice_taken_from_the_tray_are_no_blur() -> None:
    bare = cv2.rectangle(room(), (280, 200), (350, 270), (90, 90, 90), -1)
    assert told(lasting(room, 2), lasting(lambda: bare + RNG.integers(0, 2, bare.shape, np.uint8), 3)) == []


def test_a_roll_taken_from_a_plain_tray_is_no_blur_though_some_dice_are_as_dark_as_it() -> None:
    plain = np.full((480, 640, 3), 45, np.uint8)
    dice = plain.copy()
    for column, level in enumerate((38, 38, 38, 190, 120, 160)):
        cv2.rectangle(dice, (40 + 100 * column, 200), (90 + 100 * column, 250), (level,) * 3, -1)
        cv2.circle(dice, (65 + 100 * column, 225), 2, (230, 230, 230), -1)
    before, after = Scene.of(dice), Scene.of(plain)
    assert scene_change(after, before).sharpness is None
    filmed = (lasting(lambda p=p: p + RNG.integers(0, 2, p.shape, np.uint8), 2) for p in (dice, plain))
    assert told(*filmed) == []


def test_a_look_tells_light_focus_and_place_apart() -> None:
    before = Scene.of(room())
    same, dim, blurred, moved = (
        scene_change(Scene.of(picture), before) for picture in (room(), room(light=0.6), room(blur=5), room(shift=30))
    )
    assert same.light == pytest.approx(1, abs=0.03)
    assert same.sharpness == pytest.approx(1, abs=0.2)
    assert same.shift == pytest.approx(0, abs=0.003)
    assert dim.light == pytest.approx(0.6, abs=0.05)
    assert dim.sharpness == pytest.approx(1, abs=0.35)
    assert blurred.sharpness is not None
    assert blurred.sharpness < 0.2
    assert moved.shift == pytest.approx(30 / 640, abs=0.01)


def test_a_tray_that_never_comes_to_rest_is_told() -> None:
    health = Health()
    for number, picture in enumerate(lasting(room, 2)):
        frame = Frame.of(picture, number=number, time=number / FPS)
        health = check_frame(health, frame, small_of(picture), HealthRules(), aside=Fault.UNSTEADY)
    assert health.fault is Fault.UNSTEADY
    assert not health.hides_dice
