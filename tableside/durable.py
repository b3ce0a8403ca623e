"""Files that are whole after a power cut: on disk before they take their place, in place before one goes on.

Several files change as one by :func:`change_files`. They are made beside, one durable note says which of them take
whose place, they are renamed, and the note goes. Whoever starts calls :func:`end_changes`: a change with a note is
ended, and one without is taken back.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from filelock import FileLock

_CHANGE, _GONE, _NOTE = ".change-", ".gone-", "note.json"
_Move = tuple[str, str, bool]
"""A name in the folder, where what was there is kept, and whether something takes its place."""


class HalfDone(OSError):
    """A change of several files is noted and could not be done: who starts next ends it."""


class CutShort(NamedTuple):
    """A change of files that was found half done.

    :ivar kind: what it was. :ivar is_ended: it is done now; else nothing of it is.
    :ivar kept: where that is kept which was there before, ``""`` where nothing is.
    """

    kind: str
    is_ended: bool
    kept: str = ""


class FilesChange:
    """Files of a folder that are about to change as one.

    :ivar new: a folder for what is prepared, under the names that it will have.
    """

    def __init__(self, folder: Path, work: Path) -> None:
        self._folder, self._work, self.new = folder, work, work / "new"
        self._moves: list[_Move] = []
        self._kept = ""

    def put(self, name: str, *, aside: str = "") -> None:
        """Have what is prepared under this name, or nothing, take the place of what the folder has under it.

        :param aside: where that is kept, a free place of the folder; without it, it goes.
        """
        is_new = (self.new / name).exists()
        if is_new or (self._folder / name).exists():
            self._moves.append((name, aside or f"{self._work.name}/old/{len(self._moves)}", is_new))
            self._kept = aside.split("/")[0] or self._kept

    def write_note(self) -> None:
        """Put on disk what is to be done: from now on it is ended, whatever happens.

        :raises OSError: where that fails.
        """
        _sync(self._work)
        give_to_owner(self._work, self._folder)
        write_durably(self._work / _NOTE, json.dumps({"moves": self._moves, "kept": self._kept}).encode())


@contextmanager
def change_files(folder: Path, kind: str) -> Iterator[FilesChange]:
    """Yield a change of several files of a folder, which is done as one when the block ends.

    :param kind: what it is, a word of small letters.
    :raises OSError: where that fails; nothing is changed then.
    :raises HalfDone: where the rest is left to who starts next.
    """
    lock = None
    while lock is None:  # who starts at this very moment may have taken an empty folder for one that was left behind
        work = Path(tempfile.mkdtemp(prefix=f"{_CHANGE}{kind}-", dir=folder))
        lock = _hold(work)
    try:
        try:
            give_to_owner(work, folder)
            change = FilesChange(folder, work)
            change.new.mkdir()
            yield change
            change.write_note()
        except BaseException:
            with suppress(OSError):
                (work / _NOTE).unlink(missing_ok=True)
            _drop(work)
            raise
        try:
            _follow(folder, work)
        except OSError as error:
            raise HalfDone(error.errno, error.strerror) from error
    finally:
        lock.release()
    _drop(work)


def end_changes(folder: Path, tell: Callable[[CutShort], object]) -> None:
    """End each change of a folder's files that was cut short, or take it back where none of them was changed yet.

    A change that another program is at is left alone.

    :param tell: is told of it, before its traces go.
    :raises OSError: where it cannot be ended now.
    """
    for work in sorted(folder.glob(f"{_CHANGE}*")):
        if (lock := _hold(work)) is None:
            continue
        try:
            kept = _follow(folder, work) if (work / _NOTE).exists() else None
            if (work / "new").exists():
                kind = work.name.removeprefix(_CHANGE).rpartition("-")[0]
                tell(CutShort(kind, is_ended=kept is not None, kept=kept or ""))
        finally:
            lock.release()
        _drop(work)
    for gone in folder.glob(f"{_GONE}*"):
        shutil.rmtree(gone, ignore_errors=True)


def write_durably(target: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Put a file in place of an older one; after a power cut it is one or the other.

    :param mode: its rights, less what the system's mask takes.
    :raises OSError: where that fails; the older one stays.
    """
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    unfinished.touch(mode)
    unfinished.write_bytes(data)
    replace_durably(unfinished, target)


def replace_durably(new: Path, target: Path) -> None:
    """Move a file, or a folder with all that is in it, to a place for good: its content first, then its name.

    :raises OSError: where that fails, such as for a folder in whose place one is that is not empty.
    """
    _sync(new)
    os.replace(new, target)  # noqa: PTH105
    for folder in {target.parent, new.parent}:
        _sync_one(folder)


def free_name(folder: Path, name: str) -> str:
    """Return the name, or the next like it that nothing in the folder has: ``NAME-2``."""
    names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
    return next(one for one in names if not (folder / one).exists())


def give_to_owner(path: Path, folder: Path) -> None:
    """Let a folder's owner write what root has made. No link is followed: it may lead out of the folder."""
    if os.name == "posix" and os.geteuid() == 0:
        owner = folder.stat()
        for one in (path, *path.rglob("*")):
            os.chown(one, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _follow(folder: Path, work: Path) -> str:
    """Do what a note says and is not done yet, and return where it keeps what was there before."""
    note = json.loads((work / _NOTE).read_bytes())
    moves: list[_Move] = note["moves"]
    for name, aside, is_new in moves:
        new, target, kept = work / "new" / name, folder / name, folder / aside
        if is_new and not new.exists():
            continue
        if target.exists() and not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            give_to_owner(kept.parent, folder)
            _sync_one(kept.parent.parent)
            _keep(target, kept, stays=is_new)
        if is_new:
            replace_durably(new, target)
    return str(note["kept"])


def _keep(target: Path, kept: Path, *, stays: bool) -> None:
    """Give a file that will be replaced a second name, so that it never is without one; move anything else."""
    try:
        if not stays or target.is_dir():
            raise OSError
        _sync_one(target)
        os.link(target, kept)
        _sync_one(kept.parent)
    except OSError:  # some disks know no second names
        replace_durably(target, kept)


def _drop(work: Path) -> None:
    """Remove the traces of a change in one step; where the disk takes nothing, the next start does it."""
    gone = work.with_name(work.name.replace(_CHANGE, _GONE, 1))
    with suppress(OSError):
        os.replace(work, gone)  # noqa: PTH105
        _sync_one(work.parent)
        shutil.rmtree(gone, ignore_errors=True)


def _hold(work: Path) -> FileLock | None:
    """Return a lock that keeps other programs from a change, ``None`` where one of them is at it."""
    from filelock import FileLock, Timeout  # whoever only reads dice needs no more than Python

    lock = FileLock(work / ".lock", is_singleton=False)
    try:
        lock.acquire(timeout=0)
    except (Timeout, FileNotFoundError):
        return None
    except OSError:
        _drop(work)
        raise
    if work.exists():
        return lock
    lock.release()
    return None


def _sync(path: Path) -> None:
    if path.is_dir():
        for inside in path.iterdir():
            _sync(inside)
    if not path.is_symlink():
        _sync_one(path)


def _sync_one(path: Path) -> None:
    if os.name != "posix" and path.is_dir():  # other systems open no folders
        return
    opened = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
