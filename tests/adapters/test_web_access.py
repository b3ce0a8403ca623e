"""Who may do what: pairing, roles, hidden rolls, other sites and machines that hand calls on."""

from __future__ import annotations

import http.client
import json
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tableside import paths
from tableside.adapters.camera.kind import CameraSettings
from tableside.adapters.web import Services, WebServer, create_app
from tableside.adapters.web.access import network_address
from tableside.adapters.web.pairing import PIN_SECONDS, Pairing, Role, qr_rows
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Reading, find_sets
from tableside.rules.people import Person
from tableside.table import MemoryStore, System, Table
from tableside.table.kept import Phase
from tableside.table.messages import ChangeDestiny, Do, NewRoll, ShowPhase
from tableside.tray.film import Film
from tests.fakes.clock import Clock
from tests.fakes.tray import DrawnReader

SETS = find_sets(["narrative", "pips"])
FILM = Film(sheet=b"a sheet", times=(0.0, 0.1), width_px=480, height_px=360)
FAR = {"REMOTE_ADDR": "192.0.2.7"}
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("/api/destiny", {"do": "spend", "side": "light"}),
    ("/api/destiny", {"do": "spend", "side": "dark"}),
    ("/api/destiny", {"do": "set", "light": 1}),
    ("/api/rolls", {"dice": [{"type": "ability", "face": []}]}),
    ("/api/rolls/x/throws", {"dice": [{"type": "ability", "face": []}]}),
    ("/api/rolls/x/dice/0", {"type": "ability", "face": []}),
    ("/api/rolls/x/dice/0/rule", {"rule": "away"}),
    ("/api/rolls/x/suspects/0", {"nothing": True}),
    ("/api/rolls/x/ask", {"ask": {}}),
    ("/api/rolls/x/take", {}),
    ("/api/rolls/x/spends", {"name": "recover_strain"}),
    ("/api/rolls/x/apply", {"effect": 0, "to": "x"}),
    ("/api/now/pass", {"name": "won"}),
    ("/api/acts", {"act": "round", "who": "x"}),
    ("/api/people", {"do": "add", "person": {"name": "Vex"}}),
    ("/api/tables", {"name": "Injuries"}),
    ("/api/undo", {}),
    ("/api/redo", {}),
    ("/api/session", {}),
    ("/api/session/end", {}),
    ("/api/players", {"name": "Vex"}),
    ("/api/ask", {"player": "Vex"}),
    ("/api/game", {"game": "heroic"}),
    ("/api/trackers", {"name": "maneuvers", "count": 1}),
    ("/api/initiative", {"do": "add", "rank": [1]}),
    ("/api/read", {}),
    ("/api/demo", {"do": "next"}),
    ("/api/lamps/test", {}),
    ("/api/panel/buttons/flip_light", {"pressed": True}),
    ("/api/odds", {"ask": {"dice": {"ability": 1}}}),
    ("/api/pairing", {}),
    ("/api/pairing/open", {}),
    ("/api/troubles/seen", {"trouble": "a1"}),
    ("/api/devices/all/forget", {}),  # at last: nobody is paired then
]
MASTERS = {
    "/api/now/pass",
    "/api/redo", "/api/session", "/api/session/end", "/api/game", "/api/lamps/test", "/api/tables", "/api/pairing",
    "/api/pairing/open",
    "/api/devices/all/forget", "/api/panel/buttons/flip_light", "/api/troubles/seen",
}  # fmt: skip


@pytest.fixture
def clock() -> Clock:
    return Clock(1000.0)


@pytest.fixture
def pairing(tmp_path: Path, clock: Clock) -> Pairing:
    return Pairing(tmp_path / "devices.json", clock=clock)


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(System(sets=SETS), MemoryStore())
    table.ask(ChangeDestiny(id="start", at=1.0, do=Do.SET, light=5, dark=5))
    yield table
    table.close()


@pytest.fixture
def app(table: Table, pairing: Pairing) -> Flask:
    address = "http://192.0.2.1:8000"
    return create_app(Services(table=table, web_folder=paths.web_folder(), pairing=pairing, address=lambda: address,
        picture=lambda _id: paths.web_folder() / "icon.svg", read_again=lambda: True, replay=lambda _id: FILM,
        tray=lambda: b"a picture",
    ))  # fmt: skip


