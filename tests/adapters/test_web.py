"""The API as the contract has it, and who may call it."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import shutil
import socket
import threading
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.web import Services, WebServer, create_app
from tableside.adapters.web.pages import Files
from tableside.dice import DieReading, Reading, Status, Suspect
from tableside.errors import PortInUse
from tableside.table import Table
from tableside.table.messages import NewRoll, ShowTrouble
from tests.conftest import SYSTEM


@pytest.fixture
def client(table: Table) -> FlaskClient:
    return create_app(Services(table=table, web_folder=paths.web_folder())).test_client()


def post(client: FlaskClient, path: str, body: Any, **more: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post(path, json=body, **more)
    return answer.status_code, answer.get_json()


def test_destiny_is_set_and_spent_once_an_id(client: FlaskClient) -> None:
    post(client, "/api/destiny", {"do": "set", "light": 2, "dark": 1})
    spend = {"id": str(uuid.uuid4()), "do": "spend", "side": "light"}
    assert post(client, "/api/destiny", spend)[1]["destiny"] == {"light": 1, "dark": 2}
    assert post(client, "/api/destiny", spend)[1]["destiny"] == {"light": 1, "dark": 2}


@pytest.mark.parametrize("game", ["d6-companion", "d6-wild"])
def test_spending_is_refused_where_a_spent_point_does_not_turn_over(client: FlaskClient, game: str) -> None:
    post(client, "/api/game", {"game": game})
    post(client, "/api/destiny", {"do": "set", "light": 2, "dark": 0})
    status, answer = post(client, "/api/destiny", {"do": "spend", "side": "light"})
    assert (status, answer["error"]["where"]) == (409, "Force Points")
    assert "does not turn over" in answer["error"]["what"]
    state = client.get("/api/state").get_json()
    assert (state["destiny"], state["destiny_flips"]) == ({"light": 2, "dark": 0}, False)
    games = {one["name"]: one["pool_flips"] for one in client.get("/api/games").get_json()}
    assert games == {"narrative": True, "heroic": True, "d6-companion": False, "d6-wild": False}


def test_a_dice_code_is_taken_as_people_write_it(client: FlaskClient) -> None:
    ask = {"game": "d6-companion", "ask": {"code": "4d6 + 2", "add": "1 D"}}
    status, state = post(client, "/api/ask", ask)
    assert (status, state["asked"]["tray"]["dice"]) == (200, {"pip": 5})
    status, answer = post(client, "/api/ask", {"game": "d6-companion", "ask": {"code": "4d8"}})
    assert (status, answer["error"]["what"]) == (400, "code is '4d8'")


def test_a_roll_is_entered_corrected_and_undone(client: FlaskClient) -> None:
    status, roll = post(client, "/api/rolls", {"dice": [{"type": "ability", "face": ["success"]}]})
    assert (status, roll["source"], roll["outcome"]) == (201, "manual", "success")
    address = f"/api/rolls/{roll['id']}/dice/0"
    status, corrected = post(client, address, {"type": "ability", "face": []})
    assert (status, corrected["outcome"]) == (200, "failure")
    assert corrected["dice"][0]["original"]["face"] == ["success"]
    assert post(client, "/api/undo", {})[1]["roll"]["outcome"] == "success"


def test_the_state_has_what_the_contract_names(client: FlaskClient) -> None:
    state = client.get("/api/state").get_json()
    assert {"revision", "phase", "destiny", "roll", "history", "trouble"} <= state.keys()


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/destiny", {"do": "steal"}, 400),
        ("/api/destiny", {"do": "spend", "side": "light"}, 409),
        ("/api/destiny", {"do": "set", "light": -1}, 400),
        ("/api/destiny", {"do": "set", "lihgt": 1}, 400),
        ("/api/destiny", {"do": "add", "side": "light", "id": "7"}, 400),
        ("/api/rolls", {"dice": []}, 400),
        ("/api/rolls", {"dice": [{"type": "abillity", "face": []}]}, 400),
        ("/api/rolls", {"dice": [{"type": "ability", "face": ["despair"]}]}, 400),
        ("/api/rolls/none/dice/0", {"type": "ability", "face": []}, 404),
        ("/api/rolls/none/dice/0", {"nothing": True}, 404),
        ("/api/rolls/none/dice/0", {}, 400),
        ("/api/rolls/none/dice/0", {"type": "ability"}, 400),
        ("/api/rolls/none/suspects/0", {"type": "ability", "face": []}, 404),
        ("/api/rolls/none/suspects/0", {"nothing": True, "type": "ability", "face": []}, 400),
        ("/api/rolls/none/suspects/0", {"nothing": "yes"}, 400),
        ("/api/undo", {"change": "first"}, 400),
        ("/api/panel/buttons/flip_light", {"pressed": True}, 404),
    ],
)
def test_what_cannot_be_is_answered_in_three_parts(client: FlaskClient, path: str, body: Any, status: int) -> None:
    got, answer = post(client, path, body)
    assert got == status
    assert answer["error"]["what"]
    assert answer["error"]["hint"]


HUGE = {"type": "ability", "face": [f"s{number}" for number in range(20_000)]}
LONG = {"type": "ability", "face": ["s" * 20_000]}


@pytest.mark.parametrize("die", [HUGE, LONG], ids=["many", "long"])
def test_what_no_face_can_be_gets_in_by_no_address(client: FlaskClient, die: dict[str, Any]) -> None:
    _, roll = post(client, "/api/rolls", {"dice": [{"type": "ability", "face": []}], "game": "narrative"})
    at = f"/api/rolls/{roll['id']}"
    for path, body in (
        ("/api/rolls", {"dice": [die]}), (f"{at}/throws", {"dice": [die]}),
        (f"{at}/dice/0", die), (f"{at}/suspects/0", die),
    ):  # fmt: skip
        status, answer = post(client, path, body)
        assert (status, answer["error"]["what"][:10]) == (400, "a face has"), path


def test_what_is_no_die_is_taken_out(client: FlaskClient, table: Table) -> None:
    suspect = Suspect(center=(30.0, 40.0), outline=(), confidence=0.6)
    die = DieReading(type="ability", face=(), center=(80.0, 40.0), outline=(), confidence=0.6, status=Status.UNSURE)
    reading = Reading(width=100, height=100, dice=(die,), suspects=(suspect, suspect))
    table.ask(NewRoll(id="seen", at=1.0, reading=reading))
    told = post(client, "/api/rolls/seen/suspects/1", {"type": "boost", "face": ["success"]})[1]
    assert [die["type"] for die in told["dice"]] == ["ability", "boost"]
    assert post(client, "/api/rolls/seen/suspects/0", {"nothing": True})[1]["suspects"] == []
    status, rest = post(client, "/api/rolls/seen/dice/0", {"nothing": True, "version": 3})
    assert (status, rest["outcome"], rest["sure"], len(rest["dismissed"])) == (200, "success", True, 2)


def test_what_others_did_first_is_a_conflict(client: FlaskClient) -> None:
    roll = post(client, "/api/rolls", {"dice": [{"type": "ability", "face": ["success"]}]})[1]
    address, body = f"/api/rolls/{roll['id']}/dice/0", {"type": "ability", "face": [], "version": 1}
    assert post(client, address, body)[0] == 200
    assert post(client, address, body)[0] == 409
    assert post(client, "/api/destiny", {"do": "spend", "side": "light"})[0] == 409
    assert post(client, "/api/redo", {})[0] == 409
    assert post(client, "/api/undo", {"change": 77})[0] == 409


def test_the_same_id_makes_one_roll_of_two_posts(client: FlaskClient) -> None:
    body = {"id": str(uuid.uuid4()), "dice": [{"type": "ability", "face": ["success"]}]}
    assert [post(client, "/api/rolls", body)[1]["id"] for _ in range(2)] == [body["id"]] * 2
    assert len(client.get("/api/state").get_json()["history"]) == 1


def test_an_old_roll_is_still_told_with_what_it_may_buy(client: FlaskClient, table: Table) -> None:
    first = post(client, "/api/rolls", {"dice": [{"type": "proficiency", "face": ["triumph"]}]})[1]
    for _ in range(120):
        post(client, "/api/rolls", {"dice": [{"type": "ability", "face": []}]})
    assert table.state.find_roll(first["id"]) is None
    assert client.get(f"/api/rolls/{first['id']}").get_json()["net"]["triumph"] == 1
    assert client.get(f"/api/rolls/{first['id']}/spends").get_json()
    assert len(client.get("/api/state").get_json()["history"]) == 30
    page = client.get("/api/history?limit=50&before=60").get_json()
    assert [change["number"] for change in page["changes"]] == list(range(59, 9, -1))
    assert page["before"] == 10


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"\xff\xfe", b"null"])
def test_garbage_is_refused(client: FlaskClient, data: bytes) -> None:
    assert client.post("/api/rolls", data=data, content_type="application/json").status_code == 400


def test_a_body_of_a_megabyte_is_refused(client: FlaskClient) -> None:
    assert client.post("/api/rolls", data=b" " * 1_000_000, content_type="application/json").status_code == 413


def test_another_name_for_this_address_is_refused(client: FlaskClient) -> None:
    assert client.get("/api/state", headers={"Host": "evil.example"}).status_code == 403


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_sites_page_changes_nothing(client: FlaskClient, headers: dict[str, str]) -> None:
    assert post(client, "/api/destiny", {"do": "set", "light": 1}, headers=headers)[0] == 403


def test_the_parts_of_pages_have_another_address_once_one_of_them_changes(table: Table, tmp_path: Path) -> None:
    folder = tmp_path / "web"
    shutil.copytree(paths.web_folder(), folder)

    def version() -> str:
        return Files(folder).version

    first, known = version(), create_app(Services(table=table, web_folder=folder)).test_client()
    for one in ("theme.css", "draw/die.js", "words/de.json", "gm.html"):
        before = version()
        assert version() == before
        (folder / one).write_text((folder / one).read_text().replace("}", "} ", 1))
        assert version() != before
    with known.get(f"/v-{first}/theme.css") as old:
        assert old.headers["Cache-Control"].endswith("immutable")
    now = create_app(Services(table=table, web_folder=folder)).test_client()
    for path in (f"/v-{first}/theme.css", "/theme.css", f"/v-{first}/words/fr.json", "/words/fr.json", "/", "/player"):
        with now.get(path) as answer:  # a page of before that is still open finds what there is now
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache"), path
    for path in (f"/v-{version()}/words/xx.json", f"/v-{version()}/base.html", f"/v-{version()}/none.js"):
        with now.get(path) as answer:
            assert (answer.status_code, "immutable" in answer.headers["Cache-Control"]) == (404, False), path


@pytest.mark.parametrize(
    ("at", "begins"),
    [
        ("/", "/"),
        ("/gm", "/gm"),
        ("/player", "/player"),
        ("", "/player"),
        ("/hall/x", "/player"),
        ("//evil.example", "/player"),
    ],
)
def test_an_installed_page_begins_where_it_was_installed(client: FlaskClient, at: str, begins: str) -> None:
    answer = client.get("/manifest.json", query_string={"at": at})
    assert (answer.mimetype, answer.get_json()["start_url"]) == ("application/manifest+json", begins)
    for icon in answer.get_json()["icons"]:
        with client.get(icon["src"]) as drawn:
            assert (drawn.status_code, drawn.mimetype) == (200, "image/png")
    assert "manifest-src 'self'" in client.get("/").headers["Content-Security-Policy"]
    with client.get("/service-worker.js") as worker:  # from the root, so that it may answer for pages; asked for anew
        assert (worker.status_code, worker.headers["Cache-Control"]) == (200, "no-cache")


def test_a_page_names_the_scripts_that_it_cannot_begin_without_and_no_others() -> None:
    files = Files(paths.web_folder())
    for script in ("table", "player", "gm", "pair", "hall"):
        found = {*files.modules(script)}
        assert found == set(files.modules(script))
        assert {"strings.js", "vendor/lit-html/lit-html.js"} <= found
        assert not {f"{script}.js", "stream-worker.js", "again.js"} & found
        assert {Path(one).suffix for one in found} == {".js"}
    assert "phone/person.js" not in files.modules("table")  # it comes once somebody wants it
    assert "phone/person.js" in files.modules("gm")


@pytest.mark.parametrize(
    "address",
    ["/", "/gm", "/player", "/overlay", "/pair", "/setup", "/setup/dice", "/lookup", "/hall", "/hall/table-3"],
)
def test_every_page_has_its_head_and_is_sent_once(client: FlaskClient, address: str) -> None:
    page = client.get(address)
    text = page.get_data(as_text=True)
    assert text.startswith("<!doctype html>")
    named = re.findall(r'(?:href|src)="(/[\w./-]+\.(?:css|js|svg|woff2))"', text)
    (version,) = {one.partition("/")[0] for one in (name[1:] for name in named)}
    version = f"/{version}"
    assert {f"{version}/icon.svg", f"{version}/theme.css"} < set(named)
    assert len(named) == len(set(named))
    for one in named:
        with client.get(one) as part:
            assert part.status_code == 200, one
            assert part.headers["Cache-Control"] == "public, max-age=31536000, immutable", one
    assert client.get(address, headers={"If-None-Match": page.headers["ETag"]}).status_code == 304


def test_text_is_sent_packed_to_who_takes_it_so_and_once(client: FlaskClient) -> None:
    plain, takes = client.get("/words/de.json", buffered=True), {"Accept-Encoding": "gzip, deflate"}
    answer = client.get("/words/de.json", headers=takes, buffered=True)
    assert (answer.content_encoding, answer.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(answer.data) == plain.data
    assert answer.content_length == len(answer.data) < len(plain.data) / 2
    known = {**takes, "If-None-Match": answer.headers["ETag"]}
    assert client.get("/words/de.json", headers=known, buffered=True).status_code == 304
    with client.get("/vendor/fonts/saira-latin-wdth-normal.woff2", headers=takes) as face:
        assert face.content_encoding is None  # is packed by itself


def test_what_a_page_is_made_from_is_no_page(client: FlaskClient) -> None:
    assert [client.get(name).status_code for name in ("/base.html", "/gm.html", "/nothing.html")] == [404] * 3


def test_the_page_its_parts_and_the_symbols_are_served(client: FlaskClient) -> None:
    with client.get("/") as page, client.get("/symbols/narrative/success.svg") as drawing:
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        assert drawing.mimetype == "image/svg+xml"
    assert client.get("/symbols/narrative/../set.toml").status_code == 404
    assert {s["name"] for s in client.get("/api/sets").get_json()} == {s.name for s in SYSTEM.sets}
    assert client.get("/nowhere").status_code == 404


def test_health_names_what_is_wrong(client: FlaskClient, table: Table) -> None:
    assert client.get("/health").status_code == 200
    table.ask(ShowTrouble(at=1.0, part="camera", what="is not plugged in"))
    answer = client.get("/health")
    assert answer.status_code == 503
    assert "not plugged in" in answer.get_data(as_text=True)


@pytest.fixture
def app(table: Table) -> Flask:
    return create_app(Services(table=table, web_folder=paths.web_folder(), most_streams=2))


@contextmanager
def stream(server: WebServer) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/api/events")
    with closing(connection), connection.getresponse() as answer:
        yield answer


def next_state(answer: http.client.HTTPResponse) -> tuple[str, dict[str, Any]]:
    event_id = ""
    while True:
        line = answer.readline().decode().strip()
        if line.startswith("id: "):
            event_id = line[4:]
        if line.startswith("data: ") and event_id:
            return event_id, json.loads(line[6:])


def test_a_stream_begins_with_the_state_and_goes_on_with_changes(served: WebServer, table: Table) -> None:
    with stream(served) as answer:
        event_id, state = next_state(answer)
        assert event_id == str(state["revision"])
        with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)) as other:
            other.request("POST", "/api/destiny", json.dumps({"do": "set", "light": 4}))
            assert other.getresponse().status == 200
        assert next_state(answer)[1]["destiny"]["light"] == 4


def test_too_many_displays_are_told_to_come_back(served: WebServer) -> None:
    with stream(served) as first, stream(served) as second:
        next_state(first)
        next_state(second)
        with stream(served) as third:
            assert (third.status, third.headers["Retry-After"]) == (503, "5")


def test_thirty_open_streams_end_with_the_server_and_leave_no_thread(table: Table, undo: ExitStack) -> None:
    before = set(threading.enumerate())
    app = create_app(Services(table=table, web_folder=paths.web_folder()))
    server = WebServer(app, host="127.0.0.1", port=0)
    undo.callback(server.close)
    server.start()
    answers = [undo.enter_context(stream(server)) for _ in range(30)]
    for answer in answers:
        next_state(answer)
    server.close()
    for answer in answers:
        with suppress(http.client.IncompleteRead, ConnectionError):
            answer.read()
    assert app.extensions["tableside_streams"].count == 0
    assert set(threading.enumerate()) - before == set()


def test_a_server_that_was_never_started_gives_its_port_back(app: Flask) -> None:
    server = WebServer(app, host="127.0.0.1", port=0)
    port = server.port
    server.close()
    WebServer(app, host="127.0.0.1", port=port).close()


def test_closing_twice_does_no_harm(served: WebServer) -> None:
    served.close()
    served.close()


def test_a_port_in_use_is_named(table: Table) -> None:
    app = create_app(Services(table=table, web_folder=paths.web_folder()))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortInUse, match=f"127.0.0.1:{port}: another program listens there"):
            WebServer(app, host="127.0.0.1", port=port)


class PlayedDemo:
    """A demo that writes down what it is told."""

    is_playing = True

    def __init__(self) -> None:
        self.told: list[str] = []

    def touch(self) -> None:
        self.told.append("touch")

    def throw(self) -> None:
        self.told.append("throw")


def test_a_demo_throws_when_it_is_asked_and_every_change_shows_that_somebody_is_there(table: Table) -> None:
    demo = PlayedDemo()
    client = create_app(Services(table=table, web_folder=paths.web_folder(), demo=demo)).test_client()
    assert client.get("/api/me").get_json()["demo"] is True
    assert client.get("/api/demo").get_json() == {"plays_itself": True}
    client.get("/api/state")
    assert demo.told == []
    assert post(client, "/api/destiny", {"do": "set", "light": 2, "dark": 1})[0] == 200
    assert demo.told == ["touch"]
    assert post(client, "/api/demo", {"do": "hold"}) == (200, {"do": "hold"})
    assert post(client, "/api/demo", {"do": "next"}) == (200, {"do": "next"})
    assert demo.told == ["touch", "touch", "touch", "throw"]
    assert post(client, "/api/demo", {"do": "stop"})[0] == 400


def test_a_real_table_is_no_demo(client: FlaskClient) -> None:
    assert client.get("/api/me").get_json()["demo"] is False
    assert client.get("/api/demo").get_json() == {"plays_itself": False}
    status, answer = post(client, "/api/demo", {"do": "next"})
    assert (status, answer["error"]["what"]) == (409, "this is no demo")


def test_a_roll_without_a_replay_says_so(client: FlaskClient) -> None:
    _, roll = post(client, "/api/rolls", {"dice": [{"type": "ability", "face": []}]})
    at = f"/api/rolls/{roll['id']}"
    assert client.get(at).get_json()["replay"] is None
    answer = client.get(f"{at}/replay")
    assert answer.status_code == 404
    assert answer.get_json()["error"] == {
        "what": "no replay is kept of that roll", "where": f"roll {roll['id']}",
        "hint": "Only the last rolls before the camera have one, and hidden ones have none.",
    }  # fmt: skip


def test_a_call_is_tried_out_before_it_is_made_and_skills_say_their_dice(client: FlaskClient) -> None:
    skills = [{"name": "Mechanics", "ask": {"characteristic": 2, "skill": 1}}]
    oskara = {"name": "Oskara", "game": "narrative", "skills": skills}
    assert post(client, "/api/people", {"do": "add", "person": oskara})[0] == 200
    person = client.get("/api/people").get_json()[0]
    assert person["dice"] == {"Mechanics": {"proficiency": 1, "ability": 1}}
    call = {"who": person["id"], "skill": "Mechanics", "ask": {"difficulty": "average"}}
    status, told = post(client, "/api/odds", call)
    assert status == 200
    assert told["dice"] == {"proficiency": 1, "ability": 1, "difficulty": 2}
    assert round(told["chances"][0]["chance"], 4) == 0.5020  # the rulebook's table: 1 A 1 P, 2 D
    assert client.get("/api/state").get_json()["asked"] is None
    assert post(client, "/api/odds", {**call, "skill": "Mechanik"})[0] == 400
