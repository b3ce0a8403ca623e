"""Whatever call of writing fails or kills: what is there is old or new, nothing acknowledged is lost, and it is said.

``pytest tests/test_app_cut_short.py -m slow --soak 100000`` tries every single call.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tableside.adapters.sqlite_store import SCHEMA_VERSION, STORE_NAME, SqliteStore
from tableside.adapters.web import Pairing
from tableside.adapters.web.pairing import Role
from tableside.app.backups import BACKUPS, DEVICES, opened_backup, write_backup
from tableside.app.history import open_history
from tableside.app.mending import mend_around
from tableside.app.taught_sets import TaughtSets, export_set
from tableside.dice import find_sets
from tableside.dice.taught import CROP_PX, Sample, Source, Taught, save_taught, take_back
from tableside.table.kept import LOST, change_to_text, kept_troubles
from tests.adapters.histories import changes_of, older, written
from tests.conftest import ROOT
from tests.faults import KILL, Done, Fault, Program, needs_strace
from tests.test_app_history import damage, with_a_flipped_bit

pytestmark = [needs_strace, pytest.mark.slow, pytest.mark.timeout(7200)]
TRIES = 5
COUNT = 30
JPEG = bytes(cv2.imencode(".jpg", np.zeros((CROP_PX, CROP_PX, 3), np.uint8))[1])
START = ("tests.install.open", "{folder}/data", "3")


def start(folder: Path) -> tuple[list[str], str]:
    """Start a table over what is left, and return the ids of its changes, and what it says."""
    data = folder / "data"
    half = list(folder.rglob(".change-*/new"))
    store, told = open_history(data)
    with closing(store):  # type: ignore[type-var]
        mend_around(data)
        changes = list(store.changes())
    assert [change.number for change in changes] == list(range(1, len(changes) + 1))
    said = kept_troubles(data)
    assert all(str(one) in {str(trouble) for trouble in said} for one in told)
    assert len([one for one in said if "cut short" in one.what]) >= min(1, len(half)), half
    assert not [*folder.rglob(".change-*"), *folder.rglob(".gone-*")]
    return [change.id for change in changes if change.kind != LOST], "\n".join(map(str, said))


def pair(data: Path, name: str) -> None:
    pairing = Pairing(data / DEVICES)
    pairing.pair(pairing.begin(Role.PLAYER).pin, name=name, address="192.0.2.7")


def names_in(data: Path) -> list[str]:
    return [device.name for device in Pairing(data / DEVICES).devices()]


def ids_in(path: Path) -> list[str]:
    return [change.id for change in changes_of(path)]


def acknowledged(done: Done) -> list[str]:
    return [line.split()[1] for line in done.stdout.splitlines() if line.startswith("acknowledged")]


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """Return a folder with a table, a phone, a taught set and a backup of an earlier evening."""
    template = tmp_path / "template"
    data = template / "data"
    written(data / STORE_NAME, 12)
    pair(data, "Vex")
    (data / "sets" / "bones").mkdir(parents=True)
    (data / "sets" / "bones" / "set.toml").write_text("then")
    write_backup(data, template / "table.zip")
    with closing(SqliteStore(data / STORE_NAME)) as store:
        store.append(changes_of(written(tmp_path / "more.sqlite", COUNT))[12:])
    pair(data, "Kesh")
    (data / "sets" / "bones" / "set.toml").write_text("now")
    return template


@pytest.fixture(scope="module")
def starter() -> Iterator[subprocess.Popen[str]]:
    """Start what runs programs in its forks."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
    command, pipe = [sys.executable, "-m", "tests.forked"], subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as starter:
        yield starter


Tries = Callable[[Program, Path, Callable[[Done, Fault], object]], None]


@pytest.fixture
def try_faults(starter: subprocess.Popen[str], often: Callable[[int], int]) -> Tries:
    """Run a program with each fault, over all its calls, and check what is left."""

    def try_faults(program: Program, folder: Path, check: Callable[[Done, Fault], object]) -> None:
        for fault in program.faults(starter, folder, tries=often(TRIES)):
            done = program.run(starter, folder, fault)
            try:
                check(done, fault)
            except BaseException:
                print(f"{fault}: {done.returncode}\n{done.stdout}{done.stderr}")
                raise
        assert done.returncode == 0  # the last, with none

    return try_faults


