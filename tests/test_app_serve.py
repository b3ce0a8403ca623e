"""A table is served until somebody stops it: what may heal ends nothing, and a request to stop is always heard."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from tableside.adapters.sqlite_store import STORE_NAME, hold
from tableside.app import pages
from tableside.app.running_table import RunningTable
from tableside.cli import BAD_USAGE, MAY_HEAL
from tableside.config import PinSettings, Settings, TableSettings, WebSettings, parse_settings
from tableside.table import MemoryStore
from tests.conftest import Run
from tests.fakes.sensor import FakeSensor
from tests.fakes.tray import DrawnReader, draw_tray
from tests.until import until

SCRIPT = """
import os, signal, sys, threading, time
from tableside.app.serve import stop_asked

sys.setswitchinterval(1e-6)  # so that requests come in the middle of things

def ask(rounds):
    until = time.perf_counter() + rounds * 1e-6
    while time.perf_counter() < until:
        pass
    os.kill(os.getpid(), signal.SIGTERM)

for rounds in range(0, 300, 2):
    with stop_asked() as wait_for_stop:
        asker = threading.Thread(target=ask, args=(rounds,))
        asker.start()
        wait_for_stop()
        asker.join()
print("stopped")
"""


def test_a_request_before_and_while_one_waits_is_heard() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "stopped\n", done.stderr


def running_at(data: Path, web: WebSettings) -> RunningTable:
    settings = Settings(table=TableSettings(data=data), pins=PinSettings(factory="none"), web=web)
    tray = draw_tray(("green", 200, 200), size=(640, 480))
    return RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=FakeSensor(tray))


@pytest.mark.parametrize("way", ["environment", "settings", "settings elsewhere"])
def test_a_folder_that_is_named_from_here_serves_its_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLESIDE_DATA", "dice/kept" if way == "environment" else "")
    file = Path("house/tableside.toml" if way == "settings elsewhere" else "tableside.toml")
    table = {} if way == "environment" else {"data": "dice/kept"}
    settings = parse_settings({"table": table, "pins": {"factory": "none"}, "web": {"port": 0}}, file=file)
    for start in range(2):
        tray = draw_tray(("green", 200 + start, 200), size=(640, 480))
        running = RunningTable(settings, store=MemoryStore(), reader=DrawnReader(), camera=FakeSensor(tray))
        running.start()
        try:
            until(lambda running=running: running.table.state.roll is not None)
            client = running.application.test_client()
            with client.get(client.get("/api/state").json["roll"]["picture"]) as picture:
                assert (picture.status_code, picture.data[:2]) == (200, b"\xff\xd8")
        finally:
            running.close()
    assert len(list((tmp_path / file.parent / "dice/kept/pictures").glob("*.jpg"))) == 2


def test_a_port_that_is_held_stops_no_table_and_is_taken_when_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_LISTEN_AGAIN_SECONDS", 0.02)
    listening: list[str] = []
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        running = running_at(tmp_path, WebSettings(host="127.0.0.1", port=port))
        running.start(when_listening=lambda: listening.append(running.address))
        try:
            until(lambda: running.table.state.roll is not None)  # the camera is watched meanwhile
            said = {one.part: one.what for one in running.table.state.trouble}
            assert (said["pages"], listening) == ("another program listens there", [])
            other.close()
            until(lambda: "pages" not in [one.part for one in running.table.state.trouble])
            assert listening == [f"http://127.0.0.1:{port}/"]
            with urllib.request.urlopen(f"{listening[0]}api/state", timeout=10) as answer:
                assert answer.status == 200
        finally:
            running.close()


def test_https_comes_once_its_port_is_free_also_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "_LISTEN_AGAIN_SECONDS", 0.2)
    with socket.socket() as plain, socket.socket() as secure:
        for one in (plain, secure):
            one.bind(("127.0.0.1", 0))
            one.listen()
        port, tls_port = plain.getsockname()[1], secure.getsockname()[1]
        web = WebSettings(host="127.0.0.1", port=port, tls="own", tls_port=tls_port)
        running = running_at(tmp_path, web)
        running.start()
        try:
            until(lambda: "pages" in [one.part for one in running.table.state.trouble])
            plain.close()
            until(lambda: "https" in [one.part for one in running.table.state.trouble])
            until(lambda: "pages" not in [one.part for one in running.table.state.trouble])
            secure.close()
            until(lambda: "https" not in [one.part for one in running.table.state.trouble])
            assert is_secure(tls_port)
        finally:
            running.close()
        again = running_at(tmp_path, replace(web, tls="off"))  # its certificate is kept: it is wanted still
        again.start()
        try:
            assert is_secure(tls_port)
        finally:
            again.close()


def is_secure(port: int) -> bool:
    try:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=30) as plain,
            ssl._create_unverified_context().wrap_socket(plain) as secure,
        ):
            return secure.version() is not None
    except OSError:
        return False


def test_an_address_that_comes_later_stops_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_LISTEN_AGAIN_SECONDS", 0.02)
    running = running_at(tmp_path, WebSettings(host="192.0.2.81", port=8093))
    running.start()
    try:
        until(lambda: running.table.state.roll is not None)
        assert ("pages", "192.0.2.81:8093") in [(one.part, one.where) for one in running.table.state.trouble]
    finally:
        running.close()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("[web]\nhots = 'a'\n", BAD_USAGE),
        ("[table]\ngame = 'chess'\n", BAD_USAGE),
        ("[reader]\nsets = ['bones-of-nobody']\n", BAD_USAGE),
        ("", MAY_HEAL),  # `restore` or another table holds the history
    ],
    ids=["unknown setting", "unknown game", "unknown dice", "held history"],
)
def test_only_what_the_settings_must_mend_ends_a_table_for_good(
    tmp_path: Path, run: Run, text: str, status: int
) -> None:
    table = "" if "[table]" in text else "[table]\n"
    (tmp_path / "tableside.toml").write_text(
        f"{text}{table}data = 'data'\n[camera]\nkind = 'none'\n[pins]\nfactory = 'none'\n"
    )
    lock = hold(tmp_path / "data" / STORE_NAME) if status == MAY_HEAL else None
    try:
        assert run("run", "--config", tmp_path / "tableside.toml")[0] == status
    finally:
        if lock:
            lock.release()


@pytest.mark.parametrize("command", ["demo", "run"])
@pytest.mark.parametrize(
    ("how", "opens"), [("", {"demo": True, "run": False}), ("--browser", {}), ("--no-browser", {})]
)
def test_both_open_the_page_or_not_as_they_are_told(
    tmp_path: Path, run: Run, command: str, how: str, opens: dict[str, bool]
) -> None:
    (tmp_path / "tableside.toml").write_text("")
    where = ("--data", tmp_path) if command == "demo" else ("--config", tmp_path / "tableside.toml")
    with patch("tableside.app.serve.serve") as serve:
        assert run(command, *where, *filter(None, [how]))[0] == 0
    assert serve.call_args.kwargs["open_browser"] is opens.get(command, how == "--browser")
