"""The hall: every table of a broker, offline ones too, and nothing of it trusted."""

from __future__ import annotations

import http.client
import json
import time
from contextlib import ExitStack, closing
from typing import Any

import pytest

from tableside import paths
from tableside.adapters.mqtt.broker import BrokerAddress
from tableside.adapters.mqtt.publisher import MqttTable, state_json
from tableside.adapters.mqtt.subscriber import MOST_BYTES, MOST_TABLES, Hall, table_of
from tableside.adapters.web import Services, WebServer, create_app
from tableside.dice import Die
from tableside.table import MemoryStore, Table
from tableside.table.kept import TableState
from tableside.table.messages import ChangeDestiny, Do, EnterRoll
from tests.conftest import SYSTEM
from tests.fakes.mosquitto import Listener, Mosquitto
from tests.until import until

ABILITY = Die(type="ability", face=("success",))


@pytest.fixture
def stranger(broker: Mosquitto, undo: ExitStack) -> Listener:
    """Somebody else on the broker, who may publish what he likes."""
    listener = Listener(broker.port, "nothing/at/all")
    undo.callback(listener.close)
    return listener


def hall_of(broker: Mosquitto, undo: ExitStack, **more: Any) -> Hall:
    hall = Hall(BrokerAddress(host="127.0.0.1", port=broker.port), own="Table 1", **more)
    undo.callback(hall.close)
    hall.touch()
    return hall


def joined(broker: Mosquitto, undo: ExitStack, name: str) -> tuple[Table, MqttTable]:
    table = Table(SYSTEM, MemoryStore())
    undo.callback(table.close)
    mqtt = MqttTable(BrokerAddress(host="127.0.0.1", port=broker.port), table, name=name)
    undo.callback(mqtt.close)
    table.add_display("mqtt display", mqtt)
    mqtt.start()
    return table, mqtt


def shown(hall: Hall) -> dict[str, dict[str, Any]]:
    hall.touch()
    return {table["id"]: table for table in hall.since(-1)}


def test_all_tables_are_there_with_what_they_show(broker: Mosquitto, undo: ExitStack) -> None:
    first, _ = joined(broker, undo, "Table 1")
    second, leaving = joined(broker, undo, "Table 2")
    first.ask(EnterRoll(id="a", at=time.time() - 100, dice=(ABILITY,), label="Stealth", by="Vex"))
    second.ask(ChangeDestiny(id="b", at=1.0, do=Do.SET, light=2, dark=3))
    hall = hall_of(broker, undo)
    until(lambda: len(shown(hall)) == 2 and shown(hall)["table-1"]["result"])
    found = shown(hall)
    assert found["table-1"]["result"]["headline"] == "Success"
    assert found["table-1"]["result"]["label"] == "Stealth"
    assert found["table-1"]["result"]["dice"] == [{"type": "ability", "face": ["success"]}]
    assert 99 < found["table-1"]["age"] < 120
    assert all(table["online"] for table in found.values())
    until(lambda: shown(hall)["table-2"]["destiny"] == {"light": 2, "dark": 3})
    leaving.close()
    until(lambda: not shown(hall)["table-2"]["online"])
    assert shown(hall)["table-2"]["destiny"] == {"light": 2, "dark": 3}


def test_a_hidden_roll_shows_only_that_there_is_one(broker: Mosquitto, undo: ExitStack) -> None:
    heard = Listener(broker.port, "#", name="spy")
    undo.callback(heard.close)
    table, _ = joined(broker, undo, "Table 1")
    table.ask(EnterRoll(id="a", at=1.0, dice=(ABILITY,), label="Ambush", is_hidden=True))
    hall = hall_of(broker, undo)
    until(lambda: shown(hall).get("table-1", {}).get("hidden"))
    assert shown(hall)["table-1"]["result"] is None
    assert not any(b"Ambush" in one.payload for one in heard.heard)


