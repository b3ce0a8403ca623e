"""Tables of the group's own: written, changed and taken away."""

from __future__ import annotations

from itertools import pairwise

from tableside.errors import BadChange, Conflict
from tableside.table.change import Decision, Part
from tableside.table.messages import ChangeTable
from tableside.table.play import OwnTable, TableRow
from tableside.table.state import TableState
from tableside.words import own, say

_MOST_TABLES = 100


def changed_tables(state: TableState, message: ChangeTable) -> Decision:
    """Put a table in the place of the one of its name, or of the name that it had; without rows that one goes."""
    name = " ".join(message.name.split())
    if not name:
        raise BadChange("the table has no name", where="name", hint="Send a name.")
    gone = {name.casefold()}
    if message.was:
        gone = {state.table(message.was).name.casefold()}
        if any(one.name.casefold() == name.casefold() not in gone for one in state.tables):
            raise Conflict("there is a table of that name", where=name, hint="Choose another name.")
    kept = tuple(one for one in state.tables if one.name.casefold() not in gone)
    if not message.rows:
        if len(kept) == len(state.tables):
            raise Conflict("there is no table of that name", where=name, hint="Send rows to write one.")
        return say("The table {name} is gone", name=own(name)), Part(tables=state.tables), Part(tables=kept)
    if len(kept) >= _MOST_TABLES:
        raise Conflict(say("there are {n} tables", n=len(kept)), where="tables", hint="Take one away first.")
    rows = sorted(message.rows, key=lambda row: row.least)
    for row, following in pairwise(rows):
        if following.least <= row.most:
            raise BadChange(say("two rows hold {n}", n=following.least), where=name, hint="Rows must not overlap.")
    for row in rows:
        if row.most < row.least:
            raise BadChange(
                say("a row goes from {n} to {m}", n=row.least, m=row.most), where=name, hint="Send from, then to."
            )
    table = OwnTable(
        name=name,
        dice=message.dice,
        is_opening=message.is_opening,
        rows=tuple(TableRow(least=row.least, most=row.most, words=row.words) for row in rows),
    )
    words = say("The table {name} has {n} rows", name=own(name), n=len(rows))
    return words, Part(tables=state.tables), Part(tables=(*kept, table))
