"""What one reading costs, in passes of a network of YOLOv8n's shape: the bars of tools/bench/README.md."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnxruntime
from onnx import NodeProto, TensorProto, helper, numpy_helper

from models.labelled import read_label
from models.worse import far
from tableside import paths
from tableside.app.readers import Reads, installed_sets, open_reader
from tableside.reader.photo import Picture, load_photo

OWN_PHOTOS = Path(__file__).parents[2] / "tests" / "photos"
EIGHT, THREE = "pips/IMG_20191208_112942", "phone/dice54"
_SMALL = (50, 70)  # such a part of the width is a die, by the mean of its outline's width and height
_WIDTH, _HEIGHT, _MEGAPIXELS_12 = 1280, 960, (4000, 3000)
_SIDE = 640  # px, of what the network sees


class _Yolo:
    """The layers of YOLOv8n (Ultralytics, ``yolov8.yaml`` at scale n) with random weights; batch norms are folded in.

    Its head ends where boxes would be decoded, which costs next to nothing.
    """

    def __init__(self) -> None:
        self._nodes: list[NodeProto] = []
        self._weights: list[TensorProto] = []
        self._channels = {"input": 3}
        self._random = np.random.default_rng(0)

    def session(self) -> onnxruntime.InferenceSession:
        """Return the network, on one thread, from "input" of 1 x 3 x 640 x 640 to 1 x 144 x 8400 numbers."""
        x = self._conv(self._conv("input", 16, 3, 2), 32, 3, 2)
        levels = []
        for channels, blocks in ((32, 1), (64, 2), (128, 2), (256, 1)):
            x = self._c2f(x if channels == 32 else self._conv(x, channels, 3, 2), channels, blocks, adds=True)
            levels.append(x)
        _, third, fourth, fifth = levels
        pools = [self._conv(fifth, 128)]
        for _ in range(3):
            pools.append(self._add("MaxPool", pools[-1:], 128, kernel_shape=[5, 5], pads=[2] * 4))
        fifth = self._conv(self._join(*pools), 256)
        fourth = self._c2f(self._join(self._twice(fifth), fourth), 128)
        third = self._c2f(self._join(self._twice(fourth), third), 64)
        fourth = self._c2f(self._join(self._conv(third, 64, 3, 2), fourth), 128)
        fifth = self._c2f(self._join(self._conv(fourth, 128, 3, 2), fifth), 256)
        flat = [self._head(level, _SIDE // stride) for level, stride in ((third, 8), (fourth, 16), (fifth, 32))]
        self._nodes.append(helper.make_node("Concat", flat, ["output"], axis=2))
        ends = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in (("input", [1, 3, _SIDE, _SIDE]), ("output", [1, 144, 8400]))
        ]
        graph = helper.make_graph(self._nodes, "yolov8n", ends[:1], ends[1:], self._weights)
        opsets = [helper.make_opsetid("", 17)]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def _add(self, kind: str, inputs: list[str], channels: int, **attributes: Any) -> str:
        name = f"x{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        self._channels[name] = channels
        return name

    def _weight(self, values: np.ndarray) -> str:
        name = f"w{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(values, name))
        return name

    def _conv(self, x: str, channels: int, size: int = 1, stride: int = 1, *, is_last: bool = False) -> str:
        shape = (channels, self._channels[x], size, size)
        weights = self._random.normal(0, math.sqrt(2 / math.prod(shape[1:])), shape).astype(np.float32)
        inputs = [x, self._weight(weights), self._weight(np.zeros(channels, np.float32))]
        pads = [size // 2] * 4
        y = self._add("Conv", inputs, channels, kernel_shape=[size, size], strides=[stride, stride], pads=pads)
        return y if is_last else self._add("Mul", [y, self._add("Sigmoid", [y], channels)], channels)

    def _join(self, *parts: str) -> str:
        return self._add("Concat", list(parts), sum(self._channels[part] for part in parts), axis=1)

    def _twice(self, x: str) -> str:
        scales = self._weight(np.array([1, 1, 2, 2], np.float32))
        return self._add("Resize", [x, "", scales], self._channels[x], mode="nearest")

    def _c2f(self, x: str, channels: int, blocks: int = 1, *, adds: bool = False) -> str:
        half = channels // 2
        whole, parts = self._conv(x, channels), [f"x{len(self._nodes)}{side}" for side in "ab"]
        self._nodes.append(helper.make_node("Split", [whole], parts, axis=1))
        self._channels |= dict.fromkeys(parts, half)
        for _ in range(blocks):
            y = self._conv(self._conv(parts[-1], half, 3), half, 3)
            parts.append(self._add("Add", [parts[-1], y], half) if adds else y)
        return self._conv(self._join(*parts), channels)

    def _head(self, x: str, side: int) -> str:
        both = (
            self._conv(self._conv(self._conv(x, wide, 3), wide, 3), wide, is_last=True) for wide in (64, 80)
        )  # boxes, classes
        shape = self._weight(np.array([1, 144, side * side], np.int64))
        return self._add("Reshape", [self._join(*both), shape], 144)


def bench_reading(photos: Path, times: int) -> Iterator[dict[str, Any]]:
    """Time readings alone and at a set-up table, in turn with a pass of the network, on OpenCV's number of threads.

    :param photos: holds ``pips`` and ``phone`` as ``tests/photos`` does.
    :param times: each is read so often; the least processor time counts.
    """
    network = _Yolo().session()
    inputs = {"input": np.random.default_rng(0).random((1, 3, _SIDE, _SIDE), np.float32)}
    cases = [(name, picture, opened(), opened(True)) for name, picture, opened in _cases(photos)]
    least: dict[str, float] = {}
    dice: dict[str, int] = {}

    def take(name: str, act: Callable[[], object]) -> None:
        begin = time.process_time()
        act()
        least[name] = min(least.get(name, math.inf), time.process_time() - begin)

    filled = cases[0][1]
    for name, picture, alone, table in cases:
        table.read(filled if name.startswith("an empty") else picture)  # a table that has seen dice
        dice[name] = len(alone.read(picture).dice)
    for _ in range(times):
        for name, picture, alone, table in cases:
            take("bar", partial(network.run, None, inputs))
            take(f"{name}, alone", partial(alone.read, picture))
            take(f"{name}, table", partial(table.read, picture))
    for name, picture, *_ in cases:
        once, again = (least[f"{name}, {how}"] for how in ("alone", "table"))
        yield {
            "picture": name,
            "size": [picture.shape[1], picture.shape[0]],
            "dice": dice[name],
            "alone": round(once / least["bar"], 3),
            "set_up": round(again / least["bar"], 3),
            "alone_ms": round(once * 1000, 1),
            "set_up_ms": round(again * 1000, 1),
            "bar_ms": round(least["bar"] * 1000, 1),
        }


def _cases(photos: Path) -> Iterator[tuple[str, Picture, Callable[..., Reads]]]:
    def symbols(is_table: bool = False) -> Reads:
        return open_reader(installed_sets(["narrative"], Path("no-data")), camera_stays=is_table)

    def pips(is_table: bool = False) -> Reads:
        sets = [one.without_variants() for one in installed_sets(["pips"], Path("no-data"))]
        return open_reader(sets, camera_stays=is_table)

    samples = paths.samples_folder()
    labels = (read_label(path) for path in sorted(samples.glob("roll-*.json")))
    eight = load_photo(next(label.picture for label in labels if len(label.dice) == 8))
    yield "8 symbol dice", eight, symbols
    yield "three pip dice", load_photo(photos / f"{THREE}.jpg"), pips
    for part in _SMALL:
        yield f"eight pip dice, 1/{part} of the width", _small(photos / f"{EIGHT}.json", part), pips
    yield "an empty tray", load_photo(samples / "empty.jpg"), symbols
    large = np.asarray(cv2.resize(eight, _MEGAPIXELS_12, interpolation=cv2.INTER_CUBIC), np.uint8)
    yield "8 symbol dice, 12 megapixels", large, symbols


def _small(path: Path, part: int) -> Picture:
    """Return the picture with bare table around it, so wide that a die takes such a part of its width."""
    label = read_label(path)
    picture = load_photo(label.picture)
    die = float(np.mean([np.ptp(np.array(one.outline), axis=0).mean() for one in label.dice]))
    ((_, wide),) = far(label, picture, np.random.default_rng(0), width=die * part / picture.shape[1])
    whole = cv2.resize(wide, (_WIDTH, round(wide.shape[0] * _WIDTH / wide.shape[1])), interpolation=cv2.INTER_AREA)
    above = (len(whole) - _HEIGHT) // 2
    return np.ascontiguousarray(whole[above : above + _HEIGHT], np.uint8)
