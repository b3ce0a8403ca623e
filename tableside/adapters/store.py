"""The table's log in SQLite: append-only, on disk before it is acknowledged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tableside.errors import HistoryInUse, HistoryNotWritable, NewerHistory, StoreError
from tableside.table.change import Change
from tableside.table.log import change_from_text, change_to_text

SCHEMA_VERSION = 2
_CHUNK = 500
_ROOM = "See that the disk has room and that you may write there, or choose another with --data DIR."
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
}
"""What leads from each schema version to the next; the key is the version it leads to."""


class SqliteStore:
    """The log in one file, in write-ahead mode. Safe for use by several threads of one program.

    ``synchronous=FULL`` has the disk confirm each change, so that a pulled plug loses nothing that was acknowledged.
    A lock beside the file keeps a second program from writing it; the system lets go of it when a program dies.

    :param is_reader: only read, which goes on beside a running table.
    :raises HistoryInUse: while another program writes it. :raises NewerHistory: from a newer version.
    :raises HistoryNotWritable: on a disk that takes nothing. :raises StoreError: when it is damaged.
    """

    def __init__(self, path: Path, *, is_reader: bool = False) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._is_reader = is_reader
        self._alone = FileLock(f"{path}.lock", is_singleton=False)
        if not is_reader:
            self._take()
        try:
            address = f"{path.absolute().as_uri()}?mode={'ro' if is_reader else 'rwc'}"
            self._connection = sqlite3.connect(
                address, uri=True, check_same_thread=False, isolation_level=None, timeout=5.0
            )
        except sqlite3.Error as error:
            self._alone.release()
            raise self._error("the history cannot be opened", error) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise self._error("the history cannot be opened", error) from error
        except StoreError:
            self.close()
            raise

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
        rows = [(c.number, c.id, c.at, c.kind, change_to_text(c)) for c in changes]
        self._write("INSERT INTO change (number, id, at, kind, body) VALUES (?, ?, ?, ?, ?)", rows)

    def reserved(self) -> int:
        """Return the highest revision that may have been shown."""
        return int(self._read("SELECT revision FROM reserved")[0][0])

    def reserve(self, revision: int) -> None:
        """Put on disk that revisions up to this one may be shown."""
        self._write("UPDATE reserved SET revision = max(revision, ?)", [(revision,)])

    def has(self, change_id: str) -> bool:
        """Return whether a change of this id was ever written."""
        return bool(self._read("SELECT 1 FROM change WHERE id = ?", (change_id,)))

    def is_writable(self) -> bool:
        """Return whether a change could be written now."""
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return False
        return True

    def _take(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what, hint = f"the folder cannot be made ({error.strerror})", "Choose another with --data DIR."
            is_wrong = isinstance(error, FileExistsError | NotADirectoryError)  # no disk that heals makes it right
            kind = StoreError if is_wrong else HistoryNotWritable
            raise kind(what, where=str(self._path.parent), hint=hint) from error
        try:
            self._alone.acquire(timeout=0)
        except Timeout as error:
            hint = "Stop the other tableside, or choose another folder with --data DIR."
            raise HistoryInUse("another tableside uses this history", where=str(self._path), hint=hint) from error
        except OSError as error:
            hint = "See that you may write there, or choose another with --data DIR."
            what = f"nothing can be written there ({error.strerror})"
            raise HistoryNotWritable(what, where=str(self._path), hint=hint) from error

    def _read(self, statement: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._error("the history cannot be read", error) from error

    def _change(self, row: tuple[Any, ...]) -> Change:
        try:
            return change_from_text(str(row[1]))
        except ValueError as error:
            hint = "Move the file away to begin anew; it is kept as it is."
            what = f"change {row[0]} cannot be understood ({error})"
            raise StoreError(what, where=str(self._path), hint=hint) from error

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
        self._alone.release()

    def _prepare(self) -> None:
        execute = self._connection.execute
        version = int(execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA_VERSION:
            what = f"the history is of version {version}, this program knows {SCHEMA_VERSION}"
            raise NewerHistory(
                what, where=str(self._path), hint="Install the newer tableside, or choose another --data DIR."
            )
        if self._is_reader:
            return
        try:
            execute("PRAGMA journal_mode = WAL")
            execute("PRAGMA synchronous = FULL")
            self._migrate(version)
            execute("BEGIN IMMEDIATE")  # a read-only file is found out now, not at the first roll
            execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
                what = "nothing can be written there"
                raise HistoryNotWritable(f"{what} ({error})", where=str(self._path), hint=_ROOM) from error
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

    def _error(self, what: str, error: sqlite3.Error) -> StoreError:
        return StoreError(f"{what} ({error})", where=str(self._path), hint=_ROOM)
