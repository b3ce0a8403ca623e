"""What changes the dice of a roll, as rows of a table: one answer, what it adds, and how that is said.

    MODIFIERS = (
        Modifier(Ask.stuns, dice=-1, says="Stunned", rule="stun_track", tracker="stuns", spares=is_strength),
        Modifier(Ask.condition, dice=lambda ask: CONDITIONS[ask.condition], says="Condition", rule="H06"),
    )

From the rows follow the dice with their steps (:func:`changes`), and by ``Characters.modifiers`` what a tracker of the
roller fills in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, TypeVar

from tableside.rules.form import F, name_of

D = TypeVar("D")
"""What a game counts dice in: a number, or a pool. It is multiplied by a number and false where it is nothing."""


@dataclass(frozen=True, slots=True)
class Modifier(Generic[D, F]):
    """An answer that changes the dice.

    :ivar field: the answer, as ``Ask.stuns``.
    :ivar dice: what each point of it adds to the roll, or what the answers together add.
    :ivar says: how the step is said. :ivar rule: its mark in the rules.
    :ivar spares: tells which rolls it spares.
    :ivar tracker: of the roller, which fills it in; ``""`` where it is entered.
    """

    field: Any
    _: KW_ONLY
    dice: D | Callable[[F], D]
    says: str | Callable[[F], str]
    rule: str
    spares: Callable[[F], bool] | None = None
    tracker: str = ""

    @property
    def name(self) -> str:
        return name_of(self.field)

    def change(self, given: F) -> D | None:
        """Return what it adds to this roll."""
        if self.spares is not None and self.spares(given):
            return None
        dice: Any = self.dice
        if callable(dice):
            found: D = dice(given)
            return found
        points = int(getattr(given, self.name) or 0)
        return dice * points if points else None


def changes(rows: Iterable[Modifier[D, F]], given: F) -> Iterator[tuple[D, str, str]]:
    """Yield what changes the dice of this roll, in the order of the table: dice, words and rule."""
    for row in rows:
        if dice := row.change(given):
            yield dice, row.says if isinstance(row.says, str) else row.says(given), row.rule
