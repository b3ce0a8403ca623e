"""Teach a dice set from labelled photographs, and keep the sets that were taught."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from tableside import paths
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach_find import find_all
from tableside.app.teach_labels import PhotoLabel, SaidDie, read_labels
from tableside.dice import DiceSet, DieType, Face, face_name, find_sets
from tableside.dice.sets import SIDES
from tableside.dice.taught import CROP_PX, CROP_RADIUS_PX, Sample, Source, Taught, save_taught
from tableside.errors import DiceSetError, PhotoError, TablesideError
from tableside.reader.colour import body_colour
from tableside.reader.photo import Picture, jpeg_of
from tableside.reader.prototypes import body_features
from tableside.reader.variant import bgr_of
from tableside.teaching import measure
from tableside.teaching.samples import Finder, Shown, same_face, turns_of
from tableside.teaching.trace import trace_symbol
from tableside.words import say

_ALIKE_BODY = 25.0  # CIELAB: lamps move one body by as much
_FELLOWS = 3  # so many samples of one look are dice
_OTHER_SIZE = 2.5  # times as large as its fellows, or that part of it: the tray, or a mark
_SHEET, _LINE_PX = "sheet.jpg", 14
_OTHER_BODY = 60.0  # CIELAB from its fellows
_USUAL = 3.0  # times as far as they are from each other: lamps move some bodies by much


class Crop(Protocol):
    """A die that was found, upright in a small picture, with the form of its solid and the px of its upper face."""

    @property
    def crop(self) -> Picture: ...
    @property
    def shape(self) -> float: ...
    @property
    def radius(self) -> float: ...


class Untaught(DiceSetError):
    """Some of what was shown cannot be learnt; nothing was changed.

    :ivar problems: one message each.
    """

    def __init__(self, problems: Sequence[TablesideError], name: str) -> None:
        self.problems = tuple(problems)
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
        super().__init__(
            say("was not taught: {=count}", count=count),
            where=name,
            hint="Correct them, or leave them out by --skip-bad.",
        )


class Misnamed(PhotoError):
    """A sample cannot be learnt, by what others show: it is none of theirs, or theirs under another name.

    :ivar sample: the one that is left out.
    """

    def __init__(self, what: str, sample: Sample, *, hint: str) -> None:
        self.sample = sample
        super().__init__(what, where=sample.origin, hint=hint)


@dataclass(slots=True, kw_only=True)
class Lesson:
    """What came of teaching.

    :ivar sheet: shows what was cut out. :ivar added: samples that are new.
    :ivar notes: what may trouble the reader later. :ivar skipped: what was left out.
    """

    taught: Taught
    sheet: Path
    measured: measure.Measured
    added: int
    notes: list[str] = field(default_factory=list)
    skipped: list[TablesideError] = field(default_factory=list)
    seconds: float = 0.0


def teach_folder(folder: Path, name: str, *, data: Path, like: str = "", skip_bad: bool = False) -> Lesson:
    """Teach, or teach on, the set ``name`` by the labelled photographs of a folder.

    :param like: the set whose dice these are.
    :param skip_bad: leave out what cannot be learnt; else nothing is changed when anything cannot.
    :raises Untaught: with every problem.
    """
    begin = time.perf_counter()
    sets = TaughtSets(data)
    path = sets.path(name)
    problems: list[TablesideError] = []
    labels = read_labels(folder, problems)
    if not any(label.dice for label in labels) and not problems:
        hint = "Each NAME.json beside its photograph says type, kind and face of its dice; see docs/teach.md."
        raise Untaught([PhotoError("holds no labelled dice", where=str(folder), hint=hint)], name)
    base = find_sets([like], user_folder=sets.folder)[0] if like else None
    finder = Finder(paths.models_folder())
    notes: list[str] = []
    shown = [_shown_die(*one) for one in find_all(labels, finder, base, problems, notes)]
    with sets.writing():
        before = sets.load_or_begin(name, like=like)
        after, measured = learn(sets, before, shown, finder, problems)
        if (problems and not skip_bad) or not after.samples:
            raise Untaught(problems, name)
        store(after, measured, path, finder)
    added = len({s.id for s in after.samples} - {s.id for s in before.samples})
    notes += [] if like else _notes(after, sets.folder)
    notes += _shown_enough(measured)
    return Lesson(
        taught=after,
        sheet=path / _SHEET,
        measured=measured,
        added=added,
        notes=notes,
        skipped=problems,
        seconds=time.perf_counter() - begin,
    )


class ShownDie(NamedTuple):
    """A die as it was shown: its sample, the solid that was said or ``""``, and its picture."""

    sample: Sample
    solid: str
    crop: Picture


def learn(
    sets: TaughtSets, before: Taught, shown: Sequence[ShownDie], finder: Finder, problems: list[TablesideError]
) -> tuple[Taught, measure.Measured]:
    """Return the set with what was shown, the types and drawings that this makes, and how well its faces are told.

    :param problems: takes why something cannot be learnt; it is left out.
    """
    like = before.dice_set.like
    base = find_sets([like], user_folder=sets.folder)[0] if like else None
    misnamed = odd_ones(shown)
    bad = {id(one.sample) for one in misnamed}  # two samples of one place have one id of their own
    misnamed += two_names(before, [one.sample for one in shown if id(one.sample) not in bad])
    problems += misnamed
    bad |= {id(one.sample) for one in misnamed}
    good = [one for one in shown if id(one.sample) not in bad]
    kinds = {} if like else _kinds(before.dice_set, good, problems)
    types = {kind.name: kind for kind in before.dice_set.types} | kinds
    taught = replace(before, dice_set=replace(before.dice_set, types=tuple(types.values())))
    new = {one.sample.id: one.sample for one in good if like or one.sample.type in kinds}
    taught = taught.with_samples(list(new.values()))
    measured = measure.measure(taught, finder.classifier, base=base)
    mixed = [_looks_like(new[mark], face) for mark, face in measured.misnamed if mark in new]
    if mixed:
        problems += mixed
        taught = taught.without(one.sample.id for one in mixed)
        measured = measure.measure(taught, finder.classifier, base=base)
    return taught if like else _with_drawings(taught, find_sets(user_folder=sets.folder)), measured


def _with_drawings(taught: Taught, installed: Sequence[DiceSet]) -> Taught:
    """Return the set with a drawing of each symbol that stands alone: another set's, or traced from its sample."""
    drawings = dict(taught.drawings)
    for sample in taught.samples:
        if len(sample.face) == 1 and not sample.face[0].isdecimal() and sample.face[0] not in drawings:
            drawn = next((path for one in installed if (path := one.drawing(sample.face[0])) is not None), None)
            svg = drawn.read_text(encoding="utf-8") if drawn else trace_symbol(measure.decode_crop(sample.jpeg))
            if svg:
                drawings[sample.face[0]] = svg
    return replace(taught, drawings=drawings)


