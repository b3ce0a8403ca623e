"""What stands within a message is checked where the message is: wrong answers to every field of every game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from tableside import paths
from tableside.adapters.web import Services, create_app
from tableside.rules import find_game, game_names
from tableside.rules.people import Person
from tableside.table import MemoryStore, Table
from tableside.table.messages import SentPerson
from tests.conftest import SYSTEM

DICE = {
    "narrative": [("ability", ["success"])],
    "heroic": [("ability", ["success"])],
    "d6-companion": [("pip", ["5"])],
    "d6-wild": [("pip", ["2"]), ("wild", ["3"])],
}
ENDLESS = "4" * 4000
NO_ANSWERS = st.sampled_from(
    [json.dumps(one) for one in (1.25, -0.5, [[]], [{}], {"ability": []}, {"x": {"y": 1}}, "\x1b[0m", "a\nb", "\ud83d",
                                 ["\u2028"], {"\x00": 1}, "x" * 201, ["x"] * 201)]
    + ["NaN", "-Infinity", "1e400", '"\\udead"', '{"\\ud801": 1}', ENDLESS]
)  # fmt: skip
"""What answers no question of any game, as it stands in a body."""
ODD_ANSWERS = st.sampled_from(
    [None, True, False, -3, 7, 10**25, "", "mumbo", "9D+9", [], [3], ["mumbo"], {}, {"mumbo": 2}, {"ability": "two"}]
).map(json.dumps)
"""What answers some questions and not others."""


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    table = Table(SYSTEM, MemoryStore())
    yield table
    table.close()


@pytest.fixture(scope="module")
def client(table: Table) -> FlaskClient:
    return create_app(Services(table=table, web_folder=paths.web_folder())).test_client()


def ways(client: FlaskClient, game: str) -> list[tuple[str, str]]:
    """Return every address that takes answers, each with the body round them."""
    dice = [{"type": kind, "face": face} for kind, face in DICE[game]]
    roll = client.post("/api/rolls", json={"game": game, "dice": dice}).get_json()["id"]
    thrown = json.dumps(dice)
    within = [
        ("/api/ask", '"ask": {%s}'),
        ("/api/ask", '"ask": {%s}'),
        ("/api/odds", '"ask": {%s}'),
        ("/api/odds", '"damage_roll": {%s}'),
        ("/api/odds", '"resists": {%s}'),
        ("/api/game", '"settings": {%s}'),
        ("/api/rolls", f'"dice": {thrown}, "ask": {{%s}}'),
    ]
    people = ['"skills": [{"name": "s", "ask": {%s}}]', '"weapons": [{"name": "w", "damage": {%s}}]',
              '"weapons": [{"name": "w", "ask": {%s}}]', '"defences": {%s}']  # fmt: skip
    person = f'"do": "add", "person": {{"name": "n", "game": "{game}", %s}}'
    return [
        *((address, f'{{"game": "{game}", {body}}}') for address, body in within),
        (f"/api/rolls/{roll}/ask", '{"ask": {%s}}'),
        *(("/api/people", f"{{{person % body}}}") for body in people),
    ]


@pytest.mark.parametrize("game", game_names())
@pytest.mark.parametrize("is_none", [True, False])
def test_a_wrong_answer_to_any_question_of_any_game_is_refused_in_three_parts(
    client: FlaskClient, table: Table, often: Callable[[int], int], game: str, is_none: bool
) -> None:
    asked = ways(client, game)
    names = [field.name for field in find_game(game).form]

    @settings(max_examples=often(4), deadline=None, derandomize=True, database=None)
    @given(
        value=NO_ANSWERS if is_none else ODD_ANSWERS,
        chosen=st.lists(st.tuples(st.sampled_from(asked), st.sampled_from(names)), min_size=20, max_size=20),
    )
    def is_refused(value: str, chosen: list[tuple[tuple[str, str], str]]) -> None:
        for (address, body), name in chosen:
            answer = client.post(address, data=body.replace("%s", f'"{name}": {value}'))
            if is_none or answer.status_code >= 400:
                told = answer.get_json()["error"]
                assert answer.status_code in ((400,) if is_none else (400, 409)), (address, name, value, told)
                assert all(told[part] for part in ("what", "where", "hint")), (address, name, value, told)

    is_refused()
    assert table.is_alive
    assert not table.state.trouble


@pytest.mark.parametrize("game", game_names())
def test_every_choice_of_a_game_refuses_what_it_does_not_know(client: FlaskClient, game: str) -> None:
    """Also those that decide which other answers count, such as the purpose."""
    for field in find_game(game).form:
        for value in ("mumbo", ["mumbo"], {"mumbo": {}}, [[1]]):
            for address in ("/api/ask", "/api/odds"):
                answer = client.post(address, json={"game": game, "ask": {field.name: value}})
                assert answer.status_code == 400, (address, field.name, value, answer.get_json())


@pytest.mark.parametrize(
    ("path", "body", "what"),
    [
        ("/api/tables", {"name": "", "rows": [{"from": 1, "to": 2, "words": ""}, {"from": 3, "to": 4, "words": "\r"}]},
         "rows[1].words is no text of at most 200 letters"),
        ("/api/tables", {"name": "t", "rows": [{"from": 1, "words": "ok"}]}, "to is missing in rows[0]"),
        ("/api/people", {"do": "add", "person": {"name": "l" * 61}}, "person.name is no text of at most 60 letters"),
        ("/api/people", {"do": "add", "person": {"name": "Bo\u202e"}}, "person.name is no text of at most 60 letters"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "notes": "n" * 2001}},
         "person.notes is no text of at most 2000 letters"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "notes": "\x07"}},
         "person.notes is no text of at most 2000 letters"),
        ("/api/people",
         {"do": "add", "person": {"name": "Bo", "weapons": [{"name": "w"}, {"name": "v", "skill": "\t"}]}},
         "person.weapons[1].skill is no text of at most 60 letters"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "weapons": [{"name": "w"}] * 31}},
         "person.weapons is no list of at most 30 weapons"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "skills": [{"name": "s"}] * 61}},
         "person.skills is no list of at most 60 skills"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "skills": [{"nam": "s"}]}},
         "unknown key 'nam' in person.skills[0]"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "trackers": {"wounds": {"most": "no"}}}},
         "person.trackers.most is no whole number"),
        ("/api/people", {"do": "add", "person": {"name": "Bo", "kind": "crowd"}}, "person.kind is 'crowd'"),
        ("/api/ask", {"others": [{"who": "x", "skill": "\x00"}]}, "others[0].skill is no text of at most 200 letters"),
        ("/api/game", {"names": {"pool": "p", "light": "l", "dark": "\x85"}},
         "names.dark is no text of at most 200 letters"),
    ],
)  # fmt: skip
def test_what_is_nested_is_held_to_the_same_bounds(
    client: FlaskClient, path: str, body: dict[str, Any], what: str
) -> None:
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.get_json()["error"]["what"]) == (400, what)


def test_all_of_a_person_has_a_bound(client: FlaskClient) -> None:
    skills = [{"name": f"{n:060}"} for n in range(60)]
    person = {"name": "Ilva", "game": "narrative", "skills": skills, "notes": "n" * 2000}
    assert client.post("/api/people", json={"do": "add", "person": person}).status_code == 200
    ask = {"characteristic": 3, "skill": 2, "boost": 1, "advantage": 1, "damage": 4, "critical": 3}
    weapons = [{"name": one["name"], "skill": one["name"], "ask": ask} for one in skills[:30]]
    larger = person | {"name": "Ilva II", "weapons": weapons, "notes": "ü" * 2000}
    answer = client.post("/api/people", json={"do": "add", "person": larger})
    assert (answer.status_code, answer.get_json()["error"]["what"]) == (400, "this person is too large")
    added = next(one for one in client.get("/api/people").get_json() if one["name"] == "Ilva")
    grown = {"id": added["id"], "weapons": weapons, "notes": "ü" * 2000}
    assert client.post("/api/people", json={"do": "change", "person": grown}).status_code == 400
    assert client.post("/api/people", json={"do": "copy", "person": {"id": added["id"]}}).status_code == 200


def test_all_that_is_known_of_a_person_can_be_sent() -> None:
    made = {"device", "done", "used", "sheets"}  # by what happens at the table
    moved = {"begins", "ends"}  # changes of what is known
    assert set(SentPerson.__struct_fields__) - moved == set(Person.__struct_fields__) - made


@pytest.mark.parametrize("dice", ["d" + "9" * 190, "d99999", "w12345", "chess", "", "101D", "2X", "d\u0663"])
def test_a_table_of_the_groups_own_has_dice_that_there_are(client: FlaskClient, dice: str) -> None:
    sent = {"name": "Omens", "dice": dice, "rows": [{"from": 1, "to": 6, "words": "rain"}]}
    assert client.post("/api/tables", json=sent).status_code == 400


ODD_BODIES = (
    b"[]", b"{", b'{"id": NaN}', b"[" * 1000 + b"]" * 1000, b'{"a":' * 1000 + b"1" + b"}" * 1000, b'{"__class__": {}}',
    b'{"n": ' + b"9" * 5000 + b"}", '{"😀": [[[]]]}'.encode(), b'{"' + b"x" * 10_000 + b'": -1}', b"\xff\xfe\x00",
)  # fmt: skip


def test_no_body_is_too_odd_for_an_answer_in_three_parts_from_any_address(client: FlaskClient, table: Table) -> None:
    before = table.state.last_number
    paths_of = client.get("/api/openapi.json").get_json()["paths"]
    reads_none = ("/api/unpair", "/api/devices/{device_id}/forget")  # whatever is sent along
    for path in (one for one, does in paths_of.items() if "post" in does and one not in reads_none):
        for body in ODD_BODIES:
            told = client.post(path.replace("{", "").replace("}", ""), data=body, content_type="application/json")
            assert 400 <= told.status_code < 500, (path, body[:40], told.status_code)
            assert all(told.get_json()["error"][part] for part in ("what", "where", "hint")), (
                path,
                body[:40],
                told.text,
            )
    assert table.state.last_number == before
