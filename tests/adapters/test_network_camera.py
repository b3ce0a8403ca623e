"""A camera on the network that is lost, paused, cut, changed or locked is said, and nothing waits for it for long."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from itertools import islice

import pytest

from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.camera.network import NetworkCamera
from tableside.adapters.camera.port import opened
from tableside.app.camera_choice import camera_for
from tableside.config import Settings
from tableside.errors import CameraError, SettingsError
from tests.adapters.test_camera import draw
from tests.fakes.clock import Clock
from tests.fakes.network_camera import NetworkFake, served

PATHS = ("stream", "still")


@pytest.fixture
def fake() -> NetworkFake:
    return NetworkFake(draw)


@pytest.fixture
def address(fake: NetworkFake) -> Iterator[str]:
    with served(fake) as address:
        yield address


@pytest.mark.parametrize("path", PATHS)
def test_a_cut_picture_is_damaged_and_the_next_whole_one_is_not(fake: NetworkFake, address: str, path: str) -> None:
    with opened(NetworkCamera(f"{address}/{path}")) as camera:
        frames = camera.frames()
        assert not next(frames).is_damaged
        fake.is_cut = True
        assert any(frame.is_damaged for frame in islice(frames, 5))
        fake.is_cut = False
        assert not [frame.is_damaged for frame in islice(frames, 6)][-1]


def test_a_stream_that_stops_is_said_after_a_second_and_can_be_opened_again(fake: NetworkFake, address: str) -> None:
    camera = NetworkCamera(f"{address}/stream")
    for _ in range(2):
        with opened(camera):
            frames = camera.frames()
            next(frames)
            fake.is_paused = True
            with pytest.raises(CameraError, match="gives no pictures"):
                list(islice(frames, 20))
            fake.is_paused = False


def test_a_slow_table_gets_the_newest_picture_and_not_all_that_came_meanwhile(fake: NetworkFake, address: str) -> None:
    with opened(NetworkCamera(f"{address}/stream")) as camera:
        frames = camera.frames()
        first = next(frames)
        before = fake.sent
        while fake.sent < before + 10:  # the table is busy
            pass
        second = next(frames)
    assert second.number == first.number + 1
    assert second.time > first.time


def test_a_picture_that_came_long_ago_is_none(fake: NetworkFake, address: str) -> None:
    clock = Clock(100.0)
    with opened(NetworkCamera(f"{address}/stream", clock=clock)) as camera:
        frames = camera.frames()
        next(frames)
        clock.now += 5.0
        assert next(frames).time == 105.0
        fake.is_paused = True
        clock.now += 5.0
        with pytest.raises(CameraError, match="gives no pictures"):
            list(islice(frames, 20))


@pytest.mark.parametrize("path", PATHS)
def test_pictures_of_another_size_are_frames_of_that_size(fake: NetworkFake, address: str, path: str) -> None:
    with opened(NetworkCamera(f"{address}/{path}")) as camera:
        frames = camera.frames()
        assert next(frames).picture.shape == (120, 160, 3)
        fake.draw = lambda number: draw(number, 320, 240)
        assert [frame.picture.shape for frame in islice(frames, 8)][-1] == (240, 320, 3)


def test_tries_come_after_growing_pauses(address: str) -> None:
    clock = Clock(100.0)
    camera = NetworkCamera(f"{address}/nothing", clock=clock)
    for pause in (1.0, 2.0, 4.0):
        with pytest.raises(CameraError, match="answers 404"):
            camera.open()
        clock.now += pause - 0.1
        with pytest.raises(CameraError, match="is not reached"):
            camera.open()
        clock.now += 0.2


@pytest.mark.parametrize("path", PATHS)
def test_a_name_and_a_password_open_it_and_are_never_told(
    fake: NetworkFake, address: str, path: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    fake.login = "Basic " + base64.b64encode(b"mara:p@ss-word").decode()
    locked = address.replace("//", "//mara:p%40ss-word@") + f"/{path}"
    with opened(NetworkCamera(locked)) as camera:
        assert next(camera.frames()).number == 0
    wrong = NetworkCamera(locked.replace("ss-word", "ss-wrong"))
    with pytest.raises(CameraError) as caught:
        wrong.open()
    said = f"{caught.value}{camera.name}{wrong.name}{caplog.text}{''.join(capfd.readouterr())}"
    said += Settings(camera=CameraSettings(kind="network", url=locked)).to_toml()
    assert "answers 401" in str(caught.value)
    assert "ss-w" not in said


def test_an_address_of_no_camera_is_refused_by_the_settings_in_words() -> None:
    for url in ("", "ftp://camera/stream", "camera.local:8080", "http://[::1/x", "rtsp://camera:port/x", "http://"):
        with pytest.raises(SettingsError, match="is no address of a camera"):
            camera_for(CameraSettings(kind="network", url=url))


@pytest.mark.parametrize("scheme", ["http", "https", "rtsp"])
@pytest.mark.parametrize("login", ["", "mara:se@same@", "mara:sesame@", "mara:se:same@", "mara:se%2Fsame@"])
@pytest.mark.parametrize("rest", ["/sesame/stream.mjpg", ":8080/live/sesame", ":554/a@b/sesame", "?token=sesame", ""])
def test_of_an_address_the_host_alone_is_told(scheme: str, login: str, rest: str) -> None:
    assert NetworkCamera(f"{scheme}://{login}Cam.local{rest}").name == "network camera cam.local"
    assert NetworkCamera(f"{scheme}://{login}[fe80::2]{rest}").name == "network camera fe80::2"


@pytest.mark.parametrize("password", ["se/same", "se?same", "se#same"])
def test_a_password_that_ends_the_address_is_not_told_either(password: str) -> None:
    assert "same" not in NetworkCamera(f"http://mara:{password}@192.0.2.7:8080/video").name


@pytest.mark.parametrize("path", PATHS)
def test_a_secret_path_stands_in_no_error_and_no_log(
    fake: NetworkFake, address: str, path: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level("INFO")
    lost = [NetworkCamera(f"{url}/sesame-1/{path}?key=sesame-2") for url in (address, "http://127.0.0.1:1")]
    lost.append(NetworkCamera(f"rtsp://127.0.0.1:1/sesame-1/{path}"))
    said = []
    for camera in lost:
        for _ in range(2):  # the second try comes too early
            with pytest.raises(CameraError) as caught:
                camera.open()
            said.append(str(caught.value))
    assert "answers 404" in said[0]
    assert "sesame" not in "".join([*said, caplog.text, *capfd.readouterr()])
