"""A day of rolls with the broker restarted again and again, and a table killed while it sends: each once, in order.

``pytest tests/whole/test_connection_soak.py -m slow --soak 10000`` is the long day.
"""

from __future__ import annotations

import json
import random
import signal
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tableside.adapters.mqtt.broker import BrokerAddress
from tableside.adapters.mqtt.publisher import MqttTable
from tableside.adapters.sqlite_store import SqliteStore
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.dice import Die
from tableside.table import Table
from tableside.table.messages import EnterRoll
from tests.conftest import SYSTEM
from tests.fakes.http_sink import HttpSink
from tests.fakes.mosquitto import Heard, Listener, Mosquitto, need_mosquitto
from tests.until import until

DICE = (Die(type="ability", face=("success",)), Die(type="difficulty", face=("threat",)))
MOST_RESTARTS = 20
KEY = bytes(32)

WRITER = """
import sys, uuid
from pathlib import Path
from tableside.adapters.webhook.signed import Webhook
from tableside.delivery.delivery import Delivery
from tableside.delivery.outbox import Outbox
from tableside.adapters.sqlite_store import SqliteStore
from tableside.dice import Die, find_sets
from tableside.table import System, Table
from tableside.table.messages import EnterRoll

folder, url, key = Path(sys.argv[1]), sys.argv[2], bytes.fromhex(sys.argv[3])
table = Table(System(sets=find_sets(["narrative", "pips"])), SqliteStore(folder / "table.sqlite"))
outbox = Outbox(folder / "connections.sqlite")
Delivery("webhook", Webhook(url, key=key, table="T"), table, outbox).start()
for _ in range(100_000):
    roll = str(uuid.uuid4())
    table.ask(EnterRoll(id=roll, at=1.0, dice=(Die(type="ability", face=("success",)),)))
    print(roll, flush=True)
"""


@pytest.mark.slow
@pytest.mark.second_try
def test_a_day_of_rolls_with_the_broker_restarted_arrives_once_and_in_order(
    tmp_path: Path, often: Callable[[int], int]
) -> None:
    need_mosquitto()
    restarts = min(often(2), MOST_RESTARTS)
    each = -(-often(150) // (restarts + 1))
    broker = Mosquitto(tmp_path / "mosquitto")
    with ExitStack() as undo:
        broker.start()
        undo.callback(broker.stop)
        heard = Listener(broker.port, "tableside/+/event")
        undo.callback(heard.close)
        table = undo.enter_context(closing(Table(SYSTEM, SqliteStore(tmp_path / "table.sqlite"))))
        outbox = undo.enter_context(closing(Outbox(tmp_path / "connections.sqlite")))
        mqtt = MqttTable(BrokerAddress(host="127.0.0.1", port=broker.port), table, name="Table 3")
        table.add_display("mqtt display", mqtt)
        delivery = undo.enter_context(closing(Delivery("mqtt", mqtt, table, outbox)))
        mqtt.start()
        delivery.start()
        wanted: list[str] = []
        taken: dict[bool, list[float]] = {True: [], False: []}
        begin = time.monotonic()
        for part in range(restarts + 1):
            is_away = part < restarts
            for number in range(each):
                if is_away and number == each // 2:
                    broker.stop()  # a third of what follows comes while it is away
                    until(lambda: not mqtt.is_up)
                if is_away and number == each * 5 // 6:
                    broker.start()
                before = time.perf_counter()
                wanted.append(rolled(table))
                taken[mqtt.is_up].append(time.perf_counter() - before)
        until(lambda: delivery.done == table.state.last_number, seconds=300)  # the broker has said that it has them
        heard.wait_for(lambda all_: ids(all_)[-1:] == wanted[-1:], timeout=60)
        seconds = time.monotonic() - begin
        came = ids(heard.heard)
        first = list(dict.fromkeys(came))
        told = {
            "rolls": len(wanted), "restarts": restarts, "seconds": round(seconds, 1),
            "sent twice": len(came) - len(first),
            "rolls while away": len(taken[False]),
            "roll on disk, p99 ms, up": round(1000 * p99(taken[True]), 1),
            "roll on disk, p99 ms, away": round(1000 * p99(taken[False]), 1),
        }  # fmt: skip
        print(json.dumps(told))
        assert first == wanted
        assert len(taken[False]) > len(wanted) / 10


def rolled(table: Table) -> str:
    roll = str(uuid.uuid4())
    table.ask(EnterRoll(id=roll, at=time.time(), dice=DICE))
    return roll


def ids(heard: list[Heard]) -> list[str]:
    return [json.loads(one.payload)["id"] for one in heard]


def p99(times: list[float]) -> float:
    return statistics.quantiles(times, n=100)[-1]


@pytest.mark.slow
@pytest.mark.second_try
def test_a_table_that_is_killed_while_it_sends_loses_nothing(tmp_path: Path) -> None:
    """Killed twice at any moment: what was acknowledged to the players arrives, in order, once by its id."""
    chance = random.Random(8)
    acknowledged: list[str] = []
    with closing(HttpSink()) as sink:
        for _ in range(2):
            acknowledged += killed_after(tmp_path, sink.url, chance.uniform(0.05, 0.6))
        with ExitStack() as undo:
            table = undo.enter_context(closing(Table(SYSTEM, SqliteStore(tmp_path / "table.sqlite"))))
            outbox = undo.enter_context(closing(Outbox(tmp_path / "connections.sqlite")))
            from tableside.adapters.webhook.signed import Webhook

            delivery = Delivery("webhook", Webhook(sink.url, key=KEY, table="T"), table, outbox)
            undo.enter_context(closing(delivery))
            delivery.start()
            until(lambda: delivery.done == table.state.last_number, seconds=60)
            came = [call.json["id"] for call in sink.calls]
            first = list(dict.fromkeys(came))
            on_disk = [change.id for change in table.saved_since(0, limit=10**6)]
    assert first == on_disk
    assert set(acknowledged) <= set(first)
    assert len(came) - len(first) <= 2  # at most the one that was on its way at each kill


def killed_after(folder: Path, url: str, seconds: float) -> list[str]:
    """Run a table that rolls and sends, kill it, and return the rolls that it acknowledged."""
    command: list[Any] = [sys.executable, "-c", WRITER, folder, url, KEY.hex()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline().strip()
        assert first
        time.sleep(seconds)  # the moment of the kill is what is tested
        writer.send_signal(signal.SIGKILL)
        lines = writer.stdout.read().split("\n")
    return [first, *(line for line in lines[:-1] if line)]
