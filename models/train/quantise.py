"""Write an exported network's convolutions in 8 bits: on one thread it runs two to three times as fast, in less space.

The first, which sees the picture itself, and those that say places to a hundredth of a die stay as they are. Weights take
7 bits, so that sums do not overflow on processors without 8-bit dot products: answers are the same on all. What a
network takes for granted of its input is put into its first weights.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from tableside.reader.network import MIDDLE_LEVEL

LAYERS = ("Conv", "Gemm")
ORDER = "layers"
"""Under this name the file keeps the names of its layers in the order in which the network defines them."""


class _Seen(CalibrationDataReader):
    def __init__(self, batches: Iterable[np.ndarray]) -> None:
        self._batches = iter(batches)

    def get_next(self) -> dict[str, np.ndarray] | None:
        batch = next(self._batches, None)
        return None if batch is None else {"input": batch}


def quantise(path: Path, batches: Iterable[np.ndarray], exact: str) -> None:
    """Replace the 32-bit network by its 8-bit form.

    :param batches: inputs as at the table. A layer's range is the moving average of the extremes of each batch.
    :param exact: a regular expression; the convolutions whose names begin so stay as they are.
    :raises ValueError: when none does: not even the first.
    """
    model = onnx.load(path)
    order = [node.name for node in model.graph.node if node.op_type in LAYERS]
    kept = [node.name for node in model.graph.node if node.op_type == "Conv" and re.match(exact, node.name)]
    if not kept:
        raise ValueError(f"{path} has no convolution named {exact}: its layers are called otherwise now.")
    quantize_static(
        model,
        str(path),
        _Seen(batches),
        quant_format=QuantFormat.QDQ,
        op_types_to_quantize=["Conv"],
        nodes_to_exclude=kept,
        per_channel=True,
        reduce_range=True,
        activation_type=QuantType.QUInt8,
        weight_type=QuantType.QInt8,
        extra_options={"CalibMovingAverage": True},
    )
    model = onnx.load(path)
    join_relus(model)
    onnx.helper.set_model_props(model, {ORDER: " ".join(order)})
    onnx.save(model, path)


def join_relus(model: onnx.ModelProto) -> None:
    """Let convolutions end at 0 where a rectifier follows, in place of writing in 8 bits what that cuts off."""
    graph = model.graph
    made = {name: node for node in graph.node for name in node.output}
    for relu in [node for node in graph.node if node.op_type == "Relu"]:
        users = [node for node in graph.node if relu.output[0] in node.input]
        back = made.get(relu.input[0])
        if not back or back.op_type != "DequantizeLinear" or any(one.op_type != "QuantizeLinear" for one in users):
            continue
        into = made[back.input[0]]
        if made[into.input[0]].op_type == "Conv":
            for one in users:
                one.input[0] = into.input[0]
            for node in (into, back, relu):
                graph.node.remove(node)
    used = {name for node in graph.node for name in node.input}
    for weight in [one for one in graph.initializer if one.name not in used]:
        graph.initializer.remove(weight)


def take_levels(model: onnx.ModelProto) -> None:
    """Let a network whose first nodes are (x - offset) * factor take pixels as :func:`tableside.reader.network.planes_of` writes them.

    :raises ValueError: when its first convolution follows anything else.
    """
    graph = model.graph
    made = {name: node for node in graph.node for name in node.output}
    first = next(node for node in graph.node if node.op_type == "Conv")
    times = made[first.input[0]]
    less = made[times.input[0]]
    offset, factor = (numpy_helper.to_array(made[node.input[1]].attribute[0].t) for node in (less, times))
    if (less.op_type, times.op_type) != ("Sub", "Mul") or abs(offset * 255 - MIDDLE_LEVEL) > 1e-3:
        raise ValueError("The network does not begin as (x - 0.45) * factor.")
    weight = next(one for one in graph.initializer if one.name == first.input[1])
    weight.CopyFrom(
        numpy_helper.from_array((numpy_helper.to_array(weight) * factor / 255).astype(np.float32), weight.name)
    )
    first.input[0] = less.input[0]
    for node in (less, times, made[less.input[1]], made[times.input[1]]):
        graph.node.remove(node)
