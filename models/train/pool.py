"""Train from a pool of views, on a graphics card where there is one: ``python -m models.train.pool place CROPS --minutes 10``.

A card learns far faster than processors draw views. So workers draw views all the time into a pool, and each is
learnt from many times: turned by quarter turns, mirrored where that changes no truth, and under another light each time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import queue
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from models.train import classifier, place
from models.train.loop import Parts, descend, falling, output_of, remember
from models.train.resume import resume

_CHUNK = 252  # views that a worker hands over at once
_AHEAD = 10**6  # chunks between two workers' seeds
_WAITING = 24  # chunks that wait for the pool
_LEAST = 40 * _CHUNK  # views in the pool before the first step
Chunk = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Task:
    """What the pool must know of a network.

    :ivar views: of crops, those of invented dice, a seed, the wear and ``paired``. :ivar vectors: of the view's truths
        the one that holds vectors, and where its (x, y) stand in it: first of places, then of directions. :ivar pixel:
        of the view, in their unit. :ivar mirrors: whether a mirror image has the same truth. :ivar lot: views that stay
        together in a batch, of those that come last in a chunk. :ivar paired: how many come last.
    """

    make: Callable[[], nn.Module]
    views: Callable[[list[Path], Path | None, int, float, int], Dataset]
    loss_of: Callable[..., tuple[torch.Tensor, Parts]]
    vectors: tuple[int, tuple[int, ...], tuple[int, ...]]
    pixel: float
    mirrors: bool
    lot: int = 1
    paired: int = 0


def _places(paths: list[Path], _invented: Path | None, seed: int, wear: float, _paired: int) -> Dataset:
    return place.Views(paths, 2**62, seed, wear=wear)


def _faces(paths: list[Path], invented: Path | None, seed: int, wear: float, paired: int) -> Dataset:
    return classifier.Crops(paths, invented, steps=2**40, batch=_CHUNK, pairs=paired // 2, seed=seed, wear=wear)


TASKS = {
    "place": Task(place.Place, _places, place.loss_of, (0, (0, 3, 8), ()), 2 * place.WIDE / place.INPUT, mirrors=True),
    "classifier": Task(
        classifier.Classifier, _faces, classifier.loss_of, (3, (0,), (3,)), 2 * classifier.REACH / classifier.INPUT,
        mirrors=False, lot=2 * classifier.PER_DIE, paired=52,
    ),
}  # fmt: skip


def draw(task: Task, paths: list[Path], invented: Path | None, seed: int, wear: float, first: int, out: Queue) -> None:
    """Put chunks of views into ``out`` for ever. Files that are not there yet are drawn from as soon as they are."""
    cv2.setNumThreads(1)
    known: list[Path] = []
    chunk = first
    while True:
        there = [path for path in paths if path.exists()]
        if there != known:
            known, views = there, task.views(there, invented, seed, wear, task.paired)
        out.put(packed([views[i] for i in range(chunk * _CHUNK, (chunk + 1) * _CHUNK)]))
        chunk += 1


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
        lots = torch.randint(min(self.taken, self.room) // self.lot, (count // self.lot,), device=self.device)
        at = (lots[:, None] * self.lot + torch.arange(self.lot, device=self.device)).flatten()
        return [held[at] for held in self.held]


def turned(parts: list[torch.Tensor], task: Task) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Return the network's input and the truths of views from the pool, each turned, and mirrored, at random."""
    pictures, about, *truths = parts
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


