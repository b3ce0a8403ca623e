"""The server: Tornado's, on a thread of its own, with a bounded number of threads for the Flask application.

Tornado reads requests and writes answers without a thread for each connection, so one that is idle, slow or does not
read holds nobody up; it ends what takes too long, tells when a display has left, and stops when it is asked to. Each
open event stream takes a thread only while it makes its next line. `tests/adapters/test_web_stream.py` measures it.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.utils import formatdate
from typing import Any, cast

from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPMessageDelegate, HTTPServerRequest, ResponseStartLine
from tornado.ioloop import IOLoop
from tornado.iostream import IOStream, StreamClosedError
from tornado.netutil import bind_sockets
from tornado.wsgi import WSGIContainer

from tableside.adapters.web.photographs import MOST_PHOTO_BYTES, PHOTOGRAPHS
from tableside.adapters.web.stream import IS_GONE, STREAMS
from tableside.errors import PortInUse

_log = logging.getLogger(__name__)

MOST = 400
"""Connections at the same time. One more has the one ended that has waited for its next request for longest."""
IDLE_SECONDS = 15.0
"""So long a connection may take until the head of its next request is there."""
SENDING_SECONDS = 30.0
"""So long the rest of a request may take, be it a megabyte over a bad wireless network."""
UNREAD_SECONDS = 30.0
"""So long a peer may leave something unread."""
PAUSE_SECONDS = 1.0
"""So long no connection is taken after one for which the system had no room."""
_NO_ROOM = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_MOST_HEAD_BYTES, _MOST_BODY_BYTES = 32_768, 1_000_000
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
        app: Any,
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
            if host not in ("", "::"):  # Tornado leaves a socket open where the address is not this machine's
                with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
                    tried.bind((host, 0))
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
        self._secure_server = self._served(self._secure, context)

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
            self._plain = self._served(self._sockets)

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
        self._threads.shutdown()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    def _served(self, sockets: list[socket.socket], context: ssl.SSLContext | None = None) -> _Server:
        server = _Server(
            self._bridge, ssl_options=context, max_header_size=_MOST_HEAD_BYTES, max_body_size=MOST_PHOTO_BYTES,
            **self._limits,
        )  # fmt: skip
        server.peers = self._bridge.peers
        server.add_sockets(sockets)
        self._servers.append(server)
        return server

    async def _serve(self) -> None:
        self._plain = self._served(self._sockets)
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
    return [_Listening(fileno=one.detach()) for one in bind_sockets(port, None if host in ("", "::") else host)]


class _Peers:
    """The open connections, those that wait for a request in the order in which they began to."""

    def __init__(self) -> None:
        self._idle: dict[IOStream, None] = {}
        self._busy: set[IOStream] = set()

    @property
    def count(self) -> int:
        return sum(not one.closed() for one in (*self._idle, *self._busy))

    def came(self, peer: IOStream) -> None:
        """Note a new connection, and end one where there are too many."""
        self._idle = {one: None for one in self._idle if not one.closed()}
        self._idle[peer] = None
        if self.count > MOST:
            oldest = next(iter(self._idle))  # the new one where no other is idle
            del self._idle[oldest]
            oldest.close()

    def is_busy(self, peer: IOStream) -> None:
        self._idle.pop(peer, None)
        self._busy.add(peer)

    def is_idle(self, peer: IOStream) -> None:
        self._busy.discard(peer)
        if not peer.closed():
            self._idle[peer] = None


class _Server(HTTPServer):
    """Tornado's server for a bounded number of connections."""

    peers: _Peers

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        for level, option, value in dead_peer_options():
            stream.socket.setsockopt(level, option, value)
        self.peers.came(stream)
        if not stream.closed():
            super().handle_stream(stream, address)

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        return _Sized(super().start_request(server_conn, request_conn), cast(HTTP1Connection, request_conn))


class _Sized(HTTPMessageDelegate):
    """Allows a photograph of dice a larger body than anything else."""

    def __init__(self, inner: HTTPMessageDelegate, connection: HTTP1Connection) -> None:
        self._connection = connection
        self.data_received = inner.data_received  # type: ignore[method-assign]
        self.finish = inner.finish  # type: ignore[method-assign]
        self.on_connection_close = inner.on_connection_close  # type: ignore[method-assign]
        self._headers_received = inner.headers_received

    def headers_received(self, start_line: Any, headers: HTTPHeaders) -> Any:
        is_photo = start_line.path.partition("?")[0] == PHOTOGRAPHS
        self._connection.set_max_body_size(MOST_PHOTO_BYTES if is_photo else _MOST_BODY_BYTES)
        return self._headers_received(start_line, headers)


class _Bridge(WSGIContainer):
    """Runs the application for each request, on a thread of the pool; a stream is sent line by line."""

    def __init__(self, app: Any, threads: ThreadPoolExecutor, *, unread_seconds: float) -> None:
        super().__init__(app, threads)
        self.peers = _Peers()
        self._unread_seconds = unread_seconds
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, request: HTTPServerRequest) -> None:
        task = asyncio.get_running_loop().create_task(self.handle_request(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self, seconds: float) -> None:
        """Wait until every request is answered or given up, but no longer than so long."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def handle_request(self, request: HTTPServerRequest) -> None:
        connection = cast(HTTP1Connection, request.connection)
        peer, gone = connection.stream, threading.Event()
        self.peers.is_busy(peer)
        connection.set_close_callback(gone.set)
        answer = _Answer(self.wsgi_application, {**self.environ(request), IS_GONE: gone.is_set})
        loop = asyncio.get_running_loop()
        try:
            chunk = await loop.run_in_executor(self.executor, answer.begin)
            await self._sent(connection.write_headers(answer.start, answer.headers, chunk))
            while not answer.is_whole and not gone.is_set():
                line = await loop.run_in_executor(self.executor, answer.next)
                if line is None:
                    break
                await self._sent(connection.write(line))
            connection.finish()
        except (StreamClosedError, TimeoutError):
            peer.close()
        except Exception:
            _log.exception("the answer to %s %s failed", request.method, request.path)
            peer.close()
        finally:
            await loop.run_in_executor(self.executor, answer.close)
            self.peers.is_idle(peer)

    async def _sent(self, written: Any) -> None:
        await asyncio.wait_for(written, self._unread_seconds)


class _Answer:
    """What the application answers. Everything here runs on threads of the pool, one after the other."""

    def __init__(self, app: Any, environ: dict[str, Any]) -> None:
        self._app = app
        self._environ = environ
        self._close: Callable[[], object] = lambda: None
        self._parts: Iterator[bytes] = iter(())
        self.start = ResponseStartLine("HTTP/1.1", 500, "Internal Server Error")
        self.headers = HTTPHeaders()
        self.is_whole = False

    def begin(self) -> bytes:
        """Run the application and return all of the answer, or its first part where its length is not known."""
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
        for name, value in (("Server", "tableside"), ("Date", formatdate(usegmt=True)), *headers):
            self.headers.add(name, value)
        return lambda _: None


def _is_taken(host: str, port: int) -> bool:
    """Return whether somebody answers there: SO_REUSEADDR would let two servers share a port on some systems."""
    name = "127.0.0.1" if host in ("", "0.0.0.0") else host
    with suppress(OSError), socket.create_connection((name, port), timeout=0.5):
        return True
    return False
