"""Run a program whose n-th writing system call fails or kills it, as SQLite tests itself. strace does both exactly."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

FULL, KILL = "error=ENOSPC", "signal=KILL"
_FAILING = (
    "write", "pwrite64", "writev", "openat", "mkdir", "rename", "link", "ftruncate", "fsync", "fdatasync",
    "copy_file_range", "sendfile", "fallocate", "symlink",
)  # fmt: skip
"""Calls that a full disk refuses."""
_WRITING = (*_FAILING, "unlink", "unlinkat", "rmdir", "chmod", "fchmod", "chown", "fchown", "lchown", "utimensat")
Done = subprocess.CompletedProcess[str]
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

    :ivar command: a module and its arguments; ``{folder}`` stands for the folder.
    :ivar template: what is there before.
    """

    command: Sequence[str]
    template: Path

    def run(self, start: subprocess.Popen[str], folder: Path, fault: Fault | None = None) -> Done:
        """Run it over a new copy of what is there before."""
        assert start.stdin
        assert start.stdout
        inject = ["-e", f"inject={fault.call}:{fault.how}:when={fault.number}"] if fault else []
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.template, folder, symlinks=True)
        words = [part.replace("{folder}", str(folder)) for part in self.command]
        told = folder.with_name("told")
        print(json.dumps([words, str(told)]), file=start.stdin, flush=True)
        calls = ",".join(_WRITING)
        strace = ["strace", "-f", "-y", "-s", "0", "-o", f"{folder}.calls", "-e", f"trace={calls}", *inject]
        pid = start.stdout.readline().strip()
        with subprocess.Popen([*strace, "-p", pid], stderr=subprocess.PIPE, text=True) as tracer:
            assert tracer.stderr
            attached = tracer.stderr.readline()
            assert "attached" in attached, attached
            print(file=start.stdin, flush=True)
            tracer.stderr.read()
        out, err = (told.with_suffix(end).read_text() for end in (".out", ".err"))
        return subprocess.CompletedProcess(words, int(start.stdout.readline()), out, err)

    def faults(self, start: subprocess.Popen[str], folder: Path, *, tries: int) -> Iterator[Fault]:
        """Yield faults spread over all calls of the first thread that write into the folder, and the first beyond."""
        assert self.run(start, folder).returncode == 0
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
