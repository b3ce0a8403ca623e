"""One run of the recipe: it draws, trains, calibrates, scores, and keeps all that it makes on the way in its folder."""

from __future__ import annotations

import json
import os
import sys
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
from models.train.calibrate import CARD, READ, calibrate
from models.train.export import export
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
        self._draw()
        self._train("locator")
        self._cut()
        self._train("place")
        self._train("classifier")
        self._calibrate()
        self._score()

    def _draw(self) -> None:
        scenes = self.recipe.all_scenes
        with tqdm(desc="scenes", total=sum(one.count for one in scenes.values()), unit="scene", mininterval=5) as bar:
            for name, one in scenes.items():
                for _ in draw_scenes(self.folder / name, one.first, one.count, self.workers, one.options):
                    bar.update()
        for name, dice in tqdm(self.recipe.dice.items(), "single dice", unit="set"):
            if not (out := self._dice(name)).exists():
                draw_dice(out, workers=self.workers, **msgspec.structs.asdict(dice))

    def _cut(self) -> None:
        with crops.cutters(self.networks, self.workers) as pool:
            for name in tqdm(self.recipe.scenes, "crops", unit="set"):
                for prefix, of, names in (
                    ("faces", crops.crops_of, crops.NAMES), ("whole", silhouettes.cuts_of, silhouettes.LABELS)
                ):  # fmt: skip
                    if not (out := self.folder / f"{prefix}-{name}.npz").exists():
                        crops.cut_all(self.folder / name, out, of, names, pool)

    def _dice(self, name: str) -> Path:
        return self.folder / f"dice-{name}.npz"

    def _views(self, name: str, schedule: Schedule) -> Dataset:
        seed, count = self.recipe.seed, views_of(schedule)
        if name == "locator":
            return locator.Patches([self.folder / one for one in self.recipe.scenes], count, seed, wear=schedule.wear)
        if name == "place":
            return place.Views(self._crops("whole"), count, seed, wear=schedule.wear)
        return classifier.Crops(
            self._crops("faces"), self._invented, steps=count // CHUNK, batch=CHUNK, pairs=schedule.paired // 2,
            seed=seed, wear=schedule.wear,
        )  # fmt: skip

    @property
    def _invented(self) -> Path:
        return next(self._dice(name) for name, one in self.recipe.dice.items() if one.invented)

    def _crops(self, prefix: str) -> list[Path]:
        found = [self.folder / f"{prefix}-{name}.npz" for name in self.recipe.scenes]
        if prefix == "faces":
            found += [self._dice(name) for name, one in self.recipe.dice.items() if not one.invented]
        return found

    def _train(self, name: str) -> None:
        if (self.networks / f"{name}.json").exists():
            return
        schedule, weights = self.recipe.networks[name], self.folder / f"{name}.pt"
        views = self._views(name, schedule)
        draw_sheet(views, self.folder / f"{name}.jpg")
        trained, curves = learn(
            name, self.tasks[name], views, schedule, seed=self.recipe.seed, workers=self.workers, out=weights
        )
        draw_curves(curves, self.folder / f"{name}.png")
        (self.folder / f"{name}-curves.json").write_text(json.dumps(curves) + "\n")
        data = [*self.recipe.scenes, *(self.recipe.dice if name == "classifier" else ())]
        seen = {"locator": [], "place": self._crops("whole"), "classifier": self._crops("faces")}[name]
        export(name, weights, self.networks, seen, {"recipe": self.recipe.version, "data": data} | trained)

    def _calibrate(self) -> None:
        if "calibrated_on" in json.loads((self.networks / CARD).read_text()):
            return
        print("calibrating", file=sys.stderr, flush=True)
        labels, more, leaning = (
            [label for name in self.recipe.calibrate[part] for label in find_labels(self.folder / name)]
            for part in ("temperatures", "limits", "leaning")
        )
        calibrate(self.networks, labels, more, leaning)

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
