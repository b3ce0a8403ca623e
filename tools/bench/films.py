"""Made films of a table, as hard as real ones: each follows from its seed, with the truth of what is to be told."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from tableside.adapters.camera.port import Recording
from tableside.tray.frame import Frame
from tools.bench.scenes import Picture, Place, Scene, Sprite, laid, paled, take_apart, with_hand
from tools.bench.sensor import Sensor, drawn

KINDS = ("webcam", "rolls", "pips", "samples")
_WIDTHS = {"webcam": 960, "rolls": 640, "pips": 800, "samples": 640}
_SETS = {"webcam": ("pips",), "rolls": ("narrative",), "pips": ("pips",), "samples": ("narrative",)}
_MOST_DICE = 7
_RESTING_SECONDS = 0.8
"""A hand that has lain still for so long holds nothing back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that happens in a film.

    :ivar start: seconds at which something begins to move. :ivar rest: from which all lies still, with no hand there.
    :ivar is_told: a roll or a change must be told at the rest; ``None`` where it may be.
    :ivar waits: seconds until the rest, during which the dice lie already beside a hand, and may be told.
    """

    name: str
    start: float
    rest: float
    is_told: bool | None
    waits: float = 0.0


@dataclass(slots=True)
class _Lying:
    sprite: Sprite
    place: Place
    turn: float = 0.0


@dataclass(slots=True)
class Film(Recording):
    """A film as it is played. ``acts`` is complete once it was played to its end.

    :ivar sets: the dice sets that lie there.
    """

    seed: int
    kind: str
    shared: Path
    sets: tuple[str, ...] = ()
    acts: list[Act] = field(default_factory=list)
    sensor: Sensor = field(default_factory=Sensor)
    is_pale: bool = False
    _rng: np.random.Generator = field(default_factory=np.random.default_rng)
    _scenes: list[Scene] = field(default_factory=list)
    _scene: Scene | None = None
    _lying: list[_Lying] = field(default_factory=list)
    _count: int = 0
    _still: Picture | None = None

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        self.sets = _SETS[self.kind]
        self.sensor = drawn(self._rng)

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.seed}"

    def open(self) -> None:
        labels = labels_of(self.kind, self.shared)
        width = _WIDTHS[self.kind]
        count = 5 if self.kind == "webcam" else 1
        first = int(self._rng.integers(len(labels) - count + 1))
        self._scenes = [take_apart(label, width=width) for label in labels[first : first + count]]
        self.is_pale = self.kind != "webcam" and bool(self._rng.random() < 0.25)

    def close(self) -> None:
        self._scenes = []

    def frames(self) -> Iterator[Frame]:
        pictures = self.sensor.pictures(self._play(), np.random.default_rng(self.seed + 1))
        for number, picture in enumerate(pictures):
            yield Frame.of(picture, number=number, time=number / self.sensor.fps)

    # what happens

    def _play(self) -> Iterator[Picture]:
        rng = self._rng
        self._scene = self._scenes[0]
        yield from self._hold(0.8)
        for number in range(5):
            self._stand_before(number)
            yield from self._throw(self._handful())
            yield from self._hold(float(rng.uniform(1, 2.2)))
            aside = str(
                rng.choice(
                    [
                        "hand",
                        "shadow",
                        "lean",
                        "added",
                        "nudged",
                        "spun",
                        "taken",
                        "pushed",
                        "halves",
                        "resting",
                        "none",
                        "none",
                    ]
                )
            )
            if aside != "none":
                yield from getattr(self, f"_{aside}")()
                yield from self._hold(float(rng.uniform(1, 1.6)))
            if self._lying:
                yield from self._gathered(number)

    def _hold(self, seconds: float) -> Iterator[Picture]:
        for _ in range(max(2, round(seconds * self.sensor.fps))):
            yield self._picture()

    def _stand_before(self, number: int) -> None:
        """Show the photograph of that throw from now on, where there is one of its own."""
        scene = self._scenes[min(number, len(self._scenes) - 1)]
        if scene is not self._scene:
            self._scene, self._still = scene, None

    def _gathered(self, number: int) -> Iterator[Picture]:
        """A hand takes all dice and goes. Chairs and feet that the next photograph has elsewhere move meanwhile."""
        start = self._time
        for picture in self._reach(self._middle(), takes=range(len(self._lying))):
            if not self._lying:
                self._stand_before(number + 1)
            yield picture
        self._tell("gathered", start, False)
        yield from self._hold(float(self._rng.uniform(0.5, 0.9)))

    def _throw(self, dice: Sequence[_Lying], name: str = "thrown", *, is_told: bool | None = True) -> Iterator[Picture]:
        """Dice roll in from an edge and come to rest one after another."""
        rng, start = self._rng, self._time
        width, height = self._size
        edge = [(width * 0.5, -60.0), (width * 0.5, height + 60.0), (-60.0, height * 0.5), (width + 60.0, height * 0.5)]
        source = np.array(edge[int(rng.integers(4))])
        lasts = rng.uniform(0.45, 0.9, len(dice))
        spins = rng.uniform(-9, 9, len(dice))
        steps = max(1, round(float(lasts.max()) * self.sensor.fps))
        for step in range(steps):
            picture = self._ground_with_dice().copy()
            for die, seconds, spin in zip(dice, lasts, spins, strict=True):
                for part in (0.0, 0.25, 0.5):  # the shutter is open for half of a frame's time
                    left = max(0.0, 1 - (step + part) / self.sensor.fps / seconds) ** 1.5
                    at = np.array(die.place) + (source - die.place) * left
                    share = 1.0 if left == 0 or part == 0 else 0.5
                    laid(picture, die.sprite, (float(at[0]), float(at[1])), die.turn + spin * left, share)
            yield self._shown(picture)
        self._lie(*self._lying, *dice)
        self._tell(name, start, is_told)

    def _added(self) -> Iterator[Picture]:
        spare = self._handful(1)
        if spare:
            yield from self._throw(spare, "added")

    def _halves(self) -> Iterator[Picture]:
        """The second half of a throw follows when the first lies for a moment, or for longer."""
        spare = self._handful(2)
        if len(spare) == 2:
            pause = float(self._rng.choice([0.1, 0.8]))
            yield from self._throw(spare[:1], "first half", is_told=True if pause > 0.5 else None)
            yield from self._hold(pause)
            yield from self._throw(spare[1:], "second half")

    def _hand(self) -> Iterator[Picture]:
        start = self._time
        yield from self._reach(self._anywhere(1.0))
        self._tell("hand alone", start, False)

    def _resting(self) -> Iterator[Picture]:
        """A hand lays a die down, lies still beside it for a while, and goes. A second of that is enough."""
        spare, start = self._handful(1), self._time
        if spare:
            (x, y), radius = spare[0].place, spare[0].sprite.radius
            at = (x + 1.8 * radius, y)
            side = 2
            laid_at = math.inf
            for picture in self._reach(at, side=side, brings=spare, pause=float(self._rng.uniform(1.5, 3.0))):
                laid_at = min(laid_at, self._time) if spare[0] in self._lying else laid_at
                yield picture
            self.acts.append(
                Act(
                    name="laid by a resting hand",
                    start=start,
                    rest=laid_at + _RESTING_SECONDS,
                    is_told=True,
                    waits=_RESTING_SECONDS,
                )
            )

    def _taken(self) -> Iterator[Picture]:
        """A hand takes one die away, and throws it again."""
        if len(self._lying) < 2:
            return
        start, number = self._time, int(self._rng.integers(len(self._lying)))
        sprite = self._lying[number].sprite
        yield from self._reach(self._lying[number].place, takes=[number])
        self._tell("taken", start, False)
        yield from self._hold(0.7)
        again = self._places([sprite])
        if again:
            yield from self._throw(again, "thrown again")

    def _nudged(self) -> Iterator[Picture]:
        """A die is pushed a little at once."""
        yield from self._moved("nudged", seconds=0.2, reach=float(self._rng.uniform(1.2, 2.0)))

    def _pushed(self) -> Iterator[Picture]:
        """A die is drawn along slowly, as by a thread."""
        yield from self._moved("pushed slowly", seconds=float(self._rng.uniform(1.5, 3)), reach=2.5)

    def _moved(self, name: str, *, seconds: float, reach: float) -> Iterator[Picture]:
        start, number = self._time, int(self._rng.integers(len(self._lying)))
        die = self._lying[number]
        angle = float(self._rng.uniform(0, 6.28))
        first = np.array(die.place)
        way = np.array([np.cos(angle), np.sin(angle)]) * reach * die.sprite.radius
        if not self._is_free(tuple(first + way), die.sprite.radius, apart_from=number):
            way = -way
        if not self._is_free(tuple(first + way), die.sprite.radius, apart_from=number):
            return
        steps = max(1, round(seconds * self.sensor.fps))
        for step in range(1, steps + 1):
            at = first + way * step / steps
            self._lie(*(replace(d, place=(float(at[0]), float(at[1]))) if d is die else d for d in self._lying))
            die = self._lying[number]
            if step < steps:
                yield self._picture()
        self._tell(name, start, True)

    def _spun(self) -> Iterator[Picture]:
        """A die turns in its place, as on a corner, and shows then what it showed."""
        start, number = self._time, int(self._rng.integers(len(self._lying)))
        die = self._lying[number]
        steps = max(1, round(1.2 * self.sensor.fps))
        for step in range(1, steps + 1):
            left = 1 - step / steps
            self._lie(*(replace(d, turn=die.turn + 14 * left) if i == number else d for i, d in enumerate(self._lying)))
            if left:
                yield self._picture()
        self._tell("spun", start, None)

    def _shadow(self) -> Iterator[Picture]:
        """Somebody leans over: a soft shadow comes from an edge, stays, and goes."""
        start = self._time
        width = self._size[0]
        steps = round(2.0 * self.sensor.fps)
        reach, depth = float(self._rng.uniform(0.3, 0.6)), float(self._rng.uniform(0.15, 0.4))
        columns = np.arange(width, dtype=np.float32) / width
        for step in range(steps):
            there = reach * min(1.0, 3 * step / steps, 3 * (1 - step / steps))
            shade = 1 - depth / (1 + np.exp((columns - there) * 20)) * min(1.0, there / 0.1)
            picture = self._ground_with_dice() * shade.astype(np.float32)[None, :, None]
            yield self._shown(np.asarray(picture, np.float32))
        self._tell("shadow", start, False)

    def _lean(self) -> Iterator[Picture]:
        """Somebody leans on the table: all that is seen is pushed aside, and comes back."""
        start = self._time
        aim = self._rng.uniform(-7, 7, 2)
        steps = max(3, round(float(self._rng.uniform(0.8, 1.6)) * self.sensor.fps))
        for step in range(steps):
            there = np.sin(np.pi * step / steps)
            move = np.array([[1, 0, aim[0] * there], [0, 1, aim[1] * there]], np.float32)
            seen = self._ground_with_dice()
            yield self._shown(cv2.warpAffine(seen, move, self._size, borderMode=cv2.BORDER_REPLICATE))
        self._tell("leant on", start, False)

    def _reach(
        self,
        at: Place,
        *,
        side: int | None = None,
        takes: Sequence[int] = (),
        brings: Sequence[_Lying] = (),
        pause: float = 0.0,
    ) -> Iterator[Picture]:
        """A hand comes in, takes or lays dice, and goes."""
        rng = self._rng
        width, height = self._size
        side = int(rng.integers(4)) if side is None else side
        outside = {0: (0.0, height * 0.9), 1: (-width * 0.9, 0.0), 2: (width * 0.9, 0.0), 3: (0.0, -height * 0.9)}[side]
        skin = np.array([95.0, 125.0, 180.0], np.float32) * np.float32(rng.uniform(0.5, 1.15))
        steps = max(4, round(float(rng.uniform(0.6, 1.1)) * self.sensor.fps))
        stay = round(pause * self.sensor.fps)
        for step in range(steps + stay):
            if step == steps // 2:
                self._lie(*(d for i, d in enumerate(self._lying) if i not in set(takes)), *brings)
            moved = step if step < steps // 2 else max(steps // 2, step - stay)
            away = abs(2 * moved / (steps - 1) - 1) ** 1.5
            picture = self._ground_with_dice().copy()
            with_hand(picture, (at[0] + outside[0] * away, at[1] + outside[1] * away), side, skin)
            yield self._shown(picture)

    # what lies there

    @property
    def _time(self) -> float:
        return self._count / self.sensor.fps

    @property
    def _size(self) -> tuple[int, int]:
        assert self._scene is not None
        return self._scene.size

    def _tell(self, name: str, start: float, is_told: bool | None) -> None:
        self.acts.append(Act(name=name, start=start, rest=self._time, is_told=is_told))

    def _lie(self, *dice: _Lying) -> None:
        self._lying = list(dice)
        self._still = None

    def _ground_with_dice(self) -> Picture:
        if self._still is None:
            assert self._scene is not None
            self._still = self._scene.ground.copy()
            for die in self._lying:
                laid(self._still, die.sprite, die.place, die.turn)
        return self._still

    def _picture(self) -> Picture:
        return self._shown(self._ground_with_dice())

    def _shown(self, picture: Picture) -> Picture:
        self._count += 1
        return np.clip(picture, 0, 255).astype(np.uint8)

    def _handful(self, count: int = 0) -> list[_Lying]:
        """Return dice that do not lie there yet, as the photograph has them where that place is free."""
        assert self._scene is not None
        rng, scene = self._rng, self._scene
        there = {id(die.sprite) for die in self._lying}
        spare = [s for s in scene.sprites if id(s) not in there]
        if self.kind == "webcam" and not count:
            return [_Lying(s, s.place) for s in spare]
        count = count or int(rng.integers(1, _MOST_DICE + 1))
        chosen = [spare[int(i)] for i in rng.permutation(len(spare))[:count]]
        if self.is_pale:
            chosen = [paled(s, scene.ground, float(rng.uniform(30, 60))) for s in chosen]
        if not self.acts:
            return [_Lying(s, s.place) for s in chosen]
        return self._places(chosen)

    def _places(self, sprites: Sequence[Sprite]) -> list[_Lying]:
        """Return dice at free places among those of the photograph's dice, as far as there are such."""
        found: list[_Lying] = []
        for sprite in sprites:
            for _ in range(40):
                at = self._anywhere(1.0)
                taken = [*self._lying, *found]
                apart = (_apart(at, d.place) / (sprite.radius + d.sprite.radius) for d in taken)
                if all(far > 1.25 for far in apart):
                    found.append(_Lying(sprite, at, float(self._rng.uniform(0, 6.28))))
                    break
        return found

    def _is_free(self, at: Place, radius: float, *, apart_from: int) -> bool:
        width, height = self._size
        inside = radius * 1.5 < at[0] < width - radius * 1.5 and radius * 1.5 < at[1] < height - radius * 1.5
        others = [d for i, d in enumerate(self._lying) if i != apart_from]
        return inside and all(_apart(at, d.place) > 1.2 * (radius + d.sprite.radius) for d in others)

    def _anywhere(self, spread: float) -> Place:
        """Return a place among those where the photograph's dice lie: in its tray."""
        assert self._scene is not None
        places = np.array([s.place for s in self._scene.sprites])
        low, high = places.min(axis=0), places.max(axis=0)
        low, high = np.minimum(low, np.array(self._size) * 0.3), np.maximum(high, np.array(self._size) * 0.7)
        x, y = low + (high - low) * (0.5 + spread * (self._rng.random(2) - 0.5))
        return float(x), float(y)

    def _middle(self) -> Place:
        x, y = np.mean([die.place for die in self._lying], axis=0)
        return float(x), float(y)


def _apart(one: Place, other: Place) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def labels_of(kind: str, shared: Path) -> list[Path]:
    """Return the labelled photographs that films of a kind are made of, those with dice, in name order."""
    from tableside import paths

    folder = {
        "webcam": shared / "photos" / "webcam",
        "rolls": shared / "rolls",
        "pips": shared / "photos" / "pips",
        "samples": paths.samples_folder(),
    }[kind]
    return sorted(folder.glob("*.json"))


def films(count: int, first: int, shared: Path, kinds: Sequence[str] = KINDS) -> Iterator[Film]:
    """Yield that many films, of each kind in turn."""
    for seed in range(first, first + count):
        yield Film(seed=seed, kind=kinds[seed % len(kinds)], shared=shared)
