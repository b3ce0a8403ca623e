"""Views that are black but for a white dot, with truths as the place network's: what tests of training learn from."""

from __future__ import annotations

from typing import Any

import numpy as np
from torch.utils.data import Dataset

from models.train.place import INPUT, OUTPUTS, WIDE
from models.train.pool import Chunk

PIXELS = INPUT / (2 * WIDE)


def chunk(count: int, seed: int) -> Chunk:
    """Return views with their truths, as the pool takes them."""
    rng = np.random.default_rng(seed)
    at = rng.integers(4, INPUT - 4, (count, 2))
    pictures = np.zeros((count, 3, INPUT, INPUT), np.uint8)
    pictures[np.arange(count), :, at[:, 1], at[:, 0]] = 255
    middle = (at - INPUT / 2) / PIXELS
    truth = np.zeros((count, len(OUTPUTS)), np.float32)
    truth[:, 0:2] = truth[:, 3:5] = truth[:, 8:10] = middle
    about = np.concatenate([middle, -middle], 1).astype(np.float32)
    whole = np.ones(count, bool)
    return pictures, about, truth, np.zeros(count, np.int64), whole, whole, np.zeros(count, np.int64), whole


class Dots(Dataset[Any]):
    """Such views, each by its number alone."""

    def __init__(self, length: int) -> None:
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        pictures, about, *truths = chunk(1, index)
        planes = np.broadcast_to(about[0, :, None, None], (about.shape[1], INPUT, INPUT))
        view = np.concatenate([pictures[0].astype(np.float32) / 255, planes])
        return view, *(truth[0] for truth in truths)