Call = Callable[..., tuple[int, Any]]


def caller(client: FlaskClient, **environ: str) -> Call:
    def call(path: str, body: dict[str, Any] | None = None, **more: Any) -> tuple[int, Any]:
        if body is None:
            answer = client.get(path, environ_overrides=environ, **more)
        else:
            answer = client.post(path, json=body, environ_overrides=environ, **more)
        return answer.status_code, answer.get_json(silent=True)

    return call


@pytest.fixture
def screen(app: Flask) -> Call:
    return caller(app.test_client())


@pytest.fixture
def far(app: Flask) -> Call:
    return caller(app.test_client(), **FAR)


@pytest.fixture
def paired(app: Flask, pairing: Pairing) -> Callable[[Role, str], Call]:
    def pair(role: Role, name: str = "Vex") -> Call:
        call = caller(app.test_client(), **FAR)
        status, told = call("/api/pair", {"pin": pairing.begin(role).pin, "name": name})
        assert (status, told) == (200, {"role": role.value, "name": name})
        return call

    return pair


def test_an_unpaired_device_changes_nothing(far: Call, table: Table) -> None:
    before = table.state
    for path, body in CHANGES:
        status, told = far(path, body)
        assert (status, told["error"]["what"]) == (403, "only paired devices may change anything"), path
        assert table.state == before


def test_every_address_that_changes_is_in_that_list(app: Flask) -> None:
    import re

    posts = {rule.rule for rule in app.url_map.iter_rules() if rule.methods and "POST" in rule.methods}
    tried = {path for path, _ in CHANGES} | {"/api/pair", "/api/unpair", "/api/me"}
    for rule in posts:
        assert any(re.fullmatch(re.sub(r"<[^>]+>", r"[^/]+", rule), path) for path in tried), rule


@pytest.mark.parametrize("role", [Role.PLAYER, Role.GM])
def test_players_play_and_the_master_leads(paired: Callable[[Role, str], Call], role: Role) -> None:
    call = paired(role, "Vex")
    for path, body in CHANGES:
        is_masters = path in MASTERS or body.get("do") == "set" or body.get("side") == "dark"
        assert (call(path, body)[0] == 403) is (is_masters and role is Role.PLAYER), path


def test_an_open_table_lets_everybody_play(table: Table) -> None:
    app = create_app(Services(table=table, web_folder=paths.web_folder(), is_open=True))
    far = caller(app.test_client(), **FAR)
    assert far("/api/destiny", {"do": "spend", "side": "light"})[0] == 200
    assert far("/api/destiny", {"do": "set", "light": 1})[0] == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "192.0.2.9"}, {"Forwarded": "for=192.0.2.9"}, {"Via": "1.1 proxy"},
        {"X-Real-IP": "192.0.2.9"}, {"Host": "192.0.2.1:8000"},
    ],
)  # fmt: skip
def test_a_call_that_a_proxy_on_this_machine_hands_on_is_not_the_screens(app: Flask, headers: dict[str, str]) -> None:
    client = app.test_client()
    assert client.get("/api/me").get_json()["role"] == "screen"
    assert client.get("/api/me", headers=headers).get_json()["role"] == "viewer"


def test_the_server_itself_sees_that_a_call_was_handed_on(app: Flask) -> None:
    server = WebServer(app, host="127.0.0.1", port=0)
    server.start()
    try:
        roles = []
        for headers in ({}, {"X-Forwarded-For": "192.0.2.9"}, {"Forwarded": "for=192.0.2.9"}):
            with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
                connection.request("GET", "/api/me", headers=headers)
                roles.append(json.load(connection.getresponse())["role"])
    finally:
        server.close()
    assert roles == ["screen", "viewer", "viewer"]


def test_a_table_may_trust_no_screen(table: Table) -> None:
    app = create_app(Services(table=table, web_folder=paths.web_folder(), trusts_screen=False))
    assert app.test_client().get("/api/me").get_json()["role"] == "viewer"


