"""The server: Tornado's, on a thread of its own, with a bounded number of threads for the Flask application.

Tornado reads requests and writes answers without a thread for each connection, so one that is idle, slow or does not
read holds nobody up; it ends what takes too long, tells when a display has left, and stops when it is asked to. Each
open event stream takes a thread only while it makes its next line. `tests/adapters/test_web_stream.py` measures it.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import select
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.utils import formatdate
from io import BytesIO
from typing import Any, cast

from flask import Flask, Request
from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPInputError,
    HTTPMessageDelegate,
    HTTPServerRequest,
    ResponseStartLine,
)
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream, StreamClosedError
from tornado.netutil import bind_sockets
from tornado.wsgi import WSGIContainer

from tableside.adapters.web.budget import REFUSED, Places, Sender, Turns
from tableside.adapters.web.guard import Caller, is_loopback, network_of, stranger_refused
from tableside.adapters.web.pairing import Role
from tableside.adapters.web.photographs import MOST_PHOTO_BYTES, PHOTOGRAPHS
from tableside.adapters.web.stream import IS_GONE, STREAMS
from tableside.errors import Busy, PortInUse, TablesideError

_log = logging.getLogger(__name__)

CONNECTIONS = 400
"""At the same time. One more has the one ended that has waited for its next request for longest."""
A_SENDERS_CONNECTIONS = 32
_CONNECTIONS_KEPT: dict[str, int] = {Role.SCREEN: 16, Role.GM: 16, Role.PLAYER: 128}
BODIES = 16
"""Large bodies at the same time, each from its head until it is answered."""
A_SENDERS_BODIES = 3
_BODIES_KEPT: dict[str, int] = {Role.SCREEN: 3, Role.GM: 3, Role.PLAYER: 7}
IDLE_SECONDS = 15.0
"""So long a connection may take until the head of its next request is there."""
SENDING_SECONDS = 30.0
"""So long the rest of a request may take, be it a megabyte over a bad wireless network."""
UNREAD_SECONDS = 30.0
"""So long a peer may leave something unread."""
PAUSE_SECONDS = 1.0
"""So long no connection is taken after one for which the system had no room."""
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_MOST_HEAD_BYTES, _SMALL_BODY_BYTES, _MOST_BODY_BYTES = 32_768, 16_384, 1_000_000
_OTHER_THREADS = 16
_STOP_SECONDS = 5.0
_GONE_SECONDS = 20
_PROBE_AFTER_SECONDS, _PROBE_EVERY_SECONDS, _PROBES = 10, 5, 3


def dead_peer_options() -> list[tuple[int, int, int]]:
    """Return socket options that end a connection about 25 s after its peer vanished without a word.

    What is sent and not acknowledged for 20 s ends it (TCP_USER_TIMEOUT of Linux, RFC 5482, in milliseconds), also
    where the peer's window stays shut. One over which nothing is sent is probed: 10 s of silence, then three probes.
    """
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    for name, value in (
        ("TCP_KEEPIDLE", _PROBE_AFTER_SECONDS),
        ("TCP_KEEPALIVE", _PROBE_AFTER_SECONDS),  # macOS's name for it
        ("TCP_KEEPINTVL", _PROBE_EVERY_SECONDS),
        ("TCP_KEEPCNT", _PROBES),
        ("TCP_USER_TIMEOUT", _GONE_SECONDS * 1000),
    ):
        if hasattr(socket, name):
            options.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    return options


class WebServer:
    """Serves a Flask application until it is closed.

    :param idle_seconds: see :data:`IDLE_SECONDS`, :data:`SENDING_SECONDS` and :data:`UNREAD_SECONDS`.
    :raises PortInUse: when another program listens there, or the address is not this machine's.
    """

    def __init__(
        self,
        app: Flask,
        *,
        host: str,
        port: int,
        idle_seconds: float = IDLE_SECONDS,
        sending_seconds: float = SENDING_SECONDS,
        unread_seconds: float = UNREAD_SECONDS,
    ) -> None:
        where = f"{host}:{port}"
        if port and _is_taken(host, port):
            hint = f"Stop it, or choose another port, such as --port {port + 1}."
            raise PortInUse(where=where, hint=hint)
        try:
            self._sockets = _listening(port, host)
        except (OSError, ValueError, OverflowError) as error:  # ValueError: the host is no name
            hint = "Choose an address of this machine and a port that is free and above 1023."
            reason = getattr(error, "strerror", None) or error
            raise PortInUse(f"cannot listen there ({reason})", where=where, hint=hint) from error
        self._app = app
        self._threads = ThreadPoolExecutor(STREAMS + _OTHER_THREADS, thread_name_prefix="tableside web")
        self._bridge = _Bridge(app, self._threads, unread_seconds=unread_seconds)
        self._limits = {"idle_connection_timeout": idle_seconds, "body_timeout": sending_seconds}
        self._loop = asyncio.new_event_loop()
        self._servers: list[_Server] = []
        self._secure: list[socket.socket] = []
        self._plain: _Server
        self._secure_server: _Server
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="tableside web", daemon=True)
        self._is_closed = False

    @property
    def port(self) -> int:
        """The port that is listened on, also where 0 was asked for."""
        return int(self._sockets[0].getsockname()[1])

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return self._bridge.peers.count

    def start(self) -> None:
        self._thread.start()

    def listen_everywhere(self) -> None:
        """Listen on all addresses of this machine from now on, at the same port. Open connections stay.

        :raises PortInUse: when another program listens there; all is then as before.
        """
        asyncio.run_coroutine_threadsafe(self._widen(), self._loop).result()

    @property
    def secure_port(self) -> int | None:
        """The port of HTTPS, ``None`` where there is none."""
        return int(self._secure[0].getsockname()[1]) if self._secure else None

    def listen_securely(self, context: ssl.SSLContext, *, host: str, port: int) -> None:
        """Serve the same by HTTPS at another port, too. Called again, it serves by another certificate.

        :raises PortInUse: when another program listens there, or the address is not this machine's.
        """
        asyncio.run_coroutine_threadsafe(self._serve_securely(context, host, port), self._loop).result()

    async def _serve_securely(self, context: ssl.SSLContext, host: str, port: int) -> None:
        if self._secure:
            port = self._secure[0].getsockname()[1]
            self._secure_server.stop()
        try:
            self._secure = _listening(port, host)
        except (OSError, ValueError, OverflowError) as error:
            self._secure = []
            hint = "Choose another with [web] tls_port, such as 8444."
            raise PortInUse(where=f"{host}:{port}", hint=hint) from error
        self._secure_server = self._make_server(self._secure, context)

    async def _widen(self) -> None:
        before, port = self._sockets[0].getsockname()[:2]
        self._plain.stop()  # while it listens, no other socket may have its port
        try:
            self._sockets = _listening(port, "")
        except OSError as error:
            self._sockets = _listening(port, before)
            hint = "Stop the other program, or choose another port."
            raise PortInUse(where=f"0.0.0.0:{port}", hint=hint) from error
        finally:
            self._plain = self._make_server(self._sockets)

    def close(self) -> None:
        """End the streams and stop listening. Closing twice does no harm."""
        if self._is_closed:
            return
        self._is_closed = True
        streams = getattr(self._app, "extensions", {}).get("tableside_streams")
        if streams is not None:
            streams.close()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
        else:
            for one in self._sockets:
                one.close()
        self._loop.close()
        self._threads.shutdown(cancel_futures=True)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    def _make_server(self, sockets: list[socket.socket], context: ssl.SSLContext | None = None) -> _Server:
        server = _Server(
            self._bridge, ssl_options=context, max_header_size=_MOST_HEAD_BYTES, max_body_size=MOST_PHOTO_BYTES,
            **self._limits,
        )  # fmt: skip
        server.bridge = self._bridge
        server.add_sockets(sockets)
        self._servers.append(server)
        return server

    async def _serve(self) -> None:
        self._plain = self._make_server(self._sockets)
        await self._stop.wait()
        for server in self._servers:
            server.stop()
            await server.close_all_connections()
        await self._bridge.finish(_STOP_SECONDS)


class _Listening(socket.socket):
    """A socket that takes connections, and none for a moment where the system has no room for one more file."""

    def accept(self) -> tuple[socket.socket, Any]:
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            _log.warning("no connection is taken for %g s: %s", PAUSE_SECONDS, error.strerror)
            loop = IOLoop.current()
            loop.update_handler(self, 0)
            loop.call_later(PAUSE_SECONDS, self._again)
            raise BlockingIOError from error  # it waits in the system's queue

    def _again(self) -> None:
        if self.fileno() >= 0:
            IOLoop.current().update_handler(self, IOLoop.READ)


def _listening(port: int, host: str) -> list[socket.socket]:
    """Return sockets that listen there. By IPv6 alone, this machine's own screen would be shut out: ``::`` is all."""
    host = "" if host == "::" else host
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind((host, port))  # Tornado leaves a socket open where that fails
    return [_Listening(fileno=one.detach()) for one in bind_sockets(port, host or None)]


