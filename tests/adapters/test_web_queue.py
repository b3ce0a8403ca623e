"""Answers that cost much: worked out once, one at a time, and not for more strangers than may wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from flask import Flask

from tableside import paths
from tableside.adapters.web import Pairing, Services, create_app
from tableside.adapters.web.pairing import Role
from tableside.adapters.web.queue import Queue
from tableside.rules.people import Person, Skill
from tableside.table import MemoryStore, Table
from tableside.table.kept import Change, Part
from tests.adapters.test_web_access import FAR, caller
from tests.conftest import SYSTEM
from tests.until import until

GET_SECONDS = 0.010
"""Of CPU, for people who do not change from one question to the next."""


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


def test_the_dice_of_people_are_worked_out_once(crowd: Table) -> None:
    client = create_app(Services(table=crowd, web_folder=paths.web_folder())).test_client()
    first = client.get("/api/people", environ_overrides=FAR).get_json()
    assert [len(one["dice"]) for one in first] == [200] * 10
    taken = []
    for _ in range(5):
        began = time.process_time()
        assert client.get("/api/people", environ_overrides=FAR).status_code == 200
        taken.append(time.process_time() - began)
    assert min(taken) < GET_SECONDS
    hurt = {"do": "change", "person": {"id": "p3", "notes": "limps", "skills": [{"name": "one", "ask": {"skill": 1}}]}}
    assert client.post("/api/people", json=hurt).status_code == 200
    changed = client.get("/api/people").get_json()[3]
    assert (changed["notes"], list(changed["dice"])) == ("limps", ["one"])


def test_people_from_an_old_history_that_are_over_the_bounds_can_still_be_changed(crowd: Table) -> None:
    client = create_app(Services(table=crowd, web_folder=paths.web_folder())).test_client()
    wound = {"do": "change", "person": {"id": "p1", "trackers": {"wounds": {"change": 2}}}}
    assert client.post("/api/people", json=wound).status_code == 200
    more = {"do": "change", "person": {"id": "p1", "notes": "n" * 1500}}
    assert client.post("/api/people", json=more).status_code == 400


def test_one_answer_is_worked_out_at_a_time_and_few_strangers_wait(
    app: Flask, pairing: Pairing, undo: ExitStack
) -> None:
    queue, go, at_work, most = Queue(most_strangers=3), threading.Event(), [], []

    @app.get("/api/slow")
    @queue.one_at_a_time
    def slow() -> str:
        at_work.append(1)
        most.append(len(at_work))
        go.wait(10)
        at_work.pop()
        return "done"

    found: list[int] = []
    stranger, player = app.test_client(), caller(app.test_client(), **FAR)
    assert player("/api/pair", {"pin": pairing.begin(Role.PLAYER).pin})[0] == 200

    def ask() -> None:
        found.append(app.test_client().get("/api/slow", environ_overrides=FAR).status_code)

    waiting = [threading.Thread(target=ask) for _ in range(3)]
    undo.callback(lambda: [one.join() for one in waiting])
    undo.callback(go.set)
    for one in waiting:
        one.start()
    until(lambda: queue.strangers == 3)
    answer = stranger.get("/api/slow", environ_overrides=FAR)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert all(answer.get_json()["error"][part] for part in ("what", "where", "hint"))
    paired = threading.Thread(target=lambda: found.append(player("/api/slow")[0]))
    paired.start()
    go.set()
    for one in (*waiting, paired):
        one.join()
    assert found == [200] * 4
    assert max(most) == 1
    assert stranger.get("/api/slow", environ_overrides=FAR).status_code == 200
