"""The order of a fight: its slots, whose turn it is and what round."""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from tableside.record import Record, Worded
from tableside.rules.people import Person, PersonKind
from tableside.rules.turns import TurnOrder


class Slot(Worded, frozen=True, kw_only=True, rename={"is_done": "done"}):
    """A place in the order of initiative, which anybody of its side may claim.

    :ivar rank: the numbers by which the game orders it; a roll gives them, or a person.
    :ivar roll: the id of the roll that gave it. :ivar person: the id of who brought it, where that is one of the scene.
    """

    optional = ("person",)

    id: str
    side: Literal["player", "npc"]
    rank: tuple[int, ...] = ()
    who: str = ""
    is_done: bool = False
    roll: str = ""
    person: str = ""

    @property
    def is_player(self) -> bool:
        return self.side == "player"


class Initiative(Record, frozen=True, kw_only=True):
    """The order of a fight: slots from first to last, and the round.

    :ivar game: the game that orders it, whatever is played in between.
    :ivar segment: of the round, from 0, and ``title`` what is done in it.
    :ivar players_first: which side acts first, where sides choose and one has.
    """

    texts = ("title",)
    beside = (("current", str | None),)

    slots: tuple[Slot, ...] = ()
    round: int = 0
    game: str = ""
    segment: int = 0
    title: str = ""
    players_first: bool | None = None

    @property
    def current(self) -> Slot | None:
        """The first slot that has not acted yet."""
        return next((slot for slot in self.slots if not slot.is_done), None)

    @property
    def part(self) -> tuple[int, int]:
        """The round and its segment: a later one is higher."""
        return self.round, self.segment

    def find(self, slot_id: str) -> Slot | None:
        return next((slot for slot in self.slots if slot.id == slot_id), None)

    def replace_slot(self, slot: Slot) -> Initiative:
        """Return the order with this slot in place of the one of its id."""
        return replace(self, slots=tuple(slot if old.id == slot.id else old for old in self.slots))

    def with_slot(self, slot: Slot, order: TurnOrder) -> Initiative:
        """Return the order with this slot added."""
        return replace(self, slots=(*self.slots, slot), round=max(self.round, 1)).sorted(order)

    def without(self, slot_id: str) -> Initiative:
        return replace(self, slots=tuple(slot for slot in self.slots if slot.id != slot_id))

    def sorted(self, order: TurnOrder) -> Initiative:
        """Return the order as the game wants it in this segment; who has no turn in it comes last, and is done."""
        acting = order.turns(self.slots, segment=self.segment, players_first=self.players_first)
        ids = {slot.id for slot in acting}
        others = (replace(slot, is_done=True) for slot in self.slots if slot.id not in ids)
        title = order.title(self.slots, segment=self.segment, players_first=self.players_first)
        return replace(self, slots=(*acting, *others), title=title)

    def are_level(self, one: Slot, other: Slot, order: TurnOrder) -> bool:
        """Tell whether the rules leave two slots level, so that people choose which is first."""
        pairs = (one, other), (other, one)
        return all(order.turns(p, segment=self.segment, players_first=self.players_first) == p for p in pairs)

    def move(self, slot: Slot, before: Slot | None, order: TurnOrder) -> Initiative | None:
        """Return the order with a slot before another one, or last; ``None`` where it would pass one not level."""
        if slot is before:
            return self
        slots = [one for one in self.slots if one.id != slot.id]
        slots.insert(len(slots) if before is None else slots.index(before), slot)
        old, new = self.slots.index(slot), slots.index(slot)
        passed = self.slots[min(old, new) : max(old, new) + 1]
        is_right = all(self.are_level(slot, one, order) for one in passed if one.id != slot.id)
        return replace(self, slots=tuple(slots)) if is_right else None

    def delay(self, waits: Slot | None) -> Initiative:
        """Return the order with a slot after the one that acts next; the same where nobody acts after it."""
        rest = self.slots[self.slots.index(waits) :] if waits else ()
        later = next((slot for slot in rest if not slot.is_done and slot is not waits), None)
        if waits is None or later is None:
            return self
        slots = [slot for slot in self.slots if slot is not waits]
        slots.insert(slots.index(later) + 1, waits)
        return replace(self, slots=tuple(slots))

    def acts_again(self, slot: Slot, order: TurnOrder) -> bool:
        """Tell whether a slot has a turn in the next segment of the round as well."""
        return slot in order.turns(self.slots, segment=self.segment + 1, players_first=self.players_first)

    def claimed(self, person: Person, order: TurnOrder) -> Initiative:
        """Return the order with the current slot taken by who acts, where slots are of sides and nobody took it."""
        slot, is_player = self.current, person.kind is PersonKind.PLAYER
        if not (order.is_by_side and slot and not slot.who and slot.is_player is is_player):
            return self
        has_one = any(one.who == person.name for one in self.slots)
        return self if has_one else self.replace_slot(replace(slot, who=person.name))

    def next(self, order: TurnOrder, ended: Slot | None, *, is_alone: bool = False) -> Initiative:
        """Return the order after a slot has acted; after the last one the next segment begins, or a new round.

        :param is_alone: also of those who only declare, each of whom else is done at once.
        """
        after = self.replace_slot(replace(ended, is_done=True)) if ended else self
        if after.current is not None and (is_alone or self.segment >= order.declares):
            return after
        ready = tuple(replace(slot, is_done=False) for slot in after.slots)
        if order.turns(ready, segment=self.segment + 1, players_first=self.players_first):
            return replace(after, slots=ready, segment=self.segment + 1).sorted(order)
        if order.is_by_side:
            ready = tuple(replace(slot, who="") for slot in ready)
        return replace(after, slots=ready, segment=0, round=after.round + 1).sorted(order)

    def to_json(self) -> dict[str, Any]:
        return Record.to_json(self) | {"current": self.current.id if self.current else None}
