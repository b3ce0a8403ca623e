"""Make what numbered dice are read by: ``python -m models.polyhedral FOLDER``, of pictures by ``models.render.numbered``.

Nothing is trained. The reader finds each drawn die as it would at a table, and the shipped network embeds its upper face.
The mean over all typefaces is the prototype of a face on its solid: faces of two solids differ by their corners, too. A 6
or 9 without a mark is a prototype of both. Written is
``tableside/dice/data/polyhedral/prototypes.npz``, in the form of what is measured of taught dice.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.labelled import find_labels, read_label
from models.render.numbered import KINDS, STRANGE
from models.render.seeds import made
from tableside import paths
from tableside.dice import Face, find_sets
from tableside.reader.classify import View
from tableside.reader.crop import pyramid_of
from tableside.reader.photo import load_photo
from tableside.reader.prototypes import Floats, TaughtType
from tableside.reader.reader import Reader
from tableside.teaching.measure import Measured, keep

FILE = Path("tableside/dice/data/polyhedral/prototypes.npz")
_LOOKS = ((1.0, 0.0), (0.87, 1.3), (0.75, 2.5), (1.0, 3.9), (0.87, 5.1))
"""Zoom, and radians of turn: what the reader looks at in doubt."""
_SURE, _MOST_SURE, _NEVER = 0.9, 0.995, 1.01
"""Probabilities from which on a face is sure: at least, at most, and of a 6 or 9, of which typefaces draw one like the
other turned, marked or not."""
_OFF = 0.15
"""Radii: a find whose upper face is so far from the drawn one's shows another."""
_ANY_COLOUR = (1e3, 1e3, 1e3)
_BROADER = 1.5
"""Times the spread of the drawn shapes: real dice are made by more than one maker."""
_SHOWN = math.log(0.98 / 0.02)
"""Log-odds that such a die has a number up, and not a mark of its maker's."""
_TURNED = {("6",), ("9",)}


@dataclass(frozen=True, slots=True)
class _Seen:
    """One drawn die as the reader finds it; ``solid`` as drawn, ``face`` strange where it is of no set."""

    solid: str
    face: Face
    is_marked: bool
    looks: Floats
    types: Floats
    shape: float


def _see(label: Path) -> list[_Seen]:
    """Return the dice of one picture that the reader finds where they were drawn."""
    global _READER
    if _READER is None:
        _READER = Reader(find_sets(["percentile"]), models_folder=paths.models_folder())
    reader, raw = _READER, json.loads(label.read_text())["dice"]
    known = read_label(label)
    pyramid = pyramid_of(load_photo(known.picture))
    found, seen = reader.locate(pyramid), []
    firsts = reader.classifier.predict(pyramid, [View(one.top, one.top_radius) for one in found])
    upper = [(one, reader.classifier.corrected(first)) for one, first in zip(found, firsts, strict=True)]
    for one, die in zip(raw, known.dice, strict=True):
        near = [(f, v) for f, v in upper if math.dist(v.centre, one["center"]) < _OFF * f.radius]
        if not near:
            continue
        f, face = min(near, key=lambda pair: math.dist(pair[1].centre, one["center"]))
        views = [View(face.centre, face.radius * zoom, turn) for zoom, turn in _LOOKS]
        looks = reader.classifier.predict(pyramid, views)
        seen.append(
            _Seen(
                one["kind"],
                die.die.face,
                one["marked"],
                np.array([look.embedding for look in looks]),
                np.mean([look.types[:-1] for look in looks], axis=0),
                math.log(f.radius / f.top_radius),
            )
        )
    return seen


_READER: Reader | None = None


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def _prototypes(seen: Sequence[_Seen], faces: Sequence[Face]) -> Iterator[tuple[int, Floats]]:
    """Yield the number of each face with a prototype of it."""
    turned = [one for one in seen if one.face in _TURNED and not one.is_marked]
    for i, face in enumerate(faces):
        own = [one for one in seen if one.face == face and (one.is_marked or face not in _TURNED)]
        for those in (own, turned if face in _TURNED else []):
            if those:
                yield i, _unit(_unit(np.array([one.looks.mean(axis=0) for one in those])).mean(axis=0))


def measured(name: str, seen: Sequence[_Seen], strange: Sequence[_Seen], cosine_scale: float) -> TaughtType:
    """Return what was measured of one solid's drawn dice.

    :param strange: dice of no set. :param cosine_scale: of the network's own faces; that of these is fitted.
    """
    faces = tuple((str(number),) for number in range(1, KINDS[name] + 1))
    face_at, vectors = zip(*_prototypes(seen, faces), strict=True)
    kind = TaughtType(
        name=name, faces=faces, vectors=np.array(vectors, np.float32), face_at=np.array(face_at, np.int64),
        cosine_threshold=0.0, slope=0.0, shown=_SHOWN, cosine_scale=cosine_scale,
        signature=np.mean([one.types for one in seen], axis=0).astype(np.float32),
        body=np.array([0, 0, 0, np.median([one.shape for one in seen])], np.float32),
        body_spread=np.array([*_ANY_COLOUR, _BROADER * np.std([one.shape for one in seen])], np.float32),
        thresholds=np.full(len(faces), _SURE, np.float32),
    )  # fmt: skip
    rows = np.array([kind.cosines(one.looks).mean(axis=0) for one in seen])
    at = np.array([faces.index(one.face) for one in seen])
    own = rows[np.arange(len(rows)), at]
    others = np.array([kind.cosines(one.looks).mean(axis=0).max() for one in strange])
    spread = float(own.var() + others.var()) / 2

    def cost(scale: float) -> float:
        logits = scale * (rows - own[:, None])
        return float(np.log(np.exp(logits).sum(axis=1)).mean())

    kind = replace(
        kind,
        cosine_threshold=float(own.mean() + others.mean()) / 2,
        slope=float(own.mean() - others.mean()) / spread,
        cosine_scale=float(min(np.geomspace(0.5, 4, 40) * cosine_scale, key=cost)),
    )
    print(f"{name}: {(rows.argmax(axis=1) == at).mean():.3f} of {len(seen)} numbers are nearest to their own")
    return replace(kind, thresholds=_thresholds(kind, rows, at))


def _thresholds(kind: TaughtType, rows: Floats, at: npt.NDArray[np.int64]) -> Floats:
    """Return from which probability on each face is sure: more than half of the way from the worst mistake for it."""
    found = np.full(len(kind.faces), _SURE, np.float32)
    for row, own in zip(rows, at, strict=True):
        chances = kind.split(row) * kind.surely_shown(float(row.max()))
        if (taken := int(chances.argmax())) != own:
            found[taken] = max(found[taken], min(_MOST_SURE, (1 + float(chances.max())) / 2))
    if set(kind.faces) > _TURNED:
        found[[kind.faces.index(face) for face in _TURNED]] = _NEVER
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    seen = [one for those in made(_see, find_labels(options.folder), options.workers, chunk=8) for one in those]
    strange = [one for one in seen if one.face == STRANGE]
    classifier = Reader(find_sets(["percentile"]), models_folder=paths.models_folder()).classifier
    kinds = [
        measured(
            name, [one for one in seen if one.solid == name and one.face != STRANGE], strange, classifier.cosine_scale
        )
        for name in KINDS
    ]
    keep(Measured(types=tuple(kinds), faces=()), FILE, classifier.network)


if __name__ == "__main__":
    main()
