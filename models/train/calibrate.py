"""Choose temperatures and the limits of doubt: ``python -m models.train.calibrate FOLDER...``.

The folders hold scenes that no network was trained on. Temperatures and the weight of the locator's opinion of the
type minimise the negative log-likelihood of the truth on the dice found. The limits follow from rules: the threshold is
the least confidence at which at most MOST_SILENT of the rolls would be misread without a question, and never below LEAST
(leaning and missed dice are left out); a find is reported unless it is less surely a die than all but MOST_LOST of the
dice; a die may lean when it seems to more than all but FLAT_ASKED of the dice that lie flat and are read rightly, and
leans when more than all but FLAT_COCKED. (Flat ones that are misread, such as by a face at their side, are worth a
question.)
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.train.labels import SET_OF, SETS, TYPES
from tableside.vision.classify import Classifier, View
from tableside.vision.network import Network
from tableside.vision.photo import load_photo
from tableside.vision.place import MeasuringLocator
from tableside.vision.reader import Reader, Verdict
from tableside.vision.scoring import Labelled, Score, find_labels, read_label

# the goal is 0.003 among photographs, of which about three times as many are answered as of these scenes; between this
# and 0.003 one in nine of the rolls more that would be answered is misread
MOST_SILENT = 0.002
LEAST = 0.92  # the scenes hold too few wrong dice to trust a lower one
FLAT_ASKED, FLAT_COCKED = 0.004, 0.0005
MOST_LOST = 0.0025
# at a table about one die in fifty is of no installed set; of the classifier's training dice nearly every second one is
STRANGERS = 0.023
LIMITS = {
    "die": 0.12,  # a find that is less surely a die of a known set than this is nothing; measured
    "apart": 0.2,  # the same of a find whose set none of the certain dice in the picture is of
    "faint": 0.35,  # a find that is less surely a die, and is not read surely, is a question about a die, no reading
    "firm": 0.2,  # the same where the face leaves no doubt: of such finds six in seven are read rightly
    "suspect": 0.45,  # what is more surely a die of some kind than this, and of no known set, could not be read
    "clear": 0.35,  # the locator's score that a sure die needs
    "mass": 0.2,  # the least share of the likeliest faces of the installed sets
}
NONE = len(TYPES)


@dataclass(slots=True)
class Looks:
    """What the networks said of every find, (n, ...) log-probabilities, and the truth."""

    far: np.ndarray
    near: np.ndarray
    faces: np.ndarray
    types: np.ndarray
    truths: np.ndarray


def gather(scenes: list[Path], folder: Path) -> Looks:
    """Look at every find in the scenes until its place is found, as the reader does, with all temperatures 1."""
    locator = MeasuringLocator(folder)
    classifier = Classifier(Network(folder, "classifier"), folder)
    faces = {face: i for i, face in enumerate(classifier.faces)}
    far, near, face, types, truths = [], [], [], [], []
    for scene in scenes:
        label = read_label(scene)
        picture = load_photo(label.picture)
        found = locator.find(picture)
        looks = classifier.look(picture, [View(f.top, f.top_radius) for f in found])
        for _ in range(2):
            looks = classifier.look(picture, [classifier.corrected(look) for look in looks])
        for f, look in zip(found, looks, strict=True):
            hit = [d for d in label.dice if d.contains(f.middle)]
            known = bool(hit) and hit[0].die.type in SET_OF
            far.append(f.types)
            near.append(np.log(look.types + 1e-9))
            face.append(np.log(look.faces + 1e-9))
            types.append(NONE if not hit else TYPES.index(hit[0].die.type) if known else NONE - 1)
            readable = known and hit[0].whole and not hit[0].cocked
            truths.append(faces[SET_OF[hit[0].die.type], hit[0].die.face] if readable else -1)
    return Looks(np.array(far), np.array(near), np.array(face), np.array(types), np.array(truths))


def temperatures(looks: Looks) -> dict[str, float]:
    """Return the type's and the face's temperature, and the weight of the locator's type.

    Dice of no set are left out: there are far more of them in the scenes than at a table.
    """
    readable = looks.truths >= 0
    rare = np.zeros(NONE + 1)
    rare[NONE - 1] = np.log(STRANGERS)
    usual = looks.types != NONE - 1
    heat = float(min(_GRID, key=lambda heat: _loss((looks.near / heat + rare)[usual], looks.types[usual])))
    heat = round(heat, 3)
    die = looks.types < NONE - 1
    near = (looks.near / heat + rare)[die][:, :NONE]
    losses = {w: _loss(near + w * looks.far[die], looks.types[die]) for w in np.linspace(0, 1.2, 25)}
    return {
        "type_temperature": heat,
        "face_temperature": _best(looks.faces[readable], looks.truths[readable], _GRID),
        "far_weight": round(float(min(losses, key=lambda w: losses[w])), 3),
    }


_GRID = np.exp(np.linspace(np.log(0.3), np.log(3.0), 47))


def _best(logits: np.ndarray, truth: np.ndarray, grid: np.ndarray) -> float:
    return round(float(min(grid, key=lambda heat: _loss(logits / heat, truth))), 3)


def _loss(logits: np.ndarray, truth: np.ndarray) -> float:
    shifted = logits - logits.max(1, keepdims=True)
    return float(-(shifted[np.arange(len(truth)), truth] - np.log(np.exp(shifted).sum(1))).mean())


def judged(reader: Reader, scenes: list[Path]) -> Iterator[tuple[Verdict, Labelled]]:
    """Yield what the reader makes of every find that is a whole die, with its truth."""
    for scene in scenes:
        label = read_label(scene)
        picture = load_photo(label.picture)
        for verdict in reader.judge(picture, reader.locate(picture)):
            hit = [d for d in label.dice if d.contains(verdict.found.middle)]
            if hit and hit[0].whole:
                yield verdict, hit[0]


def die_limit(reader: Reader, scenes: list[Path]) -> float:
    """Return how surely a find must be a die of a known set to be reported: no more than MOST_LOST of the dice lose."""
    worths = [v.die_like * v.mass for v, truth in judged(reader, scenes) if truth.die.type in SET_OF]
    return round(float(np.clip(np.quantile(worths, MOST_LOST), 0.05, 0.4)), 3)


def lean_limits(reader: Reader, scenes: list[Path]) -> tuple[dict[str, float], float]:
    """Return the limits of leaning, and the share of the dice that lean which the lower one catches."""
    flat, cocked = [], []
    for verdict, truth in judged(reader, scenes):
        if verdict.die_like >= LIMITS["clear"]:
            if truth.cocked:
                cocked.append(verdict.leaning)
            elif verdict.ranked and verdict.ranked[0][:2] == (truth.die.type, truth.die.face):
                flat.append(verdict.leaning)
    perhaps, surely = np.quantile(flat, [1 - FLAT_ASKED, 1 - FLAT_COCKED])
    caught = float(np.mean(np.array(cocked) > perhaps)) if cocked else 0.0
    return {"leaning": round(float(surely), 3), "perhaps_leaning": round(float(perhaps), 3)}, caught


def threshold_of(rolls: list[tuple[float, bool]], total: int) -> tuple[float, float]:
    """Return the least threshold that keeps the rule, and the share of rolls that it answers without a question.

    :param rolls: least confidence and rightness of each roll that nothing but a threshold would doubt.
    """
    threshold, silent = 1.0, 0
    for least, right in sorted(rolls, reverse=True):
        silent += not right
        if silent > MOST_SILENT * total:
            break
        threshold = least
    threshold = max(threshold, LEAST)
    return round(threshold, 4), sum(least >= threshold for least, _ in rolls) / total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--folder", type=Path, default=Path("models"))
    options = parser.parse_args()
    cv2.setNumThreads(2)
    labels = [path for folder in options.scenes for path in find_labels(folder)]
    path = options.folder / "classifier.json"
    card: dict[str, Any] = json.loads(path.read_text())
    card |= {
        "limits": LIMITS | {"leaning": 9.0, "perhaps_leaning": 9.0},
        "threshold": 0.0,
        "type_temperature": 1.0,
        "face_temperature": 1.0,
        "far_weight": 0.0,
        "strangers": STRANGERS,
    }
    path.write_text(json.dumps(card, indent=2) + "\n")
    card |= temperatures(gather(labels, options.folder))
    path.write_text(json.dumps(card, indent=2) + "\n")
    card["limits"]["die"] = die_limit(Reader(SETS, models_folder=options.folder), labels)
    path.write_text(json.dumps(card, indent=2) + "\n")
    lean, caught = lean_limits(Reader(SETS, models_folder=options.folder), labels)
    card["limits"] |= lean
    path.write_text(json.dumps(card, indent=2) + "\n")
    reader = Reader(SETS, models_folder=options.folder)
    score = Score()
    rolls = []
    for label_path in labels:
        label = read_label(label_path)
        before, missed = score.rolls_right, score.dice_missed
        reading = reader.read(load_photo(label.picture))
        score.add(label, reading)
        # no threshold tells that a die leans or was not found
        if reading.sure and score.dice_missed == missed and not any(die.cocked for die in label.dice):
            rolls.append((min((die.confidence for die in reading.dice), default=1.0), score.rolls_right > before))
    card["threshold"], answered = threshold_of(rolls, len(labels))
    shown = score.to_json()
    shown.pop("wrong_pictures")
    card["calibrated_on"] = {
        "rule": f"at most {MOST_SILENT:.1%} of rolls silently misread, dice that lean or were missed left out, at most {FLAT_ASKED:.1%} of flat dice that are read rightly asked about",
        "rolls_answered": round(answered, 3),
        "leaning_dice_caught": round(caught, 3),
        **{
            key: shown[key]
            for key in ("rolls", "dice", "rolls_right", "dice_right", "types_right", "dice_missed", "dice_invented")
        },
        "calibration_error": shown["calibration_error"],
    }
    card.pop("held_out", None)
    path.write_text(json.dumps(card, indent=2) + "\n")
    print(json.dumps({k: card[k] for k in ("type_temperature", "face_temperature", "far_weight", "threshold")} | shown))


if __name__ == "__main__":
    main()
