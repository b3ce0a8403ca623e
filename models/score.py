"""Score the reader against labelled photographs: ``python -m models.score FOLDER... --set NAME [--json]``.

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

import argparse
import json
import math
import resource
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.labelled import Label, Labelled, find_labels, pictures
from models.worse import WAYS
from tableside import paths
from tableside.app.readers import Reads, installed_sets
from tableside.dice import DiceSet, Die, DieReading, Point, Reading, Status, face_name
from tableside.errors import PhotoError, TablesideError
from tableside.reader.reader import Reader
from tableside.teaching.load import load_taught_types

_DICE = 8  # the number of dice that a time is stated for
_AGAIN = 3  # the least of so many times is the time
_COUNTED = (
    "rolls",
    "rolls_right",
    "rolls_answered",
    "rolls_silently_wrong",
    "rolls_wrong_unsaid",
    "dice",
    "dice_right",
    "dice_missed",
)
"""What tells whether worse pictures of one kind are read well."""


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


def score_folder(
    reader: Reads, labels: Sequence[Path], complain: Callable[[PhotoError], None]
) -> tuple[dict[str, Any], bool]:
    """Read labelled photographs on one thread and return what was measured.

    :param labels: ``NAME.json`` beside ``NAME.jpg``.
    :param complain: told of each picture that cannot be read; the others are still done.
    :returns: the record for JSON, and whether a picture could not be read.
    """
    score = Score()
    times: list[tuple[int, float, float]] = []
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for label, picture in pictures(labels, complain):
            reading, read_ms = _timed(partial(reader.read, picture))
            data = np.frombuffer(label.picture.read_bytes(), np.uint8)
            _, decode_ms = _timed(partial(cv2.imdecode, data, cv2.IMREAD_COLOR))
            score.add(label, reading)
            times.append((len(reading.dice), read_ms, decode_ms))
    finally:
        cv2.setNumThreads(threads)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return score.to_json() | _speed(times) | {"memory_mb": round(memory, 1)}, score.rolls < len(labels)


def score_worse(
    reader: Reads, labels: Sequence[Path], kind: str, complain: Callable[[PhotoError], None]
) -> dict[str, dict[str, float | int]]:
    """Read worse pictures of labelled photographs.

    What is chance in them follows from the photograph's place in the list.

    :param kind: one of :data:`models.worse.WAYS`.
    :param complain: told of each picture that cannot be read; the others are still done.
    :returns: by the way, what was counted; a way that fits no photograph is left out.
    """
    scores = {way: Score() for way in WAYS[kind]}
    for number, (label, picture) in enumerate(pictures(labels, complain)):
        for way, worsen in WAYS[kind].items():
            for truth, worse in worsen(label, picture, np.random.default_rng(number)):
                scores[way].add(truth, reader.read(worse))
    records = {way: score.to_json() for way, score in scores.items() if score.rolls}
    return {way: {key: record[key] for key in _COUNTED} for way, record in records.items()}


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


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what the work gives and the least of its times, in milliseconds."""
    least = float("inf")
    for _ in range(_AGAIN):
        begin = time.perf_counter()
        result = work()
        least = min(least, (time.perf_counter() - begin) * 1000)
    return result, least


def _speed(times: Sequence[tuple[int, float, float]]) -> dict[str, Any]:
    """Return medians on one thread, and time as a line over the number of dice found."""
    if not times:
        return {}
    dice, reading, decoding = np.array(times, float).T
    ordered = sorted(reading)
    speed: dict[str, Any] = {
        "threads": 1,
        "read_ms_median": round(statistics.median(ordered), 1),
        "read_ms_p95": round(ordered[int(0.95 * (len(ordered) - 1))], 1),
        "decode_ms_median": round(float(np.median(decoding)), 1),
        "read_to_decode": round(float(np.median(reading / decoding)), 2),
    }
    if len(set(dice)) > 2:
        slope, base = np.polyfit(dice, reading, 1)
        speed |= {
            "read_ms_per_die": round(float(slope), 2),
            f"read_ms_{_DICE}_dice": round(float(base + _DICE * slope), 1),
        }
    return speed


def main(words: Sequence[str] | None = None) -> int:
    """Score folders of photographs; return 0 where all were read, 1 where some failed, 2 for settings that are wrong."""
    parser = argparse.ArgumentParser(prog="python -m models.score", description="Score labelled photographs.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="holds NAME.json beside NAME.jpg")
    parser.add_argument("--set", action="append", default=[], dest="sets", metavar="NAME", help="a dice set to expect")
    parser.add_argument("--no-wild", action="store_true", help="take no die for a Wild Die, where no label says so")
    parser.add_argument("--close-ups", action="store_true", help="also read single dice that fill the picture")
    parser.add_argument("--far", action="store_true", help="also read pictures with more table round them")
    parser.add_argument("--spoilt", action="store_true", help="also read pictures in worse light and on other tables")
    parser.add_argument("--data", metavar="DIR", help="folder of taught dice sets")
    parser.add_argument("--json", action="store_true", help="print one JSON object a folder")
    options = parser.parse_args(words)
    try:
        known = installed_sets(options.sets, paths.data_folder(options.data))
        wanted = [one.without_variants() for one in known] if options.no_wild else known
        reader = _reader(wanted)
    except TablesideError as error:
        _complain(error)
        return 2
    failed = False
    for folder in options.folders:
        labels = find_labels(folder)
        if not labels:
            failed = True
            hint = "A label is NAME.json beside NAME.jpg."
            _complain(PhotoError("holds no labelled photographs", where=str(folder), hint=hint))
            continue
        record, missed = score_folder(reader, labels, _complain)
        failed = failed or missed
        worse = {kind: score_worse(reader, labels, kind, _ignore) for kind in WAYS if getattr(options, kind)}
        record = {"folder": str(folder), "sets": options.sets} | record | worse
        print(json.dumps(record) if options.json else in_words(record), flush=True)
    return int(failed)


def _reader(sets: Sequence[DiceSet]) -> Reader:
    return Reader(sets, models_folder=paths.models_folder(), taught_types=load_taught_types)


def in_words(record: dict[str, Any]) -> str:
    """Return a record for people."""
    lines = [f"{record['folder']}: {_rolls_in_words(record)}"]
    lines.append(f"  {record['questions']} questions, {record['questions_needed']} of them needed")
    lines += [f"  {name}: {count}" for name, count in record["confusion"].items()]
    for kind in WAYS:
        lines += [f"  {kind} {way}: {_rolls_in_words(worse)}" for way, worse in record.get(kind, {}).items()]
    if "read_ms_median" in record:
        lines.append(f"  {record['read_ms_median']} ms, {record['read_to_decode']} times the decoding")
    return "\n".join(lines)


def _rolls_in_words(record: dict[str, Any]) -> str:
    rolls, dice = record["rolls"], record["dice"]
    right, answered = round(record["rolls_right"] * rolls), round(record["rolls_answered"] * rolls)
    silent, dice_right = record["rolls_silently_wrong"], round(record["dice_right"] * dice)
    return (
        f"{right} of {rolls} rolls right, {answered} answered without a question, {silent} silently wrong; "
        f"{dice_right} of {dice} dice right"
    )


def _complain(error: TablesideError) -> None:
    print(error, file=sys.stderr, flush=True)


def _ignore(_: PhotoError) -> None:
    """Say nothing of a picture that was complained of already."""


if __name__ == "__main__":
    sys.exit(main())
