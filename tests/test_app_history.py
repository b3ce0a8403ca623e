"""A history that is damaged, empty or on a disk that takes nothing: the table starts, says so and keeps what it can."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from tableside.adapters.sqlite_store import SCHEMA_VERSION, STORE_NAME, SqliteStore
from tableside.app.backups import write_backup
from tableside.app.history import open_history
from tableside.app.mending import mend
from tableside.dice import Die
from tableside.errors import HistoryDamaged, HistoryInUse, HistoryNotWritable, StoreError
from tableside.table import Side, Table
from tableside.table.kept import LOST
from tableside.table.messages import ChangeDestiny, Do, EnterRoll, Undo
from tests.adapters.histories import SYSTEM, changes_of, older, written
from tests.conftest import Run

COUNT = 30


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    written(folder / STORE_NAME, COUNT)
    return folder


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Callable[[], Path]]:
    """Return a folder on a disk of its own, and what makes that read-only; skip where a test may not mount one."""
    folder = tmp_path / "card"
    folder.mkdir()
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root may mount a disk that takes nothing")
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(folder)], capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")

    def turn() -> Path:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        return folder

    yield turn
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def cut_in_half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def without_header(data: bytes) -> bytes:
    return bytes(100) + data[100:]


def with_a_flipped_bit(data: bytes) -> bytes:
    at = data.index(b"V\xc3\xa9x 12")  # in the words of a change
    return data[: at + 4] + bytes([data[at + 4] ^ 1]) + data[at + 5 :]


DAMAGES = [cut_in_half, without_header, with_a_flipped_bit]


def damage(data: Path, how: Callable[[bytes], bytes]) -> bytes:
    path = data / STORE_NAME
    path.write_bytes(how(path.read_bytes()))
    return path.read_bytes()


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_history_is_put_aside_and_what_can_be_read_goes_on(data: Path, how: Callable[[bytes], bytes]) -> None:
    before = changes_of(data / STORE_NAME)
    if how is without_header:  # SQL reads nothing of it
        write_backup(data, data / "backups" / "2026-11-25.zip")
    bad = damage(data, how)
    store, (told,) = open_history(data)
    table = Table(SYSTEM, store)
    try:
        (kept,) = data.glob("table.damaged-*.sqlite")
        assert kept.read_bytes() == bad
        assert kept.name in told.hint
        assert isinstance(told, HistoryDamaged)
        now = list(store.changes())
        assert [change.number for change in now] == list(range(1, len(now) + 1))
        lost = [change.number for change in now if change.kind == LOST]
        assert [change for change in now if change.kind != LOST] == [
            change for change in before[: len(now)] if change.number not in lost
        ]
        # a long change that begins in the first half may end in the second
        assert how is cut_in_half or (len(now), len(lost)) == (COUNT, how is with_a_flipped_bit)
        assert len(now) - len(lost) > COUNT / 4
        table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=5, dark=5))
        assert table.state.last_number == len(now) + 1
    finally:
        table.close()
    assert open_history(data)[1] == ()


def test_what_is_lost_is_said_in_numbers_and_stands_in_the_history(data: Path, run: Run) -> None:
    damage(data, with_a_flipped_bit)
    store, (told,) = open_history(data)
    store.close()
    assert "29 changes were carried over, 1 change was lost (12)" in told.what
    assert "number 30, of 1970-01-01 00:00 UTC" in told.hint
    status, out, err = run("log", "--data", data)
    assert (status, err) == (0, "")
    assert "    12  1970-01-01T00:00:11+00:00  This change is lost: the history was damaged." in out


@pytest.mark.parametrize("how", DAMAGES)
def test_log_tells_every_change_that_can_be_read_and_touches_nothing(
    data: Path, how: Callable[[bytes], bytes], run: Run
) -> None:
    if how is without_header:
        write_backup(data, data / "backups" / "2026-11-25.zip")
    bad = damage(data, how)
    status, out, err = run("log", "--json", "--data", data)
    told = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert "the history was damaged" in err
    assert [change["number"] for change in told] == list(range(1, len(told) + 1))
    assert (data / STORE_NAME).read_bytes() == bad


def test_a_mended_history_can_be_written_out_and_read_back(data: Path, run: Run, tmp_path: Path) -> None:
    damage(data, with_a_flipped_bit)
    open_history(data)[0].close()
    (tmp_path / "all.jsonl").write_text(run("log", "--json", "--data", data)[1])
    assert run("log", "--import", tmp_path / "all.jsonl", "--data", tmp_path / "new")[0] == 0
    assert changes_of(tmp_path / "new" / STORE_NAME) == changes_of(data / STORE_NAME)


def test_a_lost_change_is_nothing_to_undo(data: Path) -> None:
    path = data / STORE_NAME
    content = path.read_bytes()
    at = content.index(b"V\xc3\xa9x 30")
    path.write_bytes(content[: at + 4] + b"!" + content[at + 5 :])
    written(data / "more.sqlite", COUNT + 1)
    store, _ = open_history(data)
    store.append([change for change in changes_of(data / "more.sqlite") if change.number > COUNT])
    table = Table(SYSTEM, store)
    try:
        table.ask(Undo(id=str(uuid.uuid4()), at=1.0))
        state = table.ask(Undo(id=str(uuid.uuid4()), at=1.0))
        assert [change.undoes for change in state.changes[-2:]] == [31, 29]
    finally:
        table.close()


def test_a_backup_gives_back_what_the_file_lost(data: Path) -> None:
    before = changes_of(data / STORE_NAME)
    write_backup(data, data / "backups" / "2026-11-26.zip")
    damage(data, cut_in_half)
    store, (told,) = open_history(data)
    assert list(store.changes()) == before
    store.close()
    assert "of them from a backup" in told.what
    assert "lost" not in told.what


def test_a_backup_of_another_history_gives_nothing(data: Path, tmp_path: Path) -> None:
    table = Table(SYSTEM, SqliteStore(tmp_path / "other" / STORE_NAME))
    for number in range(COUNT + 9):
        table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=1 + number % 2, dark=3))
    table.close()
    write_backup(tmp_path / "other", data / "backups" / "2026-11-26.zip")
    damage(data, with_a_flipped_bit)
    store, _ = open_history(data)
    assert [change.number for change in store.changes() if change.kind == LOST] == [12]
    store.close()


def test_a_history_that_is_in_use_is_not_mended(data: Path) -> None:
    store = SqliteStore(data / STORE_NAME)
    with pytest.raises(HistoryInUse):
        mend(data / STORE_NAME)
    store.close()
    assert not list(data.glob("*damaged*"))


@pytest.mark.parametrize(
    "content", [b"", b"a letter to a friend, and surely no database" * 50], ids=["empty", "letter"]
)
def test_a_file_without_a_history_is_said_and_kept(data: Path, content: bytes, run: Run) -> None:
    (data / STORE_NAME).write_bytes(content)
    status, out, err = run("log", "--data", data)
    assert (status, out) == (1, "")
    assert "holds nothing that can be read" in err
    store, (told,) = open_history(data)
    assert list(store.changes()) == []
    store.close()
    assert "the table begins anew" in told.what
    assert "tableside restore" in told.hint
    assert next(data.glob("table.damaged-*.sqlite")).read_bytes() == content


def test_a_folder_in_place_of_the_history_is_put_aside_and_a_backup_gives_all_back(data: Path, run: Run) -> None:
    before = changes_of(data / STORE_NAME)
    open_history(data)[0].close()
    assert run("backup", "--data", data)[0] == 0
    (data / STORE_NAME).unlink()
    (data / STORE_NAME).mkdir()
    status, out, err = run("log", "--data", data)
    assert (status, len(out.splitlines())) == (1, COUNT)
    assert f"{COUNT} changes were read, all of them from a backup" in err
    store, (told,) = open_history(data)
    assert list(store.changes()) == before
    store.close()
    assert "carried over, all of them from a backup" in told.what
    assert next(data.glob("table.damaged-*.sqlite")).is_dir()


@pytest.mark.parametrize(
    ("mode", "words"),
    [(0o444, "nothing can be written"), (0o000, "the history may not be read")],
    ids=["not written", "not read"],
)
def test_a_history_that_belongs_to_somebody_else_is_said_at_the_start(data: Path, mode: int, words: str) -> None:
    open_history(data)[0].close()
    (data / STORE_NAME).chmod(mode)
    program = (
        "import sys; from pathlib import Path; from tableside.app.history import open_history\n"
        "try: store, told = open_history(Path(sys.argv[1])); print(*told, sum(1 for _ in store.changes()))\n"
        "except Exception as error: print(error)"
    )
    said = subprocess.run([*as_anybody(), sys.executable, "-c", program, data], capture_output=True, text=True)
    (data / STORE_NAME).chmod(0o600)
    assert words in said.stdout + said.stderr
    assert "disk has room" not in said.stdout
    assert said.stdout.endswith(f" {COUNT}\n") is (mode == 0o444)


def as_anybody() -> list[str]:
    """Return the command before a command in which root may read and write no more than what is its own to."""
    if os.geteuid():
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv of util-linux is missing, and root may read everything")
    rights = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={rights}", f"--inh-caps={rights}"]


def test_a_new_table_has_nothing_to_say(tmp_path: Path) -> None:
    for _ in range(2):
        store, told = open_history(tmp_path / "new")
        store.close()
        assert told == ()


def test_a_card_that_turned_read_only_shows_its_history_and_the_table_goes_on(
    read_only: Callable[[], Path], tmp_path: Path, run: Run
) -> None:
    written(tmp_path / "card" / STORE_NAME, COUNT)
    before = changes_of(tmp_path / "card" / STORE_NAME)
    folder = read_only()
    status, out, err = run("log", "--data", folder)
    assert (status, len(out.splitlines()), err) == (0, COUNT, "")
    store, (told,) = open_history(folder)
    assert isinstance(told, HistoryNotWritable)
    assert "Read-only file system" in told.what
    assert "nothing is kept" in told.what
    table = Table(SYSTEM, store)
    try:
        assert list(store.changes()) == before
        with pytest.raises(StoreError, match="Read-only"):
            table.ask(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.SET, light=9))
        light = table.state.destiny.light
        table.post(ChangeDestiny(id=str(uuid.uuid4()), at=1.0, do=Do.ADD, side=Side.LIGHT))  # a button
        table.post(
            EnterRoll(id=str(uuid.uuid4()), at=2.0, dice=(Die(type="ability", face=("success",)),), label="seen")
        )
        while table.state.roll is None or table.state.roll.label != "seen":
            table.wait(after=table.state.revision, timeout=30)
        assert table.state.destiny.light == light + 1
    finally:
        table.close()


def test_a_backup_of_a_read_only_card_goes_elsewhere(
    read_only: Callable[[], Path], tmp_path: Path, run: Run
) -> None:  # fmt: skip
    written(tmp_path / "card" / STORE_NAME, COUNT)
    (tmp_path / "card" / "backups").mkdir()
    folder = read_only()
    status, _, err = run("backup", "--data", folder)
    assert (status, "cannot be written (Read-only file system)" in err) == (75, True)
    assert run("backup", tmp_path / "stick.zip", "--data", folder)[0] == 0


@pytest.mark.parametrize("endings", [("-wal", "-shm"), ("-wal",)], ids=["both", "log alone"])
def test_what_a_pulled_plug_left_is_shown_on_a_read_only_card(
    read_only: Callable[[], Path], tmp_path: Path, run: Run, endings: tuple[str, ...]
) -> None:
    store = SqliteStore(written(tmp_path / STORE_NAME, 3))
    store.append([change for change in changes_of(written(tmp_path / "more.sqlite", COUNT)) if change.number > 3])
    for ending in ("", *endings):
        shutil.copy(f"{tmp_path / STORE_NAME}{ending}", f"{tmp_path / 'card' / STORE_NAME}{ending}")
    store.close()
    folder = read_only()
    shown, told = open_history(folder)
    assert (len(list(shown.changes())), [type(one) for one in told]) == (COUNT, [HistoryNotWritable])
    assert run("log", "--data", folder)[0] == 0


def test_a_damaged_history_on_a_read_only_card_is_shown_and_both_are_said(
    read_only: Callable[[], Path], tmp_path: Path
) -> None:
    written(tmp_path / "card" / STORE_NAME, COUNT)
    damage(tmp_path / "card", with_a_flipped_bit)
    store, told = open_history(read_only())
    assert [type(one) for one in told] == [HistoryNotWritable, HistoryDamaged]
    assert len(list(store.changes())) == COUNT


@pytest.fixture
def small_card(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Return what makes a disk of so many kB; skip where a test may not mount one."""
    folder = tmp_path / "card"
    folder.mkdir()
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root may mount a disk of its own")

    def mount(size_kb: int) -> Path:
        mounted = ["mount", "-t", "tmpfs", "-o", f"size={size_kb}k", "tmpfs", str(folder)]
        if subprocess.run(mounted, capture_output=True).returncode:
            pytest.skip("no disk can be mounted here")
        return folder

    yield mount
    subprocess.run(["umount", "--lazy", str(folder)], check=False)