def test_an_age_grows_while_the_broker_keeps_it(broker: Mosquitto, stranger: Listener, undo: ExitStack) -> None:
    table, mqtt = joined(broker, undo, "Table 1")
    table.ask(EnterRoll(id="a", at=time.time(), dice=(ABILITY,)))
    until(lambda: mqtt._shown.get("result"))
    kept = time.monotonic()
    until(lambda: time.monotonic() - kept > 2.2)
    hall = hall_of(broker, undo)
    until(lambda: shown(hall))
    assert shown(hall)["table-1"]["age"] >= 2  # though no clock of the table was asked


def test_a_table_that_is_taken_off_the_broker_is_gone(broker: Mosquitto, stranger: Listener, undo: ExitStack) -> None:
    hall = hall_of(broker, undo)
    stranger.publish("tableside/one/state", b'{"name": "One"}', retain=True)
    until(lambda: shown(hall))
    seen = hall.wait(after=-1, timeout=0)
    stranger.publish("tableside/one/state", b"", retain=True)
    until(lambda: hall.since(seen) == [{"id": "one", "gone": True}])
    assert hall.since(-1) == []


def test_the_number_of_tables_and_the_size_of_messages_are_bounded(
    broker: Mosquitto, stranger: Listener, undo: ExitStack
) -> None:
    hall = hall_of(broker, undo)
    first = b'{"name": "first"}'
    until(lambda: stranger.publish("tableside/t0/state", first) or shown(hall))  # it hears, which "up" does not say yet
    stranger.publish("tableside/huge/state", json.dumps({"name": "x" * MOST_BYTES}))
    stranger.publish("tableside/Not A Name/state", b'{"name": "x"}')
    stranger.publish("tableside/deep/er/state", b'{"name": "x"}')
    for number in range(1, MOST_TABLES + 20):
        stranger.publish(f"tableside/t{number}/state", b'{"name": "x"}')
    stranger.publish("tableside/t0/state", b'{"name": "last"}')
    until(lambda: shown(hall).get("t0", {}).get("name") == "last")
    assert len(shown(hall)) == MOST_TABLES
    assert not {"huge", "deep"} & shown(hall).keys()


def test_it_listens_only_while_somebody_looks(broker: Mosquitto, undo: ExitStack) -> None:
    hall = hall_of(broker, undo, when_idle=0.3)
    until(lambda: hall.link()["up"])
    until(lambda: not hall.link()["up"])
    joined(broker, undo, "Table 1")
    hall.touch()
    until(lambda: hall.since(-1))


def test_a_broker_that_goes_away_is_said_and_the_tables_stay(broker: Mosquitto, undo: ExitStack) -> None:
    joined(broker, undo, "Table 1")
    hall = hall_of(broker, undo)
    until(lambda: shown(hall))
    broker.stop()
    until(lambda: hall.link()["trouble"])
    assert not hall.link()["up"]
    assert shown(hall)
    broker.start()
    until(lambda: hall.link()["up"] and hall.link()["trouble"] is None)


@pytest.mark.parametrize(
    "payload",
    [b"", b"[]", b"null", b"[" * 16000, b"\xff", b'{"name": ' + b"9" * 5000 + b"}", b"{" * 100],
)  # fmt: skip
def test_what_is_no_state_is_none(payload: bytes) -> None:
    assert table_of(payload) is None


HOSTILE_DICE = [
    {"type": "a\u202e", "face": []}, {"type": "ability", "face": [3]}, 7, {"type": "ability", "face": ["x"] * 9},
    {"type": "x" * 41, "face": []},
]  # fmt: skip