class _Peers:
    """The open connections and whose they are, those that wait for a request in the order in which they began to."""

    def __init__(self) -> None:
        self._whose: dict[IOStream, Sender] = {}
        self._busy: set[IOStream] = set()
        self._places = Places(CONNECTIONS, each=A_SENDERS_CONNECTIONS, kept=_CONNECTIONS_KEPT)

    @property
    def count(self) -> int:
        return sum(not one.closed() for one in self._whose)

    def came(self, peer: IOStream, sender: Sender) -> None:
        """Note a new connection, and end one where there are too many."""
        for one in [one for one in self._whose if one.closed()]:
            self._forget(one)
        while not self._places.take(sender):
            ended = self._least(sender) or peer
            ended.close()
            if ended is peer:
                return
            self._forget(ended)
        self._whose[peer] = sender

    def is_busy(self, peer: IOStream, sender: Sender) -> None:
        """Note that a request has come, and whose it is; who has too many is ended, as above."""
        if peer in self._whose:
            self._forget(peer)
            self.came(peer, sender)
            self._busy.add(peer)

    def is_idle(self, peer: IOStream) -> None:
        self._busy.discard(peer)
        if peer in self._whose:
            self._whose[peer] = self._whose.pop(peer)

    def _least(self, sender: Sender) -> IOStream | None:
        """Return what is ended for this sender: an idle one of its own where it has all that one may have.

        Else one of the stranger who has most of them, an idle one before others.
        """
        count = Counter(one.key for one in self._whose.values())
        if self._places.has_all(sender):
            found = [one for one, whose in self._whose.items() if whose.key == sender.key and one not in self._busy]
        else:
            found = [one for one, whose in self._whose.items() if whose.role is None]
        return min(found, key=lambda one: (one in self._busy, -count[self._whose[one].key]), default=None)

    def _forget(self, peer: IOStream) -> None:
        self._places.leave(self._whose.pop(peer))
        self._busy.discard(peer)


