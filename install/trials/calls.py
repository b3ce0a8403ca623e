"""Make one call a few times, for counting its instructions: ``calls.py WHAT TIMES``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def reading(number: int) -> Callable[[], str]:
    """Read a recorded roll of so many dice, 1280x960."""
    import json

    from tableside import paths
    from tableside.app.readers import installed_sets, open_reader
    from tableside.reader.photo import load_photo

    label = next(
        label
        for label in sorted(paths.samples_folder().glob("roll-*.json"))
        if len(json.loads(label.read_text(encoding="utf-8"))["dice"]) == number
    )
    picture = load_photo(label.with_suffix(".jpg"))
    reader = open_reader(installed_sets(("narrative",), Path("/nowhere")))
    return lambda: f"{len(reader.read(picture).dice)} dice of {label.stem}"


class _Nothing:
    """Sees no dice."""

    def read(self, picture: Any) -> Any:
        from tableside.dice import Reading

        return Reading(width=picture.shape[1], height=picture.shape[0])

    def detect(self, _: Any) -> tuple[()]:
        return ()


def watching() -> Callable[[], str]:
    """Watch one frame of a still tray."""
    from tableside import paths
    from tableside.reader.photo import load_photo
    from tableside.tray.frame import Frame
    from tableside.tray.watch import Watch

    picture = load_photo(paths.samples_folder() / "empty.jpg")
    watch = Watch(_Nothing())
    frames = iter(Frame.of(picture, number=number, time=number / 30) for number in range(100))
    for _ in range(20):
        list(watch.see(next(frames)))

    def look() -> str:
        list(watch.see(next(frames)))
        return "1 frame"

    return look


def jpeg() -> Callable[[], str]:
    """Decode the JPEG of a roll, 1280x960."""
    import cv2
    import numpy as np

    from tableside import paths

    data = np.frombuffer((paths.samples_folder() / "roll-1.jpg").read_bytes(), np.uint8)
    return lambda: str(cv2.imdecode(data, cv2.IMREAD_COLOR).shape)


def photograph() -> Callable[[], str]:
    """Read a photograph of 12 megapixels as a phone sends it: decode, shrink, read."""
    import cv2

    from tableside import paths
    from tableside.app.photographs import Photographs
    from tableside.app.readers import installed_sets, open_reader
    from tableside.dice import find_sets
    from tableside.table import MemoryStore, System, Table

    small = cv2.imread(str(paths.samples_folder() / "roll-8.jpg"))
    large = cv2.resize(small, (4000, 3000), interpolation=cv2.INTER_CUBIC)
    data = bytes(cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])
    sets = installed_sets(("narrative",), Path("/nowhere"))
    table = Table(System(sets=find_sets()), MemoryStore())
    photographs = Photographs(table, make_reader=lambda: open_reader(sets), keep_picture=lambda *_: True)

    def look() -> str:
        reading = photographs.look(data)
        return f"{len(reading.dice) if reading else 0} dice of {len(data)} bytes"

    return look


def nothing() -> Callable[[], str]:
    """Only import the command line."""
    from tableside.cli import main

    return lambda: main.__name__


CALLS: dict[str, Callable[[], Callable[[], str]]] = {
    "import": nothing, "read8": lambda: reading(8), "photo12": photograph, "watch": watching, "jpeg": jpeg,
}  # fmt: skip


def run(what: str, times: int) -> None:
    """Make the call so many times, on one thread."""
    import cv2

    cv2.setNumThreads(1)
    call = CALLS[what]()
    told = ""
    for _ in range(times):
        told = call()
    print(told)


if __name__ == "__main__":
    run(sys.argv[1], int(sys.argv[2]))
