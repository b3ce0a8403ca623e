"""The Pi's own camera: the whole sensor, locks that hold, lamps that flicker, and opens that fail without a trace."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.optics import LENSES, Lens
from tableside.adapters.camera.flicker import without_flicker
from tableside.adapters.camera.picamera import PiCamera, pi_cameras
from tableside.adapters.camera.port import AUTOMATIC, Camera, Controls, opened
from tableside.errors import CameraError
from tests.adapters.test_camera import LOCKED, SIZE, draw
from tests.conftest import ROOT
from tests.fakes.pi_camera import SMALL_HEAP_BYTES, fake_pi

pytestmark = pytest.mark.filterwarnings("ignore:setDaemon")  # picamera2 0.3.38 calls it
RIBBON = [lens for lens in LENSES if lens.sensor]
SHIPPED = (1280, 960)


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    with fake_pi(monkeypatch) as install:
        yield install


def columns(_number: int, width: int, height: int) -> np.ndarray:
    """Draw each place with its own shares of the sensor: 200 levels of green across, 200 of red down."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, :, 1] = np.linspace(0, 200, width).astype(np.uint8)
    picture[:, :, 2] = np.linspace(0, 200, height).astype(np.uint8)[:, None]
    return picture


def until_exposed(camera: Camera, exposure_us: int) -> None:
    """Take frames until one was exposed like this: a sensor takes a few to follow."""
    for _, _frame in zip(range(60), camera.frames(), strict=False):
        if camera.controls().exposure_us == exposure_us:
            return
    raise AssertionError(camera.controls())


def shares_seen(camera: Camera) -> tuple[float, float]:
    """Return how much of the sensor's width and height the camera's large and small pictures show."""
    with opened(camera):
        frame = next(camera.frames())
    assert frame.small is not None
    large, small = (
        tuple((int(picture[-3, -3, at]) - int(picture[2, 2, at])) / 200 for at in (1, 2))
        for picture in (frame.picture, cv2.resize(frame.small, frame.picture.shape[1::-1]))
    )
    assert small == pytest.approx(large, abs=0.05)
    return large[0], large[1]


@pytest.mark.parametrize("lens", RIBBON, ids=lambda lens: lens.name)
def test_what_the_adapter_sees_is_what_the_optics_compute(pi: Callable[..., Any], lens: Lens) -> None:
    """Nearly: the two angles of a datasheet do not fit square pixels, by 5 % for the wide lens that bends edges."""
    sensor = pi(columns, model=lens.sensor)
    camera = PiCamera(size_px=SHIPPED)
    across, down = shares_seen(camera)
    assert max(across, down) == pytest.approx(1, abs=0.02), "the middle of the sensor alone"
    assert camera.view.shares == pytest.approx((across, down), abs=0.02)
    assert camera.view.sensor == lens.sensor
    assert not sensor.violations
    width, height = lens.sees_mm(100)
    wide, high = lens.whole_mm(100)
    assert (wide * across, high * down) == pytest.approx((width, height), rel=0.06)


def test_every_camera_of_the_parts_list_has_its_optics() -> None:
    rows = (ROOT / "hardware" / "parts.md").read_text(encoding="utf-8").splitlines()
    first, _, others = next(row.strip("| ").split(" | ") for row in rows if row.startswith("| Camera Module 3 "))
    known = [lens.name.replace("like the C920", "that focuses at 30 cm") for lens in LENSES]
    named = [first, *others.replace("with the 6 mm CS lens", "6 mm CS lens").split(", ")]
    assert sorted(name.replace(",", "") for name in known) == sorted(named)


@pytest.mark.parametrize(
    ("model", "size_px", "mode"),
    [
        ("imx708", (1280, 960), "2304x1296"),
        ("imx708_wide", (1280, 960), "2304x1296"),
        ("imx708", (640, 480), "2304x1296"),
        ("imx708", (2592, 1944), "4608x2592"),
        ("imx708", (6000, 4000), "4608x2592"),
        ("imx219", (640, 480), "1640x1232"),
        ("imx219", (1920, 1080), "3280x2464"),
        ("imx477", (1280, 960), "2028x1520"),
        ("imx477", (1280, 720), "2028x1520"),
    ],
)
def test_the_smallest_mode_that_reads_the_whole_sensor_is_taken(
    pi: Callable[..., Any], model: str, size_px: tuple[int, int], mode: str
) -> None:
    sensor = pi(lambda _number, width, height: np.zeros((height, width, 3), np.uint8), model=model)
    camera = PiCamera(size_px=size_px)
    camera.open()
    camera.close()
    configured = [line for line in sensor.log if line.startswith("configure")]
    assert configured[-1] == f"configure {mode}"
    assert not sensor.violations


