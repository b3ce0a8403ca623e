"""A table on a real Mosquitto: announced, told in order, brought back by itself, and guarded."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
import uuid
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jinja2
import pytest

from tableside.adapters.mqtt.broker import BrokerAddress
from tableside.adapters.mqtt.discovery import discovery_json
from tableside.adapters.mqtt.publisher import MqttTable, spending_of, state_json, topic_name
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.dice import Die, DieReading, Reading, Status
from tableside.table import MemoryStore, Table
from tableside.table.kept import Side
from tableside.table.messages import ChangeDestiny, ChangeRoll, CorrectDie, Do, EnterRoll, NewRoll, ShowTrouble, Undo
from tests.conftest import ROOT, SYSTEM
from tests.fakes.certificate import certificate
from tests.fakes.mosquitto import Heard, Listener, Mosquitto, need_mosquitto
from tests.until import until

ABILITY = Die(type="ability", face=("success",))
BASE = "tableside/table-3"
CONFIG = "homeassistant/device/tableside_table_3/config"


def joined(table: Table, port: int, undo: ExitStack, *, wait: bool = True, **more: Any) -> MqttTable:
    """Put a table on the broker, as the settings do."""
    name = more.pop("name", "Table 3")
    address = BrokerAddress(host=more.pop("host", "127.0.0.1"), port=port, **more.pop("login", {}))
    mqtt = MqttTable(address, table, name=name, **more)
    table.add_display("mqtt display", mqtt)
    delivery = Delivery("mqtt events", mqtt, table, Outbox(None))
    undo.callback(delivery.close)
    mqtt.start()
    delivery.start()
    if wait:
        until(lambda: mqtt.is_up)
    return mqtt


def listening(broker: Mosquitto, undo: ExitStack, *topics: str, **more: str) -> Listener:
    listener = Listener(broker.port, *(topics or ("#",)), **more)
    undo.callback(listener.close)
    return listener


def tell(table: Table, kind: type[Any], **more: Any) -> str:
    message = kind(id=str(uuid.uuid4()), at=more.pop("at", time.time()), **more)
    table.ask(message)
    return str(message.id)


def bodies(heard: list[Heard], topic: str) -> list[dict[str, Any]]:
    return [json.loads(one.payload) for one in heard if one.topic == topic and one.payload]


def test_a_roll_its_correction_and_the_pool_arrive_in_order(broker: Mosquitto, table: Table, undo: ExitStack) -> None:
    heard = listening(broker, undo)
    joined(table, broker.port, undo)
    roll = tell(table, EnterRoll, dice=(ABILITY,), by="Vex", label="Stealth")
    tell(table, CorrectDie, roll_id=roll, index=0, type="ability", face=("success", "success"))
    tell(table, ChangeDestiny, do=Do.SET, light=2, dark=1)
    heard.wait_for(lambda all_: len(bodies(all_, f"{BASE}/event")) == 3)
    events = bodies(heard.heard, f"{BASE}/event")
    assert [event["event_type"] for event in events] == ["roll", "amendment", "destiny"]
    assert events[0]["roll"]["id"] == events[1]["roll"]["id"] == roll
    assert events[1]["roll"]["net"]["success"] == 2
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/state")[-1]["destiny"] == {"light": 2, "dark": 1})
    state = bodies(heard.heard, f"{BASE}/state")[-1]
    assert state["result"]["headline"] == "Success"
    assert state["result"]["label"] == "Stealth"


def test_who_comes_later_finds_the_state_and_no_old_event(broker: Mosquitto, table: Table, undo: ExitStack) -> None:
    joined(table, broker.port, undo)
    heard = listening(broker, undo, name="early")
    tell(table, EnterRoll, dice=(ABILITY,), label="Stealth")
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/event") != [])
    heard.wait_for(lambda all_: any(state["result"] for state in bodies(all_, f"{BASE}/state")))
    late = listening(broker, undo, name="late")
    late.wait_for(lambda all_: len({one.topic for one in all_}) == 3)
    assert {one.topic for one in late.heard} == {f"{BASE}/availability", f"{BASE}/state", CONFIG}
    assert bodies(late.heard, f"{BASE}/state")[0]["result"]["label"] == "Stealth"


def test_home_assistant_finds_one_device_whose_templates_work(broker: Mosquitto, table: Table, undo: ExitStack) -> None:
    heard = listening(broker, undo)
    tell(table, ChangeDestiny, do=Do.SET, light=3, dark=1)
    tell(table, EnterRoll, dice=(ABILITY,), label="Stealth")
    joined(table, broker.port, undo, commands=True)
    heard.wait_for(lambda all_: bodies(all_, CONFIG) != [] and bodies(all_, f"{BASE}/state") != [])
    found = bodies(heard.heard, CONFIG)[-1]
    assert found["dev"]["ids"] == ["tableside_table_3"]
    assert found["o"]["name"] == "tableside"
    assert found["o"].get("url") == found["dev"].get("cu")
    assert found["avty_t"] == f"{BASE}/availability"
    parts = found["cmps"]
    assert {key: part["p"] for key, part in parts.items()} == {
        "result": "sensor", "roll": "event", "light": "sensor", "dark": "sensor", "destiny": "light",
        "triumph": "binary_sensor", "despair": "binary_sensor", "doubt": "binary_sensor", "now": "sensor",
        "camera": "binary_sensor", "flip_light": "button", "flip_dark": "button",
    }  # fmt: skip
    assert len({part["uniq_id"] for part in parts.values()}) == len(parts)
    state = bodies(heard.heard, f"{BASE}/state")[-1]
    shown = {key: rendered(part["val_tpl"], state) for key, part in parts.items() if "val_tpl" in part}
    assert shown == {"result": "Success", "light": "3", "dark": "1", "triumph": "OFF", "despair": "OFF",
                     "doubt": "OFF", "now": "result", "camera": "OFF"}  # fmt: skip
    doubtful = {**state, "result": {**state["result"], "sure": False}}
    assert rendered(parts["result"]["val_tpl"], doubtful) == "Being asked"
    table.post(ShowTrouble(at=1.0, part="camera", what="is lost"))
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/state")[-1]["trouble"] != [])
    assert rendered(parts["camera"]["val_tpl"], bodies(heard.heard, f"{BASE}/state")[-1]) == "ON"
    assert json.loads(rendered(parts["result"]["json_attr_tpl"], state))["net"] == {"success": 1}


def test_the_pool_is_a_lamp_and_a_despair_lasts_until_it_is_taken_back(
    broker: Mosquitto, table: Table, undo: ExitStack
) -> None:
    heard = listening(broker, undo)
    joined(table, broker.port, undo)
    heard.wait_for(lambda all_: bodies(all_, CONFIG) != [])
    parts = bodies(heard.heard, CONFIG)[-1]["cmps"]

    def shows(key: str, wanted: str, template: str = "val_tpl") -> None:
        """Wait until the newest state gives an entity this."""
        heard.wait_for(
            lambda all_: [rendered(parts[key][template], one) for one in bodies(all_, f"{BASE}/state")][-1:] == [wanted]
        )

    tell(table, ChangeDestiny, do=Do.SET, light=1, dark=3)
    shows("destiny", "64", "bri_tpl")  # a quarter of 255
    shows("destiny", "on", "state_template")
    tell(table, ChangeDestiny, do=Do.SPEND, side=Side.LIGHT)
    shows("destiny", "off", "state_template")
    heard.publish(parts["destiny"]["cmd_t"], "on")  # a scene of the house: the pool stays as it is
    tell(table, EnterRoll, dice=(Die(type="challenge", face=("despair",)),))
    shows("despair", "ON")
    assert (table.state.destiny.light, table.state.destiny.dark) == (0, 4)
    tell(table, Undo)
    shows("despair", "OFF")
    tell(table, EnterRoll, dice=(Die(type="proficiency", face=("triumph",)),))
    shows("triumph", "ON")
    shows("despair", "OFF")


def test_what_is_in_doubt_has_no_mood_and_is_being_asked(table: Table) -> None:
    tell(table, NewRoll, reading=doubted("despair"))
    told = state_json(table.state, name="Table 3", now=1.0)
    parts = discovery_json(name="Table 3", slug="table-3", base="t", commands=False, url=None)["cmps"]
    assert told["result"]["net"]["despair"] == 1
    assert rendered(parts["despair"]["val_tpl"], told) == "OFF"
    assert rendered(parts["result"]["val_tpl"], told) == "Being asked"


def test_the_guides_automation_names_entities_that_there_are() -> None:
    page = (ROOT / "docs" / "mqtt.md").read_text(encoding="utf-8")
    parts = discovery_json(name="Table 3", slug="table-3", base="t", commands=True, url=None)["cmps"].values()
    known = {f"{part['p']}.table_3_{part['name'].lower().replace(' ', '_')}" for part in parts}
    named = set(re.findall(r"\b[a-z_]+\.table_3_\w+", page))
    assert len(named) >= 2
    assert named <= known


def doubted(symbol: str) -> Reading:
    """Return a die that may show this symbol."""
    box = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    die = DieReading(
        type="challenge", face=(symbol,), center=(5.0, 5.0), outline=box, confidence=0.6, status=Status.UNSURE
    )
    return Reading(width=320, height=240, dice=(die,))


def rendered(template: str, state: dict[str, Any], **more: Any) -> str:
    """Render as Home Assistant does: Jinja, with the message's JSON."""
    return jinja2.Template(template).render(value_json=state, **more)