def store(taught: Taught, measured: measure.Measured, path: Path, finder: Finder) -> None:
    """Write a taught set with what was measured."""
    save_taught(taught, path)
    with suppress(OSError):  # as what was measured, it costs nobody anything where the folder cannot be written
        (path / _SHEET).write_bytes(jpeg_of(_sheet(taught.samples)))
    measure.keep(measured, path / "prototypes.npz", measure.fingerprint(taught, finder.classifier))


def colours_of(crops: Sequence[Picture]) -> tuple[str, str]:
    """Return body and ink of a type as ``#rrggbb``: the middle colour of its faces, and what differs most."""
    middle = (CROP_PX / 2 - 0.5,) * 2
    body = np.median([body_colour(crop, middle, CROP_RADIUS_PX) for crop in crops], axis=0)
    inks = []
    reach = slice(int(middle[0] - 0.6 * CROP_RADIUS_PX), int(middle[0] + 0.6 * CROP_RADIUS_PX))
    for crop in crops:
        pixels = crop[reach, reach].reshape(-1, 3).astype(np.float32)
        far = np.linalg.norm(pixels - body, axis=1)
        inks.append(np.median(pixels[far >= np.quantile(far, 0.93)], axis=0))
    return _hex(body), _hex(np.median(inks, axis=0))


