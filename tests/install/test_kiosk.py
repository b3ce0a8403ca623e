"""The kiosk's loop, with a browser that crashes and a screen that sleeps."""

from __future__ import annotations

import http.server
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.until import until


class Kiosk:
    """The script with a browser that notes its starts, and connectors laid out in a folder."""

    def __init__(self, folder: Path, *address: str, display: str = "") -> None:
        self.starts = folder / "starts"
        self.screen = folder / "screens" / "card1-HDMI-A-1"
        self.screen.mkdir(parents=True)
        self.show("connected", "On")
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$$ $@" >> {self.starts}\nexec sleep 1000\n')
        browser.chmod(0o755)
        systemctl = folder / "bin" / "systemctl"
        systemctl.parent.mkdir()
        systemctl.write_text(f'#!/bin/sh\ncat {folder}/"$2" 2>/dev/null\n')
        systemctl.chmod(0o755)
        self.folder = folder
        environment = {
            "PATH": f"{systemctl.parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "WAYLAND_DISPLAY": display,
            "TABLESIDE_BROWSER": str(browser),
            "TABLESIDE_SCREENS": str(folder / "screens"),
            "TABLESIDE_LOOK_SECONDS": "0.05",
            "TABLESIDE_RUNNING": str(folder / "running"),
            "TABLESIDE_SETTINGS": str(folder / "tableside.toml"),
        }
        script = str(ROOT / "install" / "kiosk")
        self.process = subprocess.Popen([script, *address], env=environment, start_new_session=True)

    def show(self, status: str, dpms: str) -> None:
        (self.screen / "status").write_text(f"{status}\n")
        (self.screen / "dpms").write_text(f"{dpms}\n")

    def service(self, state: str, words: str) -> None:
        """Let the service be in this state and say this of itself."""
        (self.folder / "--property=StatusText").write_text(f"{words}\n")
        (self.folder / "--property=ActiveState").write_text(f"{state}\n")

    def browsers(self) -> list[tuple[int, str]]:
        """Return process and arguments of each start so far."""
        lines = self.starts.read_text().splitlines() if self.starts.exists() else []
        return [(int(line.split()[0]), line) for line in lines]

    def wait_for_starts(self, count: int) -> tuple[int, str]:
        until(lambda: len(self.browsers()) >= count)
        return self.browsers()[-1]

    def close(self) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(timeout=10)


