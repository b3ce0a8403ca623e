"""Drawn trays and a reader that reads exactly what is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tableside.dice import Alternative, DiceSet, DieReading, Face, Reading, Status
from tableside.reader.crop import Pyramid, pyramid_of
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.settle import Detect, Settler, SettleRules, Settling

COLOURS: dict[str, tuple[str, Face, tuple[int, int, int]]] = {
    "green": ("ability", ("success",), (30, 200, 40)),
    "yellow": ("proficiency", ("triumph",), (20, 230, 250)),
    "purple": ("difficulty", ("failure",), (200, 30, 160)),
}
DOUBTFUL = (200, 200, 30)  # a die that the reader is not sure of
FELT = 60
_NEAR = 12  # so far the ground differs from its middle colour


def draw_tray(*dice: tuple[str, int, int], size: tuple[int, int] = (320, 240)) -> Picture:
    """Draw dice as squares of a colour at (x, y)."""
    picture = np.full((size[1], size[0], 3), FELT, np.uint8)
    for colour, x, y in dice:
        bgr = DOUBTFUL if colour == "doubtful" else COLOURS[colour][2]
        cv2.rectangle(picture, (x - 12, y - 12), (x + 12, y + 12), bgr, -1)
    return picture


def write_rolls(folder: Path, *rolls: Sequence[tuple[str, int, int]]) -> Path:
    """Write each roll as a picture, with the empty tray, for the recorded-rolls camera."""
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / "empty.png"), draw_tray())
    for number, dice in enumerate(rolls):
        cv2.imwrite(str(folder / f"roll-{number:02}.png"), draw_tray(*dice))
    return folder


def write_clip(folder: Path, *frames: Sequence[tuple[str, int, int]]) -> Path:
    """Write each frame as a picture, for the folder camera."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, dice in enumerate(frames):
        cv2.imwrite(str(folder / f"frame-{number:04}.png"), draw_tray(*dice))
    return folder


@dataclass(frozen=True)
class Square:
    """A square as it is detected."""

    middle: tuple[float, float]
    radius: float = 13.0
    score: float = 0.9


def detect_things(pyramid: Pyramid) -> list[Square]:
    """Detect whatever is of another colour than most of the picture and of the size of a die."""
    picture = pyramid.level(0)
    soft = cv2.GaussianBlur(picture, (0, 0), 3)
    ground = np.median(soft[::4, ::4].reshape(-1, 3), axis=0)
    near = cv2.inRange(soft, ground - _NEAR, ground + _NEAR)
    _, _, stats, middles = cv2.connectedComponentsWithStats(cv2.bitwise_not(near))
    return [
        Square((float(x), float(y)), radius=float(np.sqrt(area / np.pi)))
        for (x, y), area in zip(middles[1:], stats[1:, cv2.CC_STAT_AREA], strict=True)
        if 300 < area < 4000
    ]


class DrawnReader:
    """Reads the squares of ``draw_tray``. It has the shape of the real reader."""

    def __init__(
        self,
        sets: Sequence[DiceSet] = (),
        *,
        models_folder: Path = Path(),
        game: str = "",
        expected: object = None,
        camera_stays: bool = False,
    ) -> None:
        self.read_count = 0

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        self.read_count += 1
        dice = [
            _die(kind, face, middle, 0.99, Status.SURE)
            for kind, face, bgr in COLOURS.values()
            for middle in _squares(picture, bgr)
        ]
        dice += [_die("boost", ("advantage",), m, 0.6, Status.UNSURE) for m in _squares(picture, DOUBTFUL)]
        height, width = picture.shape[:2]
        return Reading(width=width, height=height, dice=tuple(dice))

    def detect(self, picture: Picture | Pyramid) -> Sequence[Square]:
        """Return where squares are."""
        picture = pyramid_of(picture).level(0)
        colours = [*(bgr for _, _, bgr in COLOURS.values()), DOUBTFUL]
        return [Square(middle) for bgr in colours for middle in _squares(picture, bgr)]


def _squares(picture: Picture, bgr: tuple[int, int, int]) -> list[tuple[float, float]]:
    near = cv2.inRange(picture, np.array(bgr, float) - 39, np.array(bgr, float) + 39)
    _count, _, stats, middles = cv2.connectedComponentsWithStats(near)
    return [(float(x), float(y)) for (x, y), s in zip(middles[1:], stats[1:], strict=True) if s[4] > 200]


def _die(kind: str, face: Face, middle: tuple[float, float], confidence: float, status: Status) -> DieReading:
    x, y = middle
    outline = ((x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12))
    others = (Alternative(type=kind, face=(), confidence=1 - confidence),)
    return DieReading(
        type=kind, face=face, center=middle, outline=outline, confidence=confidence, status=status,
        alternatives=others,
    )  # fmt: skip


def settle_all(frames: Iterable[Frame], detect: Detect, rules: SettleRules | None = None) -> Iterator[Settling]:
    """Yield what is known after each of the frames."""
    settler = Settler(detect, rules)
    for frame in frames:
        yield settler.see(frame)