def two_names(taught: Taught, added: Sequence[Sample]) -> list[Misnamed]:
    """Return where one face is shown under two names: of those that are added, the later one."""
    problems: list[Misnamed] = []
    first: dict[str, Sample] = {}
    for one in added:  # one place of one photograph
        other = first.setdefault(one.id, one)
        if (other.type, other.face) != (one.type, one.face):
            problems.append(_named_twice(one, other))
    for kind in dict.fromkeys(s.type for s in added):
        ours = [s for s in ({s.id: s for s in taught.samples} | first).values() if s.type == kind]
        turned = [turns_of(measure.decode_crop(s.jpeg)) for s in ours]
        right = [i for i, one in enumerate(ours) if one.id not in first]
        for i in (i for i, one in enumerate(ours) if one.id in first):
            one = ours[i]
            alike = (ours[j] for j in right if ours[j].face != one.face and same_face(turned[i], turned[j]))
            if (rival := next(alike, None)) is not None:
                problems.append(_named_twice(one, rival))
            else:
                right.append(i)
    return problems


def odd_ones(shown: Sequence[ShownDie]) -> list[Misnamed]:
    """Return what has a size or colour that too few of its type share to be such a die; dice of two colours are two
    groups, none of them odd."""
    problems: list[Misnamed] = []
    middle = (CROP_PX / 2 - 0.5,) * 2
    for kind in dict.fromkeys(one.sample.type for one in shown):
        ours = [one for one in shown if one.sample.type == kind]
        sizes = np.array([[one.sample.radius] for one in ours])
        bodies = np.array([body_features(body_colour(one.crop, middle, CROP_RADIUS_PX), 1.0)[:3] for one in ours])
        of_size, of_body = _are_alone(np.log(sizes), math.log(_OTHER_SIZE)), _are_alone(bodies, _OTHER_BODY)
        for one, is_other_size, is_other_body in zip(ours, of_size, of_body, strict=True):
            hint = "Look at what was cut out. Lay the die alone on a plain ground, or give its center in the label."
            if is_other_size:
                times = f"{one.sample.radius / np.median(sizes):.1f}"
                what = say("is {=times} times as large as the others of {=type}", times=times, type=kind)
                problems.append(Misnamed(what, one.sample, hint=hint))
            elif is_other_body:
                what = say("has quite another colour than the others of {=type}", type=kind)
                problems.append(Misnamed(what, one.sample, hint=hint))
    return problems


def _are_alone(looks: npt.NDArray[np.float64], reach: float) -> list[bool]:
    """Return which have fewer than ``_FELLOWS`` near them, themselves one of them, where most have so many.

    :param looks: a row each. :param reach: what is near at least, in the unit of the rows.
    """
    if len(looks) <= _FELLOWS:
        return [False] * len(looks)  # of so few nobody knows which is the odd one
    far = np.sort(np.linalg.norm(looks[:, None] - looks, axis=2))[:, _FELLOWS - 1]
    return [bool(one > max(reach, _USUAL * np.median(far))) for one in far]


def _sheet(samples: Sequence[Sample]) -> Picture:
    """Return all samples side by side, each with type, face and size."""
    cells = []
    for one in sorted(samples, key=lambda one: (one.type, one.face, one.at)):
        cell = cv2.copyMakeBorder(measure.decode_crop(one.jpeg), 0, _LINE_PX, 0, 0, cv2.BORDER_CONSTANT)
        words = f"{one.type} {face_name(one.face)} {round(2 * one.radius) or ''}"
        cv2.putText(
            cell, words, (2, CROP_PX + _LINE_PX - 4), cv2.FONT_HERSHEY_PLAIN, 0.8, (255, 255, 255), 1, cv2.LINE_AA
        )
        cells.append(np.asarray(cell, np.uint8))
    across = math.ceil(math.sqrt(len(cells)))
    cells += [np.zeros_like(cells[0])] * (-len(cells) % across)
    rows = [np.hstack(cells[at : at + across]) for at in range(0, len(cells), across)]
    return np.asarray(np.vstack(rows), np.uint8)


