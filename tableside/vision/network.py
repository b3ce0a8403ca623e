"""Networks stored as ONNX and run by ``cv2.dnn``."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from tableside.errors import ModelError


class Network:
    """One ONNX network with its card. Not safe for use by two threads at once.

    :param folder: holds ``NAME.onnx`` and its card ``NAME.json``.
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
        engine = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
        buffer = np.frombuffer(data, np.uint8)
        # OpenCV 5's new engine runs twice the instructions of the classic one on small networks
        self._net = (
            cv2.dnn.readNetFromONNX(buffer) if engine is None else cv2.dnn.readNetFromONNX(buffer, engine=engine)
        )
        self._outputs: Sequence[str] = self.card["outputs"]

    def run(self, blob: npt.NDArray[np.float32]) -> list[npt.NDArray[np.float32]]:
        """Return the outputs that the card lists, for an (n, 3, h, w) input in 0..1."""
        self._net.setInput(blob)
        return [np.asarray(out, np.float32) for out in self._net.forward(list(self._outputs))]
