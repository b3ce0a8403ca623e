"""Taught dice as data: a set with the small pictures that it was taught by, on disk.

    NAME/set.toml            what the dice are, in the form of every dice set
    NAME/samples.json        which picture shows which face, where it came from, and whether it is believed
    NAME/samples/ID.jpg      the upper face, turned as it lay: ``CROP_PX`` square, its circumradius ``CROP_RADIUS_PX``
    NAME/symbols/SYMBOL.svg  drawings
    NAME/sheet.jpg           all samples with their names, to look at
    NAME/prototypes.npz      what the network of now makes of the samples; made anew when either changes

A set is written whole beside the old one and then takes its place, so nothing half-taught is ever seen. The one before
is kept as ``.NAME.before`` and can be taken back.
"""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from tableside.dice.face import Face, face_of
from tableside.dice.sets import NOT_IN_FILE, DiceSet, DieType, load_set
from tableside.durable import change_files
from tableside.errors import DiceSetError
from tableside.setting import toml_of
from tableside.typed import built
from tableside.words import say

CROP_PX = 128
CROP_RADIUS_PX = 36.0
"""Leaves room for every reach that a network may look at, up to 1.7 circumradii."""

MOST_OF_A_FACE = 16
"""Samples kept of a face; of corrections at most half as many. More tell a nearest prototype little."""


class Source(StrEnum):
    """Where a sample came from."""

    PHOTO = "photo"
    PAGE = "page"
    CORRECTION = "correction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One picture of an upper face.

    :ivar id: the hash of where it came from, so that the same photograph counts once.
    :ivar origin: file and place, or the roll it was corrected in. :ivar at: epoch seconds.
    :ivar shape: silhouette's radius over the upper face's circumradius; it tells solids apart.
    :ivar radius: px of the face in its photograph, 0 where it was not noted.
    :ivar doubted: it looks unlike its face; it is not used until a person says so.
    :ivar jpeg: the picture.
    """

    id: Annotated[str, Meta(pattern=r"^[0-9A-Za-z]+\Z")]
    type: str
    face: Face
    source: Source
    origin: str
    at: float
    shape: float
    radius: float = 0.0
    doubted: str = ""
    jpeg: bytes = field(repr=False, default=b"")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """A taught set with its samples.

    :ivar drawings: symbols with their SVG.
    """

    dice_set: DiceSet
    samples: tuple[Sample, ...]
    drawings: Mapping[str, str] = field(default_factory=dict)

    def with_samples(self, added: Iterable[Sample]) -> Taught:
        """Return the set with more samples; of the same id the newer stands, and of each face the bound is kept."""
        by_id = {sample.id: sample for sample in self.samples} | {sample.id: sample for sample in added}
        kept: list[Sample] = []
        for key in dict.fromkeys((s.type, s.face) for s in by_id.values()):
            kept += _newest([s for s in by_id.values() if (s.type, s.face) == key])
        return replace(self, samples=tuple(kept))

    def without(self, sample_ids: Iterable[str]) -> Taught:
        """Return the set without these samples."""
        gone = set(sample_ids)
        return replace(self, samples=tuple(s for s in self.samples if s.id not in gone))


def _newest(samples: list[Sample]) -> list[Sample]:
    corrections = sorted((s for s in samples if s.source is Source.CORRECTION), key=lambda s: s.at)
    shown = sorted((s for s in samples if s.source is not Source.CORRECTION), key=lambda s: s.at)
    corrections = corrections[-(MOST_OF_A_FACE // 2) :]
    return shown[-(MOST_OF_A_FACE - len(corrections)) :] + corrections


def load_taught(folder: Path) -> Taught:
    """Load a taught set with its samples.

    :raises DiceSetError: naming the file that is missing or damaged.
    """
    dice_set = load_set(folder)
    if not dice_set.taught:
        raise DiceSetError("was not taught", where=folder.name, hint="Choose another name.")
    path = folder / "samples.json"
    try:
        samples = tuple(_sample(entry, folder) for entry in json.loads(path.read_text(encoding="utf-8")))
        drawings = {svg.stem: svg.read_text(encoding="utf-8") for svg in sorted((folder / "symbols").glob("*.svg"))}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        hint = say("Take the set back with `tableside teach {=name} --undo`, or remove it.", name=folder.name)
        raise DiceSetError("the samples cannot be read ({=why})", why=error, where=str(path), hint=hint) from error
    return Taught(dice_set=dice_set, samples=samples, drawings=drawings)


def save_taught(taught: Taught, folder: Path) -> None:
    """Write the set in place of the one in ``folder``, which is kept as the one before.

    :raises DiceSetError: when it cannot be written; what was there stays.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _changing(folder) as new:
            (new / "samples").mkdir(parents=True)
            for sample in taught.samples:
                (new / "samples" / f"{sample.id}.jpg").write_bytes(sample.jpeg)
            if taught.drawings:
                (new / "symbols").mkdir()
            for symbol, svg in taught.drawings.items():
                (new / "symbols" / f"{symbol}.svg").write_text(svg, encoding="utf-8")
            samples = json.dumps([_entry(s) for s in taught.samples], indent=0)
            (new / "samples.json").write_text(samples, encoding="utf-8")
            (new / "set.toml").write_text(set_toml(taught.dice_set, folder.name), encoding="utf-8")
            _check_name(new, folder.name)
    except OSError as error:
        hint = "Choose another folder with --data or TABLESIDE_DATA."
        raise DiceSetError(
            say("cannot be written ({=why})", why=error.strerror), where=str(folder), hint=hint
        ) from error


