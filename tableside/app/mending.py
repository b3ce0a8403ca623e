"""A damaged history: what SQL reads of it row by row is joined with the newest backup, and the damaged file is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from tableside.adapters.sqlite_store import DamagedFile, SqliteStore, hold, not_writable, put_in_place
from tableside.app.backups import backups_in, opened_backup
from tableside.errors import HistoryDamaged, HistoryInUse
from tableside.table.kept import LOST, Change, lost_change
from tableside.words import say, sentences

_CHUNK = 500
_MOST_RANGES = 5
_REVISIONS_A_CHANGE = 100
"""Where nothing tells which revisions were shown: more than a change ever takes, so that no page waits for them."""
_CARRIED = "the history was damaged: {n} {n:change was|changes were} carried over"
_READ = "the history was damaged: {n} {n:change was|changes were} read"
_LOST = "{n} {n:change was|changes were} lost ({=numbers})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What of a damaged history stands in a whole one, without a gap from the first change to the newest.

    :ivar path: of the damaged one. :ivar lost: numbers of changes that are lost, for which others stand.
    :ivar count: of those that are not lost. :ivar from_backup: how many of these only the backup still had.
    :ivar at: when the newest happened, in seconds since 1970.
    """

    path: Path
    count: int
    lost: tuple[int, ...]
    from_backup: int
    at: float

    def told(self, kept: Path | None = None) -> HistoryDamaged:
        """Return what is said of it.

        :param kept: where the damaged file is now.
        """
        there = say("The damaged file is kept as {=name}.", name=kept.name) if kept else ""
        if not self.count:
            what = "the history's file holds nothing that can be read"
            if kept:
                what = "the history's file holds nothing that can be read: the table begins anew"
            hint = sentences("If there was one before, put a backup back: `tableside restore FILE`.", there)
            return HistoryDamaged(what, where=str(self.path), hint=hint)
        parts: list[str] = [say(_CARRIED if kept else _READ, n=self.count)]
        if self.from_backup:
            some = say("{n} of them from a backup", n=self.from_backup)
            parts.append("all of them from a backup" if self.from_backup == self.count else some)
        if self.lost:
            parts.append(say(_LOST, n=len(self.lost), numbers=_ranges(self.lost)))
        newest = say(
            "The newest is number {=n}, of {=when} UTC: enter again what may have come after it.",
            n=self.count + len(self.lost),
            when=f"{datetime.fromtimestamp(self.at, tz=UTC):%Y-%m-%d %H:%M}",
        )
        return HistoryDamaged(say("{all}", all=parts), where=str(self.path), hint=sentences(newest, there))


def carry_over(path: Path, into: Path, *, told_of: Path, when_working: Callable[[], object] = lambda: None) -> Carried:
    """Write what can be read of a damaged history, and of the newest backup of the same history, into a new file.

    :param told_of: where the history belongs; its backups stand beside it.
    :raises StoreError: where the new file cannot be written.
    """
    known: dict[int, tuple[str, float]] = {}

    def take(changes: Iterable[Change]) -> int:
        before, missing = len(known), (one for one in changes if one.kind != LOST and one.number not in known)
        while chunk := list(islice(missing, _CHUNK)):
            store.append(chunk)
            known.update({change.number: (change.id, change.at) for change in chunk})
            when_working()
        return len(known) - before

    with closing(SqliteStore(into, when_working=when_working)) as store:
        with closing(DamagedFile(path)) as damaged:
            take(damaged.changes())
            reserved = damaged.reserved()
        from_backup = 0
        for backup in backups_in(told_of.parent):
            with opened_backup(backup) as theirs:
                if theirs is not None and _is_of_one_history(known, theirs.changes()):
                    from_backup = take(theirs.changes())
                    break
        lost, at = [], 0.0
        for number in range(1, max(known, default=0) + 1):
            if number in known:
                at = known[number][1]
            else:
                lost.append(lost_change(number, at=at))
        store.append(lost)
        store.reserve(reserved or max(known, default=0) * _REVISIONS_A_CHANGE)
    return Carried(
        path=told_of, count=len(known), lost=tuple(one.number for one in lost), from_backup=from_backup, at=at
    )


def mend(path: Path, *, when_working: Callable[[], object] = lambda: None) -> HistoryDamaged:
    """Put a whole history in place of a damaged one, which is kept under a dated name, and return what is said of it.

    :raises HistoryNotWritable: on a disk that takes nothing. :raises HistoryInUse: while another program writes it.
    """
    lock = hold(path)
    part = path.with_name(f"{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        carried = carry_over(path, part, told_of=path, when_working=when_working)
        kept = path.with_name(f"{path.stem}.damaged-{datetime.now():%Y-%m-%d-%H%M%S}{path.suffix}")
        put_in_place(part, path, aside=kept)
        return carried.told(kept)
    except HistoryInUse:
        raise
    except OSError as error:  # every error of a store is one
        raise not_writable(path, error) from error
    finally:
        for left in (part, part.with_name(f"{part.name}.lock")):
            left.unlink(missing_ok=True)
        lock.release()


def _is_of_one_history(known: dict[int, tuple[str, float]], theirs: Iterable[Change]) -> bool:
    """Tell whether two histories agree wherever they can be compared; one that is empty agrees with every other."""
    common = [known[one.number][0] == one.id for one in theirs if one.number in known and one.kind != LOST]
    return all(common) and bool(common or not known)


def _ranges(numbers: tuple[int, ...]) -> str:
    """Return numbers in ascending order as words, such as ``17-20, 33``; of many the first few."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    told = ["-".join(map(str, one)) for one in ranges[:_MOST_RANGES]]
    return ", ".join([*told, "..."] if len(ranges) > _MOST_RANGES else told)
