"""A real Mosquitto on a free port, which a test can stop, kill and start again, and a listener beside it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


def need_mosquitto() -> None:
    """Skip where there is no Mosquitto; in CI that is a failure."""
    if PROGRAM is None:
        if os.environ.get("CI"):
            pytest.fail("mosquitto is missing; install Debian's package mosquitto")
        pytest.skip("mosquitto is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Mosquitto:
    """A broker that keeps what it holds over a restart.

    :param more: further lines of its configuration.
    """

    def __init__(self, folder: Path, *more: str, anonymous: bool = True) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        self._log = folder / "mosquitto.log"
        lines = (
            f"listener {self.port} 127.0.0.1",
            f"allow_anonymous {str(anonymous).lower()}",
            "persistence true",
            f"persistence_location {folder}/",
            "max_queued_messages 0",
            "max_inflight_messages 0",  # 2.0.11 miscounts those under way, and a listener may then wait for ever
            "user root",
            *more,
        )
        self._config.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        assert PROGRAM is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen([PROGRAM, "-c", str(self._config)], stdout=log, stderr=log)
        until = time.monotonic() + 30
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < until, self._log.read_text()
            time.sleep(0.02)

    def stop(self, *, how: signal.Signals = signal.SIGTERM) -> None:
        """End it; it keeps its state on disk unless it is killed."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def restart(self) -> None:
        self.stop()
        self.start()


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    topic: str
    payload: bytes
    is_retained: bool


class Listener:
    """Another program on the broker, with a session that lives through restarts."""

    def __init__(self, port: int, *topics: str, name: str = "listener", **login: str) -> None:
        from paho.mqtt.client import Client, MQTTv5
        from paho.mqtt.enums import CallbackAPIVersion
        from paho.mqtt.packettypes import PacketTypes
        from paho.mqtt.properties import Properties

        self.heard: list[Heard] = []
        self._changed = threading.Condition()
        self._ready = threading.Event()
        self._topics = topics
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=MQTTv5)
        if login:
            self._client.username_pw_set(login["username"], login["password"])
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._came
        lasting: Any = Properties(PacketTypes.CONNECT)
        lasting.SessionExpiryInterval = 3600
        self._client.connect("127.0.0.1", port, keepalive=10, clean_start=False, properties=lasting)
        self._client.loop_start()
        assert self._ready.wait(30)

    def publish(self, topic: str, payload: bytes | str, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(30)

    def of(self, topic: str) -> list[Heard]:
        with self._changed:
            return [one for one in self.heard if one.topic == topic]

    def wait_for(self, is_there: Callable[[list[Heard]], bool], *, timeout: float = 30.0) -> None:
        """Wait until what was heard is as wanted, or fail."""
        with self._changed:
            found = self._changed.wait_for(lambda: is_there(self.heard), timeout)
            assert found, [(one.topic, one.payload[:200]) for one in self.heard[-20:]]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: Any, *_: Any) -> None:
        client.subscribe([(topic, 1) for topic in self._topics])

    def _came(self, _client: Any, _data: Any, message: Any) -> None:
        with self._changed:
            self.heard.append(Heard(topic=message.topic, payload=message.payload, is_retained=message.retain))
            self._changed.notify_all()