def test_the_screen_shows_pin_and_code_and_nobody_else_sees_them(screen: Call, far: Call) -> None:
    assert screen("/api/pairing")[1]["pin"] is None
    _, offer = screen("/api/pairing", {"role": "player"})
    assert (len(offer["pin"]), offer["seconds"], offer["url"]) == (6, 120, "http://192.0.2.1:8000/pair")
    assert offer["qr"] == [*qr_rows(f"http://192.0.2.1:8000/pair#{offer['pin']}")]
    assert far("/api/pairing")[0] == 403
    assert offer["pin"] not in json.dumps([far("/api/state")[1], far("/api/me")[1]])


def test_the_cookie_is_for_this_server_alone_and_kept_as_a_hash(app: Flask, pairing: Pairing, tmp_path: Path) -> None:
    client = app.test_client()
    answer = client.post("/api/pair", json={"pin": pairing.begin(Role.PLAYER).pin}, environ_overrides=FAR)
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    token = cookie.split("=", 1)[1].split(";")[0]
    kept = tmp_path / "devices.json"
    assert token not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    again = Pairing(kept)
    device = again.device(token)
    assert device.role is Role.PLAYER


def test_a_pin_ends_by_time_and_for_masters_by_use(pairing: Pairing, far: Call, clock: Clock) -> None:
    def tried(pin: str) -> int:
        return far("/api/pair", {"pin": pin})[0]

    old = pairing.begin(Role.PLAYER).pin
    clock.now += PIN_SECONDS
    assert tried(old) == 403
    master = pairing.begin(Role.GM).pin
    assert (tried(master), tried(master)) == (200, 403)
    player = pairing.begin(Role.PLAYER).pin
    assert (tried(player), tried(player)) == (200, 200)


def other_than(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06d}"


def test_wrong_guesses_shut_out_who_guesses_and_nobody_else(pairing: Pairing, app: Flask, clock: Clock) -> None:
    def tried(address: str, pin: str) -> int:
        call = caller(app.test_client(), REMOTE_ADDR=address)
        return call("/api/pair", {"pin": pin}, headers={"X-Forwarded-For": "198.51.100.1"})[0]

    pin = pairing.begin(Role.PLAYER).pin
    home = [f"2001:db8:0:7::{place:x}" for place in range(7)]  # one network
    guessers = [*(f"192.0.2.{place}" for place in range(11)), "2001:db8:0:9::1"]
    for guesser in guessers:
        assert [tried(guesser, other_than(pin)) for _ in range(7)] == [403] * 5 + [429] * 2
        assert tried(guesser, pin) == 429  # also the right one: it was guessed
    assert [tried(one, other_than(pin)) for one in home] == [403] * 5 + [429] * 2
    assert tried("198.51.100.1", pin) == 200  # whom they all said to be
    assert [tried("192.0.2.99", one) for one in (*[other_than(pin)] * 4, pin, *[other_than(pin)] * 5)] == [
        *[403] * 4, 200, *[403] * 5,
    ]  # fmt: skip
    assert pairing.offer() is not None
    clock.now += 601
    assert tried(guessers[0], pairing.begin(Role.PLAYER).pin) == 200


def test_a_table_has_one_pin_however_many_screens_show_it(pairing: Pairing, screen: Call, far: Call) -> None:
    first = screen("/api/pairing", {"role": "any"})[1]
    assert (screen("/api/pairing", {"role": "any"})[1]["pin"], first["role"]) == (first["pin"], "any")
    player = screen("/api/pairing", {"role": "player"})[1]
    assert (player["pin"], player["role"]) == (first["pin"], "any")
    master = screen("/api/pairing", {"role": "gm"})[1]  # such as this browser's own
    assert master["pin"] != first["pin"]
    assert screen("/api/pairing?keep=1")[1]["pin"] == first["pin"]
    assert screen("/api/pairing?keep=1&role=gm")[1]["pin"] == master["pin"]
    assert far("/api/pair", {"pin": master["pin"]})[1]["role"] == "gm"
    assert screen("/api/pairing?role=gm")[1]["pin"] is None
    assert far("/api/pair", {"pin": first["pin"]})[0] == 200
    pairing.end()
    assert screen("/api/pairing")[1]["pin"] is None
    assert screen("/api/pairing", {"role": "any"})[1]["pin"] != first["pin"]


