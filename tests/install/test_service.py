"""Installing and upgrading the service, with a systemd and a program that are laid out in a folder."""

from __future__ import annotations

import http.server
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from install.constraints import FILE, pinned
from tableside.adapters.sqlite_store import SCHEMA_VERSION, STORE_NAME, SqliteStore
from tests.adapters.histories import older, written
from tests.conftest import ROOT

HARNESS = """
. "$SCRIPT"
opt=$PWD/opt units=$PWD/units command=$PWD/bin/tableside
settings=$PWD/etc/tableside.toml data=$PWD/data systemd=$PWD/booted answer_seconds=0
python=python3
date() { printf '%s' "$STAMP"; }
tableside_packages() { :; }
user() { :; }
chgrp() { printf '%s\\n' "$*" >>"$PWD/chgrp"; }
tableside_install() {
  mkdir -p "$venv/bin"; printf '%s' "$KIND" >"$venv/kind"; cp "$constraints" "$venv/constraints.txt"
  # every release but the newest knows the form before
  printf '#!/bin/sh\n[ "$1" != -c ] || { echo 2; exit; }\nexec "%s" "$@"\n' "$PYTHON" >"$venv/bin/python"
  chmod +x "$venv/bin/python"
}
systemctl() {
  case $1 in
    is-active) [ "$(cat "$PWD/state" 2>/dev/null)" = active ] ;;
    show) cat "$PWD/words" 2>/dev/null ;;
    stop) printf inactive >"$PWD/state" ;;
    restart)
      ls "$opt/releases" >>"$PWD/beside"
      case $(cat "$opt/current/kind") in
        good) printf active >"$PWD/state"; printf 'The table is at http://127.0.0.1:%s/' "$PORT" >"$PWD/words" ;;
        mute) printf active >"$PWD/state"; printf 'The table is at http://127.0.0.1:9/' >"$PWD/words" ;;
        changing) "$PYTHON" -m tests.install.open "$data"
          printf failed >"$PWD/state"; printf 'cannot go on' >"$PWD/words"; return 1 ;;
        bad) printf failed >"$PWD/state"
          printf 'tableside.toml: [web] prot: unknown setting' >"$PWD/words"; return 1 ;;
      esac ;;
  esac
}
"""


