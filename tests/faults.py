"""Run a program whose n-th writing system call fails or kills it, as SQLite tests itself. strace does both exactly."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

FULL, KILL = "error=ENOSPC", "signal=KILL"
_FAILING = (
    "write", "pwrite64", "writev", "openat", "mkdir", "rename", "link", "ftruncate", "fsync", "fdatasync",
    "copy_file_range", "sendfile", "fallocate", "symlink",
)  # fmt: skip
"""Calls that a full disk refuses."""
_WRITING = (*_FAILING, "unlink", "unlinkat", "rmdir", "chmod", "fchmod", "chown", "fchown", "lchown", "utimensat")
_CALL = re.compile(r"^(\d+) +(\w+)\((.*)")


@cache
def why_not() -> str:
    """Return why nothing can be made to fail here, ``""`` where it can."""
    if shutil.which("strace") is None:
        return "strace is missing"
    tried = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True)
    return "this machine lets nobody trace a program" if tried.returncode else ""


needs_strace = pytest.mark.skipif(bool(why_not()), reason=why_not())


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A writing call that goes wrong: the so-manieth of its name, and how."""

    call: str
    number: int
    how: str


@dataclass(frozen=True, kw_only=True)
class Program:
    """A program that changes what is in a folder.

    :ivar command: after the interpreter; ``{folder}`` stands for the folder. :ivar template: what is there before.
    """

    command: Sequence[str]
    template: Path

    def run(self, folder: Path, fault: Fault | None = None) -> subprocess.CompletedProcess[str]:
        """Run it over a new copy of what is there before."""
        inject = ["-e", f"inject={fault.call}:{fault.how}:when={fault.number}"] if fault else []
        calls = ",".join(_WRITING)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.template, folder, symlinks=True)
        command = [sys.executable, *(part.replace("{folder}", str(folder)) for part in self.command)]
        strace = ["strace", "-f", "--seccomp-bpf", "-qq", "-y", "-s", "0", "-o", f"{folder}.calls"]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            [*strace, "-e", f"trace={calls}", *inject, *command], capture_output=True, text=True, env=environment
        )

    def faults(self, folder: Path, *, tries: int) -> Iterator[Fault]:
        """Yield faults spread over all calls of the first thread that write into the folder, and the first beyond."""
        assert self.run(folder).returncode == 0
        counts: dict[str, int] = {}
        found: list[Fault] = []
        told = Path(f"{folder}.calls").read_text().splitlines()
        lines = [match.groups() for line in told if (match := _CALL.match(line))]
        for thread, call, rest in lines:
            if thread == lines[0][0]:
                counts[call] = counts.get(call, 0) + 1
                if str(folder) in rest and (call != "openat" or "O_CREAT" in rest):
                    found += [Fault(call=call, number=counts[call], how=how) for how in (FULL, KILL)
                              if how is KILL or call in _FAILING]  # fmt: skip
        assert len(found) > 10
        step = max(1, len(found) / tries)
        yield from (found[int(number * step)] for number in range(min(tries, len(found))))
        yield Fault(call="write", number=65535, how=FULL)


def try_faults(
    program: Program, folder: Path, tries: int, check: Callable[[subprocess.CompletedProcess[str], Fault], object]
) -> int:
    """Run the program with each fault and check what is left, and return how many there were."""
    count = 0
    for fault in program.faults(folder, tries=tries):
        done = program.run(folder, fault)
        try:
            check(done, fault)
        except BaseException:
            print(f"{fault}: {done.returncode}\n{done.stdout}{done.stderr}")
            raise
        count += 1
    print(f"{count} faults")
    assert done.returncode == 0  # the last, with none
    return count
