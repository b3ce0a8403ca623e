"""Archives from outside: unpacked within limits under names that are known, or refused with nothing written."""

from __future__ import annotations

import shutil
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO

from tableside.errors import TablesideError

_MOST_FILES = 20_000
_CHUNK = 65_536
_MOST_LISTING = 4_000_000
"""Bytes of an archive's list of files; in memory it takes some ten times as much."""
_END = b"PK\x05\x06"
_END_BYTES = 22
_MOST_COMMENT = 65_535

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What tableside packs with. Others may take as much memory as the archive says, and have errors of their own."""

Limit = Callable[[str], int]
"""Returns how many bytes a file of this name may have; 0 where there is no such file."""
Refuse = Callable[[str], TablesideError]
"""Makes an error of what is wrong with an archive."""


def unpack(file: Path, folder: Path, *, limit: Limit, most_bytes: int, refuse: Refuse) -> list[str]:
    """Unpack an archive into a new folder, and return the names of its files.

    One file at a time passes through memory, in pieces. Nothing is left behind where anything is wrong.

    :param limit: bounds each file, by its name in the archive. :param most_bytes: bounds all of them together.
    :raises TablesideError: made by ``refuse``, when it is no archive, is damaged, or holds anything but such files.
    :raises OSError: where the folder takes nothing.
    """
    shutil.rmtree(folder, ignore_errors=True)
    try:
        _check_listing(file, refuse)
        with zipfile.ZipFile(file) as packed:
            infos = [info for info in packed.infolist() if not info.is_dir()]
            if len(infos) > _MOST_FILES or sum(info.file_size for info in infos) > most_bytes:
                raise refuse("is too large")
            _check_names(infos, limit, refuse)
            for info in infos:
                target = folder / info.filename
                target.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(info) as source, target.open("wb") as out:
                    # what an archive says of a size need not be true
                    _copy(source, out, most=limit(info.filename), too_large=refuse(f"{info.filename} is too large"))
        return [info.filename for info in infos]
    except TablesideError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        ValueError,
        struct.error,
    ) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise refuse(f"is damaged, or no archive ({error})") from error
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _check_listing(file: Path, refuse: Refuse) -> None:
    """Look at the end of the archive before Python reads its whole list of files into memory."""
    try:
        with file.open("rb") as source:
            size = source.seek(0, 2)
            source.seek(max(0, size - _END_BYTES - _MOST_COMMENT))
            tail = source.read()
    except OSError as error:
        raise refuse(f"cannot be unpacked ({error.strerror or error})") from error
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_BYTES:
        raise refuse("is damaged, or no archive")
    _, _, _, _, _, listing, _, _ = struct.unpack_from("<4s4H2LH", tail, at)
    if listing > _MOST_LISTING:
        raise refuse("is too large")


def _check_names(infos: list[zipfile.ZipInfo], limit: Limit, refuse: Refuse) -> None:
    names = [info.filename for info in infos]
    for info in infos:
        # orig_filename: Python cuts a name at a zero byte, and takes \ for / on Windows
        if info.orig_filename != info.filename or not limit(info.filename):
            raise refuse(f"holds {info.orig_filename[:60]!r}, which is none of its files")
        if info.compress_type not in _METHODS:
            raise refuse(f"holds a file that is packed in another way, {info.filename[:60]!r}")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise refuse(f"holds a link, {info.filename[:60]!r}")
    if len(set(names)) != len(names):
        raise refuse("holds a file twice")


def _copy(source: IO[bytes], out: IO[bytes], *, most: int, too_large: TablesideError) -> None:
    left = most
    while piece := source.read(_CHUNK):
        left -= len(piece)
        if left < 0:
            raise too_large
        out.write(piece)
