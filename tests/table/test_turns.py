"""The order of a fight, as each game orders its own turns."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from tableside.dice import Die
from tableside.errors import BadChange, Conflict
from tableside.table import MemoryStore, Table
from tableside.table.kept import Initiative, change_from_text, change_to_text
from tableside.table.messages import ChangeInitiative, ChooseGame, EnterRoll, Turn, Undo
from tableside.table.shown import state_json
from tests.conftest import SYSTEM
from tests.rules.asks import pips, symbols, wild


def tell(table: Table, kind: type[Any], **more: Any) -> str:
    """Send a message, and return its id."""
    message = str(uuid.uuid4())
    table.ask(kind(id=message, at=1.0, **more))
    return message


def turn(table: Table, do: Turn, *, is_player: bool = True, **more: Any) -> Initiative:
    tell(table, ChangeInitiative, do=do, side="player" if is_player else "npc", **more)
    return table.state.initiative


def add(table: Table, who: str, *rank: int, is_player: bool = True) -> Initiative:
    return turn(table, Turn.ADD, who=who, rank=rank, is_player=is_player)


def rolled(table: Table, who: str, dice: list[Die], *, is_player: bool = True, **ask: Any) -> Initiative:
    roll = tell(table, EnterRoll, dice=tuple(dice), ask=ask)
    return turn(table, Turn.ADD, who=who, roll_id=roll, is_player=is_player)


def names(order: Initiative) -> list[str]:
    return [slot.who for slot in order.slots]


def test_in_heroic_a_triumph_goes_before_four_successes(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    rolled(table, "Four", symbols("ability:success,success ability:success,success"), purpose="initiative")
    rolled(table, "Triumph", symbols("proficiency:triumph ability:advantage,advantage"), purpose="initiative")
    rolled(table, "Raider", symbols("ability:success,success ability:success,success"), is_player=False)
    order = rolled(table, "Loser", symbols("ability:advantage setback:failure"), purpose="initiative")
    assert names(order) == ["Triumph", "Four", "Raider", "Loser"]
    assert [slot.rank for slot in order.slots] == [(1, 1, 2), (0, 4, 0), (0, 4, 0), (0, -1, 1)]
    assert names(add(table, "Wall", 0, 0, 1, is_player=False)) == ["Triumph", "Four", "Raider", "Loser", "Wall"]
    for _ in range(5):
        order = turn(table, Turn.NEXT)
    assert (order.round, names(order)[0]) == (2, "Triumph")  # characters act, so they keep their places


def test_whom_the_rules_leave_level_change_places_and_nobody_else(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    for who, rank in (("Ann", 2), ("Ben", 2), ("Cas", 2), ("Dot", 1)):
        order = add(table, who, 0, rank)
    ids = {slot.who: slot.id for slot in order.slots}
    assert state_json(table.state, now=1.0)["initiative"]["level"] == [ids["Ann"], ids["Ben"]]
    assert names(turn(table, Turn.MOVE, slot=ids["Cas"], before=ids["Ann"])) == ["Cas", "Ann", "Ben", "Dot"]
    with pytest.raises(Conflict, match="the rules order them otherwise"):
        turn(table, Turn.MOVE, slot=ids["Cas"])
    with pytest.raises(Conflict, match="stays as it is"):
        turn(table, Turn.MOVE, slot=ids["Cas"], before=ids["Cas"])
    with pytest.raises(Conflict, match="no such slot"):
        turn(table, Turn.MOVE, slot=ids["Cas"], before="gone")
    for _ in range(4):
        order = turn(table, Turn.NEXT)
    assert (order.round, names(order)) == (2, ["Cas", "Ann", "Ben", "Dot"])  # it lasts


def test_in_narrative_triumphs_order_nothing(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    rolled(table, "Triumph", symbols("proficiency:triumph ability:advantage,advantage"))
    assert names(rolled(table, "Four", symbols("ability:success,success ability:success,success"))) == [
        "Four",
        "Triumph",
    ]


def test_in_d6_with_a_wild_die_sides_act_by_perception_and_action(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    rolled(table, "X", [*pips(4), wild(5)], code="3D", actions=2)
    add(table, "Y", 4, 0, 1)
    order = rolled(table, "Z", [*pips(5), wild(5)], is_player=False, code="3D", actions=2)
    assert (names(order), order.title) == (["Z", "Y", "X"], "Action 1 of each")  # 10 against 9
    order = turn(table, Turn.FIRST, is_player=True)  # who won may act last
    assert names(order) == ["Y", "X", "Z"]
    acted = []
    for _ in range(5):
        acted.append(order.current.who if order.current else "")
        order = turn(table, Turn.NEXT)
    assert acted == ["Y", "X", "Z", "X", "Z"]
    assert (order.round, order.segment, order.current and order.current.who) == (2, 0, "Y")


def test_in_d6_with_a_wild_die_the_highest_perception_of_a_side_throws_for_it(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    add(table, "Quick", 4, 0, 1, 5)
    add(table, "Lucky", 3, 2, 1, 19)
    assert names(add(table, "Raider", 2, 0, 1, 7, is_player=False)) == ["Raider", "Quick", "Lucky"]  # 7 against 5


def test_a_tie_for_the_sides_is_said(table: Table) -> None:
    tell(table, ChooseGame, game="d6-wild")
    assert add(table, "X", 3, 0, 1, 9).title == "Action 1 of each"
    assert "nobody has won or chosen" in add(table, "Z", 2, 0, 1, 9, is_player=False).title
    assert "nobody has won" not in turn(table, Turn.FIRST, is_player=False).title


def test_in_d6_with_dice_codes_a_round_has_three_segments(table: Table) -> None:
    tell(table, ChooseGame, game="d6-companion")
    for who, rank, is_player in (
        ("A", (4, 0, 1, 0), True), ("B", (2, 0, 2, 1), False), ("C", (3, 1, 1, 1), True), ("D", (3, 1, 0, 0), False),
    ):  # fmt: skip
        order = add(table, who, *rank, is_player=is_player)
    found = []
    for taps in (1, 1, 4):  # what all declare is over for all at once
        found.append((order.title, names(order)))
        for _ in range(taps):
            order = turn(table, Turn.NEXT)
    assert found == [
        ("Declare actions, lowest Dexterity first", ["B", "D", "C", "A"]),
        ("Declare reactions, highest Dexterity first", ["A", "D", "C", "B"]),
        ("Resolve by haste, movement last", ["B", "A", "C", "D"]),
    ]
    assert (order.round, order.title) == (2, "Declare actions, lowest Dexterity first")


def test_a_fight_keeps_its_game_whatever_is_thrown_in_between(table: Table) -> None:
    rolled(table, "Vex", symbols("ability:success"))
    tell(table, EnterRoll, dice=tuple(pips(3, 4)))  # of another game, yet this is a fight
    assert table.state.game == "narrative"
    assert names(add(table, "Jax", 2, 0)) == ["Jax", "Vex"]
    turn(table, Turn.CLEAR)
    tell(table, EnterRoll, dice=tuple(pips(3, 4)))  # the dice tell the game
    assert table.state.turn_order.numbers[0] == "dice"


def test_a_roll_that_tells_no_rank_is_refused(table: Table) -> None:
    for game, dice in (("d6-companion", pips(3)), ("d6-wild", [wild(3)])):
        tell(table, ChooseGame, game=game)
        with pytest.raises(Conflict, match="tells no rank in this game"):
            rolled(table, "X", dice)


def test_what_the_game_does_not_know_is_refused(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    with pytest.raises(BadChange, match="a rank of 3 numbers"):
        add(table, "Vex", 1, 2, 3)
    add(table, "Vex", 1, 2)
    with pytest.raises(Conflict, match="no side goes first"):
        turn(table, Turn.FIRST, is_player=False)


def test_an_order_of_an_older_history_is_read_and_goes_on(table: Table, store: MemoryStore) -> None:
    add(table, "Vex", 2, 1)
    add(table, "Raider", 1, 0, is_player=False)
    text = change_to_text(list(store.changes())[-1])
    for key in ('"game":"narrative",', '"segment":0,', '"title":"",', '"players_first":null,'):
        assert key in text
        text = text.replace(key, "")
    older = change_from_text(text).after.initiative
    assert older.next(SYSTEM.find_game("narrative").turn_order, older.current).current == older.slots[1]


def test_who_waits_acts_after_the_next_one_and_as_before_in_the_next_round(table: Table) -> None:
    tell(table, ChooseGame, game="heroic")
    add(table, "Vex", 3)
    add(table, "Oskara", 2)
    add(table, "Mara", 1)
    order = turn(table, Turn.DELAY)
    assert [slot.who for slot in order.slots] == ["Oskara", "Vex", "Mara"]
    turn(table, Turn.NEXT)
    turn(table, Turn.DELAY)
    order = turn(table, Turn.NEXT)
    assert order.current.who == "Vex"
    with pytest.raises(Conflict, match="nobody acts later"):
        turn(table, Turn.DELAY)
    order = turn(table, Turn.NEXT)
    assert (order.round, [slot.who for slot in order.slots]) == (2, ["Vex", "Oskara", "Mara"])


def test_who_has_acted_takes_no_other_turn_of_the_round(table: Table) -> None:
    tell(table, ChooseGame, game="narrative")
    one, other, foe, late = [add(table, "", n, is_player=n != 2).slots[-1].id for n in (4, 3, 2, 1)]
    turn(table, Turn.CLAIM, slot=other, who="Vex")
    order = turn(table, Turn.CLAIM, slot=one, who="Vex")  # a place that was not used is left
    assert names(order) == ["Vex", "", "", ""]
    for _ in range(2):  # each of two phones asks for it
        turn(table, Turn.NEXT)
        for slot in (other, late):
            with pytest.raises(Conflict, match="Vex has acted in this round"):
                turn(table, Turn.CLAIM, slot=slot, who="Vex")
        assert names(table.state.initiative) == ["Vex", "", "", ""]
        tell(table, Undo)  # of the turn's end: it is to come again
        assert names(turn(table, Turn.CLAIM, slot=other, who="Vex")) == ["", "Vex", "", ""]
        turn(table, Turn.CLAIM, slot=one, who="Vex")
    turn(table, Turn.NEXT)
    assert names(turn(table, Turn.CLAIM, slot=other, who="Oskara")) == ["Vex", "Oskara", "", ""]
    turn(table, Turn.NEXT)
    turn(table, Turn.CLAIM, slot=foe, who="Vex")  # a place of the game master's goes by no such count
    for _ in range(2):
        turn(table, Turn.NEXT)
    assert (table.state.initiative.round, names(turn(table, Turn.CLAIM, slot=other, who="Vex"))[1]) == (2, "Vex")
