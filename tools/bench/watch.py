"""How soon a result is there after the dice lie still, and what it costs to watch a tray on which nothing happens."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.adapters.camera.port import Recording
from tableside.app.live import LiveTray
from tableside.app.readers import Reads
from tableside.dice import Reading
from tableside.reader.crop import Pyramid
from tableside.reader.detection import Detection
from tableside.reader.photo import Picture, load_photo
from tableside.table.messages import Message, NewRoll
from tableside.tray.frame import Frame
from tableside.tray.health import HealthRules
from tableside.tray.settle import SettleRules
from tableside.tray.watch import Happening, Watch

_FPS = 30
_SIZE = (1280, 960)
_NOISE_LEVELS = 2.0
_WARM_UP = 30
_MOVING_FRAMES = 8


def bench_watching(picture: Picture, *, frames: int = 300) -> dict[str, Any]:
    """Return the share of a core that watching takes, beside comparing whole frames as they come."""
    noisy = _noisy(np.asarray(cv2.resize(picture, _SIZE), np.uint8), count=8)
    watch = Watch(_Nothing(), health=HealthRules(is_live=True, size_px=_SIZE, fps=_FPS))

    def see(number: int) -> None:
        frame = Frame(picture=noisy[number % len(noisy)], number=number, time=number / _FPS)
        for _ in watch.see(frame):
            pass

    for number in range(_WARM_UP):
        see(number)
    watching = _cpu_seconds(lambda n: see(n + _WARM_UP), frames)
    return _beside_comparing(watching, noisy)


def _beside_comparing(seconds: float, pictures: Sequence[Picture], *, frames: int = 300) -> dict[str, Any]:
    """Return what a frame takes, beside comparing whole frames as they come."""

    def compare(number: int) -> None:
        cv2.absdiff(pictures[number % len(pictures)], pictures[(number + 1) % len(pictures)]).mean()

    naive = _cpu_seconds(compare, frames)
    return {
        "size": list(_SIZE),
        "fps": _FPS,
        "ms_a_frame": round(1000 * seconds, 3),
        "share_of_a_core": round(seconds * _FPS, 4),
        "baseline": "difference of whole frames",
        "baseline_ms": round(1000 * naive, 3),
        "ratio": round(seconds / naive, 3),
    }


def bench_woken(reader: Reads, rest: Picture, *, frames: int = 90) -> dict[str, Any]:
    """Return the share of a core that following dice takes while they never come to rest, beside comparing frames:
    nothing is read."""
    shown = _noisy(np.asarray(cv2.resize(rest, _SIZE), np.uint8), count=1)[0]
    moving = [np.roll(shown, (7 * n, 25 * n), (0, 1)) for n in range(30)]
    watch = Watch(_Nothing(reader.detect), health=HealthRules(is_live=True, size_px=_SIZE, fps=_FPS))

    def see(number: int) -> None:
        for _ in watch.see(Frame(picture=moving[number % len(moving)], number=number, time=number / _FPS)):
            pass

    for number in range(_WARM_UP):
        see(number)
    seconds = _cpu_seconds(lambda n: see(n + _WARM_UP), frames)
    return _beside_comparing(seconds, moving)


def bench_result(reader: Reads, empty: Picture, rest: Picture, *, throws: int = 20) -> dict[str, Any]:
    """Return how long after the last motion a roll is published, the dwell taken off, beside one reading alone."""
    empty, rest = (np.asarray(cv2.resize(one, _SIZE), np.uint8) for one in (empty, rest))
    reader.read(rest)  # the first reading loads what later ones find loaded
    alone = []
    for picture in _noisy(rest, count=5):
        begin = time.perf_counter()
        reader.read(picture)
        alone.append(time.perf_counter() - begin)
    camera = _Throws(empty, rest, throws)
    posted = _Posted(camera)
    rules = SettleRules()
    tray = LiveTray(camera, reader, posted, keep_picture=lambda *_: True, rules=rules)
    tray.start()
    is_done = camera.done.wait(throws * 10)
    tray.close()
    waits = sorted(1000 * (seconds - rules.dwell_seconds) for seconds in posted.waits)
    median_alone = 1000 * statistics.median(alone)
    return {
        "throws": throws,
        "rolls": len(waits),
        "complete": is_done and len(waits) == throws,
        "dice": posted.dice,
        "ms_median": round(statistics.median(waits), 1) if waits else None,
        "ms_p95": round(waits[int(0.95 * (len(waits) - 1))], 1) if waits else None,
        "baseline": "one reading alone",
        "baseline_ms": round(median_alone, 1),
        "ratio": round(statistics.median(waits) / median_alone, 2) if waits else None,
    }


def bench_idle(
    reader: Reads,
    empty: Picture,
    rest: Picture,
    *,
    throws: int = 20,
    clock: Callable[[], float] = time.thread_time,
) -> dict[str, Any]:
    """Return the same as if this machine had nothing else to do: a frame is seen as soon as it came and the one before
    was done with, which takes the processor time that it took here, on one thread.

    :param clock: seconds of work done so far.
    """
    empty, rest = (np.asarray(cv2.resize(one, _SIZE), np.uint8) for one in (empty, rest))
    camera = _Throws(empty, rest, throws, is_hurried=True)
    rules = SettleRules()
    read = reader.read
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    read(rest)
    begin = clock()
    read(rest)
    alone = clock() - begin
    watch = Watch(reader, rules)
    waits: list[float] = []
    free_at = 0.0
    for frame in camera.frames():
        begin = clock()
        told = [event for event in watch.see(frame) if event.happening is Happening.ROLL]
        free_at = max(free_at, frame.time) + clock() - begin
        if told:
            waits.append(1000 * (free_at - camera.rested_at - rules.dwell_seconds))
            camera.published.set()
        if camera.done.is_set():
            break
    cv2.setNumThreads(threads)
    waits.sort()
    return {
        "throws": throws,
        "rolls": len(waits),
        "complete": len(waits) == throws,
        "ms_median": round(statistics.median(waits), 1) if waits else None,
        "ms_p95": round(waits[int(0.95 * (len(waits) - 1))], 1) if waits else None,
        "baseline": "one reading alone",
        "baseline_ms": round(1000 * alone, 1),
        "ratio": round(statistics.median(waits) / (1000 * alone), 2) if waits else None,
    }


def sample_throw(folder: Path) -> tuple[Picture, Picture]:
    """Return the empty tray and the roll of most dice of the recorded rolls."""
    rolls = sorted(folder.glob("roll-*.jpg"))
    return load_photo(folder / "empty.jpg"), load_photo(rolls[-1])


class _Throws(Recording):
    """Throws the same dice again and again, 30 frames a second by the clock of the wall.

    :param is_hurried: by the clock of the frames, as fast as they are taken.
    """

    def __init__(self, empty: Picture, rest: Picture, throws: int, *, is_hurried: bool = False) -> None:
        self._empty = _noisy(empty, count=6)
        self._rest = _noisy(rest, count=6)
        self._moving = [np.roll(rest, (40 * n, 90 * n), (0, 1)) for n in range(_MOVING_FRAMES, 0, -1)]
        self._throws = throws
        self._is_hurried = is_hurried
        self.rested_at = 0.0
        self.published = threading.Event()
        self.done = threading.Event()

    @property
    def name(self) -> str:
        return "bench"

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def frames(self) -> Iterator[Frame]:
        due = time.perf_counter()
        number = 0

        def frame(picture: Picture) -> Frame:
            nonlocal number, due
            if not self._is_hurried:
                time.sleep(max(0.0, due - time.perf_counter()))
            at = due if self._is_hurried else time.perf_counter()
            made = Frame(picture=picture, number=number, time=at)
            due = made.time + 1 / _FPS  # a sensor never makes up for frames that nobody took
            number += 1
            return made

        for _ in range(self._throws):
            self.published.clear()
            for n in range(20):
                yield frame(self._empty[n % 6])
            for picture in self._moving:
                yield frame(picture)
            for n in range(200):
                shown = frame(self._rest[n % 6])
                if n == 0:
                    self.rested_at = shown.time
                yield shown
                if self.published.is_set() and n >= 20:
                    break
        self.done.set()
        while True:
            yield frame(self._empty[number % 6])


class _Posted:
    """Takes the place of the table."""

    def __init__(self, camera: _Throws) -> None:
        self._camera = camera
        self.waits: list[float] = []
        self.dice = 0

    def post(self, message: Message) -> None:
        if isinstance(message, NewRoll):
            self.waits.append(time.perf_counter() - self._camera.rested_at)
            self.dice = len(message.reading.dice)
            self._camera.published.set()


class _Nothing:
    """Reads no dice, and finds none either where it is given no finder."""

    def __init__(self, find: Callable[[Picture | Pyramid], Sequence[Detection]] = lambda _: ()) -> None:
        self._find = find

    def read(self, picture: Picture) -> Reading:
        return Reading(width=picture.shape[1], height=picture.shape[0])

    def detect(self, picture: Picture | Pyramid) -> Sequence[Detection]:
        return self._find(picture)


def _noisy(picture: Picture, *, count: int) -> list[Picture]:
    rng = np.random.default_rng(0)
    made = [
        np.clip(picture + rng.normal(0, _NOISE_LEVELS, picture.shape), 0, 255).astype(np.uint8) for _ in range(count)
    ]
    for one in made:
        one.setflags(write=False)
    return made


def _cpu_seconds(act: Callable[[int], None], count: int) -> float:
    """Return the processor time of this thread for one call."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    begin = time.thread_time()
    for number in range(count):
        act(number)
    spent = time.thread_time() - begin
    cv2.setNumThreads(threads)
    return spent / count