def test_without_leave_for_commands_the_buttons_are_taken_away(
    broker: Mosquitto, table: Table, undo: ExitStack
) -> None:
    heard = listening(broker, undo)
    tell(table, ChangeDestiny, do=Do.SET, light=3, dark=1)
    joined(table, broker.port, undo)
    heard.wait_for(lambda all_: bodies(all_, CONFIG) != [])
    assert bodies(heard.heard, CONFIG)[-1]["cmps"]["flip_light"] == {"p": "button"}
    heard.publish(f"{BASE}/command", '{"do": "spend", "side": "light"}')
    tell(table, EnterRoll, dice=(ABILITY,))
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/event") != [])  # so the command had its time
    assert table.state.destiny.light == 3


def test_a_press_spends_a_point_once_and_what_is_no_command_nothing(
    broker: Mosquitto, table: Table, undo: ExitStack
) -> None:
    heard = listening(broker, undo)
    tell(table, ChangeDestiny, do=Do.SET, light=3, dark=1)
    heard.publish(f"{BASE}/command", '{"do": "spend", "side": "dark"}', retain=True)  # would come back for ever
    joined(table, broker.port, undo, commands=True)
    heard.wait_for(lambda all_: bodies(all_, CONFIG) != [])
    button = bodies(heard.heard, CONFIG)[-1]["cmps"]["flip_light"]

    class Now:
        def isoformat(self) -> str:
            return "2026-11-21T19:04:05.123456+00:00"

    press = rendered(button["cmd_tpl"], {}, now=Now)
    for payload in ("{", "[]", '{"do": "set", "light": 99}', '{"do": "spend", "side": "grey"}', press, press):
        heard.publish(button["cmd_t"], payload)
    heard.wait_for(lambda all_: any(state["destiny"]["light"] == 2 for state in bodies(all_, f"{BASE}/state")))
    heard.publish(button["cmd_t"], '{"do": "spend", "side": "dark", "id": "last"}')
    until(lambda: (table.state.destiny.light, table.state.destiny.dark) == (3, 1))
    change = table.state.last_change
    assert change.by == "MQTT"
    assert len(table.state.changes) == 3


