"""The address that a Foundry world asks."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.web import create_app
from tableside.dice import Die, find_sets
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import CorrectDie, EnterRoll, Undo

SETS = find_sets(["narrative", "pips", "percentile"])
ORIGIN = "http://foundry.local:30000"


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(System(sets=SETS), MemoryStore())
    yield table
    table.close()


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(table, web_folder=paths.web_folder(), sets=SETS, foundry_origin=ORIGIN).test_client()


def polled(client: FlaskClient, since: object = "") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/foundry/poll?since={since}").get_json()
    return found


def rolled(table: Table, *dice: Die, **more: Any) -> str:
    roll = str(uuid.uuid4())
    table.ask(EnterRoll(id=roll, at=1.5, dice=dice, **more))
    return roll


def test_it_is_off_until_it_is_asked_for(table: Table) -> None:
    client = create_app(table, web_folder=paths.web_folder(), sets=SETS).test_client()
    answer = client.get("/api/foundry/poll")
    assert answer.status_code == 404
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_who_asks_hears_each_roll_once(client: FlaskClient, table: Table) -> None:
    rolled(table, Die(type="ability", face=("success",)))
    first = polled(client)
    assert first == {"rolls": [], "next": 1}
    roll = rolled(table, Die(type="ability", face=("success",)), label="Stealth")
    table.ask(CorrectDie(id=str(uuid.uuid4()), at=1.0, roll_id=roll, index=0, die=Die(type="ability", face=())))
    table.ask(Undo(id=str(uuid.uuid4()), at=1.0, change=2))
    told = polled(client, first["next"])
    assert [one["type"] for one in told["rolls"]] == ["roll", "amendment", "withdrawn"]
    assert told["rolls"][1]["amendment"]["corrected"]["ffg"]["success"] == 0
    assert polled(client, told["next"]) == {"rolls": [], "next": told["next"]}


def test_another_history_begins_anew(client: FlaskClient, table: Table) -> None:
    rolled(table, Die(type="ability", face=("success",)))
    assert polled(client, 999) == {"rolls": [], "next": 1}


def test_faces_have_the_numbers_of_foundrys_dice(client: FlaskClient, table: Table) -> None:
    dice = (
        Die(type="proficiency", face=("triumph",)),
        Die(type="difficulty", face=("failure", "threat")),
        Die(type="difficulty", face=()),
        Die(type="ability", face=("success", "advantage")),
    )
    rolled(table, *dice)
    roll = polled(client, 0)["rolls"][0]["roll"]
    assert roll["formula"] == "1dp + 2di + 1da"
    assert [(die["shape"], die["value"]) for die in roll["dice"]] == [("d12", 12), ("d8", 8), ("d8", 1), ("d8", 7)]


def test_numbered_dice_have_a_total(client: FlaskClient, table: Table) -> None:
    rolled(table, Die(type="pip", face=("4",)), Die(type="pip", face=("6",)))
    roll = polled(client, 0)["rolls"][0]["roll"]
    assert (roll["formula"], roll["total"]) == ("2d6", 10)
    assert [die["value"] for die in roll["dice"]] == [4, 6]


def test_a_hidden_roll_is_not_told(client: FlaskClient, table: Table) -> None:
    rolled(table, Die(type="ability", face=("success",)), label="Ambush", is_hidden=True)
    assert polled(client, 0) == {"rolls": [], "next": 1}


@pytest.mark.parametrize("since", ["-1", "x", "1e3", "9" * 20, "١"])
def test_what_is_no_number_is_refused(client: FlaskClient, since: str) -> None:
    assert client.get("/api/foundry/poll", query_string={"since": since}).status_code == 400