def _looks_like(sample: Sample, face: Face) -> Misnamed:
    what = say(
        "{=type} called {=face} shows the same face as those called {=face2}",
        type=sample.type,
        face=face_name(sample.face),
        face2=face_name(face),
    )
    return Misnamed(what, sample, hint="Correct the label, or remove the photograph.")


def _named_twice(one: Sample, other: Sample) -> Misnamed:
    names = [face_name(sample.face) if one.type == other.type else sample.type for sample in (one, other)]
    what = say(
        "shows the same face as {=origin}, but is called {=names} and not {=names2}",
        origin=other.origin,
        names=names[0],
        names2=names[1],
    )
    return Misnamed(what, one, hint="Correct one of the two labels, or remove one photograph.")


def report(lesson: Lesson) -> dict[str, Any]:
    """Return what came of teaching, for JSON."""
    dice_set, measured = lesson.taught.dice_set, lesson.measured
    faces = [one.to_json() for one in measured.faces]
    views = [one.right for one in measured.faces]
    return {
        "set": dice_set.name,
        "like": dice_set.like or None,
        "samples": len(lesson.taught.samples),
        "added": lesson.added,
        "types": [
            {
                "name": k.name,
                "solid": k.solid,
                "body": k.body,
                "ink": k.ink,
                "faces_shown": len(k.distinct_faces),
                "sides": SIDES[k.solid],
                "not_shown": SIDES[k.solid] - len(k.faces),
                "plays_as": k.plays_as or None,
            }
            for k in dice_set.types
        ],
        "thresholds": {kind.name: round(float(kind.thresholds.max()), 4) for kind in measured.types},
        "right": round(float(np.mean(views)), 4) if views else None,
        "faces": faces,
        "close": close_faces(measured),
        "notes": lesson.notes,
        "sheet": str(lesson.sheet),
        "skipped": [str(problem) for problem in lesson.skipped],
        "seconds": round(lesson.seconds, 1),
    }


def close_faces(measured: measure.Measured) -> list[dict[str, Any]]:
    """Return the pairs of faces that look most alike, closest first: the five closest, and all that are mixed up."""
    pairs: dict[tuple[str, Face, Face], dict[str, Any]] = {}
    for one in measured.faces:
        if one.nearest is not None:
            a, b = sorted([one.face, one.nearest])
            key, old = (one.type, a, b), pairs.get((one.type, a, b))
            pair = {
                "type": one.type,
                "faces": [list(a), list(b)],
                "margin": round(one.margin, 4),
                "alike": one.right < 1 or one.sure < 0.5,
            }
            if old is None or one.margin < old["margin"]:
                pairs[key] = pair | {"alike": pair["alike"] or bool(old and old["alike"])}
    ranked = sorted(pairs.values(), key=lambda pair: pair["margin"])
    return [pair for n, pair in enumerate(ranked) if n < 5 or pair["alike"]]


def _shown_die(label: PhotoLabel, die: SaidDie, found: Shown) -> ShownDie:
    place = f"{found.view.centre[0]:.0f} {found.view.centre[1]:.0f}"
    mark = hashlib.sha256(label.digest + place.encode()).hexdigest()[:20]
    sample = sample_of(found, die.type, die.face, id=mark, source=Source.PHOTO, origin=label.path.name)
    return ShownDie(sample, die.kind, found.crop)


