"""How far each connection has come in the table's log, and which message of theirs stands for which roll.

The log itself is the outbox: it holds every change in order, on disk, for good. What is waiting for a connection is
all that follows its mark, so an outage costs no room, and nothing is written twice on the way of a roll.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tableside.errors import StoreError

_MOST_MESSAGES = 2000
"""So many of the newest messages of a connection can still be edited."""
_SCHEMA = """
    CREATE TABLE IF NOT EXISTS mark (
        connection TEXT PRIMARY KEY, number INTEGER NOT NULL, change TEXT NOT NULL
    ) STRICT;
    CREATE TABLE IF NOT EXISTS message (
        place INTEGER PRIMARY KEY, connection TEXT NOT NULL, roll TEXT NOT NULL, message TEXT NOT NULL,
        UNIQUE (connection, roll)
    ) STRICT;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The last change that a connection is done with: its number, and its id to know another history by."""

    number: int
    change: str


class Outbox:
    """Marks and messages in one small file. Safe for use by several threads, and after a kill at any moment.

    :raises StoreError: where the file cannot be used.
    """

    def __init__(self, path: Path | None) -> None:
        self._where = str(path) if path else "memory"
        self._lock = threading.Lock()
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level=None, timeout=5.0
            )
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.execute("PRAGMA synchronous = FULL")
                self._connection.executescript(_SCHEMA)
            except sqlite3.Error:
                self._connection.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise self._error(error) from error

    def mark(self, connection: str) -> Mark | None:
        """Return the mark, ``None`` for a connection that never had one."""
        rows = self._do("SELECT number, change FROM mark WHERE connection = ?", connection)
        return Mark(number=int(rows[0][0]), change=str(rows[0][1])) if rows else None

    def set_mark(self, connection: str, mark: Mark) -> None:
        """Put the mark on disk before returning."""
        self._do("INSERT OR REPLACE INTO mark VALUES (?, ?, ?)", connection, mark.number, mark.change)

    def message(self, connection: str, roll_id: str) -> str:
        """Return the id of the message that tells of a roll, ``""`` where none is known."""
        rows = self._do("SELECT message FROM message WHERE connection = ? AND roll = ?", connection, roll_id)
        return str(rows[0][0]) if rows else ""

    def keep_message(self, connection: str, roll_id: str, message: str) -> None:
        """Remember which message tells of a roll; an empty one is forgotten, and so are very old ones."""
        self._do("DELETE FROM message WHERE connection = ? AND roll = ?", connection, roll_id)
        if message:
            self._do("INSERT INTO message (connection, roll, message) VALUES (?, ?, ?)", connection, roll_id, message)
            self._do("DELETE FROM message WHERE place <= (SELECT max(place) FROM message) - ?", _MOST_MESSAGES)

    def close(self) -> None:
        """Close the file. Closing twice does no harm."""
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()

    def _do(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._error(error) from error

    def _error(self, error: Exception) -> StoreError:
        hint = "See that the disk has room; if the file is damaged, move it away: what waits is then not sent."
        return StoreError(
            "the marks of the connections cannot be used ({=why})", why=error, where=self._where, hint=hint
        )
