"""Tell systemd that the program is alive, by its notify protocol: a datagram to the socket that it names.

``sd_notify(3)``. Nothing happens where systemd did not start the program. The table's own loop gives the beat, so that
a loop that hangs is noticed; systemd then starts the program again, and the roll log loses nothing.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping

_MICROSECONDS = 1e-6
_MORE_SECONDS = 60.0
"""So much more time a start that works asks for at once, and again when half of it is over."""
_SEND_SECONDS = 1.0
"""So long a word to systemd may take: a table does not stop for one."""


class Watchdog:
    """Tells systemd that the start takes longer, ``ready``, a beat now and then, and ``stopping``.

    :param environment: where systemd says what it wants: ``NOTIFY_SOCKET`` and ``WATCHDOG_USEC``.
    """

    def __init__(
        self, environment: Mapping[str, str] = os.environ, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        # half of what systemd allows, as it advises
        self._seconds = float(environment.get("WATCHDOG_USEC") or 0) * _MICROSECONDS / 2
        self._clock = clock
        self._beaten = float("-inf")
        self._is_ready = False

    def working(self) -> None:
        """Ask for more time as long as start-up goes on; may be called as often as one likes."""
        now = self._clock()
        if not self._is_ready and now - self._beaten >= _MORE_SECONDS / 2:
            self._beaten = now
            self._tell(f"EXTEND_TIMEOUT_USEC={_MORE_SECONDS / _MICROSECONDS:.0f}")

    def ready(self, words: str = "") -> None:
        """Say that start-up is done. ``words`` stand in the service's status from then on."""
        self._is_ready, self._beaten = True, float("-inf")
        self._tell(f"READY=1\nSTATUS={_line(words)}" if words else "READY=1")

    def beat(self) -> None:
        """Say that all is well; may be called as often as one likes."""
        now = self._clock()
        if self._seconds and now - self._beaten >= self._seconds:
            self._beaten = now
            self._tell("WATCHDOG=1")

    def failed(self, words: str) -> None:
        """Say why the program ends: the service's status keeps the words, and the kiosk shows them."""
        self._tell(f"STATUS={_line(words)}")

    def stopping(self) -> None:
        """Say that the end was asked for."""
        self._tell("STOPPING=1")

    def _tell(self, words: str) -> None:
        if not self._address:
            return
        # a leading @ stands for the zero byte of an abstract socket
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
                notify.settimeout(_SEND_SECONDS)
                notify.connect(address)
                notify.sendall(words.encode())
        except TimeoutError:
            return  # systemd is behind with reading: the next word may come to it
        except OSError:
            self._address = ""  # systemd listens no more: it is not for us to stop for that


def _line(words: str) -> str:
    return " ".join(words.split())