def take_back(folder: Path) -> None:
    """Put the set that was there before in place of the one of now, which becomes the one before.

    :raises DiceSetError: where there is none. :raises OSError: where that fails.
    """
    before = _before(folder)
    if not (before / "set.toml").is_file():
        raise DiceSetError("nothing can be taken back", where=folder.name, hint="Only the last change is kept.")
    with _changing(folder) as new:
        shutil.copytree(before, new)


def remove_taught(folder: Path) -> None:
    """Remove the set, also a damaged one; :func:`take_back` brings it back.

    :raises DiceSetError: where there is none, or it cannot be removed.
    """
    if not (folder / "set.toml").is_file():
        raise DiceSetError("no such set was taught", where=folder.name, hint="Look at the list again.")
    try:
        with _changing(folder):
            pass
    except OSError as error:
        hint = "Check that you may write there."
        raise DiceSetError(
            say("cannot be removed ({=why})", why=error.strerror), where=str(folder), hint=hint
        ) from error


def set_toml(dice_set: DiceSet, name: str) -> str:
    """Return the ``set.toml`` of a taught set: all that differs from its default."""
    lines = _lines(replace(dice_set, name=name), without=(*NOT_IN_FILE, "counts"))
    for kind in dice_set.types:
        lines += ["", "[[type]]", *_lines(kind)]
    if dice_set.counts:
        lines += ["", "[counts]", *(f"{toml_of(symbol)} = {toml_of(face)}" for symbol, face in dice_set.counts)]
    return "\n".join(lines) + "\n"


def _lines(values: DiceSet | DieType, *, without: Collection[str] = ()) -> list[str]:
    rows = ((key.name, getattr(values, key.name), key.default) for key in fields(values) if key.name not in without)
    return [f"{name} = {toml_of(value)}" for name, value, default in rows if value != default]


def _entry(sample: Sample) -> dict[str, Any]:
    values = asdict(sample)
    del values["jpeg"]
    return {key: value for key, value in values.items() if key != "doubted" or value}


def _sample(entry: dict[str, Any], folder: Path) -> Sample:
    sample = built(entry | {"jpeg": b""}, Sample)
    jpeg = (folder / "samples" / f"{sample.id}.jpg").read_bytes()
    return replace(sample, face=face_of(sample.face), jpeg=jpeg)


def _before(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.before")


@contextmanager
def _changing(folder: Path) -> Iterator[Path]:
    """Yield a folder to be made, or none, that takes the place of a set, which becomes the one before."""
    with change_files(folder.parent, "teach") as change:
        yield change.new / folder.name
        change.put(_before(folder).name)
        change.put(folder.name, aside=_before(folder).name)


def _check_name(folder: Path, name: str) -> None:
    """Check that a written ``set.toml`` can be read and is of this name."""
    toml = tomllib.loads((folder / "set.toml").read_text(encoding="utf-8"))
    if toml["name"] != name:
        raise DiceSetError("is named {=name}", name=repr(toml["name"]), where=str(folder), hint="Teach it anew.")
