"""What strangers may take of the server: work, bodies and connections, each known from the head of a request."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from typing import Any

import pytest
from flask import Flask
from tornado.iostream import IOStream

from tableside import paths
from tableside.adapters.web import Pairing, Services, WebServer, create_app
from tableside.adapters.web import server as server_module
from tableside.adapters.web.budget import Places, Sender, Turns, Used
from tableside.adapters.web.pairing import Role
from tableside.adapters.web.photographs import PHOTOGRAPHS
from tableside.table import Table
from tests.fakes.clock import Clock
from tests.until import until

PHOTO_BYTES = 11_000_000


class Peer:
    """Somebody on the network: its connection comes by a proxy on this machine, which says where it is."""

    def __init__(self, server: WebServer, address: str, *, cookie: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=60)
        self._head = f"Host: 127.0.0.1\r\nX-Forwarded-For: {address}\r\nCookie: tableside={cookie}\r\n"

    def ask(self, path: str, *, times: int = 1) -> None:
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n{self._head}\r\n".encode() * times)

    def send_head(self, path: str, length: int, more: str = "") -> None:
        self.socket.sendall(f"POST {path} HTTP/1.1\r\n{self._head}{more}Content-Length: {length}\r\n\r\n".encode())

    def answer(self) -> tuple[int, dict[str, str], Any]:
        """Return the status, head and JSON of the next answer."""
        answer = http.client.HTTPResponse(self.socket)
        answer.begin()
        found = answer.read()
        return answer.status, dict(answer.headers), json.loads(found) if found.startswith(b"{") else found

    def is_ended(self) -> bool:
        self.socket.settimeout(0.05)
        with suppress(TimeoutError):
            try:
                return self.socket.recv(1) == b""
            except ConnectionError:
                return True
        return False


Joined = Callable[..., Peer]


@pytest.fixture
def joined(served: WebServer, undo: ExitStack) -> Joined:
    def join(address: str, *, at: WebServer = served, **more: str) -> Peer:
        peer = Peer(at, address, **more)
        undo.callback(peer.socket.close)
        return peer

    return join


@pytest.fixture
def player(pairing: Pairing) -> str:
    """Return the cookie of a paired phone."""
    return pairing.pair(pairing.begin(Role.PLAYER).pin, name="Ilun", address="x")[0]


class Work:
    """An address that costs: it ends when it is let."""

    def __init__(self, app: Flask) -> None:
        self.go = threading.Event()
        self.at_work: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self.done: list[str] = []
        self._lock = threading.Lock()
        app.get("/api/costs/<whose>")(self.cost)

    def cost(self, whose: str) -> str:
        with self._lock:
            self.at_work[whose] += 1
            self.most |= self.at_work
        self.go.wait(20)
        with self._lock:
            self.at_work[whose] -= 1
            self.done.append(whose)
        return "x" * 300_000


@pytest.fixture
def work(app: Flask, undo: ExitStack) -> Work:
    work = Work(app)
    undo.callback(work.go.set)
    return work


def test_a_crowd_of_one_stranger_works_the_server_once_at_a_time_and_players_never_wait(
    work: Work, joined: Joined, player: str
) -> None:
    crowd = [joined("198.51.100.30") for _ in range(25)]
    for one in crowd:
        one.ask("/api/costs/crowd", times=12)
    until(lambda: work.at_work["crowd"] == 1)
    joined("198.51.100.31").ask("/api/costs/other")
    until(lambda: work.at_work["other"] == 1)
    late = joined("198.51.100.32")
    late.ask("/api/costs/late")
    phone = joined("198.51.100.30", cookie=player)  # behind the same address as the crowd
    for _ in range(3):
        phone.ask("/api/me")
        assert phone.answer()[2]["role"] == "player"
    assert (work.most["crowd"], work.most["other"], work.at_work["late"]) == (1, 1, 0)
    work.go.set()
    assert late.answer()[0] == 200  # before the crowd, which used more


def test_what_a_closed_connection_asked_is_dropped_and_the_next_stranger_is_served(work: Work, joined: Joined) -> None:
    crowd = [joined("198.51.100.30") for _ in range(20)]
    for one in crowd:
        one.ask("/api/costs/crowd", times=15)
    until(lambda: work.at_work["crowd"] == 1)
    for one in crowd:
        one.socket.close()
    work.go.set()
    for _ in range(2):
        after = joined("198.51.100.30")
        after.ask("/api/me")
        assert after.answer()[0] == 200
    assert len(work.done) < 20 < 20 * 15  # a few that had begun, or whose end was not heard of yet


def test_the_server_stops_though_a_crowd_waits(work: Work, joined: Joined, served: WebServer) -> None:
    for _ in range(20):
        joined("198.51.100.30").ask("/api/costs/crowd", times=15)
    until(lambda: work.at_work["crowd"] == 1)
    stopping = threading.Thread(target=served.close)
    stopping.start()
    until(lambda: served.connections == 0)
    work.go.set()
    stopping.join(20)
    assert not stopping.is_alive()
    assert len(work.done) == 1


def test_streams_that_do_not_end_in_time_are_given_up_without_a_word(
    app: Flask, served: WebServer, joined: Joined, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(server_module, "_STOP_SECONDS", 0.0)
    streams = app.extensions["tableside_streams"]
    for place in range(30):
        joined(f"198.51.100.{place}").ask("/api/events")
    until(lambda: streams.count == 30)
    with caplog.at_level(logging.INFO):
        served.close()
    assert (streams.count, len(served._bridge._tasks)) == (0, 0)  # what was left open would speak as the program ends
    assert not caplog.records
    assert "Traceback" not in capfd.readouterr().err


def test_a_strangers_photograph_is_refused_before_any_of_it_is_read(joined: Joined, served: WebServer) -> None:
    senders = [joined(f"198.51.100.{place}") for place in range(15)]
    for one in senders:
        one.send_head(f"{PHOTOGRAPHS}?id=a", PHOTO_BYTES)
    for one in senders:
        status, _, told = one.answer()
        assert (status, told["error"]["what"]) == (403, "only paired devices may change anything")
    assert len(served._bridge.bodies) == 0
    first = senders[0]
    for _ in range(PHOTO_BYTES // 500_000):  # it sends all of it though; the next request is answered
        first.socket.sendall(b"j" * 500_000)
    first.ask("/api/me")
    assert first.answer()[0] == 200
    asks = joined("198.51.100.99")
    asks.send_head(PHOTOGRAPHS, PHOTO_BYTES, more="Expect: 100-continue\r\n")
    assert asks.answer()[0] == 403  # and not 100


def test_three_bodies_of_strangers_are_taken_at_a_time_and_a_players_beside_them(
    table: Table, pairing: Pairing, player: str, joined: Joined, undo: ExitStack
) -> None:
    app = create_app(Services(table=table, web_folder=paths.web_folder(), pairing=pairing, is_open=True))
    server = WebServer(app, host="127.0.0.1", port=0)
    undo.callback(server.close)
    server.start()

    def sent(address: str, **more: str) -> Peer:
        peer = joined(address, at=server, **more)
        peer.send_head("/api/people", 60_000)
        return peer

    held = [sent(f"198.51.100.{place}") for place in range(3)]
    until(lambda: len(server._bridge.bodies) == 3)
    for _ in range(2):
        status, head, told = sent("198.51.100.50").answer()
        assert (status, head["Retry-After"]) == (503, "5")
        assert all(told["error"][part] for part in ("what", "where", "hint"))
    mine = [sent("198.51.100.50", cookie=player) for _ in range(3)]
    until(lambda: len(server._bridge.bodies) == 6)
    assert sent("198.51.100.50", cookie=player).answer()[0] == 503  # a phone has three, too
    mine[0].socket.sendall(b"{" * 60_000)
    assert mine[0].answer()[0] == 400
    held[0].socket.close()
    until(lambda: len(server._bridge.bodies) == 4)
    last = sent("198.51.100.50")
    last.socket.sendall(b"{" * 60_000)
    assert last.answer()[0] == 400


def test_idle_strangers_end_no_upload_and_one_address_has_its_share(
    app: Flask, player: str, joined: Joined, undo: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "CONNECTIONS", 60)
    monkeypatch.setattr(server_module, "_CONNECTIONS_KEPT", {Role.SCREEN: 2, Role.GM: 2, Role.PLAYER: 6})
    server = WebServer(app, host="127.0.0.1", port=0)
    undo.callback(server.close)
    server.start()
    phone = joined("198.51.100.9", at=server, cookie=player)
    phone.send_head("/api/people", 40_000)
    phone.socket.sendall(b"{" * 20_000)
    until(lambda: len(server._bridge.bodies) == 1)
    for _ in range(90):
        joined("198.51.100.30", at=server)  # and they say nothing
    phone.socket.sendall(b"{" * 20_000)
    assert phone.answer()[0] == 400
    until(lambda: server.connections <= 51)
    talkers = [joined("198.51.100.31", at=server) for _ in range(36)]
    for one in talkers:
        one.ask("/api/me")
        assert one.answer()[0] == 200
    until(lambda: sum(one.is_ended() for one in talkers) == 36 - server_module.A_SENDERS_CONNECTIONS)
    phone.ask("/api/me")
    assert phone.answer()[2]["role"] == "player"


class Line:
    """A connection that is only said."""

    is_closed = False

    def closed(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


def test_one_address_has_32_connections_and_pushes_out_its_own_alone() -> None:
    peers, home, other = server_module._Peers(), Sender(key="2001:db8:0:7::/64"), Sender(key="192.0.2.8")
    lines: list[Any] = [Line() for _ in range(50)]
    beside: Any = Line()
    peers.came(beside, other)
    for one in lines:
        peers.came(one, home)
    assert [one.is_closed for one in lines] == [True] * 18 + [False] * 32
    for one in lines[18:]:
        peers.is_busy(one, home)
    late: Any = Line()
    peers.came(late, home)
    assert (late.is_closed, beside.is_closed, peers.count) == (True, False, 33)
    peers.is_idle(lines[40])
    again: Any = Line()
    peers.came(again, home)
    assert (again.is_closed, lines[40].is_closed) == (False, True)


def test_when_strangers_have_all_their_connections_the_greediest_loses_one() -> None:
    peers = server_module._Peers()
    most = server_module.CONNECTIONS - sum(server_module._CONNECTIONS_KEPT.values())
    few: Any = Line()
    peers.came(few, Sender(key="192.0.2.1"))
    crowds = [[Line() for _ in range(30)] for _ in range(most // 30 + 1)]
    for place, crowd in enumerate(crowds):
        for one in crowd:
            peers.came(one, Sender(key=f"198.51.100.{place}"))
    assert peers.count == most
    assert not few.is_closed
    for place in range(40):
        phone: Any = Line()
        peers.came(phone, Sender(key=f"192.0.2.{place}"))
        peers.is_busy(phone, Sender(role=Role.PLAYER, key=f"device {place}"))
        assert not phone.is_closed
    assert not few.is_closed


def test_places_are_kept_for_roles_and_given_back() -> None:
    places = Places(7, each=2, kept={Role.GM: 1, Role.PLAYER: 3})
    strangers = [Sender(key=f"{n}") for n in range(4)]
    assert [places.take(one) for one in (*strangers[:1] * 3, *strangers[1:])] == [True, True, False, True, False, False]
    players = [Sender(role=Role.PLAYER, key=f"device {n}") for n in range(4)]
    assert [places.take(one) for one in players] == [True] * 3 + [False]
    places.leave(strangers[0])
    assert places.take(strangers[3])
    assert not places.take(players[3])
    assert [places.take(Sender(role=Role.GM)) for _ in range(2)] == [True, False]
    assert len(places) == 7


def test_what_somebody_used_is_forgotten_after_a_while() -> None:
    clock = Clock(50.0)
    used = Used(30.0, clock=clock)
    for amount in (0.25, 0.5):
        used.add("a", amount)
        clock.now += 10
    assert (used.of("a"), used.of("b")) == (0.75, 0.0)
    clock.now += 10
    used.add("b", 1.0)
    assert (used.of("a"), used.of("b")) == (0.0, 1.0)
    used.add("a", 2.0)
    assert used.of("a") == 2.0


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    with closing(asyncio.new_event_loop()) as loop:
        yield loop


def test_the_next_turn_is_of_who_used_least_and_of_nobody_who_left(loop: asyncio.AbstractEventLoop) -> None:
    clock = Clock(0.0)

    async def turns() -> None:
        turns = Turns(clock=clock)
        a, b, c, d = (Sender(key=key) for key in "abcd")
        first, second, again = turns.ask(a), turns.ask(b), turns.ask(a)
        assert [one.done() for one in (first, second, again)] == [True, True, False]
        assert turns.ask(Sender(role=Role.PLAYER, key="device 1")).done()
        third, left = turns.ask(c), turns.ask(d)
        left.cancel()
        turns.give_back(b, 0.5)
        assert (third.done(), again.done()) == (True, False)
        back = turns.ask(b)
        turns.give_back(a, 2.0)
        assert (back.done(), again.done()) == (True, False)  # b used less, though it came later
        turns.give_back(c, 0.1)
        assert again.done()
        turns.give_back(a, 0.0)
        turns.give_back(b, 0.0)
        clock.now += 61.0
        assert turns.ask(d).done()
        assert turns.ask(b).done()
        late, soon = turns.ask(c), turns.ask(a)
        turns.give_back(b, 0.3)
        assert (late.done(), soon.done()) == (True, False)  # what was used before is forgotten: who came first is next

    loop.run_until_complete(turns())


def test_who_left_is_known_before_and_after_the_server_closed_its_side() -> None:
    async def look() -> list[bool]:
        ours, theirs = socket.socketpair()
        peer, found = IOStream(ours), []
        for end in (lambda: None, theirs.close, peer.close):
            end()
            found.append(server_module._has_left(peer))
        return found

    assert asyncio.run(look()) == [False, True, True]