def test_who_says_by_a_head_to_be_somebody_else_is_believed_on_this_machine_alone(pairing: Pairing, app: Flask) -> None:
    def guesses(address: str) -> list[int]:
        call = caller(app.test_client(), REMOTE_ADDR=address)
        wrong = {"pin": other_than(pairing.begin(Role.PLAYER).pin)}
        heads = [{"X-Forwarded-For": f"203.0.113.{place}"} for place in range(7)]
        return [call("/api/pair", wrong, headers=head)[0] for head in heads]

    assert guesses("192.0.2.55") == [403] * 5 + [429] * 2
    assert guesses("127.0.0.1") == [403] * 7  # a proxy's word
    adds = {"do": "add", "person": {"name": "Vex"}}
    lying = caller(app.test_client(), REMOTE_ADDR="192.0.2.55")
    assert lying("/api/people", adds, headers={"X-Forwarded-For": "127.0.0.1"})[0] == 403


@pytest.mark.parametrize(
    ("site", "status"), [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)]
)
def test_a_page_of_a_neighbouring_site_changes_nothing(screen: Call, table: Table, site: str, status: int) -> None:
    """Of another name below the same domain, or of another port of this machine."""
    before = table.state.destiny.light
    for _ in range(2):
        body = {"do": "set", "light": 9}
        assert screen("/api/destiny", body, headers={"Sec-Fetch-Site": site})[0] == status
    assert table.state.destiny.light == (9 if status == 200 else before)
    assert screen("/api/state", headers={"Sec-Fetch-Site": site})[0] == 200


def test_a_second_game_master_comes_by_the_first_alone(
    screen: Call, paired: Callable[[Role, str], Call], pairing: Pairing
) -> None:
    assert screen("/api/pairing", {"role": "gm"})[0] == 200
    first = paired(Role.GM, "Gim")
    assert screen("/api/pairing", {"role": "gm"})[0] == 409
    assert first("/api/pairing", {"role": "gm"})[0] == 200
    assert screen("/api/devices/all/forget", {})[0] == 200
    assert screen("/api/pairing", {"role": "gm"})[0] == 200
    assert first("/api/me")[1]["role"] == "viewer"


def test_a_forgotten_device_is_a_stranger(paired: Callable[[Role, str], Call], far: Call) -> None:
    master, player = paired(Role.GM, "Gim"), paired(Role.PLAYER, "Vex")
    devices = master("/api/devices")[1]
    assert [(one["name"], one["role"]) for one in devices] == [("Gim", "gm"), ("Vex", "player")]
    assert player("/api/devices")[0] == 403
    assert master(f"/api/devices/{devices[1]['id']}/forget", {})[0] == 200
    assert player("/api/me")[1]["role"] == "viewer"
    assert master("/api/unpair", {})[0] == 200
    assert master("/api/me")[1]["role"] == "viewer"


def test_a_hidden_roll_leaves_the_server_for_the_game_master_alone(
    screen: Call, far: Call, paired: Callable[[Role, str], Call], app: Flask
) -> None:
    master, player = paired(Role.GM, "Gim"), paired(Role.PLAYER, "Vex")
    dice = [{"type": "challenge", "face": ["despair"]}, {"type": "ability", "face": ["success"]}]
    assert player("/api/rolls", {"dice": dice, "hidden": True})[0] == 403
    status, roll = master("/api/rolls", {"dice": dice, "hidden": True, "label": "Sabotage"})
    assert status == 201
    at = f"/api/rolls/{roll['id']}"
    for call in (screen, far, player):
        told = [
            call(path)
            for path in (
                "/api/state", "/api/history", "/api/fairness", "/api/luck", at, f"{at}/spends", f"{at}/picture",
                f"{at}/replay",
            )
        ]  # fmt: skip
        assert [status for status, _ in told] == [200, 200, 200, 200, 404, 404, 404, 404]
        text = json.dumps([body for _, body in told[:4]])
        assert "despair" not in text.replace('"despair": 0', "")
        assert "Sabotage" not in text
        assert roll["id"] not in text
        assert call(f"{at}/dice/0", {"type": "challenge", "face": []})[0] in (403, 404)
    assert player("/api/undo", {})[0] == 409  # nothing of its own stands
    assert master("/api/state")[1]["roll"]["net"]["despair"] == 1
    assert master(f"{at}/replay")[0] == 404  # none is kept, so none is for anybody
    assert master(at)[1]["replay"] is None
    assert master(f"{at}/ask", {"hidden": False})[0] == 200
    assert far("/api/state")[1]["roll"]["label"] == "Sabotage"