@pytest.mark.parametrize(
    "payload",
    [b"", b"{" * 5000, b"[" * 900, b'{"do":"spend","side":["light"]}', b'{"do":"spend","side":"light","id":7}',
     b'{"do":"spend","side":"light","id":""}', b'{"do":"spend","side":"light","by":"me"}', b"\xff\xfe", b"NaN"],
)  # fmt: skip
def test_a_hostile_command_is_none(payload: bytes) -> None:
    assert spending_of(payload) is None


def test_a_command_with_the_same_id_is_the_same_change() -> None:
    first = spending_of(b'{"do": "spend", "side": "light", "id": "a"}')
    assert first == spending_of(b'{"id": "a", "do": "spend", "side": "light"}')
    assert first[0] is Side.LIGHT
    assert first != spending_of(b'{"do": "spend", "side": "light", "id": "b"}')


@pytest.mark.second_try
def test_a_broker_that_lost_everything_is_told_everything_again(tmp_path: Path, table: Table, undo: ExitStack) -> None:
    need_mosquitto()
    broker = Mosquitto(tmp_path / "forgetful", "persistence false")
    broker.start()
    undo.callback(broker.stop)
    joined(table, broker.port, undo)
    broker.stop(how=signal.SIGKILL)
    until(lambda: any(trouble.part == "mqtt" for trouble in table.state.trouble))
    tell(table, EnterRoll, dice=(ABILITY,), label="missed")  # the table does not wait for it
    broker.start()
    heard = listening(broker, undo)
    heard.wait_for(lambda all_: {f"{BASE}/availability", f"{BASE}/state", CONFIG} <= {one.topic for one in all_})
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/event") != [] or bodies(all_, f"{BASE}/state") != [])
    until(lambda: not table.state.trouble)


