"""Measure the samples of a taught set: prototypes, thresholds and how well its faces can be told apart.

Nothing is trained. The network sees each sample under several turns and sizes, and in harder views: darker, brighter,
blurred and off its middle. A face with several samples is tested by leaving each of them out in turn, a face with one
sample by its harder views.
"""

from __future__ import annotations

import hashlib
import math
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Face
from tableside.dice.sets import SIDES, DiceSet
from tableside.dice.taught import CROP_PX, CROP_RADIUS_PX, Sample, Source, Taught
from tableside.reader.classify import Classifier, Prediction, View
from tableside.reader.colour import body_colour
from tableside.reader.photo import Picture, picture_size
from tableside.reader.prototypes import Floats, TaughtType, body_features
from tableside.record import Record

_MIDDLE = (CROP_PX / 2 - 0.5, CROP_PX / 2 - 0.5)
_PLAIN = (
    *((turn, 1.0, 0.0, 0.0) for turn in (0.0, 1.1, 2.1, 3.2, 4.2, 5.3)),
    (0.5, 0.93, 0.0, 0.0),
    (3.7, 1.08, 0.0, 0.0),
)
_HARD = ((0.8, 0.9, 0.06, -0.05), (2.6, 1.12, -0.06, 0.04), (4.7, 1.0, 0.05, 0.07))
"""Turn in radians, zoom, and offset in circumradii: the errors that the reader's second look leaves."""
_LIT = ((1.5, 0.8), (0.7, 1.1))  # gamma and gain: a darker and a brighter lamp
_BLUR = 0.03  # of the circumradius: as blurred as a picture may be

_COLOUR_SPREAD = (13.0, 10.0, 10.0)  # CIELAB: how much one kind of die varies under different lamps
_SHAPE_SPREAD = 0.13  # log ratio: how much its measured shape varies
_LEAST_NEW, _MOST_NEW = 0.02, 0.4  # bounds of how often a side that was not shown lies up
_MOST_SURE = 0.995
WELL_SHOWN = 4  # photographs of a face: more of them add little
_OFTEN_CONFIRMED = 4  # times that a person at the table said what a face shows
_SURE, _SURE_CONFIRMED = 0.85, 0.6
_NEVER_SURE = 1.01  # where one face alone was shown, other sides of the die would be read as that face
_FAR = 4.0  # times the usual difference within a face: a sample this far from its own face has a wrong name
_ONE_PHOTOGRAPH = 0.65  # views of one photograph differ less than photographs do, so their scale is taken down
_DRAWN = 0.5  # how far each sample moves towards the mean of its face
_FORM = 9  # of what is kept, and of how it is measured: raise it whenever either changes


