"""The table's log in SQLite: append-only, on disk before it is acknowledged."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tableside.durable import replace_durably
from tableside.errors import HistoryDamaged, HistoryInUse, HistoryNotWritable, NewerHistory, SettingsError, StoreError
from tableside.table.kept import Change, change_from_text, change_to_text, checksum
from tableside.words import say

_log = logging.getLogger(__name__)
STORE_NAME = "table.sqlite"
SCHEMA_VERSION = 3
IDLE_SECONDS = 2.0
_FIRST_MARKED = 3
_MARK = 0x74736400  # "tsd": with the version in its last byte it is the file's application_id
_BUSY_SECONDS = 5.0
_STEPS = 1000  # of SQLite's machine, between two beats
_CHUNK = 500
_LEAST_BYTES = 200  # that a change takes in the file, with what its indexes hold of it
_TAKES_NOTHING = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
_NO_DAMAGE = _TAKES_NOTHING | {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_AUTH,
}
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
    SQLite drops what is damaged at the end of the write-ahead log without a word: so it is looked at here, and it is
    short, since it goes into the file whenever nothing was written for a while.
    A lock beside the file keeps a second program from writing it; the system lets go of it when a program dies.

    :param is_reader: only read, which goes on beside a running table.
    :param when_working: called now and then during what may take long.
    :param idle_seconds: after so long without a change the write-ahead log goes into the file.
    :ivar refusal: what is said of every change, where none is taken.
    :raises HistoryInUse: while another program writes it. :raises NewerHistory: from a newer version.
    :raises HistoryNotWritable: on a disk that takes nothing. :raises HistoryDamaged: see :meth:`check`.
    :raises StoreError: when it cannot be opened.
    """

    def __init__(
        self,
        path: Path,
        *,
        is_reader: bool = False,
        when_working: Callable[[], object] = lambda: None,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self.refusal: StoreError | None = None
        self._path, self._is_reader, self._when_working = path, is_reader, when_working
        self._lock, self._written, self._is_closed = threading.Lock(), threading.Event(), False
        self._connection = sqlite3.connect(":memory:")
        self._resting = threading.Thread(target=self._rest, args=(idle_seconds,), name="tableside store", daemon=True)
        self._alone = None if is_reader else hold(path)
        beside, log = path.with_name(f"{path.name}-wal"), b""
        try:
            log = beside.read_bytes() if beside.is_file() and not is_reader else b""
            self._open(log)
        except (*_FAILS, OSError) as error:
            self.close()
            told = self._refused(error)
            if isinstance(told, HistoryDamaged) and log:
                beside.write_bytes(log)  # SQLite dropped it; whoever looks at the damage finds it as it was
            raise told from error

    def check(self) -> int:
        """Look at the whole file as it lies on the disk, and return how many changes it holds.

        :raises HistoryDamaged: where it is not as it was written. A single flipped bit is found.
        """
        if (told := self._read("PRAGMA integrity_check(1)")) != [("ok",)]:
            raise self._damaged(str(told[0][0]))
        is_summed = self._read("PRAGMA user_version") >= [(_FIRST_MARKED,)]
        wrong = "checksum(CAST(body AS BLOB)) IS NOT checksum" if is_summed else "FALSE"
        named = "json_extract(body, '$.number') IS NOT number OR json_extract(body, '$.id') IS NOT id"
        for (number,) in self._read(f"SELECT number FROM change WHERE {wrong} OR {named} LIMIT 1"):
            raise self._damaged(f"change {number} is not as it was written")
        return int(self._read("SELECT count(*) FROM change")[0][0]) if is_summed else sum(1 for _ in self.changes())

    def changes(self) -> Iterator[Change]:
        """Yield every change, oldest first, a few hundred at a time."""
        number = 0
        while found := self.since(number, limit=_CHUNK):
            yield from found
            number = found[-1].number
            self._when_working()

    def page(self, *, before: int, limit: int) -> list[Change]:
        """Return the newest changes with lower numbers than ``before``, newest first."""
        return self._changes("number < ? ORDER BY number DESC LIMIT ?", before, limit)

    def since(self, number: int, *, limit: int) -> list[Change]:
        """Return the oldest changes with higher numbers than ``number``, oldest first."""
        return self._changes("number > ? ORDER BY number LIMIT ?", number, limit)

    def of_roll(self, roll_id: str) -> list[Change]:
        """Return every change of a roll, oldest first."""
        return self._changes("roll = ? ORDER BY number", roll_id)

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
        return bool(self._read("SELECT 1 FROM change WHERE id = ?", change_id))

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

    def close(self) -> None:
        """Close the file and let go of the lock. Closing twice does no harm."""
        with self._lock:
            self._is_closed = True
            self._connection.close()
        self._written.set()
        if self._resting.is_alive():
            self._resting.join()
        if self._alone is not None:
            self._alone.release()

    def _open(self, log: bytes) -> None:
        is_new = not self._path.exists()
        if not is_new and not self._path.is_file():
            raise self._damaged("it is no file")
        if not is_new and not os.access(self._path, os.R_OK):
            raise not_readable(self._path)
        try:
            self._connect("mode=ro" if self._is_reader else "mode=rwc")
        except sqlite3.OperationalError as error:
            # SQLite finds no place for its own files on a disk that takes nothing; without a log it needs none
            is_shut = self._is_reader and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_CANTOPEN
            if not is_shut or is_new or self._path.with_name(f"{self._path.name}-wal").exists():
                raise
            self._connect("immutable=1")
        version = self._known_version(is_new=is_new)
        if self._is_reader:
            return
        if version and not self._is_torn_at_most(log):
            raise self._damaged("the end of its write-ahead log is not as it was written")
        if version:
            self.check()
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA journal_size_limit = 0")  # nothing old stays behind what is written anew
        self._connection.execute("PRAGMA synchronous = FULL")
        self._migrate(version)
        # a read-only file is found out now, not at the first roll; BEGIN IMMEDIATE alone passes
        self._connection.executescript("BEGIN IMMEDIATE; UPDATE reserved SET revision = revision; ROLLBACK")

    def _connect(self, how: str) -> None:
        def beat() -> None:
            self._when_working()

        self._connection.close()
        self._connection = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?{how}",
            uri=True, check_same_thread=False, isolation_level=None, timeout=_BUSY_SECONDS,
        )  # fmt: skip
        self._connection.create_function("checksum", 1, checksum, deterministic=True)
        self._connection.set_progress_handler(beat, _STEPS)
        self._connection.execute("PRAGMA user_version")

    def _known_version(self, *, is_new: bool) -> int:
        """Return the version of the file, which stands there twice, so that a flipped bit is found."""
        (version, mark), *_ = self._read("SELECT * FROM pragma_user_version, pragma_application_id")
        if version == mark == 0 and not is_new and not self._read("SELECT 1 FROM sqlite_schema"):
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
            hint = "Install the newer tableside, or choose another --data DIR."
            raise NewerHistory(what, where=str(self._path), hint=hint)
        return int(version)

    def _is_torn_at_most(self, log: bytes) -> bool:
        """Tell whether SQLite took all of the write-ahead log but the beginning of a change that was never finished.

        Frames are written in order, that which ends a change last. So behind what was taken none ends one, and all are
        of this log: each begins with its page and the pages of the file after the change, and repeats the log's salts.
        https://www.sqlite.org/fileformat2.html#walformat
        """
        _, taken, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        (page,) = self._connection.execute("PRAGMA page_size").fetchone()
        heads = (log[at : at + 16] for at in range(32 + max(taken, 0) * (24 + page), len(log) - 23 - page, 24 + page))
        return all(any(head[:4]) and not any(head[4:8]) and head[8:] == log[16:24] for head in heads)

    def _migrate(self, version: int) -> None:
        """Bring the file to this version, after a copy of an older one was put beside it."""
        if 0 < version < SCHEMA_VERSION:
            copy = self._path.with_name(f"{self._path.name}.version{version}")
            copy.unlink(missing_ok=True)
            self.copy_to(copy)
        for target in range(version + 1, SCHEMA_VERSION + 1):
            script = f"BEGIN IMMEDIATE; {_MIGRATIONS[target]} PRAGMA user_version = {target}; COMMIT;"
            self._connection.executescript(script)

    def _rest(self, seconds: float) -> None:
        """Empty the write-ahead log whenever nothing was written for so long."""
        while self._written.wait() and not self._is_closed:
            self._written.clear()
            if self._written.wait(seconds):
                continue
            try:
                self._read("PRAGMA busy_timeout = 0")  # no change waits for whoever reads
                (is_busy, *_), *_ = self._read("PRAGMA wal_checkpoint(TRUNCATE)")
                self._read(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000:.0f}")
            except StoreError as error:
                if not self._is_closed:  # the next change tries again, and says what hinders it
                    _log.warning("%s", error)
                continue
            if is_busy:
                self._written.set()

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except _FAILS as error:
            raise self._error("the history cannot be read", error) from error

    def _changes(self, which: str, *values: object) -> list[Change]:
        found: list[Change] = []
        for number, body in self._read(f"SELECT number, body FROM change WHERE {which}", *values):
            try:
                found.append(change_from_text(str(body)))
            except ValueError as error:
                raise self._damaged(f"change {number} cannot be understood: {error}") from error
        return found

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        if self.refusal is not None:
            raise StoreError(self.refusal.what, where=self.refusal.where, hint=self.refusal.hint)
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
                if not self._resting.is_alive():
                    self._resting.start()
        except sqlite3.Error as error:
            raise self._error("the change could not be written down", error) from error
        self._written.set()

    def _refused(self, error: Exception) -> StoreError:
        """Return what is said of a history that cannot be opened."""
        if isinstance(error, StoreError):
            return error
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_READONLY and os.access(self._path, os.W_OK):
            return self._damaged("it calls itself read-only")
        if isinstance(error, OSError) or (code in _TAKES_NOTHING and not self._is_reader):
            return not_writable(self._path, OSError(0, str(error)))
        return self._error("the history cannot be opened", error)

    def _damaged(self, how: str) -> HistoryDamaged:
        hint = "Start the table: it keeps the file under a dated name and carries over what can be read."
        return HistoryDamaged(
            say("the history is damaged: {=how}", how=" ".join(how.split())), where=str(self._path), hint=hint
        )

    def _error(self, what: str, error: Exception) -> StoreError:
        # a text that is no UTF-8 has no code of its own
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF not in _NO_DAMAGE:
            return self._damaged(str(error))
        hint = "See that the disk has room and that you may write there, or choose another with --data DIR."
        return StoreError(say("{what} ({=why})", what=what, why=error), where=str(self._path), hint=hint)


