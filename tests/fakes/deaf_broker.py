"""Brokers that are there and do not do what is needed: one answers no message, others know no MQTT 5."""

from __future__ import annotations

import socket
import struct
import threading
from abc import ABC, abstractmethod
from typing import BinaryIO

_CONNECT, _PUBLISH, _SUBSCRIBE, _PING = 1, 3, 8, 12


class _Listener(ABC):
    """Listens on a free port until it is closed."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._meet(connection)

    @abstractmethod
    def _meet(self, connection: socket.socket) -> None:
        """Deal with a new connection."""


class DeafBroker(_Listener):
    """Takes messages and, over its first connection, answers none of them: just enough of MQTT 5, on a free port.

    :ivar connections: how many there have been. :ivar taken: payloads that were answered, in order.
    """

    def __init__(self) -> None:
        self.connections = 0
        self.taken: list[bytes] = []
        super().__init__()

    def _meet(self, connection: socket.socket) -> None:
        self.connections += 1
        threading.Thread(target=self._serve, args=(connection, self.connections > 1), daemon=True).start()

    def _serve(self, connection: socket.socket, is_answering: bool) -> None:
        with connection, connection.makefile("rb") as stream:
            while head := stream.read(1):
                kind, body = head[0] >> 4, stream.read(_length(stream))
                answer = self._answer(kind, head[0] >> 1 & 3, body, is_answering)
                if answer:
                    connection.sendall(answer)

    def _answer(self, kind: int, quality: int, body: bytes, is_answering: bool) -> bytes:
        if kind == _CONNECT:
            return b"\x20\x03\x00\x00\x00"
        if kind == _PING:
            return b"\xd0\x00"
        if kind == _SUBSCRIBE:
            return b"\x90\x04" + body[:2] + b"\x00\x01"
        if kind == _PUBLISH and quality and is_answering:
            (topic,) = struct.unpack(">H", body[:2])
            if body[2 : 2 + topic].endswith(b"/event"):
                self.taken.append(body[2 + topic + 2 + 1 :])  # after the id, and no properties
            return b"\x40\x02" + body[2 + topic : 4 + topic]
        return b""


class OldBroker(_Listener):
    """Speaks MQTT 3.1.1 alone, on a free port.

    :param refusal: what it answers to another version before it ends the connection. MQTT 3.1.1 asks for return code 1
        (3.1.2.2); some end it without a word.
    """

    def __init__(self, refusal: bytes = b"\x20\x02\x00\x01") -> None:
        self._refusal = refusal
        super().__init__()

    def _meet(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            if not stream.read(1):
                return
            body = stream.read(_length(stream))
            (name,) = struct.unpack(">H", body[:2])
            is_known = body[2 + name] == 4
            connection.sendall(b"\x20\x02\x00\x00" if is_known else self._refusal)


def _length(stream: BinaryIO) -> int:
    """Return a variable byte integer (MQTT 5, 1.5.5)."""
    value, shift = 0, 0
    while True:
        byte = stream.read(1)[0]
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
