"""Conversion of ship codes to the numbers of a separate board game (S003, marks O6 to O8 in ``d6-companion.md``)."""

from __future__ import annotations

from collections.abc import Mapping

from tableside.errors import GameError, did_you_mean
from tableside.rules.code import Code

_SUBLIGHT = """
code speed_max overspeed accelerate overaccelerate decelerate overdecelerate
1D 2 8 5 12 5 14
1D+1 2 7 4 11 5 13
1D+2 3 7 4 11 5 13
2D 3 7 4 10 4 12
2D+1 4 6 4 10 4 12
2D+2 4 6 3 9 4 11
3D 5 6 3 9 4 10
3D+1 5 5 3 8 3 10
3D+2 6 5 3 8 3 9
4D 6 5 2 7 3 9
4D+1 7 4 2 7 3 8
4D+2 7 4 2 6 2 8
5D 8 4 2 6 2 7
5D+1 8 3 1 5 2 6
5D+2 9 3 1 5 2 6
6D 9 3 1 4 1 5
6D+1 9 2 1 4 1 5
6D+2 10 2 1 3 1 4
7D 10 2 1 3 1 3
7D+1 11 1 1 2 1 3
7D+2 11 1 1 2 1 2
8D 12 1 1 1 1 2
8D+1 12 1 1 1 1 1
8D+2 13 1 1 1 1 1
9D 13 1 1 1 1 1
9D+1 14 1 1 1 1 1
9D+2 14 1 1 1 1 1
10D 15 1 1 1 1 1
"""

# The roll of maneuver 3D is 3 or 4 in the scan (O7); 3 is taken.
_FIRE_CONTROL_AND_MANEUVER = """
code pinpoint snap_fire targeting gunnery half_loop slip roll jink bank overturn
0D 7 7 8 17 7 4 6 5 4 13
0D+1 7 7 8 17 7 4 6 5 4 13
0D+2 7 6 8 16 6 4 6 5 4 12
1D 6 6 7 16 6 4 5 5 4 12
1D+1 6 6 7 16 6 4 5 5 4 11
1D+2 5 5 6 15 6 4 5 4 3 11
2D 5 5 6 15 5 4 4 4 3 10
2D+1 5 4 5 15 5 3 4 4 3 10
2D+2 4 4 5 14 5 3 4 3 3 9
3D 4 3 4 14 5 3 3 3 2 9
3D+1 4 3 4 13 4 3 3 3 2 8
3D+2 3 3 3 13 4 3 3 2 2 8
4D 3 2 3 12 4 3 3 2 1 7
4D+1 3 2 2 12 4 3 2 2 1 7
4D+2 2 2 2 11 4 3 2 2 1 6
5D 2 2 1 11 3 3 2 1 1 6
5D+1 2 1 1 11 3 2 2 1 1 5
5D+2 1 1 1 10 3 2 1 1 1 5
6D 1 1 1 10 2 2 1 1 1 4
6D+1 1 1 1 9 2 2 1 1 1 4
6D+2 1 1 1 9 2 2 1 1 1 3
7D 1 1 1 8 2 2 1 1 1 3
7D+1 1 1 1 8 2 2 1 1 1 2
7D+2 1 1 1 7 1 1 1 1 1 2
8D 1 1 1 7 1 1 1 1 1 1
8D+1 1 1 1 6 1 1 1 1 1 1
8D+2 1 1 1 6 1 1 1 1 1 1
9D 1 1 1 6 1 1 1 1 1 1
9D+1 1 1 1 5 1 1 1 1 1 1
9D+2 1 1 1 5 1 1 1 1 1 1
10D 1 1 1 4 1 1 1 1 1 1
"""

# Only these rows can be read with confidence (O6).
_HULL_AND_SHIELDS = """
code body stabilizer shields angle
6D 20 2 17 1
6D+1 22 2 18 1
6D+2 24 2 18 1
8D 31 1 20 1
8D+1 32 1 21 1
8D+2 33 1 21 1
9D 34 1 22 1
9D+1 35 1 22 1
9D+2 36 1 23 1
"""
_BODY = """
code body
4D 10
4D+1 11
4D+2 13
5D 15
5D+1 16
5D+2 18
6D 20
6D+1 22
6D+2 24
7D 26
7D+1 29
7D+2 30
8D 31
8D+1 32
8D+2 33
9D 34
9D+1 35
9D+2 36
10D 37
"""
_GUN_POWERS = ("2D", "3D", "4D", "7D+1", "8D+1", "9D+1")
"""The first damage code of each gun power from 1 up."""


def _table(text: str, *columns: str) -> dict[str, dict[str, int]]:
    head, *lines = (line.split() for line in text.strip().splitlines())
    rows = (dict(zip(head, line, strict=True)) for line in lines)
    return {row["code"]: {name: int(row[name]) for name in columns or head[1:]} for row in rows}


_TABLES: Mapping[str, Mapping[str, Mapping[str, int]]] = {
    "sublight": _table(_SUBLIGHT),
    "fire_control": _table(_FIRE_CONTROL_AND_MANEUVER, "pinpoint", "snap_fire", "targeting", "gunnery"),
    "maneuver": _table(_FIRE_CONTROL_AND_MANEUVER, "half_loop", "slip", "roll", "jink", "bank", "overturn"),
    "hull_and_shields": _table(_BODY) | _table(_HULL_AND_SHIELDS),
}


def converted(table: str, code: Code) -> dict[str, int]:
    """Return the board game's numbers for a code, or raise :class:`GameError` where the chart has none."""
    if table == "weapon_damage":
        return {"gun_power": sum(1 for least in _GUN_POWERS if code >= Code.of(least))}
    if table not in _TABLES:
        hint = did_you_mean(table, [*_TABLES, "weapon_damage"])
        raise GameError(f"no conversion {table!r}", where="game d6-companion", hint=hint)
    if str(code) not in _TABLES[table]:
        first, *_, last = _TABLES[table]
        hint = f"The chart goes from {first} to {last}, as far as it can be read."
        raise GameError(f"no row for {code}", where=f"conversion of {table}", hint=hint)
    return dict(_TABLES[table][str(code)])


def with_offset(base: Mapping[str, int], offset: Mapping[str, int]) -> dict[str, int]:
    """Return the figures of a ship with its offsets added."""
    return {name: figure + offset.get(name, 0) for name, figure in base.items()}
