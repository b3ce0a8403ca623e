"""The table's history as files: opened for a table, told, written out and read back."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from tableside.adapters.sqlite_store import STORE_NAME, SqliteStore, not_readable
from tableside.app.backups import scratch
from tableside.app.mending import carry_over, mend
from tableside.errors import HistoryDamaged, HistoryNotWritable, NewerHistory, SettingsError, StoreError
from tableside.table import Store
from tableside.table.kept import Change, change_from_text

_log = logging.getLogger(__name__)


def open_history(
    data: Path, *, when_working: Callable[[], object] = lambda: None
) -> tuple[Store, tuple[StoreError, ...]]:
    """Open the history for a table, and say what is wrong with it.

    A damaged one is mended, which is also kept as a trouble until somebody has seen it. A disk that takes nothing is
    no reason to stop: what is there is shown, and what the camera reads is shown too.

    :param when_working: called now and then during what may take long.
    :raises StoreError: when it is of a newer version, or used by another program.
    """
    path = data / STORE_NAME
    try:
        opened = SqliteStore(path, when_working=when_working)
        return opened, (opened.stays_old,) if opened.stays_old else ()
    except HistoryNotWritable as error:
        unwritable = error
    except HistoryDamaged as error:
        _log.warning("%s", error)
        try:
            loss = mend(path, when_working=when_working)
            return SqliteStore(path, when_working=when_working), (loss,)
        except HistoryNotWritable as second:
            unwritable = second
    store, damage = _open_copy(path, when_working)
    store.refusal = unwritable
    return store, (unwritable, *damage)


def _open_copy(
    path: Path, when_working: Callable[[], object] = lambda: None
) -> tuple[SqliteStore, tuple[StoreError, ...]]:
    """Open a copy of a history, mended where it is damaged, and say so. The copy is gone when it is closed.

    :raises StoreError: where the disk does not give it.
    """
    with scratch() as folder:  # POSIX keeps what is open
        copy, mended = Path(folder) / STORE_NAME, Path(folder) / "mended.sqlite"
        try:
            if path.is_dir():
                copy.mkdir()
            for ending in ("", "-wal"):
                if (part := path.with_name(f"{path.name}{ending}")).is_file():
                    shutil.copyfile(part, copy.with_name(f"{copy.name}{ending}"))
        except OSError as error:
            raise not_readable(path) from error
        try:
            return SqliteStore(copy, when_working=when_working), ()
        except HistoryDamaged:
            loss = carry_over(copy, mended, told_of=path, kept=None, when_working=when_working)
            return SqliteStore(mended, when_working=when_working), (loss,)


def changes_in(data: Path, *, when_damaged: Callable[[StoreError], object]) -> Iterator[Change]:
    """Yield the changes of a data folder, oldest first; none where no table ever ran. Nothing is written there.

    :param when_damaged: is told once where not all of them can be read; those that can be are yielded.
    :raises StoreError: when the history cannot be read.
    """
    path = data / STORE_NAME
    if not path.exists():
        return
    with ExitStack() as undo:
        try:
            store = undo.enter_context(closing(SqliteStore(path, is_reader=True)))
            store.check()
        except NewerHistory:
            raise
        except StoreError:
            # on a disk that takes nothing SQLite cannot read the write-ahead log that a pulled plug has left
            store, damage = _open_copy(path)
            undo.enter_context(closing(store))
            for one in damage:
                when_damaged(one)
        yield from store.changes()


def import_changes(data: Path, lines: Iterable[str], *, where: str) -> int:
    """Put a history that was written out as JSON into an empty data folder, and return how many changes it has.

    :raises SettingsError: where a line is none, one is missing, or there is a history already; nothing is kept then.
    """
    changes: list[Change] = []
    for count, line in enumerate((line for line in lines if line.strip()), start=1):
        try:
            change = change_from_text(line)
        except ValueError as error:
            hint = "Give the output of `tableside log --json`."
            raise SettingsError(f"cannot be understood ({error})", where=f"{where}: line {count}", hint=hint) from error
        if change.number != count:
            hint = "Give the whole history, in order."
            raise SettingsError(
                f"change {change.number} follows {count - 1}", where=f"{where}: line {count}", hint=hint
            )
        changes.append(change)
    store = SqliteStore(data / STORE_NAME)
    try:
        if next(store.changes(), None) is not None:
            hint = "Choose an empty folder with --data DIR."
            raise SettingsError("there is a history already", where=str(data), hint=hint)
        store.append(changes)
    finally:
        store.close()
    return len(changes)
