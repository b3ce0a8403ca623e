"""How likely a roll still succeeds that waits for a throw."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tableside.dice import Die
from tableside.table import Table
from tableside.table.kept import Roll
from tableside.table.messages import EnterRoll
from tableside.table.shown import chance_from_here
from tests.conftest import SYSTEM

SHOWN = (("pip", "4"), ("pip", "3"), ("pip", "1"), ("wild", "6"))  # 14 so far


@pytest.mark.parametrize(
    ("difficulty", "chance"),
    [
        (15, Fraction(1)),  # any face is enough
        (17, Fraction(4, 6)),
        (20, Fraction(1, 6)),
        (22, Fraction(1, 6) * Fraction(5, 6)),  # a six, and then 2 or more
        (26, Fraction(1, 36)),  # 12 more: two sixes, as 11 and less need no second one
        (27, Fraction(1, 36)),
        (29, Fraction(1, 36) * Fraction(4, 6)),
    ],
)
def test_a_wild_die_that_is_thrown_again_leaves_an_exact_chance(
    table: Table, difficulty: int, chance: Fraction
) -> None:
    roll = entered(table, SHOWN, difficulty=difficulty)
    assert chance_from_here(roll, SYSTEM) == chance


def entered(table: Table, shown: tuple[tuple[str, str], ...], **ask: int) -> Roll:
    dice = tuple(Die(type=kind, face=(face,)) for kind, face in shown)
    return table.ask(EnterRoll(id="roll", at=1.0, game="d6-wild", dice=dice, ask=ask)).roll


def test_a_roll_that_waits_for_nothing_or_has_no_difficulty_has_none(table: Table) -> None:
    assert chance_from_here(entered(table, SHOWN), SYSTEM) is None
