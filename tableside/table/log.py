"""The JSON form of a change, as it stands in the table's log."""

from __future__ import annotations

import json
import zlib

from tableside.table.change import Change


def change_to_text(change: Change) -> str:
    """Return the change as one line of JSON."""
    return json.dumps(change.to_json(), ensure_ascii=False, separators=(",", ":"))


def checksum(text: bytes) -> int:
    """Return the CRC-32 of a change's text in UTF-8: it tells every flipped bit, which JSON does not."""
    return zlib.crc32(text)


def change_from_text(text: str) -> Change:
    """Return the change. What an older log did not know of has its default.

    :raises ValueError: where the text is not one.
    """
    try:
        return Change.from_json(json.loads(text))
    except (ArithmeticError, RecursionError) as error:
        raise ValueError(f"not a change: {error!r}") from error
