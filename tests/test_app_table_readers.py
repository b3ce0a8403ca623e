"""What a table reads by: sets on request where its settings name them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tableside.app.readers import usable_sets
from tableside.app.table_readers import TableReaders
from tableside.table import MemoryStore, System, Table


@pytest.mark.parametrize("named", [(), ("polyhedral",), ("polyhedral", "percentile")])
def test_a_table_knows_numbered_dice_where_its_settings_name_them_also_once_others_were_taught(
    named: tuple[str, ...], tmp_path: Path
) -> None:
    sets = usable_sets((), tmp_path, besides=named)
    with closing(Table(System(sets=sets), MemoryStore())) as table:
        readers = TableReaders(table, named=named, data=tmp_path, say_wrong=lambda _: None)
        for _ in range(2):
            known = [one.name for one in table.system.sets]
            assert ("polyhedral" in known) is bool(named)
            assert {"narrative", "percentile", "pips"} <= set(known)
            assert [one.name for one in readers.sets()] == list(named or known)
            readers.know_taught_dice()
