"""The bench of the live tray counts every throw, and no result before the dwell is over."""

from __future__ import annotations

import pytest

from tableside.app.bench_watch import bench_idle
from tests.fakes.tray import DrawnReader, draw_tray

DICE = draw_tray(("green", 100, 100), ("yellow", 200, 150))
DOUBTFUL = draw_tray(("green", 100, 100), ("doubtful", 200, 150))


@pytest.mark.parametrize(("has_doubts", "readings"), [(False, 1), (True, 4)], ids=["sure", "in doubt"])
def test_a_result_waits_for_the_dwell_and_not_for_all_its_readings(has_doubts: bool, readings: int) -> None:
    found = bench_idle(DrawnReader(), draw_tray(), DOUBTFUL if has_doubts else DICE, throws=1, has_doubts=has_doubts)
    assert found["complete"]
    assert 0 <= found["ms_median"] < readings * found["baseline_ms"]
