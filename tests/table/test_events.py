"""What is told to other programs: one event for each change of a roll or the pool, and nothing that is hidden."""

from __future__ import annotations

import json
import uuid
from typing import Any

from tableside.dice import Die
from tableside.table import Table
from tableside.table.messages import CallRoll, ChangeDestiny, ChangeRoll, CorrectDie, Do, EnterRoll, NamePlayer, Undo
from tableside.table.shown import Event, EventType, events_of

ABILITY = Die(type="ability", face=("success",))
SECRET = "Ambush"


def tell(table: Table, kind: type[Any], **more: Any) -> str:
    message = kind(id=str(uuid.uuid4()), at=1.0, **more)
    table.ask(message)
    return str(message.id)


def events(table: Table) -> list[Event]:
    changes = table.saved_since(0, limit=1000)
    return [event for change in changes for event in events_of(change, find_roll=table.find_roll)]


def kinds(table: Table) -> list[EventType]:
    return [event.type for event in events(table)]


def test_a_roll_its_correction_and_its_end_are_three_events_of_one_roll(table: Table) -> None:
    roll = tell(table, EnterRoll, dice=(ABILITY,))
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=("advantage",))
    tell(table, Undo)
    tell(table, Undo, change=1)
    told = events(table)
    assert [event.type for event in told] == ["roll", "amendment", "amendment", "withdrawn"]
    assert {event.roll_id for event in told} == {roll}
    assert [event.number for event in told] == [1, 2, 3, 4]
    assert len({event.id for event in told}) == 4
    assert told[-1].to_json(table="T")["roll"] == {"id": roll}


def test_the_form_holds_what_the_contract_names(table: Table) -> None:
    tell(table, EnterRoll, dice=(ABILITY,), label="Stealth", by="Vex")
    told = events(table)[0].to_json(table="Table 3")
    assert told["table"] == "Table 3"
    names = {"id", "at", "game", "source", "by", "label", "dice", "ask", "net", "outcome", "sentence"}
    assert names <= told["roll"].keys()
    json.dumps(told)


def test_the_pool_is_told_as_it_is_after_the_change(table: Table) -> None:
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    assert [event.to_json(table="T")["destiny"] for event in events(table)] == [{"light": 2, "dark": 1}]


def test_what_is_neither_roll_nor_pool_is_not_told(table: Table) -> None:
    tell(table, NamePlayer, name="Vex")
    tell(table, CallRoll, label="Stealth")
    assert events(table) == []


def test_a_hidden_roll_is_told_by_no_word_until_it_is_shown(table: Table) -> None:
    roll = tell(table, EnterRoll, dice=(ABILITY,), label=SECRET, is_hidden=True)
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=())
    assert events(table) == []
    tell(table, ChangeRoll, roll_id=roll, is_hidden=False)
    assert kinds(table) == ["roll"]


def test_a_roll_that_is_hidden_later_is_not_told_late(table: Table) -> None:
    """An outage lies between the roll and the telling of it."""
    roll = tell(table, EnterRoll, dice=(ABILITY,), label=SECRET)
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=())
    tell(table, ChangeRoll, roll_id=roll, is_hidden=True)
    told = events(table)
    assert all(event.type is EventType.WITHDRAWN and event.is_hiding for event in told)
    assert SECRET not in json.dumps([event.to_json(table="T") for event in told])
    assert all(event.to_json(table="T")["roll"].keys() == {"id"} for event in told)


def test_taking_back_a_hidden_roll_is_not_told(table: Table) -> None:
    tell(table, EnterRoll, dice=(ABILITY,), label=SECRET, is_hidden=True)
    tell(table, Undo)
    assert events(table) == []
