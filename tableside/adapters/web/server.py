"""The server: waitress in this process, with a thread for each event stream and some for everything else.

Measured with 64 open streams on two cores, median and 95 %: GET /api/state 0.7 and 1.4 ms, a change to each stream
2.3 and 3.4 ms, 38 MB. With waitress's usual 4 threads, 4 streams are served and nothing else ever is. Werkzeug's
threaded server takes 1.4 and 3.1 ms, and 5.1 and 9.8 ms.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from tableside.adapters.web.listener import Listener
from tableside.adapters.web.stream import STREAMS
from tableside.errors import PortInUse

_OTHER_THREADS = 16


class WebServer:
    """Serves a WSGI application until it is closed.

    :raises PortInUse: when another program listens there, or the address is not this machine's.
    """

    def __init__(self, app: Any, *, host: str, port: int) -> None:
        where = f"{host}:{port}"
        if port and _is_taken(host, port):
            hint = f"Stop it, or choose another port, such as --port {port + 1}."
            raise PortInUse("another program listens there", where=where, hint=hint)
        self._app = app
        self._sockets: dict[int, Any] = {}
        self._dispatcher = ThreadedTaskDispatcher()
        self._listeners: list[Listener] = []
        try:
            settings = Adjustments(
                host=host,
                port=port,
                # that a display went is seen at once, and not with the next line that is sent to it
                channel_request_lookahead=1,
                # a display that stops reading keeps its own thread waiting at this many bytes, and nobody else's
                outbuf_high_watermark=262_144,
                max_request_body_size=1_000_000,
                max_request_header_size=32_768,
                ident="tableside",
                log_socket_errors=False,  # a peer that vanished is no news
                # a call that somebody handed on is not the own screen's: its headers must be seen
                clear_untrusted_proxy_headers=False,
            )
            for address in settings.listen:  # a name such as localhost stands for several
                self._listeners.append(
                    Listener(app, self._sockets, dispatcher=self._dispatcher, adj=settings, sockinfo=address)
                )
        except (OSError, ValueError) as error:  # waitress says ValueError to a host that is no name
            wasyncore.close_all(self._sockets, ignore_all=True)
            hint = "Choose an address of this machine and a port that is free and above 1023."
            reason = getattr(error, "strerror", None) or error
            raise PortInUse(f"cannot listen there ({reason})", where=where, hint=hint) from error
        self._dispatcher.set_thread_count(STREAMS + _OTHER_THREADS)
        self._thread = threading.Thread(target=self._run, name="tableside web", daemon=True)

    @property
    def port(self) -> int:
        """The port that is listened on, also where 0 was asked for."""
        return int(self._listeners[0].effective_port)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the streams and stop listening. Closing twice does no harm."""
        streams = getattr(self._app, "extensions", {}).get("tableside_streams")
        if streams is not None:
            streams.close()
        # close on the server's own thread, which may be waiting for sockets; that thread may be awake, and close all,
        # the trigger too, before it is woken; so it is at a second close
        with suppress(OSError):
            self._listeners[0].trigger.pull_trigger(lambda: wasyncore.close_all(self._sockets, ignore_all=True))
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._dispatcher.shutdown(cancel_pending=True, timeout=2)

    def _run(self) -> None:
        wasyncore.loop(timeout=1, map=self._sockets, use_poll=True)  # select() knows no socket above 1023


def _is_taken(host: str, port: int) -> bool:
    """Return whether somebody answers there: SO_REUSEADDR would let two servers share a port on some systems."""
    name = "127.0.0.1" if host in ("", "0.0.0.0") else host
    try:
        with socket.create_connection((name, port), timeout=0.5):
            return True
    except OSError:
        return False
