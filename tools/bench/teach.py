"""``python -m tools.bench teach``: dice taught from a few photographs and read from others."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from tableside import paths
from tableside.app.readers import Reads, installed_sets, open_reader
from tableside.app.teach import Untaught, teach_folder
from tableside.dice import Face, Point, Status, face_of, find_sets
from tableside.dice.taught import Sample, Source, load_taught, save_taught
from tableside.reader.photo import Picture, jpeg_of, load_photo
from tableside.teaching.samples import Finder

_ALIAS = "my-"
_SETS = 6
_AGAIN = 5
_PHOTOGRAPHS = (1, 5)  # of each face


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of dice whose face was shown, and of dice whose face never was."""

    shown: int = 0
    right: int = 0
    right_and_sure: int = 0
    silent: int = 0
    missed: int = 0
    never_shown: int = 0
    never_shown_sure: int = 0
    invented_sure: int = 0
    confusion: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        shown = max(self.shown, 1)
        return {
            "dice": self.shown,
            "right": round(self.right / shown, 4),
            "right_and_sure": round(self.right_and_sure / shown, 4),
            "silent_errors": self.silent,
            "silent_share": round(self.silent / shown, 4),
            "missed": self.missed,
            "never_shown": self.never_shown,
            "never_shown_but_sure": self.never_shown_sure,
            "invented_and_sure": self.invented_sure,
            "confusion": dict(self.confusion.most_common(12)),
        }


@dataclass(frozen=True, slots=True)
class _Truth:
    type: str
    face: Face
    outline: tuple[Point, ...]
    is_cocked: bool


def bench_rolls(folder: Path, *, part: int = 1) -> tuple[Tally, dict[str, Any]]:
    """Teach the dice of half the rolls as unknown dice, read the other half, and the other way round.

    The types get new names and the shipped sets are left out, so that the network's own faces count for nothing.

    :param part: only every so many of the rolls are used.
    """
    tally, seconds, samples = Tally(), [], 0
    for taught, tested in _halves(folder, part):
        with TemporaryDirectory() as scratch:
            known = _linked(taught, Path(scratch) / "photos", alias=_ALIAS)
            lesson = teach_folder(Path(scratch) / "photos", "mine", data=Path(scratch) / "data", skip_bad=True)
            seconds.append(lesson.seconds)
            samples += len(lesson.taught.samples)
            reader = open_reader(installed_sets(["mine"], Path(scratch) / "data"))
            for path in tested:
                _count(tally, load_photo(path.with_suffix(".jpg")), _truths(path), known, reader)
    return tally, {"samples": samples, "teaching_seconds": round(max(seconds), 1)}


def bench_like(folder: Path, shipped: str) -> dict[str, Any]:
    """Read dice of a shipped set by what ships, and by what ships and the other half of the rolls."""
    alone, shown = Tally(), Tally()
    for taught, tested in _halves(folder):
        with TemporaryDirectory() as scratch:
            _linked(taught, Path(scratch) / "photos")
            data = Path(scratch) / "data"
            teach_folder(Path(scratch) / "photos", "mine", data=data, like=shipped, skip_bad=True)
            for tally, name in ((alone, shipped), (shown, "mine")):
                reader = open_reader(installed_sets([name], data))
                for path in tested:
                    truths = _truths(path, "")
                    known = {(truth.type, truth.face) for truth in truths}
                    _count(tally, load_photo(path.with_suffix(".jpg")), truths, known, reader)
    return {"as it ships": alone.to_json(), "shown the other half": shown.to_json()}


def _halves(folder: Path, part: int = 1) -> tuple[tuple[list[Path], list[Path]], tuple[list[Path], list[Path]]]:
    labels = [path for path in sorted(folder.glob("*.json")) if path.with_suffix(".jpg").is_file()][::part]
    half = len(labels) // 2
    return (labels[:half], labels[half:]), (labels[half:], labels[:half])


