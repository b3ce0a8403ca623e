"""Score readings against labelled photographs.

A reading is paired with the nearest unpaired die whose outline contains its centre. A die is right when type and face
agree; a cocked die is right when it is reported as cocked or unsure. Of a die that the picture's edge cuts or something
covers, nothing is asked: it may be left out, and is right when it is doubted or read rightly. A roll is right when all
its dice are right and nothing else was reported. A silent error is a die read wrongly, missed or invented without the
roll being marked. A roll is wrong unsaid where such a die is no question itself, whatever else in the roll is one: it
is wrong still when all questions are settled. A roll in which a die leans should be asked about; so the answered ones
are counted among the flat ones, too: those in which none leans.

A question is a die that is not sure, or something that could not be read. It is needed where the die leans, where the
likeliest face is wrong, where no die lies, and where a die lies that was not read. Where not every die is labelled, a
question beside the labelled ones is not counted.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.dice import Die, DieReading, Point, Reading, Status, face_name, face_of
from tableside.errors import PhotoError


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A die in a labelled photograph.

    :ivar whole: all of it is in the picture, and nothing covers half of it.
    """

    die: Die
    cocked: bool
    whole: bool
    outline: tuple[Point, ...]

    def contains(self, point: Point) -> bool:
        """Return whether the point lies on the die; always, where its place was not noted: it lies alone there."""
        return not self.outline or cv2.pointPolygonTest(np.array(self.outline, np.float32), point, False) >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The truth of one photograph.

    :ivar complete: every die in view is labelled, so that a reading elsewhere is an invention.
    """

    picture: Path
    dice: tuple[Labelled, ...]
    complete: bool


@dataclass(slots=True, kw_only=True)
class Score:
    """Counts over photographs; add to it with :meth:`add`."""

    dice: int = 0
    dice_right: int = 0
    dice_unsure: int = 0
    types_right: int = 0
    dice_missed: int = 0
    dice_invented: int = 0
    dice_leaning: int = 0
    leaning_noticed: int = 0
    rolls: int = 0
    rolls_right: int = 0
    rolls_answered: int = 0
    rolls_flat: int = 0
    rolls_flat_answered: int = 0
    rolls_silently_wrong: int = 0
    rolls_wrong_unsaid: int = 0
    silent_errors: int = 0
    questions: int = 0
    questions_needed: int = 0
    confusion: Counter[str] = field(default_factory=Counter)
    calibration: list[tuple[float, bool]] = field(default_factory=list)
    wrong_pictures: list[str] = field(default_factory=list)
    silent_pictures: list[str] = field(default_factory=list)

    def add(self, label: Label, reading: Reading) -> None:
        """Count one photograph's reading against its truth."""
        pairs, extra = _pair(label, reading)
        wrong = len(extra) if label.complete else 0
        unsaid = label.complete and any(die.status is Status.SURE for die in extra)
        self.dice_invented += wrong
        for truth, die in pairs:
            if die is None and not truth.whole:
                continue
            self.dice += 1
            if die is None:
                self.dice_missed += 1
                wrong += 1
                unsaid |= not any(truth.contains(one.center) for one in reading.suspects)
                self.confusion[f"{_words(truth.die)} -> missed"] += 1
                continue
            right = _is_right(truth, die)
            self.dice_leaning += truth.cocked
            self.leaning_noticed += truth.cocked and right
            self.dice_right += right
            self.dice_unsure += die.status is not Status.SURE
            self.types_right += die.type == truth.die.type
            if truth.whole and not truth.cocked:
                self.calibration.append((die.confidence, right))
            if not right:
                wrong += 1
                unsaid |= die.status is Status.SURE
                self.confusion[f"{_words(truth.die)}{' cocked' if truth.cocked else ''} -> {_words(die.die)}"] += 1
        self._count_questions(label, reading, pairs, extra)
        self.rolls += 1
        self.rolls_right += not wrong
        self.rolls_answered += reading.sure
        self.rolls_wrong_unsaid += unsaid
        if not any(die.cocked for die in label.dice):
            self.rolls_flat += 1
            self.rolls_flat_answered += reading.sure
        if wrong:
            self.wrong_pictures.append(label.picture.name)
            if reading.sure:
                self.rolls_silently_wrong += 1
                self.silent_pictures.append(label.picture.name)
                self.silent_errors += wrong

    def _count_questions(
        self,
        label: Label,
        reading: Reading,
        pairs: Sequence[tuple[Labelled, DieReading | None]],
        extra: Sequence[DieReading],
    ) -> None:
        for truth, die in pairs:
            if die is not None and die.status is not Status.SURE:
                self.questions += 1
                self.questions_needed += truth.cocked or not _shows(truth, die)
        missed = [truth for truth, die in pairs if die is None]
        found = sum(any(truth.contains(one.center) for truth in missed) for one in reading.suspects)
        self.questions += found
        self.questions_needed += found
        if label.complete:
            invented = sum(die.status is not Status.SURE for die in extra)
            self.questions += invented + len(reading.suspects) - found
            self.questions_needed += invented

    def to_json(self) -> dict[str, Any]:
        """Return shares in 0..1, counts, and the confusions from the commonest on."""
        rolls, dice = max(self.rolls, 1), max(self.dice, 1)
        return {
            "rolls": self.rolls,
            "rolls_right": round(self.rolls_right / rolls, 4),
            "rolls_answered": round(self.rolls_answered / rolls, 4),
            "rolls_flat": self.rolls_flat,
            "rolls_flat_answered": round(self.rolls_flat_answered / max(self.rolls_flat, 1), 4),
            "rolls_silently_wrong": self.rolls_silently_wrong,
            "rolls_wrong_unsaid": self.rolls_wrong_unsaid,
            "dice": self.dice,
            "dice_right": round(self.dice_right / dice, 4),
            "types_right": round(self.types_right / dice, 4),
            "dice_unsure": self.dice_unsure,
            "dice_missed": self.dice_missed,
            "dice_invented": self.dice_invented,
            "dice_leaning": self.dice_leaning,
            "leaning_noticed": self.leaning_noticed,
            "silent_errors": self.silent_errors,
            "questions": self.questions,
            "questions_needed": self.questions_needed,
            "calibration_error": round(calibration_error(self.calibration), 4),
            "confusion": dict(self.confusion.most_common(20)),
            "wrong_pictures": self.wrong_pictures,
            "silent_pictures": self.silent_pictures,
        }


