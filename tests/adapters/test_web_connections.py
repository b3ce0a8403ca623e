"""Connections and streams that hold nobody up: idle, slow, vanished, or all of one address."""

from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tableside import paths
from tableside.adapters.web import Pairing, Services, WebServer, create_app
from tableside.adapters.web import stream as stream_module
from tableside.adapters.web.pairing import Role
from tableside.adapters.web.server import CONNECTIONS
from tableside.adapters.web.stream import A_SENDERS_STREAMS, KEPT, STREAMS
from tableside.table import MemoryStore, Table
from tableside.table.messages import ChangeDestiny, Do
from tests.until import until

ASK = b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Watching:
    """Displays at addresses of a network that is only said; their streams are read once."""

    def __init__(self, app: Flask, undo: ExitStack) -> None:
        self._app, self._undo = app, undo

    def open(self, address: str, *, cookie: str = "", path: str = "/api/events", **headers: str) -> int:
        """Open a stream and return the answer's status."""
        client = self._app.test_client()
        if cookie:
            client.set_cookie("tableside", cookie)
        answer = client.get(path, environ_overrides={"REMOTE_ADDR": address}, headers=headers)
        self._undo.callback(answer.close)
        return answer.status_code


@pytest.fixture
def watching(app: Flask) -> Iterator[Watching]:
    with ExitStack() as undo:
        yield Watching(app, undo)


def test_an_address_has_eight_streams_and_the_next_address_has_its_own(watching: Watching) -> None:
    assert [watching.open("192.0.2.7") for _ in range(A_SENDERS_STREAMS + 2)] == [200] * A_SENDERS_STREAMS + [503] * 2
    assert watching.open("192.0.2.8") == 200


def test_who_comes_by_a_proxy_on_this_machine_counts_by_its_own_address(watching: Watching) -> None:
    def proxied(said: str) -> int:
        return watching.open("127.0.0.1", **{"X-Forwarded-For": said})

    assert [proxied(f"198.51.100.{n}, 192.0.2.7") for n in range(A_SENDERS_STREAMS + 1)] == [
        200
    ] * A_SENDERS_STREAMS + [503]
    assert proxied("192.0.2.8") == 200


def test_a_household_of_ipv6_counts_as_one_and_the_next_as_another(watching: Watching) -> None:
    home = [f"2001:db8:0:7::{n:x}" for n in range(20, 20 + A_SENDERS_STREAMS)]
    assert [watching.open(one) for one in home] == [200] * A_SENDERS_STREAMS
    assert watching.open("2001:db8:0:7:ffff::9") == 503
    assert watching.open("2001:db8:0:8::9") == 200
    mapped = [watching.open(f"::ffff:192.0.2.{n}") for n in range(A_SENDERS_STREAMS + 1)]
    assert mapped == [200] * (A_SENDERS_STREAMS + 1)  # what came by IPv4 is told apart as IPv4 is


def test_a_full_house_keeps_places_for_who_is_paired_and_the_own_screen(watching: Watching, pairing: Pairing) -> None:
    def paired(role: Role) -> str:
        return pairing.pair(pairing.begin(role).pin, name="", address="x")[0]

    strangers = STREAMS - sum(KEPT.values())
    found = [watching.open(f"192.0.2.{n % 30}") for n in range(STREAMS)]
    assert found == [200] * strangers + [503] * (STREAMS - strangers)
    screen, masters = KEPT[Role.SCREEN], KEPT[Role.GM]
    assert [watching.open("127.0.0.1") for _ in range(screen + 1)] == [200] * screen + [503]
    master = paired(Role.GM)
    assert [watching.open("192.0.2.1", cookie=master) for _ in range(masters + 1)] == [200] * masters + [503]
    for phone in (paired(Role.PLAYER) for _ in range(KEPT[Role.PLAYER] // A_SENDERS_STREAMS)):
        opened = [watching.open("192.0.2.1", cookie=phone) for _ in range(A_SENDERS_STREAMS + 1)]
        assert opened == [200] * A_SENDERS_STREAMS + [503]
    assert watching.open("192.0.2.1", cookie=paired(Role.PLAYER)) == 503


def test_a_stream_that_its_display_left_gives_its_place_back_though_nothing_happens(
    app: Flask, served: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "KEEP_ALIVE_SECONDS", 1e9)
    streams = app.extensions["tableside_streams"]
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as display:
        display.sendall(ASK)
        until(lambda: streams.count == 1)
    until(lambda: streams.count == 0)


def test_four_hundred_sockets_that_say_nothing_keep_nobody_out(served: WebServer) -> None:
    with ExitStack() as undo:
        for _ in range(CONNECTIONS):
            undo.enter_context(socket.create_connection(("127.0.0.1", served.port), timeout=10))
        with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)) as connection:
            for _ in range(3):
                connection.request("GET", "/api/state")
                answer = connection.getresponse()
                answer.read()
                assert answer.status == 200


