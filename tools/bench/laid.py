"""Made clips of dice that a hand lays in the tray while a roll is called, and of dice that are thrown."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tableside.adapters.camera.port import opened
from tableside.app.readers import Reads
from tableside.tray.meaning import Wanted
from tableside.tray.watch import Happening, Watch
from tools.bench.films import Film, _Lying, labels_of
from tools.bench.scenes import Picture, Place, laid, take_apart, with_hand

LAID = ("one by one", "in one visit", "beside the hand")
THROWN = (
    "from the edge",
    "with a reach",
    "near the hand",
    "with two hands",
    "then reached over",
    "laid before",
    "no hand",
)
KINDS = ("rolls", "pips", "samples")
_WIDTHS = {"rolls": 400, "pips": 480, "samples": 400}
_RATES = (10, 12, 15, 20, 30)
_TOLD = (Happening.ROLL, Happening.CHANGED, Happening.JOINED)
Path_ = Callable[[float], Place | None]
"""Where something is at a time, s; ``None`` where it is not seen."""


@dataclass(slots=True)
class Clip(Film):
    """One way of laying dice or throwing them.

    :ivar way: of ``LAID`` or ``THROWN``. :ivar stays: the hand lies at the edge in the end, else it is gone.
    :ivar count: how many dice come.
    """

    way: str = ""
    stays: bool = False
    count: int = 0

    @property
    def name(self) -> str:
        hand = "in" if self.stays else "out"
        return f"{self.kind}-{self.seed} ({self.sensor.fps:.0f} fps) {self.count} dice {self.way}, hand {hand}"

    def open(self) -> None:
        labels = labels_of(self.kind, self.shared)
        label = labels[int(self._rng.integers(len(labels)))]
        self._scenes = [take_apart(label, width=_WIDTHS[self.kind])]

    def _play(self) -> Iterator[Picture]:
        self._scene = self._scenes[0]
        yield from self._hold(0.6)
        if self.way in LAID:
            dice = self._chosen(int(self._rng.integers(1, 4)))
            yield from self._laying(dice)
        else:
            if self.way == "laid before":
                yield from self._laying(self._chosen(int(self._rng.integers(1, 4))))
                yield from self._hold(1.0)
            yield from self._throwing()
        yield from self._hold(1.0)

    def _chosen(self, count: int) -> list[_Lying]:
        assert self._scene is not None
        sprites = self._scene.sprites
        self.count = min(count, len(sprites))
        return self._places([sprites[int(i)] for i in self._rng.permutation(len(sprites))[:count]])

    # hands and dice on their ways

    def _laying(self, dice: Sequence[_Lying]) -> Iterator[Picture]:
        """A hand brings dice one after another, each seen in part before its fingers."""
        rng = self._rng
        side = int(rng.integers(4))
        inward = _INWARD[side]
        start = self._time
        keys: list[tuple[float, Place]] = []
        moving: list[tuple[_Lying, Path_]] = []
        time = 0.0
        hand = self._wandering(_along(keys))
        for number, die in enumerate(dice):
            reach = float(rng.uniform(0.2, 1.0)) * die.sprite.radius
            off = (inward[0] * reach, inward[1] * reach)
            at = (die.place[0] - off[0], die.place[1] - off[1])
            is_first = number == 0 or self.way != "in one visit"
            if is_first:
                keys.append((time, self._outside(at, side)))
            time += float(rng.uniform(0.4, 0.8))
            keys.append((time, at))
            seen_from = time - (1.0 if is_first else 0.1)
            time += float(rng.uniform(0.1, 0.3))
            keys.append((time, at))
            moving.append((die, _carried(hand, off, seen_from, time, die.place)))
            if self.way == "beside the hand":
                gap = float(rng.uniform(1.2, 3.0)) * die.sprite.radius
                aside = (at[0] - inward[0] * gap, at[1] - inward[1] * gap)
                keys.append((time + 0.2, aside))
                time += float(rng.uniform(0.5, 1.2))
                keys.append((time, aside))
            if self.way != "in one visit" or number == len(dice) - 1:
                time += float(rng.uniform(0.25, 0.5))
                keys.append(
                    (time, self._rest_of_hand(at, side) if number == len(dice) - 1 else self._outside(at, side))
                )
                time += float(rng.uniform(0.2, 0.8))
        yield from self._act(time, [(side, hand)], moving)
        self._tell("laid", start, False)

    def _throwing(self) -> Iterator[Picture]:
        """A hand comes, and dice roll out of it to their places."""
        rng = self._rng
        side = int(rng.integers(4))
        inward = _INWARD[side]
        start = self._time
        width, height = self._size
        old, place = list(self._lying), self._middle() if self._lying else (0.0, 0.0)
        along, across = (width, height) if inward[0] else (height, width)
        depth = float(
            rng.uniform(0.02, 0.2) if self.way in ("from the edge", "with two hands") else rng.uniform(0.2, 0.5)
        )
        wide = float(rng.uniform(0.3, 0.7)) * across
        deep = depth * along if inward[0] + inward[1] > 0 else (1 - depth) * along
        release = (deep, wide) if inward[0] else (wide, deep)
        if old:  # they are taken up first
            dice, self.count = [replace(die, turn=float(rng.uniform(0, 6))) for die in old], len(old)
            free = self._places([die.sprite for die in old])
            dice = free if len(free) == len(old) else dice
        else:
            dice = self._chosen(int(rng.integers(1, 8)))
        for die in dice:
            self._keep_clear(die, release, inward)
        if self.way == "near the hand":
            self._bring_near(dice[: max(1, len(dice) // 2)], release, inward)
        comes = float(rng.uniform(0.3, 0.6))
        keys = [(0.0, self._outside(release, side))]
        if old:
            keys += [(comes, place), (comes + 0.4, place)]
            comes += 0.8
        keys.append((comes, release))
        lasts = [float(v) for v in rng.uniform(0.45, 0.9, len(dice))]
        leaves = comes + (float(rng.uniform(0.0, 0.3)) if rng.random() < 0.6 else float(rng.uniform(0.8, 1.5)))
        gone = leaves + float(rng.uniform(0.25, 0.6))
        keys += [(leaves, release), (gone, self._rest_of_hand(release, side))]
        hand = self._wandering(_along(keys))
        hands: list[tuple[int, Path_]] = [] if self.way == "no hand" else [(side, hand)]
        if self.way == "with two hands":
            apart = float(rng.uniform(0.14, 0.24)) * width
            move = (0.0, apart) if inward[0] else (apart, 0.0)
            hands.append((side, _along([(t, (p[0] + move[0], p[1] + move[1])) for t, p in keys])))
        end = max(gone, comes + max(lasts))
        if self.way == "then reached over":
            time = max(gone, comes + max(lasts)) + float(rng.uniform(0.0, 0.25))
            middle = dice[0].place
            other = int(rng.integers(4))
            again = [(time, self._outside(middle, other)), (time + 0.4, middle), (time + 0.6, middle)]
            again.append((time + 1.0, self._outside(middle, other)))
            hands.append((other, _along(again)))
            end = time + 1.0
        moving = [
            (die, _rolling(release, comes, seconds, die.place, float(rng.uniform(-9, 9)), die.turn))
            for die, seconds in zip(dice, lasts, strict=True)
        ]
        taken_at = comes - 0.6 if old else math.inf
        yield from self._act(end, hands, moving, taken_at=taken_at)
        self._tell("thrown", start, True)

    def _keep_clear(self, die: _Lying, release: Place, inward: Place) -> None:
        """Let no die come to rest under the hand that throws it: there nobody can tell it from one that was laid."""
        away = (die.place[0] - release[0], die.place[1] - release[1])
        before = away[0] * inward[0] + away[1] * inward[1]
        aside = abs(away[0] * inward[1]) + abs(away[1] * inward[0])
        half = 0.085 * self._hand_size * self._size[0]
        if before < 1.3 * die.sprite.radius and aside < half + 1.3 * die.sprite.radius:
            reach = float(self._rng.uniform(2, 6)) * die.sprite.radius - before
            die.place = (die.place[0] + inward[0] * reach, die.place[1] + inward[1] * reach)

    def _bring_near(self, dice: Sequence[_Lying], release: Place, inward: Place) -> None:
        """Let these come to rest just before the fingers, where there is room."""
        for die in dice:
            reach = float(self._rng.uniform(1.3, 3.5)) * die.sprite.radius
            aside = float(self._rng.uniform(-2.5, 2.5)) * die.sprite.radius
            at = (
                release[0] + inward[0] * reach + inward[1] * aside,
                release[1] + inward[1] * reach + inward[0] * aside,
            )
            others = [one for one in dice if one is not die]
            if all(math.dist(at, one.place) > 1.2 * (die.sprite.radius + one.sprite.radius) for one in others):
                die.place = at

    def _act(
        self,
        seconds: float,
        hands: Sequence[tuple[int, Path_]],
        moving: Sequence[tuple[_Lying, Callable[[float], Any]]],
        *,
        taken_at: float = math.inf,
    ) -> Iterator[Picture]:
        skin = np.array([95.0, 125.0, 180.0], np.float32) * np.float32(self._rng.uniform(0.5, 1.15))
        for step in range(max(1, round(seconds * self.sensor.fps))):
            time = step / self.sensor.fps
            if time >= taken_at:
                self._lie()
            picture = self._ground_with_dice().copy()
            for die, path in moving:
                for part in (0.0, 0.25, 0.5):  # the shutter is open for half of a picture's time
                    at, turn = _placed(path(time + part / self.sensor.fps), die)
                    if at is not None:
                        laid(picture, die.sprite, at, turn, 1.0 if part == 0 else 0.5)
            for side, path in hands:
                at = path(time)
                if at is not None and self._is_seen(at):
                    with_hand(picture, at, side, skin, size=self._hand_size)
            yield self._shown(picture)
        self._lie(*self._lying, *(die for die, _ in moving))
        if self.stays and hands:
            end = hands[0][1](seconds)
            for _ in range(round(0.8 * self.sensor.fps)):
                picture = self._ground_with_dice().copy()
                if end is not None:
                    with_hand(picture, end, hands[0][0], skin, size=self._hand_size)
                yield self._shown(picture)

    def _wandering(self, path: Path_) -> Path_:
        """Return the way of a hand that is held in the air, and so is never quite still."""
        reach = 0.008 * self._size[0]
        phases = self._rng.uniform(0, 6.28, 2)

        def at(time: float) -> Place | None:
            found = path(time)
            if found is None:
                return None
            return found[0] + reach * math.sin(9 * time + phases[0]), found[1] + reach * math.sin(7 * time + phases[1])

        return at

    @property
    def _hand_size(self) -> float:
        """A hand is at least three dice broad."""
        assert self._scene is not None
        return max(1.0, 6 * max(one.radius for one in self._scene.sprites) / (0.17 * self._size[0]))

    def _is_seen(self, at: Place) -> bool:
        width, height = self._size
        return -20 < at[0] < width + 20 and -20 < at[1] < height + 20

    def _outside(self, at: Place, side: int) -> Place:
        width, height = self._size
        away = {0: (0.0, height * 0.9), 1: (-width * 0.9, 0.0), 2: (width * 0.9, 0.0), 3: (0.0, -height * 0.9)}[side]
        return at[0] + away[0], at[1] + away[1]

    def _rest_of_hand(self, at: Place, side: int) -> Place:
        """Return where the hand ends: away, or with its fingers just in the picture."""
        if not self.stays:
            return self._outside(at, side)
        width, height = self._size
        return {
            0: (at[0], height * 0.93), 1: (width * 0.07, at[1]), 2: (width * 0.93, at[1]), 3: (at[0], height * 0.07)
        }[side]  # fmt: skip


_INWARD: dict[int, Place] = {0: (0.0, -1.0), 1: (1.0, 0.0), 2: (-1.0, 0.0), 3: (0.0, 1.0)}


def _placed(found: Any, die: _Lying) -> tuple[Place | None, float]:
    if found is None:
        return None, 0.0
    return (found[0], found[1]), found[2] if len(found) > 2 else die.turn


def _along(keys: Sequence[tuple[float, Place]]) -> Path_:
    """Return the way through these places, slow at each of them. ``keys`` may still grow."""

    def at(time: float) -> Place | None:
        if time < keys[0][0]:
            return None
        for (t0, p0), (t1, p1) in itertools.pairwise(keys):
            if time < t1:
                share = (time - t0) / max(1e-6, t1 - t0)
                share = share * share * (3 - 2 * share)
                return p0[0] + (p1[0] - p0[0]) * share, p0[1] + (p1[1] - p0[1]) * share
        return keys[-1][1]

    return at


def _carried(hand: Path_, off: Place, seen_from: float, put_at: float, place: Place) -> Path_:
    """A die in the fingers, until it is put down."""

    def at(time: float) -> Place | None:
        if time >= put_at:
            return place
        fingers = hand(time)
        return None if fingers is None or time < seen_from else (fingers[0] + off[0], fingers[1] + off[1])

    return at


def _rolling(
    source: Place, starts: float, lasts: float, place: Place, spin: float, turn: float
) -> Callable[[float], tuple[float, float, float] | None]:
    """A die that leaves a hand, and slows down to its place."""

    def at(time: float) -> tuple[float, float, float] | None:
        if time < starts:
            return None
        left = max(0.0, 1 - (time - starts) / lasts) ** 1.5
        return (
            place[0] + (source[0] - place[0]) * left, place[1] + (source[1] - place[1]) * left, turn + spin * left
        )  # fmt: skip

    return at


@dataclass(slots=True)
class LaidScore:
    """Counts over clips.

    :ivar told: by what was done and what it was taken for. :ivar ways: the same for each way.
    :ivar counted: laid clips of which every die was counted. :ivar lines: what was not as it should be.
    """

    told: Counter[tuple[str, str]] = field(default_factory=Counter)
    ways: dict[str, Counter[str]] = field(default_factory=dict)
    counted: int = 0
    seconds: float = 0.0
    lines: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        table = {
            done: {taken: self.told[done, taken] for taken in ("laid", "thrown", "nothing")}
            for done in ("laid", "thrown")
        }
        ways = {way: dict(found) for way, found in self.ways.items()}
        return {"confusion": table, "all_dice_counted": self.counted, "ways": ways, "seconds": round(self.seconds)}


def score_clip(clip: Clip, reader: Reads, score: LaidScore) -> None:
    """Play a clip while a roll is called, and add what it was taken for."""
    watch = Watch(reader)
    rolls, time = 0, 0.0
    with opened(clip):
        for frame in clip.frames():
            time = frame.time
            for event in watch.see(frame, Wanted(laid=watch.laid)):
                rolls += event.happening in _TOLD
    done = "laid" if clip.way in LAID else "thrown"
    taken = "thrown" if rolls else "laid" if watch.laid else "nothing"
    score.told[done, taken] += 1
    score.ways.setdefault(clip.way, Counter())[taken] += 1
    score.seconds += time
    is_counted = taken == "laid" and sum(watch.laid.values()) == clip.count
    score.counted += done == "laid" and is_counted
    if done != taken:
        score.lines.append(f"{clip.name}: {taken}")
    elif done == "laid" and not is_counted:
        score.lines.append(f"{clip.name}: {sum(watch.laid.values())} counted")


def clips(count: int, first: int, shared: Path, kinds: Sequence[str] = KINDS) -> Iterator[Clip]:
    """Yield that many clips of laying, and as many of throwing, of each way and kind in turn."""
    for seed in range(first, first + count):
        for ways in (LAID, THROWN):
            clip = Clip(
                seed=seed, kind=kinds[seed % len(kinds)], shared=shared, way=ways[seed // len(kinds) % len(ways)],
                stays=bool(seed % 2),
            )  # fmt: skip
            fps = float(np.random.default_rng(seed).choice(_RATES))
            clip.sensor = replace(clip.sensor, fps=fps)
            yield clip
