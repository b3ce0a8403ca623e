"""Networks are rewritten before they ship: what they say stays the same."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime.quantization")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from models.train.quantise import join_relus, take_levels  # noqa: E402
from tableside.reader.network import planes_of  # noqa: E402


def run(model: onnx.ModelProto, x: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"input": x})[0])


def model(*nodes: onnx.NodeProto, **weights: np.ndarray) -> onnx.ModelProto:
    shape = ["n", 3, "h", "w"]
    graph = helper.make_graph(
        list(nodes),
        "net",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def constant(name: str, value: float) -> onnx.NodeProto:
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.float32(value)))


def conv() -> tuple[onnx.NodeProto, np.ndarray]:
    weight = np.random.default_rng(4).normal(0, 1, (5, 3, 3, 3)).astype(np.float32)
    return helper.make_node("Conv", ["x", "weight"], ["seen"], pads=[1, 1, 1, 1]), weight


def test_a_network_takes_pixels_as_the_reader_writes_them_and_says_the_same() -> None:
    node, weight = conv()
    less = helper.make_node("Sub", ["input", "offset"], ["less"])
    times = helper.make_node("Mul", ["less", "factor"], ["x"])
    end = helper.make_node("Relu", ["seen"], ["out"])
    net = model(constant("offset", 0.45), constant("factor", 4.0), less, times, node, end, weight=weight)
    picture = np.random.default_rng(5).integers(0, 256, (12, 16, 3), np.uint8)
    shares = (picture.transpose(2, 0, 1)[None] / 255).astype(np.float32)
    before = run(net, shares)
    take_levels(net)
    planes = np.empty((1, 3, 12, 16), np.float32)
    planes_of(picture, planes[0])
    assert run(net, planes) == pytest.approx(before, abs=1e-4)
    with pytest.raises(KeyError):
        take_levels(net)


def test_a_rectifier_after_a_convolution_in_8_bits_is_its_lower_bound() -> None:
    node, weight = conv()
    x = np.random.default_rng(6).normal(0, 1, (1, 3, 12, 16)).astype(np.float32)
    node.input[0] = "input"
    nodes = [
        node,
        helper.make_node("QuantizeLinear", ["seen", "wide", "middle"], ["a"]),
        helper.make_node("DequantizeLinear", ["a", "wide", "middle"], ["b"]),
        helper.make_node("Relu", ["b"], ["c"]),
        helper.make_node("QuantizeLinear", ["c", "fine", "zero"], ["d"]),
        helper.make_node("DequantizeLinear", ["d", "fine", "zero"], ["out"]),
    ]
    whole = np.maximum(run(model(node, helper.make_node("Identity", ["seen"], ["out"]), weight=weight), x), 0)
    most = float(whole.max())
    net = model(
        *nodes, weight=weight, wide=np.float32(2 * most / 255), middle=np.uint8(128), fine=np.float32(most / 255),
        zero=np.uint8(0),
    )  # fmt: skip
    coarse = np.abs(run(net, x) - whole).mean()
    join_relus(net)
    assert [one.op_type for one in net.graph.node] == ["Conv", "QuantizeLinear", "DequantizeLinear"]
    assert np.abs(run(net, x) - whole).mean() < 0.6 * coarse
