"""Files that are whole after a power cut: on disk before they take their place, in place before one goes on."""

from __future__ import annotations

import os
from pathlib import Path


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
