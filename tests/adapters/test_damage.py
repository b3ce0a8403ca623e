"""Whatever happens to a history's files, nothing is lost without a word, and a torn end costs nothing acknowledged.

``pytest tests/adapters/test_damage.py --soak 2000`` tries 2000 damages of each kind.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from tableside.adapters.sqlite_store import _MIGRATIONS, STORE_NAME, SqliteStore, read_damaged
from tableside.app.backups import write_backup
from tableside.app.history import open_history
from tableside.errors import HistoryDamaged
from tableside.table.kept import LOST, Change
from tests.adapters.histories import changes_of, written

BLOCK = 512
IN_FILE, IN_BACKUP, COUNT = 50, 40, 58
LOG = f"{STORE_NAME}-wal"


@dataclass(frozen=True, kw_only=True)
class Evening:
    """A history as a pulled plug leaves it.

    :ivar folder: with file, write-ahead log and a backup. :ivar changes: all that were acknowledged.
    :ivar ends: bytes of the log after each of its changes.
    """

    folder: Path
    changes: list[Change]
    ends: list[int]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    made, folder = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("evening")
    changes = changes_of(written(made / "all.sqlite", COUNT))
    with closing(SqliteStore(made / STORE_NAME)) as store:
        store.append(changes[:IN_BACKUP])
        write_backup(made, folder / "backups" / "2026-11-25.zip")
        store.append(changes[IN_BACKUP:IN_FILE])
    ends = []
    with closing(SqliteStore(made / STORE_NAME, idle_seconds=1e6)) as store:
        for change in changes[IN_FILE:]:
            store.append([change])
            ends.append((made / LOG).stat().st_size)
        for name in (STORE_NAME, LOG):
            shutil.copy(made / name, folder / name)
    return Evening(folder=folder, changes=changes, ends=ends)


Damage = Callable[[bytearray], object]


def after(evening: Evening, into: Path, name: str, damage: Damage) -> tuple[list[Change], bool]:
    """Return the changes of a table that starts after this damage of a file, and whether it says so."""
    shutil.rmtree(into, ignore_errors=True)
    shutil.copytree(evening.folder, into)
    data = bytearray((into / name).read_bytes())
    damage(data)
    (into / name).write_bytes(data)
    store, said = open_history(into)
    with closing(store):
        found = list(store.changes())
    assert [change.number for change in found] == list(range(1, len(found) + 1))
    for change in found:
        assert change.kind == LOST or change == evening.changes[change.number - 1]
    kept = [path.read_bytes() for path in into.glob("table.damaged-*") if path.name.endswith(name[5:])]
    # what stood in the log is in the file by then
    assert len(kept) == len(said)
    assert name == STORE_NAME or kept == [bytes(data)] * len(kept)
    is_changed = data != (evening.folder / name).read_bytes()
    assert name == STORE_NAME or len(data) < size_of(evening, LOG) or bool(said) == is_changed
    return [change for change in found if change.kind != LOST], bool(said)


def block(at: int) -> Damage:
    def zero(data: bytearray) -> None:
        begin = at // BLOCK * BLOCK
        data[begin : begin + BLOCK] = bytes(len(data[begin : begin + BLOCK]))

    return zero


def flip(at: int, bit: int) -> Damage:
    def change(data: bytearray) -> None:
        data[at] ^= 1 << bit

    return change


def size_of(evening: Evening, name: str) -> int:
    return (evening.folder / name).stat().st_size


def test_nothing_is_lost_unsaid_wherever_the_damage_lies(
    evening: Evening, tmp_path: Path, often: Callable[[int], int]
) -> None:
    """File and log are damaged, each part of them in turn."""
    chance = random.Random(65)
    said_count, times = 0, often(20)
    for number in range(times):
        name = (STORE_NAME, LOG)[number % 2]
        at = int((number + chance.random()) * size_of(evening, name) / times)
        damage = block(at) if number % 4 < 2 else flip(at, chance.randrange(8))
        found, is_said = after(evening, tmp_path / "t", name, damage)
        assert is_said or found == evening.changes, (name, at, number % 4)
        said_count += is_said
    assert said_count > times / 4


def test_an_evening_after_a_pulled_plug_is_whole_and_nothing_is_said(evening: Evening, tmp_path: Path) -> None:
    assert after(evening, tmp_path / "t", LOG, bytearray.copy) == (evening.changes, False)


def test_a_zeroed_block_of_the_log_is_said_wherever_it_lies(evening: Evening, tmp_path: Path) -> None:
    log = (evening.folder / LOG).read_bytes()
    written_blocks = [at for at in range(0, len(log), BLOCK) if any(log[at : at + BLOCK])]
    for at in (0, *written_blocks[5::18], evening.ends[-1] - 4120):
        found, is_said = after(evening, tmp_path / "t", LOG, block(at))
        assert is_said, at
        assert IN_FILE <= len(found) < COUNT, at


def test_a_torn_end_costs_what_was_not_acknowledged_and_nothing_is_said(
    evening: Evening, tmp_path: Path, often: Callable[[int], int]
) -> None:
    begin, end = evening.ends[-2:]
    chance = random.Random(12)
    anywhere = [chance.randrange(begin, end) for _ in range(often(2))]
    for cut in (begin + 1, begin + 24, begin + 4120, begin + 4121, end - 4120, end - 1, *anywhere):
        found, is_said = after(evening, tmp_path / "t", LOG, lambda data, cut=cut: data.__delitem__(slice(cut, None)))
        assert (found, is_said) == (evening.changes[:-1], False)


def test_what_the_file_lost_comes_from_the_backup_and_what_both_lost_is_named(evening: Evening, tmp_path: Path) -> None:
    whole = changes_of(evening.folder / STORE_NAME)
    assert len(whole) == COUNT
    shutil.copytree(evening.folder, tmp_path / "t")
    (tmp_path / "t" / LOG).unlink()
    path = tmp_path / "t" / STORE_NAME
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
    store, (told,) = open_history(tmp_path / "t")
    with closing(store):
        assert list(store.changes()) == whole[:IN_BACKUP]
    assert f"{IN_BACKUP} changes were carried over, all of them from a backup" in told.what
    assert f"number {IN_BACKUP}, of 1970-01-01 00:00 UTC: enter again what may have come after it" in told.hint


def test_no_flipped_bit_of_the_header_is_silent(evening: Evening, tmp_path: Path) -> None:
    path = tmp_path / STORE_NAME
    whole = changes_of(evening.folder / STORE_NAME)
    noticed = 0
    for at in range(100):
        for name in (STORE_NAME, LOG):
            shutil.copy(evening.folder / name, tmp_path / name)
        data = bytearray(path.read_bytes())
        flip(at, at % 8)(data)
        (tmp_path / LOG).unlink()
        path.write_bytes(data)
        try:
            with closing(SqliteStore(path)) as store:
                assert list(store.changes()) == whole[:IN_FILE], at
        except HistoryDamaged:
            noticed += 1
    assert noticed > 30


def test_a_damaged_name_that_is_no_text_is_noticed_and_costs_nothing(evening: Evening, tmp_path: Path) -> None:
    data = (evening.folder / STORE_NAME).read_bytes()
    at, path = data.index(b"change_of_roll"), tmp_path / STORE_NAME
    for place in range(0, 14, 3):
        path.write_bytes(data[: at + place] + b"\xef" + data[at + place + 1 :])
        for is_reader in (False, True):
            with pytest.raises(HistoryDamaged), closing(SqliteStore(path, is_reader=is_reader)) as store:
                store.check()
        found: list[Change] = []
        read_damaged(path, found.extend)
        assert len(found) == IN_FILE


def test_of_a_history_without_checksums_what_is_no_change_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    old = sqlite3.connect(path)
    old.executescript(_MIGRATIONS[1] + "PRAGMA user_version = 1;")
    body = '{"number":%d,"id":"%s","at":1.0,"by":"","kind":"x","sentence":"","before":{},"after":{},"undoes":0}'
    rows = [(1, "a", body % (1, "a")), (2, "b", "[]"), (3, "c", body % (3, "c")), (4, "d", body % (9, "d"))]
    old.executemany("INSERT INTO change VALUES (?, ?, 1.0, 'x', ?)", rows)
    old.commit()
    old.close()
    found: list[Change] = []
    read_damaged(path, found.extend)
    assert [change.number for change in found] == [1, 3]
