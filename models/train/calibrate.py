"""Choose temperatures and the threshold of doubt on held-out renders: ``python -m models.train.calibrate FOLDER``.

Temperatures minimise the negative log-likelihood on crops. The threshold is the least confidence above which at most
MOST_WRONG of the dice are read wrongly, unknown dice and things that are no dice included; never below LEAST.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.train.classifier import random_view
from models.train.crops import NONE
from tableside.dice import find_sets
from tableside.vision.network import Network
from tableside.vision.photo import load_photo
from tableside.vision.reader import Reader
from tableside.vision.scoring import Score, find_labels, read_label

MOST_WRONG = 0.01
LEAST = 0.90
LIMITS = {
    "ignore": 0.18,  # what is less die-like than this is nothing
    "suspect": 0.30,  # less than this: something die-like that could not be read
    "clear": 0.35,  # the locator's score that a sure die needs
    "mass": 0.15,  # less than this on all faces of the installed sets: a die of another set
    "leaning": 0.32,  # about the sine of the tilt; the flat dice's 99th percentile is near 0.3
    "perhaps_leaning": 0.22,
}


def temperatures(folder: Path, crops: Path, seed: int = 5) -> dict[str, float]:
    """Return the type's and the face's temperature."""
    network = Network(folder, "classifier")
    with np.load(folder / "prototypes.npz") as stored:
        vectors = stored["vectors"].astype(np.float32)
    vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True) * float(network.card["sharpness"])
    labels, pictures = np.load(crops), np.load(crops.with_suffix(".npy"), mmap_mode="r")
    rng = np.random.default_rng(seed)
    sides, faces = [], []
    for i in range(0, len(pictures), 100):
        part = range(i, min(i + 100, len(pictures)))
        blob = np.stack([random_view(np.asarray(pictures[k]), float(labels["radius"][k]), rng)[0] for k in part])
        embedding, side = network.run(blob)
        faces.append(embedding / np.linalg.norm(embedding, axis=1, keepdims=True) @ vectors.T)
        sides.append(side[:, : NONE + 1])
    face, kind = np.concatenate(faces), np.concatenate(sides)
    flat = (labels["types"] < NONE - 1) & ~labels["cocked"]
    return {
        "face_temperature": _best(face[flat], labels["faces"][flat]),
        "type_temperature": _best(kind, labels["types"]),
    }


def _best(logits: np.ndarray, truth: np.ndarray) -> float:
    def loss(heat: float) -> float:
        scaled = logits / heat
        scaled = scaled - scaled.max(1, keepdims=True)
        return float(-(scaled[np.arange(len(truth)), truth] - np.log(np.exp(scaled).sum(1))).mean())

    grid = np.exp(np.linspace(np.log(0.3), np.log(3.0), 47))
    return round(float(min(grid, key=loss)), 3)


def threshold_of(pairs: list[tuple[float, bool]]) -> float:
    """Return the least threshold that keeps the rule."""
    ordered = sorted(pairs, reverse=True)
    wrong, best = 0, 1.0
    for count, (confidence, right) in enumerate(ordered, start=1):
        wrong += not right
        if wrong <= MOST_WRONG * count:
            best = confidence
    return round(max(best, LEAST), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("models"))
    options = parser.parse_args()
    path = options.folder / "classifier.json"
    card: dict[str, Any] = json.loads(path.read_text())
    card |= {"limits": LIMITS, "threshold": 0.0}
    card |= temperatures(options.folder, options.scenes.with_suffix(".npz"))
    path.write_text(json.dumps(card, indent=2) + "\n")
    reader = Reader(find_sets(["narrative", "pips"]), models_folder=options.folder)
    score = Score()
    cv2.setNumThreads(2)
    for label_path in find_labels(options.scenes):
        label = read_label(label_path)
        score.add(label, reader.read(load_photo(label.picture)))
    card["threshold"] = threshold_of(score.calibration)
    shown = score.to_json()
    shown.pop("wrong_pictures")
    card["held_out"] = {
        key: shown[key] for key in ("dice", "dice_right", "types_right", "dice_missed", "dice_invented")
    }
    card["held_out"]["calibration_error"] = shown["calibration_error"]
    path.write_text(json.dumps(card, indent=2) + "\n")
    print(json.dumps({"threshold": card["threshold"], **shown}, indent=1))


if __name__ == "__main__":
    main()