def test_on_its_own_machine_the_tables_screen_is_a_screen_though_its_browser_is_paired(
    app: Flask, pairing: Pairing
) -> None:
    browser = app.test_client()
    assert browser.post("/api/pair", json={"pin": pairing.begin(Role.GM).pin, "name": "Gim"}).status_code == 200
    assert browser.get("/api/me").get_json()["role"] == "gm"
    assert browser.get("/api/me?as=screen").get_json()["role"] == "screen"
    assert browser.get("/api/me?as=player").get_json()["role"] == "gm"
    assert browser.get("/api/me?as=screen", environ_overrides=FAR).get_json()["role"] == "gm"
    assert app.test_client().get("/api/me?as=screen", environ_overrides=FAR).get_json()["role"] == "viewer"


def test_a_replay_is_told_of_with_its_roll_and_served_to_all_that_see_it(screen: Call, far: Call, app: Flask) -> None:
    _, roll = screen("/api/rolls", {"dice": [{"type": "ability", "face": []}]})
    at = f"/api/rolls/{roll['id']}"
    told = far(at)[1]["replay"]
    assert told == {
        "sheet": f"{at}/replay?v=1", "times": [0.0, 0.1], "width": 480, "height": 360, "columns": 4
    }  # fmt: skip
    answer = app.test_client().get(told["sheet"], environ_overrides=FAR)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/jpeg", b"a sheet")
    status, body = far("/api/rolls/never/replay")
    assert (status, body["error"]["what"]) == (404, "no such roll")


def test_the_screens_undo_leaves_hidden_rolls_alone(screen: Call, paired: Callable[[Role, str], Call]) -> None:
    screen("/api/destiny", {"do": "add", "side": "light"})
    paired(Role.GM, "Gim")("/api/rolls", {"dice": [{"type": "ability", "face": []}], "hidden": True})
    assert screen("/api/undo", {})[1]["destiny"]["light"] == 5


@pytest.mark.parametrize(
    ("odds_for", "seen"), [("all", [True] * 3), ("gm", [True, False, False]), ("nobody", [False] * 3)]
)
def test_odds_are_shown_to_whom_the_ask_says(
    paired: Callable[[Role, str], Call], far: Call, odds_for: str, seen: list[bool]
) -> None:
    master, player = paired(Role.GM, "Gim"), paired(Role.PLAYER, "Vex")
    answers = {"characteristic": 3, "skill": 1, "difficulty": "average"}
    assert master("/api/ask", {"ask": answers, "game": "narrative", "odds_for": odds_for})[0] == 200
    told = [call("/api/odds")[1] for call in (master, player, far)]
    assert [one is not None for one in told] == seen
    if seen[0]:
        assert told[0]["chances"][0]["name"] == "success"
        assert sum(bar["chance"] for bar in told[0]["bars"]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("odds_for", "seen"), [("all", [True] * 3), ("gm", [True, False, False]), ("nobody", [False] * 3)]
)
def test_a_roll_tells_its_chance_to_whom_its_call_showed_it(
    paired: Callable[[Role, str], Call], far: Call, odds_for: str, seen: list[bool]
) -> None:
    master, player = paired(Role.GM, "Gim"), paired(Role.PLAYER, "Vex")
    answers = {"characteristic": 1, "difficulty": "simple"}  # one ability die: half of its faces have a success
    master("/api/ask", {"ask": answers, "game": "narrative", "odds_for": odds_for})
    roll = master("/api/rolls", {"dice": [{"type": "ability", "face": ["success"]}], "uses_ask": True})[1]
    told = [call(f"/api/rolls/{roll['id']}")[1]["chance"] for call in (master, player, far)]
    assert [one == 0.5 for one in told] == seen
    plain = master("/api/rolls", {"dice": [{"type": "ability", "face": ["success"]}]})[1]
    assert master(f"/api/rolls/{plain['id']}")[1]["chance"] is None  # nobody called for it


