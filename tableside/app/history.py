"""The table's history as files: opened for a table, told, written out and read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tableside.adapters.store import SqliteStore
from tableside.errors import HistoryNotWritable, StoreError
from tableside.table import MemoryStore, Store
from tableside.table.change import Change
from tableside.table.log import change_from_text, change_values

STORE_NAME = "table.sqlite"
PICTURES = "pictures"
COLUMNS = (
    "number", "when", "at", "by", "kind", "sentence", "undoes", "light", "dark",
    "roll", "game", "source", "player", "label", "dice", "net", "headline", "hidden",
)  # fmt: skip


def open_history(data: Path) -> tuple[Store, StoreError | None]:
    """Open the history for a table, and say what is wrong with it where nothing can be written.

    A disk that takes nothing is no reason to stop: what is there is shown, and what the camera reads is shown too.

    :raises StoreError: when it is damaged, of a newer version, or used by another program.
    """
    path = data / STORE_NAME
    try:
        return SqliteStore(path), None
    except HistoryNotWritable as error:
        changes: list[Change] = []
        if path.exists():
            reader = SqliteStore(path, is_reader=True)
            changes = list(reader.changes())
            reader.close()
        return UnwritableStore(changes, error), error


class UnwritableStore(MemoryStore):
    """A history that can be read and never takes anything."""

    def __init__(self, changes: Iterable[Change], error: StoreError) -> None:
        super().__init__(changes)
        self._error = error

    def _check(self) -> None:
        raise StoreError(self._error.what, where=self._error.where, hint=self._error.hint)


def changes_in(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the changes of a data folder, oldest first and complete; none where no table ever ran.

    :raises StoreError: when the history cannot be read.
    """
    path = data / STORE_NAME
    if not path.exists():
        return
    store = SqliteStore(path, is_reader=True)
    try:
        for change in store.changes():
            when = datetime.fromtimestamp(change.at, tz=UTC).isoformat(timespec="seconds")
            yield {"when": when, **change_values(change)}
    finally:
        store.close()


def corrections_in(data: Path) -> Iterator[dict[str, Any]]:
    """Yield each die that a person corrected as it stands now: what was read, what it is, and where to see it.

    Teaching learns from these; a correction that was taken back is none.
    """
    rolls: dict[str, dict[str, Any] | None] = {}
    for told in changes_in(data):
        roll = told["after"].get("roll") or told["before"].get("roll")
        if roll:
            rolls[roll["id"]] = told["after"].get("roll")
    for roll in rolls.values():
        for place, die in enumerate(roll["dice"] if roll else ()):
            if roll and "original" in die:
                picture = data / PICTURES / f"{roll['id']}.jpg"
                yield {
                    "roll": roll["id"],
                    "die": place,
                    "read": die["original"],
                    "is": {"type": die["type"], "face": die["face"]},
                    "center": die["center"],
                    "outline": die["outline"],
                    "picture": str(picture) if picture.is_file() else None,
                }


def row_of(told: dict[str, Any]) -> dict[str, Any]:
    """Return a change of :func:`changes_in` as a row of a table; what people typed is never a formula."""
    pool, roll = told["after"].get("destiny") or {}, told["after"].get("roll") or {}
    dice = "; ".join(f"{die['type']}: {' '.join(die['face']) or 'blank'}" for die in roll.get("dice", ()))
    row = {name: told[name] for name in COLUMNS if name in told} | {
        "light": pool.get("light", ""),
        "dark": pool.get("dark", ""),
        "roll": roll.get("id", ""),
        "game": roll.get("game", ""),
        "source": roll.get("source", ""),
        "player": roll.get("by", ""),
        "label": roll.get("label", ""),
        "dice": dice,
        "net": "; ".join(f"{name} {value}" for name, value in roll.get("net", {}).items() if value),
        "headline": roll.get("headline", ""),
        "hidden": "yes" if roll.get("hidden") else "",
    }
    return {name: _plain(value) for name, value in row.items()}


def import_changes(data: Path, lines: Iterable[str], *, where: str) -> int:
    """Put a history that was written out as JSON into an empty data folder, and return how many changes it has.

    :raises StoreError: where a line is none, numbers are missing, or there is a history already; nothing is kept then.
    """
    changes: list[Change] = []
    for count, line in enumerate((line for line in lines if line.strip()), start=1):
        try:
            change = change_from_text(line)
        except ValueError as error:
            hint = "Give the output of `tableside log --json`."
            raise StoreError(f"cannot be understood ({error})", where=f"{where}: line {count}", hint=hint) from error
        if change.number != count:
            hint = "Give the whole history, in order."
            raise StoreError(f"change {change.number} follows {count - 1}", where=f"{where}: line {count}", hint=hint)
        changes.append(change)
    store = SqliteStore(data / STORE_NAME)
    try:
        if next(store.changes(), None) is not None:
            hint = "Choose an empty folder with --data DIR."
            raise StoreError("there is a history already", where=str(data), hint=hint)
        store.append(changes)
    finally:
        store.close()
    return len(changes)


def _plain(value: Any) -> Any:
    """Return text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
