"""``python -m tools.bench hall``: from a roll at one of many tables to every display of the hall, by a broker.

Four programs take part, as in a hall: the broker, the tables (real ones, without cameras), the hall, and its displays.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import random
import shutil
import socket
import statistics
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from tableside import paths
from tableside.adapters.mqtt.broker import BrokerAddress
from tableside.adapters.mqtt.publisher import MqttTable
from tableside.adapters.mqtt.subscriber import Hall
from tableside.adapters.web import Services, WebServer, create_app
from tableside.dice import find_sets
from tableside.errors import ConnectError
from tableside.table import MemoryStore, System, Table
from tableside.table.kept import Phase
from tableside.table.messages import ChangeDestiny, Do, EnterRoll, ShownDie, ShowPhase

_START_SECONDS = 60.0
_FACES = ((), ("success",), ("success", "success"), ("advantage",), ("success", "advantage"))


def bench_hall(address: BrokerAddress, *, tables: int, displays: int, seconds: float, every: float) -> dict[str, Any]:
    """Let so many tables roll, each about once in ``every`` seconds, and return what was measured.

    Delays are from a roll at its table to its coming to a display, in milliseconds.
    """
    topic = f"bench-{uuid.uuid4().hex[:8]}"  # beside real tables, where the broker has some
    start = multiprocessing.get_context("spawn")
    ready, stop, told = start.Event(), start.Event(), start.Queue()
    with ExitStack() as undo:
        own = Table(System(sets=find_sets(["narrative"])), MemoryStore())
        undo.callback(own.close)
        hall = Hall(address, topic=topic)
        undo.callback(hall.close)
        app = create_app(Services(table=own, web_folder=paths.web_folder(), hall=hall))
        server = WebServer(app, host="127.0.0.1", port=0)
        undo.callback(server.close)
        server.start()
        players = start.Process(
            target=_play, args=(address, topic, tables, seconds, every, ready, stop, told), name="tables", daemon=True
        )
        lookers = start.Process(
            target=_look, args=(server.port, displays, tables, ready, stop, told), name="displays", daemon=True
        )
        for process in (players, lookers):
            process.start()
            undo.callback(process.join, 10)
        undo.callback(stop.set)
        if not ready.wait(_START_SECONDS):
            hint = "Is the broker reachable, and the machine not overloaded?"
            raise ConnectError(f"not all of {tables} tables came to the hall", where=str(address), hint=hint)
        cpu, begin = time.process_time(), time.perf_counter()
        found = dict(told.get(timeout=seconds + _START_SECONDS) for _ in range(2))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - begin
    played, heard = found["tables"], found["displays"]
    delays = sorted(heard["delays"])
    return {
        "tables": tables,
        "displays": displays,
        "seconds": round(wall, 1),
        "rolls": played["rolls"],
        "complete": heard["last"] == played["last"] and bool(delays),
        "delay_ms_median": round(statistics.median(delays), 1) if delays else None,
        "delay_ms_p95": round(delays[int(0.95 * (len(delays) - 1))], 1) if delays else None,
        "delay_ms_most": round(delays[-1], 1) if delays else None,
        "hall_percent_of_a_core": round(100 * cpu / wall, 1),
        "tables_percent_of_a_core": round(100 * played["cpu"] / wall, 1),
    }


@contextmanager
def own_broker() -> Iterator[BrokerAddress]:
    """Run a Mosquitto of our own on a free port.

    :raises ConnectError: where none is installed or it does not start.
    """
    program = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        hint = "Install it (apt install mosquitto), or name a broker with --broker HOST:PORT."
        raise ConnectError("is not installed", where="mosquitto", hint=hint)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n", encoding="utf-8")
        quiet = subprocess.DEVNULL
        with subprocess.Popen([program, "-c", str(config)], stdout=quiet, stderr=quiet) as process:
            try:
                _wait_for(port, process)
                yield BrokerAddress(host="127.0.0.1", port=port)
            finally:
                process.terminate()


@contextmanager
def broker_at(address: str) -> Iterator[BrokerAddress]:
    """Use a broker that runs already.

    :raises ConnectError: when it is not written as HOST:PORT.
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ConnectError("is no broker", where=address, hint="Write HOST:PORT, such as localhost:1883.")
    yield BrokerAddress(host=host, port=int(port))


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 10
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None or time.monotonic() > until:
            raise ConnectError("does not start", where="mosquitto", hint="Name a broker with --broker HOST:PORT.")
        time.sleep(0.02)


