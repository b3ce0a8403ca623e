"""Take up training where a network left off: from a run's ``.pt`` file, or from a network as it was exported.

An exported network has its batch norms folded into its convolutions. They are unfolded again by measuring, so that
training goes on from the same answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from models.train.quantise import LAYERS, ORDER

_MEASURED = 24  # batches


def resume(net: nn.Module, path: Path, batches: Iterable[torch.Tensor], *, fresh: str = "") -> list[dict[str, Any]]:
    """Set the net's weights to those of ``path``, and return the runs that made them.

    :param batches: inputs as in training, of which some are taken to measure an exported network's batch norms.
    :param fresh: the name of the net's last part, where ``path`` is older than that and it is to begin anew.
    :raises ValueError: when the network is of another shape; a narrower one's weights from a run are made wider.
    """
    if path.suffix != ".onnx":
        old = torch.load(path)
        own = {name: weight for name, weight in net.state_dict().items() if belongs_to(name, fresh)}
        net.load_state_dict(grown(own | old, net.state_dict()))
        return list(json.loads(path.with_suffix(".json").read_text()))
    _fill(net, path, fresh)
    _unfold(net, batches)
    return list(json.loads(path.with_suffix(".json").read_text()).get("trained", []))


def belongs_to(name: str, part: str) -> bool:
    """Return whether a layer or weight of that name is the network's part of that name, or in it; none is in no part."""
    return bool(part) and f"{name}.".startswith(f"{part}.")


def grown(old: dict[str, torch.Tensor], new: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return a wider network's weights that answer as the narrower one's do.

    The old channels come first and hear nothing of the new ones, which begin as ``new`` has them.
    """
    wide = {}
    for name, fresh in new.items():
        was, wide[name] = old[name], fresh.clone()
        if any(a > b for a, b in zip(was.shape, fresh.shape, strict=True)):
            raise ValueError(f"{name} is {tuple(was.shape)}, more than {tuple(fresh.shape)}: choose a wider network.")
        if was.dim() > 1:
            wide[name][: was.shape[0]] = 0
        wide[name][tuple(slice(0, n) for n in was.shape)] = was
    return wide


def _fill(net: nn.Module, path: Path, fresh: str) -> None:
    """Copy the exported weights; layers stand in the file in the order in which the net defines them."""
    model = onnx.load(path)
    graph = model.graph
    known = {w.name: numpy_helper.to_array(w).astype(np.float32) for w in graph.initializer}
    known |= {node.output[0]: known[node.input[0]] for node in graph.node if node.op_type == "Cast"}
    for node in graph.node:
        # stored in 8 bits, each row's scale apart
        if node.op_type == "Mul" and all(name in known for name in node.input):
            known[node.output[0]] = known[node.input[0]] * known[node.input[1]]
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in known:
            known[node.output[0]] = _widened(*(known[name] for name in node.input))
    stored = [node for node in graph.node if node.op_type in LAYERS]
    order = {prop.key: prop.value.split() for prop in model.metadata_props}.get(ORDER)
    if order:  # an 8-bit network's layers are sorted otherwise
        stored.sort(key=lambda node: order.index(node.name))
    layers = [
        layer
        for name, layer in net.named_modules()
        if isinstance(layer, nn.Conv2d | nn.Linear) and not belongs_to(name, fresh)
    ]
    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    if len(stored) != len(layers):
        raise ValueError(f"{path} has {len(stored)} layers with weights; the network to train has {len(layers)}.")
    folded = iter(norms)
    for node, layer in zip(stored, layers, strict=True):
        weight, bias = (torch.from_numpy(known[name].copy()) for name in node.input[1:3])
        if weight.shape != layer.weight.shape:
            raise ValueError(f"{path}: {node.name} is {tuple(weight.shape)}, and not {tuple(layer.weight.shape)}.")
        layer.weight.data.copy_(weight)
        if layer.bias is not None:
            layer.bias.data.copy_(bias)
        else:
            norm = next(folded)
            norm.weight.data.fill_(1.0)
            norm.bias.data.copy_(bias)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0 - norm.eps)
    prototypes = path.parent / "prototypes.npz"
    if hasattr(net, "prototypes") and prototypes.exists():
        vectors = torch.from_numpy(np.load(prototypes)["vectors"].astype(np.float32))
        net.prototypes.data[: len(vectors)] = vectors


def _widened(whole: np.ndarray, scale: np.ndarray, zero: np.ndarray | None = None) -> np.ndarray:
    """Return an 8-bit layer's weights as floats; each output channel has its own scale, or all have one."""
    shape = (-1, *[1] * (whole.ndim - 1)) if scale.size > 1 else ()
    return (whole - (0 if zero is None else zero.reshape(shape))) * scale.reshape(shape)


def _unfold(net: nn.Module, batches: Iterable[torch.Tensor]) -> None:
    """Give each batch norm the mean and deviation that it sees, with a scale and shift that leave the answers alone."""
    sums: dict[nn.BatchNorm2d, list[torch.Tensor]] = {}

    def watch(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor]) -> None:
        x = inputs[0].double()
        sums.setdefault(norm, []).append(torch.stack([x.mean((0, 2, 3)), (x**2).mean((0, 2, 3))]))

    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(watch) for norm in norms]
    net.eval()
    with torch.no_grad():
        for number, batch in enumerate(batches):
            net(batch)
            if number + 1 >= _MEASURED:
                break
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, square = torch.stack(sums[norm]).mean(0).float()
        variance = (square - mean**2).clamp(min=1e-6)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.bias.data += mean
        norm.weight.data.copy_((variance + norm.eps).sqrt())
