"""The history in SQLite: on disk before it is acknowledged, append-only, never harmed by what it does not know.

``pytest tests/adapters/test_sqlite_store.py --soak 200`` pulls 200 plugs.
"""

from __future__ import annotations

import errno
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from tableside.adapters.sqlite_store import _BUSY_SECONDS, _MIGRATIONS, SCHEMA_VERSION, SqliteStore
from tableside.app.history import STORE_NAME, open_history
from tableside.dice import Die, find_sets
from tableside.errors import HistoryDamaged, HistoryInUse, SettingsError, StoreError
from tableside.table import Side, System, Table
from tableside.table.messages import ChangeDestiny, Do, EnterRoll, Redo, Undo
from tests.adapters.histories import changes_of, written
from tests.until import until

SYSTEM = System(sets=find_sets(["narrative"]))

WRITER = """
import sys, uuid
from pathlib import Path
from tableside.adapters.sqlite_store import SqliteStore
from tableside.dice import find_sets
from tableside.table import System, Table
from tableside.table.messages import ChangeDestiny, Do
table = Table(System(sets=find_sets(["narrative"])), SqliteStore(Path(sys.argv[1])))
for number in range(1, 9999):
    table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=number // 100, dark=number % 100))
    print(number, flush=True)
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
    (mark,) = connection.execute("PRAGMA application_id").fetchone()
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.execute(f"PRAGMA application_id = {mark + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="Install the newer tableside"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_history_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    path.write_bytes(b"a letter to a friend, and surely no database" * 50)
    before = path.read_bytes()
    with pytest.raises(HistoryDamaged, match="not a database"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(SettingsError, match=r"taken.*--data"):
        SqliteStore(tmp_path / "taken" / "table.sqlite")


def test_a_second_program_on_one_history_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    first = SqliteStore(path)
    with pytest.raises(HistoryInUse, match=r"another tableside uses this history.*--data"):
        SqliteStore(path)
    SqliteStore(path, is_reader=True).close()
    first.close()
    SqliteStore(path).close()


def test_a_history_of_the_first_version_is_brought_up_and_a_copy_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    old = sqlite3.connect(path)
    old.executescript(_MIGRATIONS[1] + "PRAGMA user_version = 1;")
    body = (
        '{"number":1,"id":"a","at":1.0,"by":"","kind":"destiny","sentence":"Set","before":{"destiny":{"light":0,'
        '"dark":0}},"after":{"destiny":{"light":4,"dark":1}},"undoes":0}'
    )
    old.execute("INSERT INTO change VALUES (1, 'a', 1.0, 'destiny', ?)", (body,))
    old.commit()
    old.close()
    table = Table(SYSTEM, SqliteStore(path))
    try:
        assert (table.state.destiny.light, table.state.destiny.dark) == (4, 1)
    finally:
        table.close()
    kept = sqlite3.connect(tmp_path / "table.sqlite.version1")
    assert kept.execute("SELECT body FROM change").fetchall() == [(body,)]
    assert kept.execute("PRAGMA user_version").fetchone() == (1,)
    kept.close()


def test_changes_of_a_roll_come_in_their_order_and_each_id_is_known_after_a_restart(tmp_path: Path) -> None:
    table = Table(SYSTEM, SqliteStore(tmp_path / "table.sqlite"))
    dice = (Die(type="ability", face=("success",)),)
    roll = table.ask(EnterRoll(id="z", at=2.0, dice=dice)).roll
    for change_id in ("y", "x"):
        table.ask(Undo(id=change_id, at=3.0) if change_id == "y" else Redo(id=change_id, at=4.0))
    table.close()
    with closing(SqliteStore(tmp_path / "table.sqlite")) as store:
        assert [change.id for change in store.of_roll(roll.id)] == ["z", "y", "x"]
        assert [store.has(one) for one in ("x", "y", "z", "w")] == [True, True, True, False]


def test_all_changes_of_a_roll_are_found(tmp_path: Path) -> None:
    filled(tmp_path / "table.sqlite")
    store = SqliteStore(tmp_path / "table.sqlite", is_reader=True)
    roll = store.page(before=10**9, limit=1)[0].after.roll
    assert [change.number for change in store.of_roll(roll.id)] == [2]
    assert [change.number for change in store.page(before=2, limit=5)] == [1]
    store.close()


def test_the_log_goes_into_the_file_when_nothing_is_written_for_a_while(tmp_path: Path) -> None:
    path, beside = tmp_path / "table.sqlite", tmp_path / "table.sqlite-wal"
    changes = changes_of(written(tmp_path / "all.sqlite", 9))
    with closing(SqliteStore(path, idle_seconds=0.0)) as store:
        for begin, end in ((0, 4), (4, 9)):  # a second time, too
            store.append(changes[begin:end])
            until(lambda: not beside.stat().st_size)
            shutil.copy(path, tmp_path / "copy.sqlite")
            assert changes_of(tmp_path / "copy.sqlite") == changes[:end]
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM change").fetchone()
            store.reserve(5000)  # whoever reads keeps the log, and holds nobody up
            assert beside.stat().st_size
        store.reserve(6000)
        until(lambda: not beside.stat().st_size)


@pytest.mark.slow
def test_no_log_is_begun_anew_over_an_old_one_whose_rest_would_look_like_damage(tmp_path: Path) -> None:
    path, beside = tmp_path / "table.sqlite", tmp_path / "table.sqlite-wal"
    pages = 4120  # bytes of a page in the log
    with closing(SqliteStore(path, idle_seconds=60.0)) as store:
        begun = b""
        revision = 0
        while not begun or beside.stat().st_size < 1200 * pages:  # SQLite itself begins anew after 1000
            revision += 1
            store.reserve(revision)
            begun = begun or beside.read_bytes()[:32]
            assert beside.read_bytes()[:32] == begun
        copy = tmp_path / "killed"
        copy.mkdir()
        for one in (path, beside):
            shutil.copy(one, copy / one.name)
    for _ in range(2):  # killed, and once more
        with closing(SqliteStore(copy / path.name)) as store:
            assert not (copy / beside.name).stat().st_size  # before anything is written
            assert store.reserved() == revision
    with closing(SqliteStore(path, idle_seconds=0.05)) as store:  # written to without a rest
        sizes = []
        while len(sizes) < 2 or sizes[-1] >= sizes[-2]:
            revision += 1
            store.reserve(revision)
            sizes.append(beside.stat().st_size)
        assert store.reserved() == revision


def test_a_disk_that_fills_up_is_said_and_the_table_goes_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "table.sqlite")
    table = Table(SYSTEM, store)
    try:
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        shown = fill_up(table)
        assert [trouble.part for trouble in table.state.trouble] == ["store"]
        assert len(table.state.rolls) == shown
        store._connection.execute("PRAGMA max_page_count = 100000")
        table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=7))
        assert table.state.trouble == ()
    finally:
        table.close()


def test_a_read_only_disk_is_said_and_the_table_shows_what_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / STORE_NAME)

    acquire = FileLock.acquire

    def refuse(lock: FileLock, timeout: float) -> object:
        if Path(lock.lock_file).parent == tmp_path:
            raise OSError(errno.EROFS, "Read-only file system")
        return acquire(lock, timeout=timeout)

    monkeypatch.setattr(FileLock, "acquire", refuse)
    store, trouble = open_history(tmp_path)
    assert "Read-only file system" in str(trouble)
    table = Table(SYSTEM, store)
    try:
        assert table.state.destiny.light == 2
        with pytest.raises(StoreError, match="Read-only"):
            table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=9))
        before = table.state
        table.post(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SPEND, side=Side.LIGHT))  # a button
        until = time.monotonic() + 30
        while table.state.destiny == before.destiny:
            assert time.monotonic() < until
            table.wait(after=table.state.revision, timeout=0.1)
        assert table.state.destiny.light == 1
        assert [trouble.part for trouble in table.state.trouble] == ["store"]
    finally:
        table.close()


@pytest.mark.parametrize("name", ["table.sqlite", "table.sqlite.lock"])
def test_a_folder_in_place_of_a_file_is_an_error_in_three_parts(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(StoreError) as raised:
        SqliteStore(tmp_path / "table.sqlite")
    assert raised.value.hint


def fill_up(table: Table) -> int:
    """Enter rolls until the disk takes no more, and return how many it took."""
    dice = (Die(type="ability", face=("success",)),) * 20
    for taken in range(100):
        try:
            table.ask(EnterRoll(id=str(uuid.uuid4()), at=2.0, dice=dice))
        except StoreError:
            return taken
    raise AssertionError("the disk never filled up")


def killed_after(path: Path, seconds: float) -> int:
    """Write changes under load, kill the writer at that moment, and return the last change it acknowledged."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
        first = writer.stdout.readline()
        time.sleep(seconds)  # the moment of the plug is what is tested
        writer.send_signal(signal.SIGKILL)
        last = [first, *writer.stdout.read().split()][-1]
    return int(last)


