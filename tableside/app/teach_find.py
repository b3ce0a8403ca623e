"""Find the dice that the labels of a folder speak of, each in its photograph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from statistics import median

from tableside.app.teach_labels import PhotoLabel, SaidDie
from tableside.dice import DiceSet, Face
from tableside.errors import DiceSetError, PhotoError, TablesideError
from tableside.reader.photo import Picture, load_photo
from tableside.reader.plane import MANY_SIDED, slant
from tableside.teaching.samples import Finder, Shown, check_marks, check_sharp

_OTHERS = 4  # photographs of other faces that a photograph without a centre is held against
_ASLANT = 0.15  # sine of the camera's tilt; by 0.36 two sides of a d20 face it alike
_MANY_FACES = 12  # a die with more of them, whose solid was not said, is taken for a d20 here

Finding = tuple[PhotoLabel, SaidDie, Shown]


def find_all(
    labels: Sequence[PhotoLabel],
    finder: Finder,
    base: DiceSet | None,
    problems: list[TablesideError],
    notes: list[str],
) -> list[Finding]:
    """Return the upper face of every die.

    Which face of a d20 lies up no photograph tells where the camera looks aslant: that is noted.

    :param base: the set whose dice these are. :param problems: takes what cannot be learnt.
    :param notes: takes what may be learnt wrongly.
    """
    findings: list[Finding] = []
    slants: dict[str, list[float]] = {}
    faces: dict[str, set[Face]] = {}
    for die in (die for label in labels for die in label.dice):
        faces.setdefault(die.type, set()).add(die.face)
    for label in labels:
        if not label.dice:
            continue
        found: list[Finding] = []
        with _naming(label, problems):
            picture = load_photo(label.path)
            for die in label.dice:
                if base is not None:
                    base.type(die.type).check_face(die.face)
                shown = _find(die, picture, label, labels, finder)
                check_sharp(shown, where=label.path.name, face=die.face)
                check_marks(shown, die.face, where=label.path.name)
                solid = die.kind or ("d20" if len(faces[die.type]) > _MANY_FACES else "")
                if solid in MANY_SIDED and die.center is None:
                    slants.setdefault(die.type, []).append(slant(shown.found, solid))
                found.append((label, die, shown))
            findings += found  # of a photograph with something bad nothing is learnt
    notes += (
        f"{kind} was photographed aslant, where no picture tells which side of a d20 lies up, and some samples may be"
        " of a side. Look straight down on it, or give each die's center."
        for kind, seen in slants.items()
        if median(seen) > _ASLANT
    )
    return findings


@contextmanager
def _naming(label: PhotoLabel, problems: list[TablesideError]) -> Iterator[None]:
    """Add what goes wrong to ``problems``, with the photograph's name."""
    try:
        yield
    except (PhotoError, DiceSetError) as error:
        name = label.path.name
        where = name if name in error.where or not error.where else f"{name} {error.where}"
        problems.append(type(error)(error.what, where=where, hint=error.hint))


def _find(die: SaidDie, picture: Picture, label: PhotoLabel, labels: Sequence[PhotoLabel], finder: Finder) -> Shown:
    if die.center is not None:
        return finder.at(picture, die.center, where=label.path.name)
    ours = {one.face for one in label.dice}
    same = {one.type for one in label.dice}
    others = [one for one in labels if not one.dice or (one.dice[0].type in same and one.dice[0].face not in ours)]
    return finder.only(picture, [load_photo(one.path) for one in others[:_OTHERS]], where=label.path.name)
