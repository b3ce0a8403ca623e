"""The description of the API is made of the classes of messages and of what the table keeps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tableside.adapters.sqlite_store import SqliteStore
from tableside.adapters.web.openapi import openapi_document
from tableside.dice import find_sets
from tableside.record import Record
from tableside.table import System, Table
from tableside.table.messages import TAKEN
from tableside.table.shown import state_json

EVENING = Path(__file__).parent.parent / "table" / "history" / "table.sqlite"
DOCUMENT = openapi_document()
SCHEMAS = DOCUMENT["components"]["schemas"]


def faults(value: Any, name: str) -> list[str]:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    found = jsonschema_rs.validator_for(schema).iter_errors(json.loads(json.dumps(value)))
    return [f"{error.instance_path}: {error.message}" for error in found]


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
                if isinstance(value, Record):
                    assert faults(value.to_json(), type(value).__name__) == []
    state = state_json(table.state, now=1.0, sees_hidden=True)
    assert faults(state, "State") == []
    assert set(SCHEMAS["State"]["required"]) == state.keys()
    assert faults(state | {"game_title": None}, "State") != []


def test_a_roll_that_lacks_a_key_or_has_it_wrong_is_not_as_described(table: Table) -> None:
    roll = table.state.rolls[0].to_json()
    assert faults(roll, "Roll") == []
    assert faults(roll | {"net": []}, "Roll") != []
    assert faults({key: value for key, value in roll.items() if key != "sure"}, "Roll") != []


def test_every_message_says_what_it_is_and_what_its_keys_are() -> None:
    for kind in TAKEN:
        schema = SCHEMAS[kind.__name__]
        assert schema["description"].endswith("."), kind
        assert not schema["properties"].keys() & {"at", "device", "roll_id", "index", "only_open", "only_of"}, kind
        assert not schema["additionalProperties"]
    correction = SCHEMAS["CorrectDie"]["properties"]
    assert set(correction) == {"id", "by", "type", "face", "nothing", "version"}
    assert correction["nothing"]["description"] == "there is no die, in place of type and face."