def _play(
    address: BrokerAddress,
    topic: str,
    count: int,
    seconds: float,
    every: float,
    ready: Event,
    stop: Event,
    told: Queue[Any],
) -> None:
    """The tables: each is a real one with its own connection; a hand throws for all of them in turn."""
    chance = random.Random(count)
    system = System(sets=find_sets(["narrative"]))
    with ExitStack() as undo:
        tables: list[Table] = []
        for number in range(count):
            table = Table(system, MemoryStore())
            undo.callback(table.close)
            mqtt = MqttTable(address, table, name=f"Table {number + 1}", topic=topic)
            undo.callback(mqtt.close)
            table.add_display("mqtt display", mqtt)
            mqtt.start()
            table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=time.time(), do=Do.SET, light=3, dark=2))
            tables.append(table)
        if not ready.wait(_START_SECONDS):
            return
        cpu, end, rolls, last = time.process_time(), time.monotonic() + seconds, 0, {}
        while time.monotonic() < end and not stop.is_set():
            table = chance.choice(tables)
            table.post(ShowPhase(at=time.time(), phase=Phase.MOVING))
            stop.wait(every / count / 2)
            table.post(ShowPhase(at=time.time(), phase=Phase.STILL))
            dice = tuple(ShownDie(type="ability", face=chance.choice(_FACES)) for _ in range(5))
            # the label carries the time of the roll, on the clock that all these programs share
            roll = EnterRoll(id=str(uuid.uuid4()), at=time.time(), dice=dice, label=repr(time.time()))
            table.post(roll)
            last[f"table-{tables.index(table) + 1}"] = roll.label
            rolls += 1
            stop.wait(every / count / 2)
        told.put(("tables", {"rolls": rolls, "last": last, "cpu": time.process_time() - cpu}))
        stop.wait(_START_SECONDS)  # until the displays have heard the last ones


def _look(port: int, count: int, tables: int, ready: Event, stop: Event, told: Queue[Any]) -> None:
    """The displays: each reads the stream as a browser does."""
    heard: list[float] = []
    lasts: list[dict[str, str]] = [{} for _ in range(count)]
    here = [False] * count
    listeners = [
        threading.Thread(target=_listen, args=(port, tables, lasts[n], heard, here, n, stop), daemon=True)
        for n in range(count)
    ]
    for listener in listeners:
        listener.start()
    while not all(here) and not stop.is_set():
        time.sleep(0.02)
    ready.set()
    quiet, seen = time.monotonic(), 0
    while time.monotonic() - quiet < 3.0 and not stop.is_set():  # no table is silent for so long while they play
        time.sleep(0.1)
        if len(heard) != seen:
            quiet, seen = time.monotonic(), len(heard)
    same = lasts[0] if all(last == lasts[0] for last in lasts) else {}
    told.put(("displays", {"delays": heard, "last": same}))
    stop.wait(_START_SECONDS)
    told.close()
    os._exit(0)  # the listeners wait for lines that never come


def _listen(
    port: int, tables: int, last: dict[str, str], heard: list[float], here: list[bool], number: int, stop: Event
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_START_SECONDS)
    connection.request("GET", "/api/hall/events")
    answer = connection.getresponse()
    known: set[str] = set()
    while not stop.is_set() and (line := answer.readline()):
        if not line.startswith(b"data: "):
            continue
        now = time.time()
        for table in json.loads(line[6:])["tables"]:
            known.add(table["id"])
            here[number] = len(known) >= tables
            label = table["result"]["label"] if table["result"] else ""
            if label and last.get(table["id"]) != label:
                last[table["id"]] = label
                heard.append((now - float(label)) * 1000)
