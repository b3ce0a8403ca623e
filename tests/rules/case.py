"""What the cases of all games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tableside.rules.turns import TurnOrder

Case: TypeAlias = dict[str, Any]
Play: TypeAlias = Callable[[Case], Case]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Somebody in an order of turns."""

    name: str
    rank: tuple[int, ...] = ()
    is_player: bool = False


def names_of(order: TurnOrder, slots: Iterable[Waiting], **more: Any) -> list[str]:
    """Return who acts in a segment, in order."""
    return [slot.name for slot in order.turns(tuple(slots), **more)]
