"""A damaged history: what can be read of it is carried over into a whole one, and the damaged file is kept."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tableside.adapters.salvage import salvaged
from tableside.adapters.sqlite_store import SqliteStore, hold, mended_beside, not_readable, not_writable, settle
from tableside.app.backups import backups_in, history_of
from tableside.errors import HistoryDamaged, HistoryInUse, StoreError
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
class Rescue:
    """What can be read of a damaged history.

    :ivar path: of the history.
    :ivar changes: without a gap from the first to the last that could be read; some may stand for lost ones.
    :ivar lost: their numbers. :ivar from_backup: how many only a backup still had.
    :ivar reserved: the highest revision that may have been shown.
    """

    path: Path
    changes: tuple[Change, ...]
    lost: tuple[int, ...] = ()
    from_backup: int = 0
    reserved: int = 0

    def told(self, kept: Path | None = None) -> HistoryDamaged:
        """Return what is said of it.

        :param kept: where the damaged file is now.
        """
        count = len(self.changes) - len(self.lost)
        there = say("The damaged file is kept as {=name}.", name=kept.name) if kept else ""
        if not count:
            what = "the history's file holds nothing that can be read"
            if kept:
                what = "the history's file holds nothing that can be read: the table begins anew"
            hint = sentences("If there was one before, put a backup back: `tableside restore FILE`.", there)
            return HistoryDamaged(what, where=str(self.path), hint=hint)
        parts: list[str] = [say(_CARRIED if kept else _READ, n=count)]
        if self.from_backup:
            some = say("{n} of them from a backup", n=self.from_backup)
            parts.append("all of them from a backup" if self.from_backup == count else some)
        if self.lost:
            parts.append(say(_LOST, n=len(self.lost), numbers=_ranges(self.lost)))
        last = next(change for change in reversed(self.changes) if change.kind != LOST)
        newest = say(
            "The newest is number {=n}, of {=when} UTC: enter again what may have come after it.",
            n=last.number,
            when=f"{datetime.fromtimestamp(last.at, tz=UTC):%Y-%m-%d %H:%M}",
        )
        return HistoryDamaged(say("{all}", all=parts), where=str(self.path), hint=sentences(newest, there))


def rescue(path: Path) -> Rescue:
    """Return what can be read of the history at this path, from its file and from the backups beside it.

    :raises StoreError: where the disk does not give it.
    """
    try:
        found = salvaged(path)
    except PermissionError as error:
        raise not_readable(path) from error
    except OSError as error:
        hint = "The disk may be failing: put a backup back on another one, by `tableside restore FILE --data DIR`."
        raise StoreError(
            say("cannot be read ({=why})", why=error.strerror or error), where=str(path), hint=hint
        ) from error
    known = {change.number: change for change in found.changes if change.kind != LOST}
    here = len(known)
    for backup in backups_in(path.parent):
        theirs = {change.number: change for change in history_of(backup) if change.kind != LOST}
        if _are_of_one_history(known, theirs):
            known = theirs | known
    changes: list[Change] = []
    for number in range(1, max(known, default=0) + 1):
        at = changes[-1].at if changes else 0.0
        changes.append(known.get(number) or lost_change(number, at=at))
    return Rescue(
        path=path,
        changes=tuple(changes),
        lost=tuple(change.number for change in changes if change.kind == LOST),
        from_backup=len(known) - here,
        reserved=max(found.reserved, 0) or len(changes) * _REVISIONS_A_CHANGE,
    )


def mend(path: Path) -> HistoryDamaged:
    """Put a whole history in place of a damaged one, which is kept under a dated name, and return what is said of it.

    :raises HistoryNotWritable: on a disk that takes nothing. :raises HistoryInUse: while another program writes it.
    """
    lock = hold(path)
    part = path.with_name(f"{path.name}.part")
    try:
        found = rescue(path)
        part.unlink(missing_ok=True)
        with closing(SqliteStore(part)) as store:
            for place in range(0, len(found.changes), _CHUNK):
                store.append(found.changes[place : place + _CHUNK])
            store.reserve(found.reserved)
        part.replace(mended_beside(path))
        kept = settle(path)
        return found.told(kept)
    except HistoryInUse:
        raise
    except OSError as error:  # every error of a store is one
        raise not_writable(path, error) from error
    finally:
        for left in (part, part.with_name(f"{part.name}.lock")):
            left.unlink(missing_ok=True)
        lock.release()


def _are_of_one_history(some: dict[int, Change], others: dict[int, Change]) -> bool:
    """Tell whether two histories agree wherever they can be compared; one that is empty agrees with every other."""
    common = some.keys() & others.keys()
    return all(some[number].id == others[number].id for number in common) and bool(common or not some)


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
