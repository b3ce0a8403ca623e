"""Keep a clip of the tray: the form that `watch` plays, that tests use and that a bug report can carry."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from tableside.adapters.camera.port import Camera, opened
from tableside.errors import CameraError
from tableside.reader.photo import jpeg_of

TRUTH = "clip.json"
_QUALITY = 92  # of 100
_MOST_FRAMES = 3000


def record(camera: Camera, folder: Path, *, seconds: float) -> dict[str, Any]:
    """Write what the camera shows as numbered pictures, with ``clip.json`` beside them, and return that.

    ``times`` are the seconds of each picture; ``rolls`` is for a person to fill in: for each roll the time from which
    it lay still and its dice, in the form of ``read --json``.

    :raises CameraError: when the folder is in use or cannot be written to, or when the camera gives no pictures.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_used = any(folder.iterdir())
    except OSError as error:
        raise CameraError(
            f"cannot be written to ({error.strerror})", where=str(folder), hint="Name another folder."
        ) from error
    if is_used:
        raise CameraError("is not empty", where=str(folder), hint="Name a new folder for the clip.")
    times: list[float] = []
    size = (0, 0)
    with opened(camera), suppress(KeyboardInterrupt):  # who ends it early keeps what there is
        start: float | None = None
        for frame in camera.frames():
            start = frame.time if start is None else start
            if frame.time - start > seconds or len(times) >= _MOST_FRAMES:
                break
            _write(folder / f"{len(times):05}.jpg", jpeg_of(frame.picture, quality=_QUALITY))
            size = (frame.picture.shape[1], frame.picture.shape[0])
            times.append(round(frame.time - start, 4))
    if not times:
        raise CameraError("gives no pictures", where=camera.name, hint=camera.cure())
    fps = (len(times) - 1) / times[-1] if times[-1] else 30.0
    clip = {"camera": camera.name, "size_px": list(size), "fps": round(fps, 3), "times": times, "rolls": None}
    _write(folder / TRUTH, json.dumps(clip).encode())
    return clip


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        hint = "Make room, or name another folder."
        raise CameraError(f"cannot be written to ({error.strerror})", where=str(path.parent), hint=hint) from error