class FaceReport(Record, frozen=True, kw_only=True):
    """How well one face is recognised.

    :ivar samples: how many are used.
    :ivar right: share of its views named rightly, each sample left out where there are others.
    :ivar nearest: the face that it is most like, with the share of views that came out as that one.
    """

    digits: ClassVar[Mapping[str, int]] = {"right": 4, "sure": 4, "margin": 4}

    type: str
    face: Face
    samples: int
    right: float
    sure: float
    nearest: Face | None
    margin: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measured:
    """A taught set as the reader uses it, with the report on its faces.

    :ivar misnamed: samples that fit another face as well as its own samples do, and their own face worse: the id, and
        the other face.
    """

    types: tuple[TaughtType, ...]
    faces: tuple[FaceReport, ...]
    misnamed: tuple[tuple[str, Face], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A sample seen: (n, d) embeddings of plain and of hard views, their mean, type probabilities and body.

    :ivar is_confirmed: it was thrown at the table, and a person there said what it shows.
    """

    face: int
    is_confirmed: bool
    plain: Floats
    hard: Floats
    mean: Floats
    types: Floats
    body: Floats


def measure(taught: Taught, classifier: Classifier, *, base: DiceSet | None = None) -> Measured:
    """Return what the network makes of the samples that are believed.

    :param base: the set that it is like, whose sides are known.
    """
    kinds = {kind.name: kind for kind in (base or taught.dice_set).types}
    types, reports, misnamed = [], [], []
    used = [sample for sample in taught.samples if not sample.doubted and sample.type in kinds]
    groups = {name: [s for s in used if s.type == name] for name in kinds}
    seen = {name: _see(samples, classifier) for name, samples in groups.items() if samples}
    for name, (faces, predictions) in seen.items():
        strangers = [one for other, (_, ones) in seen.items() if other != name for one in ones]
        kind = kinds[name]
        distinct = len(kind.distinct_faces) if base or kind.has_all_sides else SIDES[kind.solid]
        made, report = _measure_type(
            name, faces, predictions, strangers, sides=distinct, cosine_scale=classifier.cosine_scale
        )
        types.append(made)
        reports += report
        misnamed += [(groups[name][i].id, face) for i, face in _find_misnamed(faces, predictions)]
    return Measured(types=tuple(types), faces=tuple(reports), misnamed=tuple(misnamed))


def steadiness(sample: Sample, classifier: Classifier) -> tuple[Floats, float]:
    """Return a sample's mean embedding, and the mean cosine of its harder views to it."""
    _, (seen,) = _see([sample], classifier)
    return seen.mean, float((seen.hard @ seen.mean).mean())


def decode_crop(jpeg: bytes) -> Picture:
    """Return a sample's picture, (CROP_PX, CROP_PX, 3); grey where it is damaged."""
    is_small = picture_size(jpeg) == (CROP_PX, CROP_PX)  # checked before decoding: it may come from elsewhere
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if is_small else None
    if picture is None or picture.shape != (CROP_PX, CROP_PX, 3):
        return np.full((CROP_PX, CROP_PX, 3), 127, np.uint8)
    return np.asarray(picture, np.uint8)


def fingerprint(taught: Taught, classifier: Classifier) -> str:
    """Return what prototypes depend on as a hash: the network, the samples and the sides."""
    parts = [classifier.network, f"form {_FORM}"]
    parts += [f"{k.name} {k.solid} {k.faces}" for k in taught.dice_set.types]
    parts += [f"{s.id} {s.type} {s.face} {s.doubted} {s.shape}" for s in taught.samples]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def predict_sample(sample: Sample, classifier: Classifier) -> list[Prediction]:
    """Return the predictions for the plain views of one sample."""
    return classifier.predict(decode_crop(sample.jpeg), [_view(one) for one in _PLAIN])


def _view(one: tuple[float, float, float, float]) -> View:
    turn, zoom, dx, dy = one
    x, y = _MIDDLE
    return View((x + dx * CROP_RADIUS_PX, y + dy * CROP_RADIUS_PX), CROP_RADIUS_PX * zoom, turn)


def _see(samples: Sequence[Sample], classifier: Classifier) -> tuple[tuple[Face, ...], list[_Seen]]:
    faces = tuple(dict.fromkeys(sample.face for sample in samples))
    seen = []
    for sample in samples:
        crop = decode_crop(sample.jpeg)
        plain = classifier.predict(crop, [_view(one) for one in _PLAIN])
        hard = [look for other in _harder(crop) for look in classifier.predict(other, [_view(one) for one in _HARD])]
        embeddings = np.array([look.embedding for look in plain])
        mean = embeddings.mean(axis=0)
        seen.append(
            _Seen(
                faces.index(sample.face),
                sample.source is Source.CORRECTION,
                embeddings,
                np.array([look.embedding for look in hard]),
                mean / np.linalg.norm(mean),
                np.mean([look.types[:-1] for look in plain], axis=0),
                body_features(body_colour(crop, _MIDDLE, CROP_RADIUS_PX), sample.shape),
            )
        )
    return faces, seen


def _harder(crop: Picture) -> list[Picture]:
    lit = [np.asarray(255 * np.clip((crop / 255.0) ** gamma * gain, 0, 1), np.uint8) for gamma, gain in _LIT]
    sigma = _BLUR * CROP_RADIUS_PX
    return [*lit, np.asarray(cv2.GaussianBlur(crop, (0, 0), sigma), np.uint8)]


def _measure_type(
    name: str, faces: tuple[Face, ...], seen: list[_Seen], strangers: list[_Seen], *, sides: int, cosine_scale: float
) -> tuple[TaughtType, list[FaceReport]]:
    means = np.array([one.mean for one in seen])
    face_at = np.array([one.face for one in seen])
    vectors = means.copy()
    for f in range(len(faces)):
        vectors[face_at == f] = _draw_together(means[face_at == f])
    rows, of = _left_out(seen, means, vectors, face_at)
    owns = face_at[of]
    own = rows[np.arange(len(rows)), owns]
    others = np.where(np.eye(len(faces), dtype=bool)[owns], -1.0, rows).max(axis=1)
    strange = np.array([(one.plain @ vectors.T).max() for one in strangers])
    # an unknown face resembles these as much as they resemble one another, or as much as faces of other dice do
    new = others if len(faces) > 2 else np.concatenate([others[others > -1], strange])
    cosine_threshold, slope = _parting(own, new)
    share_new = float(np.clip(0.5 * (1 - len(faces) / max(sides, len(faces))), _LEAST_NEW, _MOST_NEW))
    bodies = np.array([one.body for one in seen])
    floor = np.array([*_COLOUR_SPREAD, _SHAPE_SPREAD]) * math.sqrt(1 + 1 / len(seen))  # the mean has an error, too
    order = np.argsort(face_at, kind="stable")
    several = float(np.mean([(face_at == one.face).sum() > 1 for one in seen]))
    signature = np.array([one.types for one in seen]).sum(axis=0) + 1 / seen[0].types.size
    kind = TaughtType(
        name=name,
        faces=faces,
        vectors=vectors[order].astype(np.float32),
        face_at=face_at[order].astype(np.int64),
        cosine_threshold=cosine_threshold,
        slope=slope,
        shown=math.log((1 - share_new) / share_new),
        cosine_scale=_fit_scale(rows, owns, cosine_scale, len(seen))
        * (_ONE_PHOTOGRAPH + (1 - _ONE_PHOTOGRAPH) * several),
        signature=(signature / signature.sum()).astype(np.float32),
        body=np.median(bodies, axis=0).astype(np.float32),
        body_spread=np.maximum(bodies.std(axis=0), floor).astype(np.float32),
        thresholds=np.full(len(faces), _NEVER_SURE, np.float32),
    )
    chances = np.array([kind.split(row) * kind.surely_shown(float(row.max())) for row in rows])
    wrong = chances.argmax(axis=1) != owns
    # a doubtful die is read from several views, so what all views of a sample come to is what can mislead
    mean_rows = [rows[of == i].mean(axis=0) for i in range(len(seen))]
    of_samples = np.array([kind.split(row) * kind.surely_shown(float(row.max())) for row in mean_rows])
    if len(faces) > 1 or sides == 1:
        confirmed = np.bincount(face_at, weights=[one.is_confirmed for one in seen])
        thresholds = np.where(confirmed >= _OFTEN_CONFIRMED, _SURE_CONFIRMED, _SURE)
        for i, taken in enumerate(of_samples.argmax(axis=1)):
            if taken != face_at[i]:  # surer by half of the way from this mistake to certainty
                thresholds[taken] = max(thresholds[taken], min(_MOST_SURE, (1 + of_samples[i].max()) / 2))
        kind = replace(kind, thresholds=thresholds.astype(np.float32))
    reports = []
    for i, face in enumerate(faces):
        ours = owns == i
        rival = np.where(np.arange(len(faces)) == i, -1.0, rows[ours].mean(axis=0))
        nearest = faces[int(rival.argmax())] if len(faces) > 1 else None
        reports.append(
            FaceReport(
                type=name,
                face=face,
                samples=sum(one.face == i for one in seen),
                right=float(1 - wrong[ours].mean()),
                sure=float((chances[ours].max(axis=1) > kind.thresholds[chances[ours].argmax(axis=1)]).mean()),
                nearest=nearest,
                margin=float(own[ours].mean() - max(float(rival.max()), 0.0)) if nearest is not None else 1.0,
            )
        )
    return kind, reports


def _find_misnamed(faces: tuple[Face, ...], seen: list[_Seen]) -> list[tuple[int, Face]]:
    """Return the samples that look like another face of at least two samples, with that face."""
    means = np.array([one.mean for one in seen])
    near = means @ means.T
    np.fill_diagonal(near, -1.0)
    face_at = np.array([one.face for one in seen])
    best = np.stack([near[:, face_at == f].max(axis=1) for f in range(len(faces))], axis=1)
    found = []
    for i, one in enumerate(seen):
        for f, face in enumerate(faces):
            others = face_at == f
            if f == one.face or others.sum() < 2 or _turn_into(face, faces[one.face]):
                continue
            usual, own = float(best[others, f].mean()), float(best[i, one.face])
            # the only sample of its face may rightly look like another; the report says that they are close
            if own >= 0 and best[i, f] >= usual and own < usual - _FAR * (1 - usual):
                found.append((i, face))
    return found


def _turn_into(a: Face, b: Face) -> bool:
    """Return whether two numbers are one another upside down: they may look alike."""
    upside_down = str.maketrans("0123456789", "01xxxx9x86")
    return "".join(b).isdecimal() and "".join(a).translate(upside_down)[::-1] == "".join(b)


def _draw_together(means: Floats) -> Floats:
    """Return one face's unit vectors drawn towards their mean, which light and turn change less."""
    return _unit((1 - _DRAWN) * means + _DRAWN * _unit(means.mean(axis=0)))


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def _left_out(
    seen: list[_Seen], means: Floats, vectors: Floats, face_at: npt.NDArray[np.int64]
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Return the (n, faces) cosines of all views and the sample of each, no view held against its own sample."""
    rows, of = [], []
    for i, one in enumerate(seen):
        rest = face_at == one.face
        rest[i] = False
        views = np.concatenate([one.plain, one.hard]) if rest.any() else one.hard
        near = views @ vectors.T
        if rest.any():
            near[:, rest] = views @ _draw_together(means[rest]).T
            near[:, i] = -1.0
        rows.append(np.stack([near[:, face_at == f].max(axis=1) for f in range(face_at.max() + 1)], axis=1))
        of += [i] * len(views)
    return np.concatenate(rows), np.array(of)


def _parting(own: Floats, new: Floats) -> tuple[float, float]:
    """Return the cosine at which shown and other faces are equally likely, and the log-odds per cosine.

    Both are taken for normal distributions of one width.
    """
    near = float(own.mean())
    far = float(new.mean()) if len(new) else 0.5 * near
    gap = max(near - far, 0.01)
    spread = (float(own.var()) + (float(new.var()) if len(new) else 0.0)) / 2
    spread = max(spread, (gap / 4) ** 2)  # few samples of one photograph are easier to tell apart than dice on a table
    return (near + far) / 2, gap / spread


def _fit_scale(rows: Floats, owns: npt.NDArray[np.int64], cosine_scale: float, samples: int) -> float:
    """Return the scale that makes the views' own faces likeliest, drawn towards the network's own."""
    best, least = cosine_scale, math.inf
    for factor in np.geomspace(0.25, 6, 25):
        logits = rows * cosine_scale * factor
        logits = logits - logits.max(axis=1, keepdims=True)
        chosen = logits[np.arange(len(rows)), owns] - np.log(np.exp(logits).sum(axis=1))
        cost = -float(chosen.mean()) * samples + 0.5 * math.log(factor) ** 2
        if cost < least:
            best, least = cosine_scale * float(factor), cost
    return best


def keep(measured: Measured, path: Path, mark: str) -> None:
    """Write what was measured beside the samples. A folder that cannot be written costs time, nothing else."""
    arrays: dict[str, Any] = {"mark": np.array(mark), "names": np.array([kind.name for kind in measured.types])}
    for i, kind in enumerate(measured.types):
        arrays[f"faces{i}"] = np.array(["\t".join(face) for face in kind.faces])
        for name in TaughtType.__slots__:
            if name not in ("name", "faces"):
                arrays[f"{name}{i}"] = np.asarray(getattr(kind, name))
    unfinished = path.with_suffix(".part.npz")
    try:
        np.savez(unfinished, **arrays)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)


def kept(path: Path, mark: str) -> tuple[TaughtType, ...] | None:
    """Return what was measured before, ``None`` where the network or the samples have changed since."""
    try:
        with np.load(path) as arrays:
            if str(arrays["mark"]) != mark:
                return None
            return tuple(_restore_type(arrays, i, str(name)) for i, name in enumerate(arrays["names"]))
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        return None


def _restore_type(arrays: Any, i: int, name: str) -> TaughtType:
    faces = tuple(tuple(filter(None, str(face).split("\t"))) for face in arrays[f"faces{i}"])
    values: dict[str, Any] = {
        n: arrays[f"{n}{i}"] for n in ("vectors", "face_at", "signature", "body", "body_spread", "thresholds")
    }
    values |= {n: float(arrays[f"{n}{i}"]) for n in ("cosine_threshold", "slope", "shown", "cosine_scale")}
    return TaughtType(name=name, faces=faces, **values)
