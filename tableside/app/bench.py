"""What ``tableside bench`` measures: right answers, honest doubt, time against the picture's own decoding, memory."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.app.reading import Reads
from tableside.dice import Status
from tableside.errors import PhotoError
from tableside.reader.crop import square
from tableside.reader.photo import Picture, load_photo
from tableside.reader.scoring import Label, Score, read_label

_DICE = 8  # the number of dice that a time is stated for
_AGAIN = 3  # the least of so many times is the time
_CLOSE = (0.3, 0.5, 0.7, 0.9, 0.98)  # shares of a close-up's side that the die fills
_CLOSE_SIDE, _CLOSE_EVERY = 900, 3  # px; one die in so many is looked at
_FAR = (2.2, 3.4)  # the picture with bare table round it, in its own widths
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


def bench_folder(
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


def bench_close_ups(
    reader: Reads, labels: Sequence[Path], complain: Callable[[PhotoError], None]
) -> dict[str, dict[str, int]]:
    """Read single flat dice, cut out of labelled photographs and enlarged until they fill a share of the picture.

    :param complain: told of each picture that cannot be read; the others are still done.
    :returns: by that share, how many there were, and how many were right, right and sure, silently wrong, and missed.
    """
    counts = {
        share: dict.fromkeys(("dice", "right", "right_and_sure", "silent_errors", "missed"), 0) for share in _CLOSE
    }
    for label, picture in pictures(labels, complain):
        flat = [die for die in label.dice if die.whole and not die.cocked and len(die.outline) > 2]
        for truth in flat[::_CLOSE_EVERY]:
            corners = np.array(truth.outline)
            (x, y), reach = (corners.min(axis=0) + corners.max(axis=0)) / 2, float(np.ptp(corners, axis=0).max()) / 2
            for share, count in counts.items():
                half = reach / share
                near = square(picture, (float(x), float(y)), half, _CLOSE_SIDE)
                scale = 2 * half / _CLOSE_SIDE
                read = [
                    die
                    for die in reader.read(near).dice
                    if truth.contains((x - half + die.center[0] * scale, y - half + die.center[1] * scale))
                ]
                right = [die for die in read if (die.type, die.face) == (truth.die.type, truth.die.face)]
                count["dice"] += 1
                count["right"] += bool(right)
                count["right_and_sure"] += any(die.status is Status.SURE for die in right)
                count["silent_errors"] += any(die.status is Status.SURE for die in read if die not in right)
                count["missed"] += not read
    return {str(share): count for share, count in counts.items()}


def bench_far(
    reader: Reads, labels: Sequence[Path], complain: Callable[[PhotoError], None]
) -> dict[str, dict[str, float | int]]:
    """Read labelled photographs as if from farther off: each in the middle of a larger one, bare but for it.

    :param complain: told of each picture that cannot be read; the others are still done.
    :returns: by how many times as wide that is, what was counted.
    """
    scores = {width: Score() for width in _FAR}
    for label, picture in pictures(labels, complain):
        rim = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
        table = np.median(rim, axis=0).tolist()
        for width, score in scores.items():
            below, beside = (round((width - 1) / 2 * size) for size in picture.shape[:2])
            framed = cv2.copyMakeBorder(picture, below, below, beside, beside, cv2.BORDER_CONSTANT, value=table)
            dice = (replace(die, outline=tuple((x + beside, y + below) for x, y in die.outline)) for die in label.dice)
            score.add(replace(label, dice=tuple(dice)), reader.read(np.asarray(framed, np.uint8)))
    return {str(width): counted(score) for width, score in scores.items()}


def counted(score: Score) -> dict[str, float | int]:
    """Return of a score what tells whether pictures of one kind are read well, for JSON."""
    record = score.to_json()
    return {key: record[key] for key in _COUNTED}


def pictures(labels: Sequence[Path], complain: Callable[[PhotoError], None]) -> Iterator[tuple[Label, Picture]]:
    """Yield labels with their photographs.

    :param complain: told of each that cannot be read; it is left out.
    """
    for path in labels:
        try:
            label = read_label(path)
            yield label, load_photo(label.picture)
        except PhotoError as error:
            complain(error)


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
