"""The table's log in SQLite: append-only, on disk before it is acknowledged."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from tableside.durable import FilesChange, HalfDone, change_files, free_name, give_to_owner
from tableside.errors import HistoryDamaged, HistoryInUse, HistoryNotWritable, NewerHistory, SettingsError, StoreError
from tableside.table.kept import Change, change_from_text, change_to_text, checksum, end_cut_short
from tableside.words import say

_log = logging.getLogger(__name__)
STORE_NAME = "table.sqlite"
SCHEMA_VERSION = 4
_FIRST_SUMMED, _FIRST_OF_SEVERAL = 3, 4
_MARK = 0x74736400  # "tsd": with the version in its last byte it is the file's application_id
_BUSY_SECONDS = 5.0
_RESTLESS = 5  # rests after which the log is emptied at last
_STEPS = 1000  # of SQLite's machine, between two beats
_CHUNK = 500
_LEAST_BYTES = 200  # that a change takes in the file, with what its indexes hold of it
_FAILS = (sqlite3.Error, UnicodeError)  # what SQLite says of a damaged file may quote bytes that are no text
_OF_THE_DISK = {"READONLY", "FULL", "IOERR", "PERM", "BUSY", "LOCKED", "NOMEM", "CANTOPEN", "AUTH"}
"""Errors that tell of the disk or of another program; every other tells of what stands in the file."""
_ROLL = "coalesce(json_extract(body, '$.after.roll.id'), json_extract(body, '$.before.roll.id'))"
_BAD_SECTORS = {"SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS", "SQLITE_IOERR_DATA"}
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
    2: f"""
        ALTER TABLE change ADD COLUMN roll TEXT GENERATED ALWAYS AS ({_ROLL}) VIRTUAL;
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
    # an undo may touch several rolls: an older program would take one alone for all
    4: f"""
        CREATE TABLE also (roll TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (roll, number))
            STRICT, WITHOUT ROWID;
        CREATE TRIGGER change_of_several_rolls AFTER INSERT ON change
            BEGIN INSERT OR IGNORE INTO also SELECT key, new.number FROM json_each(new.body, '$.after.rolls'); END;
        INSERT OR IGNORE INTO also SELECT key, number FROM change, json_each(body, '$.after.rolls');
        PRAGMA application_id = {_MARK + 4};
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
    :ivar version: of the file's form. :ivar stays_old: why an older form could not be brought to that of now.
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
        idle_seconds: float = 2.0,
    ) -> None:
        self.refusal: StoreError | None = None
        self.stays_old: StoreError | None = None
        self._path, self._when_working, self.version = path, when_working, 0
        self._lock, self._written, self._is_closed = threading.Lock(), threading.Event(), False
        self._connection = sqlite3.connect(":memory:")
        self._resting = threading.Thread(target=self._rest, args=(idle_seconds,), name="tableside store", daemon=True)
        self._alone = None if is_reader else hold(path)
        beside, log = path.with_name(f"{path.name}-wal"), b""
        try:
            if is_reader:  # where SQLite finds no place for its own files and there is no log, it needs none
                is_shut = not beside.exists() and not os.access(path.parent, os.W_OK)
                self._open("immutable=1" if is_shut else "mode=ro")
            else:
                log = beside.read_bytes() if beside.is_file() else b""
                self._open("mode=rwc")
                self._make_ready(log)
        except (*_FAILS, OSError) as error:
            self.close()
            failure = self._error("the history cannot be opened", error)
            if isinstance(failure, HistoryDamaged) and log:
                beside.write_bytes(log)  # SQLite dropped it; whoever looks at the damage finds it as it was
            if not is_reader and not isinstance(error, StoreError) and not isinstance(failure, HistoryDamaged):
                failure = not_writable(path, OSError(0, str(error)))
            raise failure from error

    def check(self) -> int:
        """Look at the whole file as it lies on the disk, and return how many changes it holds.

        :raises HistoryDamaged: where it is not as it was written. A single flipped bit is found.
        """
        if (rows := self._read("PRAGMA integrity_check(1)")) != [("ok",)]:
            raise self._damage(str(rows[0][0]))
        is_summed = self.version >= _FIRST_SUMMED
        wrong = "checksum(CAST(body AS BLOB)) IS NOT checksum" if is_summed else "FALSE"
        named = "json_extract(body, '$.number') IS NOT number OR json_extract(body, '$.id') IS NOT id"
        for (number,) in self._read(f"SELECT number FROM change WHERE {wrong} OR {named} LIMIT 1"):
            raise self._damage(f"change {number} is not as it was written")
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
        also = "number IN (SELECT number FROM also WHERE roll = ?)"
        if self.version < _FIRST_OF_SEVERAL:
            also = "EXISTS (SELECT 1 FROM json_each(body, '$.after.rolls') WHERE key = ?)"
        roll = "roll" if self.version > 1 else _ROLL
        return self._changes(f"{roll} = ? OR {also} ORDER BY number", roll_id, roll_id)

    def append(self, changes: Sequence[Change]) -> None:
        """Put these changes on disk, all or none, before returning."""
        texts = [(change, change_to_text(change)) for change in changes]
        rows = [(one.number, one.id, one.at, one.kind, body, checksum(body.encode())) for one, body in texts]
        if self.version >= _FIRST_SUMMED:
            self._write("INSERT INTO change (number, id, at, kind, body, checksum) VALUES (?, ?, ?, ?, ?, ?)", rows)
        else:
            self._write("INSERT INTO change (number, id, at, kind, body) VALUES (?, ?, ?, ?, ?)", [r[:5] for r in rows])

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

    def _open(self, how: str) -> None:
        """Open the file and find its version, which stands there twice, so that a flipped bit is found."""
        is_new = not self._path.exists()
        if not is_new and not self._path.is_file():
            raise self._damage("it is no file")
        if not is_new and not os.access(self._path, os.R_OK):
            raise not_readable(self._path)
        address = self._path.absolute().as_uri()
        self._connection = sqlite3.connect(
            f"{address}?{how}", uri=True, check_same_thread=False, isolation_level=None, timeout=_BUSY_SECONDS
        )
        self._connection.create_function("checksum", 1, checksum, deterministic=True)
        self._connection.set_progress_handler(lambda: (self._when_working(), 0)[1], _STEPS)
        (version, mark), *_ = self._read("SELECT * FROM pragma_user_version, pragma_application_id")
        if version == mark == 0 and not is_new and not self._read("SELECT 1 FROM sqlite_schema"):
            raise self._damage("it is empty")
        if mark != (_MARK + version if version >= _FIRST_SUMMED else 0):
            raise self._damage(f"it is of version {version} by one mark and not by the other")
        if version > SCHEMA_VERSION:
            what = "the history is of version {=version}, this program knows {=schema_version}"
            hint = "Install the newer tableside, or choose another --data DIR."
            known = say(what, version=version, schema_version=SCHEMA_VERSION)
            raise NewerHistory(known, where=str(self._path), hint=hint)
        self.version = version

    def _make_ready(self, log: bytes) -> None:
        """Look at all of it and bring it to this version, where there is room for that."""
        if self.version and not self._is_torn_at_most(log):
            raise self._damage("the end of its write-ahead log is not as it was written")
        if self.version:
            self.check()
        self._write_ahead()
        if not self.version:
            _bring_up(self._connection, 0)
            self.version = SCHEMA_VERSION
        elif self.version < SCHEMA_VERSION:
            try:
                self._upgrade()
            except HalfDone:
                raise
            except (sqlite3.Error, OSError) as error:
                what = "the history stays in its older form, as the new one could not be written ({=why})"
                hint = "The table goes on as before. See that its disk has room, and start it again."
                why = error.what if isinstance(error, StoreError) else error
                self.stays_old = StoreError(say(what, why=why), where=str(self._path), hint=hint)
            self._connection.close()
            self._open("mode=rwc")
            self._write_ahead()
        # a read-only file is found out now, not at the first roll; BEGIN IMMEDIATE alone passes
        self._connection.executescript("BEGIN IMMEDIATE; UPDATE reserved SET revision = revision; ROLLBACK")
        self._empty_log()

    def _write_ahead(self) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        # SQLite begins a full log anew over the old one, whose rest looks like damage if the plug is pulled right then
        self._connection.execute("PRAGMA wal_autocheckpoint = 0")
        self._connection.execute("PRAGMA journal_size_limit = 0")  # nothing old stays behind what is written anew
        self._connection.execute("PRAGMA synchronous = FULL")

    def _upgrade(self) -> None:
        """Put a copy of the newest version in place of the history, which is kept beside it."""
        with change_files(self._path.parent, "upgrade") as change:
            copy = change.new / self._path.name
            self.copy_to(copy)
            with closing(sqlite3.connect(copy, isolation_level=None)) as newer:
                newer.create_function("checksum", 1, checksum, deterministic=True)
                newer.execute("PRAGMA journal_mode = OFF")  # a copy that fails is dropped
                _bring_up(newer, self.version)
            with closing(SqliteStore(copy, is_reader=True, when_working=self._when_working)) as made:
                made.check()
            self._connection.close()
            kept = free_name(self._path.parent, f"{self._path.name}.version{self.version}")
            put_history(change, self._path, aside=kept)

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

    def _rest(self, seconds: float) -> None:
        """Empty the write-ahead log whenever nothing was written for so long, or much was without a rest."""
        while self._written.wait() and not self._is_closed:
            self._written.clear()
            latest = time.monotonic() + _RESTLESS * seconds
            while self._written.wait(seconds) and time.monotonic() < latest and not self._is_closed:
                self._written.clear()
            try:
                if not self._is_closed and not self._empty_log():
                    self._written.set()
            except StoreError as error:
                if not self._is_closed:  # the next change tries again, and says what hinders it
                    _log.warning("%s", error)

    def _empty_log(self) -> bool:
        """Bring the write-ahead log into the file, waiting for no reader, and return whether all of it is there."""
        self._read("PRAGMA busy_timeout = 0")
        (is_busy, *_), *_ = self._read("PRAGMA wal_checkpoint(TRUNCATE)")
        self._read(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000:.0f}")
        return not is_busy

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
                raise self._damage(f"change {number} cannot be understood: {error}") from error
        return found

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        if self.refusal is not None:
            raise StoreError(self.refusal.what, where=self.refusal.where, hint=self.refusal.hint)
        try:
            with self._lock, self._connection as writing:  # which ends in a COMMIT or a ROLLBACK
                writing.execute("BEGIN IMMEDIATE")
                writing.executemany(statement, rows)
                if not self._resting.is_alive():
                    self._resting.start()
        except sqlite3.Error as error:
            raise self._error("the change could not be written down", error) from error
        self._written.set()

    def _is_marked_read_only(self) -> bool:
        """Tell whether the file says so, in its byte 18, and not the disk. https://www.sqlite.org/fileformat2.html"""
        try:
            with self._path.open("rb") as file:
                return file.read(19)[18:] > b"\2"
        except OSError:
            return False

    def _damage(self, how: str) -> HistoryDamaged:
        what = say("the history is damaged: {=how}", how=" ".join(how.split()))
        hint = "Start the table: it keeps the file under a dated name and carries over what can be read."
        return HistoryDamaged(what, where=str(self._path), hint=hint)

    def _error(self, what: str, error: Exception) -> StoreError:
        if isinstance(error, StoreError):
            return error
        name = "SQLITE_CANTOPEN" if isinstance(error, OSError) else getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
        kind = name.split("_")[1]  # SQLITE_IOERR_WRITE is one of IOERR
        if kind == "READONLY" and self._is_marked_read_only():
            return self._damage("it calls itself read-only")
        if kind not in _OF_THE_DISK:
            return self._damage(str(error))
        hint = "See that the disk has room and that you may write there, or choose another with --data DIR."
        return StoreError(say("{what} ({=why})", what=what, why=error), where=str(self._path), hint=hint)