class DamagedFile:
    """A history whose file is not as it was written: whatever SQL still reads of it, row by row. Nothing is changed."""

    def __init__(self, path: Path) -> None:
        self._most = path.stat().st_size // _LEAST_BYTES if path.is_file() else 0
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro" if self._most else ":memory:", uri=True
        )
        self._connection.text_factory = bytes
        self._connection.row_factory = sqlite3.Row

    def changes(self) -> Iterator[Change]:
        """Yield the changes that are as they were written, oldest first; some may be missing."""
        for number in range(1, self._most + 1):
            row = self._row("SELECT * FROM change WHERE number = ?", number)
            if row and (change := _as_written(row)) and change.number == number:
                yield change

    def reserved(self) -> int:
        """Return the highest revision that may have been shown, 0 where that is not known."""
        row = self._row("SELECT revision FROM reserved")
        # a flipped bit must not take the revisions beyond what a page can count
        return row[0] if row and isinstance(row[0], int) and row[0] < 2**40 else 0

    def close(self) -> None:
        self._connection.close()

    def _row(self, statement: str, *values: int) -> sqlite3.Row | None:
        try:
            self._connection.execute(
                "PRAGMA writable_schema = ON"
            )  # goes on where only the name of an index is damaged
            row: sqlite3.Row | None = self._connection.execute(statement, values).fetchone()
        except _FAILS:  # a bad page; others that are good may lie behind it
            return None
        return row