def check_after_kill(path: Path, acknowledged: int) -> None:
    table = Table(SYSTEM, SqliteStore(path))  # which raises where a torn end were taken for damage
    try:
        assert table.state.destiny.light * 100 + table.state.destiny.dark >= acknowledged
        check = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        check.close()
    finally:
        table.close()


def test_a_pulled_plug_loses_nothing_that_was_acknowledged(tmp_path: Path, often: Callable[[int], int]) -> None:
    chance = random.Random(200)
    for moment in range(often(2)):
        path = tmp_path / f"{moment}.sqlite"
        check_after_kill(path, killed_after(path, chance.uniform(0, 0.3)))


def test_each_change_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "table.sqlite", idle_seconds=60.0)) as store:
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_revision_that_was_reserved_stays_so_whatever_is_reserved_later(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "table.sqlite")) as store:
        for revision in (5000, 10, 5001, 0):
            store.reserve(revision)
        assert store.reserved() == 5001


def test_a_log_that_is_begun_anew_behind_a_reader_leaves_no_rest_of_the_old_one(tmp_path: Path) -> None:
    path, beside = tmp_path / "table.sqlite", tmp_path / "table.sqlite-wal"
    with closing(SqliteStore(path, idle_seconds=60.0)) as store:
        for revision in range(1, 40):
            store.reserve(revision)
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM reserved").fetchone()
            assert not store._empty_log()  # it is in the file, and stays as the reader's
        old = beside.stat().st_size
        store.reserve(40)
        assert beside.stat().st_size < old / 4
        (copy := tmp_path / "killed").mkdir()
        for one in (path, beside):
            shutil.copy(one, copy / one.name)
    with closing(SqliteStore(copy / path.name)) as store:  # which says nothing of damage
        assert store.reserved() == 40