def read_label(path: Path) -> Label:
    """Read ``NAME.json`` beside its photograph.

    :raises PhotoError: when the file is not a label.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        dice = tuple(_labelled(entry) for entry in raw["dice"])
        picture = path.with_name(raw["image"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        hint = "A label is a JSON object with image and dice."
        raise PhotoError(f"not a label ({error})", where=str(path), hint=hint) from error
    # labels by others may leave dice out unless they say that they do not; ours list the tray's corners too
    is_ours = "tray_corners" in raw or "seed" in raw
    complete = bool(raw.get("complete", not raw.get("partial", not is_ours)))
    return Label(picture=picture, dice=dice, complete=complete)


def find_labels(folder: Path) -> list[Path]:
    """Return the labels in a folder in name order."""
    return sorted(path for path in folder.glob("*.json") if path.with_suffix(".jpg").exists())


def calibration_error(pairs: Iterable[tuple[float, bool]], bins: int = 15) -> float:
    """Return the expected calibration error of (confidence, right) pairs in equal-width bins (Guo et al. 2017)."""
    data = np.array([(c, float(r)) for c, r in pairs])
    if not len(data):
        return 0.0
    at = np.minimum((data[:, 0] * bins).astype(int), bins - 1)
    gaps = [
        abs(data[at == b, 0].mean() - data[at == b, 1].mean()) * (at == b).mean()
        for b in range(bins)
        if (at == b).any()
    ]
    return float(sum(gaps))


def _labelled(entry: dict[str, Any]) -> Labelled:
    outline = tuple((float(x), float(y)) for x, y in entry.get("outline", []))
    return Labelled(
        die=Die(type=str(entry["type"]), face=face_of(entry["face"])),
        cocked=bool(entry.get("cocked")),
        whole=bool(entry.get("whole", True)),
        outline=outline,
    )


def _pair(label: Label, reading: Reading) -> tuple[list[tuple[Labelled, DieReading | None]], list[DieReading]]:
    free = dict(enumerate(label.dice))
    paired: dict[int, DieReading] = {}
    extra = []
    for die in sorted(reading.dice, key=lambda d: -d.confidence):
        inside = [i for i, truth in free.items() if truth.contains(die.center)]
        if not inside:
            extra.append(die)
            continue
        nearest = min(inside, key=lambda i: math.dist(_middle(free[i].outline), die.center))
        paired[nearest] = die
        del free[nearest]
    return [(truth, paired.get(i)) for i, truth in enumerate(label.dice)], extra


def _middle(outline: tuple[Point, ...]) -> Point:
    if not outline:
        return 0.0, 0.0
    return sum(p[0] for p in outline) / len(outline), sum(p[1] for p in outline) / len(outline)


def _is_right(truth: Labelled, die: DieReading) -> bool:
    if truth.cocked:
        return die.status is not Status.SURE
    if not truth.whole and die.status is not Status.SURE:
        return True
    return _shows(truth, die) and die.status is not Status.COCKED


def _shows(truth: Labelled, die: DieReading) -> bool:
    return die.face == truth.die.face and die.type == truth.die.type


def _words(die: Die) -> str:
    return f"{die.type} {face_name(die.face)}"
