"""Answers that cost much: worked out once, and one at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import pytest
from flask import Flask

from tableside import paths
from tableside.adapters.web import Services, create_app, people
from tableside.adapters.web.people import dice_of
from tableside.adapters.web.queue import one_at_a_time
from tableside.rules.people import Person, Skill
from tableside.table import MemoryStore, Table
from tableside.table.kept import Change, Part
from tests.adapters.test_web_access import FAR
from tests.conftest import SYSTEM
from tests.until import until


@pytest.fixture
def crowd() -> Iterator[Table]:
    """Ten people of an old history, which had no bounds yet: 200 skills each."""
    skills = tuple(Skill(name=f"s{n:050}", ask={"characteristic": 4, "skill": 3}) for n in range(200))
    people = {f"p{n}": Person(id=f"p{n}", name=f"P{n}", game="narrative", skills=skills) for n in range(10)}
    old = Change(number=1, id="old", at=1.0, by="", kind="people", sentence="They are here",
                 before=Part(people=dict.fromkeys(people)), after=Part(people=people))  # fmt: skip
    table = Table(SYSTEM, MemoryStore([old]))
    yield table
    table.close()


def test_the_dice_of_people_are_worked_out_once(crowd: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(person: Person, settings: Mapping[str, Any]) -> dict[str, dict[str, int]]:
        asked.append(person.id)
        return dice_of(person, settings)

    monkeypatch.setattr(people, "dice_of", counted)
    client = create_app(Services(table=crowd, web_folder=paths.web_folder())).test_client()
    first = client.get("/api/people", environ_overrides=FAR).get_json()
    assert [len(one["dice"]) for one in first] == [200] * 10
    assert client.get("/api/people", environ_overrides=FAR).status_code == 200
    assert sorted(asked) == [f"p{n}" for n in range(10)]
    hurt = {"do": "change", "person": {"id": "p3", "notes": "limps", "skills": [{"name": "one", "ask": {"skill": 1}}]}}
    assert client.post("/api/people", json=hurt).status_code == 200
    changed = client.get("/api/people").get_json()[3]
    assert (changed["notes"], list(changed["dice"])) == ("limps", ["one"])
    assert asked[10:] == ["p3"]


def test_people_from_an_old_history_that_are_over_the_bounds_can_still_be_changed(crowd: Table) -> None:
    client = create_app(Services(table=crowd, web_folder=paths.web_folder())).test_client()
    wound = {"do": "change", "person": {"id": "p1", "trackers": {"wounds": {"change": 2}}}}
    assert client.post("/api/people", json=wound).status_code == 200
    more = {"do": "change", "person": {"id": "p1", "notes": "n" * 1500}}
    assert client.post("/api/people", json=more).status_code == 400


def test_one_answer_is_worked_out_at_a_time(app: Flask, undo: ExitStack) -> None:
    go, at_work, most, found = threading.Event(), [], [], []

    @app.get("/api/slow")
    @one_at_a_time(threading.Lock())
    def slow() -> str:
        at_work.append(1)
        most.append(len(at_work))
        go.wait(10)
        at_work.pop()
        return "done"

    def ask() -> None:
        found.append(app.test_client().get("/api/slow").status_code)

    waiting = [threading.Thread(target=ask) for _ in range(4)]
    undo.callback(go.set)
    for one in waiting:
        one.start()
    until(lambda: at_work)
    go.set()
    for one in waiting:
        one.join()
    assert (found, max(most)) == ([200] * 4, 1)
