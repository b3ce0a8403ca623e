"""A phone as the tray's camera: who it is, who asks for leave, and what it says when the phone sleeps."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tableside.adapters.camera.phone import PhoneCamera, PhonePictures
from tableside.adapters.camera.port import opened
from tableside.errors import CameraError, Conflict
from tests.adapters.test_camera import jpeg
from tests.fakes.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock(50.0)


@pytest.fixture
def pictures(clock: Clock) -> PhonePictures:
    return PhonePictures(clock=clock)


def test_only_the_newest_picture_counts_and_another_size_is_taken_as_it_comes(
    pictures: PhonePictures, clock: Clock
) -> None:
    pictures.begin("m", "Mara")
    camera = PhoneCamera(pictures, clock=clock)
    for number in range(3):
        clock.now += 0.1
        pictures.put(jpeg(number), id="m", name="Mara")
    with opened(camera):
        frames = camera.frames()
        assert next(frames).time == pytest.approx(50.3)
        clock.now += 0.1
        pictures.put(jpeg(3, width=120, height=160), id="m", name="Mara")  # the phone was turned
        assert next(frames).picture.shape == (160, 120, 3)


def test_a_second_phone_asks_for_leave_until_it_is_given_refused_or_the_first_one_sleeps(
    pictures: PhonePictures, clock: Clock
) -> None:
    pictures.begin("m", "Mara")
    with pytest.raises(Conflict, match="Mara is the camera"):
        pictures.begin("j", "Jon")
    assert pictures.asks
    assert pictures.asks.name == "Jon"
    with pytest.raises(Conflict):
        pictures.put(jpeg(0), id="j", name="Jon")
    pictures.keep("j")
    assert pictures.asks  # who asks cannot refuse itself
    pictures.keep("m")
    assert pictures.asks is None
    with pytest.raises(Conflict):
        pictures.begin("j", "Jon")
    pictures.give("m")
    pictures.put(jpeg(0), id="j", name="Jon")
    clock.now += 11
    pictures.begin("m", "Mara")
    pictures.give("j")
    assert pictures.camera
    assert pictures.camera.id == "m"
    pictures.give("m")
    assert pictures.camera is None


def test_who_asked_long_ago_asks_no_more(pictures: PhonePictures, clock: Clock) -> None:
    pictures.begin("m", "Mara")
    with pytest.raises(Conflict):
        pictures.begin("j", "Jon")
    clock.now += 11
    assert pictures.asks is None
    pictures.give("m")
    assert pictures.camera is None


@pytest.mark.parametrize(("begins", "says"), [(False, "sends no pictures"), (True, "is asleep")])
def test_without_pictures_it_says_whom_to_wake(monkeypatch: pytest.MonkeyPatch, begins: bool, says: str) -> None:
    monkeypatch.setattr("tableside.adapters.camera.phone._ASLEEP_SECONDS", 0.05)
    pictures = PhonePictures()
    if begins:
        pictures.begin("m", "Mara")
    camera = PhoneCamera(pictures)
    with pytest.raises(CameraError, match=says) as error:
        camera.open()
    assert ("Mara" in error.value.hint) == begins
    assert camera.name == "phone camera"


STRIP = bytes(cv2.imencode(".jpg", np.zeros((2000, 3, 3), np.uint8))[1])


@pytest.mark.parametrize("data", [b"", b"GIF89a" + bytes(20), jpeg(0)[:20], STRIP])
def test_what_is_no_jpeg_is_refused(pictures: PhonePictures, data: bytes) -> None:
    pictures.begin("m", "Mara")
    with pytest.raises(CameraError, match="no JPEG"):
        pictures.put(data, id="m", name="Mara")
