"""The history in SQLite: on disk before it is acknowledged, append-only, never harmed by what it does not know."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tableside.adapters.store import SCHEMA_VERSION, SqliteStore
from tableside.dice import Die, find_sets
from tableside.errors import StoreError
from tableside.table import System, Table
from tableside.table.messages import ChangeDestiny, Do, EnterRoll

SYSTEM = System(sets=find_sets(["narrative"]))

WRITER = """
import sys, uuid
from pathlib import Path
from tableside.adapters.store import SqliteStore
from tableside.dice import find_sets
from tableside.table import System, Table
from tableside.table.messages import ChangeDestiny, Do
table = Table(System(sets=find_sets(["narrative"])), SqliteStore(Path(sys.argv[1])))
for light in range(1, 90):
    table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=light, dark=0))
    print(light, flush=True)
"""


def filled(path: Path) -> None:
    table = Table(SYSTEM, SqliteStore(path))
    table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=2, dark=3))
    table.ask(EnterRoll(id=str(uuid.uuid4()), at=2.0, dice=(Die(type="ability", face=("success",)),), label="Vex"))
    table.close()


def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    filled(tmp_path / "table.sqlite")
    table = Table(SYSTEM, SqliteStore(tmp_path / "table.sqlite"))
    try:
        assert (table.state.destiny.light, table.state.destiny.dark) == (2, 3)
        assert table.state.roll is not None
        assert (table.state.roll.label, table.state.roll.headline) == ("Vex", "Success")
    finally:
        table.close()


@pytest.mark.parametrize("statement", ["UPDATE change SET at = 0", "DELETE FROM change"])
def test_the_log_is_append_only(tmp_path: Path, statement: str) -> None:
    filled(tmp_path / "table.sqlite")
    connection = sqlite3.connect(tmp_path / "table.sqlite")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


def test_a_history_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="Install the newer tableside"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_history_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(b"a letter to a friend, and surely no database" * 50)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot be opened"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match=r"taken.*--data"):
        SqliteStore(tmp_path / "taken" / "table.sqlite")


@pytest.mark.parametrize("moment", [1, 7, 23])
def test_a_pulled_plug_loses_nothing_that_was_acknowledged(tmp_path: Path, moment: int) -> None:
    path = tmp_path / "table.sqlite"
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            acknowledged = int(line)
            if acknowledged >= moment:
                break
        writer.kill()
    table = Table(SYSTEM, SqliteStore(path))
    try:
        assert table.state.destiny.light >= acknowledged
    finally:
        table.close()
