"""A web server that takes what it is sent, answers as a test says, and can be absent."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class HttpSink:
    """Keeps every call in order. ``answer`` may be replaced at any time.

    :param port: 0 takes a free one; give the same again for a server that comes back.
    :param certificate: a folder with ``cert.pem`` and ``key.pem``, for TLS.
    """

    def __init__(
        self, answer: Callable[[Call], Reply] = lambda _: Reply(), *, port: int = 0, certificate: Path | None = None
    ) -> None:
        self.answer = answer
        self.calls: list[Call] = []
        self._changed = threading.Condition()
        sink = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _take(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length)
                if len(body) < length:  # the caller was killed while it sent: no server takes half a request
                    self.close_connection = True
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                call = Call(method=self.command, path=self.path, headers=headers, body=body)
                reply = sink.answer(call)
                with sink._changed:
                    sink.calls.append(call)
                    sink._changed.notify_all()
                text = b"" if reply.body is None else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = do_DELETE = _take  # noqa: N815

            def log_message(self, format: str, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, *_: Any) -> None:
                pass  # a caller that is killed is no fault of this server

        self._server = Server(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def wait_for(self, is_there: Callable[[list[Call]], bool], *, timeout: float = 30.0) -> None:
        """Wait until the calls are as wanted, or fail."""
        with self._changed:
            found = self._changed.wait_for(lambda: is_there(self.calls), timeout)
            assert found, [(call.method, call.path, call.body[:200]) for call in self.calls[-20:]]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
