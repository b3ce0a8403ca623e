"""Destiny points that an ask takes: an impossible task, a helping hand, raised stakes."""

from __future__ import annotations

from typing import Any

import pytest

from tableside.dice import Die
from tableside.errors import Conflict
from tableside.table.kept import TableState
from tableside.table.messages import ChangeDestiny, ChangeRoll, Do, EnterRoll
from tests.table.played import Played
from tests.table.test_play import seen

SKILL = {"characteristic": 3, "skill": 2}
DICE = (Die(type="ability", face=("success",)),)


def ask(table: Played, **answers: Any) -> TableState:
    return table.call(game="narrative", player="Vex", ask={**SKILL, **answers})


def pool(state: TableState) -> tuple[int, int]:
    return state.destiny.light, state.destiny.dark


@pytest.fixture(autouse=True)
def points(table: Played) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=1, dark=2)


@pytest.mark.parametrize(
    ("answers", "after"),
    [
        ({"difficulty": "impossible"}, (0, 3)),
        ({"helping_hand": 1}, (0, 3)),
        ({"raising_the_stakes": 1}, (2, 1)),
        ({"difficulty": "impossible", "raising_the_stakes": 1}, (1, 2)),
        ({"difficulty": "formidable"}, (1, 2)),
        ({"difficulty": "impossible", "opponent_skill": 2}, (1, 2)),
        ({"purpose": "percentile", "helping_hand": 1}, (1, 2)),
    ],
)
def test_an_ask_takes_its_points_and_undo_gives_them_back(
    table: Played, answers: dict[str, Any], after: tuple[int, int]
) -> None:
    assert pool(ask(table, **answers)) == after
    assert pool(table.undo()) == (1, 2)


def test_what_was_taken_is_said(table: Played) -> None:
    last = ask(table, helping_hand=1).last_change
    assert last.sentence == "Vex: Throw 3 proficiency dice. Destiny: 0 light, 3 dark"


@pytest.mark.parametrize("answers", [{"difficulty": "impossible"}, {"helping_hand": 1}])
def test_without_a_point_it_is_refused(table: Played, answers: dict[str, Any]) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=0, dark=3)
    before = table.state
    for act in (
        lambda: ask(table, **answers),
        lambda: table.tell(EnterRoll, dice=DICE, game="narrative", ask={**SKILL, **answers}),
    ):
        with pytest.raises(Conflict, match="Destiny: this takes 1 light point, and there are none"):
            act()
    assert table.state == before


def test_the_stakes_are_raised_by_dark_points_alone(table: Played) -> None:
    table.tell(ChangeDestiny, do=Do.SET, light=3, dark=0)
    with pytest.raises(Conflict, match="takes 1 dark point, and there are none"):
        ask(table, raising_the_stakes=1, helping_hand=1)  # the light point turns over only afterwards


def test_asking_again_takes_no_second_point_and_asking_nothing_gives_it_back(table: Played) -> None:
    ask(table, helping_hand=1)
    assert pool(ask(table, helping_hand=1, boost=1)) == (0, 3)
    assert pool(ask(table, boost=1)) == (1, 2)
    ask(table, difficulty="impossible")
    assert pool(table.call()) == (1, 2)


def test_once_it_is_rolled_the_point_is_spent(table: Played) -> None:
    ask(table, helping_hand=1)
    rolled = table.ask(seen(("ability", ("success",)), ("proficiency", ("success",))))
    assert (pool(rolled), rolled.asked.id) == ((0, 3), "")
    assert pool(ask(table, boost=1)) == (0, 3)
    table.undo()
    again = table.undo()  # the roll is gone, so its ask is open again
    assert (again.asked.answers["helping_hand"], pool(again)) == (1, (0, 3))
    assert pool(table.call()) == (1, 2)


def test_a_roll_by_hand_takes_only_what_its_ask_has_not(table: Played) -> None:
    ask(table, helping_hand=1)
    rolled = table.tell(EnterRoll, dice=DICE, uses_ask=True)
    assert (pool(rolled), rolled.asked.id) == ((0, 3), "")
    table.tell(ChangeDestiny, do=Do.SET, light=2, dark=0)
    alone = table.tell(EnterRoll, dice=DICE, game="narrative", ask={**SKILL, "helping_hand": 1})
    assert pool(alone) == (1, 1)
    assert pool(table.undo()) == (2, 0)


def test_what_a_roll_was_for_after_all_takes_and_gives_back(table: Played) -> None:
    roll = table.tell(EnterRoll, dice=DICE, game="narrative", ask=SKILL).roll
    assert pool(table.tell(ChangeRoll, roll_id=roll, ask={"helping_hand": 1})) == (0, 3)
    assert pool(table.tell(ChangeRoll, roll_id=roll, label="Jump")) == (0, 3)
    assert pool(table.tell(ChangeRoll, roll_id=roll, ask={"helping_hand": None})) == (1, 2)


def test_a_point_that_is_no_more_in_the_pool_cannot_come_back(table: Played) -> None:
    ask(table, helping_hand=1)
    table.tell(ChangeDestiny, do=Do.SET, light=0, dark=0)
    assert pool(table.call()) == (0, 0)