@pytest.fixture
def hasty(app: Flask, undo: ExitStack) -> WebServer:
    """Return a server that waits for nobody."""
    server = WebServer(app, host="127.0.0.1", port=0, idle_seconds=0.2, sending_seconds=0.2, unread_seconds=0.2)
    undo.callback(server.close)
    server.start()
    return server


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/state HTTP/1.1\r\n",
        b"POST /api/destiny HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{",
        b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    ],
    ids=["says nothing", "sends half a head", "sends half a body", "asks for nothing more"],
)
def test_who_sends_no_whole_request_in_time_is_ended(hasty: WebServer, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", hasty.port), timeout=10) as peer:
        peer.sendall(sent)
        with suppress(ConnectionError):
            while peer.recv(65536):
                pass
    until(lambda: hasty.connections == 0)


@pytest.mark.slow
def test_who_leaves_what_is_sent_unread_is_ended(app: Flask, hasty: WebServer, table: Table) -> None:
    streams = app.extensions["tableside_streams"]
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        peer.connect(("127.0.0.1", hasty.port))
        peer.sendall(ASK)
        until(lambda: streams.count == 1)

        def is_ended() -> bool:
            for _ in range(20):  # megabytes of states lie between the two until nothing more is taken
                light = table.state.revision % 50
                table.ask(ChangeDestiny(id=str(time.monotonic_ns()), at=1.0, do=Do.SET, light=light))
            return not streams.count

        until(is_ended, seconds=60)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="this system has no TCP_USER_TIMEOUT")
def test_every_connection_is_told_to_end_once_its_peer_is_dead(served: WebServer) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10):
        until(lambda: served.connections == 1)
        (peer,) = served._bridge.peers._whose
        assert peer.socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        assert 0 < peer.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000


