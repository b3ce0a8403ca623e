"""One run of the recipe: it draws, trains, calibrates, scores, and keeps all that it makes on the way in its folder."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it a card sums in another order each time
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that wait leave the cores to those that draw

import cv2
import msgspec
import torch
from torch.utils.data import Dataset
from tqdm import tqdm

from models.labelled import find_labels
from models.render.__main__ import draw as draw_scenes
from models.render.numbers import typefaces
from models.render.single import draw as draw_dice
from models.score import in_words, score_folder
from models.train import classifier, crops, locator, place, silhouettes
from models.train.calibrate import READ, calibrate
from models.train.export import export
from models.train.gate import share_right
from models.train.labels import SETS
from models.train.loop import learn, views_of
from models.train.pictures import draw_curves, draw_sheet
from models.train.pool import CHUNK
from models.train.recipe import Recipe, Schedule
from models.train.report import write as write_scores
from tableside.errors import PhotoError
from tableside.reader.reader import Reader

PHOTOGRAPHS = {
    "photos/pips": "pips",
    "photos/phone": "pips",
    "photos/webcam": "pips",
    "photos/oblique": "pips",
    "photos/tower": "percentile",
    "rolls": "narrative",
}
"""Folders of labelled photographs beside the checkout, with the dice set of each; see ``docs/accuracy.md``."""
SHIPPED = Path(__file__).resolve().parents[1]
"""Folder of the networks that ship."""
_FILES = {name: (f"{name}.onnx", f"{name}.json") for name in ("locator", "place", "classifier")}
_FILES["classifier"] = ("prototypes.npz", *_FILES["classifier"])  # the card last: what has one is whole


class Run:
    """One run of the recipe in a folder.

    :param workers: processes that draw.
    """

    def __init__(self, recipe: Recipe, folder: Path, workers: int) -> None:
        self.recipe, self.folder, self.workers = recipe, folder, workers
        self.networks = folder / "networks"
        self.tasks = {"locator": locator.TASK, "place": place.TASK, "classifier": classifier.TASK}

    def make(self) -> None:
        """Go the whole way; what is there already is kept.

        :raises SettingsError: when a typeface is missing.
        """
        typefaces()  # before anything is drawn
        cv2.setNumThreads(1)  # a process that is forked from one with more hangs in them
        torch.use_deterministic_algorithms(True, warn_only=True)
        self.networks.mkdir(parents=True, exist_ok=True)
        for name in self.recipe.networks:
            if not (self.networks / f"{name}.json").exists():
                self._make(name)
        for name in _FILES.keys() - self.recipe.networks.keys():
            self._take(name, SHIPPED)
        self._draw(self.recipe.all_scenes)
        self._calibrate()
        self._score()

    def _make(self, name: str) -> None:
        """Draw and cut what one network learns from, and train it, wider and wider until it passes its gate."""
        schedule, scenes = self.recipe.networks[name], self.recipe.scenes_of(name)
        held = self.recipe.held if schedule.behind is not None else {}
        if name == "classifier":
            self._draw_dice()  # a crop of these costs a seventh of one from a scene
        self._draw([*scenes, *held])
        if name != "locator":
            self._cut({"place": "whole", "classifier": "faces"}[name], [*scenes, *held])
        for number, widths in enumerate(schedule.widths or [()], start=1):
            tried = self.folder / f"{name}-{number}"
            if not (tried / f"{name}.json").exists():
                self._train(name, widths, tried)
            if schedule.behind is None or self._passes(name, schedule.behind, tried):
                break
        self._take(name, tried)

    def _take(self, name: str, folder: Path) -> None:
        for file in _FILES[name]:
            if not (self.networks / file).exists():
                shutil.copy(folder / file, self.networks / file)

    def _passes(self, name: str, behind: float, tried: Path) -> bool:
        """Return whether a network is no farther behind the shipped one than it may be, and note both in its card."""
        path = tried / f"{name}.json"
        card = json.loads(path.read_text())
        if "gate" not in card:
            crops = [self.folder / f"faces-{one}.npz" for one in self.recipe.held]
            own, shipped = (round(share_right(one, crops), 4) for one in (tried, SHIPPED))
            card["gate"] = {"right": own, "shipped": shipped, "behind": behind, "passed": own >= shipped - behind}
            path.write_text(json.dumps(card, indent=2) + "\n")
            print(f"{tried.name}: {own:.3f} of held-out views right, the shipped one {shipped:.3f}", flush=True)
        return bool(card["gate"]["passed"])

    def _draw(self, names: Iterable[str]) -> None:
        scenes = {name: self.recipe.all_scenes[name] for name in names}
        with tqdm(desc="scenes", total=sum(one.count for one in scenes.values()), unit="scene", mininterval=5) as bar:
            for name, one in scenes.items():
                for _ in draw_scenes(self.folder / name, one.first, one.count, self.workers, one.options):
                    bar.update()

    def _draw_dice(self) -> None:
        for name, dice in tqdm(self.recipe.dice.items(), "single dice", unit="set"):
            if not (out := self._dice(name)).exists():
                draw_dice(out, workers=self.workers, **msgspec.structs.asdict(dice))

    def _cut(self, prefix: str, scenes: Iterable[str]) -> None:
        """Cut upper faces or whole dice out. What the new locator, else the shipped one, takes for dice is told of, too."""
        of, names = {
            "faces": (crops.crops_of, crops.NAMES), "whole": (silhouettes.cuts_of, silhouettes.LABELS)
        }[prefix]  # fmt: skip
        finder = self.networks if (self.networks / "locator.json").exists() else SHIPPED
        with crops.cutters(finder, self.workers) as pool:
            for name in tqdm(scenes, "crops", unit="set"):
                if not (out := self.folder / f"{prefix}-{name}.npz").exists():
                    crops.cut_all(self.folder / name, out, of, names, pool)

    def _dice(self, name: str) -> Path:
        return self.folder / f"dice-{name}.npz"

    def _views(self, name: str, schedule: Schedule) -> Dataset:
        seed, count = self.recipe.seed, views_of(schedule)
        if name == "locator":
            return locator.Patches(self._lessons(name), count, seed, wear=schedule.wear)
        if name == "place":
            return place.Views(self._lessons(name), count, seed, wear=schedule.wear)
        return classifier.Crops(
            self._lessons(name), self._invented, steps=count // CHUNK, batch=CHUNK, pairs=schedule.paired // 2,
            seed=seed, wear=schedule.wear, teacher=classifier.Teacher(SHIPPED) if schedule.taught else None,
        )  # fmt: skip

    @property
    def _invented(self) -> Path:
        return next(self._dice(name) for name, one in self.recipe.dice.items() if one.invented)

    def _lessons(self, name: str) -> list[Path]:
        if name == "locator":
            return [self.folder / one for one in self.recipe.scenes_of(name)]
        prefix = {"place": "whole", "classifier": "faces"}[name]
        found = [self.folder / f"{prefix}-{one}.npz" for one in self.recipe.scenes_of(name)]
        if name == "classifier":
            found += [self._dice(name) for name, one in self.recipe.dice.items() if not one.invented]
        return found

    def _train(self, name: str, widths: tuple[int, ...], out: Path) -> None:
        """Train one network in a folder of its own. :param widths: of its layers, the usual where there are none."""
        schedule, weights, task = self.recipe.networks[name], out / f"{name}.pt", self.tasks[name]
        out.mkdir(exist_ok=True)
        make = partial(task.make, tuple(widths)) if widths else task.make
        if schedule.taught:
            make = partial(make, prototypes=classifier.Teacher(SHIPPED).prototypes())
        views = self._views(name, schedule)
        draw_sheet(views, out / f"{name}.jpg")
        trained, curves = learn(
            out.name,
            replace(task, make=make),
            views,
            schedule,
            seed=self.recipe.seed,
            workers=self.workers,
            out=weights,
        )
        draw_curves(curves, out / f"{name}.png")
        (out / "curves.json").write_text(json.dumps(curves) + "\n")
        data = [*self.recipe.scenes_of(name), *(self.recipe.dice if name == "classifier" else ())]
        said = {"recipe": self.recipe.version, "data": data, "widths": widths, "taught": schedule.taught}
        export(name, make(), weights, out, self._lessons(name), said | trained)

    def _calibrate(self) -> None:
        if (done := self.folder / "calibrated").exists():  # a card that ships says so, too, but of other networks
            return
        print("calibrating", file=sys.stderr, flush=True)
        labels, more, leaning = (
            [label for name in self.recipe.calibrate[part] for label in find_labels(self.folder / name)]
            for part in ("temperatures", "limits", "leaning")
        )
        calibrate(self.networks, labels, more, leaning)
        done.touch()

    def _score(self) -> None:
        if (self.folder / "scores.json").exists():
            return
        shared = Path(__file__).resolve().parents[2].parent / "shared"
        folders = {shared / name: one for name, one in PHOTOGRAPHS.items() if (shared / name).is_dir()}
        sets = {one.name: one.without_variants() for one in SETS}
        measured = []
        for folder in [*(self.folder / name for name in self.recipe.score), *folders]:
            known = [sets[folders[folder]]] if folder in folders else READ
            record, _ = score_folder(
                Reader(known, models_folder=self.networks), find_labels(folder)[: self.recipe.photographs], _complain
            )
            measured.append({"folder": str(folder)} | record)
            print(in_words(measured[-1]), flush=True)
        write_scores(self.networks, measured)
        (self.folder / "scores.json").write_text(json.dumps(measured, indent=2) + "\n")


def _complain(error: PhotoError) -> None:
    print(error, file=sys.stderr, flush=True)