@pytest.mark.parametrize("lens", RIBBON, ids=lambda lens: lens.name)
def test_choosing_a_mode_takes_no_memory(pi: Callable[..., Any], lens: Lens) -> None:
    """Four raw pictures of the HQ Camera's largest mode are 74 MB, which a small Pi has not."""
    pi(columns, model=lens.sensor, heap_bytes=SMALL_HEAP_BYTES)
    with opened(PiCamera(size_px=SHIPPED)) as camera:
        next(camera.frames())


def test_the_field_of_view_is_said_in_words(pi: Callable[..., Any]) -> None:
    pi(columns, model="imx708_wide")
    with opened(PiCamera(size_px=SHIPPED)) as camera:
        next(camera.frames())
        words = "field of view 86 x 67 degrees: 75% of the width and 100% of the height of the sensor imx708_wide"
        assert camera.view.words == words


def test_an_absent_pi_camera_says_so_and_is_found_when_it_comes(pi: Callable[..., Any]) -> None:
    for _ in range(2):
        with pytest.raises(CameraError, match=r"Pi camera 0: is not found. .* ribbon"):
            PiCamera().open()
        with pytest.raises(CameraError, match="finds no camera"):
            pi_cameras()
    pi(draw)
    with opened(PiCamera(size_px=SIZE)) as camera:
        next(camera.frames())
    assert pi_cameras().endswith("imx708")


def test_a_usb_camera_that_libcamera_lists_is_no_ribbon_camera(pi: Callable[..., Any]) -> None:
    pi(draw).id = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825"
    with pytest.raises(CameraError, match="is not found"):
        PiCamera().open()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("fault", ["is_held", "fails_to_start", "cannot be configured", "has no sizes"])
