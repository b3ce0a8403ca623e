"""Name what each find would be if it were a die: every reading that the dice sets allow, with its probability."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tableside.dice import DiceSet
from tableside.reader.candidate import Candidate
from tableside.reader.classify import Classifier, Floats, Prediction, View
from tableside.reader.colour import body_colour
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.network import Network
from tableside.reader.photo import Picture
from tableside.reader.presence import NoDie
from tableside.reader.prototypes import TaughtDice, TaughtType, body_features
from tableside.reader.sample_votes import SampleVotes

TaughtTypes = Callable[[Sequence[DiceSet], Classifier], Sequence[TaughtType]]

_VOTES: tuple[tuple[float, float], ...] = ((0.87, 1.3), (0.75, 2.5), (1.0, 3.9), (0.87, 5.1))
"""Zoom, and radians of turn, of the further views of a doubtful die."""
_ONE_LOOK = 0.99  # a likelier face needs no further views
_KEPT = 4  # of the likeliest readings
_ABSENT = 0.05  # weight of shipped dice that are not installed, against taught ones that may look alike


class Namer:
    """Names finds. Not safe for use by two threads at once.

    :param sets: the dice sets whose faces are possible.
    :param models_folder: holds the classifier with its card, and ``prototypes.npz``.
    :param taught_types: returns the taught types of the sets, measured by this classifier; without it none are read.
    :ivar card: of the classifier. :ivar taught: the taught dice whose faces the shipped sets lack.
    """

    def __init__(
        self,
        sets: Sequence[DiceSet],
        models_folder: Path,
        taught_types: TaughtTypes | None = None,
    ) -> None:
        network = Network(models_folder, "classifier")
        self.card, self.classifier = network.card, Classifier(network, models_folder)
        self._far_weight = float(self.card["far_weight"])
        self._whole_weight = float(self.card["whole_weight"])
        self._no_die = NoDie(**self.card["nothing"])
        set_of: dict[str, str] = self.card["set_of_type"]
        strangers = float(self.card["strangers"])
        self._prior = np.array([1.0 if t in set_of else strangers for t in self.classifier.types], np.float32)
        types = {name: i for i, name in enumerate(self.classifier.types)}
        faces = {face: i for i, face in enumerate(self.classifier.faces)}
        legal = [
            (t.name, face, types[t.name], faces[set_of[t.name], face])
            for t in {t.name: t for s in sets if not s.taught for t in s.types if t.name in types}.values()
            for face in t.distinct_faces
        ]
        known = {t.name for s in sets for t in s.types}
        others = [
            (i, j)
            for name, i in types.items()
            if name not in known and name in set_of
            for (of, _), j in faces.items()
            if of == set_of[name]
        ]
        self._strangers = np.array([i for name, i in types.items() if name not in set_of], int)
        self._other_types = np.array([i for i, _ in others], int)
        self._other_faces = np.array([j for _, j in others], int)
        taught = taught_types(sets, self.classifier) if taught_types else ()
        shipped = [(name, face) for name, face, _, _ in legal]
        alike = [kind for kind in taught if set(shipped).issuperset((kind.name, face) for face in kind.faces)]
        self._sample_votes = SampleVotes(alike, shipped)
        own = [kind for kind in taught if kind not in alike]
        self.taught = TaughtDice(own, cosine_scale=self.classifier.cosine_scale)
        self._legal = list(dict.fromkeys([*shipped, *self.taught.faces]))
        at = {reading: i for i, reading in enumerate(self._legal)}
        self._taught_at = np.array([at[reading] for reading in self.taught.faces], int)
        self._legal_types = np.array([i for _, _, i, _ in legal], int)
        self._legal_faces = np.array([j for _, _, _, j in legal], int)
        self._present = np.full(len(types), _ABSENT, np.float32)
        self._present[self._legal_types] = 1.0

    def name(self, picture: Picture | Pyramid, found: Sequence[Detection]) -> list[Candidate]:
        """Return what each find would be if it were a die, also those that lie on one another."""
        first = self.classifier.predict(picture, [View(f.top, f.top_radius) for f in found])
        candidates = [self._combine_views(picture, f, [look]) for f, look in zip(found, first, strict=True)]
        doubtful = [i for i, v in enumerate(candidates) if v.is_likely and v.ranked[0][2] * (1 - v.nothing) < _ONE_LOOK]
        at = [(candidates[i].view, vote) for i in doubtful for vote in _VOTES]
        views = [View(view.centre, view.radius * zoom, turn) for view, (zoom, turn) in at]
        more = iter(self.classifier.predict(picture, views))
        for i in doubtful:
            candidates[i] = self._combine_views(picture, found[i], [first[i], *(next(more) for _ in _VOTES)])
        return candidates

    def _combine_views(
        self, picture: Picture | Pyramid, found: Detection, predictions: Sequence[Prediction]
    ) -> Candidate:
        """Return what one or more views of a find's upper face come to."""
        types, faces = (
            self._types(found, predictions, self._prior),
            _mean_of_views([look.faces for look in predictions]),
        )
        view = self.classifier.corrected(predictions[0])
        type_of, face_of = types[self._legal_types], faces[self._legal_faces]
        if self._sample_votes or self.taught:
            shape = found.radius / max(found.top_radius, 1.0)
            body = body_features(body_colour(picture, view.centre, view.radius), shape)
        if self._sample_votes:
            type_of, face_of = self._sample_votes.apply(type_of, face_of, types, predictions, body)
        # a die of no set may show any mark, even one that a set has
        other = float((types[self._other_types] * faces[self._other_faces]).sum() + types[self._strangers].sum())
        joint = np.zeros(len(self._legal))
        joint[: len(type_of)] = type_of * face_of
        if self.taught:
            share = self.taught.share(self._types(found, predictions), self._present, predictions, body)
            joint *= share.shipped
            np.add.at(joint, self._taught_at, share.faces)
            other = other * share.shipped * _ABSENT + share.unknown
        # a type and a face that no die has together are impossible; the rest is scaled to one
        joint /= float(joint.sum()) + other + 1e-12
        order = np.argsort(-joint)[:_KEPT]
        near = _mean_of_views([look.types for look in predictions])
        return Candidate(
            found=found,
            view=view,
            ranked=tuple((*self._legal[i], float(joint[i])) for i in order),
            nothing=self._no_die(float(near[-1]), math.exp(found.whole[-1]), found.score),
        )

    def _types(self, found: Detection, predictions: Sequence[Prediction], prior: Floats | float = 1.0) -> Floats:
        """Return the probability of each type, from the face, the whole die and its surroundings, if it is a die.

        :param prior: how much likelier or less likely than in training each type is.
        """
        near = _mean_of_views([look.types for look in predictions])
        afar = found.types * self._far_weight + found.whole[:-1] * self._whole_weight
        # from afar, a die of another game looks like a known one of its colour: only the marks differ
        afar[self._strangers] = np.maximum(afar[self._strangers], afar.max())
        dice = near[:-1] * np.exp(afar) * prior
        return np.asarray(dice / (dice.sum() + 1e-12), np.float32)


def _mean_of_views(views: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """Return the geometric mean of the probabilities of several views: what one view rules out stays unlikely."""
    powers = views[0] if len(views) == 1 else np.exp(np.mean(np.log(np.array(views) + 1e-6), axis=0))
    return np.asarray(powers / powers.sum(), np.float32)