class Machine:
    """A folder in place of a machine."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self._port = port
        for name in ("units", "data", "booted"):
            (folder / name).mkdir()
        older(written(folder / "data" / "table.sqlite", 9))

    def install(self, stamp: str, kind: str, command: str = "main") -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": os.environ["PATH"], "STAMP": stamp, "KIND": kind, "PORT": str(self._port),
            "SCRIPT": str(ROOT / "install" / "service"), "PYTHON": sys.executable, "PYTHONPATH": str(ROOT),
        }  # fmt: skip
        script = ["bash", "-c", HARNESS + command]
        return subprocess.run(script, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    @property
    def current(self) -> str:
        return (self.folder / "opt" / "current").resolve().name

    @property
    def releases(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "opt" / "releases").iterdir())

    def text(self, name: str) -> str:
        return (self.folder / name).read_text()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    class Table(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/api/state" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Table)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield Machine(tmp_path, server.server_port)
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_first_installation_is_pinned_and_keeps_its_settings_from_others(machine: Machine) -> None:
    told = machine.install("1", "good")
    assert (told.returncode, machine.current, machine.releases) == (0, "1", ["1"]), told.stderr
    settings = machine.folder / "etc" / "tableside.toml"
    assert settings.stat().st_mode & 0o777 == 0o640
    assert machine.text("chgrp") == f"tableside {settings.parent} {settings}\n"
    assert settings.parent.stat().st_mode & 0o777 == 0o775  # a camera that is chosen is kept in a new file
    assert machine.text("opt/releases/1/constraints.txt") == FILE.read_text()
    assert (machine.folder / "opt" / "kiosk").exists()


def test_the_command_is_on_the_path_and_goes_with_the_service(machine: Machine) -> None:
    command = machine.folder / "bin" / "tableside"
    for stamp in ("1", "2"):
        assert machine.install(stamp, "good").stdout.endswith("sudo tableside doctor\n")
        assert os.access(command, os.X_OK)
    machine.install("3", "good", "control() { :; }; at_boot() { :; }; main --remove")
    assert not command.exists()
    command.write_text("#!/bin/sh\n# of somebody else\n")
    for ask in ("main", "control() { :; }; at_boot() { :; }; main --remove"):
        machine.install("4", "good", ask)
        assert "somebody else" in command.read_text()


@pytest.mark.parametrize("asked", ["doctor --json", "backup", "read a.jpg"])
def test_root_acts_for_the_service_and_others_are_told_that_they_do_not(tmp_path: Path, asked: str) -> None:
    program, stubs = tmp_path / "opt" / "current" / "bin" / "tableside", tmp_path / "stubs"
    program.parent.mkdir(parents=True)
    stubs.mkdir()
    text = (ROOT / "install" / "tableside").read_text().replace("/opt/tableside", str(tmp_path / "opt"))
    said = 'echo "${TABLESIDE_CONFIG-none} ${TABLESIDE_DATA-none} $*"\n'
    for path, script in (
        (tmp_path / "tableside", text), (program, f"#!/bin/sh\n{said}"), (stubs / "id", "#!/bin/sh\necho $ID\n"),
        (stubs / "runuser", '#!/bin/sh\n[ "$1 $2 $3" = "-u tableside --" ] && shift 3 && exec "$@"\n'),
    ):  # fmt: skip
        path.write_text(script)
        path.chmod(0o755)

    def run(number: str, **environment: str) -> tuple[str, str]:
        environment |= {"ID": number, "PATH": f"{stubs}:{os.environ['PATH']}"}
        done = subprocess.run(
            [str(tmp_path / "tableside"), *asked.split()], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip(), done.stderr

    assert run("0") == (f"/etc/tableside/tableside.toml /var/lib/tableside {asked}", "")
    assert run("0", TABLESIDE_DATA="/x")[0] == f"/etc/tableside/tableside.toml /x {asked}"
    told, note = run("1000")
    assert told == f"none none {asked}"
    assert (f"sudo tableside {asked}" in note) == (asked != "read a.jpg")


def test_a_step_that_fails_ends_it_also_where_the_kiosk_is_asked_for(machine: Machine) -> None:
    told = machine.install("1", "good", "user() { false; }; kiosk() { echo kiosk; }; main --kiosk")
    assert (told.returncode, told.stdout) == (1, "")
    assert not (machine.folder / "opt" / "current").exists()


@pytest.mark.parametrize("mode", [0o600, 0o644])
def test_settings_of_other_rights_can_be_read_by_the_service_and_no_other(machine: Machine, mode: int) -> None:
    settings = machine.folder / "etc" / "tableside.toml"
    settings.parent.mkdir(0o755)
    settings.write_text("[web]\nport = 8001\n")
    settings.chmod(mode)
    machine.install("1", "good")
    assert (settings.stat().st_mode & 0o777, settings.read_text()) == (0o640, "[web]\nport = 8001\n")
    assert settings.parent.stat().st_mode & 0o777 == 0o775


def test_the_old_release_goes_when_the_new_one_answers(machine: Machine) -> None:
    machine.install("1", "good")
    told = machine.install("2", "good")
    assert (told.returncode, machine.current, machine.releases) == (0, "2", ["2"]), told.stderr
    assert machine.text("beside").split() == ["1", "1", "2"]


@pytest.mark.parametrize(
    ("kind", "words"), [("bad", "[web] prot: unknown setting"), ("mute", "its page does not answer")]
)
def test_the_old_release_comes_back_where_the_new_one_does_not_answer(machine: Machine, kind: str, words: str) -> None:
    machine.install("1", "good")
    (machine.folder / "units" / "tableside.service").write_text("the old unit")
    (machine.folder / "opt" / "kiosk").write_text("the old kiosk")
    told = machine.install("2", kind)
    assert (told.returncode, machine.current, machine.releases) == (2, "1", ["1"])
    assert words in told.stderr
    assert "The old one is back" in told.stderr
    assert machine.text("state") == "active"
    assert (machine.text("units/tableside.service"), machine.text("opt/kiosk")) == ("the old unit", "the old kiosk")


def history(machine: Machine, name: str) -> tuple[int, list[str]]:
    """Return the form of a history and the ids of its changes."""
    with closing(SqliteStore(machine.folder / "data" / name, is_reader=True)) as store:
        return store.version, [change.id for change in store.changes()]


def test_a_history_that_the_new_release_changed_comes_back_as_well(machine: Machine) -> None:
    data = machine.folder / "data"
    before = history(machine, STORE_NAME)
    # of another history, of the same long ago, and damaged
    older(written(data / f"{STORE_NAME}.version1", 4))
    older(written(data / f"{STORE_NAME}.version2", 3))
    (data / f"{STORE_NAME}.version2-2").write_bytes(b"")
    (data / f"{STORE_NAME}.version2-journal").write_bytes(b"")
    kept = {path.name: path.read_bytes() for path in data.glob("*.version*")}
    machine.install("1", "good")
    for stamp in ("2", "3"):
        told = machine.install(stamp, "changing")
        assert (told.returncode, machine.current) == (2, "1")
        assert (before[0], history(machine, STORE_NAME)) == (2, before)
        version, ids = history(machine, f"{STORE_NAME}.by-{stamp}")
        assert (version, ids[:-1]) == (SCHEMA_VERSION, before[1])
        assert f"table.sqlite.by-{stamp}. 1 change that came later stand there alone" in told.stderr
        assert f"{STORE_NAME}.version2-2 is of no use" in told.stderr
    assert kept.items() <= {path.name: path.read_bytes() for path in data.glob("*.version*")}.items()


def test_where_no_history_fits_nothing_is_moved_and_the_new_release_stays_to_try_again(machine: Machine) -> None:
    machine.install("1", "good")
    machine.install("2", "changing")
    data = machine.folder / "data"
    for path in data.glob("*.version*"):
        path.write_bytes(b"")
    machine.folder.joinpath("data", STORE_NAME).unlink()
    (data / f"{STORE_NAME}.by-2").rename(data / STORE_NAME)
    now = (data / STORE_NAME).read_bytes()
    told = machine.install("3", "bad")
    assert (told.returncode, machine.current) == (2, "1")
    assert "stays as the newer version made it" in told.stderr
    assert "-m tableside.app.rollback" in told.stderr
    assert (data / STORE_NAME).read_bytes() == now
    assert "3" in machine.releases


def test_where_the_old_release_did_not_run_either_the_new_one_stays_and_its_words_are_said(machine: Machine) -> None:
    machine.install("1", "bad")
    told = machine.install("2", "bad")
    assert (told.returncode, machine.current) == (2, "2")
    assert "[web] prot: unknown setting" in told.stderr
    assert "sudo systemctl restart tableside" in told.stderr


def test_in_a_root_that_is_being_built_the_old_release_stays_beside_the_new(machine: Machine) -> None:
    (machine.folder / "booted").rmdir()
    for stamp in ("1", "2", "3"):
        assert machine.install(stamp, "good").returncode == 0
    assert (machine.current, machine.releases) == ("3", ["2", "3"])


def test_what_is_installed_is_pinned_and_no_index_is_named() -> None:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    pins = {name: version for name, _, version in (line.partition("==") for line in lines)}
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", line) for line in lines)
    needed = {line.partition("==")[0] for line in pinned().splitlines() if not line.startswith("#")}
    assert pins.keys() == needed, "run `python -m install.constraints`"
    for line in _declared():
        wanted = Requirement(line)
        assert wanted.specifier.contains(Version(pins[wanted.name]))


def _declared() -> list[str]:
    told: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    return told
