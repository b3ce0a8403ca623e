"""Where each part sits on two breadboards of 400 holes, and the jumpers that join them to ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from hardware.pinmap import Wire

ROWS = 30
Hole: TypeAlias = tuple[int, str]
"""The number of the board, from 0, and the hole's name as printed: ``J7``, or ``R2_7`` of the ground rail."""
RAIL = tuple(f"R2_{row}" for row in range(1, ROWS) if row % 6)
"""Every sixth hole of a rail is missing. Hole ``R2_7`` is beside row 8."""
GROUND: Hole = (0, RAIL[0])
"""Where the wire from the header's ground ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part on a board.

    :ivar wires: an RGB lamp has three, everything else one. :ivar row: its first row, from 1.
    """

    wires: tuple[Wire, ...]
    board: int
    row: int

    @property
    def is_rgb(self) -> bool:
        return len(self.wires) == 3

    def row_of(self, wire: Wire) -> int:
        """Return the row that this wire ends in; the second leg of an RGB lamp is its cathode."""
        return self.row + (0, 2, 3)[self.wires.index(wire)] if self.is_rgb else self.row

    @property
    def ground_row(self) -> int:
        return self.row + (1 if self.wires[0].is_lamp else 2)


def layout(wires: Sequence[Wire]) -> tuple[Part, ...]:
    """Place the parts: everything else on the first board, the lamps of the points on the second.

    :raises ValueError: when they do not fit; then the picture needs another board.
    """
    points = [[wire] for wire in wires if wire.is_point]
    others = [wire for wire in wires if not wire.is_point]
    groups: list[list[Wire]] = []
    for wire in others:
        if wire.is_rgb and wire.place:
            groups[-1].append(wire)
        else:
            groups.append([wire])
    groups.sort(key=lambda group: group[0].pin)
    return (*_stack(groups, 0), *_stack(points, 1))


def _stack(groups: Sequence[Sequence[Wire]], board: int) -> Iterator[Part]:
    row = 1
    for group in groups:
        size = 3 if group[0].is_lamp else 4
        size = 6 if len(group) == 3 else size
        if row + size - 2 > ROWS:
            raise ValueError(f"board {board + 1} has no room for {group[0].title}")
        yield Part(wires=tuple(group), board=board, row=row)
        row += size


def jumpers(parts: Sequence[Part]) -> tuple[tuple[Hole, Hole], ...]:
    """Return both ends of each jumper: from the rail of one board to that of the other, and from each part to its rail.

    No hole takes two wires.
    """
    found: list[tuple[Hole, Hole]] = []
    if {part.board for part in parts} == {0, 1}:
        found.append(((0, RAIL[-1]), (1, RAIL[0])))
    taken = {GROUND, *(hole for jumper in found for hole in jumper)}
    for part in parts:
        free = [(part.board, name) for name in RAIL if (part.board, name) not in taken]
        row = part.ground_row
        nearest = min(free, key=lambda hole, row=row: abs(int(hole[1][len("R2_") :]) + 1 - row))
        taken.add(nearest)
        found.append(((part.board, f"J{row}"), nearest))
    return tuple(found)
