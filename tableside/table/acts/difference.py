"""What one state has otherwise than another: what the log holds of a change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tableside.table.kept import WHOLE, Part, Roll, TableState, Tracked

_MANY = ("rolls", "people")


def parts_between(old: TableState, new: TableState, *, about: str = "") -> tuple[Part, Part]:
    """Return what differs, as it was and as it is. Rolls and people differ each by its id.

    :param about: the id of the roll that the change is about, where it touches several.
    """
    was: dict[str, Any] = {}
    now: dict[str, Any] = {}
    for name in WHOLE:
        if getattr(old, name) != getattr(new, name):
            was[name], now[name] = getattr(old, name), getattr(new, name)
    people, rolls = ([_by_id(state, name) for state in (old, new)] for name in ("people", "rolls"))
    if moved := _changed_keys(*people):
        was["people"], now["people"] = ({key: side.get(key) for key in moved} for side in people)
    if moved := sorted(_changed_keys(*rolls), key=lambda one: one != about):
        was["roll"], now["roll"] = (side.get(moved[0]) for side in rolls)
        if moved[1:]:
            was["rolls"], now["rolls"] = ({key: side.get(key) for key in moved[1:]} for side in rolls)
    for side, state in ((was, old), (now, new)):
        tracked = [
            Tracked(game=key[0], name=key[1], owner=key[2], value=state.trackers[key])
            for key in {**old.trackers, **new.trackers}
            if key in state.trackers and old.trackers.get(key) != new.trackers.get(key)
        ]
        if tracked:
            side["tracked"] = tracked[0]
        if tracked[1:]:
            side["trackers"] = tuple(tracked[1:])
    return Part(**was), Part(**now)


def changed_rolls(old: TableState, state: TableState) -> list[tuple[Roll | None, Roll]]:
    """Return the rolls that are new or others by now, each as it was and as it is."""
    if old.rolls is state.rolls:
        return []
    pairs = ((old.find_roll(roll.id), roll) for roll in state.rolls)
    return [(was, roll) for was, roll in pairs if was is not roll and was != roll]


def order_between(made: TableState, new: TableState) -> Mapping[str, tuple[str, ...]] | None:
    """Return the ids of what stands in another order than the parts of a change alone made."""
    ids = {name: [tuple(one.id for one in getattr(state, name)) for state in (made, new)] for name in _MANY}
    return {name: wanted for name, (has, wanted) in ids.items() if has != wanted} or None


def _by_id(state: TableState, name: str) -> dict[str, Any]:
    return {one.id: one for one in getattr(state, name)}


def _changed_keys(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    return [key for key in {**new, **old} if old.get(key) is not new.get(key) and old.get(key) != new.get(key)]
