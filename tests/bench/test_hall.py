"""The bench of the hall: what it measures is there, and 50 tables keep within their limits."""

from __future__ import annotations

import json

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
    assert found["delay_ms_p95"] < 5000


@pytest.mark.slow
def test_fifty_tables_are_on_the_displays_within_half_a_second() -> None:
    need_mosquitto()
    with own_broker() as address:
        found = bench_hall(address, tables=50, displays=3, seconds=20, every=5)
    print(json.dumps(found))
    assert found["complete"]
    assert found["delay_ms_p95"] <= 500
    assert found["hall_percent_of_a_core"] < 100


def test_a_broker_that_is_no_address_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hall", "--broker", "nowhere"]) == 2
    assert "HOST:PORT" in capsys.readouterr().err
