"""Read a still picture: find the dice, find each upper face, name it, and say what is doubtful."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tableside.dice import Alternative, DiceSet, DieReading, Doubt, Reading, Status, Suspect, Timings
from tableside.reader.candidate import Candidate
from tableside.reader.classify import Classifier, Floats, Prediction, View
from tableside.reader.colour import body_colour, is_washed_out, whole_colour
from tableside.reader.confidence import FaceConfidence, NoDie
from tableside.reader.ground import Ground
from tableside.reader.locate import Found
from tableside.reader.marks import MarkModel, without_marks
from tableside.reader.network import Network
from tableside.reader.photo import Picture
from tableside.reader.place import MeasuringLocator
from tableside.reader.posture import Postures
from tableside.reader.presence import Presence, cues_of
from tableside.reader.prototypes import TaughtDice, TaughtType, body_features
from tableside.reader.sample_votes import SampleVotes
from tableside.reader.variant import Expected, tell_variants

_VOTES: tuple[tuple[float, float], ...] = (
    (0.87, 1.3),
    (0.75, 2.5),
    (1.0, 3.9),
    (0.87, 5.1),
)
"""Zoom, and radians of turn, of the further views of a doubtful die."""
_ONE_LOOK = 0.99  # surer than this, one view is enough; if the first is firm, two that agree are
_FIRM = 0.97
_ONE_FACE = 0.25  # radii: upper faces whose middles are nearer to each other are one
_FACE_IN = 0.8  # share of the upper face's radius that must lie in the picture: marks reach as far
_OF_A_SET, _WHOLE = 0.8, 0.9  # least probability of a known set, if it is a die; least part of it in the picture
_ABSENT = 0.05  # weight of shipped dice that are not installed, against taught ones that may look alike
_TINY = 1e-6
_ASKED_ANYWAY = 1 / 3
"""Share of the usual doubt that passes when any die of a roll is asked about. Doubts of one roll go together, and a
second question costs less than the first."""
_LEAST_POSSIBLE = (
    0.25  # where type and face contradict each other, no reading becomes certain by being the only one left
)


class Reader:
    """Reads dice of the given sets. Not safe for use by two threads at once.

    :param sets: the dice sets whose faces are possible.
    :param models_folder: holds the three networks with their cards, and ``prototypes.npz``; see ``models/README.md``.
    :param taught_types: returns the taught types of the sets, measured by this classifier; without it none are read.
    :param expected: tells before each picture what is known of a die that differs from others by its colour alone.
    :param camera_stays: one camera takes all pictures of one table, so earlier ones show how a flat die lies.
    :raises ModelError: when a network is missing or damaged.
    """

    def __init__(
        self,
        sets: Sequence[DiceSet],
        *,
        models_folder: Path,
        taught_types: Callable[[Sequence[DiceSet], Classifier], Sequence[TaughtType]] | None = None,
        expected: Callable[[], Expected] = Expected,
        camera_stays: bool = False,
    ) -> None:
        self._locator = MeasuringLocator(models_folder)
        network = Network(models_folder, "classifier")
        self._classifier = Classifier(network, models_folder)
        self._threshold = float(network.card["threshold"])
        self._limits: dict[str, float] = network.card["limits"]
        self._far_weight = float(network.card["far_weight"])
        self._whole_weight = float(network.card["whole_weight"])
        self._no_die = NoDie(**network.card["nothing"])
        self._presence = Presence(**network.card["presence"])
        self._face_confidence = FaceConfidence(**network.card["trust"])
        self._mark_model = MarkModel(**network.card["nesting"])
        set_of: dict[str, str] = network.card["set_of_type"]
        strangers = float(network.card["strangers"])
        self._prior = np.array([1.0 if t in set_of else strangers for t in self._classifier.types], np.float32)
        types = {name: i for i, name in enumerate(self._classifier.types)}
        faces = {face: i for i, face in enumerate(self._classifier.faces)}
        legal = [
            (t.name, face, types[t.name], faces[s.name, face])
            for s in sets
            for t in s.types
            if t.name in types
            for face in t.distinct_faces
            if (s.name, face) in faces
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
        taught = taught_types(sets, self._classifier) if taught_types else ()
        shipped = [(name, face) for name, face, _, _ in legal]
        alike = [kind for kind in taught if set(shipped).issuperset((kind.name, face) for face in kind.faces)]
        self._sample_votes = SampleVotes(alike, shipped)
        own = [kind for kind in taught if kind not in alike]
        self._taught = TaughtDice(own, cosine_scale=self._classifier.cosine_scale)
        self._legal = list(dict.fromkeys([*shipped, *self._taught.faces]))
        at = {reading: i for i, reading in enumerate(self._legal)}
        self._taught_at = np.array([at[reading] for reading in self._taught.faces], int)
        self._legal_types = np.array([i for _, _, i, _ in legal], int)
        self._legal_faces = np.array([j for _, _, _, j in legal], int)
        self._present = np.full(len(types), _ABSENT, np.float32)
        self._present[self._legal_types] = 1.0
        solids = {t.name: t.solid for s in sets for t in s.types}
        self._postures = Postures(
            self._classifier,
            solids,
            self._limits,
            name=self.name,
            checked=self._locator.checked,
            ground=Ground() if camera_stays else None,
        )
        self._variants = {t.variant_of: t.name for s in sets for t in s.types if t.variant_of}
        self._expected = expected

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        """Return the reading of a (height, width, 3) uint8 BGR picture.

        Every die found is reported once. One that cannot be read is a suspect, which makes the reading not sure.
        """
        begin = time.perf_counter()
        found = self.locate(picture)
        located = time.perf_counter()
        reading = self.conclude(picture, self.assess(picture, found))
        timings = Timings(
            decode=decode_ms, locate=(located - begin) * 1000, classify=(time.perf_counter() - located) * 1000
        )
        return replace(reading, timings=timings)

    def detect(self, picture: Picture) -> list[Found]:
        """Return where dice are, found in one pass: good enough to follow them, not to count them."""
        return self._locator.detect(picture)

    def conclude(self, picture: Picture, candidates: Sequence[Candidate]) -> Reading:
        """Return the reading that the candidates of a picture come to, by the limits of doubt.

        They are stricter if any die is asked about by the usual ones.
        """
        read: list[Candidate] = []
        suspects: list[Suspect] = []
        for candidate in candidates:
            self._sort(picture, candidate, read, suspects)
        doubts = [self._doubt(picture, v) for v in read]
        if suspects or any(doubts):
            doubts = [self._doubt(picture, v, passes=_ASKED_ANYWAY) for v in read]
        dice = [self._die(picture, v, doubt) for v, doubt in zip(read, doubts, strict=True)]
        told = tell_variants(dice, self._variants, self._expected())
        height, width = picture.shape[:2]
        return Reading(width=width, height=height, dice=tuple(told), suspects=tuple(suspects))

    def assess(self, picture: Picture, found: Sequence[Found]) -> list[Candidate]:
        """Return what each find is, with its probabilities, before any threshold."""
        # the model is fitted on dice of shipped sets; taught dice and their marks are much less clear
        marks = None if self._taught else self._mark_model
        height, width = picture.shape[:2]
        there = self._postures.assess(
            picture, _distinct(without_marks(self.name(picture, found), marks, min(height, width)))
        )
        cues = cues_of(there, width, height)
        return [replace(v, presence=self._presence(c)) for v, c in zip(there, cues, strict=True)]

    def locate(self, picture: Picture) -> list[Found]:
        """Return everything that may be a die, surest first."""
        return self._locator.find(picture)

    def name(self, picture: Picture, found: Sequence[Found]) -> list[Candidate]:
        """Return what each find would be if it were a die, also those that lie on one another."""
        predictions = self._classifier.predict(picture, [View(f.top, f.top_radius) for f in found])
        candidates = [self._combined(picture, f, [look]) for f, look in zip(found, predictions, strict=True)]
        self._vote(picture, found, predictions, candidates)
        return candidates

    def _vote(
        self, picture: Picture, found: Sequence[Found], predictions: Sequence[Prediction], candidates: list[Candidate]
    ) -> None:
        """Look at doubtful dice in further views, and combine what all views show."""
        worth = self._limits["die"]
        likeliest = [v.ranked[0][2] if v.ranked and v.die_like >= worth else 1.0 for v in candidates]
        doubtful = [i for i, p in enumerate(likeliest) if p < _ONE_LOOK]
        seen = {i: [predictions[i]] for i in doubtful}
        asked = {i: _VOTES if likeliest[i] < _FIRM else _VOTES[:1] for i in doubtful}
        while asked:
            at = [(candidates[i].view, vote) for i, votes in asked.items() for vote in votes]
            views = [View(view.centre, view.radius * zoom, turn) for view, (zoom, turn) in at]
            more = iter(self._classifier.predict(picture, views))
            for i, votes in asked.items():
                seen[i] += [next(more) for _ in votes]
                candidates[i] = self._combined(picture, found[i], seen[i])
            asked = {i: _VOTES[1:] for i in asked if len(seen[i]) == 2 and candidates[i].ranked[0][2] < _FIRM}

    def _combined(self, picture: Picture, found: Found, predictions: Sequence[Prediction]) -> Candidate:
        types, faces = self._types(found, predictions, self._prior), _agreed([look.faces for look in predictions])
        view = self._classifier.corrected(predictions[0])
        type_of, face_of = types[self._legal_types], faces[self._legal_faces]
        if self._sample_votes or self._taught:
            body = _body(picture, found, view)
        if self._sample_votes:
            type_of, face_of = self._sample_votes.apply(type_of, face_of, types[:-1], predictions, body)
        # a die of no set may show any mark, even one that a set has
        other = float((types[self._other_types] * faces[self._other_faces]).sum() + types[self._strangers].sum())
        joint = np.zeros(len(self._legal))
        joint[: len(type_of)] = type_of * face_of
        if self._taught:
            share = self._taught.share(self._types(found, predictions)[:-1], self._present, predictions, body)
            joint *= share.shipped
            np.add.at(joint, self._taught_at, share.faces * (1 - types[-1]))
            other = other * share.shipped * _ABSENT + share.unknown
        # a type and a face that no die has together are impossible; the rest is scaled to one
        joint *= (1 - types[-1]) / max(float(joint.sum()) + other, _LEAST_POSSIBLE)
        order = np.argsort(-joint)[:4]
        return Candidate(
            found=found,
            view=view,
            ranked=tuple((*self._legal[i], float(joint[i])) for i in order),
            nothing=float(types[-1]),
            seen=self._seen(found, predictions[0], joint, order),
        )

    def _seen(
        self, found: Found, first: Prediction, joint: npt.NDArray[np.float64], order: npt.NDArray[np.intp]
    ) -> tuple[float, float, float]:
        """Return the probability of the likeliest reading's type and of its face by the first view of the face, and of
        its type by the view of the whole die.

        Taught dice have more evidence than these views: each of the three is at least the joint probability.
        """
        if not len(order):
            return 0.0, 0.0, 0.0
        best, least = order[0], float(joint[order[0]]) if self._sample_votes or self._taught else 0.0
        if best >= len(self._legal_types):
            return least, least, least
        kind = self._legal_types[best]
        kind_said, face_said = float(first.types[kind]), float(first.faces[self._legal_faces[best]])
        return max(kind_said, least), max(face_said, least), max(math.exp(found.whole[kind]), least)

    def _types(self, found: Found, predictions: Sequence[Prediction], prior: Floats | float = 1.0) -> Floats:
        """Return the probability of each type and of none, from the face, the whole die and its surroundings.

        :param prior: how much likelier or less likely than in training each type is.
        """
        near = _agreed([look.types for look in predictions])
        nothing = self._no_die(float(near[-1]), math.exp(found.whole[-1]), found.score)
        afar = found.types * self._far_weight + found.whole[:-1] * self._whole_weight
        # from afar, a die of another game looks like a known one of its colour: only the marks differ
        afar[self._strangers] = np.maximum(afar[self._strangers], afar.max())
        dice = near[:-1] * np.exp(afar) * prior
        return np.append(dice * ((1 - nothing) / (dice.sum() + 1e-12)), np.float32(nothing)).astype(np.float32)

    def _is_certain(self, v: Candidate, *, passes: float = 1.0) -> bool:
        """Return whether face, type and the upper face's place are beyond doubt, and that it is a die.

        :param passes: share of the usual doubt that passes.
        """
        if not v.ranked or not self._is_there(v):
            return False
        least = max(self._threshold, self._taught.thresholds.get(v.ranked[0][0], 0.0))
        return self._confidence(v) >= 1 - (1 - least) * passes

    def _is_there(self, v: Candidate) -> bool:
        """Return whether it is seen clearly and is more likely a die than not."""
        return v.found.score >= self._limits["clear"] and v.presence >= self._limits["present"]

    def _doubt(self, picture: Picture, v: Candidate, *, passes: float = 1.0) -> Doubt | None:
        """Return why the die is unsure, or none where it is sure. What a hand can mend comes first.

        :param passes: share of the usual doubt that passes.
        """
        if v.leaning > self._limits["perhaps_leaning"] * passes:
            return Doubt.LEAN
        if v.side_first:
            return Doubt.SIDE
        if not _holds(picture, v.view, margin=_FACE_IN):
            return Doubt.EDGE
        if is_washed_out(picture, v.view.centre, v.view.radius):
            return Doubt.GLARE
        if self._is_certain(v, passes=passes):
            return None
        return Doubt.FACE if self._is_there(v) else Doubt.FAINT

    def _confidence(self, v: Candidate) -> float:
        """Return the probability that the candidate is a die whose upper face is the likeliest one."""
        return v.upper * self._face_confidence(v.signs)

    def _may_be_taught(self, v: Candidate) -> bool:
        """Return whether it is a die, and more likely a taught one than any of a shipped set.

        Then its best face is asked about, however little it looks like the samples.
        """
        return v.presence >= self._limits["present"] and bool(v.ranked) and v.ranked[0][0] in self._taught.thresholds

    def _sort(self, picture: Picture, v: Candidate, read: list[Candidate], suspects: list[Suspect]) -> None:
        """Put the find among what is read as a die or the suspects, or leave it out."""
        found, limits = v.found, self._limits
        die_like, mass = v.die_like, v.mass
        worth = die_like * mass
        is_in_view = _holds(picture, v.view)
        # it is a die, of whatever kind, and must be reported; blank dice are the easiest to overlook
        is_reported = v.presence >= limits["blank_suspect" if v.is_blank and is_in_view else "suspect"]
        suspect = Suspect(center=found.top, outline=found.outline, confidence=v.presence)
        is_readable = mass >= limits["mass"] and worth >= limits["die"]
        if not is_readable and not self._may_be_taught(v):
            if is_reported:  # but of no set that is known
                suspects.append(suspect)
            return
        likeliest = v.ranked[0][2]
        # the reading of so faint a find is seldom right, unless its face is beyond doubt; taught dice are fainter
        least = limits["firm" if likeliest >= _FIRM else "faint"]
        is_faint = (die_like if self._taught else worth) < least and not (is_reported and _is_of_a_set(picture, v))
        if not is_in_view or (is_faint and not self._is_certain(v)):
            if is_reported:
                suspects.append(suspect)
            return
        read.append(v)

    def _die(self, picture: Picture, v: Candidate, doubt: Doubt | None) -> DieReading:
        """Return what is read as a die, with the doubt about it."""
        name, face, likeliest = v.ranked[0]
        is_cocked = v.leaning > self._limits["leaning"] and not v.side_first
        confidence = self._confidence(v)
        rest = min((1 - confidence) / max(1 - likeliest, _TINY), confidence / max(likeliest, _TINY))
        return DieReading(
            type=name,
            face=face,
            center=v.view.centre,
            outline=v.found.outline,
            confidence=min(confidence, 0.9999),
            status=Status.COCKED if is_cocked else Status.UNSURE if doubt else Status.SURE,
            alternatives=tuple(
                Alternative(type=t, face=f, confidence=p * rest) for t, f, p in v.ranked[1:] if p > 0.001
            ),
            colour_bgr=whole_colour(picture, v.found.outline),
            doubt=None if is_cocked else doubt,
        )


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Leave out finds that turned out to be the same die as an earlier, surer one."""
    kept: list[Candidate] = []
    for one in candidates:
        near = (math.dist(one.view.centre, other.view.centre) / other.found.radius for other in kept)
        if min(near, default=1.0) > _ONE_FACE:
            kept.append(one)
    return kept


def _agreed(views: Sequence[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    """Return the geometric mean of the probabilities of several views: what one view rules out stays unlikely."""
    powers = views[0] if len(views) == 1 else np.exp(np.mean(np.log(np.array(views) + 1e-6), axis=0))
    return np.asarray(powers / powers.sum(), np.float32)


def _body(picture: Picture, found: Found, view: View) -> Floats:
    return body_features(body_colour(picture, view.centre, view.radius), found.radius / max(view.radius, 1.0))


def _is_of_a_set(picture: Picture, v: Candidate) -> bool:
    """Return whether it lies in the picture and, if it is a die, is one of a known set."""
    is_known = v.mass >= _OF_A_SET * (1 - v.nothing)
    return is_known and _holds(picture, View(v.found.middle, v.found.radius), margin=_WHOLE)


def _holds(picture: Picture, view: View, margin: float = 0.0) -> bool:
    """Return whether the view's middle lies in the picture, ``margin`` radii or more from its edges."""
    height, width = picture.shape[:2]
    x, y = view.centre
    least = margin * view.radius
    return bool(least <= x <= width - least and least <= y <= height - least)
