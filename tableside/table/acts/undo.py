"""Taking changes back. An undo is a change like any other, so it can be taken back as well."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile
from typing import Any, TypeVar

from msgspec.structs import replace

from tableside.errors import Conflict
from tableside.rules.people import Person
from tableside.table.acts.pool import check_pool
from tableside.table.kept import WHOLE, Carried, Change, Destiny, Part, Roll, TableState
from tableside.words import own, say, sentences

_Kept = TypeVar("_Kept")

_MOST = 10**6  # an undo may restore a pool that today's limit would refuse


def taken_back(state: TableState, number: int) -> tuple[Change, Part, Part]:
    """Return the change to take back, with what it touched as it is now and as it will be.

    :param number: the change's number.
    :raises Conflict: where it was taken back, is too old, or a later change stands in the way.
    """
    target = _target(state, number)
    old, new = target.before, target.after
    now: dict[str, Any] = {}
    then: dict[str, Any] = {}
    if old.destiny is not None and new.destiny is not None:
        now["destiny"], then["destiny"] = state.destiny, _pool_without(state, old.destiny, new.destiny)
    if old.tracked is not None and new.tracked is not None:
        value = state.trackers.get(new.tracked.key, new.tracked.value)
        now["tracked"] = replace(new.tracked, value=value)
        # by difference, as for the pool; a tracker is never below zero
        then["tracked"] = replace(old.tracked, value=max(0, value + old.tracked.value - new.tracked.value))
    if old.people is not None or new.people is not None:
        now["people"], then["people"] = _people_without(state, target)
    if old.carried is not None or new.carried is not None:
        # What lay in a call that was thrown since is used up, and stays so.
        now["carried"] = tuple(one for one in new.carried or () if one in state.carried)
        then["carried"] = old.carried or ()
    for name in (one for one in WHOLE if one != "destiny"):  # only while nobody changed it since
        before, after = getattr(old, name), getattr(new, name)
        if before is None or after is None:
            continue
        if getattr(state, name) == after:
            now[name], then[name] = getattr(state, name), before
        elif (name == "players" or not _follows(state, target)) and is_changed_later(state, target, name):
            raise _changed_since(target)
        # Else it is a roll that used up an ask, or what an earlier change that was taken back left: it stays.
    roll = new.roll or old.roll
    now_roll = None if roll is None else state.find_roll(roll.id)
    is_gone = now_roll is None and old.roll is not None and new.roll is not None
    if roll is not None and not is_gone:  # what a roll did is taken back also where the roll itself is gone already
        then["roll"] = old.roll
        if now_roll != new.roll and not (old.roll is None and now_roll is not None):
            then["roll"] = _roll_without(now_roll, old.roll, new.roll)
            if then["roll"] is None:
                raise _changed_since(target)
        now["roll"] = now_roll
    return target, Part(**now), Part(**then)


def is_changed_later(state: TableState, target: Change, name: str) -> bool:
    """Tell whether a later change that stands touched this part."""
    later = takewhile(lambda change: change.number > target.number, state.standing_changes())
    return any(not change.undoes and getattr(change.after, name) is not None for change in later)


def _follows(state: TableState, target: Change) -> bool:
    """Tell whether a change is of people or of a roll, so that the call and the order only followed it."""
    root = target
    while (undone := next((one for one in state.changes if one.number == root.undoes), None)) is not None:
        root = undone
    return root.kind in ("people", "players", "act") or target.after.roll is not None or target.before.roll is not None


def to_redo(state: TableState) -> int:
    """Return the number of the newest undo that stands.

    :raises Conflict: where there is none.
    """
    gone: set[int] = set()
    for change in reversed(state.changes):
        if change.kind == "undo" and change.number not in gone:
            return change.number
        gone.add(change.undoes)
    raise Conflict("there is nothing to redo", where="history", hint="Nothing was undone.")


def _people_without(state: TableState, target: Change) -> tuple[dict[str, Person | None], dict[str, Person | None]]:
    """Return the people that a change touched, as they are and as they are without it.

    Somebody who was changed again since keeps that; trackers go back by what the change had moved them.
    """
    old, new = target.before.people or {}, target.after.people or {}
    now: dict[str, Person | None] = {}
    then: dict[str, Person | None] = {}
    for key in {**old, **new}:
        before, after, is_now = old.get(key), new.get(key), state.person(key)
        now[key] = is_now
        if is_now == after:
            then[key] = before
        elif before is None or after is None or is_now is None or _but_trackers(before) != _but_trackers(after):
            raise _changed_since(target)
        else:
            then[key] = _moved_back(is_now, before, after)
    return now, then


def _but_trackers(person: Person) -> Person:
    return replace(person, trackers={}, **{name: getattr(_NOBODY, name) for name in _OF_PLAY})


_OF_PLAY = ("states", "round", "used")
"""What play itself changes on somebody besides trackers."""
_NOBODY = Person(id="", name="")


def _moved_back(now: Person, before: Person, after: Person) -> Person:
    """Return somebody without one change, by difference; a round goes back where nothing changed it since."""
    gauges = dict(now.trackers)
    for name, gauge in after.trackers.items():
        moved = gauge.value - (before.trackers[name].value if name in before.trackers else 0)
        if moved and name in gauges:
            gauges[name] = replace(gauges[name], value=max(0, gauges[name].value - moved))
    return replace(
        now,
        trackers=gauges,
        states=_without(now.states, before.states, after.states),
        used=dict(_without(now.used.items(), before.used.items(), after.used.items())),
        round=before.round if now.round == after.round else now.round,
    )


def _without(now: Collection[_Kept], before: Collection[_Kept], after: Collection[_Kept]) -> tuple[_Kept, ...]:
    """Return what is there now, without what a change brought and with what it took away."""
    left = [one for one in now if one in before or one not in after]
    return (*left, *(one for one in before if one not in after and one not in now))


def _roll_without(now: Roll | None, before: Roll | None, after: Roll | None) -> Roll | None:
    """Return a roll without what one change bought with it or applied of it, ``None`` where it did more than that."""
    if now is None or before is None or after is None:
        return None
    parts = {}
    for name in ("bought", "applied"):
        was, came, has = (getattr(one, name) for one in (before, after, now))
        if any(one not in was and one not in has for one in came):  # it was taken back otherwise
            return None
        parts[name] = _without(has, was, came)
    same = {"bought": (), "applied": (), "version": 0}
    return replace(now, **parts, version=now.version + 1) if replace(before, **same) == replace(after, **same) else None


def without_done(state: TableState, decision: tuple[str, Part, Part]) -> tuple[str, Part, Part]:
    """Return a decision by which a roll does something else than was applied of it, with that taken back.

    What it does now is then open to be applied. So is what its symbols bought and pay no more, the newest first.
    """
    words, before, after = decision
    old, roll = before.roll, after.roll
    if old is None or roll is None or (roll.applied, roll.bought) != (old.applied, old.bought):
        return decision
    was, now, names, unpaid = dict(before.people or {}), dict(after.people or {}), [], []
    applied, bought, symbols, left = roll.applied, roll.bought, dict(roll.net), roll.left
    gone: list[Carried] = []
    for change in state.standing_changes():
        had, then = change.before.roll, change.after.roll
        if had is None or then is None or then.id != roll.id:
            continue
        hurts = change.kind == "effect" and roll.effects != old.effects and then.applied[-1] in applied
        if hurts:
            applied = tuple(one for one in applied if one != then.applied[-1])
        elif change.kind == "spend" and then.ask == had.ask and (what := then.bought[-1]) in bought:
            if what.of not in symbols or left[what.of] >= 0:
                continue
            bought = tuple(one for one in bought if one != what)
            left[what.of] += what.count
            unpaid.append(what.words)
            gone += [one for one in change.after.carried or () if one in state.carried]
        else:
            continue
        for key, moved in (change.after.people or {}).items():
            person, unmoved = now.get(key) or state.person(key), (change.before.people or {}).get(key)
            if person is not None and moved is not None and unmoved is not None:
                was.setdefault(key, person)
                now[key] = _moved_back(person, unmoved, moved)
                names += [own(person.name)] * hurts
    if (applied, bought) == (roll.applied, roll.bought):
        return decision
    notes = [say("What it did to {names} is taken back.", names=names)] * bool(names)
    notes += [say("What it pays no more is taken back: {what}.", what=unpaid)] * bool(unpaid)
    words = sentences(say("{words}.", words=words), *notes) if notes else words
    roll = replace(roll, applied=applied, bought=bought)
    if gone:
        before = replace(before, carried=(*(before.carried or ()), *gone))
    return words, replace(before, people=was or None), replace(after, people=now or None, roll=roll)


def _pool_without(state: TableState, old: Destiny, new: Destiny) -> Destiny:
    """Return the pool less one change, by difference, so that the ones after it stand."""
    light = state.destiny.light + old.light - new.light
    dark = state.destiny.dark + old.dark - new.dark
    return check_pool(state, Destiny(light=light, dark=dark), most=_MOST)


def _changed_since(target: Change) -> Conflict:
    return Conflict(
        "this was changed again since", where=f"change {target.number}", hint="Take the later changes back first."
    )


def _target(state: TableState, number: int) -> Change:
    for change in state.standing_changes():
        if change.number == number:
            return change
    if any(change.number == number for change in state.changes):
        raise Conflict("it was taken back already", where=f"change {number}", hint="Take the undo back.")
    raise Conflict("cannot be undone any more", where=f"change {number}", hint="Name a newer change.")
