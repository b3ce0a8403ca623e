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
    trouble: str = ""

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
    trouble: str = ""


class Schedule(_Part):
    """How one network learns.

    :ivar rate: of AdamW at its highest; it grows for ``warm`` steps, and falls by a cosine to nothing.
    :ivar wear: by which share of the usual light, lens and camera spoil the first and the last view.
    :ivar average: share of the earlier weights that the moving average keeps at each step, 0..1.
    :ivar reuse: how often each view is learnt from; 1 without a pool of views.
    :ivar room: views in that pool. :ivar paired: of a chunk so many views are of invented dice, in pairs of a face.
    :ivar scenes: names of those that it learns from, all where none is said. :ivar widths: of its layers, as the network
        takes them; tried one after another until one passes the gate, and the last is taken as it comes.
    :ivar taught: beside the labels it learns what the shipped network says of each view, and keeps its prototypes.
    :ivar behind: the gate: by so much its share of held-out views that are read rightly may be below the shipped one's.
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
    scenes: tuple[str, ...] = ()
    widths: tuple[tuple[int, ...], ...] = ()
    taught: bool = False
    behind: float | None = None


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

    :ivar networks: in the order in which they are trained; those that are not named are the shipped ones.
    :ivar held: scenes for gates.
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
    held: dict[str, Scenes] = {}
    photographs: int | None = None

    @property
    def all_scenes(self) -> dict[str, Scenes]:
        """The scenes to learn from, to calibrate on and to score, by the name of their folder."""
        return {
            **self.scenes,
            **{name: one for part in self.calibrate.values() for name, one in part.items()},
            **self.held,
            **self.score,
        }

    def scenes_of(self, network: str) -> dict[str, Scenes]:
        """The scenes that a network learns from, by name."""
        return {name: self.scenes[name] for name in self.networks[network].scenes or self.scenes}

    def finds_itself(self, network: str) -> bool:
        """Return whether this recipe's own locator is there when crops for that network are cut; else the shipped one is asked."""
        names = list(self.networks)
        return "locator" in names[: names.index(network)] if network in names else False

    def lesson(self, network: str) -> Any:
        """Return all that the weights of a network hang on, or None where it is not trained."""
        if network not in self.networks:
            return None
        dice = self.dice if network == "classifier" else None
        return self.seed, self.networks[network], self.scenes_of(network), dice, self.finds_itself(network)


def load(path: Path = RECIPE) -> Recipe:
    """Read a recipe.

    :raises msgspec.ValidationError: when it lacks a value, or has one that nothing reads.
    """
    return msgspec.toml.decode(path.read_bytes(), type=Recipe)


def goes_on(folder: Path, was: Recipe, now: Recipe) -> bool:
    """Return whether all that was made in a folder by one recipe is what another would make, too.

    What is not there yet may differ. A network hangs on all that it learns from, crops on whose locator was asked.
    """
    begun = {path.name.split(".")[0] for path in folder.iterdir()}
    for prefix, some, others in (("", was.all_scenes, now.all_scenes), ("dice-", was.dice, now.dice)):
        if any(prefix + name in begun and others.get(name) != one for name, one in some.items()):
            return False
    for prefix, name in (("faces-", "classifier"), ("whole-", "place")):
        if any(one.startswith(prefix) for one in begun) and was.finds_itself(name) != now.finds_itself(name):
            return False
    begun_with = [name for name in was.networks if f"{name}-1" in begun]
    return all(was.lesson(name) == now.lesson(name) for name in begun_with)


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
        scenes=fewer(recipe.scenes), dice=fewer(recipe.dice), score=fewer(recipe.score), held=fewer(recipe.held),
        calibrate={name: fewer(part) for name, part in recipe.calibrate.items()},
    )  # fmt: skip
