"""Cameras that show pictures from files: no device is needed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from tableside.adapters.camera.kind import CameraKind, CameraSettings
from tableside.adapters.camera.port import USUAL_FPS, Recording, Wait, sleep
from tableside.errors import CameraError, DamagedPhoto, PhotoError, SettingsError
from tableside.reader.photo import Picture, decode_jpeg, load_photo
from tableside.tray.frame import Frame
from tableside.words import say

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
_TRAY_LEVELS = 25  # grey levels by which a die stands out from the empty tray
_EMPTY_SECONDS = 1.0  # so long the tray is empty between two rolls
_NOISE_LEVELS = 1.5  # grey levels of a small sensor in room light


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures of a folder in name order.

    :raises CameraError: when there are none.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    except OSError as error:
        hint = "Name a folder of pictures."
        raise CameraError(f"cannot be opened ({error.strerror})", where=str(folder), hint=hint) from error
    if not found:
        raise CameraError("holds no pictures", where=str(folder), hint="Put JPEG or PNG files there.")
    return found


def _load(path: Path) -> Picture:
    try:
        return load_photo(path)
    except PhotoError as error:
        raise CameraError(error.what, where=error.where, hint=error.hint) from error


def _read(path: Path) -> tuple[Picture, bool]:
    """Return a picture of a clip, and whether it is damaged: then a camera gave it like this."""
    try:
        return load_photo(path), False
    except DamagedPhoto as error:
        picture, _ = decode_jpeg(path.read_bytes())
        if picture is None:
            raise CameraError(error.what, where=error.where, hint=error.hint) from error
        return picture, True
    except PhotoError as error:
        raise CameraError(error.what, where=error.where, hint=error.hint) from error


class FolderCamera(Recording):
    """Plays the pictures of a folder in name order, each as one frame: a film cut into pictures.

    :param fps: frames a second; ``None`` for what a ``clip.json`` beside them says, else 30.
    """

    def __init__(self, folder: Path, *, fps: float | None = None, wait: Wait = sleep) -> None:
        self._folder = folder
        self._fps = fps
        self._wait = wait
        self._paths: Sequence[Path] = ()
        self._times: Sequence[float] = ()

    @property
    def name(self) -> str:
        return f"folder {self._folder}"

    def open(self) -> None:
        self._paths = pictures_in(self._folder)
        known = self._recorded_times() if self._fps is None else []
        fps = self._fps or USUAL_FPS
        self._times = known or [number / fps for number in range(len(self._paths))]

    def frames(self) -> Iterator[Frame]:
        last = 0.0
        for number, (path, at) in enumerate(zip(self._paths, self._times, strict=True)):
            self._wait(at - last)
            last = at
            picture, is_damaged = _read(path)
            yield Frame.of(picture, number=number, time=at, is_damaged=is_damaged)

    def _recorded_times(self) -> list[float]:
        """Return when each picture was taken, as ``tableside record`` wrote it down; nothing where it did not."""
        try:
            clip = json.loads((self._folder / "clip.json").read_text(encoding="utf-8"))
            times = [float(time) for time in clip["times"]]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            hint = "Correct or delete it; without it the pictures are played at 30 a second."
            raise CameraError(f"is damaged ({error})", where=str(self._folder / "clip.json"), hint=hint) from error
        is_good = len(times) == len(self._paths) and all(a < b for a, b in pairwise(times))
        return times if is_good else []

    def close(self) -> None:
        self._paths = ()


class StillCamera(Recording):
    """Shows one picture for ever."""

    def __init__(self, path: Path, *, fps: float = 30.0, wait: Wait = sleep) -> None:
        self._path = path
        self._fps = fps
        self._wait = wait
        self._picture: Picture | None = None

    @property
    def name(self) -> str:
        return f"picture {self._path}"

    def open(self) -> None:
        self._picture = _load(self._path)

    def frames(self) -> Iterator[Frame]:
        number = 0
        while self._picture is not None:
            yield Frame.of(self._picture, number=number, time=number / self._fps)
            self._wait(1 / self._fps)
            number += 1

    def close(self) -> None:
        self._picture = None


class RecordedRolls(Recording):
    """Plays recorded rolls as if they were thrown: tray empty, dice tumble in, lie, are taken away; endlessly.

    The pictures are photographs of trays with dice at rest, in name order. One named ``empty`` is the empty tray;
    without it the tray of each picture is guessed by smoothing its dice away.

    :param hold_seconds: how long each roll lies, where ``goes_on`` does not say so: it is asked with each frame whether
        the roll that lies there for so many seconds is taken away.
    :param waits: whether the next roll is not thrown yet; the tray stays empty.
    :param fits: whether a picture is wanted now; where none is, all are.
    :param noise: whether frames carry sensor noise.
    """

    def __init__(
        self,
        folder: Path,
        *,
        fps: float = 10.0,
        hold_seconds: float = 8.0,
        goes_on: Callable[[float], bool] | None = None,
        fits: Callable[[Path], bool] = lambda _: True,
        waits: Callable[[], bool] = lambda: False,
        noise: bool = True,
        wait: Wait = sleep,
    ) -> None:
        self._folder = folder
        self._fps = fps
        self._goes_on = goes_on or (lambda lain_seconds: lain_seconds >= hold_seconds)
        self._fits = fits
        self._waits = waits
        self._wait = wait
        self._noise = noise
        self._paths: Sequence[Path] = ()
        self._empty: Path | None = None
        self._random = np.random.default_rng(0)

    @property
    def name(self) -> str:
        return f"recorded rolls in {self._folder}"

    def open(self) -> None:
        paths = pictures_in(self._folder)
        self._paths = [path for path in paths if path.stem != "empty"]
        self._empty = next((path for path in paths if path.stem == "empty"), None)
        if not self._paths:
            raise CameraError("holds no rolls", where=str(self._folder), hint="Put pictures of rolls there.")

    def frames(self) -> Iterator[Frame]:
        for number, picture in enumerate(self._pictures()):
            shown = self._noisy(picture)
            yield Frame.of(shown, number=number, time=number / self._fps)
            self._wait(1 / self._fps)
            if not self._paths:
                return

    def _pictures(self) -> Iterator[Picture]:
        path = None
        while self._paths:
            before, path = path, self._after(path)
            if self._waits():
                empty = self._tray_of(_load(path))
                while self._waits():
                    yield empty
                path = self._after(before)  # meanwhile another may be wanted
            yield from self._throw(_load(path))

    def _after(self, path: Path | None) -> Path:
        """Return the next picture that is wanted, in name order and round again."""
        at = 0 if path is None else self._paths.index(path) + 1
        order = [*self._paths[at:], *self._paths[:at]]
        return next((one for one in order if self._fits(one)), order[0])

    def close(self) -> None:
        self._paths = ()

    def _throw(self, rest: Picture) -> Iterator[Picture]:
        """Yield the frames of one throw, from the empty tray to dice lifted out again."""
        empty = self._tray_of(rest)
        for _ in range(round(_EMPTY_SECONDS * self._fps)):
            yield empty
        for step in range(6, 0, -1):
            yield _tumbling(rest, empty, step / 6)
        lain = 0
        while not self._goes_on(lain / self._fps):
            yield rest
            lain += 1
        for step in range(1, 4):
            yield _tumbling(rest, empty, step / 3)

    def _tray_of(self, rest: Picture) -> Picture:
        if self._empty is not None:
            empty = _load(self._empty)
            return np.asarray(cv2.resize(empty, (rest.shape[1], rest.shape[0])), np.uint8)
        middle = np.median(rest[:: max(1, rest.shape[0] // 60), :: max(1, rest.shape[1] // 80)], axis=(0, 1))
        return np.asarray(np.broadcast_to(middle.astype(np.uint8), rest.shape), np.uint8)

    def _noisy(self, picture: Picture) -> Picture:
        if not self._noise:
            return picture
        height, width = picture.shape[:2]
        small = self._random.normal(0, _NOISE_LEVELS, (height // 2, width // 2, 3)).astype(np.float32)
        noise = cv2.resize(small, (width, height), interpolation=cv2.INTER_NEAREST)
        return np.asarray(cv2.add(picture, noise, dtype=cv2.CV_8U), np.uint8)


def _tumbling(rest: Picture, empty: Picture, away: float) -> Picture:
    """Return the roll in motion: its dice shifted and smeared the more, the further ``away`` (1..0) from rest."""
    height, width = rest.shape[:2]
    dice = (cv2.absdiff(rest, empty).max(axis=2) > _TRAY_LEVELS).astype(np.float32)
    dice = cv2.dilate(dice, np.ones((5, 5), np.uint8))
    shift = np.array([[1, 0, 0.2 * away * width], [0, 1, -0.12 * away * height]], np.float32)
    smear = (max(1, round(0.03 * away * width)), max(1, round(0.01 * away * width)))
    moved = cv2.blur(cv2.warpAffine(rest, shift, (width, height), borderMode=cv2.BORDER_REPLICATE), smear)
    share = cv2.blur(cv2.warpAffine(dice, shift, (width, height)), smear)[:, :, None]
    return np.asarray(np.rint(moved * share + empty * (1 - share)), np.uint8)


def path_to_play(settings: CameraSettings) -> Path:
    """Return what is played in place of a camera.

    :raises SettingsError: where nothing is named.
    """
    if settings.path is None:
        hint = say("Set path: the kind {=kind} plays a file or folder.", kind=settings.kind)
        raise SettingsError("is not set", where="[camera] path", hint=hint)
    return settings.path


def _tell(settings: CameraSettings, _ask: object) -> str:
    if settings.kind in ("video", "folder", "still"):
        return f"{settings.path} is played in place of a camera"
    return 'none is played; `tableside demo` shows some, [camera] kind = "folder" and path play your own'


KIND = CameraKind(
    make=lambda settings, wait, _: RecordedRolls(path_to_play(settings), fps=settings.fps, wait=wait),
    rank=5,
    part="recorded",
    tells=_tell,
)
