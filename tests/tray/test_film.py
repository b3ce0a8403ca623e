"""The last moments before the dice lay still."""

from __future__ import annotations

import pickle

import cv2
import numpy as np

from tableside.tray.film import PICTURES, SECONDS, Film, Reel
from tableside.tray.frame import Frame

FPS = 30


def frame(number: int, *, size: tuple[int, int] = (960, 1280)) -> Frame:
    """A frame whose grey level says its number."""
    return Frame.of(np.full((*size, 3), number, np.uint8), number=number, time=number / FPS)


def film_of(reel: Reel) -> Film | None:
    cut = reel.cut()
    return None if cut is None else cut.film()


def levels(film: Film) -> list[float]:
    """The grey level of each picture."""
    sheet = cv2.imdecode(np.frombuffer(film.sheet, np.uint8), cv2.IMREAD_GRAYSCALE)
    w, h = film.width_px, film.height_px
    return [
        float(sheet[h * (n // film.columns) + h // 2, w * (n % film.columns) + w // 2]) for n in range(len(film.times))
    ]


def test_a_film_holds_the_last_moments_up_to_the_rest() -> None:
    reel = Reel()
    for number in range(100):
        reel.see(frame(number))
    reel.rest(90)  # the dwell of ten frames came after it
    film = film_of(reel)
    assert len(film.times) == PICTURES
    assert film.times[0] == 0
    assert SECONDS - 0.15 < film.times[-1] <= SECONDS
    assert (film.width_px, film.height_px) == (480, 360)
    seen = levels(film)
    assert seen == sorted(seen)
    assert 90 <= seen[-1] <= 93  # the first picture of the dice as they lie, and none after it
    assert seen[0] >= 90 - SECONDS * FPS


def test_a_short_throw_makes_a_short_film() -> None:
    reel = Reel()
    for number in range(100, 112):
        reel.see(frame(number))
    reel.rest(108)
    film = film_of(reel)
    assert film.times[-1] < 0.4
    assert 99 <= levels(film)[0] <= 101


def test_a_film_is_cut_once_and_never_without_a_rest() -> None:
    reel = Reel()
    assert reel.cut() is None
    for number in range(20):
        reel.see(frame(number))
    assert reel.cut() is None  # somebody had the tray read while it moved
    for number in range(20, 40):
        reel.see(frame(number))
    reel.rest(35)
    film = film_of(reel)
    assert film is not None
    assert min(levels(film)) >= 19  # what was before the first cut is in no film after it
    assert reel.cut() is None


def test_dice_that_lay_there_from_the_start_make_no_film() -> None:
    reel = Reel()
    for number in range(10):
        reel.see(frame(number))
    reel.rest(0)
    assert reel.cut() is None


def test_a_camera_that_was_opened_anew_begins_anew() -> None:
    reel = Reel()
    for number in range(100, 130):
        reel.see(frame(number))
    for number in range(12):
        reel.see(frame(number, size=(480, 640)))
    reel.rest(11)
    film = film_of(reel)
    assert film is not None
    assert max(levels(film)) <= 12


def test_a_slow_camera_gives_what_it_has_and_a_wide_one_keeps_its_shape() -> None:
    reel = Reel()
    for number in range(20):
        picture = np.full((720, 1280, 3), number, np.uint8)
        reel.see(Frame.of(picture, number=number, time=number / 4))
    reel.rest(18)
    film = film_of(reel)
    assert (film.width_px, film.height_px) == (480, 270)
    assert film.times == (0, 0.25, 0.5, 0.75, 1.0)


def test_memory_is_bounded_however_long_the_dice_roll() -> None:
    bytes_held = []
    for frames in (300, 3000):
        reel = Reel()
        for number in range(frames):
            reel.see(Frame.of(np.zeros((48, 64, 3), np.uint8), number=number, time=number / FPS))
        bytes_held.append(len(pickle.dumps(reel)))
    assert bytes_held[1] < 1.1 * bytes_held[0]