def sample_of(shown: Crop, type: str, face: Face, *, id: str, source: Source, origin: str) -> Sample:
    """Return what was shown as a sample of this type and face, taken now."""
    return Sample(
        id=id,
        type=type,
        face=face,
        source=source,
        origin=origin,
        at=round(time.time(), 3),
        shape=round(shown.shape, 4),
        radius=round(shown.radius, 1),
        jpeg=jpeg_of(shown.crop),
    )


def _kinds(dice_set: DiceSet, shown: Sequence[ShownDie], problems: list[TablesideError]) -> dict[str, DieType]:
    kinds: dict[str, DieType] = {}
    known = {kind.name: kind for kind in dice_set.types}
    for name in dict.fromkeys(one.sample.type for one in shown):
        ours = [one for one in shown if one.sample.type == name]
        old = known.get(name)
        faces = list(dict.fromkeys([*(old.faces if old else ()), *(one.sample.face for one in ours)]))
        solids = {one.solid: one.sample.origin for one in ours if one.solid}
        if old:
            solids.setdefault(old.solid, ours[0].sample.origin)
        if len(solids) > 1:
            where = next(iter(solids.values()))
            what = say("type {=name} is called {=names}", name=name, names=" and ".join(sorted(solids)))
            problems.append(PhotoError(what, where=where, hint="Give kind as one solid for all dice of a type."))
            continue
        solid = next(iter(solids), "") or next((k for k, sides in SIDES.items() if sides >= max(6, len(faces))), "d20")
        if len(faces) > SIDES[solid]:
            what = say(
                "type {=name} is shown with {=n} faces, but a {=solid} has {=sides}",
                name=name,
                n=len(faces),
                solid=solid,
                sides=SIDES[solid],
            )
            hint = "Give the dice two types, or correct kind."
            problems.append(PhotoError(what, where=ours[-1].sample.origin, hint=hint))
            continue
        body, ink = colours_of([one.crop for one in ours])
        kinds[name] = DieType(
            name=name,
            title=old.title if old else name,
            solid=solid,
            faces=tuple(faces),
            body=old.body if old else body,
            ink=old.ink if old else ink,
            plays_as=old.plays_as if old else "",
        )
    return kinds


def _shown_enough(measured: measure.Measured) -> list[str]:
    """Return of which types more photographs will not help: their faces are well shown, and mostly still in doubt."""
    notes = []
    for kind in measured.types:
        faces = [face for face in measured.faces if face.type == kind.name]
        if min(face.samples for face in faces) >= measure.WELL_SHOWN and np.mean([face.sure for face in faces]) < 0.5:
            notes.append(
                f"{kind.name} is well shown, and still asked about more often than not. More photographs will not "
                "help; more even light may, a camera that is nearer, or dice with plainer marks."
            )
    return notes


def _notes(taught: Taught, user_folder: Path) -> list[str]:
    """Return which types of other sets have the colour and shape of a taught one."""
    notes = []
    others = [one for one in find_sets(user_folder=user_folder) if one.name != taught.dice_set.name]
    for kind in taught.dice_set.types:
        for other in others:
            like = [theirs for theirs in other.types if theirs.solid == kind.solid and _alike(kind, theirs)]
            if like:
                notes.append(
                    f"{kind.name} has the colour and shape of {' and '.join(t.name for t in like)} of {other.name}; "
                    "only their faces tell them apart. If they mix, read with --set "
                    f"{taught.dice_set.name}, or teach them with --like {other.name} if they are such dice."
                )
    return notes


def _alike(ours: DieType, theirs: DieType) -> bool:
    if theirs.variant_of:
        return False
    if theirs.any_colour:
        return bool(set(ours.faces) & set(theirs.faces))
    colours = [body_features(bgr_of(one.body), 1.0)[:3] for one in (ours, theirs)]
    return float(np.linalg.norm(colours[0] - colours[1])) < _ALIKE_BODY


def _hex(bgr: Any) -> str:
    b, g, r = (int(np.clip(round(float(v)), 0, 255)) for v in bgr)
    return f"#{r:02x}{g:02x}{b:02x}"
