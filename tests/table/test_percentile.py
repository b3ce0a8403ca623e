"""Percentile throws at the table: what nobody announced, and which of two dice is the tens."""

from __future__ import annotations

import uuid
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from tableside.dice import Die, DieReading, Reading, Status, find_sets
from tableside.table import MemoryStore, System, Table
from tableside.table.kept import Roll, change_from_text, change_to_text
from tableside.table.messages import CallRoll, ChangeRoll, ChooseGame, CorrectDie, EnterRoll, NewRoll

GREEN, BLUE = (68, 158, 47), (176, 79, 29)  # BGR


def tell(table: Table, kind: type[Any], **more: Any) -> Roll:
    return table.ask(kind(id=str(uuid.uuid4()), at=1.0, **more)).roll


def seen(table: Table, *dice: tuple[str, str, tuple[int, int, int] | None]) -> Roll:
    read = tuple(
        DieReading(
            type=kind, face=(face,), center=(10, 10), outline=(), confidence=0.9, status=Status.SURE, colour_bgr=colour
        )
        for kind, face, colour in dice
    )
    return tell(table, NewRoll, reading=Reading(width=100, height=100, dice=read))


def test_two_colours_of_which_none_was_agreed_are_a_question_that_one_tap_settles(
    table: Table, store: MemoryStore
) -> None:
    roll = seen(table, ("d10", "4", GREEN), ("d10", "7", BLUE))
    assert (roll.headline, [one.title for one in roll.choices]) == ("47 or 74?", ["47", "74"])
    assert roll.to_json()["choices"][1].items() >= {"title": "74", "ask": {"tens": 7}}.items()
    kept = list(store.changes())[-1]
    assert change_from_text(change_to_text(kept)) == kept
    settled = tell(table, ChangeRoll, roll_id=roll.id, ask=dict(roll.choices[1].sets))
    assert (settled.headline, settled.choices) == ("74", ())
    assert [die.face for die in settled.dice] == [("4",), ("7",)]


def test_the_colour_agreed_tells_the_tens(table: Table) -> None:
    table.ask(ChooseGame(id="1", at=1.0, game="narrative", settings={"tens_colour": "blue"}))
    assert seen(table, ("d10", "4", GREEN), ("d10", "7", BLUE)).headline == "74"
    assert seen(table, ("d10", "4", GREEN), ("d10", "7", GREEN)).headline == "47 or 74?"
    assert seen(table, ("d10", "4", None), ("d10", "7", None)).headline == "47 or 74?"


def test_whoever_says_which_die_is_the_tens_is_believed(table: Table) -> None:
    roll = seen(table, ("d10", "4", GREEN), ("d10", "7", GREEN))
    told = tell(table, CorrectDie, roll_id=roll.id, index=1, type="d100", face=("70",))
    assert told.headline == "74"


@pytest.mark.parametrize("game", ["", "narrative", "heroic", "d6-wild"])
def test_an_unannounced_percentile_throw_is_scored_in_any_game_and_leaves_the_ask_open(table: Table, game: str) -> None:
    if game:
        table.ask(ChooseGame(id="1", at=1.0, game=game))
    asked = table.ask(CallRoll(id="2", at=1.0, game="narrative", ask={"characteristic": 2}, label="Jump")).asked
    roll = seen(table, ("d100", "50", None), ("d10", "7", None))
    assert (roll.headline, roll.label, dict(roll.net)) == ("57", "", {"total": 57})
    assert table.state.asked == asked
    entered = tell(table, EnterRoll, dice=(Die(type="d100", face=("50",)), Die(type="d10", face=("7",))), uses_ask=True)
    assert entered.headline == "57"
    assert table.state.asked == asked


def test_an_announced_percentile_throw_uses_up_the_ask(table: Table) -> None:
    answers = {"purpose": "percentile", "added": 20}
    table.ask(CallRoll(id="2", at=1.0, game="narrative", ask=answers, label="Critical"))
    roll = seen(table, ("d10", "4", GREEN), ("d10", "7", BLUE))
    assert (roll.headline, roll.label, table.state.asked.id) == ("67 or 94?", "Critical", "")


@pytest.mark.parametrize("is_on", [True, False])
def test_taught_plain_dice_are_read_as_the_symbol_dice_that_they_play(is_on: bool) -> None:
    """A green d8 and a purple one, taught with numerals, play as ability and difficulty (M25)."""
    (symbols,) = find_sets(["narrative"])
    numerals = tuple((str(number),) for number in range(1, 9))
    kinds = [
        replace(symbols.type(name), name=f"{name}-d8", plays_as=name, faces=numerals)
        for name in ("ability", "difficulty")
    ]
    mine = replace(symbols, name="my-d8", types=tuple(kinds), taught=True, counts=())
    with closing(Table(System(sets=(*find_sets([]), mine)), MemoryStore())) as table:
        table.ask(ChooseGame(id="1", at=1.0, game="narrative", settings={"numbered": True} if is_on else {}))
        dice = (Die(type="ability-d8", face=("4",)), Die(type="difficulty-d8", face=("2",)))
        roll = tell(table, EnterRoll, dice=dice)
    # face 4 of ability is S S, face 2 of difficulty F
    assert dict(roll.net).get("success") == (1 if is_on else None)


@pytest.mark.parametrize("game", ["", "narrative", "d6-wild"])
def test_numbered_dice_are_added_up_in_any_game_where_they_are_known(game: str) -> None:
    with closing(Table(System(sets=find_sets(besides=["polyhedral"]), game=game), MemoryStore())) as table:
        roll = seen(table, ("d20", "17", GREEN), ("d8", "5", BLUE), ("d10", "0", BLUE))
        assert (roll.headline, dict(roll.net)) == ("22", {"total": 22})
        again = tell(table, CorrectDie, roll_id=roll.id, index=0, type="d12", face=("12",))
        assert again.headline == "17"
        alone = seen(table, ("d10", "4", GREEN), ("d10", "7", BLUE))
        assert alone.headline == "47 or 74?"
