"""Choose temperatures and the limits of doubt: ``python -m models.calibrate FOLDER...``.

The folders hold scenes that no network was trained on. Temperatures and the weight of the locator's opinion of the
type minimise the negative log-likelihood of the truth on the dice found. The limits follow from rules. An answer takes
the least confidence at which at most MOST_SILENT of the rolls would be misread without a question, and never less than
LEAST (leaning and missed dice are left out, and a die of no set counts for as much as it would at a table). A find is
reported where it is a die more surely than all but MOST_UNSAID of the dice. A die may lean when it seems to more than all
but FLAT_ASKED of the dice that lie flat and are read rightly, and leans when more than all but FLAT_COCKED. (Flat ones of
which a side was read, or taken for the upper face first, are worth a question.) How surely a find is a die of any kind
is fitted by logistic regression.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.labelled import Labelled, die_at, find_labels, read_label
from models.score import Score
from models.temperatures import SET_OF, SETS, STRANGERS, gather, temperatures
from models.weights import signed
from tableside.reader.candidate import Candidate
from tableside.reader.photo import load_photo
from tableside.reader.presence import Cues, Presence, cues_of
from tableside.reader.reader import Reader

MOST_SILENT = 0.0015  # half of what is allowed: photographs mislead more often than made scenes, by glare
LEAST = 0.85  # the scenes hold too few wrong dice to trust a lower one
FLAT_ASKED, FLAT_COCKED = 0.005, 0.0005  # seen by a far lens 3 in 1000, by a near one or from a seat 12 to 40
MOST_UNSAID = 0.0003  # of ten dice a roll, in 3 rolls of 1000
AT_TABLES = 0.02  # share of the dice at a table that are of no installed set
# made scenes hold pip dice of many colours, and none that is meant for a Wild Die
READ = [replace(s, types=tuple(t for t in s.types if not t.variant_of)) for s in SETS]
WORKERS = 2
# which way each sign counts
_PRESENCE = {"nothing": -1, "unlike": -1}
UNTOLD = {"report": 0.0, "answer": 0.0, "leaning": 9.0, "perhaps_leaning": 9.0}
"""Limits before any die told of them."""
CARD = "classifier.json"

Assessed = tuple[Candidate, Labelled | None, Cues]
"""What the reader makes of a find, the die that it lies on, and what tells whether it is a die."""


def _prepare(folder: Path) -> None:
    """Make a process ready to assess scenes."""
    global _READER
    cv2.setNumThreads(1)
    _READER = Reader(READ, models_folder=folder)


def _assess(scene: Path) -> list[Assessed]:
    """Return what the reader makes of every find in the scene."""
    label = read_label(scene)
    picture = load_photo(label.picture)
    candidates = _READER.assess(picture, _READER.locate(picture))
    cues = cues_of(candidates)
    return [(v, die_at(v.view.centre, label.dice, picture), c) for v, c in zip(candidates, cues, strict=True)]


_READER: Reader


def assessed(card: dict[str, Any], folder: Path, scenes: list[Path]) -> list[list[Assessed]]:
    """Return of each scene what a reader that goes by the card as it stands now makes of every find in it.

    WORKERS processes share the work.
    """
    _write(card, folder)
    # a process that is forked from one whose networks have run hangs in its own
    with get_context("spawn").Pool(WORKERS, initializer=_prepare, initargs=(folder,)) as pool:
        return pool.map(_assess, scenes, chunksize=16)


def presence(finds: list[Assessed]) -> tuple[dict[str, float], float]:
    """Return the weights of :class:`Presence`, and how surely a find must be a die to be reported."""
    dice = _on_each_die(finds)
    no_dice = [cues for _, truth, cues in finds if truth is None]
    surest = [min((cues for _, _, cues in on_it), key=lambda cues: cues.nothing) for on_it in dice]
    said = [cues.values for cues in (*no_dice, *surest)]
    weights = signed(said, [False] * len(no_dice) + [True] * len(surest), _PRESENCE)
    present = Presence(**weights)
    whole = [on_it for on_it in dice if (truth := on_it[0][1]) and truth.whole]
    told = [max(present(cues) for _, _, cues in on_it) for on_it in whole]
    return weights, _limit(told, MOST_UNSAID, UNTOLD["report"])


def _limit(values: Sequence[float], share: float, untold: float) -> float:
    """Return what so large a share of the values is below; of none what was said before anything was known."""
    return round(float(np.quantile(values, share)), 3) if values else untold


def _on_each_die(finds: list[Assessed]) -> list[list[Assessed]]:
    """Return the finds on each die: besides the die its marks may have been found, too."""
    by_die: dict[Labelled, list[Assessed]] = {}
    for find in finds:
        if find[1] is not None:
            by_die.setdefault(find[1], []).append(find)
    return list(by_die.values())


def lean_limits(finds: list[Assessed]) -> dict[str, float]:
    """Return the limits of leaning."""
    flat = [
        candidate.leaning
        for candidate, truth, _ in finds
        if truth and _may_lean(candidate, truth) and not truth.cocked and not candidate.side_first
        and candidate.ranked and candidate.ranked[0][:2] == (truth.die.type, truth.die.face)
    ]  # fmt: skip
    shares = {"leaning": 1 - FLAT_COCKED, "perhaps_leaning": 1 - FLAT_ASKED}
    return {name: _limit(flat, share, UNTOLD[name]) for name, share in shares.items()}


def noticed(finds: list[Assessed], limit: float) -> float:
    """Return which share of the dice that lean seems to lean by more than the limit."""
    leans = [
        v.side_first or v.leaning > limit for v, truth, _ in finds if truth and _may_lean(v, truth) and truth.cocked
    ]
    return float(np.mean(leans)) if leans else 0.0


def _may_lean(candidate: Candidate, truth: Labelled) -> bool:
    return truth.whole and candidate.is_likely


def threshold_of(rolls: list[tuple[float, float]], total: int) -> tuple[float, float]:
    """Return the least threshold that keeps the rule, and the share of rolls that it answers without a question.

    :param rolls: of each roll that nothing but a threshold would doubt the least confidence, and how much it counts
        as misread: 0 where it is read rightly.
    """
    threshold, silent = 1.0, 0.0
    for least, wrong in sorted(rolls, key=lambda roll: -roll[0]):
        silent += wrong
        if silent > MOST_SILENT * total:
            break
        threshold = least
    threshold = max(threshold, LEAST)
    return round(threshold, 4), sum(least >= threshold for least, _ in rolls) / total


def concluded(
    reader: Reader, scenes: list[Path], rolls: list[list[Assessed]], present: Presence
) -> tuple[Score, list[tuple[float, float]]]:
    """Return the score of what the reader concludes from what was found in each scene, and what decides the threshold.

    :param present: how surely a find is a die, which was not known then.
    """
    labels = [read_label(scene) for scene in scenes]
    rare = AT_TABLES / float(np.mean([die.die.type not in SET_OF for label in labels for die in label.dice]))
    score, decisive = Score(), []
    for label, finds in zip(labels, rolls, strict=True):
        before, missed = score.rolls_right, score.dice_missed
        reading = reader.conclude(load_photo(label.picture), [replace(v, presence=present(c)) for v, _, c in finds])
        score.add(label, reading)
        # no threshold tells that a die leans or was not found
        if reading.sure and score.dice_missed == missed and not any(die.cocked for die in label.dice):
            has_stranger = any(die.die.type not in SET_OF for die in label.dice)
            wrong = 0.0 if score.rolls_right > before else rare if has_stranger else 1.0
            decisive.append((min((die.confidence for die in reading.dice), default=1.0), wrong))
    return score, decisive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path, nargs="+")
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="scenes for all but temperatures")
    parser.add_argument(
        "--leaning", type=Path, nargs="*", default=[],
        help="such scenes whose dice lean on something, as real ones do: what share of them is noticed",
    )  # fmt: skip
    parser.add_argument("--folder", type=Path, default=Path("models"))
    options = parser.parse_args()
    labels, more, leaning = (
        [path for some in part for path in find_labels(some)]
        for part in (options.scenes, options.more, options.leaning)
    )
    card, score = calibrate(options.folder, labels, more, leaning)
    shown = ("type_temperature", "face_temperature", "far_weight", "whole_weight", "limits")
    print(json.dumps({name: card[name] for name in shown} | score))


def calibrate(
    networks: Path, labels: list[Path], more: list[Path], leaning: Sequence[Path]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Calibrate a folder's networks as :func:`calibrated` does, and write the card when all is done."""
    cv2.setNumThreads(2)
    with tempfile.TemporaryDirectory() as name:  # cards with no limits are nobody else's to read
        folder = Path(name)
        for path in (*networks.glob("*.onnx"), *networks.glob("*.json"), *networks.glob("*.npz")):
            shutil.copy(path, folder)
        card, score = calibrated(labels, more, folder, leaning)
    _write(card, networks)
    return card, score


