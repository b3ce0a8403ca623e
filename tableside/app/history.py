"""The table's history, for ``tableside log``."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from tableside.adapters.store import SqliteStore

STORE_NAME = "table.sqlite"


def changes_in(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the changes of a data folder, oldest first; none where no table ever ran.

    :raises StoreError: when the history cannot be read.
    """
    path = data / STORE_NAME
    if not path.exists():
        return
    store = SqliteStore(path)
    try:
        for change in store.changes():
            yield {
                "number": change.number,
                "id": change.id,
                "at": change.at,
                "when": datetime.fromtimestamp(change.at).isoformat(sep=" ", timespec="seconds"),
                "by": change.by,
                "kind": change.kind,
                "sentence": change.sentence,
                "undoes": change.undoes,
                "destiny": change.after.destiny.to_json() if change.after.destiny else None,
                "roll": change.after.roll.to_json() if change.after.roll else None,
            }
    finally:
        store.close()
