"""Labels of photographs that teach: the form of ``docs/teach.md``, every mistake named."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tableside.dice import Face, Point, face_fault, face_of
from tableside.dice.sets import SIDES, is_word
from tableside.errors import PhotoError, TablesideError, did_you_mean

_HINT = 'A label is {"image": NAME, "dice": [{"type": .., "kind": "d6", "face": [..], "center": [x, y]}]}.'


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidDie:
    """A die as its label says. ``center`` may be missing where it lies alone; ``kind`` is a solid or empty."""

    type: str
    kind: str
    face: Face
    center: Point | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoLabel:
    """A photograph with the dice that it shows; none for the empty tray. ``digest`` is of the picture's file."""

    path: Path
    dice: tuple[SaidDie, ...]
    digest: bytes


def read_labels(folder: Path, problems: list[TablesideError]) -> list[PhotoLabel]:
    """Return the labels of a folder in name order. What is wrong with one is added to ``problems``."""
    if not folder.is_dir():
        problems.append(PhotoError("is no folder", where=str(folder), hint="Name the folder of the photographs."))
        return []
    labels = []
    for path in sorted(folder.glob("*.json")):
        try:
            labels.append(_label(path))
        except PhotoError as error:
            problems.append(error)
    return labels


def _label(path: Path) -> PhotoLabel:
    where = path.name
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise PhotoError(f"is no label: {error}", where=where, hint=_HINT) from error
    if not isinstance(raw, dict) or not isinstance(raw.get("dice"), list):
        raise PhotoError("has no list of dice", where=where, hint=_HINT)
    image = raw.get("image", "")
    picture = path.with_name(str(image) or "?")
    if not isinstance(image, str) or Path(image).name != image or not picture.is_file():
        raise PhotoError(f"its image {image!r} is not beside it", where=where, hint="Give the photograph's file name.")
    dice = [_die(entry, where, number) for number, entry in enumerate(raw["dice"], start=1)]
    said = tuple(die for die in dice if die is not None)
    if len(dice) > 1 and any(die.center is None for die in said):
        hint = "Give each its center, or photograph one die at a time."
        raise PhotoError(f"names {len(dice)} dice, not all with a center", where=where, hint=hint)
    return PhotoLabel(path=picture, dice=said, digest=hashlib.sha256(picture.read_bytes()).digest())


def _die(entry: Any, where: str, number: int) -> SaidDie | None:
    """Return the die, ``None`` for one that leans: it shows no face."""
    at = f"{where} die {number}"
    if not isinstance(entry, dict):
        raise PhotoError("is no object", where=at, hint=_HINT)
    kind, name, face, center = (entry.get(key) for key in ("kind", "type", "face", "center"))
    if entry.get("cocked"):
        return None
    if not is_word(name):
        hint = "Use lower-case letters, digits, - and _."
        raise PhotoError(f"type is {name!r}", where=at, hint=hint)
    if kind is not None and kind not in SIDES:
        raise PhotoError(f"kind is {kind!r}", where=at, hint=did_you_mean(str(kind), SIDES))
    symbols = [one for one in face if is_word(one)] if isinstance(face, list) else None
    if symbols is None or symbols != face or face_fault(symbols):
        hint = 'Give a list of symbols, such as ["5"] or ["success", "advantage"]; [] is blank.'
        raise PhotoError(f"face is {json.dumps(face)}", where=at, hint=hint)
    try:
        place = None if center is None else (float(center[0]), float(center[1]))
    except (TypeError, ValueError, IndexError, KeyError) as error:
        hint = "Give two numbers, in pixels of the photograph."
        raise PhotoError(f"center is {json.dumps(center)}", where=at, hint=hint) from error
    return SaidDie(type=name, kind=kind or "", face=face_of(symbols), center=place)