def _write(card: dict[str, Any], folder: Path) -> None:
    (folder / CARD).write_text(json.dumps(card, indent=2) + "\n")


def _reader(card: dict[str, Any], folder: Path) -> Reader:
    """Return a reader that goes by the card as it stands now."""
    _write(card, folder)
    return Reader(READ, models_folder=folder)


def calibrated(
    labels: list[Path], more: list[Path], folder: Path, leaning: Sequence[Path] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the classifier's card with temperatures and limits, and the score that its threshold was chosen on.

    :param more: scenes that the threshold, which few misread rolls decide, is chosen on besides, and how far to believe
        what was seen.
    :param folder: of the networks; the card in it is written again and again.
    :param leaning: likewise scenes, whose dice lean on something; it is counted there how many of those are noticed.
    """
    card: dict[str, Any] = json.loads((folder / CARD).read_text())
    card |= {
        "limits": dict(UNTOLD),
        "presence": {"bias": 0.0, "nothing": -1.0},
        "type_temperature": 1.0,
        "face_temperature": 1.0,
        "far_weight": 0.0,
        "whole_weight": 0.0,
        "nothing": {"bias": 0.0, "near": 1.0, "whole": 0.0, "score": 0.0},
        "strangers": STRANGERS,
    }
    _write(card, folder)
    card |= temperatures(gather(labels, folder))
    scenes = [*leaning, *labels, *more]
    finds = list(chain.from_iterable(assessed(card, folder, labels)))
    limits = card["limits"]
    limits |= lean_limits(finds)  # for the others
    rolls = assessed(card, folder, scenes)
    finds = list(chain.from_iterable(rolls))
    limits |= lean_limits(finds)  # few dice decide them, so all scenes count
    caught = noticed(list(chain.from_iterable(rolls[: len(leaning)])), limits["perhaps_leaning"])
    card["presence"], limits["report"] = presence(finds)
    score, least = concluded(_reader(card, folder), scenes, rolls, Presence(**card["presence"]))
    limits["answer"], answered = threshold_of(least, len(scenes))
    shown = score.to_json()
    shown.pop("wrong_pictures")
    card["calibrated_on"] = {
        "rule": f"at most {MOST_SILENT:.2%} of rolls silently misread, dice that lean or were missed left out, dice of no set counted as rare as at a table, at most {FLAT_ASKED:.1%} of flat dice that are read rightly asked about",
        "rolls_answered": round(answered, 3),
        **({"leaning_dice_noticed": round(caught, 3)} if leaning else {}),
        **{
            key: shown[key]
            for key in ("rolls", "dice", "rolls_right", "dice_right", "types_right", "dice_missed", "dice_invented")
        },
        "calibration_error": shown["calibration_error"],
    }
    card.pop("held_out", None)
    return card, shown


if __name__ == "__main__":
    main()
