"""Read the upper face of each die: an embedding, compared with a prototype of every face."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Face, Point, face_of
from tableside.errors import ModelError
from tableside.vision.network import Network
from tableside.vision.photo import Picture

STRANGE = ("", ("?",))
"""The face of a mark that is like no prototype, of no dice set."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class View:
    """Where to look: the upper face's middle and circumradius in px, and the turn of the view in radians."""

    centre: Point
    radius: float
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Look:
    """What one view showed. Probabilities: ``types`` over the card's types and none, ``faces`` over the faces.

    :ivar embedding: unit vector. :ivar weight: logarithm of the sum that ``faces`` were divided by.
    :ivar rise: how far the face's middle stands off the middle of the die's silhouette, in its circumradii.
    """

    view: View
    types: Floats
    faces: Floats
    embedding: Floats
    weight: float
    step: Floats  # dx, dy in view half-widths of the unturned picture, and log scale
    rise: Floats  # x, y in the unturned picture


class Classifier:
    """Compares upper faces with prototypes; see ``models/README.md``.

    :ivar types: the names that a look's ``types`` stand for, none besides.
    :ivar faces: dice set and face of each prototype; the last is no set's, for a mark that is like none of them.
    :ivar keenness: by so much a cosine counts in the logits of faces.
    :ivar network: the hash of the network, which embeddings are only comparable within.
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
        self.keenness = float(card["sharpness"]) / self._face_heat
        self._strange = float(card["strange"])
        self.network = str(card["sha256"])

    def look(self, picture: Picture, views: Sequence[View]) -> list[Look]:
        """Return what each view shows of the (h, w, 3) BGR picture."""
        if not views:
            return []
        crops = [self._crop(picture, view) for view in views]
        blob = np.asarray(cv2.dnn.blobFromImages(crops, 1 / 255), np.float32)
        embedding, side = self._network.run(blob)
        embedding = embedding / (np.linalg.norm(embedding, axis=1, keepdims=True) + 1e-9)
        near = embedding @ self._prototypes.T
        logits = np.hstack([near, np.full((len(near), 1), self._strange, np.float32)]) * np.float32(self.keenness)
        faces = _softmax(logits)
        weights = np.log(np.exp(logits - logits.max()).sum(axis=1)) + logits.max()
        count = len(self.types) + 1
        types = _softmax(side[:, :count] / self._type_heat)
        looks = []
        for i, view in enumerate(views):
            c, s = math.cos(-view.turn), math.sin(-view.turn)
            back = np.array([[c, -s], [s, c]], np.float32)
            step = np.array([*(back @ side[i, count : count + 2]), side[i, count + 2]], np.float32)
            rise = np.asarray(back @ side[i, count + 3 : count + 5], np.float32)
            looks.append(Look(view, types[i], faces[i], embedding[i], float(weights[i]), step, rise))
        return looks

    def corrected(self, look: Look) -> View:
        """Return the view moved to where the classifier believes the face's middle and size to be."""
        half = look.view.radius * self._reach
        x, y = look.view.centre
        centre = (x + float(look.step[0]) * half, y + float(look.step[1]) * half)
        return View(centre, look.view.radius * math.exp(float(look.step[2])), look.view.turn)

    def _crop(self, picture: Picture, view: View) -> Picture:
        scale = self._size / (2 * self._reach * view.radius)
        half = self._reach * view.radius * 1.5
        x, y = view.centre
        height, width = picture.shape[:2]
        x0, y0 = max(0, int(x - half)), max(0, int(y - half))
        part = picture[y0 : min(height, int(y + half) + 2), x0 : min(width, int(x + half) + 2)]
        if part.size == 0:
            return np.zeros((self._size, self._size, 3), np.uint8)
        x, y = x - x0, y - y0
        if scale < 0.6:  # shrink first, so that nothing aliases
            shrink = scale / 0.75
            small = (max(1, round(part.shape[1] * shrink)), max(1, round(part.shape[0] * shrink)))
            fx, fy = small[0] / part.shape[1], small[1] / part.shape[0]
            part = np.asarray(cv2.resize(part, small, interpolation=cv2.INTER_AREA), np.uint8)
            x, y, scale = x * fx, y * fy, scale / fx
        c, s = math.cos(view.turn) * scale, math.sin(view.turn) * scale
        middle = self._size / 2
        matrix = np.array([[c, -s, middle - c * x + s * y], [s, c, middle - s * x - c * y]])
        crop = cv2.warpAffine(part, matrix, (self._size,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(crop, np.uint8)


def _softmax(logits: Floats) -> Floats:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)
