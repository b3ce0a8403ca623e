"""What people look up of a game: prices, gear, templates. It lies in ``reference.toml`` of the game's package.

A table of the file is a sheet: ``title``, ``columns`` and ``rows``, and if need be ``help`` and ``source``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from tableside.errors import GameError
from tableside.record import Record
from tableside.words import say

FILE = "reference.toml"


class Sheet(Record, frozen=True, kw_only=True):
    """A table that people look up.

    :ivar columns: the titles of the columns. :ivar rows: a text for each column.
    :ivar source: where the rules have it.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    help: str = ""
    source: str = ""

    def read(self) -> tuple[str, ...]:
        """Return all that is read of it."""
        return (self.title, self.help, *self.columns, *(cell for row in self.rows for cell in row))


def read_sheets(path: Path) -> tuple[Sheet, ...]:
    """Return the sheets of a file, none where there is no file.

    :raises GameError: for a row that has not a text for each column.
    """
    if not path.is_file():
        return ()
    found = []
    for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items():
        rows = [[str(cell) for cell in row] for row in table.pop("rows")]
        for row in rows:
            if len(row) != len(table["columns"]):
                what = say("a row of {n} texts: {=row}", n=len(row), row=", ".join(row))
                hint = say("It has {n} columns.", n=len(table["columns"]))
                raise GameError(what, where=f"{path.name} [{name}]", hint=hint)
        found.append(Sheet.from_json({**table, "name": name, "rows": rows}))
    return tuple(found)


def matching(sheets: Iterable[Sheet], words: str) -> tuple[Sheet, ...]:
    """Return what of the sheets has all these words: a sheet whole by its title, else the rows that have them."""
    wanted = words.casefold().split()
    found = []
    for sheet in sheets:
        left = [word for word in wanted if word not in sheet.title.casefold()]
        rows = tuple(row for row in sheet.rows if all(word in " ".join(row).casefold() for word in left))
        if rows:
            found.append(replace(sheet, rows=rows))
    return tuple(found)
