"""``./start`` sets up beside what is there, waits for who else installs packages, and names what went wrong."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.faults import needs_strace

PYTHON = r"""#!/bin/bash
# A stand-in for Python with its modules venv and pip, which writes as little as these do much.
set -e
case "$*" in
  -c*) [ -e "$(dirname "$0")/../lib/pip" ] || [ "$0" = "$HERE/python3" ] ;;
  "-m venv"*)
    mkdir -p "${@: -1}/bin" "${@: -1}/lib"
    printf 'command = %s\n' "${@: -1}" >"${@: -1}/pyvenv.cfg"
    cp "$HERE/python3" "${@: -1}/bin/python"
    printf pip >"${@: -1}/lib/pip" ;;
  "-m pip"*)
    venv=$(dirname "$(dirname "$0")")
    [ -e "$venv/lib/pip" ] || { echo "$0: No module named pip" >&2; exit 1; }
    printf '%s' "$VERSION" >"$venv/lib/tableside"
    printf '#!/bin/bash\n[ -e "$(dirname "$0")/python" ] && cat "%s/lib/tableside"\n' "$venv" >"$venv/bin/tableside"
    chmod +x "$venv/bin/tableside" ;;
  -*) exec "$REAL" "$@" ;;
esac
"""
PACKAGES = "tableside_packages() { on_pi=; python=$HERE/python3; }\n"


class Checkout:
    """A checkout with the set-up and a stand-in for Python."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {"PATH": f"{folder}:{os.environ['PATH']}", "HERE": str(folder), "REAL": sys.executable}

    def lay(self, version: str) -> None:
        """Lay the files of a version beside what was set up."""
        (self.folder / "install").mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "install" / "setup.sh", self.folder / "install")
        script = (ROOT / "start").read_text().replace("tableside_setup", f"{PACKAGES}tableside_setup")
        (self.folder / "start").write_text(script)
        (self.folder / "python3").write_text(PYTHON)
        for name in ("start", "python3"):
            (self.folder / name).chmod(0o755)
        (self.folder / "pyproject.toml").write_text(version)
        self.environment["VERSION"] = version

    def start(self, *before: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*before, str(self.folder / "start"), "--version"], env=self.environment, capture_output=True, text=True
        )

    def set_up(self) -> str:
        """Return which version runs without a set-up, ``""`` where none does."""
        program = self.folder / ".venv" / "bin" / "tableside"
        if not program.exists():
            return ""
        return subprocess.run([str(program)], capture_output=True, text=True).stdout

    @property
    def rest(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob(".venv*"))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "checkout with spaces")


def test_a_set_up_is_made_once_and_anew_for_another_version(checkout: Checkout) -> None:
    for version in ("one", "two"):
        checkout.lay(version)
        for is_first in (True, False):
            told = checkout.start()
            assert (told.returncode, told.stdout) == (0, version), told.stderr
            assert ("Setting up" in told.stderr) is is_first
            assert checkout.rest == [".venv"]
    assert ".venv.new" not in (checkout.folder / ".venv" / "pyvenv.cfg").read_text()