def test_putting_a_backup_back(template: Path, tmp_path: Path, try_faults: Tries) -> None:
    folder = tmp_path / "at"
    data = folder / "data"
    now = ids_in(template / "data" / STORE_NAME)

    def check(done: Done, fault: Fault) -> None:
        ids, said = start(folder)
        is_new = len(ids) == 12
        assert ids == (now[:12] if is_new else now)
        assert names_in(data) == (["Vex"] if is_new else ["Vex", "Kesh"])
        assert (data / "sets" / "bones" / "set.toml").read_text() == ("then" if is_new else "now")
        if is_new:
            (aside,) = data.glob("replaced-*")
            assert ids_in(aside / STORE_NAME) == now
            assert aside.name in said + done.stdout or fault.how is KILL
        else:
            assert list(data.glob("replaced-*")) == []
        assert is_new or done.returncode
        assert done.returncode in (0, 75, 137, -9)
        assert done.returncode != 75 or not is_new or "in part" in done.stderr

    command = ("tableside", "restore", "{folder}/table.zip", "--data", "{folder}/data")
    try_faults(Program(command=command, template=template), folder, check)


def test_writing_a_backup(template: Path, tmp_path: Path, try_faults: Tries) -> None:
    folder = tmp_path / "at"
    now = ids_in(template / "data" / STORE_NAME)
    backup = Path("data") / BACKUPS / "2026-11-25.zip"
    (template / backup).parent.mkdir()
    (template / "table.zip").rename(template / backup)

    def check(done: Done, fault: Fault) -> None:
        ids, _ = start(folder)
        assert (ids, names_in(folder / "data")) == (now, ["Vex", "Kesh"])
        with opened_backup(folder / backup) as whole:
            assert whole is not None
            assert [change.id for change in whole.changes()] in ([now] if done.returncode == 0 else [now, now[:12]])
        assert [path.name for path in (folder / backup).parent.iterdir()] == [backup.name]
        assert done.returncode in (0, 75, 137, -9)
        assert done.returncode != 75 or re.search("cannot be (written|opened|copied|read) ", done.stderr)

    command = ("tableside", "backup", f"{{folder}}/{backup}", "--data", "{folder}/data")
    try_faults(Program(command=command, template=template), folder, check)


@pytest.mark.parametrize("before", ["whole", "older", "damaged"])
def test_starting_and_playing(template: Path, tmp_path: Path, try_faults: Tries, before: str) -> None:
    folder = tmp_path / "at"
    path = template / "data" / STORE_NAME
    if before == "older":
        older(path)
    now = ids_in(path)
    if before == "damaged":
        damage(template / "data", with_a_flipped_bit)
        (template / "data" / BACKUPS).mkdir()
        (template / "table.zip").rename(template / "data" / BACKUPS / "2026-11-24.zip")
        (template / "data" / BACKUPS / "2026-11-25.zip").write_bytes(b"no backup")

    def check(done: Done, fault: Fault) -> None:
        ids, said = start(folder)
        assert ids[: len(now)] == now
        assert set(acknowledged(done)) <= set(ids)
        assert done.returncode in (0, 1, 137, -9)
        if before == "damaged":
            assert "30 changes were carried over, 1 of them from a backup" in said
            (kept,) = (folder / "data").glob("table.damaged-*.sqlite")
            assert kept.read_bytes() == path.read_bytes()
        if before == "older":
            with closing(SqliteStore(folder / "data" / STORE_NAME, is_reader=True)) as store:
                assert store.version == SCHEMA_VERSION
            kept = list((folder / "data").glob("*.version2"))
            assert [ids_in(one) for one in kept] in ([now], [now + acknowledged(done)])
        assert done.returncode != 1 or done.stderr

    try_faults(Program(command=START, template=template), folder, check)


