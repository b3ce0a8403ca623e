"""Read changes out of a damaged history, without SQLite: from whatever pages of its file still hold some.

The history is append-only, so a change that is found whole anywhere is true. Whether it is whole is told by its
checksum; in a file of an older version by its being a change at all. The forms of pages, cells, records and of the
write-ahead log are those of https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tableside.table.kept import Change, change_from_text, checksum

_PAGE = 4096  # bytes; SQLite's own choice, and so the history's
_LEAF = 0x0D
_NO_RECORDS = (0, 2, 5, 10)  # an overflow page begins with the number of the next one; the others lead to leaves
_HEADER = 100  # bytes of the file's header, at the beginning of the first page
_COLUMNS = (5, 6)  # of a change, without and with a checksum
_BODY = 4
_MOST_REVISIONS = 2**40  # a flipped bit must not take the revisions beyond what a page can count


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvage:
    """What could be read.

    :ivar changes: in order of their numbers, each once; numbers may be missing.
    :ivar reserved: the highest revision that may have been shown, 0 where that is not known.
    """

    changes: tuple[Change, ...]
    reserved: int


def salvaged(path: Path) -> Salvage:
    """Return all changes that can be read from a file, its write-ahead log included; none where it is no history.

    :raises OSError: where the disk does not give it.
    """
    data = path.read_bytes() if path.is_file() else b""
    beside = path.with_name(f"{path.name}-wal")
    log = beside.read_bytes() if beside.is_file() else b""
    told = int.from_bytes(data[16:18], "big")
    sizes = {_PAGE, told} if told in (512, 1024, 2048, 8192, 16384, 32768) else {_PAGE}
    return max((_read(data, log, size) for size in sizes), key=lambda found: len(found.changes))


def _read(data: bytes, log: bytes, size: int) -> Salvage:
    pages = {n + 1: data[n * size : (n + 1) * size].ljust(size, b"\0") for n in range(-(-len(data) // size))}
    pages |= _committed(log, size)
    changes: dict[int, Change] = {}
    reserved = 0
    for number, page in pages.items():
        found, revision, is_whole = _leaf(page, pages, _HEADER if number == 1 else 0, size)
        if not is_whole:
            found = [*found, *_everywhere(page, pages, size)]
        changes |= {change.number: change for change in found}
        reserved = max(reserved, revision)
    return Salvage(changes=tuple(changes[number] for number in sorted(changes)), reserved=reserved)


def _leaf(page: bytes, pages: Mapping[int, bytes], begin: int, size: int) -> tuple[list[Change], int, bool]:
    """Return the changes of a leaf of a table, a revision, and whether all that it tells of was read."""
    count, content = struct.unpack_from(">HH", page, begin + 3)
    if page[begin] != _LEAF or begin + 8 + 2 * count > size:
        return [], 0, page[begin] in _NO_RECORDS
    found: list[Change] = []
    revision = 0
    pointers = struct.unpack_from(f">{count}H", page, begin + 8)
    is_whole = min(pointers, default=content) == content
    for pointer in pointers:
        columns = _record(page, pages, pointer, size)
        change = _change(columns)
        if change is not None:
            found.append(change)
        elif columns is not None and len(columns) == 2 and isinstance(columns[1], int):
            revision = columns[1] if columns[1] < _MOST_REVISIONS else 0
        else:
            is_whole = False
    return found, revision, is_whole


def _everywhere(page: bytes, pages: Mapping[int, bytes], size: int) -> Iterator[Change]:
    """Yield the changes that begin anywhere on a page, whatever it says of itself."""
    for offset in range(size - 8):
        change = _change(_record(page, pages, offset, size))
        if change is not None:
            yield change


def _change(columns: list[int | bytes | None] | None) -> Change | None:
    if columns is None or len(columns) not in _COLUMNS:
        return None
    number, change_id, body, told = columns[0], columns[1], columns[_BODY], columns[-1]
    if not isinstance(body, bytes):
        return None
    is_summed = isinstance(told, int)
    # where one bit is off, it is one of the checksum's own: none of the text changes a single bit of it
    if isinstance(told, int) and (told ^ checksum(body)).bit_count() > 1:
        return None
    try:
        change = change_from_text(body.decode())
    except ValueError:
        return None
    return change if is_summed or (change.number == number and change.id.encode() == change_id) else None


def _record(page: bytes, pages: Mapping[int, bytes], offset: int, size: int) -> list[int | bytes | None] | None:
    """Return the columns of the record whose cell begins here, ``None`` where there is none."""
    try:
        length, at = _varint(page, offset)
        row, at = _varint(page, at)
        kinds, head = _kinds(page, at)
        if sum(map(_width, kinds)) + head != length:
            return None
        payload = _payload(page, pages, at, length, size)
        columns: list[int | bytes | None] = []
        for kind in kinds:
            width = _width(kind)
            columns.append(_value(kind, payload[head : head + width]))
            head += width
        columns[0] = row  # the number, which stands in the cell and not in the record
        return columns
    except (LookupError, struct.error):
        return None


def _kinds(page: bytes, at: int) -> tuple[list[int], int]:
    """Return the serial types of a record's columns, and how many bytes its header takes.

    :raises LookupError: where it is not that of a table of ours.
    """
    begin = at
    head, at = _varint(page, at)
    kinds: list[int] = []
    while at < begin + head:
        kind, at = _varint(page, at)
        kinds.append(kind)
        if len(kinds) > _COLUMNS[-1]:
            break
    if at != begin + head or len(kinds) < 2 or kinds[0] != 0:  # the number is the row's own
        raise LookupError
    return kinds, head


def _payload(page: bytes, pages: Mapping[int, bytes], at: int, length: int, size: int) -> bytes:
    """Return the bytes of a record, those on overflow pages included.

    :raises LookupError: where one of these is missing.
    """
    if length <= size - 35:
        return page[at : at + length]
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = local if local <= size - 35 else least
    found = [page[at : at + local]]
    (number,) = struct.unpack_from(">I", page, at + local)
    left = length - local
    while left > 0:
        rest = pages[number]
        found.append(rest[4 : 4 + min(left, size - 4)])
        left -= size - 4
        (number,) = struct.unpack_from(">I", rest)
    return b"".join(found)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for count in range(8):
        byte = data[at + count]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    return value << 8 | data[at + 8], at + 9


def _width(kind: int) -> int:
    return (kind - 12) // 2 if kind >= 12 else (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _value(kind: int, data: bytes) -> int | bytes | None:
    if kind >= 12:
        return data
    if kind in (8, 9):
        return kind - 8
    return int.from_bytes(data, "big", signed=True) if 1 <= kind <= 6 else None


def _committed(log: bytes, size: int) -> dict[int, bytes]:
    """Return the newest image of each page in a write-ahead log, as far as its changes were acknowledged."""
    found: dict[int, bytes] = {}
    if len(log) < 32:
        return found
    magic, _, told, _, *salts = struct.unpack_from(">6I", log)
    order = {0x377F0682: "<", 0x377F0683: ">"}.get(magic)
    if order is None or told != size:
        return found
    sums = _sums(log[:24], order, (0, 0))
    pending: dict[int, bytes] = {}
    for at in range(32, len(log) - 24 - size + 1, 24 + size):
        number, pages, *rest = struct.unpack_from(">6I", log, at)
        sums = _sums(log[at : at + 8], order, sums)
        sums = _sums(log[at + 24 : at + 24 + size], order, sums)
        if rest != [*salts, *sums]:
            break
        pending[number] = log[at + 24 : at + 24 + size]
        if pages:
            found |= pending
            pending = {}
    return found


def _sums(data: bytes, order: str, sums: tuple[int, int]) -> tuple[int, int]:
    one, two = sums
    for x, y in struct.iter_unpack(f"{order}II", data):
        one = (one + x + two) & 0xFFFFFFFF
        two = (two + y + one) & 0xFFFFFFFF
    return one, two
