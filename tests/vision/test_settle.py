"""Settling on drawn frames: the moment of rest is known exactly."""

from __future__ import annotations

import cv2
import numpy as np

from tableside.vision.frame import Frame
from tableside.vision.settle import Motion, SettleRules, settle_all

RULES = SettleRules(dwell_seconds=0.3)
FPS = 30


def tray(*dice: tuple[float, float], noise: float = 2.0, seed: int = 0, brightness: int = 90) -> np.ndarray:
    picture = np.full((480, 640, 3), brightness, np.uint8)
    for x, y in dice:
        cv2.rectangle(picture, (round(x) - 18, round(y) - 18), (round(x) + 18, round(y) + 18), (40, 200, 60), -1)
        cv2.circle(picture, (round(x), round(y)), 5, (255, 255, 255), -1)
    drawn = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture + drawn, 0, 255).astype(np.uint8)


def clip(pictures: list[np.ndarray]) -> list[Frame]:
    return [Frame.of(picture, number=n, time=n / FPS) for n, picture in enumerate(pictures)]


def still(count: int, *dice: tuple[float, float], **how: float) -> list[np.ndarray]:
    return [tray(*dice, seed=100 + n, **how) for n in range(count)]  # type: ignore[arg-type]


def settled_at(pictures: list[np.ndarray]) -> list[tuple[int, int]]:
    """(frame at which rest was known, frame since which nothing moved) of each settling."""
    found = settle_all(clip(pictures), RULES)
    return [(n, known.since.number) for n, known in enumerate(found) if known.settled]


def test_a_still_noisy_tray_settles_once_and_stays_still() -> None:
    assert settled_at(still(200, (300, 200), noise=8.0)) == [(9, 0)]


def test_a_die_that_comes_to_rest_is_read_after_the_dwell_and_not_before() -> None:
    rolling = [tray((100 + 20 * n, 200), seed=n) for n in range(10)]
    assert settled_at(still(15) + rolling + still(30, (280, 200))) == [(9, 0), (33, 24)]


def test_a_slowly_creeping_die_is_not_still() -> None:
    creeping = [tray((100 + 1.0 * n, 200), seed=n) for n in range(90)]
    assert [at for at in settled_at(still(15) + creeping) if at[0] > 15] == []


def test_a_die_of_the_very_grey_of_the_felt_is_seen_to_roll() -> None:
    def felt(x: int) -> np.ndarray:
        picture = np.full((480, 640, 3), (60, 100, 40), np.uint8)
        cv2.rectangle(picture, (x, 200), (x + 36, 236), (0, 0, 255), -1)
        return picture

    grey = cv2.cvtColor(felt(100), cv2.COLOR_BGR2GRAY)
    assert abs(int(grey[210, 110]) - int(grey[10, 10])) <= 3
    rolling = [felt(100 + 4 * n) for n in range(30)]
    assert settled_at([felt(100)] * 12 + rolling + [felt(220)] * 12)[1:] == [(51, 42)]


def test_a_hand_that_reaches_in_is_told_from_a_die() -> None:
    reaching = []
    for n in range(10):
        picture = tray(seed=n)
        cv2.rectangle(picture, (200, 0), (340, 20 * n + 60), (120, 150, 220), -1)
        reaching.append(picture)
    found = settle_all(clip(still(15) + reaching), RULES)
    assert {known.motion for known in found[15:]} == {Motion.HAND}
    dice = settle_all(clip(still(15) + [tray((100 + 20 * n, 200), seed=n) for n in range(10)]), RULES)
    assert {known.motion for known in dice[15:]} == {Motion.MOVING}


def test_a_lamp_that_slowly_dims_is_no_motion() -> None:
    bright = [tray((300, 200), seed=n, brightness=120) for n in range(160)]
    dimming = [(picture * (1 - 0.001 * n)).astype(np.uint8) for n, picture in enumerate(bright)]
    assert settled_at(dimming) == [(9, 0)]


def test_the_sharpest_frame_after_the_rest_is_chosen() -> None:
    pictures = still(12, (300, 200))
    blurred = [cv2.GaussianBlur(picture, (9, 9), 0) if n != 4 else picture for n, picture in enumerate(pictures)]
    known = [known for known in settle_all(clip(blurred), RULES) if known.settled]
    assert [one.best.number for one in known] == [4]


def test_a_frame_cannot_be_written_to() -> None:
    frame = clip(still(1))[0]
    assert not frame.picture.flags.writeable