def test_opens_that_fail_leave_nothing_open(
    pi: Callable[..., Any], fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing but reference counts closes anything meanwhile: the collector of cycles comes late on a quiet table."""
    sensor = pi(draw)
    camera = PiCamera(size_px=SIZE)
    with opened(camera):
        next(camera.frames())
    with monkeypatch.context() as broken:
        if fault == "cannot be configured":
            broken.setattr(sensor, "configure", lambda _configuration: -22)
        elif fault == "has no sizes":
            broken.setattr(type(sensor.sensor), "raw_sizes", {})
        else:
            broken.setattr(sensor, fault, True)
        gc.disable()
        try:
            before = 0
            for _ in range(1000 if fault == "is_held" else 3):
                with pytest.raises(CameraError, match="Check that no other program uses the camera"):
                    camera.open()
                before = before or open_files()  # of the manager, and of one camera that was closed last
            assert open_files() == before
        finally:
            gc.enable()
    with opened(camera):
        next(camera.frames())
    assert sensor.log.count("acquire") == sensor.log.count("release")


def test_the_pi_holds_focus_exposure_gain_and_white_balance(pi: Callable[..., Any]) -> None:
    sensor = pi(draw)
    with opened(PiCamera(size_px=SIZE, fps=15, mains_hz=0)) as camera:
        next(camera.frames())
        assert sensor.applied["FrameDurationLimits"] == (66666, 66666)
        assert (sensor.applied["AeEnable"], sensor.applied["AwbEnable"], sensor.applied["AfMode"]) == (True, True, 2)
        camera.lock(LOCKED)
        until_exposed(camera, 8000)
        assert camera.controls() == LOCKED
        assert camera.unheld == ""
    wanted = {"AfMode": 0, "LensPosition": 5.0, "ColourGains": (1.8, 1.4), "AnalogueGain": 2.0}
    assert {name: sensor.applied[name] for name in wanted} == wanted
    assert not sensor.violations
    assert sensor.log[-2:] == ["stop", "release"]


def test_the_pi_holds_what_was_locked_when_it_is_opened_again(pi: Callable[..., Any]) -> None:
    sensor = pi(draw)
    camera = PiCamera(size_px=SIZE, mains_hz=0)
    camera.lock(LOCKED)
    with opened(camera):
        next(camera.frames())
        assert camera.controls() == LOCKED  # what is set before the start holds from the first frame on
        camera.lock(AUTOMATIC)
        until_exposed(camera, sensor.loop.found["ExposureTime"])
        assert (sensor.applied["AeEnable"], sensor.applied["AwbEnable"], sensor.applied["AfMode"]) == (True, True, 2)
        assert camera.controls().colour_gains == sensor.loop.found["ColourGains"]
    assert not sensor.violations


def test_a_pi_camera_without_autofocus_holds_the_rest(pi: Callable[..., Any]) -> None:
    sensor = pi(draw, model="imx477")
    camera = PiCamera(size_px=SIZE, mains_hz=0)
    camera.lock(LOCKED)
    with opened(camera):
        until_exposed(camera, 8000)
        assert camera.controls().lens is None
        assert camera.unheld == ""
    assert not {"AfMode", "LensPosition"} & set(sensor.applied)
    assert not sensor.violations


@pytest.mark.parametrize(
    ("stuck", "words"),
    [
        ({"ExposureTime": 33000}, "exposure in microseconds: 8000 asked, 33000 came"),
        ({"AnalogueGain": 1.0}, "gain: 2 asked, 1 came"),
        ({"ColourGains": (1.8, 2.0)}, "gains of red and blue: 1.8 and 1.4 asked, 1.8 and 2 came"),
        ({"LensPosition": 1.0}, "focus in dioptres: 5 asked, 1 came"),
        ({"ExposureTime": 8100, "AnalogueGain": 2.04}, ""),
    ],
    ids=lambda value: ", ".join(value) if isinstance(value, dict) else "",
)
def test_what_came_back_is_compared_with_what_was_asked(
    pi: Callable[..., Any], stuck: dict[str, Any], words: str
) -> None:
    sensor = pi(draw)
    camera = PiCamera(size_px=SIZE, mains_hz=0)
    camera.lock(LOCKED)
    with opened(camera):
        sensor.loop.stuck = stuck
        list(islice(camera.frames(), 40))
        assert camera.unheld == words
        sensor.loop.stuck = {}
        list(islice(camera.frames(), 3))
        assert camera.unheld == ""


def test_a_lock_that_was_lost_is_asked_for_once_more(pi: Callable[..., Any]) -> None:
    sensor = pi(draw)
    camera = PiCamera(size_px=SIZE, mains_hz=0)
    camera.lock(LOCKED)
    with opened(camera):
        next(camera.frames())
        sensor.loop.obey({"AeEnable": True})  # as where a driver starts anew
        until_exposed(camera, 8000)
        list(islice(camera.frames(), 30))
        assert camera.unheld == ""


@pytest.mark.parametrize(("mains_hz", "period_us"), [(50, 10000), (60, 8333)])
def test_the_camera_is_asked_to_see_no_flicker(pi: Callable[..., Any], mains_hz: int, period_us: int) -> None:
    sensor = pi(draw)
    camera = PiCamera(size_px=SIZE, mains_hz=mains_hz)
    camera.lock(Controls(exposure_us=15700, gain=2.0))
    with opened(camera):
        next(camera.frames())
        told = camera.controls()
        assert (sensor.applied["AeFlickerMode"], sensor.applied["AeFlickerPeriod"]) == (1, period_us)
        assert told.exposure_us is not None
        assert told.gain is not None
        assert told.exposure_us == pytest.approx(2 * period_us, abs=1)
        assert told.exposure_us * told.gain == pytest.approx(15700 * 2.0, rel=0.001)
    assert not sensor.violations


def test_where_no_lamp_flickers_nothing_is_asked(pi: Callable[..., Any]) -> None:
    sensor = pi(draw)
    with opened(PiCamera(size_px=SIZE, mains_hz=0)) as camera:
        next(camera.frames())
    assert sensor.applied["AeFlickerMode"] == 0
    assert "AeFlickerPeriod" not in sensor.applied


@pytest.mark.parametrize(
    ("exposure_us", "gain", "mains_hz", "becomes"),
    [
        (10_000, 1.0, 50, (10_000, 1.0)),
        (8_000, 2.0, 50, (10_000, 1.6)),
        (26_000, 1.5, 50, (30_000, 1.3)),
        (24_000, 1.5, 50, (20_000, 1.8)),
        (33_000, 16.0, 50, (33_000, 16.0)),  # too dark for less light: the frame has no room for 40 ms
        (29_000, 1.0, 50, (20_000, 1.45)),
        (4_000, 1.0, 50, (4_000, 1.0)),  # too bright for one whole flicker
        (17_000, 1.2, 60, (16_667, 1.224)),
        (25_500, 1.0, 60, (25_000, 1.02)),
    ],
)
def test_a_locked_exposure_is_of_whole_flickers_where_the_light_allows(
    exposure_us: int, gain: float, mains_hz: int, becomes: tuple[int, float]
) -> None:
    exposed = without_flicker(exposure_us, gain, mains_hz=mains_hz, longest_us=1e6 / 30, gains=(1.0, 16.0))
    assert exposed == pytest.approx(becomes, rel=0.001)


def test_a_pi_camera_that_hangs_says_so(pi: Callable[..., Any]) -> None:
    sensor = pi(draw)
    with opened(PiCamera(size_px=SIZE, timeout_seconds=0.05)) as camera:
        sensor.is_hanging = True
        with pytest.raises(CameraError, match="gives no pictures"):
            list(islice(camera.frames(), 10))


def test_the_sensors_of_the_stand_in_have_what_the_real_ones_have() -> None:
    """Each has a mode of the whole sensor and one that crops it, as the real ones have."""
    from tests.fakes.libcamera.sensors import SENSORS

    for sensor in SENSORS.values():
        whole = [mode.crop[2:] == sensor.size for mode in sensor.modes]
        assert any(whole)
        assert not all(whole)