def bench_faces(folder: Path, *, views: int = 4, seed: int = 5, part: int = 1) -> tuple[Tally, dict[str, Any]]:
    """Teach one die a photograph and read the same photographs turned, moved, tilted, re-lit, blurred and noisy.

    :param part: every so many of them are read; all are taught.
    """
    labels = [path for path in sorted(folder.glob("*.json")) if json.loads(path.read_text())["dice"]]
    random = np.random.default_rng(seed)
    tally, finder = Tally(), Finder(paths.models_folder())
    by_type: dict[str, Tally] = {}
    with TemporaryDirectory() as scratch:
        lesson = teach_folder(folder, "mine", data=Path(scratch), skip_bad=True)
        reader = open_reader(installed_sets(["mine"], Path(scratch)))
        pictures = [load_photo(path.with_suffix(".jpg")) for path in labels]
        for path, picture in list(zip(labels, pictures, strict=True))[::part]:
            entry = json.loads(path.read_text())["dice"][0]
            others = [
                o for p, o in zip(labels, pictures, strict=True) if p.stem.split("-")[0] == path.stem.split("-")[0]
            ]
            outline = finder.only(picture, [o for o in others if o is not picture][:4], where=path.name).outline
            face = face_of(entry["face"])
            for _ in range(views):
                seen, moved = varied(picture, outline, random)
                truth = _Truth(entry["type"], face, moved, False)
                for one in (tally, by_type.setdefault(entry["type"], Tally())):
                    _count(one, seen, [truth], {(entry["type"], face)}, reader, is_complete=False)
    types = {name: {"right": t.to_json()["right"], "silent_errors": t.silent} for name, t in by_type.items()}
    return tally, {
        "samples": len(lesson.taught.samples),
        "teaching_seconds": round(lesson.seconds, 1),
        "types": types,
    }


def bench_shown(folder: Path, photographs: int, *, camera_stays: bool = False) -> dict[str, Any]:
    """Teach every die of the folder alone from so many photographs of each face, and read others of it.

    :param folder: holds a folder for each die, with photographs named FACE-NUMBER in ``show`` and others in ``ask``.
    :param camera_stays: one camera took all of a die's, as that of a tray does; they are read in the order of names.
    """
    tally, refused, seconds = Tally(), Counter[str](), 0.0
    dice = [die for die in sorted(folder.iterdir()) if (die / "show").is_dir()]
    for die in dice:
        with TemporaryDirectory() as scratch:
            photos = Path(scratch) / "photos"
            _first_of_each(die / "show", photos, photographs)
            try:
                lesson = teach_folder(photos, "mine", data=Path(scratch) / "data", skip_bad=True)
            except Untaught as error:
                refused.update(problem.what for problem in error.problems)
                continue
            seconds += lesson.seconds
            refused.update(problem.what for problem in lesson.skipped)
            known = {(sample.type, sample.face) for sample in lesson.taught.samples}  # some photographs were refused
            reader = open_reader(installed_sets(["mine"], Path(scratch) / "data"), camera_stays=camera_stays)
            for path in sorted((die / "ask").glob("*.json")):
                _count(tally, load_photo(path.with_suffix(".jpg")), _truths(path, ""), known, reader, is_complete=False)
    return tally.to_json() | {
        "sets": len(dice),
        "photographs_a_face": photographs,
        "camera_stays": camera_stays,
        "photographs_refused": dict(refused),
        "teaching_seconds": round(seconds, 1),
    }


def bench_answered(folder: Path, photographs: int, *, camera_stays: bool = False) -> dict[str, Any]:
    """Read every second of the others before and after what was asked about the rest was answered, as at a table.

    The parameters are those of :func:`bench_shown`.
    """
    before, after, answers, finder = Tally(), Tally(), 0, Finder(paths.models_folder())
    for die in (one for one in sorted(folder.iterdir()) if (one / "show").is_dir()):
        with TemporaryDirectory() as scratch:
            data = Path(scratch) / "data"
            _first_of_each(die / "show", Path(scratch) / "photos", photographs)
            try:
                teach_folder(Path(scratch) / "photos", "mine", data=data, skip_bad=True)
            except Untaught:
                continue
            asked = sorted((die / "ask").glob("*.json"))
            home = paths.user_sets_folder(data) / "mine"
            known = {(sample.type, sample.face) for sample in load_taught(home).samples}
            reader, answered = open_reader(installed_sets(["mine"], data), camera_stays=camera_stays), list[Sample]()
            for path in asked[::2]:
                picture, truths = load_photo(path.with_suffix(".jpg")), _truths(path, "")
                for found in reader.read(picture).dice:
                    truth = next((one for one in truths if _contains(one, found.center)), None)
                    if found.status is Status.UNSURE and truth is not None:
                        shown = finder.at(picture, found.center, where=path.name)
                        sample = Sample(
                            id=f"{len(answered):032x}", type=truth.type, face=truth.face, source=Source.CORRECTION,
                            at=float(len(answered)), origin=path.name, shape=shown.shape, jpeg=jpeg_of(shown.crop),
                        )  # fmt: skip
                        answered.append(sample)
            for tally, added in ((before, []), (after, answered)):
                save_taught(load_taught(home).with_samples(added), home)
                again = open_reader(installed_sets(["mine"], data), camera_stays=camera_stays)
                for path in asked[1::2]:
                    picture = load_photo(path.with_suffix(".jpg"))
                    _count(tally, picture, _truths(path, ""), known, again, is_complete=False)
            answers += len(answered)
    return {"answers": answers, "before": before.to_json(), "after": after.to_json()}


