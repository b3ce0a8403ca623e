"""The description of the API is made of the classes of messages and of what the table keeps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tableside import paths
from tableside.adapters.sqlite_store import SqliteStore
from tableside.adapters.web import Services, create_app
from tableside.adapters.web.openapi import openapi_document
from tableside.dice import find_sets
from tableside.record import Record
from tableside.table import System, Table
from tableside.table.messages import TAKEN
from tableside.table.shown import state_json
from tests import described
from tests.described import Answers

EVENING = Path(__file__).parent.parent / "table" / "history" / "table.sqlite"
DOCUMENT = openapi_document()
SCHEMAS = DOCUMENT["components"]["schemas"]


def faults(value: Any, name: str) -> list[str]:
    return described.faults(value, {"$ref": f"#/components/schemas/{name}"})


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """An evening with every kind of change in all four games."""
    file = shutil.copy(EVENING, tmp_path_factory.mktemp("evening") / "table.sqlite")
    table = Table(System(sets=find_sets(["narrative", "pips", "percentile"])), SqliteStore(file))
    yield table
    table.close()


def test_all_that_an_evening_kept_is_as_described(table: Table) -> None:
    for number in range(1, table.state.last_number + 1):
        (change,) = table.saved_since(number - 1, limit=1)
        for part in (change.before, change.after):
            for field in part.__struct_fields__:
                value = getattr(part, field)
                if isinstance(value, Record) and type(value).__name__ in SCHEMAS:
                    assert faults(value.to_json(), type(value).__name__) == []
    state = state_json(table.state, now=1.0, sees_hidden=True)
    assert faults(state, "State") == []
    assert set(SCHEMAS["State"]["required"]) == state.keys()
    assert faults(state | {"game_title": None}, "State") != []


def test_what_an_evening_is_told_by_is_as_described(table: Table, answers: Answers) -> None:
    client = create_app(Services(table=table, web_folder=paths.web_folder())).test_client()
    asked = set()
    for address, ways in DOCUMENT["paths"].items():
        if "application/json" not in ways.get("get", {}).get("responses", {}).get("200", {}).get("content", {}):
            continue
        for roll in table.state.rolls if "{id}" in address else table.state.rolls[:1]:
            answer = client.get(address.replace("{id}", roll.id) + ("?change=1" if address == "/api/undo" else ""))
            if answer.status_code == 200:
                asked.add(ways["get"]["operationId"])
    assert answers.seen == asked
    assert {"get_state", "get_people", "get_history", "get_rolls_id", "get_rolls_id_spends", "get_games"} < asked


def test_a_key_that_is_not_described_is_a_fault(table: Table) -> None:
    state = state_json(table.state, now=1.0)
    assert faults(state | {"more": 1}, "State") != []
    assert faults(state | {"initiative": {**state["initiative"], "more": 1}}, "State") != []
    assert faults(state | {"history": [{**state["history"][0], "more": 1}]}, "State") != []


def test_every_operation_has_a_name_a_part_and_a_form_and_no_thing_has_the_name_of_another() -> None:
    told = [one for ways in DOCUMENT["paths"].values() for one in ways.values()]
    names = [one["operationId"] for one in told]
    assert len(names) == len({*names}) > 80
    assert all(len(one["tags"]) == 1 for one in told)
    for one in told:
        contents = [x.get("content", {}).get("application/json") for c, x in one["responses"].items() if c[0] == "2"]
        assert all(content is None or content["schema"] for content in contents), one["operationId"]


def test_a_roll_that_lacks_a_key_or_has_it_wrong_is_not_as_described(table: Table) -> None:
    roll = table.state.rolls[0].to_json()
    assert faults(roll, "Roll") == []
    assert faults(roll | {"net": []}, "Roll") != []
    assert faults({key: value for key, value in roll.items() if key != "sure"}, "Roll") != []


def test_what_is_said_of_a_thing_stands_at_its_keys() -> None:
    assert ":ivar" not in json.dumps(DOCUMENT)
    assert SCHEMAS["SentState"]["properties"]["until"]["description"].startswith("it ends with")
    turns = SCHEMAS["ChangeInitiative"]["properties"]
    assert turns["round"]["description"] == turns["segment"]["description"] != ""


def test_every_message_says_what_it_is_and_what_its_keys_are() -> None:
    for kind in TAKEN:
        schema = SCHEMAS[kind.__name__]
        assert schema["description"].endswith("."), kind
        assert not schema["properties"].keys() & {"at", "device", "roll_id", "index", "only_open", "only_of"}, kind
        assert not schema["additionalProperties"]
    correction = SCHEMAS["CorrectDie"]["properties"]
    assert set(correction) == {"id", "by", "type", "face", "nothing", "version"}
    assert correction["nothing"]["description"] == "there is no die, in place of type and face."
