"""What the networks are made of: ``recipe.toml`` beside this file, read and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

RECIPE = Path(__file__).with_name("recipe.toml")


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the recipe. A key that nothing reads is an error."""


class Scenes(_Part):
    """Scenes as :func:`models.render.scene.scene` draws them: the first seed, how many, and what is drawn."""

    first: int
    count: int
    kinds: str | None = None
    table: str = ""
    marbled: float = 0.06
    hard: bool = False
    pages: bool = False
    deep: bool = False
    things: bool = False
    fittings: bool = False
    finishes: bool = False
    propped: bool = False
    blank: bool = False
    wide: bool = False
    steep: bool = False

    @property
    def options(self) -> dict[str, Any]:
        """What is drawn, by the renderer's names."""
        return {name: value for name, value in msgspec.structs.asdict(self).items() if name not in ("first", "count")}


class Dice(_Part):
    """Single dice as :func:`models.render.single.crops_of` draws them: the first seed, how many, and which."""

    first: int
    count: int
    kind: str = ""
    invented: bool = False
    dark: bool = False
    finishes: bool = False


class Schedule(_Part):
    """How one network learns.

    :ivar rate: of AdamW at its highest; it grows for ``warm`` steps, and falls by a cosine to nothing.
    :ivar wear: by which share of the usual light, lens and camera spoil the first and the last view.
    :ivar average: share of the earlier weights that the moving average keeps at each step, 0..1.
    :ivar reuse: how often each view is learnt from; 1 without a pool of views.
    :ivar room: views in that pool. :ivar paired: of a chunk so many views are of invented dice, in pairs of a face.
    """

    steps: int
    batch: int
    rate: float
    warm: int
    wear: tuple[float, float]
    average: float
    reuse: int = 1
    room: int = 0
    paired: int = 0


class Quick(_Part):
    """How much less is done to show the way: a share of the scenes, but no fewer than ``least`` of each, and steps.

    :ivar batch: of each network, as the steps. :ivar room: of each that has a pool. :ivar photographs: of each folder so many are read.
    """

    share: float
    least: int
    steps: dict[str, int]
    batch: dict[str, int]
    room: int
    photographs: int


class Recipe(_Part):
    """All of it: how each network learns, what is drawn for learning, calibrating and scoring, and what is less of it.

    :ivar photographs: of each folder of them so many are read; where not said, all.
    """

    version: int
    seed: int
    networks: dict[str, Schedule]
    scenes: dict[str, Scenes]
    dice: dict[str, Dice]
    calibrate: dict[str, dict[str, Scenes]]
    score: dict[str, Scenes]
    quick: Quick
    photographs: int | None = None

    @property
    def all_scenes(self) -> dict[str, Scenes]:
        """The scenes to learn from, to calibrate on and to score, by the name of their folder."""
        return {
            **self.scenes,
            **{name: one for part in self.calibrate.values() for name, one in part.items()},
            **self.score,
        }


def load(path: Path = RECIPE) -> Recipe:
    """Read a recipe.

    :raises msgspec.ValidationError: when it lacks a value, or has one that nothing reads.
    """
    return msgspec.toml.decode(path.read_bytes(), type=Recipe)


def quick(recipe: Recipe) -> Recipe:
    """Return the recipe with less of everything, for the whole way in minutes."""
    less = recipe.quick

    def fewer(some: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: msgspec.structs.replace(one, count=max(less.least, round(one.count * less.share)))
            for name, one in some.items()
        }

    networks = {
        name: msgspec.structs.replace(
            one,
            steps=less.steps[name],
            warm=less.steps[name] // 5,
            batch=less.batch[name],
            average=0.9,
            room=min(one.room, less.room),
        )
        for name, one in recipe.networks.items()
    }
    return msgspec.structs.replace(
        recipe, networks=networks, photographs=less.photographs,
        scenes=fewer(recipe.scenes), dice=fewer(recipe.dice), score=fewer(recipe.score),
        calibrate={name: fewer(part) for name, part in recipe.calibrate.items()},
    )  # fmt: skip