def test_going_back_to_an_older_version(template: Path, tmp_path: Path, try_faults: Tries) -> None:
    folder = tmp_path / "at"
    data = template / "data"
    older(data / STORE_NAME)
    then = ids_in(data / STORE_NAME)
    with closing(open_history(data)[0]) as store:  # type: ignore[type-var]
        store.append(changes_of(written(tmp_path / "later.sqlite", COUNT + 4))[COUNT:])
    now = ids_in(data / STORE_NAME)

    def check(done: Done, fault: Fault) -> None:
        said = start_older(folder)
        with closing(SqliteStore(folder / "data" / STORE_NAME, is_reader=True)) as store:
            is_old = store.version == 2
            assert [change.id for change in store.changes()] == (then if is_old else now)
        assert ids_in(folder / "data" / f"{STORE_NAME}.version2") == then
        kept = folder / "data" / f"{STORE_NAME}.by-2"
        assert kept.exists() is is_old
        assert not is_old or ids_in(kept) == now
        assert is_old or done.returncode
        assert (
            not (is_old and done.returncode == 1) or "is cut short" in said or "cannot be brought back" in done.stderr
        )

    command = ("tableside.app.rollback", "{folder}/data", "2", f"{STORE_NAME}.by-2")
    try_faults(Program(command=command, template=template), folder, check)


def start_older(folder: Path) -> str:
    """Run the same once more, as whoever installs it does, without bringing the history to the form of now."""
    from tableside.adapters.sqlite_store import hold

    hold(folder / "data" / STORE_NAME).release()
    assert not [*folder.rglob(".change-*"), *folder.rglob(".gone-*")]
    return "\n".join(map(str, kept_troubles(folder / "data")))


def test_teaching_taking_in_and_taking_back_a_set(template: Path, tmp_path: Path, try_faults: Tries) -> None:
    folder, dice = tmp_path / "at", find_sets(["pips"])[0]
    sets = TaughtSets(template / "data")
    (sets.folder / "bones" / "set.toml").unlink()
    (sets.folder / "bones").rmdir()
    for count in (1, 2):
        samples = tuple(
            Sample(id=f"ab{n}", type="pip", face=("1",), source=Source.PHOTO, origin="", at=1.0, shape=1.2, jpeg=JPEG)
            for n in range(count)
        )
        save_taught(Taught(dice_set=replace(dice, name="bones", taught=True), samples=samples), sets.path("bones"))
    export_set(sets, "bones", template / "bones.zip")

    def counts(name: str) -> int:
        return len(TaughtSets(folder / "data").load(name).samples)

    def check(done: Done, fault: Fault) -> None:
        start(folder)
        assert (counts("bones"), done.returncode) in [(2, 2), (2, 137), (2, -9), (1, 137), (1, -9), (1, 0), (1, 2)]
        take_back(folder / "data" / "sets" / "bones")
        assert counts("bones") in (1, 2)

    def check_new(done: Done, fault: Fault) -> None:
        start(folder)
        assert counts("bones") == 2
        is_there = "more" in TaughtSets(folder / "data").names()
        assert not is_there or counts("more") == 2
        assert is_there or done.returncode

    where = ("--data", "{folder}/data")
    for command, check_it in (
        (("teach", "bones", "--forget", "ab1"), check),
        (("teach", "bones", "--undo"), check),
        (("teach", "more", "--import", "{folder}/bones.zip"), check_new),
    ):
        program = Program(command=("tableside", *command, *where), template=template)
        try_faults(program, folder, check_it)


def test_importing_a_history(template: Path, tmp_path: Path, try_faults: Tries) -> None:
    folder = tmp_path / "at"
    lines = [change_to_text(change) for change in changes_of(template / "data" / STORE_NAME)]
    (template / "all.jsonl").write_text("\n".join(lines))
    shutil.rmtree(template / "data")
    (template / "data").mkdir()

    def check(done: Done, fault: Fault) -> None:
        ids, _ = start(folder)
        assert len(ids) == (COUNT if done.returncode == 0 else len(ids) and COUNT)
        assert done.returncode in (0, 2, 75, 137, -9)

    command = ("tableside", "log", "--import", "{folder}/all.jsonl", "--data", "{folder}/data")
    try_faults(Program(command=command, template=template), folder, check)
