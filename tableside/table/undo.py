"""Taking changes back. An undo is a change like any other, so it can be taken back as well."""

from __future__ import annotations

from tableside.errors import BadChange
from tableside.table.pool import check_pool
from tableside.table.state import Change, Destiny, Part, TableState

_MOST = 10**6  # an undo may restore a pool that today's limit would refuse


def taken_back(state: TableState, number: int | None) -> tuple[Change, Part, Part]:
    """Return the change to take back, with what it touched as it is now and as it will be.

    :param number: the change's number, or ``None`` for the newest that still stands.
    :raises BadChange: where there is none, or where a later change stands in the way.
    """
    target = _target(state, number)
    before, after = target.before, target.after
    if before.destiny is not None and after.destiny is not None:
        now = state.destiny
        # by difference, so that an older change can be taken back without the ones after it
        then = Destiny(
            light=now.light + before.destiny.light - after.destiny.light,
            dark=now.dark + before.destiny.dark - after.destiny.dark,
        )
        return target, Part(destiny=now), Part(destiny=check_pool(state, then, most=_MOST))
    roll = after.roll or before.roll
    if roll is None:
        raise BadChange("it changed nothing", where=f"change {target.number}", hint="Name another change.")
    now_roll = state.find_roll(roll.id)
    is_as_left = now_roll == after.roll
    if not is_as_left and not (before.roll is None and now_roll is not None):
        raise BadChange(
            "this roll was changed again since",
            where=f"change {target.number}",
            hint="Take the later changes back first.",
        )
    return target, Part(roll=now_roll), Part(roll=before.roll)


def _target(state: TableState, number: int | None) -> Change:
    gone: set[int] = set()
    for change in reversed(state.changes):
        if change.number in gone:
            if change.number == number:
                raise BadChange("it was taken back already", where=f"change {number}", hint="Take the undo back.")
            continue
        if change.undoes:
            gone.add(change.undoes)
        if change.number == number or (number is None and not change.undoes):
            return change
    if number is None:
        raise BadChange("there is nothing to undo", where="history", hint="Nothing was changed yet.")
    raise BadChange("cannot be undone any more", where=f"change {number}", hint="Name a newer change.")
