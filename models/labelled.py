"""What a person, or the renderer, says that a photograph shows: ``NAME.json`` beside ``NAME.jpg``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.dice import Die, Point, face_of
from tableside.errors import PhotoError
from tableside.reader.photo import Picture, load_photo


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A die in a labelled photograph.

    :ivar whole: all of it is in the picture, and nothing covers half of it.
    """

    die: Die
    cocked: bool
    whole: bool
    outline: tuple[Point, ...]

    def contains(self, point: Point) -> bool:
        """Return whether the point lies on the die; always, where its place was not noted: it lies alone there."""
        return not self.outline or cv2.pointPolygonTest(np.array(self.outline, np.float32), point, False) >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The truth of one photograph.

    :ivar complete: every die in view is labelled, so that a reading elsewhere is an invention.
    """

    picture: Path
    dice: tuple[Labelled, ...]
    complete: bool


def read_label(path: Path) -> Label:
    """Read ``NAME.json`` beside its photograph.

    :raises PhotoError: when the file is not a label.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        dice = tuple(_labelled(entry) for entry in raw["dice"])
        picture = path.with_name(raw["image"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "A label is a JSON object with image and dice."
        raise PhotoError(f"not a label ({error})", where=str(path), hint=hint) from error
    # labels by others may leave dice out unless they say that they do not; ours list the tray's corners too
    is_ours = "tray_corners" in raw or "seed" in raw
    complete = bool(raw.get("complete", not raw.get("partial", not is_ours)))
    return Label(picture=picture, dice=dice, complete=complete)


def find_labels(folder: Path) -> list[Path]:
    """Return the labels in a folder in name order."""
    return sorted(path for path in folder.glob("*.json") if path.with_suffix(".jpg").exists())


def pictures(labels: Sequence[Path], complain: Callable[[PhotoError], None]) -> Iterator[tuple[Label, Picture]]:
    """Yield labels with their photographs.

    :param complain: told of each that cannot be read; it is left out.
    """
    for path in labels:
        try:
            label = read_label(path)
            yield label, load_photo(label.picture)
        except PhotoError as error:
            complain(error)


def _labelled(entry: dict[str, Any]) -> Labelled:
    outline = tuple((float(x), float(y)) for x, y in entry.get("outline", []))
    return Labelled(
        die=Die(type=str(entry["type"]), face=face_of(entry["face"])),
        cocked=bool(entry.get("cocked")),
        whole=bool(entry.get("whole", True)),
        outline=outline,
    )


def die_at(point: Point, dice: Sequence[Labelled], picture: Picture) -> Labelled | None:
    """Return the labelled die that the point, in px, lies on, if any.

    Outlines end at the picture's edge; the middle of a die that it cuts may lie beyond.
    """
    height, width = picture.shape[:2]
    seen = (min(max(point[0], 0.0), width - 1.0), min(max(point[1], 0.0), height - 1.0))
    return next((die for die in dice if die.contains(seen)), None)
