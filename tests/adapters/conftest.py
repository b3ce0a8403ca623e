"""What the tests of connections by HTTP share: a table, its marks, and a server that takes what it is sent."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tableside.adapters.connect import Outbox
from tableside.dice import find_sets
from tableside.table import MemoryStore, System, Table
from tests.fakes.http_sink import HttpSink

SYSTEM = System(sets=find_sets(["narrative", "pips"]))


@pytest.fixture
def table(undo: ExitStack) -> Table:
    table = Table(SYSTEM, MemoryStore())
    undo.callback(table.close)
    return table


@pytest.fixture
def outbox(tmp_path: Path, undo: ExitStack) -> Outbox:
    outbox = Outbox(tmp_path / "connections.sqlite")
    undo.callback(outbox.close)
    return outbox


@pytest.fixture
def sink(undo: ExitStack) -> HttpSink:
    sink = HttpSink()
    undo.callback(sink.close)
    return sink
