"""The command and the training loop that all networks share: AdamW, a cosine that ends at nothing, bfloat16 where the
machine has it."""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import cv2
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from models.train.resume import resume

Parts = dict[str, torch.Tensor]


def command(
    description: str | None, *, network: str, steps: int, batch: int, rate: float, seed: int
) -> argparse.ArgumentParser:
    """Return the options of a training command with its defaults."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument(
        "--stop",
        type=int,
        help="end after so many of the steps, for another run to go on from there; 0 only takes a network up",
    )
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--resume", type=Path, help=f"weights of an earlier run, or models/{network}.onnx")
    parser.add_argument("--fresh", default="", help="the network's last part, if the weights are older than that")
    parser.add_argument("--out", type=Path, default=Path(f"models/data/{network}.pt"))
    return parser


def run(
    make: Callable[[], nn.Module],
    pictures: Dataset,
    loss_of: Callable[..., tuple[torch.Tensor, Parts]],
    options: argparse.Namespace,
    data: list[Path],
    only: str = "",
) -> None:
    """Train the network that ``make`` makes as :func:`command`'s options say, and leave its weights and their record.

    :param data: what ``pictures`` are drawn from, for the record.
    :param only: the name that weights begin with which learn; all where empty.
    """
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    net = make()
    print(sum(p.numel() for p in net.parameters()), "weights", flush=True)
    loader = DataLoader(pictures, options.batch, num_workers=1, prefetch_factor=6)
    views = (batch[0] for batch in loader)
    earlier = resume(net, options.resume, views, fresh=options.fresh) if options.resume else []
    for name, parameter in net.named_parameters():
        parameter.requires_grad = name.startswith(only)
    train(net, loader, loss_of, steps=options.steps, stop=options.stop, rate=options.rate, out=options.out)
    settings = {name: getattr(options, name) for name in ("steps", "batch", "rate", "seed")}
    settings |= {"only": only} if only else {}
    settings |= {"wear": options.wear} if getattr(options, "wear", 1.0) != 1.0 else {}
    settings |= {"stop": options.stop} if options.stop is not None else {}
    remember(options.out, data, earlier, **settings)


def output_of(net: nn.Module, x: torch.Tensor) -> Any:
    """Return what the network says, in bfloat16 where the device reckons so by itself: elsewhere it is slower than 32 bits."""
    device = x.device.type
    halved = device != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
    with torch.autocast(device, dtype=torch.bfloat16, enabled=halved):
        return net(x.to(memory_format=torch.channels_last))


def train(
    net: nn.Module,
    batches: Iterable[tuple[torch.Tensor, ...]],
    loss_of: Callable[..., tuple[torch.Tensor, Parts]],
    *,
    steps: int,
    rate: float,
    out: Path,
    stop: int | None = None,
    warm: int = 200,
) -> None:
    """Train for a fixed number of steps and leave the weights in ``out``, which is also written on the way.

    ``batches`` yields at least ``steps`` tuples whose first member is the network's input; ``loss_of`` takes the
    network's output and the other members. The rate falls over ``steps`` even if the run ends at ``stop``.
    """
    learning = [parameter for parameter in net.parameters() if parameter.requires_grad]
    kept = len(learning) < sum(1 for _ in net.parameters())
    net.train(not kept).to(memory_format=torch.channels_last)  # what is kept keeps its statistics, too
    optimiser = torch.optim.AdamW(learning, rate, weight_decay=1e-3)
    begin = time.time()
    running: dict[str, float] = {}
    for step, (x, *rest) in enumerate(batches):
        if step >= (steps if stop is None else stop):
            break
        loss, parts = loss_of(output_of(net, x), *rest)
        descend(optimiser, learning, loss, rate=falling(rate, step, step / steps, warm=warm, least=0.005))
        for name, value in parts.items():
            running[name] = 0.98 * running.get(name, float(value.detach())) + 0.02 * float(value.detach())
        if step % 100 == 0:
            words = " ".join(f"{name} {value:.4f}" for name, value in running.items())
            print(f"{step}/{steps} {(time.time() - begin) / 60:.1f} min {words}", flush=True)
        if step % 500 == 499:
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


def falling(rate: float, step: int, share: float, *, warm: int, least: float) -> float:
    """Return the rate of one step: it grows for ``warm`` steps, and falls by a cosine to ``least`` of it.

    :param share: of the run that is over, 0..1.
    """
    return rate * min(1.0, (step + 1) / warm) * max(least, 0.5 * (1 + math.cos(math.pi * share)))


def descend(optimiser: torch.optim.Optimizer, learning: list[nn.Parameter], loss: torch.Tensor, *, rate: float) -> None:
    """Take one step down the loss, no steeper than gradients of norm 5."""
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(learning, 5.0)
    optimiser.step()


def remember(out: Path, data: list[Path], earlier: list[dict[str, Any]], **settings: Any) -> None:
    """Write beside the weights what they were trained with, after the runs that made those they began from."""
    ends = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    hours = sum(end.ru_utime + end.ru_stime for end in ends) / 7200
    run = {"data": [path.stem for path in data], **settings, "hours_on_two_cores": round(hours, 2)}
    out.with_suffix(".json").write_text(json.dumps([*earlier, run], indent=2) + "\n")
