"""Every camera gives frames in order, read-only, and says in three parts why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.adapters.camera import Camera, FolderCamera, RecordedRolls, StillCamera, VideoCamera, opened
from tableside.adapters.camera.port import no_wait
from tableside.errors import CameraError
from tableside.vision.settle import Motion, SettleRules, settle_all


def draw(number: int) -> np.ndarray:
    picture = np.full((120, 160, 3), 90, np.uint8)
    cv2.rectangle(picture, (40 + 10 * number, 40), (60 + 10 * number, 60), (30, 220, 240), -1)
    return picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"roll-{number}.png"), draw(number))
    return tmp_path


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "clip.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (160, 120))
    for number in range(5):
        writer.write(draw(number))
    writer.release()
    return path


MAKERS: dict[str, Callable[[Path, Path], Camera]] = {
    "folder": lambda folder, _film: FolderCamera(folder, wait=no_wait),
    "still": lambda folder, _film: StillCamera(folder / "roll-0.png", wait=no_wait),
    "recorded": lambda folder, _film: RecordedRolls(folder, wait=no_wait),
    "film": lambda _folder, film: VideoCamera(film),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_frames_count_up_and_cannot_be_written_to(kind: str, folder: Path, film: Path) -> None:
    with opened(MAKERS[kind](folder, film)) as camera:
        frames = list(islice(camera.frames(), 3))
    assert [frame.number for frame in frames] == [0, 1, 2]
    assert all(later.time > earlier.time for earlier, later in pairwise(frames))
    assert all(frame.picture.shape == (120, 160, 3) and not frame.picture.flags.writeable for frame in frames)


@pytest.mark.parametrize("kind", MAKERS)
def test_a_camera_opens_again_after_it_was_closed(kind: str, folder: Path, film: Path) -> None:
    camera = MAKERS[kind](folder, film)
    for _ in range(2):
        with opened(camera):
            assert next(camera.frames()).number == 0
    camera.close()


@pytest.mark.parametrize(
    "camera",
    [
        FolderCamera(Path("/nowhere")),
        StillCamera(Path("/nowhere/a.jpg")),
        RecordedRolls(Path("/nowhere")),
        VideoCamera(Path("/nowhere/a.avi")),
        VideoCamera(57),
    ],
    ids=lambda camera: type(camera).__name__,
)
def test_an_absent_camera_says_so(camera: Camera) -> None:
    with pytest.raises(CameraError) as caught:
        camera.open()
    assert caught.value.what
    assert caught.value.where
    assert caught.value.hint


def test_an_empty_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="holds no pictures"):
        FolderCamera(tmp_path).open()


def test_a_film_ends(film: Path) -> None:
    with opened(VideoCamera(film)) as camera:
        assert len(list(camera.frames())) == 5


def test_recorded_rolls_look_like_throws_to_the_settling(folder: Path) -> None:
    camera = RecordedRolls(folder, fps=10, hold_seconds=1, empty_seconds=1, wait=no_wait)
    with opened(camera):
        frames = list(islice(camera.frames(), 3 * 29))
    known = settle_all(frames, SettleRules())
    assert sum(one.settled for one in known) == 6  # three times an empty tray and three rolls
    assert sum(one.motion is Motion.STILL for one in known) > 30
