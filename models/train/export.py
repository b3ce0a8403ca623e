"""Write trained networks as ONNX with their cards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.utils.data import Dataset

from models.train.classifier import INPUT, REACH, SHARPNESS, STRANGE, Classifier, Crops
from models.train.labels import FACES, RAYS, SET_OF, TYPES, UNKNOWN
from models.train.locator import LARGEST, SMALLEST, STRIDE, Patches
from models.train.place import INPUT as PLACE_INPUT
from models.train.place import OUTPUTS, PLANES, WIDE, Views
from models.train.quantise import quantise, take_levels

_SEEN, _BATCH, _SEED = 30, 20, 61
_FIRST = r"/(body/)?body\.0/"
_SUMS = r"/s4/s4\.0/|/mix|/up16|/head"  # in 8 bits the last of these make places three times as bad
_PLACES = rf"{_FIRST}|/body\.6/|/touch/|/tilt/"  # written in 8 bits, these made places a quarter worse
_LARGE, _VAST = 20_000, 200_000  # numbers that are stored in 16 bits, and in 8


class Bare(nn.Module):
    """The classifier without its prototypes, which are data: (n, 3, INPUT, INPUT) -> embedding, side."""

    def __init__(self, net: Classifier) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.net.told(x)


def save(
    net: nn.Module,
    sample: torch.Tensor,
    path: Path,
    outputs: list[str],
    card: dict[str, object],
    seen: Iterable[np.ndarray] | None = None,
    exact: str = _FIRST,
) -> None:
    """Export one network and write its card.

    :param seen: batches of inputs; where they are given, the network is written in 8 bits.
    :param exact: which of its convolutions are not, as :func:`models.train.quantise.quantise` takes it.
    """
    net.eval()
    axes = {"input": {0: "n", 2: "h", 3: "w"}} if outputs == ["map"] else {"input": {0: "n"}}
    torch.onnx.export(
        net,
        (sample,),
        str(path),
        input_names=["input"],
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    if seen is not None:
        quantise(path, seen, exact)
    model = onnx.load(path)
    take_levels(model)
    onnx.save(model, path)
    shrink(path)
    card |= {"outputs": outputs, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    path.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")


def shrink(path: Path) -> None:
    """Store large weights as 16-bit floats, and the largest in 8 bits with a scale for each row.

    Each is brought back to 32 bits by nodes that are folded on loading.
    """
    model = onnx.load(path)
    graph = model.graph
    for weight in [w for w in graph.initializer if w.data_type == onnx.TensorProto.FLOAT and np.prod(w.dims) >= _LARGE]:
        values, stored, scaled = numpy_helper.to_array(weight), f"{weight.name}.stored", f"{weight.name}.scale"
        if values.size < _VAST:
            parts = [numpy_helper.from_array(values.astype(np.float16), stored)]
            nodes = [onnx.helper.make_node("Cast", [stored], [weight.name], to=onnx.TensorProto.FLOAT)]
        else:
            scale = np.abs(values).max(tuple(range(1, values.ndim)), keepdims=True) / 127
            whole = f"{weight.name}.whole"
            parts = [
                numpy_helper.from_array(np.round(values / scale).astype(np.int8), stored),
                numpy_helper.from_array(scale, scaled),
            ]
            nodes = [
                onnx.helper.make_node("Cast", [stored], [whole], to=onnx.TensorProto.FLOAT),
                onnx.helper.make_node("Mul", [whole, scaled], [weight.name]),
            ]
        graph.initializer.remove(weight)
        graph.initializer.extend(parts)
        for node in reversed(nodes):
            graph.node.insert(0, node)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def views(pictures: Dataset) -> Iterator[np.ndarray]:
    """Yield batches of these views."""
    for first in range(0, _SEEN * _BATCH, _BATCH):
        yield np.stack([pictures[i][0] for i in range(first, first + _BATCH)])


def export(
    name: str, net: nn.Module, weights: Path, folder: Path, lessons: list[Path], trained: dict[str, Any]
) -> None:
    """Write one of the networks into the folder, with its card.

    :param net: that takes those weights.
    :param lessons: what the ranges of its 8-bit sums are taken from: folders of scenes for the locator, else crops.
    :param trained: what the card says of its training.
    """
    path, said = folder / f"{name}.onnx", {"trained": [trained], "types": list(TYPES)}
    net.load_state_dict(torch.load(weights))
    if name == "locator":
        card: dict[str, object] = {"stride": STRIDE, "rays": RAYS, "radius_px": [SMALLEST, LARGEST]}
        seen = views(Patches(lessons, _SEEN * _BATCH, _SEED, wear=(0.5, 0.5)))
        save(net, torch.zeros(1, 3, 256, 320), path, ["map"], card | said, seen=seen, exact=_SUMS)
    elif name == "place":
        card = {"input_px": PLACE_INPUT, "planes": PLANES, "reach": WIDE, "says": list(OUTPUTS)}
        seen = views(Views(lessons, _SEEN * _BATCH, _SEED, wear=(0.5, 0.5)))
        sample = torch.zeros(2, len(PLANES), PLACE_INPUT, PLACE_INPUT)
        save(net, sample, path, ["place"], card | said, seen=seen, exact=_PLACES)
    else:
        assert isinstance(net, Classifier)
        card = {
            "input_px": INPUT, "reach": REACH, "set_of_type": SET_OF, "sharpness": SHARPNESS, "strange": STRANGE
        }  # fmt: skip
        seen = views(Crops(lessons, None, steps=_SEEN, batch=_BATCH, pairs=0, seed=_SEED))
        save(Bare(net), torch.zeros(2, 3, INPUT, INPUT), path, ["embedding", "side"], card | said, seen=seen)
        vectors = net.prototypes.detach().numpy().astype(np.float16)
        np.savez(
            folder / "prototypes.npz",
            vectors=vectors[:UNKNOWN],
            sets=np.array([of for of, _ in FACES[:UNKNOWN]]),
            faces=np.array(["+".join(face) for _, face in FACES[:UNKNOWN]]),
        )
