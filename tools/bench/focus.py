"""Rolls of real photographs out of focus: dice that are missed, and whether the reading says that it may have."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tableside.app.readers import Reads
from tableside.dice import Doubt, Status
from tableside.reader.photo import load_photo

SHARES = (0.0, 0.1, 0.12, 0.14)
"""Standard deviations of the blur, radii of a die."""


def bench_focus(reader: Reads, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield for each blur how many rolls lack dice, and of how many nothing was said without and with the measure."""
    counts = {share: Counter[str]() for share in SHARES}
    for label in sorted(folder.glob("*.json"))[1::2]:  # the others chose the limits
        truth = json.loads(label.read_text(encoding="utf-8"))
        picture = load_photo(folder / truth["image"])
        radius = float(np.median([np.ptp(np.array(die["outline"]), axis=0).mean() / 2 for die in truth["dice"]]))
        for share in SHARES:
            found = reader.read(cv2.GaussianBlur(picture, (0, 0), share * radius) if share else picture)
            lacks = len(found.dice) + len(found.suspects) < len(truth["dice"])
            doubted = any(die.status is not Status.SURE and die.doubt is not Doubt.BLUR for die in found.dice)
            counts[share].update(
                rolls=1,
                lacking=lacks,
                unsaid=lacks and found.sure,
                unsaid_without=lacks and not (doubted or found.suspects),
                out_of_focus=found.is_blurred,
            )
    for share, found_of in counts.items():
        yield {"photographs": folder.name, "blur": share} | dict(found_of)
