"""Connections as the settings ask for them: a whole table tells them all, and goes on where nobody is there."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from tableside.adapters.camera.folder import StillCamera
from tableside.adapters.discord.connection import DiscordSettings
from tableside.adapters.mqtt.connection import MqttSettings
from tableside.adapters.webhook.connection import WebhookSettings
from tableside.app.connections import MARKS_NAME, table_name
from tableside.app.running_table import RunningTable
from tableside.config import PinSettings, Settings, TableSettings, WebSettings
from tableside.dice import Die
from tableside.table import MemoryStore
from tableside.table.messages import EnterRoll
from tests.fakes.http_sink import HttpSink, Reply
from tests.fakes.mosquitto import Listener, Mosquitto, free_port, need_mosquitto
from tests.fakes.tray import DrawnReader, draw_tray
from tests.until import until

SECRET = "whsec_dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcy4uLiE="


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        table=TableSettings(data=tmp_path / "data", name="Table 3"),
        web=WebSettings(port=0),
        pins=PinSettings(factory="none"),
    )


def started(settings: Settings, tmp_path: Path, undo: ExitStack) -> RunningTable:
    cv2.imwrite(str(tmp_path / "empty.png"), draw_tray())
    camera = StillCamera(tmp_path / "empty.png", fps=5)
    running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=camera)
    undo.callback(running.close)
    running.start()
    return running


def rolled(running: RunningTable) -> str:
    roll = str(uuid.uuid4())
    running.table.ask(EnterRoll(id=roll, at=time.time(), dice=(Die(type="ability", face=("success",)),)))
    return roll


def test_without_settings_there_is_no_connection(settings: Settings, tmp_path: Path, undo: ExitStack) -> None:
    before = {thread.name for thread in threading.enumerate()}
    running = started(settings, tmp_path, undo)
    rolled(running)
    names = {thread.name for thread in threading.enumerate()} - before
    assert not any(word in name for name in names for word in ("mqtt", "webhook", "discord", "hall"))
    assert not (tmp_path / "data" / MARKS_NAME).exists()


def test_one_roll_goes_to_all_that_are_asked_for(settings: Settings, tmp_path: Path, undo: ExitStack) -> None:
    need_mosquitto()
    broker = Mosquitto(tmp_path / "mosquitto")
    broker.start()
    undo.callback(broker.stop)
    hook, discord = HttpSink(), HttpSink(lambda _: Reply(body={"id": "1"}))
    undo.callback(hook.close)
    undo.callback(discord.close)
    heard = Listener(broker.port, "club/#")
    undo.callback(heard.close)
    all_ = replace(
        settings,
        connections={
            "mqtt": MqttSettings(host="127.0.0.1", port=broker.port, topic="club"),
            "webhook": WebhookSettings(url=hook.url, secret=SECRET),
            "discord": DiscordSettings(webhook=f"{discord.url}/api/webhooks/1/token"),
        },
    )
    running = started(all_, tmp_path, undo)
    roll = rolled(running)
    hook.wait_for(lambda calls: len(calls) == 1)
    discord.wait_for(lambda calls: len(calls) == 1)
    heard.wait_for(lambda heard: any(one.topic == "club/table-3/event" for one in heard))
    event = json.loads(heard.of("club/table-3/event")[0].payload)
    assert event == hook.calls[0].json
    assert (event["table"], event["roll"]["id"]) == ("Table 3", roll)
    assert not any(one.topic.startswith("homeassistant") for one in heard.heard)
    hall: Callable[[], Any] = lambda: json.load(urllib.request.urlopen(f"{running.address}api/hall", timeout=30))  # noqa: E731
    until(lambda: hall()["tables"])
    assert hall()["tables"][0]["result"]["headline"] == "Success"
    assert hall()["own"] == "table-3"


def test_nobody_there_is_trouble_and_no_more(settings: Settings, tmp_path: Path, undo: ExitStack) -> None:
    nowhere = free_port()
    away = replace(
        settings,
        connections={
            "mqtt": MqttSettings(host="127.0.0.1", port=nowhere),
            "webhook": WebhookSettings(url=f"http://127.0.0.1:{nowhere}/", secret=SECRET),
            "discord": DiscordSettings(webhook=f"http://127.0.0.1:{nowhere}/api/webhooks/1/tokentoken"),
        },
    )
    running = started(away, tmp_path, undo)
    rolled(running)
    until(lambda: {"mqtt", "webhook", "discord"} <= {trouble.part for trouble in running.table.state.trouble})
    assert "tokentoken" not in str(running.table.state.trouble)
    running.close()  # waits for nobody who is not there


def test_a_damaged_file_of_marks_stops_nothing(settings: Settings, tmp_path: Path, undo: ExitStack) -> None:
    hook = HttpSink()
    undo.callback(hook.close)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / MARKS_NAME).write_bytes(b"not a database" * 100)
    running = started(
        replace(settings, connections={"webhook": WebhookSettings(url=hook.url, secret=SECRET)}), tmp_path, undo
    )
    rolled(running)
    hook.wait_for(lambda calls: len(calls) == 1)
    assert "outbox" in {trouble.part for trouble in running.table.state.trouble}


def test_certificates_that_cannot_be_read_are_trouble(settings: Settings, tmp_path: Path, undo: ExitStack) -> None:
    mqtt = MqttSettings(host="localhost", port=free_port(), tls=True, ca_file=tmp_path / "absent.pem")
    running = started(replace(settings, connections={"mqtt": mqtt}), tmp_path, undo)
    until(lambda: running.table.state.trouble)
    trouble = next(one for one in running.table.state.trouble if one.part == "mqtt")
    assert "absent.pem" in trouble.where
    assert trouble.hint


def test_a_table_without_a_name_is_called_by_its_machine() -> None:
    assert table_name(Settings())