def test_a_change_waits_for_another_program_and_the_log_for_no_reader(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "table.sqlite", idle_seconds=60.0)) as store:
        with closing(sqlite3.connect(tmp_path / "table.sqlite", check_same_thread=False)) as other:
            store.reserve(1)
            other.execute("BEGIN")
            other.execute("SELECT * FROM reserved").fetchone()
            began = time.monotonic()
            assert not store._empty_log()
            assert time.monotonic() - began < _BUSY_SECONDS / 2
            other.rollback()
            other.execute("BEGIN IMMEDIATE")
            lets_go = threading.Timer(0.3, other.rollback)
            lets_go.start()
            store.reserve(2)
            lets_go.join()
        assert store.reserved() == 2


@pytest.mark.parametrize("damage", ["number", "id", "index"])
def test_what_does_not_belong_together_is_damage_though_every_sum_is_right(tmp_path: Path, damage: str) -> None:
    path = written(tmp_path / "table.sqlite", 12)
    with closing(sqlite3.connect(path)) as connection:
        if damage == "index":  # which holds something else
            connection.executescript(
                "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '(roll, number)', "
                "'(roll, kind)') WHERE name = 'change_of_roll'; PRAGMA writable_schema = RESET;"
            )
        else:
            value = {"number": "number = 99", "id": "id = 'another'"}[damage]
            connection.executescript(
                f"DROP TRIGGER change_is_never_changed; UPDATE change SET {value} WHERE number = 12"
            )
    with pytest.raises(HistoryDamaged), closing(SqliteStore(path)):
        pass
