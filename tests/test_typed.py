"""Types are looked at by one thread alone."""

from __future__ import annotations

import subprocess
import sys

FOUR_THREADS_ASK_FOR_NEW_TYPES = """
import sys, threading
from msgspec import defstruct
from tableside.typed import built, decoded, type_info
sys.setswitchinterval(1e-6)
for number in range(200):
    inner = defstruct("Inner", [(f"field_{n}", str, "") for n in range(30)])
    outer = defstruct("Outer", [("one", inner), ("many", tuple[inner, ...], ()), ("named", dict[str, inner], {})])
    start, found = threading.Barrier(4), []
    def ask(way):
        start.wait()
        if number % 2:
            type_info(outer)
        found.append(way())
    form, text = {"one": {"field_7": "seven"}}, b'{"one": {"field_7": "seven"}}'
    ways = [lambda: built(form, outer), lambda: decoded(text, outer)] * 2
    threads = [threading.Thread(target=ask, args=(way,)) for way in ways]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.one.field_7 for one in found] == ["seven"] * 4
"""


def test_threads_that_ask_for_a_type_for_the_first_time_at_once_all_get_its_value() -> None:
    command = [sys.executable, "-c", FOUR_THREADS_ASK_FOR_NEW_TYPES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
