"""Which camera the settings mean: a ribbon camera where there is one, else one on USB, and why."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tableside.adapters.camera import picamera
from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.camera.picamera import PiCamera
from tableside.adapters.camera.usb import UsbCamera
from tableside.app.camera_choice import camera_for, choose
from tableside.app.cameras import TableCameras
from tableside.config import NAME, Settings, load_settings, parse_settings
from tableside.errors import SettingsError
from tableside.tray.watch import Watch
from tests.fakes.pi_camera import fake_pi
from tests.fakes.tray import DrawnReader, draw_tray
from tests.fakes.usb_camera import FakeUsb

AUTO = CameraSettings()


def chosen(system: Path) -> tuple[str, Path | None, str]:
    found, why = choose(AUTO, system=system)
    return found.kind, found.path, why


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    with fake_pi(monkeypatch) as install:
        monkeypatch.setattr(picamera, "has_picamera", lambda: True)
        yield install


def plain(_number: int, width: int, height: int) -> np.ndarray:
    return np.full((height, width, 3), 90, np.uint8)


def test_a_ribbon_camera_is_taken_where_there_is_one(pi: Callable[..., Any], tmp_path: Path) -> None:
    pi(plain, model="imx219")
    FakeUsb(tmp_path, plain)
    assert chosen(tmp_path) == ("picamera", None, "on the ribbon connector: imx219")
    assert isinstance(camera_for(AUTO), PiCamera)


def test_without_a_ribbon_camera_the_usb_camera_is_taken_by_its_lasting_path(
    pi: Callable[..., Any], tmp_path: Path
) -> None:
    """Also where picamera2 is installed, and where the Pi's own decoders have the first numbers of video devices."""
    usb = FakeUsb(tmp_path, plain, index=8)
    why = "no ribbon camera is connected; the first of 1 on USB"
    assert chosen(tmp_path) == ("usb", usb.lasting, why)
    assert isinstance(camera_for(AUTO), UsbCamera)


def test_a_usb_camera_that_libcamera_knows_is_taken_as_a_usb_camera(pi: Callable[..., Any], tmp_path: Path) -> None:
    pi(plain).id = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825"
    assert chosen(tmp_path)[0] == "usb"


def test_with_no_camera_at_all_it_is_said_what_was_looked_for(pi: Callable[..., Any], tmp_path: Path) -> None:
    why = "no ribbon camera is connected; number 0 of the video devices"
    assert chosen(tmp_path) == ("usb", None, why)


def test_without_picamera2_it_is_said_that_no_ribbon_camera_can_be_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(picamera, "has_picamera", lambda: False)
    kind, path, why = chosen(tmp_path)
    assert (kind, path) == ("usb", None)
    assert "without picamera2 (on a Pi: sudo apt install python3-picamera2)" in why
    assert "number 0" in why


def test_a_path_names_the_usb_camera(pi: Callable[..., Any], tmp_path: Path) -> None:
    pi(plain)
    usb = FakeUsb(tmp_path, plain)
    for kind in ("auto", "usb"):
        settings = CameraSettings(kind=kind, path=usb.lasting)
        assert choose(settings, system=tmp_path)[0].path == usb.lasting
        assert camera_for(settings).name == f"USB camera {usb.lasting.name}"


def test_what_is_named_is_taken() -> None:
    assert choose(CameraSettings(kind="picamera"))[1] == '[camera] kind = "picamera"'
    with pytest.raises(SettingsError, match="Set path"):
        camera_for(CameraSettings(kind="video"))


@pytest.mark.parametrize(("told", "is_set"), [(50, "50"), ("60", "60"), ("off", "off")])
def test_the_mains_are_set_as_a_number_or_switched_off(told: object, is_set: str, tmp_path: Path) -> None:
    settings = parse_settings({"camera": {"mains_hz": told}}, file=tmp_path / "tableside.toml")
    assert settings.camera.mains_hz == is_set


