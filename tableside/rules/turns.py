"""How a game orders the turns of a fight: who acts after whom, by the ranks of slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar


class Ranked(Protocol):
    """Somebody who waits for a turn."""

    @property
    def is_player(self) -> bool: ...
    @property
    def rank(self) -> tuple[int, ...]: ...


Slot = TypeVar("Slot", bound=Ranked)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOrder:
    """Once a round by rank from high to low, of equals the players first. Games that order otherwise override this.

    :ivar numbers: what the numbers of a rank are, the weightiest first. Missing ones at the end are 0.
    :ivar is_by_side: a slot belongs to a side, which claims it anew each round.
    :ivar is_by_action: each segment is for the next action of those who have declared so many.
    :ivar sides_choose: one side as a whole acts before the other, as somebody chooses.
    :ivar declares: so many segments at the begin are over for all at once, as in them nobody does more than declare.
    :ivar hint: what to enter where a roll tells no rank.
    """

    numbers: tuple[str, ...] = ("total",)
    is_by_side: bool = False
    is_by_action: bool = False
    sides_choose: bool = False
    declares: int = 0
    hint: str = "Give a rank instead."

    def rank(self, net: Mapping[str, int], ask: Mapping[str, Any]) -> tuple[int, ...] | None:
        """Return the rank that a roll gives, ``None`` where it tells none.

        :param net: of the outcome. :param ask: what the roll was for.
        """
        return tuple(net[name] for name in self.numbers) if self.numbers[0] in net else None

    def number(self, slot: Ranked, name: str) -> int:
        """Return one number of a slot's rank."""
        place = self.numbers.index(name)
        return slot.rank[place] if place < len(slot.rank) else 0

    def turns(self, slots: Sequence[Slot], *, segment: int = 0, players_first: bool | None = None) -> tuple[Slot, ...]:
        """Return who acts in a segment of the round, in order; nobody where the round has no such segment.

        Slots that the rules leave level keep their order.

        :param segment: from 0. :param players_first: which side acts first, where somebody has chosen.
        """
        if segment:
            return ()
        return tuple(
            sorted(slots, key=lambda slot: (*(-self.number(slot, n) for n in self.numbers), not slot.is_player))
        )

    def title(self, slots: Sequence[Ranked], *, segment: int = 0, players_first: bool | None = None) -> str:
        """Return what is done in a segment, ``""`` where there is but one."""
        return ""


HIGH_TO_LOW = TurnOrder()
