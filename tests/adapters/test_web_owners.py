"""Whose a change is: the device's that made it, whatever that is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask import Flask

from tableside import paths
from tableside.adapters.web import Services, create_app
from tableside.adapters.web.pairing import Pairing, Role
from tableside.table import MemoryStore, Table
from tableside.table.messages import ChangeDestiny, Do
from tests.adapters.test_web_access import FAR, Call, caller
from tests.conftest import SYSTEM


@pytest.fixture
def table(table: Table) -> Table:
    table.ask(ChangeDestiny(id="start", at=1.0, do=Do.SET, light=5, dark=5))
    return table


@pytest.fixture
def screen(app: Flask) -> Call:
    return caller(app.test_client())


@pytest.fixture
def player(app: Flask, pairing: Pairing) -> Call:
    call = caller(app.test_client(), **FAR)
    assert call("/api/pair", {"pin": pairing.begin(Role.PLAYER).pin, "name": "Vex"})[0] == 200
    return call


def test_a_player_takes_back_only_what_it_did(screen: Call, player: Call) -> None:
    assert player("/api/destiny", {"do": "spend", "side": "light", "by": "somebody else"})[0] == 200
    number = screen("/api/state")[1]["last_change"]["number"]
    assert screen("/api/state")[1]["last_change"]["by"] == "Vex"
    screen("/api/destiny", {"do": "add", "side": "dark"})
    assert player("/api/undo", {"change": number + 1})[0] == 403
    told = {call: call("/api/state")[1]["undo"]["number"] for call in (screen, player)}
    assert told == {screen: number + 1, player: number}  # each is told what its own undo takes back
    answer = player("/api/undo", {})[1]
    assert (answer["destiny"], answer["undo"]) == ({"light": 5, "dark": 6}, None)


def test_what_goes_with_a_change_is_told_before_it_is_taken_back_and_nothing_that_is_hidden(
    screen: Call, player: Call, app: Flask, pairing: Pairing
) -> None:
    master = caller(app.test_client(), **FAR)
    assert master("/api/pair", {"pin": pairing.begin(Role.GM).pin, "name": "Mara"})[0] == 200
    person = {"name": "Thug", "game": "narrative", "skills": [{"name": "Cool", "ask": {"characteristic": 2}}]}
    assert player("/api/people", {"do": "add", "person": person})[0] == 200
    state = screen("/api/state")[1]
    number, thug = state["last_change"]["number"], state["people"][0]["id"]
    for is_hidden in (False, True):
        body = {"who": thug, "skill": "Cool", "label": "Secret" if is_hidden else "Calm", "hidden": is_hidden}
        assert master("/api/ask", body)[0] == 200
    address = f"/api/undo?change={number}"
    assert [one["words"] for one in master(address)[1]["left_out"]] == [
        "the call of Thug (Calm)", "the call of Thug (Secret)"
    ]  # fmt: skip
    told = player(address)[1]
    assert (told["change"], told["left_out"][1]["words"]) == (number, "something hidden")
    assert screen("/api/state")[1]["last_change"]["number"] < number + 3  # nothing was done by asking
    assert player(f"/api/undo?change={number - 1}")[0] == 403
    status, state = player("/api/undo", {"change": number})
    assert (status, [one["words"] for one in state["left_out"]]) == (200, [one["words"] for one in told["left_out"]])
    assert state["people"] == []
    assert "Secret" not in json.dumps([screen("/api/history")[1], state])
    assert screen(f"/api/undo?change={number}")[0] == 409


def test_a_phone_that_gave_no_name_gets_one_and_takes_back_only_its_own(
    screen: Call, app: Flask, pairing: Pairing
) -> None:
    phone, other = caller(app.test_client(), **FAR), caller(app.test_client(), **FAR)
    pin = pairing.begin(Role.PLAYER).pin
    assert phone("/api/pair", {"pin": pin})[1]["name"] == "Player"
    assert other("/api/pair", {"pin": pin, "name": "  "})[1]["name"] == "Player 2"
    screen("/api/destiny", {"do": "add", "side": "dark"})
    assert phone("/api/undo", {})[0] == 409
    number = screen("/api/state")[1]["last_change"]["number"]
    assert phone("/api/undo", {"change": number})[0] == 403
    assert phone("/api/destiny", {"do": "spend", "side": "light"})[1]["destiny"] == {"light": 4, "dark": 7}
    assert other("/api/undo", {})[0] == 409
    assert phone("/api/undo", {})[1]["destiny"] == {"light": 5, "dark": 6}


def test_phones_of_one_name_are_told_apart_and_share_no_rights(app: Flask, pairing: Pairing, screen: Call) -> None:
    first, second = caller(app.test_client(), **FAR), caller(app.test_client(), **FAR)
    pin = pairing.begin(Role.PLAYER).pin
    names = [
        call("/api/pair", {"pin": pin, "name": name})[1]["name"] for call, name in ((first, "Vex"), (second, "vex"))
    ]
    assert names == ["Vex", "vex 2"]
    first("/api/destiny", {"do": "spend", "side": "light"})
    _, told = first("/api/players", {"name": "Vex"})
    player = told["players"][0]["id"]
    assert second("/api/undo", {})[0] == 409
    assert second("/api/players", {"player": player, "name": "Jax"})[0] == 403
    assert first("/api/players", {"player": player, "name": "Vexa"})[0] == 200
    assert screen("/api/state")[1]["players"] == [{"id": player, "name": "Vexa"}]


@pytest.mark.parametrize(
    ("first", "second"), [("\u00c4nn", "A\u0308nn"), ("Vex", "\uff36ex"), ("STRASSE", "Stra\u00dfe")]
)
def test_names_that_look_alike_are_one_name(first: str, second: str) -> None:
    pairing = Pairing()
    pin = pairing.begin(Role.PLAYER).pin
    _, one = pairing.pair(pin, name=first, address="192.0.2.7")
    _, other = pairing.pair(pin, name=second, address="192.0.2.8")
    assert (one.name, other.name) == (first, f"{second} 2")


def test_a_phone_signs_with_its_own_name(player: Call) -> None:
    roll = {"dice": [{"type": "ability", "face": ["success"]}], "by": "somebody else"}
    assert player("/api/rolls", roll)[1]["by"] == "Vex"


def test_a_phone_that_is_paired_again_keeps_what_it_did(player: Call, pairing: Pairing) -> None:
    player("/api/destiny", {"do": "spend", "side": "light"})
    assert player("/api/pair", {"pin": pairing.begin(Role.PLAYER).pin, "name": "Vex"})[1]["name"] == "Vex"
    assert [device.name for device in pairing.devices()] == ["Vex"]
    assert player("/api/undo", {})[1]["destiny"] == {"light": 5, "dark": 5}


def test_a_stranger_at_an_open_table_takes_back_only_its_own(table: Table) -> None:
    app = create_app(Services(table=table, web_folder=paths.web_folder(), is_open=True))
    one, other = caller(app.test_client(), **FAR), caller(app.test_client(), REMOTE_ADDR="192.0.2.8")
    caller(app.test_client())("/api/destiny", {"do": "add", "side": "dark"})
    one("/api/destiny", {"do": "spend", "side": "light", "by": "Vex"})
    assert other("/api/undo", {})[0] == 409
    assert one("/api/undo", {})[1]["destiny"] == {"light": 5, "dark": 6}
    assert one("/api/undo", {})[0] == 409


def test_devices_that_share_a_name_since_long_ago_get_names_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "devices.json"
    told = [{"id": f"{n}", "name": name, "role": "player", "mark": f"m{n}", "at": n} for n, name in
            enumerate(["Vex", "", "Vex"])]  # fmt: skip
    file.write_text(json.dumps(told))
    assert [device.name for device in Pairing(file).devices()] == ["Vex", "Player", "Vex 2"]


FOE = {"name": "Kethri", "kind": "person", "game": "narrative", "notes": "sells them out", "defences": {"adversary": 2}}


@pytest.fixture
def master(app: Flask, pairing: Pairing) -> Call:
    call = caller(app.test_client(), **FAR)
    assert call("/api/pair", {"pin": pairing.begin(Role.GM).pin, "name": "Mila"})[0] == 200
    return call


def test_what_the_game_master_wrote_of_others_is_told_to_the_game_master_alone(
    screen: Call, player: Call, master: Call, app: Flask
) -> None:
    hero = {
        "name": "Runa",
        "kind": "player",
        "game": "narrative",
        "notes": "afraid of water",
        "defences": {"setback": 1},
    }
    for person in (FOE, hero):
        assert master("/api/people", {"do": "add", "person": person})[0] == 200
    stranger = caller(app.test_client(), **FAR)
    for call in (stranger, player, screen, master, stranger):  # what one was told is not what the next one gets
        foe, shown = call("/api/people")[1]
        is_whole = call is master
        assert (foe["notes"], foe["defences"]) == ((FOE["notes"], FOE["defences"]) if is_whole else ("", {}))
        assert (shown["notes"], shown["defences"]) == (hero["notes"], hero["defences"])
        assert "device" not in foe
    told = "".join(str(stranger(path)[1]) for path in ("/api/state", "/api/history", "/api/people"))
    assert FOE["notes"] not in told


def test_a_player_changes_and_takes_away_only_its_own(screen: Call, player: Call, master: Call, app: Flask,
                                                      pairing: Pairing) -> None:  # fmt: skip
    other = caller(app.test_client(), **FAR)
    other("/api/pair", {"pin": pairing.begin(Role.PLAYER).pin, "name": "Ilo"})
    for call, person in ((master, FOE), (player, {**FOE, "name": "Vex", "kind": "player"}),
                         (master, {**FOE, "name": "Free", "kind": "player"})):  # fmt: skip
        assert call("/api/people", {"do": "add", "person": person})[0] == 200
    foe, own, free = (one["id"] for one in screen("/api/state")[1]["people"])
    wound = {"trackers": {"wounds": {"change": 1}}}
    for who, person, does, wanted in (
        (player, foe, "change", 403), (player, foe, "copy", 403), (player, foe, "remove", 403),
        (other, own, "change", 403), (other, own, "remove", 403), (other, own, "copy", 403),
        (player, own, "change", 200), (player, free, "change", 200), (player, free, "remove", 403),
        (master, own, "change", 200), (screen, foe, "change", 200),
    ):  # fmt: skip
        sent = {"do": does, "person": {"id": person, **(wound if does == "change" else {})}}
        assert who("/api/people", sent)[0] == wanted, (person, does)
    # once a phone has taken the character that nobody had, it is that phone's own, and no other's
    assert other("/api/me", {"person": free})[0] == 200
    assert player("/api/people", {"do": "change", "person": {"id": free, **wound}})[0] == 403
    assert [one["own"] for one in other("/api/people")[1]] == [False, False, True]
    assert other("/api/people", {"do": "remove", "person": {"id": free}})[0] == 200
    # paired again it has the same rights, and after an undo the character is still its own
    assert player("/api/pair", {"pin": pairing.begin(Role.PLAYER).pin, "name": "Vex"})[0] == 200
    assert player("/api/people", {"do": "remove", "person": {"id": own}})[0] == 200
    assert player("/api/undo", {})[0] == 200
    assert other("/api/people", {"do": "remove", "person": {"id": own}})[0] == 403
    assert player("/api/people", {"do": "remove", "person": {"id": own}})[0] == 200


@pytest.mark.parametrize("kind", ["person", "group", "thing"])
def test_a_phone_belongs_to_players_characters_alone_and_to_none_that_another_brought(
    kind: str, player: Call, master: Call, app: Flask, pairing: Pairing
) -> None:
    other = caller(app.test_client(), **FAR)
    other("/api/pair", {"pin": pairing.begin(Role.PLAYER).pin, "name": "Ilo"})
    hero = {**FOE, "kind": "player"}
    for call, person in ((master, {**FOE, "kind": kind}), (player, {**hero, "name": "Vex"}), (master, hero)):
        assert call("/api/people", {"do": "add", "person": person})[0] == 200
    foe, brought, free = (one["id"] for one in master("/api/state")[1]["people"])

    def be(call: Call, who: str, **more: bool) -> tuple[int, str]:
        status = call("/api/me", {"person": who, **more})[0]
        return status, call("/api/me")[1]["person"]

    for takes_over in (False, True):
        assert be(other, foe, takes_over=takes_over) == (409, "")
        assert other("/api/people", {"do": "remove", "person": {"id": foe}})[0] == 403
    assert be(other, brought) == (409, "")
    assert [[one["phone"] for one in call("/api/people")[1]] for call in (player, other)] == [
        [False, False, False], [False, True, False],
    ]  # fmt: skip
    assert be(player, brought) == (200, brought)
    for _ in range(2):  # whoever takes it over may say so again
        assert be(other, brought, takes_over=True) == (200, brought)
        assert be(other, brought) == (200, brought)
    assert be(player, brought) == (409, "")
    assert be(other, free) == (200, free)
    wound = {"trackers": {"wounds": {"change": 1}}}
    assert other("/api/people", {"do": "change", "person": {"id": free, **wound}})[0] == 200
    assert master("/api/people", {"do": "change", "person": {"id": free, "kind": kind}})[0] == 200  # turned traitor
    assert other("/api/people", {"do": "change", "person": {"id": free, **wound}})[0] == 403
    assert [one["own"] for one in other("/api/people")[1]] == [False, False, False]


def test_whose_a_character_is_is_known_after_a_restart(table: Table, player: Call, pairing: Pairing) -> None:
    assert player("/api/people", {"do": "add", "person": {**FOE, "name": "Vex", "kind": "player"}})[0] == 200
    device = pairing.devices()[0].id
    again = Table(SYSTEM, MemoryStore(table.saved_since(0, limit=100)))
    again.close()
    assert [person.device for person in again.state.people] == [device]


def test_a_phone_that_is_paired_with_two_tables_of_one_host_is_known_to_both(table: Table) -> None:
    """Browsers keep cookies by the host's name alone, whatever the port."""
    kept: dict[str, str] = {}
    tables = [Pairing(), Pairing()]
    clients = [create_app(Services(table=table, web_folder=paths.web_folder(), pairing=one)).test_client()
               for one in tables]  # fmt: skip

    def call(number: int, path: str, body: dict[str, str] | None = None) -> dict[str, str]:
        client = clients[number]
        for name, value in kept.items():
            client.set_cookie(name, value)
        answer = client.open(path, method="GET" if body is None else "POST", json=body, environ_overrides=FAR)
        for one in answer.headers.getlist("Set-Cookie"):
            name, _, value = one.split(";")[0].partition("=")
            kept.pop(name, None)
            if value:
                kept[name] = value
            else:
                client.delete_cookie(name)
        told: dict[str, str] = answer.get_json()
        return told

    for number, name in ((0, "Ilo"), (1, "Vex"), (0, "Ilo"), (1, "Vex")):  # the second time they are paired again
        pin = tables[number].begin(Role.PLAYER).pin
        assert call(number, "/api/pair", {"pin": pin, "name": name})["name"] == name
    assert [call(number, "/api/me")["name"] for number in (0, 1)] == ["Ilo", "Vex"]
    assert [len(one.devices()) for one in tables] == [1, 1]
    call(0, "/api/unpair", {})
    assert [call(number, "/api/me")["role"] for number in (0, 1)] == ["viewer", "player"]