@pytest.fixture
def table() -> Iterator[str]:
    """Something that answers as the table does."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    server.RequestHandlerClass.log_message = lambda *_: None  # type: ignore[method-assign,assignment]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def kiosk(tmp_path: Path, table: str) -> Iterator[Kiosk]:
    kiosk = Kiosk(tmp_path, table)
    yield kiosk
    kiosk.close()


def is_running(process: int) -> bool:
    return Path(f"/proc/{process}").exists() and "zombie" not in Path(f"/proc/{process}/status").read_text()


def test_the_page_fills_the_screen(kiosk: Kiosk, table: str) -> None:
    _, line = kiosk.wait_for_starts(1)
    assert "--kiosk" in line
    assert line.endswith(table)


@pytest.mark.parametrize(("display", "platform"), [("wayland-0", "wayland"), ("", "auto")])
def test_under_wayland_the_browser_takes_no_way_by_x(tmp_path: Path, table: str, display: str, platform: str) -> None:
    kiosk = Kiosk(tmp_path, table, display=display)
    try:
        chosen = [word for word in kiosk.wait_for_starts(1)[1].split() if word.startswith("--ozone")]
        assert [word.split("=")[1] for word in chosen] == [platform]
    finally:
        kiosk.close()


def test_a_browser_that_crashes_is_started_again_without_a_question(kiosk: Kiosk, tmp_path: Path) -> None:
    first, _ = kiosk.wait_for_starts(1)
    settings = tmp_path / ".cache" / "tableside-kiosk" / "Default" / "Preferences"
    settings.write_text('{"profile":{"exit_type":"Crashed","exited_cleanly":false}}')
    os.kill(first, signal.SIGKILL)
    second, _ = kiosk.wait_for_starts(2)
    assert second != first
    assert settings.read_text() == '{"profile":{"exit_type":"Normal","exited_cleanly":true}}'


@pytest.mark.parametrize("asleep", [("connected", "Off"), ("disconnected", "Off")], ids=["asleep", "unplugged"])
def test_a_screen_that_was_away_gets_a_new_browser(kiosk: Kiosk, asleep: tuple[str, str]) -> None:
    first, _ = kiosk.wait_for_starts(1)
    kiosk.show(*asleep)
    time.sleep(0.5)  # some looks long: the browser must live on
    assert is_running(first)
    assert len(kiosk.browsers()) == 1
    kiosk.show("connected", "On")
    second, _ = kiosk.wait_for_starts(2)
    assert second != first
    until(lambda: not is_running(first))


def test_the_port_is_that_of_the_settings(tmp_path: Path, table: str) -> None:
    port = table.rstrip("/").rsplit(":", 1)[1]
    (tmp_path / "tableside.toml").write_text(f"[web]\nport = {port}\n")
    kiosk = Kiosk(tmp_path)
    try:
        assert kiosk.wait_for_starts(1)[1].endswith(table)
    finally:
        kiosk.close()


def test_the_address_is_the_one_that_the_service_says(tmp_path: Path, table: str) -> None:
    kiosk = Kiosk(tmp_path)
    try:
        kiosk.service("active", f"The table is at {table}")
        assert kiosk.wait_for_starts(1)[1].endswith(table)
    finally:
        kiosk.close()


def test_why_the_table_does_not_start_is_shown_until_it_does(tmp_path: Path, table: str) -> None:
    kiosk = Kiosk(tmp_path)
    try:
        kiosk.service("failed", "tableside.toml: [web] prot: unknown setting. Did you mean <port>?")
        first, line = kiosk.wait_for_starts(1)
        address = line.split()[-1]
        assert address.startswith("file://")
        page = Path(address.removeprefix("file://")).read_text()
        assert "tableside.toml: [web] prot: unknown setting. Did you mean &lt;port>?" in page
        assert "sudo systemctl restart tableside" in page
        kiosk.service("active", f"The table is at {table}")
        second, line = kiosk.wait_for_starts(2)
        assert line.endswith(table)
        until(lambda: not is_running(first))
        kiosk.service("failed", "something else")
        _, line = kiosk.wait_for_starts(3)
        assert line.endswith("stopped.html")
        until(lambda: not is_running(second))
    finally:
        kiosk.close()


def test_a_service_that_runs_is_asked_nothing(tmp_path: Path, table: str) -> None:
    kiosk = Kiosk(tmp_path)
    try:
        kiosk.service("active", f"The table is at {table}")
        first, _ = kiosk.wait_for_starts(1)
        (tmp_path / "running").mkdir()
        kiosk.service("failed", "it would say so if it were asked")
        time.sleep(0.5)  # some looks long
        assert is_running(first)
        (tmp_path / "running").rmdir()
        assert kiosk.wait_for_starts(2)[1].endswith("stopped.html")
    finally:
        kiosk.close()


def test_a_service_that_ended_without_a_word_is_no_black_screen(tmp_path: Path) -> None:
    kiosk = Kiosk(tmp_path)
    try:
        kiosk.service("failed", "")
        address = kiosk.wait_for_starts(1)[1].split()[-1]
        assert "journalctl -u tableside" in Path(address.removeprefix("file://")).read_text()
    finally:
        kiosk.close()


@pytest.mark.parametrize(
    ("told", "page"),
    [
        ('{"camera": "imx708", "made": null}', "setup"),
        ('{"camera": "imx708", "made": {}}', ""),
        ('{"camera": null, "made": null}', ""),
    ],
    ids=["never set up", "set up", "no camera"],
)
def test_a_camera_that_was_never_set_up_is_set_up_first(
    tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch, told: str, page: str
) -> None:
    monkeypatch.chdir(tmp_path)  # what the table answers is served from here
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "setup").write_text(told)
    kiosk = Kiosk(tmp_path, table)
    try:
        assert kiosk.wait_for_starts(1)[1].endswith(f"{table}{page}")
    finally:
        kiosk.close()


def test_the_browser_waits_for_the_table(tmp_path: Path) -> None:
    kiosk = Kiosk(tmp_path, "http://127.0.0.1:9/")
    try:
        time.sleep(0.5)
        assert kiosk.browsers() == []
    finally:
        kiosk.close()


def test_it_ends_when_it_is_asked_to_and_takes_the_browser_with_it(kiosk: Kiosk) -> None:
    first, _ = kiosk.wait_for_starts(1)
    os.kill(kiosk.process.pid, signal.SIGTERM)
    assert kiosk.process.wait(timeout=10) == 0
    until(lambda: not is_running(first))
    kiosk.process.wait()
    kiosk.close = lambda: None  # type: ignore[method-assign]
