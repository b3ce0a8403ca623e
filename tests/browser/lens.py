"""What a browser's camera sees, as a film that chromium plays in place of a camera."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np

from tableside.reader.photo import Picture


def film(file: Path, shown: Iterable[tuple[Picture, int]]) -> Path:
    """Write each picture as long as said, in thirtieths of a second. No sensor gives the same picture twice."""
    noise = np.random.default_rng(3)
    with file.open("wb") as out:
        for picture, count in shown:
            for _ in range(count):
                noisy = cv2.add(picture, noise.integers(0, 2, picture.shape, np.uint8))
                out.write(bytes(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 95])[1]))
    return file


def flags(film: Path, *, is_allowed: bool = True) -> list[str]:
    """Return what chromium is started with: it has a camera that plays the film, and leave to use it or none."""
    return [
        f"--use-fake-ui-for-media-stream{'' if is_allowed else '=deny'}",
        "--use-fake-device-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