def test_another_frequency_of_the_mains_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="mains_hz: must be one of 50, 60, off, not 40"):
        parse_settings({"camera": {"mains_hz": 40}}, file=tmp_path / "tableside.toml")


def test_a_damaged_jpeg_shown_for_seconds_changes_no_roll(tmp_path: Path) -> None:
    """The whole way from the camera's JPEGs to rolls: three of five dice are left where a packet was lost."""
    dice = [("green", 40, 40), ("yellow", 200, 40), ("purple", 120, 60), ("green", 60, 200), ("yellow", 240, 180)]
    shown = [draw_tray(), draw_tray(*dice)]
    usb = FakeUsb(tmp_path / "system", lambda number, _width, _height: shown[number >= 20])
    camera = UsbCamera(size_px=(320, 240), open_capture=usb.open, system=tmp_path / "system")
    _, jpeg = cv2.imencode(".jpg", shown[1], [cv2.IMWRITE_JPEG_QUALITY, 95])
    half = len(jpeg) // 2
    lost = jpeg.tobytes()[:half] + jpeg.tobytes()[half + 80 :]
    watch, told = Watch(DrawnReader()), []
    camera.open()
    for number, frame in zip(range(250), camera.frames(), strict=False):
        usb.damage = (lambda _jpeg: lost) if 99 <= number < 189 else bytes
        timed = type(frame).of(frame.picture, number=number, time=number / 30, is_damaged=frame.is_damaged)
        told += watch.see(timed)
    camera.close()
    words = [event.happening.value for event in told if event.reading is not None or event.fault is not None]
    assert words == ["roll", "trouble"]
    assert "healed" in [event.happening.value for event in told]
    assert next(event.reason for event in told if event.fault).startswith("gives damaged pictures")


class Watched:
    """A tray that is looked at through the camera that was found by itself."""

    settings = CameraSettings()

    def last_picture(self) -> np.ndarray:
        return np.full((48, 64, 3), 90, np.uint8)

    def look_through(self, settings: CameraSettings) -> None:
        self.settings = settings


def plugged_in(monkeypatch: pytest.MonkeyPatch, *devices: Path) -> None:
    """Let these be the machine's only cameras."""
    monkeypatch.setattr(picamera, "has_picamera", lambda: False)
    for where in ("adapters.camera.usb", "app.cameras", "app.camera_choice"):
        monkeypatch.setattr(f"tableside.{where}.usb_cameras", lambda **_: list(devices))


def test_the_camera_that_is_looked_through_is_not_opened_again_for_its_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "usb-C920-video-index0"
    plugged_in(monkeypatch, device)
    monkeypatch.setattr("tableside.app.cameras.UsbCamera", None)
    cameras: Any = TableCameras(Settings(), tray=Watched(), pages=object())  # type: ignore[arg-type]
    assert [one.is_now for one in cameras.all()] == [True, False, False, False]
    assert cv2.imdecode(np.frombuffer(cameras.picture_of(str(device)), np.uint8), cv2.IMREAD_COLOR).shape == (48, 64, 3)


def test_a_camera_is_chosen_while_the_page_still_loads_the_pictures_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_tried, may = threading.Event(), threading.Event()

    def first_picture(_: object) -> np.ndarray:
        is_tried.set()
        assert may.wait(20)
        return Watched().last_picture()

    plugged_in(monkeypatch, tmp_path / "first", tmp_path / "second")
    monkeypatch.setattr("tableside.app.cameras._first_picture", first_picture)
    tray = Watched()
    cameras: Any = TableCameras(Settings(file=tmp_path / NAME), tray=tray, pages=object())  # type: ignore[arg-type]
    with ThreadPoolExecutor(2) as pool:
        picture = pool.submit(cameras.picture_of, str(tmp_path / "second"))
        assert is_tried.wait(20)
        chosen = pool.submit(cameras.choose, kind="none", path="", url="")
        assert not chosen.done()
        may.set()
        assert picture.result()
        chosen.result()
    assert (tray.settings.kind, load_settings(tmp_path / NAME).camera.kind) == ("none", "none")
