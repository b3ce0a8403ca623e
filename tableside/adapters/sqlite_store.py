"""The table's log in SQLite: append-only, on disk before it is acknowledged."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tableside.errors import HistoryDamaged, HistoryInUse, HistoryNotWritable, NewerHistory, StoreError
from tableside.table.kept import Change, change_from_text, change_to_text, checksum
from tableside.words import say

STORE_NAME = "table.sqlite"
SCHEMA_VERSION = 3
_FIRST_MARKED = 3
_MARK = 0x74736400  # "tsd": with the version in its last byte it is the file's application_id
_CHUNK = 500
_ROOM = "See that the disk has room and that you may write there, or choose another with --data DIR."
_KEPT = "Start the table: it keeps the file under a dated name and carries over what can be read."
_NO_DAMAGE = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_AUTH,
    }
)
"""Errors that tell of the disk or of another program; every other tells of what stands in the file."""
_FAILS = (sqlite3.Error, UnicodeError)  # what SQLite says of a damaged file may quote bytes that are no text
_MIGRATIONS: dict[int, str] = {
    1: """
        CREATE TABLE change (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            at REAL NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE TRIGGER change_is_never_changed BEFORE UPDATE ON change
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        CREATE TRIGGER change_is_never_deleted BEFORE DELETE ON change
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        CREATE TABLE reserved (one INTEGER PRIMARY KEY CHECK (one = 1), revision INTEGER NOT NULL) STRICT;
        INSERT INTO reserved VALUES (1, 0);
    """,
    # sessions, trackers and hidden rolls came: an older program would not understand them
    2: """
        ALTER TABLE change ADD COLUMN roll TEXT GENERATED ALWAYS AS
            (coalesce(json_extract(body, '$.after.roll.id'), json_extract(body, '$.before.roll.id'))) VIRTUAL;
        CREATE INDEX change_of_roll ON change (roll, number);
    """,
    # a flipped bit may leave good JSON: only a checksum tells it
    3: f"""
        DROP TRIGGER change_is_never_changed;
        ALTER TABLE change ADD COLUMN checksum INTEGER;
        UPDATE change SET checksum = checksum(CAST(body AS BLOB));
        CREATE TRIGGER change_is_never_changed BEFORE UPDATE ON change
            BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
        PRAGMA application_id = {_MARK + 3};
    """,
}
"""What leads from each schema version to the next; the key is the version it leads to."""


class SqliteStore:
    """The log in one file, in write-ahead mode. Safe for use by several threads of one program.

    ``synchronous=FULL`` has the disk confirm each change, so that a pulled plug loses nothing that was acknowledged.
    A lock beside the file keeps a second program from writing it; the system lets go of it when a program dies.

    :param is_reader: only read, which goes on beside a running table.
    :raises HistoryInUse: while another program writes it. :raises NewerHistory: from a newer version.
    :raises HistoryNotWritable: on a disk that takes nothing. :raises HistoryDamaged: see :meth:`check`.
    :raises StoreError: when it cannot be opened.
    """

    def __init__(self, path: Path, *, is_reader: bool = False) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._is_reader = is_reader
        self._alone = None if is_reader else hold(path)
        try:
            if not is_reader:
                settle(path)
        except OSError as error:
            self._let_go()
            raise not_writable(path, error) from error
        is_new = not path.exists()
        try:
            self._look_at_file(is_new=is_new)
            self._connection = self._connect("mode=ro" if is_reader else "mode=rwc")
        except sqlite3.Error as error:
            self._let_go()
            raise self._error("the history cannot be opened", error) from error
        except StoreError:
            self._let_go()
            raise
        try:
            if is_reader and self._is_shut():
                self._connection.close()
                self._connection = self._connect("immutable=1")
            self._prepare(is_new=is_new)
        except _FAILS as error:
            self.close()
            raise self._error("the history cannot be opened", error) from error
        except StoreError:
            self.close()
            raise

    def check(self) -> int:
        """Look at the whole file as it lies on the disk, and return how many changes it holds.

        :raises HistoryDamaged: where it is not as it was written. A single flipped bit is found.
        """
        told = self._read("PRAGMA integrity_check(1)")
        if told != [("ok",)]:
            raise self._damaged(str(told[0][0]))
        checked = "checksum" if self._version() >= _FIRST_MARKED else "NULL"
        columns = f"number, CAST(id AS BLOB), CAST(body AS BLOB), {checked}"
        number = count = 0
        while rows := self._read(
            f"SELECT {columns} FROM change WHERE number > ? ORDER BY number LIMIT ?", (number, _CHUNK)
        ):
            for number, change_id, body, told_sum in rows:
                begin = (
                    f'{{"number":{number},"id":{json.dumps(change_id.decode(errors="replace"), ensure_ascii=False)},'
                )
                if not body.startswith(begin.encode()) or told_sum not in (None, checksum(body)):
                    raise self._damaged(f"change {number} is not as it was written")
                if told_sum is None:
                    self._change((number, body.decode(errors="replace")))
            count += len(rows)
        return count

    def changes(self) -> Iterator[Change]:
        """Yield every change, oldest first, a few hundred at a time."""
        number = 0
        while rows := self._read(
            "SELECT number, body FROM change WHERE number > ? ORDER BY number LIMIT ?", (number, _CHUNK)
        ):
            yield from map(self._change, rows)
            number = int(rows[-1][0])

    def page(self, *, before: int, limit: int) -> list[Change]:
        """Return the newest changes with lower numbers than ``before``, newest first."""
        rows = self._read(
            "SELECT number, body FROM change WHERE number < ? ORDER BY number DESC LIMIT ?", (before, limit)
        )
        return [self._change(row) for row in rows]

    def since(self, number: int, *, limit: int) -> list[Change]:
        """Return the oldest changes with higher numbers than ``number``, oldest first."""
        rows = self._read("SELECT number, body FROM change WHERE number > ? ORDER BY number LIMIT ?", (number, limit))
        return [self._change(row) for row in rows]

    def of_roll(self, roll_id: str) -> list[Change]:
        """Return every change of a roll, oldest first."""
        rows = self._read("SELECT number, body FROM change WHERE roll = ? ORDER BY number", (roll_id,))
        return [self._change(row) for row in rows]

    def append(self, changes: Sequence[Change]) -> None:
        """Put these changes on disk, all or none, before returning."""
        rows = [
            (c.number, c.id, c.at, c.kind, body, checksum(body.encode()))
            for c in changes
            for body in [change_to_text(c)]
        ]
        self._write("INSERT INTO change (number, id, at, kind, body, checksum) VALUES (?, ?, ?, ?, ?, ?)", rows)

    def reserved(self) -> int:
        """Return the highest revision that may have been shown."""
        return int(self._read("SELECT revision FROM reserved")[0][0])

    def reserve(self, revision: int) -> None:
        """Put on disk that revisions up to this one may be shown."""
        self._write("UPDATE reserved SET revision = max(revision, ?)", [(revision,)])

    def has(self, change_id: str) -> bool:
        """Return whether a change of this id was ever written."""
        return bool(self._read("SELECT 1 FROM change WHERE id = ?", (change_id,)))

    def _try_to_write(self) -> None:
        """Write what stands there already and take it back: BEGIN IMMEDIATE alone passes on a read-only file."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.execute("UPDATE reserved SET revision = revision")
        finally:
            self._connection.execute("ROLLBACK")

    def copy_to(self, path: Path) -> None:
        """Copy the history as it is now into a new file, beside whoever writes it.

        :raises StoreError: where that fails.
        """
        try:
            with self._lock, closing(sqlite3.connect(path)) as target:
                self._connection.backup(target)
                target.execute("PRAGMA journal_mode = DELETE")  # one file, with none beside it
        except sqlite3.Error as error:
            raise self._error("the history cannot be copied", error) from error

    def _look_at_file(self, *, is_new: bool) -> None:
        """Say what SQLite has no words for: a folder in the file's place, or one that belongs to somebody else."""
        if is_new:
            return
        if not self._path.is_file():
            raise self._damaged("it is no file")
        if not os.access(self._path, os.R_OK):
            raise not_readable(self._path)

    def _connect(self, how: str) -> sqlite3.Connection:
        address = f"{self._path.absolute().as_uri()}?{how}"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None, timeout=5.0)
        connection.create_function("checksum", 1, checksum, deterministic=True)
        return connection

    def _is_shut(self) -> bool:
        """Tell whether SQLite finds no place for its own files on a disk that takes nothing, and needs none."""
        try:
            self._connection.execute("PRAGMA user_version")
        except sqlite3.OperationalError as error:
            is_whole = not self._path.with_name(f"{self._path.name}-wal").exists()
            return error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CANTOPEN and is_whole and self._path.is_file()
        return False

    def _version(self) -> int:
        return int(self._read("PRAGMA user_version")[0][0])

    def _read(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except _FAILS as error:
            raise self._error("the history cannot be read", error) from error

    def _change(self, row: tuple[Any, ...]) -> Change:
        try:
            return change_from_text(str(row[1]))
        except ValueError as error:
            raise self._damaged(f"change {row[0]} cannot be understood: {error}") from error

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    self._connection.executemany(statement, rows)
                    self._connection.execute("COMMIT")
                except sqlite3.Error:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise self._error("the change could not be written down", error) from error

    def close(self) -> None:
        """Close the file and let go of the lock. Closing twice does no harm."""
        with self._lock:
            self._connection.close()
        self._let_go()

    def _let_go(self) -> None:
        if self._alone is not None:
            self._alone.release()

    def _prepare(self, *, is_new: bool) -> None:
        execute = self._connection.execute
        version = int(execute("PRAGMA user_version").fetchone()[0])
        mark = int(execute("PRAGMA application_id").fetchone()[0])
        if version == mark == 0 and not is_new and not execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise self._damaged("it is empty")
        is_flipped = (version ^ (mark - _MARK)).bit_count() == 1
        if is_flipped or (version <= SCHEMA_VERSION and mark != (_MARK + version if version >= _FIRST_MARKED else 0)):
            raise self._damaged(f"it is of version {version} by one mark and not by the other")
        if version > SCHEMA_VERSION:
            what = say(
                "the history is of version {=version}, this program knows {=schema_version}",
                version=version,
                schema_version=SCHEMA_VERSION,
            )
            raise NewerHistory(
                what, where=str(self._path), hint="Install the newer tableside, or choose another --data DIR."
            )
        if self._is_reader:
            return
        if version:
            self.check()
        try:
            execute("PRAGMA journal_mode = WAL")
            execute("PRAGMA synchronous = FULL")
            self._migrate(version)
            self._try_to_write()  # a read-only file is found out now, not at the first roll
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_READONLY and os.access(self._path, os.W_OK):
                raise self._damaged("it calls itself read-only") from error
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                raise not_writable(self._path, OSError(0, str(error))) from error
            raise

    def _migrate(self, version: int) -> None:
        """Bring the file to this version, after a copy of an older one was put beside it."""
        if 0 < version < SCHEMA_VERSION:
            copy = self._path.with_name(f"{self._path.name}.version{version}")
            copy.unlink(missing_ok=True)
            with closing(sqlite3.connect(copy)) as target:
                self._connection.backup(target)
        for target_version in range(version + 1, SCHEMA_VERSION + 1):
            script = f"BEGIN IMMEDIATE; {_MIGRATIONS[target_version]} PRAGMA user_version = {target_version}; COMMIT;"
            try:
                self._connection.executescript(script)
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _damaged(self, how: str) -> HistoryDamaged:
        return HistoryDamaged(
            say("the history is damaged: {=how}", how=" ".join(how.split())), where=str(self._path), hint=_KEPT
        )

    def _error(self, what: str, error: Exception) -> StoreError:
        # a text that is no UTF-8 has no code of its own
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in _NO_DAMAGE:
            return self._damaged(str(error))
        return StoreError(say("{what} ({=why})", what=what, why=error), where=str(self._path), hint=_ROOM)


def hold(path: Path) -> FileLock:
    """Keep every other program from writing the history at this path until the lock is released.

    :raises HistoryInUse: while another writes it. :raises HistoryNotWritable: on a disk that takes nothing.
    :raises StoreError: where its folder cannot be.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        is_wrong = isinstance(error, FileExistsError | NotADirectoryError)  # no disk that heals makes it right
        if not is_wrong:
            raise not_writable(path, error) from error
        what, hint = say("the folder cannot be made ({=why})", why=error.strerror), "Choose another with --data DIR."
        raise StoreError(what, where=str(path.parent), hint=hint) from error
    lock = FileLock(f"{path}.lock", is_singleton=False)
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        hint = "Stop the other tableside, or choose another folder with --data DIR."
        raise HistoryInUse("another tableside uses this history", where=str(path), hint=hint) from error
    except OSError as error:
        raise not_writable(path, error) from error
    return lock


def not_writable(path: Path, error: OSError) -> HistoryNotWritable:
    """Return what is said while nothing can be put down at this path."""
    why = error.strerror or error
    what = say(
        "nothing can be written ({=why}): the camera's rolls and the buttons go on, and nothing is kept", why=why
    )
    hint = "Make its disk writable and start the table again, or choose another folder with --data DIR."
    return HistoryNotWritable(what, where=str(path), hint=hint)


def not_readable(path: Path) -> StoreError:
    """Return what is said of a history that this user may not read."""
    hint = say(
        "Give it to the user who runs the table: sudo chown USER '{=path}', then chmod 600 '{=path}'.", path=path
    )
    return StoreError("the history may not be read (Permission denied)", where=str(path), hint=hint)


def mended_beside(path: Path) -> Path:
    """Return where a whole history lies that is about to take the place of the one at this path."""
    return path.with_name(f"{path.name}.mended")


def settle(path: Path, *, aside: Path | None = None) -> Path | None:
    """Put the whole history beside this one in its place, where there is one, and return where the old one is now.

    The caller holds the history. Power may be lost over this, so a table does it at each start.

    :param aside: where the old one is moved, with its write-ahead log.
    :raises OSError: where that cannot be done.
    """
    mended = mended_beside(path)
    if not mended.exists():
        return None
    kept = aside or path.with_name(f"{path.stem}.damaged-{datetime.now():%Y-%m-%d-%H%M%S}{path.suffix}")
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    for ending in ("-wal", ""):  # a log that stayed would be written into the new one
        old = path.with_name(f"{path.name}{ending}")
        if old.exists():
            old.replace(kept.with_name(f"{kept.name}{ending}"))
    mended.replace(path)
    return kept
