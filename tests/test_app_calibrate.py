"""Setting a camera up, keeping that, taking it up again, and noticing later that it does not hold any more."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from tableside.adapters.camera.folder import FolderCamera
from tableside.adapters.camera.port import Controls, no_wait, opened
from tableside.adapters.camera.usb import UsbCamera
from tableside.app.calibrate import FOLDER, Calibrations, calibrate, made_of
from tableside.app.camera_setup import CameraSetup, CardCheck
from tableside.app.clip import record
from tableside.app.live import LiveTray
from tableside.cli import tableside
from tableside.errors import CameraError, SettingsError
from tableside.reader.photo import Picture
from tableside.table.messages import ClearTrouble, NewRoll, ShowTrouble
from tableside.tray.calibration import Drift
from tableside.tray.frame import Frame
from tableside.tray.region import WHOLE, Region
from tableside.tray.settle import Motion, SettleRules
from tests.fakes.card import seen as card_seen
from tests.fakes.grain import GRAIN
from tests.fakes.sensor import FakeSensor
from tests.fakes.table import KeepingTable
from tests.fakes.tray import DrawnReader, detect_things, settle_all
from tests.fakes.usb_camera import FakeUsb

RNG = np.random.default_rng(11)
CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))


def bare_tray(number: int = 0, width: int = 640, height: int = 480, *, light: float = 1.0) -> np.ndarray:
    """A green tray on a brown table, by a camera with noise."""
    picture = np.full((height, width, 3), (70, 110, 150), np.uint8)
    left, top = width // 10, height // 10
    cv2.rectangle(picture, (left, top), (width - left, height - top), (60, 100, 40), -1)
    for x in range(left + 20, width - left - 60, 90):  # stitches along the rim
        cv2.line(picture, (x, top + 8), (x + 40, top + 8), (210, 210, 210), 2)
        cv2.line(picture, (x, height - top - 8), (x + 40, height - top - 8), (210, 210, 210), 2)
    y, x = RNG.integers(GRAIN.shape[0] - height), RNG.integers(GRAIN.shape[1] - width)
    drawn = GRAIN[y : y + height, x : x + width]
    return cv2.addWeighted(picture.astype(np.float32), light, drawn, 2, -0.5, dtype=cv2.CV_8U)


def hand_over(number: int, width: int, height: int) -> np.ndarray:
    return cv2.circle(bare_tray(number, width, height), (60 + 7 * number, 200), 40, (0, 0, 255), -1)


@pytest.fixture
def usb(tmp_path: Path) -> FakeUsb:
    return FakeUsb(tmp_path / "system", bare_tray)


def camera_of(tmp_path: Path, usb: FakeUsb) -> UsbCamera:
    return UsbCamera(size_px=(640, 480), open_capture=usb.open, system=tmp_path / "system")


def test_a_camera_is_set_up_locked_and_remembered(tmp_path: Path, usb: FakeUsb) -> None:
    camera = camera_of(tmp_path, usb)
    meters: list[float] = []
    made = calibrate(camera, meter=lambda now: meters.append(now.sharpness))
    assert np.abs(np.array(made.calibration.corners) - CORNERS).max() < 0.02
    assert made.calibration.size_px == (640, 480)
    assert len(meters) > 5
    assert Controls.from_json(dict(made.calibration.controls)).exposure_us == 15_700
    with opened(camera):
        assert usb.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    kept = Calibrations(tmp_path / "kept")
    kept.save(made)
    again = kept.load(camera.name)
    assert again is not None
    assert again.calibration.to_json() == made.calibration.to_json()
    assert np.array_equal(again.empty, made.empty)
    assert kept.load("USB camera 1") is None


def test_a_person_may_know_the_corners_better(tmp_path: Path, usb: FakeUsb) -> None:
    assert calibrate(camera_of(tmp_path, usb), corners=WHOLE).calibration.corners == WHOLE


@pytest.mark.parametrize(
    ("scene", "words"),
    [
        (hand_over, "sees something move"),
        (lambda n, w, h: bare_tray(n, w, h, light=0.15), "Too dark"),
        (lambda n, w, h: bare_tray(n, w, h, light=3.0), "Too bright"),
    ],
    ids=["a hand", "dark", "bright"],
)
def test_a_bad_moment_for_the_set_up_is_refused(tmp_path: Path, scene: object, words: str) -> None:
    usb = FakeUsb(tmp_path / "system", scene)  # type: ignore[arg-type]
    with pytest.raises(CameraError, match=words):
        calibrate(camera_of(tmp_path, usb))


def test_the_test_card_is_no_empty_tray(tmp_path: Path) -> None:
    frames = [Frame.of(card_seen(), number=number, time=number / 30) for number in range(2)]
    with pytest.raises(CameraError, match="sees the test card"):
        made_of(camera_of(tmp_path, FakeUsb(tmp_path / "system", bare_tray)), frames)


def test_a_damaged_set_up_says_so(tmp_path: Path) -> None:
    (tmp_path / "usb-camera-0.json").write_text('{"camera": 3}')
    with pytest.raises(SettingsError, match="tableside calibrate"):
        Calibrations(tmp_path).load("USB camera 0")


def test_a_camera_that_was_moved_later_is_named_and_forgiven() -> None:
    sensor = FakeSensor(bare_tray())
    table = KeepingTable()
    tray = LiveTray(sensor, DrawnReader(), table, keep_picture=lambda *_: True, empty=bare_tray(), clock=lambda: 1.0)
    tray.start()
    try:
        sensor.scene = np.roll(bare_tray(), 30, axis=1)
        trouble = table.wait_for(lambda message: isinstance(message, ShowTrouble))
        assert isinstance(trouble, ShowTrouble)
        assert (trouble.part, trouble.what) == ("setup", Drift.MOVED.what)
        sensor.scene = bare_tray()
        table.wait_for(lambda message: isinstance(message, ClearTrouble) and message.part == "setup")
    finally:
        tray.close()
    assert not [message for message in table.messages if isinstance(message, NewRoll)]


def test_what_happens_outside_the_tray_is_not_looked_at(tmp_path: Path) -> None:
    camera = FolderCamera(tmp_path, wait=no_wait)
    for number in range(30):
        picture = cv2.circle(bare_tray(), (30 + 20 * number, 28), 18, (0, 0, 255), -1)
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), picture)
    with opened(camera):
        frames = list(camera.frames())
    inside = list(settle_all(frames, detect_things, SettleRules(corners=CORNERS)))
    assert inside[-1].motion is Motion.STILL
    assert list(settle_all(frames, detect_things))[-1].motion is not Motion.STILL


def test_a_recorded_clip_plays_with_its_own_times(tmp_path: Path, usb: FakeUsb) -> None:
    ticks = iter([0.0, 0.03, 0.1, 0.13, 0.2, 9.0])
    camera = UsbCamera(size_px=(640, 480), open_capture=usb.open, system=tmp_path / "system", clock=lambda: next(ticks))
    clip = record(camera, tmp_path / "clip", seconds=1)
    assert clip["times"] == [0.0, 0.03, 0.1, 0.13, 0.2]
    assert clip["rolls"] is None
    with opened(FolderCamera(tmp_path / "clip", wait=no_wait)) as played:
        assert [frame.time for frame in played.frames()] == clip["times"]
    with pytest.raises(CameraError, match="is not empty"):
        record(camera, tmp_path / "clip", seconds=1)


def test_a_damaged_clip_says_so(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), bare_tray())
    (tmp_path / "clip.json").write_text("{")
    with pytest.raises(CameraError, match="is damaged"):
        FolderCamera(tmp_path).open()


def settings_of(tmp_path: Path) -> str:
    cv2.imwrite(str(tmp_path / "tray.png"), bare_tray())
    path = tmp_path / "tableside.toml"
    path.write_text('[camera]\nkind = "still"\npath = "tray.png"\nfps = 240\n')
    return str(path)


def test_calibrate_tells_what_it_found_as_json(tmp_path: Path) -> None:
    done = CliRunner().invoke(tableside, ["calibrate", "--config", settings_of(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["tray_found"]
    assert np.abs(np.array(told["corners"]) - CORNERS).max() < 0.02
    assert Path(told["file"]).parent.name == FOLDER
    assert "sharpness" in done.stderr


def test_calibrate_takes_corners_and_refuses_nonsense(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    corners = "0,0 1,0 1,1 0,0.9"
    done = CliRunner().invoke(tableside, ["calibrate", "--config", settings, "--json", "--corners", corners])
    assert json.loads(done.stdout)["corners"][3] == [0.0, 0.9]
    for wrong in ("0,0 1,0", "0,0 2,0 1,1 0,1", "a,b"):
        assert CliRunner().invoke(tableside, ["calibrate", "--config", settings, "--corners", wrong]).exit_code == 2


def test_the_sheet_of_marks_is_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(tableside, ["calibrate", "--sheet", str(tmp_path / "marks.svg")])
    assert done.exit_code == 0
    assert (tmp_path / "marks.svg").read_text().startswith("<svg")


def test_the_test_card_is_written(tmp_path: Path) -> None:
    done = CliRunner().invoke(tableside, ["calibrate", "--card", str(tmp_path / "card.svg")])
    assert done.exit_code == 0
    assert "100 mm long" in (tmp_path / "card.svg").read_text()
    done = CliRunner().invoke(tableside, ["calibrate", "--card", str(tmp_path / "none" / "card.svg")])
    assert (done.exit_code, "cannot be written" in done.output) == (2, True)


def test_a_clip_that_is_ended_early_is_whole(tmp_path: Path) -> None:
    def ended(number: int, width: int, height: int) -> np.ndarray:
        if number == 9:
            raise KeyboardInterrupt
        return bare_tray(number, width, height)

    camera = camera_of(tmp_path, FakeUsb(tmp_path / "system", ended))
    clip = record(camera, tmp_path / "clip", seconds=60)
    with opened(FolderCamera(tmp_path / "clip", wait=no_wait)) as played:
        assert [round(frame.time, 4) for frame in played.frames()] == clip["times"]
    assert 1 < len(clip["times"]) <= 9


def test_record_keeps_a_clip(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    done = CliRunner().invoke(tableside, ["record", str(folder), "--config", settings_of(tmp_path), "--seconds", "0.1"])
    assert done.exit_code == 0, done.output
    assert len(list(folder.glob("*.jpg"))) == len(json.loads((folder / "clip.json").read_text())["times"])
    done = CliRunner().invoke(tableside, ["record", str(folder), "--config", settings_of(tmp_path)])
    assert (done.exit_code, "is not empty" in done.output) == (1, True)


@pytest.mark.parametrize(("come", "wanted"), [(9, 9), (3, 3), (0, 0)])
def test_pictures_are_waited_for_as_long_as_they_come(come: int, wanted: int) -> None:
    """Each may take as long as the first, so that nine of them take longer than one may."""
    tray = LiveTray(FakeSensor(bare_tray()), DrawnReader(), KeepingTable(), keep_picture=lambda *_: True)
    frames = [Frame.of(bare_tray(), number=number, time=float(number)) for number in range(come)]
    waited: list[float | None] = []

    class Coming(threading.Condition):
        def wait(self, timeout: float | None = None) -> bool:
            waited.append(timeout)
            if not frames:
                return False
            tray._collected.append(frames.pop(0))
            return True

    tray._came = Coming()
    assert len(tray.next_frames(9, patience=3.0, most=1000.0)) == wanted
    assert waited == [3.0] * (come + (come < 9))
    assert tray.next_frames(9, patience=3.0, most=0.0) == []


@pytest.mark.parametrize(
    ("come", "said"), [(0, "gives no pictures"), (2, r"too few pictures for a set-up, [\d.]+ a sec")]
)
def test_a_set_up_says_how_many_pictures_come(tmp_path: Path, come: int, said: str) -> None:
    class Slow:
        def next_frames(self, count: int, *, patience: float, most: float) -> list[Frame]:
            assert most > patience
            return [Frame.of(bare_tray(), number=number, time=number) for number in range(count)][:come]

    camera = camera_of(tmp_path, FakeUsb(tmp_path / "system", bare_tray))
    setup = CameraSetup(camera, Slow(), Calibrations(tmp_path), None, card=CardCheck(DrawnReader, lambda: ()))
    with pytest.raises(CameraError, match=said):
        setup.save(None)


def test_two_tabs_that_set_up_at_once_do_it_one_after_the_other(tmp_path: Path, usb: FakeUsb) -> None:
    both = threading.Barrier(2)

    class OneAtATime:
        last_frame, is_still, throws, samples = None, False, (), ()
        made: ClassVar[list[object]] = []

        def next_frames(self, count: int, **_: float) -> list[Frame]:
            with pytest.raises(threading.BrokenBarrierError):
                both.wait(0.2)  # where both collect frames, they meet here
            return [Frame.of(bare_tray(), number=number, time=number) for number in range(count)]

        def set_up(self, corners: Region, _empty: Picture) -> None:
            self.made.append(corners)

    calibrations = Calibrations(tmp_path / "kept")
    setup = CameraSetup(
        camera_of(tmp_path, usb), OneAtATime(), calibrations, None, card=CardCheck(DrawnReader, lambda: ())
    )
    with ThreadPoolExecutor(2) as pool:
        told = [one.result() for one in [pool.submit(setup.save, corners) for corners in (WHOLE, CORNERS)]]
    assert all(one["made"] for one in told)
    kept = calibrations.load(camera_of(tmp_path, usb).name)
    assert kept is not None
    assert OneAtATime.made == [WHOLE, CORNERS]
    assert kept.calibration.corners == CORNERS