@pytest.mark.parametrize("free_kb", [40, 56, 72, 96, 120, 180, 400])
def test_a_history_that_has_no_room_for_its_new_form_goes_on_in_the_older_one_and_says_so(
    small_card: Callable[[int], Path], tmp_path: Path, free_kb: int
) -> None:
    path = older(written(tmp_path / "old.sqlite", 120))
    before = changes_of(path)
    data = small_card(path.stat().st_size // 1024 + free_kb + 8)
    shutil.copy(path, data / STORE_NAME)
    acknowledged: list[str] = []
    for start in range(3):
        store, told = open_history(data)
        table = Table(SYSTEM, store)
        try:
            for number in range(3):
                table.ask(ChangeDestiny(id=f"{start}-{number}", at=1.0, do=Do.SET, light=30 + start, dark=number))
                acknowledged.append(f"{start}-{number}")
        except StoreError:  # full in the midst of it
            assert told
        finally:
            table.close()
        version = _version_of(data / STORE_NAME)
        assert bool(told) == (version == 2)
        if told and len(acknowledged) > 3 * start:
            assert "the history stays in its older form" in told[0].what
    assert [change.id for change in changes_of(data / STORE_NAME)] == [one.id for one in before] + acknowledged
    assert (len(acknowledged) == 9) or free_kb < 96
    assert [path.name for path in data.glob("*.version*")] == (
        [f"{STORE_NAME}.version2"] if version == SCHEMA_VERSION else []
    )
    assert (version == SCHEMA_VERSION) is (free_kb == 400)
    assert not list(data.glob(".*"))


def _version_of(path: Path) -> int:
    with closing(SqliteStore(path, is_reader=True)) as store:
        return store.version


def test_an_older_form_is_written_and_read_as_that_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tableside.adapters.sqlite_store.change_files", _full)
    path = older(written(tmp_path / STORE_NAME, 4))
    with closing(SqliteStore(path)) as store:
        assert store.stays_old is not None
        roll = next(change.after.roll for change in store.changes() if change.after.roll)
        *more, last = changes_of(written(tmp_path / "more.sqlite", 9))[4:]
        store.append([*more, replace(last, after=replace(last.after, rolls={roll.id: roll}))])
        assert [store.has(f"00000000-0000-0000-0000-{number:012}") for number in (9, 10)] == [True, False]
        assert [change.number for change in store.of_roll(roll.id)] == [2, 9]
    monkeypatch.undo()
    with closing(SqliteStore(path)) as store:
        assert [change.number for change in store.of_roll(roll.id)] == [2, 9]
        assert (store.version, store.check(), store.stays_old) == (SCHEMA_VERSION, 9, None)


def _full(*_: object) -> object:
    raise OSError(errno.ENOSPC, "No space left on device")
