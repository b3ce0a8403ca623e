"""The history as a table for a spreadsheet: a row a change, with who, what for, dice, symbols, spent and applied."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from tableside.table.kept import Change

COLUMNS = (
    "number", "when", "at", "by", "kind", "sentence", "undoes", "light", "dark", "roll", "game", "source", "player",
    "label", "dice", "net", "headline", "spent", "applied", "hidden",
)  # fmt: skip


def row_of(change: Change) -> dict[str, Any]:
    """Return a change as a row by ``COLUMNS``; what people typed is never a formula."""
    pool, roll = change.after.destiny, change.after.roll
    when = datetime.fromtimestamp(change.at, tz=UTC).isoformat(timespec="seconds")
    row: dict[str, Any] = dict.fromkeys(COLUMNS, "") | {
        "number": change.number,
        "when": when,
        "at": change.at,
        "by": change.by,
        "kind": change.kind,
        "sentence": str(change.sentence),
        "undoes": change.undoes,
    }
    if pool is not None:
        row |= {"light": pool.light, "dark": pool.dark}
    if roll is not None:
        row |= {
            "roll": roll.id,
            "game": roll.game,
            "source": roll.source.value,
            "player": roll.by,
            "label": roll.label,
            "dice": "; ".join(f"{die.type}: {' '.join(die.face) or 'blank'}" for die in roll.dice),
            "net": "; ".join(f"{name} {value}" for name, value in roll.net if value),
            "headline": str(roll.headline),
            "spent": "; ".join(f"{one.count} {one.of}: {one.words}" for one in roll.bought),
            "applied": "; ".join(str(one.words) for one in roll.applied),
            "hidden": "yes" if roll.is_hidden else "",
        }
    return {name: _plain(value) for name, value in row.items()}


def csv_of(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the lines of a CSV file, the names of the columns first."""
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS)
    table.writeheader()
    for change in changes:
        table.writerow(row_of(change))
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _plain(value: Any) -> Any:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
