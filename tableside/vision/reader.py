"""Read a still picture: find the dice, find each upper face, name it, and say what is doubtful."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tableside.dice import Alternative, DiceSet, DieReading, Face, Reading, Status, Suspect, Timings
from tableside.vision.classify import Classifier, Look, View
from tableside.vision.colour import body_colour, odd_one_out
from tableside.vision.lean import leanings
from tableside.vision.locate import Found, Locator
from tableside.vision.network import Network
from tableside.vision.photo import Picture

_SECOND_LOOK = 0.06  # view half-widths or log scale: farther off than this, look again from the better place
_TURNS = (0.0, 1.3, 2.5, 3.9, 5.1)  # radians; views that vote where one look leaves doubt
_FIRM = 0.97


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A found die with the probabilities of each reading that its sets allow, likeliest first."""

    found: Found
    view: View
    ranked: tuple[tuple[str, Face, float], ...]
    nothing: float
    leaning: float = 0.0


class Reader:
    """Reads dice of the given sets. Not safe for use by two threads at once.

    :param sets: the dice sets whose faces are possible.
    :param models_folder: holds ``locator.onnx``, ``classifier.onnx``, their cards and ``prototypes.npz``.
    :param expects_wild: the game has a Wild Die, so that of three pip dice the odd one is it.
    :raises ModelError: when a network is missing or damaged.
    """

    def __init__(self, sets: Sequence[DiceSet], *, models_folder: Path, expects_wild: bool = False) -> None:
        self._locator = Locator(Network(models_folder, "locator"))
        network = Network(models_folder, "classifier")
        self._classifier = Classifier(network, models_folder)
        self._threshold = float(network.card["threshold"])
        self._limits: dict[str, float] = network.card["limits"]
        types = {name: i for i, name in enumerate(self._classifier.types)}
        faces = {face: i for i, face in enumerate(self._classifier.faces)}
        legal = [
            (t.name, face, types[t.name], faces[face])
            for s in sets
            for t in s.types
            if t.name in types
            for face in t.distinct_faces
            if face in faces
        ]
        self._legal = [(name, face) for name, face, _, _ in legal]
        self._legal_types = np.array([i for _, _, i, _ in legal], int)
        self._legal_faces = np.array([j for _, _, _, j in legal], int)
        self._solids = {t.name: t.solid for s in sets for t in s.types}
        variants = {t.variant_of: t.name for s in sets for t in s.types if t.variant_of}
        self._wild = variants.get("pip", "")
        self._least_others = 2 if expects_wild else 3

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        """Return the reading of a (height, width, 3) uint8 BGR picture.

        Every die found is reported once; one that cannot be told is a suspect, which makes the reading not sure.
        """
        begin = time.perf_counter()
        found = self._locator.find(picture)
        located = time.perf_counter()
        dice: list[DieReading] = []
        suspects: list[Suspect] = []
        for verdict in self._weigh_lean(picture, self._judge(picture, found)):
            self._report(picture, verdict, dice, suspects)
        dice = self._tell_wild(dice)
        height, width = picture.shape[:2]
        timings = Timings(
            decode=decode_ms, locate=(located - begin) * 1000, classify=(time.perf_counter() - located) * 1000
        )
        return Reading(width=width, height=height, dice=tuple(dice), suspects=tuple(suspects), timings=timings)

    def _judge(self, picture: Picture, found: Sequence[Found]) -> list[_Verdict]:
        looks = self._classifier.look(picture, [View(f.top, f.top_radius) for f in found])
        again = [i for i, look in enumerate(looks) if np.abs(look.step).max() > _SECOND_LOOK]
        better = self._classifier.look(picture, [self._classifier.corrected(looks[i]) for i in again])
        for i, look in zip(again, better, strict=True):
            looks[i] = look
        verdicts = [self._weigh(f, [look]) for f, look in zip(found, looks, strict=True)]
        doubtful = [i for i, v in enumerate(verdicts) if v.nothing < _FIRM and (not v.ranked or v.ranked[0][2] < _FIRM)]
        views = [View(verdicts[i].view.centre, verdicts[i].view.radius, turn) for i in doubtful for turn in _TURNS]
        votes = self._classifier.look(picture, views)
        for n, i in enumerate(doubtful):
            verdicts[i] = self._weigh(found[i], votes[n * len(_TURNS) : (n + 1) * len(_TURNS)])
        return verdicts

    def _weigh(self, found: Found, looks: Sequence[Look]) -> _Verdict:
        types = np.mean([look.types for look in looks], axis=0)
        joint = np.mean([look.types[self._legal_types] * look.faces[self._legal_faces] for look in looks], axis=0)
        order = np.argsort(-joint)[:4]
        return _Verdict(
            found=found,
            view=looks[0].view,
            ranked=tuple((*self._legal[i], float(joint[i])) for i in order),
            nothing=float(types[-1]),
        )

    def _weigh_lean(self, picture: Picture, verdicts: Sequence[_Verdict]) -> list[_Verdict]:
        """Return the verdicts with each die's lean measured against the others'."""
        limits = self._limits
        certain = [i for i, v in enumerate(verdicts) if v.ranked and _die_like(v) >= limits["suspect"]]
        measured = leanings(
            [verdicts[i].found.middle for i in certain],
            [verdicts[i].view.centre for i in certain],
            [verdicts[i].found.radius for i in certain],
            [self._solids.get(verdicts[i].ranked[0][0], "") for i in certain],
            size=max(picture.shape[:2]),
        )
        weighed = list(verdicts)
        for i, leaning in zip(certain, measured, strict=True):
            weighed[i] = replace(verdicts[i], leaning=leaning)
        return weighed

    def _report(self, picture: Picture, v: _Verdict, dice: list[DieReading], suspects: list[Suspect]) -> None:
        found, limits = v.found, self._limits
        die_like = _die_like(v)
        if die_like < limits["ignore"]:
            return
        mass = sum(p for _, _, p in v.ranked)
        if die_like < limits["suspect"] or mass < limits["mass"] or not v.ranked:
            # seen clearly, but not of these sets, or barely seen at all
            suspects.append(Suspect(center=found.top, outline=found.outline, confidence=die_like))
            return
        name, face, confidence = v.ranked[0]
        inside = _inside(picture, v.view)
        status = (
            Status.SURE
            if confidence >= self._threshold and found.score >= limits["clear"] and inside
            else Status.UNSURE
        )
        if v.leaning > limits["leaning"]:
            status = Status.COCKED
        elif v.leaning > limits["perhaps_leaning"]:
            status = Status.UNSURE
        dice.append(
            DieReading(
                type=name,
                face=face,
                center=v.view.centre,
                outline=found.outline,
                confidence=min(confidence, 0.9999),
                status=status,
                alternatives=tuple(Alternative(type=t, face=f, confidence=p) for t, f, p in v.ranked[1:] if p > 0.001),
                colour_bgr=body_colour(picture, v.view.centre, v.view.radius),
            )
        )

    def _tell_wild(self, dice: list[DieReading]) -> list[DieReading]:
        """Name the one pip die whose colour stands apart from all the others the Wild Die."""
        pips = [i for i, die in enumerate(dice) if die.type == "pip"]
        colours = [dice[i].colour_bgr for i in pips]
        known = [colour for colour in colours if colour is not None]
        odd = odd_one_out(known, least_others=self._least_others) if self._wild and len(known) == len(pips) else None
        if odd is None:
            return dice
        at = pips[odd]
        die = dice[at]
        alternatives = (Alternative(type="pip", face=die.face, confidence=0.0), *die.alternatives)
        dice[at] = replace(die, type=self._wild, alternatives=alternatives)
        return dice


def _die_like(verdict: _Verdict) -> float:
    """Return how surely this is a die of any kind, by the locator and the classifier together."""
    return verdict.found.score * (1 - verdict.nothing)


def _inside(picture: Picture, view: View) -> bool:
    """Return whether most of the upper face lies in the picture: half its circumradius on every side of its middle."""
    height, width = picture.shape[:2]
    x, y = view.centre
    margin = view.radius / 2
    return bool(margin <= x <= width - margin and margin <= y <= height - margin)
