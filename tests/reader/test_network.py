"""Networks run on as many threads as OpenCV may use, and say the same on one as on two."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from tableside import paths
from tableside.reader.network import Network


@pytest.fixture
def threads() -> Iterator[None]:
    had = cv2.getNumThreads()
    yield
    cv2.setNumThreads(had)


@pytest.mark.usefixtures("threads")
def test_a_change_of_threads_is_followed_and_changes_no_answer() -> None:
    cv2.setNumThreads(2)
    network = Network(paths.models_folder(), "classifier")
    size = int(network.card["input_px"])
    views = np.random.default_rng(3).random((3, 3, size, size), np.float32)
    on_two = network.run(views)
    assert network.threads == 2

    cv2.setNumThreads(1)
    on_one = network.run(views)
    assert network.threads == 1
    for one, two in zip(on_one, on_two, strict=True):
        assert one == pytest.approx(two, abs=1e-4)