def bench_cost(rolls: Path, numbered: Path) -> dict[str, Any]:
    """Return the time of reading with one taught set, and with six."""
    picture = load_photo(sorted(rolls.glob("*.jpg"))[0])
    with TemporaryDirectory() as scratch:
        data = Path(scratch)
        for number in range(_SETS):
            teach_folder(numbered, f"set{number}", data=data, skip_bad=True)
        one, six = ([f"set{n}" for n in range(count)] for count in (1, _SETS))
        readers = {"one": open_reader(installed_sets(one, data)), "six": open_reader(installed_sets(six, data))}
        times: dict[str, list[float]] = {name: [] for name in readers}
        for _ in range(_AGAIN):
            for name, reader in readers.items():
                begin = time.perf_counter()
                reader.read(picture)
                times[name].append((time.perf_counter() - begin) * 1000)
    least = {name: min(found) for name, found in times.items()}
    return {
        "one_set_ms": round(least["one"], 1),
        "six_sets_ms": round(least["six"], 1),
        "six_to_one": round(least["six"] / least["one"], 3),
        "medians_ms": {name: round(statistics.median(found), 1) for name, found in times.items()},
    }


def varied(
    picture: Picture, outline: Sequence[Point], random: np.random.Generator
) -> tuple[Picture, tuple[Point, ...]]:
    """Return the photograph as another throw under another lamp might show it, and where the die went."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), random.uniform(0, 360), random.uniform(0.8, 1.2))
    matrix = matrix + np.array([[0, 0, dx] for dx in random.uniform(-0.05, 0.05, 2) * width])
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    tilted = (corners + random.uniform(-0.05, 0.05, (4, 2)) * [width, height]).astype(np.float32)
    whole = cv2.getPerspectiveTransform(corners, tilted) @ np.vstack([matrix, [0, 0, 1]])
    warped = cv2.warpPerspective(picture, whole, (width, height), borderMode=cv2.BORDER_REPLICATE)
    seen = (
        ((np.arange(256) / 255.0) ** random.uniform(0.75, 1.35))[warped]
        * random.uniform(0.75, 1.15)
        * random.uniform(0.9, 1.1, 3)
    )
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), random.uniform(0.3, 1.3)), np.float64)
    seen = seen + random.normal(0, random.uniform(0.003, 0.02), seen.shape)
    moved = cv2.perspectiveTransform(np.array([outline], np.float64), whole)[0]
    return np.asarray(np.clip(seen, 0, 1) * 255, np.uint8), tuple((float(x), float(y)) for x, y in moved)


def all_benches(folders: Sequence[Path], *, camera_stays: bool = False) -> Iterator[dict[str, Any]]:
    """Measure every folder as what it holds: single dice where labels have no centre, else rolls. On one thread.

    :param camera_stays: as in :func:`bench_shown`.
    """
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield from _all_benches(folders, camera_stays)
    finally:
        cv2.setNumThreads(threads)


def _all_benches(folders: Sequence[Path], camera_stays: bool) -> Iterator[dict[str, Any]]:
    by_die = [folder for folder in folders if any(folder.glob("*/show"))]
    for folder in by_die:
        for photographs in _PHOTOGRAPHS:
            told = bench_shown(folder, photographs, camera_stays=camera_stays)
            yield {"folder": str(folder), "what": "every die alone"} | told
        told = bench_answered(folder, _PHOTOGRAPHS[-1], camera_stays=camera_stays)
        yield {"folder": str(folder), "what": "what was asked is answered"} | told
    folders = [folder for folder in folders if folder not in by_die]
    for folder in folders:
        labels = list(_entries(folder))
        if all("center" not in die for dice in labels for die in dice):
            tally, more = bench_faces(folder)
            yield {"folder": str(folder), "what": "one face a photograph"} | tally.to_json() | more
            continue
        tally, more = bench_rolls(folder)
        yield {"folder": str(folder), "what": "halves of the rolls, swapped"} | tally.to_json() | more
        types = {die["type"] for dice in labels for die in dice}
        shipped = [one.name for one in find_sets() if types <= {kind.name for kind in one.types}]
        if shipped:
            yield {"folder": str(folder), "what": f"dice like those of {shipped[0]}"} | bench_like(folder, shipped[0])
    rolls = [folder for folder in folders if any("center" in d for dice in _entries(folder) for d in dice)]
    single = [folder for folder in folders if folder not in rolls]
    if rolls and single:
        yield {"what": "reading with six taught sets against one"} | bench_cost(rolls[0], single[0])


def _entries(folder: Path) -> Iterator[list[dict[str, Any]]]:
    for path in sorted(folder.glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))["dice"]


def _linked(labels: Sequence[Path], folder: Path, *, alias: str = "") -> set[tuple[str, Face]]:
    """Write the labels, their types renamed, beside links to their pictures, and return what they show."""
    folder.mkdir(parents=True)
    known = set()
    for path in labels:
        raw = json.loads(path.read_text(encoding="utf-8"))
        for die in raw["dice"]:
            die["type"] = alias + die["type"]
            if not die["cocked"]:
                known.add((die["type"], face_of(die["face"])))
        (folder / path.name).write_text(json.dumps(raw), encoding="utf-8")
        (folder / path.with_suffix(".jpg").name).symlink_to(path.with_suffix(".jpg").resolve())
    return known


def _first_of_each(shown: Path, folder: Path, photographs: int) -> None:
    """Link the first so many photographs of each face into the folder."""
    folder.mkdir(parents=True)
    taken = Counter[str]()
    for path in sorted(shown.glob("*.json")):
        face = path.stem.split("-")[0]
        taken[face] += 1
        if taken[face] <= photographs:
            for part in (path, path.with_suffix(".jpg")):
                (folder / part.name).symlink_to(part.resolve())


def _truths(path: Path, alias: str = _ALIAS) -> list[_Truth]:
    dice = json.loads(path.read_text(encoding="utf-8"))["dice"]
    return [
        _Truth(alias + d["type"], face_of(d["face"]), tuple(map(tuple, d["outline"])), bool(d["cocked"])) for d in dice
    ]


def _contains(truth: _Truth, spot: Point) -> bool:
    return cv2.pointPolygonTest(np.array(truth.outline, np.float32), spot, False) >= 0


def _count(
    tally: Tally,
    picture: Picture,
    truths: Sequence[_Truth],
    known: set[tuple[str, Face]],
    reader: Reads,
    *,
    is_complete: bool = True,
) -> None:
    reading = reader.read(picture)
    free = list(reading.dice)
    for truth in truths:
        inside = [die for die in free if _contains(truth, die.center)]
        die = max(inside, key=lambda one: one.confidence, default=None)
        if die is not None:
            free.remove(die)
        if truth.is_cocked:
            continue
        is_right = die is not None and (die.type, die.face) == (truth.type, truth.face)
        is_sure = die is not None and die.status is Status.SURE
        if (truth.type, truth.face) not in known:
            tally.never_shown += 1
            tally.never_shown_sure += is_sure
        else:
            tally.shown += 1
            tally.right += is_right
            tally.right_and_sure += is_right and is_sure
            tally.silent += is_sure and not is_right
            tally.missed += die is None
        if not is_right and die is not None:
            mark = " sure" if is_sure else ""
            tally.confusion[f"{truth.type} {'+'.join(truth.face)} -> {die.type} {'+'.join(die.face)}{mark}"] += 1
    tally.invented_sure += is_complete * sum(die.status is Status.SURE for die in free)