def learn(
    net: nn.Module,
    task: Task,
    chunks: Iterator[Chunk | None],
    done: Callable[[], float],
    *,
    batch: int,
    rate: float,
    room: int,
    device: torch.device,
    out: Path,
    reuse: float = 0.0,
) -> dict[str, int]:
    """Train until ``done`` is 1 and leave the weights in ``out``, which is also written on the way.

    :param chunks: of views, or none where none waits. :param done: the share of the time that is over, 0..1.
    :param reuse: how often each view is learnt from, at least, before others are asked for; workers wait meanwhile.
    :return: how many steps were taken, and how many views drawn.
    """
    alone, together = Pool(room, 1, device), Pool(room // 4, task.lot, device)
    net.train().to(device, memory_format=torch.channels_last)
    learning = list(net.parameters())
    optimiser = torch.optim.AdamW(learning, rate, weight_decay=1e-3)
    running: dict[str, torch.Tensor] = {}
    step, begin, told, kept = 0, time.time(), 0.0, 0.0
    while (share := done()) < 1:
        has_enough = alone.taken >= _LEAST and step * batch < reuse * (alone.taken + together.taken)
        chunk = None if has_enough else next(chunks)
        if chunk is not None:
            cut = len(chunk[0]) - task.paired
            alone.add(tuple(part[:cut] for part in chunk))
            if task.paired:
                together.add(tuple(part[cut:] for part in chunk))
        if alone.taken < _LEAST:
            time.sleep(0.0 if chunk is not None else 0.01)
            continue
        pairs = batch * task.paired // _CHUNK // task.lot * task.lot
        parts = alone.draw(batch - pairs)
        if pairs:
            parts = [torch.cat(both) for both in zip(parts, together.draw(pairs), strict=True)]
        x, truths = turned(parts, task)
        loss, losses = task.loss_of(output_of(net, x), *truths)
        descend(optimiser, learning, loss, rate=falling(rate, step, share, warm=500, least=0.002))
        for name, value in losses.items():
            running[name] = torch.lerp(running.get(name, value.detach()), value.detach(), 0.01)
        step += 1
        if time.time() - told > 10:
            told = time.time()
            words = " ".join(f"{name} {float(value):.4f}" for name, value in running.items())
            print(f"{share:.3f} {step} steps {alone.taken} views {(told - begin) / 60:.1f} min {words}", flush=True)
        if time.time() - kept > 60:
            kept = time.time()
            _save(net, out)
    _save(net, out)
    return {"steps": step, "views": alone.taken + together.taken}


def _save(net: nn.Module, out: Path) -> None:
    torch.save({name: weight.cpu() for name, weight in net.state_dict().items()}, out)


def drawn(
    task: Task, paths: list[Path], invented: Path | None, seed: int, wear: float, workers: int
) -> Generator[Chunk | None, None, None]:
    """Yield chunks of views as workers draw them, or none where none is ready.

    :raises RuntimeError: when no worker is left.
    """
    context = multiprocessing.get_context("fork")  # before the card is touched
    waiting: Queue = context.Queue(_WAITING)
    drawers = []
    for worker in range(workers):
        options = (task, paths, invented, seed, wear, worker * _AHEAD, waiting)
        drawers.append(context.Process(target=draw, args=options, daemon=True))
        drawers[-1].start()
    try:
        while True:
            try:
                yield waiting.get_nowait()
            except queue.Empty:
                if not any(drawer.is_alive() for drawer in drawers):
                    raise RuntimeError("every worker that drew views has ended; what ended it stands above") from None
                yield None
    finally:
        for drawer in drawers:
            drawer.terminate()
            drawer.join()  # for the record of what they took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=TASKS)
    parser.add_argument("crops", type=Path, nargs="+", help="those that are not there yet are taken up when they are")
    parser.add_argument("--invented", type=Path, help="crops of invented dice, for the classifier")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--batch", type=int, default=768)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=81)
    parser.add_argument("--wear", type=float, default=0.6, help="spoil the views by this share of the usual only")
    parser.add_argument("--workers", type=int, default=1, help="processes that draw views")
    parser.add_argument(
        "--reuse", type=float, default=0.0, help="learn from each view so often, at least: where drawing takes the time"
    )
    parser.add_argument(
        "--paired", type=int, help=f"of {_CHUNK} views so many are of invented dice, in pairs of a face"
    )
    parser.add_argument("--threads", type=int, default=1, help="of the training itself, without a card")
    parser.add_argument("--room", type=int, default=100_000, help="views in the pool")
    parser.add_argument("--resume", type=Path, help="weights of an earlier run, or a network as it ships")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    task = TASKS[options.network]
    if options.paired is not None:
        if not task.paired or not 0 < options.paired < _CHUNK or options.paired % task.lot:
            parser.error(f"--paired {options.paired}: for the classifier, a multiple of {task.lot} below {_CHUNK}")
        task = replace(task, paired=options.paired)
    if options.invented is None and task.paired:
        parser.error("--invented is missing: the classifier learns from pairs of invented dice, too")
    if not any(path.exists() for path in options.crops):
        parser.error(f"{options.crops[0]}: there is no such file; crops come from models.train.crops and .silhouettes")
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    chunks = drawn(task, options.crops, options.invented, options.seed, options.wear, options.workers)
    next(chunks)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = task.make()
    earlier: list[dict[str, Any]] = []
    if options.resume:
        there = [path for path in options.crops if path.exists()]
        views = task.views(there, options.invented, options.seed, options.wear, task.paired)
        earlier = resume(net, options.resume, (batch[0] for batch in DataLoader(views, _CHUNK)))
    begin = time.time()
    counts = learn(
        net, task, chunks, lambda: (time.time() - begin) / (60 * options.minutes), batch=options.batch,
        rate=options.rate, room=options.room, device=device, out=options.out,
        reuse=options.reuse,
    )  # fmt: skip
    chunks.close()
    names = ("minutes", "batch", "rate", "seed", "wear", "reuse", "paired")
    settings = {name: getattr(options, name) for name in names}
    data = [*options.crops, *([options.invented] if options.invented else [])]
    remember(options.out, data, earlier, **counts, **settings, device=device.type)


if __name__ == "__main__":
    main()
