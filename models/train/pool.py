"""Views that are learnt from several times: drawing one takes a processor as long as learning from several.

Each is turned by quarter turns, mirrored where that changes no truth, and under another light each time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

Parts = dict[str, torch.Tensor]
CHUNK = 252
"""Views that are drawn and put into the pool at once."""
Chunk = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Task:
    """What training must know of a network.

    :ivar vectors: of the view's truths the one that holds vectors, and where its (x, y) stand in it: first of places,
        then of directions; none where views are not turned. :ivar pixel: of the view, in their unit.
    :ivar mirrors: whether a mirror image has the same truth. :ivar lot: views that stay together in a batch, of those
        that come last in a chunk.
    """

    make: Callable[[], nn.Module]
    loss_of: Callable[..., tuple[torch.Tensor, Parts]]
    vectors: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
    pixel: float = 0.0
    mirrors: bool = False
    lot: int = 1


def packed(items: Sequence[tuple[Any, ...]]) -> Chunk:
    """Return views as the pool holds them: pictures (n, 3, h, w) uint8, what the planes after them say (n, m), truths."""
    view, *truths = (np.stack([np.asarray(item[k]) for item in items]) for k in range(len(items[0])))
    pictures = np.round(view[:, :3] * 255).astype(np.uint8)
    return pictures, np.ascontiguousarray(view[:, 3:, 0, 0]), *truths


class Pool:
    """At most ``room`` views on the device, the oldest of which make room. Views are taken in lots."""

    def __init__(self, room: int, lot: int, device: torch.device) -> None:
        self.room, self.lot, self.device = room // lot * lot, lot, device
        self.taken = 0  # in all
        self.held: list[torch.Tensor] = []

    def add(self, chunk: Chunk) -> None:
        parts = [torch.from_numpy(part).to(self.device) for part in chunk]
        if not self.held:
            self.held = [
                torch.empty((self.room, *part.shape[1:]), dtype=part.dtype, device=self.device) for part in parts
            ]
        at = (torch.arange(len(parts[0]), device=self.device) + self.taken) % self.room
        for held, part in zip(self.held, parts, strict=True):
            held[at] = part
        self.taken += len(parts[0])

    def draw(self, count: int) -> list[torch.Tensor]:
        """Return so many views at random, whole lots of them."""
        lots = torch.randint(min(self.taken, self.room) // self.lot, (count // self.lot,)).to(self.device)
        at = (lots[:, None] * self.lot + torch.arange(self.lot, device=self.device)).flatten()
        return [held[at] for held in self.held]


def turned(parts: list[torch.Tensor], task: Task) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return the network's input and the truths of views from the pool, each turned, and mirrored, at random."""
    pictures, about, *truths = parts
    assert task.vectors is not None
    number, places, directions = task.vectors
    truth, about = truths[number].clone(), about.clone()
    views = torch.empty(pictures.shape, dtype=torch.float32, device=pictures.device)
    ways = 8 if task.mirrors else 4
    for way in range(ways):  # which views these are is chance already
        picture = pictures[way::ways].float() / 255
        views[way::ways] = torch.rot90(picture.flip(3) if way >= 4 else picture, way % 4, (2, 3))
        for vectors, starts, pixel in (
            (truth, places, task.pixel), (truth, directions, 0.0), (about, range(0, about.shape[1], 2), 0.0)
        ):  # fmt: skip
            for x in starts:
                vectors[way::ways, x : x + 2] = _turned(vectors[way::ways, x : x + 2], way, pixel)
    truths[number] = truth
    planes = about[:, :, None, None].expand(-1, -1, *views.shape[2:])
    return torch.cat([_lit(views), planes], 1), truths


def _turned(vectors: torch.Tensor, way: int, pixel: float) -> torch.Tensor:
    """Return (n, 2) vectors, y downwards, mirrored if ``way`` is 4 or more, then turned as :func:`torch.rot90` turns.

    :param pixel: of places: they count from the corner of four pixels, and a turn is about the middle of the picture,
        half a pixel before that; 0 of directions.
    """
    x, y = vectors[:, 0], vectors[:, 1]
    if way >= 4:
        x = -x - pixel
    for _ in range(way % 4):
        x, y = y, -x - pixel
    return torch.stack([x, y], 1)


def _lit(views: torch.Tensor) -> torch.Tensor:
    """Return (n, 3, h, w) views of 0..1, each a little lighter or darker, tinted and grainy."""
    n, device = len(views), views.device
    gain = torch.exp(0.08 * torch.randn(n, 1, 1, 1, device=device) + 0.03 * torch.randn(n, 3, 1, 1, device=device))
    lift = 0.015 * torch.randn(n, 1, 1, 1, device=device)
    grain = 0.01 * torch.randn(n, 1, 1, 1, device=device)
    return (views * gain + lift + grain * torch.randn_like(views)).clamp(0, 1)
