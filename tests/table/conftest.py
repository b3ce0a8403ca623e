"""The table of these tests is played at by a method a message."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from tableside.table import MemoryStore
from tests.conftest import SYSTEM
from tests.table.played import Played


@pytest.fixture
def table(store: MemoryStore, undo: ExitStack) -> Played:
    table = Played(SYSTEM, store)
    undo.callback(table.close)
    return table
