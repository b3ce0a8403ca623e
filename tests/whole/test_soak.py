"""Many throws in a row with every fault mixed in: none missed, none doubled, none invented, and memory stays flat.

``pytest tests/whole/test_soak.py -m slow --soak 10000`` is the long run.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.adapters.camera.port import Recording
from tableside.app.live import LiveTray
from tableside.errors import CameraError
from tableside.table.messages import Message, NewReading, NewRoll, NewThrow, ShowTrouble
from tableside.tray.frame import Frame
from tableside.tray.health import HealthRules
from tests.fakes.tray import COLOURS, DrawnReader, draw_tray

FPS = 30
SIZE = (320, 240)
FAULTS = ("black", "white", "dark", "frozen", "unplugged", "hand", "none", "none")
Dice = tuple[tuple[str, int, int], ...]


class SoakTray(Recording):
    """Throws dice again and again, with faults at random moments, and keeps the truth of it."""

    def __init__(self, throws: int) -> None:
        self._rng = np.random.default_rng(throws)
        self._dealt: list[str] = []
        self._noise = self._rng.normal(0, 2, (16, SIZE[1], SIZE[0], 3)).astype(np.float32)
        self._throws = throws
        self._number = 0
        self._drawn = 0
        self._shown = draw_tray(size=SIZE)
        self._story = self._tell()
        self.truth: list[tuple[str, Counter[str]]] = []
        self.faults: Counter[str] = Counter()
        self.done = threading.Event()

    @property
    def name(self) -> str:
        return "soak"

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def frames(self) -> Iterator[Frame]:
        for picture in self._story:
            if picture is None:
                raise CameraError("gives no pictures", where=self.name, hint="Check its cable.")
            self._number += 1
            yield Frame.of(picture, number=self._number, time=self._number / FPS)
        self.done.set()
        while True:
            yield Frame.of(self._picture(()), number=self._number, time=self._number / FPS)

    def _tell(self) -> Iterator[np.ndarray | None]:
        dice: Dice = ()
        for _ in range(self._throws):
            yield from self._still((), 14)
            dice = self._dice(int(self._rng.integers(1, 7)))
            for away in range(5, 0, -1):
                yield self._picture(tuple((colour, x - 7 * away, y + 3 * away) for colour, x, y in dice))
            yield from self._still(dice, 14)
            self.truth.append(("roll", Counter(colour for colour, _, _ in dice)))
            yield from self._fault(dice)
            if self._rng.random() < 0.2:
                dice = (*dice, ("green", 290, 215))
                yield from self._still(dice, 14)
                self.truth.append(("changed", Counter(colour for colour, _, _ in dice)))

    def _fault(self, dice: Dice) -> Iterator[np.ndarray | None]:
        self._dealt = self._dealt or self._rng.permutation(FAULTS).tolist()
        fault = self._dealt.pop()
        self.faults[fault] += 1
        count = int(self._rng.integers(6, 60))
        if fault in ("black", "white", "dark"):
            light = {"black": 0.02, "white": 12.0, "dark": 0.3}[fault]
            for _ in range(count):
                yield self._picture(dice, light)
        elif fault == "frozen":
            for _ in range(count):
                yield self._shown.copy()
        elif fault == "unplugged":
            yield None
        elif fault == "hand":
            for reach in [*range(0, 200, 25), *range(200, 0, -25)]:
                picture = self._picture(dice).copy()
                cv2.rectangle(picture, (120, 0), (190, reach), (120, 150, 220), -1)
                yield picture
        yield from self._still(dice, 24)

    def _dice(self, count: int) -> Dice:
        places = [(40 + 44 * (n % 6), 40 + 40 * (n // 6)) for n in range(24)]
        chosen = self._rng.permutation(len(places))[:count]
        colours = list(COLOURS)
        return tuple((colours[int(self._rng.integers(3))], *places[int(place)]) for place in chosen)

    def _still(self, dice: Dice, frames: int) -> Iterator[np.ndarray]:
        for _ in range(frames):
            yield self._picture(dice)

    def _picture(self, dice: Dice, light: float = 1.0) -> np.ndarray:
        # a rim of marks, which focus is seen by
        drawn = draw_tray(*dice, size=SIZE).astype(np.float32)
        drawn[2:4, ::16] = 200
        self._drawn += 1
        noisy = drawn * light + self._noise[self._drawn % len(self._noise)]
        self._shown = np.clip(noisy, 0, 255).astype(np.uint8)
        return self._shown


class CountingTable:
    """Keeps what it is told of rolls, in few bytes."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Counter[str]]] = []
        self.troubles: Counter[str] = Counter()

    def post(self, message: Message) -> None:
        if isinstance(message, NewRoll | NewReading | NewThrow):
            kind = "roll" if isinstance(message, NewRoll) else "changed"
            names = {of: colour for colour, (of, _, _) in COLOURS.items()}
            self.told.append((kind, Counter(names[die.type] for die in message.reading.dice)))
        elif isinstance(message, ShowTrouble):
            self.troubles[message.what] += 1


def resident_kb() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4


@pytest.mark.slow
def test_no_roll_is_missed_doubled_or_invented_and_memory_stays(
    request: pytest.FixtureRequest, often: Callable[[int], int]
) -> None:
    throws = often(len(FAULTS))
    logging.disable(logging.CRITICAL)  # pytest keeps every record, with the frames of its error: 19 MB in 1000 throws
    request.addfinalizer(lambda: logging.disable(logging.NOTSET))
    camera, table = SoakTray(throws), CountingTable()
    health = HealthRules(is_live=True, size_px=SIZE, fps=FPS)
    tray = LiveTray(camera, DrawnReader(), table, keep_picture=lambda *_: True, health=health, retry_seconds=0.0)
    tray.start()
    memory: list[int] = []
    said = 0
    while not camera.done.wait(0.5):
        assert tray.is_alive
        memory.append(resident_kb())
        known = min(len(table.told), len(camera.truth))
        assert table.told[:known] == camera.truth[:known]  # said at once, not after hours
        if len(camera.truth) // 1000 > said:
            said = len(camera.truth) // 1000
            print(f"{len(table.told)} rolls and changes told, all true; {memory[-1] / 1024:.1f} MB", flush=True)
    tray.close()
    assert table.told == camera.truth
    assert sum(kind == "roll" for kind, _ in table.told) == throws
    if throws >= len(FAULTS):
        assert set(camera.faults) == set(FAULTS)
        assert len(table.troubles) >= 3
    if throws > 100:
        early, late = np.median(memory[len(memory) // 5 : len(memory) // 5 + 10]), np.median(memory[-10:])
        print(f"memory {early / 1024:.1f} MB after a fifth, {late / 1024:.1f} MB at the end")
        assert late < 1.05 * early
