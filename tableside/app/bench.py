"""What ``tableside bench`` measures: right answers, honest doubt, time against the picture's own decoding, memory."""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.app.reading import Reads
from tableside.errors import PhotoError
from tableside.vision.photo import load_photo
from tableside.vision.scoring import Score, read_label

_DICE = 8  # the number of dice that a time is stated for
_AGAIN = 3  # the least of so many times is the time


def bench_folder(
    reader: Reads, labels: Sequence[Path], complain: Callable[[PhotoError], None]
) -> tuple[dict[str, Any], bool]:
    """Read labelled photographs on one thread and return what was measured.

    :param labels: ``NAME.json`` beside ``NAME.jpg``.
    :param complain: told of each picture that cannot be read; the others are still done.
    :returns: the record for JSON, and whether a picture could not be read.
    """
    score, failed = Score(), False
    times: list[tuple[int, float, float]] = []
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for path in labels:
            try:
                label = read_label(path)
                picture = load_photo(label.picture)
            except PhotoError as error:
                failed = True
                complain(error)
                continue
            reading, read_ms = _timed(partial(reader.read, picture))
            data = np.frombuffer(label.picture.read_bytes(), np.uint8)
            _, decode_ms = _timed(partial(cv2.imdecode, data, cv2.IMREAD_COLOR))
            score.add(label, reading)
            times.append((len(reading.dice), read_ms, decode_ms))
    finally:
        cv2.setNumThreads(threads)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return score.to_json() | _speed(times) | {"memory_mb": round(memory, 1)}, failed


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
