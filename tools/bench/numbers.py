"""``python -m tools.bench numbers``: which scenes of dice that lie tell it when a number of the tray is another one.

A number that moves no scene, however small or large it is, is none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2

from tableside.app.readers import installed_sets, open_reader
from tableside.dice import Reading
from tableside.reader.crop import Pyramid, pyramid_of
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture
from tableside.tray.frame import Frame
from tableside.tray.watch import Sees
from tools.bench.lying import SCENES, Stage, frames_of, judged, play, staged

FILES = ("motion", "tracks", "hands", "sight", "settle", "meaning", "recent", "watch")
TIMES = (0.5, 2.0)


class _Remembering:
    """Reads each picture once, whatever the tray makes of it."""

    def __init__(self, reader: Sees) -> None:
        self._reader = reader
        self._found: dict[tuple[bytes, str], Any] = {}

    def read(self, picture: Picture) -> Reading:
        return self._once("read", picture, picture)

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]:
        return self._once("detect", pyramid_of(picture).level(0), picture)

    def _once(self, act: str, shown: Picture, given: Any) -> Any:
        key = hashlib.blake2b(shown.tobytes(), digest_size=16).digest(), act
        if key not in self._found:
            self._found[key] = getattr(self._reader, act)(given)
        return self._found[key]


def numbers() -> dict[str, float]:
    """Return the numbers of the tray's files by ``file.NAME``, each where it is written."""
    found: dict[str, float] = {}
    for file in FILES:
        for name, value in vars(import_module(f"tableside.tray.{file}")).items():
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if name.isupper() and is_number and not any(key.endswith(f".{name}") for key in found):
                found[f"{file}.{name}"] = value
    return found


def bench_numbers(names: Sequence[str], scenes: Sequence[str], shared: Path) -> Iterator[dict[str, Any]]:
    """Yield of each scene what is counted, and what otherwise where a number is so many times as large.

    :param names: of numbers, as ``hands._BROAD``; all where none is named.
    """
    cv2.setNumThreads(1)
    modules = [import_module(f"tableside.tray.{file}") for file in FILES]
    for scene in scenes or SCENES:
        stage = staged(scene, shared)
        frames = list(frames_of(stage, 0))
        stage.pictures.clear()
        reader = _Remembering(open_reader(installed_sets(("pips",), Path("no-data")), camera_stays=True))

        def counted(frames: Sequence[Frame], reader: Sees, stage: Stage) -> dict[str, int] | str:
            try:
                return dict(judged(stage, play(frames, reader)))
            except (ValueError, ArithmeticError, IndexError, cv2.error) as error:
                return type(error).__name__  # a number may be an impossible one

        whole = counted(frames, reader, stage)
        yield {"scene": scene, "counts": whole}
        for name, value in numbers().items():
            own = name.partition(".")[2]
            for times in TIMES if not names or name in names else ():
                with ExitStack() as changes:
                    for module in (one for one in modules if hasattr(one, own) and getattr(one, own) == value):
                        changes.enter_context(patch.object(module, own, type(value)(value * times)))
                    now = counted(frames, reader, stage)
                if now != whole:
                    yield {"scene": scene, "number": name, "times": times, "counts": now}
