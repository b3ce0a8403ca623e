"""Dice known by samples: how likely a view shows a face that somebody taught.

A taught die is recognised by three things: its *body*, which is colour, shape and what the network calls such dice;
its *face*, by the cosine to the nearest sample; and whether that cosine is high enough to be a taught face at all. The
numbers are measured from the samples, see :mod:`tableside.teaching.measure`. The alternatives are the shipped dice, and
dice and faces that nobody knows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from tableside.dice import Face
from tableside.reader.classify import Prediction

Floats = npt.NDArray[np.float32]

TYPICAL = math.exp(-4 / 2)  # the mean of a squared distance of four measures is 4
_STRANGE = math.exp(-13.3 / 2)  # the 99 % quantile of chi square with 4 degrees of freedom
_SLIGHT = 1e-5  # with a less likely body, the faces of a type need not be compared


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaughtType:
    """What was measured of one type's samples.

    :ivar vectors: (n, d) unit vectors, ``face_at`` the face that each shows, in ascending order.
    :ivar cosine_threshold: at which a shown face and another are equally likely; ``slope`` the log-odds per cosine.
    :ivar shown: log-odds that a die of this type lies with a face up that was shown.
    :ivar cosine_scale: the factor of cosines in the logits of this type's faces.
    :ivar signature: how often the network calls such a die by each of its types.
    :ivar body: mean of CIELAB colour and log shape, ``body_spread`` their standard deviations.
    :ivar thresholds: (faces,) probability from which on a reading of each face is sure; above 1 where none is.
    """

    name: str
    faces: tuple[Face, ...]
    vectors: Floats
    face_at: npt.NDArray[np.int64]
    cosine_threshold: float
    slope: float
    shown: float
    cosine_scale: float
    signature: Floats
    body: Floats
    body_spread: Floats
    thresholds: Floats

    def cosines(self, embeddings: Floats) -> Floats:
        """Return the (k, faces) cosine of each embedding to the nearest sample of each face."""
        starts = np.searchsorted(self.face_at, np.arange(len(self.faces)))
        return np.asarray(np.maximum.reduceat(embeddings @ self.vectors.T, starts, axis=1), np.float32)

    def surely_shown(self, cosine: float) -> float:
        """Return the probability that a face so near to a sample is one that was shown."""
        return 1 / (1 + math.exp(min(60.0, -(self.slope * (cosine - self.cosine_threshold) + self.shown))))

    def split(self, cosines: Floats) -> Floats:
        """Return the probability of each face, given that it is one of them."""
        powers = np.exp(self.cosine_scale * (cosines - cosines.max()))
        return np.asarray(powers / powers.sum(), np.float32)

    def body_fit(self, body: Floats) -> float:
        """Return how well colour and shape fit, 1 at best."""
        return math.exp(-float((((body - self.body) / self.body_spread) ** 2).sum()) / 2)


@dataclass(frozen=True, slots=True)
class Share:
    """How the probability of a die is divided, before it is scaled to one.

    :ivar faces: of each taught face.
    :ivar unknown: of faces of taught dice that were never shown.
    :ivar shipped: what each shipped reading is multiplied by.
    """

    faces: Floats
    unknown: float
    shipped: float


class TaughtDice:
    """All taught types of a reader.

    :param cosine_scale: the factor of cosines in the logits of the shipped faces.
    """

    def __init__(self, types: Sequence[TaughtType], *, cosine_scale: float) -> None:
        self.types = tuple(types)
        self._cosine_scale = cosine_scale
        self.faces = tuple((kind.name, face) for kind in types for face in kind.faces)
        self.thresholds = dict(zip(self.faces, (float(t) for kind in types for t in kind.thresholds), strict=True))

    def __bool__(self) -> bool:
        return bool(self.types)

    def share(self, types: Floats, present: Floats, predictions: Sequence[Prediction], body: Floats) -> Share:
        """Divide the probability of a die among taught and shipped dice.

        :param types: what the network calls it, over its types without none.
        :param body: see :func:`body_features`.
        :param present: by type, the probability that such dice of shipped sets are used at this table.
        """
        types = types / max(float(types.sum()), 1e-9)
        fits = np.array([float(types @ kind.signature) * kind.body_fit(body) for kind in self.types])
        rest = TYPICAL * float(types @ present) + _STRANGE / len(types)
        bodies, shipped_body = fits / (fits.sum() + rest), TYPICAL / (fits.sum() + rest)
        embeddings = np.array([look.embedding for look in predictions])
        cosines = [
            kind.cosines(embeddings).mean(axis=0) if share > _SLIGHT else np.full(len(kind.faces), -1.0, np.float32)
            for kind, share in zip(self.types, bodies, strict=True)
        ]
        weight = float(np.mean([look.weight for look in predictions]))
        nearest = np.array([float(c.max()) for c in cosines])
        # what a difference between two of these tells, their own samples say
        behind = np.array([kind.cosine_scale for kind in self.types]) * (nearest - nearest.max())
        logits = np.array([*(self._cosine_scale * nearest.max() + behind), weight])
        powers = np.exp(logits - logits.max())
        powers /= powers.sum()
        faces, unknown = [], 0.0
        for kind, body_share, face_share, cosine in zip(self.types, bodies, powers[:-1], cosines, strict=True):
            mass, shown = float(body_share * face_share), kind.surely_shown(float(cosine.max()))
            faces.append(kind.split(cosine) * (mass * shown))
            unknown += mass * (1 - shown)
        return Share(np.concatenate(faces), unknown, float(shipped_body * powers[-1]))


def body_features(colour_bgr: tuple[int, int, int], shape: float) -> Floats:
    """Return a die's body as CIELAB colour and the logarithm of its shape, (4,)."""
    bgr = np.array([[colour_bgr]], np.float32) / 255
    lab = cv2.cvtColor(bgr, cv2.COLOR_BGR2LAB)[0, 0]
    return np.array([*lab, math.log(max(shape, 0.1))], np.float32)