def test_the_tray_as_it_is_now_is_for_those_who_take_part(
    paired: Callable[[Role, str], Call], screen: Call, far: Call, table: Table
) -> None:
    master, player = paired(Role.GM, "Gim"), paired(Role.PLAYER, "Vex")

    def sees() -> list[int]:
        return [call("/api/tray/picture")[0] for call in (master, screen, player, far)]

    assert sees() == [200, 200, 200, 403]
    master("/api/ask", {"hidden": True})
    assert sees() == [200, 204, 204, 403]  # a hidden roll is about to fall
    master("/api/ask", {})
    assert sees()[1:3] == [200, 200]
    table.ask(ShowPhase(at=2.0, phase=Phase.STILL))
    reading = Reading(width=4, height=3, dice=())
    table.ask(NewRoll(id="r", at=2.0, reading=reading, has_picture=True))
    master("/api/rolls/r/ask", {"hidden": True})
    player(
        "/api/rolls", {"dice": [{"type": "ability", "face": []}]}
    )  # an open roll by hand changes nothing: it lies there
    assert sees()[1:3] == [204, 204]
    table.ask(ShowPhase(at=3.0, phase=Phase.EMPTY))
    assert sees()[1:3] == [200, 200]


def test_phones_find_the_table_by_its_address_on_the_network() -> None:
    assert network_address("127.0.0.1", 8000) is None
    assert network_address("192.0.2.1", 8000) == "http://192.0.2.1:8000"
    found = network_address("0.0.0.0", 8000)
    assert found.endswith(":8000")


def test_a_player_asks_for_light_points_alone(screen: Call, app: Flask) -> None:
    phone = caller(app.test_client(), **FAR)
    _, pin = screen("/api/pairing", {"role": "player"})
    assert phone("/api/pair", {"pin": pin["pin"], "name": "Vex"})[0] == 200
    skill = {"characteristic": 2}
    raised = {"ask": {**skill, "raising_the_stakes": 1}}
    dice = [{"type": "ability", "face": ["success"]}]
    status, roll = screen("/api/rolls", {"dice": dice, "ask": skill})
    assert status == 201
    for path, body in (
        ("/api/ask", raised),
        ("/api/ask", {"ask": raised["ask"]}),
        ("/api/ask", {"ask": {**skill, "of_master": True, "helping_hand": 1}}),
        ("/api/rolls", {"dice": dice, "ask": raised["ask"]}),
        (f"/api/rolls/{roll['id']}/ask", {"ask": {"raising_the_stakes": 1}}),
    ):
        assert phone(path, body)[0] == 403, path
    status, state = phone("/api/ask", {"ask": {**skill, "helping_hand": 1}})
    assert (status, state["destiny"]) == (200, {"light": 4, "dark": 6})
    assert screen("/api/ask", raised)[1]["destiny"] == {"light": 6, "dark": 4}
    both = {"ask": {**raised["ask"], "helping_hand": 1}}
    assert phone("/api/ask", both)[1]["destiny"] == {"light": 5, "dark": 5}  # the dark point is taken already


def add(master: Call, name: str) -> str:
    assert master("/api/people", {"do": "add", "person": {"name": name}})[0] == 200
    return str(next(one["id"] for one in master("/api/people")[1] if one["name"] == name))


def test_a_phone_belongs_to_a_card_until_another_takes_it_over(paired: Callable[[Role, str], Call], far: Call) -> None:
    master, first, second = paired(Role.GM, "Gim"), paired(Role.PLAYER, "a"), paired(Role.PLAYER, "b")
    sable, torv = add(master, "Sable"), add(master, "Torv")
    assert first("/api/me", {"person": sable})[1]["name"] == "Sable"
    assert second("/api/me", {"person": sable})[0] == 409
    assert second("/api/me", {"person": "nobody"})[0] == 409
    assert second("/api/me")[1]["person"] == ""
    assert [one["name"] for one in far("/api/people")[1] if one["phone"]] == ["Sable"]
    assert second("/api/me", {"person": sable, "takes_over": True})[1]["person"] == sable
    assert first("/api/me")[1]["person"] == ""
    assert first("/api/me", {"person": torv})[1]["person"] == torv
    assert first("/api/me", {"person": sable})[0] == 409  # refused, it keeps what it has
    assert first("/api/me")[1]["person"] == torv
    assert first("/api/me", {"person": ""})[1]["person"] == ""
    assert master("/api/me", {"person": torv})[0] == 403  # a game master is nobody's player
    assert master("/api/me", {"name": "  Mara "})[1]["name"] == "Mara"
    assert far("/api/me", {"person": torv})[0] == 403