class Network:
    """Another host: a network namespace with one cable to this one.

    :ivar here: our address on the cable.
    """

    def __init__(self, undo: ExitStack) -> None:
        self._name = f"ts{time.monotonic_ns() % 10**9}"
        self._cable = f"{self._name}a"
        net = f"198.18.{77 + int(os.environ.get('PYTEST_XDIST_WORKER', 'gw0')[2:])}"  # two may run at a time
        self.here = f"{net}.1"
        self._run("ip", "netns", "add", self._name)
        undo.callback(self._run, "ip", "netns", "delete", self._name)
        self._run("ip", "link", "add", self._cable, "type", "veth", "peer", "name", "eth0", "netns", self._name)
        undo.callback(self._run, "ip", "link", "delete", self._cable)  # the namespace outlives its name by its sockets
        self._run("ip", "address", "add", f"{self.here}/24", "dev", self._cable)
        self._run("ip", "link", "set", self._cable, "up")
        card = "02:00:00:00:77:02"
        self._there(f"address add {net}.2/24 dev eth0", f"link set eth0 address {card}", "link set eth0 up")
        self._run(*f"ip neighbour replace {net}.2 lladdr {card} dev {self._cable} nud permanent".split())

    def start(self, program: str, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            ["ip", "netns", "exec", self._name, sys.executable, "-c", program, *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def cut(self) -> None:
        """Have it vanish: what is sent to it arrives at no card, and nobody says so."""
        self._there("link set eth0 down", "link set eth0 address 02:00:00:00:77:03", "link set eth0 up")

    def _there(self, *acts: str) -> None:
        for act in acts:
            self._run("ip", "-n", self._name, *act.split())

    def _run(self, *words: str) -> None:
        subprocess.run(words, check=True, capture_output=True, timeout=60)


DISPLAYS = """
import http.client, sys
open_ones = []
for _ in range(int(sys.argv[2])):
    one = http.client.HTTPConnection(sys.argv[1].split(":")[0], int(sys.argv[1].split(":")[1]), timeout=60)
    one.request("GET", "/api/events")
    answer = one.getresponse()
    answer.readline()
    open_ones.append((one, answer))
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
def test_streams_whose_peers_vanished_are_reclaimed_within_45_seconds(app: Flask, table: Table) -> None:
    """At a busy table and at a quiet one."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("needs root and iproute2 to make another host")
    with ExitStack() as undo:
        try:
            network = Network(undo)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr}")
        quiet = undo.enter_context(closing(Table(table.system, MemoryStore())))
        apps = (app, create_app(Services(table=quiet, web_folder=paths.web_folder())))
        for one in apps:
            server = WebServer(one, host="0.0.0.0", port=0)
            undo.callback(server.close)
            server.start()
            displays = network.start(DISPLAYS, f"{network.here}:{server.port}", str(A_SENDERS_STREAMS))
            undo.enter_context(displays)
            undo.callback(displays.kill)
            assert displays.stdout.readline() == "open\n"
            assert one.extensions["tableside_streams"].count == A_SENDERS_STREAMS
        network.cut()
        stop = threading.Event()
        busy = threading.Thread(target=_keep_busy, args=(table, stop))
        undo.callback(busy.join)
        undo.callback(stop.set)
        busy.start()
        until(lambda: not any(one.extensions["tableside_streams"].count for one in apps), seconds=45)


def _keep_busy(table: Table, stop: threading.Event) -> None:
    number = 0
    while not stop.wait(0.2):
        number += 1
        table.ask(ChangeDestiny(id=f"busy {number}", at=1.0, do=Do.SET, light=number % 50))


def test_a_table_that_listens_by_ipv6_is_found_by_ipv4_too(app: Flask, undo: ExitStack) -> None:
    if not socket.has_ipv6 or not Path("/proc/net/if_inet6").exists():
        pytest.skip("no IPv6 here")
    server = WebServer(app, host="::", port=0)
    undo.callback(server.close)
    server.start()
    for host in ("127.0.0.1", "::1"):
        with closing(http.client.HTTPConnection(host, server.port, timeout=10)) as one:
            one.request("GET", "/api/me", headers={"Host": "localhost"})
            assert json.loads(one.getresponse().read())["role"] == "screen"


def test_without_room_for_one_more_file_the_server_pauses_and_goes_on(
    served: WebServer, undo: ExitStack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tableside.adapters.web.server.PAUSE_SECONDS", 0.05)
    tries: list[int] = []
    real = socket.socket.accept

    def full(self: socket.socket) -> Any:
        tries.append(1)
        if len(tries) <= 3:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return real(self)

    monkeypatch.setattr(socket.socket, "accept", full)
    with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)) as one:
        one.request("GET", "/api/me")
        assert one.getresponse().status == 200
    said = [one for one in caplog.records if "no connection is taken" in one.getMessage()]
    assert len(said) == 3  # one line for a pause, and no traceback
    assert not [one for one in caplog.records if one.exc_info]


@pytest.mark.parametrize(
    "path", ["/", "/player", "/theme.css", "/icon.svg", "/words/de.json", "/help", "/api/sets", "/api/me"]
)
def test_a_head_is_what_a_get_has_and_says_each_thing_once(served: WebServer, path: str) -> None:
    def heads(method: str) -> list[tuple[str, str]]:
        with closing(http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)) as one:
            one.request(method, path)
            answer = one.getresponse()
            answer.read()
            return [(name.lower(), value) for name, value in answer.getheaders() if name.lower() != "transfer-encoding"]

    for method in ("GET", "HEAD"):
        names = [name for name, _ in heads(method)]
        assert len(names) == len(set(names)), names
        assert "date" in names
    sizes = ("content-length", "date")
    got, head = (dict(one for one in heads(method) if one[0] not in sizes) for method in ("GET", "HEAD"))
    assert head == got
