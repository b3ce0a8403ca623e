"""The bench of the live tray counts every throw, and no result before the dwell is over."""

from __future__ import annotations

import pytest

from tableside.dice import Reading
from tableside.reader.photo import Picture
from tests.fakes.tray import DrawnReader, draw_tray
from tools.bench.watch import bench_idle

DICE = draw_tray(("green", 100, 100), ("yellow", 200, 150))
DOUBTFUL = draw_tray(("green", 100, 100), ("doubtful", 200, 150))


class WorkingReader(DrawnReader):
    """Each reading is 100 ms of work, and nothing else is any."""

    worked = 0.0

    def read(self, picture: Picture, decode_ms: float = 0.0) -> Reading:
        self.worked += 0.1
        return super().read(picture, decode_ms)


@pytest.mark.slow
@pytest.mark.parametrize("rest", [DICE, DOUBTFUL], ids=["sure", "in doubt"])
def test_a_result_waits_for_the_dwell_and_for_no_reading(rest: Picture) -> None:
    reader = WorkingReader()
    found = bench_idle(reader, draw_tray(), rest, throws=1, clock=lambda: reader.worked)
    assert found["complete"]
    assert found["baseline_ms"] == 100
    assert 0 <= found["ms_median"] < found["baseline_ms"]