def test_a_hostile_state_is_cut_to_what_is_known() -> None:
    hostile = {
        "name": "<script>" + "x" * 100, "phase": "\u202eevil", "destiny": {"light": 1e99, "dark": -5},
        "destiny_names": ["a"], "result": {"age": "old", "headline": 7, "net": {"success": float("nan"), "A B": 1},
        "succeeded": "yes", "sentence": "a\u0000\u202eb\ud800", "outcome": "<b>", "dice": HOSTILE_DICE * 20,
        "words": {"dice": 1, "sentence": {"key": "x" * 1000, "values": [[[[[[[[[[1]]]]]]]]]], "a": 1.5}}},
        "recent": [1, {"net": 3}] * 50, "trouble": "none",
        "extra": "x" * 1000, "hidden": 1,
    }  # fmt: skip
    told = table_of(json.dumps(hostile).encode())
    assert len(told["name"]) == 40
    assert told["phase"] == ""
    assert told["destiny"] == {"light": 999, "dark": 0}
    assert told["result"]["net"] == {"success": 0}
    assert told["result"]["succeeded"] is None
    assert told["result"]["outcome"] == ""
    assert told["result"]["dice"] == [{"type": "ability", "face": ["x"] * 6}] * 8
    assert told["result"]["sentence"] == "a  b "
    assert told["result"]["words"].keys() == {"headline", "sentence"}
    assert told["result"]["words"]["sentence"]["key"] == "x" * 300
    assert len(told["recent"]) <= 5
    assert "extra" not in told
    assert told["hidden"] is False
    json.dumps(told).encode()


def test_the_state_of_a_full_table_is_small_and_understood() -> None:
    table = Table(SYSTEM, MemoryStore())
    try:
        for number in range(30):
            label = "Ein langer Anlass " * 5
            table.ask(EnterRoll(id=str(number), at=1.0, dice=(ABILITY,) * 60, label=label, by="Vex"))
        state: TableState = table.state
    finally:
        table.close()
    payload = json.dumps(state_json(state, name="Table 1", now=5.0)).encode()
    assert len(payload) < MOST_BYTES
    told = table_of(payload)
    assert told["result"]["headline"] == "Success"
    assert told["result"]["words"]["headline"] == {"key": "Success", "values": {}}
    assert len(told["recent"]) == 5


def test_the_stream_tells_all_then_what_changes(broker: Mosquitto, undo: ExitStack) -> None:
    first, _ = joined(broker, undo, "Table 1")
    joined(broker, undo, "Table 2")
    hall = hall_of(broker, undo)
    until(lambda: len(shown(hall)) == 2)
    server = served(first, hall, undo)
    connection = undo.enter_context(closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)))
    connection.request("GET", "/api/hall/events")
    answer = undo.enter_context(closing(connection.getresponse()))
    told = next_told(answer)
    assert told["all"]
    assert {table["id"] for table in told["tables"]} == {"table-1", "table-2"}
    first.ask(ChangeDestiny(id="c", at=1.0, do=Do.SET, light=7))
    while not told["tables"] or told["tables"][0]["destiny"]["light"] != 7:
        told = next_told(answer)
    assert [table["id"] for table in told["tables"]] == ["table-1"]
    assert not told["all"]


def test_without_a_broker_the_address_says_so(undo: ExitStack) -> None:
    table = Table(SYSTEM, MemoryStore())
    undo.callback(table.close)
    app = create_app(Services(table=table, web_folder=paths.web_folder()))
    client = app.test_client()
    assert client.get("/api/hall").get_json()["broker"] is False
    answer = client.get("/api/hall/events")
    assert answer.status_code == 404
    assert answer.get_json()["error"]["where"] == "[mqtt] host"
    with client.get("/hall/any") as page:
        assert page.status_code == 200


def served(table: Table, hall: Hall, undo: ExitStack) -> WebServer:
    app = create_app(Services(table=table, web_folder=paths.web_folder(), hall=hall))
    server = WebServer(app, host="127.0.0.1", port=0)
    undo.callback(server.close)
    server.start()
    return server


def next_told(answer: http.client.HTTPResponse) -> dict[str, Any]:
    while line := answer.readline():
        if line.startswith(b"data: "):
            told: dict[str, Any] = json.loads(line[6:])
            return told
    raise AssertionError("the stream ended")
