"""Histories on disk for tests."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from tableside.adapters.sqlite_store import SqliteStore
from tableside.dice import Die, find_sets
from tableside.table import System, Table
from tableside.table.kept import Change
from tableside.table.messages import ChangeDestiny, Do, EnterRoll

SYSTEM = System(sets=find_sets(["narrative"]))


def written(path: Path, count: int) -> Path:
    """Write a history of so many changes: pools, and rolls of 1 to 20 dice. The same calls give the same changes."""
    table = Table(SYSTEM, SqliteStore(path), clock=lambda: 0.0)
    try:
        for number in range(1, count + 1):
            change_id = f"00000000-0000-0000-0000-{number:012}"
            if number % 2:
                table.ask(ChangeDestiny(id=change_id, at=float(number), do=Do.SET, light=number % 9, dark=number % 7))
            else:
                dice = (Die(type="ability", face=("success",)),) * (number % 20 + 1)
                table.ask(EnterRoll(id=change_id, at=float(number), dice=dice, label=f"Véx {number}"))
    finally:
        table.close()
    return path


def changes_of(path: Path) -> list[Change]:
    """Return the changes of a whole history."""
    store = SqliteStore(path, is_reader=True)
    try:
        return list(store.changes())
    finally:
        store.close()


def older(path: Path) -> Path:
    """Turn a history into what the version before wrote, which knew no checksums."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "DROP TRIGGER change_of_several_rolls; DROP TABLE also; DROP TRIGGER change_is_never_changed;"
            "ALTER TABLE change DROP COLUMN checksum; CREATE TRIGGER "
            "change_is_never_changed BEFORE UPDATE ON change BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;"
            "PRAGMA application_id = 0; PRAGMA user_version = 2; PRAGMA journal_mode = DELETE; VACUUM"
        )
    return path
