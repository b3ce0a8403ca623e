"""A real RTSP server is lost, paused, slowed, locked and changed, and the table says so and goes on."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest

from tableside.adapters.camera.network import NetworkCamera
from tableside.adapters.camera.port import opened
from tableside.errors import CameraError
from tests.fakes.mosquitto import free_port

SERVER = Path(__file__).parents[1] / "fakes" / "rtsp_server.py"
PYTHON = Path("/usr/bin/python3")
NEEDED = "import gi; gi.require_version('GstRtspServer', '1.0')"
pytestmark = [
    pytest.mark.second_try,
    pytest.mark.slow,
    pytest.mark.skipif(
        not PYTHON.exists() or subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False).returncode != 0,
        reason="Debian's gir1.2-gst-rtsp-server-1.0 and python3-gi are not installed",
    ),
]


@contextmanager
def served(
    port: int, *login: str, codec: str = "jpeg", size: tuple[int, int] = (320, 240), fps: int = 15
) -> Iterator[subprocess.Popen[str]]:
    command = [str(one) for one in (PYTHON, SERVER, port, codec, *size, fps, *login)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout.readline() == "serves\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("codec", ["jpeg", "h264"])
def test_a_server_that_is_paused_killed_and_begins_anew_in_another_size_is_followed(codec: str) -> None:
    port = free_port()
    camera = NetworkCamera(f"rtsp://127.0.0.1:{port}/tray")
    with served(port, codec=codec) as process:
        with opened(camera):
            frames = camera.frames()
            assert next(frames).picture.shape == (240, 320, 3)
            process.send_signal(signal.SIGSTOP)
            began = time.monotonic()
            with pytest.raises(CameraError, match="gives no pictures"):
                list(islice(frames, 60))
            assert time.monotonic() - began < 5
            process.send_signal(signal.SIGCONT)
        with opened(camera):
            frames = camera.frames()
            assert [frame.number for frame in islice(frames, 3)] == [0, 1, 2]
            process.kill()
            with pytest.raises(CameraError, match="gives no pictures"):
                list(islice(frames, 60))
        with pytest.raises(CameraError, match="cannot be opened"):
            camera.open()
    with served(port, codec=codec, size=(640, 480)):
        reached = NetworkCamera(f"rtsp://127.0.0.1:{port}/tray")
        with opened(reached):
            assert next(reached.frames()).picture.shape == (480, 640, 3)


def test_a_slow_server_gives_each_picture_once() -> None:
    port = free_port()
    with served(port, fps=3), opened(NetworkCamera(f"rtsp://127.0.0.1:{port}/tray")) as camera:
        times = [frame.time for frame in islice(camera.frames(), 20)]  # FFmpeg gives those at once that it looked at
        assert times == sorted(set(times))
        assert times[-1] - times[-4] > 0.8


def test_a_locked_server_opens_by_its_password_which_is_never_told(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    port = free_port()
    with served(port, "mara", "sesame"):
        with opened(NetworkCamera(f"rtsp://mara:sesame@127.0.0.1:{port}/tray")) as camera:
            assert next(camera.frames()).number == 0
        wrong = NetworkCamera(f"rtsp://mara:sesamo@127.0.0.1:{port}/tray")
        with pytest.raises(CameraError, match="cannot be opened") as caught:
            wrong.open()
    said = f"{caught.value}{caught.value.hint}{camera.name}{wrong.name}{caplog.text}{''.join(capfd.readouterr())}"
    assert "sesam" not in said
