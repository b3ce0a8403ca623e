"""A camera with every fault there is: each is said, heals by itself, and invents no roll."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tableside.adapters.camera.phone import PhoneCamera
from tableside.adapters.sqlite_store import STORE_NAME
from tableside.app.capture import Capture, Taken
from tableside.app.history import open_history
from tableside.app.live import LiveTray
from tableside.app.watchdog import Watchdog
from tableside.errors import CameraError
from tableside.table import Table
from tableside.table.kept import Phase
from tableside.table.messages import ClearTrouble, Message, NewReading, NewRoll, NewThrow, ShowPhase, ShowTrouble
from tableside.tray.health import Fault, HealthRules
from tests.adapters.histories import SYSTEM, written
from tests.conftest import Run
from tests.fakes.sensor import FakeSensor
from tests.fakes.table import KeepingTable
from tests.fakes.tray import DrawnReader, draw_tray

SIZE = (640, 480)
DICE = draw_tray(("green", 200, 200), ("purple", 420, 300), size=SIZE)
OTHER = draw_tray(("yellow", 300, 100), size=SIZE)
for _x in range(40, 640, 80):  # marks of a rim, which focus is seen by
    for _scene in (DICE, OTHER):
        _scene[20:24, _x : _x + 30] = 230
        _scene[440:460, _x : _x + 4] = 10


@contextmanager
def watched(sensor: FakeSensor) -> Iterator[KeepingTable]:
    table = KeepingTable()
    health = HealthRules(is_live=True, size_px=SIZE, fps=30)
    tray = LiveTray(
        sensor, DrawnReader(), table, keep_picture=lambda *_: True, health=health, retry_seconds=0.01, clock=lambda: 1.0
    )
    tray.start()
    try:
        yield table
    finally:
        tray.close()


def is_roll(message: Message) -> bool:
    return isinstance(message, NewRoll)


def is_trouble(message: Message) -> bool:
    return isinstance(message, ShowTrouble)


def test_a_camera_that_does_not_hold_its_set_up_is_said_once_and_heals() -> None:
    sensor = FakeSensor(DICE)
    with watched(sensor) as table:
        table.wait_for(is_roll)
        sensor.disobeys = "gain: 2 asked, 1 came"
        trouble = table.wait_for(is_trouble)
        assert isinstance(trouble, ShowTrouble)
        assert (trouble.part, trouble.where) == ("lock", "fake sensor")
        assert trouble.what == "does not hold what it was set up with (gain: 2 asked, 1 came)"
        sensor.disobeys = ""
        table.wait_for(lambda message: isinstance(message, ClearTrouble) and message.part == "lock")
        assert sum(map(is_trouble, table.messages)) == 1


def is_healed(message: Message) -> bool:
    return isinstance(message, ClearTrouble) and message.part == "camera"


FAULTS = {
    "unplugged": "gives no pictures",
    "hanging": "gives no pictures",
    "damaged": Fault.DAMAGED.what,
    "frozen": Fault.FROZEN.what,
    "black": Fault.BLACK.what,
    "white": Fault.WHITE.what,
    "dark": Fault.DARK.what,
    "blurred": Fault.BLURRED.what,
    "small": Fault.SIZE.what,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_said_and_heals_and_the_roll_stays_as_it_was(fault: str) -> None:
    sensor = FakeSensor(DICE)
    with watched(sensor) as table:
        table.wait_for(is_roll)
        table.wait_for(lambda message: isinstance(message, ShowPhase) and message.phase is Phase.STILL)
        seen = len(table.messages)
        sensor.fault = fault
        trouble = table.wait_for(is_trouble)
        assert isinstance(trouble, ShowTrouble)
        assert (trouble.part, trouble.what, trouble.where) == ("camera", FAULTS[fault], "fake sensor")
        assert trouble.hint.endswith(".")
        if fault not in ("frozen", "hanging"):  # those heal by a reset
            sensor.fault = ""
        table.wait_for(is_healed)
        assert sensor.reset_count == int(fault in ("frozen", "hanging"))
        sensor.scene = OTHER
        table.wait_for(
            lambda message: table.messages.index(message) > seen and isinstance(message, NewRoll | NewReading)
        )
        rolls = [message for message in table.messages if isinstance(message, NewRoll | NewReading | NewThrow)]
    assert [len(message.reading.dice) for message in rolls] == [2, 1]


def test_a_camera_that_is_gone_is_said_in_the_same_words_however_often_it_is_tried() -> None:
    table, health = KeepingTable(), HealthRules(is_live=True, size_px=SIZE, fps=30)
    tray = LiveTray(FakeSensor(DICE), DrawnReader(), table, keep_picture=lambda *_: True, health=health)
    unplugged, busy = (CameraError(what, where="fake sensor", hint="Wait.") for what in ("is out", "cannot be opened"))
    for taken in (None, unplugged, None, busy, unplugged, None, busy):
        tray._look(taken)
    said = [message.what for message in table.messages if isinstance(message, ShowTrouble)]
    assert said == ["gives no pictures", "is out", "cannot be opened"]


class OnNetwork(FakeSensor):
    """A sensor whose pictures come over a network."""

    _cure, _cures = PhoneCamera._cure, PhoneCamera._cures


@pytest.mark.parametrize("fault", ["unplugged", "damaged", "frozen", "black"])
def test_what_joins_the_camera_is_what_it_is_told_to_look_at(fault: str) -> None:
    for sensor in (FakeSensor(DICE), OnNetwork(DICE)):
        with watched(sensor) as table:
            table.wait_for(is_roll)
            sensor.fault = fault
            trouble = table.wait_for(is_trouble)
            assert isinstance(trouble, ShowTrouble)
            is_joined = fault != "black"  # the light is the same for all
            assert ("Wi-Fi" in trouble.hint) == (is_joined and isinstance(sensor, OnNetwork))
            assert bool(re.search("cable|plug", trouble.hint)) == (is_joined and not isinstance(sensor, OnNetwork))


def test_a_machine_that_stood_still_has_no_silent_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    class StoodStill(Capture):
        """All its waits that are the first after a frame are over before the camera has its turn."""

        waits = 0

        def take(self, timeout: float) -> Taken | None:
            self.waits += 1
            return super().take(timeout) if self.waits % 2 == 0 else None

    monkeypatch.setattr("tableside.app.live.Capture", StoodStill)
    with watched(FakeSensor(DICE)) as table:
        table.wait_for(is_roll)
    assert not any(map(is_trouble, table.messages))


def test_an_absent_camera_is_said_at_once_and_taken_when_it_comes() -> None:
    sensor = FakeSensor(DICE)
    sensor.fault = "unplugged"
    with watched(sensor) as table:
        trouble = table.wait_for(is_trouble)
        assert isinstance(trouble, ShowTrouble)
        assert trouble.what == "is not plugged in"
        sensor.fault = ""
        table.wait_for(is_roll)
        table.wait_for(is_healed)


def test_systemd_is_told_that_all_is_well_as_often_as_it_asks(tmp_path: Path) -> None:
    now = [0.0]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "2000000"}
        watchdog = Watchdog(told, clock=lambda: now[0])
        watchdog.ready()
        for tenth in range(31):
            now[0] = tenth / 10
            watchdog.beat()
        watchdog.stopping()
        heard = [systemd.recv(100).decode() for _ in range(6)]
        assert heard == ["READY=1", *["WATCHDOG=1"] * 4, "STOPPING=1"]
        with pytest.raises(BlockingIOError):
            systemd.recv(100)


def test_a_start_over_a_long_history_asks_for_more_time_until_it_is_ready(tmp_path: Path) -> None:
    now, seconds = [0.0], 0.0
    written(tmp_path / STORE_NAME, 120)
    content = (tmp_path / STORE_NAME).read_bytes()
    at = content.index(b"V\xc3\xa9x 66")
    (tmp_path / STORE_NAME).write_bytes(content[:at] + b"v" + content[at + 1 :])
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        watchdog = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "notify")}, clock=lambda: now[0])

        heard: list[str] = []

        def work() -> None:
            nonlocal seconds
            seconds += 40
            now[0] = seconds  # each of SQLite's steps as long as on a slow card
            watchdog.working()
            heard.append(systemd.recv(100).decode())  # ten that nobody reads are all that a socket holds

        store, (told,) = open_history(tmp_path, when_working=work)
        assert "1 change was lost (66)" in told.what
        with closing(Table(SYSTEM, store)):
            assert len(heard) >= 4
            assert set(heard) == {"EXTEND_TIMEOUT_USEC=60000000"}
            watchdog.ready()
            assert systemd.recv(100) == b"READY=1"
            with pytest.raises(BlockingIOError):
                work()


def test_the_service_keeps_the_words_of_an_error(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "tableside.toml"
    settings.write_text("[web]\nprot = 1\n")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        status, _, err = run("run", "--config", settings)
        assert status == 2
        assert systemd.recv(1000).decode() == f"STATUS={' '.join(err.split())}"
        assert "prot" in err
        Watchdog().ready("The table is\nat home")
        assert systemd.recv(1000).decode() == "READY=1\nSTATUS=The table is at home"


def test_without_systemd_nobody_is_told() -> None:
    watchdog = Watchdog({})
    watchdog.ready()
    watchdog.beat()
    gone = Watchdog({"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "1"})
    gone.beat()
    gone.stopping()


def test_the_tray_loop_gives_the_beat() -> None:
    beats = threading.Semaphore(0)
    table = KeepingTable()
    tray = LiveTray(FakeSensor(DICE), DrawnReader(), table, keep_picture=lambda *_: True, beat=beats.release)
    tray.start()
    try:
        table.wait_for(is_roll)
        assert all(beats.acquire(timeout=30) for _ in range(6))
    finally:
        tray.close()
