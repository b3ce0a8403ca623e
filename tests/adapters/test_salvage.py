"""What can be read of a history's file, whatever happened to it: every change that is whole, and none that is wrong."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tableside.adapters.salvage import salvaged
from tableside.adapters.sqlite_store import _MIGRATIONS, SqliteStore
from tableside.errors import HistoryDamaged
from tableside.table.kept import Change
from tests.adapters.histories import changes_of, written

HEADER = 100


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a history of changes that fill pages of every kind: long ones go over several."""
    path = tmp_path_factory.mktemp("whole") / "table.sqlite"
    written(path, 60)
    return path


def read(path: Path) -> dict[int, Change]:
    return {change.number: change for change in salvaged(path).changes}


def damaged(whole: Path, path: Path, at: int, new: bytes) -> Path:
    data = bytearray(whole.read_bytes())
    data[at : at + len(new)] = new
    path.write_bytes(data)
    return path


def test_a_whole_history_is_read_as_sqlite_reads_it(whole: Path) -> None:
    assert list(read(whole).values()) == changes_of(whole)
    store = SqliteStore(whole, is_reader=True)
    assert salvaged(whole).reserved == store.reserved() > 0
    store.close()


@pytest.mark.parametrize("length", [16, HEADER, 4096], ids=["name", "header", "first page"])
def test_without_its_beginning_a_history_loses_nothing(whole: Path, tmp_path: Path, length: int) -> None:
    path = damaged(whole, tmp_path / "table.sqlite", 0, bytes(length))
    assert list(read(path).values()) == changes_of(whole)


def test_of_a_history_cut_in_half_whatever_lies_in_the_first_half_is_read(whole: Path, tmp_path: Path) -> None:
    data = whole.read_bytes()
    path = tmp_path / "table.sqlite"
    path.write_bytes(data[: len(data) // 2])
    found = read(path)
    assert len(found) > 20
    assert found.items() <= {change.number: change for change in changes_of(whole)}.items()


def test_changes_after_a_bad_page_are_read(whole: Path, tmp_path: Path) -> None:
    path = damaged(whole, tmp_path / "table.sqlite", 8 * 4096, bytes(4096))
    found = read(path)
    assert max(found) == 60
    assert 50 <= len(found) < 60
    assert found.items() <= {change.number: change for change in changes_of(whole)}.items()


def test_what_a_pulled_plug_left_in_the_write_ahead_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    written(path, 5)
    store = SqliteStore(path)
    store.append([change for change in changes_of(written(tmp_path / "more.sqlite", 9)) if change.number > 5])
    copy = tmp_path / "copy.sqlite"
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    store.close()
    assert list(read(copy)) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    log = Path(f"{copy}-wal")
    log.write_bytes(log.read_bytes()[:-1000])  # the last write never came to its end: it was not acknowledged
    assert list(read(copy)) == [1, 2, 3, 4, 5]


def test_of_a_history_without_checksums_what_is_no_change_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    old = sqlite3.connect(path)
    old.executescript(_MIGRATIONS[1] + "PRAGMA user_version = 1;")
    body = '{"number":%d,"id":"%s","at":1.0,"by":"","kind":"x","sentence":"","before":{},"after":{},"undoes":0}'
    rows = [(1, "a", body % (1, "a")), (2, "b", "[]"), (3, "c", body % (3, "c")), (4, "d", body % (9, "d"))]
    old.executemany("INSERT INTO change VALUES (?, ?, 1.0, 'x', ?)", rows)
    old.commit()
    old.close()
    assert list(read(path)) == [1, 3]


def test_a_letter_and_an_empty_file_hold_no_changes(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    for content in (
        b"",
        b"a letter to a friend, and surely no database" * 300,
        bytes(random.Random(1).randbytes(20000)),
    ):
        path.write_bytes(content)
        assert salvaged(path).changes == ()


def flips(whole: Path, tmp_path: Path, places: list[tuple[int, int]]) -> tuple[int, int]:
    """Flip single bits; return how many made a damaged file, and how many changes were lost by one at most."""
    want = changes_of(whole)
    data = whole.read_bytes()
    path = tmp_path / "table.sqlite"
    noticed = most_lost = 0
    for at, bit in places:
        bad = bytearray(data)
        bad[at] ^= 1 << bit
        path.write_bytes(bad)
        try:
            store = SqliteStore(path)
            found, is_noticed = list(store.changes()), False
            store.close()
        except HistoryDamaged:
            found, is_noticed = list(read(path).values()), True
        assert is_noticed or found == want, (at, bit)
        assert all(change in want for change in found), (at, bit)
        noticed += is_noticed
        most_lost = max(most_lost, len(want) - len(found))
    return noticed, most_lost


def test_no_flipped_bit_of_the_header_is_silent_or_loses_a_change(whole: Path, tmp_path: Path) -> None:
    noticed, lost = flips(whole, tmp_path, [(at, at % 8) for at in range(HEADER)])
    assert noticed > 30
    assert lost == 0


def test_no_flipped_bit_is_silent_or_loses_more_than_a_change(whole: Path, tmp_path: Path) -> None:
    chance = random.Random(3)
    size = whole.stat().st_size
    noticed, lost = flips(whole, tmp_path, [(chance.randrange(size), chance.randrange(8)) for _ in range(60)])
    assert noticed > 20
    assert lost == 1


def test_a_damaged_name_that_is_no_text_is_noticed_all_the_same(whole: Path, tmp_path: Path) -> None:
    at = whole.read_bytes().index(b"change_of_roll")
    for place in range(14):
        path = damaged(whole, tmp_path / "table.sqlite", at + place, b"\xef")
        for is_reader in (False, True):
            with pytest.raises(HistoryDamaged):
                SqliteStore(path, is_reader=is_reader).check()
        assert len(read(path)) == 60


@pytest.mark.slow
def test_no_bit_anywhere_is_silent_or_loses_more_than_a_change(
    whole: Path, tmp_path: Path, often: Callable[[int], int]
) -> None:
    size = whole.stat().st_size
    every = [(at, (at * 7 + at // 997) % 8) for at in range(HEADER, size, size // often(300))]
    assert flips(whole, tmp_path, every)[1] == 1
