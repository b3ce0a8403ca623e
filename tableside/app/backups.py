"""Backups: history, taught dice, paired devices and set-ups of the camera in one file, written daily and by command."""

from __future__ import annotations

import errno
import logging
import re
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tableside.adapters.sqlite_store import STORE_NAME, SqliteStore, hold, put_history
from tableside.app.archive import unpack
from tableside.app.calibrate import FOLDER as SET_UPS
from tableside.app.taught_sets import most_bytes_of
from tableside.durable import HalfDone, change_files, free_name, give_to_owner
from tableside.errors import HistoryDamaged, NewerHistory, SettingsError, StoreError, TablesideError
from tableside.table.kept import TableState, end_cut_short
from tableside.table.table import STORE

_log = logging.getLogger(__name__)
BACKUPS = "backups"
DEVICES = "devices.json"
KEPT = 7
"""So many daily backups stand beside the history; the oldest goes first."""
RENEWED_SECONDS = 3600.0
"""That of today is written anew so often while anything happens, so that an evening is in it."""
_MOST_BYTES = 1_000_000_000
_MOST_SMALL = 1_000_000
_MOST_PICTURE = 100_000_000  # an empty tray as PNG
_SETS = "sets"
_DAY = re.compile(r"\d{4}-\d\d-\d\d\.zip")
_SET_UP = re.compile(rf"{SET_UPS}/[a-z0-9-]+\.(json|png)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a backup holds.

    :ivar path: of the backup, or of the folder it was put into. :ivar changes: of its history.
    :ivar files: besides the history. :ivar aside: where that lies which was there before.
    """

    path: Path
    changes: int
    files: int
    aside: Path | None = None


def backups_in(data: Path) -> list[Path]:
    """Return the daily backups of a data folder, the last that was written first, whatever day the clock told."""
    found = (path for path in (data / BACKUPS).glob("*.zip") if _DAY.fullmatch(path.name))
    return sorted(found, key=lambda path: (_written_as(path), path.name), reverse=True)


def _written_as(file: Path) -> int:
    """Return which backup it was that was written, counted from 1; 0 where it does not say so."""
    try:
        with zipfile.ZipFile(file) as packed:
            return int(packed.comment or b"0")
    except (OSError, ValueError, zipfile.BadZipFile):
        return 0


def backup_of_today(data: Path, *, now: float) -> Path:
    """Return where the backup of this day belongs. ``now`` is in seconds since 1970."""
    return data / BACKUPS / f"{datetime.fromtimestamp(now).date().isoformat()}.zip"


def write_backup(data: Path, file: Path) -> Kept:
    """Write a backup of a data folder in place of an older one, beside a running table, too.

    :raises HistoryDamaged: where the history is damaged; the older backup stays.
    :raises SettingsError: where there is no history. :raises StoreError: where the backup cannot be written.
    """
    path = data / STORE_NAME
    if not path.exists():
        hint = "Name the table's folder with --data DIR or TABLESIDE_DATA."
        raise SettingsError("holds no history", where=str(data), hint=hint)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        end_cut_short(data, data, file.parent)  # what is half put back is no state to keep
        with change_files(file.parent, "backup") as change:
            part, copy = change.new / file.name, change.new / f"{file.name}.sqlite"
            with closing(SqliteStore(path, is_reader=True)) as store:
                copy.touch()  # where that cannot be, it is no fault of the history
                store.copy_to(copy)
            with closing(SqliteStore(copy, is_reader=True)) as copied:
                count = copied.check()
            others = [path for path in sorted(data.rglob("*")) if path.is_file() and _limit(_name(path, data))]
            others = [path for path in others if path.name != STORE_NAME]
            with part.open("wb") as out:
                part.chmod(0o600)  # it tells which devices are paired
                # a Pi without a clock may have written files in 1970, which a ZIP cannot say
                with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
                    newest = next(iter(backups_in(data)), None)
                    packed.comment = str(1 + (_written_as(newest) if newest else 0)).encode()
                    packed.write(copy, STORE_NAME)
                    for path in others:
                        packed.write(path, _name(path, data))
            change.put(file.name)
    except StoreError:
        raise
    except OSError as error:
        hint = "See that its disk has room and that you may write there, or name another file."
        raise StoreError(f"cannot be written ({error.strerror or error})", where=str(file), hint=hint) from error
    return Kept(path=file, changes=count, files=len(others))


def restore_backup(data: Path, file: Path, *, now: float) -> Kept:
    """Put a backup in place of what a data folder holds, which is kept in a dated folder beside it.

    :param now: in seconds since 1970; it names that folder.
    :raises HistoryInUse: while a table runs there. :raises SettingsError: where it is no whole backup.
    Nothing is changed then.
    """
    path = data / STORE_NAME
    lock = hold(path)
    try:
        with change_files(data, "restore") as change:
            new = change.new
            names = unpack(file, new, limit=_limit, most_bytes=_MOST_BYTES, refuse=lambda what: _no_backup(file, what))
            if STORE_NAME not in names:
                raise _no_backup(file, "holds no history")
            try:
                with closing(SqliteStore(new / STORE_NAME, is_reader=True)) as store:
                    count = store.check()
            except HistoryDamaged as error:
                raise _no_backup(file, f"holds a damaged history ({error.what})") from error
            aside = free_name(data, f"replaced-{datetime.fromtimestamp(now):%Y-%m-%d-%H%M%S}")
            for name in (DEVICES, _SETS, SET_UPS):
                change.put(name, aside=f"{aside}/{name}")
            put_history(change, path, aside=f"{aside}/{STORE_NAME}")
        give_to_owner(data, data)
        return Kept(path=data, changes=count, files=len(names) - 1, aside=data / aside)
    except StoreError:
        raise
    except HalfDone as error:
        hint = "The rest follows when it is started next. See that its disk has room and that you may write there."
        raise StoreError(f"is put back in part ({error.strerror or error})", where=str(data), hint=hint) from error
    except OSError as error:
        hint = "See that its disk has room and that you may write there."
        raise StoreError(f"cannot be put back ({error.strerror or error})", where=str(data), hint=hint) from error
    finally:
        lock.release()


@contextmanager
def opened_backup(file: Path) -> Iterator[SqliteStore | None]:
    """Yield the history of a backup; ``None`` where it is of no use, which is logged.

    :raises OSError: where it is the disk that hinders.
    """
    with scratch() as folder, ExitStack() as undo:
        try:
            unpacked = Path(folder) / "backup"
            unpack(file, unpacked, limit=_limit, most_bytes=_MOST_BYTES, refuse=lambda what: _no_backup(file, what))
            store = undo.enter_context(closing(SqliteStore(unpacked / STORE_NAME, is_reader=True)))
            store.check()
        except (TablesideError, OSError) as error:
            is_of_no_use = isinstance(error, SettingsError | HistoryDamaged | NewerHistory)
            if not is_of_no_use and getattr(error, "errno", None) != errno.EIO:
                raise
            _log.warning("a backup is of no use: %s", error)
            yield None
        else:
            yield store


def scratch() -> tempfile.TemporaryDirectory[str]:
    """Return a folder for a while: in memory where no disk takes anything."""
    try:
        return tempfile.TemporaryDirectory(prefix="tableside-")
    except OSError:
        return tempfile.TemporaryDirectory(prefix="tableside-", dir="/dev/shm")


class DailyBackups:
    """A display that writes the backup of the day, and keeps the last :data:`KEPT`.

    :param clock: seconds since 1970.
    """

    def __init__(self, data: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._data = data
        self._clock = clock
        self._number = 0
        self._written = float("-inf")

    def show(self, state: TableState) -> None:
        """Write a backup where anything happened since the last.

        :raises StoreError: where that fails.
        """
        is_stored = (self._data / STORE_NAME).exists() and all(trouble.part != STORE for trouble in state.trouble)
        if not is_stored or state.last_number == self._number:
            return
        now = self._clock()
        target = backup_of_today(self._data, now=now)
        if target.exists() and 0 <= now - self._written < RENEWED_SECONDS:
            return
        self._number, self._written = state.last_number, now
        write_backup(self._data, target)
        for old in backups_in(self._data)[KEPT:]:
            old.unlink(missing_ok=True)


def _name(path: Path, data: Path) -> str:
    return path.relative_to(data).as_posix()


def _limit(name: str) -> int:
    """Return how large a file of a backup may be, 0 where no backup holds such a file."""
    if name == STORE_NAME:
        return _MOST_BYTES
    if name == DEVICES:
        return _MOST_SMALL
    if _SET_UP.fullmatch(name):
        return _MOST_SMALL if name.endswith(".json") else _MOST_PICTURE
    top, _, rest = name.partition("/")
    return most_bytes_of(rest) if top == _SETS else 0


def _no_backup(file: Path, what: str) -> SettingsError:
    return SettingsError(what, where=str(file), hint="Name a file that `tableside backup` wrote.")
