"""A table of symbol and pip dice over a store in memory."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tableside.dice import find_sets
from tableside.table import MemoryStore, System, Table

SYSTEM = System(sets=find_sets(["narrative", "pips"]))


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def table(store: MemoryStore) -> Iterator[Table]:
    table = Table(SYSTEM, store)
    yield table
    table.close()