def test_a_phones_card_outlives_a_restart_and_pairing_anew(tmp_path: Path, clock: Clock) -> None:
    pairing = Pairing(tmp_path / "devices.json", clock=clock)
    _, device = pairing.pair(pairing.begin(Role.PLAYER).pin, name="", address="x")
    device = pairing.give(device, Person(id="p7", name="Ilun"))
    again = Pairing(tmp_path / "devices.json", clock=clock)
    assert [(one.name, one.person) for one in again.devices()] == [("Ilun", "p7")]
    _, anew = again.pair(again.begin(Role.PLAYER).pin, name="Ilun", address="x", again=again.devices()[0])
    assert anew.person == "p7"


def test_an_open_pin_makes_one_game_master_and_lasts_while_it_is_shown(pairing: Pairing, clock: Clock) -> None:
    pin = pairing.begin(None).pin
    roles = [pairing.pair(pin, name="", address=f"{n}", role=Role.GM)[1].role for n in range(2)]
    assert roles == [Role.GM, Role.PLAYER]
    for _ in range(3):
        clock.now += 0.7 * PIN_SECONDS
        pairing.keep()
    assert pairing.pair(pin, name="", address="z")[1].role is Role.PLAYER
    clock.now += 1.1 * PIN_SECONDS
    pairing.keep()  # too late: nobody showed it
    assert pairing.offer() is None


def test_the_tables_screen_forgets_one_phone(paired: Callable[[Role, str], Call], screen: Call) -> None:
    first, second = paired(Role.PLAYER, "Vex"), paired(Role.PLAYER, "Mara")
    phones = screen("/api/pairing")[1]["phones"]
    assert [(one["name"], one["role"], one["person"]) for one in phones] == [
        ("Vex", "player", ""),
        ("Mara", "player", ""),
    ]
    assert screen(f"/api/devices/{phones[0]['id']}/forget", {})[0] == 200
    assert first("/api/me")[1]["role"] == "viewer"
    assert second("/api/me")[1]["role"] == "player"


def test_a_table_for_this_machine_lets_phones_in_at_once_and_after_a_restart(tmp_path: Path) -> None:
    """An open stream stays; a second call changes nothing."""
    settings = Settings(table=TableSettings(data=tmp_path), web=WebSettings(port=0, host="127.0.0.1"),
                        pins=PinSettings(factory="mock"), camera=CameraSettings(kind="none"))  # fmt: skip
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=None)
    running.start()
    try:
        port = int(running.address.rstrip("/").rpartition(":")[2])
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as kept:
            kept.request("GET", "/api/me")
            assert json.loads(kept.getresponse().read())["role"] == "screen"
            assert running.network_address is None
            for _ in range(2):
                kept.request("POST", "/api/pairing/open", "{}", {"Content-Type": "application/json"})
                assert json.loads(kept.getresponse().read())["reachable"]
        assert running.network_address
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as fresh:
            fresh.request("GET", "/api/me")
            assert fresh.getresponse().status == 200
    finally:
        running.close()
    again = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=None)
    try:
        assert again.network_address
    finally:
        again.close()


def test_the_log_says_what_the_caller_may_take_back_and_what_is_asked_about(
    screen: Call, paired: Callable[[Role, str], Call]
) -> None:
    master, player, other = paired(Role.GM, "Gim"), paired(Role.PLAYER, "Vex"), paired(Role.PLAYER, "Ann")
    assert player("/api/rolls", {"dice": [{"type": "ability", "face": ["success"]}]})[0] == 201
    assert master("/api/session", {})[0] == 200
    for call, allowed in (
        (master, [True, True]),
        (screen, [True, True]),
        (player, [False, True]),
        (other, [False] * 2),
    ):
        changes = call("/api/history?limit=2")[1]["changes"]
        assert [one["may_undo"] for one in changes] == allowed
        asked = [call(f"/api/undo?change={one['number']}") for one in changes]
        assert [status == 200 for status, _ in asked] == allowed
        assert [told["asks"] for status, told in asked if status == 200] == [True, False][-sum(allowed) :][
            : sum(allowed)
        ]
    assert master("/api/undo", {"change": changes[1]["number"]})[0] == 200
    assert [one["may_undo"] for one in master("/api/history?limit=3")[1]["changes"]] == [True, True, False]
