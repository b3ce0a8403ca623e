"""A USB camera: its lasting path, its damaged pictures, what it holds and what it is told of the mains."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.adapters.camera.port import AUTOMATIC, Controls, opened
from tableside.adapters.camera.usb import UsbCamera, set_v4l2_control, usb_cameras, usb_node
from tableside.errors import CameraError
from tests.adapters.test_camera import LOCKED, SIZE, draw, usb_camera
from tests.fakes.usb_camera import FakeUsb


@pytest.fixture
def usb(tmp_path: Path) -> FakeUsb:
    return FakeUsb(tmp_path / "system", draw)


def test_a_usb_camera_holds_what_it_has(tmp_path: Path, usb: FakeUsb) -> None:
    locked = Controls(exposure_us=20_000, gain=7.0, colour_kelvin=5200, lens=60.0)
    with opened(usb_camera(tmp_path, usb)) as camera:
        assert camera.controls() == Controls(exposure_us=15_700, gain=4.0, colour_kelvin=4600, lens=30.0)
        camera.lock(locked)
        assert camera.controls() == locked
        automatic = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB, cv2.CAP_PROP_AUTOFOCUS)
        assert [usb.values[key] for key in automatic] == [1, 0, 0]
        camera.lock(AUTOMATIC)
        assert [usb.values[key] for key in automatic] == [3, 1, 1]


def test_a_usb_camera_with_a_fixed_lens_has_no_focus_to_hold(tmp_path: Path) -> None:
    usb = FakeUsb(tmp_path / "system", draw, has_focus=False)
    camera = usb_camera(tmp_path, usb)
    camera.lock(LOCKED)
    with opened(camera):
        assert camera.controls().lens is None


def test_a_usb_camera_that_is_unplugged_says_so_and_comes_back(tmp_path: Path, usb: FakeUsb) -> None:
    camera = usb_camera(tmp_path, usb)
    with opened(camera):
        frames = camera.frames()
        next(frames)
        usb.unplug()
        with pytest.raises(CameraError, match="gives no pictures"):
            next(frames)
    with pytest.raises(CameraError, match="is not plugged in"):
        camera.open()
    usb.plug()
    with opened(camera):
        next(camera.frames())


def test_a_usb_camera_in_use_says_so(tmp_path: Path, usb: FakeUsb) -> None:
    usb.is_busy = True
    with pytest.raises(CameraError, match="another program"):
        usb_camera(tmp_path, usb).open()


def test_the_port_of_a_usb_camera_is_found_by_its_number(tmp_path: Path, usb: FakeUsb) -> None:
    assert usb_node(0, system=tmp_path / "system") == tmp_path / "system/dev/bus/usb/001/007"
    assert usb_node(3, system=tmp_path / "system") is None


def test_a_usb_camera_is_found_by_its_lasting_path_whatever_its_number(tmp_path: Path, usb: FakeUsb) -> None:
    assert usb_cameras(system=tmp_path / "system") == [usb.lasting]
    camera = UsbCamera(path=usb.lasting, size_px=SIZE, open_capture=usb.open, system=tmp_path / "system")
    assert camera.name == "USB camera usb-046d_HD_Pro_Webcam_C920_ABCDEF-video-index0"
    with opened(camera):
        next(camera.frames())
    usb.unplug()
    assert usb_cameras(system=tmp_path / "system") == []
    with pytest.raises(CameraError, match="is not plugged in"):
        camera.open()
    usb.plug_as(4)
    with opened(camera):
        next(camera.frames())


def test_a_camera_without_a_lasting_path_is_found_by_its_number(tmp_path: Path, usb: FakeUsb) -> None:
    system = tmp_path / "system"
    twin = system / "dev/video3"  # of the same make: the system gives both one lasting path
    for number, place, is_usb in ((3, "0", True), (4, "1", True), (10, "0", False)):
        (system / f"dev/video{number}").touch()
        entry = system / f"sys/class/video4linux/video{number}"
        entry.mkdir()
        (entry / "index").write_text(f"{place}\n")  # only the first of a camera's devices gives pictures
        (entry / "device").symlink_to(system / ("sys/devices/usb1/1-1/1-1:1.0" if is_usb else "sys/devices"))
    assert usb_cameras(system=system) == [usb.lasting, twin]
    usb.lasting.unlink()
    assert usb_cameras(system=system) == [system / "dev/video0", twin]
    assert UsbCamera(path=twin).name == "USB camera video3"


def test_a_path_that_is_no_camera_says_so(tmp_path: Path) -> None:
    (tmp_path / "sda").touch()
    with pytest.raises(CameraError, match=r"is no camera\. Name one of /dev/v4l/by-id"):
        UsbCamera(path=tmp_path / "sda").open()


def half_lost(jpeg: bytes) -> bytes:
    """Lose what came in one packet, as a bad cable does."""
    middle = len(jpeg) // 2
    return jpeg[:middle] + jpeg[middle + 300 :]


def test_a_jpeg_whose_decoder_warns_is_a_damaged_frame(tmp_path: Path, usb: FakeUsb) -> None:
    with opened(usb_camera(tmp_path, usb)) as camera:
        frames = camera.frames()
        assert not next(frames).is_damaged
        usb.damage = half_lost
        assert next(frames).is_damaged
        usb.damage = lambda jpeg: jpeg[: len(jpeg) // 3]
        assert next(frames).is_damaged
        usb.damage = lambda _jpeg: b"\xff\xd8 nothing to see"
        nothing = next(frames)
        assert nothing.is_damaged
        assert nothing.picture.shape == (SIZE[1], SIZE[0], 3)
        usb.damage = lambda jpeg: jpeg + bytes(700)  # buffers are filled up
        assert not next(frames).is_damaged


def test_a_camera_without_jpegs_gives_pictures_too(tmp_path: Path) -> None:
    usb = FakeUsb(tmp_path / "system", draw, has_jpeg=False)
    with opened(usb_camera(tmp_path, usb)) as camera:
        frame = next(camera.frames())
    assert np.array_equal(frame.picture, draw(0))
    assert not frame.is_damaged


def test_a_usb_camera_that_does_not_hold_a_value_is_told(tmp_path: Path, usb: FakeUsb) -> None:
    usb.stuck = {cv2.CAP_PROP_EXPOSURE: 333.0, cv2.CAP_PROP_FOCUS: 62.0}
    with opened(usb_camera(tmp_path, usb)) as camera:
        camera.lock(Controls(exposure_us=20_000, gain=7.0, colour_kelvin=5200, lens=60.0))
        assert camera.unheld == "exposure in microseconds: 20000 asked, 33300 came"
        usb.stuck = {}
        camera.lock(Controls(exposure_us=20_000))
        assert camera.unheld == ""


@pytest.mark.parametrize(("mains_hz", "value"), [(50, 1), (60, 2), (0, 0)])
def test_a_usb_camera_is_told_the_frequency_of_the_mains(
    tmp_path: Path, usb: FakeUsb, mains_hz: int, value: int
) -> None:
    from videodev2 import V4L2_CID_POWER_LINE_FREQUENCY

    system = tmp_path / "system"
    camera = UsbCamera(mains_hz=mains_hz, open_capture=usb.open, set_control=usb.set_control, system=system)
    with opened(camera):
        next(camera.frames())
    assert usb.asked == {V4L2_CID_POWER_LINE_FREQUENCY: value}


def test_a_control_goes_to_the_driver_as_linux_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    from videodev2 import VIDIOC_S_CTRL, v4l2_control

    sent: list[tuple[int, int, int]] = []

    def ioctl(_device: int, request: int, told: bytes) -> int:
        control = v4l2_control.from_buffer_copy(told)
        sent.append((request & 0xFFFFFFFF, control.id, control.value))
        return 0

    monkeypatch.setattr(fcntl, "ioctl", ioctl)
    device = tmp_path / "video0"
    device.touch()
    set_v4l2_control(device, 7, -3)
    assert sent == [(VIDIOC_S_CTRL & 0xFFFFFFFF, 7, -3)]


def test_a_camera_that_knows_no_mains_goes_on(tmp_path: Path, usb: FakeUsb) -> None:
    """The stand-in's device is a plain file, which takes no control at all."""
    with opened(usb_camera(tmp_path, usb)) as camera:
        assert len(list(islice(camera.frames(), 2))) == 2