class _Server(HTTPServer):
    """Tornado's server for a bounded number of connections."""

    bridge: _Bridge

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        for level, option, value in dead_peer_options():
            stream.socket.setsockopt(level, option, value)
        # who calls from this machine is told apart once the head of a request is there: a proxy calls for others
        key = "" if is_loopback(address[0]) else network_of(address[0])
        self.bridge.peers.came(stream, Sender(key=key))
        if not stream.closed():
            super().handle_stream(stream, address)

    def start_request(self, _server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return _Asked(self.bridge, cast(HTTP1Connection, request_conn))


class _Asked(HTTPMessageDelegate):
    """A request as it comes in. From its head on it is known who sends it, and whether a large body is taken.

    :ivar environ: what the application gets.
    """

    environ: dict[str, Any]
    sender: Sender

    def __init__(self, bridge: _Bridge, connection: HTTP1Connection) -> None:
        self._bridge = bridge
        self.connection = connection
        self.peer = connection.stream
        self.is_gone = threading.Event()
        self.is_read = asyncio.Event()
        self.turn: asyncio.Future[None] | None = None
        self._chunks: list[bytes] = []
        self._has_place = self._is_refused = False

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> None:
        if self.peer.closed():  # what it asked before is nobody's any more
            return
        head = HTTPServerRequest(connection=self.connection, start_line=start_line, headers=headers.copy())
        try:
            self.environ = self._bridge.environ(head) | {IS_GONE: self.is_gone.is_set}
        except ValueError as error:  # such as a port that is no number
            raise HTTPInputError(f"the head is wrong: {error}") from error
        caller = self._bridge.caller_of(Request(self.environ, populate_request=False))
        self.sender = caller.sender
        self._bridge.peers.is_busy(self.peer, self.sender)
        self.connection.set_max_body_size(MOST_PHOTO_BYTES if head.path == PHOTOGRAPHS else _MOST_BODY_BYTES)
        length = headers.get("Content-Length", "0")
        if length.isdecimal() and int(length) <= _SMALL_BODY_BYTES and "Transfer-Encoding" not in headers:
            return
        if caller.role is Role.VIEWER:
            self._refuse(stranger_refused(), headers)
        elif self._bridge.bodies.take(self.sender):
            self._has_place = True
        else:
            hint = "It is sent again in a moment."
            self._refuse(Busy("too much is being sent at once", where=head.path, hint=hint), headers)

    def _refuse(self, why: TablesideError, headers: HTTPHeaders) -> None:
        """Answer at once; what still comes is read and dropped, as who sends it would not hear the answer else."""
        self._is_refused = True
        self.environ[REFUSED] = why
        if "Expect" in headers:  # it waits for the answer before it sends
            self.is_read.set()
        self._bridge.begin(self)

    def data_received(self, chunk: bytes) -> None:
        if not self._is_refused:
            self._chunks.append(chunk)

    def finish(self) -> None:
        self.is_read.set()
        if self._is_refused or self.peer.closed():
            return
        body = b"".join(self._chunks)
        self._chunks.clear()
        self.environ |= {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
        self._bridge.begin(self)

    def on_connection_close(self) -> None:
        self.is_gone.set()
        self.is_read.set()
        if self.turn is None:
            self.leave()
        else:
            self.turn.cancel()

    def leave(self) -> None:
        """Give the place of a body back."""
        if self._has_place:
            self._has_place = False
            self._bridge.bodies.leave(self.sender)


class _Bridge(WSGIContainer):
    """Runs the application for each request, on a thread of the pool; a stream is sent line by line."""

    def __init__(self, app: Flask, threads: ThreadPoolExecutor, *, unread_seconds: float) -> None:
        super().__init__(app, threads)
        self.caller_of: Callable[[Request], Caller] = app.extensions["tableside_caller"]
        self.peers = _Peers()
        self.bodies = Places(BODIES, each=A_SENDERS_BODIES, kept=_BODIES_KEPT)
        self._turns = Turns()
        self._unread_seconds = unread_seconds
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, asked: _Asked) -> None:
        """Answer a request once it is its sender's turn."""
        asked.turn = self._turns.ask(asked.sender)
        task = asyncio.get_running_loop().create_task(self._answer(asked, asked.turn))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Wait until every request is answered or given up; what takes longer than so long is given up."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer(self, asked: _Asked, turn: asyncio.Future[None]) -> None:
        connection, peer = asked.connection, asked.peer
        answer = _Answer(self.wsgi_application, asked.environ)
        loop = asyncio.get_running_loop()
        connection.set_close_callback(asked.on_connection_close)
        try:
            await turn
            try:
                if _has_left(peer):
                    raise StreamClosedError
                chunk = await loop.run_in_executor(self.executor, answer.begin)
            finally:
                self._turns.give_back(asked.sender, answer.seconds)
            await self._sent(connection.write_headers(answer.start, answer.headers, chunk))
            while not answer.is_whole and not asked.is_gone.is_set():
                line = await loop.run_in_executor(self.executor, answer.next)
                if line is None:
                    break
                await self._sent(connection.write(line))
            await asked.is_read.wait()
            connection.finish()
        except (StreamClosedError, TimeoutError, asyncio.CancelledError):
            peer.close()
        except Exception:
            _log.exception("the answer to %s %s failed", asked.environ["REQUEST_METHOD"], asked.environ["PATH_INFO"])
            peer.close()
        finally:
            asked.leave()
            self.peers.is_idle(peer)
            answer.close()

    async def _sent(self, written: Any) -> None:
        await asyncio.wait_for(written, self._unread_seconds)


class _Answer:
    """What the application answers. It is worked out on threads of the pool, a part after the other."""

    def __init__(self, app: Any, environ: dict[str, Any]) -> None:
        self._app = app
        self._environ = environ
        self._close: Callable[[], object] = lambda: None
        self._parts: Iterator[bytes] = iter(())
        self.start = ResponseStartLine("HTTP/1.1", 500, "Internal Server Error")
        self.headers = HTTPHeaders()
        self.is_whole = False
        self.seconds = 0.0

    def begin(self) -> bytes:
        """Run the application and return all of the answer, or its first part where its length is not known."""
        began = time.thread_time()
        try:
            return self._begin()
        finally:
            self.seconds = time.thread_time() - began

    def _begin(self) -> bytes:
        parts = self._app(self._environ, self._start_response)
        self._close = getattr(parts, "close", self._close)
        self._parts = iter(parts)
        self.is_whole = "Content-Length" in self.headers or self._environ["REQUEST_METHOD"] == "HEAD"
        return b"".join(self._parts) if self.is_whole else self.next() or b""

    def next(self) -> bytes | None:
        """Return the next part, ``None`` after the last."""
        return next(self._parts, None)

    def close(self) -> None:
        self._close()

    def _start_response(
        self, status: str, headers: list[tuple[str, str]], _error: Any = None
    ) -> Callable[[bytes], object]:
        code, _, reason = status.partition(" ")
        self.start = ResponseStartLine("HTTP/1.1", int(code), reason)
        for name, value in (("Server", "tableside"), *headers):
            self.headers.add(name, value)
        self.headers.setdefault("Date", formatdate(usegmt=True))
        return lambda _: None


def _has_left(peer: IOStream) -> bool:
    """Return whether a peer has closed: Tornado does not notice that while it holds a further request from it."""
    if peer.closed():
        return True
    if not hasattr(select, "POLLRDHUP"):  # Linux's alone
        return False
    looks = select.poll()
    looks.register(peer.socket, select.POLLRDHUP)
    return bool(looks.poll(0))


def _is_taken(host: str, port: int) -> bool:
    """Return whether somebody answers there: SO_REUSEADDR would let two servers share a port on some systems."""
    name = "127.0.0.1" if host in ("", "0.0.0.0") else host
    with suppress(OSError), socket.create_connection((name, port), timeout=0.5):
        return True
    return False
