"""Connections that hold nobody up: one that is idle or too slow, or whose peer vanished, is ended."""

from __future__ import annotations

import socket
import time
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer

MOST = 400
"""Connections at the same time. One more has the one that has been idle for longest ended."""
IDLE_SECONDS = 15.0
"""So long a connection may be there without a request."""
SENDING_SECONDS = 30.0
"""So long the sending of a request may take, be it a megabyte over a bad wireless network."""
UNREAD_SECONDS = 30.0
"""So long a peer may leave something unread."""
_GONE_SECONDS = 20
_PROBE_AFTER_SECONDS, _PROBE_EVERY_SECONDS, _PROBES = 10, 5, 3
_LOOK_SECONDS = 2.0


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


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection that knows how long it has kept us waiting.

    :ivar waits_since: when its last answer was on the way, or it was made. :ivar read_since: when nothing was unread.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        self.waits_since = self.read_since = time.monotonic()
        super().__init__(*args, **more)

    def service(self) -> None:
        super().service()
        self.waits_since = time.monotonic()

    def is_overdue(self, now: float) -> bool:
        """Return whether it has kept us waiting for too long."""
        if self.total_outbufs_len:
            self.waits_since = now
            return now - self.read_since > UNREAD_SECONDS
        self.read_since = now
        if self.requests:
            return False
        return now - self.waits_since > (IDLE_SECONDS if self.request is None else SENDING_SECONDS)


class Listener(TcpWSGIServer):  # type: ignore[misc]
    """Waitress's server, which by itself waits for what is slow and, once there are too many connections, for all."""

    channel_class = Connection
    next_channel_cleanup = 0.0

    def set_socket_options(self, conn: socket.socket) -> None:
        for level, option, value in dead_peer_options():
            conn.setsockopt(level, option, value)

    def readable(self) -> bool:
        now = time.monotonic()
        if now >= self.next_channel_cleanup:
            self.next_channel_cleanup = now + _LOOK_SECONDS
            self.maintenance(now)
        return bool(self.accepting)

    def maintenance(self, now: float) -> None:
        """End what is overdue. ``now`` is of the monotonic clock: the time of day of a Pi may jump."""
        for connection in self.active_channels.values():
            if connection.is_overdue(now):
                connection.will_close = True

    def handle_accept(self) -> None:
        super().handle_accept()
        if len(self.active_channels) > MOST:
            idle = [one for one in self.active_channels.values() if not one.requests]
            min(idle, key=lambda one: one.waits_since).handle_close()  # the new one where no other is idle