def _as_written(row: sqlite3.Row) -> Change | None:
    """Return the change of a row, if it is as it was written. An older version wrote no checksum."""
    columns = dict(zip(row.keys(), row, strict=True))
    body, told = columns["body"], columns.get("checksum")
    if told is not None and told != checksum(body):
        return None
    try:
        change = change_from_text(body.decode())
    except ValueError:
        return None
    return None if told is None and change.id.encode() != columns["id"] else change


def hold(path: Path) -> FileLock:
    """Keep every other program from writing the history at this path until the lock is released.

    :raises HistoryInUse: while another writes it. :raises HistoryNotWritable: on a disk that takes nothing.
    :raises SettingsError: where its folder cannot be.
    """
    lock = FileLock(f"{path}.lock", is_singleton=False)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
    except (FileExistsError, NotADirectoryError) as error:  # no disk that heals makes it right
        what, hint = say("the folder cannot be made ({=why})", why=error.strerror), "Choose another with --data DIR."
        raise SettingsError(what, where=str(path.parent), hint=hint) from error
    except Timeout as error:
        hint = "Stop the other tableside, or choose another folder with --data DIR."
        raise HistoryInUse("another tableside uses this history", where=str(path), hint=hint) from error
    except OSError as error:
        raise not_writable(path, error) from error
    return lock


def not_writable(path: Path, error: OSError) -> HistoryNotWritable:
    """Return what is said while nothing can be put down at this path."""
    what = "nothing can be written ({=why}): the camera's rolls and the buttons go on, and nothing is kept"
    hint = "Make its disk writable and start the table again, or choose another folder with --data DIR."
    return HistoryNotWritable(say(what, why=error.strerror or error), where=str(path), hint=hint)


def not_readable(path: Path) -> StoreError:
    """Return what is said of a history that this user may not read."""
    hint = "Give it to the user who runs the table: sudo chown USER '{=path}', then chmod 600 '{=path}'."
    return StoreError("the history may not be read (Permission denied)", where=str(path), hint=say(hint, path=path))


def put_in_place(new: Path, path: Path, *, aside: Path) -> None:
    """Put a whole history in place of the one at this path, which is kept with its write-ahead log.

    The caller holds the history. Power may be lost at any moment: there is always the old one or the new one.

    :raises OSError: where that cannot be done.
    """
    copy = aside.with_name(f"{aside.name}.part")
    if path.is_file():
        shutil.copyfile(path, copy)
    if path.exists():
        replace_durably(copy if path.is_file() else path, aside)
    for ending in ("-wal", "-shm"):  # a log that stayed would be written into the new one
        beside = path.with_name(f"{path.name}{ending}")
        if beside.exists():
            replace_durably(beside, aside.with_name(f"{aside.name}{ending}"))
    replace_durably(new, path)