def read_damaged(path: Path, take: Callable[[Iterator[Change]], object]) -> int:
    """Let somebody take what SQL still reads of a damaged history row by row. Nothing is changed.

    :param take: gets the changes that are as they were written, oldest first; some may be missing.
    :return: the highest revision that may have been shown, 0 where that is not known.
    :raises StoreError: where it is the disk that hinders: what could be read later is not lost.
    """
    most = path.stat().st_size // _LEAST_BYTES if path.is_file() else 0
    address = f"{path.absolute().as_uri()}?mode=ro" if most else ":memory:"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        connection.text_factory, connection.row_factory = bytes, sqlite3.Row

        def row(statement: str, *values: int) -> dict[str, Any]:
            try:
                connection.execute("PRAGMA writable_schema = ON")  # goes on where the name of an index is damaged
                return dict(connection.execute(statement, values).fetchone() or {})
            except _FAILS as error:  # a bad page; others that are good may lie behind it
                name = getattr(error, "sqlite_errorname", "SQLITE_CORRUPT")
                if name.split("_")[1] in _OF_THE_DISK and name not in _BAD_SECTORS:
                    what = say("the history cannot be read ({=why})", why=error)
                    raise StoreError(
                        what, where=str(path), hint="See that its disk has room and can be read."
                    ) from error
                return {}

        def changes() -> Iterator[Change]:
            for number in range(1, most + 1):
                found = row("SELECT * FROM change WHERE number = ?", number)
                told = found.get("checksum")  # an older version wrote none
                with suppress(ValueError):
                    if found and told in (None, checksum(found["body"])):
                        change = change_from_text(found["body"].decode())
                        if change.number == number and (told is not None or change.id.encode() == found["id"]):
                            yield change

        take(changes())
        revision = row("SELECT revision FROM reserved").get("revision")
    # a flipped bit must not take the revisions beyond what a page can count
    return revision if isinstance(revision, int) and revision < 2**40 else 0


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
    try:
        give_to_owner(Path(lock.lock_file), path.parent)
        end_cut_short(path.parent, path.parent)
    except OSError as error:
        lock.release()
        raise not_writable(path, error) from error
    return lock


