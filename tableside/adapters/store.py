"""The table's log in SQLite: append-only, on disk before it is acknowledged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from tableside.errors import StoreError
from tableside.table.log import change_from_text, change_to_text
from tableside.table.state import Change

SCHEMA_VERSION = 1
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
}
"""What leads from each schema version to the next; the key is the version it leads to."""


class SqliteStore:
    """The log in one file, in write-ahead mode. Safe for use by several threads.

    ``synchronous=FULL`` has the disk confirm each change, so that a pulled plug loses nothing that was acknowledged.

    :raises StoreError: when the file cannot be opened or written, is damaged, or is from a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            what = f"the folder cannot be made ({error.strerror})"
            raise StoreError(what, where=str(path.parent), hint="Choose another with --data DIR.") from error
        try:
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=5.0)
        except sqlite3.Error as error:
            raise self._error("the history cannot be opened", error) from error
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise self._error("the history cannot be opened", error) from error
        except StoreError:
            self._connection.close()
            raise

    def changes(self) -> Iterator[Change]:
        """Yield every change, oldest first."""
        try:
            with self._lock:
                rows = self._connection.execute("SELECT number, body FROM change ORDER BY number").fetchall()
        except sqlite3.Error as error:
            raise self._error("the history cannot be read", error) from error
        for number, body in rows:
            try:
                yield change_from_text(body)
            except ValueError as error:
                hint = "Move the file away to begin anew; it is kept as it is."
                what = f"change {number} cannot be understood ({error})"
                raise StoreError(what, where=str(self._path), hint=hint) from error

    def append(self, changes: Sequence[Change]) -> None:
        """Put these changes on disk, all or none, before returning."""
        rows = [(c.number, c.id, c.at, c.kind, change_to_text(c)) for c in changes]
        self._write("INSERT INTO change (number, id, at, kind, body) VALUES (?, ?, ?, ?, ?)", rows)

    def reserved(self) -> int:
        """Return the highest revision that may have been shown."""
        try:
            with self._lock:
                found = self._connection.execute("SELECT revision FROM reserved").fetchone()
        except sqlite3.Error as error:
            raise self._error("the history cannot be read", error) from error
        return int(found[0])

    def reserve(self, revision: int) -> None:
        """Put on disk that revisions up to this one may be shown."""
        self._write("UPDATE reserved SET revision = max(revision, ?)", [(revision,)])

    def has(self, change_id: str) -> bool:
        """Return whether a change of this id was ever written."""
        try:
            with self._lock:
                found = self._connection.execute("SELECT 1 FROM change WHERE id = ?", (change_id,)).fetchone()
        except sqlite3.Error as error:
            raise self._error("the history cannot be read", error) from error
        return found is not None

    def is_writable(self) -> bool:
        """Return whether a change could be written now."""
        try:
            with self._lock:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("ROLLBACK")
        except sqlite3.Error:
            return False
        return True

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
        """Close the file. Closing twice does no harm."""
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        execute = self._connection.execute
        version = int(execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA_VERSION:
            what = f"the history is of version {version}, this program knows {SCHEMA_VERSION}"
            raise StoreError(
                what, where=str(self._path), hint="Install the newer tableside, or choose another --data DIR."
            )
        execute("PRAGMA journal_mode = WAL")
        execute("PRAGMA synchronous = FULL")
        for target in range(version + 1, SCHEMA_VERSION + 1):
            script = f"BEGIN IMMEDIATE; {_MIGRATIONS[target]} PRAGMA user_version = {target}; COMMIT;"
            self._connection.executescript(script)
        execute("BEGIN IMMEDIATE")  # a read-only file is found out now, not at the first roll
        execute("ROLLBACK")

    def _error(self, what: str, error: sqlite3.Error) -> StoreError:
        hint = "See that the disk has room and that you may write there, or choose another with --data DIR."
        return StoreError(f"{what} ({error})", where=str(self._path), hint=hint)
