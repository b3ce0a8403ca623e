"""The training loop that both networks share: AdamW, a cosine that ends at nothing, bfloat16 where the machine has it."""

from __future__ import annotations

import json
import math
import resource
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import torch
from torch import nn

Parts = dict[str, torch.Tensor]


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
        if step >= (stop or steps):
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / warm) * max(0.005, 0.5 * (1 + math.cos(math.pi * step / steps)))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = net(x.to(memory_format=torch.channels_last))
        loss, parts = loss_of(output, *rest)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learning, 5.0)
        optimiser.step()
        for name, value in parts.items():
            running[name] = 0.98 * running.get(name, float(value.detach())) + 0.02 * float(value.detach())
        if step % 100 == 0:
            words = " ".join(f"{name} {value:.4f}" for name, value in running.items())
            print(f"{step}/{steps} {(time.time() - begin) / 60:.1f} min {words}", flush=True)
        if step % 500 == 499:
            torch.save(net.state_dict(), out)
    torch.save(net.state_dict(), out)


def remember(out: Path, data: list[Path], earlier: list[dict[str, Any]], **settings: Any) -> None:
    """Write beside the weights what they were trained with, after the runs that made those they began from."""
    ends = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    hours = sum(end.ru_utime + end.ru_stime for end in ends) / 7200
    run = {"data": [path.stem for path in data], **settings, "hours_on_two_cores": round(hours, 2)}
    out.with_suffix(".json").write_text(json.dumps([*earlier, run], indent=2) + "\n")
