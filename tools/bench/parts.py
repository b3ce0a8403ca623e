"""``python -m tools.bench parts``: what each rule of the reader is worth, by leaving one out at a time from outside.

A rule that moves no photograph, and no made scene clearly, goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import msgspec

from tableside.reader import locate, name, place, plane, posture, presence, reader
from tools.bench import scores

Part = Callable[[], Any]


def _set(where: object, **values: Any) -> Part:
    return lambda: patch.multiple(where, **values)


def _never(*_: object, **__: object) -> bool:
    return False


def _same(given: Sequence[Any], *_: object) -> list[Any]:
    return list(given)


PARTS: Mapping[str, Part] = {
    "looks: nearer ones": _set(locate.Locator, _may_lack=_never),
    "looks: the one for large dice": _set(locate, _SEEN=math.inf),
    "looks: the widest": _set(locate, _FILLS=math.inf),
    "finds as large as a tray": _set(place, _LARGEST=math.inf),
    "votes": _set(name, _ONE_LOOK=0.0),
    "marks": _set(reader, weigh_marks=_same),
    "presence: size": _set(presence, _MOST_UNLIKE=0.0),
    "leaning": _set(posture.Postures, assess=lambda _self, _picture, candidates: list(candidates)),
    "leaning: second measuring": _set(place.MeasuringLocator, checked=lambda _self, _picture, found, _flats: found),
    "leaning: seen as flat": _set(posture.Postures, _seen_as_flat=lambda *_: {}),
    "leaning: either of two sides": _set(posture, _may_be_either=_never),
    "leaning: sides of a d12 and d20": _set(plane, _SIDEWAYS={}),
    "leaning: its own look": _set(plane, _OWN_WEIGHT=0.0),
    "leaning: the second look": _set(plane, _TILT_WEIGHT=0.0, _TILT_SHIFT=0.0),
    "leaning: what it touches": _set(plane, _FREE_WEIGHT=0.0),
    "a clear face is asked about": _set(reader, _NAMED=math.inf),
    "edge": _set(reader, _FACE_IN=-math.inf),
    "glare": _set(reader, _BURNT=1.0),
    "glare: patches of a die's size": _set(reader, burnt_patches=lambda *_: []),
    "focus": _set(reader, is_out_of_focus=_never),
}
"""By name, what takes a rule out of the reader."""


def folders_of(shared: Path) -> dict[str, str]:
    """Return the folders of photographs, with the dice set that each is read by."""
    photos = {str(shared / "photos" / name): dice_set for name, dice_set in scores.SETS.items()}
    return photos | {str(shared / "rolls"): "narrative"}


def bench_parts(folders: Mapping[str, str], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield by folder what the whole reader makes of its rolls, then by how much each count differs without a part.

    :param folders: of labelled photographs, with the dice set that each is read by.
    :param names: of parts; all where none is named.
    """
    cv2.setNumThreads(1)

    def measured() -> dict[str, scores.Row]:
        return {folder: scores.score_rolls(Path(folder), dice_set) for folder, dice_set in folders.items()}

    whole = measured()
    yield {"without": ""} | msgspec.to_builtins(whole)
    for part in names or PARTS:
        with PARTS[part]():
            rows = measured()
        yield {"without": part} | {
            folder: {key: getattr(row, key) - getattr(whole[folder], key) for key in ("right", "silent", "answered")}
            for folder, row in rows.items()
            if row != whole[folder]
        }
