"""How often each face was thrown, by session and player: what fairness and luck are told from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tableside.dice import Face, Status
from tableside.table.kept import Change, Roll


@dataclass(frozen=True, slots=True)
class Thrown:
    """What one count is of."""

    session: int
    player: str
    type: str
    face: Face
    is_hidden: bool


class Counts:
    """Counts of faces that follow the log, change by change; corrections and undos are followed too.

    A die in doubt is not counted before somebody settles it.
    """

    def __init__(self, counts: Counter[Thrown] | None = None) -> None:
        self._counts: Counter[Thrown] = Counter() if counts is None else counts

    def follow(self, change: Change) -> None:
        """Count what the change brought, and no longer what it took away."""
        for rolls in change.rolls:
            for roll, sign in zip(rolls, (-1, 1), strict=True):
                for key in _throws_of(roll):
                    self._counts[key] += sign
                    if not self._counts[key]:
                        del self._counts[key]

    def following(self, changes: Iterable[Change]) -> Iterable[Change]:
        """Yield the changes as they are, each followed."""
        for change in changes:
            self.follow(change)
            yield change

    def copy(self) -> Counts:
        return Counts(self._counts.copy())

    def faces(self, *, sees_hidden: bool = False, session: int | None = None) -> dict[str, Counter[Face]]:
        """Return for each die type how often each face came."""
        found: dict[str, Counter[Face]] = {}
        for key, count in self._counts.items():
            if (sees_hidden or not key.is_hidden) and session in (None, key.session):
                found.setdefault(key.type, Counter())[key.face] += count
        return found

    def by_player(
        self, *, sees_hidden: bool = False, session: int | None = None
    ) -> dict[str, dict[str, Counter[Face]]]:
        """Return for each player, and ``""`` for nobody, what :meth:`faces` tells of all."""
        found: dict[str, dict[str, Counter[Face]]] = {}
        for key, count in self._counts.items():
            if (sees_hidden or not key.is_hidden) and session in (None, key.session):
                found.setdefault(key.player, {}).setdefault(key.type, Counter())[key.face] += count
        return found


def _throws_of(roll: Roll | None) -> Iterable[Thrown]:
    if roll is None:
        return
    for die in roll.dice:
        if die.status is Status.SURE:  # however a rule has it count, it was thrown as it lay
            for face in (die.lying.face, die.face) if die.rule == "again" else (die.lying.face,):
                yield Thrown(roll.session, roll.by, die.type, face, roll.is_hidden)
