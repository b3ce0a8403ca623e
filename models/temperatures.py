"""Temperatures of the classifier's word on types and faces, and how much the others' word on types counts beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.labelled import Labelled, die_at, read_label
from models.weights import weights_of
from tableside.dice import find_sets
from tableside.reader.classify import Classifier, View
from tableside.reader.confidence import logit
from tableside.reader.network import Network
from tableside.reader.photo import load_photo
from tableside.reader.place import MeasuringLocator

TYPES = (
    "boost",
    "setback",
    "ability",
    "difficulty",
    "proficiency",
    "challenge",
    "force",
    "pip",
    "d10",
    "d100",
    "other",
)
"""The names that the networks' outputs stand for."""
SETS = find_sets(["narrative", "pips", "percentile"])
SET_OF = {t.name: s.name for s in SETS for t in s.types}
STRANGERS = 0.05  # the odds of dice of no set at a table over those in what the classifier learns from, where 29 % of the dice are
NONE = len(TYPES)


def is_readable(truth: Labelled) -> bool:
    return truth.whole and truth.die.type in SET_OF


@dataclass(slots=True)
class Looks:
    """What the networks said of every find, (n, ...) log-probabilities, and the truth."""

    scores: np.ndarray
    far: np.ndarray
    whole: np.ndarray
    near: np.ndarray
    faces: np.ndarray
    types: np.ndarray
    truths: np.ndarray


def gather(scenes: list[Path], folder: Path) -> Looks:
    """Look at every find in the scenes once, as the reader does, with all temperatures 1."""
    locator = MeasuringLocator(folder)
    classifier = Classifier(Network(folder, "classifier"), folder)
    faces = {face: i for i, face in enumerate(classifier.faces)}
    scores, far, whole, near, face, types, truths = [], [], [], [], [], [], []
    for scene in scenes:
        label = read_label(scene)
        picture = load_photo(label.picture)
        found = locator.find(picture)
        predictions = classifier.predict(picture, [View(f.top, f.top_radius) for f in found])
        for f, look in zip(found, predictions, strict=True):
            hit = die_at(f.middle, label.dice, picture)
            scores.append(f.score)
            far.append(f.types)
            whole.append(f.whole)
            near.append(np.log(look.types + 1e-9))
            face.append(np.log(look.faces + 1e-9))
            name = hit.die.type if hit else ""
            types.append(NONE if not hit else TYPES.index(name) if name in SET_OF else NONE - 1)
            readable = hit and is_readable(hit) and not hit.cocked
            truths.append(faces[SET_OF[name], hit.die.face] if hit and readable else -1)
    return Looks(*(np.array(values) for values in (scores, far, whole, near, face, types, truths)))


def temperatures(predictions: Looks) -> dict[str, Any]:
    """Return the type's and the face's temperature, the weights of the locator's and the place network's type, and
    those of :class:`NoDie`.

    For all but the last, dice of no set are left out: there are far more of them in the scenes than at a table.
    """
    readable = predictions.truths >= 0
    rare = np.zeros(NONE + 1)
    rare[NONE - 1] = np.log(STRANGERS)
    usual = predictions.types != NONE - 1
    heat = float(min(_GRID, key=lambda heat: _loss((predictions.near / heat + rare)[usual], predictions.types[usual])))
    heat = round(heat, 3)
    die = predictions.types < NONE - 1
    near = (predictions.near / heat + rare)[die][:, :NONE]
    weights = [(far, whole) for far in np.linspace(0, 1.2, 13) for whole in np.linspace(0, 1.5, 16)]
    far, whole = min(
        weights,
        key=lambda w: _loss(
            near + w[0] * predictions.far[die] + w[1] * predictions.whole[die][:, :NONE], predictions.types[die]
        ),
    )
    said = np.stack(
        [_odds(predictions.near / heat), _odds(predictions.whole), [logit(score) for score in predictions.scores]], 1
    )
    return {
        "type_temperature": heat,
        "face_temperature": _best(predictions.faces[readable], predictions.truths[readable], _GRID),
        "far_weight": round(float(far), 3),
        "whole_weight": round(float(whole), 3),
        "nothing": weights_of(said, predictions.types == NONE, "near", "whole", "score"),
    }


def _odds(logits: np.ndarray) -> np.ndarray:
    """Return the logit of none, the last of what (n, types + 1) logits stand for, (n,)."""
    shares = np.exp(logits - logits.max(1, keepdims=True))
    return np.array([logit(share) for share in shares[:, -1] / shares.sum(1)])


_GRID = np.exp(np.linspace(np.log(0.3), np.log(3.0), 47))


def _best(logits: np.ndarray, truth: np.ndarray, grid: np.ndarray) -> float:
    return round(float(min(grid, key=lambda heat: _loss(logits / heat, truth))), 3)


def _loss(logits: np.ndarray, truth: np.ndarray) -> float:
    shifted = logits - logits.max(1, keepdims=True)
    return float(-(shifted[np.arange(len(truth)), truth] - np.log(np.exp(shifted).sum(1))).mean())
