"""What ``python -m tools.bench reading`` tells, and that its bar is of YOLOv8n's size."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

pytest.importorskip("onnx", reason="needs the drawing extra")

from tools.bench import reading
from tools.bench.__main__ import main


def test_every_picture_is_timed_against_the_bar(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    threads = cv2.getNumThreads()
    try:
        assert main(["reading", "--times", "1", "--shared", str(tmp_path), "--json"]) == 0
    finally:
        cv2.setNumThreads(threads)
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["dice"] for one in found] == [8, 3, 8, 8, 0, 8]
    assert all(one["alone"] == pytest.approx(one["alone_ms"] / one["bar_ms"], rel=0.1) for one in found)
    assert len({one["bar_ms"] for one in found}) == 1


def test_the_bar_has_the_weights_of_yolov8n() -> None:
    network = reading._Yolo()
    assert network.session().get_outputs()[0].shape == [1, 144, 8400]
    weights = sum(len(one.raw_data) // 4 for one in network._weights if len(one.dims) in {1, 4} and one.data_type == 1)
    assert weights == pytest.approx(3_151_904, rel=0.01)  # which Ultralytics counts
