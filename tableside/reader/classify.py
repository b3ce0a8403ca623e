"""Read the upper face of each die: an embedding, compared with a prototype of every face."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tableside.dice import Face, Point, face_of
from tableside.errors import ModelError
from tableside.reader.crop import Pyramid, pyramid_of, square
from tableside.reader.network import Network, planes_of
from tableside.reader.photo import Picture

STRANGE = ("", ("?",))
"""Stands for a mark that is like no prototype: of no dice set."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class View:
    """Where to look: the upper face's middle and circumradius in px, and the turn of the view in radians."""

    centre: Point
    radius: float
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one view showed. Probabilities: ``types`` over the card's types and none, ``faces`` over the faces.

    :ivar embedding: unit vector.
    :ivar weight: logarithm of the sum that ``faces`` were divided by.
    """

    view: View
    types: Floats
    faces: Floats
    embedding: Floats
    weight: float
    step: Floats  # dx, dy in view half-widths of the unturned picture, and log scale


class Classifier:
    """Compares upper faces with prototypes; see ``models/README.md``.

    :ivar types: the names that a prediction's ``types`` stand for, without none.
    :ivar faces: dice set and face of each prototype; the last stands for marks that are like none of them.
    :ivar cosine_scale: the factor of cosines in the logits of faces.
    :ivar network: the hash of the network. Embeddings of different networks cannot be compared.
    """

    def __init__(self, network: Network, folder: Path) -> None:
        card = network.card
        self._network = network
        self.types: tuple[str, ...] = tuple(card["types"])
        self._size, self._reach = int(card["input_px"]), float(card["reach"])
        self._type_heat, self._face_heat = float(card["type_temperature"]), float(card["face_temperature"])
        path = folder / "prototypes.npz"
        try:
            with np.load(path) as stored:
                vectors = stored["vectors"].astype(np.float32)
                known = [
                    (str(of), face_of(filter(None, str(name).split("+"))))
                    for of, name in zip(stored["sets"], stored["faces"], strict=True)
                ]
        except (OSError, KeyError, ValueError) as error:
            raise ModelError(
                "the prototypes cannot be read", where=str(path), hint="Install tableside again."
            ) from error
        self.faces: tuple[tuple[str, Face], ...] = (*known, STRANGE)
        self._prototypes = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self.cosine_scale = float(card["sharpness"]) / self._face_heat
        self._strange = float(card["strange"])
        self.network = str(card["sha256"])

    def predict(self, picture: Picture | Pyramid, views: Sequence[View]) -> list[Prediction]:
        """Return what each view shows of the (h, w, 3) BGR picture."""
        if not views:
            return []
        picture, blob = pyramid_of(picture), np.empty((len(views), 3, self._size, self._size), np.float32)
        for view, planes in zip(views, blob, strict=True):
            planes_of(square(picture, view.centre, self._reach * view.radius, self._size, view.turn), planes)
        embedding, side = self._network.run(blob)
        embedding = embedding / (np.linalg.norm(embedding, axis=1, keepdims=True) + 1e-9)
        near = embedding @ self._prototypes.T
        logits = np.hstack([near, np.full((len(near), 1), self._strange, np.float32)]) * np.float32(self.cosine_scale)
        faces = _softmax(logits)
        weights = np.log(np.exp(logits - logits.max()).sum(axis=1)) + logits.max()
        count = len(self.types) + 1
        types = _softmax(side[:, :count] / self._type_heat)
        predictions = []
        for i, view in enumerate(views):
            c, s = math.cos(-view.turn), math.sin(-view.turn)
            back = np.array([[c, -s], [s, c]], np.float32)
            step = np.array([*(back @ side[i, count : count + 2]), side[i, count + 2]], np.float32)
            predictions.append(Prediction(view, types[i], faces[i], embedding[i], float(weights[i]), step))
        return predictions

    def corrected(self, prediction: Prediction) -> View:
        """Return the view moved to where the classifier believes the face's middle and size to be."""
        half = prediction.view.radius * self._reach
        x, y = prediction.view.centre
        centre = (x + float(prediction.step[0]) * half, y + float(prediction.step[1]) * half)
        return View(centre, prediction.view.radius * math.exp(float(prediction.step[2])), prediction.view.turn)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
