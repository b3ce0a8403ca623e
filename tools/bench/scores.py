"""``python -m tools.bench scores``: every set of photographs, and dice taught from some, beside ``models/scores.json``.

A change that lowers a row writes the file anew, and its commit says why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from models.labelled import find_labels, pictures
from models.score import Score
from models.worse import Worse, spotted, tiny
from tableside import paths
from tableside.dice import find_sets
from tableside.errors import PhotoError
from tableside.reader.reader import Reader
from tableside.teaching.load import load_taught_types
from tools.bench.teach import Tally, bench_faces, bench_rolls

FILE = Path(__file__).parents[2] / "models" / "scores.json"
OWN = Path(__file__).parents[2] / "tests" / "photos"
SETS = {
    "pips": "pips",
    "phone": "pips",
    "webcam": "pips",
    "oblique": "pips",
    "slanted": "pips",
    "far": "pips",
    "tower": "percentile",
    "backlit": "percentile",
    "numbered": "polyhedral percentile",
}
"""Folders of photographs, with the dice sets that each is read by; no label says which die would be a Wild Die."""
THIRD = ", every third"
"""Ends the name of a row of every third roll of a longer row, which tests measure in its place."""
_SHORT = ("far", "tower", "backlit")


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a set of rolls, or of dice that were taught.

    :ivar answered: read rightly without a question. :ivar silent: wrong without one.

    Networks of whole numbers are multiplied otherwise on each kind of processor, so a die at the edge of a question is
    one on some only: an AMD EPYC without VNNI answers one less of 30 (backlit) and of 48 (pips) than the file says.
    """

    of: int
    right: int
    silent: int
    answered: int

    def is_worse(self, other: Row) -> bool:
        """Return whether it is worse than another: silent in one more, or behind by more than processors differ."""
        least = 1 + self.of // 50
        return (
            self.of != other.of
            or self.silent > other.silent
            or self.right < other.right - least
            or self.answered < other.answered - least
        )


@cache
def _reader(names: str) -> Reader:
    sets = [one.without_variants() for one in find_sets(names.split())]
    return Reader(sets, models_folder=paths.models_folder(), taught_types=load_taught_types)


def score_rolls(folder: Path, dice_set: str, worsen: Worse | None = None, every: int = 1, part: int = 1) -> Row:
    """Return what comes of the labelled rolls of a folder, read by one dice set.

    :param dice_set: its name, or several with spaces between.
    :param worsen: makes of each, or of every so many, worse ones, which are read in its place.
    :param part: every so many of these are read.
    """
    score = Score()
    for number, path in list(enumerate(find_labels(folder)[::every]))[::part]:
        for label, picture in pictures([path], _refuse):
            seen = [(label, picture)] if worsen is None else worsen(label, picture, np.random.default_rng(number))
            for truth, one in seen:
                score.add(truth, _reader(dice_set).read(one))
    silent = score.rolls_silently_wrong
    return Row(of=score.rolls, right=score.rolls_right, silent=silent, answered=score.rolls_answered - silent)


def _taught(bench: Callable[..., tuple[Tally, object]], folder: Path, **how: int) -> Row:
    tally, _ = bench(folder, **how)
    return Row(of=tally.shown, right=tally.right, silent=tally.silent, answered=tally.right_and_sure)


def _refuse(error: PhotoError) -> None:
    raise error


def rows(shared: Path | None) -> Mapping[str, Callable[[], Row]]:
    """Return what measures each row, by its name.

    :param shared: the folder of reference material, where it is there.
    """
    own = {f"tests/photos/{n}": partial(score_rolls, OWN / n, SETS[n]) for n in sorted(SETS) if (OWN / n).is_dir()}
    if shared is None:
        return own
    photos = shared / "photos"
    phone = partial(score_rolls, photos / "phone", "pips")
    whole = {
        **{name: partial(score_rolls, photos / name, dice_set) for name, dice_set in SETS.items()},
        **{
            f"phone, a flash spot of {size} radii": partial(phone, partial(spotted, size=size), 2)
            for size in (0.5, 1.0, 2.0)
        },
        "phone, dice of half a percent of 12 megapixels": partial(phone, partial(tiny, share=0.005), 8),
        "numbered, one photograph a face": partial(_taught, bench_faces, photos / "numbered", views=1),
        "backlit, two photographs a face": partial(_taught, bench_faces, photos / "backlit", views=1),
        "rolls, half of them taught": partial(_taught, bench_rolls, shared / "rolls"),
    }
    thirds = {name + THIRD: partial(row, part=3) for name, row in whole.items() if name not in _SHORT}
    return {**own, **whole, "rolls": partial(score_rolls, shared / "rolls", "narrative"), **thirds}


def kept_rows() -> dict[str, Row]:
    """Return the rows of the file."""
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Row])


def bench_scores(
    shared: Path | None, names: Sequence[str], *, is_written: bool
) -> Iterator[tuple[str, Row, Row | None]]:
    """Yield each row, all or those named, as it is now and as it was kept.

    :param is_written: keep them as they are now.
    """
    cv2.setNumThreads(1)
    kept = kept_rows()
    for name, measured in rows(shared).items():
        if not names or name in names:
            now = measured()
            yield name, now, kept.get(name)
            kept[name] = now
    if is_written:
        lines = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps(msgspec.to_builtins(row))}" for name, row in kept.items()
        )
        FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