def _bring_up(connection: sqlite3.Connection, version: int) -> None:
    """Bring a file of this version to that of now, in one step."""
    steps = "".join(_MIGRATIONS[one] for one in range(version + 1, SCHEMA_VERSION + 1))
    connection.executescript(f"BEGIN IMMEDIATE; {steps} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT")


def not_writable(path: Path, error: OSError) -> HistoryNotWritable:
    """Return what is said while nothing can be put down at this path."""
    what = "nothing can be written ({=why}): the camera's rolls and the buttons go on, and nothing is kept"
    hint = "Make its disk writable and start the table again, or choose another folder with --data DIR."
    return HistoryNotWritable(say(what, why=error.strerror or error), where=str(path), hint=hint)


def not_readable(path: Path) -> StoreError:
    """Return what is said of a history that this user may not read."""
    hint = "Give it to the user who runs the table: sudo chown USER '{=path}', then chmod 600 '{=path}'."
    return StoreError("the history may not be read (Permission denied)", where=str(path), hint=say(hint, path=path))


def put_history(change: FilesChange, path: Path, *, aside: str) -> None:
    """Have a history that is prepared take the place of the one at this path, which is kept with its write-ahead log.

    The caller holds the history.
    """
    for ending in ("-wal", "-shm", ""):  # a log that stayed would be written into the new one
        change.put(f"{path.name}{ending}", aside=f"{aside}{ending}")
