"""The table's history as files: opened for a table, told, written out and read back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from tableside.adapters.sqlite_store import STORE_NAME, SqliteStore, mended_beside
from tableside.app.mending import Rescue, mend, rescue
from tableside.errors import HistoryDamaged, HistoryNotWritable, NewerHistory, StoreError
from tableside.table import MemoryStore, Store
from tableside.table.kept import Change, change_from_text

_log = logging.getLogger(__name__)
HISTORY = "history"
"""The part that is in trouble where the history was damaged; it stays so until the next start."""


def open_history(data: Path) -> tuple[Store, tuple[StoreError, ...]]:
    """Open the history for a table, and say what is wrong with it.

    A damaged one is mended. A disk that takes nothing is no reason to stop: what is there is shown, and what the camera
    reads is shown too.

    :raises StoreError: when it is of a newer version, or used by another program.
    """
    path = data / STORE_NAME
    try:
        return SqliteStore(path), ()
    except HistoryNotWritable as error:
        unwritable: StoreError = error
    except HistoryDamaged as error:
        _log.warning("%s", error)
        try:
            told = mend(path)
            return SqliteStore(path), (told,)
        except HistoryNotWritable as second:
            unwritable = second
    found, damage = _readable(path)
    return UnwritableStore(found, unwritable), (unwritable, *damage)


class UnwritableStore(MemoryStore):
    """A history that can be read and never takes anything."""

    def __init__(self, found: Rescue, error: StoreError) -> None:
        super().__init__(found.changes)
        self._reserved = found.reserved
        self._error = error

    def _check(self) -> None:
        raise StoreError(self._error.what, where=self._error.where, hint=self._error.hint)


def changes_in(data: Path, *, when_damaged: Callable[[StoreError], object]) -> Iterator[Change]:
    """Yield the changes of a data folder, oldest first; none where no table ever ran.

    :param when_damaged: is told once where not all of them can be read; those that can be are yielded.
    :raises StoreError: when the history cannot be read.
    """
    path = data / STORE_NAME
    if not path.exists():
        return
    found, damage = _readable(path)
    for told in damage:
        when_damaged(told)
    yield from found.changes


def _readable(path: Path) -> tuple[Rescue, tuple[StoreError, ...]]:
    """Return what can be read of a history without writing anything, and what is wrong with it."""
    whole = mended_beside(path)  # power was lost, or the disk turned read-only, before it took its place
    path = whole if whole.exists() else path
    if not path.exists():
        return Rescue(path=path, changes=()), ()
    try:
        with closing(SqliteStore(path, is_reader=True)) as store:
            store.check()
            return Rescue(path=path, changes=tuple(store.changes()), reserved=store.reserved()), ()
    except NewerHistory:
        raise
    except StoreError as error:
        # on a disk that takes nothing SQLite cannot read the write-ahead log that a pulled plug has left
        found = rescue(path)
        return found, (found.told(),) if isinstance(error, HistoryDamaged) or found.lost else ()


def import_changes(data: Path, lines: Iterable[str], *, where: str) -> int:
    """Put a history that was written out as JSON into an empty data folder, and return how many changes it has.

    :raises StoreError: where a line is none, numbers are missing, or there is a history already; nothing is kept then.
    """
    changes: list[Change] = []
    for count, line in enumerate((line for line in lines if line.strip()), start=1):
        try:
            change = change_from_text(line)
        except ValueError as error:
            hint = "Give the output of `tableside log --json`."
            raise StoreError(f"cannot be understood ({error})", where=f"{where}: line {count}", hint=hint) from error
        if change.number != count:
            hint = "Give the whole history, in order."
            raise StoreError(f"change {change.number} follows {count - 1}", where=f"{where}: line {count}", hint=hint)
        changes.append(change)
    store = SqliteStore(data / STORE_NAME)
    try:
        if next(store.changes(), None) is not None:
            hint = "Choose an empty folder with --data DIR."
            raise StoreError("there is a history already", where=str(data), hint=hint)
        store.append(changes)
    finally:
        store.close()
    return len(changes)
