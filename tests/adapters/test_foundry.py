"""The module for Foundry, and the address that it asks."""

from __future__ import annotations

import io
import json
import re
import uuid
import zipfile
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.foundry.addresses import addresses, manifest_json, packed_module
from tableside.adapters.web import Services, create_app
from tableside.dice import Die
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import CorrectDie, EnterRoll, Undo
from tests.conftest import ROOT, SYSTEM

ORIGIN = "http://foundry.local:30000"


@pytest.fixture
def client(table: Table) -> FlaskClient:
    made = [addresses(table, origin=ORIGIN)]
    return create_app(Services(table=table, web_folder=paths.web_folder(), addresses=made)).test_client()


def polled(client: FlaskClient, since: object = "") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/foundry/poll?since={since}").get_json()
    return found


def rolled(table: Table, *dice: Die, **more: Any) -> str:
    roll = str(uuid.uuid4())
    table.ask(EnterRoll(id=roll, at=1.5, dice=dice, **more))
    return roll


def test_it_is_off_until_it_is_asked_for(table: Table) -> None:
    app = create_app(Services(table=table, web_folder=paths.web_folder(), addresses=[addresses(table, origin="")]))
    client = app.test_client()
    answer = client.get("/api/foundry/poll")
    assert answer.status_code == 404
    assert answer.get_json()["error"]["where"] == "[foundry] origin"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_manifest_leads_to_a_module_that_knows_the_table(client: FlaskClient) -> None:
    manifest = client.get("/foundry/module.json", base_url="http://192.168.1.20:8000").get_json()
    assert manifest["url"] == "http://192.168.1.20:8000"
    assert int(manifest["compatibility"]["minimum"]) < int(manifest["compatibility"]["verified"])
    assert manifest["manifest"] == "http://192.168.1.20:8000/foundry/module.json"
    path = manifest["download"].removeprefix("http://192.168.1.20:8000")
    packed = zipfile.ZipFile(io.BytesIO(client.get(path, base_url="http://192.168.1.20:8000").data))
    assert json.loads(packed.read("module.json")) == manifest
    assert {*manifest["esmodules"], "module.json"} < {*packed.namelist()}
    assert packed.read("table.js") == b'export default "http://192.168.1.20:8000";\n'


def test_who_asks_hears_each_roll_once(client: FlaskClient, table: Table) -> None:
    rolled(table, Die(type="ability", face=("success",)))
    first = polled(client)
    assert first == {"rolls": [], "next": 1}
    roll = rolled(table, Die(type="ability", face=("success",)), label="Stealth")
    table.ask(CorrectDie(id=str(uuid.uuid4()), at=1.0, roll_id=roll, index=0, type="ability", face=()))
    table.ask(Undo(id=str(uuid.uuid4()), at=1.0, change=2))
    told = polled(client, first["next"])
    assert [one["type"] for one in told["rolls"]] == ["roll", "amendment", "withdrawn"]
    assert told["rolls"][1]["amendment"]["corrected"]["ffg"]["success"] == 0
    assert polled(client, told["next"]) == {"rolls": [], "next": told["next"]}


def test_another_history_begins_anew(client: FlaskClient, table: Table) -> None:
    rolled(table, Die(type="ability", face=("success",)))
    assert polled(client, 999) == {"rolls": [], "next": 1}


def test_what_was_heard_of_another_table_says_nothing_of_this_one(client: FlaskClient, table: Table) -> None:
    for _ in range(3):
        rolled(table, Die(type="ability", face=("success",)))
    first = polled(client, "1&history=another")  # of a table whose address was set before, or of a history that is gone
    assert (first["rolls"], first["next"]) == ([], 3)
    again = rolled(table, Die(type="ability", face=()))
    told = polled(client, f"{first['next']}&history={first['history']}")
    assert ([one["roll"]["roll_id"] for one in told["rolls"]], told["history"]) == ([again], first["history"])


def words(language: str) -> dict[str, str]:
    packed = zipfile.ZipFile(io.BytesIO(packed_module("http://table")))
    found: dict[str, str] = json.loads(packed.read(f"lang/{language}.json"))["TABLESIDE"]
    return found