@pytest.mark.slow
def test_what_is_hidden_before_the_broker_comes_back_is_not_told_late(
    broker: Mosquitto, table: Table, undo: ExitStack
) -> None:
    heard = listening(broker, undo)
    joined(table, broker.port, undo)
    tell(table, EnterRoll, dice=(ABILITY,), label="Stealth")
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/event") != [])
    broker.stop()
    roll = tell(table, EnterRoll, dice=(ABILITY,), label="Ambush")
    time.sleep(1.5)  # so that it is on its way to the broker that is not there
    tell(table, ChangeRoll, roll_id=roll, is_hidden=True)
    tell(table, ChangeDestiny, do=Do.SET, light=1)
    broker.start()
    heard.wait_for(lambda all_: bodies(all_, f"{BASE}/event")[-1]["event_type"] == "destiny")
    assert not any(b"Ambush" in one.payload for one in heard.heard)


def test_a_table_at_which_nothing_happens_is_told_now_and_then(
    broker: Mosquitto, table: Table, undo: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tableside.adapters.mqtt.publisher._REFRESH_SECONDS", 0.1)
    heard = listening(broker, undo, f"{BASE}/state")
    joined(table, broker.port, undo)
    heard.wait_for(lambda all_: len(all_) > 3)
    assert len({one["destiny"]["light"] for one in bodies(heard.heard, f"{BASE}/state")}) == 1


def test_home_assistant_that_starts_again_is_told_again(broker: Mosquitto, table: Table, undo: ExitStack) -> None:
    joined(table, broker.port, undo)
    heard = listening(broker, undo)
    heard.wait_for(lambda all_: bodies(all_, CONFIG) != [])
    heard.publish("homeassistant/status", "online")
    heard.wait_for(lambda all_: len(bodies(all_, CONFIG)) == 2)
    assert not heard.of(CONFIG)[-1].is_retained  # it was published again, not only kept


def test_a_table_that_leaves_or_dies_is_offline(broker: Mosquitto, table: Table, undo: ExitStack) -> None:
    heard = listening(broker, undo, f"{BASE}/availability")
    mqtt = joined(table, broker.port, undo)
    heard.wait_for(lambda all_: [one.payload for one in all_] == [b"online"])
    sock = mqtt._broker._client.socket()
    sock.shutdown(2)  # as when the plug is pulled: no farewell
    heard.wait_for(lambda all_: [one.payload for one in all_][:3] == [b"online", b"offline", b"online"])
    mqtt.close()
    heard.wait_for(lambda all_: [one.payload for one in all_][-1] == b"offline")


@pytest.mark.second_try
def test_a_password_is_needed_and_a_wrong_one_is_said(tmp_path: Path, table: Table, undo: ExitStack) -> None:
    need_mosquitto()
    passwords = tmp_path / "passwords"
    passwords.touch(mode=0o600)
    subprocess.run(["mosquitto_passwd", "-b", str(passwords), "vex", "right"], check=True, capture_output=True)
    broker = Mosquitto(tmp_path / "mosquitto", f"password_file {passwords}", anonymous=False)
    broker.start()
    undo.callback(broker.stop)
    joined(table, broker.port, undo, wait=False, login={"username": "vex", "password": "wrong"})
    until(lambda: table.state.trouble)
    trouble = table.state.trouble[0]
    assert trouble.part == "mqtt"
    assert "not authorized" in trouble.what
    assert "password" in trouble.hint
    assert "wrong" not in str(trouble)
    second = Table(SYSTEM, MemoryStore())
    undo.callback(second.close)
    joined(second, broker.port, undo, name="Other", login={"username": "vex", "password": "right"})
    assert second.state.trouble == ()


@pytest.mark.second_try
def test_a_broker_that_takes_no_events_of_this_user_is_said(tmp_path: Path, table: Table, undo: ExitStack) -> None:
    need_mosquitto()
    access = tmp_path / "access"
    access.write_text(f"topic readwrite #\ntopic deny {BASE}/event\n")
    access.chmod(0o600)
    broker = Mosquitto(tmp_path / "mosquitto", f"acl_file {access}")
    broker.start()
    undo.callback(broker.stop)
    joined(table, broker.port, undo)
    tell(table, EnterRoll, dice=(ABILITY,))
    until(lambda: any(trouble.part == "mqtt events" for trouble in table.state.trouble))
    trouble = next(trouble for trouble in table.state.trouble if trouble.part == "mqtt events")
    assert "does not take it (not authorized)" in trouble.what
    assert f"{BASE}/event" in trouble.hint


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # paho drops a socket it cannot trust
@pytest.mark.second_try
def test_tls_is_checked(tmp_path: Path, table: Table, undo: ExitStack) -> None:
    need_mosquitto()
    certificate(tmp_path)
    files = (f"cafile {tmp_path}/cert.pem", f"certfile {tmp_path}/cert.pem", f"keyfile {tmp_path}/key.pem")
    broker = Mosquitto(tmp_path / "mosquitto", *files)
    broker.start()
    undo.callback(broker.stop)
    joined(table, broker.port, undo, host="localhost", login={"tls": True, "ca_file": tmp_path / "cert.pem"})
    assert table.state.trouble == ()
    stranger = Table(SYSTEM, MemoryStore())
    undo.callback(stranger.close)
    joined(stranger, broker.port, undo, wait=False, host="localhost", name="Stranger", login={"tls": True})
    until(lambda: stranger.state.trouble)
    assert "certificate" in str(stranger.state.trouble[0]).lower()


@pytest.mark.slow
def test_two_tables_of_one_name_are_told_so(broker: Mosquitto, table: Table, undo: ExitStack) -> None:
    joined(table, broker.port, undo)
    twin = Table(SYSTEM, MemoryStore())
    undo.callback(twin.close)
    joined(twin, broker.port, undo)
    hint = "Has another table this name? Choose another [table] name for one of them."
    until(lambda: hint in [trouble.hint for one in (table, twin) for trouble in one.state.trouble])


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("Table 3", "table-3"),
        ("pi-4", "pi-4"),
        ("a" * 40, "a" * 40),
        ("#/+", "table-276067"),
        ("../$SYS", "sys-3ecd50"),
    ],
)
def test_a_name_becomes_one_level_of_a_topic(name: str, topic: str) -> None:
    assert topic_name(name) == topic


