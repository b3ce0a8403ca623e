"""How every network learns: AdamW, a rate that warms up and falls by a cosine, a moving average of the weights, bfloat16
where the machine has it. A run that was stopped goes on where it was, and comes to the same weights.
"""

from __future__ import annotations

import math
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.data import DataLoader, Dataset, Subset
from tqdm import tqdm

from models.train.pool import CHUNK, Pool, Task, packed, turned
from models.train.recipe import Schedule

_LEAST = 20
"""Chunks in the pool before the first step, where it has room for them."""
_KEPT = 500
"""Steps between two notes of where the run is."""
_POINTS = 400
"""Points of a curve."""
_STEEPEST = 5.0
"""Of gradients: longer ones are shortened to this."""
Curves = dict[str, list[float]]


def output_of(net: nn.Module, x: torch.Tensor) -> Any:
    """Return what the network says, in bfloat16 where the device reckons so by itself: elsewhere it is slower than 32 bits."""
    device = x.device.type
    halved = device != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
    with torch.autocast(device, dtype=torch.bfloat16, enabled=halved):
        return net(x.to(memory_format=torch.channels_last))


def rate_of(schedule: Schedule, step: int) -> float:
    """Return the rate of one step."""
    return schedule.rate * min(1.0, (step + 1) / schedule.warm) * 0.5 * (1 + math.cos(math.pi * step / schedule.steps))


def chunks_at(schedule: Schedule, step: int) -> int:
    """Return how many chunks of views must be in the pool for a step."""
    return max(min(_LEAST, schedule.room // CHUNK), math.ceil((step + 1) * schedule.batch / (schedule.reuse * CHUNK)))


def views_of(schedule: Schedule) -> int:
    """Return how many views are drawn for all steps."""
    return chunks_at(schedule, schedule.steps) * CHUNK if schedule.reuse > 1 else schedule.steps * schedule.batch


def learn(
    name: str, task: Task, views: Dataset, schedule: Schedule, *, seed: int, workers: int, out: Path,
    device: torch.device | None = None,
) -> tuple[dict[str, Any], Curves]:  # fmt: skip
    """Train a network, and leave the moving average of its weights in ``out``.

    Beside ``out`` stands ``.part``, what a run that was stopped goes on from. The same seed gives the same weights on
    one machine with as many threads, whether the run was stopped or not, and however many ``workers`` draw views.

    :param views: as many as :func:`views_of` says, each by its number alone.
    :returns: what the card says of the run, and the losses along it.
    """
    device = device or torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(seed)
    net = task.make().to(device, memory_format=torch.channels_last).train()
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(schedule.average), use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), schedule.rate, weight_decay=1e-3)
    curves: Curves = {"step": []}
    first, hours = 0, 0.0
    part = out.with_suffix(".part")
    if part.exists():
        was = torch.load(part, map_location=device)
        net.load_state_dict(was["net"])
        average.load_state_dict(was["average"])
        optimiser.load_state_dict(was["optimiser"])
        first, hours, curves = was["step"], was["hours"], was["curves"]
    running: dict[str, float] = {key: values[-1] for key, values in curves.items() if values and key != "step"}
    spent, point = _hours(), max(1, schedule.steps // _POINTS)

    def keep(step: int) -> None:
        state = {"net": net.state_dict(), "average": average.state_dict(), "optimiser": optimiser.state_dict()}
        whole = state | {"step": step, "hours": hours + _hours() - spent, "curves": curves}
        torch.save(whole, part.with_suffix(".new"))
        part.with_suffix(".new").replace(part)

    batches = _batches(task, views, schedule, first, seed, workers, device)
    bar = tqdm(range(first, schedule.steps), name, schedule.steps, initial=first, unit="step", mininterval=5)
    for step in bar:
        x, truths = next(batches)
        loss, losses = task.loss_of(output_of(net, x), *truths)
        for group in optimiser.param_groups:
            group["lr"] = rate_of(schedule, step)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), _STEEPEST)
        optimiser.step()
        average.update_parameters(net)
        done = step + 1
        if done % point == 0:
            curves["step"].append(done)
            for key, value in losses.items():
                now = float(value.detach())
                running[key] = 0.8 * running.get(key, now) + 0.2 * now
                curves.setdefault(key, []).append(running[key])
            bar.set_postfix_str(f"loss {float(loss.detach()):.3f}", refresh=False)
        if done % _KEPT == 0 or done == schedule.steps:
            keep(done)
    torch.save({key: value.cpu() for key, value in average.module.state_dict().items()}, out)
    told = {key: getattr(schedule, key) for key in ("steps", "batch", "rate", "warm", "wear", "average", "reuse")}
    hours = round(max(hours + _hours() - spent, 0.001), 3)
    return told | {
        "views": views_of(schedule),
        "seed": seed,
        "device": device.type,
        "hours_on_two_cores": hours,
    }, curves


def _batches(
    task: Task, views: Dataset, schedule: Schedule, first: int, seed: int, workers: int, device: torch.device
) -> Iterator[tuple[torch.Tensor, list[torch.Tensor]]]:
    """Yield the input and the truths of every step from the first on."""
    if schedule.reuse == 1:
        for x, *truths in _drawn(views, schedule.batch, first * schedule.batch, workers):
            yield x.to(device), [truth.to(device) for truth in truths]
        return
    alone, together = Pool(schedule.room, 1, device), Pool(schedule.room // 4, task.lot, device)
    cut, needed = CHUNK - schedule.paired, chunks_at(schedule, first - 1) if first else 0
    filled = max(math.ceil(schedule.room / cut), math.ceil(schedule.room / 4 / max(schedule.paired, 1)))
    taken = max(0, needed - filled)  # what a pool held then lies in as many chunks before
    alone.taken, together.taken = taken * cut, taken * schedule.paired
    chunks = iter(_drawn(views, CHUNK, taken * CHUNK, workers, collate=packed))
    pairs = schedule.batch * schedule.paired // CHUNK // task.lot * task.lot
    for step in range(first, schedule.steps):
        while taken < chunks_at(schedule, step):
            chunk = next(chunks)
            alone.add(tuple(part[:cut] for part in chunk))
            if schedule.paired:
                together.add(tuple(part[cut:] for part in chunk))
            taken += 1
        torch.manual_seed((seed << 32) + step)  # what is taken at a step hangs on nothing before it
        parts = alone.draw(schedule.batch - pairs)
        if pairs:
            parts = [torch.cat(both) for both in zip(parts, together.draw(pairs), strict=True)]
        yield turned(parts, task)


def _drawn(views: Dataset, batch: int, first: int, workers: int, collate: Any = None) -> DataLoader:
    rest = Subset(views, range(first, len(views)))  # type: ignore[arg-type]  -- torch's Dataset has no length
    return DataLoader(rest, batch, num_workers=workers, collate_fn=collate, worker_init_fn=_single)


def _single(_: int) -> None:
    cv2.setNumThreads(1)
    torch.set_num_threads(1)


def _hours() -> float:
    """Return the processor time of this process and its children, as hours of two cores."""
    ends = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(end.ru_utime + end.ru_stime for end in ends) / 7200
