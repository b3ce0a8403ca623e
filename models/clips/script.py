"""What happens in a clip, one thing after another, with the truth of it: each clip follows from its seed alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from models.clips.film import FPS, Light, Studio, develop, moving, shoot, studio, with_hand
from models.clips.physics import Flight, Pose, Start, fly, lying, nudged, spinning, thrown, upper
from models.render.dice import Model, make

KINDS = ("boost", "setback", "ability", "difficulty", "proficiency", "challenge", "force", "pip")
SCENARIOS = (
    "throw", "two throws", "hand", "lamp", "bump", "thrown again", "added", "nudged", "top", "cleared one by one",
)  # fmt: skip
_PAUSE = 0.9  # seconds that things lie still between two happenings
Rng = np.random.Generator


@dataclass(slots=True)
class Clip:
    """A clip as it grows.

    :ivar events: what a watcher has to tell: ``roll`` and ``changed`` with the time from which all lay still, and
        the dice that lie there then.
    """

    seed: int
    scenario: str
    place: Studio
    rng: Rng
    models: list[Model] = field(default_factory=list)
    poses: list[Pose] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    frames: int = 0
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def time(self) -> float:
        return self.frames / FPS

    def still(self, seconds: float) -> Iterator[np.ndarray]:
        light = self._light()
        for _ in range(round(seconds * FPS)):
            yield self._picture(light)

    def fly(self, models: list[Model], starts: list[Start], kind: str) -> Iterator[np.ndarray]:
        """Dice move until they lie; ``kind`` is what a watcher has to tell then."""
        flight: Flight = fly(models, starts, self.place.half)
        begin = self.time
        for frame in range(int(np.ceil(flight.rest * FPS))):
            yield self._picture(moving(self.place, models, flight.poses, frame))
        self.models, self.poses = models, flight.end
        self.tell(kind, begin + flight.rest)

    def hand(self, *, hides: set[int] | None = None, seconds: float = 0.7) -> Iterator[np.ndarray]:
        """A hand comes, takes the dice of these numbers, and goes."""
        target = self.rng.uniform(0.35, 0.65, 2)
        side = int(self.rng.integers(4))
        outside = {0: (0.0, 0.9), 1: (-0.9, 0.0), 2: (0.9, 0.0), 3: (0.0, -0.9)}[side]
        steps = round(seconds * FPS)
        light = self._light()
        for step in range(steps):
            away = abs(2 * step / (steps - 1) - 1) ** 1.5
            if hides is not None and step == steps // 2:
                left = [i for i in range(len(self.models)) if i not in hides]
                self.models = [self.models[i] for i in left]
                self.poses = [self.poses[i] for i in left]
                light = self._light()
            at = (target[0] + outside[0] * away, target[1] + outside[1] * away)
            yield self._picture(with_hand(light, at, self.rng, side=side))

    def lamp(self, level: float, seconds: float) -> Iterator[np.ndarray]:
        """The lamp is switched off and on again."""
        light = self._light()
        for _ in range(round(seconds * FPS)):
            yield self._picture(light, lamp=level)

    def bump(self) -> Iterator[np.ndarray]:
        """Somebody leans on the camera's arm: it swings and stays a little aside."""
        light = self._light()
        aim = self.rng.uniform(-0.02, 0.02, 2) * self.place.size[0]
        for step in range(round(0.5 * FPS)):
            swing = np.exp(-step / 5) * np.sin(step * 1.3) * 0.02 * self.place.size[0]
            self.shift = (float(aim[0] + swing), float(aim[1] + 0.6 * swing))
            yield self._picture(light)
        self.shift = (float(aim[0]), float(aim[1]))

    def tell(self, kind: str, rest: float) -> None:
        dice = []
        for model, pose in zip(self.models, self.poses, strict=True):
            face, leans = upper(model, pose)
            dice.append({"type": model.type, "face": list(model.faces[face]), "cocked": leans})
        self.events.append({"event": kind, "rest": round(rest, 4), "dice": dice})

    def _light(self) -> Light:
        return shoot(self.place, self.models, self.poses)[0]

    def _picture(self, light: Light, *, lamp: float = 1.0) -> np.ndarray:
        self.frames += 1
        return develop(self.place, light, self.rng, lamp=lamp, shift=self.shift)


def begin(seed: int, *, width: int = 640, height: int = 480) -> Clip:
    """Return the clip of a seed before its first frame."""
    rng = np.random.default_rng(seed)
    scenario = SCENARIOS[seed % len(SCENARIOS)]
    return Clip(seed=seed, scenario=scenario, place=studio(rng, width=width, height=height), rng=rng)


def play(clip: Clip) -> Iterator[np.ndarray]:
    """Yield the pictures of a clip; its truth is complete after the last."""
    rng, half = clip.rng, clip.place.half

    def handful(least: int = 1, most: int = 8) -> list[Model]:
        pips = rng.random() < 0.2
        kinds = ["pip" if pips else str(rng.choice(KINDS[:-1])) for _ in range(int(rng.integers(least, most + 1)))]
        return [make(rng, kind) for kind in kinds]

    def throw(models: list[Model], kind: str = "roll") -> Iterator[np.ndarray]:
        yield from clip.fly(models, [thrown(rng, half, n) for n in range(len(models))], kind)
        yield from clip.still(_PAUSE)

    def beside(models: list[Model], starts: list[Start]) -> Iterator[np.ndarray]:
        staying = [lying(pose) for pose in clip.poses]
        yield from clip.fly([*clip.models, *models], [*staying, *starts], "changed")
        yield from clip.still(_PAUSE)

    yield from clip.still(_PAUSE)
    if clip.scenario == "top":
        model = make(rng, str(rng.choice(["ability", "boost"])))
        yield from clip.fly([model], [spinning(rng, model, half)], "roll")
        yield from clip.still(_PAUSE)
        return
    yield from throw(handful(2 if clip.scenario in ("thrown again", "cleared one by one") else 1))
    if clip.scenario == "two throws":
        yield from clip.hand(hides=set(range(len(clip.models))))
        yield from clip.still(_PAUSE)
        yield from throw(handful())
    elif clip.scenario == "hand":
        yield from clip.hand()
        yield from clip.still(_PAUSE)
    elif clip.scenario == "lamp":
        yield from clip.lamp(float(rng.choice([0.004, 0.05])), 1.6)
        yield from clip.still(_PAUSE)
    elif clip.scenario == "bump":
        yield from clip.bump()
        yield from clip.still(_PAUSE)
    elif clip.scenario == "thrown again":
        picked = int(rng.integers(len(clip.models)))
        model = clip.models[picked]
        yield from clip.hand(hides={picked})
        yield from clip.still(0.5)
        yield from beside([model], [thrown(rng, half, 0)])
    elif clip.scenario == "added":
        more = handful(1, 2)
        yield from beside(more, [thrown(rng, half, n) for n in range(len(more))])
    elif clip.scenario == "nudged":
        first, *others = clip.poses
        yield from clip.fly(clip.models, [nudged(rng, first), *map(lying, others)], "changed")
        yield from clip.still(_PAUSE)
    elif clip.scenario == "cleared one by one":
        for _ in range(len(clip.models)):
            yield from clip.hand(hides={0}, seconds=0.5)
            yield from clip.still(0.6)
        yield from throw(handful())
