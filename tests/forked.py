"""Run programs in forks of one that has imported what they use: ``python -m tests.forked``. ``faults.py`` starts it.

Each line names a module and its arguments, and the file for what it prints, in JSON. The fork's process id is printed.
The fork waits for a second line, so that a tracer can attach first. Then its exit status is printed.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import runpy
import sys

_USED = ("tableside.cli", "tableside.app.history", "tableside.app.teach", "tests.adapters.histories")
_SET_TRACER, _ANYBODY = 0x59616D61, ctypes.c_ulong(-1)  # prctl(2), where Yama lets parents alone trace


def _become(words: list[str], told: str) -> None:
    """Run a module as the main program once a line comes."""
    ctypes.CDLL(None).prctl(_SET_TRACER, _ANYBODY, 0, 0, 0)
    for number, name in ((1, f"{told}.out"), (2, f"{told}.err")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.read(0, 1)
    sys.argv[1:] = words[1:]
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def main() -> None:
    for name in _USED:
        importlib.import_module(name)
    while line := sys.stdin.readline():
        words, told = json.loads(line)
        fork = os.fork()
        if not fork:
            _become(words, told)
            return
        print(fork, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
