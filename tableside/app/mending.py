"""A damaged history: what SQL reads of it row by row is joined with the newest backup, and the damaged file is kept."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from tableside.adapters.sqlite_store import SqliteStore, hold, not_writable, put_history, read_damaged
from tableside.app.backups import BACKUPS, backups_in, opened_backup
from tableside.app.backups import DEVICES as DEVICES_FILE
from tableside.app.calibrate import FOLDER as SET_UPS
from tableside.durable import FilesChange, change_files, free_name
from tableside.errors import HistoryDamaged, StoreError, TablesideError
from tableside.paths import user_sets_folder
from tableside.table.kept import DEVICES, HISTORY, LOST, TROUBLES, Change, end_cut_short, lost_change, with_trouble
from tableside.words import say, sentences

_CHUNK = 500
_MOST_RANGES = 5
_REVISIONS_A_CHANGE = 100
"""Where nothing tells which revisions were shown: more than a change ever takes, so that no page waits for them."""
_CARRIED = "the history was damaged: {n} {n:change was|changes were} carried over"
_READ = "the history was damaged: {n} {n:change was|changes were} read"
_LOST = "{n} {n:change was|changes were} lost ({=numbers})"


def carry_over(
    path: Path,
    into: Path,
    *,
    told_of: Path,
    kept: Path | None = None,
    when_working: Callable[[], object] = lambda: None,
) -> HistoryDamaged:
    """Write what can be read of a damaged history, and of the newest backup of the same history, into a new file.

    It has no gap from the first change to the newest: for one that is lost another stands, which says so.

    :param told_of: where the history belongs; its backups stand beside it. :param kept: where the damaged file will be.
    :return: what is said of it.
    :raises StoreError: where the new file cannot be written.
    """
    known: dict[int, tuple[str, float]] = {}

    def take(changes: Iterable[Change]) -> None:
        missing = (one for one in changes if one.kind != LOST and one.number not in known)
        while chunk := list(islice(missing, _CHUNK)):
            store.append(chunk)
            known.update({change.number: (change.id, change.at) for change in chunk})
            when_working()

    with closing(SqliteStore(into, when_working=when_working)) as store:
        reserved = read_damaged(path, take)
        in_file = len(known)
        for backup in backups_in(told_of.parent):
            with opened_backup(backup) as theirs:
                if theirs is not None and _is_of_one_history(known, theirs.changes()):
                    take(theirs.changes())
                    break
        newest, at = max(known, default=0), 0.0
        lost: list[Change] = []
        for number in range(1, newest + 1):
            at = known[number][1] if number in known else at
            if number not in known:
                lost.append(lost_change(number, at=at))
        store.append(lost)
        store.reserve(reserved or newest * _REVISIONS_A_CHANGE)
    there = say("The damaged file is kept as {=name}.", name=kept.name) if kept else ""
    if not known:
        nothing = "the history's file holds nothing that can be read"
        anew = "the history's file holds nothing that can be read: the table begins anew"
        hint = sentences("If there was one before, put a backup back: `tableside restore FILE`.", there)
        return HistoryDamaged(anew if kept else nothing, where=str(told_of), hint=hint)
    parts: list[str] = [say(_CARRIED if kept else _READ, n=len(known))]
    if not in_file:
        parts.append("all of them from a backup")
    elif len(known) > in_file:
        parts.append(say("{n} of them from a backup", n=len(known) - in_file))
    if lost:
        parts.append(say(_LOST, n=len(lost), numbers=_ranges([one.number for one in lost])))
    hint = "The newest is number {=n}, of {=when} UTC: enter again what may have come after it."
    when = f"{datetime.fromtimestamp(at, tz=UTC):%Y-%m-%d %H:%M}"
    return HistoryDamaged("{all}", all=parts, where=str(told_of), hint=sentences(say(hint, n=newest, when=when), there))


def mend(path: Path, *, when_working: Callable[[], object] = lambda: None) -> HistoryDamaged:
    """Put a whole history in place of a damaged one, which is kept under a dated name, and return what is said of it.

    It is said until somebody has seen it.

    :raises HistoryNotWritable: on a disk that takes nothing. :raises HistoryInUse: while another program writes it.
    """
    lock, data, now = hold(path), path.parent, datetime.now()
    try:
        with change_files(data, "mend") as change:
            kept = free_name(data, f"{path.stem}.damaged-{now:%Y-%m-%d-%H%M%S}{path.suffix}")
            damage = carry_over(path, change.new / path.name, told_of=path, kept=data / kept, when_working=when_working)
            put_history(change, path, aside=kept)
            _put_trouble(change, data, damage, part=HISTORY, at=now.timestamp())
    except OSError as error:  # every error of a store is one
        raise not_writable(path, error) from error
    else:
        return damage
    finally:
        lock.release()


def mend_around(data: Path) -> StoreError | None:
    """Mend what lies beside a history that a table holds, and return why that cannot be."""
    from tableside.app.pages import TLS  # `tableside log` needs no web server

    try:
        end_cut_short(data, data / BACKUPS, user_sets_folder(data), data / SET_UPS, data / TLS)
        mend_devices(data, now=time.time())
    except OSError as error:
        what = say("what lies beside the history cannot be mended ({=why})", why=error)
        return StoreError(what, where=str(data), hint="See that its disk has room and that you may write there.")
    return None


def mend_devices(data: Path, *, now: float) -> None:
    """Put the list of paired devices of the newest backup in place of a damaged one, which is kept, and keep saying so.

    :param now: seconds since 1970.
    :raises OSError: where that cannot be done.
    """
    from tableside.adapters.web.pairing import read_devices

    path = data / DEVICES_FILE
    try:
        read_devices(path.read_bytes())
    except FileNotFoundError:
        return
    except (ValueError, IsADirectoryError):
        pass
    else:
        return
    with change_files(data, "mend") as change:
        kept = free_name(data, f"devices.damaged-{datetime.fromtimestamp(now):%Y-%m-%d-%H%M%S}.json")
        what: str = "the list of paired phones was damaged, and no backup has one"
        hint = "Pair the phones again."
        for backup in backups_in(data):
            with suppress(OSError, ValueError, KeyError, zipfile.BadZipFile), zipfile.ZipFile(backup) as packed:
                content = packed.read(DEVICES_FILE)
                count = len(read_devices(content))
                (change.new / DEVICES_FILE).write_bytes(content)
                (change.new / DEVICES_FILE).chmod(0o600)
                what = "the list of paired phones was damaged: {n} {n:phone is|phones are} back from the backup {=name}"
                what, hint = say(what, name=backup.stem, n=count), "Pair those again that are missing."
                break
        change.put(DEVICES_FILE, aside=kept)
        there = say("The damaged file is kept as {=name}.", name=kept)
        error = TablesideError(what, where=str(path), hint=sentences(hint, there))
        _put_trouble(change, data, error, part=DEVICES, at=now)


def _put_trouble(change: FilesChange, data: Path, error: TablesideError, *, part: str, at: float) -> None:
    (change.new / TROUBLES).write_bytes(with_trouble(data, error, part=part, at=at))
    change.put(TROUBLES)


def _is_of_one_history(known: dict[int, tuple[str, float]], theirs: Iterable[Change]) -> bool:
    """Tell whether two histories agree wherever they can be compared; one that is empty agrees with every other."""
    common = [known[one.number][0] == one.id for one in theirs if one.number in known and one.kind != LOST]
    return all(common) and bool(common or not known)


def _ranges(numbers: list[int]) -> str:
    """Return numbers in ascending order as words, such as ``17-20, 33``; of many the first few."""
    runs: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        runs.setdefault(number - place, []).append(number)
    ranges = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs.values()]
    return ", ".join([*ranges[:_MOST_RANGES], *(["..."] if len(ranges) > _MOST_RANGES else [])])
