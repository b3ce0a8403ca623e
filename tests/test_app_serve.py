"""A request to stop is heard whenever it comes."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import os, signal, sys, threading, time
from tableside.app.serve import stop_asked

sys.setswitchinterval(1e-6)  # so that requests come in the middle of things

def ask(rounds):
    until = time.perf_counter() + rounds * 1e-6
    while time.perf_counter() < until:
        pass
    os.kill(os.getpid(), signal.SIGTERM)

for rounds in range({times}):
    with stop_asked() as wait_for_stop:
        asker = threading.Thread(target=ask, args=(rounds % {most},))
        asker.start()
        wait_for_stop()
        asker.join()
print("stopped")
"""


def test_a_request_before_and_while_one_waits_is_heard() -> None:
    for times, most in ((3000, 300), (3, 50_000)):
        script = SCRIPT.format(times=times, most=most)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
        assert done.stdout == "stopped\n", done.stderr