@pytest.mark.skipif(shutil.which("flock") is None, reason="util-linux is missing")
def test_two_starts_at_once_set_up_once(checkout: Checkout) -> None:
    checkout.lay("one")
    folder = os.open(checkout.folder, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    command = [str(checkout.folder / "start"), "--version"]
    starts = [
        subprocess.Popen(command, env=checkout.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for start in starts:
        assert start.stderr is not None
        assert start.stderr.readline() == "Another start sets this folder up: waiting for it ...\n"
    os.close(folder)
    told = [start.communicate() for start in starts]
    assert [(start.returncode, out) for start, (out, _) in zip(starts, told, strict=True)] == [(0, "one")] * 2, told
    assert sum("Setting up" in err for _, err in told) == 1
    assert checkout.rest == [".venv"]


def test_what_has_more_extras_than_it_is_asked_for_stays_and_keeps_them(checkout: Checkout) -> None:
    checkout.lay("one")
    script = f'here=$HERE; . "$HERE/install/setup.sh"; {PACKAGES}tableside_setup "$1"; cat "$venv/.whole"'

    def extras(asked: str) -> tuple[str, bool]:
        told = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script, "-", asked],
            env=checkout.environment,
            capture_output=True,
            text=True,
        )
        assert told.returncode == 0, told.stderr
        return told.stdout, "Setting up" in told.stderr

    assert extras("dev") == ("dev", True)
    assert extras("") == ("dev", False)
    assert extras("dev,hardware") == ("dev,hardware", True)
    assert extras("dev") == ("dev,hardware", False)
    (checkout.folder / "pyproject.toml").write_text("two")
    assert extras("") == ("dev,hardware", True)


@pytest.mark.parametrize("left", ["bin/python", "lib/pip"])
def test_what_an_older_set_up_left_half_done_is_made_anew(checkout: Checkout, left: str) -> None:
    checkout.lay("one")
    checkout.start()
    shutil.copytree(checkout.folder / ".venv", checkout.folder / "saved")
    shutil.rmtree(checkout.folder / ".venv")
    target = checkout.folder / ".venv" / left
    target.parent.mkdir(parents=True)
    shutil.copy(checkout.folder / "saved" / left, target)
    told = checkout.start()
    assert (told.returncode, told.stdout) == (0, "one"), told.stderr


def killed_at(checkout: Checkout, call: int) -> bool:
    """Start it and kill all of it at its so-manieth call of writing; return whether it came so far."""
    calls = "trace=write,openat,mkdir,rename,renameat,renameat2,unlink,unlinkat,chmod,fchmodat,rmdir,clone,vfork,execve"
    read_end, write_end = os.pipe()
    process = subprocess.Popen(
        ["strace", "-f", "-qq", "-e", calls, "-o", f"/dev/fd/{write_end}", str(checkout.folder / "start"), "--version"],
        env=checkout.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=[write_end],
        start_new_session=True,
    )  # fmt: skip
    os.close(write_end)
    seen = 0
    with os.fdopen(read_end) as told:
        for line in told:
            seen += "O_RDONLY" not in line and str(checkout.folder) in line
            if seen == call:
                os.killpg(process.pid, signal.SIGKILL)
                break
    process.wait()
    return seen >= call


@needs_strace
@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("before", ["nothing", "an older version"])
def test_killed_anywhere_it_is_old_or_new_and_the_next_start_makes_it_new(
    checkout: Checkout, before: str, often: Callable[[int], int]
) -> None:
    most = often(6)
    if before != "nothing":
        checkout.lay("old")
        checkout.start()
    else:
        checkout.folder.mkdir()
    shutil.copytree(checkout.folder, checkout.folder.with_name("template"), symlinks=True)
    call, tried = 1, 0
    while True:
        shutil.rmtree(checkout.folder)
        shutil.copytree(checkout.folder.with_name("template"), checkout.folder, symlinks=True)
        checkout.lay("new")
        was_killed = killed_at(checkout, call)
        is_between = (checkout.folder / ".venv.new" / ".whole").exists()
        assert is_between or checkout.set_up() in (("", "new") if before == "nothing" else ("old", "new"))
        told = checkout.start()
        assert (told.returncode, told.stdout, checkout.rest) == (0, "new", [".venv"]), (call, told.stderr)
        assert not is_between or "Setting up was cut short, and is done now." in told.stderr
        tried += 1
        if not was_killed:
            break
        call += max(1, 36 // most)
    assert tried > min(most, 4)


@needs_strace
@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", ["write", "openat", "mkdir", "rename"])
def test_on_a_full_disk_it_says_so_and_what_was_there_stays(
    checkout: Checkout, name: str, often: Callable[[int], int]
) -> None:
    checkout.lay("old")
    checkout.start()
    template = checkout.folder.with_name("template")
    shutil.copytree(checkout.folder, template, symlinks=True)
    for number in range(1, often(4) + 1):
        shutil.rmtree(checkout.folder)
        shutil.copytree(template, checkout.folder, symlinks=True)
        checkout.lay("new")
        fault = f"inject={name}:error=ENOSPC:when={number}"
        told = checkout.start("strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={name}", "-e", fault)
        is_whole = checkout.set_up() in ("old", "new") or (checkout.folder / ".venv.new" / ".whole").exists()
        assert is_whole, (number, told.stderr)
        assert told.returncode == 0 or told.stderr
        told = checkout.start()
        assert (told.returncode, told.stdout, checkout.rest) == (0, "new", [".venv"]), (number, told.stderr)


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[tuple[Path, Callable[[], None]]]:
    """Return a folder of locks, one of which this process holds, and what lets go of it."""
    if not Path("/proc/locks").exists():
        pytest.skip("locks are seen in /proc/locks")
    (tmp_path / "dpkg").mkdir()
    with (tmp_path / "dpkg" / "lock-frontend").open("w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        yield tmp_path / "dpkg", lambda: fcntl.lockf(held, fcntl.LOCK_UN)


def waiting(locks: Path, *, seconds: int) -> subprocess.Popen[str]:
    given = f"apt_locks={locks} apt_seconds={seconds}"
    script = f'here={ROOT}; . "$here/install/setup.sh"; {given}; tableside_wait_for_apt; echo goes on'
    return subprocess.Popen(["bash", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_it_waits_for_who_installs_packages_and_says_for_whom(locked: tuple[Path, Callable[[], None]]) -> None:
    locks, let_go = locked
    with waiting(locks, seconds=300) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert re.fullmatch(
            rf"Waiting for \S.* \(process {os.getpid()}\), which installs packages, for up to 300 s \.\.\.\n", line
        )
        let_go()
        told, more = process.communicate(timeout=60)
    assert (process.returncode, told, more) == (0, "goes on\n", "")
    with waiting(locks, seconds=300) as process:  # nobody holds it
        assert process.communicate(timeout=60) == ("goes on\n", "")


def test_who_installs_packages_for_too_long_is_named(locked: tuple[Path, Callable[[], None]]) -> None:
    locks, _ = locked
    with waiting(locks, seconds=1) as process:
        told, said = process.communicate(timeout=60)
    assert (process.returncode, told) == (2, "")
    assert f"{locks}/lock-frontend: is still held by" in said
    assert f"(process {os.getpid()}). Try again when that has ended." in said


@pytest.mark.parametrize(
    ("log", "hint"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "The disk is full"),
        (
            "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt)",
            "Another program installs",
        ),
        ("/home/mara/.venv/bin/python: No module named pip", "lacks pip"),
        ("NewConnectionError: Failed to establish a new connection: Name or service not known", "Is the network up?"),
        ("Temporary failure resolving 'deb.debian.org'", "Is the network up?"),
        ("[Errno 13] Permission denied: '/opt/x'", "the user who runs this"),
        ("error: subprocess-exited-with-error", "See .setup.log."),
    ],
)
def test_each_hint_names_its_own_cause(tmp_path: Path, log: str, hint: str) -> None:
    (tmp_path / ".setup.log").write_text(f"{log}\n")
    script = f". {ROOT}/install/setup.sh; here={tmp_path}; tableside_hint"
    assert hint in subprocess.run(["bash", "-c", script], capture_output=True, text=True).stdout
