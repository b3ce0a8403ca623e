"""The bench of the hall: what it measures is there."""

from __future__ import annotations

import pytest

from tests.fakes.mosquitto import need_mosquitto
from tools.bench.__main__ import main
from tools.bench.hall import bench_hall, own_broker


@pytest.mark.slow
def test_a_few_tables_are_all_heard() -> None:
    need_mosquitto()
    with own_broker() as address:
        found = bench_hall(address, tables=4, displays=2, seconds=2, every=1)
    assert found["complete"]
    assert found["rolls"] > 3
    assert found["delay_ms_p95"] > 0


def test_a_broker_that_is_no_address_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hall", "--broker", "nowhere"]) == 2
    assert "HOST:PORT" in capsys.readouterr().err
