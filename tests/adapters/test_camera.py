"""Every camera gives frames in order, read-only, and says in three parts why it cannot: one contract for all."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tableside import paths
from tableside.adapters.camera import video
from tableside.adapters.camera.folder import FolderCamera, RecordedRolls, StillCamera
from tableside.adapters.camera.kind import CameraKind, CameraSettings, kinds
from tableside.adapters.camera.network import NetworkCamera
from tableside.adapters.camera.phone import PhoneCamera, PhonePictures
from tableside.adapters.camera.picamera import PiCamera
from tableside.adapters.camera.port import AUTOMATIC, Camera, Controls, no_wait, opened
from tableside.adapters.camera.usb import UsbCamera
from tableside.adapters.camera.video import VideoCamera
from tableside.errors import CameraError
from tableside.record import words_of
from tableside.tray.health import Fault
from tableside.tray.motion import small_picture
from tableside.tray.settle import Motion
from tests.fakes.network_camera import NetworkFake, served
from tests.fakes.pi_camera import fake_pi
from tests.fakes.tray import detect_things, settle_all
from tests.fakes.usb_camera import FakeUsb

pytestmark = pytest.mark.filterwarnings("ignore:setDaemon")  # picamera2 0.3.38 calls it
SIZE = (160, 120)
LOCKED = Controls(exposure_us=8000, gain=2.0, colour_gains=(1.8, 1.4), lens=5.0)


def draw(number: int, width: int = 160, height: int = 120) -> np.ndarray:
    picture = np.full((height, width, 3), 90, np.uint8)
    left = width // 4 + 10 * (number % 10)
    cv2.rectangle(picture, (left, height // 3), (left + 20, height // 2), (30, 220, 240), -1)
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(3):
        cv2.imwrite(str(folder / f"roll-{number}.png"), draw(number))
    return folder


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, SIZE)
    for number in range(5):
        writer.write(draw(number))
    writer.release()
    return path


@pytest.fixture
def usb(tmp_path: Path) -> FakeUsb:
    return FakeUsb(tmp_path / "system", draw)


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    with fake_pi(monkeypatch) as install:
        yield install


@pytest.fixture
def network() -> Iterator[str]:
    with served(NetworkFake(draw)) as address:
        yield address


@pytest.fixture
def phone() -> Iterator[PhonePictures]:
    """A phone that sends a picture a hundredth of a second."""
    pictures, stop = PhonePictures(), threading.Event()
    pictures.begin("mara", "Mara")

    def send() -> None:
        number = 0
        while not stop.wait(0.01):
            pictures.put(jpeg(number), id="mara", name="Mara")
            number += 1

    sender = threading.Thread(target=send)
    sender.start()
    yield pictures
    stop.set()
    sender.join()


def jpeg(number: int, **size: int) -> bytes:
    return bytes(cv2.imencode(".jpg", draw(number, **size))[1])


def usb_camera(tmp_path: Path, usb: FakeUsb) -> UsbCamera:
    return UsbCamera(size_px=SIZE, open_capture=usb.open, system=tmp_path / "system")


FILES: dict[str, Callable[[Path, Path], Camera]] = {
    "folder": lambda folder, _film: FolderCamera(folder, wait=no_wait),
    "still": lambda folder, _film: StillCamera(folder / "roll-0.png", wait=no_wait),
    "recorded": lambda folder, _film: RecordedRolls(folder, wait=no_wait),
    "film": lambda _folder, film: VideoCamera(film),
}
DEVICES = ("usb", "pi", "pi without autofocus", "network stream", "network still", "phone")


@pytest.fixture(params=[*FILES, *DEVICES])
def camera(request: pytest.FixtureRequest, tmp_path: Path) -> Camera:
    kind = request.param
    if kind in FILES:
        return FILES[kind](request.getfixturevalue("folder"), request.getfixturevalue("film"))
    if kind == "phone":
        return PhoneCamera(request.getfixturevalue("phone"))
    if kind.startswith("network"):
        return NetworkCamera(f"{request.getfixturevalue('network')}/{kind.split()[1]}")
    if kind == "usb":
        return usb_camera(tmp_path, request.getfixturevalue("usb"))
    request.getfixturevalue("pi")(draw, model="imx477" if "without" in kind else "imx708")
    return PiCamera(size_px=SIZE)


def test_frames_count_up_and_cannot_be_written_to(camera: Camera) -> None:
    with opened(camera):
        frames = list(islice(camera.frames(), 3))
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert all(later.time > earlier.time for earlier, later in pairwise(frames))
    for frame in frames:
        assert frame.picture.shape == (SIZE[1], SIZE[0], 3)
        assert frame.picture.dtype == np.uint8
        assert not frame.picture.flags.writeable
        assert frame.small is None or not frame.small.flags.writeable


def test_a_frame_is_watched_alike_by_its_small_picture_and_by_its_large_one(camera: Camera) -> None:
    with opened(camera):
        frame = next(camera.frames())
    seen = small_picture(frame)
    assert seen.shape == (120, 160, 3)
    assert float(np.abs(seen - frame.picture).mean()) < 6


def test_it_opens_again_after_it_was_closed(camera: Camera) -> None:
    for _ in range(2):
        with opened(camera):
            assert next(camera.frames()).number == 0
    camera.close()


def test_locking_and_resetting_never_stop_it(camera: Camera) -> None:
    camera.lock(LOCKED)
    with opened(camera):
        frames = camera.frames()
        next(frames)
        camera.lock(AUTOMATIC)
        camera.lock(camera.controls())
        camera.reset()
        assert next(frames).number == 1
    assert camera.name


WIRED = re.compile("cable|plug|port|hub", re.IGNORECASE)


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind[0])
def test_only_a_camera_on_a_cable_is_told_to_look_at_it(kind: tuple[str, CameraKind]) -> None:
    name, row = kind
    if name in ("auto", "none"):
        return
    asked = CameraSettings(kind=name, url="http://192.0.2.4/a", path=Path("a"))
    camera = row.make(asked, no_wait, PhonePictures())
    told = {fault: camera.cure(fault) for fault in (None, Fault.FROZEN, Fault.DAMAGED, Fault.SLOW)}
    german = json.loads((paths.web_folder() / "words" / "de.json").read_text(encoding="utf-8"))["table"]
    assert set(told.values()) <= german.keys()
    wired = {fault for fault, text in told.items() if WIRED.search(text)}
    assert wired == ({None, Fault.FROZEN, Fault.DAMAGED} if name in ("usb", "picamera") else set())
    assert ("ribbon" in str(told)) == (name == "picamera")
    assert all(re.search("network|Wi-Fi", text) for text in told.values()) == (name in ("network", "phone"))
    assert camera.cure(Fault.BLACK) == Fault.BLACK.hint


@pytest.mark.parametrize(
    "camera",
    [
        FolderCamera(Path("/nowhere")),
        StillCamera(Path("/nowhere/a.jpg")),
        RecordedRolls(Path("/nowhere")),
        VideoCamera(Path("/nowhere/a.avi")),
        UsbCamera(path=Path("/nowhere/video")),
        NetworkCamera("http://127.0.0.1:1/stream"),
        NetworkCamera("rtsp://127.0.0.1:1/stream"),
    ],
    ids=lambda camera: type(camera).__name__,
)
def test_an_absent_camera_says_so(camera: Camera) -> None:
    with pytest.raises(CameraError) as caught:
        camera.open()
    assert caught.value.what
    assert caught.value.where
    assert caught.value.hint


def test_a_damaged_jpeg_of_a_clip_is_a_damaged_frame(tmp_path: Path) -> None:
    for number in range(3):
        _, jpeg = cv2.imencode(".jpg", draw(number), [cv2.IMWRITE_JPEG_QUALITY, 95])
        data = jpeg.tobytes()
        lost = data[: len(data) // 2] + data[len(data) // 2 + 300 :] if number == 1 else data
        (tmp_path / f"{number}.jpg").write_bytes(lost)
    with opened(FolderCamera(tmp_path, wait=no_wait)) as camera:
        assert [frame.is_damaged for frame in camera.frames()] == [False, True, False]


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no pictures"):
        FolderCamera(tmp_path).open()


def test_a_film_of_huge_pictures_is_refused_before_one_is_read(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(video, "MAX_PIXELS", 1000)
    with pytest.raises(CameraError, match="pixels, more than"):
        VideoCamera(film).open()


def test_a_film_ends(film: Path) -> None:
    with opened(VideoCamera(film)) as camera:
        assert len(list(camera.frames())) == 5


def test_only_sensors_go_on_while_nobody_looks(folder: Path, film: Path) -> None:
    assert not any(make(folder, film).is_live for make in FILES.values())
    assert UsbCamera().is_live
    assert PiCamera().is_live
    assert NetworkCamera("http://camera.example/stream").is_live


def test_recorded_rolls_look_like_throws_to_the_settling(folder: Path) -> None:
    camera = RecordedRolls(folder, fps=10, hold_seconds=1, wait=no_wait)
    with opened(camera):
        frames = list(islice(camera.frames(), 3 * 29))
    known = list(settle_all(frames, detect_things))
    assert sum(one.settled for one in known) == 6  # three times an empty tray and three rolls
    assert sum(one.motion is Motion.STILL for one in known) > 30


def test_a_folder_is_a_kind_of_camera_and_pages_have_words_for_each_that_they_offer() -> None:
    said = json.loads((paths.web_folder() / "words" / "de.json").read_text(encoding="utf-8"))["pages"]
    assert [name for name, _ in kinds()][:5] == ["picamera", "usb", "phone", "network", "folder"]
    for name, kind in kinds():
        assert CameraSettings(kind=name).kind in str(words_of(CameraSettings)["kind"])
        assert (kind.choices is None) or {f"which.{name}", f"which.more.{name}"} <= said.keys()
