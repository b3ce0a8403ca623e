"""What is next, row by row: how the table comes there over its API, what it says then, and what does not move it."""

from __future__ import annotations

import uuid
from contextlib import closing
from typing import Any

import pytest

from tableside.table import MemoryStore, Table
from tableside.table.messages import ShowPhase
from tests.adapters.test_web_access import Call, Role, app, clock, paired, pairing  # noqa: F401
from tests.conftest import SYSTEM
from tests.nows import ROWS, Scene, title

OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("/api/players", {"name": "Ilun"}),
    ("/api/people", {"do": "add", "person": {"name": "Ilun", "kind": "player", "game": "narrative"}}),
    ("/api/people", {"do": "copy", "person": {"id": "@LAST"}}),
    ("/api/people", {"do": "remove", "person": {"id": "@LAST"}}),
    ("/api/tables", {"name": "Injuries", "dice": "d100", "rows": [{"from": 1, "to": 100, "words": "A scratch"}]}),
    ("/api/game", {"photographs": "asked"}),
    ("/api/game", {"names": {"pool": "Luck", "light": "Day", "dark": "Night"}}),
    ("/api/destiny", {"do": "add", "side": "light"}),
    ("/api/destiny", {"do": "remove", "side": "light"}),
]
OF_EACH: list[dict[str, Any]] = [
    {"name": "Another name"},
    {"notes": "A word"},
    {"colour": "moss"},
    {"trackers": {"wounds": {"change": 1}}},
    {"trackers": {"wounds": {"change": -1}}},
    {"states": [{"name": "Prone", "until": "scene"}]},
]


@pytest.fixture
def scene(table: Table, paired: Any) -> Scene:  # noqa: F811
    call: Call = paired(Role.GM, "Gim")
    return Scene(table, lambda path, body=None: call(path) if body is None else call(path, body))


def moved(now: dict[str, Any]) -> tuple[Any, ...]:
    return now["name"], now["whose"], now["act"] and now["act"]["key"], now["roll"], now["number"]


@pytest.mark.parametrize("row", ROWS, ids=title)
def test_the_table_says_each_row(scene: Scene, table: Table, store: MemoryStore, row: dict[str, Any]) -> None:
    now = scene.bring_to(row)
    act = now["act"] or {"key": "", "values": {}}
    assert (now["name"], now["whose"]) == (row["name"], scene.ids.get(row["whose"], row["whose"]))
    assert (act["key"], (now["then"] or {}).get("key", "")) == (row.get("act", ""), row.get("then", ""))
    assert [one["key"] for one in now["also"]] == row.get("also", [])
    assert scene.meant(row.get("values", {})).items() <= act["values"].items()
    assert now["roll"] == (table.state.rolls[0].id if row.get("about") else None)
    assert now["waiting"] == [scene.ids[name] for name in row.get("waiting", [])]
    if now["roll"]:
        assert scene.state["roll"]["closed_by"] is None
    before = table.state.now
    nothing_else_moves_it(scene, table)
    table.close()
    with closing(Table(SYSTEM, store)) as again:
        assert again.state.now.number >= before.number
        again.ask(ShowPhase(at=2.0, phase=table.state.phase))
        assert again.state.now.is_about == before.is_about


def nothing_else_moves_it(scene: Scene, table: Table) -> None:
    now = moved(scene.now)
    for path, body in OTHERS:
        if body.get("person") == {"id": "@LAST"}:
            body = body | {"person": {"id": table.state.people[-1].id}}
        scene.send(path, body)
        assert moved(scene.now) == now, body
    for person in table.state.people:
        for change in OF_EACH:
            if person.game == "narrative" or "trackers" not in change:
                scene.send("/api/people", {"do": "change", "person": {"id": person.id, **change}})
        assert moved(scene.now) == now, person
    for _ in range(6):
        scene.send("/api/undo", {})
    assert moved(scene.now) == now


def test_a_phone_sends_what_is_its_own_and_nothing_of_others(scene: Scene, table: Table, paired: Any) -> None:  # noqa: F811
    phones = {name: paired(Role.PLAYER, name) for name in ("Oskara", "Vex")}
    scene.bring_to(next(row for row in ROWS if row["name"] == "turn"))
    for name, phone in phones.items():
        assert phone("/api/me", {"person": scene.ids[name]})[0] == 200

    def sends(name: str, act: dict[str, Any]) -> int:
        status, _ = phones[name](act["request"]["path"], {**act["request"]["body"], "id": str(uuid.uuid4())})
        return int(status)

    scene.do("act")
    scene.do("throw hit")
    end, apply_ = scene.now["then"], scene.now["act"]
    beside = {**apply_["request"], "body": {**apply_["request"]["body"], "then": "next"}}
    assert [sends(name, end) for name in phones] == [403, 403]
    assert (sends("Vex", {"request": beside}), scene.now["name"]) == (403, "apply")
    assert (sends("Oskara", {"request": beside}), scene.now["name"]) == (200, "won")
    scene.send("/api/undo", {})
    scene.send("/api/undo", {})
    scene.do("throw few")
    assert (sends("Vex", scene.now["act"]), scene.now["name"]) == (403, "wrong")
    assert (sends("Oskara", scene.now["act"]), scene.now["name"]) == (200, "throw")
    scene.do("throw miss")
    assert (sends("Vex", scene.now["act"]), scene.now["name"]) == (403, "result")
    end = scene.now["act"]
    for _ in range(2):  # a second tap on it ends nobody else's turn, and is no fault
        assert (sends("Oskara", end), scene.now["whose"]) == (200, scene.ids["Troopers"])
    scene.do(["/api/ask", {"who": "@Vex", "weapon": "", "skill": "Mechanics", "ask": {"difficulty": "average"}}])
    scene.do("throw check")
    back = scene.now["act"]
    assert (sends("Oskara", back), sends("Vex", back), scene.now["name"]) == (403, 200, "turn")
    assert sends("Vex", {"request": {"path": "/api/now/pass", "body": {"name": "setup"}}}) == 403


def test_a_player_s_own_call_comes_first_and_the_master_s_is_in_place_of_the_open_one_or_waits(
    scene: Scene,
    table: Table,
    paired: Any,  # noqa: F811
) -> None:
    scene.bring_to(next(row for row in ROWS if row["name"] == "idle"))
    own, master = paired(Role.PLAYER, "Vex"), scene.call
    assert own("/api/me", {"person": scene.ids["Vex"]})[0] == 200

    def calls(phone: Any, who: str, **more: Any) -> list[str]:
        body = {"who": scene.ids[who], "skill": "Mechanics", "ask": {"difficulty": "easy"}, "id": str(uuid.uuid4())}
        assert phone("/api/ask", body | more)[0] == 200
        _, state = phone("/api/state")
        return [one["name"] for one in state["called"]]

    assert calls(master, "Oskara") == ["Oskara"]
    assert calls(own, "Vex") == ["Vex", "Oskara"]
    assert calls(master, "Vex", later=True, hidden=True) == ["Vex", "Oskara", "Vex"]
    assert [one["name"] for one in own("/api/state")[1]["called"]] == ["Vex", "Oskara"]  # nor who is called unseen
    for call in table.state.called[1:]:  # which only the game master takes off
        sent = {"name": "throw", "call": call.id, "id": str(uuid.uuid4())}
        assert [phone("/api/now/pass", sent)[0] for phone in (own, master)] == [403, 200]
    assert calls(master, "Oskara") == ["Oskara"]
