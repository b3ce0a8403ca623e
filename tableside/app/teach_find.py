"""Find the dice that the labels of a folder speak of, each in its photograph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median

from tableside.app.teach_labels import PhotoLabel, SaidDie
from tableside.dice import DiceSet, Face
from tableside.errors import DiceSetError, PhotoError, TablesideError
from tableside.reader.ground import SIGHTINGS
from tableside.reader.photo import Picture, load_photo
from tableside.reader.tilt import AMBIGUOUS, Sighting, Tilt, common_tilt, faces_in_sight, slant
from tableside.teaching.samples import Finder, Shown, check_marks, check_sharp

_OTHERS = 4  # photographs of other faces that a photograph without a centre is held against
_ASLANT = 0.15  # sine of the camera's tilt; by 0.36 two sides of a d20 face it alike
_MANY_FACES = 12  # a die with more of them, whose solid was not said, is taken for a d20 here

Finding = tuple[PhotoLabel, SaidDie, Shown]


@dataclass(slots=True)
class _Table:
    """Dice of one type alone in photographs of one size: if one camera took them, a tilt explains them all."""

    solid: str
    findings: list[int] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    slants: list[float] = field(default_factory=list)
    faces: list[Face] = field(default_factory=list)


def find_all(
    labels: Sequence[PhotoLabel],
    finder: Finder,
    base: DiceSet | None,
    problems: list[TablesideError],
    notes: list[str],
    say: Callable[[str], None],
) -> list[Finding]:
    """Return the upper face of every die.

    Which face of a d20 lies up no photograph tells where the camera looks aslant; all that one camera took do.

    :param base: the set whose dice these are. :param problems: takes what cannot be learnt.
    :param notes: takes what may be learnt wrongly. :param say: told of each photograph.
    """
    findings: list[Finding] = []
    tables: dict[tuple[str, tuple[int, ...]], _Table] = {}
    faces: dict[str, set[Face]] = {}
    for die in (die for label in labels for die in label.dice):
        faces.setdefault(die.type, set()).add(die.face)
    for label in labels:
        if not label.dice:
            continue
        with _naming(label, problems):
            picture = load_photo(label.path)
            for die in label.dice:
                if base is not None:
                    base.type(die.type).check_face(die.face)
                shown = _checked(_find(die, picture, label, labels, finder), label, die)
                solid = die.kind or ("d20" if len(faces[die.type]) > _MANY_FACES else "")
                if solid in AMBIGUOUS and die.center is None:
                    table = tables.setdefault((die.type, picture.shape), _Table(solid))
                    table.findings.append(len(findings))
                    table.slants.append(slant(shown.found, solid))
                    if table.faces.count(die.face) < max(1, SIGHTINGS // len(faces[die.type])):
                        table.sightings.append(faces_in_sight(finder.classifier, picture, shown.found, solid))
                        table.faces.append(die.face)
                findings.append((label, die, shown))
            say(label.path.name)
    bad: set[int] = set()
    aslant: dict[str, None] = {}
    for (kind, shape), table in tables.items():
        if tilt := common_tilt(table.sightings):
            bad |= _look_again(table, tilt, shape, findings, finder, problems)
        elif median(table.slants) > _ASLANT:
            aslant[kind] = None
    notes += map(_unsure, aslant)
    return [one for i, one in enumerate(findings) if i not in bad]


def _unsure(kind: str) -> str:
    return (
        f"{kind} was photographed aslant, where no single picture tells which side of a d20 lies up, and some samples"
        " may be of a side. Leave the camera where it is for all photographs, or give each die's center."
    )


def _look_again(
    table: _Table,
    tilt: Tilt,
    shape: tuple[int, ...],
    findings: list[Finding],
    finder: Finder,
    problems: list[TablesideError],
) -> set[int]:
    """Take the face that lies up by the table's tilt where another was taken for it.

    :returns: the indices of what cannot be learnt then.
    """
    bad = set()
    for i in table.findings:
        label, die, shown = findings[i]
        at = tilt.upper_face(shown.found, table.solid, shape)
        if shown.is_other_face(at):
            bad.add(i)
            with _naming(label, problems):
                upper = finder.with_face(load_photo(label.path), shown, at)
                findings[i] = label, die, _checked(upper, label, die)
                bad.remove(i)
    return bad


@contextmanager
def _naming(label: PhotoLabel, problems: list[TablesideError]) -> Iterator[None]:
    """Add what goes wrong to ``problems``, with the photograph's name."""
    try:
        yield
    except (PhotoError, DiceSetError) as error:
        name = label.path.name
        where = name if name in error.where or not error.where else f"{name} {error.where}"
        problems.append(type(error)(error.what, where=where, hint=error.hint))


def _checked(shown: Shown, label: PhotoLabel, die: SaidDie) -> Shown:
    check_sharp(shown, where=label.path.name, face=die.face)
    check_marks(shown, die.face, where=label.path.name)
    return shown


def _find(die: SaidDie, picture: Picture, label: PhotoLabel, labels: Sequence[PhotoLabel], finder: Finder) -> Shown:
    if die.center is not None:
        return finder.at(picture, die.center, where=label.path.name)
    ours = {one.face for one in label.dice}
    same = {one.type for one in label.dice}
    others = [one for one in labels if not one.dice or (one.dice[0].type in same and one.dice[0].face not in ours)]
    return finder.only(picture, [load_photo(one.path) for one in others[:_OTHERS]], where=label.path.name)