def test_the_module_speaks_the_languages_of_the_pages_and_calls_dice_as_they_do() -> None:
    listed = {one["lang"] for one in manifest_json("http://table")["languages"]}
    spoken = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "web" / "words").glob("*.json")}
    assert listed == set(spoken)
    code = zipfile.ZipFile(io.BytesIO(packed_module("http://table"))).read("tableside.js").decode()
    used = {*re.findall(r'say\("(\w+)"', code), *re.findall(r'"TABLESIDE\.(\w+)"', code)}
    named = set(re.findall(r': "(\w+)"', re.findall(r"const NAMES = .*", code)[0]))
    english = words("en")
    assert used | named == set(english)
    for language in listed:
        told = words(language)
        assert list(told) == list(english)
        for key, text in told.items():
            assert sorted(re.findall(r"{\w+}", text)) == sorted(re.findall(r"{\w+}", english[key])), (language, key)
        assert {name: told[name] for name in named} == {
            name: spoken[language].get("table", {}).get(english[name], english[name]) for name in named
        }


FOUNDRY: dict[str, list[str]] = {
    "boost": ["", "", "success", "success advantage", "advantage advantage", "advantage"],
    "setback": ["", "", "failure", "failure", "threat", "threat"],
    "ability": ["", "success", "success", "success success", "advantage", "advantage", "success advantage",
                "advantage advantage"],
    "difficulty": ["", "failure", "failure failure", "threat", "threat", "threat", "threat threat", "failure threat"],
    "proficiency": ["", "success", "success", "success success", "success success", "advantage", "success advantage",
                    "success advantage", "success advantage", "advantage advantage", "advantage advantage", "triumph"],
    "challenge": ["", "failure", "failure", "failure failure", "failure failure", "threat", "threat", "failure threat",
                  "failure threat", "threat threat", "threat threat", "despair"],
    "force": ["dark"] * 6 + ["dark dark", "light", "light", "light light", "light light", "light light"],
}  # fmt: skip
"""What each number of Foundry's dice counts, from 1 (system StarWarsFFG, ``CONFIG.FFG.*_RESULTS``)."""


@pytest.mark.parametrize("kind", FOUNDRY)
def test_each_face_has_a_number_that_counts_the_same_in_foundry(client: FlaskClient, table: Table, kind: str) -> None:
    faces = [tuple(face.split()) for face in FOUNDRY[kind]]
    rolled(table, *(Die(type=kind, face=face) for face in faces))
    values = [die["value"] for die in polled(client, 0)["rolls"][0]["roll"]["dice"]]
    assert [faces[value - 1] for value in values] == faces
    shown = [
        sorted(face) for dice_set in SYSTEM.sets for one in dice_set.types if one.name == kind for face in one.faces
    ]
    assert sorted(shown) == sorted(sorted(face) for face in faces)  # the two dice have the same faces


def test_a_taught_die_has_the_number_of_the_die_it_stands_for() -> None:
    narrative = SYSTEM.sets[0]
    boost = narrative.type("boost")
    mine = replace(boost, name="my-boost", plays_as="boost", faces=(*reversed(boost.faces),))
    sets = (*SYSTEM.sets, replace(narrative, name="mine", types=(mine,), taught=True))
    with closing(Table(System(sets=sets), MemoryStore())) as table:
        rolled(table, Die(type="my-boost", face=("success",)))
        app = create_app(
            Services(table=table, web_folder=paths.web_folder(), addresses=[addresses(table, origin=ORIGIN)])
        )
        roll = polled(app.test_client(), 0)["rolls"][0]["roll"]
    assert (roll["formula"], roll["dice"][0]["value"], roll["dice"][0]["type"]) == ("1db", 3, "my-boost")


def test_the_formula_has_foundrys_letters(client: FlaskClient, table: Table) -> None:
    rolled(table, *(Die(type=kind, face=tuple(faces[0].split())) for kind, faces in FOUNDRY.items()))
    roll = polled(client, 0)["rolls"][0]["roll"]
    assert roll["formula"] == "1db + 1ds + 1da + 1di + 1dp + 1dc + 1df"
    assert [die["shape"] for die in roll["dice"]] == ["d6", "d6", "d8", "d8", "d12", "d12", "d12"]


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