def test_names_in_any_letters_become_topics_and_ids_of_their_own() -> None:
    names = [
        "Стол",
        "Терминал",
        "🎲",
        "🎲🎲",
        "猫",
        "犬",
        "Grün",
        "Gran",
        "Grün ",
        "Gruen",
        "Grun",
        "ü" * 40,
        "ü" * 39,
        "Стол 2",
        "Table",
        "!",
        "?!",
        "A&B",
        "A+B",
        "A B",
        "a b",
        "A-B",
        "A  B",
        "TABLE",
        "Table-3",
        "table 3",
        "Table 3",
        "Table.3",
    ]
    topics = [topic_name(name) for name in names]
    assert len(set(topics)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", topic) for topic in topics)
    assert topics[6].startswith("grun-")
    assert topic_name("Gru\u0308n") == topic_name("Gr\u00fcn")  # one name, however it was typed
    devices = {
        discovery_json(name=n, slug=topic_name(n), base="t", commands=True, url=None)["dev"]["ids"][0] for n in names
    }
    assert len(devices) == len(names)


def test_tables_named_in_other_letters_stay_on_the_broker_together(
    broker: Mosquitto, table: Table, undo: ExitStack
) -> None:
    heard = listening(broker, undo, "tableside/+/availability")
    other = Table(SYSTEM, MemoryStore())
    undo.callback(other.close)
    joined(table, broker.port, undo, name="Стол")
    joined(other, broker.port, undo, name="Терминал")
    heard.wait_for(lambda all_: len({one.topic for one in all_ if one.payload == b"online"}) == 2)
    assert not table.state.trouble
