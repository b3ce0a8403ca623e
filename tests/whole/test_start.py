"""From the command to the first screen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.fakes.mosquitto import free_port


def processor_seconds(process: int) -> float:
    """Return what a process has used so far."""
    told = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the processor time")
def test_the_first_screen_is_there(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "tableside", "demo", "--no-browser", "--port", str(port), "--data", str(tmp_path)]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        page = b""
        while not page:
            assert process.poll() is None
            assert time.perf_counter() - began < 60
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
                    page = answer.read()
            except OSError:
                time.sleep(0.02)
        wall, used = time.perf_counter() - began, processor_seconds(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
    print(f"start to first page: {wall:.2f} s, {used:.2f} s of processor time")
    assert b"<html" in page.lower()
