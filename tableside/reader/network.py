"""Networks stored as ONNX and run by ONNX Runtime, on as many threads as OpenCV may use."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime

from tableside.errors import ModelError
from tableside.reader.photo import Picture

MIDDLE_LEVEL = 0.45 * 255
"""Pixels enter a network less this, so that what lies beyond a picture's edge, 0, is a middling grey."""


def planes_of(picture: Picture, out: npt.NDArray[np.float32]) -> None:
    """Write a (h, w, 3) picture as planes, (3, h, w), as networks take them."""
    np.subtract(picture.transpose(2, 0, 1), np.float32(MIDDLE_LEVEL), out=out)


@cache
def _share_memory() -> None:
    """Let all networks of this process take their memory from one pool: they run one after another."""
    memory = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    onnxruntime.create_and_register_allocator(memory, None)


class Network:
    """One ONNX network with its card. Not safe for use by two threads at once.

    :param folder: holds ``NAME.onnx`` and its card ``NAME.json``.
    :ivar threads: that it runs on; OpenCV's number at the time of the last picture.
    :raises ModelError: when a file is missing or does not match the card's SHA-256.
    """

    def __init__(self, folder: Path, name: str) -> None:
        path, card_path = folder / f"{name}.onnx", folder / f"{name}.json"
        hint = "Install tableside again."
        try:
            data = path.read_bytes()
            self.card: dict[str, Any] = json.loads(card_path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"the {name} network cannot be read", where=str(path), hint=hint) from error
        if hashlib.sha256(data).hexdigest() != self.card.get("sha256"):
            raise ModelError(f"the {name} network is not the one its card names", where=str(path), hint=hint)
        self._path = path
        self._open()
        self._outputs: Sequence[str] = self.card["outputs"]

    def _open(self) -> None:
        _share_memory()
        options = onnxruntime.SessionOptions()
        self.threads = options.intra_op_num_threads = cv2.getNumThreads()
        # between two pictures the threads sleep
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_session_config_entry("session.use_env_allocators", "1")
        # by its path, since the session would keep bytes that it is given
        self._session = onnxruntime.InferenceSession(str(self._path), options, providers=["CPUExecutionProvider"])

    def run(self, blob: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        """Return the outputs that the card lists, for an (n, planes, h, w) input; see :func:`planes_of`."""
        if self.threads != cv2.getNumThreads():
            self._open()
        return [np.asarray(out, np.float32) for out in self._session.run(self._outputs, {"input": blob})]
