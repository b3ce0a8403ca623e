"""The API against its own description by schemathesis, and against hundreds of hostile requests."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings

from tableside import paths
from tableside.adapters.web import Pairing, Services, create_app
from tableside.adapters.web.openapi import openapi_document
from tableside.adapters.web.pairing import Role
from tableside.app.taught_sets import TaughtSets
from tableside.app.teach_page import TeachingTable
from tableside.dice import find_sets
from tableside.errors import CameraError
from tableside.table import MemoryStore, System, Table
from tableside.table.messages import ChangeDestiny, Do

SETS = find_sets(["narrative", "pips"])


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    table = Table(System(sets=SETS), MemoryStore())
    table.ask(ChangeDestiny(id="start", at=1.0, do=Do.SET, light=5, dark=5))
    yield table
    table.close()


@pytest.fixture(scope="module")
def pairing() -> Pairing:
    return Pairing()


class NoPicture:
    """A camera's set-up before its first picture."""

    def now(self) -> dict[str, Any]:
        return {"camera": "a camera", "meters": None, "found": None, "made": None, "moving": True}

    def picture(self) -> bytes | None:
        return None

    def adjust(self) -> None:
        """There is nothing to adjust."""

    def save(self, corners: object) -> dict[str, Any]:
        raise CameraError("gives no pictures", where="a camera", hint="Check its cable.")


@pytest.fixture(scope="module")
def app(table: Table, pairing: Pairing, tmp_path_factory: pytest.TempPathFactory) -> Flask:
    services = Services(
        table=table,
        web_folder=paths.web_folder(),
        pairing=pairing,
        most_streams=0,
        read_again=lambda: True,
        teaching=TeachingTable(TaughtSets(tmp_path_factory.mktemp("taught"))),
        setup=NoPicture,
    )
    return create_app(services)


@pytest.fixture(scope="module")
def described(app: Flask) -> Any:
    import schemathesis  # takes a second, which who runs other tests does not wait for

    return schemathesis.openapi.from_wsgi("/api/openapi.json", app)


DESCRIBED = openapi_document()["paths"]
PATHS = list(DESCRIBED)
OPERATIONS = [
    (path, method)
    for path, acts in DESCRIBED.items()
    for method in acts
    if path != "/api/events"  # it never ends; its own tests read it
]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_address_answers_as_it_is_described(described: Any, path: str, method: str) -> None:
    """The caller is the table's own screen, so that requests get past the guard."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    held = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    operation = described[path][method.upper()]

    @settings(max_examples=4, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def answers(case: Any) -> None:
        case.call_and_validate(checks=held, headers={"Accept-Encoding": "identity"})

    answers()


def hostile(chance: random.Random) -> tuple[str, str, dict[str, Any]]:
    """Return a method, an address and the rest of a request that nobody in their right mind sends."""
    path = chance.choice(PATHS)
    for name in ("id", "index", "name", "device_id", "sample", "die"):
        path = path.replace(f"{{{name}}}", chance.choice(["0", "-1", "%00", "..%2f..", "é", "9" * 40, "a" * 300]))
    if chance.random() < 0.2:
        path += "?" + "&".join(f"{name}={chance.choice(['-1', '1e9', '', '%ff', '9' * 30])}" for name in
                               ("before", "limit", "session"))  # fmt: skip
    method = chance.choice(["GET", "POST", "POST", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    headers = dict(chance.choices(
        [("Host", "evil.example"), ("Origin", "https://evil.example"), ("Origin", "http://["),
         ("Sec-Fetch-Site", "cross-site"), ("Cookie", "tableside=" + "x" * 500), ("Last-Event-ID", "-7"),
         ("X-Forwarded-For", "127.0.0.1"), ("Accept", "text/html")],
        k=chance.randrange(3),
    ))  # fmt: skip
    kind = chance.choice(["application/json", "application/json", "text/plain", "application/x-www-form-urlencoded"])
    return method, path, {"data": _body(chance), "content_type": kind, "headers": headers}


def _body(chance: random.Random) -> bytes:
    if chance.random() < 0.15:
        return chance.choice([b"", b"{", b"null", b"[" * 5000, b"\xff\xfe", b'{"id":1e999}', b'"\\ud800"'])
    words = "id do side count light dark dice ask answers game label name owner rank pin role version hidden face type"
    keys = f"{words} from_roll settings names on corners".split()
    body = {key: _value(chance, 0) for key in chance.sample(keys, chance.randrange(1, 7))}
    if "do" in body and chance.random() < 0.7:
        body["do"] = chance.choice(["spend", "add", "remove", "set", "next", "claim", "clear"])
    return json.dumps(body).encode()


def _value(chance: random.Random, depth: int) -> Any:
    if depth < 3 and chance.random() < 0.3:
        inner = [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
        return inner if chance.random() < 0.5 else {f"k{place}": one for place, one in enumerate(inner)}
    return chance.choice(
        [None, True, False, 0, -1, 10**30, 1.5, float("inf"), "", "light", "ability", "narrative", "\ud800", "\x00",
         "../../etc/passwd", "<script>", "".join(chance.choices(string.printable, k=chance.randrange(300)))]
    )  # fmt: skip


@pytest.mark.parametrize("is_paired", [False, True])
def test_hostile_requests_meet_no_failure_and_change_nothing_unpaired(
    app: Flask, table: Table, pairing: Pairing, is_paired: bool, often: Callable[[int], int]
) -> None:
    chance = random.Random(8 if is_paired else 7)
    client = app.test_client()
    far = {"REMOTE_ADDR": "192.0.2.66"}
    if is_paired:
        assert (
            client.post("/api/pair", json={"pin": pairing.begin(Role.GM).pin}, environ_overrides=far).status_code == 200
        )
    before = table.state
    for _ in range(often(300)):
        method, path, more = hostile(chance)
        answer = client.open(path, method=method, environ_overrides=far, **more)
        is_meant = answer.status_code == 503 and path.startswith("/api/events")
        assert answer.status_code < 500 or is_meant, (method, path, more, answer.get_data())
        answer.close()
    if not is_paired:
        assert table.state == before
    assert table.is_alive


@pytest.mark.parametrize("name", ["b" * 61, "b" * 5000, "%C3%A9" * 90, ".", "b%2Fc", "b%00"])
def test_a_name_that_no_file_may_have_is_refused(app: Flask, name: str) -> None:
    client = app.test_client()
    for path, body in (
        (f"/api/dice/sets/{name}", {"do": "remove"}), (f"/api/dice/sets/{name}/samples/{name}", {"do": "forget"}),
        (f"/api/dice/sets/bones/samples/{name}", {"do": "forget"}),
        ("/api/dice/draft", {"set": name[:200], "type": "d", "solid": "d6"}),
        ("/api/dice/draft", {"set": "bones", "type": name[:200], "solid": "d6"}),
    ):  # fmt: skip
        assert client.post(path, json=body).status_code in (400, 404, 405, 409), (path, body)
